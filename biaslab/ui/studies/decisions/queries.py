"""What the page Decision biases reads, kept until the runs change; its address, scores in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.charts.decisions import ProfileFigure, ScoredRun
from biaslab.runs import CustomText, RunRecord, custom_texts
from biaslab.stats import Interval
from biaslab.stats.effects import ALL
from biaslab.studies import Experiment
from biaslab.studies.decisions.biases import (
    Bias,
    MovementWords,
    bias,
    bias_paths,
    biases,
    read_bias,
    scales,
)
from biaslab.studies.decisions.published import AVERAGE, RANDOM, published_biases
from biaslab.studies.decisions.results import (
    FEWEST_SCENES,
    MOST_UNREAD,
    SMALLEST,
    STUDY,
    BiasJudgement,
    BiasScore,
    OptionCount,
    bias_profile,
    option_counts,
)
from biaslab.studies.results import Evidence
from biaslab.studies.study import evidence_about_people
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter, choice, flag, integer, several, typed
from biaslab.ui.widgets.choosing import distinct_labels
from biaslab.ui.widgets.queries import OutcomesState
from schoolmath.text.figures import count, exact_percent, percent, signed_number

if TYPE_CHECKING:
    pass


def own() -> dict[str, CustomText]:
    """The biases that people keep, by id."""
    return {each.id: each for each in custom_texts(queries.store())}


def names() -> dict[str, str]:
    """What every bias is called, by id: those of the app by name, then people's own.

    No two are called the same.
    """
    shipped = sorted(biases().values(), key=lambda each: each.name)
    named = {each.id: each.name for each in shipped}
    return distinct_labels(named | {each.id: f"{each.name} (your own)" for each in own().values()})


def find(bias_id: str) -> Bias:
    """The bias of this id.

    Raises:
        BiasError: there is none, or it cannot be read.
    """
    if bias_id in bias_paths():
        return bias(bias_id)
    found = own().get(bias_id)
    return bias(bias_id) if found is None else read_bias(found.text, scales())


@st.cache_data(show_spinner=False, max_entries=32)
def scores(state: OutcomesState, by: str = "bias", only: str = "") -> dict[str, BiasScore]:
    """Scores of a run as it stands, by stratum value; ``all`` holds all pairs.

    Args:
        state: of the run.
        by: the stratum.
        only: id of the one bias that counts; all of them where it is empty.
    """
    items = queries.answered_items(state)
    if only:
        items = items[[strata.get("bias") == only for strata in items["strata"]]]
    if items.empty:
        return {}
    return {score.bias: score for score in bias_profile(items, by)}


@st.cache_data(show_spinner=False, max_entries=64)
def counts(state: OutcomesState, bias_id: str, _bias: Bias) -> list[OptionCount]:  # noqa: ARG001
    """Which options of a bias were chosen in a run as it stands; kept by the bias's id."""
    return option_counts(queries.answered_items(state), _bias)


@st.cache_data(show_spinner=False, max_entries=64)
def words_of_answers(state: OutcomesState) -> float | None:
    """Mean words of a run's first answers, as it stands."""
    return queries.store().words_of_answers(state.run)


def scored_run(run: RunRecord, label: str) -> ScoredRun:
    """A run with its scores by bias, under a label that no other run of the page has."""
    found: Mapping[str, BiasScore] = scores(OutcomesState.of(run))
    by_bias = {name: score for name, score in found.items() if name != ALL}
    return ScoredRun(label, str(run.model_kind), by_bias)


PROFILE, HEAT, BIAS, PUBLISHED, WRITE, FILL, FILES = (
    "profile", "models", "one", "published", "write", "fill", "files",
)  # fmt: skip
VIEWS = {
    PROFILE: "Profile",
    HEAT: "Models by biases",
    BIAS: "One bias",
    PUBLISHED: "Published",
    WRITE: "Write a bias",
    FILL: "Let a model write scenes",
    FILES: "Files",
}
MOST_FILLED = 200
"""Most scenes that a model is asked for at once."""


def view_parameter() -> Parameter[str]:
    """Which part of the page is shown."""
    return choice("view", VIEWS, PROFILE)


def figure_parameter() -> Parameter[str]:
    """Which figure of the biases the profile draws."""
    return choice("figure", tuple(map(str, ProfileFigure)), str(ProfileFigure.METRIC))


def beside_parameter() -> Parameter[list[str]]:
    """Which published columns stand beside."""
    names = list(dict.fromkeys(cell.model for cell in published_biases()))
    return several("beside", [AVERAGE, RANDOM, *names], ())


def largest_parameter() -> Parameter[bool]:
    """Whether rows are sorted by the first run's figure."""
    return flag("largest")


BY_NAME, BY_SIZE, ALIKE = "name", "largest", "alike"
ORDERS = {BY_NAME: "By name", BY_SIZE: "Largest first", ALIKE: "Alike together"}


def order_parameter() -> Parameter[str]:
    """In which order the heat map has its rows and columns."""
    return choice("order", ORDERS, BY_NAME)


def intervals_parameter() -> Parameter[bool]:
    """Whether the cells of the heat map have their intervals."""
    return flag("intervals")


def sizes_parameter() -> Parameter[str]:
    """Sizes or levels of the runs chosen, as typed: separated by commas, in their order."""
    return typed("sizes")


def bias_parameter(biases: Collection[str]) -> Parameter[str]:
    """The bias that is shown, by id."""
    return choice("bias", biases, next(iter(biases)), ("scene",))


def focus_parameter(runs: Sequence[RunRecord]) -> Parameter[str]:
    """The run that one bias is shown of, of those chosen."""
    return choice("of", tuple(run.id for run in runs), runs[0].id, ("scene",))


def scene_parameter(scenes: int) -> Parameter[int]:
    """Which scene is shown, from 1."""
    return integer("scene", 1, 1, max(1, scenes))


def many_parameter() -> Parameter[int]:
    """How many scenes a model is asked for."""
    return integer("many", 5, 1, MOST_FILLED)


TERMS = {
    "Score": "The publication's metric, from −1 to 1: positive in the direction of the "
    "bias. It is a ratio to one end of the scale, not a difference: a step near that end counts "
    "much, the same step far from it little. 0 means no bias, or the same option always.",
    "Movement": "How far the treatment moved the answers, in lengths of the scale; positive "
    "in the direction of the bias. This is a difference, and what Effects shows.",
    "Unchanged": "Share of pairs whose arms chose the same option: it distinguishes “no bias” "
    "from “moves both ways”.",
    "Size": "Mean size of the score, whatever its sign. It measures noise as much as bias: random "
    "answers have about 0.54, more than every published model.",
    "Random answers": "Where the mean score of random answers to these prompts lies in "
    "95 of 100 runs, worked out exactly.",
    "Noise": "How much a pair's score varies from one answer to the next (standard deviation). "
    "Needs repeats.",
    "Interval": "Values that agree well with these pairs; pairs of one scene are not counted as "
    "independent.",
}
"""What the figures mean."""


def score_sentences(
    score: BiasScore, experiment: Experiment | None = None, moved: MovementWords | None = None
) -> list[str]:
    """What a score says, the main thing first, in plain text.

    Args:
        score: of one bias or of all.
        experiment: the study as the run's design makes it, which decides what may be said about
            people; by default the study.
        moved: the bias's own words for a movement; without them in general ones.
    """
    if score.metric is None or score.movement is None:
        return ["No pair has both its answers yet."]
    told = [
        f"On {count(score.n, 'pair')} in {count(score.clusters, 'scene')}, "
        f"{_movement(score, score.movement, moved)}; {percent(score.unchanged)} of the pairs kept "
        f"their option. The published score is {signed_number(score.metric)} "
        f"({_spread(score.metric_ci, score)}).",
    ]
    if score.band is not None:
        low, high = signed_number(score.band.low), signed_number(score.band.high)
        told.append(f"Random answers to the same prompts score {low} to {high} in 95 of 100 runs.")
    return [*told, _verdict(score, evidence_about_people(STUDY, experiment))]


def _movement(score: BiasScore, value: float, moved: MovementWords | None) -> str:
    """How far the answers moved, counted in the direction that is named."""
    if moved is None:
        return (
            f"the answers moved by {signed_number(value)} lengths of the scale "
            f"({_spread(score.movement_ci, score)})"
        )
    found = score.movement_ci
    if value < 0 and found is not None:
        found = Interval(-found.high, -found.low)
    clause = moved.reversed if value < 0 else moved.shown
    below = "; below 0: the other way" if found is not None and found.low < 0 else ""
    return f"{clause}, by {abs(value):.2f} lengths of the scale ({_spread(found, score)}{below})"


def left_out_sentence(score: BiasScore) -> str:
    """What did not count, or nothing."""
    parts = []
    if score.invalid:
        parts.append(f"{count(score.invalid, 'pair')} left out because no option could be read")
    if score.failed:
        parts.append(f"{count(score.failed, 'pair')} failed or not finished yet")
    return "; ".join(parts) + "." if parts else ""


def _spread(interval: Interval | None, score: BiasScore) -> str:
    if interval is None:
        return "no interval can be determined"
    low, high = signed_number(interval.low), signed_number(interval.high)
    return f"{exact_percent(score.confidence)} interval {low} to {high}"


def _verdict(score: BiasScore, people: Evidence | None) -> str:
    """What the movement says; where the published score says something else, that too."""
    if score.judgement is BiasJudgement.SHOWN or score.judgement is BiasJudgement.REVERSED:
        return _moved(score, people)
    if score.judgement is BiasJudgement.NONE:
        return (
            f"None that matters: the movement lies within ±{SMALLEST} lengths of the scale "
            "(the smallest that is taken to matter here)."
        )
    if score.judgement is BiasJudgement.SCENES:
        if score.movement_ci is None or score.clusters < FEWEST_SCENES:
            return (
                f"These scenes can't show it: {count(FEWEST_SCENES, 'scene')} at least are needed."
            )
        assert score.constant is not None
        low, high = signed_number(score.constant.low), signed_number(score.constant.high)
        return (
            "These scenes can't show it: always taking one and the same option moves by "
            f"{low} to {high}."
        )
    if score.invalid > MOST_UNREAD * (score.n + score.invalid):
        return "Too few answers: more than a fifth of the pairs have an answer that we cannot read."
    return (
        "Too few answers: the movement may be none or more than "
        f"{SMALLEST} lengths of the scale. Ask more pairs."
    )


def _moved(score: BiasScore, people: Evidence | None) -> str:
    shown = score.judgement is BiasJudgement.SHOWN
    if people is None:
        way = "in the direction of the bias" if shown else "against its direction"
    else:
        way = "as people's do" if shown else "the other way than people's"
        way = f"{way} ({people.source})"
    told = (
        f"{'Shown' if shown else 'Reversed'}: decisions moved {way}, which chance hardly explains."
    )
    by_score = -_above(score.band, score.metric)
    if by_score == 0:
        return (
            f"{told} The published score alone does not say so: random answers often score as much."
        )
    if (by_score > 0) is not shown:
        return f"{told} The published score points the other way: look at the pairs one by one."
    return told


def _above(interval: Interval | None, value: float | None) -> int:
    """1 where the interval lies above the value, -1 where below, 0 where it may hold it."""
    if interval is None or value is None:
        return 0
    return int(interval.low > value) - int(interval.high < value)
