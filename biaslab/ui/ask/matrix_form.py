"""Choosing several studies, models and prompt strategies: what a person picks becomes a plan."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import streamlit as st
import yaml

from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import Connection, RunError, connections
from biaslab.runs.hosting import why_not_listed
from biaslab.studies import Design, Experiment, experiment, experiments
from biaslab.ui.ask.asking import SIMULATED
from biaslab.ui.ask.model_cards import default_setting, default_strategy
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, integer, open_integer, several
from biaslab.ui.widgets.words import place
from schoolmath.problems import DesignError

_PUBLISHED_RANK = 100
"""Studies below it have a place of their own in lists: those that a person begins with."""
_MOST_PAIRS = 10_000
_MOST_REQUESTS = 1_000_000


class Askable(NamedTuple):
    """Somebody who can be asked.

    Attributes:
        entry: as a plan names it; label: as a person reads it.
        server: where it is; None for a model that runs here.
    """

    entry: Mapping[str, Any]
    label: str
    server: Connection | None = None


def askable() -> dict[str, Askable]:
    """All who can be asked without a further word, by an id that stands in addresses."""
    found = {
        model.spec: Askable({"model": model.spec}, model.label)
        for model in queries.models()
        if model.ready and "," not in model.spec
    }
    for server in connections(queries.store()):
        if server.capabilities.ok and not why_not_listed(server.spec, server.access):
            entry = {"model": server.spec, "base_url": server.base_url}
            id_ = served_id(server)
            if "," not in id_:
                label = f"{server.capabilities.name} on {place(server.base_url)}"
                found.setdefault(id_, Askable(entry, label, server))
    labels = choosing.distinct_labels({id_: each.label for id_, each in found.items()})
    return {id_: each._replace(label=labels[id_]) for id_, each in found.items()}


def served_id(server: Connection) -> str:
    """What a model on a server is called in the address of the page."""
    return f"{server.spec}@{server.base_url}"


def draw_choice(models: Mapping[str, Askable]) -> bytes:
    """Draws what there is to choose and gives the file of the plan that it comes to."""
    offered = _offered()
    first = [name for name in offered if experiment(name).rank < _PUBLISHED_RANK]
    studies = several("studies", offered, first)
    choosing.multiselect(
        "Studies", offered, format_func=lambda name: experiment(name).title, select_all=False,
        **studies.bind(),
    )  # fmt: skip
    usual = DEFAULT_TINY if DEFAULT_TINY in models else SIMULATED
    asked = several("models", tuple(models), [usual])
    choosing.multiselect(
        "Models", models, format_func=lambda id_: models[id_].label, select_all=False,
        help="Models on servers are connected on the page Models first.",
        **asked.bind(),
    )  # fmt: skip
    chosen = [experiment(name) for name in studies.value]
    strategies = _draw_strategies(chosen)
    pairs, seed, most = st.columns(3)
    n: Parameter[int] = integer("n", 60, 1, _MOST_PAIRS)
    drawn: Parameter[int] = integer("seed", 1, 0, 2**31)
    limit = open_integer("budget-requests", 1, _MOST_REQUESTS)
    with pairs:
        st.number_input(
            "Pairs of each", 1, _MOST_PAIRS,
            help="A study that has fewer is asked all it has.", **n.bind(),
        )  # fmt: skip
    with seed:
        st.number_input("Seed", 0, 2**31, **drawn.bind())
    with most:
        st.number_input(
            "Most requests", 1, _MOST_REQUESTS, placeholder="no limit",
            help="For all of them together, over all times that this is started.", **limit.bind(),
        )  # fmt: skip
    return _plan(
        chosen, [models[id_] for id_ in asked.value], strategies, n.value, drawn.value, limit.value
    )


def _draw_strategies(chosen: list[Experiment]) -> list[str]:
    labels = {each.name: each.label for study in chosen for each in study.strategies}
    usual = default_strategy(chosen[0])
    parameter = several("strategies", tuple(labels), [usual])
    choosing.multiselect(
        "Prompt strategies", labels, format_func=labels.__getitem__, select_all=False,
        help="The words around the problem. A study that knows none of them is asked by its first.",
        **parameter.bind(),
    )  # fmt: skip
    return parameter.value


def _plan(
    studies: list[Experiment],
    models: list[Askable],
    strategies: list[str],
    n: int,
    seed: int,
    requests: int | None,
) -> bytes:
    plan: dict[str, Any] = {
        "studies": [
            {
                "study": study.name,
                "n": n,
                "seed": seed,
                **{s.name: default_setting(study, s) for s in study.settings},
                "strategies": [s.name for s in study.strategies if s.name in strategies]
                or [study.strategies[0].name],
            }
            for study in studies
        ],
        "models": [dict(model.entry) for model in models],
    }
    if requests is not None:
        plan["budget"] = {"requests": requests}
    return yaml.safe_dump(plan, sort_keys=False, allow_unicode=True).encode()


@cache
def _offered() -> tuple[str, ...]:
    """The studies that can be asked without choosing more, in the order of lists."""
    return tuple(name for name, study in experiments().items() if _makes_pairs(study))


def _makes_pairs(study: Experiment) -> bool:
    try:
        return any(True for _ in study.pairs(Design(study.name, 1, 1)))
    except (DesignError, RunError):
        return False
