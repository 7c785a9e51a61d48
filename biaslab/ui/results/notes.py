"""A person's marks and notes beside the pairs of a run: written, listed, filtered by.

They are shown to and written by the person at this computer alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import streamlit as st

from biaslab.runs import (
    LONGEST_NOTE,
    ChangedNote,
    PairMark,
    PairNote,
    RunError,
    RunRecord,
    StoreError,
    is_recorded,
    pair_notes,
    save_note,
)
from biaslab.system.roles import May
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import Parameter, several
from biaslab.ui.widgets.words import DefinedTerm, moment, plain

MARKS: Final[Mapping[PairMark, DefinedTerm]] = {
    PairMark.STAR: DefinedTerm("★ star", "worth showing"),
    PairMark.AGAIN: DefinedTerm("↻ again", "to be checked again"),
    PairMark.MISREAD: DefinedTerm("≠ misread", "an answer was read wrongly"),
    PairMark.FAULTY: DefinedTerm("! faulty", "the problem is wrong or unclear"),
}
"""What marks are called, with their sign in front, and what they mean."""

_ANY, _NOTE = "any", "note"
_NOTE_SIGN = "✎"
_IN_LIST = 50
"""Characters of a note in the list."""
_NOTHING = PairNote()
_REFUSED = "note refused"

Notes = Mapping[str, PairNote]
"""Marks and notes by the id of the pair."""

Noted = tuple[tuple[str, ...], ...]
"""For each of several words, ids of the pairs that have it in a note."""


def notes_of(run: RunRecord) -> Notes | None:
    """Marks and notes of a run as they are kept now; None for who may not read them."""
    # Never kept between drawings: another window may have written one.
    if is_recorded(run.id) or not visitor.may(May.NOTES):
        return None
    return pair_notes(queries.store(), run.id)


def marked_parameter() -> Parameter[list[str]]:
    """What the address wants pairs to be marked with; nothing means all pairs."""
    return several("marked", [_ANY, *PairMark, _NOTE], (), ("page", "pair"))


def marked_pairs(notes: Notes | None) -> tuple[str, ...] | None:
    """Ids of the pairs that are marked as the address wants; None where it wants nothing."""
    wanted = marked_parameter().value
    if notes is None or not wanted:
        return None
    return tuple(sorted(pair for pair, note in notes.items() if set(wanted) & _kinds(note)))


def noted(notes: Notes | None, search: str) -> Noted:
    """The pairs whose notes have a word, for each word that is looked for; capitals do not count.

    Nothing for who may not read notes.
    """
    return tuple(
        tuple(sorted(pair for pair, note in (notes or {}).items() if word in note.text.casefold()))
        for word in search.casefold().split()
    )


def draw_marked(notes: Notes | None) -> None:
    """Draws the filter by marks, where there are any."""
    parameter = marked_parameter()
    if notes is None:
        if parameter.value:
            st.warning(
                "The link asks for marked pairs. Marks are shown at the computer that runs BiasLab "
                "alone, so all pairs are listed."
            )
        return
    counts = Counter(kind for note in notes.values() for kind in _kinds(note))
    offered = [kind for kind in (_ANY, *PairMark, _NOTE) if counts[kind] or kind in parameter.value]
    if offered:
        choosing.pills(
            "Marked",
            offered,
            selection_mode="multi",
            format_func=lambda kind: f"{_filter_words(kind)} ({counts[kind]:,})",
            help="Pairs that you marked or wrote a note next to, in the whole run. None chosen "
            "means all pairs.",
            **parameter.bind(),
        )


def sign(note: PairNote | None) -> str:
    """What stands behind a pair in the list, as in " · ★ ✎"; empty where nothing is kept."""
    if note is None:
        return ""
    signs = [MARKS[note.mark].name.partition(" ")[0]] if note.mark else []
    return f" · {' '.join([*signs, *([_NOTE_SIGN] if note.text else [])])}"


def beginning(note: PairNote | None) -> str:
    """How the note begins, for the list; empty where there is none."""
    words = " ".join(note.text.split()) if note else ""
    shown = words if len(words) <= _IN_LIST else f"{words[:_IN_LIST]} …"
    return f" · {_NOTE_SIGN} {shown}" if shown else ""


def draw_note(run: RunRecord, pair: str, notes: Notes | None) -> None:
    """Draws the mark and note beside a pair, to be changed; a recorded run has none."""
    if is_recorded(run.id):
        return
    if notes is None:
        with st.expander("Mark and note", expanded=_REFUSED in st.session_state):
            _draw_refused(run, pair)
            st.caption(
                "Marks and notes are read and written at the computer that runs BiasLab alone. "
                f"{visitor.PROVE_IT}"
            )
        return
    note = notes.get(pair, _NOTHING)
    with st.expander("Mark and note", expanded=note != _NOTHING or _REFUSED in st.session_state):
        _draw_refused(run, pair)
        # What another window keeps comes with another key, so that it is shown here too.
        key = f"{run.id} {pair} {note.changed}"
        with st.form(f"note {key}", border=False):
            choosing.pills(
                "Mark",
                list(PairMark),
                format_func=lambda mark: MARKS[mark].name,
                default=note.mark,
                help="; ".join(f"{each.name}: {each.explanation}" for each in MARKS.values()) + ".",
                key=f"mark of {key}",
            )
            st.text_area(
                "Note",
                note.text,
                max_chars=LONGEST_NOTE,
                height=110,
                placeholder="Plain text, such as: the second step is right, the last is reversed",
                key=f"note of {key}",
            )
            st.form_submit_button(
                "Save",
                icon=":material/save:",
                key=f"save note {key}",
                on_click=_save,
                args=(run.id, pair, note, key),
            )
        st.caption(plain(_kept_words(run, note)))


def _kept_words(run: RunRecord, note: PairNote) -> str:
    words = (
        f"Saved {moment(note.changed, st.context.timezone)} in your file of runs, next to this "
        "pair of this run."
        if note.changed
        else "Saved in your file of runs, next to this pair of this run; visitors do not see it."
    )
    if run.bundle is None:
        return words
    return f"{words} The run was opened from a bundle: when you close that, mark and note are gone."


def _save(run: str, pair: str, note: PairNote, key: str) -> None:
    text = str(st.session_state.get(f"note of {key}") or "")
    mark = st.session_state.get(f"mark of {key}")
    if not visitor.may(May.NOTES):
        why = "This browser no longer counts as that of the person at this computer, so "
        st.session_state[_REFUSED] = (run, pair, f"{why}nothing was saved.", text)
        return
    try:
        save_note(queries.store(), run, pair, mark, text, note)
    except (RunError, StoreError) as error:
        # Any other error leaves the text in its field.
        mine = text if isinstance(error, ChangedNote) else ""
        st.session_state[_REFUSED] = (run, pair, str(error), mine)


def _draw_refused(run: RunRecord, pair: str) -> None:
    """Says once why a note was not kept, with the text where it would be lost."""
    refused: tuple[str, str, str, str] | None = st.session_state.pop(_REFUSED, None)
    if refused is None or refused[:2] != (run.id, pair):
        return
    st.error(plain(refused[2]), icon=":material/error:")
    if refused[3]:
        st.caption("What you wrote:")
        st.code(refused[3], language=None, wrap_lines=True)


def _kinds(note: PairNote) -> set[str]:
    """What the filter finds the pair by."""
    return {_ANY, *([note.mark] if note.mark else []), *([_NOTE] if note.text else [])}


def _filter_words(kind: str) -> str:
    words = {_ANY: "any", _NOTE: f"{_NOTE_SIGN} with a note"}
    return words[kind] if kind in words else MARKS[PairMark(kind)].name
