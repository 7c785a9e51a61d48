"""Stories of one to three steps with any numbers and names: the right answer, or none.

What is told is put together here and worked out here, so that nothing of the product says what is
right. A story may always be refused; it may never be answered with another number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from schoolmath.problems.stories import understand
from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong


class Numbers(NamedTuple):
    """The numbers of a story; `c` is smaller than `b`, and `b` smaller than `a`."""

    a: int
    b: int
    c: int


class Template(NamedTuple):
    """A story with places for names, things and numbers, and what it comes to."""

    sentences: tuple[str, ...]
    question: str
    right: Callable[[Numbers], int]

    def text(self, where: dict[str, object]) -> str:
        """The story with its places filled."""
        return " ".join([*self.sentences, self.question]).format(**where)


HAS_NOW = "How many {things} does {one} have now?"
HAS = "How many {things} does {one} have?"

STEPS = {
    "gets": Template(
        ("{one} had {a} {things}.", "{two} gave {one} {b} {things}."), HAS_NOW,
        lambda n: n.a + n.b),
    "loses": Template(
        ("{one} had {a} {things}.", "{one} lost {b} {things}."), HAS_NOW,
        lambda n: n.a - n.b),
    "compared": Template(
        ("{two} has {a} {things}.", "{one} has {b} more {things} than {two}."), HAS,
        lambda n: n.a + n.b),
    "compared backwards": Template(
        ("{two} has {a} {things}.", "{two} has {b} more {things} than {one}."), HAS,
        lambda n: n.a - n.b),
    "times": Template(
        ("{two} has {a} {things}.", "{one} has {b} times as many {things} as {two}."), HAS,
        lambda n: n.a * n.b),
    "in each": Template(
        ("{one} has {a} boxes.", "Each box holds {b} {things}."), HAS,
        lambda n: n.a * n.b),
    "shared": Template(
        ("{one} shared {ab} {things} equally among {b} friends.",),
        "How many {things} did each friend get?",
        lambda n: n.a),
    "at first": Template(
        ("{one} had some {things}.", "{one} lost {b} {things}.", "Now {one} has {a} {things}."),
        "How many {things} did {one} have at first?",
        lambda n: n.a + n.b),
    "the difference": Template(
        ("{one} has {a} {things}.", "{two} has {b} {things}."),
        "How many more {things} does {one} have than {two}?",
        lambda n: n.a - n.b),
    "less and more": Template(
        ("{one} had {a} {things}.", "{one} lost {b} {things}.", "{two} gave {one} {c} {things}."),
        HAS_NOW,
        lambda n: n.a - n.b + n.c),
    "three together": Template(
        ("{one} found {a} {things}.", "{two} found {b} {things}.", "{three} found {c} {things}."),
        "How many {things} did they find altogether?",
        lambda n: n.a + n.b + n.c),
    "a chain of comparisons": Template(
        ("{three} has {a} {things}.", "{two} has {b} more {things} than {three}.",
         "{one} has {c} fewer {things} than {two}."), HAS,
        lambda n: n.a + n.b - n.c),
    "in each, then less": Template(
        ("{one} bought {a} boxes.", "Each box holds {b} {things}.",
         "{one} gave {c} {things} to {two}."),
        "How many {things} does {one} have left?",
        lambda n: n.a * n.b - n.c),
    "compared, then all": Template(
        ("{two} has {a} {things}.", "{one} has {b} more {things} than {two}.",
         "{three} has {c} fewer {things} than {one}."),
        "How many {things} do they have in all?",
        lambda n: n.a + (n.a + n.b) + (n.a + n.b - n.c)),
}  # fmt: skip
"""By what happens."""

# Some names are words besides, and some stand in no list of names.
NAMES = st.permutations(
    ["Lena", "Omar", "Yuki", "Rosa", "Piet", "Grace", "Mark", "Adaeze", "Will", "Bo", "Jo"]
)
THINGS = st.sampled_from(
    ["pens", "cherries", "wooden toys", "boxes of chalk", "dishes", "red scarves", "keys"]
)


@st.composite
def fillings(draw: st.DrawFn) -> dict[str, object]:
    """What stands in the places of a template."""
    one, two, three = draw(NAMES)[:3]
    c = draw(st.integers(2, 9))
    b = draw(st.integers(c + 1, 20))
    a = draw(st.integers(b + c + 1, 400))
    return {
        "one": one, "two": two, "three": three, "things": draw(THINGS),
        "a": a, "b": b, "c": c, "ab": a * b,
    }  # fmt: skip


def numbers_of(where: dict[str, object]) -> Numbers:
    """The three numbers of a filling."""
    a, b, c = (where[name] for name in "abc")
    assert isinstance(a, int)
    assert isinstance(b, int)
    assert isinstance(c, int)
    return Numbers(a, b, c)


PLAIN = {
    "one": "Lena", "two": "Omar", "three": "Rosa", "things": "pens",
    "a": 41, "b": 7, "c": 3, "ab": 287,
}  # fmt: skip


@over("steps", STEPS)
def test_each_template_is_answered_where_names_and_things_are_plain(steps: str) -> None:
    template = STEPS[steps]
    story = understand(template.text(PLAIN))
    assert story.answer == template.right(numbers_of(PLAIN)), story.reasons


@given(st.sampled_from(sorted(STEPS)), fillings())
def test_with_any_names_things_and_numbers_nothing_but_the_arithmetic_is_answered(
    steps: str, where: dict[str, object]
) -> None:
    template = STEPS[steps]
    assert_never_wrong(template.text(where), template.right(numbers_of(where)))


UNORDERED = (
    "compared", "compared backwards", "times", "in each", "the difference", "three together",
    "a chain of comparisons", "compared, then all",
)  # fmt: skip
"""Templates whose sentences say the same in any order: nothing happens in between."""


def orders(steps: str) -> Iterator[str]:
    """The plain story of a template in every order of its sentences."""
    template = STEPS[steps]
    for sentences in permutations(template.sentences):
        yield template._replace(sentences=sentences).text(PLAIN)


@over("steps", UNORDERED)
def test_the_order_of_sentences_that_do_not_follow_each_other_changes_no_answer(steps: str) -> None:
    right = STEPS[steps].right(numbers_of(PLAIN))
    for text in orders(steps):
        assert_never_wrong(text, right)


SYNONYMS = {
    "lost": ("ate", "used", "sold", "gave away", "threw away", "misplaced", "mailed", "donated"),
    "found": ("bought", "purchased", "collected", "picked", "got", "received", "made", "caught"),
    "had": ("owned", "started with", "began with", "has"),
    "gave": ("handed", "sent", "passed", "lent"),
    "boxes": ("bags", "jars", "crates"),
    "holds": ("contains", "has"),
}
"""Words in whose place others say the same."""


def replaced() -> Iterator[tuple[str, str, str]]:
    """A template, a word of it and what is put in its place."""
    for steps, template in STEPS.items():
        whole = " ".join(template.sentences)
        for word, others in SYNONYMS.items():
            for other in others:
                if f" {word} " in whole:
                    yield steps, word, other


@over("steps, word, other", replaced())
def test_a_word_that_says_the_same_changes_no_answer(steps: str, word: str, other: str) -> None:
    template = STEPS[steps]
    sentences = tuple(each.replace(f" {word} ", f" {other} ") for each in template.sentences)
    question = template.question
    if word == "found":
        question = question.replace("find", "get" if other == "got" else "find")
    text = template._replace(sentences=sentences, question=question).text(PLAIN)
    assert_never_wrong(text, template.right(numbers_of(PLAIN)))


MORE_IS_TOLD = {
    "{one} lost {k} {things}.": -1,
    "{one} gave {two} {k} {things}.": -1,
    "Then {k} {things} broke.": -1,
    "{k} of the {things} were stolen.": -1,
    "{two} took {k} {things} from {one}.": -1,
    "After that, {one} threw {k} {things} away.": -1,
    "{one} dropped {k} of them into the river.": -1,
    "{k} {things} fell out of the bag.": -1,
    "{one}'s dog chewed up {k} {things}.": -1,
    "{one} sold {k} {things} to {two}.": -1,
    "{k} more {things} were lost.": -1,
    "Sadly, {one} had to give {k} {things} back.": -1,
    "{one} found {k} {things}.": 1,
    "{two} gave {one} {k} more {things}.": 1,
    "{one} bought another {k} {things}.": 1,
    "{k} {things} were given to {one}.": 1,
    "{one} won {k} {things} in a game.": 1,
    "{one} got {k} {things} from {two}.": 1,
    "{one}'s aunt sent {k} {things}.": 1,
}
"""Sentences with a further number, and whether {one} has less or more from then on."""

CHANGING = ("gets", "loses", "less and more")
STILL = (
    "compared", "compared backwards", "times", "in each", "a chain of comparisons",
    "in each, then less",
)  # fmt: skip
"""Templates to which something is added at the end alone: before, it would be told otherwise."""


def with_further(steps: str, further: str) -> Iterator[str]:
    """The plain story of a template with a further sentence, at each place where it can stand."""
    template = STEPS[steps]
    last = len(template.sentences)
    for at in range(1 if steps in CHANGING else last, last + 1):
        sentences = (*template.sentences[:at], further, *template.sentences[at:])
        yield template._replace(sentences=sentences).text({**PLAIN, "k": 5})


@over("further", MORE_IS_TOLD)
def test_a_further_number_that_matters_is_never_passed_over(further: str) -> None:
    for steps in (*CHANGING, *STILL):
        for text in with_further(steps, further):
            right = STEPS[steps].right(numbers_of(PLAIN)) + MORE_IS_TOLD[further] * 5
            assert_never_wrong(text, right)


@given(st.sampled_from(CHANGING), st.sampled_from(sorted(MORE_IS_TOLD)), fillings(), st.data())
def test_with_any_names_and_things_a_further_number_that_matters_is_never_passed_over(
    steps: str, further: str, where: dict[str, object], data: st.DataObject
) -> None:
    template = STEPS[steps]
    at = data.draw(st.integers(1, len(template.sentences)), label="at")
    k = data.draw(st.integers(2, 9), label="k")
    sentences = (*template.sentences[:at], further, *template.sentences[at:])
    text = template._replace(sentences=sentences).text({**where, "k": k})
    assert_never_wrong(text, template.right(numbers_of(where)) + MORE_IS_TOLD[further] * k)


NOTHING_HAPPENS = (
    "{one} did not lose {k} {things}.",
    "{one} never found {k} {things}.",
    "{one} does not own {k} {things}.",
    "{k} {things} were not lost.",
    "Nobody took {k} {things}.",
    "{one} almost lost {k} {things}.",
    "{one} was about to lose {k} {things}.",
    "{one} could sell {k} {things}.",
    "{one} wanted to give {two} {k} {things}.",
    "{one} would like to sell {k} {things}.",
    "{one} plans on selling {k} {things}.",
    "{one} is going to lose {k} {things}.",
    "{one} will buy {k} {things} tomorrow.",
    "{one} offered {two} {k} {things}, but {two} refused.",
    "{one} asked {two} for {k} {things}.",
    "{one} dreamed of {k} {things}.",
    "If {one} finds {k} {things}, {two} will be glad.",
    "{one} has lost {k} {things} before.",
    "{one} lent {two} {k} {things} and got them back.",
    "{one} put {k} {things} into a drawer.",
    "{one} washed {k} {things}.",
    "{one} painted {k} of the {things}.",
    "{one} counted {k} {things}.",
    "{one} showed {two} {k} {things}.",
    "{one} saw {k} {things} in a shop.",
    "{one} is {k} years old.",
    "{one} paid {k} dollars for the {things}.",
    "{k} of the {things} are new.",
    "{two} has {k} {things}.",
    "{two} lost {k} {things}.",
    "{two} needs {k} {things}.",
    "{two} borrowed {k} {things} from {three}.",
)
"""Sentences with a further number after which {one} has as many as before."""


@over("further", NOTHING_HAPPENS)
def test_a_further_number_of_what_did_not_happen_changes_no_answer(further: str) -> None:
    for steps in (*CHANGING, *STILL, "shared", "at first"):
        for text in with_further(steps, further):
            assert_never_wrong(text, STEPS[steps].right(numbers_of(PLAIN)))


@given(st.sampled_from(CHANGING), st.sampled_from(NOTHING_HAPPENS), fillings(), st.data())
def test_with_any_names_and_things_what_did_not_happen_changes_no_answer(
    steps: str, further: str, where: dict[str, object], data: st.DataObject
) -> None:
    template = STEPS[steps]
    at = data.draw(st.integers(1, len(template.sentences)), label="at")
    k = data.draw(st.integers(2, 9), label="k")
    sentences = (*template.sentences[:at], further, *template.sentences[at:])
    text = template._replace(sentences=sentences).text({**where, "k": k})
    assert_never_wrong(text, template.right(numbers_of(where)))
