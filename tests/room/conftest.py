"""Rooms in a real file, with questions of a real study."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biaslab.room import RoomQuestion, Rooms, open_rooms, questions_of, questions_of_items
from biaslab.studies import Design, experiment
from schoolmath.malrules.bank import BankDesign, make_items

STUDY = "consistency"


def pairs(n: int = 6, study: str = STUDY, seed: int = 1) -> tuple[RoomQuestion, ...]:
    """Pairs of a study as questions."""
    found = experiment(study)
    return questions_of(found, found.pairs(Design(study, n, seed)))


def bank(n: int = 4) -> tuple[RoomQuestion, ...]:
    """Multiple-choice questions of the item bank."""
    return questions_of_items(list(make_items(BankDesign(n=n, seed=1))))


def phone(number: int) -> str:
    """The id of a phone."""
    return f"{number:032x}"


class Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_file(tmp_path: Path, clock: Clock) -> Iterator[Callable[[], Rooms]]:
    """Opens the file of rooms; again and again, as after a restart."""
    opened: list[Rooms] = []

    def again() -> Rooms:
        opened.append(open_rooms(tmp_path / "rooms.db", clock))
        return opened[-1]

    yield again
    for each in opened:
        each.close()


@pytest.fixture
def rooms(open_file: Callable[[], Rooms]) -> Rooms:
    return open_file()
