"""A study asked by Inspect AI gives the number that it gives here, and its log becomes a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import Store
from biaslab.runs.tools import import_log, read_log
from biaslab.stats import Effect
from tests.runs.tools.conftest import PAIRS, effect_of, figures, needs
from tests.servers.fixtures import ServerUrl

pytestmark = needs("inspect_ai")
Tool = Callable[..., str]


def _evaluate(tool: Tool, url: str, task: str, *options: str) -> None:
    tool(
        "inspect", "eval", f"biaslab/{task}", *options, "--model", "openai-api/stub/tiny",
        "--display", "none", "--log-dir", "logs", STUB_BASE_URL=url, STUB_API_KEY="none",
    )  # fmt: skip


def _log(folder: Path) -> Path:
    (file,) = (folder / "logs").glob("*.eval")
    return file


def _scored(file: Path) -> dict[str, float]:
    from inspect_ai.log import read_eval_log

    results = read_eval_log(str(file), header_only=True).results
    assert results is not None
    return {name: each.value for name, each in results.scores[0].metrics.items()}


def test_the_same_pairs_give_the_same_effect_there_and_here(
    tool: Tool, tiny_server: ServerUrl, our_own: Effect, store: Store, tmp_path: Path
) -> None:
    _evaluate(tool, tiny_server(), "consistency", "-T", f"n={PAIRS}", "-T", "steps=1-3")
    there = _scored(_log(tmp_path))
    names = ("cate", "low", "high", "n", "clusters")
    assert [there[name] for name in names] == pytest.approx(figures(our_own), abs=1e-9)
    kept = import_log(store, read_log(_log(tmp_path)))
    assert figures(effect_of(store, kept.run)) == pytest.approx(figures(our_own), abs=1e-9)
    assert (kept.items, kept.unanswered, kept.read_otherwise) == (2 * PAIRS, 0, 0)


def test_a_log_of_two_requests_and_epochs_is_a_run_with_samples_and_its_provenance(
    tool: Tool, tiny_server: ServerUrl, store: Store, tmp_path: Path
) -> None:
    _evaluate(
        tool, tiny_server(), "carry", "-T", "n=5", "-T", "strategy=cot", "--epochs", "3",
        "--temperature", "0.9",
    )  # fmt: skip
    done = CliRunner().invoke(main, ["import-log", str(_log(tmp_path)), "--db", str(store.path)])
    assert done.exit_code == 0, done.output
    (record,) = store.runs()
    assert done.output.split()[-1] == record.id
    assert record.model_spec == "inspect:openai-api/stub/tiny"
    assert (record.options.samples, record.strategy, record.failed) == (3, "cot", 0)
    assert record.sampling is not None
    assert record.sampling.temperature == 0.9
    found = effect_of(store, record.id)
    assert found.cate == pytest.approx(_scored(_log(tmp_path))["cate"], abs=1e-9)
    pair = store.outcomes([record.id])["pair"][0]
    assert len(store.pair_detail(record.id, pair).x.exchanges) == 2
    with store.reading() as database:
        (model,) = database.query("SELECT details FROM models")
    assert '"imported_from": "Inspect AI"' in model["details"]


def test_a_log_cut_short_is_a_run_of_the_pairs_that_were_asked(
    tool: Tool, tiny_server: ServerUrl, store: Store, tmp_path: Path
) -> None:
    _evaluate(tool, tiny_server(), "carry", "-T", "n=50", "--limit", "11")
    kept = import_log(store, read_log(_log(tmp_path)))
    assert (store.run(kept.run).design.n, kept.items, kept.unanswered) == (6, 12, 1)


def test_what_compares_probabilities_is_refused_with_what_would_work(tool: Tool) -> None:
    with pytest.raises(AssertionError, match="strategy=text"):
        tool("inspect", "eval", "biaslab/concept-learning", "--model", "none/none")
