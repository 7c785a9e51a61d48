"""Where answers could be read less often in one arm, the effect says so."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.stats import effect_warnings, effects
from biaslab.stats.effect_estimator import unread_difference


def outcomes(members: list[tuple[str, str]], samples: int = 1) -> pd.DataFrame:
    """A run whose pairs have these states; every second one is answered rightly."""
    return pd.DataFrame(
        [
            {
                "run": "r", "study": "carry", "model": "m", "model_kind": "tiny",
                "strategy": "direct", "pair": f"p{number}", "cluster": f"p{number}",
                "strata": {}, "sample": sample,
                "y_x": float(number % 2) if x == "answered" else None,
                "y_x_prime": float(number % 2) if x_prime == "answered" else None,
                "state_x": x, "state_x_prime": x_prime,
            }
            for number, (x, x_prime) in enumerate(members)
            for sample in range(samples)
        ]
    )  # fmt: skip


READ, UNREAD = ("answered", "answered"), ("answered", "invalid")


def test_the_shares_their_difference_and_an_interval_are_given():
    found = unread_difference(outcomes([UNREAD] * 30 + [READ] * 70))

    assert (found.n, found.share_x, found.share_x_prime) == (100, 0.0, 0.3)
    assert found.difference == pytest.approx(-0.3)
    assert found.interval.low < -0.3 < found.interval.high < 0
    assert found.p < 0.001


def test_the_effect_says_that_an_arm_was_read_less_often():
    (sentence,) = effect_warnings(effects(outcomes([UNREAD] * 30 + [READ] * 70)))

    assert sentence.startswith("Run r: answers could be read less often")
    assert "0.0 % unread for “x”, 30.0 % for “x'” (difference −30.0 points" in sentence
    assert "n = 100" in sentence


@pytest.mark.parametrize(
    "members", [[READ] * 50, [UNREAD, ("invalid", "answered")] * 20, [UNREAD] + [READ] * 99, [READ]]
)
def test_the_effect_says_nothing_where_the_shares_may_be_the_same(members):
    assert effect_warnings(effects(outcomes(members))) == []


def test_pairs_that_are_not_finished_do_not_count():
    members = [UNREAD] * 5 + [READ] * 5 + [("failed", "invalid"), ("missing", "invalid")] * 50
    assert unread_difference(outcomes(members)).n == 10
    assert unread_difference(outcomes([("missing", "answered")])) is None


def test_samples_of_a_pair_are_one_pair():
    once = unread_difference(outcomes([UNREAD] * 10 + [READ] * 30))
    often = unread_difference(outcomes([UNREAD] * 10 + [READ] * 30, samples=5))
    assert often == once


@given(
    st.lists(
        st.sampled_from([READ, UNREAD, ("invalid", "answered"), ("invalid", "invalid")]),
        min_size=1,
        max_size=60,
    )
)
def test_turning_the_arms_round_turns_the_sign(members):
    found = unread_difference(outcomes(members))
    turned = unread_difference(outcomes([(b, a) for a, b in members]))
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.differs == found.differs
    if found.interval is not None:
        assert turned.interval.low == pytest.approx(-found.interval.high)


def test_of_a_stratum_it_says_which():
    rows = outcomes([UNREAD] * 30 + [READ] * 70)
    by_steps = effects(rows.assign(strata=[{"steps": 2}] * len(rows)), by="steps")
    (sentence,) = effect_warnings(by_steps, by="steps")
    assert sentence.startswith("Run r, steps=2: answers could be read less often")
