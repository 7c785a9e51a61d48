"""A paper about origins has the files of any paper, and rests on the tables as they are."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.publishing.paper import Paper
from biaslab.training.origins.rows import FAMILY_FILE
from research.experiment.design import CONSISTENCY, PREDICTIONS, at_fixed_total
from research.experiment.table import pairs_file, read_pairs, read_table, write_pairs, write_table
from research.family import write_family
from research.paper import make_origins
from research.paper.__main__ import main as write_origins
from research.tuning.design import TUNING_FILE
from tests.research.experiment.simulated_table import Simulated, by_ratio, simulated
from tests.training.origins.synthetic_family import synthetic_family


@pytest.fixture(scope="module")
def made() -> Simulated:
    """Two starts of the first row."""
    return simulated(by_ratio(8), at_fixed_total(CONSISTENCY), starts=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, made: Simulated) -> Path:
    """The tables, and the experiment's pairs."""
    found = tmp_path_factory.mktemp("tables")
    write_family(synthetic_family(), found / "family.csv")
    write_table(made.table, found / "experiment.csv")
    write_pairs(made.pairs, pairs_file(found / "experiment.csv"))
    return found


@pytest.fixture(scope="module")
def paper(folder: Path) -> Paper:
    return make_origins(folder / "family.csv", folder / "experiment.csv")


def text_of(paper: Paper, name: str) -> str:
    return paper.files[name].decode()


def test_the_curve_is_drawn_in_every_width_and_format_and_taken_into_the_document(paper):
    for width in ("one-column", "two-column"):
        for ending in ("pdf", "svg", "png"):
            assert f"figures/dose-response-{width}.{ending}" in paper.files
            assert f"figures/family-carry-{width}.{ending}" in paper.files
    assert "figures/dose-response-two-column.pdf" in text_of(paper, "paper.tex")
    for name in ("methods", "results", "limitations", "tables/claims", "tables/dose-response"):
        assert rf"\input{{{name}}}" in text_of(paper, "paper.tex")


def test_the_bundle_holds_the_tables_as_they_are_and_their_checksums(paper, folder, made, tmp_path):
    assert paper.files["bundle/family.csv"] == (folder / "family.csv").read_bytes()
    (tmp_path / "again.csv").write_bytes(paper.files["bundle/experiment.csv"])
    assert set(read_table(tmp_path / "again.csv")) == set(made.table)
    (tmp_path / "pairs.csv").write_bytes(paper.files["bundle/experiment_pairs.csv"])
    assert set(read_pairs(tmp_path / "pairs.csv")) == set(made.pairs)
    assert paper.files["bundle/tuning.csv"] == TUNING_FILE.read_bytes()
    told = json.loads(paper.files["bundle/predictions.json"])
    assert [len(each["claims"]) for each in told] == [len(each.claims) for each in PREDICTIONS]
    manifest = json.loads(paper.files["bundle/manifest.json"])
    for name, checksum in manifest["sha256"].items():
        assert sha256(paper.files[f"bundle/{name}"]).hexdigest() == checksum
    assert manifest["table"] == ["simulated"]
    assert sha256(paper.files["bundle/manifest.json"]).hexdigest() == paper.digest
    assert paper.digest in text_of(paper, "references.bib")


def test_the_same_tables_give_the_same_bytes(paper, folder):
    again = make_origins(folder / "family.csv", folder / "experiment.csv")

    assert again.files == paper.files


def test_nothing_is_lost_on_the_way_to_latex(paper):
    for name in paper.files:
        if name.endswith(".tex"):
            assert "[U+" not in text_of(paper, name)
            assert text_of(paper, name).count("{") == text_of(paper, name).count("}")


def test_before_the_experiment_there_is_no_figure_of_it(folder, tmp_path):
    paper = make_origins(folder / "family.csv", tmp_path / "none.csv")

    assert not any("dose-response" in name for name in paper.files)
    assert "dose-response" not in text_of(paper, "paper.tex")
    assert "bundle/experiment.csv" not in paper.files
    assert "figures/family-consistency-two-column.pdf" in paper.files


def test_the_command_writes_the_project_s_own_tables(tmp_path):
    out = tmp_path / "origins"

    done = CliRunner().invoke(write_origins, [str(out)])

    assert done.exit_code == 0, done.output
    assert (out / "bundle" / "family.csv").read_bytes() == FAMILY_FILE.read_bytes()
    assert "Manifest of the bundle: sha256" in done.output
    again = CliRunner().invoke(main, ["reproduce", str(out)])
    assert again.exit_code == 1
    assert "`python -m research.paper` makes it again" in again.output


def test_a_folder_that_holds_something_is_refused(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()

    full = CliRunner().invoke(write_origins, [str(tmp_path / "there")])

    assert full.exit_code == 1
    assert "not empty" in full.output
