"""What holds for every form and every rule, tried on many drawn problems.

New forms and rules are tested here without further code; see conftest.py for the problems. A test
tries all of them and names those that fail.
"""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

from schoolmath.malrules import (
    FORMS,
    Answer,
    AnswerKind,
    ContentClass,
    NotDrawn,
    Working,
    read_form,
    rules,
    rules_for,
    write_form,
)
from schoolmath.malrules.bank import offers
from schoolmath.problems.draws import Draws
from tests.loops import over

MOST_STEPS = 6

each_form = over("form", FORMS.values())
each_rule = over("rule, form", [(rule, form) for rule in rules().values() for form in rule.forms])


def assert_answer_is_exact(answer: Answer) -> None:
    if answer.kind is AnswerKind.NUMBER:
        assert type(answer.value) is Fraction, answer
    else:
        assert isinstance(answer.value, str), answer
        assert answer.value, answer
    assert answer.shown, answer
    assert answer.shown == answer.shown.strip(), answer


def assert_trace_is_well_formed(worked: Working) -> None:
    assert_answer_is_exact(worked.answer)
    clauses = [step.text for step in worked.steps]
    assert 1 <= len(clauses) <= MOST_STEPS, clauses
    assert 0 <= worked.key_step < len(clauses), clauses
    for step in worked.steps:
        assert step.template[:1].islower() or step.template[:1] in "{-", step
        assert not step.template.endswith("."), step
        assert "  " not in step.text, step
    assert worked.answer.shown in clauses[-1], (worked.answer.shown, clauses)


class TestEveryForm:
    @each_form
    def test_says_what_it_is_for(self, form):
        low, high = form.grades
        assert form.content_class in {each.value for each in ContentClass}
        assert 3 <= low <= high <= 11
        assert form.dok in {1, 2, 3}
        assert form.__doc__

    @each_form
    def test_is_a_frozen_dataclass_with_slots(self, form):
        assert form.__dataclass_params__.frozen
        assert "__slots__" in vars(form)

    @each_form
    def test_is_drawn_for_every_grade_nearly_always(self, form):
        low, high = form.grades
        for grade in range(low, high + 1):
            missed = 0
            for seed in range(40):
                try:
                    form.draw(Draws(f"{grade}/{seed}"), grade)
                except NotDrawn:
                    missed += 1
            assert missed <= 2, f"grade {grade}"

    @each_form
    def test_gives_varied_problems(self, form, drawn):
        problems = drawn(form)
        assert len(set(problems)) > len(problems) // 4

    @each_form
    def test_draws_the_same_problem_for_the_same_seed(self, form):
        grade = form.grades[0]
        for seed in range(10):
            first, second = (form.draw(Draws(f"same/{seed}"), grade) for _ in range(2))
            assert first == second

    @each_form
    def test_asks_a_complete_question(self, form, drawn):
        for problem in drawn(form):
            stem = problem.stem()
            assert stem[0].isupper() or stem[0].isdigit(), stem
            assert stem[-1] in ".?", stem
            assert stem == " ".join(stem.split()), stem
            assert "{" not in stem, stem
            assert "Fraction" not in stem, stem
            assert problem.stem() == stem

    @each_form
    def test_is_solved_the_same_way_each_time_with_a_trace(self, form, drawn):
        for problem in drawn(form):
            worked = problem.solve()
            assert_trace_is_well_formed(worked)
            assert problem.solve() == worked

    @each_form
    def test_comes_back_from_json_with_the_same_work(self, form, drawn):
        for problem in drawn(form):
            again = read_form(json.loads(json.dumps(write_form(problem))))
            assert again == problem
            assert again.stem() == problem.stem()
            assert again.solve() == problem.solve()
            for rule in rules_for(problem):
                assert rule.run(again) == rule.run(problem), rule.id

    @each_form
    def test_has_a_rule(self, form, drawn):
        assert rules_for(drawn(form)[0])

    @each_form
    def test_often_gives_three_different_wrong_answers_where_the_bank_deals_it(self, form, drawn):
        problems = drawn(form)
        if form.__name__ not in {offer.form for offer in offers()}:
            return  # Only what the bank deals needs three wrong options at once.
        enough = 0
        for problem in problems:
            right = problem.solve().answer
            values = {
                (worked.answer.kind, worked.answer.value)
                for rule in rules_for(problem)
                for worked in rule.run(problem)
                if not worked.answer.same_as(right)
            }
            enough += len(values) >= 3
        assert enough > len(problems) // 4, f"{enough} of {len(problems)}"


class TestEveryRule:
    @each_rule
    def test_is_total_and_deterministic_with_well_formed_traces(self, rule, form, drawn_widely):
        for problem in drawn_widely(form):
            given = rule.run(problem)
            assert rule.run(problem) == given
            for worked in given:
                assert isinstance(worked, Working), problem
                assert_trace_is_well_formed(worked)

    @each_rule
    def test_gives_different_answers_where_it_gives_several(self, rule, form, drawn_widely):
        for problem in drawn_widely(form):
            answers = [worked.answer for worked in rule.run(problem)]
            values = {(answer.kind, answer.value) for answer in answers}
            assert len(values) == len(answers), (problem, answers)

    @each_rule
    def test_triggers(self, rule, form, drawn_widely):
        typed = [problem for problem in rule.typed if isinstance(problem, form)]
        times = sum(
            not worked.answer.same_as(problem.solve().answer)
            for problem in typed or drawn_widely(form)
            for worked in rule.run(problem)
        )
        assert times > 0

    @each_rule
    def test_leaves_problems_of_other_forms_alone(self, rule, form, drawn):

        @dataclasses.dataclass(frozen=True, slots=True)
        class Other:
            pass

        assert rule.run(Other()) == ()
        assert all(isinstance(problem, rule.forms) for problem in drawn(form))
