"""Who gets what: balance that holds for every room and every number of people."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from biaslab.room import Allocation, Room, RoomKind, RoomPace, RoomState
from biaslab.room.records import QuestionCard, dealt
from tests.loops import over
from tests.room.conftest import pairs

QUESTIONS = pairs(12)

numbers = st.integers(1, 12)
seeds = st.integers(0, 2**31 - 1)
paces = st.sampled_from(RoomPace)


def a_room(
    questions: int,
    seed: int,
    allocation: Allocation = Allocation.BETWEEN,
    pace: RoomPace = RoomPace.EACH,
    kind: RoomKind = RoomKind.PAIRS,
) -> Room:
    return Room(
        "r", "ABCD", "A room", "consistency", kind, allocation, pace, QUESTIONS[:questions], seed,
        RoomState.WAITING, 0, True, False, 0.0, 1.0,
    )  # fmt: skip


@given(numbers, seeds, st.integers(0, 60), paces)
def test_two_who_come_after_each_other_get_the_two_members_of_every_pair(
    questions: int, seed: int, block: int, pace: RoomPace
) -> None:
    room = a_room(questions, seed, pace=pace)
    first, second = dealt(room, 2 * block), dealt(room, 2 * block + 1)
    every = {
        QuestionCard.of(question, arm) for question in range(questions) for arm in ("x", "x_prime")
    }

    assert len(first) == len(second) == questions
    assert {*first} | {*second} == every
    assert not {*first} & {*second}


@given(numbers, seeds, st.integers(0, 120))
def test_everybody_gets_half_of_the_pairs_as_x_and_each_pair_once(
    questions: int, seed: int, place: int
) -> None:
    cards = dealt(a_room(questions, seed), place)

    assert sorted(each.question for each in cards) == list(range(questions))
    assert sum(each.arm == "x" for each in cards) in {questions // 2, -(-questions // 2)}


@given(st.integers(2, 12), seeds, st.integers(0, 120), paces)
def test_within_people_both_members_come_and_never_after_each_other(
    questions: int, seed: int, place: int, pace: RoomPace
) -> None:
    room = a_room(questions, seed, Allocation.WITHIN, pace)
    cards = dealt(room, place)

    assert len(set(cards)) == len(cards) == 2 * questions == room.steps
    assert all(one.question != then.question for one, then in pairwise(cards))
    assert {each.question for each in cards[:questions]} == set(range(questions))


@given(numbers, seeds, st.integers(0, 120))
def test_where_the_host_sets_the_pace_all_phones_show_the_same_pair(
    questions: int, seed: int, place: int
) -> None:
    cards = dealt(a_room(questions, seed, pace=RoomPace.HOST), place)
    assert [each.question for each in cards] == list(range(questions))


@given(numbers, seeds, st.integers(0, 120))
def test_a_room_that_counts_asks_everybody_the_same(questions: int, seed: int, place: int) -> None:
    cards = dealt(a_room(questions, seed, kind=RoomKind.COUNT), place)
    assert {*cards} == {QuestionCard.of(question, "x") for question in range(questions)}


@given(numbers, seeds, st.integers(0, 120))
def test_the_same_place_gets_the_same_cards_after_every_restart(
    questions: int, seed: int, place: int
) -> None:
    room = a_room(questions, seed)
    assert dealt(room, place) == dealt(replace(room, state=RoomState.REVEALED, step=0), place)


def test_orders_and_halves_differ_from_person_to_person() -> None:
    room = a_room(12, 1)
    orders = {tuple(each.question for each in dealt(room, place)) for place in range(20)}
    halves = {
        frozenset(each.question for each in dealt(room, place) if each.arm == "x")
        for place in range(0, 20, 2)
    }
    assert len(orders) == 20
    assert len(halves) == 10


@over("number", range(80))
def test_a_card_is_found_again_by_its_number(number: int) -> None:
    card = QuestionCard.numbered(number)
    assert QuestionCard.of(card.question, card.arm) == card
