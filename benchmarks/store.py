"""How fast the file of runs is with 100,000 answers in it, and how fast answers are written.

    python benchmarks/store.py [--pairs 50000] [--db FILE]

Uses the consistency study and a simulated learner, that is real items and real prompts. The
smallest of several timings is shown, in milliseconds of wall time, on a file that the
operating system has in memory.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from biaslab.models import Completion, GenerationRequest, Message
from biaslab.runs import Store, open_store, prepare, run_here
from biaslab.runs.engine import leases
from biaslab.runs.engine.ask import ItemRead, NewResponse
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.store.encoding import response_id
from biaslab.studies import Design, Reading

LEARNER = "learner:careless"


def main() -> None:
    """Fills a file and measures it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=50_000, help="pairs of the large run")
    parser.add_argument("--db", type=Path, help="keep the file here")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.db or Path(folder) / "runs.db"
        with open_store(path) as store:
            _measure(store, chosen.pairs)


def _measure(store: Store, pairs: int) -> None:
    design = Design("consistency", pairs, 1)
    print("| what | figure |\n|---|---|")
    run, seconds = _timed(lambda: prepare(store, design, LEARNER, "direct"))
    _line("prepare: pairs per second (making and writing them)", f"{pairs / seconds:,.0f}")
    record, seconds = _timed(lambda: run_here(store, run))
    _line("whole run of a simulated learner: items per second", f"{record.answered / seconds:,.0f}")
    again = prepare(store, design, LEARNER, "direct")
    record, seconds = _timed(lambda: run_here(store, again))
    _line("the same from the cache: items per second", f"{record.answered / seconds:,.0f}")
    small = prepare(store, Design("consistency", 500, 2), LEARNER, "direct")
    run_here(store, small)
    with store.reading() as database:
        ((answers, responses),) = database.execute(
            "SELECT (SELECT count(*) FROM answers), (SELECT count(*) FROM responses)"
        ).fetchall()
    size = store.path.stat().st_size / 1e6
    _line("file", f"{answers:,} answers, {responses:,} responses, {size:,.0f} MB")
    for name, job in _screens(store, run, small, pairs).items():
        _line(name, f"{min(_timed(job)[1] for _ in range(5)) * 1000:,.2f} ms")
    _line("answers stored per second, one commit each", f"{_one_by_one(store, 500):,.0f}")
    _line("answers stored per second, as a run does it", f"{_grouped(store, 20_000):,.0f}")


def _screens(store: Store, run: str, small: str, pairs: int) -> dict[str, Callable[[], object]]:
    pair = store.pair_rows(run)[0].pair
    return {
        "runs()": store.runs,
        "run()": lambda: store.run(run),
        "change_counter()": store.change_counter,
        f"outcomes() of {pairs:,} pairs": lambda: store.outcomes([run]),
        "outcomes() of 500 pairs": lambda: store.outcomes([small]),
        f"count_patterns() of {pairs:,} pairs": lambda: store.count_patterns(run),
        "count_patterns() of one stratum": lambda: store.count_patterns(run, {"steps": 2}),
        "count_patterns() of 500 pairs": lambda: store.count_patterns(small),
        "pair_rows(), first page": lambda: store.pair_rows(run),
        "pair_rows(), last page": lambda: store.pair_rows(run, offset=pairs - 50),
        "pair_rows(), one pattern, first page": lambda: store.pair_rows(run, ["only x right"]),
        "pair_rows(), one pattern, one stratum, offset 2,000": lambda: store.pair_rows(
            run, ["both right"], {"steps": 2}, offset=2_000
        ),
        "pair_detail()": lambda: store.pair_detail(run, pair),
        "export_rows() of 500 pairs": lambda: list(store.export_rows(small)),
    }


def _one_by_one(store: Store, n: int) -> float:
    run = prepare(store, Design("consistency", n, 3), LEARNER, "direct")
    with _writer(store, run) as writer:

        def store_all() -> None:
            for number, item in enumerate(_item_ids(store, run)[:n]):
                for event in _events(run, item, number):
                    writer.put(event)
                writer.flush()

        return n / _timed(store_all)[1]


def _grouped(store: Store, n: int) -> float:
    run = prepare(store, Design("consistency", n // 2 + 1, 4), LEARNER, "direct")
    items = _item_ids(store, run)[:n]
    with _writer(store, run) as writer:

        def store_all() -> None:
            for number, item in enumerate(items):
                for event in _events(run, item, number):
                    writer.put(event)
            writer.flush()

        return len(items) / _timed(store_all)[1]


def _writer(store: Store, run: str) -> RunWriter:
    record = store.run(run)
    owner = leases.claim(store, run, leases.LEASE_SECONDS, os.getpid())
    return RunWriter(store, run, f"{record.model_spec}@{record.model_revision}", owner)


def _events(run: str, item: str, number: int) -> tuple[NewResponse, ItemRead]:
    request = GenerationRequest((Message("text", f"{run} {number} " + "words " * 60),))
    key = response_id(run, request)
    completion = Completion("The answer is 12.", "stop", 80, 6, 0.01)
    reading = Reading("12", 1.0, "number", "The last number of the response.", (14, 16))
    return NewResponse(key, request, completion), ItemRead(item, reading, (key,))


def _item_ids(store: Store, run: str) -> list[str]:
    with store.reading() as database:
        rows = database.execute(
            "SELECT item_x FROM outcomes WHERE run = :run UNION"
            " SELECT item_x_prime FROM outcomes WHERE run = :run", {"run": run},
        ).fetchall()  # fmt: skip
    return [item for (item,) in rows]


def _timed(job: Callable[[], object]) -> tuple[object, float]:
    begin = time.perf_counter()
    result = job()
    return result, time.perf_counter() - begin


def _line(name: str, figure: str) -> None:
    print(f"| {name} | {figure} |", flush=True)


if __name__ == "__main__":
    main()
