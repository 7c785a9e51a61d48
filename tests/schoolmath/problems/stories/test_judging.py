"""Whether a value is believed: each refusal says to the person what was not understood."""

# ruff: noqa: E501

from __future__ import annotations

from schoolmath.problems.stories import understand
from schoolmath.problems.stories.judging import AMBIGUOUS, judge
from schoolmath.problems.stories.strategies import terms
from schoolmath.problems.stories.understanding import Account, account_of
from tests.loops import over

REFUSED = {
    "nothing follows": (
        "Ana has 9 pens. Ben ran 4 miles. How many pens does Cem have?",
        "What is asked does not follow from what was understood."),
    "a number without a part": (
        "Ana had 9 pens. She lost 4 pens. Then she juggled 3 pens. How many pens does Ana have?",
        "What “3 pen” has to do with the question was not understood."),
    "so many times a number": (
        "Ana picked 9 pens on Monday. She picked 4 pens on Friday. On Sunday, she picked 3 times "
        "the number of pens she did on Monday. How many pens does Ana have?",
        "What “3 time” has to do with the question was not understood."),
    "a comparison that is not linked": (
        "Ana has 9 pens. She lost 4 pens. Ben has 3 more pens than her. How many pens does Ana "
        "have?",
        "was not understood"),
    "what is lost has no number": (
        "Ana has 9 pens. Ben has 4 pens. They lost some pens. How many pens do they have in all?",
        "How many pen are meant where no number is given was not understood."),
    "another time": (
        "Ana sold 9 pens on Monday and 4 pens on Friday. How many pens did Ana sell on Sunday?",
        "The question asks of another time than those in the text."),
    "not whole": (
        "Ana shared 9 pens equally among 4 friends. How many pens did each friend get?",
        "Whole numbers would give an answer that is not whole."),
    "each of nothing": (
        "Ana sold 9 pens and each of 4 caps. How many things did Ana sell in all?", ""),
    "a word that stands nowhere": (
        "Ana sold 9 pens on Monday and 4 pens on Friday. How many purple pens did Ana sell in all?",
        "“purple” of the question stands nowhere before."),
    "what nobody did": (
        "Ana bought 9 pens on Monday and 4 pens on Friday. How many pens did Ana sell in all?",
        ""),
    "what never is": (
        "Ana had 9 pens. She lost 4 pens. How many pens does Ana never have?",
        "The question was not understood."),
    "a time among those told": (
        "Ana had 9 pens on Monday. On Friday she lost 4 pens. How many pens did Ana have on "
        "Monday?",
        "The question asks of one time among those in the text."),
    "a year among two": (
        "Ana sold 9 pens last year and 4 pens this year. How many pens did Ana sell this year?",
        "The question asks of one time among those in the text."),
    "the rest is gone": (
        "Ana had 9 pens. She ate 4 of them and gave the rest to Ben. How many pens does Ana have?",
        "What is left after the rest is gone was not understood."),
    "found without a number": (
        "Ana had 9 pens. She lost 4 pens. Then she found them again. How many pens does Ana have?",
        "not"),
    "dollars and cents": (
        "Ana spent 9 dollars on pens and 40 cents on caps. How much did Ana spend in all?",
        "Dollars and cents stand in one text: write all amounts in one of them."),
}  # fmt: skip
"""A text, and what its refusal says of it."""


@over("case", REFUSED)
def test_a_value_that_is_not_believed_is_refused_with_what_was_not_understood(case: str) -> None:
    text, reason = REFUSED[case]
    story = understand(text)
    assert story.answer is None, (story.answer, story.strategy)
    assert any(reason in each for each in story.reasons), story.reasons


IRRELEVANT = {
    "another thing": (
        "Ana had 9 pens and 6 caps. She lost 4 pens. How many pens does Ana have?", 5, ["cap"]),
    "somebody else's": (
        "Ana had 9 pens. Ben had 6 pens. Ana lost 4 pens. How many pens does Ana have?", 5, ["pen"]),
    "elsewhere": (
        "There were 9 pens on the desk and 6 pens in the bag. Ana put 4 pens on the desk. "
        "How many pens are on the desk now?", 13, ["pen"]),
    "another verb": (
        "Ana sold 9 pens on Monday and 4 pens on Friday. She bought 6 caps. How many pens did Ana "
        "sell in all?",
        13, ["cap"]),
    "a third day": (
        "Ana ate 9 nuts on Monday, 4 nuts on Friday and 6 nuts on Sunday. "
        "How many more nuts did Ana eat on Monday than on Friday?", 5, ["nut"]),
}  # fmt: skip
"""A text with a number that has no part in the answer, the answer, and what that number counts."""


@over("case", IRRELEVANT)
def test_a_number_that_is_proved_to_have_no_part_is_left_out_and_named(case: str) -> None:
    text, right, heads = IRRELEVANT[case]
    story = understand(text)
    assert story.answer == right, story.reasons
    assert [story.amounts[index].thing.head for index in story.irrelevant] == heads
    assert not set(story.irrelevant) & story.used


RELEVANT = {
    "gets from the one": (
        "Ana had 9 pens. Ben had 6 pens. Ana gave Ben 4 pens. How many pens does Ben have?", 10),
    "in all": (
        "Ana had 9 pens. Ben had 6 pens. Ana lost 4 pens. How many pens do they have in all?", 11),
    "of the kind": (
        "Ana had 9 cats and 6 dogs. She sold 4 cats. How many animals does Ana have?", 11),
    "a place that is not asked": (
        "There were 9 pens on the desk and 6 pens in the bag. Ana put 4 pens on the desk. "
        "How many pens are there now?", 19),
    "a time that is no time": (
        "Ana reads 9 pages an hour. She read for 4 hours on Monday. She slept 6 hours. "
        "How many pages did Ana read?", 36),
    "sold besides": (
        "Ana sold 9 pens on Monday and 4 pens on Friday. She sold 6 caps. How many things did Ana sell in all?", 19),
    "given back": (
        "Ana had 9 pens. She lost 4 pens. Ben brought 6 pens back to Ana. How many pens does Ana have?", 11),
    "the dog's": (
        "Ana had 9 pens. Her dog ate 4 pens. She found 2 pens. How many pens does Ana have?", 7),
    "pages of a book": (
        "Ana put 7 photos on each page. She used 8 pages. The last page has 3 photos. "
        "How many photos does Ana have?", 52),
    "each of those sold": (
        "Ana has 6 boxes. Each box holds 9 pens. She sold 4 pens for 2 dollars each. "
        "How much money did Ana get?", 8),
    "unknown verb": (
        "Ana had 9 pens. She lost 4 pens. She frobbed 3 pens. How many pens does Ana have?", None),
}  # fmt: skip
"""A text in which a number looks as if it had no part, with its answer; None: there is none."""


@over("case", RELEVANT)
def test_a_number_that_may_have_a_part_is_used_or_the_text_is_refused(case: str) -> None:
    text, right = RELEVANT[case]
    assert understand(text).answer in {right, None}


PLAIN = "Ana had 9 pens. She lost 4 pens. How many pens does Ana have?"


def test_where_nothing_follows_nothing_is_believed() -> None:
    account = account_of(PLAIN)
    assert isinstance(account, Account)
    verdict = judge(account.story, [], account.present, account.cues)
    assert verdict.found is None
    assert verdict.reasons == ("What is asked does not follow from what was understood.",)


def test_two_values_that_differ_are_no_answer() -> None:
    account = account_of(PLAIN)
    assert isinstance(account, Account)
    nine, four = (terms.leaf(each) for each in account.story.known())
    less = terms.StrategyAnswer("state over time", nine.combined("-", four))
    more = terms.StrategyAnswer("state over time", nine.combined("+", four))
    alone = judge(account.story, [less], account.present, account.cues)
    assert alone.found is less
    assert alone.reasons == ()
    both = judge(account.story, [less, more], account.present, account.cues)
    assert both.found is None
    assert both.reasons == AMBIGUOUS
    twice = judge(account.story, [less, less], account.present, account.cues)
    assert twice.found is less


def judged(text: str, strategy: str, sign: str) -> str:
    """Why what one operation makes of a story's two numbers is refused; "" where it is believed."""
    account = account_of(text)
    assert isinstance(account, Account)
    one, other = (terms.leaf(each) for each in account.story.known())
    candidate = terms.StrategyAnswer(strategy, one.combined(sign, other))
    verdict = judge(account.story, [candidate], account.present, account.cues)
    assert len(verdict.reasons) == (verdict.found is None)
    return "".join(verdict.reasons)


AGAINST_WORDS = {
    "taking away, of which nothing speaks": (
        "Ana has 9 pens. Ben has 4 pens. How many pens do they have?", "state over time", "-",
        "Nothing in the words speaks of taking away."),
    "equal groups, of which nothing speaks": (
        "Ana has 9 pens. Ben has 4 pens. How many pens do they have?", "times", "*",
        "Nothing in the words speaks of equal groups."),
    "a sum, where each has so many": (
        "Ana has 9 bags. Each bag holds 4 pens. How many pens does Ana have?", "everything", "+",
        "“Each” or a word like it was not understood."),
    "a sum, where what is left is asked": (
        "Ana has 9 pens. Ben has 4 pens. How many pens do they have left?", "everything", "+",
        "“Left” does not go with a sum."),
    "a difference, where a total is asked": (
        "Ana has 9 pens. Ben has 4 fewer pens than Ana. How many pens do they have in all?",
        "comparisons", "-", "A total does not go with a difference."),
    "less than none": (
        "Ana had 4 pens. She lost 9 pens. How many pens does Ana have?", "state over time", "-",
        "The answer would be less than none."),
    "a sum without a comparison that is told": (
        "Ana has 9 pens. Ben has 4 more pens than Ana. How many pens do they have in all?",
        "everything", "+", "A comparison was not understood."),
    "what is believed": (
        "Ana had 9 pens. She lost 4 pens. How many pens does Ana have?", "state over time", "-", ""),
    "two equal groups": (
        "Ana has 9 bags. Each bag holds 4 pens. How many pens does Ana have?", "times", "*", ""),
}  # fmt: skip
"""A text, a strategy and an operation, and why its value is refused."""


@over("case", AGAINST_WORDS)
def test_an_operation_against_which_the_words_speak_is_refused(case: str) -> None:
    text, strategy, sign, reason = AGAINST_WORDS[case]
    assert judged(text, strategy, sign) == reason
