"""A pair of the demo and what its models wrote, as it comes with the app: never made up."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.keeping.word_problems.demonstration import (
    DESIGN,
    Answered,
    Example,
    Given,
    example,
    pair_of,
)
from biaslab.runs import RunRecord
from biaslab.studies import Pair, experiment
from biaslab.studies.registry import evidence_about_people
from biaslab.ui.demo.starting import demo
from biaslab.ui.demo.words import who
from biaslab.ui.navigation import DEMO, ITEMS, LOOK_INSIDE, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import member_html
from biaslab.ui.widgets.words import plain


@st.cache_resource(show_spinner=False)
def shown_example() -> tuple[Example, Pair]:
    """The example and its pair."""
    found = example()
    return found, pair_of(found.number)


def draw_picture() -> None:
    """The pair on the first screen, with what the misled model wrote to each member."""
    found, pair = shown_example()
    arms = experiment(DESIGN.study).arms
    misled, balanced = found.answers
    st.html(
        '<figure class="bl bl-picture" aria-label="A pair of problems and how both were answered">'
        f"{_pair_html(pair, misled, who(misled.model))}"
        f"<figcaption>The same calculation and the same answer; only the underlined words differ. "
        f"Both answers are of one model, {_name(misled)}, asked step by step; {_name(balanced)} "
        f"{_both_words(balanced)}. A model that gets “{html.escape(arms.x)}” problems right more "
        f"often than “{html.escape(arms.x_prime)}” ones is misled by the wording{_known()}."
        "</figcaption></figure>"
    )  # fmt: skip
    link(DEMO, "What both models wrote to this pair")


def _known() -> str:
    people = evidence_about_people(DESIGN.study)
    return "" if people is None else html.escape(f", as {people.cited} are")


def draw_example() -> None:
    """The pair with what every model of the demo wrote, and ways to look closer."""
    found, pair = shown_example()
    st.header("One pair, word for word", anchor=False)
    st.caption(
        f"Pair {found.number} of the demo: the first that shows the error and nothing else. These "
        "are the texts that the models gave, asked step by step (first to reason, then for the "
        "number)."
    )
    for answered in found.answers:
        st.markdown(f"**{plain(who(answered.model))}**")
        st.html(f'<div class="bl">{_pair_html(pair, answered, "It")}</div>')
    with st.container(horizontal=True):
        for answered, run in zip(found.answers, _runs(found), strict=True):
            if run is not None:
                where = {"run": run.id, "pair": found.pair}
                link(ITEMS, f"This pair in the run of {plain(who(answered.model))}", where)
        link(LOOK_INSIDE, "Look inside while it reads", _inside(found))


def _pair_html(pair: Pair, answered: Answered, name: str) -> str:
    arms = experiment(DESIGN.study).arms
    one, other = (_outcome(given, name) for given in (answered.x, answered.x_prime))
    return (
        '<div class="bl-pair">'
        + member_html(pair.x, pair.x_prime, arms.x, "x", working=False, outcome=one)
        + member_html(
            pair.x_prime, pair.x, arms.x_prime, "x-prime", working=False, outcome=other
        )
        + "</div>"
    )  # fmt: skip


def _outcome(given: Given, name: str) -> str:
    mark = "✓" if given.right else "✗"
    *reasoned, last = [text.strip() for text in given.responses]
    wrote = f"wrote “{' '.join(reasoned)}” and " if reasoned else ""
    return f"{mark} {name} {wrote}answered “{last}”"


def _both_words(answered: Answered) -> str:
    right = [answered.x.right, answered.x_prime.right]
    if all(right):
        return "answered both rightly"
    return "answered one of them rightly" if any(right) else "answered both wrongly"


def _name(answered: Answered) -> str:
    return f"<b>{html.escape(who(answered.model))}</b>"


def _runs(found: Example) -> list[RunRecord | None]:
    """The demo's own runs of the example's models, where these have answered the pair."""
    runs = {run.model_spec: run for run in demo(queries.runs()).done}
    return [runs.get(answered.model) for answered in found.answers]


def _inside(found: Example) -> dict[str, str]:
    low, _, _ = str(DESIGN.settings["steps"]).partition("-")
    return {
        "model": found.answers[0].model,
        "beside": found.answers[1].model,
        "study": DESIGN.study,
        "steps": low,
        "operations": str(DESIGN.settings["operations"]),
        "seed": str(DESIGN.seed),
        "pair": str(found.number),
    }
