"""The page on architecture names the files that a pair visits, in order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_path_of_a_pair_is_the_one_written_down() -> None:
    # In a process of its own: what another test has looked up would not be looked up again.
    done = subprocess.run(
        [sys.executable, "docs/path.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert done.stdout.count(".py`") > 30
