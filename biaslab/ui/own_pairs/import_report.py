"""What became of every row of a file of pairs, with the sentence at fault marked."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

import streamlit as st

from biaslab.problems.reading import read
from biaslab.studies.word_problems.files import MemberReport, Status
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, integer, several
from biaslab.ui.widgets.cards import Piece, span_pieces, to_html

ON_A_PAGE = 10
"""Texts shown at a time."""

REMARK = "remark"
"""What a text is filed under that is ok and has something to say about it."""

_NAMES = {
    str(Status.LABEL_DISAGREES): "✗ contradicts its label",
    str(Status.UNREAD): "? could not be read",
    REMARK: "✓ ok, with a remark",
    str(Status.OK): "✓ ok",
}


def draw_report(members: Sequence[MemberReport]) -> None:
    """Draws the texts that the address asks for, those that are not ok first."""
    kinds = [_kind(member) for member in members]
    counts = Counter(kinds)
    offered = [kind for kind in _NAMES if counts[kind]]
    chosen = shown_parameter().value
    choosing.pills(
        "What became of the texts",
        [kind for kind in _NAMES if kind in offered or kind in chosen],
        selection_mode="multi",
        format_func=lambda kind: f"{_NAMES[kind]} ({counts[kind]:,})",
        help="Choose one or several; none means all that are not ok.",
        **shown_parameter().bind(),
    )
    wanted = set(chosen) or {kind for kind in offered if kind != Status.OK}
    listed = [member for member, kind in zip(members, kinds, strict=True) if kind in wanted]
    if not listed:
        st.success("Every text was read, solved and agrees with its labels.")
        return
    pages = -(-len(listed) // ON_A_PAGE)
    page = page_parameter(pages)
    start = (page.value - 1) * ON_A_PAGE
    cards = "".join(map(_card, listed[start : start + ON_A_PAGE]))
    st.html(f'<div class="bl" style="display: grid; gap: 0.75rem">{cards}</div>')
    if pages > 1:
        st.pagination(pages, max_visible_pages=5, **page.bind())


def shown_parameter() -> Parameter[list[str]]:
    """Which texts the address asks for."""
    return several("show", list(_NAMES), (), ("page",))


def page_parameter(pages: int) -> Parameter[int]:
    """The page of the list, from 1."""
    return integer("page", 1, 1, pages)


def _kind(member: MemberReport) -> str:
    if member.status is Status.OK and member.remarks:
        return REMARK
    return str(member.status)


def _card(member: MemberReport) -> str:
    title = f"Row {member.line:,}, {member.member}" if member.line else member.member
    told = "".join(
        f'<p class="bl-outcome">{html.escape(text)}</p>'
        for text in (member.reason, *member.remarks)
        if text
    )
    text = f'<p class="bl-text">{to_html(_marked(member))}</p>' if member.text else ""
    solved = "no answer" if member.solved is None else f"{member.solved:,}"
    side = "x" if member.arm == "x" else "x-prime"
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(title)}">'
        f'<div class="bl-arm">{html.escape(title)}: {html.escape(_NAMES[_kind(member)])}</div>'
        f"{told}{text}"
        f'<p class="bl-foot">Answer in the file: <b>{html.escape(member.answer or "none")}</b>; '
        f"the text leads to <b>{solved}</b></p></section>"
    )


def _marked(member: MemberReport) -> tuple[Piece, ...]:
    """The text in pieces, the sentence at fault marked."""
    if member.sentence is None:
        return span_pieces(member.text, None)
    sentences = read(member.text).sentences
    if member.sentence >= len(sentences):
        return span_pieces(member.text, None)
    # Sentences may be the same; the one at fault is found by those before it.
    start = 0
    for sentence in sentences[: member.sentence]:
        start = member.text.find(sentence.text, start) + len(sentence.text)
    at = sentences[member.sentence].text
    found = member.text.find(at, start)
    return span_pieces(member.text, None if found < 0 else (found, found + len(at)))
