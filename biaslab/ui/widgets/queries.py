"""What screens read from the file of runs, kept so that a click computes nothing twice."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from biaslab.models import ModelChoice, ModelKind, list_models, read_spec
from biaslab.runs import (
    FailureCount,
    PairDetail,
    PairOrder,
    PairPattern,
    PairRow,
    ReadingRules,
    RunRecord,
    RunStatus,
    Store,
    StoreUnreadable,
    adjustments,
    default_database,
    gallery,
    open_store,
    study_from,
)
from biaslab.stats import (
    Agreement,
    AnalysisError,
    CountingRules,
    Effect,
    Finding,
    InvalidRule,
    RunComparison,
    agreement,
    agreement_between_runs,
    compare,
    effects,
)
from biaslab.stats.beside_effects import effects_beside
from biaslab.stats.comparisons.logs import SampleScores
from biaslab.stats.comparisons.over_strata import logistic
from biaslab.stats.comparisons.shared_pairs import runs_of
from biaslab.studies import Design, Experiment, Pair, Value, experiment
from biaslab.studies.study import strategy_label

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.stats.beside_effects import StrategyShare

PREVIEWED = 100
"""Most pairs that Compose shows before anything is run."""


class OutcomesState(NamedTuple):
    """Identifies what a run's outcomes depend on: they change only with these numbers.

    Its intervals depend on how often a rule for stopping early has looked as well, and all of them
    on which reader read the answers.
    """

    run: str
    answered: int
    invalid: int
    failed: int
    looks: int = 0
    reader: str = ""

    @classmethod
    def of(cls, run: RunRecord) -> OutcomesState:
        """The state of a run as it was read."""
        return cls(run.id, run.answered, run.invalid, run.failed, len(run.looks), run.reader or "")


def store() -> Store:
    """The file of runs; one object for all sessions of this server.

    A file that somebody moved away is made anew, and one put in its place is opened anew.
    """
    path = default_database()
    if not path.exists():
        open_store(path).close()
    return _opened(str(path), path.stat().st_ino)


@st.cache_resource(show_spinner=False, max_entries=8)
def _opened(path: str, file: int) -> Store:
    del file  # Another file may lie at the same path.
    return open_store(path)


def study_of(name: str) -> Experiment:
    """The study of this name; one that asks what people keep finds it in the file.

    Raises:
        DesignError: there is no such study.
    """
    # The file is opened where something kept in it is asked for, and not before.
    return study_from(store, name)


def runs() -> list[RunRecord]:
    """Every run of one's own, the newest first, and then the recorded ones of the gallery."""
    return runs_in_file() + recorded_runs()


def runs_in_file() -> list[RunRecord]:
    """Every run in the file, the newest first. Never kept: a worker may end without a word."""
    return store().runs()


def recorded_runs() -> list[RunRecord]:
    """The runs of the gallery, the most telling of each recording first; none if it is damaged.

    `gallery_fault` says why there are none.
    """
    try:
        held = gallery()
    except StoreUnreadable:
        return []
    return [] if held is None else list(_recorded(str(held.path)))


@st.cache_resource(show_spinner=False, max_entries=4)
def _recorded(path: str) -> tuple[RunRecord, ...]:
    del path  # Another gallery has other runs.
    held = gallery()
    return () if held is None else tuple(held.runs())


def gallery_fault() -> str:
    """Why the recorded runs cannot be shown, as a sentence; "" where they can, or are none."""
    try:
        gallery()
    except StoreUnreadable as error:
        return str(error)
    return ""


def recorded_answers(x: str, x_prime: str) -> list[tuple[RunRecord, PairDetail]]:
    """What recorded runs answered to the pair of these two texts, whichever study asked them."""
    if not (runs := {run.id: run for run in recorded_runs()}):
        return []
    return [(runs[detail.run], detail) for detail in _recorded_details(x, x_prime, frozenset(runs))]


@st.cache_resource(show_spinner=False, max_entries=256)
def _recorded_details(x: str, x_prime: str, runs: frozenset[str]) -> list[PairDetail]:
    del runs  # Another gallery has other runs.
    held = gallery()
    return [] if held is None else [held.pair_detail(*each) for each in held.asked_as(x, x_prime)]


def runs_with_answers() -> list[RunRecord]:
    """Runs that have something to show, the newest first."""
    return [run for run in runs() if run.items_done or run.status is RunStatus.FINISHED]


def runs_of_study(study: str) -> list[RunRecord]:
    """Runs of one study that have something to show, the newest first."""
    return [run for run in runs_with_answers() if run.study == study]


@st.cache_resource(show_spinner=False, max_entries=12)
def answered_items(state: OutcomesState) -> pd.DataFrame:
    """The items of a run as they stand; shared by all sessions, so never to be changed."""
    return store().answered_items([state.run])


@st.cache_resource(show_spinner=False, max_entries=4)
def outcomes(states: tuple[OutcomesState, ...]) -> pd.DataFrame:
    """Outcomes of runs as they stand; shared by all sessions, so never to be changed."""
    return store().outcomes([state.run for state in states])


@st.cache_data(show_spinner=False, max_entries=64)
def effects_of(
    states: tuple[OutcomesState, ...], by: str | None, invalid: InvalidRule, vote: bool = False
) -> list[Effect]:
    """Effects of runs as they stand; intervals allow for looks of a rule for stopping early."""
    looked_at = adjustments(store().run(state.run) for state in states if state.looks)
    return effects(outcomes(states), by=by, invalid=invalid, vote=vote, adjusted=looked_at)


@st.cache_data(show_spinner=False, max_entries=32)
def effects_of_part(
    states: tuple[OutcomesState, ...],
    part: tuple[str, Value],
    invalid: InvalidRule,
    vote: bool = False,
) -> list[Effect]:
    """Effects over the pairs with one value of a stratum, where a run has others too."""
    looked_at = adjustments(store().run(state.run) for state in states if state.looks)
    found = outcomes(states)
    return effects_beside(found, part, invalid=invalid, vote=vote, adjusted=looked_at)


@st.cache_data(show_spinner=False, max_entries=64)
def effect_of_slice(
    state: OutcomesState,
    strata: tuple[tuple[str, Value], ...],
    sample: int,
    search: str,
    only: tuple[str, ...] | None,
    notes: tuple[tuple[str, ...], ...],
) -> Effect | None:
    """The effect over the pairs that `pattern_counts` counts, all their samples; None without any.

    Looks of a rule for stopping early are allowed for.
    """
    chosen = store().pair_ids(state.run, dict(strata), sample, search, only, notes)
    found = outcomes((state,))
    rows = found[found["pair"].isin(chosen)]
    looked_at = adjustments([store().run(state.run)] if state.looks else [])
    return next(iter(effects(rows, adjusted=looked_at)), None)


@st.cache_data(show_spinner=False, max_entries=32)
def comparison_of(
    states: tuple[OutcomesState, ...],
    by: str | None,
    trend: str | None,
    invalid: InvalidRule,
    vote: bool,
) -> RunComparison:
    """Runs beside each other as they stand.

    Raises:
        CannotCompare, UnknownStratum: as `biaslab.stats.compare`.
    """
    looked = frozenset(state.run for state in states if state.looks)
    setting = CountingRules(invalid, vote, looked=looked)
    return compare(outcomes(states), by, trend, setting=setting)


class Models(NamedTuple):
    """Logistic models of runs, and why there is none or no coefficient, in sentences."""

    findings: tuple[Finding, ...]
    sentences: tuple[str, ...]


@st.cache_data(show_spinner=False, max_entries=32)
def models_of(
    states: tuple[OutcomesState, ...], over: str | None, invalid: InvalidRule, vote: bool
) -> Models:
    """A logistic model of every run as it stands; one that lacks the stratum gets it without."""
    setting = CountingRules(invalid, vote, looked=frozenset(s.run for s in states if s.looks))
    found: list[Finding] = []
    sentences: list[str] = []
    for run in runs_of(outcomes(states), setting):
        known = over if any(over in strata for strata in run.counted["strata"]) else None
        try:
            model = logistic(run, known)
        except AnalysisError as error:
            sentences.append(str(error))
            continue
        found.append(model)
        if not model.coefficients:
            sentences.append(f"{run.run}: {model.method}")
    return Models(tuple(found), tuple(sentences))


@st.cache_data(show_spinner=False, max_entries=32)
def explained_of(state: OutcomesState, invalid: InvalidRule) -> list[StrategyShare]:
    """What the study's simple strategies get on the pairs of a run as it stands, and the rest."""
    # Simulated learners take a moment to load, and most pages do without them.
    from biaslab.runs.effect_rows import strategy_outcomes
    from biaslab.stats.beside_effects import explained

    run = store().run(state.run)
    strategies = strategy_outcomes(experiment(run.study), store().items_of(run.id))
    return explained(outcomes((state,)), strategies, invalid)


@st.cache_data(show_spinner=False, max_entries=32)
def adjusted_sentence(state: OutcomesState, invalid: InvalidRule, *, binary: bool) -> str:
    """In what else the members of a run's pairs differ, and the effect without that; or ""."""
    from biaslab.runs.effect_rows import adjusted_of

    told = adjusted_of(store(), store().run(state.run), invalid)
    return "" if told is None else told.sentence(binary)


@st.cache_data(show_spinner=False, max_entries=32)
def agreement_of(states: tuple[OutcomesState, ...]) -> list[Agreement]:
    """Agreement between the samples of runs as they stand, a row per run that has several."""
    return agreement(outcomes(states))


@st.cache_data(show_spinner=False, max_entries=32)
def agreement_between(states: tuple[OutcomesState, ...]) -> list[Agreement]:
    """Agreement between runs as they stand, of the same study, model and prompt strategy."""
    answers = store().outcomes([state.run for state in states], with_values=True)
    return agreement_between_runs(answers)


@st.cache_data(show_spinner=False, max_entries=64)
def failures(state: OutcomesState) -> list[FailureCount]:
    """Why items of a run got no response, as it stands, the most frequent reason first."""
    return store().failures(state.run)


@st.cache_data(show_spinner=False, max_entries=32)
def strata_values(run_id: str) -> dict[str, list[Value]]:
    """Every stratum of a run's pairs with its values, in order. A run's pairs never change."""
    found: dict[str, set[Value]] = {}
    for strata in store().strata(run_id):
        for name, value in strata.items():
            found.setdefault(name, set()).add(value)
    return {name: sorted(values, key=_order) for name, values in found.items()}


def _order(value: Value) -> tuple[bool, float, str]:
    return (True, 0.0, value) if isinstance(value, str) else (False, float(value), "")


@st.cache_data(show_spinner=False, max_entries=128)
def pair_rows(
    state: OutcomesState,
    patterns: tuple[str, ...],
    strata: tuple[tuple[str, Value], ...],
    offset: int,
    limit: int,
    sample: int = 0,
    order: PairOrder = PairOrder.DESIGN,
    search: str = "",
    only: tuple[str, ...] | None = None,
    notes: tuple[tuple[str, ...], ...] = (),
) -> list[PairRow]:
    """A page of a run's pairs as they stand; no patterns means all of them."""
    return store().pair_rows(
        state.run,
        patterns or None,
        dict(strata),
        offset,
        limit,
        sample,
        order,
        search,
        only,
        notes,
    )


@st.cache_data(show_spinner=False, max_entries=128)
def pair_place(
    state: OutcomesState,
    pair: str,
    patterns: tuple[str, ...],
    strata: tuple[tuple[str, Value], ...],
    sample: int = 0,
    order: PairOrder = PairOrder.DESIGN,
    search: str = "",
    only: tuple[str, ...] | None = None,
    notes: tuple[tuple[str, ...], ...] = (),
) -> int | None:
    """How many pairs `pair_rows` gives before this one; None where it is none of them."""
    return store().pair_place(
        state.run,
        pair,
        patterns or None,
        dict(strata),
        sample,
        order,
        search,
        only,
        notes,
    )


@st.cache_data(show_spinner=False, max_entries=128)
def pattern_counts(
    state: OutcomesState,
    strata: tuple[tuple[str, Value], ...],
    sample: int = 0,
    search: str = "",
    only: tuple[str, ...] | None = None,
    notes: tuple[tuple[str, ...], ...] = (),
) -> dict[PairPattern, int]:
    """How many pairs have each pattern, as they stand."""
    return store().count_patterns(state.run, dict(strata), sample, search, only, notes)


@st.cache_resource(show_spinner=False, max_entries=2)
def recorded_logs() -> tuple[SampleScores, SampleScores] | None:
    """What a recorded model answered to the same problems when asked in two ways; None without."""
    held = gallery()
    for one, other in permutations(recorded_runs(), 2):
        same = (one.design, one.model_spec) == (other.design, other.model_spec)
        if held is not None and same and (one.strategy, other.strategy) == ("cot", "direct"):
            table = held.answered_items([one.id, other.id])
            return _scores_of(table, one), _scores_of(table, other)
    return None


def _scores_of(table: pd.DataFrame, run: RunRecord) -> SampleScores:
    rows = table[table["run"] == run.id].drop_duplicates("item")
    # An answer that cannot be read is not right, as in every effect.
    keys = [(item, 1) for item in rows["item"]]
    scores = dict(zip(keys, (rows["outcome"] == 1.0).astype(float).tolist(), strict=True))
    clusters = dict(zip(keys, rows["cluster"].tolist(), strict=True))
    return SampleScores(strategy_label(run.study, run.strategy), scores, clusters, {})


@st.cache_resource(show_spinner=False, max_entries=16)
def reading_rules(state: OutcomesState, sample: int) -> ReadingRules:
    """Which rules read a run's answers, as they stand."""
    return store().reading_rules(state.run, sample)


@st.cache_data(show_spinner=False, max_entries=32)
def differing(
    state: OutcomesState, other: OutcomesState, sample: int, of_other: int
) -> tuple[str, ...]:
    """Ids of the pairs that two runs answered otherwise, as they stand."""
    return tuple(store().differing(state.run, other.run, sample, of_other))


@st.cache_resource(show_spinner=False, max_entries=32)
def samples_of(state: OutcomesState, pair: str, samples: int) -> tuple[PairDetail, ...]:
    """All samples of a pair as they stand, in order; shared, so never to be changed.

    Raises:
        UnknownPair: the run has no such pair.
    """
    return tuple(store().pair_detail(state.run, pair, sample) for sample in range(samples))


@st.cache_resource(show_spinner=False, max_entries=64)
def first_pairs(
    study: str, seed: int, settings: tuple[tuple[str, str | int | bool], ...], count: int
) -> tuple[Pair, ...]:
    """The first pairs of a design, which are the same whatever its size.

    Raises:
        DesignError: the settings give no pairs.
    """
    return tuple(study_of(study).pairs(Design(study, count, seed, dict(settings))))


@st.cache_data(show_spinner=False, ttl=20)
def models(*, checkpoints: bool = False) -> list[ModelChoice]:
    """Models to choose from. Looked up again now and then: a model may be put in place.

    Args:
        checkpoints: whether copies of tiny models along their training are among them.
    """
    return list_models(checkpoints=checkpoints)


def local_specs() -> list[str]:
    """Specs of directories of language models that were asked before, the one asked last first."""
    listed = {choice.spec for choice in models()}
    asked = (read_spec(run.model_spec) for run in runs_in_file())
    return list(
        dict.fromkeys(
            spec.text for spec in asked
            if spec.has_weights and spec.kind is not ModelKind.TINY and spec.text not in listed
        )
    )  # fmt: skip


def model_label(spec: str) -> str:
    """What a model is called on screens."""
    from biaslab.ui.widgets.words import short_name

    labels = {choice.spec: choice.label for choice in models()}
    return labels.get(spec, short_name(spec))
