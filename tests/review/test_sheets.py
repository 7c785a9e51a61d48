"""Sheets of a quality review: drawn by seed, given out, filled in, read back, put together."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import openpyxl
import pytest

from biaslab.files import InterchangeError
from biaslab.publishing.review import (
    Criterion,
    ReviewJudgement,
    ReviewSheet,
    delete_review,
    draw_texts,
    make_sheets,
    put_together,
    rater_agreement,
    read_sheet,
    stored_reviews,
    write_sheet,
)
from biaslab.runs import Store
from biaslab.runs.errors import ReviewError
from biaslab.studies import Design, Item, Pair
from schoolmath.problems import DesignError
from tests.loops import over

DESIGN = Design("consistency", 60, 1, {"steps": "1-2"})
PEOPLE = ("AB", "Cem", "Dana")


def different(count: int) -> list[Pair]:
    return [
        Pair.of(Item.of("s", f"Easy {n}?", "1", {}), Item.of("s", f"Hard {n}?", "2", {}), {}, "c")
        for n in range(count)
    ]


def filled(sheet: ReviewSheet, says: Callable[[int], bool] = lambda _: True) -> ReviewSheet:
    said = {each.number: ReviewJudgement(says(each.number), True, "=1+1") for each in sheet.texts}
    return replace(sheet, said=said)


def rows_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


def written(rows: list[list[str]], delimiter: str = ",") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode()


@pytest.fixture
def sheets(store: Store) -> list[ReviewSheet]:
    return make_sheets(store, DESIGN, PEOPLE, control=4, further=6)


class TestTexts:
    def test_come_from_different_pairs_by_the_seed_and_either_member_is_shown(self) -> None:
        pairs = different(1_000)
        drawn, again, other = (
            [each.text for each in draw_texts(lambda: pairs, 1_000, seed, 1_000)]
            for seed in (1, 1, 2)
        )
        assert drawn == again != other
        assert len({text.split()[1] for text in drawn}) == 1_000
        assert 430 < Counter(text.split()[0] for text in drawn)["Easy"] < 570

    def test_that_pairs_share_are_judged_once_and_too_few_are_refused(self) -> None:
        same = Item.of("s", "The same?", "1", {})
        shared = [Pair.of(same, same, {}, "c")] * 30 + different(1)
        assert {text.text[:3] for text in draw_texts(lambda: shared, 31, 1, 2)} > {"The"}
        with pytest.raises(DesignError, match="2 different texts, and the review needs 20"):
            draw_texts(lambda: shared, 31, 1, 20)
        # A set with fewer pairs than it says is drawn from what is there.
        assert len(draw_texts(lambda: islice(different(10), 10), 50, 1, 10)) == 10

    def test_are_judged_by_everybody_or_by_one(self, sheets: list[ReviewSheet]) -> None:
        given = Counter(each.number for sheet in sheets for each in sheet.texts)
        assert given == {number: 3 if number <= 4 else 1 for number in range(1, 11)}
        assert {len(sheet.texts) for sheet in sheets} == {6}
        assert len({tuple(each.number for each in sheet.texts[:4]) for sheet in sheets}) > 1


@over(
    "people, control, further, why",
    [
        (("AB",), 4, 6, "2 to 10 reviewers"),
        (("AB", "ab"), 4, 6, "the same name"),
        (("AB", "anna@example.org"), 4, 6, "cannot be a reviewer"),
        (("AB", "=1+1"), 4, 6, "cannot be a reviewer"),
        (PEOPLE, 1, 6, "2 to 100 texts"),
        (PEOPLE, 4, 2, "From 3 to 1,000"),
    ],
)
def test_a_review_that_cannot_be_is_refused(
    store: Store, people: tuple[str, ...], control: int, further: int, why: str
) -> None:
    with pytest.raises(ReviewError, match=why):
        make_sheets(store, DESIGN, people, control=control, further=further)


class TestReadingBack:
    def test_gives_what_was_said_and_no_cell_is_a_formula(self, sheets: list[ReviewSheet]) -> None:
        for sheet in (sheets[0], filled(sheets[1], lambda number: number != 2)):
            assert read_sheet(write_sheet(sheet)) == sheet
        assert rows_of(write_sheet(filled(sheets[0])))[1][-1] == "'=1+1"

    def test_takes_what_spreadsheets_make_of_it(self, sheets: list[ReviewSheet]) -> None:
        rows = rows_of(write_sheet(sheets[0]))
        for row in rows[1:]:
            row[1] = f"{row[1]}.0"
            row[2] = row[2].replace(". ", ". \n ")
            row[4:6] = "YES", "n"
        book = openpyxl.Workbook()
        for row in [rows[0], *reversed(rows[1:]), [""] * 7]:
            book.active.append(row)
        workbook = io.BytesIO()
        book.save(workbook)
        for data in (written(rows), written(rows, ";"), workbook.getvalue()):
            came = read_sheet(data)
            assert set(came.said.values()) == {ReviewJudgement(True, False)}
            assert (came.review, came.reviewer, came.missing) == (sheets[0].review, "AB", 0)

    def test_refuses_what_cannot_be_read_saying_where_and_why(
        self, sheets: list[ReviewSheet]
    ) -> None:
        whole = rows_of(write_sheet(filled(sheets[0])))

        def changed(row: int, column: int, cell: str) -> bytes:
            rows = [list(each) for each in whole]
            rows[row][column] = cell
            return written(rows)

        for data, why in {
            changed(1, 2, "Another text?"): "other ones than were given out",
            changed(1, 3, "1000"): "other ones than were given out",
            changed(1, 0, "0123-4567"): "other ones than were given out",
            written(whole[:-1]): "other ones than were given out",
            written([*whole, whole[1]]): "Row 8: its text stands twice",
            changed(2, 1, "two"): "Row 3: its text has no number",
            changed(2, 4, "maybe"): "Row 3: “maybe” is neither yes nor no",
            changed(2, 4, ""): "Row 3: a question has no answer",
            changed(0, 0, "sheet"): "lacks the column “sheet",
            changed(0, 4, "natural"): "lacks the columns of one reviewer",
            b'{"biaslab": "review packet"}': "no sheet of a quality review",
            b"PK\x03\x04": ".",
            b"": ".",
        }.items():
            with pytest.raises(InterchangeError, match=why):
                read_sheet(data)


class TestPuttingTogether:
    def test_tells_agreement_and_all_texts(self, sheets: list[ReviewSheet]) -> None:
        first, *others = sheets
        done = [filled(first, lambda number: number != 2), *map(filled, others)]
        said = put_together(done[::-1])
        assert said.people == PEOPLE
        assert [each.number for each in said.control] == [1, 2, 3, 4]
        assert [each.number for each in said.all] == list(range(1, 11))
        assert said.missing == {}
        assert rater_agreement(said.control, Criterion.NATURAL).disputed == (2,)

    def test_counts_what_is_missing_and_tells_nothing_of_it(
        self, sheets: list[ReviewSheet]
    ) -> None:
        first, *others = map(filled, sheets)
        number = first.texts[0].number
        less = replace(first, said={n: each for n, each in first.said.items() if n != number})
        said = put_together([less, *others])
        assert said.missing == {"AB": 1}
        assert said.control == ()
        assert number not in {each.number for each in said.all}

    def test_refuses_sheets_that_do_not_go_together(
        self, store: Store, sheets: list[ReviewSheet]
    ) -> None:
        other = make_sheets(store, DESIGN, PEOPLE, seed=2, control=4, further=6)
        for given, why in (
            ([sheets[0], other[1]], "different reviews"),
            ([sheets[0], sheets[0]], "the same name"),
            ([sheets[0]], "2 to 10 reviewers"),
        ):
            with pytest.raises(ReviewError, match=why):
                put_together(given)


def test_reviews_of_earlier_versions_come_as_sheets_and_can_be_deleted(store: Store) -> None:
    texts = [(1, 1, "Old?"), (2, 2, "One?"), (3, 2, "Two?"), (4, 0, "Three?"), (5, 0, "Four?")]
    with store.writing() as database:
        database.execute(
            "INSERT INTO reviews VALUES"
            " ('0123456789ab', 'Mine', 'coordinator', NULL, 1, 2, 2, 2, 1, 'now')"
        )
        for number, part, text in texts:
            database.execute(
                "INSERT INTO review_texts VALUES ('0123456789ab', ?, ?, '', '', '', ?, '7', '{}')",
                (number, part, text),
            )
        for person, name in enumerate(("AB", "Cem")):
            database.execute(
                "INSERT INTO review_people VALUES ('0123456789ab', ?, ?)", (person, name)
            )
            for turn, (number, part, _) in enumerate(texts):
                if part or number == 4 + person:
                    database.execute(
                        "INSERT INTO review_tasks VALUES"
                        " ('0123456789ab', ?, ?, ?, ?, 1, ?, 'fine', 'now')",
                        (person, part, turn, number, None if number == 5 else 1),
                    )

    ((title, sheets),) = stored_reviews(store).values()
    said = put_together([read_sheet(write_sheet(sheet)) for sheet in sheets])
    assert title == "Mine"
    assert [each.number for each in said.control] == [2, 3]
    assert [each.number for each in said.all] == [2, 3, 4]
    assert said.missing == {"Cem": 1}

    delete_review(store, "0123456789ab")
    assert stored_reviews(store) == {}
