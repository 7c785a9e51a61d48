"""Claims are judged by pairs, from files as their authors wrote them (made up here)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from biaslab.stats.errors import BrokenAssets
from research.claims.claims import CLAIMS, ClaimVerdict, judge, main, table

LINEAR, PRODUCTS, PLUS = CLAIMS[0], CLAIMS[5], CLAIMS[8]


def written(folder: Path, file: str, text: str) -> Path:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return folder


def linear(folder: Path, right: list[tuple[int, int]], inputs: list[int] | None = None) -> Path:
    lines = ["index\ttask\tinput\toutput\tcorrect"]
    for arm, task, slope in ((0, "conversion_actual", 1.8), (1, "conversion_fake", 1.4)):
        for at, pair in enumerate(right):
            given = inputs[at] if inputs else at
            lines.append(f"{at}\t{task}\t{given}\t{given * slope}\t{pair[arm]}")
    return written(folder, LINEAR.file, "\n".join(lines))


def plus(folder: Path, tp: int, fn: int, fp: int, tn: int) -> Path:
    counts = {"tp": tp, "fn": fn, "fp": fp, "tn": tn}
    text = json.dumps({"GPT-4": {"conf_mat_wo_ncr_count": counts}})
    return written(folder, PLUS.file, text)


def only(folder: Path) -> ClaimVerdict:
    (found,) = judge(folder, (LINEAR, PRODUCTS, PLUS))
    return found


@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        ([(1, 0)] * 30 + [(1, 1)] * 10, "holds"),
        ([(0, 1)] * 30 + [(1, 1)] * 10, "the other way round"),
        ([(1, 0), (0, 1)] * 20, "not shown by these pairs"),
    ],
)
def test_a_claim_holds_where_its_pairs_show_it(
    right: list[tuple[int, int]], verdict: str, tmp_path: Path
) -> None:
    found = only(linear(tmp_path, right))
    assert (found.found.n, found.verdict) == (40, verdict)
    assert "answers are" in found.note


def test_a_question_asked_twice_is_no_second_witness(tmp_path: Path) -> None:
    right = [(1, 0), (0, 0)] * 15
    once = only(linear(tmp_path, right)).found
    twice = only(linear(tmp_path, right * 2, [*range(30), *range(30)])).found
    assert (once.clusters, twice.clusters) == (30, 30)
    assert twice.ci_low == pytest.approx(once.ci_low, abs=0.03)


def test_changed_forms_of_a_question_count_as_one(tmp_path: Path) -> None:
    found = only(plus(tmp_path, tp=700, fn=140, fp=70, tn=90 * 7))
    assert found.found.n == 220
    assert found.found.difference == pytest.approx(10 / 220)


def test_what_is_not_as_it_was_released_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenAssets, match="git clone"):
        judge(tmp_path)
    with pytest.raises(BrokenAssets, match="neither 0 nor 1"):
        only(linear(tmp_path, [(2, 0)]))
    with pytest.raises(BrokenAssets, match="not as it was released"):
        only(written(tmp_path / "plus", PLUS.file, "{}"))


def test_the_command_prints_a_table_and_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    linear(tmp_path, [(1, 0)] * 30)
    assert main([str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "\n".join(table(judge(tmp_path))) in said
    assert said.count("Not judged") == len(CLAIMS) - 1
    assert main([str(tmp_path / "nowhere")]) == 2
