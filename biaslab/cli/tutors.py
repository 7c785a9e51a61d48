"""Checking a tutor: the five studies of tutors at once, and one file that says what came out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import db_option, sentences, write_whole
from biaslab.cli.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.cli.running import system_option
from biaslab.runs import RunRecord, Store, default_database, open_store
from biaslab.runs.matrix import MatrixCell, cells_of, do_cells, read_plan
from biaslab.studies.tutor.check import PAIRS, CheckLine, TutorCheck
from biaslab.studies.tutor.items import ALL_CLASSES, CONTENT_CLASS, GRADES

if TYPE_CHECKING:
    from biaslab.publishing.tutor_check import TutorRuns


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
@system_option
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
    system: str | None,
    form: str,
    db: Path | None,
    **given: Any,
) -> None:
    """Ask a tutor MODEL five kinds of questions about pupils' work and say what it sees.

    What was answered is kept, so the same command goes on where it ended. With --system the tutor
    is checked with this prompt and without it, and both are compared.
    """
    if out is not None and out.exists():
        raise click.ClickException(f"{out} is there already. Delete it, or choose another name.")
    from biaslab.publishing.tutor_check import TutorRuns, plan_of, possible_designs

    check = TutorCheck(grade, content_class, n, seed, reasons, system or "")
    with sentences(), open_store(db or default_database()) as store:
        allow_key(given["key_env"], given["base_urls"])
        access = reach(store, model, access_of(given))
        for study, why in possible_designs(check)[1].items():
            click.echo(f"{study} is left out: {why}", err=True)
        plan = read_plan(plan_of(check, {"model": model}))
        cells = cells_of(store, plan, lambda _: (access, None))
        records = _do(store, cells)
        runs = {each.study: each for each in records if each.options.system == check.system}
        if not runs:
            raise click.ClickException(
                next((each.why_not for each in cells if each.why_not), "Nothing was answered.")
            )
        spec = next(iter(runs.values())).model_spec
        plain = {each.study: each for each in records if not each.options.system}
        _tell(
            store, TutorRuns(check, spec, "", runs),
            TutorRuns(replace(check, system=""), spec, "", plain) if system else None, form,
        )  # fmt: skip
        if out is not None:
            _write(store, TutorRuns(check, spec, "", runs), out)


def _do(store: Store, cells: Sequence[MatrixCell]) -> list[RunRecord]:
    """Asks all of them under one bar; gives the runs that have answers."""
    wanted = [cell for cell in cells if not cell.why_not]
    before = 0
    records: list[RunRecord] = []
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
                if each.record.answered + each.record.invalid:
                    records.append(each.record)
    return records


def _tell(store: Store, runs: TutorRuns, plain: TutorRuns | None, form: str) -> None:
    """Prints the check, and how it differs from the one without a system prompt."""
    from biaslab.publishing.tutor_check import (
        check_differences,
        check_records,
        difference_records,
        lines_of,
        pairs_of,
    )

    lines = lines_of(pairs_of(store, runs))
    compared = [] if plain is None else check_differences(store, runs, plain)
    if form == "json":
        found: Any = check_records(lines)
        if plain is not None:
            found = {"check": found, "with minus without": difference_records(compared)}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    _say(lines)
    if compared:
        click.echo("With the system prompt minus without it:")
    for difference, sentence in compared:
        click.echo(f"    {difference.measure.label}: {sentence}")


def _say(lines: Sequence[CheckLine]) -> None:
    from biaslab.publishing.tutor_check import LIMITS, line_sentences

    for line in lines:
        click.echo(f"{line.measure.title}: {line.sentence}.")
        for sentence in line_sentences(line):
            click.echo(f"    {sentence}")
    click.echo("What this does not say:")
    for limit in LIMITS:
        click.echo(f"    {limit}")


def _write(store: Store, runs: TutorRuns, out: Path) -> None:
    from biaslab.publishing.report import page
    from biaslab.publishing.tutor_check import tutor_name
    from biaslab.publishing.tutor_report import report_of_check

    content = page(report_of_check(store, runs, tutor_name(runs.model)))
    write_whole(out, content)
    click.echo(f"{len(content):,} bytes in {out}.", err=True)
