"""How a simulated learner weighs the right answer of a word problem against a wrong one.

It gives log-odds, as a language model's log-probabilities do: some sureness, luck of its own for
every text, and less by a set amount where the member is the harder one of its pair. With 0 the
wording means nothing to it, which is what no effect looks like.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biaslab.models.learner.chances import Luck

TASK = "weigh"
"""Marks requests that ask how probable a right and a wrong answer are."""

_TWENTIETHS = range(-19, 20, 2)
"""Luck in twentieths of a nat, each equally likely, with the mean 0."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much a learner prefers the right answer.

    Attributes:
        tipped: by how many nats less in the harder member of a pair.
        sureness: mean log-odds of the right against the wrong answer otherwise, in nats.
    """

    tipped: float = 0.0
    sureness: float = 1.0

    @property
    def described(self) -> dict[str, float]:
        """For the identity of the learner."""
        return {"weighs": self.sureness, "tipped": self.tipped}

    def mean_odds(self, harder: bool) -> float:
        """The mean log-odds over all luck."""
        return self.sureness - (self.tipped if harder else 0.0)


def log_probabilities(
    weighing: Weighing, facts: Mapping[str, Any], luck: Luck
) -> tuple[float, float]:
    """Of the right and the wrong answer, which add up to a probability of 1."""
    odds = weighing.mean_odds(bool(facts["harder"])) + luck.one_of(_TWENTIETHS) / 20
    return -math.log1p(math.exp(-odds)), -math.log1p(math.exp(odds))
