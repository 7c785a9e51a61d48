"""Several at once as a person sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from biaslab.models import Access
from biaslab.runs import RunStatus, Store, open_store
from biaslab.runs.estimating import RunEstimate
from biaslab.runs.jobs.plans import is_plan_going_on
from biaslab.runs.matrix import MatrixCell, cells_of, estimate_cells, read_plan
from biaslab.system.roles import Role
from biaslab.ui.ask import matrix
from biaslab.ui.widgets import visitor
from tests.conftest import wait_for
from tests.ui.conftest import Visit, links

CHOSEN = {"studies": "consistency,carry", "models": "learner:careless,learner:keyword", "n": "4"}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "runs.db"
    monkeypatch.setenv("BIASLAB_DB", str(path))
    with open_store(path):
        pass
    return path


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


def finished(file: Path) -> int:
    with open_store(file) as store:
        return sum(run.status is RunStatus.FINISHED for run in store.runs())


@pytest.mark.usefixtures("file", "at_home")
def test_the_three_published_studies_of_word_problems_are_one_click_away(visit: Visit) -> None:
    app = visit("matrix")
    assert not app.error
    assert app.button(key="run matrix").label == "Run 3 runs"
    assert len(app.dataframe[0].value) == 3


@pytest.mark.usefixtures("file", "at_home")
def test_what_studies_share_is_chosen_once_and_changes_those_that_can_have_it(
    visit: Visit,
) -> None:
    app = visit("matrix", **CHOSEN, steps="2-3", numbers="100-500", operations="additive")
    consistency, carry = yaml.safe_load(app.code[0].value)["studies"]
    assert (consistency["steps"], consistency["operations"]) == ("2-3", "additive")
    assert (consistency["numbers"], carry["numbers"]) == ("100-500", "100-500")
    assert (carry["steps"], "operations" in carry) == ("1-1", False)
    usual, _ = yaml.safe_load(visit("matrix", **CHOSEN).code[0].value)["studies"]
    assert (usual["numbers"], usual["operations"]) == ("2-20", "all")


@pytest.mark.usefixtures("at_home")
def test_what_was_chosen_is_done_and_its_results_are_a_link(visit: Visit, file: Path) -> None:
    app = visit("matrix", **CHOSEN)
    app.button(key="run matrix").click().run()
    plan = f"{app.code[0].value}\n".encode()
    wait_for(lambda: finished(file) == 4 and not is_plan_going_on(file, plan))

    app = visit("matrix", **CHOSEN)
    assert "Everything of this is finished." in app.success[0].value
    assert set(app.dataframe[0].value["State"]) == {"Finished"}
    linked = links(app)["Compare their results"]
    with open_store(file) as store:
        assert all(run.id in linked for run in store.runs())

    with open_store(file) as store:
        runs = {run.id: run for run in store.runs()}
        cells = cells_of(store, read_plan(plan), lambda _: (Access(), None))
        assert matrix.progress_words(cells, runs) == "**4 of 4 runs finished** · 32 of 32 questions"
        half = {id_: replace(run, status=RunStatus.RUNNING, items_done=4, rate_per_second=0.1)
                for id_, run in runs.items()}  # fmt: skip
        words = "**0 of 4 runs finished** · 16 of 32 questions · about 40 seconds left"
        assert matrix.progress_words(cells, half) == words

    more = visit("matrix", **CHOSEN, strategies="direct,cot")
    assert more.button(key="run matrix").label == "Run 4 runs"
    assert list(more.dataframe[0].value["State"]).count("Finished") == 4


@pytest.mark.usefixtures("file", "at_home")
def test_who_cannot_be_asked_a_study_is_told_and_not_run(visit: Visit) -> None:
    app = visit("matrix", studies="decision,consistency", models="learner:careless", n="4")
    assert app.button(key="run matrix").label == "Run 1 run"
    assert "Cannot be asked" in set(app.dataframe[0].value["State"])


@pytest.mark.usefixtures("file", "at_home")
def test_a_model_in_files_of_this_computer_can_be_typed(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = {"studies": "consistency", "models": "learner:careless,local:/nowhere/my_model"}
    app = visit("matrix", **typed)
    assert app.multiselect(key="address models").value == typed["models"].split(",")
    assert "There is no directory or file /nowhere/my" in app.error[0].value
    # A visitor opens no files here.
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    assert matrix.typed_id("local:/nowhere/my_model", ["learner:careless"]) is None
    assert matrix.typed_id("learner:careless", ["learner:careless"]) == "learner:careless"


@pytest.mark.usefixtures("file", "at_home")
@pytest.mark.parametrize(("each", "asked"), [("0.2", []), ("2", ["Spend up to 8.00 EUR"])])
def test_a_plan_that_may_cost_more_than_a_little_begins_once_somebody_says_so(
    each: str, asked: list[str], visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dear(store: Store, cells: Sequence[MatrixCell]) -> Iterator[tuple[MatrixCell, RunEstimate]]:
        """What the cells take, at a simulated price."""
        for cell, found in estimate_cells(store, cells):
            assert found is not None
            yield cell, replace(found, cost_at_most=Decimal(each), currency="EUR")

    monkeypatch.setattr(matrix, "estimate_cells", dear)
    matrix._estimated.clear()
    app = visit("matrix", **CHOSEN)
    assert [box.label for box in app.checkbox if box.label.startswith("Spend")] == asked
    assert app.button(key="run matrix").disabled is bool(asked)
    for box in app.checkbox:
        box.check()
    assert not app.run().button(key="run matrix").disabled
    matrix._estimated.clear()


@pytest.mark.usefixtures("file")
def test_a_visitor_is_told_who_may_start_this(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    app = visit("matrix", **CHOSEN)
    assert not app.button
    assert "Hosts and the person at this computer may ask models" in app.caption[-1].value


@pytest.mark.usefixtures("file", "at_home")
def test_the_plan_can_be_taken_to_the_command_line(visit: Visit) -> None:
    app = visit("matrix", **CHOSEN, seed="7")
    plan = yaml.safe_load(app.code[0].value)
    assert [(each["study"], each["n"], each["seed"]) for each in plan["studies"]] == [
        ("consistency", 4, 7), ("carry", 4, 7),
    ]  # fmt: skip
    assert "budget" not in plan
    assert yaml.safe_load(visit("matrix", **CHOSEN, **{"budget-requests": "9"}).code[0].value)[
        "budget"
    ] == {"requests": 9}
