"""Import pairs: from a file to a set that can be asked, with every row told."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import open_store, pair_sets, save_set, set_report
from biaslab.studies import Item, Pair
from tests.ui.conftest import HOSTILE, Visit, downloads, links, words

X = "Otto has {n} mugs. Ines has 7 fewer mugs than Otto. How many mugs does Ines have?"
X_PRIME = "Otto has {n} mugs. Otto has 7 more mugs than Ines. How many mugs does Ines have?"


def table(*answers: object, header: str = "text1,text2,answer") -> bytes:
    """A row for each answer; 2, 3, 4, ... are the right ones."""
    rows = (
        f"{X.format(n=9 + at)},{X_PRIME.format(n=9 + at)},{answer}"
        for at, answer in enumerate(answers)
    )
    return "\n".join((header, *rows)).encode()


def uploaded(visit: Visit, data: bytes, name: str = "mugs.csv") -> AppTest:
    app = visit("import_pairs")
    app.file_uploader[0].set_value([(name, data, "text/csv")]).run()
    assert not app.exception
    return app


def checked(visit: Visit, data: bytes) -> AppTest:
    app = uploaded(visit, data)
    app.button(key="check").click().run()
    assert not app.exception
    return app


@pytest.mark.usefixtures("empty")
class TestFromAFileToASet:
    def test_the_page_says_what_to_bring_and_how_much(self, visit):
        shown = words(visit("import_pairs"))

        assert "100,000 rows and 256 MiB" in shown
        assert "No set is saved yet" in shown

    def test_columns_are_found_and_every_row_is_told(self, visit):
        app = checked(visit, table(2, 99, 4, ""))
        shown = words(app)

        assert "4 rows: 2 proved, 1 labelled, 1 contradicted. 3 pairs can be asked." in shown
        assert "The text leads to 3, and the column “answer” says 99." in shown
        assert "Its answer (column “answer”) is empty." in shown
        assert "The whole report (JSON)" in downloads(app)

    def test_columns_that_only_their_cells_show_are_asked_about(self, visit):
        app = uploaded(visit, table(2, 3, header="leicht,schwer,n"))
        assert app.selectbox(key="import column x").value == "leicht"
        assert app.button(key="check").disabled
        app.checkbox(key="import columns are right").check().run()
        app.button(key="check").click().run()
        assert "2 rows: 2 proved" in words(app)

    def test_one_problem_a_row_leads_to_the_audit(self, visit):
        app = uploaded(visit, f"question,answer\n{X.format(n=9)},2\n".encode())
        assert "one problem, not a pair" in words(app)
        assert "See what these problems are like" in links(app)

    def test_the_pairs_are_kept_under_a_name_and_lead_to_compose(self, visit, empty):
        app = checked(visit, table(2, 99, 4))
        app.text_input(key="import name").set_value("Mugs of Otto").run()
        app.button(key="keep").click().run()

        with open_store(empty) as store:
            (kept,) = pair_sets(store)
            report = set_report(store, kept.id)
        assert (kept.name, kept.pairs, kept.origin) == ("Mugs of Otto", 3, "mugs.csv")
        assert {each["row"] for each in report} == {1}
        assert not app.exception
        assert not app.error

    def test_compose_shows_the_pairs_of_the_set_and_can_ask_them(self, visit, empty):
        with open_store(empty) as store:
            kept = save_set(store, "Mugs", [pair(1), pair(2)], "mugs.csv")
        app = visit("compose", study="imported", set=kept.id, n="2")

        assert not app.error
        assert "mugs. How many?" in words(app)
        assert not app.button(key="run").disabled

    def test_without_a_set_compose_says_what_to_do(self, visit):
        app = visit("compose", study="imported")

        assert "Import a file of pairs, then choose its set." in words(app)
        assert app.button(key="run").disabled

    def test_columns_that_cannot_be_told_are_asked_for(self, visit):
        app = uploaded(visit, b"a,b,c\nyes,no,maybe\n")

        assert app.button(key="check").disabled
        assert "Choose the columns" in app.info[0].value

    def test_a_file_that_cannot_be_read_is_a_sentence(self, visit):
        app = uploaded(visit, b'{"a": ', "pairs.json")

        assert "cut off" in app.error[0].value
        assert "Traceback" not in words(app)

    def test_a_released_file_needs_no_choice_of_columns(self, visit):
        header = "question,consistent paraphrased,inconsistent paraphrased,answer"
        row = f"Q?,{X.format(n=9)},{X_PRIME.format(n=9)},2"
        app = checked(visit, f"{header}\n{row}\n".encode())

        assert "columns of a released file" in words(app)
        assert "1 row: 1 proved, 0 labelled, 0 contradicted. 1 pair can be asked." in words(app)

    def test_texts_of_a_file_stay_texts(self, visit):
        bad = HOSTILE.replace('"', "").replace(",", "")
        app = checked(visit, f"text1,text2,answer\n{bad},{X.format(n=9)},2\n".encode())
        bodies = "".join(element.proto.body for element in app.get("html"))

        assert "&lt;script&gt;" in bodies
        assert "<script>" not in bodies

    def test_what_is_listed_can_be_chosen_by_the_link(self, visit):
        app = visit("import_pairs", show="labelled")
        app.file_uploader[0].set_value([("mugs.csv", table(2, 99, ""), "text/csv")]).run()
        app.button(key="check").click().run()

        assert "is empty" in words(app)
        assert "says 99" not in words(app)

    def test_a_file_can_be_left(self, visit):
        app = uploaded(visit, table(2))
        app.file_uploader[0].set_value([]).run()
        next(button for button in app.button if button.label == "Leave this file").click().run()

        assert "mugs.csv" not in words(app)


def pair(number: int) -> Pair:
    one, other = (
        Item.of("imported", f"Otto {verb} {number} mugs. How many?", str(number), {})
        for verb in ("has", "owns")
    )
    return Pair.of(one, other, {"steps": 1, "treatment": "verb"}, one.id)


class TestKeptSets:
    @pytest.fixture
    def kept(self, empty: Path) -> str:
        with open_store(empty) as store:
            return save_set(store, "Mugs $1$ <b>", [pair(1)], "mugs.csv").id

    def test_a_link_shows_a_set(self, visit, kept):
        app = visit("import_pairs", set=kept)

        assert "Mugs $1$ <b>" in words(app)
        assert "Ask a model these 1 pair" in links(app)

    def test_a_set_and_a_file_can_be_looked_at_together(self, visit, empty):
        with open_store(empty) as store:
            report = [
                {
                    "row": 1,
                    "member": "text1",
                    "arm": "x",
                    "status": "unread",
                    "line": 3,
                    "reason": "Nothing in it can be read.",
                    "answer": "",
                    "solved": None,
                }
            ]
            kept = save_set(store, "Mugs", [pair(1)], "mugs.csv", report).id
        app = visit("import_pairs", set=kept)
        assert "Nothing in it can be read." in words(app)
        app.file_uploader[0].set_value([("mugs.csv", table(2, 99), "text/csv")]).run()
        app.button(key="check").click().run()

        assert not app.exception
        assert "says 99" in words(app)
        assert "Ask a model these 1 pair" in links(app)

    def test_a_set_can_be_deleted(self, visit, kept, empty):
        app = visit("import_pairs", set=kept)
        next(each for each in app.button if each.label == "Delete this set").click().run()

        assert not app.exception
        assert "set" not in app.query_params
        with open_store(empty) as store:
            assert pair_sets(store) == []

    def test_a_link_to_a_set_that_is_gone_says_so(self, visit, kept):
        assert "abc" in visit("import_pairs", set="abc").warning[0].value
        assert kept
