"""The study of decision biases: its pairs, its prompts and what is read from an answer."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import Completion, ModelForm
from biaslab.studies import Design
from biaslab.studies.decisions.prompts import DECISION_STRATEGIES, OPTION_CUE
from biaslab.studies.decisions.study import DecisionStudy
from schoolmath.problems import DesignError

STUDY = DecisionStudy()


def pairs(n=60, seed=1, **settings):
    return list(STUDY.pairs(Design("decision", n, seed, {"bias": "anchoring", **settings})))


def said(text, finish="stop"):
    return Completion(text, finish, 1, 1, 0.0)


def test_the_same_seed_gives_the_same_pairs_and_a_longer_design_begins_like_a_shorter():
    assert [pair.id for pair in pairs(60)][:20] == [pair.id for pair in pairs(20)]
    assert pairs(20, seed=2) != pairs(20)


def test_half_of_the_pairs_have_their_options_reversed_in_both_arms():
    found = pairs(60)
    assert Counter(pair.strata["order"] for pair in found) == {
        "reversed": 30,
        "as on the scale": 30,
    }
    for pair in found:
        assert pair.x.options == pair.x_prime.options
        assert (pair.x.options[0] == "100 %") is pair.x.facts["reversed"]


def test_a_control_shared_by_two_pairs_is_measured_from_each_pairs_own_point():
    found = pairs(60, version="1")
    alike = [(a, b) for a in found for b in found if a.x.text == b.x.text and a.id != b.id]
    assert alike
    for one, other in alike:
        assert one.x.id != other.x.id or one.x.facts == other.x.facts
    by_id = {}
    for pair in found:
        for item in (pair.x, pair.x_prime):
            assert by_id.setdefault(item.id, item.facts) == item.facts


def test_an_answer_is_turned_back_to_the_order_of_the_scale():
    for pair in pairs(20):
        item = pair.x_prime
        shown = item.options.index("30 %") + 1
        reading = STUDY.read(item, [said("thinking"), said(f"Option {shown}")], ModelForm.CHAT)
        assert reading.value == "30 %"
        assert reading.extra["position"] == 3
        assert reading.outcome == pytest.approx(abs(3 - item.facts["gamma"]) / 10)


def test_what_is_no_choice_is_invalid_and_never_an_outcome():
    item = pairs(1)[0].x
    for text in ("No option selected", "Option 12", "Option 1 or Option 2", ""):
        reading = STUDY.read(item, [said("thinking"), said(text)], ModelForm.CHAT)
        assert (reading.value, reading.outcome) == (None, None)


@pytest.mark.parametrize("form", list(ModelForm))
@pytest.mark.parametrize("strategy", DECISION_STRATEGIES, ids=lambda each: each.name)
def test_a_decision_is_asked_once_and_then_only_read(strategy, form):
    item = pairs(1)[0].x
    first = strategy.next_request(item, [], form)
    assert item.text in first.messages[0].content
    if not strategy.thinks:
        assert strategy.next_request(item, [said("Option 1")], form) is None
        return
    second = strategy.next_request(item, [said("I would take the third.")], form)
    whole = "\n".join(message.content for message in second.messages)
    assert "I would take the third." in whole
    assert strategy.next_request(item, [said("a"), said("Option 3")], form) is None
    if strategy.separate:
        assert item.text not in whole
        assert all(option in whole for option in item.options)
    else:
        assert item.text in whole
    if form is ModelForm.BASE:
        assert whole.endswith(OPTION_CUE)


def test_an_unknown_bias_is_refused_with_the_nearest():
    with pytest.raises(DesignError, match="Did you mean anchoring"):
        pairs(1, bias="ancoring")
    with pytest.raises(DesignError, match="No bias is named"):
        pairs(1, bias=" , ")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["endowment-effect", "anchoring", "halo-effect", "bandwagon-effect"]),
    st.integers(0, 10_000),
)
def test_any_prefix_is_balanced_over_scenes_and_orders_and_no_pair_comes_twice(name, seed):
    design = Design("decision", 1, seed, {"bias": name})
    size = min(STUDY.size(design), 130)
    found = pairs(size, seed, bias=name)
    assert len({pair.id for pair in found}) == size
    for end in (1, 7, size // 2, size):
        scenes = Counter(pair.cluster for pair in found[:end])
        orders = Counter(pair.strata["order"] for pair in found[:end])
        assert max(scenes.values()) <= -(-end // 20)
        assert abs(orders["reversed"] - orders["as on the scale"]) <= 11
    for scene in {pair.cluster for pair in found}:
        orders = [p.strata["order"] for p in found if p.cluster == scene]
        assert abs(orders.count("reversed") * 2 - len(orders)) <= 1


def test_a_design_has_all_pairs_there_are_and_no_more():
    whole = STUDY.size(Design("decision", 1, 1, {"bias": "endowment-effect"}))
    assert len({pair.id for pair in pairs(whole, bias="endowment-effect")}) == whole
    with pytest.raises(DesignError, match=f"nearest size that works is {whole}") as refused:
        pairs(whole + 1, bias="endowment-effect")
    assert refused.value.setting == "n"


def test_a_bias_that_has_no_more_pairs_drops_out_and_the_others_go_on():
    whole = STUDY.size(Design("decision", 1, 1, {"bias": "reactance"}))
    found = Counter(pair.strata["bias"] for pair in pairs(3 * whole, bias="reactance,anchoring"))
    assert found == {"reactance": whole, "anchoring": 2 * whole}
