"""Choosing who is asked and how, and starting it."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from biaslab.experiments import Design, Experiment, Strategy, experiment
from biaslab.models import ModelChoice, ModelError, ModelKind, identify
from biaslab.models.tiny import ModelCard, read_card, tiny_directory
from biaslab.runs import launch, prepare
from biaslab.ui import kept
from biaslab.ui.address import Parameter, choice
from biaslab.ui.words import KINDS, count, plain, short_name

TINY = "tiny"
STAND_IN = "learner:keyword"
"""Asked where the tiny model is missing; screens say so."""

ANNOUNCED = 2_000
"""Preparing more pairs than this takes long enough to show how far it is."""


def chosen_model() -> ModelChoice | None:
    """Draws the choice of the model; None while the one chosen cannot be asked.

    Besides the models that come with the app, those of earlier runs are offered, and any other
    may be typed.
    """
    offered = {model.spec: model for model in kept.models()}
    for run in kept.runs():
        if run.model_spec not in offered:
            offered[run.model_spec] = _looked_up(run.model_spec)
    preferred = next((spec for spec in (TINY, STAND_IN) if offered[spec].ready), STAND_IN)
    parameter = Parameter("model", preferred, lambda text: text.strip() or None)
    typed = parameter.value
    st.selectbox(
        "Model",
        list(offered),
        format_func=lambda spec: _model_words(offered[spec]) if spec in offered else spec,
        accept_new_options=True,
        help="For a language model of your own, type local: and the folder that holds its files, "
        "as in local:/home/me/models/gpt2. It is opened on this computer.",
        **parameter.bind(),
    )
    model = offered[typed] if typed in offered else _looked_up(typed)
    if not model.ready:
        st.warning(plain(model.why_not))
        return None
    st.caption(plain(f"{model.explanation} {KINDS[model.kind].explanation}".strip()))
    card = card_of(model.spec)
    if card is not None and card.limits:
        with st.expander("What this model cannot do"):
            st.markdown("\n".join(f"- {plain(limit)}" for limit in card.limits))
    return model


@st.cache_data(ttl=60, max_entries=64, show_spinner="Looking at the model …")
def _looked_up(spec: str) -> ModelChoice:
    """A model that is not in the list, ready or with the reason why it is not."""
    try:
        identity = identify(spec)
    except ModelError as error:
        kind = ModelKind.TINY if spec.startswith(TINY) else ModelKind.LANGUAGE_MODEL
        return ModelChoice(spec, short_name(spec), kind, "", ready=False, why_not=str(error))
    return ModelChoice(identity.spec, short_name(spec), identity.kind, "", ready=True)


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
    """The card of a tiny model; None for other kinds, and for one that is no longer there."""
    prefix, _, name = spec.partition(":")
    if prefix != TINY:
        return None
    try:
        return read_card(tiny_directory(name or TINY))
    except ModelError:
        return None


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
