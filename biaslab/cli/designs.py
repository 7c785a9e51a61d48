"""Studies, and the pairs that a design gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from biaslab.cli.common import db_option, sentences, together
from biaslab.cli.design_files import design_file_option, with_file
from biaslab.cli.kept_sets import studied
from biaslab.cli.pair_files import PairFile, pair_file_options, write_pairs
from biaslab.studies import Design, Value, experiments
from biaslab.studies.arms import arms_of

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
