"""What those may have asked who may ask listed models alone: which models, and how much.

A host (`biaslab.system.roles`) asks the models that come with the app and the simulated learners,
which cost nothing and go nowhere, and what the person who starts BiasLab names in an environment
variable. Nothing that a host types is opened: no folder, no address.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from biaslab.models import Access, ModelError, ModelKind, identify, read_spec
from biaslab.models.access import OPENAI_URL
from biaslab.models.prices import cost
from biaslab.runs import daily
from biaslab.runs.budget import Budget
from biaslab.runs.daily import HostLimit
from biaslab.runs.jobs.queue import line
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.records import RunRecord
from biaslab.system.roles import PROVE_HERE, TABLE, WORKS_FOR, May, NotAllowed, acting, who

_Amount = TypeVar("_Amount", int, Decimal)

MODELS_VARIABLE = "BIASLAB_HOST_MODELS"
"""Environment variable with what hosts may ask besides, between commas: a model that runs here by
its spec, one on a server as ``openai:NAME@ADDRESS``."""

LIMITS = Budget(requests=20_000, tokens=10_000_000, money=Decimal(5))
"""What a run of a host may use at most, whatever they choose; money where a price is known."""

MOST_PAIRS = 5_000
"""Pairs in a run of a host."""

MOST_WAITING = 20
"""So many runs, plans and trainings may stand in the queue when a host adds one."""


def is_bound() -> bool:
    """Whether whoever acts may ask listed models alone."""
    return May.CONNECT not in TABLE[acting()]


def why_not_listed(spec: str, access: Access | None = None) -> str:
    """Why whoever acts may not have this model asked, as a sentence; empty where they may."""
    if not is_bound() or _is_listed(spec, access or Access()):
        return ""
    return (
        f"“{spec}” is not among the models that hosts may ask here. The person at this computer "
        f"may ask it, and may list it when starting BiasLab. {PROVE_HERE}"
    )


def check_listed(spec: str, access: Access | None = None) -> None:
    """Sees that whoever acts may have this model asked.

    Raises:
        NotAllowed: they may not.
    """
    if why := why_not_listed(spec, access):
        raise NotAllowed(why)


def check_size(pairs: int) -> None:
    """Sees that a run of whoever acts may have so many pairs.

    Raises:
        TooMuch: it may not.
    """
    if is_bound() and pairs > MOST_PAIRS:
        raise HostLimit(
            f"A host asks at most {MOST_PAIRS:,} pairs in a run, and these are {pairs:,}. Choose "
            "fewer."
        )


def check_batch(options: RunOptions) -> None:
    """Sees that a run of whoever acts is not handed over as a batch where that cannot be bounded.

    What a batch uses is known a day later, so it would be in no day's sum.

    Raises:
        TooMuch: it would be handed over.
    """
    if is_bound() and options.batch_api:
        raise HostLimit("A run of a host is not handed over as a batch. Leave the batch out.")


def works_for() -> dict[str, str]:
    """What tells a process that it works for a host, where one acts: environment variables."""
    return {WORKS_FOR: who()} if is_bound() else {}


def check_day(path: str | Path, options: RunOptions | None = None) -> None:
    """Sees that the last 24 hours leave something to whoever acts.

    Args:
        path: the file of runs.
        options: of the run that is to begin; None: no price is known.

    Raises:
        TooMuch: they do not.
        StoreError: the file cannot be read.
    """
    if is_bound():
        price = None if options is None else options.price
        daily.left(path, who()).check("" if price is None else price.currency)


def within_day(path: str | Path, record: RunRecord) -> Budget:
    """The budget of a run that begins now: its own, and no more than the day leaves its host.

    Where the day leaves nothing, nothing is asked, and the run can be resumed later.

    Raises:
        StoreError: the file cannot be read, or the run not be noted beside it.
    """
    budget, price = record.options.budget, record.options.price
    if not is_bound():
        return budget
    left = daily.left(path, who())
    daily.note_run(path, who(), record.id)
    tokens = record.tokens_in + record.tokens_out
    money = None
    if price is not None:
        money = cost(price, record.tokens_in, record.tokens_out) + left.money(price.currency)
    return Budget(
        _least(budget.requests, record.asked + left.requests),
        _least(budget.tokens, tokens + left.tokens),
        _least(budget.money, money),
    )


def take_requests(path: str | Path, requests: int, tokens: int) -> None:
    """Takes requests that belong to no run from what the day leaves whoever acts.

    Args:
        path: the file of runs.
        requests: how many.
        tokens: the most that they send and have written.

    Raises:
        TooMuch: not so many are left; none was taken.
        StoreUnreadable: it cannot be noted.
    """
    if is_bound():
        daily.take(path, who(), daily.Used(requests, tokens))


def left_today(path: str | Path) -> str:
    """What the last 24 hours leave whoever acts, as a sentence; empty where nothing bounds them."""
    return daily.left(path, who()).sentence() if is_bound() else ""


def check_queue(path: str | Path) -> None:
    """Sees that the queue has room for more of whoever acts.

    Raises:
        TooMuch: it has not.
    """
    if is_bound() and len(line(path)) >= MOST_WAITING:
        raise HostLimit(
            f"{MOST_WAITING} runs, plans and trainings wait already. Wait until some are done, "
            "then start this again."
        )


def check_plan(models: Iterable[tuple[str, Access]], pairs: int, requests: int | None) -> None:
    """Sees that whoever acts may have a plan done.

    Args:
        models: spec of each, and how it is reached.
        pairs: most pairs of one of its studies.
        requests: its budget.

    Raises:
        NotAllowed: one of the models is not theirs to ask.
        TooMuch: the plan is too large, or has no budget.
    """
    if not is_bound():
        return
    for spec, access in models:
        check_listed(spec, access)
    check_size(pairs)
    assert LIMITS.requests is not None
    if requests is None or requests > LIMITS.requests:
        raise HostLimit(
            f"A host's plan has a limit of at most {LIMITS.requests:,} requests. Enter one under "
            "“Most requests”."
        )


def within_limits(options: RunOptions) -> RunOptions:
    """The options of a run with what it may use at most, where whoever acts is bound by that."""
    if not is_bound():
        return options
    asked = options.budget
    budget = Budget(
        _least(asked.requests, LIMITS.requests),
        _least(asked.tokens, LIMITS.tokens),
        asked.money if options.price is None else _least(asked.money, LIMITS.money),
    )
    return replace(options, budget=budget)


def _is_listed(spec: str, access: Access) -> bool:
    listed = {each.strip() for each in os.environ.get(MODELS_VARIABLE, "").split(",")} - {""}
    named = read_spec(spec)
    if named.served:
        urls = access.base_urls or (OPENAI_URL,)
        return all(f"{spec}@{url}" in listed for url in urls)
    comes_along = named.kind in (ModelKind.TINY, ModelKind.LEARNER)
    if spec in listed or (comes_along and not {"/", "\\"} & set(named.name)):
        return True
    # In runs a local model has the sum of its files for a folder; only listed ones are opened.
    return "#" in named.name and any(
        _called(each) == spec for each in listed if read_spec(each).has_weights
    )


def _called(listed: str) -> str:
    """What a listed model is called in runs; empty where it is not there."""
    try:
        return identify(listed, download=False).spec
    except ModelError:
        return ""


def _least(asked: _Amount | None, most: _Amount | None) -> _Amount | None:
    return min((each for each in (asked, most) if each is not None), default=None)
