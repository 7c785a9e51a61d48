"""What the runs showed: effects, comparisons, the interval of four counts, and what is to come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from biaslab.cli.conventions import (
    METHODS,
    analysis_options,
    confidence_option,
    counting_options,
    db_option,
    recorded_option,
    sentences,
)
from biaslab.runs import default_database, gallery, open_store
from biaslab.runs.rereading import reread, rereadings
from schoolmath.text.figures import exact_percent, signed_points, typed

if TYPE_CHECKING:
    from biaslab.stats import Effect, Finding, IntervalMethod

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
    """Print how many pairs are needed; how that was calculated goes to standard error."""
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


MOST_PAIRS = 1_000_000
"""Most pairs of one kind that the command takes."""


SHORT = (
    "study", "model", "strategy", "stratum", "n", "accuracy_x", "accuracy_x_prime", "cate",
    "ci_low", "ci_high", "p", "q_bh", "invalid_x", "invalid_x_prime", "run",
)  # fmt: skip
"""What the printed table shows of the columns; JSON and CSV have all."""


@click.command("effects")
@db_option
@click.option("--run", "run_ids", multiple=True, metavar="ID", help="Only this run; repeatable.")
@recorded_option
@click.option(
    "--by",
    default=None,
    help="Break down by a stratum, such as steps, or by several, grade,dok; studies without it "
    "stand in one row.",
)
@click.option("--format", "form", type=click.Choice(["json", "csv", "table"]), default="table",
              show_default=True)  # fmt: skip
@analysis_options
@click.option("--strategies", is_flag=True,
              help="Also what simple strategies get on the same pairs, and the rest of the effect "
                   "(`strategies` of each row; JSON, over all pairs).")  # fmt: skip
def effects_command(
    db: Path | None,
    run_ids: tuple[str, ...],
    recorded: bool,
    by: str | None,
    form: str,
    invalid: Literal["strict", "exclude"],
    vote: bool,
    confidence: float,
    method: IntervalMethod,
    strategies: bool,
) -> None:
    """Print the CATE of every run with intervals and tests.

    q allows for the rows of one study in this call, simulated learners apart from models: name
    the runs that you compare with --run.

    Runs of malgorithm have AIA, MIA and MCQ as well, those of concept-learning yes-rate, d' and
    criterion. Runs of imported pairs that are not all proved have a second row, over the proved
    pairs alone.
    """
    if recorded and run_ids:
        raise click.UsageError("Give either --run or --recorded.")
    if strategies and (form != "json" or by is not None or vote):
        raise click.UsageError(
            "What strategies get is a list in each row, over all pairs: give --strategies with "
            "--format json, without --by and --vote."
        )
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.files.tables import guarded_table
    from biaslab.runs.effect_rows import effect_rows, strategy_outcomes
    from biaslab.stats import TABLE_COLUMNS, AnalysisError, end_of
    from biaslab.stats.beside_effects import explained, explained_records
    from biaslab.studies import experiment
    from biaslab.studies.effects import further_json, further_table

    with sentences(AnalysisError), open_store(db or default_database()) as store:
        held = gallery() if recorded else store
        records = [store.run(run) for run in run_ids] or (held.runs() if held is not None else [])
        rows = effect_rows(store, records, by, invalid, confidence, vote, method)
        found, cells, origins = rows.found, rows.cells, rows.origins
        for sentence in rows.warnings:
            click.echo(sentence, err=True)
        several = any(len({row.run for row in family}) > 1 for family in _families(found))
        if form == "table" and not run_ids and not recorded and several:
            click.echo(
                "No runs were named, so q takes all runs of a study as one comparison: name those "
                "that you compare with --run.",
                err=True,
            )
        if strategies:
            added = {
                record.id: explained_records(
                    explained(
                        store.outcomes([record.id]),
                        strategy_outcomes(experiment(record.study), store.items_of(record.id)),
                        invalid,
                        confidence,
                    )
                )
                for record in records
            }
            cells = [
                {**own, "strategies": added[effect.run]}
                for own, effect in zip(cells, found, strict=True)
            ]
        if form == "json":
            click.echo(further_json(found, cells, origins))
            return
        table = further_table(found, cells, origins)
        if form == "csv":
            click.echo(guarded_table(table).to_csv(index=False), nl=False)
        else:
            hidden = [name for name in TABLE_COLUMNS if name not in SHORT]
            shown = table.drop(columns=hidden)
            if any(ends := [end_of(effect) or "" for effect in found]):
                shown["end"] = ends
            click.echo(shown.to_string(index=False))


def _families(effects: Sequence[Effect]) -> list[list[Effect]]:
    """The effects of each family of tests."""
    families: dict[tuple[str, ...], list[Effect]] = {}
    for effect in effects:
        families.setdefault(effect.family, []).append(effect)
    return [rows for family, rows in families.items() if family]


_COUNT = click.IntRange(0, MOST_PAIRS)


@click.command("interval")
@click.option("--both", type=_COUNT, required=True, help="Pairs with both members right.")
@click.option("--only-x", type=_COUNT, required=True, help="Pairs with only x right.")
@click.option("--only-x-prime", type=_COUNT, required=True, help="Pairs with only x' right.")
@click.option("--neither", type=_COUNT, required=True, help="Pairs with neither right.")
@click.option("--confidence", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True,
              help="Coverage of the interval.")  # fmt: skip
@click.option("--interval", "method", type=click.Choice(METHODS), default=METHODS[0],
              show_default=True, help="How it is made.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["json", "text"]), default="text",
              show_default=True)  # fmt: skip
def interval_command(
    both: int,
    only_x: int,
    only_x_prime: int,
    neither: int,
    confidence: float,
    method: IntervalMethod,
    form: str,
) -> None:
    """Print the effect, its interval and p from the four counts of independent pairs.

    The same code as everywhere, for the tables of papers and for checks from outside.
    """
    from biaslab.stats import AnalysisError, cate_of_counts

    with sentences(AnalysisError):
        found = cate_of_counts(both, only_x, only_x_prime, neither, confidence, method)
    if form == "json":
        click.echo(json.dumps(asdict(found), indent=2, allow_nan=False))
        return
    if found.ci_low is None or found.ci_high is None:
        click.echo(f"{found.n} pairs: no interval can be determined.")
        return
    p = "none" if found.p is None else f"{found.p:.3g}"
    # Two decimals, as papers print them.
    cate, low, high = (signed_points(each, 2) for each in (found.cate, found.ci_low, found.ci_high))
    click.echo(
        typed(
            f"{cate} points, {exact_percent(confidence)} interval {low} to {high}, p {p}, "
            f"n {found.n} ({found.method})"
        )
    )


_SHOWN = 20


@click.command("reread")
@click.argument("run")
@db_option
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@click.option(
    "--reader",
    default=None,
    metavar="NAME",
    help="“published”: the first number, as in Opedal et al.; “numbers”: BiasLab's own. "
    "[default: as it was read]",
)
def reread_command(run: str, db: Path | None, dry_run: bool, reader: str | None) -> None:
    """Read the stored responses of a run again with today's readers.

    No request is sent. What was read before stays in the file.
    """
    with sentences(), open_store(db or default_database()) as store:
        found = reread(store, run, reader=reader, keep=not dry_run)
        click.echo(found.sentence)
        for change in found.changes[:_SHOWN]:
            click.echo(
                f"  {change.item} sample {change.sample}: "
                f"{change.before or 'unread'} -> {change.after or 'unread'}"
            )
        if len(found.changes) > _SHOWN:
            click.echo(f"  and {len(found.changes) - _SHOWN:,} more (table earlier_readings)")
        if dry_run:
            click.echo("Nothing was written.")
        else:
            for past in rereadings(store, run)[:-1]:
                click.echo(
                    f"Read again before, {past.reread}: {past.reader_before or 'unnamed'} -> "
                    f"{past.reader_after}, {past.changed:,} changed"
                )


# Runs compared with each other, and what a run's strata say.


@click.command("compare")
@click.argument("logs", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
@click.option("--run", "run_ids", multiple=True, metavar="ID",
              help="A run to compare; repeatable, the first minus the second.")  # fmt: skip
@click.option("--id", "id_column", default="", metavar="COLUMN",
              help="Of logs: the column of the ids. [default: found by its name]")  # fmt: skip
@click.option("--score", default="", metavar="COLUMN",
              help="Of logs: the column, metric or scorer. [default: found by its "
              "name]")  # fmt: skip
@click.option("--cluster", default="", metavar="COLUMN",
              help="Of logs: what samples share, such as a passage.")  # fmt: skip
@click.option("--differing", default=10, show_default=True, type=click.IntRange(0, 10_000),
              help="Of logs: list so many samples whose scores differ.")  # fmt: skip
@click.option("--by", default=None, metavar="STRATUM",
              help="Differences for each value of a stratum too, and a test that every run's "
              "effect is the same in all of them.")  # fmt: skip
@click.option("--trend", "trend_over", default=None, metavar="STRATUM",
              help="How much every run's effect grows with one step of a stratum of numbers, "
              "such as steps, grade or dok.")  # fmt: skip
@click.option("--model-based", is_flag=True,
              help="A logistic model of every run next to it, with the stratum of --trend or "
              "--by.")  # fmt: skip
@confidence_option
@counting_options
@click.option("--format", "form", type=click.Choice(["json", "csv", "table"]), default="table",
              show_default=True)  # fmt: skip
def compare_command(
    logs: tuple[Path, ...],
    db: Path | None,
    run_ids: tuple[str, ...],
    id_column: str,
    score: str,
    cluster: str,
    differing: int,
    by: str | None,
    trend_over: str | None,
    model_based: bool,
    confidence: float,
    invalid: Literal["strict", "exclude"],
    vote: bool,
    form: str,
) -> None:
    """Compare runs on the pairs that they share, or LOGS of any task sample by sample.

    LOGS are two or more logs of Inspect AI (.eval, JSON), samples of lm-evaluation-harness,
    results of promptfoo, per-sample records of Every Eval Ever, or tables (CSV, JSON lines) with
    an id and a score. They are joined by id and epoch; the first minus the second.

    Of runs, it prints the difference of effects and of accuracies between any two, and how much
    the effect of one model depends on the prompt strategy. Holm's p allows for all rows of one
    question. What has to be known before they are believed goes to standard error.
    """
    if logs:
        if run_ids:
            raise click.UsageError("Compare logs or runs (--run), not both at once.")
        _compare_logs(logs, (id_column, score, cluster), confidence, form, differing)
        return
    if not run_ids:
        raise click.UsageError("Name two logs to compare, or runs with --run ID.")
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.files.tables import guarded_table
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
        records = [store.run(run) for run in dict.fromkeys(run_ids)]
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


_LONG_NAME = 30
"""Of a file, in signs: longer ones are called A, B and so on in sentences."""

_MOST_LOGS = 26


def _compare_logs(
    logs: tuple[Path, ...],
    columns: tuple[str, str, str],
    confidence: float,
    form: str,
    most: int,
) -> None:
    """Prints how logs of any task differ, every two of them."""
    from biaslab.files.errors import InterchangeError
    from biaslab.files.formats.scores import Columns, read_logs
    from biaslab.files.tables import guarded_table
    from biaslab.stats.comparisons.logs import compare_logs, log_record, log_sentences

    with sentences(InterchangeError):
        placed = [
            (f"{file}{log.name.removeprefix(file.name)}", log)
            for file in logs
            for log in read_logs(file, Columns(*columns))
        ]
    read = [log for _, log in placed]
    if not 2 <= len(read) <= _MOST_LOGS:
        raise click.UsageError(
            f"Name two logs at least, and at most {_MOST_LOGS}; here are {len(read)}."
        )
    names = [log.name for log in read]
    if form == "table" and (max(map(len, names)) > _LONG_NAME or len(set(names)) < len(names)):
        letters = [chr(ord("A") + at) for at in range(len(read))]
        for letter, (place, _) in zip(letters, placed, strict=True):
            click.echo(f"{letter}: {place}")
        read = [replace(log, name=letter) for log, letter in zip(read, letters, strict=True)]
    found = compare_logs(read, confidence)
    if form == "json":
        records = [log_record(each, most) for each in found]
        one = records[0] if len(records) == 1 else records
        click.echo(json.dumps(one, ensure_ascii=False, indent=2))
    elif form == "csv":
        import pandas as pd

        rows = pd.DataFrame([log_record(each) for each in found]).drop(columns="differ")
        click.echo(guarded_table(rows).to_csv(index=False), nl=False)
    else:
        for each in found:
            click.echo(" ".join(log_sentences(each)))
            for key, a, b in each.differ[:most]:
                epoch = f", time {key.epoch}" if key.epoch > 1 else ""
                click.echo(f"    {key.id}{epoch}: {a:g} in {each.a}, {b:g} in {each.b}")
    if any(each.n == 0 for each in found):
        raise click.ClickException("Two of these logs have no sample in common.")


def _text(findings: Sequence[Finding]) -> str:
    """A short table, and below it the coefficients of models."""
    import pandas as pd

    rows = pd.DataFrame(
        {
            "question": [
                f.question if f.question != "trend" else f"trend per {f.by}" for f in findings
            ],
            "runs": [" - ".join(f.runs) for f in findings],
            "stratum": [f.stratum for f in findings],
            "n": [f.n for f in findings],
            "clusters": [f.clusters for f in findings],
            "estimate": [_number(f.estimate) for f in findings],
            "ci_low": [_number(f.ci_low) for f in findings],
            "ci_high": [_number(f.ci_high) for f in findings],
            "p": [_p(f.p) for f in findings],
            "p_holm": [_p(f.p_holm) for f in findings],
        }
    )
    parts = [rows.to_string(index=False)]
    for finding in findings:
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
