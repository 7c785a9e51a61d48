"""Published decisions from files, scored anew."""

from __future__ import annotations

import json
from pathlib import Path

import click

from biaslab.cli.common import sentences
from biaslab.cli.whole_files import write_whole
from biaslab.text.given_files import read_beginning, read_given

_SHOWN = 20
_HEADER = 64 * 1024


def is_decision_file(file: Path) -> bool:
    """Whether the header of FILE is that of published decisions."""
    with sentences():
        header = read_beginning(file, _HEADER).split(b"\n", 1)[0].decode("utf-8", "replace")
    return all(name in header for name in ("control_decision", "treatment_decision", "bias"))


def import_decision_file(file: Path, cases: Path | None, report_file: Path | None) -> None:
    """Prints what became of the rows and the figures by bias; writes the report.

    Raises:
        click.ClickException: the file is no table of decisions.
    """
    from biaslab.files import InterchangeError
    from biaslab.studies.decisions.importing import import_decisions
    from biaslab.studies.decisions.results import bias_profile

    with sentences(InterchangeError):
        beside = None if cases is None else read_given(cases)
        found = import_decisions(read_given(file), file.name, beside)
    different = [
        f"row {each.row} ({each.bias}): printed {each.printed:+.4f}, worked out {each.score:+.4f}"
        for each in found.differences
    ]
    for heading, lines in (
        ("Another score than printed", different),
        ("Refused", [str(each) for each in found.refused]),
    ):
        if lines:
            click.echo(f"{heading}:")
            for line in lines[:_SHOWN]:
                click.echo(f"    {line}")
            if len(lines) > _SHOWN:
                click.echo(f"    ... and {len(lines) - _SHOWN} more")
    items = found.items()
    scores = [] if items.empty else bias_profile(items)
    click.echo("model  bias  n  score  signed shift  unchanged")
    for score in scores:
        if score.metric is not None and score.shift is not None and score.unchanged is not None:
            click.echo(
                f"{score.model}  {score.bias}  {score.n}  {score.metric:+.3f}  "
                f"{score.shift:+.3f}  {score.unchanged:.3f}"
            )
    if found.unscored:
        named = ", ".join(sorted({each.bias for each in found.unscored}))
        click.echo(
            f"Without a score, as their parameters differ from case to case: {named}. Give the "
            "file that has them with --cases."
        )
    click.echo(found.summary())
    if report_file is not None:
        report = {
            "summary": found.summary(),
            "differences": different,
            "refused": [str(each) for each in found.refused],
            "unscored": [each.row for each in found.unscored],
        }
        write_whole(report_file, json.dumps(report, ensure_ascii=False, indent=1).encode())
