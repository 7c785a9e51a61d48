"""Who gets which member of which pair, and in which order.

Between people: blocks of two in the order of arrival. The first gets a random half of the pairs as
x and the rest as x', the second the mirror. So everybody meets both conditions and never both
members, each pair is met in both conditions equally often, and a drop in skill from early to late
comers is no effect. Were all x given to one of the two, the effect could not be told from their
skill.

Within people: the same, and after it the other member of each pair.
"""

from __future__ import annotations

from functools import lru_cache

from biaslab.room.records import Allocation, Arm, QuestionCard, Room, RoomKind, RoomPace
from schoolmath.problems import Draws

_OTHER: dict[Arm, Arm] = {"x": "x_prime", "x_prime": "x"}


def dealt(room: Room, place: int) -> tuple[QuestionCard, ...]:
    """The cards of the person who came at this place, from 0, in their order."""
    return _dealt(len(room.questions), room.kind, room.allocation, room.pace, room.seed, place)


@lru_cache(maxsize=4_096)
def _dealt(
    questions: int, kind: RoomKind, allocation: Allocation, pace: RoomPace, seed: int, place: int
) -> tuple[QuestionCard, ...]:
    draws = Draws(f"room/{seed}/person/{place}")
    every = list(range(questions))

    def order() -> list[int]:
        in_order = pace is RoomPace.HOST or kind is RoomKind.QUIZ
        return every if in_order else draws.several(every, questions)

    if kind is not RoomKind.PAIRS:
        return tuple(QuestionCard.of(question, "x") for question in order())
    arms = _arms(questions, seed, place)
    first = [QuestionCard.of(question, arms[question]) for question in order()]
    if allocation is Allocation.BETWEEN:
        return tuple(first)
    then = order()
    if then[0] == first[-1].question:
        # Both members of a pair would follow each other.
        then[0], then[1] = then[1], then[0]
    return (*first, *(QuestionCard.of(question, _OTHER[arms[question]]) for question in then))


def _arms(questions: int, seed: int, place: int) -> list[Arm]:
    """Which member of each pair this person gets first: half of them x, as near as may be."""
    draws = Draws(f"room/{seed}/block/{place // 2}")
    half = questions // 2 + (questions % 2 and draws.below(2))
    chosen = set(draws.several(range(questions), half))
    mirrored = place % 2 == 1
    return ["x" if (question in chosen) != mirrored else "x_prime" for question in range(questions)]
