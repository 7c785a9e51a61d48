"""How many pairs are needed for an effect of a given size, and a difficulty that fits the model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.models import read_spec
from biaslab.runs import default_database
from biaslab.runs.hosting import works_for
from biaslab.stats import AnalysisError
from biaslab.studies import MAXIMUM_PAIRS, Experiment
from biaslab.system.processes import AttachedProcess
from biaslab.ui.ask.asking import RunChoices
from biaslab.ui.ask.asking_form import (
    NARROW,
    TEST,
    level_until_narrow,
    looks_parameter,
    stop_parameter,
)
from biaslab.ui.ask.sampling_form import samples_parameter
from biaslab.ui.compose.design_form import setting_parameter, size_parameter
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, named, number
from biaslab.ui.widgets.runs import options
from biaslab.ui.widgets.session import environment_for
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, percent

if TYPE_CHECKING:
    from biaslab.stats import DiscordanceEstimate, SizePlan

SEE, MEASURE = "see", "measure"

_GOALS = {SEE: "To see a difference", MEASURE: "To know it closely"}
_ASSUMED = "assumed"
_POWERS = {"80": "8 times in 10", "90": "9 times in 10", "95": "19 times in 20"}
_RUNS_OFFERED = 30


def goal_parameter() -> Parameter[str]:
    """What the pairs are for, as it stands in the address."""
    return choice("plan", tuple(_GOALS), SEE)


def width_parameter() -> Parameter[float]:
    """How far the interval may reach to either side, in points, as it stands in the address."""
    return number("width", 5.0, 0.5, 50.0)


def effect_parameter() -> Parameter[float]:
    """The size of the effect in points, as it stands in the address."""
    return number("effect", 10.0, 0.5, 100.0)


def power_parameter() -> Parameter[str]:
    """How likely it shall be seen, in per cent, as it stands in the address."""
    return choice("power", tuple(_POWERS), "80")


def draw_planner(study: Experiment) -> None:
    """Draws the planner; a click takes its number of pairs."""
    panel = st.expander("How many pairs?", key="planner", on_change="rerun")
    # Runs are looked through and sums made only for somebody who wants to know.
    if not panel.open:
        return
    with panel:
        _draw(study)


def _draw(study: Experiment) -> None:
    goal = goal_parameter()
    choosing.segmented_control(
        "What for?",
        list(_GOALS),
        format_func=_GOALS.__getitem__,
        required=True,
        wrap=True,
        **goal.bind(),
    )
    if goal.value == SEE:
        _draw_effect()
    else:
        _draw_width()
    seen = _draw_discordance(study)
    try:
        planned = _planned(_wanted(goal.value, seen))
    except AnalysisError as error:
        st.warning(plain(str(error)))
        return
    st.markdown(f"**{count(planned.pairs, 'pair')}** {planned.words}")
    st.caption(plain(planned.method))
    if planned.pairs > MAXIMUM_PAIRS:
        st.warning(
            f"A design has {MAXIMUM_PAIRS:,} pairs at most. Plan for a larger difference, or for "
            "a wider interval."
        )
        return
    st.button(
        f"Take {count(planned.pairs, 'pair')}",
        on_click=size_parameter().change,
        args=(planned.pairs,),
        key="take planned",
        disabled=planned.pairs == size_parameter().value,
    )


def _draw_effect() -> None:
    effect, power = effect_parameter(), power_parameter()
    st.number_input(
        "Smallest difference that matters (points)",
        min_value=0.5,
        max_value=100.0,
        step=1.0,
        format="%.1f",
        value=None,
        help="In percentage points: 10 means that, say, 80 % of one kind and 70 % of the other "
        "are answered right.",
        **effect.bind(),
    )
    choosing.segmented_control(
        "Chance of finding it, if it exists",
        list(_POWERS),
        format_func=_POWERS.__getitem__,
        required=True,
        wrap=True,
        help="The power: how often a run of this size would find such a difference. The error "
        "where there is none is 5 %.",
        **power.bind(),
    )


def _draw_width() -> None:
    st.number_input(
        "Known to ± points",
        min_value=0.5,
        max_value=50.0,
        step=0.5,
        format="%.1f",
        value=None,
        help="How far the 95 % interval of the difference may reach up and down, in percentage "
        "points.",
        **width_parameter().bind(),
    )


def _draw_discordance(study: Experiment) -> DiscordanceEstimate | None:
    """Draws where the share of pairs that come out differently is from."""
    runs = {run.id: run for run in queries.runs_of_study(study.name)[:_RUNS_OFFERED]}
    words = {_ASSUMED: "assumed, as nothing was seen"} | {
        run: f"as in run {option}"
        for run, option in options(list(runs.values()), st.context.timezone).items()
    }
    parameter = choice("like", tuple(words), _ASSUMED)
    choosing.selectbox(
        "How often only one problem of a pair is right",
        words,
        format_func=words.__getitem__,
        help="Only pairs with one right and one wrong answer show a difference. "
        "A small run of the same model shows how many there are.",
        filter_mode=None,
        **parameter.bind(),
    )
    if parameter.value == _ASSUMED:
        return None
    seen = _seen(queries.OutcomesState.of(runs[parameter.value]))
    if seen is None:
        st.caption("No pair of that run has both its answers yet, so a share is assumed.")
        return None
    st.caption(
        f"In that run, {percent(seen.discordance)} of {count(seen.n, 'pair')} did (95 % interval "
        f"{percent(seen.interval.low)} to {percent(seen.interval.high)})."
    )
    return seen


@st.cache_data(show_spinner=False, max_entries=64)
def _seen(state: queries.OutcomesState) -> DiscordanceEstimate | None:
    from biaslab.stats import discordance_seen

    return discordance_seen(queries.outcomes((state,)))


@dataclass(frozen=True, slots=True)
class _PlanKey:
    """What a plan depends on."""

    goal: str
    points: float
    power: str
    discordance: float | None
    looks: int
    samples: int
    alike: float
    confidence: float


@dataclass(frozen=True, slots=True)
class _PlanResult:
    """A number of pairs, what it means, and how it was made."""

    pairs: int
    words: str
    method: str


def _wanted(goal: str, discordance: DiscordanceEstimate | None) -> _PlanKey:
    stop = stop_parameter().value
    return _PlanKey(
        goal,
        effect_parameter().value if goal == SEE else width_parameter().value,
        power_parameter().value,
        None if discordance is None else discordance.discordance,
        looks_parameter().value if stop == TEST else 1,
        samples_parameter().value,
        1.0 if discordance is None or discordance.alike is None else discordance.alike,
        level_until_narrow() if stop == NARROW else 0.95,
    )


@st.cache_data(show_spinner=False, max_entries=128)
def _planned(request: _PlanKey) -> _PlanResult:
    from biaslab.stats import pairs_for_width, pairs_needed

    if request.goal == SEE:
        plan = pairs_needed(
            request.points / 100,
            int(request.power) / 100,
            request.discordance,
            looks=request.looks,
            samples=request.samples,
            alike=request.alike,
        )
        return _PlanResult(plan.pairs, _needed_words(plan), plan.method)
    wide = pairs_for_width(
        request.points / 100,
        request.discordance,
        confidence=request.confidence,
        samples=request.samples,
        alike=request.alike,
    )
    return _PlanResult(wide.pairs, "are needed, more or less.", wide.method)


def _needed_words(plan: SizePlan) -> str:
    if plan.looks == 1:
        return "are needed."
    return (
        f"at most; about {count(round(plan.expected_pairs), 'pair')} on average, as the run stops "
        "early once the difference is clear."
    )


FIT = "fit"
"""In an address: opens the panel."""

_MODULE = "biaslab.runs.jobs.find_design"


def draw_fitting(study: Experiment, choices: RunChoices) -> None:
    """Draws the panel; a click takes the design that was found.

    Args:
        study: to be asked.
        choices: whom, how, and with which other settings.
    """
    if not study.ladder(choices.design):
        return
    panel = st.expander(
        "Fitting difficulty", expanded=named([FIT]), key="fitting", on_change="rerun"
    )
    # What searches needs the statistics, which are loaded only for somebody who wants it.
    if not panel.open:
        return
    with panel:
        st.markdown(
            "Asks at most 200 problems of the easier kind and finds the design at which this "
            "model is right in 50 to 80 % of them, so that a difference can show. "
            "The study asks other problems."
        )
        # A result belongs to what was asked; of anything else it is not shown.
        key = f"fitting {json.dumps(_given(choices), sort_keys=True)}"
        if st.button("Find it", key="find design"):
            st.session_state[key] = _search(choices)
        found = st.session_state.get(key)
        if found is None:
            return
        if found["error"]:
            st.error(plain(found["error"]))
            return
        (st.success if found["settings"] else st.info)(plain(found["sentence"]))
        if found["settings"]:
            st.button(
                "Take this design",
                on_click=_take,
                args=(study, found["settings"]),
                key="take found",
            )


def _given(choices: RunChoices) -> dict[str, object]:
    from biaslab.runs.jobs.find_design import DesignSearch

    search = DesignSearch(
        choices.design, choices.model, choices.strategy, choices.sampling, choices.options
    )
    return {"db": str(default_database()), **search.as_json()}


def _search(choices: RunChoices) -> dict[str, object]:
    """Searches in a process of its own, where weights are loaded; leaving the page ends it.

    What was answered by then is kept, so the next click goes on from there.
    """
    access = choices.options.access
    key = environment_for(access) if read_spec(choices.model).served else {}
    last: dict[str, object] = {"ended": False, "requests": 0}
    with (
        st.status("Asking …", expanded=True) as status,
        AttachedProcess(
            _MODULE, further={**key, **works_for()}, text=json.dumps(_given(choices))
        ) as process,
    ):
        shown = st.empty()

        def tell(_: float = 0.0) -> None:
            # Called while nothing comes, too: there the page is left when somebody leaves it.
            status.update(label=f"Asking … {last['requests']} of at most 200 requests")

        for line in process.lines(waiting=tell):
            last = json.loads(line)
            tell()
            shown.markdown(plain(str(last["sentence"])))
        error = "" if last["ended"] else process.why_ended() or "The search ended too early."
    return {"settings": None, "sentence": "", **last, "error": error}


def _take(study: Experiment, settings: dict[str, str]) -> None:
    for setting in study.settings:
        if setting.name in settings:
            setting_parameter(study, setting).change(settings[setting.name])
