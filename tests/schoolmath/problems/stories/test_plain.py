"""A story told again in plain sentences, which the other reader reads with the same answer."""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace

from schoolmath.problems.reading import read
from schoolmath.problems.stories import in_plain_sentences, plural_of, understand
from tests.loops import over

TOLD_AGAIN = {
    "state over time": (
        "Mabel had 27 beads. She lost 8 of them and found 5 more. How many beads does Mabel have now?",
        "Mabel has 27 beads. Mabel loses 8 beads. Mabel gets 5 beads. How many beads does Mabel have now?"),
    "comparisons": (
        "Bert has 14 coins. Ada has 6 more coins than Bert. How many coins does Ada have?",
        "Bert has 14 coins. Ada has 6 more coins than Bert. How many coins does Ada have?"),
    "fewer": (
        "Bert has 14 coins. Ada has 6 fewer coins than Bert. How many coins does Ada have?",
        "Bert has 14 coins. Ada has 6 fewer coins than Bert. How many coins does Ada have?"),
    "times as many": (
        "Bert has 14 coins. Ada has 3 times as many coins as Bert. How many coins does Ada have?",
        "Bert has 14 coins. Ada has 3 times as many coins as Bert. How many coins does Ada have?"),
    "times": (
        "Kim bought 6 bags. Each bag holds 9 nuts. How many nuts does Kim have?",
        "Kim has 6 bags of nuts. Each bag holds 9 nuts. How many nuts does Kim have?"),
    "groups": (
        "Kim has 54 nuts. Each bag holds 9 nuts. How many bags does Kim need?",
        "Kim has 54 nuts. Each bag holds 9 nuts. How many bags of nuts does Kim have?"),
    "one of them": (
        "Mabel had 27 beads. She lost 1 bead. How many beads does Mabel have now?",
        "Mabel has 27 beads. Mabel loses 1 bead. How many beads does Mabel have now?"),
    "an unneeded number": (
        "Mabel had 27 beads and 4 caps. She lost 8 beads. How many beads does Mabel have now?",
        "Mabel has 27 beads. Mabel loses 8 beads. How many beads does Mabel have now?"),
}  # fmt: skip
"""A story, and how it is told again."""


@over("case", TOLD_AGAIN)
def test_a_story_is_told_again_in_sentences_of_has_gets_loses_and_holds(case: str) -> None:
    text, plain = TOLD_AGAIN[case]
    story = understand(text)
    assert in_plain_sentences(story) == plain
    solution = read(plain).solution
    assert solution is not None
    assert solution.answer == story.answer


NOT_TOLD = {
    "refused": "Mabel had 27 beads. She lost some. How many beads does Mabel have now?",
    "sums are outside of it": "Lina sold 23 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
    "shares are outside of it": "Zeno shared 45 nuts equally among 5 squirrels. How many nuts did each squirrel get?",
    "no whole numbers": "Mabel had 2.5 pounds of nuts. She ate 0.5 pounds of nuts. How many pounds of nuts does Mabel have now?",
    "prices": "Kofi bought 6 pens for 3 dollars each. How much did he spend?",
    "compared things": "There are 12 boys in a club. There are 5 more girls than boys in the club. How many girls are in the club?",
}  # fmt: skip


@over("case", NOT_TOLD)
def test_what_is_outside_of_plain_sentences_is_not_told_again(case: str) -> None:
    assert in_plain_sentences(understand(NOT_TOLD[case])) is None


def test_what_the_other_reader_would_answer_otherwise_is_not_told_again() -> None:
    story = understand(TOLD_AGAIN["comparisons"][0])
    assert story.answer is not None
    assert in_plain_sentences(replace(story, answer=story.answer + 1)) is None


PLURALS = {
    "bag": "bags", "box": "boxes", "child": "children", "berry": "berries", "toy box": "toy boxes",
    "sheep": "sheep", "": "",
}  # fmt: skip


@over("noun", PLURALS)
def test_the_plural_of_a_noun_is_that_of_its_last_word(noun: str) -> None:
    assert plural_of(noun) == PLURALS[noun]
