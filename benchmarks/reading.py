"""Sentences read back per second on one core.

    python benchmarks/reading.py [--n 3000]

Reads the texts of the three studies, every pair once and no text twice, and some problems of
other people with nouns that are not in the vocabulary. "Read" goes from the text to the solved
mental model; "sentences" stops at what each sentence says. Times are of the process, not of the
wall; the best of three rounds counts, the rounds taking turns.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from biaslab.studies import Design, experiment
from schoolmath.problems.reading import read
from schoolmath.problems.reading.entities import TextEntities
from schoolmath.problems.reading.sentences import read_sentence

STUDIES = ("consistency", "transfer-comparison", "carry")
OTHERS = (
    "Mrs. Lee had {} vacuum cleaners. She gave twelve of them to Ben. How many vacuum cleaners "
    "does she have left?",
    "Ana had {} pounds of flour. Ben has 3 pounds more flour than Ana. How many pounds of flour "
    "does Ben have in total?",
)
GOAL = 20_000


def report(sentences: Sequence[str]) -> None:
    """What each sentence says."""
    things = TextEntities()
    for sentence in sentences:
        read_sentence(sentence, things)


def seconds(work: Callable[[], object]) -> float:
    """Process time of a piece of work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Prints a row per kind of text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=3_000)
    n = parser.parse_args().n
    texts: dict[str, list[str]] = {}
    for study in STUDIES:
        pairs = experiment(study).pairs(Design(study, n, 1))
        texts[study] = list(
            dict.fromkeys(text for pair in pairs for text in (pair.x.text, pair.x_prime.text))
        )
    texts["others' problems"] = [text.format(i) for i in range(50, 50 + n) for text in OTHERS]
    sentences = {
        name: [each.text for text in some for each in read(text).sentences]
        for name, some in texts.items()
    }
    best: dict[tuple[str, str], float] = defaultdict(lambda: float("inf"))
    for _ in range(3):
        for name in texts:
            for way, work in (
                ("read", lambda name=name: [read(text) for text in texts[name]]),
                ("sentences", lambda name=name: report(sentences[name])),
            ):
                best[name, way] = min(best[name, way], seconds(work))
    print(f"{'texts':22}{'sentences':>10}{'read/s':>10}{'sentences/s':>13}  goal {GOAL:,}/s")
    for name, some in sentences.items():
        read_rate, said_rate = (len(some) / best[name, way] for way in ("read", "sentences"))
        met = "" if name not in STUDIES else "met" if read_rate >= GOAL else "not met"
        print(f"{name:22}{len(some):10,}{read_rate:10,.0f}{said_rate:13,.0f}  {met}")


if __name__ == "__main__":
    main()
