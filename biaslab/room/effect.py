"""The effect in a room, what it would take to know it better, and models' effects beside it.

The effect of a condition on answers of people to pairs, both of whom differ in level, is that of

    answer = person + pair + effect * (x, not x') + rest

by least squares: a linear model of probabilities where answers are right or wrong, so the effect
is in points. Answers of one person hang together beyond their level, so the error is that of a
sandwich with a cluster for each person, with the leverage correction CR2 (Bell & McCaffrey 2002,
Survey Methodology 28:169-181), persons absorbed before (Pustejovsky & Tipton 2018, J. Bus. Econ.
Stat. 36:672-683), and Student's t with one less than the number of people. With few people the
sandwich is too small, and the signs of the people's contributions under the hypothesis are
flipped in all ways instead; the interval is what is not rejected so.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.room.reading import ReadAnswer, RoomReading
from biaslab.room.records import FEWEST_FOR_EFFECT, FEWEST_FOR_T, Arm, Room, RoomKind, RoomQuestion
from biaslab.runs import RunRecord, Store, StoreUnreadable, gallery
from biaslab.stats import Effect, Interval, effects
from schoolmath.text.figures import count

if TYPE_CHECKING:
    import pandas as pd

Numbers: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int_]

_NOTHING = 1e-9
"""Sums and eigenvalues below this are nought but for rounding."""


@dataclass(frozen=True, slots=True)
class EffectFit:
    """An effect and what is needed to say how sure it is.

    Attributes:
        effect: mean of x less mean of x', persons and pairs held fixed.
        error: its standard error; None where answers do not vary enough to judge by.
        people: who answered both conditions; answers: theirs.
        spread: standard deviation of an answer around person, pair and condition.
        scores, weights: by person: what they contribute to numerator and denominator of the
            effect, persons and pairs held fixed.
    """

    effect: float
    error: float | None
    people: int
    answers: int
    spread: float
    scores: Numbers
    weights: Numbers


def fit(y: Numbers, is_x: npt.NDArray[np.bool_], person: Places, pair: Places) -> EffectFit | None:
    """The effect; None where persons and pairs leave nothing to tell it by.

    Args:
        y: an outcome for each answer.
        is_x: whether it is to x.
        person: by whom.
        pair: to which.
    """
    _, person = np.unique(person, return_inverse=True)
    of_x = np.bincount(person, weights=is_x)
    both = (of_x > 0) & (of_x < np.bincount(person))
    if not both.any():
        return None
    kept = both[person]
    # Sorted by person, so that a person's rows are a slice.
    order = np.flatnonzero(kept)[np.argsort(person[kept], kind="stable")]
    y, is_x, person, pair = y[order], is_x[order], person[order], pair[order]
    _, person = np.unique(person, return_inverse=True)
    _, pair = np.unique(pair, return_inverse=True)
    dummies = np.eye(int(pair.max()) + 1)[pair][:, 1:]
    y, condition, dummies = (
        _without_persons(each, person) for each in (y, is_x.astype(np.float64), dummies)
    )
    residual_condition = condition - _projected(dummies, condition)
    weight = float(residual_condition @ residual_condition)
    if weight < _NOTHING:
        return None
    under_null = y - _projected(dummies, y)
    effect = float(residual_condition @ y / weight)
    rest = under_null - effect * residual_condition
    people = int(person.max()) + 1
    freedom = len(y) - people - np.linalg.matrix_rank(dummies) - 1
    spread = math.sqrt(float(rest @ rest) / freedom) if freedom > 0 else 0.0
    design = np.column_stack([condition, dummies])
    return EffectFit(
        effect,
        _error(design, rest, person),
        people,
        len(y),
        spread,
        _summed(residual_condition * under_null, person),
        _summed(residual_condition**2, person),
    )


def t_interval(fit: EffectFit, confidence: float) -> tuple[Interval, float] | None:
    """The interval and p by Student's t; None where there is no error."""
    if not fit.error or fit.people < 2:
        return None
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, fit.people - 1)) * fit.error
    p = 2 * float(scipy.stats.t.sf(abs(fit.effect) / fit.error, fit.people - 1))
    return Interval(fit.effect - reach, fit.effect + reach), p


def flip_interval(fit: EffectFit, confidence: float) -> tuple[Interval, float] | None:
    """The interval and p by flipping each person's sign in all ways; for a dozen people at most.

    A value is rejected where no more than 1 - confidence of the flips give as large a sum as was
    seen. For each flip the values that it speaks for are an interval around the effect, so the
    ends are found by counting. None where answers do not vary, or there are too few people for
    any value to be rejected.
    """
    people = fit.people
    if not fit.error or 2 / 2**people > 1 - confidence:
        return None
    signs = 1.0 - 2.0 * ((np.arange(2**people)[:, None] >> np.arange(people)) & 1)
    a, b = signs @ fit.scores, signs @ fit.weights
    total = float(fit.weights.sum())
    seen = fit.effect * total
    p = float((np.abs(a) >= abs(seen) - _NOTHING).mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(seen + a) / (total + b), (seen - a) / (total - b)])
    # Everybody flipped, or nobody: as large as what was seen, whatever the value.
    always = np.abs(np.abs(b) - total) < _NOTHING
    high = np.where(always, np.inf, ends.max(axis=0))
    low = np.where(always, -np.inf, ends.min(axis=0))
    cut = int((1 - confidence) * len(a) + _NOTHING)
    return Interval(float(np.sort(low)[cut]), float(np.sort(high)[::-1][cut])), p


def _summed(values: Numbers, person: Places) -> Numbers:
    """Sums by person."""
    return np.bincount(person, weights=values).astype(np.float64)


def _without_persons(values: Numbers, person: Places) -> Numbers:
    """Values, or columns of them, less their person's mean."""
    if values.ndim > 1:
        columns = [_without_persons(each, person) for each in values.T]
        return np.column_stack(columns) if columns else values
    means = _summed(values, person) / np.bincount(person)
    return np.asarray(values - means[person])


def _projected(design: Numbers, values: Numbers) -> Numbers:
    """What the columns of the design say of the values."""
    if not design.shape[1]:
        return np.zeros_like(values)
    return np.asarray(design @ np.linalg.lstsq(design, values, rcond=None)[0])


def _error(design: Numbers, rest: Numbers, person: Places) -> float | None:
    """The standard error of the first coefficient by CR2; rows are sorted by person."""
    bread = np.linalg.pinv(design.T @ design, hermitian=True)
    meat = 0.0
    cuts = np.flatnonzero(np.diff(person)) + 1
    for mine, left in zip(np.split(design, cuts), np.split(rest, cuts), strict=True):
        values, vectors = np.linalg.eigh(np.eye(len(mine)) - mine @ bread @ mine.T)
        roots = np.where(values > _NOTHING, 1 / np.sqrt(np.maximum(values, _NOTHING)), 0.0)
        corrected = vectors @ (roots * (vectors.T @ left))
        meat += float(bread[0] @ (mine.T @ corrected)) ** 2
    return math.sqrt(meat) if meat > _NOTHING**2 else None


# The effect, and what is said beside it.


CONFIDENCE = 0.95
USUAL_SPREAD = 0.39
"""Standard deviation of an answer, right or wrong, around person, pair and condition: of simulated
people of whom three in four answer rightly (docs/room.md). A room's own spread says it better."""

_MOST_PEOPLE = 100_000


@dataclass(frozen=True, slots=True)
class RoomEffect:
    """What changing one feature did to the people in a room, over these pairs.

    Attributes:
        people: who answered both conditions; they alone count. answers: theirs; pairs: asked.
        binary: whether outcomes are right or wrong; else they are on the study's scale.
        mean_x, mean_x_prime: mean outcome of each arm over all answers of the room, shares right
            where binary; None without any.
        effect: x less x', persons and pairs held fixed: a fraction, positive in the direction of
            the hypothesis; None where there is none to tell, and `reason` says why.
        low, high: its interval at 95 %; p: of its test; None with fewer than it takes.
        spread: of an answer around person and pair; None without an effect.
        unread: answers that could not be read: not right where binary, else left out.
        reason: why something is missing, as a sentence; else empty.
        method: how the figures were made, in sentences.
    """

    people: int
    answers: int
    pairs: int
    binary: bool
    mean_x: float | None
    mean_x_prime: float | None
    effect: float | None
    low: float | None
    high: float | None
    p: float | None
    spread: float | None
    unread: int
    reason: str
    method: str


class PeopleNeeded(NamedTuple):
    """How many people it takes.

    Attributes:
        interval: for an interval that reaches so far to either side.
        finding: to find a true effect of that size four times in five.
    """

    interval: int
    finding: int


class ModelEffect(NamedTuple):
    """A model's effect to stand beside the room's.

    Attributes:
        run: whose it is.
        effect: over the pairs of the room, where the run asked two of them or more; else over all
            its pairs.
        shared: how many pairs of the room the run asked.
        answers: by pair and arm of those, the answer as it was read and its outcome; the first
            where there are several samples.
    """

    run: RunRecord
    effect: Effect
    shared: int
    answers: Mapping[tuple[str, Arm], tuple[str | None, float | None]] = {}


def room_effect(reading: RoomReading) -> RoomEffect:
    """The effect in a room. With fewer than `FEWEST_FOR_EFFECT` people there are counts alone."""
    counted = _counted(reading)
    found = _fit(counted) if reading.room.kind is RoomKind.PAIRS else None
    people = 0 if found is None else found.people
    reason = _reason(reading, people)
    sure = None
    if found is not None and not reason:
        sure = (flip_interval if people < FEWEST_FOR_T else t_interval)(found, CONFIDENCE)
        if sure is None:
            reason = "Answers vary too little to say how sure the effect is."
    shown = found if people >= FEWEST_FOR_EFFECT else None
    return RoomEffect(
        people,
        0 if found is None else found.answers,
        len(reading.room.questions),
        reading.binary,
        _mean(counted, "x"),
        _mean(counted, "x_prime"),
        None if shown is None else shown.effect,
        None if sure is None else sure[0].low,
        None if sure is None else sure[0].high,
        None if sure is None else sure[1],
        None if shown is None else shown.spread,
        sum(each.outcome is None for each in reading.answers),
        reason,
        "" if shown is None else _method(reading, people),
    )


def people_needed(
    room: Room, points: float = 0.15, spread: float | None = None, chance: float = 0.8
) -> PeopleNeeded:
    """How many people it takes to know the effect to so many points, and to find such an effect.

    Args:
        room: of pairs.
        points: as a fraction.
        spread: of an answer, as `RoomEffect.spread`; None: as usual for right and wrong.
        chance: of finding it.
    """
    error = 2 * (USUAL_SPREAD if spread is None else spread) / math.sqrt(room.steps)

    def least(power: float) -> int:
        """People for whom so much of the t distribution lies within the points."""
        return bisect_left(
            range(_MOST_PEOPLE),
            True,
            lo=FEWEST_FOR_EFFECT,
            key=lambda people: _reach(people, power) * error / math.sqrt(people) <= points,
        )

    return PeopleNeeded(least(0.5), least(chance))


def _reach(people: int, power: float) -> float:
    """Standard errors between nothing and an effect that is found with this power."""
    freedom = people - 1
    found: float = scipy.stats.t.ppf(0.5 + CONFIDENCE / 2, freedom) + scipy.stats.t.ppf(
        power, freedom
    )
    return float(found)


def models_beside(
    store: Store, study: str, questions: Sequence[RoomQuestion], most: int = 12
) -> list[ModelEffect]:
    """Effects of models that were asked the same study: one's own runs, the newest first, and
    then the recorded ones of the gallery.

    Args:
        store: the file of runs.
        study: of a room of pairs.
        questions: of that room.
        most: no more than so many runs.
    """
    every = [*store.runs(), *_recorded()]
    runs = [each for each in every if each.study == study and each.answered][:most]
    if not runs:
        return []
    outcomes = store.outcomes([each.id for each in runs], with_values=True)
    of_room = outcomes["pair"].isin({each.id for each in questions})
    shared = outcomes[of_room].groupby("run")["pair"].nunique()
    found = []
    for run in runs:
        rows = outcomes["run"] == run.id
        there = int(shared.get(run.id, 0))
        effect = effects(outcomes[rows & of_room] if there >= 2 else outcomes[rows])
        answers = _answers(outcomes[rows & of_room]) if there else {}
        found += [ModelEffect(run, each, there, answers) for each in effect]
    return found


def _answers(rows: pd.DataFrame) -> dict[tuple[str, Arm], tuple[str | None, float | None]]:
    import pandas as pd

    found: dict[tuple[str, Arm], tuple[str | None, float | None]] = {}
    arms: tuple[Arm, ...] = ("x", "x_prime")
    for row in rows.drop_duplicates("pair").to_dict("records"):
        for arm in arms:
            outcome = float(row[f"y_{arm}"])
            if row[f"state_{arm}"] != "missing":
                value = row[f"value_{arm}"]
                found[row["pair"], arm] = (
                    None if pd.isna(value) else str(value),
                    None if math.isnan(outcome) else outcome,
                )
    return found


def _recorded() -> Sequence[RunRecord]:
    try:
        held = gallery()
    except StoreUnreadable:  # the page of runs says so
        return ()
    return () if held is None else held.runs()


def _counted(reading: RoomReading) -> list[tuple[ReadAnswer, float]]:
    """Answers with outcomes; one that cannot be read is not right, and on a scale it is none."""
    unread = 0.0 if reading.binary else None
    outcomes = (
        (each, unread if each.outcome is None else each.outcome) for each in reading.answers
    )
    return [(each, outcome) for each, outcome in outcomes if outcome is not None]


def _fit(counted: list[tuple[ReadAnswer, float]]) -> EffectFit | None:
    if not counted:
        return None
    return fit(
        np.array([outcome for _, outcome in counted], dtype=np.float64),
        np.array([each.card.arm == "x" for each, _ in counted]),
        np.array([each.place for each, _ in counted]),
        np.array([each.card.question for each, _ in counted]),
    )


def _reason(reading: RoomReading, people: int) -> str:
    if reading.room.kind is RoomKind.COUNT:
        return "This room compares nothing: it counts answers."
    if people < FEWEST_FOR_EFFECT:
        return (
            f"The result appears once {FEWEST_FOR_EFFECT} people have answered both kinds of "
            f"question ({people} so far)."
        )
    return ""


def _mean(counted: list[tuple[ReadAnswer, float]], arm: str) -> float | None:
    outcomes = [outcome for each, outcome in counted if each.card.arm == arm]
    return float(np.mean(outcomes)) if outcomes else None


def _method(reading: RoomReading, people: int) -> str:
    unread = "count as not right" if reading.binary else "are left out"
    how = (
        "what is not rejected when the sign of each person's contribution is flipped in all ways"
        if people < FEWEST_FOR_T
        else f"by a sandwich clustered on people (CR2) and Student's t with {people - 1} degrees "
        "of freedom"
    )
    return (
        f"{count(people, 'person', 'people')} who answered both kinds of questions. Linear model "
        f"with a level for each person and each pair; interval at 95 %: {how}. Answers that could "
        f"not be read {unread}. It speaks of these {count(len(reading.room.questions), 'pair')} "
        "and of people like these."
    )
