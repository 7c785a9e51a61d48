"""Rules of geometry, data and stories work on any problem, not only on drawn ones."""

from __future__ import annotations

import dataclasses
import json
import typing
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from schoolmath.malrules import FORMS, Form, read_form, rules, rules_for, write_form
from schoolmath.problems.draws import Draws
from tests.loops import over

rules()
THESE = [FORMS[name] for name in (
    "TriangleAngle", "StraightAngle", "PolygonAngleSum", "GroupMeans", "MissingValue", "Box",
    "EnlargedBox", "Circle", "EnlargedCircle", "Cone", "PointReading", "PointMoved",
    "MeanOfList", "MedianOfList", "ModeOfList", "RangeOfList", "FractionOfRest", "BarChart",
    "Pictogram", "RulerReading", "ElapsedTime", "UnitConversion", "ConstantDifference",
    "GrowingField", "Rectangle", "MeasuredRectangle", "RectangleInUnits", "GroupsNeeded",
    "EnlargedRectangle", "SquareGrown", "SimilarSides", "SimilarRectangles", "TriangleArea",
    "RightTriangle", "TwoWayTable", "UnitPrice", "BagOnSale", "TiedRopes", "SawnPlanks",
)]  # fmt: skip
PARTS = [Fraction(top, bottom) for bottom in (2, 3, 4, 5, 8, 10) for top in range(1, 31)]
NUMBERS: dict[object, st.SearchStrategy[object]] = {
    int: st.integers(-2, 60),
    tuple[int, ...]: st.lists(st.integers(-3, 20), min_size=1, max_size=6).map(tuple),
    Fraction: st.sampled_from(PARTS),
}


def any_problem(data: st.DataObject, form: type[Form]) -> Form:
    """A problem with the words of a drawn one and any numbers that its form does not refuse."""
    grade = data.draw(st.integers(*form.grades), "grade")
    drawn = form.draw(Draws(str(data.draw(st.integers(0, 50), "seed"))), grade)
    hints = typing.get_type_hints(form)
    changed = {
        field.name: data.draw(NUMBERS[hints[field.name]], field.name)
        for field in dataclasses.fields(form)  # type: ignore[arg-type]
        if hints[field.name] in NUMBERS and data.draw(st.booleans())
    }
    try:
        return dataclasses.replace(drawn, **changed)  # type: ignore[type-var]
    except ValueError:
        return reject()


@pytest.mark.parametrize("form", THESE)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_problem_is_solved_and_every_rule_is_total(form, data):
    problem = any_problem(data, form)
    again = read_form(json.loads(json.dumps(write_form(problem))))
    assert again == problem
    assert again.solve() == problem.solve()
    assert problem.stem() == again.stem()
    for worked in [problem.solve(), *(w for rule in rules_for(problem) for w in rule.run(problem))]:
        assert worked.answer.shown in worked.steps[-1].text
        assert 0 <= worked.key_step < len(worked.steps)
        assert 2 <= len(worked.steps) <= 6 or type(problem).__name__ == "RulerReading"


@over("form", THESE)
def test_fields_of_another_kind_are_refused(form):
    problem = form.draw(Draws("kind"), form.grades[0])
    content = write_form(problem)
    for name in set(content) - {"form", "name", "other"}:
        with pytest.raises(ValueError, match=r"\.$"):
            read_form({**content, name: "nothing of the kind"})
