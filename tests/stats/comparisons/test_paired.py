"""Scores of the same samples under two conditions, without a log, a file or a model."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from biaslab.stats.comparisons import compare_logs, paired
from biaslab.stats.paired import cate_estimate, mcnemar_p

README = Path(__file__).resolve().parents[3] / "biaslab" / "stats" / "README.md"
RNG = np.random.default_rng(1)
A, B = RNG.random(120) < 0.8, RNG.random(120) < 0.6


def test_figures_are_those_of_the_app() -> None:
    found = paired(A.tolist(), B.tolist())
    x, y = A.astype(float), B.astype(float)
    estimate = cate_estimate(x, y, np.arange(120).astype(str), 0.95, scale=False)
    assert estimate.interval is not None
    assert found.difference == pytest.approx(float((x - y).mean()), abs=1e-12)
    assert (found.ci_low, found.ci_high) == pytest.approx(
        (estimate.interval.low, estimate.interval.high), abs=1e-12
    )
    assert found.p == mcnemar_p(x, y)


def test_ids_and_an_order_come_to_the_same_and_what_is_missing_is_counted() -> None:
    listed = paired(A.tolist(), B.tolist())
    named = paired(dict(enumerate(A.tolist())), dict(enumerate(B.tolist())))
    assert (named.difference, named.p, named.n) == (listed.difference, listed.p, listed.n)
    some = paired({1: 1, 2: None, 3: 0, 4: 1}, {1: 0, 3: float("nan"), 4: 1, 5: 1})
    assert (some.n, some.only_a, some.only_b) == (2, 1, 1)
    assert (some.left_out_a, some.left_out_b) == ({"no score": 1}, {"no score": 1})


def test_samples_of_one_cluster_are_not_independent() -> None:
    twice = [*A.tolist(), *A.tolist()], [*B.tolist(), *B.tolist()]
    alone = paired(*twice)
    grouped = paired(*twice, cluster=[*range(120), *range(120)])
    assert (grouped.n, grouped.clusters) == (240, 120)
    assert grouped.ci_low is not None
    assert alone.ci_low is not None
    assert grouped.ci_low < alone.ci_low


def test_no_difference_is_found_where_there_is_none_and_one_where_there_is() -> None:
    rng = np.random.default_rng(2)
    none = [paired(*(rng.random((2, 100)) < 0.5).astype(float).tolist()).p for _ in range(300)]
    assert 0.005 <= np.mean([p is not None and p < 0.05 for p in none]) <= 0.08
    some = paired((rng.random(300) < 0.8).tolist(), (rng.random(300) < 0.5).tolist())
    assert some.p is not None
    assert some.p < 0.001


def test_lists_of_different_length_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="There are 2 and 3 values: give one for each sample"):
        paired([1, 0], [1, 0, 1])
    with pytest.raises(ValueError, match="Two logs at least"):
        compare_logs([])


def test_nothing_heavy_is_imported_and_the_readme_prints_what_it_says() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    said = re.findall(r"^# (.*)$", code, re.MULTILINE)
    heavy = ("pandas", "streamlit", "torch", "plotly", "openai", "biaslab.models", "biaslab.runs")
    code += f"import sys\nprint([each for each in {heavy!r} if each in sys.modules])\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [*said, "[]"]
