"""Steps 3 and 4 of Your class: the groups, and what to ask next."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.ui.classroom.paper import (
    draw_paper,
    group_sheet,
    items_sheet,
    next_key,
    next_worksheets,
)
from biaslab.ui.classroom.session import StoredClass, by_parameter
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice, integer
from biaslab.ui.widgets.cards import figures
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.classes import (
    ClassReport,
    PupilGroup,
    PupilOutcome,
    Quiz,
    answers_by_item,
    name_of,
)
from schoolmath.malrules.classes.grouping import (
    NOT_A_DIAGNOSIS,
    outcome_words,
    outcomes_told,
    rows_words,
)
from schoolmath.text.figures import count

_BY = {"groups": "by group of pupils", "items": "by item"}


def draw_groups(quiz: Quiz, stored: StoredClass) -> None:
    """Draws who is in which group and why, or what was answered to each item, to print."""
    if stored.made_up:
        st.info("These pupils are simulated. They show what the page does, nothing of real pupils.")
    by = by_parameter()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choosing.segmented_control(
            "Look at the answers",
            list(_BY),
            format_func=_BY.__getitem__,
            required=True,
            **by.bind(),
        )
        _draw_report(quiz, stored)
    if by.value == "items":
        st.caption("Print with your browser (Ctrl+P or ⌘P): only the page below is printed.")
        draw_paper([items_sheet(quiz, answers_by_item(quiz, stored.sheet), made_up=stored.made_up)])
        return
    report = stored.report
    figures(
        {"rows": str(len(report.findings))}
        | {"groups by mal-rule": str(len(report.groups))}
        | {
            outcome_words(outcome): str(len(report.rows(outcome)))
            for outcome in PupilOutcome
            if report.rows(outcome) or outcome is not PupilOutcome.TOO_FEW
        }
    )
    st.markdown(NOT_A_DIAGNOSIS)
    _draw_others(quiz, stored)
    if not report.groups:
        st.info("No pupil gave enough wrong answers of one kind to name a misconception.")
        return
    shown = _draw_choice(report)
    draw_paper(
        group_sheet(quiz, stored.sheet, number, group, made_up=stored.made_up)
        for number, group in shown
    )


def _draw_report(quiz: Quiz, stored: StoredClass) -> None:
    """The button that gives everything about the class as one file."""
    st.download_button(
        "Report as one file",
        lambda: _report_page(quiz, stored),
        f"biaslab-class-{quiz.code}.html",
        "text/html",
        key="class report",
        on_click="ignore",
        icon=":material/description:",
        help="Groups, items, rows and every answer in one HTML file that opens in any browser "
        "without a network and can be printed. Pupils appear as row numbers only.",
    )


def _report_page(quiz: Quiz, stored: StoredClass) -> bytes:
    from biaslab.publishing.report import page, report_of_class

    return page(report_of_class(quiz, stored.sheet, made_up=stored.made_up))


def _draw_choice(report: ClassReport) -> list[tuple[int, PupilGroup]]:
    numbered = list(enumerate(report.groups, start=1))
    which = integer("group", 0, 0, len(numbered))
    if len(numbered) > 1:
        choosing.segmented_control(
            "Groups to show and print",
            [0, *(number for number, _ in numbered)],
            format_func=lambda number: "all" if number == 0 else f"group {number}",
            required=True,
            wrap=True,
            **which.bind(),
        )
    st.caption("Print with your browser (Ctrl+P or ⌘P): each group gets its own page.")
    return [each for each in numbered if which.value in (0, each[0])]


def _draw_others(quiz: Quiz, stored: StoredClass) -> None:
    report = stored.report
    lines = []
    for outcome, told in outcomes_told(quiz).items():
        rows = report.rows(outcome)
        if rows:
            name = outcome_words(outcome)
            lines.append(
                f"<dt>{html.escape(name[0].upper() + name[1:])}</dt>"
                f"<dd><b>{html.escape(rows_words(rows))}</b>. {html.escape(told)}</dd>"
            )
    if lines:
        st.html(f'<dl class="bl bl-facts">{"".join(lines)}</dl>')
    if stored_names := stored.sheet.names:
        with st.expander("Names next to row numbers, on this screen only"):
            st.html(
                '<dl class="bl bl-facts bl-screen-only">'
                + "".join(
                    f"<dt>{row}</dt><dd>{html.escape(name)}</dd>"
                    for row, name in sorted(stored_names.items())
                )
                + "</dl>"
            )
    with st.expander("Row by row"):
        st.dataframe(_table(report), hide_index=True, alt="What each pupil's answers suggest")


def _table(report: ClassReport) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for row, finding in report.findings.items():
        names = [" or ".join(map(name_of, each.rules)) for each in finding.explanations]
        hints = ", ".join(map(name_of, finding.suspects))
        rows.append(
            {
                "Row": row,
                "What it looks like": "; and ".join(names) or outcome_words(finding.outcome),
                "Wrong items": ", ".join(str(at + 1) for at in finding.wrong),
                "Answered": finding.answered,
                "Seen a few times, not enough to name": hints,
            }
        )
    return rows


def draw_next(quiz: Quiz, stored: StoredClass) -> None:
    """Draws problems whose numbers tell the remaining rules apart, as pages to print."""
    asked = []
    for number, group in enumerate(stored.report.groups, start=1):
        problems = stored.ask_next(quiz, group)
        if problems:
            asked.append((number, group, problems))
    if not asked:
        st.info("There is no group yet. See step 3.")
        return
    open_groups = [(number, group) for number, group, _ in asked if len(group.rules) > 1]
    if open_groups:
        which = ", ".join(str(number) for number, _ in open_groups)
        st.markdown(
            f"In **{count(len(open_groups), 'group')}** ({which}) several rules give the same "
            "answers. The numbers below were chosen so that each rule gives another one; where "
            "that cannot be, the key says why."
        )
    else:
        st.markdown(
            "Each group has one rule that fits. These problems have new numbers chosen so that "
            "this misconception gives an answer a slip rarely would. Check whether it persists."
        )
    for number, group in open_groups:
        names = ", ".join(map(name_of, group.rules))
        st.caption(plain(f"Group {number}: {names}."))
    paper = choice("next", ("worksheet", "key"), "worksheet")
    choosing.segmented_control(
        "Page to print",
        ["worksheet", "key"],
        format_func={"worksheet": "Worksheets", "key": "Key for the teacher"}.__getitem__,
        required=True,
        **paper.bind(),
    )
    draw_paper(
        next_worksheets(quiz, asked) if paper.value == "worksheet" else [next_key(quiz, asked)]
    )
