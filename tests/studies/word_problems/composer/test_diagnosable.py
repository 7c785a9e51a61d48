"""Numbers that tell error models apart: the arithmetic, and what no numbers can do."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from biaslab.studies.word_problems.composing import Composer
from biaslab.studies.word_problems.error_models import (
    WAYS,
    ErrorAnswers,
    numbers_of,
    right_answer,
    separation,
    shape_of,
    wrong_answers,
)
from biaslab.studies.word_problems.verification import UnsoundPair
from schoolmath.malrules import rules
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.problems import Draws
from schoolmath.problems.chains import resolve
from schoolmath.problems.quantities import NumberRange
from schoolmath.problems.structure import StructureError, parse_structure
from tests.loops import over
from tests.studies.word_problems.composer.structure_lines import structures

SMALL = NumberRange(2, 20)


def stories(structure, seed, numbers=SMALL, most=5):
    try:
        composer = Composer(resolve(structure), numbers, Draws(seed))
    except StructureError:
        assume(False)
        raise
    found = [problem for _ in range(100) if (problem := composer.draw()) is not None][:most]
    return [Story.of_problem(problem, "-") for problem in found]


def first_story(line, numbers=SMALL):
    return stories(parse_structure(line), "1", numbers)[0]


@given(structures(), st.integers(0, 10**9).map(str))
def test_direct_arithmetic_gives_what_the_rules_give(structure, seed):
    for story in stories(structure, seed, most=2):
        shape, numbers = shape_of(story), numbers_of(story)
        assert right_answer(shape, numbers) == story.amounts[-1]
        direct = wrong_answers(shape, numbers)
        for way in WAYS:
            given_by_rule = [worked.answer.value for worked in rules()[way].run(story)]
            assert list(direct.get(way, ())) == given_by_rule


@given(structures(), st.integers(0, 10**9).map(str))
def test_a_way_left_out_for_its_structure_coincides_whatever_the_numbers(structure, seed):
    for story in stories(structure, seed, NumberRange(2, 60), most=3):
        shape, numbers = shape_of(story), numbers_of(story)
        told = separation(shape)
        direct = wrong_answers(shape, numbers)
        taken = {Fraction(number) for number in story.numbers_in_text}
        taken.add(Fraction(story.amounts[-1]))
        taken |= {each for way in told.ways for each in direct.get(way, ())}
        for way, reason in told.left_out.items():
            if "whatever the numbers" in reason:
                assert taken & set(direct[way])
            else:
                assert way not in direct


@given(structures(), st.integers(0, 10**9).map(str))
def test_numbers_without_a_clash_separate_the_rules_own_answers(structure, seed):
    for story in stories(structure, seed):
        shape = shape_of(story)
        told = ErrorAnswers(story, separation(shape), wrong_answers(shape, numbers_of(story)))
        if told.clash():
            with pytest.raises(UnsoundPair):
                told.prove()
            continue
        told.prove()
        answers = [
            worked.answer.value
            for way in told.separation.ways
            for worked in rules()[way].run(story)
        ]
        taken = [*answers, *{*story.numbers_in_text}, story.amounts[-1]]
        assert len(set(taken)) == len(taken)


@over(
    ("line", "way", "reason"),
    [
        ("container . comparison- inconsistent", "WP02", "same answer as reversing the comparison"),
        ("container . comparison+ consistent", "WP02", "gives the right answer"),
        ("container . comparison- consistent", "WP01", "no comparison is told the other way round"),
        ("container . comparison- consistent", "WP03", "one step only"),
        ("container . comparison- consistent", "WP04", "one step only"),
        ("container . comparison- consistent", "WP06", "stands in the text"),
        ("container . comparison- consistent", "WP14", "nothing is added"),
        ("container . comparison+ consistent", "WP15", "nothing is subtracted"),
        ("container . transfer- . comparison+", "WP06", "same answer as stopping one step early"),
        ("container . transfer- A> . transfer+ >A", "WP06", "nobody else's amount is known"),
    ],
)
def test_what_no_numbers_can_separate_is_named(line, way, reason):
    left_out = separation(shape_of(first_story(line))).left_out
    assert reason in left_out[way]


def test_two_steps_separate_reversal_from_adding_all():
    found = separation(shape_of(first_story("container . comparison- inconsistent . transfer-")))
    assert {"WP01", "WP02", "WP03", "WP04"} <= set(found.ways)


def test_a_way_that_the_range_cannot_show_is_left_out_with_that_reason():
    shape = shape_of(first_story("container . transfer+ . transfer+"))
    assert "WP14" in separation(shape).ways
    found = separation(shape, frozenset({"WP14"}))
    assert "No sum carries" in found.left_out["WP14"]
