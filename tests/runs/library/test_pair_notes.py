"""Marks and notes beside the pairs of a run: kept, read again, never lost to another window."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from biaslab.runs import (
    LONGEST_NOTE,
    BadNote,
    ChangedNote,
    PairMark,
    PairNote,
    Store,
    UnknownPair,
    open_store,
    pair_notes,
    save_note,
)


@pytest.fixture
def run(prepared: Callable[..., str]) -> str:
    return prepared()


@pytest.fixture
def pair(store: Store, run: str) -> str:
    return store.pair_rows(run)[0].pair


def kept(store: Store, run: str, pair: str) -> tuple[PairMark | None, str]:
    note = pair_notes(store, run).get(pair, PairNote())
    return note.mark, note.text


def test_a_mark_and_a_note_are_read_by_everybody_who_has_the_file_open(store, run, pair):
    save_note(store, run, pair, PairMark.MISREAD, "The model says 15,\r\nnot 1.")

    with open_store(store.path) as other:
        assert kept(other, run, pair) == (PairMark.MISREAD, "The model says 15,\nnot 1.")


@pytest.mark.parametrize("mark", PairMark)
def test_every_mark_can_be_kept_alone(store, run, pair, mark):
    save_note(store, run, pair, mark, "  ")

    assert kept(store, run, pair) == (mark, "")


def test_the_last_one_stands(store, run, pair):
    save_note(store, run, pair, PairMark.STAR, "first")
    save_note(store, run, pair, None, "second")

    assert kept(store, run, pair) == (None, "second")


def test_neither_mark_nor_note_is_nothing(store, run, pair):
    save_note(store, run, pair, PairMark.STAR, "")
    save_note(store, run, pair, None, " \n")

    assert pair_notes(store, run) == {}


def test_another_run_of_the_same_pairs_has_notes_of_its_own(store, run, pair, prepared):
    other = prepared()
    save_note(store, run, pair, PairMark.STAR, "here")

    assert store.pair_rows(other)[0].pair == pair
    assert pair_notes(store, other) == {}


def test_what_another_window_kept_meanwhile_is_not_written_over(store, run, pair):
    seen = pair_notes(store, run).get(pair, PairNote())
    save_note(store, run, pair, None, "from the other window", seen)

    with pytest.raises(ChangedNote, match="meanwhile"):
        save_note(store, run, pair, PairMark.STAR, "from this one", seen)

    assert kept(store, run, pair) == (None, "from the other window")


def test_a_note_has_a_length(store, run, pair):
    save_note(store, run, pair, None, "n" * LONGEST_NOTE)

    with pytest.raises(BadNote, match=r"2,001 characters; the most is 2,000"):
        save_note(store, run, pair, None, "n" * (LONGEST_NOTE + 1))

    assert kept(store, run, pair) == (None, "n" * LONGEST_NOTE)


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\ud800"])
def test_signs_that_no_screen_shows_are_refused(store, run, pair, sign):
    with pytest.raises(BadNote, match="no screen shows"):
        save_note(store, run, pair, None, f"a{sign}b")


def test_words_of_every_language_and_any_markup_are_kept_as_they_are(store, run, pair):
    text = "می‌خواهم 👩‍🏫 <b>1</b> **x** $y$ '; DROP TABLE pair_notes; --"
    save_note(store, run, pair, None, text)

    assert kept(store, run, pair) == (None, text)


def test_only_pairs_of_the_run_have_notes(store, run, pair):
    with pytest.raises(UnknownPair, match="no pair 0000"):
        save_note(store, run, "0000", PairMark.STAR, "")
    with pytest.raises(UnknownPair):
        save_note(store, "0000", pair, PairMark.STAR, "")


def test_whatever_deletes_a_run_deletes_its_notes(store, run, pair, prepared):
    other = prepared()
    for each in (run, other):
        save_note(store, each, pair, PairMark.STAR, "note")

    with store.writing() as connection:
        connection.execute("DELETE FROM run_pairs WHERE run = ?", (run,))
        connection.execute("DELETE FROM runs WHERE id = ?", (run,))

    assert pair_notes(store, run) == {}
    assert kept(store, other, pair) == (PairMark.STAR, "note")


def test_a_file_of_the_ninth_version_gets_the_table(tmp_path, monkeypatch):
    from biaslab.runs.store import schema

    path = tmp_path / "old.db"
    with monkeypatch.context() as past:
        past.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:-1])
        past.setattr(schema, "VERSION", 9)
        past.setattr("biaslab.runs.store.connection.VERSION", 9)
        open_store(path).close()

    open_store(path).close()

    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("SELECT count(*) FROM pair_notes").fetchone() == (0,)


def test_every_column_is_explained(store):
    told = (Path(__file__).parents[3] / "docs" / "file-format.md").read_text("utf-8")
    (paragraph,) = (each for each in told.split("\n\n") if each.startswith("**pair_notes**"))
    with store.reading() as database:
        columns = [column.name for column in database["pair_notes"].columns]

    assert [name for name in columns if f"`{name}`" not in paragraph] == []
