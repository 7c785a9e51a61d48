"""What became of every row of a file of pairs: its status, why, and the sentence at fault."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

import streamlit as st

from biaslab.studies.word_problems.files import MemberReport, ProofStatus, RowReport
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, integer, several
from biaslab.ui.widgets.cards import Piece, span_pieces, to_html
from schoolmath.problems.reading import read

ON_A_PAGE = 10
"""Rows shown at a time."""

_NAMES = {
    str(ProofStatus.CONTRADICTED): "✗ contradicted",
    str(ProofStatus.LABELLED): "? labelled",
    str(ProofStatus.PROVED): "✓ proved",
}

_EXPLAINED = (
    "**Proved**: read, solved, and as the file says. **Labelled**: not read, so the file's answer "
    "is taken. **Contradicted**: read, and the file says something else of it. All that have two "
    "texts and an answer can be asked; results show the proved ones beside all."
)


def draw_report(rows: Sequence[RowReport]) -> None:
    """Draws the rows that the address asks for, those that are not proved unless it says."""
    counts = Counter(str(row.status) for row in rows)
    offered = [kind for kind in _NAMES if counts[kind]]
    chosen = shown_parameter().value
    choosing.pills(
        "What became of the rows",
        [kind for kind in _NAMES if kind in offered or kind in chosen],
        selection_mode="multi",
        format_func=lambda kind: f"{_NAMES[kind]} ({counts[kind]:,})",
        help="Choose one or several; none means all that are not proved or have a remark.",
        **shown_parameter().bind(),
    )
    st.caption(_EXPLAINED)
    listed = [row for row in rows if (str(row.status) in chosen if chosen else _is_shown(row))]
    listed.sort(key=lambda row: list(_NAMES).index(str(row.status)))
    if not listed:
        st.success("Every text was read, solved and agrees with its labels.")
        return
    pages = -(-len(listed) // ON_A_PAGE)
    page = page_parameter(pages)
    start = (page.value - 1) * ON_A_PAGE
    cards = "".join(map(_row, listed[start : start + ON_A_PAGE]))
    st.html(f'<div class="bl" style="display: grid; gap: 1.5rem">{cards}</div>')
    if pages > 1:
        st.pagination(pages, max_visible_pages=5, **page.bind())


def _is_shown(row: RowReport) -> bool:
    return row.status is not ProofStatus.PROVED or row.has_remarks or not row.kept


def shown_parameter() -> Parameter[list[str]]:
    """Which texts the address asks for."""
    return several("show", list(_NAMES), (), ("page",))


def page_parameter(pages: int) -> Parameter[int]:
    """The page of the list, from 1."""
    return integer("page", 1, 1, pages)


def _row(row: RowReport) -> str:
    title = f"Row {row.line:,}" if row.line else "A row"
    asked = "" if row.kept else " It can't be asked."
    members = "".join(map(_member, row.members))
    return (
        f'<section class="bl-stack" aria-label="{title}">'
        f"<p><b>{title}: {_NAMES[str(row.status)]}.</b>{asked}</p>"
        f'<div class="bl-pair">{members}</div></section>'
    )


def _member(member: MemberReport) -> str:
    told = "".join(
        f'<p class="bl-outcome">{html.escape(text)}</p>'
        for text in (member.reason, *member.remarks)
        if text
    )
    text = f'<p class="bl-text">{to_html(_marked(member))}</p>' if member.text else ""
    read = "; ".join(each.rstrip(".") if each else "not read" for each in member.understood)
    understood = f'<p class="bl-faint">Read as: {html.escape(read)}.</p>' if read else ""
    solved = "no answer" if member.solved is None else f"{member.solved:,}"
    side = "x" if member.arm == "x" else "x-prime"
    name = html.escape(member.member)
    return (
        f'<div class="bl-card {side}">'
        f'<div class="bl-arm">{name}: {_NAMES[str(member.status)]}</div>'
        f"{told}{text}{understood}"
        f'<p class="bl-foot">Answer in the file: <b>{html.escape(member.answer or "none")}</b>; '
        f"the text leads to <b>{solved}</b></p></div>"
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
