"""Singular and plural of nouns, and that the library for them is loaded quickly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from schoolmath.text.plurals import many_of, one_of


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("red lamp", "red lamps"),
        ("berry", "berries"),
        ("child", "children"),
        ("mouse", "mice"),
        ("superhero", "superheroes"),
        ("veggie", "veggies"),
        ("gas", "gases"),
    ],
)
def test_one_and_many(one: str, many: str) -> None:
    assert many_of(one) == many
    assert one_of(many) == one


def test_a_noun_that_grammar_books_do_not_know_takes_no_checks_of_types_with_it() -> None:
    code = (
        "import typeguard; before = typeguard.typechecked\n"
        "from schoolmath.text.plurals import many_of; print(many_of('zorp'))\n"
        "import inflect; print('check_argument_types' in inflect.engine.plural.__code__.co_names)\n"
        "print(typeguard.typechecked is before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["zorps", "False", "True"]
