"""The worker process: ``python -m biaslab.runs.engine.worker --db FILE --run ID``.

It does one run and ends, and needs nobody to watch it. What goes wrong stands in the file of
runs; its standard error (a log file, when `biaslab.runs.launch` started it) has the details.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources
from biaslab.runs.errors import RunError, StoreError
from biaslab.runs.store.records import RunStatus
from biaslab.runs.store.store import open_store

_log = logging.getLogger("biaslab.runs.engine.worker")


def main(arguments: Sequence[str] | None = None, sources: Sources | None = None) -> int:
    """Does the run named by the arguments.

    Args:
        arguments: as on the command line, without the program's name.
        sources: where studies and models come from, if not those installed.

    Returns:
        exit status: 0 for finished or stopped, 1 for a run that failed, 2 where it could not
        be started.
    """
    parser = argparse.ArgumentParser(prog="python -m biaslab.runs.engine.worker")
    parser.add_argument("--db", required=True, help="file of runs")
    parser.add_argument("--run", required=True, help="id of the run")
    parser.add_argument("--lease", help="mark of a lease already taken for this process")
    parser.add_argument("--queue", action="store_true", help="wait for its turn")
    parser.add_argument("--only-failed", action="store_true", help="ask what failed, alone")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s"
    )
    for name in ("httpx2", "openai", "aiohttp"):
        # They write a line for every request, at a level meant for people who debug them.
        logging.getLogger(name).setLevel(logging.WARNING)
    _log.info("Run %s starts.", chosen.run)
    try:
        with open_store(chosen.db) as store:
            record = run_here(
                store,
                chosen.run,
                sources=sources,
                owner=chosen.lease,
                only_failed=chosen.only_failed,
                queued=chosen.queue,
            )
    except (RunError, StoreError) as error:
        _log.error("%s", error)
        return 2
    _log.info("Run %s is %s. %s", record.id, record.status, record.message)
    return 1 if record.status is RunStatus.FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
