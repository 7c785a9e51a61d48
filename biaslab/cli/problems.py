"""How a word problem is understood, and its solution."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from biaslab.problems import Vocabulary
    from biaslab.problems.reading import ReadText
    from biaslab.problems.reading.telling import Known


@click.command("solve")
@click.argument("text")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve_command(text: str, as_json: bool) -> None:
    """Read a word problem: each sentence as understood, who has what, the steps, the answer.

    TEXT is the whole problem with its question, in quotes.
    """
    from biaslab.problems.reading import read

    found = read(text)
    content = _content(found)
    if as_json:
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(content)))
    if found.solution is None:
        raise SystemExit(1)


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
    for each in content["sentences"]:
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
    if content["fault"]:
        lines.append(content["fault"])
    return lines


def _told(known: list[dict[str, Any]]) -> str:
    return "; ".join(
        f"{each['agent']} has {_quantity(each['quantity'])} {each['what']}" for each in known
    )


def _quantity(quantity: int | None) -> str:
    return "an unknown number of" if quantity is None else str(quantity)
