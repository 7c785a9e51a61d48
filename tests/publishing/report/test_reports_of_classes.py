"""A report of a class: groups, rows and items as on the page Your class, and no name."""

from __future__ import annotations

import pytest

from biaslab.publishing.report import page, report_of_class
from schoolmath.malrules.classes import (
    QuizDesign,
    answers_by_item,
    group_class,
    make_quiz,
    name_of,
    read_sheet,
    simulate_class,
    write_sheet,
)
from schoolmath.malrules.classes.grouping import NOT_A_DIAGNOSIS, evidence
from schoolmath.problems.draws import Draws
from tests.publishing.report.test_packing import taken_out


@pytest.fixture(scope="module")
def quiz():
    return make_quiz(QuizDesign(4, ("ColumnSubtraction",), 12, 1, letters=False))


@pytest.fixture(scope="module")
def sheet(quiz):
    rule = quiz.nameable[0]
    return simulate_class(Draws("report"), quiz, [rule, rule, rule, *[None] * 8])


@pytest.fixture(scope="module")
def report(quiz, sheet):
    return report_of_class(quiz, sheet)


def test_groups_come_first_with_how_many_of_how_many(quiz, sheet, report):
    found = group_class(quiz, sheet)

    assert report.before == NOT_A_DIAGNOSIS
    first = report.findings[0]
    assert first.about.startswith("Group 1: ")
    assert first.sentences[0].startswith(f"{len(found.groups[0].members)} pupils of 11: rows ")
    counted = [int(each.sentences[0].split()[0]) for each in report.findings]
    assert sum(counted) >= 11


def test_every_row_in_a_group_says_why(quiz, sheet, report):
    (why,) = (
        table for section in report.sections for table in section.tables
        if table.title.startswith("Why")
    )  # fmt: skip
    told = {
        evidence(sheet, member).split(": ", 1)[1].capitalize()
        for group in group_class(quiz, sheet).groups
        for member in group.members
    }

    assert {row[1].capitalize() for row in why.rows} == told


def test_bars_and_table_count_what_the_page_counts(quiz, sheet, report):
    section = next(each for each in report.sections if each.pictures)
    counted = answers_by_item(quiz, sheet)
    right, wrong, blank = section.pictures[0].light.figure.data

    assert list(right.x) == [each.right for each in counted]
    assert list(wrong.x) == [each.answered - each.right for each in counted]
    assert list(blank.x) == [each.blank for each in counted]
    assert [row[2] for row in section.tables[0].rows] == [
        f"{each.right} of {each.answered}" for each in counted
    ]


def test_names_in_the_sheet_never_reach_the_file(quiz, sheet):
    lines = write_sheet(quiz, sheet).splitlines()
    named = [f"name,{lines[0]}"] + [
        f"Zacharias Quonk{at},{line}" for at, line in enumerate(lines[1:])
    ]
    read = read_sheet("\n".join(named), quiz, keep_names=True)
    assert any("Quonk" in name for name in read.names.values())
    html = page(report_of_class(quiz, read)).decode()

    assert "Quonk" not in html
    assert "Quonk" not in str(taken_out(html))


def test_made_up_pupils_are_told_to_be_made_up(quiz, sheet):
    report = report_of_class(quiz, sheet, made_up=True)

    assert "made-up pupils" in report.about
    assert "simulated" in report.limitations[0]


def test_every_answer_of_every_row_is_there(sheet, report):
    answers = [answer for entry in report.items.entries for answer in entry.parts[0].answers]

    assert len(report.items.entries) == 12
    assert len(answers) == 12 * 11
    assert {answer.who for answer in answers} == {f"Row {row}" for row in sheet.answers}
    assert not any(answer.exchanges for answer in answers)


def test_many_rules_that_a_quiz_cannot_name_are_counted_first_and_listed_last():
    letters = make_quiz(QuizDesign(4, ("ColumnSubtraction",), 12, 1))
    report = report_of_class(letters, simulate_class(Draws("right"), letters, [None] * 3))
    (right,) = (each for each in report.findings if each.about == "Everything right")

    assert len(letters.unseen) > 10
    unseen = f"This quiz cannot detect {len(letters.unseen)} other misconceptions"
    assert unseen in right.sentences[1]
    assert all(name_of(rule) in report.limitations[-1] for rule in letters.unseen)
