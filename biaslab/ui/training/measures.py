"""From the checks of a training to figures: shares right, effects, and the honest measures.

A check asks a model the same unseen pairs every time (`biaslab.training.measuring`).
Effects and intervals are those of `biaslab.stats`, as for any other run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from biaslab.charts.training.curves import Course, Measured
from biaslab.stats import Interval, wilson
from biaslab.studies import Arms, experiment
from biaslab.training.cells import ALL, COUNTS, CellEffect, CheckCell, OperationChoice
from biaslab.training.heartbeat import ProgressCheck

STRATEGIES = {"direct": "asked directly", "cot": "step by step", "child-cot": "as a child"}
"""Prompt strategies, in the order of screens, and what they are called in a legend."""

ASIDE = ("carry",)
"""Studies that are told of more briefly: most ratios that people change are not about them."""

STEP_BY_STEP = ("cot", "child-cot")
"""Prompt strategies in which a first step is written."""


def arms(study: str) -> Arms:
    """What the members of a study's pairs are called."""
    return experiment(study).arms


def studies(checks: Sequence[ProgressCheck]) -> list[str]:
    """The studies that were checked, in the order of the first check."""
    return list(dict.fromkeys(cell.study for check in checks for cell in check.cells))


def steps_of(checks: Sequence[ProgressCheck]) -> list[int]:
    """Numbers of reasoning steps that were checked, rising."""
    return sorted({cell.steps for check in checks for cell in check.cells})


def strategies(cells: Iterable[CheckCell]) -> list[str]:
    """Prompt strategies that were checked, in the order of screens."""
    there = {cell.strategy for cell in cells}
    known = [name for name in STRATEGIES if name in there]
    return [*known, *sorted(there - set(STRATEGIES))]


def whole(cells: Sequence[CheckCell], study: str, strategy: str, steps: int) -> CheckCell | None:
    """The outcomes of all pairs of this kind, whatever their wording and kind of comparison.

    Returns:
        One cell with all of them; None where none was asked.
    """
    there = [c for c in cells if (c.study, c.strategy, c.steps) == (study, strategy, steps)]
    # A study told apart by wording has a cell with all wordings beside those of its parts.
    parts = [cell for cell in there if cell.wording == ALL] or there
    if not parts:
        return None
    counts = [sum(getattr(cell, name) for cell in parts) for name in COUNTS]
    return CheckCell(study, ALL, ALL, steps, strategy, *counts)


@lru_cache(maxsize=4096)
def share_interval(right: int, n: int) -> Interval | None:
    """Wilson's 95 % interval of a share; kept, as `effect`."""
    return wilson(right, n)


@lru_cache(maxsize=4096)
def effect(cell: CheckCell) -> CellEffect:
    """The effect of a cell; kept, because screens ask for it again every second."""
    return cell.effect()


def operations(cell: CheckCell) -> OperationChoice | None:
    """The operations chosen in both members; None where no first step could be read."""
    asked = cell.operator_asked_x + cell.operator_asked_x_prime
    if not asked:
        return None
    return OperationChoice(
        asked,
        cell.operator_right_x + cell.operator_right_x_prime,
        cell.operator_plus_x + cell.operator_plus_x_prime,
    )


@lru_cache(maxsize=128)
def accuracy_courses(
    checks: tuple[ProgressCheck, ...], study: str, strategy: str, steps: int
) -> tuple[Course, Course]:
    """The shares right of both members, check by check."""
    members = arms(study)
    first, second = [], []
    for check in checks:
        found = whole(check.cells, study, strategy, steps)
        if found is not None:
            first.append(_share(check.minute, found.right_x, found.n))
            second.append(_share(check.minute, found.right_x_prime, found.n))
    return Course(members.x, tuple(first)), Course(members.x_prime, tuple(second))


@lru_cache(maxsize=64)
def cate_courses(checks: tuple[ProgressCheck, ...], study: str, steps: int) -> tuple[Course, ...]:
    """The effect check by check, a course for each prompt strategy."""
    cells = [cell for check in checks for cell in check.cells if cell.study == study]
    courses = []
    for strategy in strategies(cells):
        points = []
        for check in checks:
            found = whole(check.cells, study, strategy, steps)
            if found is not None:
                there = effect(found)
                points.append(Measured(check.minute, there.cate, there.interval, there.n))
        courses.append(Course(STRATEGIES.get(strategy, strategy), tuple(points)))
    return tuple(courses)


def _share(minute: float, right: int, n: int) -> Measured:
    return Measured(minute, right / n, share_interval(right, n), n)
