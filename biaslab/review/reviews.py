"""Quality reviews in the file of runs: making one, judging, going on to the next part."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from uuid import uuid4

from biaslab.review.quality import shuffled_for_each, split
from biaslab.review.reading import all_progress, record
from biaslab.review.records import ReviewRecord, Role
from biaslab.review.texts import FURTHER, Criterion, ReviewText, draw_texts
from biaslab.roles import May, require
from biaslab.runs.engine.sources import at_most_all, study_in
from biaslab.runs.errors import ReviewError
from biaslab.runs.store.encoding import write_design
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.migrations import REVIEW_TABLES
from biaslab.runs.store.store import Store
from biaslab.studies import Design

CONTROL, MOST_CONTROL = 10, 100
"""Texts of a control set: as in the paper, and the most."""

MORE, MOST_MORE = 90, 1_000
"""Texts that are split: as in the paper, and the most."""

FEWEST_PEOPLE, MOST_PEOPLE = 2, 10

_PERSON = re.compile(r"[^\W\d_][\w .'’-]{0,19}")

_TEXT = "INSERT INTO review_texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_TASK = "INSERT INTO review_tasks (review, person, round, turn, number) VALUES (?, ?, ?, ?, ?)"


def create_review(
    store: Store,
    design: Design,
    people: Sequence[str],
    *,
    seed: int = 1,
    control: int = CONTROL,
    further: int = MORE,
    title: str = "",
) -> str:
    """Draws the texts of a review and gives everybody the first control set.

    Args:
        store: where to.
        design: where the texts come from: a study's pairs, or a set of pairs kept in the file.
        people: names or initials, 2 to 10.
        seed: decides texts, order and who gets what.
        control: texts that everybody judges, 2 to 100.
        further: texts that are split afterwards, up to 1,000.
        title: what the texts are of; by default the study with its size and seed.

    Returns:
        the review's id.

    Raises:
        NotAllowed: whoever acts may not do this.
        ReviewError: names or sizes that cannot be.
        DesignError: the design gives no pairs, or too few different texts.
    """
    require(May.KEEP)
    names = checked_people(people)
    if not 2 <= control <= MOST_CONTROL:
        raise ReviewError(f"A control set has 2 to {MOST_CONTROL} texts, not {control}.")
    if not len(names) <= further <= MOST_MORE:
        raise ReviewError(
            f"From {len(names)} to {MOST_MORE:,} further texts can be split among "
            f"{len(names)} reviewers, not {further}."
        )
    design = at_most_all(store, design)
    study = study_in(store, design.study)
    texts = draw_texts(lambda: study.pairs(design), design.n, seed, 1, control + further, 1)
    first, rest = texts[:control], [_as_further(text) for text in texts[control:]]
    review = uuid4().hex[:12]
    called = title or f"{study.title}: {design.n:,} pairs, seed {design.seed}"
    with store.writing() as database:
        database.execute(
            "INSERT INTO reviews (id, title, role, design, seed, control, further, round, created)"
            f" VALUES (?, ?, ?, ?, ?, ?, ?, 1, {UTC})",
            (review, called, Role.COORDINATOR, write_design(design), seed, control, further),
        )
        database.executemany(
            "INSERT INTO review_people VALUES (?, ?, ?)",
            [(review, place, name) for place, name in enumerate(names)],
        )
        _add_texts(database, review, [*first, *rest])
        _give_everybody(database, review, first, len(names), seed)
    return review


def checked_people(people: Sequence[str]) -> tuple[str, ...]:
    """Names of reviewers with blanks put right.

    Raises:
        ReviewError: too few, too many, twice the same, or no names.
    """
    names = tuple(checked_person(name) for name in people if name.strip())
    if not FEWEST_PEOPLE <= len(names) <= MOST_PEOPLE:
        raise ReviewError(
            f"A review has {FEWEST_PEOPLE} to {MOST_PEOPLE} reviewers, not {len(names)}: "
            "with one alone nobody knows whether others would judge alike."
        )
    if len({name.casefold() for name in names}) < len(names):
        raise ReviewError("Two reviewers have the same name. Add a letter or a digit to one.")
    return names


def checked_person(name: str) -> str:
    """A name with blanks put right.

    Raises:
        ReviewError: it is longer than a name or initials, or holds other signs.
    """
    name = " ".join(name.split())
    if not _PERSON.fullmatch(name):
        raise ReviewError(
            f"“{name[:30]}” cannot be a reviewer’s name here: use a first name or initials of at "
            "most 20 letters, digits, blanks, dots and hyphens."
        )
    return name


def answer(
    store: Store, review: str, person: int, number: int, criterion: Criterion, yes: bool
) -> None:
    """Writes down somebody's answer to one question about a text.

    Raises:
        NotAllowed: whoever acts may not do this.
        ReviewError: this text is not theirs to judge.
    """
    require(May.KEEP)
    _say(store, review, person, number, str(Criterion(criterion)), int(yes))


def comment(store: Store, review: str, person: int, number: int, text: str) -> None:
    """Writes down what else somebody says about a text.

    Raises:
        NotAllowed: whoever acts may not do this.
        ReviewError: this text is not theirs to judge.
    """
    require(May.KEEP)
    _say(store, review, person, number, "comment", text.strip())


def _say(
    store: Store, review: str, person: int, number: int, column: str, value: int | str
) -> None:
    with store.writing() as database:
        found = database.execute(
            f"UPDATE review_tasks SET {column} = ?, judged = {UTC}"
            " WHERE review = ? AND person = ? AND number = ?",
            (value, review, person, number),
        )
        if not found.rowcount:
            raise ReviewError(
                f"Text {number} is not one that this reviewer judges. Open the review again."
            )


def hand_out(store: Store, review: str) -> None:
    """Splits the further texts among the reviewers, once the control set is judged.

    Raises:
        NotAllowed: whoever acts may not do this.
        ReviewError: the control set is not judged by everybody.
    """
    require(May.KEEP)
    with store.writing() as database:
        found = _ready_for_more(database, review)
        if found.handed_out:
            return
        numbers = [
            number
            for (number,) in database.execute(
                "SELECT number FROM review_texts WHERE review = ? AND round = 0 ORDER BY number",
                (review,),
            )
        ]
        shares = split(numbers, len(found.people), found.seed)
        for person, share in enumerate(shares):
            _add_tasks(database, review, person, FURTHER, share)
        database.execute("UPDATE reviews SET handed_out = 1 WHERE id = ?", (review,))


def repeat_control(store: Store, review: str) -> None:
    """Gives everybody a new control set; the one before does not count any more.

    Raises:
        NotAllowed: whoever acts may not do this.
        ReviewError: the control set is not judged by everybody, or the rest is handed out.
        DesignError: there are no more different texts.
    """
    require(May.KEEP)
    with store.reading() as seen:
        found = record(seen.conn, review)
    if found.design is None or found.handed_out:
        raise ReviewError("The further texts are handed out: the control set stays as it is.")
    design = found.design
    study = study_in(store, design.study)
    following = found.control + found.further + 1 + (found.round - 1) * found.control
    texts = draw_texts(
        lambda: study.pairs(design), design.n, found.seed, following, found.control, found.round + 1
    )
    with store.writing() as database:
        now = _ready_for_more(database, review)
        if (now.round, now.handed_out) != (found.round, False):
            return
        _add_texts(database, review, texts)
        _give_everybody(database, review, texts, len(found.people), found.seed)
        database.execute("UPDATE reviews SET round = round + 1 WHERE id = ?", (review,))


def delete_review(store: Store, review: str) -> None:
    """Takes a review out of the file with everything that was said in it.

    Raises:
        NotAllowed: whoever acts may not do this.
    """
    require(May.DELETE)
    with store.writing() as database:
        for table in reversed(REVIEW_TABLES):
            column = "id" if table == "reviews" else "review"
            database.execute(f"DELETE FROM {table} WHERE {column} = ?", (review,))


def _ready_for_more(database: sqlite3.Connection, review: str) -> ReviewRecord:
    found = record(database, review)
    if found.role is not Role.COORDINATOR:
        raise ReviewError("Only the file of the coordinator can go on to the next part.")
    everybody = all_progress(database, review)
    missing = sum(each.waiting for each in everybody if each.part == found.round)
    if missing:
        raise ReviewError(
            f"The control set is not finished: {missing} judgements are missing. Everybody judges "
            "all of its texts first."
        )
    return found


def _as_further(text: ReviewText) -> ReviewText:
    return ReviewText(
        text.number, FURTHER, text.item, text.pair, text.member, text.text, text.answer, text.strata
    )


def _add_texts(database: sqlite3.Connection, review: str, texts: Iterable[ReviewText]) -> None:
    database.executemany(
        _TEXT,
        [
            (review, each.number, each.round, each.item, each.pair, each.member, each.text,
             each.answer, json.dumps(dict(each.strata), ensure_ascii=False))
            for each in texts
        ],
    )  # fmt: skip


def _give_everybody(
    database: sqlite3.Connection, review: str, texts: Sequence[ReviewText], people: int, seed: int
) -> None:
    part = texts[0].round
    orders = shuffled_for_each([text.number for text in texts], people, seed)
    for person, order in enumerate(orders):
        _add_tasks(database, review, person, part, order)


def _add_tasks(
    database: sqlite3.Connection, review: str, person: int, part: int, numbers: Sequence[int]
) -> None:
    rows = [(review, person, part, turn, number) for turn, number in enumerate(numbers, 1)]
    database.executemany(_TASK, rows)
