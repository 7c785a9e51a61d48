"""The parameters of a page's address are declared once, and nothing else is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.ui.navigation import SCREENS
from tests.ui.conftest import ROOT

UI = ROOT / "biaslab" / "ui"
MAKERS = {"Parameter", "choice", "integer", "flag", "several", "open_integer", "number", "typed"}
"""What makes a parameter of a name (`biaslab.ui.widgets.address`)."""


def _named(tree: ast.AST) -> Iterator[str]:
    """The names of parameters that a file makes, where they are written out."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id=maker) | ast.Subscript(value=ast.Name(id=maker)),
                args=[ast.Constant(value=str(name)), *_],
            ) if maker in MAKERS:
                yield name


def _files() -> list[Path]:
    return [*UI.rglob("*.py")]


def test_every_parameter_is_declared_by_a_screen() -> None:
    declared = {name for screen in SCREENS for name in screen.parameters}
    named = {
        f"{path.name}: {name}"
        for path in _files()
        for name in _named(ast.parse(path.read_text(encoding="utf-8")))
        if name not in declared
    }

    assert named == set()


@pytest.mark.slow
def test_parameters_are_found_where_they_are_made() -> None:
    found = {name for path in _files() for name in _named(ast.parse(path.read_text("utf-8")))}

    assert {"study", "runs", "page", "answering"} <= found


def _page(shown: str, declared: tuple[str, ...]) -> None:
    import streamlit as st

    from biaslab.ui.widgets.address import UndeclaredParameter, integer, remember

    remember(shown, declared)
    try:
        st.markdown(str(integer("seed", 1, 1, 9).value))
    except UndeclaredParameter as error:
        st.error(str(error))


@pytest.mark.parametrize("declared", [("seed",), ("seed", "n")])
def test_a_declared_parameter_is_read(declared: tuple[str, ...]) -> None:
    app = AppTest.from_function(_page, args=("Compose", declared))
    app.query_params["seed"] = "7"

    assert app.run().markdown[0].value == "7"


def test_a_parameter_that_the_page_does_not_declare_is_refused() -> None:
    app = AppTest.from_function(_page, args=("Compose", ("n",))).run()

    (error,) = app.error
    assert "Compose reads “seed” from its address and does not declare it" in error.value


def _typing() -> None:
    import streamlit as st

    from biaslab.ui.widgets.address import draft_field, integer, remember, typed

    remember("typing", ("name", "n"))
    draft_field("Name", typed("name"))
    st.number_input("n", 1, 9, **integer("n", 3, 1, 9).bind())
    st.button("Again")


def test_a_run_of_the_page_does_not_undo_what_is_typed_meanwhile() -> None:
    """A field is given its value when that is another, and not once more by every run."""
    page = AppTest.from_function(_typing).run()
    assert not page.exception
    fields = [page.text_input[0].proto, page.number_input[0].proto]
    assert [each.set_value for each in fields] == [True, True]

    page.button[0].click().run()
    fields = [page.text_input[0].proto, page.number_input[0].proto]
    assert [each.set_value for each in fields] == [False, False]

    page.text_input[0].input(" Ann ").run()
    assert page.text_input[0].value == "Ann"
    assert page.text_input[0].proto.set_value
