"""From a text to its answer, to a sentence for the person, or to the same in plain sentences."""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from schoolmath.problems.reading import read
from schoolmath.problems.stories import (
    answer,
    in_plain_sentences,
    numbered_sentences,
    plural_of,
    understand,
)
from schoolmath.problems.stories.understanding import (
    LONGEST_TEXT,
    MOST_NUMBERS,
    MOST_SENTENCES,
    Account,
    account_of,
)
from tests.loops import over

NO_QUESTION = "The question was not understood: ask “How many ...?”."
PART = "The text mentions a part of something, which is not worked out."

REFUSED = {
    # Nothing that could be read.
    "": "The text is empty: write a word problem with its question.",
    " \n ... ": "The text is empty: write a word problem with its question.",
    # Nothing, or too much, is asked.
    "Ana has 9 pens. She lost 4 pens.": "The text asks nothing.",
    "Ana has 9 pens. How many pens has Ana? How many caps has she?": "The text asks more than one thing.",
    "Ana has 9 pens. What did she lose?": NO_QUESTION,
    "Ana has 9 pens. Why did she lose 4 pens?": NO_QUESTION,
    # Words for what is not worked out here.
    "Ana has 9 pens. She lost 20 percent of the pens. How many pens does Ana have?": "Not understood: “percent”.",
    "Ana has 8 pens. She lost half a pen. How many pens does Ana have?": "Not understood: “half”.",
    "Ana has 8 pens. She doubled them. How many pens does Ana have?": "Not understood: “doubled”.",
    "Ana has 8 pens. Ben has twice as many pens. How many pens does Ben have?": "Not understood: “twice”.",
    "Ana has about 8 pens. She lost 3 pens. How many pens does Ana have?": "Not understood: “about”.",
    "Ana has 8 pens. Ana lost 2 pens. Then it happened again. How many pens does Ana have?": "Not understood: “again”.",
    # Words by which a number holds not of all, is uncertain, or of what did not happen.
    "Ana has 9 pens. She lost all but 4 pens. How many pens does Ana have?": "Not understood: “all but”.",
    "Ana has 9 bags. Not every bag holds 4 pens. How many pens does Ana have?": "Not understood: “Not every”.",
    "Ana has 9 bags. Every second bag holds 4 pens. How many pens does Ana have?": "Not understood: “Every second”.",
    "Ana has 9 bags. Each bag but one holds 4 pens. How many pens does Ana have?": "Not understood: “Each bag”.",
    "Ana has 9 pens. Ben has the same 9 pens. How many pens do they have in all?": "Not understood: “same 9”.",
    "Ana has 9 pens. She lost 4 and found the same number. How many pens does Ana have?": "Not understood: “the same number”.",
    "Ana has 9 pens. Ben has the same number of pens as Ana. How many pens do they have in all?": "Not understood: “the same number”.",
    "Ana has 9 pens. Among them she found 4 old pens. How many pens does Ana have?": "Not understood: “Among them”.",
    "Ana bought 9 pens and got 4 pens for free. How many pens did Ana buy?": "Not understood: “for free”.",
    "Ana has 9 pens. She lost a couple of pens and 4 caps. How many pens does Ana have?": "Not understood: “couple of”.",
    "Ana has 9 pens. She lost 4 or 5 pens. How many pens does Ana have?": "Not understood: “4 or 5”.",
    "Ana has 9 pens. She lost up to 4 pens. How many pens does Ana have?": "Not understood: “up to 4”.",
    "Ana has over 9 pens. She lost 4 pens. How many pens does Ana have?": "Not understood: “over 9”.",
    "Ana has 9 pens. She lost between 4 and 5 pens. How many pens does Ana have?": "Not understood: “between 4”.",
    "Ana has 9 pens. Maybe she lost 4 pens. How many pens does Ana have?": "Not understood: “Maybe”.",
    "Ana has 9 pens. She forgot to sell 4 pens. How many pens does Ana have?": "Not understood: “forgot to”.",
    "Ana has 9 pens. Ben thinks that Ana lost 4 pens. How many pens does Ana have?": "Not understood: “thinks that”.",
    "Ana has 9 pens. If she lost 4 pens, she would be sad. How many pens does Ana have?": "Not understood: “would”.",
    # Numbers that are no single number.
    "Ana has 9 4 pens. She lost 3 pens. How many pens does Ana have?": "Not understood: “9 4”.",
    "Ana has 9 pens. She lost 20% of them. How many pens does Ana have?": "Not understood: “20%”.",
    "Ana has an mp3 player and 9 songs. She lost 4 songs. How many songs does Ana have?": "Not understood: “mp3”.",
    "Ana has 9 three-legged stools. She sold 4 stools. How many stools does Ana have?": "Not understood: “three-legged”.",
    "Ana has 5 hundred pens. She lost 4 pens. How many pens does Ana have?": "What “5” counts was not understood.",
    # Who it is, and what it counts.
    "Alex has 9 pens. Kim has 7 pens. He lost 4 pens. How many pens does Alex have?": "Who “he” is was not understood: write the name.",
    "Ana has 1/4 of the pens. Ben has 8 pens. How many pens does Ana have?": PART,
}  # fmt: skip
"""A text, and the sentence with which it is refused."""


@over("text", REFUSED)
def test_a_text_is_refused_with_the_sentence_that_says_why(text: str) -> None:
    story = understand(text)
    assert story.reasons == (REFUSED[text],)
    assert (story.answer, story.strategy, story.steps, story.used) == (None, "", (), frozenset())
    assert answer(text).answer is None


READ_ALL_THE_SAME = {
    "an order is no part": (
        "On the third day Ana had 9 pens. She lost 4 pens. How many pens does Ana have?", 5),
    "what books are about": (
        "Ana had 9 books about sports. She lost 4 books. How many books does Ana have?", 5),
    "to do a thing again": (
        "Ana had 9 pens. Again she lost 4 pens. How many pens does Ana have?", 5),
    "each of the same number": (
        "Ana shared 12 nuts among 4 friends. Each friend got the same number. How many nuts did each friend get?", 3),
    "shared between two": (
        "Ana shared 12 nuts equally between 4 friends. How many nuts did each friend get?", 3),
    "over so many days": (
        "Ana reads 9 pages a day over 4 days. How many pages does Ana read?", 36),
    "what was tried on": (
        "Ana tried on 9 hats and 4 caps. How many things did Ana try on in all?", 13),
    "a second": (
        "A pump fills 9 liters every second. How many liters does it fill in 4 seconds?", 36),
    "would, asked": (
        "Ana has 9 pens. If she lost 4 pens, how many pens would Ana have?", 5),
    "part of a measure": (
        "Ana ran 0.5 miles on Monday and 0.25 miles on Friday. How many miles did Ana run in all?",
        Fraction(3, 4)),
    "numbers in words": (
        "Ana had twenty-one pens. She lost four pens. How many pens does Ana have?", 17),
    "thousands": (
        "A town had 12,500 trees. The town lost 400 trees. How many trees does the town have?", 12100),
    "a question without its mark": (
        "Ana had 9 pens. She lost 4 pens. How many pens does Ana have", 5),
    "to find": (
        "Ana had 9 pens. She lost 4 pens. Find the number of pens that Ana has.", 5),
}  # fmt: skip
"""Texts with a word that elsewhere is not read, each with its answer or a refusal."""


@over("case", READ_ALL_THE_SAME)
def test_a_word_is_refused_only_where_it_says_what_is_not_worked_out(case: str) -> None:
    text, right = READ_ALL_THE_SAME[case]
    story = understand(text)
    assert story.answer == right, story.reasons


def with_length(length: int) -> str:
    """A story of so many characters."""
    text = "Ana had 9 pens. She lost 4 pens. How many pens does Ana have?"
    return " " * (length - len(text)) + text


def with_sentences(count: int) -> str:
    """A story of so many sentences."""
    return (
        "Ana had 9 pens. "
        + "It was warm. " * (count - 3)
        + ("She lost 4 pens. How many pens does Ana have?")
    )


def with_numbers(count: int) -> str:
    """A story of so many numbers."""
    return "Ana had 900 pens. " + "She lost 4 pens. " * (count - 1) + "How many pens does Ana have?"


LIMITS = {
    "characters": (with_length, LONGEST_TEXT),
    "sentences": (with_sentences, MOST_SENTENCES),
    "numbers": (with_numbers, MOST_NUMBERS),
}


@over("unit", LIMITS)
def test_a_text_is_read_up_to_its_limit_and_not_beyond(unit: str) -> None:
    text_of, most = LIMITS[unit]
    at_most, beyond = understand(text_of(most)), understand(text_of(most + 1))
    assert at_most.asked is not None, at_most.reasons
    assert beyond.asked is None
    assert len(beyond.reasons) == 1
    assert str(most) in beyond.reasons[0]
    assert unit in beyond.reasons[0]


def test_the_limits_are_those_that_are_promised() -> None:
    assert (LONGEST_TEXT, MOST_SENTENCES, MOST_NUMBERS) == (5_000, 40, 20)


MEASURES = {
    "down": ("A rope is 3 yards long. Ana cut 4 feet from the rope. How many feet are left?", 5),
    "down, with a decimal": ("Ana drank 1.5 liters of milk on Monday and 200 milliliters of milk on Friday. How many milliliters of milk did Ana drink in all?", 1700),
    "up": ("Ana worked 90 minutes on Monday and 30 minutes on Friday. How many hours did Ana work in all?", 2),
    "one of two": ("Ana worked 2 hours on Monday and 30 minutes on Friday. How many minutes did Ana work in all?", 150),
    "money": ("Ana has 3 dollars. Ben has 40 cents. How many cents do they have in all?", 340),
}  # fmt: skip
"""Stories in two measures of which one is asked for."""


@over("case", MEASURES)
def test_what_is_told_in_another_measure_is_never_taken_as_it_stands(case: str) -> None:
    text, right = MEASURES[case]
    assert understand(text).answer in {right, None}
    assert answer(text).answer in {right, None}


def test_measures_are_turned_into_the_one_that_is_asked_for() -> None:
    text, right = MEASURES["down, with a decimal"]
    story = understand(text)
    assert story.answer == right, story.reasons
    assert [each.value for each in story.amounts] == [1500, 200]
    assert {each.thing.head for each in story.amounts} == {"milliliter"}


def test_what_an_answer_was_made_from_is_told_with_it() -> None:
    story = understand(
        "Ana had 9 pens and 4 caps. She lost 2 pens. Ben gave her 5 pens. How many pens does Ana "
        "have?"
    )
    assert story.answer == 12
    assert story.steps == ("9 - 2 = 7", "7 + 5 = 12")
    assert story.used == {0, 2, 3}
    assert story.irrelevant == (1,)
    assert story.people == ("ana", "ben")
    assert story.reasons == ()
    assert story.asked is not None
    assert story.asked.thing.head == "pen"


def test_steps_show_fractions_as_decimals() -> None:
    text, _ = READ_ALL_THE_SAME["part of a measure"]
    assert understand(text).steps == ("0.5 + 0.25 = 0.75",)


def test_sentences_are_counted_with_numbers_in_digits_and_without_end_marks() -> None:
    assert numbered_sentences("Mr. Lee had twelve pens. He lost five! How many are left?") == [
        "Mr Lee had 12 pens", "He lost 5", "How many are left",
    ]  # fmt: skip
    assert numbered_sentences("") == []


def test_an_account_tells_and_asks_without_working_anything_out() -> None:
    account = account_of("Ana had 9 pens. She lost 4 pens. How many pens does Ana have?")
    assert isinstance(account, Account)
    assert [each.value for each in account.story.amounts] == [9, 4]
    assert {"pens", "pen", "lost"} <= account.present
    assert account.judged([]).answer is None


def test_a_word_in_a_sentence_without_a_number_is_no_cue() -> None:
    account = account_of("They like each other. Ana had 9 pens. How many pens does Ana have?")
    assert isinstance(account, Account)
    assert "each" in account.present
    assert "each" not in account.cues
    assert "pen" in account.cues


BOTH_READERS = {
    "what only the stories' reader understands": (
        "If Omar had 14 stamps and his aunt gave him 20 more, how many stamps would he have?", 34),
    "what both understand": (
        "Ana has 15 pens. She gives Ben 6 pens. How many pens does Ana have?", 9),
}  # fmt: skip


@over("case", BOTH_READERS)
def test_an_answer_comes_with_its_steps_and_without_reasons(case: str) -> None:
    text, right = BOTH_READERS[case]
    whole = answer(text)
    assert whole.answer == right
    assert len(whole.steps) == 1
    assert whole.steps[0].endswith(f"= {right}")
    assert whole.reasons == ()
    assert whole.story == understand(text) or whole.story.answer == right


def test_what_neither_reader_understands_has_reasons_and_no_steps() -> None:
    whole = answer("Ana has 9 pens. She gribbled 4 pens. How many pens does Ana have?")
    assert (whole.answer, whole.steps) == (None, ())
    assert whole.reasons


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
