"""What screens read from the file of runs, kept so that a click computes nothing twice."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd
import streamlit as st

from biaslab.analysis import Effect, effects
from biaslab.experiments import Design, Pair, Value, experiment
from biaslab.models import ModelChoice, list_models
from biaslab.runs import (
    PairRow,
    Pattern,
    RunRecord,
    RunStatus,
    Store,
    default_database,
    open_store,
)

PREVIEWED = 100
"""Most pairs that Compose shows before anything is run."""


class State(NamedTuple):
    """Identifies what a run's outcomes depend on: they change only with these numbers."""

    run: str
    answered: int
    invalid: int
    failed: int

    @classmethod
    def of(cls, run: RunRecord) -> State:
        """The state of a run as it was read."""
        return cls(run.id, run.answered, run.invalid, run.failed)


def store() -> Store:
    """The file of runs; one object for all sessions of this server."""
    path = default_database()
    if not path.exists():
        # Somebody moved or deleted the file: connections to what was there are of no use.
        _opened.clear()
    return _opened(str(path))


@st.cache_resource(show_spinner=False, max_entries=8)
def _opened(path: str) -> Store:
    return open_store(Path(path))


def runs() -> list[RunRecord]:
    """Every run, the newest first. Never kept: a worker may end without a word."""
    return store().runs()


def runs_with_answers() -> list[RunRecord]:
    """Runs that have something to show, the newest first."""
    return [run for run in runs() if run.items_done or run.status is RunStatus.FINISHED]


def outcomes(states: tuple[State, ...]) -> pd.DataFrame:
    """Outcomes of runs as they stand; shared by all sessions, so never to be changed."""
    return _outcomes(str(default_database()), states)


@st.cache_resource(show_spinner=False, max_entries=4)
def _outcomes(path: str, states: tuple[State, ...]) -> pd.DataFrame:
    return _opened(path).outcomes([state.run for state in states])


def effects_of(states: tuple[State, ...], by: str | None, invalid: str) -> list[Effect]:
    """Effects of runs as they stand."""
    return _effects(str(default_database()), states, by, invalid)


@st.cache_data(show_spinner=False, max_entries=64)
def _effects(path: str, states: tuple[State, ...], by: str | None, invalid: str) -> list[Effect]:
    rule = "exclude" if invalid == "exclude" else "strict"
    return effects(_outcomes(path, states), by=by, invalid=rule)


def strata_values(state: State) -> dict[str, list[Value]]:
    """Every stratum of a run's pairs with its values, in order."""
    return _strata_values(str(default_database()), state.run)


@st.cache_data(show_spinner=False, max_entries=32)
def _strata_values(path: str, run: str) -> dict[str, list[Value]]:
    """A run's pairs never change, so neither do these."""
    found: dict[str, set[Value]] = {}
    for strata in _opened(path).outcomes([run])["strata"]:
        for name, value in strata.items():
            found.setdefault(name, set()).add(value)
    return {name: sorted(values, key=_order) for name, values in found.items()}


def _order(value: Value) -> tuple[bool, float, str]:
    return (True, 0.0, value) if isinstance(value, str) else (False, float(value), "")


def pair_rows(
    state: State,
    patterns: tuple[str, ...],
    strata: tuple[tuple[str, Value], ...],
    offset: int,
    limit: int,
) -> list[PairRow]:
    """A page of a run's pairs as they stand; no patterns means all of them."""
    return _pair_rows(str(default_database()), state, patterns, strata, offset, limit)


@st.cache_data(show_spinner=False, max_entries=128)
def _pair_rows(
    path: str,
    state: State,
    patterns: tuple[str, ...],
    strata: tuple[tuple[str, Value], ...],
    offset: int,
    limit: int,
) -> list[PairRow]:
    return _opened(path).pair_rows(state.run, patterns or None, dict(strata), offset, limit)


def pattern_counts(state: State, strata: tuple[tuple[str, Value], ...]) -> dict[Pattern, int]:
    """How many pairs have each pattern, as they stand."""
    return _pattern_counts(str(default_database()), state, strata)


@st.cache_data(show_spinner=False, max_entries=128)
def _pattern_counts(
    path: str, state: State, strata: tuple[tuple[str, Value], ...]
) -> dict[Pattern, int]:
    return _opened(path).count_patterns(state.run, dict(strata))


@st.cache_resource(show_spinner=False, max_entries=64)
def first_pairs(
    study: str, seed: int, settings: tuple[tuple[str, str | int | bool], ...], count: int
) -> tuple[Pair, ...]:
    """The first pairs of a design, which are the same whatever its size.

    Raises:
        DesignError: the settings give no pairs.
    """
    return tuple(experiment(study).pairs(Design(study, count, seed, dict(settings))))


@st.cache_data(show_spinner=False, ttl=20)
def models() -> list[ModelChoice]:
    """Models to choose from. Looked up again now and then: a model may be put in place."""
    return list_models()


def model_label(spec: str) -> str:
    """What a model is called on screens."""
    from biaslab.ui.words import short_name

    labels = {choice.spec: choice.label for choice in models()}
    return labels.get(spec, short_name(spec))
