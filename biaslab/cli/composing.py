"""Pairs of any structure, from a line of text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from biaslab.cli.common import sentences
from biaslab.cli.designs import design_file_option, with_file
from biaslab.cli.pair_files import PairFile, pair_file_options, write_pairs
from biaslab.problems.structure import StructureError, part_span
from biaslab.studies import Arms, Design, Pair, Value, experiment
from biaslab.studies.study import arms_of
from biaslab.studies.word_problems.error_models import WAYS

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
