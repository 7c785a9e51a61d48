"""Runs go out as a data set that other programs load as it is."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
import yaml
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import PairMark, Store, prepare, run_here, save_note
from biaslab.studies import Design
from tests.runs.tools.conftest import effect_of, needs


@pytest.fixture
def folder(store: Store, tmp_path: Path) -> Path:
    """A data set of two runs of unlike studies."""
    runs = [
        prepare(store, Design("carry", 6, 1), "learner:carry-dropper", "direct"),
        prepare(store, Design("decision", 6, 1), "learner:swayed", "choose"),
    ]
    for run in runs:
        assert run_here(store, run).failed == 0
    command = ["data-set", *runs, "--db", str(store.path), "--out", str(tmp_path / "set")]
    command += ["--organization", "A school"]
    done = CliRunner().invoke(main, [*command, "--title", "Two | runs", "--license", "cc0-1.0"])
    assert done.exit_code == 0, done.output
    assert "new or empty" in CliRunner().invoke(main, command).output
    return tmp_path / "set"


def test_pandas_reads_the_answers_and_the_effects_of_every_run(folder: Path, store: Store) -> None:
    responses = pd.read_parquet(folder / "data" / "responses.parquet")
    effects = pd.read_parquet(folder / "data" / "effects.parquet").set_index("run")
    assert len(responses) == 24
    for run, rows in responses.groupby("run"):
        means = rows.pivot_table(index="pair", columns="arm", values="outcome")
        ours = effect_of(store, str(run))
        assert (means["x"] - means["x_prime"]).mean() == pytest.approx(ours.cate, abs=1e-9)
        assert effects.loc[str(run), "cate"] == ours.cate
        assert json.loads(rows["strata"].iloc[0])


def test_card_and_metadata_name_every_file_with_its_sum(folder: Path) -> None:
    head = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    assert head["license"] == "cc0-1.0"
    paths = [each["data_files"][0]["path"] for each in head["configs"]]
    metadata = json.loads((folder / "croissant.json").read_text())
    sums = {each["contentUrl"]: each["sha256"] for each in metadata["distribution"]}
    found = {path: sha256((folder / path).read_bytes()).hexdigest() for path in paths}
    assert sums == found


def test_marks_and_notes_go_out_only_where_they_are_asked_for(store: Store, tmp_path: Path) -> None:
    run = prepare(store, Design("carry", 3, 1), "learner:carry-dropper", "direct")
    run_here(store, run)
    pair = store.pair_rows(run)[0].pair
    save_note(store, run, pair, PairMark.STAR, "of my own")

    def answers(*options: str) -> pd.DataFrame:
        out = tmp_path / f"set{len(options)}"
        command = ["data-set", run, "--db", str(store.path), "--out", str(out), *options]
        assert CliRunner().invoke(main, command).exit_code == 0
        return pd.read_parquet(out / "data" / "responses.parquet")

    assert not {"mark", "note"} & set(answers().columns)
    rows = answers("--notes")
    assert set(rows[rows["pair"] == pair]["note"]) == {"of my own"}
    assert set(rows[rows["pair"] == pair]["mark"]) == {"star"}
    assert rows[rows["pair"] != pair][["mark", "note"]].isna().all().all()


@needs("datasets")
def test_load_dataset_reads_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    from datasets import load_dataset

    for name, rows in (("responses", 24), ("effects", 2)):
        found = load_dataset(str(folder), name, cache_dir=str(tmp_path / "cache"))["test"]
        assert found.num_rows == rows
        assert "null" not in {feature.dtype for feature in found.features.values()}


@needs("mlcroissant")
def test_croissant_reads_its_metadata_without_an_error(folder: Path) -> None:
    import mlcroissant

    found = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not found.metadata.ctx.issues.errors
    rows = list(found.records("effects"))
    assert len(rows) == 2
    assert {"effects/cate", "effects/n"} <= set(rows[0])


def test_effects_for_every_eval_ever_are_ours_with_interval_and_counts(
    folder: Path, store: Store
) -> None:
    for record in store.runs():
        found = json.loads((folder / "every_eval_ever" / f"{record.id}.json").read_text())
        ours = effect_of(store, record.id)
        details = found["evaluation_results"][0]["score_details"]
        interval = details["uncertainty"]["confidence_interval"]
        assert (details["score"], interval["lower"], interval["upper"]) == (
            ours.cate, ours.ci_low, ours.ci_high,
        )  # fmt: skip
        assert details["uncertainty"]["num_samples"] == ours.n
        names = [each["metric_config"]["metric_name"] for each in found["evaluation_results"]]
        assert names == (["cate", "accuracy_x", "accuracy_x_prime"] if ours.binary else ["cate"])


@needs("every_eval_ever")
def test_the_schema_of_every_eval_ever_takes_them(folder: Path) -> None:
    # Its package wants a newer Python than this one: only its schema is read.
    package = find_spec("every_eval_ever")
    assert package is not None
    assert package.origin is not None
    schema = Path(package.origin).parent / "schemas" / "eval.schema.json"
    for file in (folder / "every_eval_ever").glob("*.json"):
        jsonschema.validate(json.loads(file.read_text()), json.loads(schema.read_text()))
