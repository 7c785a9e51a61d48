"""What a tiny model is trained on has the shares that its mix states, and no problem of the app."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from biaslab.experiments.experiment import Design
from biaslab.experiments.word_problems import Part
from biaslab.training.mix import ALL_STEPS, MIXES, STUDIES, lessons

DRAWN = 6_000


@pytest.fixture(scope="module", params=sorted(MIXES))
def drawn(request):
    mix = MIXES[request.param]
    return mix, list(islice(lessons(mix, ALL_STEPS, 11), DRAWN))


def test_consistent_and_inconsistent_wordings_have_the_ratio_of_the_mix(drawn):
    mix, found = drawn
    wordings = Counter(
        lesson.item.facts["steps"][0]["consistent"]
        for lesson in found
        if len(lesson.item.facts["steps"]) == 1
        and lesson.item.facts["steps"][0]["rule"] == "compare"
    )
    share = wordings[False] / (wordings[True] + wordings[False])
    assert share == pytest.approx(mix.inconsistent / (mix.consistent + mix.inconsistent), abs=0.03)


def test_transfers_and_comparisons_have_the_ratio_of_the_mix(drawn):
    mix, found = drawn
    rules = Counter(
        lesson.item.facts["steps"][0]["rule"] == "compare"
        for lesson in found
        if lesson.study == "transfer-comparison"
    )
    share = rules[True] / (rules[True] + rules[False])
    assert share == pytest.approx(mix.comparison / (mix.comparison + mix.transfer), abs=0.04)


def test_all_studies_steps_and_strategies_occur(drawn):
    _, found = drawn
    assert {lesson.study for lesson in found} == set(STUDIES)
    assert {len(lesson.item.facts["steps"]) for lesson in found} == {1, 2, 3, 4, 5}
    assert {lesson.strategy.name for lesson in found} == {"direct", "cot", "child-cot"}


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("seed", [1, 11, 1_000_003])
def test_no_problem_of_the_app_is_a_training_problem_whatever_the_seeds(study, seed):
    mix = MIXES["skewed"]
    trained = {lesson.item.text for lesson in islice(lessons(mix, ALL_STEPS, seed), 3_000)}
    asked = {
        item.text
        for pair in STUDIES[study].pairs(Design(study, 1_000, seed))
        for item in (pair.x, pair.x_prime)
    }
    assert trained.isdisjoint(asked)


@pytest.mark.parametrize("study", STUDIES)
def test_the_first_two_people_tell_training_and_asked_problems_apart(study):
    def openings(part):
        design = Design(study, 2_000, 3, {"steps": "1-1"})
        names = set()
        for pair in STUDIES[study].pairs(design, part=part):
            step = pair.x_prime.facts["steps"][0]
            first = pair.x_prime.facts["sentences"][0].split()[0]
            names.add((first, step["agent"]))
        return {pair for pair in names if pair[0] != pair[1]}

    assert openings(Part.TRAINING).isdisjoint(openings(Part.ASKED))


def test_the_same_seed_gives_the_same_lessons():
    mix = MIXES["skewed"]
    one = list(islice(lessons(mix, ALL_STEPS, 2), 50))
    other = list(islice(lessons(mix, ALL_STEPS, 2), 50))
    assert [lesson.item.id for lesson in one] == [lesson.item.id for lesson in other]
    assert [lesson.strategy for lesson in one] == [lesson.strategy for lesson in other]
