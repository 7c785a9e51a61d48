"""What a training is called, what its states mean, and what its figures say, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from biaslab.stats import Interval
from biaslab.studies import experiment
from biaslab.training.cells import CheckCell, OperationChoice
from biaslab.training.heartbeat import TrainingProgress
from biaslab.training.plan import TrainingPlan
from biaslab.ui.training.measures import STRATEGIES, arms, effect
from biaslab.ui.training.mix import MIX_NAMES
from biaslab.ui.widgets.words import DefinedTerm, duration
from schoolmath.text.figures import count, interval_words, p_words, percent, signed_points

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
    spread = "no interval" if ends is None else f"95 % interval {interval_words(*_ends(ends))}"
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


def operation_words(cell: CheckCell, found: OperationChoice) -> str:
    """Which operation it writes first, against always adding and always the commonest one."""
    members = arms(cell.study)
    choices = (cell.operation_x(), cell.operation_x_prime())
    each = [
        f"“{name}” {percent(choice.share)}"
        for name, choice in zip(members, choices, strict=True)
        if choice is not None
    ]
    ends = found.interval
    verdict = (
        "That is well above, so it does not ignore the wording."
        if found.reads_the_wording
        else "That is not clearly above, so it may ignore the wording: a small effect would then "
        "be no sign of being free of the bias."
    )
    return (
        f"{experiment(cell.study).title}, {STRATEGIES.get(cell.strategy, cell.strategy)}: the "
        f"first step has the right operation in {percent(found.share)} of {found.asked:,} readable "
        f"answers (95 % interval {percent(ends.low)} to {percent(ends.high)}; "
        f"{', '.join(each)}). Always adding would get {percent(found.always_plus)}, always the "
        f"commoner operation {percent(found.always_commonest)}. {verdict}"
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


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high
