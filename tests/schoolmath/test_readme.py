"""What stands in schoolmath's README does what it says, with nothing of BiasLab imported."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from biaslab import __version__

ROOT = Path(__file__).parents[2]
README = ROOT / "schoolmath" / "README.md"


def test_the_lines_of_the_readme_run_and_need_no_biaslab() -> None:
    [code] = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    code += "import sys\nprint(sorted(n for n in sys.modules if n.partition('.')[0] == 'biaslab'))"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_both_packages_have_one_version() -> None:
    import schoolmath

    assert schoolmath.__version__ == __version__
