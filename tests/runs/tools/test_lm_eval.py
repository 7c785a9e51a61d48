"""A study asked by lm-evaluation-harness gives the number that it gives here, and becomes a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import Store, prepare, run_here
from biaslab.runs.tools import LogRefused, import_log, read_log
from biaslab.stats import Effect
from biaslab.studies import Design
from tests.models.random_models import make_network, make_tokenizer
from tests.runs.tools.conftest import PAIRS, effect_of, figures, needs
from tests.servers.fixtures import ServerUrl

pytestmark = [needs("lm_eval"), needs("datasets")]
Tool = Callable[..., str]
NAMES = ("cate", "low", "high", "n", "clusters")


def _tasks(folder: Path, *options: str) -> list[str]:
    command = ["tasks", "lm-eval", "--out", str(folder / "tasks"), *options]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    return done.output.split("\n")


def _evaluate(tool: Tool, task: str, model: str, arguments: str, *options: str) -> None:
    tool(
        "lm-eval", "run", "--include_path", "tasks", "--tasks", task, "--model", model,
        "--model_args", arguments, "--output_path", "out", "--log_samples", *options,
    )  # fmt: skip


def _results(folder: Path) -> dict[str, float]:
    (file,) = (folder / "out").rglob("results_*.json")
    ((_, found),) = json.loads(file.read_text())["results"].items()
    return {name: found[f"{name},none"] for name in (*NAMES, "unread")}


def _samples(folder: Path) -> Path:
    (file,) = (folder / "out").rglob("samples_*.jsonl")
    return file


def test_the_same_pairs_give_the_same_effect_there_and_here(
    tool: Tool, tiny_server: ServerUrl, our_own: Effect, store: Store, tmp_path: Path
) -> None:
    _tasks(tmp_path, "--study", "consistency", "--n", str(PAIRS), "--steps", "1-3")
    address = f"base_url={tiny_server()}/chat/completions,model=tiny"
    _evaluate(
        tool, "biaslab_consistency_direct", "local-chat-completions", address,
        "--apply_chat_template",
    )  # fmt: skip
    there = _results(tmp_path)
    assert [there[name] for name in NAMES] == pytest.approx(figures(our_own), abs=1e-9)
    kept = import_log(store, read_log(_samples(tmp_path)))
    assert figures(effect_of(store, kept.run)) == pytest.approx(figures(our_own), abs=1e-9)
    assert (kept.items, kept.unanswered, kept.read_otherwise) == (2 * PAIRS, 0, 0)
    assert store.run(kept.run).model_spec == "lm-eval:tiny"


def test_a_study_that_compares_probabilities_agrees_with_our_own_scoring(
    tool: Tool, store: Store, tmp_path: Path
) -> None:
    tokenizer = make_tokenizer(adds_bos=False)
    make_network("gpt2", len(tokenizer), n_positions=4096).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    _tasks(tmp_path, "--study", "concept-learning", "--n", "20")
    task = "biaslab_concept_learning_likelihood_base"
    _evaluate(tool, task, "hf", "pretrained=model,dtype=float32", "--device", "cpu")
    kept = import_log(store, read_log(_samples(tmp_path)))
    own = prepare(
        store, Design("concept-learning", 20, 1), f"local:{tmp_path / 'model'}", "likelihood"
    )
    assert run_here(store, own).failed == 0
    there = _results(tmp_path)
    ours = effect_of(store, own)
    assert ours.accuracy_x not in (0.0, 1.0)
    assert [there[name] for name in NAMES] == pytest.approx(figures(ours), abs=1e-9)
    assert figures(effect_of(store, kept.run)) == pytest.approx(figures(ours), abs=1e-9)
    mine, theirs = (
        [extra["p_yes"] for extra in store.answered_items([run])["extra"]]
        for run in (own, kept.run)
    )
    assert mine == pytest.approx(theirs, abs=1e-4)


def test_prompts_that_are_not_the_studys_are_refused(
    tool: Tool, tiny_server: ServerUrl, tmp_path: Path
) -> None:
    _tasks(tmp_path, "--study", "carry", "--n", "3")
    address = f"base_url={tiny_server()}/completions,model=tiny,tokenizer_backend=none"
    _evaluate(tool, "biaslab_carry_direct", "local-completions", address)
    with pytest.raises(LogRefused, match="not asked with the prompt"):
        read_log(_samples(tmp_path))
