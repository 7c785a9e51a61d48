"""Odds of the right against a set wrong answer: which one, of which pairs, asked how, read how."""

from __future__ import annotations

import math
from itertools import islice

import pytest

from biaslab.models import Likelihood, LikelihoodRequest, ModelForm
from biaslab.runs import RunStatus, open_store, prepare, run_here
from biaslab.stats import effects
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.word_problems.presets.odds import ODDS
from schoolmath.problems import DesignError

BY_NAME = {study.name: study for study in ODDS}


def first(study: str, n: int = 40, **settings: str) -> list[Pair]:
    return list(BY_NAME[study].pairs(Design(study, n, 3, settings)))


def test_the_problems_are_those_of_the_other_study_with_this_seed() -> None:
    for name, study in BY_NAME.items():
        other = [pair.x.text for pair in study.problems.pairs(Design(study.problems.name, 200, 3))]
        found = [pair.x.text for pair in first(name)]
        assert found == [text for text in other if text in set(found)]
        # And the first pairs of a large design are those of a small one
        assert first(name, 10) == first(name)[:10]


def test_both_members_have_one_right_and_one_wrong_answer_neither_of_which_begins_the_other() -> (
    None
):
    for name in BY_NAME:
        for pair in first(name):
            assert pair.x.options == pair.x_prime.options
            right, wrong = pair.x.options
            assert right == pair.x.answer == pair.x_prime.answer
            assert not right.startswith(wrong)
            assert not wrong.startswith(right)
            assert [item.facts["harder"] for item in (pair.x, pair.x_prime)] == [False, True]


def test_the_wrong_answer_of_one_step_is_the_reversed_operation() -> None:
    reverse = {"+": int.__sub__, "-": int.__add__, "*": int.__floordiv__, "/": int.__mul__}
    for name in ("consistency-odds", "transfer-comparison-odds"):
        for pair in first(name, steps="1-1"):
            (step,) = pair.x_prime.facts["steps"]
            wrong = reverse[step["operation"]](step["left"], step["right"])
            assert pair.x.options[1] == str(wrong)


def test_the_wrong_answer_of_a_carry_is_the_one_without_it() -> None:
    for pair in first("carry-odds"):
        (step,) = pair.x_prime.facts["steps"]
        columns = list(zip(str(step["left"]), str(step["right"]), strict=True))
        digits = [
            str((int(a) + int(b)) % 10 if step["operation"] == "+" else abs(int(a) - int(b)))
            for a, b in columns
        ]
        assert pair.x.options[1] == "".join(digits).lstrip("0")


def test_pairs_without_such_an_answer_are_left_out_and_can_be_counted() -> None:
    shares = {}
    for name, study in BY_NAME.items():
        seen = list(islice(study.weighed(Design(name, 1, 1)), 500))
        shares[name] = sum(not each.wrong for each in seen) / len(seen)
    assert shares["carry-odds"] == 0.0
    assert 0.3 < shares["consistency-odds"] < 0.5
    assert 0.3 < shares["transfer-comparison-odds"] < 0.5


def test_a_design_without_pairs_is_refused() -> None:
    with pytest.raises(DesignError):
        first("consistency-odds", 1, steps="1-1", numbers="2-2")


def test_both_answers_are_asked_after_the_same_begun_answer() -> None:
    study = BY_NAME["consistency-odds"]
    (strategy,) = study.strategies
    item = first(study.name, 1)[0].x
    for form, roles in ((ModelForm.CHAT, ["user", "assistant"]), (ModelForm.BASE, ["text"])):
        asked = strategy.next_request(item, [], form)
        assert isinstance(asked, LikelihoodRequest)
        assert [message.role for message in asked.messages] == roles
        assert asked.messages[-1].content.endswith("The answer (Arabic numerals) is")
        assert asked.continuations == tuple(f" {answer}" for answer in item.options)
        assert strategy.next_request(item, [Likelihood((-1.0, -2.0), (1, 1))], form) is None


def test_the_outcome_is_the_difference_of_logarithms_and_what_is_unknown_is_no_outcome() -> None:
    study = BY_NAME["consistency-odds"]
    item = first(study.name, 1)[0].x
    for scores, outcome, value in (
        ((-1.0, -3.5), 2.5, item.options[0]),
        ((-9.0, -2.0), -7.0, item.options[1]),
        ((-2.0, -2.0), None, None),
        ((math.nan, -2.0), None, None),
        ((-1.0, -math.inf), None, None),
    ):
        found = study.read(item, [Likelihood(scores, (1, 1))], ModelForm.BASE)
        assert (found.outcome, found.value) == (outcome, value)


def test_a_real_small_network_is_asked_and_its_effect_has_an_interval(tmp_path) -> None:
    with open_store(tmp_path / "runs.db") as store:
        run = prepare(store, Design("consistency-odds", 12, 1, {"steps": "1-1"}), "tiny", "begun")
        record = run_here(store, run)
        (effect,) = effects(store.outcomes([run]))
    assert (record.status, record.answered) == (RunStatus.FINISHED, 24)
    assert not effect.binary
    assert effect.ci_low is not None


def test_nothing_is_said_of_people_who_have_no_such_odds() -> None:
    for name, study in BY_NAME.items():
        assert experiment(name) is study
        assert study.expects.people is None
