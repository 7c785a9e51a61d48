"""What the page Look inside shows, as it stands in its address, and choosing the pair."""

from __future__ import annotations

import streamlit as st

from biaslab.models import full_spec
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.study import LARGEST_SEED
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, flag, integer

CONSISTENCY, TRANSFER, CARRY = "consistency", "transfer-comparison", "carry"
STUDIES = (CONSISTENCY, TRANSFER, CARRY)
"""Studies of word problems whose steps are known, so that one of them can be reversed."""

DEFAULT_PAIR = 60
"""Of the pairs of the first study and seed, the clearest on which the first model turns round: the
right answer leads in the consistent member and the reversed one in the inconsistent one, by as much
as possible together, and the two answers begin with different digits. A test asks the model about
every pair and holds that it is this one, and how many there are."""

SHOWING = 8
"""Of those `queries.PREVIEWED` pairs, on how many the model turns round so, by 5 points each."""

MOST_STEPS = 3
"""More words than such a problem has are not told apart in a chart."""

MOST_BESIDE = 6
"""Models laid below the first one."""

COMPARISONS = ("additive", "multiplicative")
_MADE_AT_ONCE = 5


def study_parameter() -> Parameter[str]:
    """Which study the pair is of."""
    return choice("study", STUDIES, CONSISTENCY)


def steps_parameter() -> Parameter[int]:
    """How many calculations lead to the answer."""
    return integer("steps", 1, 1, MOST_STEPS)


def comparison_parameter() -> Parameter[str]:
    """Whether the consistency study compares by a difference or by a factor."""
    return choice("operations", COMPARISONS, COMPARISONS[0])


def seed_parameter() -> Parameter[int]:
    """The seed of the pairs."""
    return integer("seed", 1, 0, LARGEST_SEED)


def pair_parameter() -> Parameter[int]:
    """Which of the seed's pairs, from 1; unless told otherwise one that shows the effect."""
    return integer("pair", DEFAULT_PAIR, 1, queries.PREVIEWED)


def look_parameter() -> Parameter[bool]:
    """Whether a person has asked to look: from then on every change is followed at once."""
    return flag("look")


def swaps_parameter() -> Parameter[bool]:
    """Whether a person has asked for swaps inside a model that is not tiny."""
    return flag("swaps")


def probe_parameter() -> Parameter[bool]:
    """Whether a person has asked for the probe, which takes longer."""
    return flag("probe")


def model_parameter(default: str) -> Parameter[str]:
    """Spec of the model."""
    return Parameter("model", default, lambda text: full_spec(text) or None)


def beside_parameter() -> Parameter[list[str]]:
    """Specs of models laid below it; a folder with a comma in its name can only be the first."""

    def read(text: str) -> list[str] | None:
        named = [full_spec(part) for part in text.split(",") if part.strip()]
        return list(dict.fromkeys(named))[:MOST_BESIDE] or None

    return Parameter("beside", [], read, ",".join)


def design_of_address() -> Design:
    """The design whose pair is shown, as large as it has to be."""
    study = study_parameter().value
    settings: dict[str, str | int | bool] = {}
    if study != CARRY:
        steps = steps_parameter().value
        settings["steps"] = f"{steps}-{steps}"
    if study == CONSISTENCY:
        settings["operations"] = comparison_parameter().value
    return Design(study, pair_parameter().value, seed_parameter().value, settings)


def pair_of(design: Design) -> Pair:
    """The last pair of a design; the same whatever the design's size.

    Raises:
        DesignError: the settings give no pairs.
    """
    made = -(-design.n // _MADE_AT_ONCE) * _MADE_AT_ONCE
    settings = tuple(sorted(design.settings.items()))
    return queries.first_pairs(design.study, design.seed, settings, made)[design.n - 1]


def draw_pair_fields() -> None:
    """Draws the study, the steps, the seed and which of its pairs."""
    study = study_parameter()
    choosing.selectbox(
        "Study",
        STUDIES,
        format_func=lambda name: experiment(name).title,
        filter_mode=None,
        help="Which feature the two problems differ in.",
        **study.bind(),
    )
    if study.value != CARRY:
        choosing.segmented_control(
            "Reasoning steps",
            list(range(1, MOST_STEPS + 1)),
            required=True,
            help="How many calculations lead to the answer.",
            **steps_parameter().bind(),
        )
    if study.value == CONSISTENCY:
        choosing.segmented_control(
            "Comparison",
            list(COMPARISONS),
            format_func=str.capitalize,
            required=True,
            help="Additive: 3 more than; multiplicative: 3 times as many as.",
            **comparison_parameter().bind(),
        )
    one, other = st.columns(2, wrap=False)
    with one:
        st.number_input(
            "Pair", min_value=1, max_value=queries.PREVIEWED, step=1, value=None,
            help="Which of the seed's pairs.", **pair_parameter().bind(),
        )  # fmt: skip
    with other:
        st.number_input(
            "Seed", min_value=0, max_value=LARGEST_SEED, step=1, value=None,
            help="The same seed gives the same pairs on every computer.",
            **seed_parameter().bind(),
        )  # fmt: skip
