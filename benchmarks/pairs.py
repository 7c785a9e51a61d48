"""Verified pairs per second of each study, on one core, beside making them unverified.

    python benchmarks/pairs.py [--n 5000]

The ratio is what the proof of every pair costs. Times are of the process, not of the wall, so
other programs disturb them less; the best of three rounds counts, the rounds taking turns. The
composed family has five steps of all four kinds of sentence. Last comes the composer's preview:
the first 20 pairs of a line that was not seen before, the line read and resolved anew.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from statistics import median
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

from biaslab.studies import Design, Value, experiment
from biaslab.studies.word_problems import composed as composer
from biaslab.studies.word_problems.presets import carry, consistency, transfer_comparison


class Family(NamedTuple):
    """What is measured: a study with settings, and where its proof is called from."""

    study: str
    settings: Mapping[str, Value]
    module: ModuleType
    proof: str
    goal: int


FIVE_STEPS = "container . transfer- . comparison+ inconsistent . transfer+ . comparison- . rate"
FAMILIES = {
    "consistency": Family("consistency", {}, consistency, "verify_pair", 10_000),
    "transfer-comparison": Family(
        "transfer-comparison", {}, transfer_comparison, "verify_pair", 10_000
    ),
    "carry": Family("carry", {}, carry, "verify_pair", 10_000),
    "composed, five steps": Family(
        "composed", {"structure": FIVE_STEPS}, composer, "verify_treatment", 3_000
    ),
}
PREVIEWED = 20
PREVIEW_GOAL = 200


@contextmanager
def unverified(family: Family) -> Iterator[None]:
    """The study without its proofs."""
    with patch.object(family.module, family.proof, lambda *_: None):
        yield


def rate(family: Family, n: int, seed: int) -> float:
    """Pairs per second of process time."""
    design = Design(family.study, n, seed, family.settings)
    began = time.process_time()
    made = sum(1 for _ in experiment(family.study).pairs(design))
    return made / (time.process_time() - began)


def preview_times() -> list[float]:
    """Milliseconds of wall time for the first pairs of lines not seen before, shortest first."""
    kinds = ("transfer", "transfer-", "comparison", "comparison*", "rate")
    times = []
    for middle in product(kinds[:4], kinds):
        line = " . ".join(("container", *middle, "comparison"))
        design = Design("composed", PREVIEWED, 1, {"structure": line})
        began = time.perf_counter()
        sum(1 for _ in experiment("composed").pairs(design))
        times.append(1000 * (time.perf_counter() - began))
    return sorted(times)


def main() -> None:
    """Prints a row per study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=5_000)
    n = parser.parse_args().n
    best: dict[tuple[str, bool], float] = defaultdict(float)
    for family in FAMILIES.values():
        rate(family, 500, 0)
    for seed in range(3):
        for name, family in FAMILIES.items():
            best[name, True] = max(best[name, True], rate(family, n, seed))
            with unverified(family):
                best[name, False] = max(best[name, False], rate(family, n, seed))
    print(f"{'study':22}{'verified/s':>12}{'unverified/s':>14}{'ratio':>7}{'goal':>9}")
    for name, family in FAMILIES.items():
        verified, bare = best[name, True], best[name, False]
        met = "met" if verified >= family.goal else "not met"
        print(
            f"{name:22}{verified:12,.0f}{bare:14,.0f}{verified / bare:7.2f}{family.goal:9,}  {met}"
        )
    times = preview_times()
    met = "met" if times[-1] <= PREVIEW_GOAL else "not met"
    print(
        f"preview of {PREVIEWED} pairs: median {median(times):.0f} ms, longest {times[-1]:.0f} ms "
        f"of {len(times)} lines, goal {PREVIEW_GOAL} ms: {met}"
    )


if __name__ == "__main__":
    main()
