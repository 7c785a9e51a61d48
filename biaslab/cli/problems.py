"""How problems and answers are understood: solved, diagnosed, read, and a whole corpus audited."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from biaslab.cli.conventions import db_option, read_with, sentences, vocabulary_option, whole_text
from biaslab.cli.models import server_options, speed_options
from schoolmath.text.given_files import FileRefused, numbered_lines, parse_json

if TYPE_CHECKING:
    from biaslab.cli.word_problems import ReadingModel
    from biaslab.files import ImportedItem
    from biaslab.files.formats.format import TableRow
    from schoolmath.problems import Vocabulary
    from schoolmath.problems.reading import ReadText
    from schoolmath.problems.reading.telling import KnownAmount


@click.command("solve")
@click.argument("text", required=False)
@click.option("--file", "source", type=click.Path(path_type=Path), metavar="FILE",
              help="Problems: one JSON object a line with id and text, a table (CSV, XLSX, JSON), "
              "or plain text.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE",
              help="Where the answers are written, one JSON object a line.")  # fmt: skip
@click.option("--reader", default=None, metavar="MODEL",
              help="A language model, openai:NAME or local:DIRECTORY, that reads what is refused; "
              "only with --file. What it reads is checked.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@vocabulary_option
@server_options
@speed_options
@db_option
def solve_command(
    text: str | None,
    source: Path | None,
    out: Path | None,
    reader: str | None,
    as_json: bool,
    vocabulary_file: Path | None,
    db: Path | None,
    **given: Any,
) -> None:
    """Read a word problem: each sentence as understood, who has what, the steps, the answer.

    TEXT is the whole problem with its question, in quotes. With --file all problems of a file are
    read, and --out gets id, status (read, refused, failed), answer, steps and reasons of each;
    with --reader also read_by, the model by which it was read, or null.
    """
    if source is not None:
        if text is not None or out is None:
            raise click.UsageError("Give either TEXT, or --file with --out.")
        from biaslab.files import InterchangeError
        from schoolmath.text.given_files import FileRefused

        made = None
        if reader is not None:
            from biaslab.cli.word_problems import ReadingModel

            made = ReadingModel(reader, given, db)
        with sentences(FileRefused, InterchangeError), read_with(vocabulary_file):
            _solve_file(source, out, made)
        return
    if reader is not None:
        raise click.UsageError("--reader needs --file with --out.")
    if text is None:
        raise click.UsageError("Give a problem in quotes, or --file with --out.")
    with read_with(vocabulary_file):
        _solve_text(text, as_json)


def _solve_text(text: str, as_json: bool) -> None:
    """Prints how a text was understood; one without an answer ends the command with 1."""
    from schoolmath.problems.stories import answer, in_plain_sentences

    found = answer(text)
    content = _content(found.read)
    content["plain"] = None
    if content["answer"] is None and found.answer is not None:
        content |= {"answer": _as_number(found.answer), "steps": list(found.steps), "fault": ""}
        content["plain"] = in_plain_sentences(found.story)
    elif found.answer is None:
        content |= {"answer": None, "steps": list(found.steps)}
        content["fault"] = content["fault"] or found.reasons[0]
    content["doubted"] = None if found.doubted is None else _as_number(found.doubted)
    content["reasons"] = list(found.reasons)
    if as_json:
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(content)))
    if found.answer is None:
        raise SystemExit(1)


@dataclass(frozen=True, slots=True)
class _FileProblem:
    """A problem of a file: its text, or why there is none; its id and answer as they stand."""

    number: int
    id: object = None
    text: str = ""
    fault: str = ""
    answer: object = None


def _solve_file(source: Path, out: Path, reader: ReadingModel | None) -> None:
    """Reads every problem of a file; a row that cannot be read costs no other row."""
    given = _problems_of(source)
    solved = [_solved(each) for each in given]
    _write(out, solved)
    if reader is not None:
        reader.read(
            solved, [{"text": each.text, "answer": _number_of(each.answer)} for each in given]
        )
        _write(out, solved)
    counted = dict.fromkeys(("read", "doubted", "refused", "failed"), 0)
    for found in solved:
        counted[found["status"]] += 1
    click.echo(
        f"{len(solved)} problems: " + ", ".join(f"{n} {status}" for status, n in counted.items())
    )
    for each, found in zip(given, solved, strict=True):
        own = _number_of(each.answer)
        if own is not None and found["answer"] is not None and own != found["answer"]:
            click.echo(
                f"Row {each.number}: the file says {own}, and the text gives {found['answer']}."
            )


def _problems_of(source: Path) -> list[_FileProblem]:
    """The problems of a file: objects, one a line, or a table, or plain text.

    Raises:
        InterchangeError: it is nothing of these, or it is not clear what in it is a problem.
    """
    from biaslab.audit.auditing import split_texts
    from biaslab.files.decoding import decode, is_package
    from biaslab.files.opening import is_plain_text, open_table
    from schoolmath.text.given_files import read_given

    data, name = read_given(source), source.name
    if not data.strip():
        return []
    text = "" if is_package(data) else decode(data).text
    called = source.suffix.lower()
    if text and (
        called in {".jsonl", ".ndjson"} or (called != ".json" and text.lstrip().startswith("{"))
    ):
        return _of_lines(text)
    if is_plain_text(data, name):
        return [_FileProblem(n, n, each) for n, each in enumerate(split_texts(text), start=1)]
    table = open_table(data, name)
    return _of_rows("Row", [(row, row.cells) for row in table.filled()], table.columns)


def _of_lines(text: str) -> list[_FileProblem]:
    """The problems of JSON lines; ids are of the kind that the file has."""
    from biaslab.files.formats.format import TableRow
    from schoolmath.text.given_files import parse_json

    told: list[tuple[TableRow, Mapping[str, object]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            fields = parse_json(line)
        except ValueError:
            fields = None
        if isinstance(fields, dict):
            cells = {name: each for name, each in fields.items() if isinstance(each, str)}
            told.append((TableRow(number, cells), fields))
        else:
            why = "it is no JSON object; write one object a line"
            told.append((TableRow(number, refusal=why), {}))
    columns = list(dict.fromkeys(name for _, fields in told for name in fields))
    return _of_rows("Line", told, columns, ("text",) if "text" in columns else ())


def _of_rows(
    where: str,
    rows: Sequence[tuple[TableRow, Mapping[str, object]]],
    columns: Sequence[str],
    texts: tuple[str, ...] = (),
) -> list[_FileProblem]:
    """The problems of rows; where no row has a problem, every row says what it lacks."""
    from biaslab.files.columns import guess, place_in, problem_columns, problem_text
    from biaslab.files.errors import MAX_COLUMNS
    from biaslab.files.opening import LOOKED_AT

    parts = texts or problem_columns(columns, [row for row, _ in rows[:LOOKED_AT]]) or ("text",)
    others = guess([each for each in columns if each not in parts][:MAX_COLUMNS])
    named = others.get("name", "id")
    found = []
    for row, fields in rows:
        text, fault = problem_text(row.cells, parts), ""
        if row.refusal:
            fault = f"{where} {row.number}: {row.refusal}."
        elif not text:
            fault = f"{where} {row.number} has no “{parts[0]}”: give the problem as a string."
        elif place := place_in(text):
            fault = f"“{place}” stands in the text in place of a value: put the value there."
        answer = fields.get(others.get("key", ""))
        found.append(_FileProblem(row.number, fields.get(named), text, fault, answer))
    return found


def _write(out: Path, solved: list[dict[str, Any]]) -> None:
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in solved)
    out.write_text(lines, encoding="utf-8")


def _solved(problem: _FileProblem) -> dict[str, Any]:
    from schoolmath.problems.stories import answer

    if problem.fault:
        return {"id": problem.id, "status": "failed", "answer": None, "doubted": None, "steps": [],
                "reasons": [problem.fault]}  # fmt: skip
    found = answer(problem.text)
    refused = "refused" if found.doubted is None else "doubted"
    return {
        "id": problem.id,
        "status": refused if found.answer is None else "read",
        "answer": None if found.answer is None else _as_number(found.answer),
        "doubted": None if found.doubted is None else _as_number(found.doubted),
        "steps": list(found.steps),
        "reasons": list(found.reasons),
    }


def _number_of(answer: object) -> int | float | None:
    """The number that an answer of a file is, or ends in; None where it is none."""
    from schoolmath.malrules.reading.given_answers import read_number
    from schoolmath.text.written_answers import stated_last

    if answer is None or isinstance(answer, bool):
        return None
    value = read_number(stated_last(str(answer)))
    return None if value is None else _as_number(value)


def _as_number(answer: Fraction) -> int | float:
    """An answer as a number of JSON: whole where it is whole."""
    return answer.numerator if answer.denominator == 1 else float(answer)


def _content(reading: ReadText) -> dict[str, Any]:
    from schoolmath.problems.reading import describe_statement
    from schoolmath.problems.reading.telling import mental_model

    words, solution = reading.words, reading.solution
    return {
        "sentences": [
            {
                "text": each.text,
                "understood": None if each.said is None else describe_statement(each.said, words),
                "reason": each.reason,
            }
            for each in reading.sentences
        ],
        "mental_model": []
        if reading.problem is None
        else [[_known(each, words) for each in after] for after in mental_model(reading.problem)],
        "steps": [] if solution is None else [step.equation() for step in solution.steps],
        "unused": [] if solution is None else list(solution.unused),
        "answer": None if solution is None else solution.answer,
        "fault": reading.fault,
    }


def _known(facts: KnownAmount, words: Vocabulary) -> dict[str, Any]:
    return {
        "agent": facts.possession.agent,
        "quantity": facts.quantity,
        "what": words.write(facts.possession.entity, facts.quantity or 2),
    }


def _lines(content: dict[str, Any]) -> list[str]:
    lines = []
    models = iter(content["mental_model"])
    as_story = content["answer"] is not None and not content["mental_model"]
    if as_story:
        lines.append("Read as a story: clause by clause, not sentence by sentence.")
    for each in [] if as_story else content["sentences"]:
        lines.append(each["text"])
        if each["understood"] is None:
            lines.append(f"  NOT READ: {each['reason']}")
            continue
        lines.append(f"  {each['understood']}")
        if not each["understood"].startswith("Asked"):
            after = next(models, None)
            lines.extend([] if after is None else [f"  Now: {_format(after)}."])
    lines += [f"Step {i}: {step}" for i, step in enumerate(content["steps"], start=1)]
    for index in content["unused"]:
        lines.append(f"Sentence {index + 1} is not needed.")
    if content["answer"] is not None:
        lines.append(f"Answer: {content['answer']}")
    if content.get("plain"):
        lines.append(f"In plain sentences: {content['plain']}")
    if content["doubted"] is not None:
        lines.append(f"Read as {content['doubted']}, not proved: {' '.join(content['reasons'])}")
    elif content["fault"]:
        lines.append(content["fault"])
    return lines


def _format(rows: list[dict[str, Any]]) -> str:
    return "; ".join(
        f"{each['agent']} has {_quantity(each['quantity'])} {each['what']}" for each in rows
    )


def _quantity(quantity: int | None) -> str:
    return "an unknown number of" if quantity is None else str(quantity)


@click.command("diagnose")
@click.option("--problem", "text", metavar="TEXT",
              help="The problem as you would type it: 52 - 17, a word problem.")  # fmt: skip
@click.option("--answer", metavar="TEXT",
              help="What was answered: 45, 3/4, 2.5, x > 3.")  # fmt: skip
@click.option("--working", default=None, metavar="TEXT",
              help="The working of a word problem, to find the first wrong step.")  # fmt: skip
@click.option("--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Several: a CSV, XLSX or JSON table of problem and answer.")  # fmt: skip
@click.option("--items", metavar="NAME",
              help="Every wrong option of a saved set of items.")  # fmt: skip
@db_option
@click.option("--problem-column", metavar="NAME", help="The table's column of problems.")
@click.option("--answer-column", metavar="NAME", help="The table's column of answers.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Where the table's rows are written: .csv or .json.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True,
              help="Seed of the next problem.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True)  # fmt: skip
def diagnose_command(
    text: str | None, answer: str | None, working: str | None, table: Path | None,
    items: str | None, db: Path | None, problem_column: str | None, answer_column: str | None,
    out: Path | None, seed: int, form: str,
) -> None:  # fmt: skip
    """Say which mal-rules give an answer, and which problem would separate them."""
    if table is not None or items is not None:
        if text is not None or answer is not None or working is not None or (table and items):
            raise click.UsageError("Give one: --table, --items, or --problem with --answer.")
        _several(table, items, db, problem_column, answer_column, out, seed, form)
        return
    if text is None or answer is None:
        raise click.UsageError("Give --problem with --answer, a --table of several, or --items.")
    if out is not None:
        raise click.UsageError("--out belongs to --table and --items.")
    from schoolmath.malrules.catalogue.stories.problems import Story
    from schoolmath.malrules.diagnosis import first_wrong_step
    from schoolmath.malrules.reading import UnreadAnswer, UnreadProblem, what_happened
    from schoolmath.malrules.reading.happening import as_json, in_words

    with sentences(UnreadProblem, UnreadAnswer):
        happened = what_happened(text, answer)
    steps = None
    if working is not None:
        story = happened.meanings[0].problem
        if not isinstance(story, Story):
            raise click.ClickException("--working is read for word problems only; leave it out.")
        steps = first_wrong_step(story, working)
    if form == "json":
        click.echo(json.dumps(as_json(happened, seed, steps), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(in_words(happened, seed, steps)))


def _several(
    table: Path | None, items: str | None, db: Path | None, problem: str | None, answer: str | None,
    out: Path | None, seed: int, form: str,
) -> None:  # fmt: skip
    from biaslab.files import InterchangeError
    from biaslab.files.answered import read_answered, read_options, row_as_json, rows_as_csv
    from schoolmath.text.given_files import read_given

    if out is not None and out.suffix.lower() not in {".csv", ".json"}:
        raise click.UsageError("--out ends in .csv or .json.")
    with sentences(InterchangeError):
        if table is not None:
            rows = list(read_answered(read_given(table), table.name, problem, answer))
        else:
            rows = list(read_options(_kept_items(db, items or "")))
    as_json = form == "json" if out is None else out.suffix.lower() == ".json"
    if as_json:
        content = [row_as_json(row, seed) for row in rows]
        written = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    else:
        written = rows_as_csv(rows, seed)
    if out is None:
        click.echo(written, nl=False)
    else:
        with sentences(), whole_text(out) as file:
            file.write(written)
    counted = Counter(row.status for row in rows)
    told = ", ".join(f"{n} {status}" for status, n in counted.most_common()) or "no row"
    click.echo(f"{len(rows)} rows: {told}.", err=True)


def _kept_items(db: Path | None, named: str) -> list[ImportedItem]:
    """The items of a kept set.

    Raises:
        click.ClickException: there is none of this name.
    """
    from biaslab.runs import default_database, find_items, item_sets, open_store

    with sentences(), open_store(db or default_database()) as store:
        found = find_items(store, named)
        if found is not None:
            return list(found)
        known = ", ".join(f"“{each.name}”" for each in item_sets(store)) or "none"
    raise click.ClickException(
        f"No set of items “{named}” is saved in this file of runs; there is {known}. "
        "`biaslab import FILE --as NAME` keeps one."
    )


# The audit of a corpus of word problems.


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUT = click.Path(dir_okay=False, path_type=Path)


@click.command("audit")
@click.argument("file", type=_FILE)
@click.option("--text", "columns", multiple=True, metavar="COLUMN",
              help="Column of the problems; twice: of the facts and of the question. "
              "[default: found by names or cells]")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table",
              show_default=True)  # fmt: skip
@click.option("--labels", type=_FILE, default=None,
              help="A sample that a person has filled in: corrects what was missed.")  # fmt: skip
@click.option("--sample", type=click.IntRange(1, 10_000), default=None, metavar="N",
              help="Write N random texts for a person to judge; needs --out.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Of the sample.")
@click.option("--out", type=_OUT, default=None, help="CSV file for the sample.")
@vocabulary_option
def audit_command(
    file: Path,
    columns: tuple[str, ...],
    form: str,
    labels: Path | None,
    sample: int | None,
    seed: int,
    out: Path | None,
    vocabulary_file: Path | None,
) -> None:
    """Say what share of a corpus is what: wordings, transfers, carries, operations, signal words.

    FILE is a table (CSV, TSV, XLSX, JSON, JSON lines), or plain text with a problem a line or
    blank lines between the problems. Every share has its interval and its number of texts.
    """
    from biaslab.audit import AuditError, audit, ratios
    from biaslab.audit.auditing import MAX_BYTES, read_corpus
    from biaslab.audit.report import (
        as_json,
        as_lines,
        correct,
        draw_sample,
        read_labels,
        sample_csv,
    )
    from biaslab.files import InterchangeError
    from schoolmath.text.given_files import read_given

    if (sample is None) != (out is None):
        raise click.UsageError("--sample and --out go together.")
    with sentences(AuditError, InterchangeError), read_with(vocabulary_file):
        corpus = read_corpus(read_given(file, MAX_BYTES), file.name, columns)
        found = audit(corpus.texts)
        judged = {} if labels is None else read_labels(read_given(labels, MAX_BYTES), labels.name)
        corrected = None if labels is None else correct(found, judged)
        mix = ratios(found, corrected.ratios() if corrected else None)
        if out is not None and sample is not None:
            with whole_text(out) as written:
                written.write(sample_csv(draw_sample(found, sample, seed), judged))
    if form == "json":
        content = {
            "column": corpus.column,
            "refused": list(corpus.refused),
            "remarks": list(corpus.remarks),
            **as_json(found, corrected),
            "mix": {name: list(pair) for name, pair in mix.items()},
        }
        click.echo(json.dumps(content, ensure_ascii=False, indent=1))
        return
    for remark in (*corpus.remarks, *corpus.refused[:5]):
        click.echo(remark)
    if len(corpus.refused) > 5:
        click.echo(f"... and {len(corpus.refused) - 5} more rows that could not be read.")
    if corpus.column:
        click.echo(f"Column: {corpus.column}")
    click.echo("\n".join(as_lines(found, corrected)))
    if mix:
        written_mix = ",".join(f"{name}={a}:{b}" for name, (a, b) in mix.items())
        click.echo(f"\nA tiny model on this mix: biaslab train --mix {written_mix} --out DIR")


# What a response says, read as a run reads it.


@click.command("read")
@click.option("--file", "source", type=click.Path(path_type=Path), metavar="FILE", required=True,
              help="Responses, one JSON object a line: id, question (the whole problem), response, "
              "form (chat or text), finish (stop or length).")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", required=True,
              help="Where the readings are written, one JSON object a line: id, status, value, "
              "rule, explanation.")  # fmt: skip
def read_command(source: Path, out: Path) -> None:
    """Read the number that each response of a file gives as its answer.

    The form is how the model was asked: chat, where the response answers a turn, or text, where it
    goes on from "The answer (Arabic numerals) is". The status is read, unread (why: rule and
    explanation), missing (cut off before the answer: finish is length) or failed (the line is not
    one of a response).
    """
    with sentences(FileRefused):
        readings = [_reading(line, number) for number, line in numbered_lines(source)]
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in readings)
    out.write_text(lines, encoding="utf-8")
    counted = Counter(each["status"] for each in readings)
    click.echo(
        f"{len(readings):,} responses: "
        + ", ".join(f"{counted[name]:,} {name}" for name in ("read", "unread", "missing", "failed"))
    )


def _reading(line: str, number: int) -> dict[str, Any]:
    from biaslab.studies.answers import asked_by, read_number
    from biaslab.studies.answers.reading import Form

    try:
        row = parse_json(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        return _failed(None, f"Line {number} is no JSON object: write one object a line.")
    name, form = row.get("id"), row.get("form", "chat")
    for field in ("question", "response"):
        if not isinstance(row.get(field), str):
            return _failed(name, f"Line {number} has no “{field}”: give it as a string.")
    if form not in get_args(Form):
        return _failed(name, f"Line {number}: “form” is chat or text.")
    found = read_number(
        row["response"],
        target=asked_by(row["question"]),
        form=form,
        cut_off=row.get("finish") == "length",
    )
    return {
        "id": name,
        "status": "read" if found.value is not None else _unread(found.rule),
        "value": None if found.value is None else str(found.value),
        "rule": found.rule,
        "explanation": found.explanation,
    }


def _unread(rule: str) -> str:
    return "missing" if rule == "cut off" else "unread"


def _failed(name: object, reason: str) -> dict[str, Any]:
    return {"id": name, "status": "failed", "value": None, "rule": "", "explanation": reason}
