"""Items: marks and notes of the person at this computer beside pairs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.publishing.paper import make_paper, open_recorded, write_paper
from biaslab.runs import PairMark, open_store, pair_notes, save_note
from biaslab.studies import experiment
from biaslab.system.roles import Role
from biaslab.ui.results import item_list
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.figures import to_csv
from tests.ui.conftest import Visit, ask, words


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person at this computer looks at the page."""
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


@pytest.fixture
def run(empty: Path) -> str:
    with open_store(empty) as store:
        return ask(store, "consistency", 12, "1-2", "learner:keyword")


@pytest.fixture
def pairs(empty: Path, run: str) -> list[str]:
    with open_store(empty) as store:
        return [row.pair for row in store.pair_rows(run)]


def keep(path: Path, run: str, pair: str, mark: PairMark | None, text: str = "") -> None:
    with open_store(path) as store:
        save_note(store, run, pair, mark, text)


def kept(path: Path, run: str) -> dict[str, tuple[PairMark | None, str]]:
    with open_store(path) as store:
        found = pair_notes(store, run)
    return {pair: (note.mark, note.text) for pair, note in found.items()}


def field(app: AppTest) -> str:
    return str(app.text_area[0].value)


def save(app: AppTest) -> AppTest:
    return next(button for button in app.button if button.label == "Save").click().run()


def test_a_note_that_is_saved_in_one_window_is_seen_in_another(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    one, other = (visit("items", run=run, pair=pairs[2]) for _ in range(2))
    one.text_area[0].set_value("Look at the second step.")
    save(one)
    other.run()

    assert kept(empty, run) == {pairs[2]: (None, "Look at the second step.")}
    assert field(one) == field(other) == "Look at the second step."
    assert "✎ Look at the second step." in words(other) + str(other.radio[0].proto.captions)
    assert any(option.endswith("· ✎") for option in other.radio[0].options)


def test_a_mark_is_kept_and_shown_in_the_list(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    app = visit("items", run=run, pair=pairs[0])
    next(each for each in app.pills if each.label == "Mark").set_value(PairMark.STAR)
    save(app)

    assert kept(empty, run) == {pairs[0]: (PairMark.STAR, "")}
    assert [option for option in app.radio[0].options if option.endswith("· ★")]


def test_what_was_kept_in_another_window_meanwhile_is_shown_beside_what_was_written(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    app = visit("items", run=run, pair=pairs[0])
    keep(empty, run, pairs[0], None, "theirs")
    app.text_area[0].set_value("mine")
    save(app)

    assert kept(empty, run) == {pairs[0]: (None, "theirs")}
    assert "meanwhile" in app.error[0].value
    assert field(app) == "theirs"
    assert "mine" in [block.value for block in app.code]


def test_emptying_both_takes_the_note_away(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    keep(empty, run, pairs[0], None, "gone soon")
    app = visit("items", run=run, pair=pairs[0])
    app.text_area[0].set_value(" ")
    save(app)

    assert kept(empty, run) == {}


def test_marked_pairs_can_be_listed_alone(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    keep(empty, run, pairs[1], PairMark.STAR)
    keep(empty, run, pairs[4], PairMark.FAULTY, "why")
    keep(empty, run, pairs[7], None, "only a note")

    def listed(**address: str) -> str:
        return str(visit("items", run=run, **address).radio[0].label)

    assert listed() == "12 pairs"
    assert listed(marked="any") == "3 pairs"
    assert listed(marked="star") == "1 pair"
    assert listed(marked="star,faulty") == "2 pairs"
    assert listed(marked="note") == "2 pairs"
    assert "No pair of this run" in visit("items", run=run, marked="again").info[0].value


def test_a_pair_that_is_not_marked_any_more_leaves_the_list(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    for pair in pairs[:2]:
        keep(empty, run, pair, PairMark.STAR)
    app = visit("items", run=run, marked="star")
    assert app.radio[0].label == "2 pairs"

    keep(empty, run, pairs[0], None)
    app.run()

    assert app.radio[0].label == "1 pair"


def test_the_filter_is_not_there_before_anything_is_marked(run: str, visit: Visit) -> None:
    assert "Marked" not in [each.label for each in visit("items", run=run).pills]


def test_words_are_found_in_notes_as_in_problems(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    keep(empty, run, pairs[1], None, "The second step is Reversed_here")
    with open_store(empty) as store:
        problem = store.pair_detail(run, pairs[1]).pair.x.text.split()[0]
    for wanted in ("reversed_", "REVERSED second", f"{problem} second"):
        app = visit("items", run=run, find=wanted)
        assert app.radio[0].label == "1 pair"
    assert "No pair of this run" in visit("items", run=run, find="reversed_ nowhere").info[0].value


def test_marks_and_notes_are_exported_and_no_spreadsheet_runs_them(
    empty: Path, run: str, pairs: list[str]
) -> None:
    keep(empty, run, pairs[3], PairMark.MISREAD, '=HYPERLINK("http://a.example")\nsecond line')
    with open_store(empty) as store:
        record, notes = store.run(run), pair_notes(store, run)
    selection = item_list.Selection((), (), 12, 1, 2, [], "")
    study = experiment("consistency")

    text = to_csv(*item_list.rows_for_file(record, selection, study, notes)).decode()

    rows = {row["pair"]: row for row in csv.DictReader(io.StringIO(text))}
    assert len(rows) == 12
    assert rows[pairs[3]]["mark"] == "misread"
    assert rows[pairs[3]]["note"] == '\'=HYPERLINK("http://a.example")\nsecond line'
    assert (rows[pairs[0]]["mark"], rows[pairs[0]]["note"]) == ("", "")


def test_a_note_is_text_and_never_markup(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    keep(empty, run, pairs[0], None, "[link](http://a.example) **bold** $x$ :smile: <b>b</b>")
    app = visit("items", run=run, pair=pairs[0], marked="note")

    (caption,) = app.radio[0].proto.captions
    assert "\\[link\\](http\\://a.example) \\*\\*bold\\*\\* \\$x\\$ \\:smile" in caption
    assert not any("a.example" in str(each.value) for each in (*app.markdown, *app.caption))


class TestVisitors:
    @pytest.fixture(autouse=True)
    def here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Somebody else looks at the page."""
        monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)

    def test_they_neither_read_nor_write_notes(
        self, empty: Path, run: str, pairs: list[str], visit: Visit
    ) -> None:
        keep(empty, run, pairs[0], PairMark.STAR, "private words")
        app = visit("items", run=run, pair=pairs[0], marked="star")

        assert "private words" not in words(app) + str(app.radio[0].proto.captions)
        assert "★" not in "".join(app.radio[0].options)
        assert not app.text_area
        assert "Save" not in [button.label for button in app.button]
        assert app.radio[0].label == "12 pairs"
        assert "all pairs are listed" in app.warning[0].value
        assert "start?token=" in words(app)

    def test_they_find_nothing_by_the_words_of_a_note(
        self, empty: Path, run: str, pairs: list[str], visit: Visit
    ) -> None:
        keep(empty, run, pairs[1], None, "reversed_here")
        assert "No pair of this run" in visit("items", run=run, find="reversed_here").info[0].value

    def test_they_get_a_file_without_them(self, empty: Path, run: str) -> None:
        with open_store(empty) as store:
            record = store.run(run)
        selection = item_list.Selection((), (), 12, 1, 2, [], "")
        columns, _ = item_list.rows_for_file(record, selection, experiment("consistency"))
        assert not {"mark", "note"} & set(columns)

    def test_a_window_that_stays_open_after_the_role_ended_saves_nothing(
        self, empty: Path, run: str, pairs: list[str], visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(visitor, "role", lambda: Role.HERE)
        app = visit("items", run=run, pair=pairs[0])
        monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
        app.text_area[0].set_value("too late")
        save(app)

        assert kept(empty, run) == {}
        assert "nothing was saved" in app.error[0].value
        assert "too late" in [block.value for block in app.code]


def test_a_note_that_is_refused_stays_in_its_field(
    empty: Path, run: str, pairs: list[str], visit: Visit
) -> None:
    app = visit("items", run=run, pair=pairs[0])
    app.text_area[0].set_value("n" * 1999 + "\x1b")
    save(app)

    assert kept(empty, run) == {}
    assert "no screen shows" in app.error[0].value
    assert field(app).startswith("nnn")


def test_a_recorded_run_may_have_notes_and_says_that_they_go_with_its_bundle(
    run: str, empty: Path, tmp_path: Path, visit: Visit
) -> None:
    with open_store(tmp_path / "theirs.db") as theirs:
        recorded = ask(theirs, "consistency", 4, "1-2", "learner:shy")
        write_paper(make_paper(theirs, [recorded]), tmp_path / "paper")
    with open_store(empty) as store:
        open_recorded(store, tmp_path / "paper")
    app = visit("items", run=recorded)
    app.text_area[0].set_value("of theirs")
    save(app)

    assert [text for _, text in kept(empty, recorded).values()] == ["of theirs"]
    assert "when you close that, mark and note are gone" in words(app)
    assert "when you close that" not in words(visit("items", run=run))
