"""Files of a quality review: giving packets out and taking them in."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.items.report import RefusedRow
from biaslab.files.reading.separate import withstood
from biaslab.review.exchange import Taken, packet_for, take_in
from biaslab.review.packets import (
    Packet,
    part_code,
    write_packet_csv,
    write_packet_json,
)
from biaslab.review.reading_packets import PacketRefused, read_packet
from biaslab.review.records import Progress, ReviewRecord, Role
from biaslab.runs import RunError
from biaslab.text.figures import count
from biaslab.ui.review.address import JUDGE
from biaslab.ui.review.queries import Standing, part_words
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import plain

_TOLD = "review: packets told"
_TURN = "review: packets turn"
_MEGABYTES = 5
_SHOWN = 8
"""Rows at fault that are listed."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a file."""

    file: str
    taken: Taken | None
    reason: str = ""
    rows: tuple[RefusedRow, ...] = ()


def draw_files(record: ReviewRecord, standing: Standing) -> None:
    """Draws the packets to give out, and the panel for those that come back."""
    if record.role is Role.REVIEWER:
        _draw_giving_back(record)
        return
    st.markdown(
        f"**{part_words(standing.part).capitalize()}**: send everybody who judges on another "
        "computer their packet. It holds their texts and what they are called, nothing else. They "
        "open it in BiasLab (JSON) or fill it in as a spreadsheet (CSV), and send it back. "
        "Whoever judges on this computer needs no file."
    )
    for each in standing.progress:
        _draw_packet(record, each)
    st.header("Packets that came back", anchor=False)
    draw_taking_in(several=True)


def draw_taking_in(*, several: bool = False) -> None:
    """Draws the panel for packets, and what became of the last ones."""
    for said in st.session_state.pop(_TOLD, ()):
        _draw_outcome(said)
    key = f"review packets {st.session_state.get(_TURN, 0)}"
    with st.form(f"take in {key}", border=False):
        st.file_uploader(
            "Judged packets (JSON, CSV or XLSX)" if several else "Packet (JSON, CSV or XLSX)",
            type=["json", "csv", "xlsx", "txt"],
            accept_multiple_files=True,
            max_upload_size=_MEGABYTES,
            key=key,
        )
        st.form_submit_button(
            "Take in" if several else "Open the packet",
            type="primary" if several else "secondary",
            icon=":material/upload:",
            on_click=_take,
            args=(key,),
            key="take in packets",
        )


def _take(key: str) -> None:
    files = st.session_state.get(key) or []
    said = [_taken(file.name, file.getvalue()) for file in files]
    opened = [each.taken for each in said if each.taken is not None and not each.taken.merged]
    if not said:
        said = [_Outcome("", None, "Choose a file first.")]
    st.session_state[_TOLD] = said
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    if len(said) == len(opened) == 1:
        (only,) = opened
        st.query_params.from_dict(
            {"review": only.review, "view": JUDGE, "who": str(only.person + 1)}
        )


def _taken(name: str, data: bytes) -> _Outcome:
    try:
        return _Outcome(name, take_in(queries.store(), read_packet(withstood(read_packet, data))))
    except PacketRefused as refused:
        return _Outcome(name, None, refused.reason, refused.rows)
    except (InterchangeError, RunError) as refused:
        return _Outcome(name, None, str(refused))


def _draw_outcome(said: _Outcome) -> None:
    name = f"**{plain(said.file)}**: " if said.file else ""
    if said.taken is not None:
        judged = count(said.taken.judged, "judgement")
        done = f"{judged} taken in." if said.taken.merged else "opened; judge its texts here."
        st.success(f"{name}{done}")
        return
    lines = [f"- {plain(str(row))}" for row in said.rows[:_SHOWN]]
    if len(said.rows) > _SHOWN:
        lines.append(f"- and {count(len(said.rows) - _SHOWN, 'more row', 'more rows')}")
    st.error(name + plain(said.reason) + "".join(f"\n{line}" for line in ("", *lines)))


def _draw_packet(record: ReviewRecord, progress: Progress) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(progress.name)}**: {progress.done} of {progress.total} judged")
        packet = packet_for(queries.store(), record.id, progress.person, progress.part)
        _draw_downloads(packet)


def _draw_downloads(packet: Packet) -> None:
    name = f"review-{packet.name.review}-{part_code(packet.name.round)}-{packet.name.reviewer}"
    for label, ending, kind, write in (
        ("Packet (JSON)", "json", "application/json", write_packet_json),
        ("Packet (CSV)", "csv", "text/csv", write_packet_csv),
    ):
        st.download_button(
            label,
            write(packet),
            f"{name}.{ending}",
            kind,
            on_click="ignore",
            icon=":material/download:",
            key=f"{name} {ending}",
        )


def _draw_giving_back(record: ReviewRecord) -> None:
    store = queries.store()
    st.markdown("Send the coordinator your packet when every text is judged.")
    for person, name in enumerate(record.people):
        packet = packet_for(store, record.id, person)
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            total = len(packet.rows)
            part = part_words(packet.name.round)
            st.markdown(f"**{plain(name)}**, {part}: {packet.judged} of {total} judged")
            if packet.judged < total:
                st.caption("Judge the others first; an unfinished packet is refused.")
            _draw_downloads(packet)
    st.header("Another packet", anchor=False)
    draw_taking_in()
