"""What is swapped between the members of a pair, and what it does to the two answers."""

from __future__ import annotations

import math
from functools import cache

import pytest

from biaslab.models import Likelihood, ModelForm
from biaslab.models.activations import SwapResult
from biaslab.stats.errors import BrokenOutcomes
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.word_problems.inside.swaps import (
    SMALLEST,
    AnswerOdds,
    NoSwaps,
    SwapEffects,
    decided,
    swaps_of_pair,
)
from biaslab.studies.word_problems.inside.word_by_word import prefixes_of_pair
from tests.loops import over

ADDITIVE = {"steps": "1-1", "operations": "additive"}


@cache
def pairs(study: str = "consistency", **settings: str) -> list[Pair]:
    return list(experiment(study).pairs(Design(study, 40, 1, settings)))


@cache
def reversible() -> list[Pair]:
    """Those of whose operation the reversed one gives an answer too."""
    with_both = [
        pair
        for pair in pairs(**ADDITIVE)
        if prefixes_of_pair(pair, ModelForm.BASE)[0].sought.reversed is not None
    ]
    assert len(with_both) > 12
    return with_both


def first() -> Pair:
    return reversible()[0]


class TestWhatIsAsked:
    @over("form", list(ModelForm))
    @over("pair", reversible()[:12], ids=lambda pair: pair.id[:6])
    def test_each_word_stands_opposite_the_one_at_its_place(self, pair: Pair, form: ModelForm):
        swaps = swaps_of_pair(pair, form)
        here, there = swaps.request.messages[-1].content, swaps.request.other[-1].content
        assert [each.word for each in swaps.places] == here.split()
        assert [each.other for each in swaps.places] == there.split()
        for place, (own, other) in zip(swaps.places, swaps.request.places, strict=True):
            assert here[own.start : own.end].strip() == place.word
            assert there[other.start : other.end].strip() == place.other

    def test_the_places_together_are_the_whole_prompt_of_every_study(self):
        swaps = swaps_of_pair(first(), ModelForm.BASE)
        content = swaps.request.messages[-1].content
        _, own = prefixes_of_pair(first(), ModelForm.BASE)
        assert swaps.request.messages == own.requests[-1].messages
        cut = [content[place.start : place.end] for place, _ in swaps.request.places]
        assert "".join(cut) == content

    def test_the_words_of_the_problem_and_of_its_changed_sentence_are_marked(self):
        swaps = swaps_of_pair(first(), ModelForm.BASE)
        item = first().x_prime
        assert " ".join(each.word for each in swaps.places if each.told) == item.text
        treated = " ".join(each.word for each in swaps.places if each.treated)
        assert treated == item.facts["sentences"][1]

    @pytest.mark.parametrize(
        ("study", "settings"),
        [
            ("transfer-comparison", {"steps": "1-1"}),
            ("consistency", {"steps": "1-1", "operations": "multiplicative"}),
        ],
    )
    def test_sentences_of_different_lengths_are_refused(self, study: str, settings: dict[str, str]):
        refused = 0
        for pair in pairs(study, **settings):
            if len(pair.x.text.split()) != len(pair.x_prime.text.split()):
                refused += 1
                with pytest.raises(NoSwaps, match="Choose"):
                    swaps_of_pair(pair, ModelForm.BASE)
        assert refused

    def test_a_pair_whose_reversed_answers_differ_is_refused(self):
        with pytest.raises(NoSwaps, match="Choose another pair"):
            swaps_of_pair(pairs("carry")[0], ModelForm.BASE)


class TestTheEffect:
    def scored(self, right: float, reversed_: float) -> Likelihood:
        """A model that writes whole numbers, with these chances of the two answers."""
        swaps = swaps_of_pair(first(), ModelForm.BASE)
        given = {str(swaps.sought.right): right, str(swaps.sought.reversed): reversed_}
        logs = [math.log(given.get(text, 1e-12)) for text in swaps.request.continuations]
        return Likelihood(tuple(logs), (1,) * len(logs))

    def read(self, *answers: tuple[float, float]) -> SwapEffects:
        swaps = swaps_of_pair(first(), ModelForm.BASE)
        own, other = self.scored(0.2, 0.4), self.scored(0.4, 0.2)
        rest = (own,) * (len(swaps.places) - len(answers))
        layer = (*(self.scored(*each) for each in answers), *rest)
        return decided(swaps, SwapResult(own, other, (layer,)))

    def test_is_the_change_of_the_logarithm_of_right_over_reversed(self):
        found = self.read((0.4, 0.4), (0.1, 0.4))
        assert found.own == AnswerOdds(pytest.approx(0.2), pytest.approx(0.4))
        assert found.other.log == pytest.approx(math.log(2))
        assert found.effects[0][:3] == pytest.approx((math.log(2), -math.log(2), 0))

    def test_stays_finite_where_an_answer_has_no_probability(self):
        assert AnswerOdds(0.0, 0.5).log == pytest.approx(math.log(SMALLEST / 0.5))
        assert AnswerOdds(0.0, 0.0).log == 0

    def test_is_not_made_up_where_results_are_missing(self):
        swaps = swaps_of_pair(first(), ModelForm.BASE)
        own = self.scored(0.2, 0.4)
        with pytest.raises(BrokenOutcomes, match="one result for each"):
            decided(swaps, SwapResult(own, own, ((own,),)))
