"""Marks and notes of a person's own beside the pairs of a run.

They belong to a pair in one run, since they are mostly about its answers: another run of the same
pairs has its own. They go with the run, so those beside a recorded run go when its bundle is
closed. No result, paper or bundle says anything of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from biaslab.runs.errors import BadNote, ChangedNote, UnknownPair
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.system.roles import May, require

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
    seen: PairNote | None = None,
) -> None:
    """Keeps a mark and a note in place of what was there; nothing of both takes them away.

    Args:
        store: where.
        run_id: which run.
        pair_id: which of its pairs.
        mark: None for none.
        text: the note, without any meaning as markup; spaces around it are left out.
        seen: what the person saw when this was written; None to write whatever is there.

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
                f"Run {run_id} has no pair {pair_id} any more, so nothing can be kept beside it. "
                "Choose one from the list of runs."
            )
        there = connection.execute(
            "SELECT mark, note FROM pair_notes WHERE run = ? AND pair = ?", named
        ).fetchone()
        if seen is not None and (there or (None, "")) != (seen.mark, seen.text):
            raise ChangedNote(
                "Another mark or note was kept beside this pair meanwhile, perhaps in another "
                "window. It is shown now; yours was not kept."
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
