"""What is read from a question: of what, whose, where and when, and which words ask for more."""

# ruff: noqa: E501

from __future__ import annotations

from schoolmath.problems.stories import answer
from schoolmath.problems.stories.amounts import StoryQuestion, Thing
from schoolmath.problems.stories.asking import ask
from schoolmath.problems.stories.facts import StoryFacts
from schoolmath.problems.stories.telling import tell
from schoolmath.problems.stories.words import sentences_of
from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong

TOLD = "Ana had 9 red pens on Monday. Ben found 4 caps in the hall. Ana lost 3 pens."


def read(question: str, story: str = TOLD) -> tuple[StoryQuestion, StoryFacts]:
    """The question after a story, and what was told then."""
    facts = tell(sentences_of(story))
    request = ask(sentences_of(f"{story} {question}"), facts)
    assert request is not None
    return request, facts


READ = {
    "How many pens does Ana have?": {"thing": Thing("pen"), "owners": ("ana",), "verb": "have", "kind": "state"},
    "How many red pens does Ana have?": {"thing": Thing("pen", frozenset({"red"}))},
    "How many pens did Ana lose?": {"verb": "lose", "kind": "loss", "owners": ("ana",)},
    "How many pens did Ana give to Ben?": {"verb": "give", "receiver": "ben", "owners": ("ana",)},
    "How many caps are in the hall?": {"verb": "be", "place": {"hall"}, "owners": (), "thing": Thing("cap")},
    "How many pens did Ana have on Monday?": {"time": {"monday"}},
    "How many more pens than caps does Ana have?": {"than": Thing("cap"), "thing": Thing("pen")},
    "How many more pens does Ana have than Ben?": {"than_owner": "ben", "than": None},
    "How many pens are in each box?": {"per": Thing("box")},
    "How many pens do Ana and Ben have?": {"owners": ("ana", "ben")},
    "How many pens and caps are there?": {"things": [Thing("pen"), Thing("cap")]},
    "How many did Ana lose?": {"thing": Thing(), "things": []},
    "How many pens does Ana need to buy?": {"verb": "buy", "modals": ("does", "need")},
    "What is the number of pens that Ana has?": {"thing": Thing("pen"), "owners": ("ana",), "verb": "have"},
    "How much money does Ana have?": {"thing": Thing("money")},
    "How many pens are being sold?": {"owners": (), "verb": "sell"},
    "How many pens have been sold?": {"owners": (), "verb": "sell"},
    "How many pens are there now?": {"owners": (), "verb": "be"},
    "If Ana loses 2 pens, how many pens does she have?": {"owners": ("ana",), "thing": Thing("pen")},
}  # fmt: skip
"""A question, and what must be read from it."""

FLAGS = {
    "How many pens does Ana have left?": {"left"},
    "How many pens does Ana have now?": {"now"},
    "How many pens did Ana have at first?": {"start"},
    "How many pens did Ana have in the beginning?": {"start"},
    "How many pens do they have in all?": {"total"},
    "How many pens do they have altogether?": {"total"},
    "What is the total number of pens?": {"total", "what"},
    "How many more pens does Ana need?": {"more"},
    "How many fewer pens does Ben have than Ana?": {"more", "fewer"},
    "How many other pens are there?": {"other"},
    "How many pens did Ana not lose?": {"denied"},
    "How many pens didn't Ana lose?": {"denied"},
    "How much money does Ana have?": {"much", "money"},
    "How much does a pen cost?": {"much", "money"},
    "How long did Ana walk?": {"duration"},
    "How far did Ana walk?": {"length"},
    "What is the difference between the number of pens and the number of caps?": {"difference"},
    "How many pens were lost?": {"passive"},
    "How many pens did Ana have before Monday?": {"before"},
    "How many pens does Ana have in 3 boxes?": {"number"},
    "How many pens does Ana have which are red?": {"odd"},
    "How many pens did Ana, who lost some, have?": {"odd"},
    "How many pens has Ana never lost?": {"odd"},
}
"""A question, and what its words ask for."""

ALL_FLAGS = frozenset[str]().union(*FLAGS.values())


@over("question", READ)
def test_what_is_counted_and_whose_it_is_are_read_from_a_question(question: str) -> None:
    request, _ = read(question)
    right = READ[question]
    assert {name: getattr(request, name) for name in right} == right
    assert request.fault == ""


@over("question", FLAGS)
def test_what_a_question_asks_for_is_read_from_its_words(question: str) -> None:
    request, _ = read(question)
    assert request.flags & FLAGS[question] == FLAGS[question], request.flags


def test_a_plain_question_asks_for_nothing_further() -> None:
    request, _ = read("How many pens does Ana have?")
    assert not request.flags & ALL_FLAGS


def test_a_number_in_a_question_is_told_as_well() -> None:
    request, facts = read("How many pens are in 5 boxes?", "A box holds 6 pens.")
    assert [each.value for each in facts.amounts] == [6, 5]
    assert (facts.amounts[1].thing, facts.amounts[1].kind) == (Thing("box"), "asked")
    assert "number" in request.flags


def test_those_who_are_counted_in_a_question_are_no_number_in_it() -> None:
    request, facts = read("How many legs do 8 bees have?", "A bee has 6 legs.")
    assert "counted" in facts.amounts[1].flags
    assert (facts.amounts[1].value, facts.amounts[1].thing) == (8, Thing("bee"))
    assert "number" not in request.flags


CONDITIONS = {
    "before": "If Ana loses 2 pens, how many pens does she have?",
    "after": "How many pens does Ana have if she loses 2 pens?",
    "when": "How many pens does Ana have when she loses 2 pens?",
    "after something": "How many pens does Ana have after she loses 2 pens?",
}


@over("where", CONDITIONS)
def test_a_condition_beside_the_question_is_told_first(where: str) -> None:
    request, facts = read(CONDITIONS[where], "Ana had 9 pens.")
    assert [each.value for each in facts.amounts] == [9, 2]
    assert "condition" in facts.amounts[1].flags
    assert facts.amounts[1].owners == ("ana",)
    assert request.thing == Thing("pen")


WHO = {
    "How many pens does she have?": ("ana",),
    "How many pens do they have?": ("ana", "ben"),
    "How many pens does it have?": ("it",),
    "How many pens does Ben have?": ("ben",),
    "How many pens are there?": (),
}
"""After "Ana and Ben have 9 pens. Ana found 4 pens.": who is asked about."""


@over("question", WHO)
def test_a_pronoun_in_a_question_is_who_was_told_of(question: str) -> None:
    request, _ = read(question, "Ana and Ben have 9 pens. Ana found 4 pens.")
    assert request.owners == WHO[question]


STRANGE = {
    "How many pens does Ana have?": set(),
    "How many zebras does Ana have?": {"zebras"},
    "How many pens does Ana juggle?": set(),
    "How many purple pens does Ana have?": {"purple"},
    "How many pens did Ana find?": set(),
}
"""A question, and its words that neither stand in the story nor are usual in questions."""


@over("question", STRANGE)
def test_words_of_a_question_that_stand_nowhere_before_are_noted(question: str) -> None:
    request, _ = read(question)
    assert request.strange == STRANGE[question]


NOT_ASKED = {
    "no question": "Ana had 9 pens.",
    "two questions": "How many pens has Ana? How many caps has Ben?",
    "a question of another kind": "Who has 9 pens?",
}


@over("case", NOT_ASKED)
def test_where_not_exactly_one_number_is_asked_for_there_is_no_question(case: str) -> None:
    assert ask(sentences_of(NOT_ASKED[case]), StoryFacts()) is None


def test_what_else_begins_with_what_is_no_question_that_is_understood() -> None:
    request, _ = read("What did Ana lose?")
    assert request.fault == "what"


MANY = {
    "Mabel had 27 red beads and 12 blue beads. Otto had 6 red beads. Mabel gave Otto 8 red beads.": {
        "How many red beads does Mabel have now?": 19,
        "How many blue beads does Mabel have now?": 12,
        "How many beads does Mabel have now?": 31,
        "How many beads did Mabel have at first?": 39,
        "How many red beads did Mabel give to Otto?": 8,
        "How many red beads does Otto have now?": 14,
        "How many red beads do they have in all?": 33,
        "How many beads do they have altogether?": 45,
        "How many more red beads than blue beads does Mabel have now?": 7,
        "How many blue beads does Otto have now?": None,
        "How many green beads does Mabel have now?": None,
        "How many beads did Mabel lose?": None,
        "How many red beads did Otto give to Mabel?": None,
    },
    "There were 14 cups on the table and 6 cups on the shelf. Rita put 5 more cups on the shelf.": {
        "How many cups are on the shelf now?": 11,
        "How many cups are on the table now?": 14,
        "How many cups are there in all?": 25,
        "How many cups were on the shelf at first?": 6,
        "How many more cups were on the table than on the shelf at first?": 8,
        "How many cups are in the box now?": None,
        "How many plates are on the shelf now?": None,
    },
    "Kofi has 6 boxes. Each box holds 9 pens. He sold 4 pens for 2 dollars each.": {
        "How many pens does Kofi have left?": 50,
        "How many boxes does Kofi have?": 6,
        "How many pens did Kofi sell?": 4,
        "How much money did Kofi get?": 8,
        "How many pens does each box hold?": 9,
        "How many caps does Kofi have?": None,
    },
    "Hugo swam 12 laps on Monday, 15 laps on Tuesday and 8 laps on Thursday. Each lap is 50 meters long.": {
        "How many laps did Hugo swim in all?": 35,
        "How many laps did Hugo swim on Monday and Tuesday?": 27,
        "How many more laps did Hugo swim on Tuesday than on Thursday?": 7,
        "How many fewer laps did Hugo swim on Thursday than on Monday?": 4,
        "How many meters did Hugo swim on Thursday?": 400,
        "How many meters did Hugo swim in all?": 1750,
        "How many laps did Hugo swim on Friday?": None,
        "How many laps did Hugo run in all?": None,
        "How many laps did Ida swim in all?": None,
    },
    "Bert has 14 coins. Ada has 6 more coins than Bert. Cora has 5 fewer coins than Ada.": {
        "How many coins does Ada have?": 20,
        "How many coins does Cora have?": 15,
        "How many coins do they have altogether?": 49,
        "How many coins do Ada and Cora have altogether?": 35,
        "How many coins do Bert and Ada have altogether?": 34,
        "How many more coins does Cora have than Bert?": 1,
        "How many fewer coins does Bert have than Ada?": 6,
        "How many coins does Dora have?": None,
        "How many coins does Ada need?": None,
        "How many coins did Ada lose?": None,
    },
    "A class has 28 children. 13 of them are girls and the rest are boys. 5 boys wear glasses.": {
        "How many boys are in the class?": 15,
        "How many girls are in the class?": 13,
        "How many children are in the class?": 28,
        "How many boys do not wear glasses?": 10,
        "How many more boys than girls are in the class?": 2,
        "How many girls wear glasses?": None,
    },
    "Tickets cost 4 dollars for children and 7 dollars for adults. Gwen bought 3 tickets for children and 2 tickets for adults. She paid with 50 dollars.": {
        "How much did the tickets for children cost?": 12,
        "How much did the tickets for adults cost?": 14,
        "How much did the tickets cost in all?": 26,
        "How much change did Gwen get?": 24,
        "How many tickets did Gwen buy?": 5,
        "How much more does a ticket for adults cost than a ticket for children?": 3,
        "How much does one ticket for children cost?": 4,
    },
    "Mia picked 40 plums and 16 pears. She ate 4 plums and put the rest of the plums into 6 bags.": {
        "How many plums are in each bag?": 6,
        "How many plums did Mia pick?": 40,
        "How many plums did Mia eat?": 4,
        "How many pears does Mia have?": 16,
        "How many fruits did Mia pick in all?": 56,
        "How many more plums than pears did Mia pick?": 24,
        "How many pears are in each bag?": None,
        "How many bags did Mia fill?": 6,
    },
    "There were 30 people on a bus. 12 people got off at the market. 7 people got on at the school.": {
        "How many people are on the bus now?": 25,
        "How many people got off at the market?": 12,
        "How many people got on at the market?": None,
        "How many people were on the bus at first?": 30,
        "How many people were on the bus after the market?": 18,
        "How many more people got off than got on?": 5,
        "How many children are on the bus now?": None,
        "How many people are on the train now?": None,
    },
}  # fmt: skip
"""Stories, questions to each, and the answer to each question; None: the story does not tell it."""


@over("story, question", [(story, question) for story in MANY for question in MANY[story]])
def test_of_one_story_each_question_gets_its_own_answer_or_none(story: str, question: str) -> None:
    assert_never_wrong(f"{story} {question}", MANY[story][question])


@over(
    ("text", "right"),
    [
        ("A store has 3 shelves with 12 books on each shelf. If 7 books are sold, how many books "
         "are left", 29),
        ("A pack has 8 cans. Each can holds 6 balls. How many balls are in 12 packs?", 576),
        ("Each pack has 8 cans of paint. Ana buys 5 packs. How many cans does she buy?", 40),
        ("Ana can carry 3 boxes. Each box has 4 pens. How many pens can she carry?", 12),
    ],
)  # fmt: skip
def test_a_question_needs_no_mark_and_a_can_is_a_thing(text: str, right: int) -> None:
    assert answer(text).answer == right


@over(
    ("text", "right"),
    [
        ("3 frogs each eat 10 flies. How many flies do they eat?", 30),
        ("Leo has 24 figs to share equally among 3 friends. How many does each one get?", 8),
        ("4 friends each pay $15 for a gift. How much do they pay in total?", 60),
        ("A cyclist rides 18 km per hour. How far does she ride in 3 hours?", 54),
        ("A cyclist rides 18 km per hour and walks 400 meters. How far does she ride in 3 hours?",
         None),
        ("Mark has $50 and buys a toy that costs $35. How much money does he have left?", 15),
        ("Ben had 12 pens. He gives 5 pens to his younger brother. How many pens has he left?", 7),
        ("Mark has $50. He buys a toy that costs $35 less than a bike. How much has he left?", None),
    ],
)  # fmt: skip
def test_everyday_wordings_are_read_or_left(text: str, right: int | None) -> None:
    assert answer(text).answer == right
