"""Telling apart against answering alike: sensitivity d', criterion c and the share of yes.

A model that says yes to everything is right half of the time; accuracy alone cannot tell that
from guessing. d' says how far yes questions and no questions are told apart, c how far the
answers lean: negative to yes, positive to no.

Hits are yes answers to yes questions, false alarms yes answers to no questions. Rates have the
log-linear correction, (hits + 0.5) / (questions + 1), so that both are finite (Hautus 1995,
Behav. Res. Methods 27:46-51). The variance of d' is that of Gourevitch & Galanter (1967,
Psychometrika 32:25-33) at the corrected rates; that of c is a quarter of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates import (
    Interval,
    Values,
    check_confidence,
    clustered_share,
    effective_number,
    wilson,
)
from biaslab.studies.concepts.figures.rows import ConceptAnswer


@dataclass(frozen=True, slots=True)
class SignalDetection:
    """What yes and no answers say about telling apart and leaning.

    Attributes:
        hits, signals: yes answers to yes questions, of so many; false_alarms, noise: yes
            answers to no questions, of so many. Unreadable answers are in none of them.
        d_prime, d_interval: sensitivity, 0 for chance; criterion, c_interval: the leaning. None
            where one kind of question is missing.
        yes_rate, yes_interval: share of yes answers, with Wilson's interval.
    """

    hits: int
    signals: int
    false_alarms: int
    noise: int
    d_prime: float | None
    d_interval: Interval | None
    criterion: float | None
    c_interval: Interval | None
    yes_rate: float | None
    yes_interval: Interval | None


def signal_detection(
    hits: int,
    signals: int,
    false_alarms: int,
    noise: int,
    confidence: float = 0.95,
    independent: tuple[float, float] | None = None,
) -> SignalDetection:
    """d', criterion and yes-rate from four counts.

    Args:
        hits: yes answers to yes questions.
        signals: yes questions.
        false_alarms: yes answers to no questions.
        noise: no questions.
        confidence: coverage of the intervals.
        independent: how many independent yes and no questions say as much, where a question was
            asked several times; None: as many as there are.

    Raises:
        ValueError: more yes answers than questions.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    if not (0 <= hits <= signals and 0 <= false_alarms <= noise):
        raise ValueError(
            f"{hits} of {signals} hits and {false_alarms} of {noise} false alarms: there are more "
            "yes answers than questions."
        )
    answers = signals + noise
    yes_rate = (hits + false_alarms) / answers if answers else None
    yes_interval = wilson(hits + false_alarms, answers, confidence)
    if not signals or not noise:
        return SignalDetection(
            hits, signals, false_alarms, noise, None, None, None, None, yes_rate, yes_interval
        )
    hit_rate, alarm_rate = (hits + 0.5) / (signals + 1), (false_alarms + 0.5) / (noise + 1)
    z_hit, z_alarm = (float(scipy.stats.norm.ppf(rate)) for rate in (hit_rate, alarm_rate))
    most, other_most = independent or (signals, noise)
    variance = _variance(hit_rate, z_hit, most) + _variance(alarm_rate, z_alarm, other_most)
    reach = float(scipy.stats.norm.ppf(0.5 + confidence / 2)) * math.sqrt(variance)
    d_prime, criterion = z_hit - z_alarm, -(z_hit + z_alarm) / 2
    return SignalDetection(
        hits, signals, false_alarms, noise,
        d_prime, Interval(d_prime - reach, d_prime + reach),
        criterion, Interval(criterion - reach / 2, criterion + reach / 2),
        yes_rate, yes_interval,
    )  # fmt: skip


def _variance(rate: float, z: float, n: float) -> float:
    density = float(scipy.stats.norm.pdf(z))
    return rate * (1.0 - rate) / (n * density**2)


def signals_of(answers: Iterable[ConceptAnswer], confidence: float = 0.95) -> SignalDetection:
    """Yes-rate, d' and criterion of the readable answers; the same amounts are not new."""
    read = [each for each in answers if each.said_yes is not None]
    kinds = {yes: [each for each in read if each.is_yes is yes] for yes in (True, False)}
    said = {yes: sum(bool(each.said_yes) for each in kinds[yes]) for yes in kinds}
    counts = (said[True], len(kinds[True]), said[False], len(kinds[False]))
    if len({each.cluster for each in read}) == len(read) or not all(kinds.values()):
        return signal_detection(*counts, confidence)
    independent = (_independent(kinds[True], confidence), _independent(kinds[False], confidence))
    found = signal_detection(*counts, confidence, independent)
    shares, clusters = _shares(read)
    return replace(found, yes_interval=clustered_share(shares, clusters, len(read), confidence))


def _independent(answers: Sequence[ConceptAnswer], confidence: float) -> float:
    shares, clusters = _shares(answers)
    return effective_number(shares, clusters, len(answers), confidence)


def _shares(answers: Sequence[ConceptAnswer]) -> tuple[Values, npt.NDArray[np.object_]]:
    """Whether each answer was yes, and what it shares with others."""
    clusters = np.array([each.cluster for each in answers], dtype=object)
    return np.array([float(bool(each.said_yes)) for each in answers]), clusters
