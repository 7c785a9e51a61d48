"""Whether Your class finds the rules that its quizzes promise to name, and accuses nobody else.

Simulated pupils follow one rule wherever it can show, or have understood; both slip in 7 % of the
answers and leave out 8 %. That is more than the page's own assumption (5 %), and no real class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.stats.estimates import wilson
from research.calibration.markdown import markdown_table
from schoolmath.malrules import cards
from schoolmath.malrules.classes import Quiz, QuizDesign, explain, make_quiz, simulate_pupil
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import percent

SLIPS, MISSING = 0.07, 0.08

DESIGNS = tuple(
    QuizDesign(grade, topics, n, 1, letters=letters)
    for grade, topics, n in (
        (4, ("ColumnSubtraction",), 12),
        (3, ("ColumnAddition",), 12),
        (5, ("FractionSum", "DecimalSum"), 16),
        (7, ("LinearEquation",), 12),
    )
    for letters in (True, False)
)
"""Quizzes of several grades and topics, with options and with answers of the pupils' own."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What became of simulated pupils with one quiz.

    Attributes:
        design: of the quiz; rules: how many it promises to name.
        followers: pupils who follow one of these; named: those for whom it was named.
        misled: those of them for whom some other rule was named without it, and without a part
            of it where it is of two ideas.
        understanding: pupils who have understood; accused: those for whom a rule was named.
    """

    design: QuizDesign
    rules: int
    followers: int
    named: int
    misled: int
    understanding: int
    accused: int


def measure(design: QuizDesign, copies: int, understanding: int) -> Naming:
    """Simulates pupils with the quiz of a design.

    Args:
        design: of the quiz.
        copies: pupils for each rule that the quiz promises to name.
        understanding: pupils who have understood.
    """
    quiz = make_quiz(design)
    named = misled = 0
    for rule in quiz.nameable:
        so = {rule, *cards()[rule].parts}
        for copy in range(copies):
            found = _named(quiz, rule, f"{quiz.code}/{rule}/{copy}")
            named += rule in found
            misled += bool(found) and not found & so
    accused = sum(bool(_named(quiz, None, f"{quiz.code}//{copy}")) for copy in range(understanding))
    rules = len(quiz.nameable)
    return Naming(design, rules, rules * copies, named, misled, understanding, accused)


def _named(quiz: Quiz, rule: str | None, seed: str) -> set[str]:
    draws = Draws(f"classes/{seed}")
    answers = simulate_pupil(draws, quiz, rule, slip=SLIPS)
    left = tuple(None if draws.chance(MISSING) else each for each in answers)
    return {each for found in explain(quiz, left).explanations for each in found.rules}


def classes_section(found: Sequence[Naming]) -> str:
    """The table of the page, all quizzes together in its last row."""
    rows = [_row(f"grade {each.design.grade}, {' and '.join(each.design.topics)}, "
                 f"{'options' if each.design.letters else 'own answers'}", (each,))
            for each in found]  # fmt: skip
    rows.append(_row("all", found))
    head = ("quiz", "rules", "pupils who follow one", "it is named (95 % interval)",
            "another one alone is named", "pupils who understand", "a rule is named")  # fmt: skip
    return f"{__doc__}\n\n{markdown_table(head, rows, 1)}"


def _row(name: str, found: Sequence[Naming]) -> tuple[str, ...]:
    followers, understanding = (
        sum(each.followers for each in found), sum(each.understanding for each in found)
    )  # fmt: skip
    return (
        name, f"{sum(each.rules for each in found)}", f"{followers:,}",
        _share(sum(each.named for each in found), followers),
        _share(sum(each.misled for each in found), followers), f"{understanding:,}",
        _share(sum(each.accused for each in found), understanding),
    )  # fmt: skip


def _share(count: int, of: int) -> str:
    interval = wilson(count, of)
    assert interval is not None
    return f"{percent(count / of, 2)} ({percent(interval.low, 2)} to {percent(interval.high, 2)})"
