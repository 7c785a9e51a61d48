"""How many pairs a question needs, before anything is asked."""

from __future__ import annotations

import json
from pathlib import Path

import click

from biaslab.cli.common import db_option, sentences
from biaslab.runs import default_database, open_store

_PERCENT = click.FloatRange(0, 100, min_open=True)


@click.command("plan")
@click.option("--cate", type=click.FloatRange(-100, 100), default=None, metavar="POINTS",
              help="Size of the effect to be found, in percentage points.")  # fmt: skip
@click.option("--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8,
              show_default=True, help="How likely it shall be found.")  # fmt: skip
@click.option("--width", type=_PERCENT, default=None, metavar="POINTS",
              help="Instead of --cate: know the effect to so many points either way.")  # fmt: skip
@click.option("--discordance", type=_PERCENT, default=None, metavar="PERCENT",
              help="Share of pairs of which one member is right and the other wrong. "
              "[default: as seen in --run, else an assumption that is named]")  # fmt: skip
@click.option("--run", "runs", multiple=True, metavar="ID",
              help="Take the discordance from this run; repeatable.")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
              default=0.05, show_default=True, help="Error of the two-sided test.")  # fmt: skip
@click.option("--looks", type=click.IntRange(1, 20), default=1, show_default=True,
              help="How often one looks on the way (see `biaslab run --looks`).")  # fmt: skip
@click.option("--samples", type=click.IntRange(1, 100), default=1, show_default=True,
              help="How often each item is asked.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["number", "json"]), default="number",
              show_default=True)  # fmt: skip
@db_option
def plan_command(
    cate: float | None,
    power: float,
    width: float | None,
    discordance: float | None,
    runs: tuple[str, ...],
    alpha: float,
    looks: int,
    samples: int,
    form: str,
    db: Path | None,
) -> None:
    """Print how many pairs are needed; how that was reckoned goes to standard error."""
    if (cate is None) == (width is None):
        raise click.UsageError("Give either --cate or --width, in percentage points.")
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.stats import AnalysisError, pairs_for_width, pairs_needed

    with sentences(AnalysisError):
        share, alike = (None, 1.0) if discordance is None else (discordance / 100, 1.0)
        if discordance is None and runs:
            share, alike = _seen(runs, db)
        if cate is not None:
            plan = pairs_needed(cate / 100, power, share, alpha, looks, samples, alike=alike)
            pairs, method, fields = plan.pairs, plan.method, plan.as_json()
        else:
            assert width is not None
            wide = pairs_for_width(
                width / 100, share, confidence=1 - alpha, samples=samples, alike=alike
            )
            pairs, method, fields = wide.pairs, wide.method, wide.as_json()
    click.echo(method, err=True)
    click.echo(json.dumps(fields, ensure_ascii=False, indent=2) if form == "json" else pairs)


def _seen(runs: tuple[str, ...], db: Path | None) -> tuple[float, float]:
    from biaslab.stats import discordance_seen

    with open_store(db or default_database()) as store:
        seen = discordance_seen(store.outcomes(list(runs)))
    if seen is None:
        raise click.ClickException(
            f"Run {', '.join(runs)} has no finished pairs yet: give --discordance instead."
        )
    return seen.discordance, 1.0 if seen.alike is None else seen.alike
