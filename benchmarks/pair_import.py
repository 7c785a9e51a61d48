"""Importing files of pairs: rows a second, and the most memory that it takes.

    python -m benchmarks.pair_import rows 100000      # pairs of this lab in the released columns
    python -m benchmarks.pair_import bad 100000       # rows with every kind of fault
    python -m benchmarks.pair_import large 200        # a file of so many MiB, long cells

The file is written to a temporary folder first; only reading it and keeping it are timed.
"""

from __future__ import annotations

import csv
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from biaslab.files import InterchangeError
from biaslab.runs import open_store, save_set
from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.files import import_pairs

STUDY = "consistency"
HEADER = (
    "question", "consistent body", "inconsistent body", "consistent paraphrased",
    "inconsistent paraphrased", "answer",
)  # fmt: skip
LINE = "Otto has 19 mugs. Ines has 7 fewer mugs than Otto. How many mugs does Ines have?"


def sound(count: int) -> Iterator[tuple[str, ...]]:
    """Pairs of this lab as rows."""
    for pair in experiment(STUDY).pairs(Design(STUDY, count, 1)):
        texts = [item.facts["sentences"] for item in (pair.x, pair.x_prime)]
        bodies = [" ".join(sentences[:-1]) for sentences in texts]
        yield (texts[0][-1], *bodies, pair.x.text, pair.x_prime.text, pair.x.answer)


def bad(count: int) -> Iterator[tuple[str, ...]]:
    """Rows with faults of every kind in turn, a sound one among them."""
    faults = (
        ("Q?", "", "", LINE, LINE.replace("fewer", "more"), "12"),
        ("", "", "", "", "", ""),
        ("Q?", "", "", LINE, LINE, ""),
        ("Q?", "", "", "=cmd|' /C calc'!A1", LINE, "12"),
        ("Q?", "", "", LINE, LINE, "=1+1"),
        ("Q?", "", "", "Zo\udce9 has 9 mugs. How many mugs does Zo\udce9 have?", LINE, "9"),
        ("Q?", "Otto has 19 mugs."),
        ("Q?", "", "", "x" * 1_500, "y" * 1_500, "12"),
    )
    return islice(cycle((*faults, next(sound(1)))), count)


def large(mebibytes: int) -> Iterator[tuple[str, ...]]:
    """Rows of 4 KiB until the file is as large as wanted."""
    row = ("Q?", "", "", LINE + " x" * 900, LINE + " y" * 900, "12")
    return islice(cycle((row,)), mebibytes * 2**20 // 3_780)


def main(kind: str, amount: int) -> None:
    """Writes the file, imports it, keeps it, and says what that took."""
    make = {"rows": sound, "bad": bad, "large": large}[kind]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.csv"
        with file.open("w", encoding="utf-8", errors="surrogateescape", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(HEADER)
            writer.writerows(make(amount))
        size = file.stat().st_size / 2**20
        before = _peak()
        start = time.perf_counter()
        try:
            found = import_pairs(file)
        except InterchangeError as error:
            print(f"{size:.0f} MiB refused after {time.perf_counter() - start:.1f} s: {error}")
            print(f"peak memory {_peak():.0f} MiB")
            return
        read = time.perf_counter() - start
        print(found.summary())
        rows = len(found.rows)
        print(f"{size:.0f} MiB, {rows:,} rows in {read:.1f} s: {rows / read:,.0f}/s")
        print(f"peak memory {_peak():.0f} MiB ({before:.0f} MiB before reading)")
        if found.pairs:
            with open_store(Path(folder) / "runs.db") as store:
                start = time.perf_counter()
                save_set(store, kind, found.pairs, file.name, [])
                kept = time.perf_counter() - start
            print(f"kept in {kept:.1f} s; peak memory {_peak():.0f} MiB")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
