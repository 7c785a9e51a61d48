"""Stages of a training are asked by one plan and drawn with their intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.stages import main, picture, ratio_of, stages

PLAN = """
studies:
  - {study: consistency, n: 30, seed: 1, steps: 1-1}
models: [learner:perfect, learner:halfway, learner:keyword]
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "stages.yaml"
    path.write_text(PLAN)
    return path


def test_every_stage_is_asked_once_and_stands_on_the_page(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, out = tmp_path / "runs.db", tmp_path / "stages.html"
    arguments = [str(plan), "--db", str(db), "--ratios=-,1:1,5:1", "--out", str(out)]
    assert main(arguments) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("learner:perfect  0.00 (")
    assert third.startswith("learner:keyword  +100.00 (")
    page = out.read_text()
    assert page.count("<tr><td>") == 3
    assert "<td>5:1</td>" in page
    assert "The effect over the ratio of the corpus" in page
    assert "<script src" not in page
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[1] == second


def test_a_picture_has_a_mark_for_each_stage_whose_ratio_is_known(
    plan: Path, tmp_path: Path
) -> None:
    db = tmp_path / "runs.db"
    assert main([str(plan), "--db", str(db), "--out", str(tmp_path / "out.html")]) == 0
    from biaslab.runs import open_store

    with open_store(db) as store:
        runs = [run.id for run in store.runs()]
    found = stages(db, runs, [None, 1.0, 5.0])
    assert len(picture(found).data) == 3
    by_ratio = picture(found, by_ratio=True)
    assert [trace.x[0] for trace in by_ratio.data] == pytest.approx([0.0, 2.3219], abs=1e-3)
    # Bars are lines beside that of no effect.
    assert len(by_ratio.layout.shapes) == 3


def test_what_is_no_ratio_is_refused(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (ratio_of("5:1"), ratio_of("-")) == (5.0, None)
    for text in ("five", "5:0", "-1:1", "5"):
        with pytest.raises(ValueError, match=r"is no ratio|could not convert"):
            ratio_of(text)
    arguments = [str(plan), "--db", str(tmp_path / "a.db"), "--out", str(tmp_path / "a.html")]
    assert main([*arguments, "--ratios=1:1"]) == 2
    assert "1 ratios are given for 3 stages" in capsys.readouterr().err


def test_what_is_no_plan_is_refused_in_its_own_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "none.yaml"
    plan.write_text("models: [learner:perfect]")
    arguments = [str(plan), "--db", str(tmp_path / "a.db"), "--out", str(tmp_path / "a.html")]
    assert main(arguments) == 2
    assert "studies" in capsys.readouterr().err
