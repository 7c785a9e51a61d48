"""Writing a bias of one's own: the text, what is wrong with it, both arms, and keeping it."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.opening import withstood
from biaslab.runs import delete_text, keep_text
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    CheckedText,
    bias_paths,
    check_given,
    fill,
    value_combinations,
)
from biaslab.studies.decisions.biases.catalogue import ASSETS, custom_bias
from biaslab.studies.decisions.biases.checking import LocatedFinding
from biaslab.studies.decisions.biases.document import LARGEST_FILE, MOST_BYTES
from biaslab.studies.decisions.results import STUDY
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.cases import draw_case, draw_extremes
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import integer
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

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
    st.session_state.setdefault(_TEXT, _sample())
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


def _sample() -> str:
    return (ASSETS / _SAMPLE).read_text(encoding="utf-8")


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
                st.success(f"Kept as “{plain(found.id)}”.")
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
