"""`biaslab correct`: pairs mended by a model on a loopback server, checked and kept.

The model behind the server is a simulation (`tests.servers.mending`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.runs import open_store
from biaslab.runs.library.pair_sets import pair_sets, set_report
from tests.servers.faulty import FaultyServer, status
from tests.servers.mending import connect_mender, mends, mends_texts, replacing


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def server(db: Path) -> Iterator[FaultyServer]:
    """A server that was tested before, over a simulated model."""
    with FaultyServer() as running:
        running.always = mends()
        with open_store(db) as store:
            connect_mender(store, running.url)
        yield running


def correct(db: Path, *arguments: str, status: int = 0) -> Result:
    given = ["correct", *arguments, "--name", "mended", "--db", str(db)]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def on(server: FaultyServer) -> tuple[str, ...]:
    return ("--model", "openai:faulty", "--base-url", server.url)


def test_prints_the_keep_rate_with_its_interval_and_the_id_of_the_set(db, server):
    found = correct(db, "consistency", "--n", "4", "--seed", "2", *on(server))

    assert "Saved 4 of 4 corrected pairs: 100.0 % (95 % interval 51.0 % to 100.0 %)" in found.stdout
    with open_store(db) as store:
        (kept,) = pair_sets(store)
    assert found.stdout.strip().splitlines()[-1] == kept.id
    assert (kept.name, kept.pairs) == ("mended", 4)


def test_prints_why_pairs_were_discarded_and_keeps_the_reasons(db, server):
    server.always = mends(replacing("13", "31"))

    found = correct(db, "consistency", "--n", "20", "--seed", "7", *on(server))

    assert "a number was changed, lost or added (numbers)" in found.stdout
    with open_store(db) as store:
        (kept,) = pair_sets(store)
        assert {row["code"] for row in set_report(store, kept.id)} >= {"numbers"}


def test_a_set_says_that_it_was_asked_in_the_words_of_the_paper(db, server):
    server.always = mends_texts()

    correct(db, "consistency", "--n", "3", "--prompt", "published", *on(server))

    with open_store(db) as store:
        (kept,) = pair_sets(store)
    assert "the paper's prompt" in kept.origin
    assert len(server.asked) == 6


def test_a_kept_set_can_be_mended_again(db, server):
    first = correct(db, "carry", "--n", "3", *on(server)).stdout.strip().splitlines()[-1]

    again = correct(db, "--set", first, *on(server))

    assert "Saved 3 of 3" in again.stdout
    assert len(server.asked) == 6


def test_settings_of_a_study_are_taken(db, server):
    correct(db, "consistency", "--n", "2", "--set", "operations=additive", *on(server))

    assert not any("times" in prompt.split("\n1. ")[1] for prompt in server.prompts())


def test_pairs_without_an_answer_give_status_1_and_no_keep_rate(db, server):
    server.always = status(400, {"message": "Not now."})

    found = correct(db, "consistency", "--n", "2", *on(server), status=1)

    assert "No pair was answered." in found.stdout
    assert "count nowhere" in found.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("consistency", "--model", "tiny"), "cannot correct sentences"),
        (("consistency", "--model", "gpt"), "names no model"),
        (("--model", "openai:x"), "Name either a STUDY or one saved set"),
        (("consistency", "--set", "abc", "--model", "openai:x"), "Name either a STUDY or one"),
        (("--set", "abc", "--model", "openai:x"), "no set of pairs 'abc'"),
        (("consistent", "--model", "openai:x"), "Did you mean 'consistency'?"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(db, arguments, told):
    found = CliRunner().invoke(main, ["correct", *arguments, "--name", "m", "--db", str(db)])

    assert found.exit_code in (1, 2)
    assert told in " ".join(found.output.split())
    assert "Traceback" not in found.output
