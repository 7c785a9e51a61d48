"""Repeats and luck: how often each problem is asked, and how much chance there is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from biaslab.models import ModelChoice, ModelKind, Sampling, read_spec
from biaslab.models.requests import ThinkingLevel
from biaslab.models.server.capabilities import Capabilities, Seed
from biaslab.runs import MOST_SAMPLES
from biaslab.runs.library.connections import tokens_for
from biaslab.studies import Experiment
from biaslab.studies.strategies import GO_ON_TIMES, MOST_GO_ON, MOST_TOKENS, Length
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, choice, flag, integer, number, open_integer
from biaslab.ui.widgets.runs import UNSHORTENED
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

HOTTEST = 2.0
"""Servers refuse higher temperatures."""

_LARGEST_SEED = 2**31 - 1

_LEVELS: dict[str, str] = {
    "": "As the model does",
    **{level: level.capitalize() for level in ThinkingLevel},
}

_READERS = {"": "BiasLab's way", "published": "First number, as published"}


@dataclass(frozen=True, slots=True)
class Repeats:
    """What a person chose.

    Attributes:
        samples: how often each problem is asked.
        sampling: in place of the strategy's own; None: as the strategy says.
        length: how much the model may write.
        refused: why nothing can be asked like this, as a sentence; empty if it can.
    """

    samples: int = 1
    sampling: Sampling | None = None
    length: Length = Length()
    refused: str = ""


def samples_parameter() -> Parameter[int]:
    """How often each problem is asked, as it stands in the address."""
    return integer("samples", 1, 1, MOST_SAMPLES)


def temperature_parameter() -> Parameter[float]:
    """The temperature as it stands in the address."""
    return number("temperature", 0.0, 0.0, HOTTEST)


def luck_parameter() -> Parameter[int]:
    """The seed of chance as it stands in the address."""
    return integer("sampling-seed", 0, 0, _LARGEST_SEED)


def max_tokens_parameter() -> Parameter[int | None]:
    """The most tokens of a response, as they stand in the address."""
    return open_integer("max-tokens", 1, MOST_TOKENS)


def go_on_parameter() -> Parameter[int]:
    """How often a response that was cut off is asked to go on, as it stands in the address."""
    return integer("go-on", GO_ON_TIMES, 0, MOST_GO_ON)


@dataclass(frozen=True, slots=True)
class ReadingChoice:
    """How answers are read.

    Attributes:
        reader: as for `biaslab.runs.prepare`.
        until_number: whether writing ends once the first number is there.
    """

    reader: str | None = None
    until_number: bool = False


def draw_reading(study: Experiment, model: ModelChoice) -> ReadingChoice:
    """Draws the choice of the reader, where the study has several."""
    if not study.further_readers:
        return ReadingChoice()
    reader, until = choice("reader", tuple(_READERS), ""), flag("until-answered")
    choosing.segmented_control(
        "How answers are read",
        list(_READERS),
        format_func=_READERS.__getitem__,
        required=True,
        wrap=True,
        help="BiasLab looks for the number that the model calls its answer. Opedal et al. (2024) "
        "took the first number of the response, with commas and points deleted: the same for "
        "most answers that come after reasoning, and often a number of the problem where a model "
        "that was asked directly calculates aloud. A finished run can be read again in either way.",
        **reader.bind(),
    )
    if not reader.value or not read_spec(model.spec).has_weights:
        return ReadingChoice(reader.value or None)
    st.toggle(
        "Stop writing after the number",
        help="The reading cannot change after its first number, and a model on this computer is "
        "done several times sooner when it is asked directly.",
        **until.bind(),
    )
    return ReadingChoice(reader.value, until.value)


def draw_repeats(model: ModelChoice, server: Capabilities | None = None) -> Repeats:
    """Draws the choice; ``server`` is what the test of the model's server found."""
    temperature, samples, luck = temperature_parameter(), samples_parameter(), luck_parameter()
    tokens, go_on = max_tokens_parameter(), go_on_parameter()
    level = choice("thinking", tuple(_LEVELS), "")
    with st.expander(_title(temperature.value, samples.value), key="repeats"):
        st.number_input(
            "Temperature",
            min_value=0.0,
            max_value=HOTTEST,
            step=0.1,
            format="%.2f",
            value=None,
            help="0: the model always takes its likeliest next word, as in the published "
            "studies. Higher: it picks its words at random, so answers vary; 1 is the model's own "
            "mixture.",
            **temperature.bind(),
        )
        choosing.segmented_control(
            "Thinking before it answers",
            list(_LEVELS),
            format_func=_LEVELS.__getitem__,
            required=True,
            wrap=True,
            help="For models that think first and have a switch for it. Short thinking ends after "
            f"{ThinkingLevel.SHORT.tokens} tokens where the model runs here; a server is asked to "
            "think little. Runs that differ in this alone can be compared pair by pair.",
            **level.bind(),
        )
        st.number_input(
            "Times each problem is asked",
            min_value=1,
            max_value=MOST_SAMPLES,
            step=1,
            value=None,
            help="Several answers to one problem show how steady the model is. They are not "
            "independent of each other, so they count as one observation: the number of pairs "
            "stays the same, and so does most of the width of the interval.",
            **samples.bind(),
        )
        st.number_input(
            "Seed of chance",
            min_value=0,
            max_value=_LARGEST_SEED,
            step=1,
            value=None,
            help="Any whole number. The same seed gives the same answers again, if the model "
            "keeps to it; another seed, other luck.",
            **luck.bind(),
        )
        usual = None if server is None else tokens_for(server)
        st.number_input(
            "Most tokens of a response",
            min_value=1,
            max_value=MOST_TOKENS,
            step=256,
            value=None,
            placeholder="as the prompt strategy sets it"
            if usual is None
            else f"{usual:,}, as this model thinks first",
            help="A token is a short piece of a word. What a model thinks before it answers counts "
            "too: one that thinks for long needs several thousand.",
            **tokens.bind(),
        )
        st.number_input(
            "Times a response that is cut off is asked to go on",
            min_value=0,
            max_value=MOST_GO_ON,
            step=1,
            value=None,
            help="A response that ends at its limit before an answer can be read in it is no wrong "
            "answer. The model is asked to go on, and if that leads to no answer, there is none. "
            "0: it counts as it is, as in the published studies.",
            **go_on.bind(),
        )
        st.caption(plain(_explained(model, temperature.value, samples.value, server)))
    refused = why_refused(model, temperature.value, samples.value)
    if refused:
        st.warning(plain(refused))
        st.button(
            "Use temperature 0.7",
            on_click=temperature.change,
            args=(0.7,),
            key="warmer",
        )
    sampling = chosen_sampling(model, temperature.value, luck.value)
    if level.value:
        sampling = replace(sampling or Sampling(UNSHORTENED), thinking=ThinkingLevel(level.value))
    return Repeats(samples.value, sampling, Length(tokens.value, go_on.value), refused)


def chosen_sampling(model: ModelChoice, temperature: float, seed: int) -> Sampling | None:
    """What to hand over; None where it would change nothing.

    A model opened here gives the same answer for every seed at temperature 0. Another seed would
    make it be asked again all the same, because answers are kept by their parameters.
    """
    if temperature == 0 and (seed == 0 or _always_the_same(model)):
        return None
    return Sampling(UNSHORTENED, temperature, seed)


def why_refused(model: ModelChoice, temperature: float, samples: int) -> str:
    """Why this cannot be asked so often at this temperature; empty if it can."""
    if samples == 1 or temperature > 0 or not _always_the_same(model):
        return ""
    return (
        f"At temperature 0 this model gives the same answer every time, so {samples} answers to "
        "each problem add nothing to one. Choose a temperature above 0, or ask once."
    )


def _always_the_same(model: ModelChoice) -> bool:
    """Whether the model has no luck at temperature 0.

    A server may have: other requests that it works on at the same time change its roundings. A
    simulated learner has the luck of its seed.
    """
    return read_spec(model.spec).has_weights


def _title(temperature: float, samples: int) -> str:
    parts = []
    if samples > 1:
        parts.append(f"asked {count(samples, 'time')}")
    if temperature > 0:
        parts.append(f"temperature {temperature:g}")
    return ": ".join(["Repeats and luck", *filter(None, [", ".join(parts)])])


def _explained(
    model: ModelChoice, temperature: float, samples: int, server: Capabilities | None
) -> str:
    if model.kind is ModelKind.LEARNER:
        told = "A simulated learner has its own luck for every seed, at any temperature."
    elif temperature > 0:
        told = (
            "The model picks its words at random, so it may be right once and wrong another time."
        )
    else:
        told = "The model takes its likeliest words: as in the published studies."
    if samples > 1:
        told += " Each repeat has its own seed, derived from the one above."
    if server is not None:
        told += _about_server(temperature, server)
    return told


def _about_server(temperature: float, server: Capabilities) -> str:
    told = ""
    if temperature == 0 and server.chosen is not None and not server.chosen.cold:
        told += (
            " This server does not take temperature 0, so its answers are random whatever you "
            "choose here."
        )
    if server.seed in (Seed.IGNORED, Seed.REFUSED):
        told += " This server ignores the seed: asked again, it may answer differently."
    return told
