"""Learners that judge amounts see the labelled examples alone; lots are drawn once."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import (
    LEARNERS,
    Completion,
    Failure,
    GenerationRequest,
    LearnerModel,
    Likelihood,
    LikelihoodRequest,
    Message,
    Sampling,
    Unsupported,
)
from biaslab.models.learner.chances import every_way
from biaslab.models.learner.judging import (
    AmountJudgement,
    JudgingRule,
    chance_of_yes,
    learn_threshold,
    probability_of_yes,
)

UP = [[10, 1, 0], [10, 2, 0], [10, 8, 1], [10, 9, 1]]
AMOUNTS = st.integers(1, 100).flatmap(
    lambda total: st.tuples(st.just(total), st.integers(0, total), st.booleans())
)


def model(name: str) -> LearnerModel:
    return LearnerModel(next(each for each in LEARNERS if each.name == name))


def facts(question: tuple[int, int] = (10, 9), examples=UP) -> dict:
    return {
        "task": "concept", "examples": examples, "question": list(question),
        "words": ["Yes", "No"],
    }  # fmt: skip


def score(name: str, given: dict) -> Likelihood:
    request = LikelihoodRequest((Message("text", "?"),), (" Yes", " No"), given)
    (found,) = dict(model(name).likelihood([request])).values()
    assert isinstance(found, Likelihood)
    return found


@given(st.lists(AMOUNTS, max_size=20), AMOUNTS, st.sampled_from(list(JudgingRule)))
def test_the_stated_chance_is_that_of_every_way_luck_can_turn(examples, question, rule):
    given_ = {"examples": examples, "question": question[:2]}
    judging = AmountJudgement(rule)
    ways = list(every_way(lambda luck: probability_of_yes(judging, given_, luck) > 0.5))
    assert sum(chance for chance, yes in ways if yes) == chance_of_yes(judging, given_)


@given(st.lists(AMOUNTS, max_size=20), AMOUNTS)
def test_drawing_lots_is_right_half_of_the_time_exactly(examples, question):
    given_ = {"examples": examples, "question": question[:2]}
    assert chance_of_yes(AmountJudgement(JudgingRule.RANDOM), given_) == 0.5


@given(
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    st.lists(AMOUNTS, min_size=2, max_size=20),
    st.booleans(),
)
def test_what_a_share_parts_is_learned_without_an_error(share, amounts, upward):
    examples = [(Fraction(h, t), (Fraction(h, t) > share) == upward) for t, h, _ in amounts]
    found = learn_threshold(examples)
    if found is None:
        assert len({yes for _, yes in examples}) == 1
    else:
        assert found.errors == 0
        assert all((found.evidence(value) > 0) == yes for value, yes in examples)


@given(st.lists(AMOUNTS, min_size=1, max_size=12))
def test_no_threshold_contradicts_fewer_examples(amounts):
    examples = [(Fraction(h, t), yes) for t, h, yes in amounts]
    found = learn_threshold(examples)
    if found is None:
        return
    values = sorted({value for value, _ in examples})
    middles = [(a + b) / 2 for a, b in itertools.pairwise(values)]
    fewest = min(
        sum(((value > at) == upward) != yes for value, yes in examples)
        for at in middles
        for upward in (True, False)
    )
    assert found.errors == fewest


def test_the_count_learner_looks_past_the_total_and_the_ratio_learner_does_not():
    examples = [[10, 1, 0], [20, 3, 0], [10, 8, 1], [20, 14, 1]]
    assert chance_of_yes(AmountJudgement(JudgingRule.RATIO), facts((100, 20), examples)) == 0.0
    assert chance_of_yes(AmountJudgement(JudgingRule.COUNT), facts((100, 20), examples)) == 1.0


def test_always_yes_and_probabilities_add_up():
    for name in ("always-yes", "random", "ratio", "count", "up-biased"):
        found = score(name, facts())
        assert sum(map(pow, (2.718281828459045,) * 2, found.log_probabilities)) == pytest.approx(1)
    assert score("always-yes", facts((10, 0))).log_probabilities[0] > -0.2


def test_exactly_on_the_threshold_lots_are_drawn_and_no_tie_is_left():
    yes, no = score("ratio", facts((10, 5))).log_probabilities
    assert yes != no
    assert chance_of_yes(AmountJudgement(JudgingRule.RATIO), facts((10, 5))) == 0.5


def test_a_written_answer_says_what_the_probabilities_say():
    for question in ((10, 9), (10, 1)):
        request = GenerationRequest((Message("text", "?"),), Sampling(), facts(question))
        ((_, said),) = model("ratio").generate([request])
        assert isinstance(said, Completion)
        assert said.text.strip() == ("Yes." if question == (10, 9) else "No.")


@pytest.mark.parametrize("broken", [{}, {"examples": 3, "question": [1, 1]},
                                    {"examples": [[0, 0, 1]], "question": [0, 0]}])  # fmt: skip
def test_facts_without_examples_are_a_failure_in_a_sentence(broken):
    request = LikelihoodRequest((Message("text", "?"),), ("a", "b"), {"task": "concept", **broken})
    ((_, found),) = model("ratio").likelihood([request])
    assert isinstance(found, Failure)
    assert "cannot judge this item because" in found.reason


def test_a_learner_of_word_problems_gives_no_probabilities():
    with pytest.raises(Unsupported, match="gives no probabilities"):
        list(model("keyword").likelihood([]))


def decided(stage: str, text: str = "Option 1: a\nOption 2: b\nOption 3: c", **more) -> str:
    given_ = {"task": "decision", "scenario": "s", "stage": stage, **more}
    seed = more.get("seed", 0)
    request = GenerationRequest((Message("text", text),), Sampling(seed=seed), given_)
    ((_, found),) = model("random").generate([request])
    assert isinstance(found, Completion)
    return found.text


def test_the_lot_is_drawn_once_and_both_stages_name_the_same_option():
    for scenario in range(30):
        thought = decided("think", scenario=scenario)
        chosen = decided("choose", scenario=scenario)
        assert thought.endswith(f"{chosen}.")
        cued = decided(
            "choose", "Option 1: a\nOption 2: b\nOption 3: c\nOption ", scenario=scenario
        )
        assert f"Option {cued}" == chosen


def test_every_option_is_drawn_equally_often():
    drawn = [decided("choose", scenario=each) for each in range(3000)]
    for number in (1, 2, 3):
        assert drawn.count(f"Option {number}") == pytest.approx(1000, abs=100)


def test_options_among_the_facts_count_before_those_of_the_text():
    assert {decided("choose", "nothing", scenario=each, options=["a", "b"]) for each in range(40)} \
        == {"Option 1", "Option 2"}  # fmt: skip


def test_without_options_or_without_lots_a_decision_fails_in_a_sentence():
    request = GenerationRequest((Message("text", "?"),), Sampling(), {"task": "decision"})
    ((_, found),) = model("random").generate([request])
    assert isinstance(found, Failure)
    assert "offers no options" in found.reason
    ((_, other),) = model("ratio").generate([request])
    assert isinstance(other, Failure)
    assert "cannot decide between options" in other.reason


def test_learners_of_before_keep_their_revisions():
    # Answers kept in files belong to these revisions.
    revisions = {name: model(name).identity.revision for name in ("perfect", "keyword", "longest")}
    assert json.dumps(revisions) == json.dumps(KEPT)


KEPT = {
    "perfect": "317e0d86b84a3d20",
    "keyword": "9e95d9bfc107934f",
    "longest": "2593531aa56b26c6",
}
