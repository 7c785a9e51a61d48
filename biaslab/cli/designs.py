"""Studies, and the pairs that a design gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from biaslab.cli.conventions import (
    db_option,
    proved,
    sentences,
    together,
    vocabulary_option,
    was_given,
    written_with,
)
from biaslab.cli.pair_files import PairFile, pair_file_options, write_pairs
from biaslab.runs import default_database, open_store
from biaslab.runs.engine.sources import at_most, study_from
from biaslab.studies import Design, Experiment, Value, experiment, experiments
from biaslab.studies.study import arms_of
from schoolmath.text.given_files import FileRefused, read_given


class StudyDesign(NamedTuple):
    """A study that can give its pairs, and the design that says which."""

    study: Experiment
    design: Design


@contextmanager
def studied(design: Design, db: Path | None) -> Iterator[StudyDesign]:
    """The study of a design; a file of runs is opened only for what is kept in it.

    Without ``--n`` no more pairs are meant than a kept set, or a bias, has.

    Raises:
        DesignError: there is no such study or set.
        StoreError: the file cannot be opened.
    """
    with ExitStack() as files:
        opened = cache(lambda: files.enter_context(open_store(db or default_database())))
        study = study_from(opened, design.study)
        yield StudyDesign(study, design if was_given("n") else at_most(study, design))


design_file_option = click.option(
    "--design",
    "design_file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE.json|NAME",
    help="A design, as the app writes it, or one of the study's own by name (see `biaslab "
    "studies`); what else stands here takes precedence.",
)


def with_file(file: Path | None, design: Design) -> Design:
    """The design of the file or name, with what stands on the command line in place of its own.

    Args:
        file: or the name of one of the study's own designs. None: there is none, and the design
            is as it is.
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
    own = experiment(design.study).named_designs if design.study else ()
    named = {each.name: each for each in own}
    if str(file) in named:
        meant = named[str(file)]
        return _in_place(design, Design(design.study, meant.n, design.seed, meant.settings))
    if not file.exists():
        raise click.UsageError(
            f"There is no file {file}"
            + (f", and {design.study} has no design of this name" if design.study else "")
            + (f": it has {', '.join(named)}." if named else ".")
        )
    # Loaded here so that `biaslab --help` need not wait for it.
    from biaslab.files import InterchangeError
    from biaslab.studies.designs import MAX_BYTES, read_design_file

    try:
        filed = read_design_file(read_given(file, MAX_BYTES)).design
    except (InterchangeError, FileRefused) as error:
        raise click.ClickException(f"{file}: {error}") from error
    if design.study and design.study != filed.study:
        raise click.UsageError(
            f"{file} holds a design of the study {filed.study}, not {design.study}."
        )
    return _in_place(design, filed)


def _in_place(design: Design, of_file: Design) -> Design:
    """What is given on the command line in place of what the file says."""
    return Design(
        of_file.study,
        design.n if was_given("n") else of_file.n,
        design.seed if was_given("seed") else of_file.seed,
        {**of_file.settings, **design.settings},
    )


_FURTHER = "biaslab settings"
"""Where named settings are kept between the command line and `design_of`."""

_NAMED = {
    "concept": "A concept, such as “more than 3/10” (study concept-learning).",
    "against": "What it is compared with: a concept, mirror or complement.",
    "semantics": "What prompts say of a concept: hidden, made-up or explicit.",
    "version": "Of texts or scenes: 2, or 1 as up to BiasLab 0.4, for old seeds.",
    "bias": "A bias, several with commas, or all (study decision).",
}
"""Settings with an option of their own; every other one is given with ``--set``."""


def _keep(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None and parameter.name is not None:
        context.meta.setdefault(_FURTHER, {})[parameter.name] = value


def named_settings() -> dict[str, Value]:
    """The settings that have an option of their own and stand on the command line."""
    context = click.get_current_context(silent=True)
    return {} if context is None else dict(context.meta.get(_FURTHER, {}))


design_options = together(
    (
        click.option("--n", "n", type=int, default=200, show_default=True,
                     help="Number of pairs."),
        click.option("--seed", type=int, default=1, show_default=True,
                     help="The same seed gives the same pairs on every machine."),
        click.option("--steps", default=None, help="Reasoning steps, such as 1-5 or 2."),
        click.option("--numbers", default=None, help="Numbers in the text, such as 2-20."),
        click.option("--set", "more", multiple=True, metavar="NAME=VALUE",
                     help="Any other setting of the study (see `biaslab studies`)."),
        *(
            click.option(f"--{name}", default=None, expose_value=False, callback=_keep, help=text)
            for name, text in _NAMED.items()
        ),
    )
)  # fmt: skip
"""What determines the pairs of a study."""


def design_of(
    study: str, n: int, seed: int, steps: str | None, numbers: str | None, more: tuple[str, ...]
) -> Design:
    """The design that the options name.

    Raises:
        click.UsageError: ``--set`` without a name and a value.
    """
    settings: dict[str, Value] = {}
    for entry in more:
        name, equals, value = entry.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--set {entry!r}: write NAME=VALUE.")
        settings[name] = value
    settings |= named_settings()
    if steps is not None:
        settings["steps"] = steps
    if numbers is not None:
        settings["numbers"] = numbers
    return Design(study, n, seed, settings)


@click.command("studies")
def studies_command() -> None:
    """List the studies, their settings and prompt strategies."""
    for study in experiments().values():
        click.echo(f"{study.name}: {study.question}")
        click.echo(f"    x = {study.arms.x}, x' = {study.arms.x_prime}; {study.source}")
        for setting in study.settings:
            choices = f" ({', '.join(setting.choices)})" if setting.choices else ""
            click.echo(f"    {setting.name} = {setting.default}{choices}: {setting.explanation}")
        names = ", ".join(strategy.name for strategy in study.strategies)
        click.echo(f"    strategies: {names}")
        for design in study.named_designs:
            click.echo(f"    --design {design.name} ({design.n:,} pairs): {design.explanation}")


@click.command("pairs")
@click.argument("study", required=False)
@design_file_option
@design_options
@vocabulary_option
@pair_file_options
@db_option
def pairs_command(
    study: str | None,
    design_file: Path | None,
    n: int,
    seed: int,
    steps: str | None,
    numbers: str | None,
    more: tuple[str, ...],
    vocabulary_file: Path | None,
    db: Path | None,
    **options: Any,
) -> None:
    """Write the pairs of STUDY to a file: a table, a data set, a worksheet or a quiz."""
    chosen = PairFile.of(options)
    with sentences():
        design = with_file(design_file, design_of(study or "", n, seed, steps, numbers, more))
        with studied(design, db) as found, written_with(vocabulary_file, found.study):
            pairs = proved(found.study.pairs(found.design), vocabulary_file)
            arms = arms_of(found.study, found.design)
            write_pairs(found.study, found.design, pairs, chosen, arms)
