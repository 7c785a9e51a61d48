"""The studies inside other tools, and their logs as runs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from biaslab.cli.conventions import db_option, sentences, write_whole
from biaslab.cli.designs import design_of, design_options


@click.command("import-log")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
def import_log_command(log: Path, db: Path | None) -> None:
    """Keep a LOG of Inspect AI or lm-evaluation-harness as a run.

    LOG is an .eval or .json file of Inspect AI or a samples_*.jsonl file of lm-evaluation-harness
    that a task of BiasLab made. Its pairs are made again and its answers read again; the run's
    model is called inspect:NAME or lm-eval:NAME.
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
    if kept.message:
        click.echo(f"The run did not finish: {kept.message}", err=True)
    click.echo(kept.run)


@click.group("tasks")
def tasks_command() -> None:
    """Write tasks of the studies for other tools."""


@tasks_command.command("lm-eval")
@click.option("--study", default=None, help="Of the tasks. [default: every study]")
@design_options
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder for the task files; new, or one that holds such files.")  # fmt: skip
def lm_eval_command(
    study: str | None,
    n: int,
    seed: int,
    steps: str | None,
    numbers: str | None,
    more: tuple[str, ...],
    out: Path,
) -> None:
    """Write a folder of tasks for lm-evaluation-harness (--include_path).

    There is a task for every prompt strategy of one request, for models that take turns and,
    with the ending _base, for models that continue a text. Settings are for one --study.
    """
    from biaslab.runs.tools import ToolError, task_files

    settings = design_of(study or "", n, seed, steps, numbers, more).settings
    if settings and study is None:
        raise click.UsageError("Settings are those of one study: name it with --study.")
    with sentences(ToolError):
        made = task_files(study, n, seed, settings)
        out.mkdir(parents=True, exist_ok=True)
        for name, content in made.files.items():
            write_whole(out / name, content.encode())
    for reason in made.left_out:
        click.echo(f"Left out: {reason}", err=True)
    for task in made.tasks:
        click.echo(task)


@click.command("data-set")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              metavar="DIR", help="A new or empty folder.")  # fmt: skip
@click.option("--title", default="", help="Of the data set. [default: names of the models]")
@click.option("--license", "licence", default="", metavar="NAME",
              help="Such as cc-by-4.0. [default: none is said]")  # fmt: skip
@click.option("--organization", default="", metavar="NAME",
              help="Who evaluated: writes the effects for Every Eval Ever too.")  # fmt: skip
@click.option("--notes", is_flag=True,
              help="Your marks and notes beside pairs too (columns mark, note).")  # fmt: skip
@db_option
def data_set_command(
    runs: tuple[str, ...],
    out: Path,
    title: str,
    licence: str,
    organization: str,
    notes: bool,
    db: Path | None,
) -> None:
    """Write RUNs as a data set: Parquet, a card for Hugging Face and Croissant metadata.

    datasets.load_dataset(DIR, "responses") reads it, and pandas, DuckDB and R do.
    """
    from biaslab.publishing.data_sets import data_set, every_eval_ever
    from biaslab.runs import default_database, open_store
    from biaslab.runs.tools import ToolError

    with sentences(ToolError), open_store(db or default_database()) as store:
        if out.exists() and any(out.iterdir()):
            raise ToolError(f"{out} holds files already: name a new or empty folder.")
        files = data_set(store, runs, title, licence, notes)
        for run, result in (
            every_eval_ever(store, runs, organization).items() if organization else ()
        ):
            written = json.dumps(result, ensure_ascii=False, indent=1)
            files[f"every_eval_ever/{run}.json"] = f"{written}\n".encode()
        for name, content in files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(out / name, content)
    click.echo(f"{len(files)} files in {out}")


@click.command("datasette")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              metavar="DIR", help="New or empty; a copy of the file goes there.")  # fmt: skip
@db_option
def datasette_command(out: Path, db: Path | None) -> None:
    """Write a copy of the file of runs with what Datasette needs to show it.

    `datasette DIR/runs.db -m DIR/metadata.yaml` shows tables with descriptions and ready queries;
    from version 1.0, with `-c DIR/datasette.yaml` too. The copy may be shown while runs go on.
    It holds your marks and notes beside pairs too.
    """
    from biaslab.publishing.data_sets import datasette_files
    from biaslab.runs import default_database, open_store
    from biaslab.runs.tools import ToolError

    where = db or default_database()
    with sentences(ToolError):
        if not where.is_file():
            raise ToolError(f"{where}: there is no file of runs here.")
        if out.exists() and any(out.iterdir()):
            raise ToolError(f"{out} holds files already: name a new or empty folder.")
        out.mkdir(parents=True, exist_ok=True)
        with open_store(where) as store:
            store.copy_to(out / where.name)
        for name, content in datasette_files(where).items():
            write_whole(out / name, content)
    click.echo(f"datasette {out / where.name} -m {out / 'metadata.yaml'}")
