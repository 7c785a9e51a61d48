"""Rows of pairs as tests write them, sound unless changed, and what is read of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping

from biaslab.files.opening import open_table
from biaslab.studies.word_problems.files import (
    MemberReport,
    PairImport,
    read_pairs,
)

Rows = Iterable[Mapping[str, object]]


def as_csv(rows: Rows) -> bytes:
    rows = list(rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def imported(rows: Rows, **mapping: str) -> PairImport:
    return read_pairs(open_table(as_csv(rows), "pairs.csv"), mapping)


def members(found: PairImport) -> list[MemberReport]:
    return [member for row in found.rows for member in row.members]


def statuses(found: PairImport) -> list[str]:
    """Of the members, two for each row."""
    return [str(member.status) for member in members(found)]


def consistency(**changed: object) -> dict[str, object]:
    """A sound row in the columns of the released consistency file."""
    row: dict[str, object] = {
        "question": "How many large mugs does Ines have?",
        "consistent body": "Otto has 19 large mugs. Ines has 7 large mugs less than Otto.",
        "inconsistent body": "Otto has 19 large mugs. Otto has 7 large mugs more than Ines.",
        "consistent paraphrased": "Otto has 19 large mugs. Ines has 7 fewer large mugs than Otto. "
        "How many large mugs does Ines have?",
        "inconsistent paraphrased": "Otto has 19 large mugs. Otto has 7 more large mugs than Ines. "
        "How many large mugs does Ines have?",
        "answer": 12,
    }
    return row | changed


def transfer(**changed: object) -> dict[str, object]:
    """A sound row in the columns of the released file of transfers and comparisons."""
    row: dict[str, object] = {
        "question comparison": "How many torchs does Uma have totaled?",
        "question transition": "How many torchs does Lars have totaled now?",
        "body comparison": "Lars has 9 torchs. Pia has 6 more torchs than Lars. "
        "Pia has 4 fewer torchs than Uma.",
        "body transition": "Lars has 9 torchs. Pia gave Lars 6 torchs. Uma gave 4 torchs to Lars.",
        "paraphrase comparison": "Lars has 9 torches. Pia has 6 more torches than Lars. "
        "Pia has 4 fewer torches than Uma. How many torches does Uma have in total?",
        "paraphrase transition": "Lars has 9 torches. Pia gave Lars 6 torches. Uma gave 4 torches "
        "to Lars. How many torches does Lars have in total now?",
        "answer": 19,
    }
    return row | changed


def carry(**changed: object) -> dict[str, object]:
    """A sound row in the columns of the released carry file."""
    row: dict[str, object] = {
        "question": "How many liters of cider does Ines have?",
        "body no carry": "Otto has 512 liters of cider. "
        "Ines has 231 liters of cider more than Otto.",
        "body carry": "Otto has 476 liters of cider. Ines has 267 liters of cider more than Otto.",
        "paraphrase no carry": "Otto has 512 liters of cider. Ines has 231 liters more cider than "
        "Otto. How many liters of cider does Ines have?",
        "paraphrase carry": "Otto has 476 liters of cider. Ines has 267 liters more cider than "
        "Otto. How many liters of cider does Ines have?",
        "answer no carry": 743,
        "answer carry": 743,
        "answer": 743,
        "Carry Operation": "Addition",
        "Num. Carries": 2,
    }
    return row | changed


SOUND: tuple[Callable[..., dict[str, object]], ...] = (consistency, transfer, carry)
