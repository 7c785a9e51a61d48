"""Simulated people whose effect is known, through a real file of rooms."""

from __future__ import annotations

import numpy as np
import pytest

from biaslab.room import (
    Allocation,
    RoomEffect,
    Rooms,
    questions_of,
    read_room,
    rehearse,
    room_effect,
)
from biaslab.studies import Design, experiment
from tests.room.conftest import STUDY

ROOMS = 40


def effects_found(
    rooms: Rooms, people: int, bias: float, allocation: Allocation
) -> list[RoomEffect]:
    """Effects of rehearsals of a room with ten pairs, each with other simulated people."""
    study = experiment(STUDY)
    questions = questions_of(study, study.pairs(Design(STUDY, 10, 1)))
    found = []
    for seed in range(ROOMS):
        room = rooms.open_room("Tuesday", questions, STUDY, seed=seed, allocation=allocation)
        made = rehearse(rooms, room.id, people, bias, seed)
        found.append(room_effect(read_room(rooms, made.id)))
        rooms.delete(made.id)
        rooms.delete(room.id)
    return found


@pytest.mark.parametrize("people", [8, 24])
@pytest.mark.parametrize("allocation", Allocation)
def test_where_there_is_no_effect_hardly_any_is_found(
    rooms: Rooms, people: int, allocation: Allocation
) -> None:
    found = effects_found(rooms, people, 0.0, allocation)
    wrongly = sum(each.p is not None and each.p <= 0.05 for each in found)
    # Of 40 rooms 2 are expected; 7 or more happen once in 300 times.
    assert wrongly <= 6
    assert abs(np.mean([each.effect for each in found if each.effect is not None])) < 0.03


@pytest.mark.parametrize("allocation", Allocation)
def test_an_effect_that_is_there_is_found_and_as_large_as_it_is(
    rooms: Rooms, allocation: Allocation
) -> None:
    found = effects_found(rooms, 24, 0.25, allocation)
    # A simulated person cannot be right more often than always, so a little less than 0.25.
    assert np.mean([each.effect for each in found if each.effect is not None]) == pytest.approx(
        0.24, abs=0.03
    )
    assert np.mean([each.p is not None and each.p <= 0.05 for each in found]) > 0.9
