"""Quality reviews in a real file: making, judging, splitting, exchanging packets."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biaslab.problems import DesignError
from biaslab.review.exchange import packet_for, take_in
from biaslab.review.packets import Packet, write_packet_csv, write_packet_json
from biaslab.review.reading import judged, progress, review, reviews, tasks, texts
from biaslab.review.reading_packets import PacketRefused, read_packet
from biaslab.review.records import Role
from biaslab.review.reviews import (
    answer,
    comment,
    create_review,
    delete_review,
    hand_out,
    repeat_control,
)
from biaslab.review.texts import FURTHER, Criterion, Judgement
from biaslab.runs import RunError, Store, open_store
from biaslab.runs.errors import ReviewError
from biaslab.runs.library.pair_sets import save_set
from biaslab.runs.store.migrations import REVIEW_TABLES
from biaslab.studies import Design, experiment

DESIGN = Design("consistency", 60, 1, {"steps": "1-2"})
PEOPLE = ("AB", "Cem", "Dana")


@pytest.fixture
def review_id(store: Store) -> str:
    return create_review(store, DESIGN, PEOPLE, seed=3, control=4, further=11)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    """The file of a reviewer on another computer."""
    with open_store(tmp_path / "elsewhere.db") as opened:
        yield opened


def do(
    store: Store, review_id: str, person: int, says: Callable[[int], bool] | None = None
) -> None:
    """Somebody judges everything that they have."""
    for task in tasks(store, review_id, person):
        for criterion in Criterion:
            yes = says is None or says(task.text.number)
            answer(store, review_id, person, task.text.number, criterion, yes)


class TestMaking:
    def test_everybody_gets_the_same_control_set_in_an_order_of_their_own(
        self, store: Store, review_id: str
    ) -> None:
        orders = [[t.text.number for t in tasks(store, review_id, p)] for p in range(3)]
        assert [sorted(order) for order in orders] == [[1, 2, 3, 4]] * 3
        assert len(set(map(tuple, orders))) > 1

    def test_texts_are_those_of_the_design_and_one_of_a_pair(
        self, store: Store, review_id: str
    ) -> None:
        made = {
            item.id: (item.text, item.answer)
            for pair in experiment("consistency").pairs(DESIGN)
            for item in (pair.x, pair.x_prime)
        }
        found = texts(store, review_id)
        assert len(found) == 15
        assert len({text.pair for text in found.values()}) == 15
        assert all(made[text.item] == (text.text, text.answer) for text in found.values())

    def test_a_kept_set_of_pairs_is_reviewed_like_a_study(self, store: Store) -> None:
        pairs = list(experiment("consistency").pairs(Design("consistency", 30, 1)))
        kept = save_set(store, "Made by hand", pairs, "made")
        asked = Design("imported", 200, 1, {"set": kept.id})
        made = create_review(store, asked, PEOPLE, control=4, further=20)
        assert {text.pair for text in texts(store, made).values()} < {pair.id for pair in pairs}

    def test_the_same_seed_gives_the_same_review(self, store: Store, review_id: str) -> None:
        again = create_review(store, DESIGN, PEOPLE, seed=3, control=4, further=11)
        assert texts(store, again) == texts(store, review_id)
        assert [tasks(store, again, p) for p in range(3)] == [
            tasks(store, review_id, p) for p in range(3)
        ]

    def test_reviews_are_listed_the_newest_first(self, store: Store, review_id: str) -> None:
        other = create_review(store, DESIGN, ("E", "F"), control=2, further=2)
        assert [record.id for record in reviews(store)] == [other, review_id]
        record = review(store, review_id)
        assert (record.people, record.design, record.role) == (PEOPLE, DESIGN, Role.COORDINATOR)

    @pytest.mark.parametrize(
        ("people", "told"),
        [
            (["AB"], "2 to 10 reviewers, not 1"),
            ([f"R{n}" for n in range(11)], "not 11"),
            (["AB", "ab"], "same name"),
            (["AB", "anna@example.org"], "cannot be a reviewer"),
            (["AB", "=1+1"], "cannot be a reviewer"),
            (["AB", "A/B"], "cannot be a reviewer"),
            (["AB", "x" * 21], "cannot be a reviewer"),
        ],
    )
    def test_names_that_cannot_be_are_refused(
        self, store: Store, people: list[str], told: str
    ) -> None:
        with pytest.raises(ReviewError, match=told):
            create_review(store, DESIGN, people)
        assert reviews(store) == []

    def test_a_design_with_too_few_pairs_is_refused(self, store: Store) -> None:
        with pytest.raises(DesignError, match="the review needs 100"):
            create_review(store, DESIGN, PEOPLE)
        assert reviews(store) == []

    @pytest.mark.parametrize("sizes", [(1, 90), (101, 90), (10, 2), (10, 1_001)])
    def test_sizes_out_of_range_are_refused(self, store: Store, sizes: tuple[int, int]) -> None:
        with pytest.raises(ReviewError):
            create_review(store, DESIGN, PEOPLE, control=sizes[0], further=sizes[1])


class TestJudging:
    def test_every_answer_is_in_the_file_at_once(self, store: Store, review_id: str) -> None:
        first = tasks(store, review_id, 1)[0]
        answer(store, review_id, 1, first.text.number, Criterion.NATURAL, False)
        comment(store, review_id, 1, first.text.number, "  A word is missing. ")

        with open_store(store.path) as again:
            found = tasks(again, review_id, 1)[0]

        assert (found.natural, found.clear, found.comment) == (False, None, "A word is missing.")
        assert found.judgement is None

    def test_an_answer_can_be_changed(self, store: Store, review_id: str) -> None:
        do(store, review_id, 0)
        answer(store, review_id, 0, 2, Criterion.CLEAR, False)
        (found,) = [t for t in tasks(store, review_id, 0) if t.text.number == 2]
        assert found.judgement == Judgement(True, False)

    def test_a_text_of_somebody_else_is_refused(self, store: Store, review_id: str) -> None:
        with pytest.raises(ReviewError, match="not one that this reviewer judges"):
            answer(store, review_id, 0, 5, Criterion.CLEAR, True)

    def test_texts_count_only_when_all_their_reviewers_judged_them(
        self, store: Store, review_id: str
    ) -> None:
        do(store, review_id, 0)
        do(store, review_id, 1)
        assert judged(store, review_id, [1]) == []
        do(store, review_id, 2, lambda number: number != 3)
        found = judged(store, review_id, [1])
        assert [text.number for text in found] == [1, 2, 3, 4]
        assert [each.natural for each in found[2].judgements] == [True, True, False]

    def test_progress_says_how_many_and_not_what(self, store: Store, review_id: str) -> None:
        do(store, review_id, 1)
        assert [(p.name, p.part, p.done, p.total) for p in progress(store, review_id)] == [
            ("AB", 1, 0, 4), ("Cem", 1, 4, 4), ("Dana", 1, 0, 4),
        ]  # fmt: skip


class TestGoingOn:
    def finish(self, store: Store, review_id: str) -> None:
        for person in range(3):
            do(store, review_id, person)

    def test_further_texts_are_split_once_the_control_set_is_judged(
        self, store: Store, review_id: str
    ) -> None:
        with pytest.raises(ReviewError, match="12 judgements are missing"):
            hand_out(store, review_id)
        self.finish(store, review_id)

        hand_out(store, review_id)
        hand_out(store, review_id)

        shares = [[t.text.number for t in tasks(store, review_id, p)] for p in range(3)]
        assert sorted(number for share in shares for number in share) == list(range(5, 16))
        assert sorted(map(len, shares)) == [3, 4, 4]

    def test_a_control_set_can_be_repeated_with_new_texts(
        self, store: Store, review_id: str
    ) -> None:
        self.finish(store, review_id)
        repeat_control(store, review_id)
        assert review(store, review_id).round == 2
        assert judged(store, review_id, [2]) == []
        numbers = {t.text.number for t in tasks(store, review_id, 0)}
        assert numbers == {16, 17, 18, 19}
        found = texts(store, review_id)
        assert len({text.pair for text in found.values()}) == 19
        self.finish(store, review_id)
        hand_out(store, review_id)
        with pytest.raises(ReviewError, match="handed out"):
            repeat_control(store, review_id)

    def test_no_more_texts_are_told(self, store: Store) -> None:
        small = create_review(store, Design("consistency", 15, 1), PEOPLE, control=4, further=11)
        self.finish(store, small)
        with pytest.raises(DesignError, match="15 different texts"):
            repeat_control(store, small)
        assert review(store, small).round == 1

    def test_deleting_leaves_nothing_of_it(self, store: Store, review_id: str) -> None:
        other = create_review(store, DESIGN, PEOPLE, control=4, further=11)
        delete_review(store, review_id)
        with store.reading() as database:
            for table in REVIEW_TABLES:
                column = "id" if table == "reviews" else "review"
                found = {row[column] for row in database.query(f"SELECT * FROM {table}")}
                assert found == {other}
        with pytest.raises(RunError, match="no review"):
            review(store, review_id)


WRITERS = [write_packet_json, write_packet_csv]


class TestPackets:
    @pytest.mark.parametrize("write", WRITERS)
    def test_a_packet_is_judged_elsewhere_and_merged(
        self, store: Store, elsewhere: Store, review_id: str, write: Callable[[Packet], bytes]
    ) -> None:
        sent = packet_for(store, review_id, 2)
        opened = take_in(elsewhere, read_packet(write(sent)))
        assert (opened.merged, opened.review) == (False, review_id)
        assert review(elsewhere, review_id).role is Role.REVIEWER
        do(elsewhere, review_id, opened.person, lambda number: number != 2)
        comment(elsewhere, review_id, opened.person, 2, "=odd")

        merged = take_in(store, read_packet(write(packet_for(elsewhere, review_id, opened.person))))

        assert (merged.merged, merged.person, merged.judged) == (True, 2, 4)
        said = {t.text.number: t.judgement for t in tasks(store, review_id, 2)}
        assert said[2] == Judgement(False, False, "=odd")
        assert said[1] == Judgement(True, True)

    def test_a_reviewer_does_not_learn_where_texts_come_from(
        self, store: Store, elsewhere: Store, review_id: str
    ) -> None:
        take_in(elsewhere, packet_for(store, review_id, 0))
        assert review(elsewhere, review_id).design is None
        assert all((t.item, t.pair, t.member, t.strata) == ("", "", "", {})
                   for t in texts(elsewhere, review_id).values())  # fmt: skip

    def test_opening_a_packet_again_keeps_what_was_said(
        self, store: Store, elsewhere: Store, review_id: str
    ) -> None:
        sent = packet_for(store, review_id, 0)
        take_in(elsewhere, sent)
        answer(elsewhere, review_id, 0, 1, Criterion.CLEAR, False)
        take_in(elsewhere, sent)
        assert {t.clear for t in tasks(elsewhere, review_id, 0)} == {None, False}

    def test_two_reviewers_may_use_one_other_computer(
        self, store: Store, elsewhere: Store, review_id: str
    ) -> None:
        first, second = (take_in(elsewhere, packet_for(store, review_id, p)) for p in (2, 0))
        assert (first.person, second.person) == (0, 1)
        assert review(elsewhere, review_id).people == ("Dana", "AB")
        do(elsewhere, review_id, 1)
        assert take_in(store, packet_for(elsewhere, review_id, 1)).person == 0

    def test_the_next_part_is_added_to_the_first(
        self, store: Store, elsewhere: Store, review_id: str
    ) -> None:
        take_in(elsewhere, packet_for(store, review_id, 0))
        for person in range(3):
            do(store, review_id, person)
        hand_out(store, review_id)
        taken = take_in(elsewhere, packet_for(store, review_id, 0))
        assert taken.part == FURTHER
        assert {t.text.round for t in tasks(elsewhere, review_id, 0)} == {FURTHER}
        assert len(tasks(elsewhere, review_id, 0, 1)) == 4

    def test_an_unfinished_packet_is_refused_whole(
        self, store: Store, elsewhere: Store, review_id: str
    ) -> None:
        take_in(elsewhere, packet_for(store, review_id, 0))
        answer(elsewhere, review_id, 0, 1, Criterion.CLEAR, False)
        answer(elsewhere, review_id, 0, 1, Criterion.NATURAL, False)
        came = read_packet(write_packet_csv(packet_for(elsewhere, review_id, 0)))
        with pytest.raises(PacketRefused, match="a yes or no is missing"):
            take_in(store, came)
        assert all(t.judgement is None for t in tasks(store, review_id, 0))

    def test_an_edited_text_is_refused_with_its_row(self, store: Store, review_id: str) -> None:
        do(store, review_id, 0)
        packet = packet_for(store, review_id, 0)
        rows = (replace(packet.rows[0], text=packet.rows[0].text + " Really?"), *packet.rows[1:])
        data = write_packet_csv(replace(packet, rows=rows))
        with pytest.raises(PacketRefused, match=r"Row 2 \(text \d+\): its text was changed"):
            take_in(store, read_packet(data))

    def test_a_part_that_is_over_stays_as_it_is(self, store: Store, review_id: str) -> None:
        do(store, review_id, 0)
        early = packet_for(store, review_id, 0)
        for person in (1, 2):
            do(store, review_id, person)
        hand_out(store, review_id)
        with pytest.raises(PacketRefused, match="the review is at further"):
            take_in(store, early)

    def test_a_stranger_is_refused(self, store: Store, review_id: str) -> None:
        do(store, review_id, 0)
        packet = packet_for(store, review_id, 0)
        came = replace(packet, name=replace(packet.name, reviewer="Eve"))
        with pytest.raises(PacketRefused, match="no reviewer called “Eve”"):
            take_in(store, came)

    def test_numbers_that_stand_for_other_texts_are_refused(
        self, store: Store, elsewhere: Store, review_id: str
    ) -> None:
        take_in(elsewhere, packet_for(store, review_id, 0))
        honest = packet_for(store, review_id, 1)
        rows = [replace(row, text=f"Another {row.number}?") for row in honest.rows]
        forged = Packet.of(review_id, 1, "Cem", rows)
        with pytest.raises(PacketRefused, match="stands for another text"):
            take_in(elsewhere, forged)
        assert review(elsewhere, review_id).people == ("AB",)


def test_every_column_is_explained_in_the_documentation(store: Store) -> None:
    text = Path("docs/file-format.md").read_text(encoding="utf-8")
    plain = sqlite3.connect(store.path)
    for table in REVIEW_TABLES:
        told = re.search(rf"^\*\*{table}\*\*.*?(?=^\*\*|^## )", text, re.DOTALL | re.MULTILINE)
        assert told is not None, table
        for (name,) in plain.execute("SELECT name FROM pragma_table_info(?)", (table,)):
            assert f"`{name}`" in told[0], f"{table}.{name}"
    plain.close()
