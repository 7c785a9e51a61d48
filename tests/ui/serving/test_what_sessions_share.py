"""What one session gives is no other's: the caches of the app are everybody's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.ui.navigation import SCREENS
from tests.ui.conftest import Visit, words

ROOT = Path(__file__).resolve().parents[3]
OF_A_SESSION = {
    "session_state", "context", "query_params", "user", "visitor", "typed_key", "has_key",
    "is_key_missing", "environment_for", "acting", "why_not_listed",
}  # fmt: skip
"""What is told apart by session; none of it may stand in what is kept for everybody."""

UNHASHED = {
    ("ask/matrix.py", "_estimated", "_store"),  # by its path and changes
    ("tutor/check.py", "_lines", "_store"),  # by the runs' states, whose ids are in no other file
    ("tutor/check.py", "_lines", "_runs"),
    ("tutor/check.py", "_differences", "_store"),
    ("tutor/check.py", "_differences", "_runs"),
    ("tutor/check.py", "_differences", "_other"),
    ("malgorithm/item_sets.py", "_columns_of", "_data"),  # kept for one session, by its upload
    ("decisions/files_view.py", "_cases_of", "_data"),  # likewise
    ("decisions/queries.py", "counts", "_bias"),  # by the bias's id and the run
    ("results/effects.py", "_charts", "_found"),  # follow from the states of the runs
    ("results/effects.py", "_charts", "_study"),
    ("results/effects.py", "_charts", "_beside"),
    ("results/overview.py", "_chart", "_parts"),
}
"""Arguments that Streamlit leaves out of the key of a cache, each with why that is right."""


def caches() -> Iterator[tuple[str, ast.FunctionDef, str]]:
    """Every function whose results are kept: its file, itself, and how."""
    for path in (ROOT / "biaslab" / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                kept = [ast.unparse(each) for each in node.decorator_list]
                for how in (each for each in kept if "cache" in each):
                    yield "/".join(path.parts[-2:]), node, how


def test_nothing_that_is_kept_for_everybody_asks_whose_session_it_is() -> None:
    found = []
    for file, function, how in caches():
        if "scope='session'" in how:
            continue
        named = {
            each.id if isinstance(each, ast.Name) else each.attr
            for each in ast.walk(function)
            if isinstance(each, ast.Name | ast.Attribute)
        }
        found += [f"{file}: {function.name} uses {each}" for each in sorted(named & OF_A_SESSION)]
    assert found == []


def test_what_is_kept_is_known_by_all_that_it_depends_on() -> None:
    """Streamlit leaves arguments that begin with _ out of the key."""
    left_out = {
        (file, function.name, argument.arg)
        for file, function, how in caches()
        if how.startswith("st.")
        for argument in function.args.args
        if argument.arg.startswith("_")
    }
    assert left_out == UNHASHED


PRIVATE = "Quillon"
"""A name that stands in nothing that comes with BiasLab."""


def _what_somebody_does(visit: Visit) -> list[AppTest]:
    """The pages of a session after somebody has typed what is theirs."""
    problem = f"{PRIVATE} has 7 apples. {PRIVATE} gets 5 more. How many apples does {PRIVATE} have?"
    happened = visit("what_happened", problem="702 - 345", answer="443", view="several")
    happened.text_area[0].set_value(f"702 - 345 {PRIVATE}; 443").run()
    own = visit("your_problem")
    own.text_area[0].set_value(problem).run()
    next(each for each in own.button if each.label == "Read it").click().run()
    bias = visit("biases", view="write")
    bias.text_area[0].set_value(f"id: own\nname: {PRIVATE}\n").run()
    quiz = visit("your_class", test="own")
    if quiz.text_area:
        quiz.text_area[0].set_value(f"What is 1+1, {PRIVATE}?; 2").run()
    audit = visit("audit", **{"from": "paste"})
    audit.text_area[0].set_value(problem).run()
    return [happened, own, bias, quiz, audit]


@pytest.mark.usefixtures("empty")
def test_what_one_session_gives_is_on_no_page_of_another(visit: Visit) -> None:
    given = _what_somebody_does(visit)
    assert any(PRIVATE in words(app) + _fields(app) for app in given)
    for screen in SCREENS:
        other = visit(screen.name)
        assert PRIVATE not in words(other) + _fields(other), screen.title


def _keeps_a_key() -> None:
    import streamlit as st

    from biaslab.models import TYPED_KEY, Access
    from biaslab.ui.widgets.session import environment_for, keep_key

    here = ("http://localhost:8000/v1",)
    keep_key(here, "sk-planted-1234")
    st.text(" ".join(environment_for(Access(here, key_env=TYPED_KEY)).values()))


def _asks_for_a_key() -> None:
    import streamlit as st

    from biaslab.models import TYPED_KEY, Access
    from biaslab.ui.widgets.session import environment_for

    here = ("http://localhost:8000/v1",)
    st.text(" ".join(environment_for(Access(here, key_env=TYPED_KEY)).values()))


def test_a_key_that_one_session_typed_is_no_others() -> None:
    mine = AppTest.from_function(_keeps_a_key).run()
    assert mine.text[0].value == "sk-planted-1234"
    assert AppTest.from_function(_asks_for_a_key).run().text[0].value == ""
    assert mine.run().text[0].value == "sk-planted-1234"


def _fields(app: AppTest) -> str:
    return " ".join(str(each.value) for each in [*app.text_area, *app.text_input])
