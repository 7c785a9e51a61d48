"""Several problems with an answer each, marked row by row: pasted, of a file, of a kept set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.answered import AnsweredRow, read_answered, read_options, read_pairs, rows_as_csv
from biaslab.runs.library.sets import find_items
from biaslab.system.roles import May
from biaslab.ui.classroom.happened import ANSWER, EXAMPLES, PROBLEM, VIEW
from biaslab.ui.navigation import IMPORT_ITEMS, WHAT_HAPPENED, link
from biaslab.ui.results.diagnosis_words import names_of
from biaslab.ui.studies.malgorithm.item_sets import stored_sets
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import choice, typed
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

_SOURCES = {"paste": "I paste them", "file": "In a file", "set": "Wrong options of a kept set"}
_FROM = choice("from", tuple(_SOURCES), "paste")
_SET = typed("items")
_EXAMPLE = "\n".join(f"{problem}; {answer}" for problem, answer in EXAMPLES)
_PASTED = "pasted answers"
_READ = "answers read"
_MOST_PASTED = 50_000
_STATUSES = {
    "explained": "✗ known rule", "slip": "✗ a slip", "none known": "✗ none known",
    "right": "✓ right", "not read": "? not read",
}  # fmt: skip


def draw_several() -> None:
    """Draws the ways to give several answers and what may have happened in each."""
    with st.container(border=True):
        choosing.segmented_control(
            "Where they are", tuple(_SOURCES), format_func=_SOURCES.__getitem__, **_FROM.bind()
        )
        rows = {"file": _from_file, "set": _from_set}.get(_FROM.value, _pasted)()
        st.caption(
            "At most 2,000 rows. They stay in this browser session: nothing is kept, and nothing "
            "stands in the page's address. **Leave names of pupils out.**"
        )
    if rows is None:
        st.info("Give some problems with an answer each; there is an example to paste.")
        return
    _draw_rows(rows)


def _pasted() -> list[AnsweredRow] | None:
    text = st.text_area(
        "A problem and its answer in each line, with a semicolon or a tab between",
        key=_PASTED,
        height=180,
        max_chars=_MOST_PASTED,
        placeholder=_EXAMPLE,
    )
    with st.container(horizontal=True):
        st.button("What happened?", type="primary")
        if not text:
            st.button("Use the example", on_click=_use_example)
    lines = [line for line in (text or "").splitlines() if line.strip()]
    if not lines:
        return None
    return _once(text, lambda: list(read_pairs([_pair(line) for line in lines])))


def _use_example() -> None:
    st.session_state[_PASTED] = _EXAMPLE


def _pair(line: str) -> tuple[str, str]:
    """The last separator parts: word problems have semicolons too."""
    separator = "\t" if "\t" in line else ";"
    problem, _, answer = line.rpartition(separator)
    return (problem.strip(), answer.strip()) if problem else (answer.strip(), "")


def _from_file() -> list[AnsweredRow] | None:
    if visitor.refused(May.KEEP):
        return None
    uploaded = st.file_uploader(
        "A table with the columns problem and answer", type=["csv", "tsv", "xlsx", "json", "jsonl"]
    )
    if uploaded is None:
        return None
    try:
        return _once(
            uploaded.file_id, lambda: list(read_answered(uploaded.getvalue(), uploaded.name))
        )
    except InterchangeError as refused:
        st.error(plain(str(refused)), icon=":material/error:")
        return None


def _from_set() -> list[AnsweredRow] | None:
    sets = stored_sets()
    if not sets:
        st.info("No set of items is kept yet. Keep one on Import items.")
        link(IMPORT_ITEMS, "Import items")
        return None
    if _SET.value and _SET.value not in sets:
        st.warning("The set that the link names is not in this file of runs. Choose one.")
    chosen = choosing.selectbox(
        "Set of items",
        ["", *sets],
        format_func=lambda each: (
            f"{sets[each].name} ({count(sets[each].items, 'item')})" if each else "choose a set"
        ),
        **_SET.bind(),
    )
    if chosen not in sets:
        return None
    found = find_items(queries.store(), chosen)
    return _once(f"set {chosen}", lambda: list(read_options(found or ())))


def _once(given: str, read: Callable[[], list[AnsweredRow]]) -> list[AnsweredRow]:
    """What was read of what this session gave last; two thousand rows take some seconds."""
    kept: tuple[str, list[AnsweredRow]] | None = st.session_state.get(_READ)
    if kept is None or kept[0] != given:
        with st.spinner("Looking at each row"):
            kept = (given, read())
        st.session_state[_READ] = kept
    return kept[1]


def _draw_rows(rows: Sequence[AnsweredRow]) -> None:
    counted = Counter(row.status for row in rows)
    told = ", ".join(f"{counted[each]} {each}" for each in _STATUSES if counted[each])
    st.header(f"{count(len(rows), 'answer')}: {told}", anchor=False)
    shares = _by_rule(rows)
    if shares:
        st.markdown("**Which rules come up**")
        st.dataframe(shares, hide_index=True, width="stretch")
    st.markdown("**Row by row**")
    labelled = any(row.label for row in rows)
    st.dataframe(
        [
            {
                "row": row.number,
                "problem": row.problem,
                "answer": row.answer,
                "what happened": _STATUSES[row.status],
                "known rules that give it": _rules(row),
                "right answer": "" if row.happened is None
                else row.happened.meanings[0].right.answer.shown,
                **({"what the file says": row.label} if labelled else {}),
                "why it was not read": row.reason,
            }
            for row in rows
        ],
        hide_index=True,
        width="stretch",
    )  # fmt: skip
    st.download_button(
        "Download with next problems (CSV)",
        lambda: rows_as_csv(rows, 1),
        "what-happened.csv",
        "text/csv",
        icon=":material/download:",
    )
    wrong = [row for row in rows if row.status == "explained"]
    if wrong:
        with st.expander("Look at one, step by step"):
            for row in wrong[:30]:
                link(
                    WHAT_HAPPENED,
                    plain(f"{row.problem} → {row.answer}"),
                    {VIEW.name: "one", PROBLEM.name: row.problem, ANSWER.name: row.answer},
                    icon=":material/arrow_forward:",
                )


def _rules(row: AnsweredRow) -> str:
    if row.happened is None:
        return ""
    return "; ".join(names_of(each.rules) for each in row.happened.meanings[0].diagnosis.single)


def _by_rule(rows: Sequence[AnsweredRow]) -> list[dict[str, str | int]]:
    """How many answers each single rule would explain; one answer may count for several rules."""
    counted: Counter[str] = Counter()
    for row in rows:
        if row.happened is not None:
            single = row.happened.meanings[0].diagnosis.single
            counted.update({each.rules[0] for each in single})
    return [
        {"rule": names_of((rule,)), "id": rule, "answers it would explain": number}
        for rule, number in counted.most_common()
    ]
