"""Pairs of problems from files into a file of runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.common import sentences, whole_text
from biaslab.runs import LONGEST_NAME, open_store, save_set

if TYPE_CHECKING:
    from biaslab.studies.word_problems.files import PairImport

_SHOWN = 20
_TEXT_COLUMNS = ("x", "x_prime")


def is_pair_file(file: Path, mapping: Mapping[str, str]) -> bool:
    """Whether FILE holds pairs of problems, by the columns that were named or that it has."""
    from biaslab.studies.word_problems.files import holds_pairs

    if any(name in mapping for name in _TEXT_COLUMNS):
        return True
    with sentences():
        return not mapping and holds_pairs(file)


def import_pair_file(
    file: Path,
    mapping: Mapping[str, str],
    report_file: Path | None,
    db: Path | None,
    name: str | None,
) -> None:
    """Checks every row, writes the report, and keeps the pairs as a set where a file is named.

    Raises:
        click.ClickException: no pair can be kept; the report is written all the same.
    """
    from biaslab.files import InterchangeError
    from biaslab.studies.word_problems.files import import_pairs

    with sentences(InterchangeError):
        with tqdm(unit=" rows", disable=None) as bar:
            found = import_pairs(file, mapping, lambda done: _advance(bar, done))
        _tell(found)
        if report_file is not None:
            with whole_text(report_file) as out:
                _write_report(found, out.write)
        if not found.pairs:
            raise click.ClickException(
                f"{file}: in no row are both texts ok, so nothing was imported."
            )
        if db is None and name is None:
            click.echo("Nothing was kept. Name a file of runs with --db to keep the pairs.")
            return
        _keep(found, file, db, name)


def _keep(found: PairImport, file: Path, db: Path | None, name: str | None) -> None:
    from biaslab.runs import default_database

    called = file.stem[:LONGEST_NAME] if name is None else name
    faults = [member.as_json() for member in found.faults()]
    with open_store(db or default_database()) as store:
        kept = save_set(store, called, found.pairs, file.name, faults)
        where = "" if db is None else f" --db {db}"
        click.echo(
            f"{kept.pairs:,} pairs are kept as “{kept.name}”. Ask them with: "
            f"biaslab run imported --set set={kept.id} --model MODEL{where}"
        )
        click.echo(kept.id)


def _tell(found: PairImport) -> None:
    encoding = f", {found.encoding}" if found.encoding else ""
    click.echo(f"Format: {found.layout} ({found.container}{encoding})")
    columns = (f"{field} = {column}" for field, column in found.mapping.items())
    click.echo(f"Columns: {'; '.join(columns)}")
    for remark in found.remarks:
        click.echo(f"Remark: {remark}")
    faulty = (member for member in found.members if member.reason)
    for member in islice(faulty, _SHOWN):
        click.echo(f"    Row {member.row}, {member.member}: {member.status}. {member.reason}")
    count = sum(bool(member.reason) for member in found.members)
    if count > _SHOWN:
        click.echo(f"    ... and {count - _SHOWN:,} more; --report FILE lists them all.")
    click.echo(found.summary())


def _write_report(found: PairImport, write: Callable[[str], object]) -> None:
    """A JSON list, written member by member: a long report is never in memory as a whole."""
    for index, member in enumerate(found.members):
        write("[\n" if index == 0 else ",\n")
        write(json.dumps(member.as_json(), ensure_ascii=False))
    write("\n]\n")


def _advance(bar: tqdm[Any], done: int) -> None:
    bar.n = done
    bar.refresh()
