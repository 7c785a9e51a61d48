"""How wide the interval of a room is, how often it holds, and how often an effect is found.

    python benchmarks/room_effect.py [--rooms 300] [--people 6 10 20 30 60] [--pairs 6 10 20]

Simulated people: logits of people vary with a standard deviation of 1, those of pairs with 0.8,
the effects of pairs with 0.3; three answers in four are right, and x is easier by some 14.5 points.
They get the members of pairs that a room deals (`biaslab.room.records`), and the effect is that
of `biaslab.room.effect`. "Held": rooms whose interval has the effect over the very
pairs that were asked. "False": rooms with p <= 0.05 where no pair has an effect.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from biaslab.room import Allocation, Room, RoomKind, RoomPace, RoomState, questions_of
from biaslab.room.effect import EffectFit, fit, flip_interval, t_interval
from biaslab.room.records import FEWEST_FOR_T, dealt
from biaslab.stats import Interval
from biaslab.studies import Design, experiment

STUDY = "consistency"
RIGHT, SHIFT = 1.42, 0.98
"""Logits: of a usual answer, and between x and x'."""
PEOPLE, PAIRS, EFFECTS = 1.0, 0.8, 0.3
LEVELS = np.random.default_rng(5).normal(0, PEOPLE, 20_000)
"""People over whom the true effect of a pair is taken."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints a row for each number of people and pairs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", type=int, default=300)
    parser.add_argument("--people", type=int, nargs="+", default=[6, 10, 20, 30, 60])
    parser.add_argument("--pairs", type=int, nargs="+", default=[6, 10, 20])
    given = parser.parse_args(arguments)
    study = experiment(STUDY)
    questions = questions_of(study, study.pairs(Design(STUDY, max(given.pairs), 1)))
    room = Room(
        "", "", "", STUDY, RoomKind.PAIRS, Allocation.BETWEEN, RoomPace.EACH, questions, 0,
        RoomState.ANSWERING, 0, True, True, 0.0, 0.0,
    )  # fmt: skip
    print(f"{'people':>6}{'pairs':>6}{'half width':>12}{'found %':>9}{'held %':>8}{'false %':>9}")
    for people in given.people:
        for pairs in given.pairs:
            _print_cell(replace(room, questions=questions[:pairs]), people, given.rooms)


def _print_cell(room: Room, people: int, rooms: int) -> None:
    widths, found, held, false = [], [], [], []
    for seed in range(rooms):
        draws = np.random.default_rng([seed, people, len(room.questions)])
        asked = replace(room, seed=seed)
        there, truth = _played(asked, people, SHIFT, EFFECTS, draws)
        sure = _interval(there)
        if sure is not None:
            interval, p = sure
            widths.append((interval.high - interval.low) / 2)
            found.append(p <= 0.05)
            held.append(interval.low <= truth <= interval.high)
        nothing = _interval(_played(asked, people, 0.0, 0.0, draws)[0])
        false.append(nothing is not None and nothing[1] <= 0.05)
    print(
        f"{people:>6}{len(room.questions):>6}{100 * np.mean(widths):12.1f}"
        f"{100 * np.mean(found):9.0f}{100 * np.mean(held):8.1f}{100 * np.mean(false):9.1f}",
        flush=True,
    )


def _played(
    room: Room, people: int, shift: float, effects: float, draws: np.random.Generator
) -> tuple[EffectFit | None, float]:
    """What a room of simulated people gives, and the true effect over its pairs."""
    levels = draws.normal(0, PEOPLE, people)
    hard = draws.normal(0, PAIRS, len(room.questions))
    shifts = shift + draws.normal(0, effects, len(room.questions))
    rows = [
        (place, card.question, card.arm == "x")
        for place in range(people)
        for card in dealt(room, place)
    ]
    person, pair, is_x = (np.array(each) for each in zip(*rows, strict=True))
    logits = RIGHT + levels[person] - hard[pair] + np.where(is_x, 1, -1) * shifts[pair] / 2
    y = (draws.random(len(rows)) < _share(logits)).astype(float)
    truth = np.mean([
        (_share(RIGHT + LEVELS - each + by / 2) - _share(RIGHT + LEVELS - each - by / 2)).mean()
        for each, by in zip(hard, shifts, strict=True)
    ])  # fmt: skip
    return fit(y, is_x, person, pair), float(truth)


def _share(logits: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-logits))


def _interval(found: EffectFit | None) -> tuple[Interval, float] | None:
    if found is None:
        return None
    return (flip_interval if found.people < FEWEST_FOR_T else t_interval)(found, 0.95)


if __name__ == "__main__":
    main()
