"""The table of public corpora in the docs holds the counts that are kept, and nothing else."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNTS = ROOT / "assets" / "audit" / "public_corpora.csv"


def rows() -> list[dict[str, str]]:
    with COUNTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def line(source: str, found: Mapping[tuple[str, str], Mapping[str, str]]) -> str:
    """A row of the table in docs/audit.md."""

    def count(feature: str, kind: str) -> int:
        return int(found[feature, kind]["count"])

    wording, problems = found["wording", "consistent"], found["problems", "transfer"]
    both = count("problems", "both")
    cells = (
        source,
        f"{int(wording['texts']):,}",
        f"{count('wording', 'consistent')} : {count('wording', 'inconsistent')}",
        f"{wording['told']} of {wording['of']} texts",
        f"{count('problems', 'transfer'):,} : {count('problems', 'comparison') + both} ({both})",
        str(count("problems", "neither")),
        f"{int(problems['told']):,} of {int(problems['of']):,}",
    )
    return f"| {' | '.join(cells)} |"


def test_the_table_in_the_docs_is_the_one_of_the_kept_counts():
    by_source: dict[str, dict[tuple[str, str], dict[str, str]]] = {}
    for row in rows():
        by_source.setdefault(row["source"], {})[row["feature"], row["kind"]] = row
    shown = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8").splitlines()
    expected = [line(source, found) for source, found in by_source.items()]
    assert [each for each in expected if each not in shown] == []


def test_no_text_is_kept_and_counts_add_up():
    for row in rows():
        assert len(" ".join(row.values())) < 80
        assert 0 <= int(row["count"]) <= int(row["n"])
        assert int(row["told"]) <= int(row["of"]) <= int(row["texts"])
