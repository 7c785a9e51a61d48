"""A study asked by Inspect AI gives the number that it gives here, and its log becomes a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def test_what_was_cut_off_is_asked_to_go_on_and_missing_where_that_leads_to_nothing(
    store: Store, tmp_path: Path
) -> None:
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from biaslab.runs.tools.inspect_tasks import TASKS

    def write(messages: Any, *_: Any) -> ModelOutput:
        written = len(messages) > 1 and "more" in messages[0].text
        text, why = ("The answer is 12.", "stop") if written else ("We have to f", "max_tokens")
        output = ModelOutput.from_content("mock", text, stop_reason=why)
        output.usage = ModelUsage(input_tokens=9, output_tokens=5, total_tokens=14)
        return output

    model = get_model("mockllm/model", custom_outputs=write)
    task = TASKS["consistency"](n=5, steps="1-1")
    (log,) = evaluate(task, model=model, log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    kept = import_log(store, read_log(_log(tmp_path)))
    record = store.run(kept.run)
    more = sum("more" in item.text for item in store.items_of(kept.run))
    assert 0 < more < kept.items
    assert (record.answered, record.invalid, record.failed) == (more, 0, kept.items - more)
    there, here = _scored(_log(tmp_path)), effect_of(store, kept.run)
    assert (there["n"], there["unread"]) == (here.n, 0)
