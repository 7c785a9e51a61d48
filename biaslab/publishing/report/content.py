"""What a report says, whatever it is about: findings in words, charts, tables, items.

Whoever makes a report of something new (runs, a class, a room) makes one `Report` of it; the page
follows from that. All texts are plain text, never markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from biaslab.charts import Chart


class AnswerMark(StrEnum):
    """What became of an answer. A page has a sign and a word for each."""

    RIGHT = "right"
    WRONG = "wrong"
    READ = "read"
    UNREAD = "not read"
    NONE = "no answer"


@dataclass(frozen=True, slots=True)
class ReportFinding:
    """A finding: who or what it is about, and sentences with n and interval."""

    about: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A chart for light and for dark pages: the same numbers in other colours.

    Attributes:
        title: what it shows; light, dark: the chart.
    """

    title: str
    light: Chart
    dark: Chart


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of texts as they are printed.

    Attributes:
        title: what it shows; columns: their headings; rows: a text for each column.
        figures: columns, from 0, that are set to the right.
        notes: what the columns mean, in sentences.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a heading of its own, in this order: sentences, charts, tables."""

    heading: str
    sentences: tuple[str, ...] = ()
    pictures: tuple[ReportPicture, ...] = ()
    tables: tuple[ReportTable, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportExchange:
    """What was sent and what came back, word for word; thinking: what was written before it."""

    prompt: str
    output: str
    thinking: str = ""


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """An answer to a problem.

    Attributes:
        who: gave it, or "" where the entry says so; mark: what became of it.
        value: as it was read; "" where nothing was.
        how: how it was read, or why there is none.
        sample: which of several, from 1.
        exchanges: word for word, in order; none for people.
    """

    mark: AnswerMark
    value: str = ""
    how: str = ""
    sample: int = 1
    who: str = ""
    exchanges: tuple[ReportExchange, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A problem with its answers.

    Attributes:
        arm: which member of a pair it is; "" where there are no pairs.
        text: of the problem; right: the right answer, "" where none is right or wrong.
        answers: in order.
    """

    arm: str
    text: str
    right: str
    answers: tuple[ReportAnswer, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the items: a pair in a run, or a question of a test.

    Attributes:
        name: what it is called.
        facets: a word for each facet that it has, by the facet's name.
        parts: its problems.
    """

    name: str
    facets: Mapping[str, str]
    parts: tuple[ReportPart, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """All items of a report.

    Attributes:
        noun: what an entry is, such as ``pair``.
        facets: what entries are filtered by: labels by name, in the order in which they stand.
        entries: in the order in which they are read.
    """

    noun: str
    facets: Mapping[str, str]
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Report:
    """All of a report.

    Attributes:
        title: of the page; about: what it is, in one or two sentences.
        findings: what was found, the first thing that is read.
        before: a sentence over the findings, such as how many there are; may be "".
        sections: charts and tables.
        items: what was asked and answered; None where a report has none.
        methods: paragraphs; limitations: sentences.
        provenance: what it was made of and with: a text by its name.
        files: further files that are given out as they are: contents by name.
        network: whether the page holds tiny networks that answer what is typed.
    """

    title: str
    about: str
    findings: tuple[ReportFinding, ...]
    sections: tuple[Section, ...]
    items: Items | None
    methods: tuple[str, ...]
    limitations: tuple[str, ...]
    provenance: Mapping[str, str]
    before: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    network: bool = False
