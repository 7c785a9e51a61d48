"""The real worker process with the simulated study and models in place of the real ones."""

from __future__ import annotations

import sys

from biaslab.runs.engine.worker import main
from tests.runs.simulation import simulated_sources

if __name__ == "__main__":
    sys.exit(main(sources=simulated_sources()))
