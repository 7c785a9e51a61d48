"""What those may have asked who may ask listed models alone: which models, and how much.

A host (`biaslab.roles`) asks the models that come with the app and the simulated learners, which
cost nothing and go nowhere, and what the person who starts BiasLab names in an environment
variable. Nothing that a host types is opened: no folder, no address.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from biaslab.models import Access, ModelKind, read_spec
from biaslab.models.access import OPENAI_URL
from biaslab.roles import PROVE_HERE, TABLE, May, NotAllowed, acting
from biaslab.runs.budget import Budget
from biaslab.runs.errors import RunError
from biaslab.runs.jobs.queue import line
from biaslab.runs.store.options import RunOptions

MODELS_VARIABLE = "BIASLAB_HOST_MODELS"
"""Environment variable with what hosts may ask besides, between commas: a model that runs here by
its spec, one on a server as ``openai:NAME@ADDRESS``."""

LIMITS = Budget(requests=20_000, tokens=10_000_000, money=Decimal(5))
"""What a run of a host may use at most, whatever they choose; money where a price is known."""

MOST_PAIRS = 5_000
"""Pairs in a run of a host."""

MOST_WAITING = 20
"""So many runs, plans and trainings may stand in the queue when a host adds one."""


class TooMuch(RunError):
    """More than a host may have asked, or more than this computer has time for now."""


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
        raise TooMuch(
            f"A host asks at most {MOST_PAIRS:,} pairs in a run, and these are {pairs:,}. Choose "
            "fewer."
        )


def check_queue(path: str | Path) -> None:
    """Sees that the queue has room for more of whoever acts.

    Raises:
        TooMuch: it has not.
    """
    if is_bound() and len(line(path)) >= MOST_WAITING:
        raise TooMuch(
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
        raise TooMuch(
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
        asked.money if options.price is None else _least_money(asked.money),
    )
    return replace(options, budget=budget)


def _is_listed(spec: str, access: Access) -> bool:
    listed = {each.strip() for each in os.environ.get(MODELS_VARIABLE, "").split(",")} - {""}
    named = read_spec(spec)
    if named.served:
        urls = access.base_urls or (OPENAI_URL,)
        return all(f"{spec}@{url}" in listed for url in urls)
    comes_along = named.kind in (ModelKind.TINY, ModelKind.LEARNER)
    return spec in listed or (comes_along and not {"/", "\\"} & set(named.name))


def _least(asked: int | None, most: int | None) -> int | None:
    return min((each for each in (asked, most) if each is not None), default=None)


def _least_money(asked: Decimal | None) -> Decimal | None:
    return min((each for each in (asked, LIMITS.money) if each is not None), default=None)
