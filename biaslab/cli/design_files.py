"""A design from a JSON file, for the commands that make or ask pairs."""

from __future__ import annotations

from pathlib import Path

import click

from biaslab.cli.common import was_given
from biaslab.studies import Design
from biaslab.text.given_files import FileRefused, read_given

design_file_option = click.option(
    "--design",
    "design_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE.json",
    help="A design, as the app writes it; what else stands here takes precedence.",
)


def with_file(file: Path | None, design: Design) -> Design:
    """The design of the file, with what stands on the command line in place of its own.

    Args:
        file: None: there is none, and the design is as it is.
        design: of the options; its study is "" where none is named.

    Raises:
        click.ClickException: the file holds no design; the message says why.
        click.UsageError: it is of another study, or no study is named anywhere.
        DesignError: it names a study, setting or value that is not here.
    """
    if file is None:
        if not design.study:
            raise click.UsageError("Name a STUDY, or a file with --design.")
        return design
    # Loaded here so that `biaslab --help` need not wait for it.
    from biaslab.files import InterchangeError
    from biaslab.studies.design_file import MAX_BYTES, read_design_file

    try:
        filed = read_design_file(read_given(file, MAX_BYTES)).design
    except (InterchangeError, FileRefused) as error:
        raise click.ClickException(f"{file}: {error}") from error
    if design.study and design.study != filed.study:
        raise click.UsageError(
            f"{file} holds a design of the study {filed.study}, not {design.study}."
        )
    return Design(
        filed.study,
        design.n if was_given("n") else filed.n,
        design.seed if was_given("seed") else filed.seed,
        {**filed.settings, **design.settings},
    )
