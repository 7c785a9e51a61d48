"""The table of public corpora in the docs holds the counts that are kept, and nothing else."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from biaslab.audit import LEAST_TOLD, public_corpora
from biaslab.audit.report import ComparisonVerdict, Label
from biaslab.audit.stratified import UnitStratum, stratified_share
from schoolmath.text.figures import percent, percents

ROOT = Path(__file__).resolve().parents[2]
COUNTS = ROOT / "assets" / "audit" / "public_corpora.csv"

SAMPLE = ROOT / "assets" / "audit" / "checked_sample.csv"


def rows() -> list[dict[str, str]]:
    with COUNTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def line(source: str, found: Mapping[tuple[str, str], Mapping[str, str]]) -> str:
    """A row of the table in docs/origins.md."""

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
    shown = (ROOT / "docs" / "origins.md").read_text(encoding="utf-8").splitlines()
    expected = [line(source, found) for source, found in by_source.items()]
    assert [each for each in expected if each not in shown] == []


def test_no_text_is_kept_and_counts_add_up():
    for row in rows():
        assert len(" ".join(row.values())) < 80
        assert 0 <= int(row["count"]) <= int(row["n"])
        assert int(row["told"]) <= int(row["of"]) <= int(row["texts"])


def corrected(of: tuple[str, ...], among: tuple[str, ...], kind: Callable[[dict[str, str]], str]):
    """A share from the judged sample that is kept, as the docs print it."""
    strata: dict[str, tuple[int, Counter[str]]] = {}
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            _, found = strata.setdefault(row["stratum"], (int(row["size"]), Counter()))
            found[kind(row)] += int(row["judged"])
    share = stratified_share(
        [UnitStratum(size, found) for size, found in strata.values()], of, among
    )
    return f"{percent(share.share)} ({percents(share.interval.low, share.interval.high)})"


def problem(row: dict[str, str]) -> str:
    return Label(ComparisonVerdict(row["comparison"]), row["transfer"] == "yes").problem


def test_the_corrected_shares_in_the_docs_follow_from_the_judged_sample():
    docs = (ROOT / "docs" / "origins.md").read_text(encoding="utf-8")
    kinds = ("transfer", "comparison", "both", "neither")
    wording = corrected(
        ("consistent",), ("consistent", "inconsistent"), lambda row: row["comparison"]
    )
    shares = [wording, *(corrected((kind,), kinds, problem) for kind in kinds)]
    assert [share for share in shares if f"| {share} |" not in docs] == []


def test_ratios_of_public_corpora_are_those_of_the_table_where_enough_was_told():
    found = {corpus.name: corpus for corpus in public_corpora()}
    assert list(found) == ["All 7 corpora", "ASDiv", "GSM8K", "SVAMP"]
    assert found["ASDiv"].ratios["consistent:inconsistent"] == (15, 9)
    assert found["ASDiv"].ratios["transfer:comparison"] == (558, 37)
    assert "no-carry:carry" not in found["GSM8K"].ratios, "12 are too few"
    assert all(sum(pair) >= LEAST_TOLD for each in found.values() for pair in each.ratios.values())
