"""The first screen: what a real model was found to do, and doing it again with one here."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import streamlit as st

from biaslab.models import Access, Completion, ModelKind
from biaslab.models.local.hub import gigabytes, hub_list
from biaslab.models.server.addresses import is_loopback
from biaslab.models.server.model import server_spec
from biaslab.runs import (
    MemberDetail,
    PairDetail,
    RunOptions,
    RunRecord,
    RunStatus,
    connections,
    default_database,
    find_connection,
    launch,
    recording_of,
)
from biaslab.runs.hosting import why_not_listed
from biaslab.stats.beside_effects import MARGIN
from biaslab.studies import Item, experiment
from biaslab.system.roles import May, Role
from biaslab.ui.ask.asking import RunChoices, start_asking
from biaslab.ui.models.hub import draw_progress, look
from biaslab.ui.models.hub import start as start_fetching
from biaslab.ui.models.server_testing import run_test
from biaslab.ui.models.servers import found_nearby
from biaslab.ui.navigation import (
    CHECK_TUTOR,
    COMPOSE,
    EFFECTS,
    GUESS,
    ITEMS,
    MATRIX,
    MODELS,
    RESULTS,
    ROOM,
    RUNS,
    YOUR_CLASS,
    YOUR_PROBLEM,
    link,
)
from biaslab.ui.results.item_detail import verdict
from biaslab.ui.studies.word_problems.first_finding import (
    DESIGN,
    MODEL,
    STRATEGY,
    FirstFinding,
    again,
    finding,
    shown_run,
    telling_pair,
)
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.cards import SIGNS, Bar, differing, draw_bars, live, progress_bar, to_html
from biaslab.ui.widgets.runs import recorded_words
from biaslab.ui.widgets.visitor import draw_login
from biaslab.ui.widgets.words import ACTIVE, RESUMABLE, moment, place, plain
from schoolmath.malrules.catalogue.stories.chain import REVERSED
from schoolmath.text.figures import count, interval_words, signed_points
from schoolmath.text.written_answers import readable

_LEAST_SHOWN, _MOST_SHOWN = 12, 34
"""Words of a response that are shown before a click: its end, where the calculation stands."""

HELPS, TURNED = "wording helps", "turned round"
"""What the kinds of problems are called where somebody has never heard of consistent ones."""


@st.cache_resource(show_spinner=False, max_entries=16)
def found_in(state: queries.OutcomesState) -> FirstFinding | None:
    """What a run as it stands found on problems with one calculation."""
    return finding(queries.store(), state.run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _pair_of(state: queries.OutcomesState) -> PairDetail | None:
    return telling_pair(queries.store(), state.run)


def draw_sentence(run: RunRecord, found: FirstFinding) -> None:
    """How many of the problems the model gets right in either wording."""
    n, name = found.effect.n, html.escape(queries.model_label(run.model_spec))
    st.html(
        f'<p class="bl bl-lead"><b>{name}</b> answers <b>{found.right_x} of {n}</b> problems right '
        f"when the wording helps, and <b>{found.right_x_prime} of {n}</b> when the same sentence "
        "is turned round.</p>"
    )


def draw_shares(run: RunRecord, found: FirstFinding, when: str) -> None:
    """Both shares as bars, with their difference and how sure it is.

    Args:
        run: whose answers they are.
        found: what it found.
        when: who was asked when, as it stands above the bars.
    """
    arms, n = experiment(run.study).arms, found.effect.n
    sides = (
        ("x", f"{HELPS} ({arms.x})", found.right_x),
        ("x-prime", f"{TURNED} ({arms.x_prime})", found.right_x_prime),
    )
    bars = [Bar(side, words, right / n, f"{right} of {n}") for side, words, right in sides]
    draw_bars(bars, when, _difference(found))


def _difference(found: FirstFinding) -> str:
    """The effect with interval and n, and why it says little where it does."""
    effect = found.effect
    words = f"Difference {signed_points(effect.cate)} points"
    if effect.ci_low is None or effect.ci_high is None:
        return f"{words}, {count(effect.n, 'pair')}."
    words += (
        f" (95 % interval {interval_words(effect.ci_low, effect.ci_high)}), "
        f"{count(effect.n, 'pair')} with one calculation, asked step by step."
    )
    if not effect.ci_low <= 0 <= effect.ci_high:
        return words
    share = (found.right_x + found.right_x_prime) / (2 * effect.n)
    if MARGIN < share < 1 - MARGIN:
        return f"{words} This may be chance."
    nearly_all = "wrong" if share <= MARGIN else "right"
    return f"{words} Nearly all are {nearly_all}, so a difference could hardly show."


def draw_pair(run: RunRecord, day: str) -> None:
    """A pair that shows the reversed operation, with what the model wrote to both members."""
    found = _pair_of(queries.OutcomesState.of(run))
    if found is None:
        return
    x = _member(found.x, found.x_prime, HELPS, "x")
    other = _member(found.x_prime, found.x, TURNED, "x-prime", _reversed(found.x_prime.item))
    name = html.escape(queries.model_label(run.model_spec))
    st.html(
        '<figure class="bl bl-words" aria-label="A pair of problems and how both were answered">'
        f'<div class="bl-pair">{x}{other}</div><figcaption class="bl-faint">Only the underlined '
        f"words differ. Answers of {name}, recorded on {day}.</figcaption></figure>"
    )
    with st.container(horizontal=True, gap="small"):
        link(ITEMS, "This pair, in full", {"run": run.id, "pair": found.pair.id})
        link(EFFECTS, "The effect, with every test", {"runs": run.id, "by": "steps"})


def _reversed(item: Item) -> str:
    """Which operation the model took for which."""
    (step,) = item.facts["steps"]
    taken, needed = (
        f"{step['left']} {SIGNS[sign]} {step['right']}"
        for sign in (REVERSED[step["operation"]], step["operation"])
    )
    return f", which is {taken} in place of {needed}"


def _member(member: MemberDetail, other: MemberDetail, arm: str, side: str, how: str = "") -> str:
    texts = [e.answered.text for e in member.stages if isinstance(e.answered, Completion)]
    whole = "".join(f'<div class="bl-pre">{html.escape(text.strip())}</div>' for text in texts)
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f'<div class="bl-arm">{html.escape(arm)}</div>'
        f'<p class="bl-text">{to_html(differing(member.item.text, other.item.text))}</p>'
        f'<div class="bl-foot"><p class="bl-outcome">{html.escape(verdict(member) + how)}</p>'
        f"<details><summary>{_end(texts[0]) if texts else ''}</summary>{whole}"
        "</details></div></section>"
    )


def _end(text: str) -> str:
    """The last sentences of a response as HTML, its formulas as plain text."""
    sentences = re.split(r"(?<=[.:!?])\s+|\n+", readable(text))
    shown: list[str] = []
    words = 0
    while sentences and words < _LEAST_SHOWN:
        part = sentences.pop().split()[-_MOST_SHOWN:]
        shown, words = [" ".join(part), *shown], words + len(part)
    cut = "… " if any(map(str.strip, sentences)) else ""
    return cut + "<br>".join(html.escape(part) for part in shown if part)


_LEAST_PARAMETERS = 400_000_000
"""Smaller ones get too few problems right for the wording to show (docs/real-models.md)."""


@dataclass(frozen=True, slots=True)
class Here:
    """A language model that answers on this computer.

    Attributes:
        spec: what opens it; name: what it is called.
        access: how it is reached; tested: whether its server was tested before.
    """

    spec: str
    name: str
    access: Access = Access()
    tested: bool = True


def draw_again(recorded: RunRecord | None) -> bool:
    """Draws the offer, how far it is, or what came of it; whether anything is going on.

    Args:
        recorded: the run that is shown, if there is one.
    """
    run = again(queries.runs_in_file())
    if run is None:
        return _draw_offer()
    if found := found_in(queries.OutcomesState.of(run)):
        finished = run.status is RunStatus.FINISHED
        when = moment(run.created, st.context.timezone) if finished else "so far"
        draw_shares(run, found, f"{queries.model_label(run.model_spec)}, asked here: {when}")
    if run.status is not RunStatus.FINISHED:
        progress_bar(run)
    with st.container(horizontal=True, gap="small"):
        if (
            run.status in RESUMABLE
            and not visitor.refused(May.RUN)
            and st.button("Go on", type="primary", icon=":material/play_arrow:")
        ):
            launch(queries.store().path, run.id)
            st.rerun()
        if run.status is not RunStatus.FINISHED:
            link(RUNS, "Details of this run", {"run": run.id})
        else:
            link(ITEMS, "All its answers", {"run": run.id})
            both = ",".join([run.id, recorded.id] if recorded else [run.id])
            link(EFFECTS, "Next to the recorded run", {"runs": both})
            link(COMPOSE, "Ask another model", _ON_COMPOSE)
    return run.status in ACTIVE


_ON_COMPOSE = {
    "study": DESIGN.study, "n": str(DESIGN.n), "seed": str(DESIGN.seed), "strategy": STRATEGY,
    **{name: str(value) for name, value in DESIGN.settings.items()},
}  # fmt: skip


def models_here() -> list[Here]:
    """Language models that can be asked on this computer, the one of the recorded run first."""
    found = [
        Here(each.spec, each.label)
        for each in queries.models()
        if each.ready and each.kind is ModelKind.LANGUAGE_MODEL and not why_not_listed(each.spec)
    ]
    tested = connections(queries.store())
    found += [
        Here(each.spec, f"{each.capabilities.name} at {place(each.base_url)}", each.access)
        for each in tested
        if each.capabilities.ok and is_loopback(each.base_url)
        and not why_not_listed(each.spec, each.access)
    ]  # fmt: skip
    if visitor.is_here():
        known = {(each.spec, each.base_url) for each in tested}
        found += [
            Here(server_spec(name), f"{name} at {place(each.url)}", Access((each.url,)), False)
            for each in found_nearby()
            for name in each.names
            # A model that turns texts into numbers answers nothing.
            if (server_spec(name), each.url) not in known and "embed" not in name.lower()
        ]
    return sorted(found, key=lambda each: MODEL.lower() not in each.name.lower())


def _draw_offer() -> bool:
    """Offers to ask a model that is here, else to get one; whether one is being downloaded."""
    if visitor.refused(May.RUN):
        return False
    here = models_here()
    if not here:
        return _draw_fetching()
    labels = choosing.distinct_labels({str(at): each.name for at, each in enumerate(here)})
    chosen: str | None = "0"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(here) > 1:
            chosen = choosing.selectbox("Who is asked", labels, format_func=labels.__getitem__)
        asked = here[int(chosen or 0)]
        name = "" if len(here) > 1 else f": ask {plain(asked.name)}"
        pressed = st.button(f"Do it again{name}", type="primary", icon=":material/replay:")
    same = MODEL.lower() in asked.name.lower()
    another = "" if same else " It is another model than the one above."
    st.caption(
        f"{count(DESIGN.n, 'new pair')} of the same kind, on this computer; its bars appear here."
        f"{another}"
    )
    if pressed:
        _ask(asked)
    return False


def _ask(asked: Here) -> None:
    """Starts the run; a server that was never tested is tested first."""
    access = asked.access
    if not asked.tested:
        found = run_test(asked.spec, access)
        connection = find_connection(queries.store(), asked.spec, access.base_urls[0])
        if not found.ok or connection is None:
            st.error(plain(" ".join(found.problems)), icon=":material/error:")
            return
        access = connection.access
    start_asking(RunChoices(DESIGN, asked.spec, STRATEGY, options=RunOptions(access=access)))
    st.rerun()


def _draw_fetching() -> bool:
    offered = [each for each in hub_list().models if each.parameters >= _LEAST_PARAMETERS]
    model = min(offered, key=lambda each: MODEL not in each.repository, default=None)
    if model is None or not visitor.may(May.TRAIN):
        link(MODELS, "Do it again: first get a language model")
        return False
    state = look(model)
    if state.complete:
        return _draw_fetched(state.spec)
    if state.running:
        draw_progress(state)
        return True
    if state.error:
        st.error(plain(state.error), icon=":material/error:")
    size = gigabytes(model.download_bytes)
    if st.button(
        f"Do it again: get the model ({size})", type="primary", icon=":material/download:"
    ):
        start_fetching(model)
        st.rerun()
    st.caption(
        f"{plain(model.name)}, {plain(model.licence)}, about {gigabytes(model.memory_bytes)} of "
        "memory. It is downloaded once, then asked on this computer: about 10 minutes on two "
        "cores. Models that Ollama or another program here serves are found automatically."
    )
    return False


def _draw_fetched(spec: str) -> bool:
    """A model that was just downloaded is offered in a moment, or it is said why it cannot be."""
    listed = {each.spec: each for each in queries.models()}
    if spec in listed:
        st.error(plain(listed[spec].why_not), icon=":material/error:")
        link(MODELS, "Models")
        return False
    st.caption("The model is here.")
    queries.models.clear()
    return True


def home_page() -> None:
    """Home: what a real language model was found to do, and doing it again."""
    st.title("Do language models stumble where children do?", anchor=False)
    recorded = shown_run(queries.recorded_runs())
    found = None if recorded is None else found_in(queries.OutcomesState.of(recorded))
    recording = {} if recorded is None else recording_of(recorded)
    asked = date.fromisoformat(recording["date"]) if recording else None
    day = f"{asked.day} {asked:%B %Y}" if asked else ""
    shown, words = st.columns(2, gap="medium")
    with shown:
        if recorded is not None and found is not None:
            draw_sentence(recorded, found)
            draw_shares(recorded, found, f"Recorded on {day}")
        else:
            st.markdown(
                "One problem twice, one sentence reversed: does a model still get it right? "
                "This copy of BiasLab came without recorded answers; ask a model yourself."
            )
            if fault := queries.gallery_fault():
                st.error(plain(fault), icon=":material/error:")
        live(lambda: draw_again(recorded))
    with words:
        if recorded is not None:
            draw_pair(recorded, day)
            with st.expander("How was this made?"):
                st.markdown(
                    f"{recorded_words(recording)} BiasLab asked it once, and this page counts its "
                    "answers again. docs/real-models.md says how, and how to record a model."
                )
    if visitor.is_here():
        kept, home = default_database(), Path.home()
        where = f"~/{kept.relative_to(home)}" if kept.is_relative_to(home) else str(kept)
        st.caption(
            f"Everything stays on this computer, in {plain(where)}. "
            "Nothing is sent anywhere unless you choose a server."
        )
    else:
        st.caption(
            "Problems, answers and results are saved on the computer that runs BiasLab, where "
            "everybody who opens it sees them. Nothing is sent anywhere else unless somebody "
            "chooses a model on a server."
        )

    with st.grid(3, min_column_width=260, border=True):
        with st.container():
            st.markdown(
                "**You teach**",
                help="Print a quiz and see by row numbers which misconceptions your class may "
                "have. Or make pairs of problems and see which words mislead.",
            )
            link(CHECK_TUTOR, "Check a tutor")
            link(YOUR_CLASS, "Your class")
            link(YOUR_PROBLEM, "Your problem")
        with st.container():
            st.markdown(
                "**You do research**",
                help="Effects with intervals, tests and published models; every number "
                "leads to the answers behind it.",
            )
            link(MODELS, "Connect a model")
            with st.container(horizontal=True, gap="xsmall"):
                link(COMPOSE, "Compose")
                link(MATRIX, "Several at once")
            with st.container(horizontal=True, gap="xsmall"):
                link(RESULTS, "Overview")
                link(EFFECTS, "Effects")
                link(ITEMS, "Items")
        with st.container():
            st.markdown(
                "**You host a workshop**",
                help="People answer on their phones, and the room has an effect of its own; all "
                "may watch the same runs; or guess together how a pupil came to a wrong answer.",
            )
            link(ROOM, "Live room")
            link(GUESS, "Guess the mal-rule")
            link(RUNS, "Runs")
    if visitor.role() in (Role.VISITOR, Role.PARTICIPANT, Role.HOST):
        draw_login()
