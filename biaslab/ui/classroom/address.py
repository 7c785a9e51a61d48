"""What of the page Your class stands in its address: the quiz and the step, nothing of a class."""

from __future__ import annotations

from biaslab.ui.widgets.address import Parameter, choice, integer, several, typed
from schoolmath.malrules.bank.design import GRADES
from schoolmath.malrules.classes import MOST_ITEMS, QuizDesign, topics
from schoolmath.malrules.classes.quizzes import FEWEST_ITEMS, MOST_TOPICS

QUIZ, ANSWERS, GROUPS, NEXT = "quiz", "answers", "groups", "next"
STEPS = {
    QUIZ: "1 The test",
    ANSWERS: "2 Give in answers",
    GROUPS: "3 See groups",
    NEXT: "4 Ask next",
}
LETTERS, NUMBERS = "letters", "own"
FIRST_TOPIC = "ColumnSubtraction"


MADE, CUSTOM_TEST = "made", "own"
SOURCES = {MADE: "a quiz made here", CUSTOM_TEST: "a test of your own"}
TYPED, FILE, KEPT = "typed", "file", "set"
CUSTOM_SOURCES = {TYPED: "I type it", FILE: "in a file", KEPT: "a kept set of items"}


def test_parameter() -> Parameter[str]:
    """Whether the test is made here or the teacher's own."""
    return choice("test", tuple(SOURCES), MADE)


def custom_source_parameter() -> Parameter[str]:
    """Where the teacher's own test comes from."""
    return choice("own", tuple(CUSTOM_SOURCES), TYPED)


def items_parameter() -> Parameter[str]:
    """The id of a kept set of items; empty: none is chosen."""
    return typed("items")


def step_parameter() -> Parameter[str]:
    """Which step is shown."""
    return choice("step", tuple(STEPS), QUIZ)


def grade_parameter() -> Parameter[int]:
    """The class's grade."""
    return integer("grade", 4, *GRADES, resets=("topics",))


def topics_parameter(grade: int) -> Parameter[list[str]]:
    """What the quiz is about, as names of forms."""
    known = [topic.form for topic in topics(grade)]
    first = FIRST_TOPIC if FIRST_TOPIC in known else known[0]
    return several("topics", known, (first,))


def count_parameter() -> Parameter[int]:
    """How many items."""
    return integer("n", 12, FEWEST_ITEMS, MOST_ITEMS)


def set_parameter() -> Parameter[int]:
    """Which of many quizzes of this kind."""
    return integer("set", 1, 1, 9999)


def answers_parameter() -> Parameter[str]:
    """Whether pupils choose a letter or write answers of their own."""
    return choice("answers", (LETTERS, NUMBERS), LETTERS)


def by_parameter() -> Parameter[str]:
    """Whether answers are looked at by group or by item."""
    return choice("by", ("groups", "items"), "groups")


def design() -> QuizDesign:
    """The quiz that the address names.

    Raises:
        DesignError: there is none.
    """
    grade = grade_parameter().value
    return QuizDesign(
        grade,
        tuple(topics_parameter(grade).value[:MOST_TOPICS]),
        count_parameter().value,
        set_parameter().value,
        answers_parameter().value == LETTERS,
    )


def address_of(chosen: QuizDesign) -> dict[str, str]:
    """A quiz as it stands in the address."""
    return {
        "grade": str(chosen.grade),
        "topics": ",".join(chosen.topics),
        "n": str(chosen.n),
        "set": str(chosen.seed),
        "answers": LETTERS if chosen.letters else NUMBERS,
    }
