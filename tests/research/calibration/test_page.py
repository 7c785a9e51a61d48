"""What the page says of calibration is what its figures say."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from research.calibration.markdown import calibration_cells, markdown_table

DOCS = Path(__file__).resolve().parents[3] / "research" / "docs"
PAGE = (DOCS / "calibration.md").read_text(encoding="utf-8")
with (DOCS / "calibration.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def figures(section: str, column: str, part: str = "", row: str = "") -> list[float]:
    """The numbers of a column, without their intervals."""
    found = [
        each["value"]
        for each in ROWS
        if each["section"] == section and each["column"] == column
        and part in each["part"] and row in each["row"]
    ]  # fmt: skip
    assert found, (section, column, part, row)
    return [float(m[0].replace(",", "")) for v in found if (m := re.match(r"[\d.,]+", v))]


def test_the_sentences_have_the_figures_of_the_file() -> None:
    null = figures("Every study", "false findings", "without")
    assert f"In {len(null)} rows of 400 designs" in PAGE
    assert f"between {min(null)} and {max(null)} %" in PAGE
    assert f"{sum(null) / len(null):.1f} % on average" in PAGE
    held = figures("Every study", "intervals that hold the truth", "set strength")
    assert f"In {len(held)} rows" in PAGE
    assert f"in {min(held)} to {max(held)} % of designs" in PAGE

    own = figures("Intervals", "lowest", row="imagined-pairs")
    wrong = figures("Intervals", "false findings", row="imagined-pairs")
    assert f"Over {len(own)} kinds of pairs and clusters" in PAGE
    assert f"{min(own)} % at its lowest" in PAGE
    assert f"at most {max(wrong)} % false findings. Student's t falls to" in PAGE
    plain = figures("Intervals", "lowest", row=", t")
    assert f"falls to {min(plain)} %" in PAGE

    rules = figures("Stopping rules", "lowest")
    assert f"Over {len(rules)} rules" in PAGE
    assert f"in {min(rules)} % or more" in PAGE
    assert f"at most {max(figures('Stopping rules', 'false findings'))} % false" in PAGE
    assert f"the plain one falls to {min(figures('Stopping rules', 'plain: lowest'))} %" in PAGE

    half = figures("Decision biases", "intervals that hold it")
    assert f"in {min(half)} to {max(half)} % of draws" in PAGE
    tutors = figures("Questions about tutors", "intervals that hold the truth")
    assert f"in {min(tutors)} % or more" in PAGE
    for study in ("trap", "wrong-step"):
        found = figures("Questions about tutors", "20 points: found", row=study)[0]
        assert f"{found} % (`{study}`)" in PAGE
    named = figures("Your class", "it is named (95 % interval)", row="all")
    assert f"named for {named[-1]} %" in PAGE


def test_every_cell_of_a_table_is_a_line() -> None:
    table = markdown_table(("study", "n", "found"), [("`a`", "1", "2 %"), ("b", "3", "4 %")], 1)
    cells = list(calibration_cells({"One": f"Words.\n\n### Part\n\n{table}\n\nMore."}))
    assert [tuple(each) for each in cells] == [
        ("One", "Part", "a", "n", "1"), ("One", "Part", "a", "found", "2 %"),
        ("One", "Part", "b", "n", "3"), ("One", "Part", "b", "found", "4 %"),
    ]  # fmt: skip
