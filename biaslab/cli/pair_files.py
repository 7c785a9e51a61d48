"""Pairs into a file of any format, or at a glance: options and work that several commands share.

@click.command("pairs")
@pair_file_options
def pairs_command(..., **options): write_pairs(study, design, pairs, PairFile.of(options))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import together, write_whole
from biaslab.studies import Arms, Design, Experiment, Pair
from biaslab.studies.word_problems.overview import Distribution, PairOverview

if TYPE_CHECKING:
    from biaslab.studies.word_problems.overview import OverviewMaker

_MOST_LEVELS = 6
_WIDTH = 22


def overview_text(overview: PairOverview, arms: Arms) -> str:
    """A table of the measures, a column for each member, and the warnings below."""
    head = f"{'':{_WIDTH}}{'x: ' + arms.x:{_WIDTH}}x′: {arms.x_prime}"
    lines = [f"{overview.pairs} pairs at a glance", head]
    lines += [_line(each) for each in overview.distributions]
    if overview.warnings:
        lines.append("Members differ beyond the treatment:")
        lines += [
            f"    {warning} (for example pair {warning.example.id}: {warning.detail})"
            for warning in overview.warnings
        ]
    else:
        lines.append("Members differ in nothing but the treatment.")
    return "\n".join(lines)


def _line(distribution: Distribution) -> str:
    label = distribution.measure.label
    if distribution.measure.numeric:
        return (
            f"{label:{_WIDTH}}{_span(distribution.x, distribution.mean_x):{_WIDTH}}"
            f"{_span(distribution.x_prime, distribution.mean_x_prime)}"
        )
    rows = []
    counts = dict(distribution.x), dict(distribution.x_prime)
    names = list(dict.fromkeys([*counts[0], *counts[1]]))
    for name in names[:_MOST_LEVELS]:
        x, x_prime = (count.get(name, 0) for count in counts)
        rows.append(f"    {name!s:{_WIDTH + 6}}{x:<10}{x_prime}")
    if len(names) > _MOST_LEVELS:
        rows.append(f"    ... and {len(names) - _MOST_LEVELS} more")
    return "\n".join([label, *rows])


def _span(levels: tuple[tuple[object, int], ...], mean: float | None) -> str:
    if mean is None or not levels:
        return "not known"
    low, high = levels[0][0], levels[-1][0]
    return f"{mean:.2f} ({low} to {high})" if low != high else f"{mean:.2f}"


# Named here as well so that `biaslab --help` need not load the writers; a test compares.
FORMATS = ("csv", "released", "jsonl", "parquet", "dataset", "worksheet", "gift", "moodle", "qti")
SUFFIXES = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".zip": "dataset",
    ".pdf": "worksheet",
    ".gift": "gift",
    ".xml": "moodle",
}
_MEMBERS = ("alternating", "x", "x_prime", "both")
_SHOWN = 20

pair_file_options = together(
    (
        click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None,
                     help=f"File to write, its format by its ending: {', '.join(SUFFIXES)}."),
        click.option("--format", "form", type=click.Choice(FORMATS), default=None,
                     help="Format, whatever the ending; released: a row per pair, in the "
                     "columns of the released files; qti: a quiz as a zip file."),
        click.option("--members", type=click.Choice(_MEMBERS), default="alternating",
                     show_default=True, help="What a worksheet or quiz takes of each pair."),
        click.option("--title", default="", help="Of a worksheet, a data set or a test of QTI."),
        click.option("--paper", type=click.Choice(("A4", "Letter"), case_sensitive=False),
                     default="A4", show_default=True, help="Of a worksheet."),
        click.option("--solutions/--no-solutions", default=True, show_default=True,
                     help="Whether a worksheet's solutions follow it."),
        click.option("--overview", "overview", is_flag=True,
                     help="Print what the pairs are like, and how members differ."),
    )
)  # fmt: skip
"""What becomes of pairs. The command takes them as ``**options`` for `PairFile.of`."""


@dataclass(frozen=True, slots=True)
class PairFile:
    """What a person chose for the pairs.

    Attributes:
        out: file to write; None where only the overview is asked for.
        form: one of `FORMATS`; empty without a file.
        members: what a worksheet or quiz takes of each pair.
        title: of a worksheet, a data set or a test of QTI.
        paper: of a worksheet.
        solutions: whether they follow the worksheet.
        overview: whether the overview is printed.
    """

    out: Path | None
    form: str
    members: str
    title: str
    paper: str
    solutions: bool
    overview: bool

    @classmethod
    def of(cls, options: dict[str, Any]) -> PairFile:
        """The choices of `pair_file_options`.

        Raises:
            click.UsageError: there is nothing to do, or the file's name tells no format.
        """
        out, form = options["out"], options["form"]
        if out is None and not options["overview"]:
            raise click.UsageError("Name a file with --out, or ask for --overview, or both.")
        if out is not None and form is None:
            form = SUFFIXES.get(out.suffix.lower())
            if form is None:
                raise click.UsageError(
                    f"--out {out}: the file's name must end in {', '.join(SUFFIXES)}, or name "
                    "a format with --format."
                )
        return cls(**(options | {"form": form or ""}))


def write_pairs(
    study: Experiment,
    design: Design,
    pairs: Iterable[Pair],
    export: PairFile,
    arms: Arms | None = None,
) -> None:
    """Writes the file and prints the overview, as chosen. Call it within `sentences`.

    Args:
        study: whose pairs they are.
        design: what determined them.
        pairs: all of them; read once.
        export: what becomes of them.
        arms: what the members are called, where the study's own names are not the ones.

    Raises:
        click.ClickException: the format cannot hold them; the message says why.
    """
    bar = tqdm(pairs, total=design.n, unit=" pairs", disable=None)
    if not export.overview:
        _write(study, design, bar, export, arms)
        return
    # Loaded here so that `biaslab --help` need not wait for it.
    from biaslab.cli.pair_files import overview_text
    from biaslab.studies.word_problems.overview import OverviewMaker

    maker = OverviewMaker.of(design)
    watched = _watched(bar, maker)
    if export.out is not None:
        _write(study, design, watched, export, arms)
    # Whatever has not been read for a file is counted all the same.
    for _ in watched:
        pass
    click.echo(overview_text(maker.result(), arms or study.arms))


def _watched(pairs: Iterable[Pair], maker: OverviewMaker) -> Iterator[Pair]:
    for pair in pairs:
        maker.add(pair)
        yield pair


def _write(
    study: Experiment,
    design: Design,
    pairs: Iterable[Pair],
    pair_file: PairFile,
    arms: Arms | None,
) -> None:
    from biaslab.files import InterchangeError
    from biaslab.studies.word_problems.files import (
        PAIR_EXPORTS,
        Members,
        PairExportSettings,
        export_pairs,
    )

    assert pair_file.out is not None
    settings = PairExportSettings(
        Members(pair_file.members), pair_file.title, pair_file.paper, pair_file.solutions, arms
    )
    try:
        export = export_pairs(study, design, pairs, pair_file.form, settings)
    except InterchangeError as error:
        raise click.ClickException(str(error)) from error
    write_whole(pair_file.out, export.content)
    if pair_file.form == "parquet":
        _write_card(study, design, export.written, pair_file, arms)
    for line in export.left_out[:_SHOWN]:
        click.echo(f"Left out: {line}")
    if len(export.left_out) > _SHOWN:
        click.echo(f"... and {len(export.left_out) - _SHOWN} more left out")
    for remark in export.remarks:
        click.echo(remark)
    what = "problems" if PAIR_EXPORTS[pair_file.form].one_member else "pairs"
    click.echo(f"{export.written} {what} in {pair_file.out}")


def _write_card(
    study: Experiment, design: Design, count: int, export: PairFile, arms: Arms | None
) -> None:
    """A Parquet file has no place that people read, so its card stands beside it."""
    from biaslab.studies.word_problems.files.data_sets import data_set_card

    assert export.out is not None
    beside = export.out.with_name(f"{export.out.stem}.README.md")
    card = data_set_card(study, design, count, export.title, arms, export.out.name)
    write_whole(beside, card.encode())
    click.echo(f"Its data set card is {beside}")
