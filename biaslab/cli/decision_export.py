"""Decisions of a run in the columns of the published data."""

from __future__ import annotations

from pathlib import Path

import click

from biaslab.cli.common import db_option, sentences
from biaslab.cli.whole_files import write_whole
from biaslab.runs import default_database, open_store


@click.command("decisions")
@click.argument("run")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="File for the results (CSV): a row per pair.")  # fmt: skip
@click.option("--cases", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="File for what was asked (CSV), in the same order of rows.")  # fmt: skip
@db_option
def decisions_command(run: str, out: Path, cases: Path | None, db: Path | None) -> None:
    """Write the decisions of a RUN in the columns of the published data."""
    from biaslab.runs.library.decision_tables import case_rows, result_rows
    from biaslab.studies.decisions.exporting_decisions import cases_csv, results_csv

    with sentences(), open_store(db or default_database()) as store:
        rows = list(result_rows(store, run))
        write_whole(out, results_csv(rows))
        if cases is not None:
            write_whole(cases, cases_csv(case_rows(store, run)))
    click.echo(f"{len(rows)} decisions in {out}")
