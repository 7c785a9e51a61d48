"""What is read from a question: of what, whose, where and when, and which words ask for more."""

# ruff: noqa: E501

from __future__ import annotations

from schoolmath.problems.stories.amounts import Thing
from schoolmath.problems.stories.grammar.words import sentences_of
from schoolmath.problems.stories.questions import StoryQuestion, ask
from schoolmath.problems.stories.telling import StoryFacts, tell
from tests.loops import over

TOLD = "Ana had 9 red pens on Monday. Ben found 4 caps in the hall. Ana lost 3 pens."


def read(question: str, story: str = TOLD) -> tuple[StoryQuestion, StoryFacts]:
    """The question after a story, and what was told then."""
    facts = tell(sentences_of(story))
    asked = ask(sentences_of(f"{story} {question}"), facts)
    assert asked is not None
    return asked, facts


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
}
"""A question, and what its words ask for."""

ALL_FLAGS = frozenset[str]().union(*FLAGS.values())


@over("question", READ)
def test_what_is_counted_and_whose_it_is_are_read_from_a_question(question: str) -> None:
    asked, _ = read(question)
    right = READ[question]
    assert {name: getattr(asked, name) for name in right} == right
    assert asked.fault == ""


@over("question", FLAGS)
def test_what_a_question_asks_for_is_read_from_its_words(question: str) -> None:
    asked, _ = read(question)
    assert asked.flags & FLAGS[question] == FLAGS[question], asked.flags


def test_a_plain_question_asks_for_nothing_further() -> None:
    asked, _ = read("How many pens does Ana have?")
    assert not asked.flags & ALL_FLAGS


def test_a_number_in_a_question_is_told_as_well() -> None:
    asked, facts = read("How many pens are in 5 boxes?", "A box holds 6 pens.")
    assert [each.value for each in facts.amounts] == [6, 5]
    assert (facts.amounts[1].thing, facts.amounts[1].kind) == (Thing("box"), "asked")
    assert "number" in asked.flags


def test_those_who_are_counted_in_a_question_are_no_number_in_it() -> None:
    asked, facts = read("How many legs do 8 bees have?", "A bee has 6 legs.")
    assert "counted" in facts.amounts[1].flags
    assert (facts.amounts[1].value, facts.amounts[1].thing) == (8, Thing("bee"))
    assert "number" not in asked.flags


CONDITIONS = {
    "before": "If Ana loses 2 pens, how many pens does she have?",
    "after": "How many pens does Ana have if she loses 2 pens?",
}


@over("where", CONDITIONS)
def test_a_condition_beside_the_question_is_told_first(where: str) -> None:
    asked, facts = read(CONDITIONS[where], "Ana had 9 pens.")
    assert [each.value for each in facts.amounts] == [9, 2]
    assert "condition" in facts.amounts[1].flags
    assert facts.amounts[1].owners == ("ana",)
    assert asked.thing == Thing("pen")


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
    asked, _ = read(question)
    assert asked.strange == STRANGE[question]


NOT_ASKED = {
    "no question": "Ana had 9 pens.",
    "two questions": "How many pens has Ana? How many caps has Ben?",
    "a question of another kind": "Who has 9 pens?",
}


@over("case", NOT_ASKED)
def test_where_not_exactly_one_number_is_asked_for_there_is_no_question(case: str) -> None:
    assert ask(sentences_of(NOT_ASKED[case]), StoryFacts()) is None


def test_what_else_begins_with_what_is_no_question_that_is_understood() -> None:
    asked, _ = read("What did Ana lose?")
    assert asked.fault == "what"
