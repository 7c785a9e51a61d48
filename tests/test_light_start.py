"""What is not needed for a start is not loaded by one."""

import gc
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from biaslab.system.importing import uncollected
from tests.conftest import DEADLINE

ROOT = Path(__file__).resolve().parents[1]
HEAVY = (
    "matplotlib",
    "pandas",
    "pyarrow",
    "scipy.stats",
    "statsmodels",
    "torch",
    "transformers",
    "openai",
)


@pytest.mark.parametrize(
    "started",
    ["biaslab.cli", "biaslab.runs.engine.worker", "biaslab.stats", "pages.home"],
)
def test_a_start_loads_no_heavy_package(started):
    code = f"import {started}, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


HOME = f"""
import sys, threading
from streamlit.testing.v1 import AppTest
import app
timers = []
threading.Timer.start = lambda timer: timers.append(timer)  # It may be over before the page is.
home = AppTest.from_file("biaslab/ui/main.py", default_timeout={DEADLINE}).run()
assert not home.exception, home.exception
[later] = timers
print([name for name in {HEAVY} if name in sys.modules])
later.function()
wanted = ("pandas", "scipy.stats", "biaslab.charts")
print([name for name in wanted if name not in sys.modules])
"""


def test_the_first_page_loads_no_heavy_package_and_what_comes_after_it_what_effects_need(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HOME],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "BIASLAB_DB": str(tmp_path / "runs.db")},
    )
    assert done.stdout.splitlines() == ["[]", "[]"]


@pytest.mark.parametrize("collecting", [True, False])
def test_imports_that_are_not_interrupted_leave_collecting_as_it_was(collecting):
    before = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        with suppress(ImportError), uncollected():
            assert not gc.isenabled()
            raise ImportError
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if before else gc.disable)()


def test_packages_hidden_from_sqlite_utils_are_there_afterwards():
    code = "import biaslab.runs, pandas, sqlite_utils; print(pandas.__name__, sqlite_utils.db.pd)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "pandas None"


@pytest.mark.parametrize("command", ["solve", "interval", "diagnose"])
def test_a_command_is_read_alone(command):
    code = f"import sys; from biaslab.cli import main; main.get_command(None, '{command}'); "
    code += "print('biaslab.cli.train' in sys.modules, "
    code += "'biaslab.cli.running' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("command", ["solve", "diagnose", "audit", "models", "items", "train"])
def test_a_command_that_reads_no_run_loads_no_file_of_runs(command):
    code = f"import sys; from biaslab.cli import main; main.get_command(None, '{command}'); "
    code += "print('biaslab.runs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_help_lists_every_command_with_its_line():
    from biaslab.cli import main

    listed = CliRunner().invoke(main, ["--help"]).output
    for name in main.list_commands(Context(main)):
        command = main.get_command(Context(main), name)
        assert command is not None
        assert command.name == name
        start = command.get_short_help_str(limit=40).removesuffix("...").strip()
        assert start
        assert start in listed


# What a script does that Streamlit runs, as it draws a bare text or value that it comes by.
MAGIC = """
from streamlit.testing.v1 import AppTest
drawn = AppTest.from_string("'a text that explains'\\n'another'\\n42").run()
print([each.value for each in drawn.markdown])
"""


def test_a_bare_text_in_a_script_is_no_part_of_the_page():
    done = subprocess.run(
        [sys.executable, "-c", MAGIC], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_the_app_is_served_before_anything_of_a_live_room_is_imported():
    code = "import sys, app; print('biaslab.room' in sys.modules, 'segno' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
