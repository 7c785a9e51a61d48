"""Floor and ceiling: said where both arms are there, and nowhere else."""

from __future__ import annotations

import pandas as pd

from biaslab.stats import MARGIN, Effect, End, effect_warnings, effects, end_of, end_sentence
from biaslab.studies import Arms
from biaslab.studies.effects import finding_words, verdict_sentence
from tests.loops import over

ARMS = Arms("consistent", "inconsistent")


def outcomes_of(n: int, right: int, right_prime: int, unread: int = 0) -> pd.DataFrame:
    """Pairs of a run; the last so many have two answers that could not be read."""
    return pd.DataFrame(
        [
            {
                "run": "run1", "study": "consistency", "model": "m", "model_kind": "tiny",
                "strategy": "direct", "pair": f"p{number}", "cluster": f"p{number}",
                "strata": {}, "sample": 0,
                "y_x": None if number >= n - unread else float(number < right),
                "y_x_prime": None if number >= n - unread else float(number < right_prime),
                "state_x": "invalid" if number >= n - unread else "answered",
                "state_x_prime": "invalid" if number >= n - unread else "answered",
            }
            for number in range(n)
        ]
    )  # fmt: skip


def effect(n: int, right: int, right_prime: int, unread: int = 0) -> Effect:
    """One row of pairs of which so many members are right, those of x first."""
    (found,) = effects(outcomes_of(n, right, right_prime, unread))
    return found


@over(
    ("n", "right", "right_prime", "end"),
    [
        (250, 5, 5, End.FLOOR),  # 2 | 2 %: the case that was "no difference"
        (250, 8, 2, End.FLOOR),
        (250, 245, 246, End.CEILING),
        (500, 498, 498, End.CEILING),  # GPT-4 Turbo, carry
        (250, 28, 10, None),  # 11 | 4 %: an effect showed here
        (250, 150, 150, None),
        (250, 5, 50, None),  # one arm alone
        (250, 200, 249, None),
        (10, 0, 0, None),  # too few to know: up to 16 % may be right
        (10, 10, 10, None),
        (20, 0, 0, End.FLOOR),
        (48, 1, 1, End.FLOOR),  # 2.1 | 2.1 %
        (48, 6, 0, None),  # 12.5 | 0 %
    ],
)
def test_an_end_is_where_the_interval_of_both_together_is(n, right, right_prime, end):
    assert end_of(effect(n, right, right_prime)) is end


def test_the_sentence_says_that_nothing_could_show_and_what_to_change():
    found = effect(250, 5, 5)
    said = end_sentence(found, ARMS)
    assert said == (
        "both kinds are at the floor: nearly all answers are wrong (2.0 % of “consistent” and "
        "2.0 % of “inconsistent” right on 250 pairs, the 95 % interval of both together below "
        "10.0 %). So a difference could hardly show, and this does not say that there is "
        "none. Make it easier, such as fewer steps, smaller numbers, step by step, or a stronger "
        "model."
    )
    assert "no clear difference" not in verdict_sentence(found, ARMS)
    assert "could hardly show" in verdict_sentence(found, ARMS)
    assert "could hardly show" in finding_words(found, ARMS)
    (warned,) = effect_warnings([found])
    assert warned.startswith("Run run1: both kinds are at the floor")


def test_a_ceiling_is_made_harder():
    said = end_sentence(effect(250, 246, 246))
    assert "nearly all answers are right" in said
    assert "above 90.0 %" in said
    assert "Make it harder, such as more steps" in said


def test_an_effect_that_shows_all_the_same_is_no_missing_one():
    found = effect(2000, 120, 20)
    assert (found.ci_low or 0.0) > 0
    assert end_of(found) is End.FLOOR
    assert end_sentence(found) == ""
    assert "was harder" in verdict_sentence(found, ARMS)
    assert effect_warnings([found]) == []


def test_in_the_middle_no_difference_stays_no_difference():
    found = effect(250, 120, 120)
    assert end_sentence(found) == ""
    assert "no clear difference" in verdict_sentence(found, ARMS)
    assert effect_warnings([found]) == []


def test_answers_that_could_not_be_read_are_looked_at_first():
    assert "look at those first" in end_sentence(effect(250, 5, 5, unread=200))
    assert "look at those first" not in end_sentence(effect(250, 5, 5, unread=20))


def test_outcomes_on_a_scale_have_no_ends():
    rows = outcomes_of(60, 0, 0)
    rows["y_x"] = rows["y_x"] + 0.25
    (found,) = effects(rows)
    assert not found.binary
    assert end_of(found) is None


def test_at_an_end_no_difference_can_be_larger_than_the_margin():
    for n in (36, 60, 250, 2000):
        for right in range(0, n, max(1, n // 40)):
            for other in (0, right // 2, right):
                found = effect(n, right, other)
                if end_of(found) is not None:
                    assert abs(found.cate or 0.0) < MARGIN
