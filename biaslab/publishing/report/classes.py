"""A report about a class's answers to a test. Pupils are row numbers: names are never in it."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab import __version__
from biaslab.charts.room import class_chart
from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Items,
    Report,
    ReportAnswer,
    ReportFinding,
    ReportPart,
    ReportPicture,
    ReportTable,
    Section,
)
from biaslab.publishing.report.page import version_of_charts
from schoolmath.malrules.classes import (
    ClassReport,
    ClassSheet,
    ItemAnswers,
    Quiz,
    answers_by_item,
    group_class,
    name_of,
)
from schoolmath.malrules.classes.grouping import (
    LEAST_ANSWERS,
    NOT_A_DIAGNOSIS,
    evidence,
    how_sure,
    outcome_words,
    outcomes_told,
    rows_words,
)
from schoolmath.malrules.classes.items import simplest
from schoolmath.malrules.rules import rules
from schoolmath.text.figures import count, percent

_LISTED = 4
"""Rules that a quiz cannot name, among the findings; all of them stand among the limitations."""


def report_of_class(quiz: Quiz, sheet: ClassSheet, *, made_up: bool = False) -> Report:
    """A report about a class: its groups, every row and every item.

    Args:
        quiz: what was asked.
        sheet: the answers; names in it are left out.
        made_up: whether the pupils are simulated.
    """
    found = group_class(quiz, sheet)
    items = answers_by_item(quiz, sheet)
    pupils = count(len(sheet.answers), "made-up pupil" if made_up else "pupil")
    return Report(
        title=f"A class’s answers: {quiz.about}",
        about=f"{pupils}, {count(len(quiz.items), 'item')}, quiz {quiz.code}. Pupils are row "
        "numbers; there is no name in this file.",
        before=NOT_A_DIAGNOSIS,
        findings=_findings(quiz, found),
        sections=(_by_item(quiz, items), _by_row(sheet, found)),
        items=_items(quiz, sheet),
        methods=_methods(),
        limitations=_limitations(quiz, sheet, made_up=made_up),
        provenance={
            "Quiz": f"{quiz.code}, {quiz.about}",
            "Made with": f"BiasLab {__version__}",
            "Charts drawn by": f"plotly.js {version_of_charts()} (MIT licence)",
        },
    )


def _findings(quiz: Quiz, report: ClassReport) -> tuple[ReportFinding, ...]:
    """The groups, the largest first, then everybody who is in none."""
    told = []
    for number, group in enumerate(report.groups, start=1):
        names = " or ".join(map(name_of, group.rules))
        cards = [rules()[each].card.description for each in group.rules if each in rules()]
        who = f"{count(len(group.members), 'pupil')} of {len(report.findings)}: "
        told.append(
            ReportFinding(
                f"Group {number}: {names}",
                (f"{who}{rows_words(group.rows)}.", how_sure(group), *cards),
            )
        )
    for outcome, sentence in outcomes_told(quiz, _LISTED).items():
        rows = report.rows(outcome)
        if rows:
            words = outcome_words(outcome)
            who = f"{count(len(rows), 'pupil')} of {len(report.findings)}: {rows_words(rows)}."
            told.append(ReportFinding(f"{words[0].upper()}{words[1:]}", (who, sentence)))
    return tuple(told)


def _by_item(quiz: Quiz, items: Sequence[ItemAnswers]) -> Section:
    light, dark = (class_chart(items, dark) for dark in (False, True))
    rows = []
    for each in items:
        wrong = max(
            (one for one in each.given if not one.right and one.rows),
            key=lambda one: len(one.rows),
            default=None,
        )
        share = each.right / each.answered if each.answered else None
        rows.append(
            (
                f"{each.item + 1}",
                quiz.items[each.item].question,
                f"{each.right} of {each.answered}",
                percent(share),
                "–"
                if wrong is None
                else f"{_shown(wrong.letter, wrong.answer.shown)} ({len(wrong.rows)})",
                "–" if wrong is None else " or ".join(map(name_of, wrong.ideas)) or "–",
            )
        )
    columns = ("Item", "Question", "Right", "Share", "Most frequent wrong answer", "What gives it")
    notes = (
        "Shares are of those who answered. A class is counted here, not sampled, so they have no "
        "interval.",
    )
    table = ReportTable("What was answered", columns, tuple(rows), frozenset({2, 3}), notes)
    picture = ReportPicture(light.summary.partition(":")[0], light, dark)
    return Section("Item by item", pictures=(picture,), tables=(table,))


def _shown(letter: str, answer: str) -> str:
    return f"{letter}: {answer}" if letter else answer


def _by_row(sheet: ClassSheet, report: ClassReport) -> Section:
    rows = []
    for row, finding in report.findings.items():
        names = [" or ".join(map(name_of, each.rules)) for each in finding.explanations]
        rows.append(
            (
                str(row),
                "; and ".join(names) or outcome_words(finding.outcome),
                ", ".join(str(at + 1) for at in finding.wrong) or "–",
                str(finding.answered),
            )
        )
    why = [evidence(sheet, member) for group in report.groups for member in group.members]
    columns = ("Row", "What it looks like", "Wrong items", "Answered")
    return Section(
        "Row by row",
        tables=(ReportTable("What each row looks like", columns, tuple(rows), frozenset({3})),
                *_why(why)),
    )  # fmt: skip


def _why(sentences: Sequence[str]) -> tuple[ReportTable, ...]:
    if not sentences:
        return ()
    rows = tuple((row, why[0].upper() + why[1:]) for row, _, why in
                 (sentence.partition(": ") for sentence in sentences))  # fmt: skip
    return (ReportTable("Why a row is in its group", ("Row", "Why"), rows),)


def _items(quiz: Quiz, sheet: ClassSheet) -> Items:
    entries = []
    for at, item in enumerate(quiz.items):
        options = "".join(f"\n{letter}: {each.shown}" for letter, each in item.options.items())
        answers = []
        for row, given in sorted(sheet.answers.items()):
            answer = given[at]
            if answer is None:
                answers.append(ReportAnswer(AnswerMark.NONE, who=f"Row {row}"))
                continue
            right = answer.same_as(item.right)
            ideas = () if right else simplest(item.ideas_behind(answer))
            how = f"What would give it: {' or '.join(map(name_of, ideas))}" if ideas else ""
            mark = AnswerMark.RIGHT if right else AnswerMark.WRONG
            answers.append(ReportAnswer(mark, answer.shown, how, who=f"Row {row}"))
        right_answer = _shown(item.key, item.right.shown)
        part = ReportPart("", item.question + options, right_answer, tuple(answers))
        entries.append(Entry(f"Item {at + 1}", {}, (part,)))
    return Items("item", {}, entries)


def _methods() -> tuple[str, ...]:
    return (
        "For every row and every rule, the items that were answered and where the rule can show "
        "are checked. A rule is named only where enough wrong answers are exactly what it gives, "
        "where slips alone would hardly bring about so many, and where wrong answers spread at "
        "random would not either; docs/your-class.md of BiasLab has the limits, and what they "
        "found in simulated classes.",
        "Rules that explain the same answers about as well are named together. With fewer than "
        f"{LEAST_ANSWERS} answers nothing is said of a row.",
    )


def _limitations(quiz: Quiz, sheet: ClassSheet, *, made_up: bool) -> tuple[str, ...]:
    said = ["These pupils are simulated; nothing is said of real pupils."] if made_up else []
    said.append(NOT_A_DIAGNOSIS)
    if sheet.blanks:
        said.append(f"{count(sheet.blanks, 'cell')} of the sheet had no answer that counts.")
    if sheet.marks:
        left_out = count(len(sheet.marks), "cell or column", "cells or columns")
        said.append(f"{left_out} of the sheet had something to be said of and did not count as "
                    "it stood.")  # fmt: skip
    if quiz.unseen:
        said.append(f"This quiz cannot name: {', '.join(map(name_of, quiz.unseen))}.")
    return tuple(said)
