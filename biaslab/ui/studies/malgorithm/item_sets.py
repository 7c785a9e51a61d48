"""Sets of items: a file that a person imports, row by row, and the sets that are kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import NamedTuple

import streamlit as st

from biaslab.files import ImportedItem, ImportReport, InterchangeError, import_bytes
from biaslab.files.columns import guess, suggest
from biaslab.files.errors import LETTERS, MAX_FILE_BYTES, MAX_ROWS, ProblemsGiven
from biaslab.files.items import ItemStatus
from biaslab.files.opening import open_table
from biaslab.runs import LONGEST_NAME, RunError, default_database, save_items
from biaslab.runs.library.sets import ItemSet, delete_items, find_items, item_sets
from biaslab.studies import Design
from biaslab.studies.malgorithm.items import (
    NAME,
    OF_OTHERS,
    QUESTION_ITSELF,
    READING,
    of_import,
    with_lent_reasons,
)
from biaslab.studies.malgorithm.study import AGAINST, ITEMS, REASONS
from biaslab.ui.navigation import AUDIT, COMPOSE, GUESS, WHAT_HAPPENED, YOUR_CLASS, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, typed
from biaslab.ui.widgets.choosing import chosen_set, delete_button, origin_line
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count


def items_parameter() -> Parameter[str]:
    """The id of the kept set that the address names; empty: none."""
    return typed("items")


def stored_sets() -> dict[str, ItemSet]:
    """The kept sets by id, the newest first; without a file of runs none, and none is made."""
    found = item_sets(queries.store()) if default_database().exists() else []
    return {each.id: each for each in found}


def draw_sets() -> None:
    """Draws the kept sets, and the one that the address names."""
    st.header("Saved sets of items", anchor=False)
    by_id = stored_sets()
    chosen = chosen_set(
        {each.id: f"{each.name} ({count(each.items, 'item')})" for each in by_id.values()},
        items_parameter(),
        "No set is saved yet.",
        "The set that the link names is not in this file of runs; it may be deleted.",
    )
    if chosen:
        _draw_set(by_id[chosen])


def _draw_set(item_set: ItemSet) -> None:
    usable = _usable(item_set.id)
    with st.container(border=True):
        st.markdown(
            f"**{plain(item_set.name)}**: {count(item_set.items, 'item')} ({usable.statuses})"
        )
        origin_line(item_set)
        if not usable.pairs:
            st.caption(
                "No question has two reasons that differ. A model can be asked for the "
                "reason of a wrong answer among some that other questions lend."
            )
        if usable.pairs and not usable.of_key:
            st.caption(
                "Right options have no reasons here, so there is no AIA: finding the reason of a "
                "wrong choice is compared with answering the question itself."
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            if usable.pairs:
                address = {"study": NAME, "items": item_set.name, "n": str(usable.pairs)}
                if not usable.of_key:
                    address["against"] = QUESTION_ITSELF
                link(COMPOSE, "Ask a model which reason led to a choice", address)
            elif usable.lent:
                lent = {"against": QUESTION_ITSELF, "reasons": OF_OTHERS, "n": str(usable.lent)}
                address = {"study": NAME, "items": item_set.name, **lent}
                link(COMPOSE, "Ask a model which reason led to a choice", address)
            as_test = {"test": "own", "own": "set", "items": item_set.id}
            link(YOUR_CLASS, "Give it to your class", as_test)
            link(
                WHAT_HAPPENED,
                "Which rules give its wrong options",
                {"view": "several", "from": "set", "items": item_set.id},
            )
            if usable.of_wrong:
                link(GUESS, "Play it", {"from": item_set.id})
            delete_button(item_set.id, partial(_delete, item_set.id))


def set_sentence(design: Design) -> str:
    """Which set a run asked and what of it was left out; empty for the bank."""
    named = str(design.settings.get(ITEMS.name, ITEMS.default))
    if not named:
        return ""
    found = next(
        (each for each in item_sets(queries.store()) if named in (each.id, each.name)), None
    )
    if found is None:
        return f"Questions of the set “{named}”, which is no longer in this file of runs."
    usable = _usable(found.id)
    if design.settings.get(REASONS.name) == OF_OTHERS and usable.lent:
        return (
            f"Questions of the set “{found.name}”, {count(found.items, 'item')}. Each has a single "
            "reason; the others that stand next to it belong to other questions."
        )
    told = f"Questions of the set “{found.name}”, {count(found.items, 'item')}"
    against_question = design.settings.get(AGAINST.name) == QUESTION_ITSELF
    there = usable.of_wrong if against_question else usable.of_key
    if there == found.items:
        return f"{told}."
    why = (
        "fewer than two reasons of theirs differ"
        if against_question
        else "their right options have no reason of their own that could be found"
    )
    return f"{told}. {count(found.items - there, 'item')} left out: {why}."


class _Usable(NamedTuple):
    """What can be asked of a set: statuses in words, items with a reason of the right option, items
    with those of wrong ones, pairs that the study makes of it, and pairs with reasons that its
    questions lend each other, where there are no others.
    """

    statuses: str
    of_key: int
    of_wrong: int
    pairs: int
    lent: int


@st.cache_data(show_spinner=False, max_entries=64)
def _usable(set_id: str) -> _Usable:
    """What can be asked of a set; a set never changes."""
    items = list(find_items(queries.store(), set_id) or ())
    counts = Counter(str(item.reasons.status) for item in items)
    with_key = [item for item in items if item.reasons.of_key]
    pairs = sum(len(of_import(item).wrong) for item in with_key or items)
    return _Usable(
        ", ".join(f"{n} {status}" for status, n in counts.most_common()),
        len(with_key),
        sum(bool(item.reasons.of_wrong) for item in items),
        pairs,
        0 if pairs else sum(len(each.wrong) for each in with_lent_reasons(items)),
    )


def _delete(set_id: str) -> None:
    delete_items(queries.store(), set_id)
    items_parameter().change("")


ENDINGS = ("csv", "tsv", "xlsx", "json", "jsonl", "xml", "gift", "zip", "txt")
_UPLOAD, _NAMES_UPLOAD, _WORK = "upload of items", "upload of misconceptions", "import of items"
_NONE = "–"
_ONE = {"question": "Question", "key": "Right option", "grade": "Grade", "dok": "Depth (DOK)",
        "content_class": "Content class", "passage": "Passage to read first",
        "wrong_answer": "A wrong answer, where each row has one",
        "misconception": "The misconception behind it"}  # fmt: skip
_EACH = {
    "option": ("Options, A first", "A column for each option, in their order."),
    "rationale": ("Rationales, A first", "How somebody comes to each option."),
    "misconception": ("Misconceptions, A first", "What a pupil believes who chooses it."),
}
_MARKS = {ItemStatus.COMPLETE: "✓ complete", ItemStatus.PARTLY: "◐ partly usable",
          ItemStatus.UNUSABLE: "✗ unusable"}  # fmt: skip


@dataclass(frozen=True)
class _Work:
    """A file that was read: which, with which columns, and what became of it."""

    asked: tuple[str, str, tuple[tuple[str, str], ...]]
    report: ImportReport | None
    fault: str = ""
    are_problems: bool = False


def draw_file() -> None:
    """Draws the choice of a file, its columns, what became of its rows, and keeping them."""
    chosen = st.file_uploader(
        "File of items",
        type=ENDINGS,
        max_upload_size=MAX_FILE_BYTES // 2**20,
        key=_UPLOAD,
        help="It stays on this computer.",
    )
    st.caption(
        "Tables (CSV, XLSX, JSON) with a column for each option, your copy of MalAlgoQA, Eedi’s "
        "files, Moodle XML, GIFT, QTI 2.1, Aiken, and what BiasLab writes. Two to eight options; "
        f"at most {MAX_ROWS:,} rows."
    )
    if chosen is None:
        _draw_reading()
        return
    data = chosen.getvalue()
    columns, suggested = _columns_of(chosen.file_id, data, chosen.name)
    misconceptions, names_id = _misconceptions(columns)
    mapping = _draw_columns(columns, suggested, chosen.file_id) if columns else {}
    if mapping is None:
        return
    asked = (chosen.file_id, names_id, tuple(sorted(mapping.items())))
    work = st.session_state.get(_WORK)
    if not isinstance(work, _Work) or work.asked != asked:
        with st.spinner("Reading every row …"):
            work = _read(asked, data, chosen.name, mapping, misconceptions)
        st.session_state[_WORK] = work
    if work.report is None:
        st.error(plain(work.fault), icon=":material/error:")
        if work.are_problems:
            link(AUDIT, "See what these problems are like")
        return
    _draw_report(work.report, chosen.name)


def _read(
    key: tuple[str, str, tuple[tuple[str, str], ...]],
    data: bytes,
    name: str,
    mapping: Mapping[str, str],
    misconceptions: bytes | None,
) -> _Work:
    try:
        return _Work(key, import_bytes(data, name, "", mapping, misconceptions))
    except ProblemsGiven as error:
        return _Work(key, None, error.said, are_problems=True)
    except InterchangeError as error:
        return _Work(key, None, str(error).partition(" Say which holds what")[0])


@st.cache_data(show_spinner="Looking at the columns …", max_entries=4, scope="session")
def _columns_of(upload: str, _data: bytes, name: str) -> tuple[list[str], dict[str, str]]:
    """The columns of a table and what seems to stand in them; none where it is another format.

    Kept in this session by the id of its upload.
    """
    del upload
    try:
        table = open_table(_data, name)
    except InterchangeError:
        return [], {}
    columns = [column for column in table.columns if column]
    try:
        known = guess(columns)
    except InterchangeError:
        known = {}
    return columns, suggest(columns, table.first, known)


def _misconceptions(columns: Sequence[str]) -> tuple[bytes | None, str]:
    """Eedi's table of misconceptions, asked for where the file has their numbers alone."""
    if not any(column.lower().startswith("misconception") for column in columns):
        return None, ""
    chosen = st.file_uploader(
        "Names of the misconceptions, where the file has numbers (misconception_mapping.csv)",
        type=["csv"],
        max_upload_size=5,
        key=_NAMES_UPLOAD,
    )
    return (None, "") if chosen is None else (chosen.getvalue(), chosen.file_id)


def _draw_columns(
    columns: list[str], suggested: Mapping[str, str], file: str
) -> dict[str, str] | None:
    """Draws which column holds what; None until a person has said that what was told by content
    is right. What was found by its name is chosen already.
    """
    try:
        found = guess(columns) | dict(suggested)
    except InterchangeError:
        found = {}
    options = {letter for letter in LETTERS.lower() if f"option_{letter}" in found}
    has_options = options or {"options", "wrong_answer"} & set(found)
    lacking = not ({"question", "key"} <= set(found) and has_options)
    with st.expander("Which column holds what", expanded=lacking or bool(suggested)):
        if suggested:
            st.info(
                "We guessed some columns from their contents. Check them, correct what is wrong, "
                "then confirm."
            )
        elif lacking:
            st.caption("Not everything was found by the columns’ names. Say where it is.")
        places = st.columns(2)
        mapping = {}
        for at, (field, label) in enumerate(_ONE.items()):
            with places[at % 2]:
                column = choosing.selectbox(
                    label,
                    [_NONE, *columns],
                    index=[_NONE, *columns].index(found.get(field, _NONE)),
                    key=f"items column {field} {file}",
                )
            if column is not None and column != _NONE:
                mapping[field] = column
        for kind, (label, explained) in _EACH.items():
            before = [found[f"{kind}_{a}"] for a in LETTERS.lower() if f"{kind}_{a}" in found]
            several = choosing.multiselect(
                label,
                columns,
                default=before,
                max_selections=len(LETTERS),
                help=explained,
                key=f"items columns {kind} {file}",
            )
            if several == before:
                mapping |= {name: found[name] for name in found if name.startswith(f"{kind}_")}
            else:
                mapping |= {
                    f"{kind}_{letter}": column
                    for letter, column in zip(LETTERS.lower(), several, strict=False)
                }
        if suggested and not st.checkbox(
            "The columns are right", key=f"items columns are right {file}"
        ):
            return None
    return mapping


def _draw_report(report: ImportReport, name: str) -> None:
    st.markdown(f"**{plain(report.summary())}**")
    st.caption(plain(f"{report.form}, {report.found_by}"))
    if report.items:
        _draw_keeping(report, name)
        _draw_first(report.items)
    else:
        st.warning("No row is an item, so there is nothing to keep. The reasons stand below.")
    told = _rows(report)
    if told:
        with st.expander(f"{count(len(told), 'row')} with something to say", expanded=True):
            st.dataframe(
                told, hide_index=True, alt="Rows that are refused, not complete or have a remark"
            )
    remarks = [str(each) for each in report.remarks if each.row is None]
    for remark in remarks:
        st.caption(plain(remark))
    st.download_button(
        "The whole report (JSON)",
        lambda: json.dumps(report.as_json(), ensure_ascii=False, indent=1).encode(),
        f"{PurePath(name).stem}-report.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
    )


def _rows(report: ImportReport) -> list[dict[str, object]]:
    """The rows that are refused, of which not everything can be asked, or with a remark."""
    rows: list[tuple[int, dict[str, object]]] = [
        (each.row, {"Row": each.row, "Status": "✗ refused", "Can be asked": "",
                    "Why": f"{each.reason}."})
        for each in report.refused
    ]  # fmt: skip
    remarks: dict[int | None, list[str]] = {}
    for remark in report.remarks:
        remarks.setdefault(remark.row, []).append(remark.text)
    for item in report.items:
        reasons = item.reasons
        told = [*remarks.get(item.row, ()), *reasons.missing]
        if told:
            rows.append((item.row, {
                "Row": item.row, "Status": _MARKS[reasons.status],
                "Can be asked": reasons.usable_for or "the question alone",
                "Why": "; ".join(told) + ".",
            }))  # fmt: skip
    return [row for _, row in sorted(rows, key=lambda each: each[0])]


def _draw_reading() -> None:
    """Offers the shipped questions on passages, unless they are kept already."""
    if any(each.origin == READING.name for each in stored_sets().values()):
        return
    st.caption("No file at hand? 24 reading questions of ours, a reason behind every choice:")
    if st.button("Keep the reading questions", icon=":material/menu_book:", key="reading"):
        report = import_bytes(READING.read_bytes(), READING.name)
        _keep(report, "reading", READING.name)


def _draw_first(items: Sequence[ImportedItem]) -> None:
    """Draws the first item whose reasons can be asked for, as it was read."""
    item = next((each for each in items if each.reasons.of_wrong), items[0])
    told = item.reasons.told
    with st.container(border=True):
        st.caption(f"Row {item.row} as it was read")
        if item.passage:
            st.markdown(plain(item.passage))
        st.markdown(f"**{plain(item.question)}**")
        lines = []
        for letter in item.letters:
            reason = item.reasons.texts.get(letter)
            right = " ✓" if letter == item.key else ""
            because = f" · {told}: {plain(reason)}" if reason else ""
            lines.append(f"- {letter}{right}: {plain(item.option(letter))}{because}")
        st.markdown("\n".join(lines))


def _draw_keeping(report: ImportReport, name: str) -> None:
    counts = Counter(item.reasons.status for item in report.items)
    if counts[ItemStatus.UNUSABLE] == len(report.items):
        st.info(
            "No item has two reasons that differ, so models can't be asked for reasons. "
            "The set can still be a test for your class."
        )
    with st.form("keep items", border=False):
        called = st.text_input(
            "Name of the set", PurePath(name).stem[:LONGEST_NAME], max_chars=LONGEST_NAME
        )
        if not st.form_submit_button(
            f"Keep {count(len(report.items), 'item')}", type="primary", key="keep items"
        ):
            return
    _keep(report, called, name)


def _keep(report: ImportReport, label: str, name: str) -> None:
    try:
        done = save_items(queries.store(), label, report.items, name, report.as_json())
    except RunError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    items_parameter().change(done.id)
    st.rerun()
