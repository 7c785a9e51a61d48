"""The cells of a plan: each a study asked of a model in one way, and the run that does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from biaslab.models import Access, Sampling
from biaslab.models.prices import Price
from biaslab.runs.engine.prepare import find_strategy, prepare
from biaslab.runs.engine.sources import Sources, at_most, installed
from biaslab.runs.errors import UnknownStrategy
from biaslab.runs.fitting import why_not_so, why_unfit
from biaslab.runs.matrix.plan import MatrixPlan, PlanError, PlannedModel, PlannedStudy
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.studies.study import Design, Experiment

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
                options = RunOptions(plan.samples, access, price=price)
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
                    or why_not_so(find_strategy(experiment, strategy), identity, access, None),
                )
                key = (repr(design), identity.spec, repr(access.base_urls[:1]), strategy)
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
        and run.options.samples == options.samples
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
