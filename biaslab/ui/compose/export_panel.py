"""The panel "Export": the pairs of a design as a file for other programs or for paper."""

from __future__ import annotations

from itertools import islice

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.errors import MAX_SHEET_PROBLEMS
from biaslab.studies import Arms, Design, Experiment, Value
from biaslab.studies.study import arms_of
from biaslab.studies.word_problems.files.exporting import (
    PAIR_EXPORTS,
    PairExportSettings,
    PairForm,
    export_pairs,
)
from biaslab.studies.word_problems.files.worksheet import Members
from biaslab.ui.compose.preview import AT_ONCE
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.text.figures import count

_AT_A_PRESS = 2_000
"""Files of up to so many pairs are made while they are downloaded."""
_FILE = "export file"
_ON_PAPER = 20
"""Problems of a worksheet or quiz, unless told otherwise."""


def pair_downloads(study: Experiment, design: Design) -> None:
    """Draws the choice of a format and the button that makes the file.

    Args:
        study: whose pairs they are.
        design: which of its pairs.
    """
    arms = arms_of(study, design)
    format_ = choice("as", PAIR_EXPORTS, next(iter(PAIR_EXPORTS)))
    choosing.selectbox(
        "As",
        list(PAIR_EXPORTS),
        format_func=lambda name: PAIR_EXPORTS[name].label,
        filter_mode=None,
        **format_.bind(),
    )
    form = PAIR_EXPORTS[format_.value]
    st.caption(form.explanation)
    settings, pairs = PairExportSettings(arms=arms), design.n
    if form.one_member:
        settings, pairs = _draw_paper(form, design, arms)
    fixed = tuple(sorted(design.settings.items()))
    # The first pair, made for the preview, is tried, so that a refusal is told at once.
    refused = refusal(design.study, design.seed, fixed, 1, form.name, settings)
    if refused:
        st.error(plain(refused), icon=":material/error:")
    large = pairs > _AT_A_PRESS
    made = _made_before(study, design, form, settings, pairs) if large and not refused else None
    if large and made is None:
        return
    st.download_button(
        f"{form.label}: {count(pairs, 'problem' if form.one_member else 'pair')}",
        (lambda: pair_file(study, design, form.name, settings, pairs)) if made is None else made,
        f"biaslab-{design.study}-{pairs}-seed{design.seed}{form.suffix}",
        form.mime,
        on_click="ignore",
        icon=":material/download:",
        disabled=bool(refused),
        key="export",
    )
    if not form.one_member and AT_ONCE < pairs <= _AT_A_PRESS:
        st.caption("The file is made when you press the button.")


def _made_before(
    study: Experiment, design: Design, form: PairForm, settings: PairExportSettings, pairs: int
) -> bytes | None:
    """A large file that was made beforehand; None while it is not, which the page says.

    Making it may take a minute, and fail where there are fewer pairs than asked for: a download
    that fails has no place for a reason.
    """
    wanted = repr((design, form.name, settings, pairs))
    stored_file: tuple[str, bytes] = st.session_state.get(_FILE, ("", b""))
    if stored_file[0] == wanted:
        return stored_file[1]
    st.caption(f"Making {count(pairs, 'pair')} takes a while, up to a minute for the largest.")
    if not st.button("Make the file", key="export make", icon=":material/build:"):
        return None
    try:
        with st.spinner("Making the pairs …"):
            content = pair_file(study, design, form.name, settings, pairs)
    except (DesignError, InterchangeError) as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    st.session_state[_FILE] = (wanted, content)
    return content


def pair_file(
    study: Experiment,
    design: Design,
    form: str,
    settings: PairExportSettings | None = None,
    pairs: int | None = None,
) -> bytes:
    """The first so many pairs of a design as a file; all of them unless told.

    Raises:
        InterchangeError: the format cannot hold them.
    """
    first = islice(study.pairs(design), design.n if pairs is None else pairs)
    return export_pairs(study, design, first, form, settings).content


@st.cache_data(show_spinner=False, max_entries=64)
def refusal(
    study: str,
    seed: int,
    settings: tuple[tuple[str, Value], ...],
    pairs: int,
    form: str,
    chosen: PairExportSettings,
) -> str:
    """Why the first so many pairs cannot be written in this format; empty where they can."""
    design = Design(study, pairs, seed, dict(settings))
    first = queries.first_pairs(study, seed, settings, pairs)
    try:
        export_pairs(queries.study_of(study), design, first, form, chosen)
    except InterchangeError as error:
        return str(error)
    return ""


def _draw_paper(form: PairForm, design: Design, arms: Arms) -> tuple[PairExportSettings, int]:
    """What a worksheet or quiz shows, and of how many pairs."""
    most = min(design.n, MAX_SHEET_PROBLEMS)
    names = {
        Members.ALTERNATING: "In turn",
        Members.X: arms.x.capitalize(),
        Members.X_PRIME: arms.x_prime.capitalize(),
    }
    left, right = st.columns([1, 2])
    with left:
        pairs = st.number_input(
            "Problems", 1, most, min(most, _ON_PAPER), key="export problems",
            help="One of each pair, so that nobody sees both members.",
        )  # fmt: skip
    with right:
        members = choosing.segmented_control(
            "Which of each pair", list(names), default=Members.ALTERNATING, required=True,
            format_func=names.__getitem__, wrap=True, key="export members",
        )  # fmt: skip
    if form.name != "worksheet":
        return PairExportSettings(members or Members.ALTERNATING, arms=arms), int(pairs)
    title = st.text_input("Title", max_chars=100, placeholder="Word problems", key="export title")
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        paper = choosing.segmented_control(
            "Paper", ["A4", "Letter"], default="A4", required=True, key="export paper"
        )
    with right:
        solutions = st.toggle("With solutions", value=True, key="export solutions")
    return PairExportSettings(
        members or Members.ALTERNATING, title, paper or "A4", solutions, arms
    ), int(pairs)
