"""Logs that other tools really wrote are read as the tool itself scored them (`compare A B`)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from biaslab.files.formats.scores import NO_SCORE, Columns, ScoredLog, read_logs, read_scores
from biaslab.stats.comparisons import compare_logs
from tests.models.random_models import make_network, make_tokenizer
from tests.runs.tools.conftest import needs

Tool = Callable[..., str]
DOCS = Path(__file__).resolve().parents[3] / "docs" / "other-logs.md"


def documented(tool: str) -> str:
    """The code that docs/other-logs.md gives to people who use the tool."""
    found = re.search(rf"```python {tool}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


INSPECT_TASK = """
from pathlib import Path
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import accuracy
from inspect_ai.solver import solver

@solver
def saying(right, every):
    async def solve(state, generate):
        at = int(state.sample_id)
        if at % every == 0:
            raise RuntimeError("no answer today")
        said = str(at + 1) if at % right else "0"
        state.output = ModelOutput.from_content("mockllm/model", said)
        return state
    return solve

@task
def sums(right: int = 2, every: int = 99, baseline: str = ""):
    samples = [Sample(id=at, input=f"{at} + 1", target=str(at + 1)) for at in range(1, 13)]
    metrics = [accuracy(), *([difference_to(baseline)] if baseline else [])]
    return Task(dataset=samples, solver=saying(right, every), scorer=match(), metrics=metrics)
"""


def mean(log: ScoredLog) -> float:
    return sum(log.scores.values()) / len(log.scores)


@needs("inspect_ai")
def test_logs_of_inspect_have_its_accuracy_and_its_errors_are_missing(
    tool: Tool, tmp_path: Path
) -> None:
    from inspect_ai.log import read_eval_log

    (tmp_path / "sums.py").write_text(documented("inspect") + INSPECT_TASK)
    for name, *options in (("one", "-T", "right=2"), ("two", "-T", "right=3", "-T", "every=5")):
        for form in ("eval", "json"):
            tool(
                "inspect", "eval", "sums.py", "--model", "mockllm/model", "--display", "none",
                "--epochs", "2", "--no-fail-on-error", "--log-format", form,
                "--log-dir", f"{name}-{form}", *options,
            )  # fmt: skip
    read = {}
    for name in ("one", "two"):
        by_form = []
        for form in ("eval", "json"):
            (file,) = (tmp_path / f"{name}-{form}").glob(f"*.{form}")
            log = read_scores(file)
            results = read_eval_log(str(file)).results
            assert results is not None
            assert mean(log) == pytest.approx(results.scores[0].metrics["accuracy"].value)
            by_form.append(log.scores)
        assert by_form[0] == by_form[1]
        read[name] = log
    assert len(read["one"].scores) == 24
    assert read["two"].left_out == {NO_SCORE: 4}
    (found,) = compare_logs([read["two"], read["one"]])
    assert (found.n, found.clusters, found.only_b) == (20, 10, 4)

    # The metric of the docs, in the tool itself, finds the same difference.
    (first,) = (tmp_path / "one-eval").glob("*.eval")
    tool(
        "inspect", "eval", "sums.py", "--model", "mockllm/model", "--display", "none",
        "--no-fail-on-error", "--log-format", "json", "--log-dir", "metric",
        "-T", "right=3", "-T", "every=5", "-T", f"baseline={first}",
    )  # fmt: skip
    (file,) = (tmp_path / "metric").glob("*.json")
    results = read_eval_log(str(file)).results
    assert results is not None
    metrics = {name: each.value for score in results.scores for name, each in score.metrics.items()}
    assert metrics["n"] == 10
    assert metrics["difference"] == pytest.approx(found.difference)


@needs("lm_eval")
def test_samples_of_lm_eval_have_its_accuracy(tool: Tool, tmp_path: Path) -> None:
    tokenizer = make_tokenizer(adds_bos=False)
    rows = [{"id": at, "q": f"{at} + 1 =", "a": [str(at + 1), str(at), "7"], "gold": at % 3}
            for at in range(30)]  # fmt: skip
    (tmp_path / "sums.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "utils.py").write_text(documented("lm-eval"))
    (tmp_path / "tasks" / "sums.yaml").write_text(
        "task: sums\ndataset_path: json\n"
        f"dataset_kwargs: {{data_files: {{test: {tmp_path / 'sums.jsonl'}}}}}\n"
        "test_split: test\noutput_type: multiple_choice\ndoc_to_text: '{{q}}'\n"
        "doc_to_choice: '{{a}}'\ndoc_to_target: gold\n"
        "process_results: !function utils.process_results\nmetric_list:\n  - metric: acc\n"
        "  - {metric: difference, aggregation: !function utils.difference,"
        " higher_is_better: true}\n"
    )
    logs = []
    baseline = tmp_path / "none.csv"
    baseline.write_text("id,score\n0,1\n")
    for seed in (0, 1):
        make_network("gpt2", len(tokenizer), seed, n_positions=256).save_pretrained(
            tmp_path / f"m{seed}"
        )
        tokenizer.save_pretrained(tmp_path / f"m{seed}")
        tool(
            "lm-eval", "run", "--include_path", "tasks", "--tasks", "sums", "--model", "hf",
            "--model_args", f"pretrained=m{seed},dtype=float32", "--device", "cpu",
            "--output_path", f"out{seed}", "--log_samples",
            HF_HOME=str(tmp_path / "hf"), BASELINE=str(baseline),
        )  # fmt: skip
        (samples,) = (tmp_path / f"out{seed}").rglob("samples_*.jsonl")
        (results,) = (tmp_path / f"out{seed}").rglob("results_*.json")
        log, baseline = read_scores(samples, Columns(score="acc")), samples
        reported = json.loads(results.read_text())["results"]["sums"]
        assert mean(log) == pytest.approx(reported["acc,none"])
        assert len(log.scores) == 30
        logs.append(log)
    (found,) = compare_logs(logs[::-1])
    assert (found.n, found.left_out_a, found.binary) == (30, {}, True)
    # The aggregation of the docs, in the tool itself, finds the same difference.
    assert reported["difference,none"] == pytest.approx(found.difference)


PROMPTFOO = """
prompts: ['What is {{x}} plus 1?']
providers: ['file://one.js', {id: 'file://two.js', label: 'two'}]
tests:
"""


@pytest.mark.skipif(shutil.which("promptfoo") is None, reason="promptfoo is not installed (npm)")
def test_results_of_promptfoo_have_its_counts(tmp_path: Path) -> None:
    script = """module.exports = class {{ id() {{ return '{name}'; }}
    async callApi(prompt, context) {{ const x = Number(context.vars.x);
    if (x % {fails} === 0) return {{ error: 'no answer today' }};
    return {{ output: String(x % {wrong} === 0 ? x : x + 1) }}; }} }};"""
    for name, wrong, fails in (("one", 2, 99), ("two", 3, 5)):
        (tmp_path / f"{name}.js").write_text(script.format(name=name, wrong=wrong, fails=fails))
    tests = "".join(
        f"  - {{vars: {{x: {at}}}, assert: [{{type: equals, value: '{at + 1}'}}]}}\n"
        for at in range(1, 13)
    )
    (tmp_path / "sums.yaml").write_text(PROMPTFOO + tests)
    promptfoo = str(shutil.which("promptfoo"))
    # It ends with 100 where a test failed, which is what is tested here.
    done = subprocess.run(
        [promptfoo, "eval", "-c", "sums.yaml", "-o", "out.json", "--no-cache", "--no-table"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "PROMPTFOO_CONFIG_DIR": str(tmp_path),
             "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"},
    )  # fmt: skip
    assert done.returncode in (0, 100), done.stderr
    counted = json.loads((tmp_path / "out.json").read_text())["results"]["prompts"]
    one, two = read_logs(tmp_path / "out.json")
    assert (one.name, two.name) == ("out.json: one", "out.json: two")
    for log, column in zip((one, two), counted, strict=True):
        metrics = column["metrics"]
        assert sum(log.scores.values()) == metrics["testPassCount"]
        assert log.left_out.get(NO_SCORE, 0) == metrics["testErrorCount"]
    (found,) = compare_logs([one, two])
    assert (found.n, found.only_a) == (10, 2)
