"""What the runs showed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from biaslab.cli.sentences import db_option, sentences
from biaslab.runs import adjustments, default_database, open_store


@click.command("effects")
@db_option
@click.option("--run", "chosen", multiple=True, metavar="ID", help="Only this run; repeatable.")
@click.option(
    "--by",
    default=None,
    help="Break down by a stratum, such as steps; studies without it stand in one row.",
)
@click.option("--format", "form", type=click.Choice(["json", "csv", "table"]), default="table",
              show_default=True)  # fmt: skip
@click.option("--invalid", type=click.Choice(["strict", "exclude"]), default="strict",
              show_default=True,
              help="Count unreadable answers as not right, or leave them out.")  # fmt: skip
@click.option("--vote", is_flag=True,
              help="Count the majority's answer where items were asked often.")  # fmt: skip
def effects_command(
    db: Path | None,
    chosen: tuple[str, ...],
    by: str | None,
    form: str,
    invalid: Literal["strict", "exclude"],
    vote: bool,
) -> None:
    """Print the CATE of every run with intervals and tests.

    Runs of malgorithm have AIA, MIA and MCQ as well, those of concept-learning yes-rate, d' and
    criterion.
    """
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.analysis import AnalysisError, effect_warnings, effects
    from biaslab.analysis.further_columns import (
        FURTHER,
        further_cells,
        further_json,
        further_table,
    )
    from biaslab.interchange.csv_tables import guarded_table

    with sentences(AnalysisError), open_store(db or default_database()) as store:
        records = [store.run(run) for run in chosen] or store.runs()
        outcomes = store.outcomes([record.id for record in records])
        found = effects(outcomes, by=by, invalid=invalid, vote=vote, adjusted=adjustments(records))
        for sentence in effect_warnings(found, by, vote):
            click.echo(sentence, err=True)
        items = {}
        for study, further in FURTHER.items():
            asked = [record for record in records if record.study == study]
            if vote and any(record.options.samples > 1 for record in asked):
                click.echo(further.note, err=True)
            items[study] = store.answered_items([record.id for record in asked])
            for sentence in further.warnings(items[study]):
                click.echo(sentence, err=True)
        cells = further_cells(found, items, by, invalid)
        if form == "json":
            click.echo(further_json(found, cells))
        elif form == "csv":
            click.echo(guarded_table(further_table(found, cells)).to_csv(index=False), nl=False)
        else:
            click.echo(further_table(found, cells).to_string(index=False))
