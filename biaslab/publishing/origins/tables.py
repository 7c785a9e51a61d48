"""Tables of a paper about origins: LaTeX with booktabs, and CSV with every figure as a number."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from biaslab.publishing.origins.contents import Contents
from biaslab.publishing.paper.latex import Float, row
from biaslab.studies import experiment
from biaslab.text.figures import NONE, hundredths, p_words, signed_number, signed_points
from biaslab.training.experiment.dose import Dose
from biaslab.training.experiment.estimates import Estimate, bar_of
from biaslab.training.experiment.predictions import LEAST_STARTS, PREDICTIONS, Figure, Predicted
from biaslab.training.experiment.verdicts import Decided
from biaslab.training.experiment.wording import claim_words
from biaslab.training.origins.claims import Answer
from biaslab.training.origins.effects import OriginEffect
from biaslab.training.origins.wording import ends, record

HOLDS = {
    Answer.TRUE: "yes",
    Answer.FALSE: "no",
    Answer.OPEN: "cannot be told",
    Answer.UNKNOWN: "not yet trained",
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
class Table:
    """A table in both forms; `name` is that of its files, without their endings."""

    name: str
    latex: str
    csv: str


def tables(contents: Contents) -> list[Table]:
    """All tables that have rows."""
    found = [_predictions(contents), _claims(contents), _family(contents)]
    if contents.doses:
        found.append(_doses(contents.doses))
    return [table for table in found if table is not None]


def _predictions(contents: Contents) -> Table:
    rows = [
        (name, judged.number, judged.title, judged.predicted, str(judged.verdict))
        for name, some in (
            ("family", contents.family_judgements), ("experiment", contents.judgements),
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
    return Table("predictions", printed.text, _csv(head, rows))


def _claims(contents: Contents) -> Table:
    body = [
        row([number, claim_words(claim), _value(claim, found), _ends(claim, found),
             str(found.estimate.n), p_words(found.q), HOLDS[found.answer]])
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
         found.estimate.value, *_bounds(found.estimate), found.estimate.n, found.estimate.p,
         found.q, HOLDS[found.answer])
        for number, claim, found in _decided(contents)
    ]  # fmt: skip
    return Table("claims", printed.text, _csv(head, rows))


def _decided(contents: Contents) -> Iterable[tuple[str, Predicted, Decided]]:
    for prediction in PREDICTIONS:
        for claim in prediction.claims:
            yield str(prediction.number), claim, contents.decided[claim]


def _value(claim: Predicted, found: Decided) -> str:
    return _number(claim, found.estimate.value)


def _ends(claim: Predicted, found: Decided) -> str:
    low, high = _bounds(found.estimate)
    return NONE if low is None else f"{_number(claim, low)} to {_number(claim, high)}"


def _number(claim: Predicted, value: float | None) -> str:
    return signed_number(value) if claim.figure is Figure.DELAY else signed_points(value, 2)


def _bounds(estimate: Estimate) -> tuple[float | None, float | None]:
    bar = estimate.interval
    return (None, None) if bar is None else (bar.low, bar.high)


def _family(contents: Contents) -> Table | None:
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
    return Table(
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


def _doses(doses: Mapping[str, Dose]) -> Table:
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
    return Table(
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


def _points(estimate: Estimate, ratio: str) -> str:
    return signed_points(estimate.value, 1 if ":" in ratio else 2)


def _bar(estimate: Estimate, ratio: str) -> tuple[float | None, float | None]:
    bar = bar_of(estimate) if ":" in ratio else estimate.interval
    return (None, None) if bar is None else (bar.low, bar.high)


def _dose_ends(estimate: Estimate, ratio: str) -> str:
    low, high = _bar(estimate, ratio)
    decimals = 1 if ":" in ratio else 2
    if low is None or high is None:
        return NONE
    return f"{signed_points(low, decimals)} to {signed_points(high, decimals)}"


def _csv(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return written.getvalue()
