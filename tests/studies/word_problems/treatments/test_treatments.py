"""One feature changed at a time: what is promised of every treatment's pairs."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings

from biaslab.studies.word_problems.features import Feature
from biaslab.studies.word_problems.treatments import Base, treatments, verify_treatment
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Draws,
    Entity,
    Problem,
    Question,
    Statement,
    Transfer,
    Vocabulary,
)
from schoolmath.problems.quantities import NumberRange
from schoolmath.problems.reading import Times, read, same_meaning
from schoolmath.problems.vocabulary import Noun
from tests.loops import over
from tests.studies.word_problems.composer.composed_pairs import (
    CASES,
    Made,
    equations,
    made_pairs,
    make,
    pair_of,
    plan_of,
)

NUMBER = re.compile(r"\d+")
many = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
NAMES = (
    "consistency", "predicate", "carry", "number-size", "operand-order", "irrelevant-sentence",
    "sentence-order", "giver", "name-familiarity", "question-wording",
)  # fmt: skip


def changed(made: Made) -> list[int]:
    both = zip(made.x.sentences, made.x_prime.sentences, strict=True)
    return [index for index, (one, other) in enumerate(both) if one != other]


class TestAllTreatments:
    def test_there_are_ten_and_each_is_described(self):
        assert tuple(treatments()) == NAMES
        for treatment in treatments().values():
            assert treatment.question.endswith("?")
            assert treatment.explanation.endswith(".")
            assert treatment.arms.x != treatment.arms.x_prime
            assert all(reason.endswith(".") for reason in treatment.reasons.values())

    def test_every_treatment_is_tested_on_several_structures(self):
        for name in NAMES:
            assert len([case for case in CASES if case[0] == name]) >= 3

    @given(made_pairs())
    @settings(parent=many, max_examples=300)
    def test_a_pair_differs_in_what_is_promised_and_nothing_else(self, made: Made):
        # The proof compares every feature and raises; the sentences are compared here.
        verify_treatment(made.x, made.x_prime, made.twins, made.treatment, made.base.numbers)
        if len(made.x.sentences) == len(made.x_prime.sentences):
            assert changed(made) == list(made.twins.treated) == list(made.twins.treated_prime)

    @given(made_pairs())
    @settings(parent=many, max_examples=150)
    def test_answers_are_as_promised(self, made: Made):
        if made.treatment.one_answer:
            assert made.x.solution.answer == made.x_prime.solution.answer
        else:
            assert Feature.ANSWER in made.treatment.reasons

    @given(made_pairs())
    @settings(parent=many, max_examples=150)
    def test_both_texts_read_back_give_the_same_models(self, made: Made):
        for each in (made.x, made.x_prime):
            understood = read(" ".join(each.sentences), times=Times.AS_MANY)
            assert understood.problem is not None, understood.fault
            assert same_meaning(understood.problem, each.problem)
            assert understood.solution is not None
            assert equations(understood.solution) == equations(each.solution)

    @over("name", NAMES)
    def test_the_same_draws_give_the_same_pair(self, name: str):
        line = next(line for case, line in CASES if case == name)
        one, other = (make(name, line, NumberRange(10, 99), "7") for _ in range(2))
        assert one is not None
        assert other is not None
        assert one.twins == other.twins


class TestWordsOfTheTeachersOwn:
    WORDS = Vocabulary(
        (), {"gizmo": Noun("gizmo", "gizmo", "gizmoes", True, (), (), (), "own")}, {}, ()
    )
    THINGS = Entity("gizmo")
    PROBLEM = Problem(
        (
            Statement(Container("Wim", 23, THINGS)),
            Statement(Transfer("Wim", "Grandma Jo", 12, THINGS)),
            Statement(
                Comparison(ComparisonType.ADDITIVE, "Kim", "Wim", 14, THINGS), ComparisonForm.A_MORE
            ),
            Statement(
                Comparison(ComparisonType.ADDITIVE, "Kim", "Tom", 11, THINGS), ComparisonForm.A_MORE
            ),
        ),
        Question("Tom", THINGS, now=True),
    )

    @over("name", NAMES)
    def test_every_treatment_makes_proven_twins_of_a_problem_with_unknown_words(self, name: str):
        base = Base(self.PROBLEM, None, None, NumberRange(2, 99), self.WORDS)
        treatment = treatments()[name]
        twins = treatment.twins(base, Draws("1"))
        assert twins is not None
        made = pair_of(treatment, base, twins)
        verify_treatment(made.x, made.x_prime, twins, treatment, None)
        assert "gizmoes" in made.x.sentences[-1]

    @pytest.mark.parametrize("name", ["consistency", "giver", "irrelevant-sentence"])
    def test_where_one_text_can_be_the_teachers_own_it_is(self, name: str):
        base = Base(self.PROBLEM, None, None, NumberRange(2, 99), self.WORDS)
        twins = treatments()[name].twins(base, Draws("1"))
        assert twins is not None
        assert self.PROBLEM in (twins.x, twins.x_prime)


def test_a_plan_and_its_problem_number_sentences_alike():
    plan = plan_of("container . container distractor . comparison")
    made = make("consistency", "container . container distractor . comparison", NumberRange(2, 20))
    assert made is not None
    assert len(plan.parts) == len(made.base.problem.statements)
    assert made.twins.treated == plan.path
