"""Problems of every registered form, drawn once for all tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from schoolmath.malrules import Form, NotDrawn
from schoolmath.malrules.forms import draw_widely
from schoolmath.problems.draws import Draws

PROBLEMS_PER_GRADE = 40


@cache
def _drawn(form: type[Form]) -> tuple[Form, ...]:
    low, high = form.grades
    found: list[Form] = []
    for grade in range(low, high + 1):
        for seed in range(PROBLEMS_PER_GRADE):
            try:
                found.append(form.draw(Draws(f"{form.__name__}/{grade}/{seed}"), grade))
            except NotDrawn:
                continue
    return tuple(found)


@cache
def _drawn_widely(form: type[Form]) -> tuple[Form, ...]:
    low, high = form.grades
    found: list[Form] = []
    for seed in range(5 * PROBLEMS_PER_GRADE):
        try:
            grade = low + seed % (high - low + 1)
            found.append(draw_widely(form, Draws(f"widely/{form.__name__}/{seed}"), grade))
        except NotDrawn:
            continue
    return (*_drawn(form), *found)


@pytest.fixture(scope="session")
def drawn() -> Callable[[type[Form]], tuple[Form, ...]]:
    """Many problems of a form, of every grade that it is drawn for."""
    return _drawn


@pytest.fixture(scope="session")
def drawn_widely() -> Callable[[type[Form]], tuple[Form, ...]]:
    """The same, and problems by which rules are told apart."""
    return _drawn_widely
