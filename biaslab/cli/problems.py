"""How a word problem is understood, and its solution."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from biaslab.cli.common import sentences
from biaslab.cli.own_words import read_with, vocabulary_option

if TYPE_CHECKING:
    from biaslab.problems import Vocabulary
    from biaslab.problems.reading import ReadText
    from biaslab.problems.reading.telling import Known


@click.command("solve")
@click.argument("text", required=False)
@click.option("--file", "source", type=click.Path(path_type=Path), metavar="FILE",
              help="Problems, one JSON object a line with id and text.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE",
              help="Where the answers are written, one JSON object a line.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@vocabulary_option
def solve_command(
    text: str | None,
    source: Path | None,
    out: Path | None,
    as_json: bool,
    vocabulary_file: Path | None,
) -> None:
    """Read a word problem: each sentence as understood, who has what, the steps, the answer.

    TEXT is the whole problem with its question, in quotes. With --file all problems of a file are
    read, and --out gets id, status (read, refused, failed), answer, steps and reasons of each.
    """
    if source is not None:
        if text is not None or out is None:
            raise click.UsageError("Give either TEXT, or --file with --out.")
        with read_with(vocabulary_file):
            _solve_file(source, out)
        return
    if text is None:
        raise click.UsageError("Give a problem in quotes, or --file with --out.")
    with read_with(vocabulary_file):
        _solve_text(text, as_json)


def _solve_text(text: str, as_json: bool) -> None:
    """Prints how a text was understood; one without an answer ends the command with 1."""
    from biaslab.problems.stories import answer, in_plain_sentences

    found = answer(text)
    content = _content(found.read)
    content["plain"] = None
    if content["answer"] is None and found.answer is not None:
        content |= {"answer": _as_number(found.answer), "steps": list(found.steps), "fault": ""}
        content["plain"] = in_plain_sentences(found.story)
    elif found.answer is None:
        content |= {"answer": None, "steps": [], "fault": content["fault"] or found.reasons[0]}
    content["reasons"] = list(found.reasons)
    if as_json:
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(content)))
    if found.answer is None:
        raise SystemExit(1)


def _solve_file(source: Path, out: Path) -> None:
    """Reads every problem of a file; a line that cannot be read costs no other line."""
    from biaslab.text.given_files import FileRefused, read_given_text

    with sentences(FileRefused):
        lines = read_given_text(source).splitlines()
    counted = dict.fromkeys(("read", "refused", "failed"), 0)
    with out.open("w", encoding="utf-8") as written:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            solved = _solved_line(line, number)
            counted[solved["status"]] += 1
            written.write(json.dumps(solved, ensure_ascii=False) + "\n")
    total = sum(counted.values())
    click.echo(f"{total} problems: " + ", ".join(f"{n} {status}" for status, n in counted.items()))


def _solved_line(line: str, number: int) -> dict[str, Any]:
    from biaslab.problems.stories import answer
    from biaslab.text.given_files import parse_json

    def failed(reason: str, name: object = None) -> dict[str, Any]:
        return {"id": name, "status": "failed", "answer": None, "steps": [], "reasons": [reason]}

    try:
        row = parse_json(line)
    except ValueError:
        return failed(f"Line {number} is no JSON object: write one object a line.")
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        name = row.get("id") if isinstance(row, dict) else None
        return failed(f"Line {number} has no “text”: give the problem as a string.", name)
    found = answer(row["text"])
    return {
        "id": row.get("id"),
        "status": "refused" if found.answer is None else "read",
        "answer": None if found.answer is None else _as_number(found.answer),
        "steps": list(found.steps),
        "reasons": list(found.reasons),
    }


def _as_number(answer: Fraction) -> int | float:
    """An answer as a number of JSON: whole where it is whole."""
    return answer.numerator if answer.denominator == 1 else float(answer)


def _content(found: ReadText) -> dict[str, Any]:
    from biaslab.problems.reading import describe_statement
    from biaslab.problems.reading.telling import mental_model

    words, solution = found.words, found.solution
    return {
        "sentences": [
            {
                "text": each.text,
                "understood": None if each.said is None else describe_statement(each.said, words),
                "reason": each.reason,
            }
            for each in found.sentences
        ],
        "mental_model": []
        if found.problem is None
        else [[_known(each, words) for each in after] for after in mental_model(found.problem)],
        "steps": [] if solution is None else [step.equation() for step in solution.steps],
        "unused": [] if solution is None else list(solution.unused),
        "answer": None if solution is None else solution.answer,
        "fault": found.fault,
    }


def _known(known: Known, words: Vocabulary) -> dict[str, Any]:
    return {
        "agent": known.possession.agent,
        "quantity": known.quantity,
        "what": words.write(known.possession.entity, known.quantity or 2),
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
            lines.extend([] if after is None else [f"  Now: {_told(after)}."])
    lines += [f"Step {i}: {step}" for i, step in enumerate(content["steps"], start=1)]
    for index in content["unused"]:
        lines.append(f"Sentence {index + 1} is not needed.")
    if content["answer"] is not None:
        lines.append(f"Answer: {content['answer']}")
    if content.get("plain"):
        lines.append(f"In plain sentences: {content['plain']}")
    if content["fault"]:
        lines.append(content["fault"])
    return lines


def _told(known: list[dict[str, Any]]) -> str:
    return "; ".join(
        f"{each['agent']} has {_quantity(each['quantity'])} {each['what']}" for each in known
    )


def _quantity(quantity: int | None) -> str:
    return "an unknown number of" if quantity is None else str(quantity)
