"""The first screen's finding: counted as Effects counts, with a pair that shows the reversal."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.models import learner_spec, read_spec
from biaslab.runs import PairPattern, RunRecord, Store, gallery, open_store, prepare, run_here
from biaslab.stats import effects
from biaslab.studies.word_problems.inside.reversals import reversals
from biaslab.system.places import RECORDED_VARIABLE
from biaslab.ui.studies.word_problems.first_finding import (
    DESIGN,
    MODEL,
    STRATEGY,
    again,
    finding,
    shown_run,
    telling_pair,
)


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Store, RunRecord]:
    """The gallery that ships, and its run that is shown first."""
    monkeypatch.setenv(RECORDED_VARIABLE, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store = gallery()
    assert store is not None
    run = shown_run(store.runs())
    assert run is not None
    return store, run


def test_the_recorded_finding_is_what_effects_gives_for_one_step(
    shipped: tuple[Store, RunRecord],
) -> None:
    store, run = shipped
    assert read_spec(run.model_spec).short_name == MODEL
    found = finding(store, run.id)
    assert found is not None
    (row,) = [e for e in effects(store.outcomes([run.id]), by="steps") if e.stratum_value == 1]
    shown = found.effect
    assert (found.right_x, found.right_x_prime, shown.n) == (43, 16, 50)
    assert (row.accuracy_x, row.accuracy_x_prime, row.n) == (43 / 50, 16 / 50, 50)
    both = (row.cate, row.ci_low, row.ci_high)
    assert both == pytest.approx((shown.cate, shown.ci_low, shown.ci_high))


def test_the_recorded_pair_shows_the_reversed_operation_and_nothing_else(
    shipped: tuple[Store, RunRecord],
) -> None:
    store, run = shipped
    pair = telling_pair(store, run.id)
    assert pair is not None
    assert pair.pattern == PairPattern.ONLY_X
    # The catalogue of mal-rules says the same of this answer as the first screen does.
    wrong = store.wrong_answers(run.id, 1_000)
    (counted,) = reversals(wrong[wrong["item"] == pair.x_prime.item.id])
    assert (counted.wrong, counted.reversed, counted.miscalculated) == (1, 1, 0)


def test_a_learner_that_follows_the_word_differs_one_that_does_not_does_not(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.db") as store:
        found, pairs = {}, {}
        for name in ("keyword", "perfect"):
            run = prepare(store, DESIGN, learner_spec(name), STRATEGY)
            assert finding(store, run) is None, "nothing was asked yet"
            run_here(store, run)
            found[name], pairs[name] = finding(store, run), telling_pair(store, run)
        assert again(store.runs()) is None, "simulated learners are no language models"
        assert shown_run(store.runs()) is None
    keyword, perfect = found["keyword"], found["perfect"]
    assert keyword is not None
    assert (keyword.right_x, keyword.right_x_prime, keyword.effect.cate) == (50, 0, 1.0)
    assert pairs["keyword"] is not None
    assert perfect is not None
    assert (perfect.right_x, perfect.right_x_prime, perfect.effect.cate) == (50, 50, 0.0)
    assert pairs["perfect"] is None
