"""How many more of one than of another: owners, things, days, measures and prices.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "of two owners": (
        "Yara has 18 pens. Zoltan has 11 pens. How many more pens does Yara have than Zoltan?",
        7, "difference"),
    "fewer": (
        "Yara has 18 pens. Zoltan has 11 pens. How many fewer pens does Zoltan have than Yara?",
        7, "difference"),
    "of two things": (
        "There are 15 dogs and 9 cats in the home. How many more dogs than cats are there in the home?",
        6, "difference"),
    "of two days": (
        "Lars ate 9 nuts on Friday and 4 nuts on Sunday. How many more nuts did Lars eat on Friday than on Sunday?",
        5, "contrast"),
    "of two measures": (
        "A cord is 14 feet long. A chain is 9 feet long. How much longer is the cord than the chain?",
        5, "gap"),
    "of two prices": (
        "A hat costs 17 dollars. A scarf costs 12 dollars. How much more does the hat cost than the scarf?",
        5, "gap"),
    "of two verbs": (
        "Ted found 16 stones and threw 7 stones. How many more stones did he find than he threw?",
        9, "difference"),
    "than the only other": (
        "Yara scored 18 points. Zoltan scored 11 points. How many more points did Yara score?",
        7, "difference"),
    "difference of things": (
        "Vera has 20 goats and 13 sheep. What is the difference between the number of goats and sheep?",
        7, "difference"),
    "difference reversed": (
        "Vera has 13 goats and 20 sheep. What is the difference between the number of goats and sheep?",
        7, "difference"),
    "fewer things": (
        "There are 15 dogs and 9 cats in the home. How many fewer cats than dogs are there in the home?",
        6, "difference"),
    "fewer of days": (
        "Lars ate 9 nuts on Friday and 4 nuts on Sunday. How many fewer nuts did Lars eat on Sunday than on Friday?",
        5, "contrast"),
    "fewer of verbs": (
        "Ted found 16 stones and threw 7 stones. How many fewer stones did he throw than he found?",
        9, "difference"),
    "now than before": (
        "Ted had 16 stones. Now he has 27 stones. How many more stones does he have now?",
        11, "difference"),
    "shorter (2)": (
        "A chain is 9 feet long. A cord is 14 feet long. How much longer is the cord than the chain?",
        5, "gap"),
    "heavier": (
        "A dog weighs 18 pounds. A cat weighs 5 pounds. How much heavier is the dog than the cat?",
        13, "gap"),
    "of places": (
        "There are 15 cups on the shelf and 9 cups on the table. How many more cups are on the shelf than on the table?",
        6, "gap"),
}  # fmt: skip
"""A story of each kind, with its answer and the strategy that finds it."""

ALIKE = {
    "in all": (
        "Yara has 18 pens. Zoltan has 11 pens. How many pens do Yara and Zoltan have in all?",
        29, "same verb"),
    "a third": (
        "Yara has 18 pens. Zoltan has 11 pens. Xenia has 5 pens. How many more pens does Yara have than Xenia?",
        13, "contrast"),
    "two things each": (
        "Yara has 18 pens and 4 caps. Zoltan has 11 pens. How many more pens does Yara have than caps?",
        14, "difference"),
    "three days": (
        "Lars ate 9 nuts on Friday, 4 nuts on Sunday and 6 nuts on Monday. How many more nuts did Lars eat on Friday than on Monday?",
        3, "contrast"),
    "difference of prices told": (
        "A hat costs 17 dollars. A scarf costs 12 dollars less than the hat. How much more does the hat cost than the scarf?",
        12, "comparisons, difference"),
    "equal": (
        "Yara has 18 pens. Zoltan has 18 pens. How many more pens does Yara have than Zoltan?",
        0, "difference"),
    "how many more caps": (
        "Yara has 18 pens and 4 caps. Zoltan has 11 pens and 9 caps. How many more caps does Zoltan have than Yara?",
        5, "difference"),
    "more found than lost": (
        "Ted found 16 stones and 4 coins and lost 7 stones. How many more stones did he find than he lost?",
        9, "difference"),
    "each": (
        "Yara has 18 pens. Her 3 brothers have 4 pens each. How many more pens does Yara have than her brothers?",
        6, "contrast"),
    "who has most": (
        "Yara has 18 pens, Zoltan has 11 pens and Xenia has 5 pens. How many more pens does Yara have than Zoltan?",
        7, "contrast"),
    "spent more": (
        "Ivan spent 12 dollars on a book and 5 dollars on a pen. How much more did he spend on the book than on the pen?",
        7, "contrast"),
    "spent more, other": (
        "Ivan spent 12 dollars on a book, 5 dollars on a pen and 9 dollars on a cap. How much more did he spend on the book than on the cap?",
        3, "contrast"),
    "sold than had": (
        "Ted had 16 stones and sold 7 stones. How many more stones did he have at first than he sold?",
        9, "difference"),
    "votes": (
        "Yara got 18 votes. Zoltan got 11 votes. 5 children did not vote. How many more votes did Yara get than Zoltan?",
        7, "difference"),
    "heavier than both": (
        "A dog weighs 18 pounds, a cat weighs 5 pounds and a hen weighs 3 pounds. How much more does the dog weigh than the cat?",
        13, "contrast"),
}  # fmt: skip
"""Stories that look like one of those and have an answer of their own."""

DOUBTFUL = {
    "the difference between": (
        "Vera has 20 goats and 13 sheep. What is the difference between the number of goats and the number of sheep?",
        7),
    "the other way round": (
        "Yara has 11 pens. Zoltan has 18 pens. How many more pens does Yara have than Zoltan?",
        None),
    "fewer, the other way": (
        "Yara has 18 pens. Zoltan has 11 pens. How many fewer pens does Yara have than Zoltan?",
        None),
    "than both": (
        "Yara has 18 pens. Zoltan has 7 pens. Xenia has 5 pens. How many more pens does Yara have than Zoltan and Xenia together?",
        6),
    "changed before": (
        "Yara has 18 pens. Zoltan has 11 pens. Yara loses 3 pens. How many more pens does Yara have than Zoltan?",
        4),
    "gave to the other": (
        "Yara has 18 pens. Zoltan has 11 pens. Yara gives Zoltan 2 pens. How many more pens does Yara have than Zoltan?",
        3),
    "other thing": (
        "Yara has 18 pens. Zoltan has 11 caps. How many more pens does Yara have than Zoltan?",
        18),
    "denied": (
        "Yara has 18 pens. Zoltan does not have 11 pens. How many more pens does Yara have than Zoltan?",
        None),
    "part of them": (
        "There are 15 dogs in the home. 9 of the dogs are black. How many more dogs than black dogs are there in the home?",
        6),
    "three days, sum": (
        "Lars ate 9 nuts on Friday, 4 nuts on Sunday and 3 nuts on Monday. How many more nuts did Lars eat on Friday than on Sunday and Monday?",
        2),
    "two units": (
        "A cord is 3 yards long. A chain is 4 feet long. How much longer is the cord than the chain?",
        None),
    "two units, asked in one": (
        "A cord is 3 yards long. A chain is 4 feet long. How many feet longer is the cord than the chain?",
        5),
    "shorter": (
        "A cord is 14 feet long. A chain is 9 feet long. How much shorter is the chain than the cord?",
        5),
    "shorter, the longer one": (
        "A cord is 14 feet long. A chain is 9 feet long. How much shorter is the cord than the chain?",
        None),
    "cut": (
        "A cord is 14 feet long. Ed cuts off 3 feet of the cord. A chain is 9 feet long. How much longer is the cord than the chain?",
        2),
    "two hats": (
        "A hat costs 17 dollars. A scarf costs 12 dollars. How much more do 2 hats cost than 2 scarves?",
        10),
    "two scarves": (
        "A hat costs 17 dollars. A scarf costs 12 dollars. How much less does a hat cost than 2 scarves?",
        7),
    "than he kept": (
        "Ted found 16 stones and threw 7 stones. How many more stones did he keep than he threw?",
        2),
    "how many times": (
        "Yara has 18 pens. Zoltan has 6 pens. How many times as many pens does Yara have as Zoltan?",
        3),
    "needs to catch up": (
        "Yara has 18 pens. Zoltan has 11 pens. How many more pens does Zoltan need to have as many as Yara?",
        7),
    "of each": (
        "Yara has 18 pens in each of 2 boxes. Zoltan has 11 pens. How many more pens does Yara have than Zoltan?",
        25),
    "in different places": (
        "There are 15 dogs and 9 cats in the home. There are 4 cats in the yard. How many more dogs than cats are there in the home?",
        6),
    "wanted": (
        "Yara has 18 pens. Zoltan wants 11 pens. How many more pens does Yara have than Zoltan?",
        None),
    "last week": (
        "Yara had 18 pens last week. Yara has 11 pens now. How many more pens did Yara have last week than now?",
        7),
    "how many more in all": (
        "Yara has 18 pens and 4 caps. Zoltan has 11 pens and 9 caps. How many more things does Yara have than Zoltan?",
        2),
    "how many more pens than caps": (
        "Yara has 18 pens and 4 caps. Zoltan has 11 pens and 9 caps. How many more pens than caps do they have?",
        16),
    "more on two days": (
        "Lars ate 9 nuts on Friday and 4 nuts on Sunday. How many more nuts did Lars eat on Sunday than on Friday?",
        None),
    "of each hat": (
        "3 hats cost 17 dollars. A scarf costs 12 dollars. How much more does a hat cost than a scarf?",
        None),
    "some": (
        "Yara has some pens. Zoltan has 11 pens. How many more pens does Yara have than Zoltan?",
        None),
    "at start": (
        "Yara had 18 pens and lost 5. Zoltan has 11 pens. How many more pens did Yara have at first than Zoltan?",
        7),
    "left": (
        "There are 15 dogs and 9 cats in the home. 4 dogs are adopted. How many more dogs than cats are in the home now?",
        2),
    "how much older": (
        "Ann is 12 years old. Bea is 7 years old. How much older will Ann be than Bea in 3 years?",
        5),
    "not": (
        "Lars ate 9 nuts on Friday and did not eat 4 nuts on Sunday. How many more nuts did Lars eat on Friday than on Sunday?",
        None),
    "than in both": (
        "There are 15 dogs, 9 cats and 4 birds in the home. How many more dogs than cats and birds are in the home?",
        2),
    "animals than dogs": (
        "There are 15 dogs and 9 cats in the home. How many more animals than dogs are in the home?",
        9),
    "farther": (
        "Dina ran 4 miles on Friday and 7 miles on Sunday. How much farther did she run on Sunday?",
        3),
    "farther, other": (
        "Dina ran 4 miles on Friday and 7 miles on Sunday. How much farther did she run on Friday than on Sunday?",
        None),
    "taller by": (
        "Ann is 150 centimeters tall. Bea is 2 meters tall. How much taller is Bea than Ann?",
        None),
    "wins": (
        "Ted won 16 games and lost 7 games of 30 games. How many more games did he win than he lost?",
        9),
    "price difference": (
        "A hat costs 17 dollars. A scarf costs 12 dollars. What is the difference in price?",
        5),
    "could be longer": (
        "A cord is 14 feet long. A chain can be 9 feet long. How much longer can the cord be than the chain?",
        None),
}  # fmt: skip
"""Stories that may be refused, each with the one answer that would be right; None: no answer is."""


@over("case", SOLVED)
def test_a_story_of_each_kind_is_solved_by_its_strategy(case: str) -> None:
    assert_solved(*SOLVED[case])


@over("case", ALIKE)
def test_a_story_that_looks_alike_gets_its_own_answer(case: str) -> None:
    assert_solved(*ALIKE[case])


@over("case", DOUBTFUL)
def test_where_it_is_doubtful_no_other_number_is_answered(case: str) -> None:
    assert_never_wrong(*DOUBTFUL[case])
