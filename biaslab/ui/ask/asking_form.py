"""Everything that is chosen before a model is asked: how a server is asked, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from biaslab.models import MOST_AT_ONCE, Access, Sampling, identify
from biaslab.models.provider import OPENAI_URL
from biaslab.models.server.addresses import is_openai
from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import Connection, RunOptions
from biaslab.runs.estimating import RunEstimate
from biaslab.runs.fitting import why_not_so
from biaslab.stats import AnalysisError
from biaslab.studies import Design, Experiment
from biaslab.studies.study import is_begun
from biaslab.ui.ask import asking
from biaslab.ui.ask.asking import ChosenModel, RunChoices
from biaslab.ui.ask.costs import draw_estimate, draw_limits
from biaslab.ui.ask.sampling_form import draw_reading, draw_repeats
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, choice, flag, integer, named, number
from biaslab.ui.widgets.runs import UNSHORTENED
from biaslab.ui.widgets.session import has_key
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from biaslab.stats import StoppingRule


def at_once_parameter(server: Connection) -> Parameter[int]:
    """The most requests on their way, as they stand in the address."""
    return integer("at-most", server.access.at_once, 1, MOST_AT_ONCE)


def batch_parameter() -> Parameter[bool]:
    """Whether requests are handed over as a batch, as it stands in the address."""
    return flag("batch-api")


def draw_speed(server: Connection) -> Access:
    """Draws the most requests at once; gives how the server is reached with that."""
    parameter = at_once_parameter(server)
    st.number_input(
        "Requests at once",
        min_value=1,
        max_value=MOST_AT_ONCE,
        step=8,
        value=None,
        help="The server is asked so many problems at the same time. When it says that this is "
        "too much, fewer are sent, and more again when it recovers.",
        **parameter.bind(),
    )
    return replace(server.access, at_once=parameter.value)


def draw_batch(server: Connection) -> bool:
    """Draws whether requests are handed over as a batch."""
    parameter = batch_parameter()
    st.toggle(
        "Answer within a day, cheaper",
        help="Hands all requests over at once (OpenAI's Batch API). The server answers when it "
        "has time, usually within hours and within a day at the latest, and OpenAI asks half "
        "the price for that. You may close everything: resuming the run takes the answers in.",
        **parameter.bind(),
    )
    if parameter.value and not all(
        is_openai(url) for url in server.access.base_urls or [OPENAI_URL]
    ):
        st.caption(
            "This server is not OpenAI's own. Few others take batches; if it does not, the run "
            "pauses and says so."
        )
    return parameter.value


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
                help="How often the result is checked, after equally many pairs each. More "
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
            f"Asking ends as soon as the difference is known to ± {points:g} points, however large "
            "it is. The interval is made a little wider, because the result was checked often."
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


_HOW = (
    "strategy", "temperature", "samples", "thinking", "sampling-seed", "max-tokens", "go-on",
    "reader", "until-answered", "stop", "until-narrow", "looks", "budget-requests",
    "budget-tokens", "budget-money", "price-in", "price-out", "currency",
)  # fmt: skip


class Ready(NamedTuple):
    """What can be run, and what that would take; None where no estimate could be made."""

    asking: RunChoices
    estimate: RunEstimate | None


def draw_asking(study: Experiment, design: Design, *, possible: bool) -> Ready | None:
    """Draws the choice of model, prompt strategy, repeats, rule and limits, and the estimate.

    Args:
        study: what is asked.
        design: its pairs.
        possible: whether there are such pairs.

    Returns:
        What was chosen and what it takes; None while it cannot be asked.
    """
    who, how = st.columns(2, gap="medium")
    with who:
        chosen = asking.chosen_model(study.name)
        access, batch, reachable = _draw_server(chosen)
    with (
        how,
        st.expander("How it is asked, limits", expanded=named(_HOW), key="how", on_change="rerun"),
    ):
        strategy = asking.chosen_strategy(
            study, DEFAULT_TINY if chosen is None else chosen.model.spec
        )
        if chosen is None:
            return None
        repeats = draw_repeats(
            chosen.model, None if chosen.server is None else chosen.server.capabilities
        )
        reading = draw_reading(study, chosen.model)
        stopping = draw_stopping(design.n)
        limits = draw_limits(chosen.model.spec, chosen.server, batch=batch)
    if batch and stopping.rule is not None:
        st.caption(
            "As a batch, every look at the results waits until all pairs up to it are answered, "
            "which may take a day each time."
        )
    if not possible:
        return None
    level = None if repeats.sampling is None else repeats.sampling.thinking
    if level is not None or is_begun(strategy):
        identity = identify(chosen.model.spec, access=access)
        if reason := why_not_so(strategy, identity, access, level):
            st.warning(plain(reason))
            return None
    sampling = repeats.sampling
    if reading.until_number:
        sampling = replace(sampling or Sampling(UNSHORTENED), until_number=True)
    asking.warn_of_limits(chosen.model.spec, design, strategy.name)
    if repeats.refused or stopping.refused or limits.refused:
        return None
    wanted = RunChoices(
        design,
        chosen.model.spec,
        strategy.name,
        sampling,
        RunOptions(
            samples=repeats.samples,
            access=access,
            budget=limits.budget,
            price=limits.price,
            stopping=stopping.rule,
            batch_api=batch,
            length=repeats.length,
        ),
        reading.reader,
    )
    found = None
    with shown_errors():
        found = draw_estimate(wanted)
    return Ready(wanted, found) if reachable else None


def _draw_server(model: ChosenModel | None) -> tuple[Access, bool, bool]:
    """How the model is reached, whether as a batch, and whether this session can."""
    if model is None or model.server is None:
        return Access(), False, True
    access = draw_speed(model.server)
    batch = draw_batch(model.server)
    return access, batch, has_key(access, "compose")
