"""Studies, and the pairs that a design gives."""

from __future__ import annotations

from pathlib import Path

import click
from tqdm import tqdm

from biaslab.cli.sentences import sentences, together
from biaslab.cli.whole_files import whole_text
from biaslab.experiments import Design, Value, experiment, experiments, write_csv, write_jsonl

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
@click.argument("study")
@design_options
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
    with sentences():
        design = design_of(study, n, seed, steps, numbers, more)
        found = experiment(study)
        pairs = tqdm(found.pairs(design), total=n, unit=" pairs", disable=None)
        write = write_csv if out.suffix == ".csv" else write_jsonl
        with whole_text(out) as file:
            write(found, pairs, file)
    click.echo(f"{n} pairs in {out}")
