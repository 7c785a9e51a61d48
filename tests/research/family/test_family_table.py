"""The family's table is written from cells and read without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from biaslab.training.cells import CheckCell
from research.family import family_rows, read_family, write_family

CELL = CheckCell("consistency", "additive", "", 1, "cot", 10, 4, 3, 2, 1, wrong_x=3, reversed_x=1)


def test_a_cell_becomes_a_row_and_comes_back_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "origins" / "family.csv"
    rows = [
        *family_rows("skewed", 2, 96_000, True, [CELL]),
        *family_rows("skewed", 1, 8_000, False, [CELL]),
    ]
    write_family(rows, path)
    found = read_family(path)
    assert [(row.seed, row.examples, row.final) for row in found] == [
        (1, 8_000, False), (2, 96_000, True),
    ]  # fmt: skip
    assert set(found) == set(rows)
    assert found[0].cate == CELL.cate
    assert [each.name for each in path.parent.iterdir()] == ["family.csv"]


def test_writing_again_replaces_the_table(tmp_path: Path) -> None:
    path = tmp_path / "family.csv"
    write_family(family_rows("skewed", 1, 8_000, True, [CELL]), path)
    write_family(family_rows("balanced", 1, 8_000, True, [CELL]), path)
    assert [row.mix for row in read_family(path)] == ["balanced"]


def test_reading_it_needs_no_torch() -> None:
    script = (
        "import sys, biaslab.training.origins.predictions, biaslab.training.origins.rows;"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
