"""The proof: a pair that differs in anything but its treatment is never let through."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.features import Feature, Features, features
from biaslab.studies.word_problems.presets import consistency as consistency_study
from biaslab.studies.word_problems.treatments import Twins, verify_treatment
from biaslab.studies.word_problems.verification import UnsoundPair
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    Container,
    Problem,
    ProblemError,
    Statement,
)
from schoolmath.problems.quantities import NumberRange
from tests.studies.word_problems.composer.composed_pairs import Made, made_pairs, make, member

NAME = re.compile(r"(?<!^)\b[A-Z][a-z]+|^[A-Z][a-z]+")
many = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)


def first(problem: Problem, change: Callable[[Statement], Statement]) -> Problem:
    """The problem with its first statement changed."""
    return replace(problem, statements=(change(problem.statements[0]), *problem.statements[1:]))


def other_phrasing(problem: Problem) -> Problem:
    return first(problem, lambda each: replace(each, phrasing=(each.phrasing + 1) % 4))


def other_now(problem: Problem) -> Problem:
    return replace(problem, question=replace(problem.question, now=not problem.question.now))


def other_number(problem: Problem) -> Problem:
    def bigger(each: Statement) -> Statement:
        return replace(
            each, predicate=replace(each.predicate, quantity=each.predicate.quantity * 2)
        )

    return first(problem, bigger)


def other_name(problem: Problem) -> Problem:
    told = problem.statements[0].predicate
    old = told.agent if isinstance(told, Container) else ""
    text = {"Zq": old}
    statements = []
    for statement in problem.statements:
        named = {
            field.name: next(iter(text))
            for field in fields(statement.predicate)
            if getattr(statement.predicate, field.name) == old
        }
        statements.append(replace(statement, predicate=replace(statement.predicate, **named)))
    asked = problem.question
    agent = "Zq" if asked.agent == old else asked.agent
    return Problem(tuple(statements), replace(asked, agent=agent))


def other_thing(problem: Problem) -> Problem:
    def turned(each: Statement) -> Statement:
        entity = each.predicate.entity._replace(attribute="red")
        return replace(each, predicate=replace(each.predicate, entity=entity))

    return first(problem, turned)


def one_more(problem: Problem) -> Problem:
    told = Statement(Container("Zq", 97, problem.statements[0].predicate.entity))
    return replace(problem, statements=(*problem.statements, told))


def one_less(problem: Problem) -> Problem:
    return replace(problem, statements=problem.statements[:-1])


def another_comparison_turned(problem: Problem) -> Problem:
    statements = list(problem.statements)
    for index in reversed(range(len(statements))):
        if isinstance(statements[index].predicate, Comparison):
            form = (
                ComparisonForm.B_FEWER
                if statements[index].form is ComparisonForm.A_MORE
                else ComparisonForm.A_MORE
            )
            statements[index] = replace(statements[index], form=form)
            break
    return replace(problem, statements=tuple(statements))


CHANGES = (
    other_phrasing, other_now, other_number, other_name, other_thing, one_more, one_less,
    another_comparison_turned,
)  # fmt: skip

NO_DIFFERENCE = (
    # A comparison that was told as a transfer may have either form,
    ("predicate", another_comparison_turned),
    # and its question may say "now" or not,
    ("predicate", other_now),
    # and one large number is as good as another.
    ("number-size", other_number),
)


def proof(made: Made, x_prime: Problem, *, declared: bool) -> None:
    """Verifies the pair with another x'; what differs may even be declared as treated."""
    x = made.twins.x
    treated, treated_prime = made.twins.treated, made.twins.treated_prime
    if declared and len(x.statements) == len(x_prime.statements):
        both = [*zip(x.statements, x_prime.statements, strict=True)]
        places = [i for i, (a, b) in enumerate(both) if a != b]
        places += [len(both)] * (x.question != x_prime.question)
        treated = treated_prime = tuple(places)
    one = member(x, treated)
    other = member(x_prime, treated_prime)
    twins = Twins(x, x_prime, treated, treated_prime)
    verify_treatment(one, other, twins, made.treatment, made.base.numbers)


class TestProof:
    @given(made_pairs(), st.sampled_from(CHANGES), st.booleans())
    @settings(parent=many, max_examples=300)
    def test_a_second_difference_is_found_even_where_it_is_declared_as_treated(
        self, made: Made, change: Callable[[Problem], Problem], declared: bool
    ):
        assume((made.treatment.name, change) not in NO_DIFFERENCE)
        changed = change(made.twins.x_prime)
        assume(changed not in (made.twins.x, made.twins.x_prime))
        # Either it is no problem any more, or the proof names the difference.
        with pytest.raises((UnsoundPair, ProblemError)):
            proof(made, changed, declared=declared)

    @given(made_pairs())
    @many
    def test_a_pair_without_its_difference_is_found(self, made: Made):
        with pytest.raises(UnsoundPair):
            proof(made, made.twins.x, declared=True)

    @given(made_pairs())
    @many
    def test_exchanged_members_are_found(self, made: Made):
        twins = Twins(
            made.twins.x_prime, made.twins.x, made.twins.treated_prime, made.twins.treated
        )
        with pytest.raises(UnsoundPair):
            verify_treatment(made.x_prime, made.x, twins, made.treatment, made.base.numbers)

    @given(made_pairs())
    @many
    def test_numbers_out_of_range_are_found(self, made: Made):
        with pytest.raises(UnsoundPair, match="is not from 1000 to 2000"):
            verify_treatment(
                made.x, made.x_prime, made.twins, made.treatment, NumberRange(1000, 2000)
            )

    @given(made_pairs())
    @many
    def test_members_of_other_problems_are_found(self, made: Made):
        other = member(other_phrasing(made.twins.x), made.twins.treated)
        with pytest.raises(UnsoundPair, match="are not the twins"):
            verify_treatment(other, made.x_prime, made.twins, made.treatment, made.base.numbers)

    def test_a_sentence_that_says_another_number_than_meant_is_found(self):
        made = make("question-wording", "container . transfer", NumberRange(10, 20))
        assert made is not None
        sentences = ("Ana has 21 apples.", *made.x.sentences[1:])
        x, x_prime = (
            replace(each, sentences=(*sentences[:-1], each.sentences[-1]))
            for each in (made.x, made.x_prime)
        )
        with pytest.raises(UnsoundPair, match="does not say"):
            verify_treatment(x, x_prime, made.twins, made.treatment, made.base.numbers)


class TestFeatures:
    def test_every_feature_is_a_field_and_the_other_way_round(self):
        assert [field.name for field in fields(Features)] == [str(each) for each in Feature]

    def test_the_features_of_a_problem_are_those_one_sees_in_it(self):
        made = make(
            "giver", "container . transfer A>B . comparison+ C:A consistent", NumberRange(10, 99)
        )
        assert made is not None
        found = features(made.x_prime)
        assert found.kinds == ("container", "transfer between", "comparison add")
        assert found.forms == ("", "", "consistent")
        assert found.operations == ("-", "+")
        assert found.voice == ("active", "passive", "active")
        ana, ben, cem = dict.fromkeys(NAME.findall(" ".join(made.x.sentences[:-1])))
        told = [[found.names[person] for person in each] for each in found.roles]
        assert told == [[ana], [ben, ana], [cem, ana]]
        assert found.names[found.question_agent] == cem
        assert (found.sentences, found.irrelevant, found.order) == (4, 0, (0, 1, 2))
        assert found.words == len(" ".join(made.x_prime.sentences).split())
        assert found.answer == made.x_prime.solution.answer

    def test_moving_a_sentence_changes_the_order_alone(self):
        made = make("sentence-order", "container . comparison . rate", NumberRange(2, 20))
        assert made is not None
        one, other = features(made.x), features(made.x_prime)
        assert replace(other, order=one.order) == one
        assert one.order != other.order

    def test_pairs_of_the_published_study_differ_in_the_form_and_length_alone(self, monkeypatch):
        # The features are those of any word problem, also of the studies that were there before.
        found = []
        monkeypatch.setattr(
            consistency_study, "verify_pair", lambda x, x_prime, *_: found.append((x, x_prime))
        )
        list(experiment("consistency").pairs(Design("consistency", 100, 3)))
        for x, x_prime in found:
            one, other = features(x), features(x_prime)
            assert replace(other, forms=one.forms, words=one.words) == one
            assert one.forms != other.forms
