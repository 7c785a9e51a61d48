"""When enough pairs were asked: all of them, or as soon as enough is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.stats import AnalysisError
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, choice, integer, number
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from biaslab.stats import StoppingRule

ALL, NARROW, TEST = "all", "narrow", "test"

_NAMES = {ALL: "All pairs", NARROW: "Until narrow", TEST: "Until clear"}
_NAMED = 4
"""So many looks are named; of more, the first ones and the last."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """What a person chose.

    Attributes:
        rule: None: all pairs are asked.
        refused: why there can be no such rule, as a sentence; empty if there can.
    """

    rule: StoppingRule | None = None
    refused: str = ""


def stop_parameter() -> Parameter[str]:
    """The kind of rule as it stands in the address."""
    return choice("stop", tuple(_NAMES), ALL, ("until-narrow", "looks"))


def points_parameter() -> Parameter[float]:
    """How narrow the interval is to be, in points to either side."""
    return number("until-narrow", 5.0, 0.5, 50.0)


def looks_parameter() -> Parameter[int]:
    """How often a test is looked at."""
    return integer("looks", 5, 2, 20)


def level_until_narrow() -> float:
    """The level at which intervals are made while a run may stop once they are narrow."""
    from biaslab.stats import UntilNarrow

    return UntilNarrow(half_width=0.05, at_most=1_000).adjustment.confidence


def draw_stopping(pairs: int) -> Stopping:
    """Draws the choice for a design of so many pairs."""
    kind, points, looks = stop_parameter(), points_parameter(), looks_parameter()
    stopping = _rule(kind.value, points.value, looks.value, pairs)
    with st.expander(_title(kind.value, points.value, looks.value), key="stopping"):
        choosing.segmented_control(
            "When to stop",
            list(_NAMES),
            format_func=_NAMES.__getitem__,
            required=True,
            wrap=True,
            help="A rule is chosen before the run. Looking at results and stopping when they "
            "please would find effects that are not there; these rules allow for the looking.",
            **kind.bind(),
        )
        if kind.value == NARROW:
            st.number_input(
                "Points to either side",
                min_value=0.5,
                max_value=50.0,
                step=0.5,
                format="%.1f",
                value=None,
                help="How exactly the difference is to be known, in percentage points: 5 means "
                "that the interval reaches 5 points up and 5 down.",
                **points.bind(),
            )
        elif kind.value == TEST:
            st.number_input(
                "Looks",
                min_value=2,
                max_value=20,
                step=1,
                value=None,
                help="How often the result is looked at, after equally many pairs each. More "
                "looks can stop earlier and need a few more pairs where the effect is small.",
                **looks.bind(),
            )
        st.caption(plain(_explained(kind.value, points.value, stopping.rule, pairs)))
    if stopping.refused:
        st.warning(plain(stopping.refused))
    return stopping


def _rule(kind: str, points: float, looks: int, pairs: int) -> Stopping:
    if kind == ALL:
        return Stopping()
    from biaslab.stats import GroupSequential, UntilNarrow

    try:
        if kind == NARROW:
            return Stopping(UntilNarrow(half_width=points / 100, at_most=pairs))
        return Stopping(GroupSequential(looks=looks, at_most=pairs))
    except AnalysisError as error:
        return Stopping(None, f"{error} Or ask all pairs.")


def _title(kind: str, points: float, looks: int) -> str:
    chosen = {
        ALL: "all pairs",
        NARROW: f"until ± {points:g} points",
        TEST: f"until clear, {looks} looks",
    }
    return f"Stop when you know enough: {chosen[kind]}"


def _explained(kind: str, points: float, rule: StoppingRule | None, pairs: int) -> str:
    if kind == ALL:
        return "Every pair is asked. The usual choice where answers cost little."
    if kind == NARROW:
        told = (
            f"Asking ends as soon as the difference is known to ± {points:g} points, however "
            "large it is. The interval is made a little wider, because it was looked at often."
        )
    else:
        told = (
            "Asking ends as soon as there clearly is a difference. All looks together find one "
            "where there is none in 5 % of runs at most, and the interval allows for that."
        )
    if rule is None:
        return told
    return f"{told} {_looks_words(rule.looks_at())} All {count(pairs, 'pair')} are asked at most."


def _looks_words(looks: tuple[int, ...]) -> str:
    if len(looks) <= _NAMED:
        return f"Looks after {', '.join(f'{n:,}' for n in looks)} pairs."
    first = ", ".join(f"{n:,}" for n in looks[: _NAMED - 1])
    return f"Looks after {first} … and {looks[-1]:,} pairs."
