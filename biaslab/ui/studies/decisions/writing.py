"""Writing a bias of one's own, and letting a language model write its scenes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.opening import withstood
from biaslab.models import GenerationRequest
from biaslab.runs import delete_text, keep_text
from biaslab.runs.jobs.one_off import RequestResult
from biaslab.stats.estimates import wilson
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    CheckedText,
    Vignette,
    bias_paths,
    check_given,
    fill,
    value_combinations,
)
from biaslab.studies.decisions.biases.catalogue import ASSETS, custom_bias
from biaslab.studies.decisions.biases.checking import LocatedFinding
from biaslab.studies.decisions.biases.document import LARGEST_FILE, MOST_BYTES
from biaslab.studies.decisions.biases.files import with_vignettes
from biaslab.studies.decisions.biases.template import values_at
from biaslab.studies.decisions.biases.written_scenes import (
    SceneResult,
    diversity,
    judged,
    refusals,
    scenes_written,
)
from biaslab.studies.decisions.results import STUDY
from biaslab.ui.navigation import BIASES, COMPOSE, go, link
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.detail import draw_case, draw_extremes
from biaslab.ui.studies.decisions.queries import MOST_FILLED, WRITE, bias_parameter, many_parameter
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import integer
from biaslab.ui.widgets.language_model import ReadyModel, draw_writer
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.text.figures import count, percent, percents

_TEXT = "own bias"
_FIELD = "own bias field"
_FROM = "own bias from"
_UPLOAD = "own bias upload"
_SAMPLE = "samples/my-bias.yaml"
_SHOWN = 12
"""Findings that are listed at once."""


def draw_writing() -> None:
    """Draws the editor, the check, the example and the biases kept."""
    st.markdown(
        "A bias is **one text in two arms**: `[control | treatment]` marks what differs, "
        "`{gaps}` are filled by scenes and drawn values. Change the sample, or bring a file. The "
        "text stays in this browser session until you keep it."
    )
    _draw_start()
    st.session_state.setdefault(_TEXT, (ASSETS / _SAMPLE).read_text(encoding="utf-8"))
    if st.session_state.get(_FIELD) != st.session_state[_TEXT]:
        # Set at every run, it would take away what somebody types while a run goes on.
        st.session_state[_FIELD] = st.session_state[_TEXT]
    text, shown = st.columns([1, 1], gap="medium")
    with text:
        st.text_area(
            "The bias as YAML",
            key=_FIELD,
            height=620,
            max_chars=LARGEST_FILE,
            on_change=lambda: use_text(str(st.session_state[_FIELD] or "")),
            help="Press Ctrl and Enter, or click elsewhere, to check it.",
        )
        st.button("Check it", type="primary")
    with shown:
        checked = _checked(str(st.session_state[_TEXT]))
        _draw_findings(checked)
        if checked.bias is not None and checked.bias.vignettes:
            _draw_example(checked.bias)
    _draw_keeping(checked, str(st.session_state[_TEXT]))
    _draw_kept()


def use_text(text: str) -> None:
    """Takes another text in place of the one in the editor."""
    st.session_state[_TEXT] = text


@lru_cache(maxsize=32)
def _checked(text: str) -> CheckedText:
    data = text.encode("utf-8", errors="replace")
    try:
        return check_given(withstood(check_given, data))
    except InterchangeError as refused:
        return CheckedText(None, (LocatedFinding(True, 0, "", str(refused)),))


def _draw_start() -> None:
    sources = {"": "choose", _SAMPLE: "A small sample"}
    sources |= {name: f"{name} (BiasLab's own)" for name in bias_paths()}
    own = bias_queries.own()
    sources |= {f"own {name}": f"{name} (your own)" for name in own}

    def begin() -> None:
        chosen = str(st.session_state[_FROM])
        if chosen.startswith("own "):
            use_text(own[chosen.removeprefix("own ")].text)
        elif chosen:
            path = bias_paths().get(chosen, ASSETS / chosen)
            use_text(path.read_text(encoding="utf-8"))
        st.session_state[_FROM] = ""

    def bring() -> None:
        given = st.session_state[_UPLOAD]
        if given is not None:
            # What is no text, or too long, shows as such, and the check says so.
            content: bytes = given.getvalue()[: MOST_BYTES + 1]
            use_text(content.decode("utf-8", errors="replace"))

    one, other = st.columns(2)
    with one:
        choosing.selectbox(
            "Start from", list(sources), format_func=sources.__getitem__, key=_FROM,
            on_change=begin, help="Takes its text into the editor in place of what is there.",
        )  # fmt: skip
    with other:
        st.file_uploader(
            "Or bring a file (YAML)", type=["yaml", "yml"], key=_UPLOAD, on_change=bring,
            max_upload_size=1,
        )  # fmt: skip


def _draw_findings(checked: CheckedText) -> None:
    faults = checked.faults
    if faults:
        st.error(f"{count(len(faults), 'fault')}: it cannot be used so.", icon=":material/error:")
    else:
        st.success(
            "It does what it says: every gap is filled, the arms differ in what is marked and in "
            "nothing else, and the stated answers give the ends of the score.",
            icon=":material/check:",
        )
    lines = [f"- {plain(str(finding))}" for finding in checked.findings[:_SHOWN]]
    if len(checked.findings) > _SHOWN:
        lines.append(f"- … and {len(checked.findings) - _SHOWN} more")
    if lines:
        st.markdown("\n".join(lines))


def _draw_example(bias: Bias) -> None:
    scene = integer("scene", 1, 1, len(bias.vignettes))
    if len(bias.vignettes) > 1:
        st.pagination(len(bias.vignettes), max_visible_pages=3, **scene.bind())
    try:
        combinations = list(value_combinations(bias))
        place = 7 * (scene.value - 1) % len(combinations)
        case = fill(bias, bias.vignettes[scene.value - 1], combinations[place])
    except BiasError:
        return  # It stands among the findings.
    draw_case(case)
    draw_extremes(case)


def _draw_keeping(checked: CheckedText, text: str) -> None:
    name = "my-bias" if checked.bias is None else checked.bias.id
    with st.container(horizontal=True):
        if st.button("Keep it, to run it", disabled=checked.usable is None):
            with shown_errors():
                found = custom_bias(text)
                keep_text(queries.store(), found.id, found.name, text)
                st.success(f"Saved as “{plain(found.id)}”.")
        st.download_button(
            "Download it (YAML)", text, f"{name}.yaml", "application/yaml", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip


def _draw_kept() -> None:
    own = bias_queries.own()
    if not own:
        return
    st.header("Biases that you keep", anchor=False)
    for each in own.values():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(each.name)}** ({plain(each.id)})")
            address = {"study": STUDY, "bias": each.id, "n": str(_size(each.id))}
            link(COMPOSE, f"Ask a model about {plain(each.id)}", address)
            if st.button("Delete", key=f"delete bias {each.id}"):
                with shown_errors():
                    delete_text(queries.store(), each.id)
                    st.rerun()
    st.caption("Deleting a bias leaves the runs that asked it as they are.")


def _size(bias_id: str) -> int:
    """Pairs to begin with: every scene in both orders of the options, at most."""
    try:
        return min(40, 2 * len(bias_queries.find(bias_id).vignettes))
    except BiasError:
        return 1


_RESULT = "filled scenes"
ACCEPT, REJECT = "Accept", "Reject"


@dataclass(slots=True)
class _Scene:
    """A scene that a model wrote, and what a person made of it."""

    number: int
    field: str
    filled: SceneResult
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
    st.caption("Fewer scenes naturally have more different words: compare like with like.")


def _draw_scene(bias: Bias, scene: _Scene) -> None:
    filled = scene.filled
    state = "✗ cannot be used" if filled.faults else scene.choice or "not checked yet"
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
        "Next to the scenes that the bias has", value=False, disabled=not bias.vignettes
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
