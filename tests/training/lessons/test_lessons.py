"""Lessons have the ratios that their mix states, and no problem of the app is among them."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from biaslab.studies.study import Design, different
from biaslab.studies.word_problems.cast import ProblemHalf
from biaslab.training.corpus import looking_up
from biaslab.training.lessons import ALL_STEPS, STUDIES, lessons
from biaslab.training.mix import MIXES, LessonMix

DRAWN = 3_000


def drawn(mix, count=DRAWN, seed=11, pool=0):
    return list(islice(lessons(mix, seed, pool), count))


@pytest.fixture(scope="module", params=sorted(MIXES))
def of_mix(request):
    mix = MIXES[request.param]
    return mix, drawn(mix)


def steps(lesson):
    return lesson.item.facts["steps"]


def share(first, second):
    return first / (first + second)


def test_comparisons_are_worded_in_the_ratio_of_the_mix(of_mix):
    mix, _ = of_mix
    found = drawn(LessonMix(mix.consistent, mix.inconsistent, 0, 1), 3_000)
    wordings = Counter(
        step["consistent"]
        for lesson in found
        for step in steps(lesson)
        if step["consistent"] is not None
    )
    expected = share(mix.consistent, mix.inconsistent)
    assert share(wordings[True], wordings[False]) == pytest.approx(expected, abs=0.04)


def test_transfers_alone_and_problems_with_a_comparison_have_the_ratio_of_the_mix(of_mix):
    mix, found = of_mix
    compared = sum(
        any(step["consistent"] is not None for step in steps(lesson)) for lesson in found
    )
    expected = share(mix.transfer, mix.comparison)
    assert share(len(found) - compared, compared) == pytest.approx(expected, abs=0.03)


def test_three_digit_problems_carry_in_the_ratio_of_the_mix(of_mix):
    mix, _ = of_mix
    found = drawn(LessonMix(mix.consistent, mix.inconsistent, 0, 1, mix.no_carry, mix.carry))
    carry = Counter(steps(lesson)[0]["carries"] == 0 for lesson in found if lesson.study == "carry")
    expected = share(mix.no_carry, mix.carry)
    assert share(carry[True], carry[False]) == pytest.approx(expected, abs=0.06)


def test_a_ratio_of_nothing_leaves_that_kind_out():
    for lesson in drawn(LessonMix(1, 0, 0, 1), 500):
        wordings = {step["consistent"] for step in steps(lesson)} - {None}
        assert wordings == {True}


def test_all_steps_and_strategies_occur_in_their_shares(of_mix):
    _, found = of_mix
    lengths = Counter(len(steps(lesson)) for lesson in found)
    for length, expected in ALL_STEPS:
        assert lengths[length] / len(found) == pytest.approx(expected, abs=0.03)
    assert {lesson.strategy.name for lesson in found} == {"direct", "cot", "child-cot"}
    assert {lesson.study for lesson in found} == set(STUDIES)


def mental_model(item):
    """What a problem is about, whatever its words: people, things, numbers, calculations."""
    return tuple(
        (step["rule"], step["operation"], step["left"], step["right"], step["agent"], step["what"])
        for step in item.facts["steps"]
    )


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("seed", [1, 1_000_003])
def test_no_problem_of_the_app_is_a_training_problem_whatever_the_seeds(study, seed):
    lengths = {"steps": "1-1"} if study == "carry" else {"steps": "1-3"}
    trained = [lesson.item for lesson in drawn(MIXES["balanced"], 3_000, seed)]
    asked = [
        item
        for pair in islice(STUDIES[study].pairs(Design(study, 1_000, seed, lengths)), 1_000)
        for item in (pair.x, pair.x_prime)
    ]
    assert {item.id for item in trained}.isdisjoint(item.id for item in asked)
    assert {item.text for item in trained}.isdisjoint(item.text for item in asked)
    opened = {(first_two(item), mental_model(item)) for item in trained}
    assert opened.isdisjoint((first_two(item), mental_model(item)) for item in asked)


def first_two(item):
    return item.facts["sentences"][0].split()[0]


@pytest.mark.parametrize("study", STUDIES)
def test_the_first_two_people_tell_training_and_asked_problems_apart(study):
    def openings(part):
        design = Design(study, 2_000, 3, {"steps": "1-1"})
        names = set()
        for pair in different(STUDIES[study].draw(design, part=part), design.n):
            step = pair.x_prime.facts["steps"][0]
            first = pair.x_prime.facts["sentences"][0].split()[0]
            names.add((first, step["agent"]))
        return {pair for pair in names if pair[0] != pair[1]}

    assert openings(ProblemHalf.TRAINING).isdisjoint(openings(ProblemHalf.ASKED))


def test_a_pool_is_made_from_its_number_alone():
    one, again = drawn(MIXES["skewed"], 60, 2, 5), drawn(MIXES["skewed"], 60, 2, 5)
    other = drawn(MIXES["skewed"], 60, 2, 6)
    assert [lesson.item.id for lesson in one] == [lesson.item.id for lesson in again]
    assert [lesson.strategy for lesson in one] == [lesson.strategy for lesson in again]
    assert not {lesson.item.id for lesson in one} & {lesson.item.id for lesson in other}


def test_in_what_every_model_starts_with_nothing_happens_and_nobody_is_compared():
    for text in islice(looking_up(3, 0), 300):
        whole = "".join(given for given, _ in text.turns).lower()
        assert not {" more ", " fewer ", " less ", " gives ", " times "} & {
            f" {word} " for word in whole.replace("?", " ").split()
        }
        for given, answer in text.turns:
            assert answer in text.turns[0][0].split() or f"{answer} " in text.turns[0][0], given
