"""A second look at answers: what the words of a text have against equations read from it."""

from __future__ import annotations

import pytest

from biaslab.studies import Design, experiment
from schoolmath.problems.second_look import objections
from schoolmath.problems.stories import answer

# A text, equations that answer it wrongly, and the words that stand against them.
WRONG = (
    ("a number left out", "In a car park there are 40 cars. 12 leave and 9 arrive. "
     "How many cars are there now?", ("40 - 12 = 28",), "9 arrive"),
    ("each", "Ms. Ross bought 6 packs of 12 crayons. She gave each of her 18 pupils 3 crayons. "
     "How many crayons were left?", ("6 * 12 = 72", "72 - 3 = 69"), "18 pupils"),
    ("each in the question", "Sue has 24 rolls and 4 plates. How many rolls are on each plate?",
     ("24 - 4 = 20",), "each"),
    ("away", "A pond has 18 frogs. 7 frogs hop away. How many frogs are in the pond?",
     ("18 + 7 = 25",), "hop away"),
    ("back", "A pond has 18 frogs. 7 frogs come back. How many frogs are in the pond?",
     ("18 - 7 = 11",), "come back"),
    ("up to it", "There were 179 birds on a roof. 38 more flew up to it. How many birds are there?",
     ("179 - 38 = 141",), "38 more"),
    ("a thing without a number", "Henry had 45 cents. He spent 28 cents. Then he found a dime. "
     "How many cents does Henry have?", ("45 - 28 = 17",), "a dime"),
    ("what some are like", "There are 18 desks. 2 desks are broken. How many desks are there?",
     ("18 - 2 = 16",), "desks are broken"),
    ("another size", "Brennan had 25 grams of pepper. He used 16 kilograms of the pepper. "
     "How much pepper does Brennan have?", ("25 - 16 = 9",), "of one size"),
    ("packs", "Tim found 37 shells and Sally found 13 boxes of shells. How many shells did they "
     "find together?", ("37 + 13 = 50",), "13 boxes"),
    ("not so", "Kate has 223 pennies. John does not have 388 pennies. How many more pennies does "
     "John have?", ("388 - 223 = 165",), "388 pennies"),
    ("another time", "Ana has 12 lamps and buys 3. How many lamps does she have a week later?",
     ("12 + 3 = 15",), "a week later"),
    ("a stranger", "Ana has 12 lamps and buys 3 lamps. How many lamps does Zelda have?",
     ("12 + 3 = 15",), "Zelda"),
    ("a stranger's", "Ana has 12 lamps and buys 3. How many of Zelda's lamps does Ana have?",
     ("12 + 3 = 15",), "Zelda"),
    ("more", "Ana has 12 lamps and buys 3 lamps. How many more lamps does Ana have in total?",
     ("12 + 3 = 15",), "more"),
    ("a loss in a total", "Sally found 9 shells, Tom lost 7 shells and Jessica found 5 shells. "
     "How many shells did they find together?", ("9 - 7 = 2", "2 + 5 = 7"), "7 shells"),
    ("nearly", "Ana has nearly 12 lamps and buys 3 lamps. How many lamps does Ana have?",
     ("12 + 3 = 15",), "nearly 12"),
    ("all but one", "Gwen has 20 roses. She ties 5 roses into each bunch and sells all bunches but "
     "one. How many bunches does she sell?", ("20 / 5 = 4",), "but one"),
)  # fmt: skip

RIGHT = (
    ("Jane has 8 apples and 5 pears. She eats 2 of the apples and buys 6 pears. How many pears "
     "does Jane have?", ("5 + 6 = 11",)),
    ("5 red peaches, 14 yellow peaches and 6 green peaches are in the basket. How many green and "
     "yellow peaches are in the basket?", ("14 + 6 = 20",)),
    ("There are 11 baskets. Each basket has 10 red peaches and 18 green peaches. How many peaches "
     "are in the baskets altogether?", ("10 + 18 = 28", "28 * 11 = 308")),
    ("Ann bakes three dozen oatmeal cookies and gives away two dozen. How many cookies does she "
     "keep?", ("36 - 24 = 12",)),
    ("Elena owns 17 pots. Jisoo owns 1/11 as many pots as Ada. Ada has 44 pots. How many pots does "
     "Jisoo own?", ("44 / 11 = 4",)),
    ("The ring toss game made 420 dollars over 3 days. How much did they make per day?",
     ("420 / 3 = 140",)),
    ("Molly swam 45 meters on Saturday and 28 meters on Sunday. How many meters did Molly swim?",
     ("45 + 28 = 73",)),
    ("She had 17 bags, but didn't recycle 8 of them. How many bags did she recycle?",
     ("17 - 8 = 9",)),
)  # fmt: skip


def test_words_that_the_equations_do_not_account_for_are_named() -> None:
    missed = [
        kind
        for kind, text, steps, words in WRONG
        if not any(words in each for each in objections(text, steps))
    ]
    assert not missed


def test_equations_that_account_for_every_word_meet_no_objection() -> None:
    met = {text: against for text, steps in RIGHT if (against := objections(text, steps))}
    assert not met


@pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
def test_own_problems_are_proved_and_of_somebody_who_is_not_there_doubted(study: str) -> None:
    met, passed = [], []
    for pair in experiment(study).pairs(Design(study, 40, 1)):
        for item in (pair.x, pair.x_prime):
            found = answer(item.text)
            if str(found.answer) != item.answer:
                met.append(item.text)
            told, _, question = item.text.rpartition(". ")
            name = next(each for each in question.split() if each in told and each.istitle())
            if objections(f"{told}. {question.replace(name, 'Zelda')}", found.steps) == ():
                passed.append(item.text)
    assert not met
    assert not passed


def test_what_a_second_look_objects_to_is_read_and_not_proved() -> None:
    found = answer(
        "Ms. Ross bought 6 packs of 12 crayons. She gave each of her 18 pupils 3 crayons. How many "
        "crayons were left?"
    )
    assert found.answer is None
    assert found.doubted == 69
    assert found.steps[-1] == "72 - 3 = 69"
    assert any("18 pupils" in each for each in found.reasons)
