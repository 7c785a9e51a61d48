"""Corpus audit: give a corpus, see its mix, check a sample, take the mix to the training lab."""

from __future__ import annotations

import csv
import io
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.training.mix import LessonMix, read_mix
from biaslab.ui.audit import SIZE
from biaslab.ui.training.mix import mix_address
from tests.audit.designed import designed
from tests.ui.conftest import HOSTILE, Visit, links, words

LAB = "Use this mix in the training lab"


def book() -> bytes:
    """10 transfers against 5 consistent and 5 inconsistent comparisons."""
    made = designed("transfer-comparison", 10, steps="1-1")
    text = io.StringIO()
    csv.writer(text).writerows([("problem",), *((each.text,) for each in made)])
    return text.getvalue().encode()


def uploaded(visit: Visit, data: bytes, name: str = "book.csv") -> AppTest:
    app = visit("audit")
    app.file_uploader(key="uploaded corpus").set_value([(name, data, "text/csv")]).run()
    assert not app.exception
    return app


def pasted(visit: Visit, text: str) -> AppTest:
    app = visit("audit", **{"from": "paste"})
    app.text_area(key="pasted corpus").set_value(text).run()
    app.button(key="audit pasted").click().run()
    assert not app.exception
    return app


@pytest.mark.usefixtures("empty")
class TestWhatIsShown:
    def test_an_empty_page_says_what_to_bring_and_that_nothing_is_kept(self, visit):
        shown = words(visit("audit"))
        assert "Upload a corpus" in shown
        assert "nothing is written to a file" in shown

    def test_a_file_gives_the_finding_and_how_many_texts_tell_it(self, visit):
        app = uploaded(visit, book())
        shown = words(app)
        assert (
            "of 20 texts known, 10 have a transfer and compare nothing, 10 compare" in shown.lower()
        )
        assert "20 texts in 20 rows; 20 read as a whole (100.0 %)" in shown
        assert len(app.get("plotly_chart")) == 2

    def test_the_example_is_audited_with_one_button(self, visit):
        app = visit("audit", **{"from": "paste"})
        next(each for each in app.button if each.label == "Use an example").click().run()
        app.button(key="audit pasted").click().run()
        assert "5 texts in 5 rows" in words(app)
        assert "1 are consistent and 1 inconsistent" in words(app)

    def test_texts_in_no_known_words_are_not_told_and_never_a_share(self, visit):
        app = pasted(visit, "Der Fuchs schnorchelt.\n\nO rose, thou art sick.")
        shown = words(app)
        assert "0 read as a whole" in shown
        assert LAB not in links(app) or "Not told" in shown

    def test_what_a_text_holds_is_never_markup(self, visit):
        app = pasted(visit, f"{HOSTILE}\n\nAna has 5 kites. How many kites does Ana have?")
        bodies = [element.proto.body for element in app.get("html")]
        assert not any("<script>" in body for body in bodies)

    @pytest.mark.parametrize(
        ("data", "said"),
        [(b"", "empty"), (b"\x00\x01\x02" * 90, "not a text file"), (b"[1, 2", "cut off")],
    )
    def test_a_file_that_cannot_be_read_is_told_in_a_sentence(self, visit, data, said):
        name = "book.json" if data.startswith(b"[") else "book.csv"
        app = uploaded(visit, data, name)
        assert said in app.error[0].value
        assert "Traceback" not in words(app)

    def test_a_column_of_empty_cells_holds_no_problem(self, visit):
        app = uploaded(visit, b"n,problem\n1,\n2,\n")
        app.selectbox(key="audited column").set_value(("problem",)).run()
        assert "Not one problem" in app.info[0].value


@pytest.mark.usefixtures("empty")
class TestTheMix:
    def test_it_opens_the_training_lab_with_the_audited_ratios(self, visit):
        address = parse_qs(links(uploaded(visit, book()))[LAB].partition("?")[2])
        assert address["problems"] == ["10:10"]
        lab = visit("training_lab", **{name: values[0] for name, values in address.items()})
        shown = words(lab)
        assert "Out of 100 word problems, about 50 are of getting and giving" in shown

    @pytest.mark.parametrize("mix", [LessonMix(5, 1, 130, 9), LessonMix(7, 3, 20, 1, 3, 2)])
    def test_every_mix_has_an_address(self, mix):
        address = mix_address(mix)
        if address["mix"] != "own":
            assert read_mix(address["mix"]) == mix
        else:
            assert address["comparisons"] == "7:3"


@pytest.mark.usefixtures("empty")
class TestTheSample:
    def judge(self, app: AppTest, compared: str, transfers: bool) -> None:
        boxes = {box.key.split()[1]: box for box in app.radio if box.key.startswith("judged")}
        boxes["comparison"].set_value(compared)
        boxes["transfer"].set_value(transfers)
        app.run()
        app.button(key="judge").click().run()
        assert not app.exception

    def test_a_text_is_kept_only_with_both_answers(self, visit):
        app = uploaded(visit, book())
        assert app.button(key="judge").disabled
        assert "0 of 20 judged" in app.get("progress")[-1].proto.text

    def test_judging_every_text_corrects_the_shares(self, visit):
        app = uploaded(visit, book())
        truth = {each.text: each for each in designed("transfer-comparison", 10, steps="1-1")}
        assert len(truth) < SIZE
        for _ in truth:
            shown = words(app)
            text = next(text for text in truth if f'<p class="bl-text">{text}</p>' in shown)
            kinds = [str(kind) for kind in truth[text].wordings]
            self.judge(app, kinds[0] if kinds else "none", truth[text].transfers)
        shown = words(app)
        assert "All of them are judged" in shown
        assert "20 texts judged by a person." in shown
        assert parse_qs(links(app)[LAB].partition("?")[2])["problems"] == ["1000:1000"]
