"""What people wrote that is kept in the file of runs: texts for a study, notes beside pairs.

A design names a text by its id, so a text that is kept never changes: another one needs another
id. Runs keep the pairs that they asked, also when their text is deleted. What a text says is its
study's affair; the table is called after the biases, which were the first to be kept so.

Marks and notes belong to a pair in one run, since they are mostly about its answers: another run
of the same pairs has its own. They go with the run, so those beside a recorded run go when its
bundle is closed. No result, paper or bundle says anything of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from biaslab.runs.errors import BadNote, ChangedNote, RunError, UnknownPair
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.system.roles import May, require


@dataclass(frozen=True, slots=True)
class CustomText:
    """A text that a person keeps.

    Attributes:
        id, name: as it says itself.
        text: the file.
        kept: when it was kept, UTC, ISO 8601.
    """

    id: str
    name: str
    text: str
    kept: str


def keep_text(store: Store, text_id: str, name: str, text: str) -> None:
    """Keeps a text, so that designs can name it. Keeping the same text again does nothing.

    Args:
        store: where.
        text_id: what designs call it, as it says itself.
        name: what people call it.
        text: as the person wrote it, sound as its study says.

    Raises:
        NotAllowed: whoever acts may not do this.
        RunError: the id belongs to another text. Nothing was written.
    """
    require(May.KEEP)
    with store.writing() as connection:
        connection.execute(
            f"INSERT INTO own_biases (id, name, text, kept) VALUES (?, ?, ?, {UTC})"
            " ON CONFLICT (id) DO NOTHING",
            (text_id, name, text),
        )
        (there,) = connection.execute(
            "SELECT text FROM own_biases WHERE id = ?", (text_id,)
        ).fetchone()
    if there != text:
        raise RunError(
            f"Another one with the id “{text_id}” is saved already, and designs name it. Give "
            f"this one another id, such as {text_id}-2, or delete the other one first."
        )


def custom_texts(store: Store) -> list[CustomText]:
    """Every text that is kept, by id."""
    with store.reading() as database:
        rows = database.query("SELECT id, name, text, kept FROM own_biases ORDER BY id")
        return [CustomText(**row) for row in rows]


def find_text(store: Store, text_id: str) -> str | None:
    """The kept text that has this id; None where there is none."""
    with store.reading() as database:
        rows = list(database.query("SELECT text FROM own_biases WHERE id = ?", [text_id]))
    return str(rows[0]["text"]) if rows else None


def delete_text(store: Store, text_id: str) -> None:
    """Takes a text out of the file. Runs that asked it keep their pairs.

    Raises:
        NotAllowed: whoever acts may not do this.
        RunError: there is none with this id.
    """
    require(May.DELETE)
    with store.writing() as connection:
        if not connection.execute("DELETE FROM own_biases WHERE id = ?", (text_id,)).rowcount:
            raise RunError(f"There is no “{text_id}” of your own in this file.")


# Marks and notes of a person's own beside the pairs of a run.


LONGEST_NOTE = 2000
"""Most characters of a note."""


class PairMark(StrEnum):
    """What a person may say about a pair with one click."""

    STAR = "star"
    """Worth showing to others."""
    AGAIN = "again"
    """To be looked at again."""
    MISREAD = "misread"
    """An answer was not read as it was meant."""
    FAULTY = "faulty"
    """The problem itself is wrong or unclear."""


@dataclass(frozen=True, slots=True)
class PairNote:
    """What a person keeps beside a pair of a run.

    Attributes:
        mark: None where there is none.
        text: the note; empty where there is none.
        changed: when it was kept, UTC, ISO 8601; empty where nothing is.
    """

    mark: PairMark | None = None
    text: str = ""
    changed: str = ""


def pair_notes(store: Store, run_id: str) -> dict[str, PairNote]:
    """Every mark and note beside the pairs of a run, by the id of the pair."""
    with store.reading() as database:
        rows = database.query(
            "SELECT pair, mark, note, changed FROM pair_notes WHERE run = ?", [run_id]
        )
        return {row["pair"]: _read(row) for row in rows}


def save_note(
    store: Store,
    run_id: str,
    pair_id: str,
    mark: PairMark | None,
    text: str,
    note: PairNote | None = None,
) -> None:
    """Keeps a mark and a note in place of what was there; nothing of both takes them away.

    Args:
        store: where.
        run_id: which run.
        pair_id: which of its pairs.
        mark: None for none.
        text: the note, without any meaning as markup; spaces around it are left out.
        note: what the person saw when this was written; None to write whatever is there.

    Raises:
        NotAllowed: whoever acts may not do this.
        BadNote: the note is too long, or holds signs that no screen shows.
        UnknownPair: the run has no such pair.
        ChangedNote: something else is there than was seen. Nothing was written.
    """
    require(May.NOTES)
    text = _checked(text)
    with store.writing() as connection:
        named = (run_id, pair_id)
        if not connection.execute(
            "SELECT 1 FROM run_pairs WHERE run = ? AND pair = ?", named
        ).fetchone():
            raise UnknownPair(
                f"Run {run_id} has no pair {pair_id} any more, so nothing can be saved with it. "
                "Choose one from the list of runs."
            )
        there = connection.execute(
            "SELECT mark, note FROM pair_notes WHERE run = ? AND pair = ?", named
        ).fetchone()
        if note is not None and (there or (None, "")) != (note.mark, note.text):
            raise ChangedNote(
                "Another mark or note was saved with this pair meanwhile, perhaps in another "
                "window. It is shown now; yours was not saved."
            )
        connection.execute("DELETE FROM pair_notes WHERE run = ? AND pair = ?", named)
        if mark is not None or text:
            connection.execute(
                "INSERT INTO pair_notes (run, pair, mark, note, changed)"
                f" VALUES (?, ?, ?, ?, {UTC})",
                (*named, mark, text),
            )


def _checked(text: str) -> str:
    """The note with line ends of one kind."""
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_NOTE:
        raise BadNote(
            f"The note has {len(text):,} characters; the most is {LONGEST_NOTE:,}. Shorten it."
        )
    if any(sign not in "\n\t" and unicodedata.category(sign) in ("Cc", "Cs") for sign in text):
        raise BadNote(
            "The note holds signs that no screen shows, perhaps copied along with it. Type that "
            "part again."
        )
    return text


def _read(row: Mapping[str, str | None]) -> PairNote:
    mark = row["mark"]
    return PairNote(
        None if mark is None else PairMark(mark), row["note"] or "", row["changed"] or ""
    )
