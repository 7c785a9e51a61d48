"""What is not needed for a start is not loaded by one."""

import subprocess
import sys

import pytest

HEAVY = ("pandas", "pyarrow", "scipy.stats", "statsmodels", "torch", "transformers", "openai")


@pytest.mark.parametrize(
    "started", ["biaslab.cli", "biaslab.runs.engine.worker", "biaslab.stats", "biaslab.ui.demo.box"]
)
def test_a_start_loads_no_heavy_package(started):
    code = f"import {started}, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_packages_hidden_from_sqlite_utils_are_there_afterwards():
    code = "import biaslab.runs, pandas, sqlite_utils; print(pandas.__name__, sqlite_utils.db.pd)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "pandas None"
