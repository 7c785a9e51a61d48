"""`biaslab score`: how probable each continuation of a file is, whoever is asked."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.models import Likelihood, LikelihoodRequest, Message, open_model
from tests.servers.llama import LlamaServer

PROMPT = (
    "Q: Ben has 5 apples. Ana has 3 more apples than Ben. How many apples does Ana have?\n"
    "A: The answer (Arabic numerals) is "
)
GOOD = [{"prompt": PROMPT, "continuation": text} for text in ("8", "2", "8 apples.")]
BAD = [
    ("no JSON", "is no JSON object"),
    ("[1]", "is no JSON object"),
    ("[" * 90_000, "is no JSON object"),
    (json.dumps({"prompt": "a" * 100_000, "continuation": "b"}), "more than 100,000 signs"),
    (json.dumps({"prompt": "a"}), "no “continuation”"),
    (json.dumps({"prompt": "a", "continuation": ""}), "no “continuation”"),
    (json.dumps({"continuation": "a"}), "neither “prompt” nor “messages”"),
    (json.dumps({"prompt": "a", "messages": [], "continuation": "b"}), "or both"),
    (json.dumps({"messages": [{"role": "boss"}], "continuation": "b"}), "each with a role"),
]


def scored(tmp_path: Path, lines: list[str], *model: str) -> tuple[Result, list[dict[str, Any]]]:
    source = tmp_path / "in.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    result = CliRunner().invoke(main, ["score", "--file", str(source), "--model", *model])
    shown = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result, shown


def test_a_model_opened_here_and_the_same_on_a_server_give_the_same_numbers(
    tmp_path: Path,
) -> None:
    lines = [json.dumps(row) for row in GOOD]
    requests = [
        LikelihoodRequest((Message("text", row["prompt"]),), (row["continuation"],)) for row in GOOD
    ]
    expected = dict(open_model("tiny:reversed", device="cpu").likelihood(requests))
    with LlamaServer() as server:
        for model in (["tiny:reversed"], ["openai:tiny", "--base-url", server.url()]):
            result, shown = scored(tmp_path, lines, *model)
            assert result.exit_code == 0, result.output
            assert [row["line"] for row in shown] == [1, 2, 3]
            for at, row in enumerate(shown):
                right = expected[at]
                assert isinstance(right, Likelihood)
                assert row["log_probability"] == pytest.approx(right.log_probabilities[0], abs=1e-4)
                assert row["tokens"] == right.tokens[0] == len(row["by_token"])
                assert math.fsum(row["by_token"]) == pytest.approx(row["log_probability"])


def test_a_bad_line_costs_no_other_and_says_what_to_do(tmp_path: Path) -> None:
    lines = [json.dumps(GOOD[0]), "", *(line for line, _ in BAD), json.dumps(GOOD[1])]
    result, shown = scored(tmp_path, lines, "tiny:reversed")
    assert result.exit_code == 1
    first, *errors, last = shown
    assert (first["line"], last["line"]) == (1, len(BAD) + 3)
    assert "error" not in first
    assert "error" not in last
    for number, (row, (_, reason)) in enumerate(zip(errors, BAD, strict=True), start=3):
        assert row["line"] == number
        assert row["error"].startswith(f"Line {number} ")
        assert reason in row["error"]


def test_what_cannot_be_asked_at_all_is_a_sentence(tmp_path: Path) -> None:
    lines = [json.dumps(GOOD[0])]
    for model, reason in (("tiny:nobody", "nobody"), ("learner:consistent", "learner")):
        result, _ = scored(tmp_path, lines, model)
        assert result.exit_code == 1
        assert reason in result.output
        assert "Traceback" not in result.output
    missing = ["score", "--file", str(tmp_path / "none.jsonl"), "--model", "tiny:reversed"]
    result = CliRunner().invoke(main, missing)
    assert result.exit_code == 1
    assert "none.jsonl" in result.output
