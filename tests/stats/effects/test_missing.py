"""What answers that are missing could change is counted, not guessed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.stats import effect_warnings, effects
from biaslab.studies.effects import unread_sentence

RIGHT, WRONG, UNREAD, MISSING = "right", "wrong", "unread", "missing"
_STATE = {RIGHT: "answered", WRONG: "answered", UNREAD: "invalid", MISSING: "failed"}
_OUTCOME = {RIGHT: 1.0, WRONG: 0.0, UNREAD: np.nan, MISSING: np.nan}


def outcomes(members: list[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "run": "r", "study": "carry", "model": "m", "model_kind": "tiny",
                "strategy": "direct", "pair": f"p{number}", "cluster": f"p{number}", "strata": {},
                "y_x": _OUTCOME[x], "y_x_prime": _OUTCOME[other],
                "state_x": _STATE[x], "state_x_prime": _STATE[other],
            }
            for number, (x, other) in enumerate(members)
        ]
    )  # fmt: skip


def test_an_effect_that_is_none_is_seen_to_hang_on_what_is_missing():
    """Cut off far more often in one arm: counted as wrong this would be an effect of 32 points."""
    members = [(RIGHT, RIGHT)] * 62 + [(RIGHT, MISSING)] * 35 + [(MISSING, RIGHT)] * 3
    (effect,) = effects(outcomes(members))
    assert (effect.n, effect.failed, effect.cate) == (62, 38, 0.0)
    found = effect.missing
    assert found is not None
    assert (found.x, found.x_prime) == (3, 35)
    assert found.if_right == 0.0
    assert found.if_wrong == pytest.approx(0.32)
    assert (found.low, found.high) == (pytest.approx(-0.03), pytest.approx(0.35))
    (warning,) = (each for each in effect_warnings([effect]) if "missing" in each)
    assert "38 answers are missing" in warning
    assert "3 to “x”, 35 to “x'”" in warning
    what_if = (
        "If all missing answers were right the difference would be 0.0 points, if all were wrong "
        "+32.0; whichever of them are right, it is between −3.0 and +35.0."
    )
    assert what_if in warning
    assert unread_sentence(effect) == (
        f"38 pairs left out because an answer is missing: cut off, or its request failed. {what_if}"
    )


def test_where_nothing_is_missing_nothing_is_said():
    (effect,) = effects(outcomes([(RIGHT, WRONG), (UNREAD, RIGHT)] * 5))
    assert effect.missing is None
    assert unread_sentence(effect) == "5 answers could not be read and count as not right."


@given(
    st.lists(
        st.tuples(*[st.sampled_from([RIGHT, WRONG, UNREAD, MISSING])] * 2), min_size=1, max_size=6
    ),
    st.sampled_from(["strict", "exclude"]),
)
def test_the_bounds_are_those_of_every_way_in_which_the_missing_could_have_come_out(members, rule):
    (effect,) = effects(outcomes(members), invalid=rule)
    open_ones = [(row, arm) for row, pair in enumerate(members) for arm in (0, 1)
                 if pair[arm] == MISSING]  # fmt: skip
    if not open_ones or effect.missing is None:
        assert not open_ones
        assert effect.missing is None
        return
    found = []
    for said in product((WRONG, RIGHT), repeat=len(open_ones)):
        filled = [list(pair) for pair in members]
        for (row, arm), outcome in zip(open_ones, said, strict=True):
            filled[row][arm] = outcome
        (supposed,) = effects(outcomes([(x, other) for x, other in filled]), invalid=rule)
        found.append(supposed.cate or 0.0)
    assert effect.missing.if_wrong == pytest.approx(found[0])
    assert effect.missing.if_right == pytest.approx(found[-1])
    assert effect.missing.low == pytest.approx(min(found))
    assert effect.missing.high == pytest.approx(max(found))
