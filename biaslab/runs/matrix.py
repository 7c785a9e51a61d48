"""Several studies, models and prompt strategies in one go: a plan, its cells, and doing them.

plan = read_plan(Path("plan.yaml").read_bytes(), "plan.yaml")
cells = cells_of(store, plan, reach)
do_cells(store, cells, plan.budget)

The file of a plan says which studies are asked of which models, in which ways, at what cost:

    studies:
      - {study: consistency, n: 200, steps: 1-3}
      - carry
    models:
      - tiny:balanced
      - {model: "openai:llama3.2", base_url: "http://localhost:11434/v1"}
    strategies: [direct, cot]
    budget: {requests: 5000}

It names no keys: a server that wants one is connected before, by a person (docs/servers.md).
`biaslab.runs.jobs.plans` does plans in the background, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from biaslab.models import Access, Model, Sampling, read_spec
from biaslab.models.prices import Price, cost
from biaslab.models.provider import AT_ONCE, AUTO, MOST_AT_ONCE
from biaslab.runs.engine.budget import USED_UP, Budget
from biaslab.runs.engine.prepare import change_options, find_strategy, prepare
from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources, at_most, installed
from biaslab.runs.errors import RunBusy, RunError, UnknownStrategy
from biaslab.runs.estimating import RunEstimate, estimate
from biaslab.runs.fitting import why_no_system, why_not_so, why_unfit
from biaslab.runs.store.options import MOST_SYSTEM, RunOptions
from biaslab.runs.store.records import RunRecord, RunStatus
from biaslab.runs.store.schema import MOST_SAMPLES
from biaslab.runs.store.store import Store
from biaslab.studies.study import Design, Experiment
from schoolmath.text.yaml_files import parse_yaml

MAX_BYTES = 100_000
"""Bytes of the largest plan."""

MOST_SHOWN = 12
"""Faults that a refusal tells."""

_Name = Annotated[str, Field(min_length=1, max_length=300)]


class PlanError(RunError):
    """A plan that is not taken; the message tells its faults, each with its place."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlannedStudy(_Entry):
    """A study with its design. Further keys are settings of the study, such as ``steps: 1-3``.

    Attributes:
        study: its name; n, seed: as for `biaslab.studies.Design`.
        strategies: prompt strategies in place of the plan's.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    study: _Name
    n: int = Field(default=200, ge=1, le=1_000_000)
    seed: int = 1
    strategies: tuple[_Name, ...] | Literal["all"] | None = None

    @property
    def design(self) -> Design:
        """Which pairs are asked."""
        return Design(self.study, self.n, self.seed, dict(self.model_extra or {}))


class PlannedModel(_Entry):
    """A model and how it is reached.

    Attributes:
        model: what opens it, as ``--model``.
        base_url: of its server; None: that of OpenAI, or none is needed.
        at_most: requests on their way at once.
        price_in, price_out: of a million tokens sent and written; currency: of both.
        system: what a chat model is told before every request; the same model may stand in a plan
            with and without it.
    """

    model: _Name
    base_url: _Name | None = None
    at_most: int = Field(default=AT_ONCE, ge=1, le=MOST_AT_ONCE)
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    currency: str = Field(default="USD", max_length=10)
    system: str = Field(default="", max_length=MOST_SYSTEM)


class PlannedBudget(_Entry):
    """What all cells may use together; None: no limit."""

    requests: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    money: Decimal | None = Field(default=None, ge=0)


def _by_name(key: str) -> BeforeValidator:
    """An entry that is a name alone stands for one with that key."""
    return BeforeValidator(lambda given: {key: given} if isinstance(given, str) else given)


class MatrixPlan(_Entry):
    """Studies and models.

    Attributes:
        studies, models: at least one of each.
        strategies: names of prompt strategies, "all", or None for the first of each study. A
            study that does not know one of them has no cell for it.
        samples: how often each item is asked; temperature, sampling_seed: of every request, where
            not as the strategies say.
        most: what all of it may use.
    """

    studies: tuple[Annotated[PlannedStudy, _by_name("study")], ...] = Field(
        min_length=1, max_length=50
    )
    models: tuple[Annotated[PlannedModel, _by_name("model")], ...] = Field(
        min_length=1, max_length=100
    )
    strategies: tuple[_Name, ...] | Literal["all"] | None = None
    samples: int = Field(default=1, ge=1, le=MOST_SAMPLES)
    temperature: float | None = Field(default=None, ge=0, le=2)
    sampling_seed: int = 0
    most: PlannedBudget = Field(default=PlannedBudget(), alias="budget")

    @property
    def budget(self) -> Budget:
        """What all cells may use together."""
        return Budget(self.most.requests, self.most.tokens, self.most.money)


def read_plan(data: bytes, name: str = "The plan") -> MatrixPlan:
    """A plan from its file.

    Args:
        data: the file; more than `MAX_BYTES` are refused before anything is parsed.
        name: what it is called, for refusals.

    Raises:
        PlanError: naming every entry and key at fault.
    """
    if len(data) > MAX_BYTES:
        raise PlanError(f"{name} is larger than {MAX_BYTES:,} bytes: split it.")
    try:
        loaded = parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PlanError(f"{name} is no text in UTF-8: save it as UTF-8.") from None
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise PlanError(f"{name} is no YAML{line}: {error.problem or 'it is damaged'}.") from None
    except (yaml.YAMLError, ValueError) as error:
        raise PlanError(f"{name} is no YAML: {error}.") from None
    if not isinstance(loaded, dict):
        raise PlanError(f"{name} holds no plan: begin with “studies:” and “models:”.")
    try:
        return MatrixPlan.model_validate(loaded)
    except ValidationError as error:
        faults = list(_faults(error))
        if len(faults) > MOST_SHOWN:
            faults[MOST_SHOWN:] = [f"... and {len(faults) - MOST_SHOWN} more."]
        raise PlanError("\n".join(f"{name}: {fault}" for fault in faults)) from None


_KINDS_OF_FAULT = {
    "missing": "is missing",
    "extra_forbidden": "is no key that is known here",
    "string_type": "is no text",
    "int_parsing": "is no whole number",
    "int_type": "is no whole number",
    "float_parsing": "is no number",
    "float_type": "is no number",
    "decimal_parsing": "is no amount: write a number such as 2.50",
    "tuple_type": "is no list: write [one, two]",
    "too_short": "has no entry",
    "too_long": "has too many entries",
    "string_too_long": "is too long",
    "string_too_short": "is empty",
}


def _faults(error: ValidationError) -> Iterator[str]:
    """A sentence for each fault, once for each place."""
    seen = set()
    for fault in error.errors(include_url=False, include_input=False):
        place = _place(fault["loc"])
        if place not in seen:
            seen.add(place)
            yield f"{place} {_KINDS_OF_FAULT.get(fault['type']) or _limit(fault)}."


def _place(parts: tuple[int | str, ...]) -> str:
    place = ""
    for part in parts:
        if isinstance(part, int):
            place += f"[{part + 1}]"
        elif part.isidentifier():
            place += f".{part}" if place else part
    return place or "The file"


def _limit(fault: Mapping[str, Any]) -> str:
    """What a number may be; for anything else that it cannot be so."""
    bounds = fault.get("ctx", {})
    if "ge" in bounds:
        return f"is less than {bounds['ge']}"
    if "le" in bounds:
        return f"is more than {bounds['le']:,}"
    return "cannot be so"


# The cells of a plan: each a study asked of a model in one way, and the run that does it.


MOST_CELLS = 1_000
"""Cells of a plan; more are a mistake more often than a wish."""

_GREEDY_TOKENS = 4096
"""More than any strategy here asks for, so that only temperature and seed are replaced."""

Reach = Callable[[PlannedModel], tuple[Access, Price | None]]
"""How a model of a plan is reached, and what its tokens cost; tests a server that is new."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One of the runs that a plan asks for.

    Attributes:
        design: which pairs.
        model: whom to ask, as in the plan.
        strategy: the prompt strategy.
        sampling, options: as for `prepare`, the budget apart.
        run: id of the run that does it, finished or not; empty: it is still to be prepared.
        why_not: why this model cannot be asked this study; empty where it can.
    """

    design: Design
    model: str
    strategy: str
    sampling: Sampling | None
    options: RunOptions
    run: str = ""
    why_not: str = ""


def cells_of(
    store: Store, plan: MatrixPlan, reach: Reach, sources: Sources | None = None
) -> tuple[MatrixCell, ...]:
    """What a plan comes to, model by model, so that each is opened once.

    A cell whose own run is in the file already, prepared for the same model, is that run: what is
    finished is kept, and what is not goes on.

    Args:
        store: the file.
        plan: what is asked of whom.
        reach: how each model is reached.
        sources: where studies and models come from, if not those installed.

    Raises:
        PlanError: too many cells, one twice, or a strategy that no study of the plan knows.
        DesignError, ModelError, RunError: a study, a setting or a model is none.
    """
    sources = sources or installed(store)
    studied = [(each, sources.experiment(each.study)) for each in plan.studies]
    _check_strategies(plan, studied)
    sampling = None
    if plan.temperature is not None or plan.sampling_seed:
        sampling = Sampling(_GREEDY_TOKENS, plan.temperature or 0.0, plan.sampling_seed)
    runs = [run for run in store.runs() if run.bundle is None]
    cells: dict[tuple[str, str, str, str], MatrixCell] = {}
    for model in plan.models:
        access, price = reach(model)
        identity = sources.identify(model.model, access)
        for study, experiment in studied:
            design = at_most(experiment, study.design)
            for strategy in _strategies(plan, study, experiment):
                options = RunOptions(plan.samples, access, price=price, system=model.system)
                cell = MatrixCell(
                    design,
                    identity.spec,
                    strategy,
                    sampling,
                    options,
                    run=next(
                        (
                            run.id
                            for run in runs
                            if (run.model_revision, run.model_form)
                            == (identity.revision, identity.form)
                            and _does(run, design, identity.spec, strategy, sampling, options)
                        ),
                        "",
                    ),
                    why_not=why_unfit(experiment, identity)
                    or why_not_so(find_strategy(experiment, strategy), identity, access, None)
                    or why_no_system(identity, model.system),
                )
                where = (repr(access.base_urls[:1]), model.system)
                key = (repr(design), identity.spec, repr(where), strategy)
                if key in cells:
                    raise PlanError(
                        f"The plan asks {identity.spec} the same design of {study.study} by "
                        f"“{strategy}” twice. Take one out, or give one of them another seed."
                    )
                cells[key] = cell
    if len(cells) > MOST_CELLS:
        raise PlanError(
            f"The plan comes to {len(cells):,} runs, and at most {MOST_CELLS:,} are taken. Split "
            "it."
        )
    return tuple(cells.values())


def prepared(store: Store, cell: MatrixCell, sources: Sources) -> str:
    """The id of the cell's run, which is written down if it is not yet; raises as `prepare`."""
    return cell.run or prepare(
        store,
        cell.design,
        cell.model,
        cell.strategy,
        cell.sampling,
        options=cell.options,
        sources=sources,
    )


def _does(
    run: RunRecord,
    design: Design,
    model: str,
    strategy: str,
    sampling: Sampling | None,
    options: RunOptions,
) -> bool:
    """Whether a run asks just this."""
    access = run.options.access
    return (
        (run.study, run.model_spec, run.strategy) == (design.study, model, strategy)
        and (run.design.n, run.design.seed) == (design.n, design.seed)
        and dict(run.design.settings) == dict(design.settings)
        and run.sampling == sampling
        and (run.options.samples, run.options.system) == (options.samples, options.system)
        and run.options.stopping is None
        and not run.options.batch_api
        and access.base_urls[:1] == options.access.base_urls[:1]
        and access.endpoint == options.access.endpoint
    )


def _strategies(plan: MatrixPlan, study: PlannedStudy, experiment: Experiment) -> Iterator[str]:
    wanted = plan.strategies if study.strategies is None else study.strategies
    known = [each.name for each in experiment.strategies]
    if wanted is None:
        yield known[0]
    elif wanted == "all":
        yield from known
    else:
        yield from (name for name in dict.fromkeys(wanted) if name in known)


def _check_strategies(plan: MatrixPlan, studied: list[tuple[PlannedStudy, Experiment]]) -> None:
    """Refuses a strategy that leads to no cell: it is misspelled, or meant for another study.

    Raises:
        PlanError, UnknownStrategy: naming those that there are.
    """
    for study, experiment in studied:
        for name in study.strategies or ():
            if study.strategies != "all":
                find_strategy(experiment, name)
    if plan.strategies is None or plan.strategies == "all":
        return
    without = [(study, each) for study, each in studied if study.strategies is None]
    for name in plan.strategies:
        if without and not any(name in [s.name for s in each.strategies] for _, each in without):
            known = sorted({s.name for _, each in without for s in each.strategies})
            raise UnknownStrategy(
                f"No study of the plan asks by “{name}”. Those it has are {', '.join(known)}."
            )
    for study, experiment in without:
        if not list(_strategies(plan, study, experiment)):
            known = [each.name for each in experiment.strategies]
            raise PlanError(
                f"{study.study} asks by none of the plan's strategies. Give it its own, as in "
                f"{{study: {study.study}, strategies: [{known[0]}]}}; it knows {', '.join(known)}."
            )


# Does the cells of a plan, one after the other in this process, within one budget.


@dataclass(frozen=True, slots=True)
class CellResult:
    """What became of a cell.

    Attributes:
        cell: with the id of its run; the id is empty only where the model cannot be asked or
            the budget was used up before.
        record: the run as it stands; None where there is none.
        message: why it did not finish, as a sentence; empty where it did.
    """

    cell: MatrixCell
    record: RunRecord | None
    message: str = ""

    @property
    def finished(self) -> bool:
        """Whether everything of it was asked."""
        return self.record is not None and self.record.status is RunStatus.FINISHED


Progress = Callable[[MatrixCell, RunRecord], None]


def do_cells(
    store: Store,
    cells: Sequence[MatrixCell],
    budget: Budget | None = None,
    on_progress: Progress | None = None,
    *,
    sources: Sources | None = None,
) -> Iterator[CellResult]:
    """Does every cell that is not finished, and gives each as it ends, the finished ones too.

    A cell that fails does not keep the others from being done. Once the budget is used up,
    the rest is given back undone. What was answered is kept whatever happens, so doing the same
    plan again goes on where it ended.

    Args:
        store: the file.
        cells: as `cells_of` gives them.
        budget: what all of them may use together, over all times that the plan is done; None:
            no limit.
        on_progress: called about twice a second with the cell that is being asked.
        sources: where studies and models come from, if not those installed.

    Raises:
        PlanError: a budget in money where prices are missing or in several currencies.
        RunBusy: another process is at one of the runs.
        StoreError: the file cannot be written.
        KeyboardInterrupt: as it came; the run that was being asked is then stopped.
    """
    budget = budget or Budget()
    _check_money(cells, budget)
    sources = _opened_once(sources or installed(store))
    spent = _Spent(store, cells)
    for cell in cells:
        if cell.why_not:
            yield CellResult(cell, None, cell.why_not)
            continue
        before = store.run(cell.run) if cell.run else None
        if before is not None and before.status is RunStatus.FINISHED:
            yield CellResult(cell, before)
            continue
        left = spent.left(budget, cell)
        if 0 in (left.requests, left.tokens, left.money):
            yield CellResult(cell, before, _NO_BUDGET)
            continue
        cell = replace(cell, run=prepared(store, cell, sources))
        record = _do(store, cell, left, on_progress, sources)
        spent.count(record)
        yield CellResult(cell, record, _why_unfinished(record))


_NO_BUDGET = "The budget of the plan is used up; do it again with a larger one."


def _why_unfinished(record: RunRecord) -> str:
    if record.status is RunStatus.FINISHED:
        return ""
    if record.message.startswith(USED_UP):
        return _NO_BUDGET
    return record.message or f"Run {record.id} is {record.status}."


def estimate_cells(
    store: Store, cells: Iterable[MatrixCell], sources: Sources | None = None
) -> Iterator[tuple[MatrixCell, RunEstimate | None]]:
    """What each cell would take; None where it is finished or its model cannot be asked."""
    for cell in cells:
        done = bool(cell.run) and store.run(cell.run).status is RunStatus.FINISHED
        if done or cell.why_not:
            yield cell, None
            continue
        yield (
            cell,
            estimate(
                store,
                cell.design,
                cell.model,
                cell.strategy,
                access=cell.options.access,
                samples=cell.options.samples,
                sampling=cell.sampling,
                price=cell.options.price,
                system=cell.options.system,
                sources=sources,
            ),
        )


def _do(
    store: Store, cell: MatrixCell, budget: Budget, on_progress: Progress | None, sources: Sources
) -> RunRecord:
    record = store.run(cell.run)
    if record.status in (RunStatus.RUNNING, RunStatus.STOPPING):
        raise RunBusy(
            f"Run {cell.run} of this plan is being done by another process. Wait until it has "
            "ended, or stop it."
        )
    access = cell.options.access
    if access.dtype == AUTO:  # the run has the number format that was found for its model
        access = replace(access, dtype=record.options.access.dtype)
    options = replace(record.options, access=access, budget=budget, price=cell.options.price)
    if options != record.options:
        change_options(store, cell.run, options)
    tell = None if on_progress is None else (lambda now: on_progress(cell, now))
    return run_here(store, cell.run, tell, sources=sources)


class _Spent:
    """What the runs of a plan have used, each over all times that it was started."""

    def __init__(self, store: Store, cells: Sequence[MatrixCell]) -> None:
        self._of = {cell.run: store.run(cell.run) for cell in cells if cell.run}

    def count(self, record: RunRecord) -> None:
        """Takes over how a run stands now."""
        self._of[record.id] = record

    def left(self, budget: Budget, cell: MatrixCell) -> Budget:
        """The budget of a cell's run: all that the other runs have left of the plan's."""
        others = [record for run, record in self._of.items() if run != cell.run]
        price = cell.options.price
        requests, tokens, money = budget.requests, budget.tokens, budget.money
        if requests is not None:
            requests = max(0, requests - sum(each.asked for each in others))
        if tokens is not None:
            tokens = max(0, tokens - sum(each.tokens_in + each.tokens_out for each in others))
        if money is not None and price is not None:
            for each in others:
                if each.options.price is not None:
                    money -= cost(each.options.price, each.tokens_in, each.tokens_out)
            money = max(money, money * 0)
        elif price is None:
            money = None  # what costs nothing is not held back by a budget in money
        return Budget(requests, tokens, money)


def _check_money(cells: Sequence[MatrixCell], budget: Budget) -> None:
    """Raises PlanError where a budget in money says nothing about what is asked."""
    if budget.money is None:
        return
    served = [cell for cell in cells if read_spec(cell.model).served]
    missing = sorted({cell.model for cell in served if cell.options.price is None})
    if missing:
        raise PlanError(
            "A budget in money needs to know what tokens cost: give price_in and price_out of "
            f"{', '.join(missing)}."
        )
    currencies = {cell.options.price.currency for cell in served if cell.options.price is not None}
    if len(currencies) > 1:
        raise PlanError(
            f"The prices are in {' and '.join(sorted(currencies))}, and a budget in money is in "
            "one currency. Give all prices in one, or the budget in requests or tokens."
        )


def _opened_once(sources: Sources) -> Sources:
    """The same, but a model whose weights are here stays open from one cell to the next."""
    last: list[tuple[str, Access, Model]] = []

    def open_model(spec: str, access: Access) -> Model:
        if not read_spec(spec).has_weights:
            return sources.open_model(spec, access)
        if not last or last[0][:2] != (spec, access):
            last.clear()  # the one before may go before the next one takes its room
            last.append((spec, access, sources.open_model(spec, access)))
        return last[0][2]

    return replace(sources, open_model=open_model)
