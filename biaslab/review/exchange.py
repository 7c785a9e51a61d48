"""Packets of a quality review, out of the file of runs and into it.

The coordinator's file gives a packet for each reviewer and part, and takes it back judged. A
reviewer's own file takes a packet up, keeps what is said, and gives it back.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from biaslab.files.items.report import RefusedRow
from biaslab.review.packets import Packet, PacketRow, part_code, same_words
from biaslab.review.reading import review, tasks, texts
from biaslab.review.reading_packets import PacketRefused, check_judged, check_unedited
from biaslab.review.records import ReviewRecord, Role
from biaslab.review.reviews import checked_person
from biaslab.review.texts import FURTHER
from biaslab.roles import May, require
from biaslab.runs.errors import ReviewError
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a packet.

    Attributes:
        review: id of its review; person: place of the reviewer; part: control set, or 0.
        judged: texts whose judgements were written down.
        merged: whether it came back to the coordinator; else a reviewer can go on here.
    """

    review: str
    person: int
    part: int
    judged: int
    merged: bool


def packet_for(store: Store, review_id: str, person: int, part: int | None = None) -> Packet:
    """What a reviewer judges in a part, with what was said so far.

    Args:
        store: the coordinator's file, or the reviewer's.
        review_id: which review.
        person: place of the reviewer, from 0.
        part: control set from 1, or 0 for the further texts; None for the last they were given.

    Raises:
        ReviewError: there is no such review, reviewer or part.
    """
    record = review(store, review_id)
    given = tasks(store, review_id, person, part)
    if not given or not 0 <= person < len(record.people):
        raise ReviewError("This reviewer has no texts in this part of the review.")
    rows = [
        PacketRow(task.text.number, task.text.text, task.text.answer, task.judgement)
        for task in given
    ]
    return Packet.of(review_id, given[0].text.round, record.people[person], rows)


def take_in(store: Store, packet: Packet) -> Taken:
    """Takes a packet: judged ones into the coordinator's file, new ones into a reviewer's.

    All of it is taken, or nothing. A judged packet may come again and replaces what it said
    before, while its part of the review is going on.

    Raises:
        NotAllowed: whoever acts may not do this.
        PacketRefused: it is not whole, was edited, or belongs to nobody here; with the rows.
        ReviewError: the name in it cannot be.
    """
    require(May.KEEP)
    try:
        record = review(store, packet.name.review)
    except ReviewError:
        return _take_up(store, packet, None)
    if record.role is Role.REVIEWER:
        return _take_up(store, packet, record)
    return _merge(store, packet, record)


def _merge(store: Store, packet: Packet, record: ReviewRecord) -> Taken:
    name = packet.name
    if name.reviewer not in record.people:
        raise PacketRefused(f"The review has no reviewer called “{name.reviewer}”.")
    now = FURTHER if record.handed_out else record.round
    if name.round != now:
        raise PacketRefused(
            f"This packet is for the part {part_code(name.round)}; the review is at "
            f"{part_code(now)}, and what was said before stays as it is."
        )
    person = record.people.index(name.reviewer)
    check_judged(packet, packet_for(store, record.id, person, now))
    with store.writing() as database:
        _write_judgements(database, packet, person)
    return Taken(record.id, person, name.round, packet.judged, merged=True)


def _take_up(store: Store, packet: Packet, record: ReviewRecord | None) -> Taken:
    check_unedited(packet)
    name = packet.name
    reviewer = checked_person(name.reviewer)
    people = record.people if record else ()
    person = people.index(reviewer) if reviewer in people else len(people)
    if person < len(people) and tasks(store, name.review, person, name.round):
        # It is here already, and what was said here counts.
        return Taken(name.review, person, name.round, 0, merged=False)
    _check_no_clash(store, packet, person)
    with store.writing() as database:
        if record is None:
            database.execute(
                "INSERT INTO reviews (id, title, role, seed, control, further, round, created)"
                f" VALUES (?, 'Texts that were sent', ?, 0, 0, 0, 1, {UTC})",
                (name.review, Role.REVIEWER),
            )
        if person == len(people):
            database.execute(
                "INSERT INTO review_people VALUES (?, ?, ?)", (name.review, person, reviewer)
            )
        for turn, row in enumerate(packet.rows, 1):
            # Another reviewer of the same review may use this file too.
            database.execute(
                "INSERT OR IGNORE INTO review_texts VALUES (?, ?, ?, '', '', '', ?, ?, '{}')",
                (name.review, row.number, name.round, row.text, row.answer),
            )
            database.execute(
                "INSERT INTO review_tasks (review, person, round, turn, number)"
                " VALUES (?, ?, ?, ?, ?)",
                (name.review, person, name.round, turn, row.number),
            )
        _write_judgements(database, packet, person)
    return Taken(name.review, person, name.round, packet.judged, merged=False)


def _check_no_clash(store: Store, packet: Packet, person: int) -> None:
    """Refuses texts whose numbers stand for other texts, or were given to this person before."""
    here = texts(store, packet.name.review)
    mine = {task.text.number for part in {each.round for each in here.values()}
            for task in tasks(store, packet.name.review, person, part)}  # fmt: skip
    wrong = [
        RefusedRow(row.row, "its number stands for another text of this review here")
        for row in packet.rows
        if row.number in mine
        or (row.number in here and same_words(here[row.number].text) != same_words(row.text))
    ]
    if wrong:
        raise PacketRefused("Nothing of this packet was taken. Ask for the packet again.", wrong)


def _write_judgements(database: sqlite3.Connection, packet: Packet, person: int) -> None:
    database.executemany(
        f"UPDATE review_tasks SET natural = ?, clear = ?, comment = ?, judged = {UTC}"
        " WHERE review = ? AND person = ? AND number = ?",
        [
            (said.natural, said.clear, said.comment, packet.name.review, person, row.number)
            for row in packet.rows
            if (said := row.judgement) is not None
        ],
    )
