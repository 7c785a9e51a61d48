"""Two logs of any task compared: null cases, known differences, clusters, samples in one only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.stats import cate_estimate
from biaslab.stats.comparisons.logs import BY_MCNEMAR, compare_logs, log_sentences


@dataclass(frozen=True)
class Log:
    """A log in memory."""

    name: str
    scores: Mapping[Any, float]
    clusters: Mapping[Any, str] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)


def log(name: str, scores: Sequence[float], **more: Any) -> Log:
    return Log(name, {(str(at), 1): float(each) for at, each in enumerate(scores)}, **more)


def test_the_figures_are_those_of_the_app_and_p_is_the_exact_test() -> None:
    lots = np.random.default_rng(1)
    x, y = (lots.random(300) < share for share in (0.7, 0.55))
    (found,) = compare_logs([log("a", x), log("b", y)])
    estimate = cate_estimate(x.astype(float), y.astype(float))
    assert estimate.interval is not None
    assert found.difference == pytest.approx(estimate.mean, abs=1e-12)
    assert found.ci_low == pytest.approx(estimate.interval.low, abs=1e-12)
    assert found.ci_high == pytest.approx(estimate.interval.high, abs=1e-12)
    differing, only = int((x != y).sum()), int((x & ~y).sum())
    assert found.p == pytest.approx(scipy.stats.binomtest(only, differing).pvalue, abs=1e-12)
    assert found.test == BY_MCNEMAR
    assert log_sentences(found)[0].startswith("a scores higher: +")


def test_where_nothing_differs_intervals_hold_zero_as_often_as_they_promise() -> None:
    lots = np.random.default_rng(2)
    held = clear = 0
    for _ in range(400):
        base = lots.uniform(0.2, 0.9, 60)
        (none,) = compare_logs([log(n, lots.random(60) < base) for n in "ab"])
        (some,) = compare_logs(
            [log("a", lots.random(60) < base), log("b", lots.random(60) < base - 0.2)]
        )
        assert none.ci_low is not None
        assert none.ci_high is not None
        held += none.ci_low <= 0 <= none.ci_high
        clear += bool(some.ci_low and some.ci_low > 0)
    assert held >= scipy.stats.binom.ppf(0.001, 400, 0.95)
    assert clear > 200


def test_samples_that_share_a_cluster_count_as_one_group() -> None:
    x, y = np.repeat([1, 1, 0, 1, 1, 0], 20), np.repeat([0, 1, 0, 1, 0, 0], 20)
    clusters = {(str(at), 1): str(at // 20) for at in range(120)}
    (alone,) = compare_logs([log("a", x), log("b", y)])
    (grouped,) = compare_logs([log("a", x, clusters=clusters), log("b", y)])
    assert (alone.clusters, grouped.clusters) == (120, 6)
    assert alone.p is not None
    assert grouped.p is not None
    assert alone.p < 0.001 < 0.05 < grouped.p
    assert "120 samples in 6 groups" in " ".join(log_sentences(grouped))


def test_epochs_of_one_id_are_one_group() -> None:
    scores = {(str(at), epoch): float(at % 2) for at in range(10) for epoch in range(5)}
    (found,) = compare_logs([Log("a", scores), Log("b", dict.fromkeys(scores, 1.0))])
    assert (found.n, found.clusters) == (50, 10)


def test_what_only_one_log_has_and_what_was_left_out_is_said() -> None:
    (found,) = compare_logs(
        [log("a", [1, 0, 1, 1], left_out={"no id": 2}), log("b", [1, 0])]
    )  # fmt: skip
    assert (found.n, found.only_a, found.only_b) == (2, 2, 0)
    said = " ".join(log_sentences(found))
    assert "Only in a: 2 samples." in said
    assert "Left out of a: 2 samples with no id." in said
    (nothing,) = compare_logs([Log("a", {("x", 1): 1.0}), Log("b", {("y", 1): 1.0})])
    assert (nothing.n, nothing.difference, nothing.p) == (0, None, None)
    assert log_sentences(nothing)[0] == "a and b have no sample in common."


def test_scores_on_any_scale_are_compared_in_their_unit() -> None:
    lots = np.random.default_rng(3)
    x = lots.normal(50, 10, 200)
    (found,) = compare_logs([log("a", x + lots.normal(4, 3, 200)), log("b", x)])
    assert found.difference == pytest.approx(4, abs=0.7)
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert 3 < found.ci_low < found.ci_high < 5
    assert "points" not in log_sentences(found)[0]


def test_several_logs_share_a_false_discovery_rate() -> None:
    lots = np.random.default_rng(4)
    found = compare_logs([log(name, lots.random(80) < 0.5) for name in "abc"])
    p, q = [each.p for each in found], [each.q for each in found]
    assert [(each.a, each.b) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert q == pytest.approx(list(scipy.stats.false_discovery_control(p)))


def test_the_smallest_difference_that_is_seen_is_found_in_four_of_five() -> None:
    lots = np.random.default_rng(5)
    x = lots.random(400) < 0.6
    (found,) = compare_logs([log("a", x), log("b", np.where(lots.random(400) < 0.8, x, ~x))])
    assert found.visible is not None
    seen = 0
    for _ in range(300):
        base = lots.random(400)
        turned = lots.random(400) < 0.2
        a = base < 0.6 + found.visible / 2
        b = np.where(turned, lots.random(400) < 0.6, base < 0.6 - found.visible / 2)
        (again,) = compare_logs([log("a", a), log("b", b)])
        seen += bool(again.ci_low and again.ci_low > 0)
    assert seen > 300 * 0.6


def test_the_command_prints_the_contract_for_other_programs(tmp_path: Path) -> None:
    for name, scores in (("a", "1101"), ("b", "0101")):
        rows = "".join(f"{at},{each}\n" for at, each in enumerate(scores))
        (tmp_path / f"{name}.csv").write_text(f"id,score\n{rows}")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    done = CliRunner().invoke(main, ["compare", *files, "--format", "json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {key: found[key] for key in ("n", "difference", "p")} == {
        "n": 4, "difference": 0.25, "p": 1.0,
    }  # fmt: skip
    assert found["ci_low"] < 0 < found["ci_high"]
    assert found["differ"] == [{"id": "0", "epoch": 1, "a": 1.0, "b": 0.0}]
    said = CliRunner().invoke(main, ["compare", *files]).stdout
    assert "0: 1 in a.csv, 0 in b.csv" in said
    three = CliRunner().invoke(main, ["compare", *files, files[0], "--format", "json"])
    assert len(json.loads(three.stdout)) == 3
    assert "A: " in CliRunner().invoke(main, ["compare", files[0], files[0]]).stdout
    for arguments, reason in (
        ([files[0]], "Name two logs at least"),
        ([], "Name two logs to compare, or runs"),
        ([*files, "--run", "x"], "not both at once"),
    ):
        refused = CliRunner().invoke(main, ["compare", *arguments])
        assert refused.exit_code != 0
        assert reason in refused.output
