"""Reads quality reviews from the file of runs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from biaslab.review.quality import Judged
from biaslab.review.records import Progress, ReviewRecord, Role, Task
from biaslab.review.texts import FURTHER, Judgement, ReviewText
from biaslab.runs.errors import ReviewError
from biaslab.runs.store.encoding import read_design
from biaslab.runs.store.store import Store

_REVIEW = "id, title, role, design, seed, control, further, round, handed_out, created"
_TEXT = (
    "texts.number, texts.round, texts.item, texts.pair, texts.member, texts.text, texts.answer,"
    " texts.strata"
)
_TEXTS_OF_TASKS = (
    "review_tasks AS tasks JOIN review_texts AS texts"
    " ON texts.review = tasks.review AND texts.number = tasks.number"
)


def reviews(store: Store) -> list[ReviewRecord]:
    """Every review in the file, the newest first."""
    with store.reading() as database:
        rows = database.execute(
            f"SELECT {_REVIEW} FROM reviews ORDER BY created DESC, rowid DESC"
        ).fetchall()
        return [_record(database.conn, row) for row in rows]


def review(store: Store, review_id: str) -> ReviewRecord:
    """One review.

    Raises:
        ReviewError: it is not in this file.
    """
    with store.reading() as database:
        return record(database.conn, review_id)


def record(database: sqlite3.Connection | None, review_id: str) -> ReviewRecord:
    """One review, on a connection that is already there.

    Raises:
        ReviewError: it is not in this file.
    """
    assert database is not None
    row = database.execute(f"SELECT {_REVIEW} FROM reviews WHERE id = ?", (review_id,)).fetchone()
    if row is None:
        raise ReviewError(
            f"There is no review {review_id[:20]} in this file. Choose one from the list, or open "
            "the packet that you were sent."
        )
    return _record(database, row)


def progress(store: Store, review_id: str) -> list[Progress]:
    """How far everybody is in every part that was given to them, the control sets first."""
    with store.reading() as database:
        return all_progress(database.conn, review_id)


def all_progress(database: sqlite3.Connection | None, review_id: str) -> list[Progress]:
    """As `progress`, on a connection that is already there."""
    assert database is not None
    rows = database.execute(
        "SELECT people.position, people.name, tasks.round,"
        " sum(tasks.natural IS NOT NULL AND tasks.clear IS NOT NULL), count(*)"
        " FROM review_people AS people JOIN review_tasks AS tasks"
        " ON tasks.review = people.review AND tasks.person = people.position"
        " WHERE people.review = ? GROUP BY tasks.round, people.position"
        " ORDER BY tasks.round = 0, tasks.round, people.position",
        (review_id,),
    )
    return [Progress(*row) for row in rows]


def tasks(store: Store, review_id: str, person: int, part: int | None = None) -> list[Task]:
    """What somebody judges in a part, in their order; by default in the last part they got."""
    with store.reading() as database:
        rows = database.execute(
            f"SELECT tasks.turn, {_TEXT}, tasks.natural, tasks.clear, tasks.comment"
            f" FROM {_TEXTS_OF_TASKS} WHERE tasks.review = ? AND tasks.person = ?"
            " ORDER BY tasks.turn",
            (review_id, person),
        ).fetchall()
    found = [
        Task(turn, _text(text), _flag(natural), _flag(clear), comment)
        for turn, *text, natural, clear, comment in rows
    ]
    if part is None:
        parts = {task.text.round for task in found}
        part = FURTHER if FURTHER in parts else max(parts, default=FURTHER)
    return [task for task in found if task.text.round == part]


def judged(store: Store, review_id: str, parts: Iterable[int]) -> list[Judged]:
    """The texts of these parts that all their reviewers have judged, with what they said.

    Judgements stand in the order of the reviewers.
    """
    wanted = set(parts)
    with store.reading() as database:
        rows = database.execute(
            "SELECT texts.number, texts.round, texts.strata, tasks.natural, tasks.clear,"
            f" tasks.comment FROM {_TEXTS_OF_TASKS} WHERE tasks.review = ?"
            " ORDER BY texts.number, tasks.person",
            (review_id,),
        ).fetchall()
    said: dict[int, list[Judgement | None]] = {}
    strata: dict[int, str] = {}
    for number, part, about, natural, clear, comment in rows:
        if part in wanted:
            missing = natural is None or clear is None
            judgement = None if missing else Judgement(bool(natural), bool(clear), comment)
            said.setdefault(number, []).append(judgement)
            strata[number] = about
    return [
        Judged(number, tuple(each for each in all_said if each), json.loads(strata[number]))
        for number, all_said in said.items()
        if all(all_said)
    ]


def texts(store: Store, review_id: str) -> dict[int, ReviewText]:
    """Every text of a review by its number."""
    with store.reading() as database:
        rows = database.execute(
            f"SELECT {_TEXT} FROM review_texts AS texts WHERE review = ? ORDER BY number",
            (review_id,),
        ).fetchall()
    return {text.number: text for text in map(_text, rows)}


def _record(database: sqlite3.Connection | None, row: Any) -> ReviewRecord:
    assert database is not None
    review_id, title, role, design, seed, control, further, part, handed_out, created = row
    people = database.execute(
        "SELECT name FROM review_people WHERE review = ? ORDER BY position", (review_id,)
    )
    return ReviewRecord(
        review_id,
        title,
        Role(role),
        None if design is None else read_design(design),
        seed,
        control,
        further,
        part,
        bool(handed_out),
        created,
        tuple(name for (name,) in people),
    )


def _text(row: Any) -> ReviewText:
    number, part, item, pair, member, text, answer, strata = row
    return ReviewText(number, part, item, pair, member, text, answer, json.loads(strata))


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)
