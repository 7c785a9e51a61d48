"""Studies, and the pairs that a design gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from biaslab.cli.common import db_option, sentences, together, was_given
from biaslab.cli.pair_files import PairFile, pair_file_options, write_pairs
from biaslab.problems.structure import StructureError, part_span
from biaslab.runs import default_database, open_store
from biaslab.runs.engine.sources import at_most, study_from
from biaslab.studies import Arms, Design, Experiment, Pair, Value, experiment, experiments
from biaslab.studies.study import arms_of
from biaslab.studies.word_problems.error_models import WAYS
from biaslab.text.given_files import FileRefused, read_given


class Studied(NamedTuple):
    """A study that can give its pairs, and the design that says which."""

    study: Experiment
    design: Design


@contextmanager
def studied(design: Design, db: Path | None) -> Iterator[Studied]:
    """The study of a design; a file of runs is opened only for what is kept in it.

    Without ``--n`` no more pairs are meant than a kept set, or a bias, has.

    Raises:
        DesignError: there is no such study or set.
        StoreError: the file cannot be opened.
    """
    with ExitStack() as files:
        opened = cache(lambda: files.enter_context(open_store(db or default_database())))
        study = study_from(opened, design.study)
        yield Studied(study, design if was_given("n") else at_most(study, design))


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


_FURTHER = "biaslab settings"
"""Where named settings are kept between the command line and `design_of`."""

_NAMED = {
    "concept": "A concept, such as “more than 3/10” (study concept-learning).",
    "against": "What it is compared with: a concept, mirror or complement.",
    "semantics": "What prompts say of a concept: hidden, made-up or explicit.",
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
    """List the studies, their settings and ways of asking."""
    for study in experiments().values():
        click.echo(f"{study.name}: {study.question}")
        click.echo(f"    x = {study.arms.x}, x' = {study.arms.x_prime}; {study.source}")
        for setting in study.settings:
            choices = f" ({', '.join(setting.choices)})" if setting.choices else ""
            click.echo(f"    {setting.name} = {setting.default}{choices}: {setting.explanation}")
        names = ", ".join(strategy.name for strategy in study.strategies)
        click.echo(f"    strategies: {names}")


@click.command("pairs")
@click.argument("study", required=False)
@design_file_option
@design_options
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
    db: Path | None,
    **options: Any,
) -> None:
    """Write the pairs of STUDY to a file: a table, a data set, a worksheet or a quiz."""
    chosen = PairFile.of(options)
    with sentences():
        design = with_file(design_file, design_of(study or "", n, seed, steps, numbers, more))
        with studied(design, db) as found:
            pairs = found.study.pairs(found.design)
            arms = arms_of(found.study, found.design)
            write_pairs(found.study, found.design, pairs, chosen, arms)


STUDY = "composed"


@click.command("compose")
@click.argument("structure", required=False)
@design_file_option
@click.option("--treatment", metavar="NAME", default=None,
              help="What the two texts of a pair differ in, one thing (see `biaslab studies`). "
              "[default: consistency]")  # fmt: skip
@click.option("--n", "n", type=int, default=200, show_default=True, help="Number of pairs.")
@click.option("--seed", type=int, default=1, show_default=True,
              help="The same seed gives the same pairs on every machine.")  # fmt: skip
@click.option("--numbers", default=None, help="Numbers in the text, such as 2-20.")
@click.option("--sentence", type=int, default=None,
              help="Number of the sentence to change. [default: the study chooses]")  # fmt: skip
@click.option("--diagnosable", is_flag=True,
              help="Choose numbers for which each way of going wrong gives an answer of its "
              "own.")  # fmt: skip
@click.option("--set", "more", multiple=True, metavar="NAME=VALUE",
              help="Any setting of the study (see `biaslab studies`).")  # fmt: skip
@pair_file_options
def compose_command(
    structure: str | None,
    design_file: Path | None,
    treatment: str | None,
    n: int,
    seed: int,
    numbers: str | None,
    sentence: int | None,
    diagnosable: bool,
    more: tuple[str, ...],
    **options: Any,
) -> None:
    """Write pairs of a STRUCTURE of your own to a file.

    STRUCTURE is a line such as "container . transfer- . comparison+ inconsistent . rate": the
    sentences in order, each a container, transfer, comparison or rate. It can come from a file
    with --design instead.
    """
    chosen = PairFile.of(options)
    settings: dict[str, Value] = dict(_entry(entry) for entry in more)
    given = {"treatment": treatment, "numbers": numbers, "sentence": sentence}
    settings |= {name: value for name, value in given.items() if value is not None}
    if diagnosable:
        settings["diagnosable"] = "yes"
    if structure is not None:
        settings["structure"] = structure
    elif design_file is None:
        raise click.UsageError("Write a STRUCTURE, or name a file with --design.")
    study = experiment(STUDY)
    with sentences():
        design = with_file(design_file, Design(STUDY, n, seed, settings))
        with _marked(str(design.settings.get("structure", ""))):
            arms = arms_of(study, design)
            write_pairs(study, design, _telling(study.pairs(design), arms), chosen, arms)


def _telling(pairs: Iterator[Pair], arms: Arms) -> Iterator[Pair]:
    """The pairs, after saying which ways of going wrong the first one cannot tell apart."""
    for number, pair in enumerate(pairs):
        if not number:
            for line in _not_told_apart(pair, arms):
                click.echo(line, err=True)
        yield pair


def _not_told_apart(pair: Pair, arms: Arms) -> Iterator[str]:
    one, other = ({**item.facts.get("ways_left_out", {})} for item in (pair.x, pair.x_prime))
    for way, called in WAYS.items():
        if way in one and one[way] == other.get(way):
            yield f"Not told apart: {called}. {one[way]}"
            continue
        for left, arm in ((one, arms.x), (other, arms.x_prime)):
            if way in left:
                yield f"Not told apart ({arm}): {called}. {left[way]}"


def _entry(entry: str) -> tuple[str, str]:
    name, equals, value = entry.partition("=")
    if not (name and equals):
        raise click.UsageError(f"--set {entry!r}: write NAME=VALUE.")
    return name, value


@contextmanager
def _marked(text: str) -> Iterator[None]:
    """Shows the line with its fault underlined below what is wrong with it."""
    try:
        yield
    except StructureError as error:
        begin, end = error.start, error.end
        if end <= begin and error.part is not None:
            begin, end = part_span(text, error.part)
        if end <= begin or not text.isprintable():
            raise
        mark = " " * begin + "^" * (end - begin)
        raise click.ClickException(f"{error}\n    {text}\n    {mark}") from error
