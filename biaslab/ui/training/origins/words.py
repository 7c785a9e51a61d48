"""What is said on the page Where biases come from whatever its table holds; ways on from it."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from biaslab.models.tiny.model import tiny_names, tiny_spec
from biaslab.training.mix import EXPLANATIONS, MIXES
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.navigation import COMPOSE, LOOK_INSIDE, TRAINING_LAB, link

INTERVALS = (
    "Two intervals, because there are two ways of being wrong. **Over items** (thick): other pairs "
    "of problems, asked of these very models; pairs of all trainings are pooled, although all were "
    "asked the same ones, and it says nothing of other trainings. **Over trainings** (thin): other "
    "lessons in the same shares, after the same start, asked these pairs; a t interval of the "
    "trainings’ effects, with one degree of freedom fewer than there are trainings (with three it "
    "is wide, with one there is none). What is said of an effect in words goes by the wider ends "
    "of both."
)
"""How to read the intervals, as Markdown."""

_CAVEATS = (
    "These are **tiny models trained on this app’s problems alone**. They show that a mechanism "
    "can work, in simulation. They are no evidence that it is at work in large models, and "
    "none about children.",
    "How large an effect is depends on **how long** was trained, not on the mix alone: see the "
    "figure along training. All models of the family were trained alike; other amounts of "
    "training, other networks and other sentences would give other figures.",
    "All models go on from one start, a model that had met no comparison and no transfer. So they "
    "have much in common, and few trainings say little about all possible ones.",
    "An effect of zero does not show that the words were understood: see “Beside the effect”.",
)
_ASKED = ("skewed", "balanced", "reversed")


def draw_mix_names(mixes: Iterable[str]) -> None:
    """What the mixes are, closed until asked for."""
    told = [f"- **{mix}**: {EXPLANATIONS[mix]}" for mix in MIXES if mix in set(mixes)]
    if told:
        with st.expander("The mixes: what each model was trained on"):
            st.markdown("\n".join(told))


def draw_caveats() -> None:
    """What all this does not show, the first of it unfolded."""
    st.markdown(_CAVEATS[0])
    with st.expander("What else this does not show"):
        st.markdown("\n".join(f"- {text}" for text in _CAVEATS[1:]))


def draw_links() -> None:
    """Ways on: ask these models, look into them, train one."""
    there = [name for name in _ASKED if name in tiny_names()]
    with st.container(horizontal=True):
        for name in there:
            link(COMPOSE, f"Ask the {name} model", asked_of(tiny_spec(name)))
        link(LOOK_INSIDE, "Look inside a model", {"model": tiny_spec(there[0])} if there else None)
        link(TRAINING_LAB, "Train a mix of your own")
