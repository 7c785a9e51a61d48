"""Telling apart and leaning in the answers about a concept, where prompts may be asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from biaslab.stats.estimates.clustered import Values, clustered_share, effective_number
from biaslab.studies.concepts.rows import Answer
from biaslab.studies.concepts.signals import SignalDetection, signal_detection


def signals_of(answers: Iterable[Answer], confidence: float = 0.95) -> SignalDetection:
    """Yes-rate, d' and criterion of the readable answers; samples of a prompt are no new ones."""
    read = [each for each in answers if each.said_yes is not None]
    kinds = {yes: [each for each in read if each.is_yes is yes] for yes in (True, False)}
    said = {yes: sum(bool(each.said_yes) for each in kinds[yes]) for yes in kinds}
    counts = (said[True], len(kinds[True]), said[False], len(kinds[False]))
    if not any(each.sample for each in read) or not all(kinds.values()):
        return signal_detection(*counts, confidence)
    independent = (_independent(kinds[True], confidence), _independent(kinds[False], confidence))
    found = signal_detection(*counts, confidence, independent)
    shares, draws = _shares(read)
    return replace(found, yes_interval=clustered_share(shares, draws, len(read), confidence))


def _independent(answers: Sequence[Answer], confidence: float) -> float:
    shares, draws = _shares(answers)
    return effective_number(shares, draws, len(answers), confidence)


def _shares(answers: Sequence[Answer]) -> tuple[Values, npt.NDArray[np.object_]]:
    """Whether each answer was yes, and what it shares with others."""
    draws = np.array([each.draw for each in answers], dtype=object)
    return np.array([float(bool(each.said_yes)) for each in answers]), draws
