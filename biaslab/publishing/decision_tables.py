"""A run of decisions as tables in the published columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from biaslab.models import Completion
from biaslab.runs.errors import RunError
from biaslab.runs.store.records import AnswerState, MemberDetail, PairDetail, RunRecord
from biaslab.runs.store.store import Store
from biaslab.studies.decisions.biases import Metric
from biaslab.studies.decisions.biases.catalogue import bias_paths
from biaslab.studies.decisions.prompts import on_scale, write_options
from biaslab.studies.decisions.published import joined_name, spaced_name
from biaslab.studies.decisions.results import STUDY

_AT_ONCE = 200


def result_rows(store: Store, run_id: str) -> Iterator[dict[str, Any]]:
    """A row per pair and sample with the columns of published results, in the design's order.

    Raises:
        UnknownRun: no such run.
        RunError: it is no run of decisions.
    """
    record = _checked(store, run_id)
    for number, detail in enumerate(_details(store, record)):
        yield _result(record, detail, number)


def case_rows(store: Store, run_id: str) -> Iterator[dict[str, str]]:
    """The cases that were asked, a row for each of `result_rows`, with the metric's parameters.

    Options stand in the order of the scale, in whichever they were shown.

    Raises:
        UnknownRun: no such run.
        RunError: it is no run of decisions.
    """
    record = _checked(store, run_id)
    for detail in _details(store, record):
        metric = _metric(detail)
        yield {
            "bias": _name(detail, spaced=True),
            "scenario": str(detail.x.item.facts["scenario"]),
            "control": _shown(detail.x),
            "treatment": _shown(detail.x_prime),
            "metric_params": repr({"k": metric.kappa, "x_1": metric.gamma1, "x_2": metric.gamma2}),
        }


def _shown(member: MemberDetail) -> str:
    """What a case shows; as published, its options stand in the order of the scale."""
    text = on_scale(member.item)
    return f"{text.before}{write_options(text.options)}{text.after}"


def _checked(store: Store, run_id: str) -> RunRecord:
    record = store.run(run_id)
    if record.study != STUDY:
        raise RunError(
            f"Run {run_id} is of the study {record.study}: only runs of decisions can be written "
            "in the columns of published decisions."
        )
    return record


def _details(store: Store, record: RunRecord) -> Iterator[PairDetail]:
    offset = 0
    while rows := store.pair_rows(record.id, offset=offset, limit=_AT_ONCE):
        for row in rows:
            for sample in range(record.options.samples):
                yield store.pair_detail(record.id, row.pair, sample)
        offset += len(rows)


def _result(record: RunRecord, detail: PairDetail, number: int) -> dict[str, Any]:
    answers = [_position(member) for member in (detail.x, detail.x_prime)]
    done = None not in answers
    score = float(_metric(detail).of(answers[0], answers[1])) if done else ""  # type: ignore[arg-type]
    why = "; ".join(filter(None, (_why(detail.x), _why(detail.x_prime))))
    sampling = record.sampling
    return {
        "id": number,
        "model": record.model_spec,
        "temperature": 0.0 if sampling is None else sampling.temperature,
        "seed": record.design.seed,
        "timestamp": record.finished or record.created,
        **_arm("control", detail.x),
        **_arm("treatment", detail.x_prime),
        "status": "OK" if done else "ERROR",
        "error_message": why,
        "individual_score": score,
        "weight": 1.0,
        "bias": _name(detail, spaced=False),
    }


def _arm(name: str, member: MemberDetail) -> dict[str, Any]:
    shown = list(member.item.options)
    order = list(range(len(shown)))
    if member.item.facts["reversed"]:
        shown.reverse()
        order.reverse()
    texts = [e.answered.text for e in member.exchanges if isinstance(e.answered, Completion)]
    position = _position(member)
    return {
        f"{name}_options": repr(shown),
        f"{name}_option_order": repr(order),
        f"{name}_answer": texts[0] if texts else "",
        f"{name}_extraction": texts[-1] if texts else "",
        f"{name}_decision": "" if position is None else position,
    }


def _position(member: MemberDetail) -> int | None:
    if member.state is not AnswerState.ANSWERED or member.reading is None:
        return None
    return int(member.reading.extra["position"])


def _why(member: MemberDetail) -> str:
    if member.state is AnswerState.ANSWERED:
        return ""
    return member.reason or (member.reading.explanation if member.reading else "Not asked yet.")


def _metric(detail: PairDetail) -> Metric:
    one: Mapping[str, Any] = detail.x.item.facts
    return Metric(one["kappa"], one["gamma"], detail.x_prime.item.facts["gamma"])


def _name(detail: PairDetail, *, spaced: bool) -> str:
    bias = str(detail.x.item.facts["bias"])
    if bias not in bias_paths():
        return bias
    return spaced_name(bias) if spaced else joined_name(bias)
