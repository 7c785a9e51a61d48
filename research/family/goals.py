"""What a model that ships should be able to do, and what more lessons leave of its biases.

Both are tables of what was measured on unseen pairs (docs/training-lab.md), and neither decides
what ships (`research.family.shipped`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from biaslab.models.tiny.model import LEAST_SHARE
from biaslab.training.cells import ALL, CheckCell
from biaslab.training.gate import GateReport
from biaslab.training.mix import LessonMix
from schoolmath.text.figures import exact_percent, interval_words, percent, signed_points

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
