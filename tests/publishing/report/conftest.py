"""Reports to look at: of two runs in a real file, and one whose every text is hostile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from biaslab.charts.room import class_chart
from biaslab.publishing.report import (
    AnswerMark,
    Entry,
    Items,
    Report,
    ReportAnswer,
    ReportExchange,
    ReportFinding,
    ReportPart,
    ReportPicture,
    ReportTable,
    Section,
)
from biaslab.runs import Store, open_store, prepare, run_here
from biaslab.studies import Design
from schoolmath.malrules.classes import QuizDesign, answers_by_item, make_quiz, simulate_class
from schoolmath.problems.draws import Draws

HOSTILE = (
    "</script><script>window.hurt = 1</script><img src=x onerror=window.hurt=1> {{ 7*7 }} <!--"
)
FORMULA = '=HYPERLINK("http://elsewhere.invalid";"click")'


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[str]]]:
    """A file with three runs: two of one study, the last one of another with several samples."""
    with open_store(tmp_path_factory.mktemp("report") / "runs.db") as store:
        runs = []
        for design, model, strategy in (
            (Design("consistency", 24, 3, {"steps": "1-2"}), "learner:keyword", "direct"),
            (Design("consistency", 24, 3, {"steps": "1-2"}), "learner:perfect", "cot"),
            (Design("decision", 10, 1, {"bias": "anchoring"}), "learner:anchored", "choose"),
        ):
            runs.append(prepare(store, design, model, strategy))
            run_here(store, runs[-1])
        yield store, runs


def hostile(entries: int = 30) -> Report:
    """A report of texts that a browser or a spreadsheet would run if they were anything but text.

    Args:
        entries: how many items it has.
    """
    quiz = make_quiz(QuizDesign(4, ("ColumnSubtraction",), 6, 1))
    found = answers_by_item(quiz, simulate_class(Draws("hostile"), quiz, [None] * 4))
    light, dark = (class_chart(found, dark) for dark in (False, True))
    return Report(
        title=HOSTILE,
        about=HOSTILE,
        before=HOSTILE,
        findings=(ReportFinding(HOSTILE, (HOSTILE, FORMULA)),),
        sections=(
            Section(
                HOSTILE,
                (HOSTILE,),
                (ReportPicture(HOSTILE, light, dark),),
                (ReportTable(HOSTILE, (HOSTILE, FORMULA), ((HOSTILE, FORMULA),), frozenset({1})),),
            ),
        ),
        items=Items(
            "pair", {"who": HOSTILE, "steps": "Steps"}, [_entry(n) for n in range(entries)]
        ),
        methods=(HOSTILE,),
        limitations=(HOSTILE,),
        provenance={HOSTILE: HOSTILE},
        files={"effects.csv": "study,n\r\nours,3\r\n"},
    )


def _entry(number: int) -> Entry:
    outcomes = (AnswerMark.RIGHT, AnswerMark.WRONG, AnswerMark.UNREAD)
    exchange = ReportExchange(f"{HOSTILE} prompt {number}", FORMULA, HOSTILE)
    answers = tuple(
        ReportAnswer(outcomes[(number + at) % 3], FORMULA, HOSTILE, at + 1, exchanges=(exchange,))
        for at in range(2)
    )
    return Entry(
        f"Pair {number + 1}",
        {"who": HOSTILE if number % 2 else "somebody", "steps": str(number % 3 + 1)},
        (
            ReportPart("first", f"{HOSTILE} problem {number}", "7", answers),
            ReportPart("second", f"needle{number} {HOSTILE}", "8", answers[:1]),
        ),
    )
