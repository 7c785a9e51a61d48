"""A vote among the samples of an item: the most frequent answer stands for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.stats import BrokenOutcomes, effect_warnings, effects, majority

Maker = Callable[..., pd.DataFrame]

ballots = st.lists(st.sampled_from(["5", "6", "7", None]), min_size=4, max_size=4)


def _vote(make_samples: Maker, answers: list[str | None]) -> pd.Series:
    return majority(make_samples([answers], [["7"] * len(answers)])).iloc[0]


@settings(max_examples=50)
@given(st.lists(ballots, min_size=1, max_size=8))
def test_the_winner_is_a_most_frequent_readable_answer_and_the_earliest_of_these(
    make_samples: Maker, rows: list[list[str | None]]
) -> None:
    voted = majority(make_samples(rows, rows[::-1]))
    assert len(voted) == len(rows)
    for row, (value, outcome, state) in zip(
        rows, voted[["value_x", "y_x", "state_x"]].itertuples(index=False), strict=True
    ):
        read = [answer for answer in row if answer is not None]
        if not read:
            assert state == "invalid"
            assert value is None or pd.isna(value)
            assert pd.isna(outcome)
            continue
        counts = Counter(read)
        tied = [answer for answer in read if counts[answer] == max(counts.values())]
        assert (value, outcome, state) == (tied[0], float(tied[0] == "5"), "answered")


def test_a_right_answer_wins_over_more_wrong_ones_that_disagree(make_samples: Maker) -> None:
    vote = _vote(make_samples, ["1", "5", "2", "5", "3"])
    assert (vote["value_x"], vote["y_x"]) == ("5", 1.0)


def test_a_tie_goes_to_the_earliest_sample_whatever_the_order_of_rows(make_samples: Maker) -> None:
    table = make_samples([["6", "5", "5", "6"]], [["7"] * 4])
    assert majority(table).iloc[0]["value_x"] == "6"
    assert majority(table.iloc[::-1]).iloc[0]["value_x"] == "6"


def test_answers_that_could_not_be_read_do_not_vote(make_samples: Maker) -> None:
    assert _vote(make_samples, [None, None, "5"])["value_x"] == "5"


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (["answered", "answered", "missing"], "missing"),
        (["answered", "failed", "missing"], "failed"),
        (["invalid", "invalid", "failed"], "failed"),
        (["invalid", "invalid", "answered"], "answered"),
    ],
)
def test_a_vote_that_could_still_change_is_not_taken(
    make_samples: Maker, states: list[str], expected: str
) -> None:
    table = make_samples([["5"] * 3], [["7"] * 3])
    table["state_x"] = states
    vote = majority(table).iloc[0]
    assert vote["state_x"] == expected
    assert (vote["y_x"] == 1.0) == (expected == "answered")


def test_one_sample_votes_for_itself(make_outcomes: Maker) -> None:
    table = make_outcomes([1, None, 0], [0, 1, 1])
    pd.testing.assert_frame_equal(majority(table), table)


def test_runs_and_the_order_of_pairs_are_kept(make_samples: Maker) -> None:
    table = pd.concat(
        [make_samples([["5"] * 2] * 2, [["7"] * 2] * 2, run=run) for run in ("b", "a")]
    )
    voted = majority(table)
    assert list(zip(voted["run"], voted["pair"], strict=True)) == [
        ("b", "p0"), ("b", "p1"), ("a", "p0"), ("a", "p1"),
    ]  # fmt: skip
    assert list(voted["sample"]) == [0] * 4


def test_effects_by_vote_are_those_of_right_or_wrong_pairs(make_samples: Maker) -> None:
    rows = [["5", "5", "7"], ["5", "7", "7"], ["5", "5", "5"], [None, None, None]]
    (effect,) = effects(make_samples(rows, [["7", "5", None]] * 4), vote=True)
    assert (effect.samples, effect.voted, effect.n) == (3, True, 4)
    assert effect.accuracy_x == 0.5
    assert effect.p_mcnemar is not None
    assert (effect.invalid_x, effect.invalid_x_prime) == (3, 4)
    assert "most frequent answer" in effect.method


def test_without_the_answers_as_read_there_is_no_vote(make_samples: Maker) -> None:
    table = make_samples([["5", "7"]], [["7", "7"]])
    with pytest.raises(BrokenOutcomes, match="no column value_x"):
        majority(table.drop(columns="value_x"))
    with pytest.raises(BrokenOutcomes, match="answered but has no value_x_prime"):
        effects(table.assign(value_x_prime=None), vote=True)


def test_runs_asked_once_stand_beside_votes_as_they_are(
    make_samples: Maker, make_outcomes: Maker
) -> None:
    often = make_samples([["5", "5", "7"]] * 2, [["7", "7", "5"]] * 2, run="often")
    once = make_outcomes([1, None, 0], [0, 1, 1], run="once")
    once = once.assign(sample=0, value_x=None, value_x_prime=None)
    mixed = pd.concat([once, often])
    found = {effect.run: effect for effect in effects(mixed, vote=True)}
    assert [(found[run].samples, found[run].voted) for run in ("once", "often")] == [
        (1, False), (3, True),
    ]  # fmt: skip
    (alone,) = effects(once)
    assert (found["once"].cate, found["once"].n) == (alone.cate, alone.n)
    (alone,) = effects(often, vote=True)
    assert (found["often"].cate, found["often"].n) == (alone.cate, alone.n)
    assert effect_warnings(list(found.values()), vote=True) == [
        "Run once asked every item once, so there is nothing to vote on: its answers count as "
        "they are."
    ]


def test_an_arm_of_which_no_answer_could_be_read_says_nothing(make_outcomes: Maker) -> None:
    unread = make_outcomes([None, None], [None, None])
    for rule in ("strict", "exclude"):
        (warning,) = effect_warnings(effects(unread, invalid=rule))
        assert "none of the answers could be read (2 of 2)" in warning
    (warning,) = effect_warnings(effects(make_outcomes([None, None], [0, 1])))
    assert "none of the answers to “x” could be read" in warning
    assert effect_warnings(effects(make_outcomes([None, 0], [0, 0]))) == []
