"""From the checks of a training to figures, and to sentences on what it is called and came to.

A check asks a model the same unseen pairs every time (`biaslab.training.measuring`).
Effects and intervals are those of `biaslab.stats`, as for any other run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from biaslab.charts.training import Course, MeasuredFigure
from biaslab.stats import Interval, wilson
from biaslab.studies import Arms, experiment
from biaslab.training.cells import ALL, COUNTS, CellEffect, CheckCell, OperationChoice
from biaslab.training.heartbeat import ProgressCheck, TrainingProgress
from biaslab.training.plan import TrainingPlan
from biaslab.ui.training.mix import MIX_NAMES
from biaslab.ui.widgets.words import DefinedTerm, duration
from schoolmath.text.figures import count, interval_words, p_words, percent, signed_points

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
                points.append(MeasuredFigure(check.minute, there.cate, there.interval, there.n))
        courses.append(Course(STRATEGIES.get(strategy, strategy), tuple(points)))
    return tuple(courses)


def _share(minute: float, right: int, n: int) -> MeasuredFigure:
    return MeasuredFigure(minute, right / n, share_interval(right, n), n)


STATUSES: dict[str, DefinedTerm] = {
    "running": DefinedTerm("Training", "You may close this page: it goes on."),
    "stopping": DefinedTerm("Stopping", "It saves what was learned and ends, within a minute."),
    "stopped": DefinedTerm("Stopped", "You stopped it. What was learned is saved; go on any time."),
    "interrupted": DefinedTerm(
        "Interrupted",
        "The program that trains has ended, as when the computer was switched off. It goes on "
        "from its last save, which is at most about a minute older.",
    ),
    "finished": DefinedTerm("Finished", "The time is used up, and the model is ready to be asked."),
    "failed": DefinedTerm("Could not go on", "The message below says why."),
}

ACTIVE = ("running", "stopping")
"""A program is at it."""

RESUMABLE = ("stopped", "interrupted", "failed")
"""Going on continues from the last save."""

STAGES = {
    "start": "learning to calculate",
    "problems": "learning word problems",
    "measuring": "being asked unseen pairs",
}

NOT_SETTLED = (
    "Its step size has not yet come down to zero, so its answers still jump from one check to the "
    "next: take these figures as being on the way."
)
"""What must be known of figures from before the end."""


def mix_label(plan: TrainingPlan) -> str:
    """What the training is taught, in a word or as its ratios."""
    if plan.mix is None:
        return "no mix"
    name = plan.mix_name
    return MIX_NAMES[name] if name != "own" else ratios(plan)


def ratios(plan: TrainingPlan) -> str:
    """The three ratios: ``5:1 · 130:9 · 1:1``."""
    mix = plan.mix
    if mix is None:
        return "–"
    return (
        f"{mix.consistent}:{mix.inconsistent} · {mix.transfer}:{mix.comparison} · "
        f"{mix.no_carry}:{mix.carry}"
    )


def length(plan: TrainingPlan) -> str:
    """How long it is to train."""
    return count(plan.steps, "step") if plan.steps else f"{plan.minutes:g} min"


def share_done(plan: TrainingPlan, progress: Sequence[TrainingProgress]) -> float:
    """How much of the plan is done, 0 to 1; the plan may have been lengthened since."""
    if not progress:
        return 0.0
    last = progress[-1]
    return min(1.0, last.step / plan.steps if plan.steps else last.minute / plan.minutes)


def seconds_left(plan: TrainingPlan, progress: Sequence[TrainingProgress]) -> float | None:
    """How long the lessons still take; checks come on top. None before the first are through."""
    done = share_done(plan, progress)
    if done == 0.0:
        return None
    return 60 * progress[-1].minute * (1 - done) / done


def progress_words(status: str, plan: TrainingPlan, progress: Sequence[TrainingProgress]) -> str:
    """How far it is, for the bar."""
    words = f"**{STATUSES[status].name}**"
    if not progress:
        return f"{words} · opening the model …" if status in ACTIVE else words
    last = progress[-1]
    words += f" · {last.minute:.1f} of {length(plan)}" if not plan.steps else (
        f" · step {last.step:,} of {plan.steps:,}"
    )  # fmt: skip
    if status == "running":
        words += f" · {STAGES.get(last.stage, last.stage)}"
        left = seconds_left(plan, progress)
        if left is not None and left >= 1:
            words += f" · about {duration(math.ceil(left))} left"
    elif status in RESUMABLE and share_done(plan, progress) >= 1.0:
        words += " · all is learned; only asking the unseen pairs is left"
    return words


def study_question(study: str) -> str:
    """A study's heading over its curves."""
    members = arms(study)
    return f"{experiment(study).title}: “{members.x}” against “{members.x_prime}”"


def strategy_words(strategy: str) -> str:
    """A prompt strategy, capitalized for a heading."""
    words = STRATEGIES.get(strategy, strategy)
    return words[0].upper() + words[1:]


def effect_words(cell: CheckCell) -> str:
    """The effect with interval, n and test; where nothing differs, that there is no test."""
    found = effect(cell)
    ends = found.interval
    spread = (
        "no interval" if ends is None else f"95 % interval {interval_words(ends.low, ends.high)}"
    )
    said = f"{signed_points(found.cate)} percentage points ({spread}; n = {count(found.n, 'pair')}"
    if found.identical:
        return f"{said}; both members of every pair came out alike, so there is no test)"
    p = p_words(found.p)
    return f"{said}; p {p if p.startswith('<') else f'= {p}'})"


def shares_words(cell: CheckCell) -> str:
    """The shares right of both members, and how many answers could not be read."""
    members = arms(cell.study)
    unread = cell.unread_x + cell.unread_x_prime
    said = (
        f"“{members.x}” {percent(cell.share_x)} right, “{members.x_prime}” "
        f"{percent(cell.share_x_prime)}"
    )
    return f"{said}, {count(unread, 'answer')} unread" if unread else said


def operation_words(cell: CheckCell, operations: OperationChoice) -> str:
    """Which operation it writes first, against always adding and always the commonest one."""
    members = arms(cell.study)
    choices = (cell.operation_x(), cell.operation_x_prime())
    each = [
        f"“{name}” {percent(choice.share)}"
        for name, choice in zip(members, choices, strict=True)
        if choice is not None
    ]
    ends = operations.interval
    verdict = (
        "That is well above, so it does not ignore the wording."
        if operations.reads_the_wording
        else "That is not clearly above, so it may ignore the wording: a small effect would then "
        "be no sign of being free of the bias."
    )
    return (
        f"{experiment(cell.study).title}, {STRATEGIES.get(cell.strategy, cell.strategy)}: the "
        f"first step has the right operation in {percent(operations.share)} of "
        f"{operations.asked:,} readable "
        f"answers (95 % interval {percent(ends.low)} to {percent(ends.high)}; "
        f"{', '.join(each)}). Always adding would get {percent(operations.always_plus)}, always "
        "the "
        f"commoner operation {percent(operations.always_commonest)}. {verdict}"
    )


def reversal_words(cell: CheckCell) -> str | None:
    """Which wrong answers are those of the reversed operation; None without wrong answers."""
    members = arms(cell.study)
    counts = ((cell.wrong_x_prime, cell.reversed_x_prime), (cell.wrong_x, cell.reversed_x))
    if not any(wrong for wrong, _ in counts):
        return None
    each = [
        f"{turned:,} of {count(wrong, 'wrong answer')} to “{name}” problems "
        f"({percent(turned / wrong)})"
        if wrong
        else f"no wrong answer to “{name}” problems"
        for name, (wrong, turned) in zip((members.x_prime, members.x), counts, strict=True)
    ]
    return (
        f"{experiment(cell.study).title}, {STRATEGIES.get(cell.strategy, cell.strategy)}: what "
        f"the reversed operation gives is {each[0]}; for comparison, {each[1]}."
    )
