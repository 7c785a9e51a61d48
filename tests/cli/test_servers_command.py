"""The command line asks real servers on loopback: the contract that other programs rely on."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.models.prices import entered_price
from biaslab.models.tiny.model import TINY_MODELS
from biaslab.runs import RunStatus, connections, open_store, remember
from biaslab.studies.strategies import Length
from tests.servers.dropping import dropping
from tests.servers.faulty import Asked, FaultyServer, answer
from tests.servers.running import ROOT, running
from tests.servers.tiny_network import NAME

KEY = "planted-key-4711"
MODEL = ("--model", "openai:tiny")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A real server over the tiny model that asks for a key."""
    with running("tests.servers.tiny_server", "--switches", f"key={KEY}") as address:
        yield f"{address}/v1"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVER_KEY", KEY)


def biaslab(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def last_line(result: Result) -> str:
    return result.stdout.strip().splitlines()[-1]


@pytest.fixture
def server(url: str) -> tuple[object, ...]:
    return (*MODEL, "--base-url", url, "--key-env", "MY_SERVER_KEY")


class TestNotices:
    def test_what_was_done_otherwise_than_asked_is_said(self, url, db):
        refusing = url.replace("/v1", "/with/seed=refused/v1")
        there = (*MODEL, "--base-url", refusing, "--key-env", "MY_SERVER_KEY", "--db", db)

        result = biaslab("run", "consistency", *there, "--n", 2, "--temperature", 0.7)

        # While it runs, where that takes half a second, and in any case when it has ended.
        assert "takes no seed, so what was asked above temperature 0" in result.stderr
        with open_store(db) as store:
            run = store.run(last_line(result))
        assert run.status is RunStatus.FINISHED
        assert "takes no seed" in run.message


class TestProbe:
    def test_what_the_server_supports_is_json(self, server):
        found = json.loads(biaslab("probe", *server).stdout)

        assert found["ok"] is True
        assert found["models"] == ["tiny"]
        assert found["scoring_is_right"] is True

    def test_a_wrong_key_is_told_and_not_shown(self, url, monkeypatch):
        monkeypatch.setenv("MY_SERVER_KEY", "wrong-planted-key")

        result = biaslab("probe", *MODEL, "--base-url", url, "--key-env", "MY_SERVER_KEY", status=1)

        assert json.loads(result.stdout)["ok"] is False
        assert "key" in result.stderr
        assert "wrong-planted-key" not in result.output

    def test_an_address_where_nobody_listens_is_told(self):
        result = biaslab("probe", *MODEL, "--base-url", "http://127.0.0.1:9/v1", status=1)

        assert "127.0.0.1:9" in result.stderr


class TestRun:
    @pytest.mark.parametrize(("endpoint", "strategy"), [("chat", "direct"), ("completions", "cot")])
    def test_a_run_on_a_server_is_done_and_never_asked_twice(self, server, db, endpoint, strategy):
        how = ("run", "consistency", "--n", 20, "--steps", "1-2", *server, "--endpoint", endpoint,
               "--strategy", strategy, "--at-most", 8, "--db", db)  # fmt: skip
        run = last_line(biaslab(*how))
        again = last_line(biaslab(*how))

        with open_store(db) as store:
            first, second = store.run(run), store.run(again)
        assert first.status is RunStatus.FINISHED
        assert first.answered + first.invalid == 40
        assert first.tokens_in > 0
        assert (second.asked, second.cached) == (0, first.asked)

    def test_the_same_prompts_give_the_same_texts_as_the_model_opened_here(self, server, db):
        how = ("consistency", "--n", 15, "--steps", "1", "--db", db)
        served = last_line(biaslab("run", *how, *server, "--endpoint", "completions"))
        local = last_line(biaslab("run", *how, "--model", f"tiny:{NAME}"))

        with open_store(db) as store:
            columns = ["pair", "y_x", "y_x_prime"]
            assert store.outcomes([served])[columns].equals(store.outcomes([local])[columns])

    def test_several_addresses_share_the_work_and_are_one_model(self, server, url, db):
        other = url.replace("127.0.0.1", "localhost")
        run = last_line(
            biaslab("run", "carry", "--n", 30, *server, "--base-url", other, "--db", db)
        )
        again = last_line(biaslab("run", "carry", "--n", 30, *server, "--db", db))

        with open_store(db) as store:
            assert store.run(run).answered == 60
            assert store.run(again).cached == 60

    def test_a_budget_stops_the_run_and_a_larger_one_goes_on(self, server, db):
        how = ("--db", db, "--budget-requests")
        run = last_line(biaslab("run", "carry", "--n", 20, *server, *how, 11, status=1))
        with open_store(db) as store:
            assert store.run(run).asked == 11

        biaslab("run", "--resume", run, *how, 100)

        with open_store(db) as store:
            assert (store.run(run).asked, store.run(run).status) == (40, RunStatus.FINISHED)

    def test_samples_and_votes(self, server, db):
        run = last_line(
            biaslab(
                "run", "carry", "--n", 12, *server, "--samples", 3, "--temperature", 0.8, "--db", db
            )
        )
        with open_store(db) as store:
            assert store.run(run).answered + store.run(run).invalid == 72
        for vote in ((), ("--vote",)):
            (effect,) = json.loads(
                biaslab("effects", "--db", db, "--run", run, "--format", "json", *vote).stdout
            )
            assert effect["n"] == 12

    def test_an_estimate_asks_nothing(self, server, db):
        result = biaslab("run", "carry", "--n", 20, *server, "--db", db, "--estimate",
                         "--price-in", "1", "--price-out", "2")  # fmt: skip

        found = json.loads(result.stdout)
        assert (found["to_ask"], found["free"]) == (40, 0)
        assert float(found["cost_at_most"]) >= float(found["cost_expected"]) > 0
        with open_store(db) as store:
            assert store.runs() == []

    def test_a_budget_in_money_without_a_price_is_refused(self, server, db):
        result = biaslab("run", "carry", "--n", 20, *server, "--db", db, "--budget-money", "1",
                         status=1)  # fmt: skip

        assert "price" in result.stderr

    def test_a_missing_key_is_told_before_anything_is_asked(self, url, db, monkeypatch):
        monkeypatch.delenv("MY_SERVER_KEY")

        result = biaslab("run", "carry", *MODEL, "--base-url", url, "--key-env", "MY_SERVER_KEY",
                         "--db", db, status=1)  # fmt: skip

        assert "MY_SERVER_KEY" in result.stderr


class TestDroppedConnections:
    @pytest.mark.parametrize("command", ["run", "probe"])
    def test_a_server_that_drops_the_first_connections_is_asked_again(self, url, db, command):
        with dropping(url, 5) as address:
            server = (*MODEL, "--base-url", address, "--key-env", "MY_SERVER_KEY")
            if command == "probe":
                assert json.loads(biaslab("probe", *server).stdout)["ok"] is True
                return
            run = last_line(biaslab("run", "consistency", "--n", 2, *server, "--db", db))
        with open_store(db) as store:
            assert store.run(run).status is RunStatus.FINISHED


class TestRemembered:
    def test_a_way_of_writing_asked_for_once_does_not_become_the_usual_one(self, server, db):
        how = ("run", "carry", "--n", 3, *server, "--db", db)
        biaslab(*how)
        plain = last_line(biaslab(*how, "--endpoint", "completions"))
        usual = last_line(biaslab(*how))

        with open_store(db) as store:
            assert store.run(plain).options.access.endpoint == "completions"
            assert store.run(usual).options.access.endpoint == "chat"
            assert store.run(usual).asked == 0

    def test_a_price_that_was_entered_outlives_another_test_of_the_server(self, server, db):
        biaslab("run", "carry", "--n", 3, *server, "--db", db)
        price = entered_price("1", "2", today=date(2026, 1, 1))
        with open_store(db) as store:
            (known,) = connections(store)
            remember(store, replace(known, price=price))
            remember(store, replace(known, price=None))

            (after,) = connections(store)

        assert after.price == price


class TestKilled:
    def test_a_killed_run_is_resumed_and_asks_nothing_twice(self, server, db):
        """Given a run killed (kill -9) in the middle, when it is resumed, then every answer that
        was stored is kept and each request has one response."""
        command = [sys.executable, "-m", "biaslab", "run", "carry", "--n", "150"]
        command += [str(part) for part in (*server, "--at-most", 4, "--db", db)]
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with open_store(db) as store:
            while process.poll() is None:
                runs = store.runs()
                if runs and runs[0].answered > 40:
                    break
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            (record,) = store.runs()
            assert record.status is RunStatus.INTERRUPTED
            kept = record.asked

            biaslab("run", "--resume", record.id, "--db", db)

            after = store.run(record.id)
            assert after.status is RunStatus.FINISHED
            assert kept < after.asked == 300
            with store.reading() as database:
                (row,) = list(database.query("SELECT count(*) AS n FROM responses"))
            assert row["n"] == 300


class TestKeys:
    def test_the_key_is_nowhere_on_disk_nor_in_what_is_printed(self, server, db, tmp_path):
        printed = biaslab("run", "carry", "--n", 10, *server, "--db", db).output
        run = printed.strip().splitlines()[-1]
        printed += biaslab("effects", "--db", db, "--format", "json").output
        with open_store(db) as store:
            exported = repr(list(store.export_rows(run)))
            record = repr(store.run(run))
            store.copy_to(tmp_path / "copy.db")

        for text in (printed, exported, record):
            assert KEY not in text
        for file in tmp_path.rglob("*"):
            if file.is_file() and not file.name.startswith("runs.db"):
                assert KEY.encode() not in file.read_bytes()


class TestPlan:
    def test_the_number_of_pairs_is_all_that_is_printed(self):
        assert int(biaslab("plan", "--cate", 5, "--power", 0.9).stdout) > 500

    def test_the_discordance_of_a_run_is_taken(self, db):
        run = last_line(
            biaslab("run", "consistency", "--n", 60, "--model", "learner:careless", "--db", db)
        )

        plan = json.loads(
            biaslab("plan", "--cate", 5, "--run", run, "--db", db, "--format", "json").stdout
        )

        assert plan["assumed"] is False

    def test_an_impossible_plan_is_one_sentence(self):
        result = biaslab("plan", "--cate", 50, "--discordance", 20, status=1)

        assert "impossible" in result.stderr

    def test_runs_that_stop_early_do(self, db):
        run = last_line(
            biaslab(
                "run",
                "consistency",
                "--n",
                400,
                "--model",
                "learner:keyword",
                "--looks",
                4,
                "--db",
                db,
            )
        )

        with open_store(db) as store:
            record = store.run(run)
        assert record.status is RunStatus.FINISHED
        assert record.enough == 100
        assert record.items_done == 200
        (effect,) = json.loads(
            biaslab("effects", "--db", db, "--run", run, "--format", "json").stdout
        )
        assert effect["n"] == 100


class TestConcepts:
    ASKED = ("run", "concept-learning", "--concept", "more than 3/10", "--n", 2,
             "--strategy", "likelihood")  # fmt: skip

    def test_a_server_found_right_gives_the_same_probabilities_as_here(self, server, db, tmp_path):
        # The same weights without the card, for which they would be refused before they are asked.
        bare = tmp_path / "bare"
        cardless = shutil.ignore_patterns("model_card.json")
        shutil.copytree(TINY_MODELS / NAME, bare, ignore=cardless)
        how = (*server, "--endpoint", "completions", "--db", db)
        served = last_line(biaslab(*self.ASKED, *how))
        local = last_line(biaslab(*self.ASKED, "--model", f"local:{bare}", "--db", db))

        with open_store(db) as store:
            assert store.run(served).status is RunStatus.FINISHED
            masses = [
                [extra["mass"] for extra in store.answered_items([run])["extra"]]
                for run in (served, local)
            ]
        assert len(masses[0]) == 4
        assert masses[0] == pytest.approx(masses[1], rel=1e-3)

    def test_a_server_whose_probabilities_are_wrong_is_refused_before_anything_is_asked(self, db):
        with running("tests.servers.tiny_server", "--switches", "logprobs=ignored") as address:
            how = (*MODEL, "--base-url", f"{address}/v1", "--db", db)
            told = biaslab(*self.ASKED, *how, status=1)

        assert "probabilities" in told.output
        with open_store(db) as store:
            assert all(run.asked == 0 for run in store.runs())


def test_how_much_is_written_is_chosen_and_raised_where_it_was_used_up_by_thinking(
    db: Path,
) -> None:
    """A server that thinks until it has no token left, as long as it has fewer than 2,000."""

    async def thinks(asked: Asked) -> Any:
        if asked.body["max_tokens"] < 2000:
            thought = {"reasoning_content": "Well ..."}
            return await answer("", finish="length", message=thought)(asked)
        return await answer("12")(asked)

    with FaultyServer() as server:
        server.always = thinks
        asked = (
            "run", "consistency", "--n", 8, "--strategy", "direct", "--model", "openai:faulty",
            "--base-url", server.url, "--db", db,
        )  # fmt: skip
        told = biaslab(*asked, "--max-tokens", 300, "--go-on", 1, status=1).output
        assert "10 responses of this run were used up by thinking. The limit of 300 tokens" in told
        assert "--max-tokens on the command line" in told
        assert {each.body["max_tokens"] for each in server.asked[-16:]} >= {300}
        with open_store(db) as store:
            (run,) = store.runs()
        assert (run.status, run.options.length) == (RunStatus.PAUSED, Length(300, 1))
        resume = ("run", "--resume", run.id, "--db", db)
        refused = biaslab(*resume, "--max-tokens", 200, status=1).output
        assert "That can be raised while it goes on, and not lowered" in refused
        biaslab(*resume, "--max-tokens", 2000)
        with open_store(db) as store:
            run = store.run(run.id)
        assert (run.status, run.answered, run.options.length) == (
            RunStatus.FINISHED, 16, Length(2000, 1),
        )  # fmt: skip
