"""Runs compared with each other, and what a run's strata say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from biaslab.cli.conventions import confidence_option, counting_options, db_option, sentences
from biaslab.runs import default_database, open_store

if TYPE_CHECKING:
    from biaslab.stats import Finding


@click.command("compare")
@db_option
@click.option("--run", "chosen", multiple=True, required=True, metavar="ID",
              help="A run to compare; repeatable, the first minus the second.")  # fmt: skip
@click.option("--by", default=None, metavar="STRATUM",
              help="Differences for each value of a stratum too, and a test that every run's "
              "effect is the same in all of them.")  # fmt: skip
@click.option("--trend", "trend_over", default=None, metavar="STRATUM",
              help="How much every run's effect grows with one step of a stratum of numbers, "
              "such as steps, grade or dok.")  # fmt: skip
@click.option("--model-based", is_flag=True,
              help="A logistic model of every run beside it, with the stratum of --trend or "
              "--by.")  # fmt: skip
@confidence_option
@counting_options
@click.option("--format", "form", type=click.Choice(["json", "csv", "table"]), default="table",
              show_default=True)  # fmt: skip
def compare_command(
    db: Path | None,
    chosen: tuple[str, ...],
    by: str | None,
    trend_over: str | None,
    model_based: bool,
    confidence: float,
    invalid: Literal["strict", "exclude"],
    vote: bool,
    form: str,
) -> None:
    """Compare runs on the pairs that they share.

    Prints the difference of effects and of accuracies between any two of the runs, and how much
    the effect of one model depends on the prompt strategy. Holm's p allows for all rows of one
    question. What has to be known before they are believed goes to standard error.
    """
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.files.cells import guarded_table
    from biaslab.runs.fitting import untrained_sentences
    from biaslab.stats import (
        AnalysisError,
        CountingRules,
        compare,
        effect_warnings,
        effects,
        findings_json,
        findings_table,
    )

    with sentences(AnalysisError), open_store(db or default_database()) as store:
        records = [store.run(run) for run in dict.fromkeys(chosen)]
        outcomes = store.outcomes([record.id for record in records])
        looked = frozenset(record.id for record in records if record.looks)
        setting = CountingRules(invalid, vote, confidence, looked)
        found = compare(outcomes, by, trend_over, model_based, setting)
        unread = effect_warnings(effects(outcomes, invalid=invalid, vote=vote), None, vote)
        for sentence in (*found.warnings, *unread, *untrained_sentences(records)):
            click.echo(sentence, err=True)
    if form == "json":
        click.echo(findings_json(found.findings))
    elif form == "csv":
        click.echo(guarded_table(findings_table(found.findings)).to_csv(index=False), nl=False)
    else:
        click.echo(_text(found.findings))


def _text(found: Sequence[Finding]) -> str:
    """A short table, and below it the coefficients of models."""
    import pandas as pd

    rows = pd.DataFrame(
        {
            "question": [
                f.question if f.question != "trend" else f"trend per {f.by}" for f in found
            ],
            "runs": [" - ".join(f.runs) for f in found],
            "stratum": [f.stratum for f in found],
            "n": [f.n for f in found],
            "clusters": [f.clusters for f in found],
            "estimate": [_number(f.estimate) for f in found],
            "ci_low": [_number(f.ci_low) for f in found],
            "ci_high": [_number(f.ci_high) for f in found],
            "p": [_p(f.p) for f in found],
            "p_holm": [_p(f.p_holm) for f in found],
        }
    )
    parts = [rows.to_string(index=False)]
    for finding in found:
        if finding.coefficients:
            table = pd.DataFrame(
                {
                    "logit": [c.name for c in finding.coefficients],
                    "estimate": [_number(c.estimate) for c in finding.coefficients],
                    "error": [_number(c.error) for c in finding.coefficients],
                    "ci_low": [_number(c.ci_low) for c in finding.coefficients],
                    "ci_high": [_number(c.ci_high) for c in finding.coefficients],
                    "p": [_p(c.p) for c in finding.coefficients],
                }
            )
            parts.append(f"Model of {finding.name}\n{table.to_string(index=False)}")
    return "\n\n".join(parts)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:+.4f}"


def _p(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
