"""Letting a language model write scenes, and looking at every one before it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import streamlit as st

from biaslab.models import GenerationRequest
from biaslab.runs.jobs.one_off import RequestResult
from biaslab.stats.estimates import wilson
from biaslab.studies.decisions.biases import Bias, BiasError, Vignette, bias_paths, fill
from biaslab.studies.decisions.biases.files import with_vignettes
from biaslab.studies.decisions.biases.template import values_at
from biaslab.studies.decisions.biases.written_scenes import (
    Filled,
    diversity,
    judged,
    refusals,
    scenes_written,
)
from biaslab.ui.navigation import BIASES, go
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.address import MOST_FILLED, WRITE, bias_parameter, many_parameter
from biaslab.ui.studies.decisions.cases import draw_case
from biaslab.ui.studies.decisions.writing import use_text
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.language_model import ReadyModel, draw_writer
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, percent, percents

_RESULT = "filled scenes"
ACCEPT, REJECT = "Accept", "Reject"


@dataclass(slots=True)
class _Scene:
    """A scene that a model wrote, and what a person made of it."""

    number: int
    field: str
    filled: Filled
    answer: str
    choice: str | None = None


@dataclass(slots=True)
class _Result:
    """All scenes of one asking."""

    bias: str
    model: str
    scenes: list[_Scene]


def draw_filling() -> None:
    """Draws who writes what, the scenes to look at, and what becomes of those accepted."""
    st.markdown(
        "A model fills the gaps of a bias, following the instruction of each. The same contents "
        "stand in both arms. Its answers are checked by rules, and **only scenes that you accept "
        "are used**. The bias's text and instructions are sent to the model you choose."
    )
    names = bias_queries.names()
    what, who = st.columns(2, gap="medium")
    with what, st.container(border=True):
        choosing.selectbox(
            "Bias", list(names), format_func=names.__getitem__, **bias_parameter(names).bind()
        )
        st.number_input(
            "Scenes", min_value=1, max_value=MOST_FILLED, step=1, value=None,
            help="One request for each.", **many_parameter().bind(),
        )  # fmt: skip
    with who, st.container(border=True):
        writer = draw_writer("fill")
    bias = bias_queries.find(bias_parameter(names).value)
    if st.button("Write scenes", type="primary", disabled=writer is None):
        assert writer is not None
        with shown_errors():
            st.session_state[_RESULT] = _ask(bias, writer, many_parameter().value)
    result: _Result | None = st.session_state.get(_RESULT)
    if result is None or result.bias != bias.id:
        st.caption("The scenes appear here.")
        return
    _draw_result(bias, result)


def _ask(bias: Bias, writer: ReadyModel, many: int) -> _Result:
    done = st.progress(0.0, text=f"Asking for {count(many, 'scene')} …")
    scenes = []

    def ask(requests: Sequence[GenerationRequest]) -> Iterator[RequestResult]:
        with closing(writer.ask(requests)) as answered:
            yield from answered

    for each in scenes_written(bias, ask, writer.form, many):
        scenes.append(_Scene(each.number, each.field, each.filled, each.answer))
        done.progress(len(scenes) / many, text=f"{len(scenes)} of {count(many, 'scene')}")
    done.empty()
    return _Result(bias.id, writer.label, sorted(scenes, key=lambda scene: scene.number))


def _draw_result(bias: Bias, result: _Result) -> None:
    sound = [s for s in result.scenes if s.filled.vignette is not None and not s.filled.faults]
    st.header("Look at every scene", anchor=False)
    asked = len(result.scenes)
    share = percent(len(sound) / asked)
    found = wilson(len(sound), asked)
    spread = "" if found is None else f", 95 % interval {percents(found.low, found.high)}"
    st.markdown(f"{len(sound)} of {count(asked, 'scene')} passed the rules ({share}{spread}).")
    refused = refusals(scene.filled for scene in result.scenes)
    if refused:
        with st.expander("Why scenes were refused"):
            st.markdown("\n".join(f"- {many} × {plain(reason)}" for reason, many in refused))
    _draw_diversity(bias, sound)
    for scene in result.scenes:
        _draw_scene(bias, scene)
    accepted = [s.filled.vignette for s in sound if s.choice == ACCEPT and s.filled.vignette]
    _draw_use(bias, result, accepted)


def _draw_diversity(bias: Bias, sound: list[_Scene]) -> None:
    written = [scene.filled.vignette for scene in sound if scene.filled.vignette is not None]
    if not written:
        return
    rows = [("These scenes", diversity(written))]
    if bias.vignettes:
        rows.append(("The bias's own", diversity(bias.vignettes)))
    lines = []
    for name, found in rows:
        line = (
            f"- **{name}** ({count(found.scenes, 'scene')}): {percent(found.distinct_words)} of "
            f"the words and {percent(found.distinct_pairs)} of neighbouring pairs of words are "
            "different ones"
        )
        if found.overlap is not None and found.closest is not None:
            line += (
                f"; two scenes share {percent(found.overlap)} of their words on average, "
                f"{percent(found.closest_overlap)} at most ({plain(' and '.join(found.closest))})"
            )
        lines.append(f"{line}.")
    st.markdown("**How different are they?**")
    st.markdown("\n".join(lines))
    st.caption("Fewer scenes have more different words by themselves: compare like with like.")


def _draw_scene(bias: Bias, scene: _Scene) -> None:
    filled = scene.filled
    state = "✗ cannot be used" if filled.faults else scene.choice or "not looked at yet"
    with st.expander(
        plain(f"Scene {scene.number}, {scene.field}: {state}"), expanded=scene.number == 1
    ):
        if filled.faults:
            st.warning("\n".join(f"- {plain(fault)}" for fault in filled.faults))
        if filled.vignette is None:
            st.code(scene.answer or "(nothing)", language=None, wrap_lines=True)
            return
        if not filled.faults:
            try:
                draw_case(fill(bias, filled.vignette, values_at(bias, 0)))
            except BiasError as error:
                st.warning(plain(str(error)))
            key = f"scene choice {scene.number}"
            st.session_state[key] = scene.choice

            def decide() -> None:
                scene.choice = st.session_state[key]

            choosing.segmented_control(
                "This scene", [ACCEPT, REJECT], key=key, on_change=decide,
                label_visibility="collapsed",
            )  # fmt: skip
        _draw_editing(bias, scene, filled.vignette)


def _draw_editing(bias: Bias, scene: _Scene, vignette: Vignette) -> None:
    with st.form(f"edit scene {scene.number}"):
        edited: dict[str, str | dict[str, str]] = {}
        for name, content in vignette.slots.items():
            if isinstance(content, str):
                edited[name] = st.text_area(name, content, height=70, key=_key(scene, name))
            else:
                edited[name] = {
                    choice: st.text_area(
                        f"{name}, {choice}", text, height=70, key=_key(scene, name, choice)
                    )
                    for choice, text in content.items()
                }
        if st.form_submit_button("Take my changes"):
            scene.filled = judged(bias, replace(vignette, slots=edited))
            scene.choice = None
            st.rerun()


def _key(scene: _Scene, *names: str) -> str:
    return f"scene {scene.number} {' '.join(names)}"


def _draw_use(bias: Bias, result: _Result, accepted: list[Vignette]) -> None:
    st.header("Use them", anchor=False)
    if not accepted:
        st.caption("Accept at least one scene.")
        return
    keep_present = st.checkbox(
        "Beside the scenes that the bias has", value=False, disabled=not bias.vignettes
    )
    vignettes = [*(bias.vignettes if keep_present else ()), *accepted]
    text = with_vignettes(
        _text_of(bias),
        vignettes,
        f"{bias.id}-written"[:80],
        f"{bias.name}, scenes by a model",
        f"{count(len(accepted), 'scene')} written by {result.model} and accepted by a person.",
    )
    st.markdown(f"{count(len(accepted), 'scene')} accepted.")
    with st.container(horizontal=True):
        if st.button("Open as a bias of my own", type="primary"):
            use_text(text)
            go(BIASES, view=WRITE)
        st.download_button(
            "Download the bias (YAML)", text, f"{bias.id}-written.yaml", "application/yaml",
            on_click="ignore", icon=":material/download:",
        )  # fmt: skip


def _text_of(bias: Bias) -> str:
    if bias.id in bias_paths():
        return bias_paths()[bias.id].read_text(encoding="utf-8")
    return bias_queries.own()[bias.id].text
