"""Sensitivity and leaning: d', criterion and the share of yes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.concepts.answers import signal_detection

COUNTS = st.tuples(st.integers(0, 200), st.integers(0, 200)).map(lambda p: (min(p), max(p)))


def test_a_worked_example():
    # (75.5 / 101) and (25.5 / 101): z of .74752 is .66671, of .25248 is -.66671.
    found = signal_detection(75, 100, 25, 100)
    assert found.d_prime == pytest.approx(1.33342, abs=1e-4)
    assert found.criterion == pytest.approx(0.0, abs=1e-12)
    assert found.yes_rate == 0.5


def test_answering_alike_is_no_telling_apart_but_a_leaning():
    always = signal_detection(100, 100, 100, 100)
    assert always.d_prime == pytest.approx(0.0)
    assert always.criterion is not None
    assert always.criterion < -2
    assert always.yes_rate == 1.0


@given(COUNTS, COUNTS)
def test_both_are_finite_whatever_the_counts(yes, no):
    found = signal_detection(*yes, *no)
    if yes[1] and no[1]:
        assert found.d_prime is not None
        assert np.isfinite(found.d_prime)
        assert found.d_interval is not None
        assert found.d_interval.low < found.d_prime < found.d_interval.high
    else:
        assert found.d_prime is None
        assert found.criterion is None


@given(COUNTS.filter(lambda c: c[1] > 0), COUNTS.filter(lambda c: c[1] > 0))
def test_exchanging_all_answers_turns_both_signs(yes, no):
    found = signal_detection(*yes, *no)
    turned = signal_detection(yes[1] - yes[0], yes[1], no[1] - no[0], no[1])
    assert found.d_prime == pytest.approx(-turned.d_prime)
    assert found.criterion == pytest.approx(-turned.criterion)


def test_the_interval_holds_what_it_promises():
    # 2,000 experiments of 100 + 100 questions with a true d' of 1 and a true c of 0.2.
    draws = np.random.default_rng(1)
    hits = draws.binomial(100, 0.6179114221889526, 2000)  # normal cdf of 0.5 - 0.2
    alarms = draws.binomial(100, 0.24196365222307303, 2000)  # of -0.5 - 0.2
    held = 0
    for hit, alarm in zip(hits, alarms, strict=True):
        found = signal_detection(int(hit), 100, int(alarm), 100)
        assert found.d_interval is not None
        assert found.c_interval is not None
        held += found.d_interval.low <= 1.0 <= found.d_interval.high
        assert found.c_interval.high - found.c_interval.low == pytest.approx(
            (found.d_interval.high - found.d_interval.low) / 2
        )
    assert 0.935 <= held / 2000 <= 0.965


@pytest.mark.parametrize("counts", [(2, 1, 0, 1), (-1, 1, 0, 1), (0, 1, 3, 2)])
def test_more_yes_answers_than_questions_are_refused(counts):
    with pytest.raises(ValueError, match="more yes answers than questions"):
        signal_detection(*counts)
