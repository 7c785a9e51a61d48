"""A file of pairs that a person imports: its columns, what became of every row, the sets kept."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.columns import problem_columns
from biaslab.files.errors import MAX_FILE_BYTES, MAX_PAIR_ROWS
from biaslab.files.opening import RawTable, open_table
from biaslab.runs import PairSet, delete_set, pair_sets, set_report
from biaslab.studies.word_problems.files import (
    MemberReport,
    PairImport,
    ProofStatus,
    RowReport,
    likely_mapping,
    read_pairs,
    released_layout,
    rows_of_json,
    suggest_pairs,
)
from biaslab.ui.compose.design_form import set_words
from biaslab.ui.navigation import AUDIT, COMPOSE, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, integer, several
from biaslab.ui.widgets.cards import Piece, span_pieces, to_html
from biaslab.ui.widgets.choosing import chosen_set, delete_button, origin_line
from biaslab.ui.widgets.words import plain
from schoolmath.problems.reading import read
from schoolmath.text.figures import count

_NONE = "–"

_FIELDS = {
    "x": ("First text", "The member of the pair that you expect to be easier."),
    "x_prime": ("Second text", "The other member of the pair."),
    "answer": ("Answer to both", "The right answer, where both texts have the same."),
    "answer_x": ("Answer to the first", "Where the two texts have different answers."),
    "answer_x_prime": ("Answer to the second", "Where the two texts have different answers."),
}
_FEATURES = {
    "consistency": "consistent or inconsistent wording",
    "transfer-comparison": "transfer or comparison",
    "carry": "carry or no carry",
}


def draw_columns(table: RawTable) -> dict[str, str] | None:
    """Draws what the file is taken for, and the choice of columns where that is not known.

    Returns:
        the column of each field, empty where the layout says it; None while it is not settled.
    """
    told = f"{table.container.upper()}{', ' if table.encoding else ''}{table.encoding}"
    named = [column for column in table.columns if column]
    st.caption(f"{told}; {count(len(named), 'column')}.")
    for remark in table.remarks:
        st.warning(plain(remark))
    layout = released_layout(table.columns)
    if layout is not None:
        study = _FEATURES.get(layout.name, layout.name)
        st.markdown(
            f"These are the columns of a released file: **{plain(study)}**. Checked are the "
            f"corrected texts of “{plain(layout.x.name)}” and “{plain(layout.x_prime.name)}”, and "
            "whether correction changed what they say."
        )
        return {}
    return _choose(table, named)


def _choose(table: RawTable, named: list[str]) -> dict[str, str] | None:
    st.markdown(
        "Choose the column for each field. Columns recognised by name or contents are already "
        "chosen."
    )
    known = likely_mapping(table.columns)
    by_contents = suggest_pairs(table.columns, table.first, known)
    likely = known | by_contents
    if by_contents:
        st.info(
            "We guessed some columns from their contents. Check them, correct what is wrong, then "
            "confirm."
        )
    elif "x" not in known and problem_columns(named, table.first):
        st.info("Each row seems to hold one problem, not a pair of two.")
        link(AUDIT, "See what these problems are like")
    chosen: dict[str, str] = {}
    columns = st.columns(2)
    options = [_NONE, *named]
    fields = [name for name in _FIELDS if likely.get("answer") is None or "answer_" not in name]
    if st.session_state.get("import column answer") == _NONE:
        fields = list(_FIELDS)
    for index, name in enumerate(fields):
        label, explained = _FIELDS[name]
        with columns[index % 2]:
            column = choosing.selectbox(
                label,
                options,
                index=options.index(likely.get(name, _NONE)),
                help=explained,
                key=f"import column {name}",
            )
        if column is not None and column != _NONE:
            chosen[name] = column
    fault = _fault(chosen)
    if fault:
        st.info(fault)
        return None
    if by_contents and not st.checkbox("The columns are right", key="import columns are right"):
        return None
    return chosen


def _fault(columns: dict[str, str]) -> str:
    if not {"x", "x_prime"} <= set(columns):
        return "Choose the columns of the first and of the second text."
    if len(set(columns.values())) < len(columns):
        return "One column is chosen twice. Choose a different column for each field."
    if "answer" in columns and len(columns) > 3:
        return "Choose one answer to both texts, or an answer to each."
    if "answer" not in columns and not {"answer_x", "answer_x_prime"} <= set(columns):
        return "Choose the column of the answer to both texts, or those of the two answers."
    return ""


ON_A_PAGE = 10
"""Rows shown at a time."""

_STATUSES = {
    str(ProofStatus.CONTRADICTED): "✗ contradicted",
    str(ProofStatus.LABELLED): "? labelled",
    str(ProofStatus.PROVED): "✓ proved",
}

_EXPLAINED = (
    "**Proved**: read, solved, and as the file says. **Labelled**: not read, so the file's answer "
    "is taken. **Contradicted**: read, and the file says something else of it. All rows with two "
    "texts and an answer can be asked; results show the proved ones next to all."
)


def draw_report(rows: Sequence[RowReport]) -> None:
    """Draws the rows that the address asks for, those that are not proved unless it says."""
    counts = Counter(str(row.status) for row in rows)
    offered = [kind for kind in _STATUSES if counts[kind]]
    chosen = shown_parameter().value
    choosing.pills(
        "What happened to each row",
        [kind for kind in _STATUSES if kind in offered or kind in chosen],
        selection_mode="multi",
        format_func=lambda kind: f"{_STATUSES[kind]} ({counts[kind]:,})",
        help="Choose one or several; none means all that are not proved or have a remark.",
        **shown_parameter().bind(),
    )
    st.caption(_EXPLAINED)
    listed = [row for row in rows if (str(row.status) in chosen if chosen else _is_shown(row))]
    listed.sort(key=lambda row: list(_STATUSES).index(str(row.status)))
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
    return several("show", list(_STATUSES), (), ("page",))


def page_parameter(pages: int) -> Parameter[int]:
    """The page of the list, from 1."""
    return integer("page", 1, 1, pages)


def _row(row: RowReport) -> str:
    title = f"Row {row.line:,}" if row.line else "A row"
    asked = "" if row.kept else " It can't be asked."
    members = "".join(map(_member, row.members))
    return (
        f'<section class="bl-stack" aria-label="{title}">'
        f"<p><b>{title}: {_STATUSES[str(row.status)]}.</b>{asked}</p>"
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
        f'<div class="bl-arm">{name}: {_STATUSES[str(member.status)]}</div>'
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


def set_parameter() -> Parameter[str]:
    """The kept set that the address names; none is shown by default."""
    return Parameter("set", "", lambda text: text or None, resets=("show", "page"))


def draw_sets(*, with_report: bool) -> None:
    """Draws the kept sets, and the one that the address names.

    Its report is left out where the page shows that of a file already.
    """
    st.header("Saved sets", anchor=False)
    by_id = {each.id: each for each in pair_sets(queries.store())}
    parameter = set_parameter()
    chosen = chosen_set(
        set_words(by_id.values()),
        parameter,
        "No set is saved yet.",
        f"The link names a set “{plain(parameter.value)}” that is not in this file of runs. "
        "It may have been deleted.",
    )
    if chosen:
        _draw_set(by_id[chosen], with_report)


def ask_link(pair_set: PairSet) -> None:
    """Draws the way to Compose with the set."""
    address = {"study": "imported", "set": pair_set.id, "n": str(pair_set.pairs)}
    link(COMPOSE, f"Ask a model these {count(pair_set.pairs, 'pair')}", address)


def _draw_set(pair_set: PairSet, with_report: bool) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(pair_set.name)}**: {count(pair_set.pairs, 'pair')}")
        origin_line(pair_set)
        with st.container(horizontal=True, vertical_alignment="center"):
            ask_link(pair_set)
            delete_button(pair_set.id, partial(_delete, pair_set.id))
        if not with_report:
            return
        report = rows_of_json(set_report(queries.store(), pair_set.id))
        if report:
            with st.expander("Rows that are not proved, or have a remark"):
                draw_report(report)


def _delete(set_id: str) -> None:
    delete_set(queries.store(), set_id)
    set_parameter().change("")


ENDINGS = ("csv", "tsv", "xlsx", "json", "jsonl", "xml")
"""Of files that the page takes."""

_KEY = "import of pairs"
_UPLOAD = "upload of pairs"


@dataclass(slots=True)
class ImportWork:
    """An import on its way.

    Attributes:
        upload: identifies the uploaded file; name: as its owner calls it; data: its content.
        table: its columns and first rows.
        mapping: which column holds what, as it was checked; empty: as found.
        found: what became of its rows; None before they were checked.
        fault: why it could not be checked, as a sentence; empty where it could.
        kept: the set that its pairs became; None before.
    """

    upload: str
    name: str
    data: bytes
    table: RawTable
    mapping: dict[str, str] = field(default_factory=dict)
    found: PairImport | None = None
    fault: str = ""
    kept: PairSet | None = None

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePath(self.name).stem


def work() -> ImportWork | None:
    """The import of this session, if there is one."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, ImportWork) else None


def forget() -> None:
    """Ends the import; the file is dropped."""
    st.session_state.pop(_KEY, None)
    st.session_state.pop(_UPLOAD, None)


def draw_upload() -> ImportWork | None:
    """Draws the choice of a file; the import it begins, or the one that is on its way."""
    chosen = st.file_uploader(
        "File of pairs",
        type=ENDINGS,
        max_upload_size=MAX_FILE_BYTES // 2**20,
        key=_UPLOAD,
        help="A table with one pair in each row. It stays on this computer.",
    )
    st.caption(
        f"CSV, XLSX, JSON or JSON lines with a pair in each row: two texts and their answer. At "
        f"most {MAX_PAIR_ROWS:,} rows and {MAX_FILE_BYTES // 2**20} MiB. The three files of Opedal "
        "et al. (2024) are known by their columns."
    )
    now = work()
    if chosen is None or (now is not None and now.upload == chosen.file_id):
        return now
    st.session_state.pop(_KEY, None)
    data = chosen.getvalue()
    try:
        with st.spinner("Reading the file …"):
            table = open_table(data, chosen.name)
    except InterchangeError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    st.session_state[_KEY] = ImportWork(chosen.file_id, chosen.name, data, table)
    return work()


def check(task: ImportWork, mapping: dict[str, str]) -> None:
    """Checks every row of the file, with a bar that says how far it is."""
    task.found, task.kept, task.fault = None, None, ""
    bar = st.progress(0.0, "Reading and solving every text …")

    def tell(rows: int) -> None:
        bar.progress(min(rows / MAX_PAIR_ROWS, 1.0), f"{count(rows, 'row')} read and solved …")

    try:
        # Rows can be gone through once, so the table is opened anew.
        found = read_pairs(open_table(task.data, task.name), mapping, tell)
    except InterchangeError as error:
        bar.empty()
        task.fault = str(error)
        return
    bar.empty()
    task.found, task.mapping = found, mapping
