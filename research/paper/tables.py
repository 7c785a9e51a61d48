"""Tables and figures of a paper about origins: LaTeX with booktabs, CSV with every number."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING

from biaslab.publishing.paper.analysis import EffectTable
from biaslab.publishing.paper.figures import BLACK, GREY, PaperFigure, Width, draw, printed
from biaslab.publishing.paper.tables import Float, row
from biaslab.stats import ALL, Effect, Interval
from biaslab.studies import experiment
from biaslab.training.origins.effects import CONFIDENCE, OriginEffect, ends, record
from biaslab.training.origins.predictions import Truth
from research.experiment.design import (
    LEAST_STARTS,
    PREDICTIONS,
    STARTS,
    ClaimFigure,
    PredictedClaim,
)
from research.experiment.dose import Dose
from research.experiment.estimates import StartsEstimate, bar_of
from research.experiment.school import SchoolMixes
from research.experiment.verdicts import JudgedClaim, claim_words
from research.paper.contents import Contents, OtherEstimates
from research.tuning import summary as tuned
from research.tuning.design import Arm
from research.tuning.estimates import TuningResults
from schoolmath.text.figures import NONE, count, hundredths, p_words, signed_number, signed_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HOLDS = {
    Truth.TRUE: "yes",
    Truth.FALSE: "no",
    Truth.OPEN: "cannot be told",
    Truth.UNKNOWN: "not yet trained",
}
"""Whether a claim holds, in a table."""

_VERDICTS = (
    "Verdicts are worked out from the tables alone. One claim that does not hold makes “not as "
    "predicted”; all must hold for “as predicted”."
)
_INTERVALS = (
    "Percentage points that x was right more often; 95 % intervals. n: pairs, of all trainings "
    "together."
)


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table in both forms; `name` is that of its files, without their endings."""

    name: str
    latex: str
    csv: str


def tables(contents: Contents) -> list[PaperTable]:
    """All tables that have rows."""
    found = [_predictions(contents), _claims(contents), _family(contents)]
    if contents.checked:
        found.append(_checked(contents.checked))
    if contents.doses:
        found.append(_doses(contents.doses))
    if contents.school is not None:
        found.append(_school(contents.school))
    if contents.tuning:
        found.append(_tuning(TuningResults(contents.tuning)))
    return [table for table in found if table is not None]


def _predictions(contents: Contents) -> PaperTable:
    rows = [
        (name, judged.number, judged.title, judged.predicted, str(judged.verdict))
        for name, some in (
            ("family", contents.family_judgements), ("experiment", contents.judgements),
            ("fine-tuning", contents.tuning_judgements),
        )
        for judged in some
    ]  # fmt: skip
    printed = Float(
        "predictions", "What was predicted before anything was trained, and what came of it.",
        _VERDICTS, r"lllp{95mm}p{32mm}",
        ("Table", "No.", "Prediction", "What it says", "Verdict"),
        [row([str(cell) for cell in cells]) for cells in rows],
    )  # fmt: skip
    head = ("table", "number", "title", "predicted", "verdict")
    return PaperTable("predictions", printed.text, _csv(head, rows))


def _claims(contents: Contents) -> PaperTable:
    body = [
        row([number, claim_words(claim), _value(claim, found),
             _between(claim, found.estimate.interval), str(found.estimate.n), p_words(found.q),
             HOLDS[found.answer]])
        for number, claim, found in _decided(contents)
    ]  # fmt: skip
    printed = Float(
        "claims", "Every claim of the experiment with its figure.",
        f"Percentage points, and doublings of lessons of a delay; 95 % intervals over starts and "
        f"items. q: Benjamini and Hochberg over the tests that have been trained. Fewer than "
        f"{LEAST_STARTS} starts decide nothing.",
        "lllrrrl", ("No.", "Claim", "Figure", "Interval", "Starts", "q", "Holds"), body,
    )  # fmt: skip
    head = (
        "prediction", "claim", "figure", "study", "side", "margin", "value", "low", "high",
        "starts", "p", "q", "holds",
    )  # fmt: skip
    rows = [
        (number, claim_words(claim), claim.figure, claim.study, claim.side, claim.margin,
         found.estimate.value, *_low_high(found.estimate.interval), found.estimate.n,
         found.estimate.p, found.q, HOLDS[found.answer])
        for number, claim, found in _decided(contents)
    ]  # fmt: skip
    return PaperTable("claims", printed.text, _csv(head, rows))


def _decided(contents: Contents) -> Iterable[tuple[str, PredictedClaim, JudgedClaim]]:
    for prediction in PREDICTIONS:
        for claim in prediction.claims:
            yield str(prediction.number), claim, contents.decided[claim]


def _value(claim: PredictedClaim, judged_claim: JudgedClaim) -> str:
    return _number(claim, judged_claim.estimate.value)


def _number(claim: PredictedClaim, value: float | None) -> str:
    return signed_number(value) if claim.figure is ClaimFigure.DELAY else signed_points(value, 2)


def _checked(checked: Mapping[PredictedClaim, OtherEstimates]) -> PaperTable:
    printed = Float(
        "crossed", "The same claims from single pairs, and on log odds.",
        "Percentage points, 95 % intervals. Crossed: a mixed model with random effects of starts "
        "and of pairs. Counts: of the same starts, as in the table of claims, by which verdicts "
        "go; it errs to the wide side. Log odds: the effect as the log of an odds ratio, half a "
        "pair added to right and wrong answers. A delay is no mean of pairs.",
        "lrrrrrr", ("Claim", "Starts", "Pairs", "Figure", "Crossed", "Counts", "Log odds"),
        [
            row([claim_words(claim), str(len(found.crossed.seeds)), str(found.crossed.items),
                 _number(claim, found.crossed.value), _between(claim, found.crossed.interval),
                 _between(claim, found.counted.interval), _odds(found.log_odds)])
            for claim, found in checked.items()
        ],
    )  # fmt: skip
    head = (
        "claim", "figure", "study", "starts", "pairs", "value", "low", "high", "error_of_starts",
        "error_of_pairs", "low_by_counts", "high_by_counts", "log_odds", "log_odds_low",
        "log_odds_high",
    )  # fmt: skip
    rows = [
        (claim_words(claim), claim.figure, claim.study, len(found.crossed.seeds),
         found.crossed.items, found.crossed.value, *_low_high(found.crossed.interval),
         found.crossed.of_starts, found.crossed.of_items, *_low_high(found.counted.interval),
         *(3 * (None,) if found.log_odds is None else (
             found.log_odds.value, *_low_high(found.log_odds.interval))))
        for claim, found in checked.items()
    ]  # fmt: skip
    return PaperTable("crossed", printed.text, _csv(head, rows))


def _between(claim: PredictedClaim, interval: Interval | None) -> str:
    if interval is None:
        return NONE
    return f"{_number(claim, interval.low)} to {_number(claim, interval.high)}"


def _odds(estimate: StartsEstimate | None) -> str:
    if estimate is None or estimate.interval is None:
        return NONE
    low, high = estimate.interval.low, estimate.interval.high
    return f"{signed_number(estimate.value)} ({signed_number(low)} to {signed_number(high)})"


def _low_high(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _family(contents: Contents) -> PaperTable | None:
    found = [effect for some in contents.family_effects.values() for effect in some]
    if not found:
        return None
    printed = Float(
        "family-effects", "Effects in the family at the end of training, at one step.",
        _INTERVALS + " Over trainings: t, none with one training.", "lllrrrrrrr",
        ("Study", "Mix", "Asked", "Trainings", "n", "x", "x′", "CATE", "Over items",
         "Over trainings"),
        [row(_family_cells(effect)) for effect in found],
    )  # fmt: skip
    records = [record(effect) for effect in found]
    return PaperTable(
        "family-effects", printed.text, _csv(tuple(records[0]), [each.values() for each in records])
    )


def _family_cells(effect: OriginEffect) -> list[str]:
    shares = [
        NONE if share.value is None else hundredths(share.value)
        for share in (effect.x, effect.x_prime)
    ]
    return [
        experiment(effect.kind.study).title, effect.mix, effect.kind.strategy, str(effect.seeds),
        f"{effect.n:,}", *shares, signed_points(effect.cate), ends(effect.spread.over_items),
        ends(effect.spread.over_seeds),
    ]  # fmt: skip


def _doses(doses: Mapping[str, Dose]) -> PaperTable:
    rows = [
        (study, f"{ratio[0]}:{ratio[1]}", found.when, estimate)
        for study, found in doses.items()
        for ratio, estimate in found.effects.items()
    ]
    rows += [(study, "slope a doubling", found.when, found.slope) for study, found in doses.items()]
    printed = Float(
        "dose-response", "The effect by the ratio of lessons of x to lessons of x′.",
        "Percentage points; 95 % intervals over starts and items, and over items alone where there "
        "is one start. Slopes: least squares over log2 of the ratio; none of them has an interval "
        "with one start.",
        "lllrrr", ("Study", "Ratio", "When", "Starts", "Effect", "Interval"),
        [
            row([study, ratio, when, str(estimate.n), _points(estimate, ratio),
                 _dose_ends(estimate, ratio)])
            for study, ratio, when, estimate in rows
        ],
    )  # fmt: skip
    head = ("study", "ratio", "when", "starts", "effect", "low", "high", "interval_over")
    return PaperTable(
        "dose-response",
        printed.text,
        _csv(
            head,
            [
                (study, ratio, when, estimate.n, estimate.value, *_bar(estimate, ratio),
                 "starts and items" if estimate.n > 1 else "items")
                for study, ratio, when, estimate in rows
            ],
        ),
    )  # fmt: skip


def _points(estimate: StartsEstimate, ratio: str) -> str:
    return signed_points(estimate.value, 1 if ":" in ratio else 2)


def _bar(estimate: StartsEstimate, ratio: str) -> tuple[float | None, float | None]:
    return _low_high(bar_of(estimate) if ":" in ratio else estimate.interval)


def _dose_ends(estimate: StartsEstimate, ratio: str) -> str:
    low, high = _bar(estimate, ratio)
    decimals = 1 if ":" in ratio else 2
    if low is None or high is None:
        return NONE
    return f"{signed_points(low, decimals)} to {signed_points(high, decimals)}"


def _school(mixes: SchoolMixes) -> PaperTable:
    """Every effect with the mixes of school problems."""
    printed = Float(
        "school-mixes", "Effects with the ratios of school problems, all at once.",
        "Percentage points; 95 % intervals over starts and items, and over items alone where there "
        "is one start. audited: as told of public corpora; skewed: as counted by Opedal et al.",
        "lllrrr", ("Study", "Mix", "When", "Starts", "Effect", "Interval"),
        [
            row([study, mix, when, str(estimate.n), signed_points(estimate.value),
                 ends(bar_of(estimate))])
            for study, mix, when, estimate in mixes.rows()
        ],
    )  # fmt: skip
    head = ("study", "mix", "when", "starts", "effect", "low", "high")
    rows = [
        (study, mix, when, estimate.n, estimate.value, *_low_high(bar_of(estimate)))
        for study, mix, when, estimate in mixes.rows()
    ]
    return PaperTable("school-mixes", printed.text, _csv(head, rows))


def _tuning(results: TuningResults) -> PaperTable:
    """Everything that was asked before and after fine-tuning."""
    found = list(tuned.rows(results))
    printed = Float(
        "fine-tuning", "What a few hundred lessons did to a model that has the bias.",
        f"After {tuned.LAST} lessons, mean of the seeds; before: one model. Difference: balanced "
        "minus its own mix, within each seed. Effects and differences in percentage points, shares "
        "in per cent; 95 % intervals over seeds and pairs, of the model before over pairs alone.",
        "llrrrrrr",
        ("Begins", "What", "Before", "Balanced", "Its own mix", "Difference", "Same kind", "Seeds"),
        [row([each.stop, *each.cells().values(), str(each.difference.n)]) for each in found],
    )  # fmt: skip
    head = ("begins", "what", "lessons_of", "seeds", "value", "low", "high")
    return PaperTable(
        "fine-tuning",
        printed.text,
        _csv(
            head,
            [
                (each.stop, each.measure, name, estimate.n, estimate.value,
                 *_low_high(bar_of(estimate)))
                for each in found
                for name, estimate in (
                    ("none", each.before), (Arm.BALANCED, each.balanced), (Arm.OWN, each.own),
                    (Arm.SAME_KIND, each.same_kind),
                    (f"{Arm.BALANCED} minus {Arm.OWN}", each.difference),
                )
                if estimate.value is not None
            ],
        ),
    )  # fmt: skip


def _csv(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return written.getvalue()


# Figures of a paper about origins, in the style of all papers: the family, and the dose.


DOSE = "dose-response"
"""Name of the figure of the experiment."""

_PANEL = 1.9
"""Inches that a curve is high."""


def figures(contents: Contents) -> list[PaperFigure]:
    """The family's effects of each study, and the dose-response curves that there are."""
    drawn: list[PaperFigure] = []
    for study, effects in contents.family_effects.items():
        table = EffectTable("family", (), None)
        for figure in draw(table, [_as_effect(effect) for effect in effects], {study: arms(study)}):
            caption = (
                f"{figure.caption} The family at the end of training, one step, all trainings of "
                "a mix together; intervals have the wider ends of those over items and over "
                "trainings."
            )
            drawn.append(replace(figure, caption=caption))
    if contents.doses:
        files = printed(DOSE, partial(_dose_figure, contents.doses))
        drawn.append(PaperFigure(DOSE, _caption(contents.doses), files))
    return drawn


def arms(study: str) -> str:
    """What x and x′ are."""
    found = experiment(study).arms
    return f"{found.x} (x) and {found.x_prime} (x′)"


def _as_effect(effect: OriginEffect) -> Effect:
    judged = effect.spread.judged
    low, high = (None, None) if judged is None else (judged.low, judged.high)
    return Effect(
        effect.kind.study, f"{effect.mix} ({count(effect.seeds, 'training')})", "tiny",
        effect.kind.strategy, f"{effect.mix} {effect.kind.strategy}", ALL, ALL, effect.n, effect.n,
        True, effect.x.value, effect.x.interval, effect.x_prime.value, effect.x_prime.interval,
        effect.cate, low, high, effect.p, None, None, None,
        sum(row.unread_x for row in effect.rows), sum(row.unread_x_prime for row in effect.rows),
        0, 0, 0, CONFIDENCE, "imagined-pairs", False, effect.test,
    )  # fmt: skip


def _caption(doses: Mapping[str, Dose]) -> str:
    told = "; ".join(
        f"{experiment(study).title}, {arms(study)}: {found.when}, "
        f"{found.starts} of {count(STARTS, 'start')}"
        for study, found in doses.items()
    )
    alone = any(found.starts < 2 for found in doses.values())
    return (
        f"The effect by the ratio of lessons of x to lessons of x′. {told}. Black: mean of the "
        "starts with its 95 % interval over starts and items"
        + (", where there is one start over items alone" if alone else "")
        + "; grey: single starts. All figures are in the table."
    )


def _dose_figure(doses: Mapping[str, Dose], width: Width) -> Figure:
    """A panel a study: below each other in one column, beside each other in two."""
    from matplotlib.figure import Figure

    down, beside = (len(doses), 1) if width.stacked else (1, len(doses))
    figure = Figure(figsize=(width.inches, down * (_PANEL + 0.35)), layout="constrained")
    for axes, (study, found) in zip(
        figure.subplots(down, beside, squeeze=False, sharey="row").flat, doses.items(), strict=True
    ):
        _panel(axes, study, found, width)
    return figure


def _panel(axes: Axes, study: str, dose: Dose, width: Width) -> None:
    places = [math.log2(first / second) for first, second in dose.effects]
    axes.axhline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)), zorder=0)
    for seed in dose.slope.starts if dose.starts > 1 else ():
        alone = [100 * each.starts[seed].value for each in dose.effects.values()]
        axes.plot(places, alone, color=GREY, linewidth=0.5, marker=".", markersize=2)
    means = [100 * (each.value or 0.0) for each in dose.effects.values()]
    axes.plot(places, means, color=BLACK, linewidth=0.9, marker="s", markersize=3)
    for place, each in zip(places, dose.effects.values(), strict=True):
        if (bar := bar_of(each)) is not None:
            axes.vlines(place, 100 * bar.low, 100 * bar.high, color=BLACK, linewidth=0.9)
    axes.set_xticks(places, [f"{first}:{second}" for first, second in dose.effects])
    axes.yaxis.set_major_formatter(lambda value, _: signed_points(value / 100, 0))
    axes.tick_params(labelsize=width.points, length=2, width=0.5, pad=2)
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(experiment(study).title, fontsize=width.points, fontweight="bold", loc="left")
    axes.set_xlabel("lessons of x to lessons of x′", fontsize=width.points, labelpad=2)
    axes.set_ylabel("CATE, percentage points", fontsize=width.points, labelpad=2)
