"""What the card of a tiny model says of what is about to be asked, and what to ask by default.

The defaults of a study are those that the default model can do, so no page opens with a warning of
its own defaults.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from biaslab.models.tiny.model import DEFAULT_TINY, ModelCard
from biaslab.runs import fitting
from biaslab.studies import Experiment, Setting, experiment

STEPS, OPERATIONS, STRATEGY = "steps", "operations", "strategy"
"""Names of what a card tells apart, as in an address."""


@st.cache_data(show_spinner=False, ttl=20, max_entries=32)
def card_of(spec: str) -> ModelCard | None:
    """The card of a tiny model; None for other kinds, and for one that is no longer there."""
    return fitting.card_of(spec)


def cannot(spec: str, study: str, steps: Iterable[int], strategy: str) -> list[str]:
    """Why a model was not made for this: sentences of its card; none for other models."""
    labels = {each.name: each.label.lower() for each in experiment(study).strategies}
    return fitting.beyond_card(card_of(spec), study, steps, strategy, labels)


def settings_for(spec: str, study: Experiment) -> dict[str, str]:
    """The prompt strategy and the settings of a study that a model can do, as in an address.

    Nothing where there is no card; the strategy alone where it knows nothing of the study.
    """
    card = card_of(spec)
    fit = fitting.fit_strategy(card, study)
    if card is None or fit is None:
        return {}
    found = {STRATEGY: fit}
    best = card.best(study.name)
    if best is None:
        return found
    found[STEPS] = f"{best.fewest_steps}-{best.most_steps}"
    settings = {setting.name: setting for setting in study.settings}
    if len(best.comparisons) == 1 and OPERATIONS in settings:
        found[OPERATIONS] = best.comparisons[0]
    return {name: text for name, text in found.items() if name == STRATEGY or name in settings}


def default_strategy(study: Experiment, spec: str = DEFAULT_TINY) -> str:
    """The prompt strategy in which a model works, by its card; without one, the default model's,
    else the study's first. The same on every page.
    """
    cards = map(card_of, (spec, DEFAULT_TINY))
    fits = (fitting.fit_strategy(card, study) for card in cards)
    return next(filter(None, fits), study.strategies[0].name)


def default_setting(study: Experiment, setting: Setting) -> str:
    """A setting that the default model can do, else the study's own default."""
    return settings_for(DEFAULT_TINY, study).get(setting.name, str(setting.default))
