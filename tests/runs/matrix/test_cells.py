"""Doing a plan: every cell once, what is finished kept, one budget, whatever happens."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biaslab.cli import main
from biaslab.models import Access
from biaslab.runs import Budget, RunStatus, Store, UnknownStrategy, open_store
from biaslab.runs.engine.sources import Sources
from biaslab.runs.matrix import (
    CellResult,
    MatrixCell,
    PlanError,
    cells_of,
    do_cells,
    estimate_cells,
    read_plan,
)
from tests.models.random_models import CHAT_TEMPLATE, saved
from tests.runs.simulation import Behaviour, open_simulated, simulated_sources
from tests.servers.fixtures import ServerUrl

ONE = Behaviour().spec
OTHER = Behaviour(wrong=2).spec


def plan_of(**content: Any) -> bytes:
    content.setdefault("studies", [{"study": "sums", "n": 4}])
    content.setdefault("models", [ONE])
    return yaml.safe_dump(content).encode()


def crossed(store: Store, sources: Sources | None = None, **content: Any) -> tuple[MatrixCell, ...]:
    plan = read_plan(plan_of(**content))
    return cells_of(store, plan, lambda _: (Access(), None), sources or simulated_sources())


def do(
    store: Store, cells: tuple[MatrixCell, ...], budget: Budget | None = None
) -> list[CellResult]:
    return list(do_cells(store, cells, budget, sources=simulated_sources()))


def asked(done: list[CellResult]) -> int:
    return sum(each.record.asked for each in done if each.record is not None)


def test_every_study_is_asked_of_every_model_in_every_way_model_by_model(store: Store) -> None:
    cells = crossed(
        store,
        studies=[{"study": "sums", "n": 4}, {"study": "sums", "n": 4, "seed": 2}],
        models=[ONE, OTHER],
        strategies="all",
    )
    names = [each.name for each in simulated_sources().experiment("sums").strategies]
    assert [(cell.model, cell.design.seed, cell.strategy) for cell in cells] == [
        (model, seed, name) for model in (ONE, OTHER) for seed in (1, 2) for name in names
    ]
    done = do(store, cells)
    assert all(each.finished for each in done)
    assert len({each.cell.run for each in done}) == len(cells)


def test_without_strategies_each_study_is_asked_by_its_first(store: Store) -> None:
    (cell,) = crossed(store)
    assert cell.strategy == simulated_sources().experiment("sums").strategies[0].name


def test_doing_a_plan_again_asks_nothing_and_a_longer_one_only_what_is_new(store: Store) -> None:
    first = do(store, crossed(store))
    again = do(store, crossed(store))
    assert [each.cell.run for each in again] == [each.cell.run for each in first]
    assert len(store.runs()) == 1
    longer = do(store, crossed(store, models=[ONE, OTHER]))
    assert longer[0].cell.run == first[0].cell.run
    assert len(store.runs()) == 2


@pytest.mark.parametrize(
    "other",
    [
        {"studies": [{"study": "sums", "n": 5}]},
        {"studies": [{"study": "sums", "n": 4, "seed": 2}]},
        {"models": [OTHER]},
        {"temperature": 0.5},
        {"temperature": 0.5, "samples": 2},
    ],
    ids=["pairs", "seed", "model", "temperature", "samples"],
)
def test_a_run_of_anything_else_is_another_run(store: Store, other: dict[str, Any]) -> None:
    do(store, crossed(store))
    (cell,) = crossed(store, **other)
    assert cell.run == ""


def test_what_was_interrupted_goes_on_and_nothing_is_asked_twice(
    store: Store, tmp_path: Path
) -> None:
    log = tmp_path / "asked.txt"
    spec = Behaviour(log=str(log), delay=0.03).spec

    def stop(_: MatrixCell, record: Any) -> None:
        if record.items_done:
            raise KeyboardInterrupt

    content = {"models": [spec], "studies": [{"study": "sums", "n": 40}]}
    with pytest.raises(KeyboardInterrupt):
        list(do_cells(store, crossed(store, **content), None, stop, sources=simulated_sources()))
    (cell,) = crossed(store, **content)
    assert store.run(cell.run).status is RunStatus.STOPPED
    (done,) = do(store, (cell,))
    assert done.finished
    assert set(Counter(log.read_text().splitlines()).values()) == {1}


def test_a_cell_that_fails_keeps_no_other_from_being_done(store: Store) -> None:
    def another(spec: str, _: Access) -> Any:
        found = open_simulated(spec)
        revised = replace(found.behaviour, revision="another")
        return replace(found, behaviour=revised) if spec == OTHER else found

    sources = replace(simulated_sources(), open_model=another)
    cells = crossed(store, models=[OTHER, ONE])
    first, second = do_cells(store, cells, sources=sources)
    assert not first.finished
    assert "no longer the one" in first.message
    assert second.finished


def test_a_model_whose_weights_are_here_is_opened_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    sources = simulated_sources()

    def open_model(spec: str, access: Access) -> Any:
        opened.append(spec)
        return sources.open_model(spec, access)

    monkeypatch.setattr(
        "biaslab.runs.matrix.read_spec", lambda _: type("Spec", (), {"has_weights": True})
    )
    counted = replace(sources, open_model=open_model)
    seeds = [{"study": "sums", "n": 3, "seed": seed} for seed in (1, 2, 3)]
    cells = crossed(store, models=[ONE, OTHER], studies=seeds)
    assert all(each.finished for each in do_cells(store, cells, sources=counted))
    assert opened == [ONE, OTHER]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(limit=st.integers(0, 40), pairs=st.integers(1, 8), models=st.integers(1, 3))
def test_all_cells_together_stay_within_the_budget_also_when_the_plan_is_done_again(
    tmp_path_factory: pytest.TempPathFactory, limit: int, pairs: int, models: int
) -> None:
    specs = [Behaviour(right_below=100 + each).spec for each in range(models)]
    content = {"models": specs, "studies": [{"study": "sums", "n": pairs}]}
    with open_store(tmp_path_factory.mktemp("plan") / "runs.db") as store:
        for _ in range(2):
            done = do(store, crossed(store, **content), Budget(requests=limit))
            assert asked(done) <= limit
        if any(not each.finished for each in done):
            # Not one request is left over that would have been allowed.
            assert asked(done) == limit
        whole = do(store, crossed(store, **content))
        assert all(each.finished for each in whole)


def test_what_the_budget_left_undone_is_told(store: Store) -> None:
    done = do(store, crossed(store, models=[ONE, OTHER]), Budget(requests=2))
    assert [each.finished for each in done] == [False, False]
    assert {each.message for each in done} == {
        "The budget of the plan is used up; do it again with a larger one."
    }


def test_a_plan_that_asks_the_same_twice_is_refused(store: Store) -> None:
    with pytest.raises(PlanError, match="twice"):
        crossed(store, models=[ONE, ONE])


def test_a_strategy_that_no_study_knows_is_refused_with_those_there_are(store: Store) -> None:
    with pytest.raises(UnknownStrategy, match="direct"):
        crossed(store, strategies=["driect"])
    with pytest.raises(UnknownStrategy, match="direct"):
        crossed(store, studies=[{"study": "sums", "strategies": ["driect"]}])


def test_an_estimate_tells_what_is_still_to_be_asked(store: Store) -> None:
    do(store, crossed(store))
    found = list(estimate_cells(store, crossed(store, models=[ONE, OTHER]), simulated_sources()))
    assert [estimate is None for _, estimate in found] == [True, False]
    assert len(store.runs()) == 1


# The command, with real models


def matrix(tmp_path: Path, plan: str, *more: str) -> Any:
    file = tmp_path / "plan.yaml"
    file.write_text(plan, encoding="utf-8")
    return CliRunner().invoke(main, ["matrix", str(file), "--db", str(tmp_path / "a.db"), *more])


def test_the_command_asks_learners_and_says_who_cannot_be_asked(tmp_path: Path) -> None:
    plan = (
        "studies: [{study: consistency, n: 5, steps: 1-1}, {study: carry, n: 5}]\n"
        "models: [learner:novice, learner:random]\nstrategies: [direct, cot]\n"
    )
    done = matrix(tmp_path, plan)
    assert done.exit_code == 0, done.output
    assert done.output.count("finished") == 4
    assert done.output.count("cannot be asked") == 4
    assert "learner:random cannot solve word problems" in done.output
    with open_store(tmp_path / "a.db") as store:
        assert len(store.runs()) == 4


def test_the_command_asks_a_server_by_its_address(tmp_path: Path, tiny_server: ServerUrl) -> None:
    plan = (
        "studies: [{study: consistency, n: 4, steps: 1-1}]\n"
        f'models: [{{model: "openai:tiny", base_url: "{tiny_server()}"}}, learner:perfect]\n'
    )
    done = matrix(tmp_path, plan, "--format", "json")
    assert done.exit_code == 0, done.output
    with open_store(tmp_path / "a.db") as store:
        assert {run.model_spec for run in store.runs()} == {"openai:tiny", "learner:perfect"}
        assert all(run.status is RunStatus.FINISHED for run in store.runs())


def test_the_command_asks_weights_here_in_the_number_format_that_was_found(tmp_path: Path) -> None:
    folder = saved(tmp_path, "llama", True, False, CHAT_TEMPLATE)
    plan = f'studies: [{{study: trap, n: 2}}]\nmodels: ["local:{folder}"]\n'
    done = matrix(tmp_path, plan)
    assert done.exit_code == 0, done.output
    with open_store(tmp_path / "a.db") as store:
        (run,) = store.runs()
    assert run.status is RunStatus.FINISHED
    assert run.options.access.dtype != "auto"
    # Once more it is the same run.
    assert matrix(tmp_path, plan).exit_code == 0
    with open_store(tmp_path / "a.db") as store:
        assert [each.id for each in store.runs()] == [run.id]


def test_a_budget_in_money_without_prices_is_refused_before_anything_is_asked(
    tmp_path: Path, tiny_server: ServerUrl
) -> None:
    plan = (
        "studies: [{study: consistency, n: 4, steps: 1-1}]\nbudget: {money: 1}\n"
        f'models: [{{model: "openai:tiny", base_url: "{tiny_server()}"}}]\n'
    )
    done = matrix(tmp_path, plan)
    assert done.exit_code == 1
    assert "price_in" in done.output
    with open_store(tmp_path / "a.db") as store:
        assert store.runs() == []


def test_an_estimate_asks_nothing(tmp_path: Path) -> None:
    plan = "studies: [{study: consistency, n: 5, steps: 1-1}]\nmodels: [learner:novice]\n"
    done = matrix(tmp_path, plan, "--estimate")
    assert done.exit_code == 0, done.output
    assert "at most 10 requests" in done.output
    with open_store(tmp_path / "a.db") as store:
        assert store.runs() == []
