"""What a paper about origins says follows the tables, and what is missing is told."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from biaslab.publishing.paper.bundle import versions
from biaslab.publishing.paper.methods import as_text
from research.experiment.design import (
    CHECKS,
    CONSISTENCY,
    PREDICTIONS,
    ROWS,
    STUDIES,
    at_fixed_total,
)
from research.experiment.table import pairs_file, write_pairs, write_table
from research.family import write_family
from research.paper.contents import Contents, read_contents
from research.paper.tables import tables
from research.paper.wording import limitations, methods, results
from research.tuning.design import TUNING_FILE
from tests.research.experiment.simulated_table import Simulated, by_ratio, simulated
from tests.training.origins.synthetic_family import synthetic_family


def contents_of(folder: Path, made: Simulated | None, tuning: Path | None = None) -> Contents:
    write_family(synthetic_family(), folder / "family.csv")
    table = folder / "experiment.csv"
    if made is not None:
        write_table(made.table, table)
        write_pairs(made.pairs, pairs_file(table))
    return read_contents(folder / "family.csv", table, tuning or folder / "tuning.csv")


def rows_of(contents: Contents, name: str) -> list[dict[str, str]]:
    (found,) = [each for each in tables(contents) if each.name == name]
    return list(csv.DictReader(io.StringIO(found.csv)))


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """The experiment has no table yet."""
    return contents_of(tmp_path_factory.mktemp("nothing"), None)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """One start's cells of the first row are at their second check."""
    made = simulated(by_ratio(8), at_fixed_total(CONSISTENCY), starts=1, checks=CHECKS[:2])
    return contents_of(tmp_path_factory.mktemp("one"), made)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Every start of every training, with an effect of eight points a doubling."""
    planned = {
        (cell.name, 101 + start)
        for row in ROWS
        for cell in row.cells
        for start in range(row.starts)
    }
    made = simulated(by_ratio(8), starts=10)
    rows = [kept for kept in made.table if (kept.row.mix, kept.row.seed) in planned]
    # Of the first start, as in the project's own table, only counts were kept.
    pairs = [each for each in made.pairs if (each.cell, each.seed) in planned and each.seed > 101]
    folder = tmp_path_factory.mktemp("whole")
    return contents_of(folder, Simulated(rows, pairs), TUNING_FILE)


def test_without_any_training_it_says_so_and_shows_what_the_family_gives(nothing):
    said = " ".join(limitations(nothing))

    assert "0 of 295 trainings are at their end" in said
    assert "No dose-response curve yet of consistency, transfer-comparison and carry" in said
    assert "dose-response" not in {each.name for each in tables(nothing)}
    assert {row["holds"] for row in rows_of(nothing, "claims")} == {"not yet trained"}
    assert {row["study"] for row in rows_of(nothing, "family-effects")} == set(STUDIES)
    assert "no curve yet" in as_text(results(nothing))
    assert "school-mixes" not in {each.name for each in tables(nothing)}


def test_one_start_on_its_way_has_the_interval_over_items_and_decides_nothing(one):
    dose = rows_of(one, "dose-response")

    assert [row["ratio"] for row in dose] == [
        "1:5", "1:1", "2:1", "5:1", "20:1", "slope a doubling",
    ]  # fmt: skip
    assert {row["interval_over"] for row in dose} == {"items"}
    assert all(row["low"] for row in dose[:-1])
    assert not dose[-1]["low"]
    assert "after 16,384 of 131,072 lessons" in dose[0]["when"]
    assert "rests on 1 start, and no verdict comes before 5" in " ".join(limitations(one))
    verdicts = [row["verdict"] for row in rows_of(one, "predictions") if row["table"] != "family"]
    assert set(verdicts) == {"undecided: not measured"}


def test_all_starts_give_verdicts_a_curve_of_each_study_and_nothing_missing(whole):
    said = " ".join(limitations(whole))
    assert "not finished" not in said
    assert "curve yet" not in said
    written = as_text(methods(whole, versions(), "0" * 64))
    assert "295 of these trainings are at their end" in written
    school = rows_of(whole, "school-mixes")
    assert {row["mix"] for row in school} == {"audited", "skewed", "balanced"}
    assert {row["starts"] for row in school} == {"10"}
    assert "With the ratios of public corpora" in as_text(results(whole))

    found = {row["title"]: row["verdict"] for row in rows_of(whole, "predictions")}
    assert found["Dose"] == "as predicted"
    slopes = [row for row in rows_of(whole, "dose-response") if ":" not in row["ratio"]]
    assert [row["study"] for row in slopes] == list(STUDIES)
    assert all(float(row["low"]) < 0.08 < float(row["high"]) for row in slopes)
    assert all(row["starts"] == "10" for row in slopes)


def test_every_claim_stands_in_the_table_of_claims(whole):
    claims = [claim for each in PREDICTIONS for claim in each.claims]

    rows = rows_of(whole, "claims")

    assert [row["figure"] for row in rows] == [claim.figure for claim in claims]
    # No member of a pair comes to 80 % here, so there is no delay to judge.
    unknown = {row["figure"] for row in rows if row["holds"] == "not yet trained"}
    assert unknown == {"delay"}


def test_the_claims_stand_again_from_single_pairs_of_the_starts_that_keep_them(whole):
    counted = {row["claim"]: row for row in rows_of(whole, "claims")}

    rows = rows_of(whole, "crossed")

    assert {row["figure"] for row in rows} == {row["figure"] for row in counted.values()} - {
        "delay", "size",
    }  # fmt: skip
    assert {row["starts"] for row in rows} == {"9"}
    for row in rows:
        assert float(row["low"]) < float(row["value"]) < float(row["high"])
        assert float(row["low_by_counts"]) < float(row["value"]) < float(row["high_by_counts"])
    for row in rows:
        of_shares = row["figure"] in ("rarer", "commoner", "both")
        assert bool(row["log_odds"]) is not of_shares
    assert "1 start (101) only counts were kept" in " ".join(limitations(whole))
    assert "crossed random effects" in as_text(methods(whole, versions(), "0" * 64))


def test_fine_tuning_has_its_table_its_verdicts_and_a_sentence(whole, nothing):
    rows = rows_of(whole, "fine-tuning")

    assert {row["begins"] for row in rows} == {"32k", "end"}
    assert any(row["lessons_of"] == "balanced minus own" for row in rows)
    told = {row["table"] for row in rows_of(whole, "predictions")}
    assert told == {"family", "experiment", "fine-tuning"}
    assert "balanced lessons" in as_text(results(whole))
    assert "fine-tuning" not in {each.name for each in tables(nothing)}
    assert "Fine-tuning, prediction" not in as_text(results(nothing))
    assert "missing" in " ".join(limitations(nothing))


def test_a_family_without_rows_is_said_to_have_none(tmp_path):
    write_family((), tmp_path / "family.csv")

    empty = read_contents(tmp_path / "family.csv", tmp_path / "none.csv", tmp_path / "no.csv")

    assert "The table of the family has no rows: nothing is said of it." in limitations(empty)
    assert "family-effects" not in {each.name for each in tables(empty)}
    assert as_text(results(empty))
