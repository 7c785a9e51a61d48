"""What simple strategies explain: all of their own learner, nothing where they have no effect."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import LEARNERS, LearnerModel
from biaslab.runs.effect_rows import strategy_outcomes
from biaslab.runs.engine.ask import ask_without_store
from biaslab.stats.beside_effects import explained, explained_records
from biaslab.studies import Design, Experiment, Pair
from research.calibration.studies import TRIALS, Trial, outcomes_table, study_of
from tests.loops import over

BY_STUDY = {f"{trial.study} {trial.label}".strip(): trial for trial in TRIALS}


def asked(trial: Trial) -> tuple[Experiment, list[Pair], dict]:
    study = study_of(trial)
    pairs = list(study.pairs(Design(trial.study, 12, 3, trial.settings)))
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    return study, pairs, strategy_outcomes(study, items)


def answers(study: Experiment, pairs: list[Pair], learner: str) -> pd.DataFrame:
    model = LearnerModel(next(each for each in LEARNERS if each.name == learner))
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    said = ask_without_store(study, study.strategies[0], model, items)
    return outcomes_table(study, learner, pairs, said)


@over("name", BY_STUDY)
def test_the_learner_that_is_a_strategy_is_explained_completely(name):
    study, pairs, strategies = asked(BY_STUDY[name])
    for strategy in study.baselines:
        table = answers(study, pairs, strategy)
        found = {each.strategy: each for each in explained(table, strategies)}[strategy]
        if strategy == "anchored" and "anchoring" not in name:
            # Options in words say nothing to whoever goes by percentages, and that is said.
            assert (found.n, found.left_out, found.rest.mean) == (0, 0, None)
            assert set(table["state_x"]) == {"failed"}
            continue
        assert found.n == len(pairs)
        assert found.rest.mean == pytest.approx(0.0)
        assert found.rest.interval.low < 0.0 < found.rest.interval.high


def test_the_keyword_explains_consistency_and_not_carries():
    for name, effect in (("consistency", 1.0), ("carry", 0.0)):
        study, pairs, strategies = asked(BY_STUDY[name])
        table = answers(study, pairs, "perfect")
        found = {each.strategy: each for each in explained(table, strategies)}["keyword"]
        assert found.own.mean == pytest.approx(effect)
        # A model without an effect has the strategy's, turned round, as its rest
        assert found.model.mean == 0.0
        assert found.rest.mean == pytest.approx(-effect)


def test_the_end_of_the_scale_explains_a_status_quo_and_no_frame():
    for name, effect in (("decision status-quo-bias", 1.0), ("decision framing-effect", 0.0)):
        study, pairs, strategies = asked(BY_STUDY[name])
        table = answers(study, pairs, "swayed")
        found = {each.strategy: each for each in explained(table, strategies)}["scale-end"]
        assert found.own.mean == pytest.approx(effect)
        assert found.rest.mean == pytest.approx(found.model.mean - effect)


def test_the_follower_of_an_anchor_is_found_in_anchoring():
    study, pairs, strategies = asked(BY_STUDY["decision anchoring"])
    table = answers(study, pairs, "swayed")
    found = {each.strategy: each for each in explained(table, strategies)}["anchored"]
    assert found.n == len(pairs)
    assert found.own.mean > 0.1


def made(y_x: list[int], y_x_prime: list[int]) -> pd.DataFrame:
    n = len(y_x)
    return pd.DataFrame(
        {
            "run": "r", "study": "consistency", "model": "m", "model_kind": "learner",
            "strategy": "direct", "pair": [f"p{i}" for i in range(n)],
            "cluster": [f"p{i}" for i in range(n)], "strata": [{}] * n,
            "item_x": [f"x{i}" for i in range(n)], "item_x_prime": [f"y{i}" for i in range(n)],
            "y_x": y_x, "y_x_prime": y_x_prime, "state_x": "answered",
            "state_x_prime": "answered",
        }
    )  # fmt: skip


@given(st.lists(st.tuples(*(st.integers(0, 1),) * 4), min_size=2, max_size=30), st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_model_strategy_and_rest_add_up_over_the_pairs_that_can_be_applied(rows, unread):
    x, x_prime, of_x, of_x_prime = (list(column) for column in zip(*rows, strict=True))
    applied = [i for i in range(len(rows)) if i >= unread]
    of_item = {f"x{i}": float(of_x[i]) for i in applied}
    of_item |= {f"y{i}": float(of_x_prime[i]) for i in applied}
    (found,) = explained(made(x, x_prime), {"some": of_item})
    assert (found.n, found.left_out) == (len(applied), len(rows) - len(applied))
    if applied:
        assert found.rest.mean == pytest.approx(found.model.mean - found.own.mean)
    # Where the strategy has the same outcome on every item, the rest is the whole effect
    same = dict.fromkeys([*(f"x{i}" for i in applied), *(f"y{i}" for i in applied)], 1.0)
    (nothing,) = explained(made(x, x_prime), {"some": same})
    if applied:
        assert nothing.rest.mean == pytest.approx(nothing.model.mean)
        assert nothing.own.mean == 0.0


def test_rows_for_files_have_every_figure_and_nulls_where_nothing_can_be_said():
    (record,) = explained_records(explained(made([1, 1], [0, 1]), {"some": {}}))
    assert record["strategy"] == "some"
    assert (record["n"], record["left_out"]) == (0, 2)
    assert record["rest"] is record["rest_ci_low"] is record["rest_p"] is None
    assert not np.isnan([v for v in record.values() if isinstance(v, float)]).any()
