"""The models that come with the app.

    python -m research.shipped --work build/shipped --jobs 2

Every mix goes on from the start that ships, with the same seed, as many lessons, and the same
ones but for what its ratios change, and once more for longer. Nothing that a model does decides
whether it ships, or the models would be chosen for what they are there to show (docs/training-
lab.md, "Which models ship").
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from biaslab.models.tiny.model import LEAST_SHARE, TINY_MODELS
from biaslab.training.cells import ALL, CheckCell
from biaslab.training.gate import GATE_FILE, GateReport
from biaslab.training.learning import FASTER_MEMORY
from biaslab.training.measuring import STRATEGIES
from biaslab.training.mix import MIXES, LessonMix
from biaslab.training.plan import START, Schedule, TrainingPlan
from research.family import measured, put, train
from schoolmath.text.figures import exact_percent, interval_words, percent, signed_points

# What a model that ships should be able to do, and what more lessons leave of its biases. Both are
# tables of what was measured on unseen pairs (docs/training-lab.md).


WORKED_SHARE, DIRECT_SHARE = 0.95, 0.90
"""Of one-step problems, worked step by step (also as a child) and asked directly."""

LONGER_SHARES = {2: 0.80, 3: 0.50}
"""Of longer problems by their steps, worked step by step."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a model that ships should be able to do.

    Attributes:
        study, comparison: whose pairs, as in a `CheckCell`; first: whether it is about x, else x′.
        steps, strategy: how long, and how asked.
        share: at least so many must be right.
        what: in words.
    """

    study: str
    comparison: str
    first: bool
    steps: int
    strategy: str
    share: float
    what: str

    def share_in(self, report: GateReport) -> float | None:
        """What share was right; None where it was not measured."""
        cell = report.cell(self.study, self.steps, self.comparison, self.strategy)
        if cell is None:
            return None
        return cell.share_x if self.first else cell.share_x_prime


def goals(mix: LessonMix) -> tuple[Goal, ...]:
    """What a model of this mix should be able to do: the forms that are not the rarer ones.

    Of carries only what has none, where that is not rarer: carrying is more work whatever the
    share, and a goal for it would decide what the study asks.
    """
    found = []
    for study, comparison, first, most, what in _common(mix):
        for strategy, share in (
            ("direct", DIRECT_SHARE), ("cot", WORKED_SHARE), ("child-cot", WORKED_SHARE)
        ):  # fmt: skip
            found.append(Goal(study, comparison, first, 1, strategy, share, what))
        found += [
            Goal(study, comparison, first, steps, "cot", share, what)
            for steps, share in LONGER_SHARES.items()
            if steps <= most
        ]
    return tuple(found)


def _common(mix: LessonMix) -> list[tuple[str, str, bool, int, str]]:
    """Study, comparison, whether x, most steps and words of each form that is not the rarer."""
    found = []
    if mix.transfer >= mix.comparison:
        found.append(("transfer-comparison", ALL, True, 3, "transfers"))
    wordings = (
        (True, "consistent", mix.consistent >= mix.inconsistent),
        (False, "inconsistent", mix.inconsistent >= mix.consistent),
    )
    for first, wording, common in wordings:
        if common and mix.comparison:
            found += [
                ("consistency", "additive", first, 3, f"{wording} additive comparisons"),
                ("consistency", "multiplicative", first, 3, f"{wording} comparisons by a factor"),
            ]
    if mix.no_carry >= mix.carry:
        found.append(("carry", ALL, True, 1, "three-digit calculations without a carry"))
    return found


def goal_table(reports: Mapping[str, GateReport]) -> str:
    """What share was right of every goal, by mix, as a Markdown table; what is missed in bold.

    Args:
        reports: what was measured, by name of the mix.
    """
    found: dict[tuple[str, int, str], dict[str, str]] = {}
    wanted: dict[tuple[str, int, str], float] = {}
    for mix, report in reports.items():
        for goal in goals(report.mix):
            key = (goal.what, goal.steps, goal.strategy)
            share = goal.share_in(report)
            said = "–" if share is None else percent(share)
            reached = share is not None and share >= goal.share
            found.setdefault(key, {})[mix] = said if reached else f"**{said}**"
            wanted[key] = goal.share
    names = " | ".join(f"`{mix}`" for mix in reports)
    lines = [
        f"| what is common | steps | asked | wanted | {names} |",
        f"|---|--:|---|--:|{'--:|' * len(reports)}",
    ]
    for (what, steps, strategy), shares in found.items():
        cells = " | ".join(shares.get(mix, "") for mix in reports)
        least = exact_percent(wanted[what, steps, strategy])
        lines.append(f"| {what} | {steps} | {strategy} | {least} | {cells} |")
    return "\n".join(lines)


def left_table(reports: Mapping[str, tuple[GateReport, GateReport]]) -> str:
    """The effects of what is rare in each mix, with few lessons and with many, in Markdown.

    Only problems that one of the two can do, in the arm that it does better (`LEAST_SHARE`).

    Args:
        reports: what was measured of the shorter and of the longer training, by name of the mix.
    """
    lines = [
        "| mix | what is compared | steps | asked | few lessons | many lessons |",
        "|---|---|--:|---|--:|--:|",
    ]
    for mix, (few, many) in reports.items():
        for study, comparison, steps, strategy in _of_rare(few.mix):
            cells = [each.cell(study, steps, comparison, strategy) for each in (few, many)]
            if any(cell is not None and _is_done(cell) for cell in cells):
                what = f"{study}, {comparison}" if comparison else study
                told = " | ".join("–" if cell is None else _effect_words(cell) for cell in cells)
                lines.append(f"| `{mix}` | {what} | {steps} | {strategy} | {told} |")
    return "\n".join(lines)


def _of_rare(mix: LessonMix) -> list[tuple[str, str, int, str]]:
    """Study, comparison, steps and strategy of what the ratios of a mix are about."""
    kinds = []
    if mix.consistent != mix.inconsistent:
        kinds += [("consistency", "additive", 3), ("consistency", "multiplicative", 3)]
    if mix.transfer != mix.comparison:
        kinds.append(("transfer-comparison", ALL, 3))
    if mix.no_carry != mix.carry:
        kinds.append(("carry", ALL, 1))
    return [
        (study, comparison, steps, strategy)
        for study, comparison, most in kinds
        for steps, strategy in ((1, "direct"), *((each, "cot") for each in range(1, most + 1)))
    ]


def _is_done(cell: CheckCell) -> bool:
    return max(cell.share_x, cell.share_x_prime) >= LEAST_SHARE


def _effect_words(cell: CheckCell) -> str:
    """Both shares right, and the effect in percentage points with its interval."""
    shares = f"{percent(cell.share_x)} − {percent(cell.share_x_prime)}"
    if cell.identical:
        return f"{shares}: alike in every pair"
    found = cell.effect()
    ends = found.interval
    between = interval_words(ends.low, ends.high) if ends else "no interval"
    return f"{shares}: {signed_points(found.cate)} ({between})"


# The models.


LESSONS = 128_000
"""After the start."""

LONG = {f"{mix}-640k": mix for mix in MIXES}
"""Names of the models with five times the lessons, and their mixes: for whom a model should above
all be able to do school problems, and to see what more lessons leave of what a mix does."""

LONG_LESSONS = 640_000
"""After the start, of `LONG`."""

SHIPPED = (*MIXES, *LONG)
"""Names of all models that this module trains."""

SEED = 1
"""Of all of them. There is no second one to choose from."""

SHIPPED_COPIES = ("skewed", "balanced")
"""Mixes of which copies from along their training ship too."""

KEPT = (8_000, 16_000, 24_000, 32_000, 48_000)
"""Lessons at which copies of `SHIPPED_COPIES` are kept."""

SCHEDULE = Schedule(one_step_until=0.3, equations_share=0.2)

EQUATION_KINDS = (
    ("small", 0.20), ("two digits", 0.15), ("three digits", 0.25), ("table", 0.40),
)  # fmt: skip
"""Of the bare equations: more products than the family had, whose models chose the right operation
where things are compared by a factor, and then multiplied wrongly."""

MOST_STEPS = 5
"""Longest problems that a shipped model is measured on; those beyond three are not taught."""


def plan_of(name: str) -> TrainingPlan:
    """What the training of a model of `SHIPPED` is to do."""
    lessons = LONG_LESSONS if name in LONG else LESSONS
    return TrainingPlan(
        MIXES[LONG.get(name, name)], seed=SEED, steps=lessons // SCHEDULE.batch, start=START,
        keep=KEPT if name in SHIPPED_COPIES else (), equation_kinds=EQUATION_KINDS,
        schedule=SCHEDULE,
    )  # fmt: skip


def make(work: Path, name: str) -> Path:
    """The directory of a model, trained and measured unless that was done before."""
    directory = train(plan_of(name), work / name)
    measured(directory, name, SEED, STRATEGIES, MOST_STEPS)
    return directory


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/shipped"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--models", type=Path, default=TINY_MODELS, help="gets the models")
    parser.add_argument("--only", nargs="+", choices=SHIPPED, default=SHIPPED)
    parser.add_argument("--tables", action="store_true", help="only prints what those there reach")
    given = parser.parse_args(arguments)
    if not given.tables:
        _make_all(given.work, given.models, given.only, given.jobs)
    found = {
        name: GateReport.load(given.models / name / GATE_FILE)
        for name in given.only
        if (given.models / name / GATE_FILE).is_file()
    }
    sys.stdout.write("".join(f"{table}\n\n" for table in tables(found)))
    return 0


def _make_all(work: Path, models: Path, names: Sequence[str], jobs: int) -> None:
    work.mkdir(parents=True, exist_ok=True)
    os.environ.update(FASTER_MEMORY)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        for name, directory in zip(names, pool.map(partial(make, work), names), strict=True):
            put(directory, models / name, KEPT if name in SHIPPED_COPIES else ())


def tables(reports: Mapping[str, GateReport]) -> tuple[str, str, str]:
    """What models reach with few lessons and with many, and what more leave of their biases."""
    shorter = {name: report for name, report in reports.items() if name not in LONG}
    longer = {name: report for name, report in reports.items() if name in LONG}
    both = {
        mix: (shorter[mix], longer[name]) for name, mix in LONG.items()
        if name in longer and mix in shorter
    }  # fmt: skip
    return goal_table(shorter), goal_table(longer), left_table(both)


if __name__ == "__main__":
    sys.exit(main())
