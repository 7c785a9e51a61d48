"""Solving: exact, step by step, and honest about problems that have no answer."""

from __future__ import annotations

import pytest

from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    ContradictoryProblem,
    Entity,
    InexactDivision,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
    UnsolvableProblem,
    solve,
)
from schoolmath.problems.structure import describe

APPLE = Entity("apple")
BOX = Entity("apple", unit="box")
ADD, TIMES = ComparisonType.ADDITIVE, ComparisonType.MULTIPLICATIVE


def problem(*predicates, ask="Ben", entity=APPLE, forms=None):
    forms = forms or {}
    statements = tuple(
        Statement(predicate, forms.get(index, ComparisonForm.A_MORE))
        if isinstance(predicate, Comparison)
        else Statement(predicate)
        for index, predicate in enumerate(predicates)
    )
    return Problem(statements, Question(ask, entity))


def equations(of: Problem) -> list[str]:
    return [step.equation() for step in solve(of).steps]


class TestOneStep:
    @pytest.mark.parametrize(
        ("comparison", "equation"),
        [
            (Comparison(ADD, "Ben", "Ana", 3, APPLE), "18 + 3 = 21"),
            (Comparison(ADD, "Ana", "Ben", 3, APPLE), "18 - 3 = 15"),
            (Comparison(TIMES, "Ben", "Ana", 3, APPLE), "18 * 3 = 54"),
            (Comparison(TIMES, "Ana", "Ben", 3, APPLE), "18 / 3 = 6"),
        ],
    )
    def test_a_comparison_leads_from_the_known_agent_to_the_other(self, comparison, equation):
        assert equations(problem(Container("Ana", 18, APPLE), comparison)) == [equation]

    @pytest.mark.parametrize(
        ("transfer", "equation"),
        [
            (Transfer("Ana", "Ben", 5, APPLE), "18 + 5 = 23"),
            (Transfer("Ben", "Ana", 5, APPLE), "18 - 5 = 13"),
            (Transfer("Ana", None, 5, APPLE), "18 + 5 = 23"),
            (Transfer(None, "Ana", 5, APPLE), "18 - 5 = 13"),
        ],
    )
    def test_a_transfer_adds_to_the_receiver_and_takes_from_the_sender(self, transfer, equation):
        asked = problem(Container("Ana", 18, APPLE), transfer, ask="Ana")
        assert equations(asked) == [equation]

    def test_a_rate_multiplies_when_the_containers_are_known(self):
        asked = problem(Container("Ben", 3, BOX), Rate("Ben", 6, APPLE, BOX))
        assert equations(asked) == ["3 * 6 = 18"]

    def test_a_rate_divides_when_the_things_are_known(self):
        asked = problem(Container("Ben", 18, APPLE), Rate("Ben", 6, APPLE, BOX), entity=BOX)
        assert equations(asked) == ["18 / 6 = 3"]


class TestConsistency:
    @pytest.mark.parametrize(
        ("form", "consistent"), [(ComparisonForm.A_MORE, False), (ComparisonForm.B_FEWER, True)]
    )
    def test_wording_is_consistent_when_the_unknown_agent_is_the_subject(self, form, consistent):
        asked = problem(
            Container("Ana", 18, APPLE), Comparison(ADD, "Ana", "Ben", 3, APPLE), forms={1: form}
        )
        assert solve(asked).steps[0].consistent is consistent

    def test_the_form_of_a_comparison_never_changes_the_solution(self):
        twins = [
            problem(
                Container("Ana", 18, APPLE), Comparison(ADD, "Ana", "Ben", 3, APPLE), forms={1: f}
            )
            for f in ComparisonForm
        ]
        assert {solve(twin).answer for twin in twins} == {15}


class TestPath:
    def test_a_sentence_that_does_not_matter_is_not_counted_as_a_step(self):
        asked = problem(
            Container("Ana", 18, APPLE),
            Transfer("Cem", "Dan", 4, APPLE),
            Comparison(ADD, "Ben", "Ana", 3, APPLE),
        )
        solution = solve(asked)
        assert (len(solution.steps), solution.unused) == (1, (1,))

    def test_a_comparison_may_wait_for_the_sentence_that_settles_it(self):
        asked = problem(Comparison(ADD, "Ben", "Ana", 3, APPLE), Container("Ana", 18, APPLE))
        assert solve(asked).answer == 21

    def test_steps_come_in_the_order_in_which_they_are_derived(self):
        asked = problem(
            Comparison(ADD, "Ben", "Cem", 2, APPLE),
            Comparison(ADD, "Cem", "Ana", 3, APPLE),
            Container("Ana", 10, APPLE),
        )
        assert equations(asked) == ["10 + 3 = 13", "13 + 2 = 15"]

    def test_the_structure_names_the_operation_and_the_wording(self):
        asked = problem(
            Container("Ana", 18, APPLE),
            Transfer(None, "Ana", 8, APPLE),
            Comparison(ADD, "Ana", "Ben", 3, APPLE),
        )
        assert describe(asked) == "container . transfer- . comparison- inconsistent"


class TestNoAnswer:
    def test_a_missing_amount_is_said(self):
        with pytest.raises(UnsolvableProblem, match="how many apple Ben has"):
            solve(problem(Container("Ana", 18, APPLE)))

    def test_a_division_with_a_remainder_is_refused(self):
        with pytest.raises(InexactDivision, match="divides 18 by 4"):
            solve(problem(Container("Ana", 18, APPLE), Comparison(TIMES, "Ana", "Ben", 4, APPLE)))

    def test_a_division_by_zero_is_refused(self):
        with pytest.raises(InexactDivision):
            solve(problem(Container("Ana", 18, APPLE), Comparison(TIMES, "Ana", "Ben", 0, APPLE)))

    def test_two_sentences_that_disagree_are_refused(self):
        with pytest.raises(ContradictoryProblem, match="Sentence 2"):
            solve(problem(Container("Ben", 18, APPLE), Container("Ben", 17, APPLE)))

    def test_a_transfer_needs_somebody(self):
        with pytest.raises(ValueError, match="receiver or a sender"):
            Transfer(None, None, 3, APPLE)
