"""The command line: the same jobs as the screens, with a progress bar.

Every command is a thin call of the library. Errors are one sentence on standard error and
exit status 1; wrong usage is status 2.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO, TypeVar

import click
from click.core import ParameterSource
from tqdm import tqdm

from biaslab import __version__
from biaslab.experiments import (
    Design,
    Value,
    experiment,
    experiments,
    write_csv,
    write_jsonl,
)
from biaslab.models import ModelError, list_models
from biaslab.problems import ProblemError
from biaslab.runs import (
    RunError,
    RunRecord,
    RunStatus,
    StoreError,
    default_database,
    open_store,
    prepare,
    run_here,
)

_F = TypeVar("_F", bound=Callable[..., Any])

_OURS: tuple[type[Exception], ...] = (ProblemError, ModelError, StoreError, RunError)


@contextmanager
def _sentences(*others: type[Exception]) -> Iterator[None]:
    """Turns the errors of this project, and others named, into one sentence each."""
    try:
        yield
    except (*_OURS, *others) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{where}{error.strerror or error}.") from error


def _design_options(command: _F) -> _F:
    for option in reversed(
        (
            click.option("--n", "n", type=int, default=200, show_default=True,
                         help="Number of pairs."),
            click.option("--seed", type=int, default=1, show_default=True,
                         help="The same seed gives the same pairs on every machine."),
            click.option("--steps", default=None, help="Reasoning steps, such as 1-5 or 2."),
            click.option("--numbers", default=None, help="Numbers in the text, such as 2-20."),
            click.option("--set", "more", multiple=True, metavar="NAME=VALUE",
                         help="Any other setting of the study (see `biaslab studies`)."),
        )
    ):  # fmt: skip
        command = option(command)
    return command


def _design(
    study: str, n: int, seed: int, steps: str | None, numbers: str | None, more: tuple[str, ...]
) -> Design:
    settings: dict[str, Value] = {}
    for entry in more:
        name, equals, value = entry.partition("=")
        if not equals:
            raise click.UsageError(f"--set {entry!r}: write NAME=VALUE.")
        settings[name] = value
    if steps is not None:
        settings["steps"] = steps
    if numbers is not None:
        settings["numbers"] = numbers
    return Design(study, n, seed, settings)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="biaslab")
def main() -> None:
    """See how language models go wrong at school mathematics in the ways that people do."""


@main.command("studies")
def studies_command() -> None:
    """List the studies, their settings and ways of asking."""
    for study in experiments().values():
        click.echo(f"{study.name}: {study.question}")
        click.echo(f"    x = {study.arms.x}, x' = {study.arms.x_prime}; {study.source}")
        for setting in study.settings:
            choices = f" ({', '.join(setting.choices)})" if setting.choices else ""
            click.echo(f"    {setting.name} = {setting.default}{choices}: {setting.explanation}")
        names = ", ".join(strategy.name for strategy in study.strategies)
        click.echo(f"    strategies: {names}")


@main.command("models")
def models_command() -> None:
    """List the models that can be asked."""
    for choice in list_models():
        state = "" if choice.ready else f" [not ready: {choice.why_not}]"
        click.echo(f"{choice.spec}: {choice.label} ({choice.kind}){state}")


@main.command("pairs")
@click.argument("study")
@_design_options
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="File to write; .csv or .jsonl by its ending.")  # fmt: skip
def pairs_command(
    study: str,
    n: int,
    seed: int,
    steps: str | None,
    numbers: str | None,
    more: tuple[str, ...],
    out: Path,
) -> None:
    """Write the pairs of STUDY to a file, a row per item."""
    if out.suffix not in (".csv", ".jsonl"):
        raise click.UsageError(f"--out {out}: the file's name must end in .csv or .jsonl.")
    with _sentences():
        design = _design(study, n, seed, steps, numbers, more)
        found = experiment(study)
        pairs = tqdm(found.pairs(design), total=n, unit=" pairs", disable=None)
        write = write_csv if out.suffix == ".csv" else write_jsonl
        _write_whole(out, lambda file: write(found, pairs, file))
    click.echo(f"{n} pairs in {out}")


def _write_whole(out: Path, write: Callable[[TextIO], None]) -> None:
    """Writes beside the file and renames at the end: it is there whole or not at all."""
    part = out.with_name(out.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            write(file)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


@main.command("run")
@click.argument("study", required=False)
@_design_options
@click.option("--model", help="tiny, learner:NAME or local:DIRECTORY (see `biaslab models`).")
@click.option("--strategy", default="direct", show_default=True,
              help="Way of asking: direct, cot or child-cot.")  # fmt: skip
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="File of runs. [default: the app's own]")  # fmt: skip
@click.option("--resume", metavar="ID", help="Continue this run instead of starting one.")
def run_command(
    study: str | None,
    n: int,
    seed: int,
    steps: str | None,
    numbers: str | None,
    more: tuple[str, ...],
    model: str | None,
    strategy: str,
    db: Path | None,
    resume: str | None,
) -> None:
    """Ask MODEL every item of STUDY and keep every answer; prints the run's id last."""
    if resume is None and (study is None or model is None):
        raise click.UsageError("Name a STUDY and a --model, or a run to --resume.")
    with _sentences(), open_store(db or default_database()) as store:
        if resume is not None:
            run = resume
            _same_as_before(store.run(run))
        else:
            assert study is not None
            assert model is not None
            design = _design(study, n, seed, steps, numbers, more)
            run = prepare(store, design, model, strategy)
        record = store.run(run)
        click.echo(f"Run {run}", err=True)
        with tqdm(
            total=record.items_total, initial=record.items_done, unit=" items", disable=None
        ) as bar:
            record = run_here(store, run, on_progress=lambda now: _advance(bar, now))
        _report(record)
        click.echo(run)
        if record.status is not RunStatus.FINISHED:
            sys.exit(1)


def _same_as_before(record: RunRecord) -> None:
    """Refuses options that differ from the run to be resumed: they would be ignored.

    Raises:
        click.UsageError: naming the option and what the run has.
    """
    context = click.get_current_context()
    before: dict[str, object] = {
        "study": record.study,
        "n": record.design.n,
        "seed": record.design.seed,
        "model": record.model_spec,
        "strategy": record.strategy,
        **{name: record.design.settings.get(name) for name in ("steps", "numbers")},
    }
    for name, value in before.items():
        given = context.params[name]
        chosen = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if chosen and given is not None and given != value:
            raise click.UsageError(
                f"Run {record.id} has {name} {value}, not {given}: leave it out to resume, or "
                "leave out --resume to start another run."
            )


def _advance(bar: tqdm[Any], record: RunRecord) -> None:
    bar.n = record.items_done
    bar.refresh()


def _report(record: RunRecord) -> None:
    click.echo(
        f"{record.answered} answered, {record.invalid} could not be read, "
        f"{record.failed} failed, {record.cached} responses already kept",
        err=True,
    )
    if record.message:
        click.echo(record.message, err=True)
    if record.status is not RunStatus.FINISHED:
        click.echo(
            f"The run is {record.status}. Continue it with: biaslab run --resume {record.id}",
            err=True,
        )


@main.command("runs")
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="File of runs. [default: the app's own]")  # fmt: skip
def runs_command(db: Path | None) -> None:
    """List the runs in a file, the newest first."""
    with _sentences(), open_store(db or default_database()) as store:
        for record in store.runs():
            click.echo(
                f"{record.id}  {record.study}  {record.model_spec}  {record.strategy}  "
                f"{record.status}  {record.items_done}/{record.items_total}"
            )


@main.command("effects")
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="File of runs. [default: the app's own]")  # fmt: skip
@click.option("--run", "chosen", multiple=True, metavar="ID", help="Only this run; repeatable.")
@click.option("--by", default=None, help="Break down by a stratum, such as steps.")
@click.option("--format", "form", type=click.Choice(["json", "csv", "table"]), default="table",
              show_default=True)  # fmt: skip
@click.option("--invalid", type=click.Choice(["strict", "exclude"]), default="strict",
              show_default=True,
              help="Count unreadable answers as not right, or leave them out.")  # fmt: skip
def effects_command(
    db: Path | None,
    chosen: tuple[str, ...],
    by: str | None,
    form: str,
    invalid: Literal["strict", "exclude"],
) -> None:
    """Print the CATE of every run with intervals and tests."""
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.analysis import AnalysisError, effects, effects_json, effects_table

    with _sentences(AnalysisError), open_store(db or default_database()) as store:
        runs = list(chosen) or [record.id for record in store.runs()]
        found = effects(store.outcomes(runs), by=by, invalid=invalid)
        if form == "json":
            click.echo(effects_json(found))
        elif form == "csv":
            click.echo(effects_table(found).to_csv(index=False), nl=False)
        else:
            click.echo(effects_table(found).to_string(index=False))


@main.command("app")
@click.option("--port", type=int, default=None, help="Port of the page. [default: 8501]")
def app_command(port: int | None) -> None:
    """Open the app in a browser."""
    script = Path(__file__).resolve().parents[1] / "app.py"
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    if port is not None:
        command += ["--server.port", str(port)]
    sys.exit(subprocess.call(command))
