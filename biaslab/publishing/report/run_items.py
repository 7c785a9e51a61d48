"""Every pair of runs with its prompts, what came back, and what was read of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from biaslab.models import Completion
from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Items,
    ReportAnswer,
    ReportExchange,
    ReportPart,
)
from biaslab.runs import PairOrder, PairRow, RunRecord, Store
from biaslab.runs.answer_words import number_words, pattern_words, response_words
from biaslab.runs.store.encoding import read_request, read_response
from biaslab.studies import Arms, Value, experiment
from biaslab.studies.study import Request, arms_of, outcome_scale
from schoolmath.text.figures import count, signed_number

_RUN, _OUT = "run", "came out"

_WANTED = (
    "SELECT * FROM responses WHERE id IN (SELECT listed.value FROM answers, "
    "json_each(answers.responses) AS listed WHERE run = ?)"
)


def items_of_runs(store: Store, records: Sequence[RunRecord], called: Mapping[str, str]) -> Items:
    """The pairs of all runs, each run's most telling ones first.

    Args:
        store: the file of the runs.
        records: the runs.
        called: what each run is called, by id.

    Raises:
        StoreError: the file cannot be read.
    """
    facets = {_RUN: "Who was asked"} if len(records) > 1 else {}
    for record in records:
        facets |= {each.name: each.label.capitalize() for each in experiment(record.study).strata}
    facets[_OUT] = "How the pair came out"
    entries = [each for record in records for each in _entries(store, record, called[record.id])]
    return Items("pair", facets, entries)


def _entries(store: Store, record: RunRecord, called: str) -> list[Entry]:
    arms = arms_of(experiment(record.study), record.design)
    samples = [
        store.pair_rows(
            record.id, limit=record.pairs_total, sample=sample,
            order=PairOrder.TELLING if sample == 0 else PairOrder.DESIGN,
        )
        for sample in range(record.options.samples)
    ]  # fmt: skip
    others = [{row.pair: row for row in rows} for rows in samples[1:]]
    answers = _Answers(store, record)
    return [
        _entry(record, called, arms, [row, *(each[row.pair] for each in others)], answers)
        for row in samples[0]
    ]


def _entry(
    record: RunRecord, called: str, arms: Arms, rows: Sequence[PairRow], answers: _Answers
) -> Entry:
    first = rows[0]
    facets = {_RUN: called}
    facets |= {name: _value_words(value) for name, value in first.strata.items()}
    facets[_OUT] = (
        pattern_words(first.pattern, arms) if len(rows) == 1 else _often(record, rows, arms)
    )
    scaled = outcome_scale(record.study) is not None
    if scaled and len(rows) == 1 and None not in (first.y_x, first.y_x_prime):
        # On a scale nothing is right or wrong.
        del facets[_OUT]
    places = range(len(rows))
    return Entry(
        f"Pair {first.position + 1}",
        facets,
        (
            ReportPart(
                arms.x, first.text_x, "" if scaled else number_words(first.answer_x),
                tuple(answers.of(first.item_x, sample) for sample in places),
            ),
            ReportPart(
                arms.x_prime, first.text_x_prime,
                "" if scaled else number_words(first.answer_x_prime),
                tuple(answers.of(first.item_x_prime, sample) for sample in places),
            ),
        ),
    )  # fmt: skip


def _often(record: RunRecord, rows: Sequence[PairRow], arms: Arms) -> str:
    """How a pair came out that was asked several times."""
    patterns = {row.pattern for row in rows}
    if len(patterns) == 1:
        return pattern_words(rows[0].pattern, arms)
    return f"not the same in all {count(record.options.samples, 'sample')}"


def _value_words(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class _Answers:
    """All answers of a run, read at once."""

    def __init__(self, store: Store, record: RunRecord) -> None:
        self._scaled = outcome_scale(record.study) is not None
        with store.reading(record.id) as database:
            self._answers = {
                (row["item"], row["sample"]): dict(row)
                for row in database.query("SELECT * FROM answers WHERE run = ?", [record.id])
            }
            self._exchanges = {
                row["id"]: _exchange(row) for row in database.query(_WANTED, [record.id])
            }

    def of(self, item: str, sample: int) -> ReportAnswer:
        """The answer to an item."""
        row = self._answers.get((item, sample))
        if row is None:
            return ReportAnswer(AnswerMark.NONE, how="It was not asked yet.", sample=sample + 1)
        exchanges = tuple(self._exchanges[each] for each in json.loads(row["responses"]))
        if row["state"] == "failed":
            how = f"It failed after {count(row['attempts'], 'attempt')}: {row['reason']}"
            return ReportAnswer(AnswerMark.NONE, how=how, sample=sample + 1, exchanges=exchanges)
        value = number_words(row["value"] or "")
        if row["outcome"] is None:
            mark, value = AnswerMark.UNREAD, ""
        elif self._scaled:
            mark, value = (
                AnswerMark.READ,
                f"{row['value']} (outcome {signed_number(row['outcome'])})",
            )
        else:
            mark = AnswerMark.RIGHT if row["outcome"] == 1 else AnswerMark.WRONG
        how = f"How it was read: {row['explanation']}" if row["explanation"] else ""
        return ReportAnswer(mark, value, how, sample + 1, exchanges=exchanges)


def _exchange(row: Mapping[str, Any]) -> ReportExchange:
    request, answered = read_request(row["request"]), read_response(row)
    thinking = answered.thinking if isinstance(answered, Completion) else ""
    return ReportExchange(_sent(request), response_words(request, answered), thinking)


def _sent(request: Request) -> str:
    """The messages, with who speaks where there are several."""
    several = len(request.messages) > 1
    return "\n\n".join(
        (f"[{message.role}]\n" if several else "")
        + message.content
        + ("\n[with a picture]" if message.picture else "")
        for message in request.messages
    )
