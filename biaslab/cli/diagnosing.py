"""What may be behind a wrong answer: to one problem, or to each of a table."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from biaslab.cli.common import sentences, whole_text

if TYPE_CHECKING:
    from biaslab.files.answered import AnsweredRow
    from biaslab.malrules import Worked
    from biaslab.malrules.diagnosis import Candidate, Separation, StepReading
    from biaslab.malrules.reading import Explained, Happened

_COLUMNS = (
    "row", "problem", "answer", "status", "right_answer", "rules", "names", "how_sure",
    "next_problem", "reason",
)  # fmt: skip


@click.command("diagnose")
@click.option("--problem", "text", metavar="TEXT",
              help="The problem as you would type it: 52 - 17, a word problem.")  # fmt: skip
@click.option("--answer", metavar="TEXT",
              help="What was answered: 45, 3/4, 2.5, x > 3.")  # fmt: skip
@click.option("--working", default=None, metavar="TEXT",
              help="The working of a word problem, to find the first wrong step.")  # fmt: skip
@click.option("--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Several: a CSV, XLSX or JSON table of problem and answer.")  # fmt: skip
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
    problem_column: str | None, answer_column: str | None, out: Path | None, seed: int, form: str,
) -> None:  # fmt: skip
    """Say which mal-rules give an answer, and which problem would tell them apart."""
    if table is not None:
        if text is not None or answer is not None or working is not None:
            raise click.UsageError("Give either --table, or --problem with --answer.")
        _table(table, problem_column, answer_column, out, seed, form)
        return
    if text is None or answer is None:
        raise click.UsageError("Give --problem with --answer, or a --table of several.")
    if out is not None:
        raise click.UsageError("--out belongs to --table.")
    from biaslab.malrules.catalogue.stories.problems import Story
    from biaslab.malrules.diagnosis import first_wrong_step
    from biaslab.malrules.reading import UnreadAnswer, UnreadProblem, what_happened

    with sentences(UnreadProblem, UnreadAnswer):
        happened = what_happened(text, answer)
    steps = None
    if working is not None:
        story = happened.meanings[0].problem
        if not isinstance(story, Story):
            raise click.ClickException("--working is read for word problems only; leave it out.")
        steps = first_wrong_step(story, working)
    if form == "json":
        click.echo(json.dumps(_as_json(happened, seed, steps), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(happened, seed, steps)))


def _table(
    table: Path, problem: str | None, answer: str | None, out: Path | None, seed: int, form: str
) -> None:
    from biaslab.files import InterchangeError
    from biaslab.files.answered import read_answered
    from biaslab.text.given_files import read_given

    if out is not None and out.suffix.lower() not in {".csv", ".json"}:
        raise click.UsageError("--out ends in .csv or .json.")
    with sentences(InterchangeError):
        rows = list(read_answered(read_given(table), table.name, problem, answer))
    as_json = form == "json" if out is None else out.suffix.lower() == ".json"
    if as_json:
        content = [_row_as_json(row, seed) for row in rows]
        written = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    else:
        written = _as_csv(rows, seed)
    if out is None:
        click.echo(written, nl=False)
    else:
        with sentences(), whole_text(out) as file:
            file.write(written)
    counted = Counter(row.status for row in rows)
    told = ", ".join(f"{n} {status}" for status, n in counted.most_common()) or "no row"
    click.echo(f"{len(rows)} rows: {told}.", err=True)


def _as_csv(rows: Sequence[AnsweredRow], seed: int) -> str:
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(_COLUMNS)
    for row in rows:
        table.writerow(_cells(row, seed))
    return written.getvalue()


def _cells(row: AnsweredRow, seed: int) -> list[str]:
    from biaslab.malrules.reading import next_problem

    head = [str(row.number), row.problem, row.answer, row.status]
    if row.happened is None:
        return [*head, "", "", "", "", "", row.reason]
    found = row.happened.meanings[0]
    candidates = found.diagnosis.candidates
    separation = next_problem(found, seed)
    chosen = None if separation is None else separation.problem
    return [
        *head,
        str(found.right.answer),
        "; ".join(" + ".join(each.rules) for each in candidates),
        "; ".join(_names(each) for each in candidates),
        found.how_sure(candidates[0]) if candidates else "",
        "" if chosen is None else chosen.stem(),
        row.reason,
    ]


def _row_as_json(row: AnsweredRow, seed: int) -> dict[str, Any]:
    content: dict[str, Any] = {
        "row": row.number, "status": row.status, "reason": row.reason or None,
        "problem": row.problem, "answer": row.answer,
    }  # fmt: skip
    if row.happened is not None:
        content |= _as_json(row.happened, seed, None)
    return content


def _steps(trace: Worked) -> list[str]:
    return [step.text for step in trace.steps]


def _name(rule: str) -> str:
    from biaslab.malrules import cards
    from biaslab.malrules.diagnosis import SLIPPED

    return "a slip" if rule == SLIPPED else cards()[rule].name


def _names(found: Candidate) -> str:
    return " and then ".join(map(_name, found.rules))


def _candidate(explained: Explained, found: Candidate) -> dict[str, Any]:
    return {
        "rules": [{"id": rule, "name": _name(rule)} for rule in found.rules],
        "rule": found.rules[0] if len(found.rules) == 1 else None,
        "name": _names(found),
        "trace": _steps(found.trace),
        "how_sure": explained.how_sure(found),
        "weight": round(float(found.weight), 6),
        "chance_share": round(float(found.chance_share), 6),
        "why": found.why,
    }


def _as_json(happened: Happened, seed: int, steps: StepReading | None) -> dict[str, Any]:
    first, *more = [_meaning(each, seed) for each in happened.meanings]
    content: dict[str, Any] = {
        **first,
        "typed": happened.read.text,
        "answer": happened.answer,
        "as_read": happened.read.as_read or None,
        "other_meanings": more,
    }
    if steps is not None:
        content["working"] = {
            "told": steps.told,
            "step": steps.step,
            "expected": steps.expected,
            "found": None if steps.found is None else str(steps.found),
            "rules": list(steps.rules),
            "slip": steps.slip,
            "sentence": steps.sentence,
            "why": steps.why,
        }
    return content


def _meaning(explained: Explained, seed: int) -> dict[str, Any]:
    from biaslab.malrules import write_form
    from biaslab.malrules.reading import next_problem

    found = explained.diagnosis
    content: dict[str, Any] = {
        "problem": explained.problem.stem(),
        "form": write_form(explained.problem),
        "right_answer": str(explained.right.answer),
        "solution": _steps(explained.right),
        "correct": found.correct,
        "candidates": [_candidate(explained, each) for each in found.candidates],
        "slip": None,
        "unknown": found.unknown,
        "ambiguous": found.ambiguous,
        "rounded_from": explained.rounded_from or None,
        "next": _next(next_problem(explained, seed)),
    }
    if found.slip is not None:
        content["slip"] = {
            "what": found.slip.what,
            "step": found.slip.step,
            "trace": _steps(found.slip.trace),
        }
    return content


def _next(separation: Separation | None) -> dict[str, Any] | None:
    if separation is None:
        return None
    chosen = separation.problem
    return {
        "problem": None if chosen is None else chosen.stem(),
        "right_answer": None if chosen is None else str(chosen.solve().answer),
        "complete": separation.complete,
        "expected": [
            {"rules": list(each.rules), "answers": list(each.answers)}
            for each in separation.expected
        ],
        "reason": separation.reason,
    }


def _lines(happened: Happened, seed: int, steps: StepReading | None) -> list[str]:
    lines = []
    if happened.read.as_read:
        lines.append(f"Understood as: {happened.read.as_read}")
    if len(happened.meanings) > 1:
        lines.append(f"This text can mean {len(happened.meanings)} things.")
    for explained in happened.meanings:
        lines += _told(explained, seed, many=len(happened.meanings) > 1)
    if steps is not None:
        lines.append(f"Working: {steps.why}")
    return lines


def _told(explained: Explained, seed: int, *, many: bool) -> list[str]:
    from biaslab.malrules.reading import next_problem

    found = explained.diagnosis
    lines = [f"As “{explained.problem.stem()}”:"] if many else []
    lines.append(f"The right answer is {explained.right.answer}.")
    lines.append(f"  {'; '.join(_steps(explained.right))}.")
    if found.correct:
        lines.append("The answer is right.")
    for each in found.candidates:
        lines.append(f"{' + '.join(each.rules)}: {_names(each)} ({explained.how_sure(each)})")
        lines.append(f"  {'; '.join(_steps(each.trace))}.")
    if found.slip is not None:
        lines.append(f"slip: right plan, {found.slip.what}")
        lines.append(f"  {'; '.join(_steps(found.slip.trace))}.")
    if found.unknown:
        lines.append("None known: no known rule, pair of rules or slip gives this answer.")
    if found.ambiguous:
        lines.append("Several explanations fit: none of them is told by this answer alone.")
    separation = next_problem(explained, seed)
    if separation is not None and separation.problem is not None:
        lines.append(f"Next problem: {separation.problem.stem()}")
        for expected in separation.expected:
            given = ", ".join(expected.answers) or "the right answer"
            lines.append(f"  {' + '.join(expected.rules)} gives {given}")
    if separation is not None and separation.reason:
        lines.append(separation.reason)
    return lines
