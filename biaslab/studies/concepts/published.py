"""Published accuracies of concept learning, beside ours.

Facts with their source (assets/published/README.md). The publication prints five columns without
saying which fraction each stands for, so they are shown as a mean and a range, never by fraction.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

from biaslab.stats.errors import BrokenAssets
from biaslab.studies.published import ASSETS

_FILE = "monotonicity_2025_accuracy.csv"

CAVEAT = (
    "The publication prints five accuracies a row and does not say which fraction each belongs "
    "to, so only their means and ranges are shown. It compares “more than p” with “less than p” "
    "at the same p; 500 questions each."
)


@dataclass(frozen=True, slots=True)
class PublishedConcepts:
    """A model in one prompt strategy.

    Attributes:
        model: as printed; semantics: ``hidden`` or ``explicit``.
        more, less: mean shares right of “more than p” and “less than p”, 0..1.
        more_range, less_range: smallest and largest of the five.
        gap: more minus less.
    """

    model: str
    semantics: str
    more: float
    more_range: tuple[float, float]
    less: float
    less_range: tuple[float, float]

    @property
    def gap(self) -> float:
        """More than p minus less than p, -1..1."""
        return self.more - self.less


@cache
def published_concepts() -> tuple[PublishedConcepts, ...]:
    """The published means, in the order of the publication.

    Raises:
        BrokenAssets: the table is missing or malformed.
    """
    rows: dict[tuple[str, str], dict[str, list[float]]] = {}
    try:
        with (ASSETS / _FILE).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                sides = rows.setdefault((row["model"], row["semantics"]), {})
                sides.setdefault(row["concept"], []).append(float(row["accuracy_pct"]) / 100)
        return tuple(
            PublishedConcepts(
                model,
                semantics,
                *_mean_and_range(sides["more than p"]),
                *_mean_and_range(sides["less than p"]),
            )
            for (model, semantics), sides in rows.items()
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BrokenAssets(
            f"The table of published results {_FILE} cannot be read ({error}): restore "
            "assets/published from the project."
        ) from error


def _mean_and_range(values: list[float]) -> tuple[float, tuple[float, float]]:
    return sum(values) / len(values), (min(values), max(values))
