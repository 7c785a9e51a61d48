"""Asking by a plan: studies, models and prompt strategies in one go; checking a tutor so."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import db_option, sentences, write_whole
from biaslab.cli.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.cli.running import price_of_model, system_option
from biaslab.models import Access
from biaslab.models.prices import Price, write_amount
from biaslab.runs import (
    Budget,
    RunRecord,
    RunStatus,
    Store,
    default_database,
    find_items,
    open_store,
)
from biaslab.runs.estimating import RunEstimate
from biaslab.runs.fitting import NEVER_LEARNED, untrained
from biaslab.runs.jobs.plans import plan_key
from biaslab.runs.jobs.queue import JobKind, QueuedWork, in_turn
from biaslab.runs.matrix import (
    MAX_BYTES,
    CellResult,
    MatrixCell,
    PlannedModel,
    cells_of,
    do_cells,
    estimate_cells,
    read_plan,
)
from biaslab.studies.tutor.check import PAIRS, CheckRow, TutorCheck
from biaslab.studies.tutor.items import ALL_CLASSES, CONTENT_CLASS, GRADES, usable_sentence
from schoolmath.text.figures import count
from schoolmath.text.given_files import read_given

if TYPE_CHECKING:
    from biaslab.publishing.tutor_check import TutorRuns

_WAITING = "Other work is being done with this file of runs; this plan waits for its turn."


@click.command("matrix")
@click.argument("plan", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--estimate",
    "only_estimate",
    is_flag=True,
    help="Say what is still to be asked and what it would take, and ask nothing.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How the runs are listed in the end.",
)
@db_option
def matrix_command(plan: Path, only_estimate: bool, form: str, db: Path | None) -> None:
    """Do all runs of a PLAN (a YAML file): studies by models by prompt strategies.

    Finished answers are saved and unfinished runs go on, so the same command continues a plan that
    was interrupted, and a longer plan asks only what is new.
    """
    with sentences(), open_store(db or default_database()) as store:
        data = read_given(plan, MAX_BYTES)
        read = read_plan(data, plan.name)
        cells = cells_of(store, read, lambda model: _reach(store, model))
        if only_estimate:
            _say_estimates(list(estimate_cells(store, cells)), form)
            return
        work = QueuedWork(JobKind.PLAN, plan_key(data))
        with in_turn(store.path, work, lambda: click.echo(_WAITING, err=True)):
            # While this one waited, another may have done some of it.
            cells = cells_of(store, read, lambda model: _reach(store, model))
            done = _do(
                store, cells, read.budget,
                lambda cell: f"{cell.design.study}, {cell.model}, {cell.strategy}",
            )  # fmt: skip
        _say_done(done, form)
        if not all(each.finished or each.cell.why_not for each in done):
            click.echo("Not everything is done. The same command goes on.", err=True)
            sys.exit(1)


def _reach(store: Store, model: PlannedModel) -> tuple[Access, Price | None]:
    """How a model of the plan is reached; tests its server if nobody has."""
    urls = () if model.base_url is None else (model.base_url,)
    access = reach(store, model.model, Access(urls, at_once=model.at_most))
    given = {
        "price_in": None if model.price_in is None else str(model.price_in),
        "price_out": None if model.price_out is None else str(model.price_out),
        "currency": model.currency,
    }
    return access, price_of_model(store, model.model, access, given)


def _do(
    store: Store,
    cells: Sequence[MatrixCell],
    budget: Budget,
    label_of: Callable[[MatrixCell], str],
) -> list[CellResult]:
    """Does all cells under one bar, which counts pairs, and warns of what a model never learned."""
    wanted = [cell for cell in cells if not cell.why_not]
    total = sum(cell.design.n for cell in wanted)
    before = 0
    found: list[CellResult] = []
    with tqdm(total=total, unit=" pairs", disable=None) as bar:

        def advance(cell: MatrixCell, now: RunRecord) -> None:
            bar.set_description(label_of(cell))
            share = now.items_done / now.items_total if now.items_total else 1
            bar.n = before + round(share * cell.design.n)
            bar.refresh()

        for each in do_cells(store, cells, budget, advance):
            found.append(each)
            if each.record is not None and each.record.status is RunStatus.STOPPED:
                break  # whoever stops a run of a plan wants no more of it asked
            if each.record is not None:
                before += each.cell.design.n
                bar.n = before
                bar.refresh()
    for cell in wanted:
        for reason in untrained(cell.model, cell.design, cell.strategy):
            click.echo(f"{cell.model}, {cell.strategy}: {reason} {NEVER_LEARNED}", err=True)
    return found


def _say_done(results: list[CellResult], form: str) -> None:
    if form == "json":
        click.echo(json.dumps([_as_json(each) for each in results], ensure_ascii=False, indent=2))
        return
    rows = [("run", "study", "model", "strategy", "status", "answered", "not read", "failed")]
    for each in results:
        record = each.record
        status = "cannot be asked" if each.cell.why_not else "not begun"
        rows.append(
            (
                each.cell.run or "–",
                each.cell.design.study,
                each.cell.model,
                each.cell.strategy,
                status if record is None else str(record.status),
                *(
                    ("–", "–", "–")
                    if record is None
                    else (str(record.answered), str(record.invalid), str(record.failed))
                ),
            )
        )
    _table(rows)
    for message in dict.fromkeys(each.message for each in results if each.message):
        click.echo(message, err=True)
    runs = " ".join(f"--run {each.cell.run}" for each in results if each.finished)
    if runs:
        click.echo(f"Their effects: biaslab effects {runs}", err=True)


def _as_json(result: CellResult) -> dict[str, object]:
    record, cell = result.record, result.cell
    counts = ("answered", "invalid", "failed", "asked", "cached", "tokens_in", "tokens_out")
    return {
        "study": cell.design.study,
        "n": cell.design.n,
        "seed": cell.design.seed,
        "settings": dict(cell.design.settings),
        "model": cell.model,
        "strategy": cell.strategy,
        "run": cell.run or None,
        "status": None if record is None else str(record.status),
        "message": result.message or None,
        **{name: None if record is None else getattr(record, name) for name in counts},
    }


def _say_estimates(estimates: list[tuple[MatrixCell, RunEstimate | None]], form: str) -> None:
    if form == "json":
        listed = [
            {
                "study": cell.design.study,
                "model": cell.model,
                "strategy": cell.strategy,
                "run": cell.run or None,
                "cannot": cell.why_not or None,
                "estimate": None if found is None else found.as_json(),
            }
            for cell, found in estimates
        ]
        click.echo(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    rows = [("study", "model", "strategy", "to ask", "kept", "tokens", "cost")]
    for cell, found in estimates:
        if found is None:
            state = "cannot be asked" if cell.why_not else "finished"
            rows.append((cell.design.study, cell.model, cell.strategy, state, "", "", ""))
            continue
        tokens = found.tokens_in.expected + found.tokens_out.expected
        rows.append(
            (
                cell.design.study,
                cell.model,
                cell.strategy,
                f"{found.to_ask:,}",
                f"{found.free:,}",
                f"{tokens:,}",
                _money([found]),
            )
        )
    _table(rows)
    open_ones = [found for _, found in estimates if found is not None]
    seconds = [found.seconds for found in open_ones]
    known = [each for each in seconds if each is not None]
    took = f", about {sum(known) / 60:.0f} minutes" if known and len(known) == len(seconds) else ""
    asked = count(sum(found.to_ask for found in open_ones), "request")
    click.echo(f"In all at most {asked}{took}{_and(_money(open_ones))}.", err=True)


def _money(estimates: Iterable[RunEstimate]) -> str:
    """What estimates cost together, by currency; empty where nobody has said."""
    sums: dict[str, Decimal] = {}
    for each in estimates:
        if each.cost_expected is not None:
            sums[each.currency] = sums.get(each.currency, Decimal()) + each.cost_expected
    return " and ".join(write_amount(amount, currency) for currency, amount in sums.items())


def _and(words: str) -> str:
    return f", {words}" if words else ""


def _table(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


# Checking a tutor: a plan of the five studies of tutors, and what came out in sentences.


@click.command("check-tutor")
@click.option("--model", required=True, help="tiny, learner:NAME, local:DIRECTORY or openai:NAME "
              "(see `biaslab models`).")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None,
              metavar="FILE", help="Also write a report, such as report.html; it must be "
              "new.")  # fmt: skip
@click.option("--grade", default=str(GRADES.default), show_default=True, metavar="FROM-TO",
              help="School grades of the problems.")  # fmt: skip
@click.option("--class", "content_class", type=click.Choice(CONTENT_CLASS.choices),
              default=ALL_CLASSES, show_default=True, help="What the problems are "
              "about.")  # fmt: skip
@click.option("--items", default="", metavar="SET", help="Questions of a set of items that was "
              "imported, instead of BiasLab's own problems.")  # fmt: skip
@click.option("--n", type=click.IntRange(1, 10_000), default=PAIRS, show_default=True,
              help="Pairs of each of the five studies.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Which pairs.")
@click.option("--reasoning", "reasons", is_flag=True,
              help="Let the tutor write out its reasoning before each verdict.")  # fmt: skip
@system_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="How the findings are printed.")  # fmt: skip
@server_options
@speed_options
@db_option
def check_tutor_command(
    model: str,
    out: Path | None,
    grade: str,
    content_class: str,
    n: int,
    seed: int,
    reasons: bool,
    system: str | None,
    items: str,
    form: str,
    db: Path | None,
    **given: Any,
) -> None:
    """Ask a tutor MODEL five kinds of questions about pupils' work and say what it sees.

    Answers are saved, so the same command goes on where it ended. With --system the tutor
    is checked with this prompt and without it, and both are compared.
    """
    if out is not None and out.exists():
        raise click.ClickException(f"{out} is there already. Delete it, or choose another name.")
    if items and (grade, content_class) != (str(GRADES.default), ALL_CLASSES):
        raise click.ClickException(
            "--grade and --class choose among BiasLab's own problems: leave them out with --items."
        )
    from biaslab.publishing.tutor_check import TutorRuns, plan_of, possible_designs

    with sentences(), open_store(db or default_database()) as store:
        own = find_items(store, items) if items else None
        if items and own is None:
            raise click.ClickException(
                f"There is no set of items “{items}” in this file of runs: `biaslab import` it."
            )
        if own is not None:
            click.echo(usable_sentence(own), err=True)
        set_id = "" if own is None else own.set.id
        check = TutorCheck(grade, content_class, n, seed, reasons, system or "", set_id)
        allow_key(given["key_env"], given["base_urls"])
        access = reach(store, model, access_of(given))
        designs = possible_designs(check, store)
        for study, why in designs.refusals.items():
            click.echo(f"{study} is left out: {why}", err=True)
        plan = read_plan(plan_of(check, {"model": model}, designs))
        cells = cells_of(store, plan, lambda _: (access, None))
        done = _do(store, cells, Budget(), lambda cell: cell.design.study)
        records = [each.record for each in done if each.record is not None]
        for message in dict.fromkeys(each.message for each in done if each.message):
            click.echo(message, err=True)
        runs = {each.study: each for each in records if each.options.system == check.system}
        if not runs:
            raise click.ClickException(
                next((each.why_not for each in cells if each.why_not), "Nothing was answered.")
            )
        spec = next(iter(runs.values())).model_spec
        plain = {each.study: each for each in records if not each.options.system}
        _tell_check(
            store, TutorRuns(check, spec, "", runs),
            TutorRuns(replace(check, system=""), spec, "", plain) if system else None, form,
        )  # fmt: skip
        if out is not None:
            _write_check(store, TutorRuns(check, spec, "", runs), out)
        if len(done) < len(cells) or not all(each.finished or each.cell.why_not for each in done):
            click.echo("Not everything is done. The same command goes on.", err=True)
            sys.exit(1)


def _tell_check(store: Store, runs: TutorRuns, plain: TutorRuns | None, form: str) -> None:
    """Prints the check, and how it differs from the one without a system prompt."""
    from biaslab.publishing.tutor_check import (
        check_differences,
        check_records,
        difference_records,
        lines_of,
        pairs_of,
    )

    lines = lines_of(pairs_of(store, runs))
    compared = [] if plain is None else check_differences(store, runs, plain)
    if form == "json":
        found: Any = check_records(lines)
        if plain is not None:
            found = {"check": found, "with minus without": difference_records(compared)}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    _say_check(lines)
    if compared:
        click.echo("With the system prompt minus without it:")
    for difference, sentence in compared:
        click.echo(f"    {difference.measure.label}: {sentence}")


def _say_check(lines: Sequence[CheckRow]) -> None:
    from biaslab.publishing.tutor_check import LIMITS, line_sentences

    for line in lines:
        click.echo(f"{line.measure.title}: {line.sentence}.")
        for sentence in line_sentences(line):
            click.echo(f"    {sentence}")
    click.echo("What this does not say:")
    for limit in LIMITS:
        click.echo(f"    {limit}")


def _write_check(store: Store, runs: TutorRuns, out: Path) -> None:
    from biaslab.publishing.report import page
    from biaslab.publishing.tutor_check import report_of_check, tutor_name

    content = page(report_of_check(store, runs, tutor_name(runs.model)))
    write_whole(out, content)
    click.echo(f"{len(content):,} bytes in {out}.", err=True)
