"""Verified pairs per second of each study, on one core, beside making them unverified.

    python benchmarks/pairs.py [--n 5000]

The ratio is what the proof of every pair costs. Times are of the process, not of the wall, so
other programs disturb them less; the best of three rounds counts, the rounds taking turns.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from contextlib import contextmanager
from importlib import import_module
from unittest.mock import patch

from biaslab.experiments import Design, experiment

STUDIES = {
    "consistency": "consistency",
    "transfer-comparison": "transfer_comparison",
    "carry": "carry",
}
GOAL = 10_000


@contextmanager
def unverified(module: str):
    """The study without its proofs."""
    target = import_module(f"biaslab.experiments.{module}")
    with patch.object(target, "verify_pair", lambda *_: None):
        yield


def rate(study: str, n: int, seed: int) -> float:
    """Pairs per second of process time."""
    began = time.process_time()
    made = sum(1 for _ in experiment(study).pairs(Design(study, n, seed)))
    return made / (time.process_time() - began)


def main() -> None:
    """Prints a row per study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=5_000)
    n = parser.parse_args().n
    best: dict[tuple[str, bool], float] = defaultdict(float)
    for study in STUDIES:
        rate(study, 500, 0)
    for seed in range(3):
        for study, module in STUDIES.items():
            best[study, True] = max(best[study, True], rate(study, n, seed))
            with unverified(module):
                best[study, False] = max(best[study, False], rate(study, n, seed))
    print(f"{'study':22}{'verified/s':>12}{'unverified/s':>14}{'ratio':>7}  goal {GOAL:,}/s")
    for study in STUDIES:
        verified, bare = best[study, True], best[study, False]
        met = "met" if verified >= GOAL else "not met"
        print(f"{study:22}{verified:12,.0f}{bare:14,.0f}{verified / bare:7.2f}  {met}")


if __name__ == "__main__":
    main()
