"""A pair of the demo and what its models wrote, as it comes with the app: never made up."""

from __future__ import annotations

from collections.abc import Sequence

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
from biaslab.ui.demo.starting import demo
from biaslab.ui.demo.words import who
from biaslab.ui.navigation import ITEMS, LOOK_INSIDE, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import member_html
from biaslab.ui.widgets.words import plain


@st.cache_resource(show_spinner=False)
def shown_example() -> tuple[Example, Pair]:
    """The example and its pair."""
    found = example()
    return found, pair_of(found.number)


def draw_example() -> None:
    """The pair with what every model of the demo wrote, and ways to look closer."""
    found, pair = shown_example()
    st.header(
        "One pair, word for word",
        anchor=False,
        help=f"Pair {found.number} of the demo: the first that shows the error and nothing else. "
        "These are the texts that the models gave, asked step by step (first to reason, then for "
        "the number).",
    )
    answers = [(f"{who(answered.model)}: ", answered) for answered in found.answers]
    st.html(f'<div class="bl">{_pair_html(pair, answers)}</div>')
    with st.container(horizontal=True):
        for answered, run in zip(found.answers, _runs(found), strict=True):
            if run is not None:
                where = {"run": run.id, "pair": found.pair}
                link(ITEMS, f"This pair in the run of {plain(who(answered.model))}", where)
        link(LOOK_INSIDE, "Look inside while it reads", _inside(found))


def _pair_html(pair: Pair, answers: Sequence[tuple[str, Answered]]) -> str:
    """Both members once, with what each model wrote behind its name."""
    arms = experiment(DESIGN.study).arms
    one = [_outcome(name, answered.x) for name, answered in answers]
    other = [_outcome(name, answered.x_prime) for name, answered in answers]
    return (
        '<div class="bl-pair">'
        + member_html(pair.x, pair.x_prime, arms.x, "x", working=False, outcomes=one)
        + member_html(
            pair.x_prime, pair.x, arms.x_prime, "x-prime", working=False, outcomes=other
        )
        + "</div>"
    )  # fmt: skip


def _outcome(name: str, given: Given) -> str:
    mark = "✓" if given.right else "✗"
    *reasoned, last = [text.strip() for text in given.responses]
    wrote = f"“{' '.join(reasoned)}”, so " if reasoned else ""
    return f"{mark} {name}{wrote}“{last}”"


def _runs(found: Example) -> list[RunRecord | None]:
    """The demo's own runs of the example's models, where these have answered the pair."""
    runs = {run.model_spec: run for run in demo(queries.runs_in_file()).done}
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
