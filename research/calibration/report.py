"""The calibration as a page of docs: what was asked, what came, and whether it is as promised."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.stats.estimates import Interval
from biaslab.studies import experiment
from research.calibration.markdown import markdown_table
from research.calibration.studies import LEVEL, Calibrated
from schoolmath.text.figures import exact_percent, hundredths, percent, signed_points, typed


def studies_section(found: Sequence[Calibrated]) -> str:
    """The tables of null calibrations, positive controls and known findings, as Markdown."""
    seeds = max((each.seeds for each in found), default=0)
    of_nulls = [each for each in found if each.unbiased]
    of_controls = [each for each in found if each.biased]
    known = [each for each in found if not each.unbiased and not each.biased]
    parts = [
        f"Each row: {seeds:,} designs that differ in their seed, asked of one simulated learner "
        "by the study's first strategy. Effects, widths in points (on decisions: hundredths of a "
        "scale length; of odds: hundredths of a nat). Brackets: 95 % Wilson intervals over the "
        "designs. The true effect is calculated from the learner's probabilities.",
        "### Learners without the bias in question",
        f"At most {exact_percent(LEVEL)} may be findings. The interval is cautious with small "
        "samples, where "
        "few pairs differ and where pairs share clusters, so fewer are expected.",
        _table(of_nulls, "false findings"),
        "### Learners whose bias has a set strength",
        f"The true effect has to lie in {exact_percent(1 - LEVEL)} of the intervals.",
        _table(of_controls, "found"),
    ]
    if known:
        parts += [
            "### Findings that are the design's",
            "These learners lack the bias in question and are given an effect by the design as it "
            "is. The effects are real differences between the answers, and rightly estimated; "
            "what they mean is another question. So `biaslab effects --strategies` says what "
            "simple strategies get on the same items.",
            _table(known, "found"),
            "\n".join(
                f"* `{each.learner}`, {_named(each)}: {each.trial.known[each.learner]}."
                for each in known
            ),
        ]
    return "\n\n".join(parts)


def _table(found: Sequence[Calibrated], called: str) -> str:
    columns = (
        "study", "learner", "pairs", "true effect", "mean estimate", called,
        "intervals that hold the truth", "mean width",
    )  # fmt: skip
    return markdown_table(columns, (_cells(each) for each in found), words=2)


def _cells(each: Calibrated) -> tuple[str, ...]:
    return (
        _named(each),
        f"`{each.learner}`",
        str(each.trial.n),
        _points(each.truth),
        _points(each.mean),
        _share(each.found, each.seeds, each.share(each.found)),
        _share(each.covered, each.seeds, each.share(each.covered)),
        hundredths(each.width),
    )


def _named(each: Calibrated) -> str:
    label = f", {each.trial.label}" if each.trial.label else ""
    return f"{experiment(each.trial.study).name}{label}"


def _points(value: float) -> str:
    return typed(signed_points(value))


def _share(times: int, of: int, interval: Interval) -> str:
    return f"{percent(times / of)} [{hundredths(interval.low)}, {hundredths(interval.high)}]"
