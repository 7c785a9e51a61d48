"""Quality review: making one, judging, exchanging packets, results."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.review.exchange import packet_for, take_in
from biaslab.review.packets import write_packet_csv, write_packet_json
from biaslab.review.reading import judged, review, reviews, tasks
from biaslab.review.reviews import answer, comment, create_review, hand_out
from biaslab.review.texts import Criterion
from biaslab.runs import Store, open_store
from biaslab.studies import Design
from tests.ui.conftest import HOSTILE, Visit, downloads, links, words

DESIGN = Design("consistency", 60, 1, {"steps": "1-2"})


@pytest.fixture
def store(empty: Path) -> Iterator[Store]:
    with open_store(empty) as opened:
        yield opened


@pytest.fixture
def review_id(store: Store) -> str:
    return create_review(store, DESIGN, ("AB", "Cem", "Dana"), control=4, further=6)


def do(
    store: Store, review_id: str, person: int, says: Callable[[int], bool] = lambda _: True
) -> None:
    for task in tasks(store, review_id, person):
        for criterion in Criterion:
            yes = says(task.text.number)
            answer(store, review_id, person, task.text.number, criterion, yes)


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def said(app: AppTest) -> list[str]:
    return re.findall(r"You said \*\*(yes|no)\*\*", words(app))


class TestStart:
    def test_a_review_is_made_of_the_design_in_the_link(self, visit: Visit, store: Store) -> None:
        sizes = {"control": "4", "more": "6", "review-seed": "2"}
        address = {"study": "consistency", "n": "80", "seed": "5", "operations": "all"}
        app = visit("review", **address, steps="2-2", **sizes)
        app.text_input[0].set_value("AB, Cem").run()
        press(app, "make review")
        (made,) = reviews(store)
        assert made.people == ("AB", "Cem")
        assert made.design == Design("consistency", 80, 5, {"steps": "2-2"})
        assert (made.control, made.further, made.seed) == (4, 6, 2)

    def test_too_few_pairs_and_names_that_cannot_be_are_told_where_they_are(
        self, visit: Visit, store: Store
    ) -> None:
        app = visit("review", n="50")
        app.text_input[0].set_value("AB, Cem").run()
        press(app, "make review")
        assert "the review needs 100" in app.error[0].value
        app.text_input[0].set_value("AB, anna@example.org").run()
        press(app, "make review")
        assert "cannot be a reviewer" in app.error[0].value
        assert app.text_input[0].value == "AB, anna@example.org"
        assert reviews(store) == []

    @pytest.mark.usefixtures("empty")
    def test_a_link_to_a_review_that_is_not_here_says_so(self, visit: Visit) -> None:
        app = visit("review", review="abcdef012345")
        assert "not in this file" in app.warning[0].value

    def test_reviews_are_listed_with_a_link(self, visit: Visit, review_id: str) -> None:
        app = visit("review")
        assert f"review?review={review_id}" in links(app).values()

    @pytest.mark.usefixtures("empty")
    def test_no_name_is_in_the_address(self, visit: Visit) -> None:
        app = visit("review", n="200")
        app.text_input[0].set_value("Anna, Cem").run()
        press(app, "make review")
        assert "Anna" not in str(dict(app.query_params))


class TestJudging:
    def test_a_reviewer_chooses_who_they_are_first(self, visit: Visit, review_id: str) -> None:
        app = visit("review", review=review_id)
        assert "Choose your name" in app.info[0].value
        assert "Stated answer" not in words(app)

    def test_answers_are_kept_at_once_and_the_page_stays_until_next(
        self, visit: Visit, store: Store, review_id: str
    ) -> None:
        app = visit("review", review=review_id, who="2")
        first = tasks(store, review_id, 1)[0]
        assert first.text.text in words(app)
        press(app, "natural True")
        press(app, "clear False")
        assert said(app) == ["yes", "no"]
        assert first.text.text in words(app)
        now = tasks(store, review_id, 1)[0]
        assert (now.natural, now.clear) == (True, False)
        assert app.get("progress")[0].proto.text == "Control set: 1 of 4 judged"
        press(app, "review Next")
        assert tasks(store, review_id, 1)[1].text.text in words(app)
        assert said(app) == []

    def test_a_reload_goes_on_with_the_first_text_that_is_not_judged(
        self, visit: Visit, store: Store, review_id: str
    ) -> None:
        first, second, *_ = tasks(store, review_id, 0)
        for criterion in Criterion:
            answer(store, review_id, 0, first.text.number, criterion, True)
        answer(store, review_id, 0, second.text.number, Criterion.NATURAL, False)
        comment(store, review_id, 0, second.text.number, "Odd.")
        app = visit("review", review=review_id, who="1")
        assert second.text.text in words(app)
        assert said(app) == ["no"]
        assert app.text_area[0].value == "Odd."

    def test_a_comment_is_kept(self, visit: Visit, store: Store, review_id: str) -> None:
        app = visit("review", review=review_id, who="1")
        app.text_area[0].set_value(HOSTILE).run()
        assert tasks(store, review_id, 0)[0].comment == HOSTILE

    def test_a_reviewer_sees_one_text_and_nothing_of_others(
        self, visit: Visit, store: Store, review_id: str
    ) -> None:
        do(store, review_id, 1, lambda _: False)
        app = visit("review", review=review_id, who="1")
        text = words(app)
        assert said(app) == []
        assert sum(task.text.text in text for task in tasks(store, review_id, 0)) == 1

    def test_the_end_is_told(self, visit: Visit, store: Store, review_id: str) -> None:
        do(store, review_id, 0)
        app = visit("review", review=review_id, who="1")
        assert "All done, thank you, AB" in app.success[0].value


class TestResults:
    def test_nothing_is_shown_before_everybody_has_judged(
        self, visit: Visit, store: Store, review_id: str
    ) -> None:
        do(store, review_id, 0, lambda _: False)
        app = visit("review", review=review_id, view="results")
        text = words(app)
        assert "8 judgements are missing" in text
        assert "4 of 4" in text
        assert "kappa" not in text
        assert not downloads(app)

    def test_agreement_leads_to_splitting(self, visit: Visit, store: Store, review_id: str) -> None:
        for person in range(3):
            do(store, review_id, person, lambda number: number != 2)
        app = visit("review", review=review_id, view="results")
        text = words(app)
        assert "Fleiss&#x27; kappa" in text
        assert "1.00" in text
        assert "say little" in text
        press(app, "hand out")
        assert review(store, review_id).handed_out
        assert "6 judgements are missing" in words(app)

    def test_disagreement_leads_to_a_new_control_set(
        self, visit: Visit, store: Store, review_id: str
    ) -> None:
        for person in range(3):
            do(store, review_id, person, lambda number, p=person: number % 3 == p)
        comment(store, review_id, 0, 1, HOSTILE)
        app = visit("review", review=review_id, view="results")
        text = words(app)
        assert "Discuss the criteria, then judge 4 new texts" in text
        assert "<script>" not in text
        assert "&lt;script&gt;" in text
        for name in ("AB said", "Cem said", "Dana said"):
            assert name not in text
        press(app, "repeat control")
        assert review(store, review_id).round == 2
        assert "control set 2" in words(app)

    def test_error_rates_with_their_interval_and_sentences_for_a_paper(
        self, visit: Visit, store: Store, review_id: str
    ) -> None:
        for person in range(3):
            do(store, review_id, person)
        hand_out(store, review_id)
        for person in range(3):
            do(store, review_id, person, lambda number: number != 7)
        app = visit("review", review=review_id, view="results", by="steps")
        text = words(app)
        assert "Look at this text, mend, review again" in text
        table = app.table[0].value
        assert table["Faulty"].tolist() == ["1 of 10"] * 3
        assert table["95 % interval"].tolist() == ["0.3 % to 44.5 %"] * 3
        assert set(app.table[1].value["Reasoning steps"]) == {"1", "2"}
        assert "Clopper-Pearson interval 0.3 % to 44.5 %" in text
        assert tasks(store, review_id, 0)[0].text.text not in text

    def test_the_file_of_results_has_no_names_and_no_formulas(
        self, store: Store, review_id: str
    ) -> None:
        from biaslab.ui.review.results import COLUMNS, result_rows
        from biaslab.ui.widgets.figures import to_csv

        for person in range(3):
            do(store, review_id, person)
        comment(store, review_id, 0, 1, "=1+1")
        data = to_csv(COLUMNS, result_rows(review(store, review_id), judged(store, review_id, [1])))
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        assert len(rows) == 4
        assert rows[0]["comments"] == "'=1+1"
        assert "Dana" not in data.decode()

    def test_a_review_can_be_deleted(self, visit: Visit, store: Store, review_id: str) -> None:
        app = visit("review", review=review_id, view="results")
        press(app, "delete review")
        assert reviews(store) == []
        assert "A new review" in words(app)


class TestFiles:
    def upload(self, app: AppTest, *files: tuple[str, bytes]) -> AppTest:
        app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files])
        return press(app, "take in packets")

    def test_a_packet_for_everybody(self, visit: Visit, review_id: str) -> None:
        app = visit("review", review=review_id, view="files")
        assert downloads(app) == ["Packet (JSON)", "Packet (CSV)"] * 3

    def test_a_reviewer_opens_judges_and_gives_back(
        self, visit: Visit, store: Store, tmp_path: Path
    ) -> None:
        with open_store(tmp_path / "other.db") as other:
            made = create_review(other, DESIGN, ("AB", "Cem"), control=2, further=4)
            sent = write_packet_json(packet_for(other, made, 1))
            app = self.upload(visit("review"), ("packet.json", sent))
            assert dict(app.query_params)["review"] == made
            assert "Stated answer" in words(app)
            assert [option for view in app.get("button_group") for option in view.options] == [
                "Judge texts", "Exchange files",
            ]  # fmt: skip
            do(store, made, 0)
            app = visit("review", review=made, view="files")
            assert "2 of 2 judged" in words(app)
            taken = take_in(other, packet_for(store, made, 0))
            assert (taken.merged, taken.judged) == (True, 2)

    def test_packets_that_came_back_are_merged_and_bad_ones_told_with_their_rows(
        self, visit: Visit, store: Store, review_id: str, tmp_path: Path
    ) -> None:
        with open_store(tmp_path / "other.db") as other:
            for person in (0, 1):
                take_in(other, packet_for(store, review_id, person))
                do(other, review_id, person)
            good, bad = (write_packet_csv(packet_for(other, review_id, p)) for p in (0, 1))
        bad = bad.replace(b"How many", b"How few", 1).replace(b"What is", b"What was", 1)
        app = visit("review", review=review_id, view="files")
        self.upload(app, ("good.csv", good), ("bad_one.csv", bad), ("none.json", b"{}"))
        assert "4 judgements taken in" in app.success[0].value
        assert len(judged(store, review_id, [1])) == 0
        first, second = (error.value for error in app.error)
        assert "bad\\_one.csv" in first
        assert re.search(r"Row \d \(text \d\): its text was changed", first)
        assert "no packet" in second
        assert all(task.judgement is None for task in tasks(store, review_id, 1))

    @pytest.mark.usefixtures("empty")
    def test_no_file_is_told(self, visit: Visit) -> None:
        app = press(visit("review"), "take in packets")
        assert "Choose a file first" in app.error[0].value
