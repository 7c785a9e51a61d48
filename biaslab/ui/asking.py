"""Choosing who is asked and how, and starting it."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from biaslab.experiments import Design, Experiment, Strategy, experiment
from biaslab.models import ModelChoice, ModelKind
from biaslab.models.tiny import ModelCard, read_card, tiny_directory
from biaslab.runs import launch, prepare
from biaslab.ui import kept
from biaslab.ui.address import choice
from biaslab.ui.words import KINDS, count, plain

TINY = "tiny"
STAND_IN = "learner:keyword"
"""Asked where the tiny model is missing; screens say so."""

ANNOUNCED = 2_000
"""Preparing more pairs than this takes long enough to show how far it is."""


def chosen_model() -> ModelChoice | None:
    """Draws the choice of the model; None while there is none that can be asked."""
    models = kept.models()
    ready = [model.spec for model in models if model.ready]
    by_spec = {model.spec: model for model in models}
    if not ready:
        st.warning("There is no model that can be asked. See the installation guide.")
        return None
    preferred = next((spec for spec in (TINY, STAND_IN) if spec in ready), ready[0])
    parameter = choice("model", tuple(by_spec), preferred)
    spec = st.selectbox(
        "Model",
        list(by_spec),
        format_func=lambda spec: _model_words(by_spec[spec]),
        **parameter.bind(),
    )
    model = by_spec[spec]
    st.caption(plain(f"{model.explanation} {KINDS[model.kind].explanation}"))
    if not model.ready:
        st.warning(plain(model.why_not))
        return None
    return model


def chosen_strategy(study: Experiment) -> Strategy:
    """Draws the choice of the way of asking."""
    by_name = {strategy.name: strategy for strategy in study.strategies}
    parameter = choice("strategy", tuple(by_name), study.strategies[0].name)
    name = st.segmented_control(
        "How it is asked",
        list(by_name),
        format_func=lambda name: by_name[name].label,
        required=True,
        wrap=True,
        help="The prompt strategy: the words around the problem.",
        **parameter.bind(),
    )
    strategy = by_name[name or parameter.default]
    st.caption(plain(strategy.explanation))
    return strategy


def cannot(spec: str, study: str, steps: Iterable[int], strategy: str) -> list[str]:
    """Why a model was not made for this: sentences of its card; none for other models."""
    card = card_of(spec)
    if card is None:
        return []
    verdicts = [card.can(study, step, strategy) for step in steps]
    return list(dict.fromkeys(verdict.reason for verdict in verdicts if not verdict.possible))


def steps_of(design: Design) -> range:
    """The reasoning steps that a design asks for."""
    for setting in experiment(design.study).settings:
        if setting.name == "steps":
            low, _, high = str(design.settings.get("steps", setting.default)).partition("-")
            return range(int(low), int(high or low) + 1)
    return range(0)


def warn_of_limits(spec: str, design: Design, strategy: str) -> None:
    """Says what the model was not made for, if anything."""
    reasons = cannot(spec, design.study, steps_of(design), strategy)
    if reasons:
        st.warning(
            "This model was not made for some of this. Its wrong answers there show that it "
            "never learned them, not a bias. " + " ".join(plain(reason) for reason in reasons)
        )


@st.cache_data(show_spinner=False, ttl=20, max_entries=32)
def card_of(spec: str) -> ModelCard | None:
    """The card of a tiny model; None for other kinds."""
    prefix, _, name = spec.partition(":")
    return read_card(tiny_directory(name or "tiny")) if prefix == "tiny" else None


def start(design: Design, model: str, strategy: str) -> str:
    """Writes the run down, starts its worker, and gives its id.

    Raises:
        DesignError, ModelError, RunError, StoreError: it cannot be started.
    """
    store = kept.store()
    if design.n <= ANNOUNCED:
        with st.spinner("Writing down the pairs …"):
            run = prepare(store, design, model, strategy)
    else:
        bar = st.progress(0.0, f"Making {count(design.n, 'pair')} …")

        def advance(done: int) -> None:
            bar.progress(min(done / design.n, 1.0), f"{done:,} of {count(design.n, 'pair')} …")

        run = prepare(store, design, model, strategy, on_progress=advance)
    launch(store.path, run)
    return run


def _model_words(model: ModelChoice) -> str:
    words = f"{KINDS[model.kind].name}: {model.label}"
    if model.kind is ModelKind.TINY and model.label == KINDS[model.kind].name:
        words = model.label
    return words if model.ready else f"{words} (not available)"
