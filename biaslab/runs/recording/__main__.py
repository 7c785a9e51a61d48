"""Makes the gallery of recorded runs: ``python -m biaslab.runs.recording``.

docs/real-models.md says how somebody records a model of their own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from biaslab.runs.errors import RunError, StoreError
from biaslab.runs.recording.gallery import Recording, add, again, recording_of_runs, recordings
from biaslab.runs.recording.given import make_again
from biaslab.runs.store.store import open_store
from schoolmath.text.figures import listed, percent, signed_number, signed_points

if TYPE_CHECKING:
    from biaslab.stats import Effect


BEGIN, END = "<!-- made by `python -m biaslab.runs.recording table` -->", "<!-- end -->"
"""Between these lines of docs/real-models.md stands the table."""

_EASIEST = ("steps", 1)
"""Pairs of which there is a row of their own, where a run has others as well."""


def table() -> str:
    """Every recorded run with its effect, as a Markdown table that says what it was asked with."""
    from biaslab.stats import effects
    from biaslab.stats.beside_effects import effects_beside

    lines = [
        "| model | run | study | strategy | pairs | x | x\u2032 | effect | unread x, x\u2032 |",
        "|---|---|---|---|--:|--:|--:|--:|--:|",
    ]
    told = []
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "none.db") as store:
        for each in recordings():
            told.append(
                f"**{each.name}**: file {each.file}, SHA-256 `{each.sha256}`; numbers: "
                f"{each.format}; {each.engine}; {each.device}; {each.date}; weights under "
                f"{each.license}; asked by {each.by}."
            )
            for run in each.runs:
                outcomes = store.outcomes([run])
                lines += [_line(each.name, row) for row in effects(outcomes)]
                lines += [_line(each.name, row) for row in effects_beside(outcomes, _EASIEST)]
    return "\n".join(lines) + "\n\n" + "\n".join(f"- {each}" for each in told)


def _line(name: str, row: Effect) -> str:
    share, difference = (percent, signed_points) if row.binary else (signed_number, signed_number)
    what = row.study if row.stratum == "all" else f"\u2026 {row.stratum}"
    cells = (
        name, row.run, what, row.strategy, row.n, share(row.accuracy_x),
        share(row.accuracy_x_prime),
        f"{difference(row.cate)} ({difference(row.ci_low)} to {difference(row.ci_high)})",
        f"{row.invalid_x}, {row.invalid_x_prime}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


@click.group(help=__doc__)
def main() -> None:
    """The commands."""


_OPTIONS = {
    "file": "File of the weights, by its name alone.", "sha256": "SHA-256 of that file.",
    "format": "Format of the numbers that were computed with.",
    "engine": "Programs that answered, with their versions.", "device": "What they ran on.",
    "date": "When, as 2026-11-26.", "license": "Of the weights.", "by": "Who or what asked.",
}  # fmt: skip


def _recording_options(command: Any) -> Any:
    """What is said of a recording."""
    for name, text in reversed(_OPTIONS.items()):
        command = click.option(f"--{name}", help=text)(command)
    return command


@main.command("add")
@click.argument("name")
@click.argument("db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("runs", nargs=-1, required=True)
@_recording_options
def add_command(name: str, db: Path, runs: tuple[str, ...], **told: str | None) -> None:
    """Take RUNS of the file DB into the gallery; their model is called NAME there.

    What you do not say of the recording is taken from what the first run says of its model.
    """
    with _sentences(), open_store(db) as store:
        for run in add(recording_of_runs(name, store, runs[0], told), store, runs):
            click.echo(run)


@main.command("given")
@click.argument("name")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--n", default=250, show_default=True, help="Pairs of each run.")
@click.option("--seed", default=1, show_default=True, help="Of the designs.")
@_recording_options
def given_command(name: str, path: Path, n: int, seed: int, **told: Any) -> None:
    """Make the runs of a recording of requests and responses again and add them."""
    if missing := [f"--{key}" for key, value in told.items() if not value]:
        raise click.UsageError(f"Such a file does not say how it was recorded: {listed(missing)}.")
    recording = Recording(name, **told)
    with (
        _sentences(),
        tempfile.TemporaryDirectory() as folder,
        open_store(Path(folder) / "given.db") as store,
    ):
        for run in add(recording, store, make_again(path, recording, store, n, seed)):
            click.echo(run)


@main.command("again")
def again_command() -> None:
    """Read every response with today's reader and write the gallery anew."""
    with _sentences():
        for sentence in again():
            click.echo(sentence)


@main.command("table")
@click.option("--write", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Put it between its marks in this file.")  # fmt: skip
def table_command(write: Path | None) -> None:
    """Print the table of all recorded runs."""
    with _sentences():
        made = table()
    if write is None:
        click.echo(made)
        return
    before, _, rest = write.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise click.ClickException(f"{write} has not both marks, {BEGIN} and {END}.")
    write.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")


@contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except (RunError, StoreError, OSError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
