"""What was counted in public corpora of school problems, and is kept with the app; no text is."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from biaslab.audit.auditing import ratios_of

COUNTS_FILE = Path(__file__).resolve().parents[2] / "assets" / "audit" / "public_corpora.csv"

_ALL = "all"
"""In the file, the source of the sums over all corpora."""

LEAST_TOLD = 20
"""A ratio of fewer counted things is left out: it would be mostly chance."""


@dataclass(frozen=True, slots=True)
class PublicCorpus:
    """Counts of one corpus.

    Attributes:
        name: of the corpus; of the sums over all of them, how many there are.
        texts: that were looked at.
        ratios: of a training mix, by name, as they were told; those of fewer than `LEAST_TOLD`
            left out.
    """

    name: str
    texts: int
    ratios: Mapping[str, tuple[int, int]]


@cache
def public_corpora() -> tuple[PublicCorpus, ...]:
    """The corpora that tell at least `LEAST_TOLD` wordings of comparisons, all together first."""
    counts: dict[str, dict[tuple[str, str], int]] = {}
    texts: dict[str, int] = {}
    with COUNTS_FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            counts.setdefault(row["source"], {})[row["feature"], row["kind"]] = int(row["count"])
            texts[row["source"]] = int(row["texts"])
    names = {_ALL: f"All {len(counts) - 1} corpora"}
    found = [
        PublicCorpus(
            names.get(source, source), texts[source],
            _enough(ratios_of(lambda *key, of=counts[source]: of[key])),
        )
        for source in sorted(counts, key=lambda source: source != _ALL)
    ]  # fmt: skip
    return tuple(corpus for corpus in found if "consistent:inconsistent" in corpus.ratios)


def _enough(ratios: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return {name: pair for name, pair in ratios.items() if sum(pair) >= LEAST_TOLD}
