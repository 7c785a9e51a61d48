"""The wall: one thing at a time, large enough for the last row, forward and back by keys."""

from __future__ import annotations

import html
import time

import streamlit as st

from biaslab.room import Room, RoomKind, RoomPace, RoomState, qr_svg
from biaslab.ui.classroom.room import (
    LONGEST_TIMER,
    RoomResults,
    arrival_words,
    by_rounds,
    next_step,
    results,
    room_address,
    rooms,
    step_back,
    take,
)
from biaslab.ui.classroom.room_results import draw_effect, draw_question, draw_votes
from biaslab.ui.navigation import ROOM, link
from biaslab.ui.widgets.address import Parameter, integer
from schoolmath.text.figures import percent

_LAST_SECONDS = 10
"""When the time is shown as nearly over."""

_BEGAN = "wall began"


def draw_wall(room: Room) -> None:
    """Draws what the room is at, and the keys."""
    slide = integer("slide", 0, 0, len(room.questions))
    match room.state:
        case RoomState.WAITING:
            _draw_waiting(room)
        case RoomState.ANSWERING:
            _draw_answering(room)
        case RoomState.CLOSED:
            _big("Thank you", "All answers are in")
            _live(room)
        case RoomState.REVEALED if by_rounds(room):
            draw_votes(results(room), room.step)
        case RoomState.REVEALED:
            _draw_slide(room, results(room), slide.value)
    with st.container(horizontal=True, horizontal_alignment="center", key="wall keys"):
        _draw_keys(room, slide)
        link(ROOM, "Host's page", {"room": room.id})


def _draw_waiting(room: Room) -> None:
    one, other = st.columns([2, 3], vertical_alignment="center")
    address = room_address(room)
    with one:
        if not room.rehearsal:
            st.image(qr_svg(address), width="stretch")
    with other:
        if room.rehearsal:
            _big("Rehearsal", "Everybody in it is simulated")
        else:
            _big(room.code, "Join on your phone", code=True)
            st.html(f'<div class="bl bl-wall-line">{html.escape(_short(address))}</div>')
        _live(room)


def _draw_answering(room: Room) -> None:
    if room.pace is RoomPace.HOST:
        _big(f"{room.step + 1} of {room.steps}", "Answer the question on your phone")
    else:
        _big("Answer on your phone", f"{room.steps} questions")
    _live(room)
    if not room.rehearsal:
        # Whoever comes late can still join.
        address = room_address(room)
        with st.container(horizontal=True, horizontal_alignment="right", key="wall join"):
            join = f"{_short(address)} · {room.code}"
            st.html(f'<div class="bl bl-wall-line">{html.escape(join)}</div>', width="content")
            st.image(qr_svg(address), width=120)


def _short(address: str) -> str:
    """An address to be typed: without its protocol and the room's own part."""
    return address.lower().removeprefix("http://").rsplit("/", 1)[0]


def _draw_slide(room: Room, results: RoomResults, slide: int) -> None:
    first = 0 if room.kind is RoomKind.PAIRS else 1
    at = max(slide, first)
    if at == 0:
        effect = results.effect
        if effect.effect is not None and effect.binary:
            _shares(
                (results.arms.x, percent(effect.mean_x, 0)),
                (results.arms.x_prime, percent(effect.mean_x_prime, 0)),
            )
        draw_effect(room, results)
    elif results.counts:
        st.html(f'<div class="bl bl-wall-line">Question {at} of {len(room.questions)}</div>')
        with st.container(key="wall question"):
            draw_question(results, at - 1)


def _draw_keys(room: Room, slide: Parameter[int]) -> None:
    """Buttons for the arrow keys, and for the keys that a clicker sends."""
    forward, back = next_step(room), step_back(room)
    first = 0 if room.kind is RoomKind.PAIRS else 1
    at = max(slide.value, first)

    slides = room.state is RoomState.REVEALED and not by_rounds(room)

    def on() -> None:
        if slides:
            slide.change(min(at + 1, len(room.questions)))
        elif forward is not None:
            take(room, forward)

    def before() -> None:
        if slides and at > first:
            slide.change(at - 1)
        elif back is not None:
            take(room, back)

    ended = at >= len(room.questions) if slides else forward is None
    names = ("Back", "Next" if forward is None else forward.label)
    st.button(names[0], on_click=before, shortcut="left", disabled=back is None, key="wall back")
    st.button(
        names[1], type="primary", on_click=on, shortcut="right", disabled=ended, key="wall on"
    )
    with st.container(key="wall clicker", width=1, height=1):
        st.button("Back by clicker", on_click=before, shortcut="pageup", disabled=back is None)
        st.button("On by clicker", on_click=on, shortcut="pagedown", disabled=ended)


def _live(room: Room) -> None:
    """Who is there and the time left; again every second."""
    timer = integer("timer", 0, 0, LONGEST_TIMER).value
    moment = (room.id, room.state, room.step)
    if st.session_state.get(_BEGAN, (None, 0.0))[0] != moment:
        st.session_state[_BEGAN] = (moment, time.monotonic())

    def draw() -> None:
        now = rooms().room(room.id)
        if (now.state, now.step) != (room.state, room.step):
            st.rerun()
        words = arrival_words(room, rooms().arrivals(room.id))
        st.html(f'<div class="bl bl-wall-line" role="status">{html.escape(words)}</div>')
        if timer and room.state is RoomState.ANSWERING:
            left = max(0, round(timer - (time.monotonic() - st.session_state[_BEGAN][1])))
            late = " bl-wall-late" if left <= _LAST_SECONDS else ""
            said = f"{left // 60}:{left % 60:02}" if left else "Time is up"
            st.html(f'<div class="bl bl-wall-line{late}" role="timer">{said}</div>')

    st.fragment(draw, run_every=1.0)()


def _big(words: str, small: str, *, code: bool = False) -> None:
    look = " bl-wall-code" if code else ""
    st.html(
        f'<div class="bl bl-wall"><div class="bl-wall-small">{html.escape(small)}</div>'
        f'<div class="bl-wall-big{look}">{html.escape(words)}</div></div>'
    )


def _shares(*shares: tuple[str, str]) -> None:
    tiles = "".join(
        f'<div class="bl-wall-share {side}"><b>{html.escape(share)}</b>'
        f"<span>{html.escape(arm)}</span></div>"
        for (arm, share), side in zip(shares, ("x", "x-prime"), strict=True)
    )
    st.html(f'<div class="bl bl-wall-shares">{tiles}</div>')
