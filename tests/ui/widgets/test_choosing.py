"""Whoever chooses is understood: an option is its id, and no two of a widget look the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.choosing import EqualLabels, distinct_labels

ROOT = Path(__file__).resolve().parents[3]
WIDGETS = {"radio", "selectbox", "multiselect", "pills", "segmented_control"}
DIRECT = WIDGETS | {"select_slider", "menu_button"}
"""What hands a choice over as the words that were shown."""


def _direct_calls(code: ast.AST) -> Iterator[int]:
    for node in ast.walk(code):
        if isinstance(node, ast.Attribute) and node.attr in DIRECT:
            if not (isinstance(node.value, ast.Name) and node.value.id == "choosing"):
                yield node.lineno
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            yield from (node.lineno for name in node.names if name.name in DIRECT)


def test_every_choice_of_the_app_goes_through_one_place() -> None:
    files = [ROOT / "app.py", *ROOT.glob("biaslab/ui/**/*.py")]
    assert len(files) > 80
    own = ROOT / "biaslab" / "ui" / "widgets" / "choosing.py"
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        if file != own
        for line in _direct_calls(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert not found, "call biaslab.ui.widgets.choosing, which refuses equal labels"


@pytest.mark.parametrize(
    "code",
    ["st.radio('a', x)", "left.selectbox('a', x)", "from streamlit import pills", "f(st.pills)"],
)
def test_a_way_around_that_place_is_found(code: str) -> None:
    assert list(_direct_calls(ast.parse(code)))


@pytest.mark.parametrize("widget", sorted(WIDGETS))
def test_two_options_of_one_label_are_refused(widget: str) -> None:
    with pytest.raises(EqualLabels, match="“Run” offers more than one “the same”"):
        getattr(choosing, widget)("Run", ["a", "b", "c"], format_func={
            "a": "the same", "b": "the  same ", "c": "other"
        }.__getitem__)  # fmt: skip


@pytest.mark.parametrize("widget", ["radio", "selectbox", "multiselect"])
def test_what_is_chosen_is_the_id(widget: str) -> None:
    def page(widget: str) -> None:
        from biaslab.ui.widgets import choosing

        words = {"a": "one", "b": "two"}
        getattr(choosing, widget)("Which", words, format_func=words.__getitem__, key="chosen")

    app = AppTest.from_function(page, kwargs={"widget": widget}).run()
    chosen = app.get(widget)[0]
    assert chosen.options == ["one", "two"]
    chosen.set_value(["b"] if widget == "multiselect" else "b").run()
    assert app.session_state["chosen"] == (["b"] if widget == "multiselect" else "b")


def test_things_of_one_name_get_their_id_behind_it() -> None:
    assert distinct_labels({"1": "Class 5", "2": "Class 6", "3": "Class 5"}) == {
        "1": "Class 5 · 1",
        "2": "Class 6",
        "3": "Class 5 · 3",
    }


NAMES = some.sampled_from(["a", "b", "a · 1", "a  ·  1", "a · 1 · 1", ""])


@given(some.dictionaries(some.sampled_from(["1", "2", "3", "1 · 1"]), NAMES))
def test_no_two_labels_are_ever_the_same(names: dict[str, str]) -> None:
    found = distinct_labels(names)
    assert list(found) == list(names)
    assert len({" ".join(label.split()) for label in found.values()}) == len(names)
    assert all(found[each].startswith(name) for each, name in names.items())
