"""Amounts that are told by comparing them: so many more, fewer or times as many.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "more than": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. How many coins does Ada have?",
        20, "comparisons"),
    "fewer than": (
        "Bert has 14 coins. Ada has 6 fewer coins than Bert. How many coins does Ada have?",
        8, "comparisons"),
    "times as many": (
        "Bert has 14 coins. Ada has 3 times as many coins as Bert. How many coins does Ada have?",
        42, "comparisons"),
    "backwards, more": (
        "Ada has 20 coins. Ada has 6 more coins than Bert. How many coins does Bert have?",
        14, "comparisons"),
    "backwards, times": (
        "Ada has 24 coins. Ada has 3 times as many coins as Bert. How many coins does Bert have?",
        8, "comparisons"),
    "backwards, fewer": (
        "Ada has 20 coins. Ada has 6 fewer coins than Bert. How many coins does Bert have?",
        26, "comparisons"),
    "both together": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. How many coins do they have altogether?",
        34, "comparisons, total"),
    "by things": (
        "There are 12 boys in a club. There are 5 more girls than boys in the club. How many girls are in the club?",
        17, "comparisons"),
    "a chain": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Cora has 4 fewer coins than Ada. How many coins does Cora have?",
        16, "comparisons"),
    "difference of two": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Cora has 4 fewer coins than Bert. How many more coins does Ada have than Cora?",
        10, "comparisons, difference"),
    "prices": (
        "A cap costs 9 dollars. A scarf costs 5 dollars more than the cap. How much does the scarf cost?",
        14, "comparisons"),
    "than before, all": (
        "Ana has 9 pens. Ben has 4 fewer pens than Ana. How many pens do Ana and Ben have in all?",
        14, "comparisons, total"),
    "fewer by thing": (
        "There are 12 boys in a club. There are 5 fewer girls than boys. How many girls are in the club?",
        7, "comparisons"),
    "times by thing": (
        "There are 12 boys in a club. There are 3 times as many girls as boys. How many girls are in the club?",
        36, "comparisons"),
    "backwards by thing": (
        "There are 12 boys in a club. There are 5 more boys than girls. How many girls are in the club?",
        7, "comparisons"),
    "difference, fewer": (
        "Bert has 14 coins. Ada has 6 fewer coins than Bert. Cora has 4 more coins than Bert. How many fewer coins does Ada have than Cora?",
        10, "comparisons, difference"),
    "weigh": (
        "A cat weighs 4 pounds. A dog weighs 9 pounds more than the cat. How many pounds does the dog weigh?",
        13, "comparisons"),
    "did": (
        "Bert found 14 coins. Ada found 6 fewer coins than Bert. How many coins did Ada find?",
        8, "comparisons"),
}  # fmt: skip
"""A story of each kind, with its answer and the strategy that finds it."""

ALIKE = {
    "which is": (
        "Bert has 14 coins, which is 6 more coins than Ada has. How many coins does Ada have?",
        8, "comparisons"),
    "how many fewer": (
        "Bert has 14 coins. Ada has 6 fewer coins than Bert. How many fewer coins does Ada have than Bert?",
        6, "comparisons, difference"),
    "how many more": (
        "Bert has 14 coins. Ada has 6 fewer coins than Bert. How many more coins does Bert have than Ada?",
        6, "comparisons, difference"),
    "all three": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Cora has 4 coins. How many coins do they have altogether?",
        38, "comparisons, accounts"),
    "two comparisons of one": (
        "Bert has 14 coins. Ada has 6 more coins than Bert and 2 fewer coins than Cora. How many coins does Cora have?",
        22, "comparisons"),
    "all pupils": (
        "There are 12 boys in a club. There are 5 more girls than boys in the club. How many children are in the club?",
        29, "comparisons, accounts"),
    "cheaper": (
        "A cap costs 9 dollars. A scarf costs 5 dollars less than the cap. How much do the cap and the scarf cost together?",
        13, "comparisons, total"),
    "two who have different things": (
        "Bert has 14 coins and 5 stamps. Ada has 6 more stamps than Bert. How many stamps does Ada have?",
        11, "comparisons"),
    "two who have different things, other": (
        "Bert has 14 coins and 5 stamps. Ada has 6 more coins than Bert. How many coins does Ada have?",
        20, "comparisons"),
    "found more": (
        "Bert found 14 coins. Ada found 6 more coins than Bert. How many coins did Ada find?",
        20, "comparisons"),
    "twice and more": (
        "Bert has 14 coins. Ada has 2 times as many coins as Bert and Cora has 3 coins. How many coins do they have in all?",
        45, "comparisons, accounts"),
}  # fmt: skip
"""Stories that look like one of those and have an answer of their own."""

DOUBTFUL = {
    "than nobody": (
        "Bert has 14 coins. Ada has 6 more coins. How many coins does Ada have?",
        20),
    "another thing": (
        "Bert has 14 coins. Ada has 6 more stamps than Bert. How many coins does Ada have?",
        None),
    "another thing asked": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. How many stamps does Ada have?",
        None),
    "somebody else": (
        "Bert has 14 coins. Ada has 6 more coins than Cleo. How many coins does Ada have?",
        None),
    "then loses": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Ada loses 3 coins. How many coins does Ada have?",
        17),
    "the other finds afterwards": (
        "Bert had 14 coins. Ada had 6 more coins than Bert. Bert found 3 coins. How many coins does Bert have?",
        17),
    "the other finds before": (
        "Bert had 14 coins. Bert found 3 coins. Ada has 6 more coins than Bert. How many coins does Ada have?",
        23),
    "last year": (
        "Bert has 14 coins. Ada has 6 more coins than Bert had last year. How many coins does Ada have?",
        None),
    "at least": (
        "Bert has 14 coins. Ada has at least 6 more coins than Bert. How many coins does Ada have?",
        None),
    "this is": (
        "Bert has 14 coins. This is 6 more coins than Ada has. How many coins does Ada have?",
        8),
    "times more": (
        "Bert has 14 coins. Ada has 3 times more coins than Bert. How many coins does Ada have?",
        None),
    "than two together": (
        "Bert has 14 coins. Cleo has 9 coins. Ada has 6 more coins than Bert and Cleo together. How many coins does Ada have?",
        29),
    "as many as two": (
        "Bert has 14 coins. Cleo has 9 coins. Ada has as many coins as Bert and Cleo together. How many coins does Ada have?",
        23),
    "less than none": (
        "Bert has 4 coins. Ada has 6 fewer coins than Bert. How many coins does Ada have?",
        None),
    "half as many": (
        "Bert has 14 coins. Ada has half as many coins as Bert. How many coins does Ada have?",
        7),
    "both without one": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Cora has 4 coins. How many coins do Ada and Bert have altogether?",
        34),
    "more boys joined": (
        "There are 12 boys in a club. There are 5 more girls than boys in the club. 4 boys leave. How many girls are in the club?",
        17),
    "ages": (
        "Bert is 14 years old. Ada is 6 years older than Bert. How old is Ada?",
        20),
    "ages in years": (
        "Bert is 14 years old. Ada is 6 years older than Bert. How old will Ada be in 3 years?",
        23),
    "would have": (
        "If Ada had 6 more coins, she would have as many coins as Bert. Bert has 14 coins. How many coins does Ada have?",
        8),
    "gives": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Ada gives Bert 2 coins. How many coins does Ada have?",
        18),
    "gives, total": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Ada gives Bert 2 coins. How many coins do they have altogether?",
        34),
    "denied": (
        "Bert has 14 coins. Ada does not have 6 more coins than Bert. How many coins does Ada have?",
        None),
    "6 more than 3 times": (
        "Bert has 14 coins. Ada has 6 more than 3 times as many coins as Bert. How many coins does Ada have?",
        48),
    "price of two": (
        "A cap costs 9 dollars. A scarf costs 5 dollars more than the cap. How much do 2 scarves cost?",
        28),
    "red coins": (
        "Bert has 14 red coins. Ada has 6 more blue coins than Bert. How many blue coins does Ada have?",
        None),
    "more and fewer": (
        "Bert has 14 coins. Ada has more coins than Bert. Cora has 6 fewer coins than Ada. How many coins does Cora have?",
        None),
    "what they gave": (
        "Bert gave 14 coins. Ada gave 6 more coins than Bert. How many coins does Ada have?",
        None),
    "found more then lost": (
        "Bert found 14 coins. Ada found 6 more coins than Bert. Ada lost 2 coins. How many coins did Ada find?",
        20),
    "had before": (
        "Ada has 14 coins. She has 6 more coins than yesterday. How many coins did Ada have yesterday?",
        8),
    "as much as": (
        "Ada has 6 more coins than Bert. Bert and Cora have 14 coins. How many coins does Ada have?",
        None),
    "both given": (
        "Ada has 6 more coins than Bert. Together they have 14 coins. How many coins does Bert have?",
        4),
    "both given, Ada": (
        "Ada has 6 more coins than Bert. Ada and Bert have 14 coins together. How many coins does Ada have?",
        10),
    "if bert had": (
        "Bert has 14 coins. If Bert had 6 more coins, he would have as many as Ada. How many coins does Ada have?",
        20),
    "if bert gets": (
        "Bert has 14 coins. Bert needs 6 more coins to have as many as Ada. How many coins does Ada have?",
        20),
    "heavier": (
        "A cat weighs 4 pounds. A dog weighs 9 pounds more than a cat. How much do 2 dogs weigh?",
        26),
    "days": (
        "Bert read 14 pages on Monday. On Tuesday he read 6 more pages than on Monday. How many pages did he read on Tuesday?",
        20),
    "days, all": (
        "Bert read 14 pages on Monday. On Tuesday he read 6 more pages than on Monday. How many pages did he read in all?",
        34),
    "less money": (
        "A cap costs 9 dollars. It costs 5 dollars less than a scarf. How much does the scarf cost?",
        14),
    "it": (
        "A rope is 9 feet long. It is 4 feet shorter than a chain. How long is the chain?",
        13),
    "longer": (
        "A rope is 9 feet long. A chain is 4 feet longer. How long is the chain?",
        13),
    "younger": (
        "Ann is 12 years old. She is 4 years younger than Bea. How old is Bea?",
        16),
    "more than twice": (
        "Bert has 14 coins. Ada has more than 2 times as many coins as Bert. How many coins does Ada have?",
        None),
    "many more": (
        "Bert has 14 coins. Ada has many more coins than Bert. How many coins does Ada have?",
        None),
    "no more": (
        "Bert has 14 coins. Ada has no more coins than Bert. How many coins does Ada have?",
        None),
    "one third": (
        "Bert has 15 coins. Ada has a third of Bert's coins. How many coins does Ada have?",
        5),
    "same": (
        "Bert has 14 coins. Ada has the same number of coins as Bert. Cora has 3 coins. How many coins do they have in all?",
        31),
    "same, two": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. Cora has as many coins as Ada. How many coins does Cora have?",
        20),
    "in total two": (
        "Ada has 3 times as many coins as Bert. They have 24 coins in all. How many coins does Bert have?",
        6),
    "brothers": (
        "Bert has 14 coins. His brothers Ali and Cem have 6 more coins than Bert. How many coins does Ali have?",
        None),
    "each of two": (
        "Bert has 14 coins. Ada and Cora each have 6 more coins than Bert. How many coins do they have in all?",
        54),
    "per day": (
        "Bert reads 14 pages a day. Ada reads 6 more pages a day than Bert. How many pages does Ada read in 2 days?",
        40),
    "more in a year": (
        "Bert has 14 coins. Next year he will have 6 more coins than Ada has now. Ada has 9 coins. How many coins will Bert have next year?",
        15),
    "times nothing": (
        "Bert has 14 coins. Bert has 0 times as many coins as Ada. How many coins does Ada have?",
        None),
    "two amounts of one": (
        "Bert has 14 coins. Bert has 9 coins. Ada has 6 more coins than Bert. Ada loses 3 coins. How many coins does Ada have?",
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
