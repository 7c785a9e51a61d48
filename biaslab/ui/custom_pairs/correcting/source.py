"""Which pairs are mended: of a study's design, or of a kept set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import streamlit as st

from biaslab.runs.engine.sources import at_most_all
from biaslab.runs.library.pair_sets import PairSet, pair_sets
from biaslab.studies import Design, Pair, experiments
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import LARGEST_SEED
from biaslab.studies.word_problems.custom.correction import MOST_PAIRS
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.custom.imported import SET
from biaslab.ui.compose import design_form
from biaslab.ui.compose.design_form import set_words
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.text.figures import count

_FEW = 20
"""Pairs that are mended unless told: a first look at what the model does costs little."""


@dataclass(frozen=True, slots=True)
class PairSource:
    """Pairs to be mended.

    Attributes:
        words: what they are, for people.
        key: identifies them: the same key, the same pairs.
        treatment: what differs in them, where their strata do not say so.
        pairs: makes them.
    """

    words: str
    key: str
    treatment: str
    pairs: Callable[[], list[Pair]]


def draw_source() -> PairSource | None:
    """Draws what is mended and how many pairs of it; None while there is none."""
    sets = pair_sets(queries.store())
    design = design_form.design_of_address()
    parameter = design_form.study_parameter()
    names = [name for name in _studies() if name != IMPORTED or sets]
    choosing.selectbox(
        "Pairs of",
        names,
        format_func=lambda name: queries.study_of(name).title,
        filter_mode=None,
        **parameter.bind(),
    )
    if design.study == IMPORTED:
        design = _draw_set(design, sets)
    first = integer("first", _FEW, 1, MOST_PAIRS)
    one, other = st.columns(2, wrap=False)
    with one:
        st.number_input(
            "First pairs", min_value=1, max_value=MOST_PAIRS, step=10, value=None,
            help="One request for each pair. Begin with few: the keep rate shows whether the "
            "model can do it.",
            **first.bind(),
        )  # fmt: skip
    with other:
        st.number_input(
            "Seed", min_value=0, max_value=LARGEST_SEED, step=1, value=None,
            help="The same seed gives the same pairs on every computer.",
            **design_form.seed_parameter().bind(),
        )  # fmt: skip
    if design.settings and design.study != IMPORTED:
        listed = ", ".join(f"{name} {value}" for name, value in design.settings.items())
        st.caption(f"With {plain(listed)}, as chosen on Compose.")
    if design.study != IMPORTED:
        link(COMPOSE, "Look at the pairs on Compose", design_form.address_of(design))
    return _source(design, first.value)


def _studies() -> list[str]:
    """Studies of word problems: those that are asked in the paper's ways."""
    return [
        name for name, study in experiments().items() if study.strategies == WORD_PROBLEM_STRATEGIES
    ]


def _draw_set(design: Design, sets: list[PairSet]) -> Design:
    by_id = {each.id: each for each in sets}
    parameter: Parameter[str] = choice(SET.name, tuple(by_id), next(iter(by_id), ""))
    words = set_words(sets)
    choosing.selectbox("Set", words, format_func=words.__getitem__, **parameter.bind())
    return Design(design.study, design.n, design.seed, {SET.name: parameter.value})


def _source(design: Design, first: int) -> PairSource | None:
    wanted = Design(design.study, first, design.seed, dict(design.settings))
    try:
        wanted = at_most_all(queries.store(), wanted)
        # Settings that give no pairs are refused here rather than after the click.
        list(islice(queries.study_of(wanted.study).pairs(wanted), 1))
    except DesignError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    study = queries.study_of(wanted.study)
    own = wanted.study == IMPORTED
    words = f"{study.title}, {count(wanted.n, 'pair')}, seed {wanted.seed}"
    if own:
        named = {each.id: each.name for each in pair_sets(queries.store())}
        words = f"set “{named.get(str(wanted.settings[SET.name]), '')}”"
    return PairSource(
        words, repr(wanted), "" if own else wanted.study, lambda: list(study.pairs(wanted))
    )
