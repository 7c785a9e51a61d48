"""The minimal pairs of a teacher's problem: ticked, kept as a set, and answered by models.

A handful of answers is no measurement: nothing is counted, drawn as a chart or kept.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from biaslab.models import Completion, Failure, read_spec
from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import RunError, StoreError
from biaslab.runs.library.pair_sets import save_set
from biaslab.studies import Item, experiment
from biaslab.studies.strategies import Procedure
from biaslab.studies.study import Answered, Reading
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.custom.problem import (
    FIRST_TWINS,
    MOST_CHARACTERS,
    CustomProblem,
    CustomTwin,
    twins_of,
)
from biaslab.ui.ask.asking import default_strategy
from biaslab.ui.classroom.paper import draw_paper, problems_sheet, teacher_sheet
from biaslab.ui.navigation import COMPOSE, go
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice
from biaslab.ui.widgets.cards import differing, to_html
from biaslab.ui.widgets.language_model import ReadyModel, draw_models
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.problems.stories import answer as answer_of
from schoolmath.text.figures import count

_ORIGIN = "made from your own problem"
_LONGEST_NAME = 80


def draw_twins(own: CustomProblem) -> list[CustomTwin]:
    """Draws a tick for every pair, and why others cannot be made; those that are ticked."""
    twins = _twins(own)
    if not twins:
        st.info("The answer stands in the text, so nothing is calculated and no pair can be made.")
    possible = [twin for twin in twins if twin.pair is not None]
    ticked = _ticked(possible)
    if possible:
        shown = f"Pairs shown: {len(ticked.value)} of {len(possible)}"
        with st.expander(shown, expanded=not ticked.value):
            with st.grid(2, min_column_width=280):
                for twin in possible:
                    _draw_tick(twin, ticked)
            _draw_impossible([twin for twin in twins if twin.pair is None])
    return [twin for twin in possible if twin.name in ticked.value]


@st.cache_data(show_spinner="Making the pairs …", max_entries=32, hash_funcs={CustomProblem: repr})
def _twins(own: CustomProblem) -> tuple[CustomTwin, ...]:
    return twins_of(own)


def _ticked(possible: list[CustomTwin]) -> Parameter[list[str]]:
    """Which are ticked, as it stands in the address; the paper's studies unless chosen."""
    names = [twin.name for twin in possible]

    def read(text: str) -> list[str]:
        return [name for name in text.split(",") if name in names]

    default = [name for name in names if name in FIRST_TWINS] or names[:1]
    return Parameter("twins", default, read, lambda chosen: ",".join(chosen) or "none")


def _draw_tick(twin: CustomTwin, ticked: Parameter[list[str]]) -> None:
    key = f"twin {twin.name}"
    st.session_state[key] = twin.name in ticked.value

    def change() -> None:
        others = [name for name in ticked.value if name != twin.name]
        ticked.set([*others, twin.name] if st.session_state[key] else others)

    st.checkbox(plain(twin.label), key=key, on_change=change, help=plain(twin.question))


def _draw_impossible(twins: list[CustomTwin]) -> None:
    if twins:
        st.markdown(
            f"{count(len(twins), 'pair')} cannot be made from this problem:\n\n"
            + "\n".join(f"- **{plain(twin.label)}:** {plain(twin.why_not)}" for twin in twins)
        )


def draw_keeping(own: CustomProblem, ticked: Sequence[CustomTwin]) -> None:
    """Draws what saves the pairs that are ticked and leads on with them."""
    pairs = [twin.pair for twin in ticked if twin.pair is not None]
    if not pairs:
        return
    name = st.text_input(
        "Name of the set", value=f"My problem: {own.text}"[:_LONGEST_NAME], key="name of own set"
    )
    if st.button(f"Keep {count(len(pairs), 'pair')} and ask a model"):
        try:
            made = save_set(queries.store(), name, pairs, _ORIGIN)
        except (RunError, StoreError) as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        go(COMPOSE, study=IMPORTED, set=made.id, n=str(made.pairs))


MOST_TEXTS = 24
"""Most texts that are asked at once: a screen that one still reads."""

MOST_MODELS = 4
"""Most models beside each other."""

_ANSWERS = "own problem answers"
_CHANGED = "own problem changed texts"


class _TwinRequest(NamedTuple):
    model: str
    way: str
    text: str


@dataclass(frozen=True, slots=True)
class _ModelAnswer:
    """What a model said to a text, and what was read in it; or why it said nothing."""

    text: str
    reading: Reading | None


def draw_answers(own: CustomProblem, twins: Sequence[CustomTwin]) -> None:
    """Draws the choice of models, the answers to the pairs that are ticked, and their paper."""
    pairs = [twin for twin in twins if twin.pair is not None][: MOST_TEXTS // 2]
    if not pairs:
        st.info("Tick a pair above to ask models about it.")
        return
    study = experiment(IMPORTED)
    labels = {each.name: each.label for each in study.strategies}

    def chosen(text: str) -> list[str] | None:
        return [each for each in text.split(",") if each][:MOST_MODELS] or None

    usual = [model.spec for model in queries.models() if model.spec == DEFAULT_TINY and model.ready]
    models = Parameter("answering", usual, chosen, ",".join)
    whom, how, act = st.columns([5, 3, 2], gap="medium", vertical_alignment="bottom")
    with whom:
        writers = draw_models("Models (tiny ones need no key)", models)
    first = writers[0].spec if writers else DEFAULT_TINY
    way = choice("way", tuple(labels), default_strategy(study, first))
    with how:
        choosing.selectbox(
            "How they are asked", labels, format_func=labels.__getitem__, **way.bind()
        )
    items = [item for twin in pairs if twin.pair for item in (twin.pair.x, twin.pair.x_prime)]
    changed: dict[str, list[str]] = st.session_state.setdefault(_CHANGED, {})
    items += [_item(text) for item in items for text in changed.get(item.text, [])]
    missing = _missing(items, writers, way.value)
    words = f"Ask {count(len(writers), 'model')}" if writers else "Choose a model to ask"
    if act.button(words, type="primary", disabled=not missing, key="ask about own pairs"):
        with shown_errors():
            _ask(missing, writers, way.value)
    for twin in pairs:
        _draw_pair(twin, writers, way.value)
    st.caption(
        "Each pair is proved to differ in nothing but the feature and the words underlined. One "
        "answer does not show a bias: save the pairs and ask many of the same kind."
    )
    _draw_paper(own, pairs, writers, way.value)


_PAPERS = {"none": "None", "pupils": "Worksheet for pupils", "teacher": "Pairs and answers"}


def _draw_paper(
    own: CustomProblem, twins: Sequence[CustomTwin], writers: Sequence[ReadyModel], way: str
) -> None:
    """A page to print: the problems alone, or the pairs with what the models answered."""
    paper = choice("paper", tuple(_PAPERS), "none")
    choosing.segmented_control(
        "Page to print",
        list(_PAPERS),
        format_func=_PAPERS.__getitem__,
        required=True,
        **paper.bind(),
    )
    if paper.value == "none":
        return
    st.caption("Print with Ctrl+P or ⌘P: only the page below is printed.")
    if paper.value == "pupils":
        draw_paper([problems_sheet(_in_turns(twins))])
        return
    asked = [each for each in writers if any(said.model == each.spec for said in _answers())]
    body = "".join(
        f"<h3>{html.escape(twin.label)}</h3>{_cards(twin, asked, way)}" for twin in twins
    )
    how = f"“{own.text}” The right answer is {own.answer}. One answer does not show a bias."
    draw_paper([teacher_sheet("A problem and its pairs", how, body)])


def _in_turns(twins: Sequence[CustomTwin]) -> list[str]:
    """Every text once, the members of a pair as far from each other as the list allows."""
    pairs = [(twin.pair.x.text, twin.pair.x_prime.text) for twin in twins if twin.pair]
    turns = [pair if at % 2 == 0 else pair[::-1] for at, pair in enumerate(pairs)]
    return list(dict.fromkeys([first for first, _ in turns] + [second for _, second in turns]))


def _item(text: str) -> Item:
    """A changed text as something to ask; without a right answer where it is not read."""
    found = answer_of(text).answer
    right = "" if found is None or found.denominator != 1 else str(found.numerator)
    return Item.of(IMPORTED, text, right, {})


def _answers() -> dict[_TwinRequest, _ModelAnswer]:
    found: dict[_TwinRequest, _ModelAnswer] = st.session_state.setdefault(_ANSWERS, {})
    return found


def _missing(items: Sequence[Item], writers: Sequence[ReadyModel], way: str) -> list[Item]:
    """Items that some chosen model has not answered, each once."""
    kept = _answers()
    return [
        item
        for item in {each.text: each for each in items}.values()
        if any(_TwinRequest(writer.spec, way, item.text) not in kept for writer in writers)
    ]


def _ask(items: Sequence[Item], writers: Sequence[ReadyModel], way: str) -> None:
    """Asks every model what it has not answered, in as many requests as the way takes."""
    kept = _answers()
    bar = st.progress(0.0, "Opening the model …")
    for writer in writers:
        left = [item for item in items if _TwinRequest(writer.spec, way, item.text) not in kept]
        if not left:
            continue
        try:
            said = _model_answers(writer, left, way, bar)
        except RunError as error:
            said = [_ModelAnswer(str(error), None)] * len(left)
        for item, each in zip(left, said, strict=True):
            kept[_TwinRequest(writer.spec, way, item.text)] = each
    bar.empty()


def _model_answers(
    writer: ReadyModel, items: Sequence[Item], way: str, bar: DeltaGenerator
) -> list[_ModelAnswer]:
    study = experiment(IMPORTED)
    strategy = next(each for each in study.strategies if each.name == way)
    here = read_spec(writer.spec).has_weights
    procedure = Procedure(study, strategy, writer.form, in_turns=not here)
    stages: list[list[Answered]] = [[] for _ in items]
    parts: list[list[Answered]] = [[] for _ in items]
    failed: dict[int, Failure] = {}
    while True:
        asked = {
            place: request
            for place, item in enumerate(items)
            if place not in failed
            and (request := procedure.request(item, stages[place], parts[place])) is not None
        }
        if not asked:
            break
        places = list(asked)
        turn = max(len(stages[place]) for place in places) + 1
        told = f"Asking {plain(writer.label)}" + (f", step {turn}" if turn > 1 else "")
        slow = ", which may take minutes on this computer" if here else ""
        bar.progress(0.0, f"{told}: 0 of {len(places)} texts{slow}")
        with closing(writer.ask([asked[place] for place in places])) as replies:  # type: ignore[misc]
            for come, (number, reply) in enumerate(replies, 1):
                bar.progress(come / len(places), f"{told}: {come} of {len(places)} texts")
                place = places[number]
                if not isinstance(reply, Completion):
                    failed[place] = reply
                    continue
                parts[place].append(reply)
                response = procedure.response(items[place], stages[place], parts[place])
                if response is not None:
                    stages[place].append(response)
                    parts[place].clear()
    return [
        _ModelAnswer(failed[place].reason, None)
        if place in failed
        else _ModelAnswer(_text(stages[place]), procedure.read(item, stages[place]))
        for place, item in enumerate(items)
    ]


def _text(responses: Sequence[Answered]) -> str:
    return "\n".join(each.text for each in responses if isinstance(each, Completion))


def _draw_pair(twin: CustomTwin, writers: Sequence[ReadyModel], way: str) -> None:
    assert twin.pair is not None
    x, x_prime = twin.pair.x, twin.pair.x_prime
    changed: dict[str, list[str]] = st.session_state[_CHANGED]
    with st.container(border=True, gap="xxsmall"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            st.markdown(f"**{plain(twin.label)}**")
            with st.popover("Change a word and ask again", type="tertiary"):
                _draw_change(twin, x, twin.arms.x, writers, way)
                _draw_change(twin, x_prime, twin.arms.x_prime, writers, way)
        st.html(_cards(twin, writers, way))
        for item, arm, side in ((x, twin.arms.x, "x"), (x_prime, twin.arms.x_prime, "x-prime")):
            cards = "".join(
                _card(_item(text), item.text, f"{arm}, changed", side, writers, way)
                for text in changed.get(item.text, [])
            )
            if cards:
                st.html(f'<div class="bl">{cards}</div>')


def _cards(twin: CustomTwin, writers: Sequence[ReadyModel], way: str) -> str:
    assert twin.pair is not None
    x, x_prime = twin.pair.x, twin.pair.x_prime
    return (
        '<div class="bl bl-pair">'
        + _card(x, x_prime.text, twin.arms.x, "x", writers, way)
        + _card(x_prime, x.text, twin.arms.x_prime, "x-prime", writers, way)
        + "</div>"
    )


def _card(
    item: Item, other: str, title: str, side: str, writers: Sequence[ReadyModel], way: str
) -> str:
    lines = "".join(_line(item, writer, way) for writer in writers)
    right = f"right answer <b>{html.escape(item.answer)}</b>" if item.answer else ""
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(title)}">'
        f'<div class="bl-arm">{html.escape(title)}'
        f'<span class="bl-faint">{right or "right answer not known here"}</span></div>'
        f'<p class="bl-text">{to_html(differing(item.text, other))}</p>{lines}</section>'
    )


def _line(item: Item, writer: ReadyModel, way: str) -> str:
    """One model's answer: the number that was read in it, and what it wrote."""
    name = f"<b>{html.escape(writer.label)}</b>"
    said = _answers().get(_TwinRequest(writer.spec, way, item.text))
    if said is None:
        return f'<p class="bl-outcome">{name}: <span class="bl-faint">not asked yet</span></p>'
    if said.reading is None:
        return f'<p class="bl-outcome">{name}: no answer. {html.escape(said.text)}</p>'
    value = said.reading.value
    read = "no number that can be read" if value is None else f"<b>{html.escape(value)}</b>"
    mark = ""
    if value is not None and item.answer:
        mark = " ✓ right" if said.reading.outcome == 1.0 else " ✗ wrong"
    wrote = html.escape(said.text.strip())
    return (
        f'<details class="bl-outcome"><summary>{name}: {read}{mark}</summary>'
        f'<p class="bl-faint" style="white-space:pre-wrap">{wrote}</p></details>'
    )


def _draw_change(
    twin: CustomTwin, item: Item, arm: str, writers: Sequence[ReadyModel], way: str
) -> None:
    """A field for this text with other words."""
    changed: dict[str, list[str]] = st.session_state[_CHANGED]
    texts = changed.get(item.text, [])
    key = f"changed {twin.name} {arm}"
    typed = st.text_area(
        f"The text, changed as you like: {plain(arm)}",
        value=texts[-1] if texts else item.text,
        max_chars=MOST_CHARACTERS,
        key=key,
    )
    text = " ".join(str(typed).split())
    new = bool(text) and text not in {item.text, *texts}
    if st.button("Ask this text", key=f"ask {key}", disabled=not (new and writers)):
        with shown_errors():
            _ask([_item(text)], writers, way)
        changed.setdefault(item.text, []).append(text)
        st.rerun()
