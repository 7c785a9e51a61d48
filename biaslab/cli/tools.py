"""The studies inside other tools, and their logs as runs."""

from __future__ import annotations

from pathlib import Path

import click

from biaslab.cli.common import db_option, sentences


@click.command("import-log")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
def import_log_command(log: Path, db: Path | None) -> None:
    """Keep a LOG of Inspect AI as a run.

    LOG is an .eval or .json file that a task of BiasLab made. Its pairs are made again and its
    answers read again; the run's model is called inspect:NAME.

    """
    from biaslab.runs import default_database, open_store
    from biaslab.runs.tools import ToolError, import_log, read_log

    with sentences(ToolError), open_store(db or default_database()) as store:
        read = read_log(log)
        kept = import_log(store, read)
    click.echo(f"{kept.items:,} items of {read.tool}:{read.model} were read.")
    if kept.unanswered:
        click.echo(f"{kept.unanswered:,} items have no answer in the log and do not count.")
    if kept.read_otherwise:
        click.echo(
            f"{kept.read_otherwise:,} answers are read otherwise than the log says: it was made "
            f"with the reader “{read.asking.reader}”, and this is “{read.asking.study.reader}”."
        )
    click.echo(kept.run)
