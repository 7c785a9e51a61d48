"""A teacher's own test, from what was typed, from a file, or from a kept set of items."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from biaslab.files.columns import guess, problem_columns, problem_text
from biaslab.files.decoding import decode
from biaslab.files.errors import InterchangeError, only_refusals
from biaslab.files.importing import import_bytes
from biaslab.files.items import ImportedItem
from biaslab.files.opening import is_item_format, open_table
from schoolmath.malrules.classes import MOST_CUSTOM_ITEMS, GivenItem
from schoolmath.text.written_answers import MARK, stated_last

MOST_SIGNS = 50_000
"""Longest test that is typed."""
_LONGEST_KEY = 40
_LETTERED = re.compile(r"^\s*ANSWER\s*:|^\s*(?i:answer)\s*:\s*\(?[A-Ha-h]\)?\s*$", re.MULTILINE)
_NUMBERED = re.compile(r"^\s*\(?\d{1,2}[.):]\)?\s+")


@dataclass(frozen=True, slots=True)
class GivenTest:
    """The items of a test as they were written.

    Attributes:
        items: in their order.
        left_out: what of the file is no item, each a sentence.
    """

    items: tuple[GivenItem, ...]
    left_out: tuple[str, ...] = ()


def read_typed(text: str) -> GivenTest:
    """A test as it is typed: a question in each line, behind a semicolon or tab its right answer.

    Numbers of the lines ("3.", "3)") are taken off. A text with lines “ANSWER: B” is read in the
    format Aiken, with options.

    Raises:
        InterchangeError: it is longer than `MOST_SIGNS`, or no Aiken where it looks like it.
    """
    if len(text) > MOST_SIGNS:
        raise InterchangeError(f"The test has more than {MOST_SIGNS:,} characters. Shorten it.")
    if _LETTERED.search(text):
        return _with_options(text.encode(), "typed.txt", "aiken")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    numbered = len(lines) > 1 and all(_NUMBERED.match(line) for line in lines)
    return GivenTest(tuple(_line(_NUMBERED.sub("", line) if numbered else line) for line in lines))


def _line(line: str) -> GivenItem:
    """A question and, behind the last separator, its right answer if there is one."""
    question, separator, key = line.rpartition("\t" if "\t" in line else ";")
    # A semicolon may be the question's own.
    if separator and question.strip() and len(key) <= _LONGEST_KEY and "?" not in key:
        return GivenItem(question.strip(), key=key.strip())
    return GivenItem(line.rstrip("; \t"))


@only_refusals()
def read_test_file(data: bytes, name: str) -> GivenTest:
    """A test in any format of items, a table of questions and right answers, or lines of text.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
    """
    if name.lower().endswith(".txt") and not is_item_format(data, name):
        return read_typed(decode(data).text)
    free = _free_answers(data, name)
    if free is not None:
        return free
    return _with_options(data, name)


def _with_options(data: bytes, name: str, form: str = "") -> GivenTest:
    report = import_bytes(data, name, form)
    if not report.items:
        raise InterchangeError(str(report.refused[0]))
    return GivenTest(as_given(report.items), tuple(map(str, report.refused)))


def as_given(items: Iterable[ImportedItem]) -> tuple[GivenItem, ...]:
    """Items with options as items of a test."""
    return tuple(
        GivenItem(
            f"{item.passage}\n\n{item.question}" if item.passage else item.question,
            dict(zip(item.letters, item.options, strict=True)),
            item.key,
            item.misconceptions,
        )
        for item in items
    )


def _free_answers(data: bytes, name: str) -> GivenTest | None:
    """The test in a table without options; None where it is no such table."""
    try:
        table = open_table(data, name)
        columns = guess(table.columns)
    except InterchangeError:
        return None
    if "question" not in columns or any(field.startswith("option") for field in columns):
        return None
    parts = problem_columns(table.columns, table.first)
    asked = parts if columns["question"] in parts else (columns["question"],)
    items, left_out = [], []
    for row in table.filled():
        question = problem_text(row.cells, asked)
        if row.refusal or not question:
            left_out.append(f"Row {row.number}: {row.refusal or 'there is no question'}.")
        else:
            key = row.cells.get(columns.get("key", ""), "").strip()
            items.append(GivenItem(question, key=stated_last(key) if MARK in key else key))
        if len(items) > MOST_CUSTOM_ITEMS:
            break
    return GivenTest(tuple(items), tuple(left_out))
