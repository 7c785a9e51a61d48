"""Writing items and quizzes for other programs, and what a format cannot hold.

export = export_quiz(quiz, "qti")
export.content          # the bytes of a zip file
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeAlias

from biaslab.files.checking import RefusedRow, Remark
from biaslab.files.decoding import clean, has_unwanted
from biaslab.files.errors import LETTERS, MAX_SPREADSHEET_CELL, InterchangeError
from biaslab.files.formats.aiken import misread, write_aiken
from biaslab.files.formats.format import OpenQuestion
from biaslab.files.formats.gift import write_gift
from biaslab.files.formats.moodle import write_moodle
from biaslab.files.formats.qti import single_blanks, write_qti
from biaslab.files.formats.spreadsheets import write_xlsx
from biaslab.files.items import ImportedItem, as_imported
from biaslab.files.tables import as_markup, guarded
from schoolmath.malrules.bank import ChoiceItem
from schoolmath.malrules.classes import Quiz

Questions: TypeAlias = Sequence[ImportedItem | OpenQuestion]


@dataclass(frozen=True, slots=True)
class QuizFormat:
    """A format for programs that ask pupils.

    Attributes:
        name: on the command line and in links.
        label: on screens.
        suffix: of the file, with its dot.
        mime: type of the file for a browser.
        program: what reads it, as a phrase.
        write: the file, from questions and a title; the title may be empty.
    """

    name: str
    label: str
    suffix: str
    mime: str
    program: str
    write: Callable[[Questions, str], bytes]


QUIZ_FORMATS: Mapping[str, QuizFormat] = {
    each.name: each
    for each in (
        QuizFormat(
            "gift", "GIFT", ".gift", "text/plain", "for Moodle, as text",
            lambda questions, _: write_gift(questions).encode(),
        ),
        QuizFormat(
            "moodle", "Moodle XML", ".xml", "application/xml", "for Moodle, as XML",
            lambda questions, _: write_moodle(questions),
        ),
        QuizFormat(
            "qti", "QTI 2.1 (zip)", ".zip", "application/zip",
            "for other learning platforms, as a package of IMS QTI 2.1", write_qti,
        ),
    )
}  # fmt: skip
"""What can be written, by name."""


# A worksheet to print: questions, and on a page of its own the key.

_STYLE = """
@page { margin: 18mm; }
body { font: 12pt/1.45 Georgia, 'Times New Roman', serif; color: #000; background: #fff;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; }
.who { margin: 1.5rem 0; } .who span { display: inline-block; min-width: 12rem;
       border-bottom: 1px solid #000; margin: 0 1.5rem 0 .3rem; }
ol.questions > li { margin: 0 0 1.6rem; break-inside: avoid; }
.text { white-space: pre-line; overflow-wrap: anywhere; }
.passage { border-left: 3px solid #888; padding-left: .8rem; }
ol.options { list-style: upper-alpha; margin-top: .4rem; }
.key { break-before: page; } .key > ol > li { margin: 0 0 1rem; break-inside: avoid; }
.key ul { margin: .2rem 0; } .rule { font-style: italic; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""


def write_worksheet(items: list[ImportedItem], title: str = "") -> str:
    """One HTML page that needs nothing else and runs nothing.

    The key names, for every wrong option, what is behind it: the mal-rule or misconception,
    and the rationale.
    """
    name = escape(title.strip() or "Worksheet")
    questions = "\n".join(map(_question, items))
    answers = "\n".join(map(_answer, items))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{name}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{name}</h1>
<p class="who">Name <span>&nbsp;</span> Date <span>&nbsp;</span></p>
<ol class="questions">
{questions}
</ol>
</main>
<section class="key">
<h2>Key to {name}</h2>
<ol>
{answers}
</ol>
</section>
</body>
</html>
"""


def _question(item: ImportedItem) -> str:
    passage = f'<div class="text passage">{escape(item.passage)}</div>' if item.passage else ""
    options = "".join(f'<li class="text">{escape(option)}</li>' for option in item.options)
    return (
        f'<li>{passage}<div class="text">{escape(item.question)}</div>'
        f'<ol class="options">{options}</ol></li>'
    )


def _answer(item: ImportedItem) -> str:
    lines = []
    for letter in item.letters:
        said = []
        if letter in item.misconceptions:
            said.append(f'<span class="rule">{escape(item.misconceptions[letter])}</span>')
        if letter in item.rationales:
            said.append(escape(item.rationales[letter]))
        if said:
            lines.append(f'<li class="text"><b>{letter}</b> {": ".join(said)}</li>')
    told = f"<ul>{''.join(lines)}</ul>" if lines else ""
    right = escape(item.option(item.key))
    return f'<li><span class="text"><b>{item.key}</b>, {right}</span>{told}</li>'


@dataclass(frozen=True, slots=True)
class Export:
    """A file to write.

    Attributes:
        content: its bytes.
        written: how many items it holds.
        left_out: items that it cannot hold, with the reason; rows count from 1.
        remarks: what else is lost or changed, each a sentence.
    """

    content: bytes
    written: int
    left_out: tuple[RefusedRow, ...]
    remarks: tuple[Remark, ...]


def export_items(items: Iterable[ImportedItem | ChoiceItem], form: str, title: str = "") -> Export:
    """The items as a file.

    Args:
        items: of the bank, or imported ones.
        form: one of `EXPORTS`.
        title: of a worksheet, or of the test in a package of QTI, which has none without it.

    Raises:
        InterchangeError: there is no such format, or there are no items for it.
    """
    if form not in EXPORTS:
        raise InterchangeError(f"There is no format {form!r}. Formats are {', '.join(EXPORTS)}.")
    given = [as_imported(item) for item in items]
    prepared = [_clean(item) for item in given]
    lost: list[str] = []
    changed = sum(before != after for before, after in zip(given, prepared, strict=True))
    if changed:
        lost.append(f"Control characters were taken out of {changed} items.")
    if form in ("gift", "aiken", "moodle"):
        prepared = _without_passages(prepared, lost)
    if form == "aiken":
        prepared = _on_one_line(prepared, lost)
    elif form == "qti":
        prepared = _with_single_blanks(prepared, lost)
    lost += _cannot_hold(prepared, form)
    left_out = [
        RefusedRow(row, reason)
        for row, item in enumerate(prepared, start=1)
        if (reason := _reason(item, form))
    ]
    without = {each.row for each in left_out}
    kept = [item for row, item in enumerate(prepared, start=1) if row not in without]
    if not kept:
        why = f" {left_out[0]}" if left_out else ""
        raise InterchangeError(f"There are no items to write.{why}")
    content = EXPORTS[form](kept, title)
    return Export(content, len(kept), tuple(left_out), tuple(map(Remark, lost)))


def _clean(item: ImportedItem) -> ImportedItem:
    """Without control characters, which no format can hold."""
    texts = (item.question, item.passage, item.content_class, item.topic, *item.options)
    more = (*item.rationales.values(), *item.misconceptions.values())
    if not any(map(has_unwanted, (*texts, *more))):
        return item
    return replace(
        item,
        question=clean(item.question) or "?",
        passage=clean(item.passage),
        content_class=clean(item.content_class),
        topic=clean(item.topic),
        options=tuple(clean(option) or "?" for option in item.options),
        rationales={letter: clean(text) for letter, text in item.rationales.items()},
        misconceptions={letter: clean(text) for letter, text in item.misconceptions.items()},
    )


def _without_passages(items: list[ImportedItem], lost: list[str]) -> list[ImportedItem]:
    count = sum(bool(item.passage) for item in items)
    if count:
        lost.append(f"{count} reading passages stand at the start of their questions.")
    return [
        replace(item, passage="", question=f"{item.passage}\n\n{item.question}")
        if item.passage
        else item
        for item in items
    ]


def _on_one_line(items: list[ImportedItem], lost: list[str]) -> list[ImportedItem]:
    flat = [
        replace(
            item,
            question=" ".join(item.question.split()),
            options=tuple(" ".join(option.split()) for option in item.options),
        )
        for item in items
    ]
    changed = sum(before != after for before, after in zip(items, flat, strict=True))
    if changed:
        lost.append(f"Line breaks and repeated blanks of {changed} items are single blanks now.")
    return flat


def _with_single_blanks(items: list[ImportedItem], lost: list[str]) -> list[ImportedItem]:
    """As XHTML shows texts, whatever they are written like."""
    single = [
        replace(
            item,
            question=single_blanks(item.question),
            passage=single_blanks(item.passage),
            options=tuple(map(single_blanks, item.options)),
            rationales={letter: single_blanks(text) for letter, text in item.rationales.items()},
        )
        for item in items
    ]
    changed = sum(before != after for before, after in zip(items, single, strict=True))
    if changed:
        lost.append(f"Repeated blanks of {changed} items are single blanks now.")
    return single


def _cannot_hold(items: list[ImportedItem], form: str) -> list[str]:
    """What the format has no place for."""
    lost = []
    kinds: dict[str, Callable[[ImportedItem], object]] = {
        "rationales": lambda item: item.rationales,
        "misconceptions": lambda item: item.misconceptions,
        "grades, content classes, topics and depths of knowledge": lambda item: (
            item.grade or item.content_class or item.topic or item.dok
        ),
    }
    for name, holds in kinds.items():
        count = sum(bool(holds(item)) for item in items)
        if count and name in _MISSING.get(form, ()):
            lost.append(f"{form} cannot hold {name}: those of {count} items are lost.")
    return lost


_FACTS = "grades, content classes, topics and depths of knowledge"
_MISSING = {
    "gift": ("misconceptions", _FACTS),
    "aiken": ("rationales", "misconceptions", _FACTS),
    "moodle": ("misconceptions",),
    "qti": ("misconceptions", _FACTS),
}


def _reason(item: ImportedItem, form: str) -> str:
    """Why the format cannot hold this item, as a clause; empty where it can."""
    if form == "aiken":
        return misread(item)
    if form == "xlsx":
        longest = max(map(len, _cells(item, len(LETTERS))))
        if longest > MAX_SPREADSHEET_CELL:
            return (
                f"one of its texts has {longest:,} characters; "
                f"a cell of a spreadsheet holds {MAX_SPREADSHEET_CELL:,}"
            )
    return ""


def _columns(options: int) -> list[str]:
    letters = LETTERS[:options].lower()
    return [
        "question", "passage", *(f"option_{letter}" for letter in letters), "key",
        *(f"rationale_{letter}" for letter in letters),
        *(f"misconception_{letter}" for letter in letters),
        "grade", "content_class", "topic", "dok",
    ]  # fmt: skip


def _cells(item: ImportedItem, options: int) -> list[str]:
    letters = LETTERS[:options]
    texts = [*item.options, *([""] * (options - len(item.options)))]
    cells = [
        item.question, item.passage, *texts, item.key,
        *(item.rationales.get(letter, "") for letter in letters),
        *(item.misconceptions.get(letter, "") for letter in letters),
        "" if item.grade is None else str(item.grade), item.content_class, item.topic,
        "" if item.dok is None else str(item.dok),
    ]  # fmt: skip
    return [as_markup(cell) for cell in cells]


def _csv(items: list[ImportedItem], title: str) -> bytes:
    del title
    options = max(len(item.options) for item in items)
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(_columns(options))
    writer.writerows([guarded(cell) for cell in _cells(item, options)] for item in items)
    # Excel takes text for UTF-8 only with the mark at its start.
    return file.getvalue().encode("utf-8-sig")


def _xlsx(items: list[ImportedItem], title: str) -> bytes:
    del title
    options = max(len(item.options) for item in items)
    return write_xlsx(_columns(options), [_cells(item, options) for item in items])


EXPORTS: dict[str, Callable[[list[ImportedItem], str], bytes]] = {
    **{quiz.name: quiz.write for quiz in QUIZ_FORMATS.values()},
    "aiken": lambda items, _: write_aiken(items).encode(),
    "csv": _csv,
    "xlsx": _xlsx,
    "worksheet": lambda items, title: write_worksheet(items, title).encode(),
}
"""What can be written."""


def export_quiz(quiz: Quiz, form: str) -> Export:
    """The questions of a quiz in their order, with the same letters as on paper.

    What is behind a wrong option is left out: pupils would read it. A question without options is
    one with a number where its answer is one, else a short answer.

    Args:
        quiz: the quiz.
        form: one of `QUIZ_FORMATS`.

    Raises:
        InterchangeError: there is no such format.
    """
    if form not in QUIZ_FORMATS:
        names = ", ".join(QUIZ_FORMATS)
        raise InterchangeError(f"There is no format {form!r}. Formats are {names}.")
    questions = list(_questions(quiz))
    content = QUIZ_FORMATS[form].write(questions, f"{quiz.about}, quiz {quiz.code}")
    return Export(content, len(questions), (), ())


def _questions(quiz: Quiz) -> Iterator[ImportedItem | OpenQuestion]:
    for number, item in enumerate(quiz.items, start=1):
        text = clean(item.question)
        if item.options:
            options = tuple(clean(answer.shown) for answer in item.options.values())
            yield ImportedItem(text, options, item.key)
        else:
            yield OpenQuestion(f"{number:02} {item.id}", text, clean(item.right.shown))
