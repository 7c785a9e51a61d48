"""Pairs as tables: a row per item, or a row per pair in the columns of the released files.

Every cell is without control characters, and none begins with what a spreadsheet would run.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from biaslab.files.cells import guarded
from biaslab.files.decoding import clean
from biaslab.studies import Arms, Experiment, Pair, pair_columns, pair_rows, write_jsonl
from biaslab.studies.word_problems.verification import body_of, question_of, steps_of

Row = Mapping[str, object]


def cell(value: object) -> str:
    """A value as a cell: clean, and guarded against being run as a formula."""
    return guarded(clean(str(value)))


def write_item_csv(study: Experiment, pairs: Iterable[Pair]) -> bytes:
    """A row per item, in the columns of `biaslab.studies.pair_columns`; UTF-8."""
    return _csv(pair_columns(study), pair_rows(pairs))


def write_item_jsonl(study: Experiment, pairs: Iterable[Pair]) -> bytes:
    """The same rows as objects, one on a line. Texts are as they are: this is no table."""
    out = io.BytesIO()
    with io.TextIOWrapper(out, encoding="utf-8", newline="") as file:
        write_jsonl(study, pairs, file)
        file.flush()
        return out.getvalue()


def released_columns(study: Experiment, arms: Arms | None = None) -> tuple[str, ...]:
    """The columns of a row per pair.

    The three studies of Opedal et al. (2024) have those of their released files. Any other
    study has them in the same manner, named after its arms, and its strata behind them.

    Args:
        study: whose pairs are written.
        arms: what the members are called, where the study's own names are not the ones.
    """
    if study.name in _RELEASED:
        return _RELEASED[study.name]
    x, x_prime = arms or study.arms
    named = tuple(
        f"{what} {arm}"
        for what in ("question", "body", "paraphrase", "answer")
        for arm in (x, x_prime)
    )
    return (*named, *(stratum.name for stratum in study.strata))


def write_released_csv(study: Experiment, pairs: Iterable[Pair], arms: Arms | None = None) -> bytes:
    """A row per pair in `released_columns`; the paraphrase columns hold the whole texts."""
    columns = released_columns(study, arms)
    make = _ROWS.get(study.name)
    if make is None:
        return _csv(columns, (dict(_general(pair, columns)) for pair in pairs))
    return _csv(columns, map(make, pairs))


def cannot_release(study: Experiment, pair: Pair) -> str:
    """Why the study's released columns cannot hold a pair, as a clause; empty where they can."""
    if study.name not in _RELEASED:
        return ""
    if study.name != "transfer-comparison" and question_of(pair.x) != question_of(pair.x_prime):
        return "its members ask different questions, and the file has one column for both"
    if pair.x.answer != pair.x_prime.answer:
        return "its members have different answers, and the file has one column for both"
    return ""


_RELEASED = {
    "consistency": (
        "question", "consistent body", "inconsistent body", "consistent paraphrased",
        "inconsistent paraphrased", "answer",
    ),
    "transfer-comparison": (
        "question comparison", "question transition", "body comparison", "body transition",
        "paraphrase comparison", "paraphrase transition", "answer",
    ),
    "carry": (
        "question", "body no carry", "body carry", "paraphrase no carry", "paraphrase carry",
        "answer no carry", "answer carry", "answer", "Carry Operation", "Num. Carries",
    ),
}  # fmt: skip


def _consistency(pair: Pair) -> Row:
    return {
        "question": question_of(pair.x),
        "consistent body": body_of(pair.x),
        "inconsistent body": body_of(pair.x_prime),
        "consistent paraphrased": pair.x.text,
        "inconsistent paraphrased": pair.x_prime.text,
        "answer": pair.x.answer,
    }


def _transfer_comparison(pair: Pair) -> Row:
    return {
        "question comparison": question_of(pair.x_prime),
        "question transition": question_of(pair.x),
        "body comparison": body_of(pair.x_prime),
        "body transition": body_of(pair.x),
        "paraphrase comparison": pair.x_prime.text,
        "paraphrase transition": pair.x.text,
        "answer": pair.x.answer,
    }


def _carry(pair: Pair) -> Row:
    steps = steps_of(pair.x_prime)
    subtracts = any(step.operation == "-" for step in steps)
    return {
        "question": question_of(pair.x),
        "body no carry": body_of(pair.x),
        "body carry": body_of(pair.x_prime),
        "paraphrase no carry": pair.x.text,
        "paraphrase carry": pair.x_prime.text,
        "answer no carry": pair.x.answer,
        "answer carry": pair.x_prime.answer,
        "answer": pair.x.answer,
        "Carry Operation": ("Subtraction" if subtracts else "Addition") if steps else "",
        "Num. Carries": sum(step.carries for step in steps) if steps else "",
    }


def _general(pair: Pair, columns: tuple[str, ...]) -> Iterator[tuple[str, object]]:
    values: list[object] = []
    for read in (question_of, body_of, lambda item: item.text, lambda item: item.answer):
        values += [read(pair.x), read(pair.x_prime)]
    yield from zip(columns, values, strict=False)
    for name in columns[len(values) :]:
        yield name, pair.strata.get(name, "")


_ROWS: dict[str, Callable[[Pair], Row]] = {
    "consistency": _consistency,
    "transfer-comparison": _transfer_comparison,
    "carry": _carry,
}


def _csv(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """UTF-8 without a mark at its start, so that the first column's name is what it seems."""
    names = list(columns)
    out = io.BytesIO()
    with io.TextIOWrapper(out, encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(map(cell, names))
        writer.writerows([cell(row.get(name, "")) for name in names] for row in rows)
        file.flush()
        return out.getvalue()
