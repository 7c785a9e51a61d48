"""Asking: starting, resuming and listing runs, and finding a design that fits a model before."""

from __future__ import annotations

import datetime
import json
import shlex
import sys
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import db_option, recorded_option, sentences, together, was_given
from biaslab.cli.designs import (
    design_file_option,
    design_of,
    design_options,
    named_settings,
    with_file,
)
from biaslab.cli.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.models import Access, Sampling, read_spec
from biaslab.models.prices import Price, entered_price
from biaslab.models.requests import ThinkingLevel
from biaslab.runs import (
    MOST_SAMPLES,
    Budget,
    RunOptions,
    RunRecord,
    RunStatus,
    Store,
    at_most_all,
    change_options,
    default_database,
    find_connection,
    gallery,
    is_measured,
    open_store,
    opened_bundles,
    prepare,
    run_here,
)
from biaslab.runs.fitting import NEVER_LEARNED, untrained
from biaslab.runs.store.options import MOST_SYSTEM
from biaslab.runs.store.records import WRITING
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import GO_ON_TIMES, MOST_GO_ON, MOST_TOKENS, Length
from schoolmath.text.given_files import read_given

if TYPE_CHECKING:
    from biaslab.stats.stopping_rules import StoppingRule


class _Money(click.ParamType[Decimal]):
    """An exact amount."""

    name = "amount"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """The amount that the text names."""
        try:
            return Decimal(str(value))
        except InvalidOperation:
            self.fail(f"“{value}” is no amount: write a number such as 2.50.", param, ctx)


limit_options = together(
    (
        click.option("--budget-requests", type=click.IntRange(0), default=None,
                     help="Stop after so many requests."),
        click.option("--budget-tokens", type=click.IntRange(0), default=None,
                     help="Stop before more tokens than this are sent and written."),
        click.option("--budget-money", type=_Money(), default=None,
                     help="Stop before this is spent; needs a price."),
        click.option("--price-in", default=None, metavar="AMOUNT",
                     help="Price of a million tokens sent."),
        click.option("--price-out", default=None, metavar="AMOUNT",
                     help="Price of a million tokens written."),
        click.option("--currency", default="USD", show_default=True,
                     help="Of the prices and the budget."),
        click.option("--until-narrow", type=click.FloatRange(0, 100, min_open=True), default=None,
                     metavar="POINTS",
                     help="Stop early once the CATE is known to so many percentage points either "
                     "way."),
        click.option("--looks", type=click.IntRange(2, 20), default=None,
                     help="Stop early once the CATE is clearly not zero, looking so often "
                     "(group-sequential test)."),
    )
)  # fmt: skip
"""Budget, price, and rules for stopping early."""


def budget_of(options: dict[str, Any]) -> Budget:
    """The budget that the options name."""
    return Budget(options["budget_requests"], options["budget_tokens"], options["budget_money"])


def stopping_of(design: Design, options: dict[str, Any]) -> StoppingRule | None:
    """The rule for stopping early that the options name.

    Raises:
        click.UsageError: both rules at once.
    """
    if options["until_narrow"] is None and options["looks"] is None:
        return None
    if options["until_narrow"] is not None and options["looks"] is not None:
        raise click.UsageError("Choose one rule for stopping early: --until-narrow or --looks.")
    from biaslab.stats import AnalysisError, GroupSequential, UntilNarrow

    try:
        if options["looks"] is not None:
            return GroupSequential(looks=options["looks"], at_most=design.n)
        return UntilNarrow(half_width=options["until_narrow"] / 100, at_most=design.n)
    except AnalysisError as error:
        raise click.UsageError(str(error)) from error


def price_of_model(
    store: Store, model: str, access: Access, options: dict[str, Any]
) -> Price | None:
    """What tokens cost: as entered, else as remembered for the server, else as in the table.

    Raises:
        click.UsageError: one price of the two.
        PriceError: not an amount.
    """
    if (options["price_in"] is None) != (options["price_out"] is None):
        raise click.UsageError("Give both --price-in and --price-out.")
    if options["price_in"] is not None:
        return entered_price(
            options["price_in"],
            options["price_out"],
            options["currency"],
            today=datetime.date.today(),
        )
    if not read_spec(model).served:
        return None
    known = find_connection(store, model, access.base_urls[0])
    if known is not None and known.price is not None:
        return known.price
    from biaslab.models.prices import price_of

    return price_of(read_spec(model).name, access.base_urls[0])


_GREEDY_TOKENS = 4096
"""More than any strategy here asks for, so that only temperature and seed are replaced."""

sampling_options = together(
    (
        click.option("--samples", type=click.IntRange(1, MOST_SAMPLES), default=1,
                     show_default=True, help="How often each item is asked."),
        click.option("--temperature", type=click.FloatRange(0, 2), default=None,
                     help="0 for the likeliest words, as in the paper; higher for more variety. "
                     "[default: 0]"),
        click.option("--sampling-seed", type=int, default=0, show_default=True,
                     help="Another seed, other luck, at temperatures above 0."),
        click.option("--thinking", type=click.Choice([*map(str, ThinkingLevel)]), default=None,
                     help="How much the model may think before it answers, where it can be set: "
                     f"not at all, {ThinkingLevel.SHORT.tokens} tokens or its little, "
                     f"{ThinkingLevel.LONG.tokens:,} or its much. [default: as the model does]"),
        click.option("--max-tokens", type=click.IntRange(1, MOST_TOKENS), default=None,
                     help="Most tokens of a response, thinking included; also with --resume. "
                     "[default: as the strategy says; more where the server's test saw the model "
                     "think]"),
        click.option("--go-on", type=click.IntRange(0, MOST_GO_ON), default=GO_ON_TIMES,
                     show_default=True,
                     help="How often a response is asked to go on that was cut off before its "
                     "answer could be read; also with --resume."),
    )
)  # fmt: skip


class _Prompt(click.ParamType[str]):
    """The text of a file that holds a system prompt."""

    name = "file"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str:
        """The text, without blank lines around it."""
        with sentences():
            data = read_given(Path(value), 4 * MOST_SYSTEM)
        try:
            text = data.decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            self.fail(f"{value} is no text in UTF-8: save it as UTF-8.")
        return text or self.fail(f"{value} is empty: write the prompt in it, or leave it out.")


system_option = click.option(
    "--system", type=_Prompt(), default=None, metavar="FILE",
    help="A text that a chat model gets before every question, such as the system prompt of a "
    "school's tutor.",
)  # fmt: skip


@click.command("run")
@click.argument("study", required=False)
@design_file_option
@design_options
@click.option("--model", help="tiny, learner:NAME, local:DIRECTORY or openai:NAME "
              "(see `biaslab models`).")  # fmt: skip
@click.option("--strategy", default=None,
              help="Prompt strategy (see `biaslab studies`). [default: the first]")  # fmt: skip
@sampling_options
@server_options
@speed_options
@limit_options
@click.option(
    "--reader",
    default=None,
    metavar="NAME",
    help="How answers are read: “published” for the first number, as in Opedal et al. "
    "[default: the study's own way]",
)
@click.option(
    "--until-answered",
    is_flag=True,
    help="With --reader published and a local model: end an answer once its first number is there.",
)
@system_option
@click.option("--batch-api", is_flag=True,
              help="Hand requests over as a batch, cheaper and answered within a day.")  # fmt: skip
@click.option("--estimate", "only_estimate", is_flag=True,
              help="Say what the run would take and cost, as JSON, and ask nothing.")  # fmt: skip
@db_option
@click.option("--resume", metavar="ID", help="Continue this run instead of starting one.")
@click.option("--queue", is_flag=True,
              help="Wait until other work with this file is done.")  # fmt: skip
@click.option("--only-failed", is_flag=True, help="With --resume: ask what failed, alone.")
def run_command(study: str | None, resume: str | None, db: Path | None, **given: Any) -> None:
    """Ask MODEL every item of STUDY and keep every answer; prints the run's id last."""
    named = study is not None or given["design_file"] is not None
    if resume is None and (not named or given["model"] is None):
        raise click.UsageError("Name a STUDY and a --model, or a run to --resume.")
    if resume is None and given["only_failed"]:
        raise click.UsageError("--only-failed needs a run to --resume.")
    with sentences(), open_store(db or default_database()) as store:
        if resume is not None:
            _same_as_before(store.run(resume), study)
            _change(store, store.run(resume), given)
            run = resume
        else:
            prepared = _prepare(store, study or "", given)
            if prepared is None:
                return
            run = prepared
        _do(store, run, given["only_failed"], given["queue"])


@click.command("runs")
@db_option
@recorded_option
def runs_command(db: Path | None, recorded: bool) -> None:
    """List the runs in a file, the newest first."""
    with sentences(), open_store(db or default_database()) as store:
        held = gallery() if recorded else store
        bundles = [] if held is None or not recorded else opened_bundles(held)
        when = {each.digest: f"{each.opened} {each.versions['file']}" for each in bundles}
        for record in held.runs() if held is not None else ():
            click.echo(
                f"{record.id}  {record.study}  {record.model_spec}  {record.way}  "
                f"{record.status}  {record.items_done}/{record.items_total}"
                + (
                    f"  recorded {when.get(record.bundle, record.bundle[:12])}"
                    if record.bundle
                    else ""
                )
            )


def _prepare(store: Store, study: str, option_values: dict[str, Any]) -> str | None:
    """Writes the run down; None where only an estimate was wanted, which is printed."""
    design = with_file(
        option_values["design_file"],
        design_of(
            study, *(option_values[name] for name in ("n", "seed", "steps", "numbers", "more"))
        ),
    )
    if not was_given("n"):
        design = at_most_all(store, design)
    model = option_values["model"]
    strategy = option_values["strategy"] or experiment(design.study).strategies[0].name
    allow_key(option_values["key_env"], option_values["base_urls"])
    access = reach(store, model, access_of(option_values))
    sampling = sampling_of(option_values)
    length = Length(option_values["max_tokens"], option_values["go_on"])
    price = price_of_model(store, model, access, option_values)
    if option_values["only_estimate"]:
        from biaslab.runs.estimating import estimate

        found = estimate(
            store,
            design,
            model,
            strategy,
            access=access,
            samples=option_values["samples"],
            sampling=sampling,
            length=length,
            price=price,
            system=option_values["system"] or "",
        )
        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return None
    options = RunOptions(
        samples=option_values["samples"],
        access=access,
        budget=budget_of(option_values),
        price=price,
        stopping=stopping_of(design, option_values),
        batch_api=option_values["batch_api"],
        length=length,
        system=option_values["system"] or "",
    )
    if not is_measured(model, access):
        click.echo(
            "Opening this model for the first time: it is measured in eight bits …", err=True
        )
    run = prepare(
        store, design, model, strategy, sampling, options=options, reader=option_values["reader"]
    )
    for reason in untrained(model, design, strategy):
        click.echo(f"{reason} {NEVER_LEARNED}", err=True)
    return run


def sampling_of(options: dict[str, Any]) -> Sampling | None:
    """Temperature, seed and level of thinking that the options name; None where they name none."""
    level = options.get("thinking")
    until = options.get("until_answered", False)
    if not (until or level or was_given("sampling_seed") or options["temperature"] is not None):
        return None
    return Sampling(
        _GREEDY_TOKENS, options["temperature"] or 0.0, options["sampling_seed"],
        thinking=None if level is None else ThinkingLevel(level),
        until_number=until,
    )  # fmt: skip


def _change(store: Store, record: RunRecord, option_values: dict[str, Any]) -> None:
    """Takes over what may differ from one start of a run to the next."""
    before = record.options
    access, budget = before.access, before.budget
    for name, field in (
        ("at_once", "at_once"),
        ("processes", "processes"),
        ("cluster", "cluster"),
        ("key_env", "key_env"),
        ("base_urls", "base_urls"),
    ):
        if was_given(name):
            access = replace(access, **{field: option_values[name]})
    if was_given("base_urls"):  # an address that the file brought was typed by nobody here
        allow_key(access.key_env, option_values["base_urls"])
    for name, field in (
        ("budget_requests", "requests"),
        ("budget_tokens", "tokens"),
        ("budget_money", "money"),
    ):
        if was_given(name):
            budget = replace(budget, **{field: option_values[name]})
    price = before.price
    if was_given("price_in") or was_given("price_out"):
        price = price_of_model(store, record.model_spec, access, option_values)
    length = before.length
    for name, field in (("max_tokens", "tokens"), ("go_on", "go_on")):
        if was_given(name):
            length = replace(length, **{field: option_values[name]})
    options = replace(before, access=access, budget=budget, price=price, length=length)
    if options != before:
        change_options(store, record.id, options)


def _same_as_before(record: RunRecord, study: str | None) -> None:
    """Refuses options that differ from the run to be resumed: they would be ignored.

    Raises:
        click.UsageError: naming the option and what the run has.
    """
    context = click.get_current_context()
    sampling = record.sampling
    before: dict[str, object] = {
        "study": record.study,
        "n": record.design.n,
        "seed": record.design.seed,
        "model": record.model_spec,
        "strategy": record.strategy,
        "samples": record.options.samples,
        "temperature": 0.0 if sampling is None else sampling.temperature,
        "sampling_seed": 0 if sampling is None else sampling.seed,
        "thinking": None if sampling is None else sampling.thinking,
        "until_answered": sampling is not None and sampling.until_number,
        "reader": (record.reader or "").partition(" ")[0],
        "batch_api": record.options.batch_api,
        "system": record.options.system,
        "dtype": record.options.access.dtype,
        **{name: record.design.settings.get(name) for name in ("steps", "numbers")},
    }
    for name, chosen in named_settings().items():
        if record.design.settings.get(name) != chosen:
            raise click.UsageError(
                f"Run {record.id} was made with other settings than --{name} {chosen}: leave it "
                "out to resume, or leave out --resume to start another run."
            )
    for name, value in before.items():
        given = study if name == "study" else context.params[name]
        if was_given(name) and given is not None and given != value:
            raise click.UsageError(
                f"Run {record.id} has {name} {value}, not {given}: leave it out to resume, or "
                "leave out --resume to start another run."
            )


def _do(store: Store, run: str, only_failed: bool, queued: bool) -> None:
    record = store.run(run)
    click.echo(f"Run {run}", err=True)
    with tqdm(
        total=record.items_total, initial=record.items_done, unit=" items", disable=None
    ) as bar:
        record = run_here(
            store,
            run,
            on_progress=_Progress(bar),
            only_failed=only_failed,
            queued=queued,
        )
    _report(store, record)
    click.echo(run)
    if record.status is not RunStatus.FINISHED:
        sys.exit(1)


class _Progress:
    """Moves the bar, and says once what is to be known while a run goes on."""

    def __init__(self, bar: tqdm[Any]) -> None:
        self._bar = bar
        self._told = {""}

    def __call__(self, record: RunRecord) -> None:
        self._bar.n = record.items_done
        self._bar.refresh()
        if record.message not in self._told and not record.message.startswith(WRITING):
            self._told.add(record.message)
            tqdm.write(record.message, file=sys.stderr)


def _report(store: Store, record: RunRecord) -> None:
    click.echo(
        f"{record.answered} answered, {record.invalid} could not be read, "
        f"{record.failed} failed, {record.cached} responses already saved, "
        f"{record.asked} asked, {record.retried} sent again; "
        f"{record.tokens_in} tokens sent, {record.tokens_out} written",
        err=True,
    )
    for retry in store.retries(record.id):
        click.echo(f"  sent again {retry.count} times: {retry.reason}", err=True)
    for failure in store.failures(record.id):
        click.echo(f"  failed {failure.count} times: {failure.reason}", err=True)
    if record.message:
        click.echo(record.message, err=True)
    if record.status is not RunStatus.FINISHED:
        click.echo(
            f"The run is {record.status}. Continue it with: biaslab run --resume {record.id}",
            err=True,
        )


# Finding the design whose difficulty fits a model, before a study.


@click.command("find-design")
@click.argument("study", required=False)
@design_file_option
@design_options
@click.option("--model", required=True, help="Whom to ask (see `biaslab models`).")
@click.option("--strategy", default=None,
              help="Prompt strategy (see `biaslab studies`). [default: the first]")  # fmt: skip
@sampling_options
@server_options
@speed_options
@db_option
def find_design_command(study: str | None, db: Path | None, **given: Any) -> None:
    """Find at which steps and numbers MODEL is right in 50 to 80 % of the easier problems of STUDY.

    At most 200 requests, none of whose problems the study asks. Started again, it goes on.
    """
    from biaslab.runs.jobs.find_design import DesignSearch, SearchProgress, find_design

    def tell(progress: SearchProgress) -> None:
        if progress.search.ending is None:
            click.echo(progress.sentence, err=True)

    with sentences(), open_store(db or default_database()) as store:
        options = (given[name] for name in ("n", "seed", "steps", "numbers", "more"))
        design = with_file(given["design_file"], design_of(study or "", *options))
        allow_key(given["key_env"], given["base_urls"])
        wanted = DesignSearch(
            design,
            given["model"],
            given["strategy"] or experiment(design.study).strategies[0].name,
            sampling_of(given),
            RunOptions(
                access=reach(store, given["model"], access_of(given)),
                length=Length(given["max_tokens"], given["go_on"]),
            ),
        )
        found = find_design(store, wanted, tell)
    click.echo(found.sentence)
    if found.settings is not None:
        chosen = {**design.settings, **found.settings}
        command = ["biaslab", "run", design.study, "--n", str(design.n), "--seed", str(design.seed)]
        for name, value in chosen.items():
            command += ["--set", f"{name}={value}"]
        command += ["--model", wanted.model, "--strategy", wanted.strategy]
        for url in given["base_urls"]:
            command += ["--base-url", url]
        click.echo(shlex.join(command))
