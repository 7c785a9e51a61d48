"""A run sends its server the problems of the run, and nothing else: all that came is read."""

from __future__ import annotations

import getpass
import json
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from tests.servers.faulty import FaultyServer

README = Path(__file__).resolve().parents[2] / "README.md"
KEY = "planted-key-of-nobody"
HEADERS = {
    "host", "accept", "accept-encoding", "connection", "user-agent", "content-type",
    "content-length", "authorization",
}  # fmt: skip
SETTINGS = {
    "model", "messages", "prompt", "temperature", "max_tokens", "max_completion_tokens", "seed",
    "n", "stop", "logprobs", "top_logprobs", "add_generation_prompt", "continue_final_message",
    "chat_template_kwargs", "reasoning_effort",
}  # fmt: skip

MESSAGE = {"role", "content"}
TESTS = (
    "Ben has 5 apples. Ana has 3 more apples than Ben. How many apples does Ana have?",
    "Write down ten words that have nothing to do with each other:",
    "Begin each of your messages with the word",
)
"""What a server is tested with; the first also with the order to answer "banana"."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    monkeypatch.setenv("MY_SERVER_KEY", KEY)
    with FaultyServer() as running:
        yield running


def test_the_page_says_so() -> None:
    said = " ".join(README.read_text(encoding="utf-8").split())
    assert "the made-up problems and fixed questions that test it, and nothing else" in said


def test_everything_that_comes_is_a_problem_of_the_run_or_a_setting(
    server: FaultyServer, tmp_path: Path
) -> None:
    db = tmp_path / "of-somebody" / "runs.db"
    of_here = [
        socket.gethostname(),
        str(Path.home()),
        str(tmp_path),
        "of-somebody",
        getpass.getuser(),
    ]
    wrong = []
    for study in ("consistency", "carry", "decision"):
        server.asked.clear()
        how = ["--model", "openai:faulty", "--base-url", server.url, "--key-env", "MY_SERVER_KEY"]
        done = CliRunner().invoke(main, ["run", study, "--n", "6", *how, "--db", str(db)])
        assert done.exit_code == 0, done.output
        with closing(sqlite3.connect(db)) as file:
            problems = [text for (text,) in file.execute("select text from items")]
        around = set()
        for asked in server.asked:
            messages = asked.body.get("messages", [])
            said = asked.body.get("prompt", "") + "\n".join(each["content"] for each in messages)
            there = max((each for each in problems if each in said), key=len, default=None)
            if there is None and not any(each in said for each in TESTS):
                wrong.append(f"{study}: no problem of the run: {said}")
            elif there is not None:
                around.add(said.replace(there, ""))
            wrong += [f"header {each}" for each in set(asked.headers) - HEADERS]
            wrong += [f"setting {each}" for each in set(asked.body) - SETTINGS]
            wrong += [f"message {each}" for each in messages if set(each) - {"prefix"} != MESSAGE]
            shown = json.dumps([dict(asked.headers), dict(asked.body)])
            wrong += [f"{each} in {shown}" for each in of_here if f'"{each}' in shown]
            assert (shown.count(KEY), asked.key) == (1, KEY)
        # What else is said is said with every problem, so it tells nothing of whoever asks.
        assert len(server.asked) > len(around), study
        wrong += [f"{study}: {each}" for each in around if len(around) > 2]
    assert sorted(set(wrong)) == []


def test_the_key_is_nowhere_on_the_disk(server: FaultyServer, tmp_path: Path) -> None:
    how = ["--model", "openai:faulty", "--base-url", server.url, "--key-env", "MY_SERVER_KEY"]
    db = ["--db", str(tmp_path / "runs.db")]
    assert CliRunner().invoke(main, ["run", "carry", "--n", "3", *how, *db]).exit_code == 0
    assert CliRunner().invoke(main, ["probe", *how]).exit_code == 0
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert files
    assert [each.name for each in files if KEY.encode() in each.read_bytes()] == []
