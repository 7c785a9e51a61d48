"""The bundle's Parquet says what its records say, and other programs read it."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest

from biaslab.publishing.paper import bundle_writing
from tests.publishing.paper.conftest import done, invoke

Runs = tuple[Path, dict[str, str]]
DOCS = Path(__file__).resolve().parents[3] / "docs" / "paper.md"


@pytest.fixture(scope="module")
def paper(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    db, ids = runs
    out = tmp_path_factory.mktemp("parquet") / "paper"
    done("paper", *ids.values(), "--db", db, "--out", out)
    return out


def lines_for_pandas() -> str:
    text = DOCS.read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```python\n(import pandas\n.*?)^```", text, re.M | re.S)
    return str(lines)


def effects(paper: Path) -> pd.DataFrame:
    return pd.DataFrame(json.loads((paper / "bundle/effects.json").read_text()))


def test_the_lines_for_pandas_in_the_docs_give_the_effects(paper, monkeypatch, capsys):
    lines = lines_for_pandas()
    assert len([line for line in lines.splitlines() if line]) == 5
    monkeypatch.chdir(paper.parent)
    scope: dict[str, pd.DataFrame] = {}
    exec(lines, scope)

    means = scope["means"]
    found = (means["x"] - means["x_prime"]).groupby("run").mean()
    overall = effects(paper)
    all_read = overall[(overall["stratum"] == "all") & (overall["invalid_x"] == 0)
                       & (overall["invalid_x_prime"] == 0)]  # fmt: skip
    assert len(all_read) >= 5
    printed = capsys.readouterr().out
    for _, row in all_read.iterrows():
        assert found[row["run"]] == pytest.approx(row["cate"], abs=1e-9)
        assert row["run"] in printed


def test_a_row_for_each_run_has_what_the_effects_say_of_it(paper):
    table = pd.read_parquet(paper / "bundle/effects.parquet").set_index("run")
    overall = effects(paper).query("stratum == 'all'").set_index("run")

    assert list(table.index) == list(overall.index)
    for column in ("n", "clusters", "cate", "ci_low", "ci_high"):
        assert table[column].to_list() == overall[column].to_list()


def test_a_row_for_each_answer_has_what_was_asked_and_read(paper, runs):
    outcomes = pd.read_parquet(paper / "bundle/outcomes.parquet")
    assert set(outcomes["run"]) == set(runs[1].values())
    rows = outcomes[outcomes["run"] == runs[1]["samples"]]
    assert len(rows) == 24 * 2 * 5
    lines = (paper / "bundle/responses.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(rows["response"]) <= {json.loads(line)["text"] for line in lines}


@pytest.mark.parametrize("honest", [True, False], ids=["by its checksum", "made again"])
def test_parquet_that_says_something_else_is_told(paper, tmp_path, honest):
    bundle = Path(shutil.copytree(paper / "bundle", tmp_path / "copy"))
    path = bundle / "effects.parquet"
    changed = pd.read_parquet(path)
    changed["cate"] = -changed["cate"]
    changed.to_parquet(path)
    if not honest:
        manifest = json.loads((bundle / "manifest.json").read_text())
        manifest["sha256"][path.name] = sha256(path.read_bytes()).hexdigest()
        (bundle / "manifest.json").write_text(json.dumps(manifest))

    said = invoke("reproduce", bundle).stdout.splitlines()[-1]
    assert said == (
        "Differs: effects.parquet was changed: its checksum is not the manifest's."
        if honest
        else "Differs: effects.parquet is not what the records next to it give."
    )


def test_parquet_of_another_version_is_not_compared(paper, tmp_path):
    bundle = Path(shutil.copytree(paper / "bundle", tmp_path / "copy"))
    manifest = json.loads((bundle / "manifest.json").read_text())
    manifest["versions"]["pyarrow"] = "0.0.1"
    (bundle / "manifest.json").write_text(json.dumps(manifest))

    said = invoke("reproduce", bundle, "--ignore-versions")
    assert said.exit_code == 0
    assert "not compared: another pyarrow wrote them." in said.stdout


def test_without_pyarrow_a_bundle_has_no_parquet_and_is_whole(runs, tmp_path, monkeypatch):
    db, ids = runs
    monkeypatch.setattr(bundle_writing, "parquet_version", lambda: "")
    done("paper", ids["keyword"], "--db", db, "--out", tmp_path / "paper")

    assert not list((tmp_path / "paper/bundle").glob("*.parquet"))
    assert "parquet" not in (tmp_path / "paper/bundle/README.md").read_text()
    assert invoke("reproduce", tmp_path / "paper").exit_code == 0
