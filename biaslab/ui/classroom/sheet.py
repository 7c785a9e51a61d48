"""Step 2 of Your class: the answers, on a sheet that names no pupil or from the class's phones."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import streamlit as st

from biaslab.room import (
    Room,
    RoomState,
    default_rooms,
    is_of,
    questions_of_quiz,
    read_room,
    sheet_of,
)
from biaslab.system.roles import May
from biaslab.ui.classroom import session
from biaslab.ui.classroom.room import in_sentences, rooms
from biaslab.ui.classroom.session import GROUPS, step_parameter
from biaslab.ui.navigation import ROOM, go, link
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.visitor import may
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.classes import (
    Quiz,
    QuizItem,
    SheetRefusal,
    SheetRefused,
    read_sheet,
    simulate_class,
)
from schoolmath.malrules.classes.sheets import MOST_BYTES
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import count
from schoolmath.text.given_files import FileRefused, check_size

_SHOWN = 6
"""Reasons for a refusal that are listed."""
_TEMPLATE_ROWS = 30
_MADE_UP = 24


def draw_giving_in(quiz: Quiz) -> None:
    """Draws the fields for a sheet and what became of the last one."""
    st.markdown(
        "One **row a pupil**, with a **row number** and no name; one **column an item**, with "
        + ("the letter chosen. " if quiz.has_options else "the number answered. ")
        + "Leave a cell empty where nothing was answered."
    )
    st.caption(
        "What you enter stays in the memory of this browser session until you delete it or close "
        "the page. It is not written to a file or sent anywhere; no model sees it."
    )
    _draw_refusal(session.refused())
    with st.form("class sheet", border=True):
        st.text_area(
            "Paste the cells from your spreadsheet",
            height=200,
            placeholder=_example(quiz),
            key=session.field_key("text"),
        )
        st.file_uploader(
            "or choose a CSV file",
            type=["csv", "tsv", "txt"],
            max_upload_size=1,
            key=session.field_key("file"),
        )
        if visitor.is_here() or not visitor.is_shared():
            st.checkbox(
                "The sheet has names: show them on this screen",
                help="Names in the place of row numbers, or in a column “name”, are held in this "
                "session next to the row numbers that take their place. They are never printed, "
                "and disappear with the answers.",
                key=session.field_key("names"),
            )
        st.form_submit_button(
            "Read the answers", type="primary", on_click=_give_in, args=(quiz,), key="read answers"
        )
    with st.container(horizontal=True):
        st.download_button(
            "Template to fill in (CSV)",
            lambda: _template(quiz),
            f"quiz-{quiz.code}.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.button(
            "Try it with a made-up class",
            on_click=_make_up,
            args=(quiz,),
            icon=":material/science:",
            key="made-up class",
        )


def draw_kept(quiz: Quiz) -> None:
    """Says what is kept in this session, with the button that deletes it."""
    kept = session.stored_class()
    if kept is None:
        if session.was_deleted():
            st.success("Deleted. Nothing of the class is left in this session.")
        return
    answers = count(len(kept.sheet.answers), "row")
    blanks = f", {count(kept.sheet.blanks, 'empty cell')}" if kept.sheet.blanks else ""
    what = "made-up answers (simulated pupils)" if kept.made_up else "answers"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"In this session: **{what}** to quiz {kept.code}, {answers}{blanks}.")
        st.button(
            "Delete these answers",
            icon=":material/delete:",
            on_click=session.forget,
            key="delete class",
        )
    if kept.sheet.marks:
        cells = count(len(kept.sheet.marks), "cell or column", "cells and columns")
        with st.expander(f"{cells} left out, with the reason"):
            st.markdown(_listed(kept.sheet.marks, len(kept.sheet.marks)))
    if kept.code != quiz.code:
        st.warning(
            f"These answers belong to quiz {kept.code}, and the quiz chosen in step 1 is "
            f"{quiz.code}. Choose quiz {kept.code} again to see its groups."
        )


def _draw_refusal(refusals: tuple[SheetRefusal, ...]) -> None:
    if not refusals:
        return
    personal = any(each.personal for each in refusals)
    lines = _listed(refusals, _SHOWN)
    more = f"\n- and {len(refusals) - _SHOWN} more" if len(refusals) > _SHOWN else ""
    if personal:
        st.error(
            "**The sheet was refused: it seems to hold personal data.** Nothing of it was saved, "
            "and the field below is empty again. Take out what is named here, in your spreadsheet, "
            f"and enter the sheet again.\n\n{lines}{more}",
            icon=":material/block:",
        )
    else:
        st.warning(
            "**The sheet could not be read.** Nothing of it was saved. Correct this in your "
            f"spreadsheet and enter the sheet again.\n\n{lines}{more}"
        )


def _listed(refusals: Sequence[SheetRefusal], most: int) -> str:
    return "\n".join(
        f"- {f'**Cell {each.cell}**: ' if each.cell else ''}{plain(each.reason)}"
        for each in refusals[:most]
    )


def _give_in(quiz: Quiz) -> None:
    text = st.session_state.get(session.field_key("text")) or ""
    file = st.session_state.get(session.field_key("file"))
    try:
        given = text if text.strip() or file is None else _decoded(file)
        names = bool(st.session_state.get(session.field_key("names")))
        sheet = read_sheet(given, quiz, keep_names=names)
    except SheetRefused as refused:
        session.empty_fields()
        session.refuse(refused.refusals)
        return
    session.keep(quiz, sheet)
    step_parameter().change(GROUPS)


def _decoded(file: Any) -> str:
    content: bytes = file.getvalue()
    try:
        check_size(content, MOST_BYTES)
    except FileRefused as error:
        raise SheetRefused([SheetRefusal("", str(error), False)]) from error
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _make_up(quiz: Quiz) -> None:
    draws = Draws(f"made-up class/{quiz.code}")
    rules = quiz.nameable[:3]
    some = [*islice(cycle(rules), 3 * len(rules))]
    followed = [*some, *[None] * (_MADE_UP - len(some))]
    order = draws.several(followed, len(followed))
    session.keep(quiz, simulate_class(draws, quiz, order), made_up=True)
    step_parameter().change(GROUPS)


def _template(quiz: Quiz) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    items = len(quiz.items)
    writer.writerow(["row", *range(1, items + 1)])
    writer.writerows([row, *[""] * items] for row in range(1, _TEMPLATE_ROWS + 1))
    return text.getvalue().encode()


def _example(quiz: Quiz) -> str:
    few = min(4, len(quiz.items))
    lines = [["row", *map(str, range(1, few + 1)), "…"]]
    for row in (1, 2):
        cells = [_sample(item, row + at) for at, item in enumerate(quiz.items[:few])]
        lines.append([str(row), *cells, "…"])
    return "\n".join("\t".join(line) for line in lines)


def _sample(item: QuizItem, turn: int) -> str:
    """A letter or the right answer, to show what a cell looks like."""
    letters = list(item.options)
    return letters[turn % len(letters)] if letters else item.right.shown


def draw_opening(quiz: Quiz) -> None:
    """Draws what opens a room with this quiz, for those who may."""
    if not may(May.ROOM):
        return
    with st.expander("On phones"):
        st.caption(
            "Pupils join by a code and give the number of their row, no name. Their answers stay "
            "on this computer until you collect them or delete the room."
        )
        opened = st.button("Open a room with this quiz", icon=":material/meeting_room:")
        if opened:
            with in_sentences():
                asked = questions_of_quiz(quiz)
                go(ROOM, room=rooms().open_room(f"Quiz {quiz.code}", asked, quiz=True).id)


def draw_taking(quiz: Quiz) -> None:
    """Draws the rooms that asked this quiz, with what takes their answers over."""
    if not may(May.ROOM):
        return
    # Looking makes no file.
    there = rooms().rooms() if default_rooms().is_file() else []
    for room in there:
        if not is_of(room, quiz):
            continue
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            here = rooms().arrivals(room.id)
            st.markdown(
                f"On phones: room **{room.code}**, {count(here.joined, 'pupil')}, "
                f"{here.finished} finished."
            )
            missing = here.joined - here.finished
            is_sure = not missing or st.checkbox(
                f"Leave out what {missing} {'has' if missing == 1 else 'have'} not sent",
                key=f"sure {room.id}",
                help="A phone without a connection keeps answers until it has one. Once the room "
                "is deleted they cannot come in any more.",
            )
            st.button(
                f"Take over and delete room {room.code}",
                on_click=_take,
                args=(quiz, room),
                disabled=not (here.begun and is_sure),
                key=f"take {room.id}",
            )
            link(ROOM, "Look at the room", {"room": room.id})


def _take(quiz: Quiz, room: Room) -> None:
    """The answers become those of this session, and leave the computer's disk."""
    with in_sentences():
        if room.state is RoomState.ANSWERING:
            room = rooms().move(room.id, RoomState.CLOSED)
        try:
            sheet = read_sheet(sheet_of(read_room(rooms(), room.id), quiz), quiz)
        except SheetRefused as refused:
            session.refuse(refused.refusals)
            return
        session.keep(quiz, sheet)
        rooms().delete(room.id)
        step_parameter().change(GROUPS)
