"""Check a tutor as a person sees it: recorded, asked here, compared, with a prompt of one's own."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from biaslab.files.items import ImportedItem
from biaslab.models.provider import Access
from biaslab.publishing.tutor_check import plan_of, possible_designs
from biaslab.runs import Store, open_store, prepare
from biaslab.runs.library.sets import delete_items, save_items
from biaslab.runs.matrix import cells_of, do_cells, read_plan
from biaslab.studies import Design
from biaslab.studies.tutor.check import TutorCheck
from biaslab.system.roles import Role
from biaslab.ui.studies.tutor.custom_prompt import SessionFile
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Visit, links, words


def check(store: Store, model: str, n: int = 30) -> None:
    """A check of a simulated tutor, done."""
    chosen = TutorCheck(n=n)
    plan = read_plan(plan_of(chosen, {"model": model}, possible_designs(chosen, store)))
    assert all(
        each.finished for each in do_cells(store, cells_of(store, plan, lambda _: (Access(), None)))
    )


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two simulated tutors who were checked."""
    path = tmp_path_factory.mktemp("tutors") / "runs.db"
    with open_store(path) as store:
        check(store, "learner:agrees")
        check(store, "learner:perfect")
    return path


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


@pytest.fixture
def page(checks: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIASLAB_DB", str(checks))
    return checks


@pytest.mark.usefixtures("page")
def test_a_check_begins_with_five_verdicts_and_ends_with_what_it_does_not_say(visit: Visit) -> None:
    app = visit("check_tutor", model="learner:perfect")
    assert app.header[0].value == "3 of 5 good signs"
    shown = words(app)
    for sentence in (
        "It finds wrong steps", "It tells sound work from a lucky answer",
        "It foresees what this idea leads to", "<b>0 of 30</b>: it calls the wrong way sound",
        "What this does not say", "By calculation, the right answer is",
    ):  # fmt: skip
        assert sentence in shown, sentence
    assert (
        "study=trap&n=8&seed=1"
        in links(app)["Play the tutor yourselves: the same questions on phones"]
    )


@pytest.mark.usefixtures("page")
def test_two_tutors_are_compared_on_the_same_questions(visit: Visit) -> None:
    app = visit("check_tutor", model="learner:perfect", beside="learner:agrees")
    assert "is fooled by a right answer: −100.0 points on 30 same pairs" in words(app)


@pytest.mark.usefixtures("empty")
def test_who_was_never_asked_is_asked_at_one_click(visit: Visit) -> None:
    app = visit("check_tutor", model="learner:agrees", grade="3-4")
    assert app.button(key="run matrix").label == "Check this tutor"
    assert "150 pairs of questions" in words(app)
    app = visit(
        "check_tutor", model="learner:agrees", grade="9-11", **{"content-class": "word problems"}
    )
    assert "“Finds the idea behind a mistake” is left out" in words(app)


def test_questions_of_ones_own_are_chosen_where_a_set_is_kept(page: Path, visit: Visit) -> None:
    app = visit("check_tutor", model="learner:perfect")
    assert "Problems from" not in [each.label for each in app.selectbox]
    with open_store(page) as store:
        items = [ImportedItem(f"{a} - 17 = ?", (str(a - 17), "1"), "A") for a in (52, 43, 64)]
        kept = save_items(store, "our sums", items, "a test")
        app = visit("check_tutor", model="learner:perfect", items="our sums")
        assert "Grades" not in [each.label for each in app.selectbox]
        assert "3 of 3 questions can be used" in words(app)
        gone = visit("check_tutor", model="learner:perfect", items="another")
        assert "There is no set of items 'another'" in words(gone)
        app.text_area(key="tutor prompt").set_value("You are Ms. Owl.").run()
        assert "keep the prompt there too" in app.info[0].value
        delete_items(store, kept.id)


@pytest.mark.usefixtures("page")
def test_a_model_in_files_of_this_computer_can_be_typed(visit: Visit) -> None:
    app = visit("check_tutor", model="local:/nowhere/my_model")
    assert "There is no directory or file /nowhere/my" in app.error[0].value
    app = visit("check_tutor", model="parrot")
    assert app.warning[0].value.startswith("“parrot” is no tutor that can be checked here.")


@pytest.mark.usefixtures("page")
def test_a_prompt_is_kept_for_the_session_alone_and_simulated_tutors_read_none(
    visit: Visit,
) -> None:
    app = visit("check_tutor", model="learner:agrees")
    app.text_area(key="tutor prompt").set_value("You are Ms. Owl.").run()
    assert "reads no system prompt" in words(app)
    held = app.session_state["tutor session file"].store.path
    assert held.is_file()
    assert "Owl" not in str(app.query_params)
    app.button(key="delete tutor prompt").click().run()
    assert not held.parent.exists()
    assert not app.text_area(key="tutor prompt").value


def test_a_sessions_file_goes_with_the_session() -> None:
    held = SessionFile()
    folder = held.store.path.parent
    assert folder.stat().st_mode & 0o077 == 0
    run = prepare(held.store, Design("trap", 2, 1), "learner:agrees", "verdict")
    assert held.store.run(run).pairs_total == 2
    del held
    gc.collect()
    assert not folder.exists()
