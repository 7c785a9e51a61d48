"""Checking a tutor: the five studies of tutors at once, and one file that says what came out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import db_option, sentences, write_whole
from biaslab.cli.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.runs import RunRecord, Store, default_database, open_store
from biaslab.runs.matrix import MatrixCell, cells_of, do_cells, read_plan
from biaslab.studies.tutor.check import PAIRS, CheckLine, TutorCheck
from biaslab.studies.tutor.items import ALL_CLASSES, CONTENT_CLASS, GRADES


@click.command("check-tutor")
@click.option("--model", required=True, help="tiny, learner:NAME, local:DIRECTORY or openai:NAME "
              "(see `biaslab models`).")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None,
              metavar="FILE", help="Also write a report, such as report.html; it must be "
              "new.")  # fmt: skip
@click.option("--grade", default=str(GRADES.default), show_default=True, metavar="FROM-TO",
              help="School grades of the problems.")  # fmt: skip
@click.option("--class", "content_class", type=click.Choice(CONTENT_CLASS.choices),
              default=ALL_CLASSES, show_default=True, help="What the problems are "
              "about.")  # fmt: skip
@click.option("--n", type=click.IntRange(1, 10_000), default=PAIRS, show_default=True,
              help="Pairs of each of the five studies.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Which pairs.")
@click.option("--reasoning", "reasons", is_flag=True,
              help="Let the tutor write out its reasoning before each verdict.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="How the findings are printed.")  # fmt: skip
@server_options
@speed_options
@db_option
def check_tutor_command(
    model: str,
    out: Path | None,
    grade: str,
    content_class: str,
    n: int,
    seed: int,
    reasons: bool,
    form: str,
    db: Path | None,
    **given: Any,
) -> None:
    """Ask a tutor MODEL five kinds of questions about pupils' work and say what it sees.

    What was answered is kept, so the same command goes on where it ended.
    """
    if out is not None and out.exists():
        raise click.ClickException(f"{out} is there already. Delete it, or choose another name.")
    from biaslab.publishing.tutor_check import (
        TutorRuns,
        check_records,
        lines_of,
        pairs_of,
        plan_of,
        possible_designs,
        tutor_name,
    )

    check = TutorCheck(grade, content_class, n, seed, reasons)
    with sentences(), open_store(db or default_database()) as store:
        allow_key(given["key_env"], given["base_urls"])
        access = reach(store, model, access_of(given))
        for study, why in possible_designs(check)[1].items():
            click.echo(f"{study} is left out: {why}", err=True)
        plan = read_plan(plan_of(check, {"model": model}))
        cells = cells_of(store, plan, lambda _: (access, None))
        runs = _do(store, cells)
        if not runs:
            raise click.ClickException(
                next((each.why_not for each in cells if each.why_not), "Nothing was answered.")
            )
        asked = TutorRuns(check, next(iter(runs.values())).model_spec, "", runs)
        lines = lines_of(pairs_of(store, asked))
        if form == "json":
            click.echo(json.dumps(check_records(lines), ensure_ascii=False, indent=2))
        else:
            _say(lines)
        if out is not None:
            from biaslab.publishing.report import page
            from biaslab.publishing.tutor_report import report_of_check

            content = page(report_of_check(store, asked, tutor_name(asked.model)))
            write_whole(out, content)
            click.echo(f"{len(content):,} bytes in {out}.", err=True)


def _do(store: Store, cells: Sequence[MatrixCell]) -> dict[str, RunRecord]:
    """Asks all five under one bar; gives the runs that have answers, by study."""
    wanted = [cell for cell in cells if not cell.why_not]
    before = 0
    runs: dict[str, RunRecord] = {}
    with tqdm(total=sum(cell.design.n for cell in wanted), unit=" pairs", disable=None) as bar:

        def advance(cell: MatrixCell, now: RunRecord) -> None:
            share = now.items_done / now.items_total if now.items_total else 1
            bar.set_description(cell.design.study)
            bar.n = before + round(share * cell.design.n)
            bar.refresh()

        for each in do_cells(store, cells, None, advance):
            if each.message:
                click.echo(f"{each.cell.design.study}: {each.message}", err=True)
            if each.record is not None:
                before += each.cell.design.n
                if each.record.answered:
                    runs[each.record.study] = each.record
    return runs


def _say(lines: Sequence[CheckLine]) -> None:
    from biaslab.publishing.tutor_check import (
        LIMITS,
        contrast_sentence,
        parts_words,
        plain_sentence,
        unread_words,
    )

    for line in lines:
        click.echo(f"{line.measure.title}: {line.sentence}.")
        told = (
            plain_sentence(line), line.interval_sentence, plain_sentence(line, also=True),
            parts_words(line), contrast_sentence(line), line.chance_sentence, unread_words(line),
        )  # fmt: skip
        for sentence in filter(None, told):
            click.echo(f"    {sentence}")
    click.echo("What this does not say:")
    for limit in LIMITS:
        click.echo(f"    {limit}")
