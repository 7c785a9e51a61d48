"""Does the cells of a plan, one after the other in this process, within one budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from biaslab.models import Access, Model, read_spec
from biaslab.models.prices import cost
from biaslab.runs.budget import USED_UP, Budget
from biaslab.runs.engine.prepare import change_options
from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.errors import RunBusy
from biaslab.runs.estimate.estimating import RunEstimate, estimate
from biaslab.runs.matrix.cells import MatrixCell, prepared
from biaslab.runs.matrix.plan import PlanError
from biaslab.runs.store.records import RunRecord, RunStatus
from biaslab.runs.store.store import Store


@dataclass(frozen=True, slots=True)
class Done:
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
) -> Iterator[Done]:
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
            yield Done(cell, None, cell.why_not)
            continue
        before = store.run(cell.run) if cell.run else None
        if before is not None and before.status is RunStatus.FINISHED:
            yield Done(cell, before)
            continue
        left = spent.left(budget, cell)
        if 0 in (left.requests, left.tokens, left.money):
            yield Done(cell, before, _NO_BUDGET)
            continue
        cell = replace(cell, run=prepared(store, cell, sources))
        record = _do(store, cell, left, on_progress, sources)
        spent.count(record)
        yield Done(cell, record, _why_unfinished(record))


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
