"""Memory of a worker that keeps 100,000 responses of a server.

    python benchmarks/worker_memory.py [--responses 100000]

The server is the simulation of benchmarks/server.py, in a process of its own. Printed is what
the process that asks and stores has in memory after every tenth of the way, beside the size of
the file. Flat means: the last figures are no larger than the ones before them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from pathlib import Path

import psutil
from server import serve

from biaslab.models import Access, Endpoint
from biaslab.runs import RunOptions, RunRecord, open_store, prepare, run_here
from biaslab.studies import Design


def main() -> None:
    """Prints a line for every tenth of the way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--responses", type=int, default=100_000)
    chosen = parser.parse_args()
    port: multiprocessing.Queue = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(0.05, port), daemon=True)
    server.start()
    access = Access((f"http://127.0.0.1:{port.get()}/v1",), Endpoint.CHAT, "echo", at_once=64)
    step = chosen.responses // 10
    told: list[int] = []

    def tell(record: RunRecord) -> None:
        if record.items_done // step > len(told):
            told.append(_megabytes())
            print(f"{record.items_done:8,} responses: {told[-1]:5} MB", flush=True)

    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "runs.db") as store:
        design = Design("consistency", chosen.responses // 2, 1, {"steps": "1-5"})
        run = prepare(store, design, "openai:echo", "direct", options=RunOptions(access=access))
        print(f"before the first request: {_megabytes()} MB")
        record = run_here(store, run, tell)
        size = store.path.stat().st_size / 1e6
        print(
            f"{record.asked:,} responses in {store.path.name}: {_megabytes()} MB in memory, "
            f"{size:,.0f} MB on disk"
        )


def _megabytes() -> int:
    return round(psutil.Process().memory_info().rss / 1e6)


if __name__ == "__main__":
    main()
