"""Quality review: sheets are made, given in, and told of."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from biaslab.publishing.review import ReviewJudgement, make_sheets, write_sheet
from biaslab.runs import Store, open_store
from biaslab.studies import Design
from tests.ui.conftest import HOSTILE, Visit, downloads, words

DESIGN = Design("consistency", 60, 1, {"steps": "1-2"})
Filled: TypeAlias = Callable[[Callable[[str, int], bool]], list[tuple[str, bytes, str]]]


@pytest.fixture
def store(empty: Path) -> Iterator[Store]:
    with open_store(empty) as opened:
        yield opened


@pytest.fixture
def filled(store: Store) -> Filled:
    """The sheets of three reviewers as files, with what they say of a text."""

    def fill(says: Callable[[str, int], bool]) -> list[tuple[str, bytes, str]]:
        return [
            (f"{sheet.reviewer}.csv", write_sheet(replace(sheet, said=said)), "text/csv")
            for sheet in make_sheets(store, DESIGN, ("AB", "Cem", "Dana"), control=4, further=6)
            for said in [
                {
                    each.number: ReviewJudgement(says(sheet.reviewer, each.number), True, HOSTILE)
                    for each in sheet.texts
                }
            ]
        ]

    return fill


@pytest.mark.usefixtures("empty")
def test_sheets_are_made_of_the_design_in_the_link(visit: Visit) -> None:
    address = {"study": "consistency", "n": "80", "seed": "5", "steps": "2-2"}
    app = visit("review", **address, control="4", more="6", **{"review-seed": "2"})
    app.text_input[0].set_value("Anna, Cem").run()
    app.button[0].click().run()
    assert downloads(app) == ["Anna (CSV)", "Cem (CSV)"]
    assert "Anna" not in str(dict(app.query_params))


@pytest.mark.usefixtures("empty")
def test_names_and_sizes_that_cannot_be_are_told(visit: Visit) -> None:
    app = visit("review", n="50")
    for people, why in (("AB, Cem", "the review needs 100"), ("AB, a@b.org", "cannot be a review")):
        app.text_input[0].set_value(people).run()
        app.button[0].click().run()
        assert why in app.error[0].value
        assert downloads(app) == []


@pytest.mark.usefixtures("empty")
def test_sheets_that_came_back_tell_agreement_and_faulty_texts(
    visit: Visit, filled: Filled
) -> None:
    app = visit("review")
    app.file_uploader[0].set_value(
        filled(lambda who, number: (who, number) not in {("AB", 2), ("AB", 3)})
    ).run()
    told = words(app)
    assert "Fleiss' kappa" in html.unescape(told)
    assert "language: 1 of 3 said no, not counted as faulty" in told
    assert "Text 2" in told
    assert "Text 1<" not in told
    assert HOSTILE not in told
    assert HOSTILE in html.unescape(told)
    assert list(app.table[0].value["Faulty"]) == ["0 of 10", "0 of 10", "0 of 10"]
    assert "AB" not in told


@pytest.mark.usefixtures("empty")
def test_a_sheet_that_is_not_right_is_named_and_nothing_is_told(
    visit: Visit, filled: Filled
) -> None:
    (name, data, kind), *others = filled(lambda *_: True)
    app = visit("review")
    app.file_uploader[0].set_value([(name, data.replace(b",yes,", b",perhaps,", 1), kind), *others])
    app.run()
    assert "AB.csv" in app.error[0].value
    assert "neither yes nor no" in app.error[0].value
    assert "kappa" not in words(app)
