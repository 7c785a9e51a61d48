"""Rules of algebra work on any problem that can be written down, not only on drawn ones."""

from __future__ import annotations

import dataclasses
import json
import sys
import typing

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from schoolmath.malrules import FORMS, Form, read_form, rules, rules_for, write_form
from schoolmath.problems.draws import Draws
from tests.loops import over

rules()
ALGEBRA = [FORMS[name] for name in (
    "NthTerm", "SequenceTerm", "BracketValue", "BracketExpansion", "ExponentLaws",
    "ExpressionValue", "FunctionValue", "FractionValue", "Growth", "Inequality", "LikeTerms",
    "LinearEquation", "Blank", "MissingFactor", "MissingAddend", "PowerValue",
    "ProportionalTable", "SquareEquation", "FactoredEquation", "SlopeOfPoints", "SlopeOfLine",
    "SlopeOfStandardForm", "WordEquation",
)]  # fmt: skip
FIELDS: dict[object, st.SearchStrategy[object]] = {
    int: st.integers(-12, 40),
    bool: st.booleans(),
    str: st.sampled_from(["<", ">", "≤", "≥", "cups", "pots"]),
    tuple[int, ...]: st.lists(st.integers(-9, 20), min_size=1, max_size=4).map(tuple),
}


def any_problem(data: st.DataObject, form: type[Form]) -> Form:
    """A problem with any fields that its form does not refuse."""
    hints = typing.get_type_hints(form)
    fields = {
        field.name: data.draw(FIELDS[hints[field.name]], field.name)
        for field in dataclasses.fields(form)  # type: ignore[arg-type]
    }
    try:
        return form(**fields)
    except ValueError:
        reject()


def drawn_or_any(data: st.DataObject, form: type[Form]) -> Form:
    if data.draw(st.integers(0, 4)):
        return any_problem(data, form)
    low, high = form.grades
    grade = data.draw(st.integers(low, high))
    return form.draw(Draws(str(data.draw(st.integers(0, 10**6)))), grade)


@pytest.mark.parametrize("form", ALGEBRA, ids=lambda form: form.__name__)
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_rule_gives_answers_with_a_trace_or_nothing(form, data):
    problem = drawn_or_any(data, form)
    assert read_form(json.loads(json.dumps(write_form(problem)))) == problem
    for rule in rules_for(problem):
        given_answers = rule.run(problem)
        assert given_answers == rule.run(problem)
        for worked in (problem.solve(), *given_answers):
            assert 1 <= len(worked.steps) <= 5
            assert worked.answer.shown in worked.steps[-1].numbers
            assert 0 <= worked.key_step < len(worked.steps)


@over("form", ALGEBRA, ids=lambda form: form.__name__)
def test_drawn_problems_nearly_always_have_three_wrong_answers(form):
    low, high = form.grades
    for grade in range(low, high + 1):
        enough = 0
        for seed in range(50):
            problem = form.draw(Draws(f"three/{seed}"), grade)
            right = problem.solve().answer
            wrong = {
                worked.answer.value
                for rule in rules_for(problem)
                for worked in rule.run(problem)
                if not worked.answer.same_as(right)
            }
            enough += len(wrong) >= 3
        assert enough >= 40, grade


@pytest.mark.parametrize("form", ALGEBRA, ids=lambda form: form.__name__)
def test_drawn_problems_are_worked_without_sympy_which_is_slow(form, monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    for grade in form.grades:
        for seed in range(20):
            problem = form.draw(Draws(f"fast/{seed}"), grade)
            problem.solve()
            for rule in rules_for(problem):
                rule.run(problem)
