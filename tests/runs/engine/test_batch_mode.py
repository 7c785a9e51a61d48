"""A run by batches: the same outcomes as live, nothing handed over twice, resumed after days."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biaslab.models import Access, Endpoint, GenerationRequest, Message, Sampling
from biaslab.models.server.batch.batches import BatchRequest
from biaslab.models.server.key_bindings import bind
from biaslab.runs import (
    RunOptions,
    RunStatus,
    UnknownRun,
    launch,
    log_path,
    open_store,
    prepare,
    run_here,
    stop,
)
from biaslab.runs.budget import Budget
from biaslab.runs.engine import batch as batch_mode
from biaslab.runs.engine import batch_waiting
from biaslab.runs.engine import writer as keeping
from biaslab.runs.store.read_runs import BatchStatus, batches
from biaslab.studies import Design
from tests.conftest import wait_for
from tests.runs.engine.batch_worker import DIES, sources
from tests.servers.batch_server import DAY, BatchServer, add_up, serving
from tests.servers.running import process

WORKER = "tests.runs.engine.batch_worker"
KEY = "sk-planted-9876543210"
VARIABLE = "BIASLAB_TEST_KEY"


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch):
    """Days pass in the service's clock, not here, and a stop is seen at once."""
    monkeypatch.setattr(keeping, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(batch_waiting, "FIRST_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(batch_waiting, "LONGEST_LOOK_SECONDS", 0.01)


@pytest.fixture
def service() -> BatchServer:
    return BatchServer()


@pytest.fixture
def url(service) -> Iterator[str]:
    with serving(service) as address:
        yield address


@pytest.fixture
def prepared(store, url) -> Callable[..., str]:
    return lambda **how: prepare_run(store, url, **how)


@pytest.fixture
def do(store):
    """Does a run in this process."""
    return lambda run: run_here(store, run, sources=sources(), pauses=(0.0, 0.0))


def prepare_run(
    store, url, n=5, seed=1, strategy="direct", live=False, sampling=None, samples=1, **options
) -> str:
    endpoint = Endpoint.CHAT if strategy == "chat" else Endpoint.COMPLETIONS
    access = Access((url,), endpoint, key_env=options.pop("key_env", ""))
    if access.key_env:
        bind(access.key_env, [url])
    chosen = RunOptions(samples=samples, access=access, batch_api=not live, **options)
    design = Design("sums", n, seed, {})
    return prepare(
        store, design, "openai:sums", strategy, sampling, options=chosen, sources=sources()
    )


def of(store, run):
    with store.reading() as database:
        return batches(database, run)


def outcomes(store, run):
    frame = store.outcomes([run], with_values=True)
    return frame.drop(columns=["run"]).astype(object).fillna("none").to_dict("records")


def counts(record):
    return record.answered, record.invalid, record.failed


def stop_at(service, store, run, looks):
    """Asks for a stop when the service was looked at so often."""
    go_on = service._go_on

    def stopping(batch):
        if service.looks == looks:
            stop(store, run)
        go_on(batch)

    service._go_on = stopping


class TestTheSameRun:
    @pytest.mark.parametrize("strategy", ["direct", "two", "chat"])
    def test_live_and_by_batch_the_outcomes_are_the_same(
        self, store, tmp_path, strategy, prepared, do, url, service
    ):
        service.reply = lambda prompt: add_up(prompt) if "4?" in prompt else "No idea."
        with open_store(tmp_path / "live.db") as other:
            live = prepare_run(other, url, n=8, strategy=strategy, live=True)
            expected = run_here(other, live, sources=sources())
            assert service.live
            assert not service.batches

            record = do(run := prepared(n=8, strategy=strategy))

            assert record.status is expected.status is RunStatus.FINISHED
            assert outcomes(store, run) == outcomes(other, live)
            assert (counts(record), record.asked) == (counts(expected), expected.asked)
            assert record.tokens_in == expected.tokens_in
            assert record.tokens_out == expected.tokens_out
            assert sorted(ids(store)) == sorted(ids(other))

    def test_each_request_is_handed_over_once(self, store, prepared, do, service):
        record = do(run := prepared(n=20))

        assert counts(record) == (40, 0, 0)
        assert len(service.handed_over) == len(set(service.handed_over)) == 40
        (batch,) = of(store, run)
        assert (batch.status, batch.requests) == (BatchStatus.TAKEN_IN, 40)
        assert batch.server_id == "batch_0000"
        assert "40 of 40" in batch.message
        assert service.batches["batch_0000"]["metadata"] == {"biaslab": batch.id}
        assert service.live == 0

    def test_a_strategy_with_two_requests_takes_two_batches(self, store, prepared, do):
        record = do(run := prepared(n=5, strategy="two"))

        assert (record.answered, record.asked) == (10, 20)
        assert [batch.requests for batch in of(store, run)] == [10, 10]

    def test_several_samples_are_different_requests(self, prepared, do, service):
        record = do(prepared(n=3, samples=4, sampling=Sampling(16, 0.8, 1)))

        assert record.answered == 24
        assert len(set(service.handed_over)) == len(service.handed_over) == 24

    def test_requests_beyond_the_limit_of_one_batch_go_into_several(
        self, store, prepared, do, service, monkeypatch
    ):
        monkeypatch.setattr(batch_mode, "MOST_REQUESTS", 7)

        record = do(run := prepared(n=10))

        assert counts(record) == (20, 0, 0)
        assert [batch.requests for batch in of(store, run)] == [7, 7, 6]
        assert len(set(service.handed_over)) == len(service.handed_over) == 20

    def test_so_do_requests_beyond_the_size_of_one_file(
        self, store, prepared, do, service, monkeypatch
    ):
        monkeypatch.setattr(batch_mode, "MOST_BYTES", 1000)

        do(run := prepared(n=10))

        assert len(of(store, run)) > 2
        files = [service.files[batch["input_file_id"]] for batch in service.batches.values()]
        assert max(len(file) for file in files) <= 1000
        assert len(set(service.handed_over)) == len(service.handed_over) == 20


def ids(store):
    with store.reading() as database:
        return [key for (key,) in database.execute("SELECT id FROM responses").fetchall()]


class TestCache:
    def test_what_a_live_run_asked_is_not_handed_over(self, store, url, prepared, do, service):
        run_here(store, prepare_run(store, url, n=6, live=True), sources=sources())

        record = do(prepared(n=6))

        assert (record.answered, record.cached, record.asked) == (12, 12, 0)
        assert not service.batches

    def test_what_a_batch_asked_is_not_asked_live(self, store, url, prepared, do, service):
        do(prepared(n=6))

        record = run_here(store, prepare_run(store, url, n=6, live=True), sources=sources())

        assert (record.answered, record.cached, record.asked) == (12, 12, 0)
        assert service.live == 0


class TestStopAndResume:
    def test_a_stopped_run_leaves_its_batch_out_and_says_so(self, store, prepared, do, service):
        service.held = True
        run = prepared(n=5)
        stop_at(service, store, run, looks=3)

        record = do(run)

        assert record.status is RunStatus.PAUSED
        assert "A batch of 10 requests is with 127.0.0.1" in record.message
        assert "since 20" in record.message
        assert "batch_0000" in record.message
        (batch,) = of(store, run)
        assert batch.status is BatchStatus.SUBMITTED
        assert service.batches["batch_0000"]["status"] == "in_progress"

    @pytest.mark.parametrize("strategy", ["direct", "two"])
    def test_it_is_taken_in_days_later(self, store, prepared, do, service, strategy):
        service.held = True
        run = prepared(n=5, strategy=strategy)
        stop_at(service, store, run, looks=3)
        do(run)
        service.held = False
        for _ in range(3):
            service._go_on(service.batches["batch_0000"])
        service.clock += 5 * DAY

        record = do(run)

        assert record.status is RunStatus.FINISHED
        assert counts(record) == (10, 0, 0)
        assert len(set(service.handed_over)) == len(service.handed_over) == record.asked
        assert max(service.asked.values()) == 1

    def test_a_killed_worker_s_batch_is_taken_in_by_the_next(self, store, prepared, service):
        service.held = True
        run = prepared(n=20)
        launch(store.path, run, module=WORKER)
        wait_for(lambda: service.looks > 2)
        kill_worker(store, run)
        assert store.run(run).status is RunStatus.INTERRUPTED
        service.held = False

        launch(store.path, run, module=WORKER)

        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        assert counts(store.run(run)) == (40, 0, 0)
        assert store.run(run).asked == 40
        assert len(service.batches) == 1
        assert set(service.asked.values()) == {1}

    def test_a_worker_killed_before_it_could_note_the_batch(self, store, prepared, service):
        run = prepared(n=20)
        launch(store.path, run, {DIES: "1"}, module=WORKER)
        wait_for(lambda: store.run(run).status is RunStatus.INTERRUPTED)
        (batch,) = of(store, run)
        assert (batch.status, batch.server_id) == (BatchStatus.PREPARING, "")
        assert len(service.batches) == 1

        launch(store.path, run, module=WORKER)

        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        assert counts(store.run(run)) == (40, 0, 0)
        assert len(service.batches) == 1
        assert set(service.asked.values()) == {1}

    def test_a_service_that_dies_when_it_has_made_the_batch(self, store, tmp_path, do):
        kept = str(tmp_path / "service.json")
        with served("--kept", kept, "--die-after-create") as (address, dying):
            run = prepare_run(store, address, n=6)
            record = do(run)
            assert dying.wait() == 1
        assert record.status is RunStatus.PAUSED
        assert "Nothing answers" in record.message
        assert "perhaps" in record.message
        port = address.rpartition(":")[2].removesuffix("/v1")

        with served("--kept", kept, "--port", port):
            record = do(run)

        assert counts(record) == (12, 0, 0)
        state = BatchServer(kept=Path(kept))
        assert len(state.batches) == 1
        assert set(state.asked.values()) == {1}

    def test_a_lost_answer_to_a_submission_is_no_second_submission(self, prepared, do, service):
        service.faults.cut_create = 1

        record = do(prepared(n=5))

        assert counts(record) == (10, 0, 0)
        assert len(service.batches) == 1

    def test_a_worker_stopped_amid_taking_in_counts_nothing_twice(
        self, store, prepared, do, service, monkeypatch
    ):
        class Broken(RuntimeError):
            pass

        def breaks(*_):
            raise Broken

        run = prepared(n=10)
        with monkeypatch.context() as patch:
            patch.setattr(batch_mode.BatchTable, "end", breaks)
            with pytest.raises(Broken):
                do(run)
        assert store.run(run).asked == 20

        record = do(run)

        assert counts(record) == (20, 0, 0)
        assert (record.asked, record.tokens_in) == (20, 140)
        assert len(service.batches) == 1

    def test_a_batch_counts_as_taken_in_only_when_all_it_gave_is_on_disk(
        self, store, prepared, do, monkeypatch
    ):
        on_disk = []
        end = batch_mode.BatchTable.end

        def looking(table, batch, status, message):
            on_disk.append(len(ids(store)))
            end(table, batch, status, message)

        monkeypatch.setattr(batch_mode.BatchTable, "end", looking)

        do(prepared(n=50, strategy="two"))

        assert on_disk == [100, 200]

    @given(
        n=st.integers(1, 4),
        strategy=st.sampled_from(["direct", "two"]),
        crashes=st.lists(st.tuples(st.integers(1, 12), st.booleans()), max_size=3),
    )
    @settings(
        max_examples=8,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_crashed_anywhere_it_ends_as_if_never_crashed(
        self, n, strategy, crashes, service, url, tmp_path_factory
    ):
        for kept in (service.files, service.batches, service.asked):
            kept.clear()
        with open_store(tmp_path_factory.mktemp("any") / "runs.db") as store:
            run = prepare_run(store, url, n=n, strategy=strategy)
            for step, before in crashes:
                with crashing(step, before), suppress(Crash):
                    run_here(store, run, sources=sources(), pauses=())
            record = run_here(store, run, sources=sources(), pauses=())

            assert record.status is RunStatus.FINISHED
            assert counts(record) == (2 * n, 0, 0)
            assert record.tokens_out == 2 * record.asked
            assert len(set(service.handed_over)) == len(service.handed_over) == record.asked
            assert set(service.asked.values()) == {1}
            assert not any(batch.out for batch in of(store, run))


class Crash(RuntimeError):
    """The worker dies here."""


@contextmanager
def crashing(step: int, before: bool) -> Iterator[None]:
    """Crashes at this step of all that is written down, sent or fetched."""
    steps = iter(range(1, 1000))
    places = [
        (batch_mode.BatchTable, name) for name in ("begin", "add", "submitted", "note", "end")
    ] + [(batch_mode.BatchClient, name) for name in ("submit", "find", "status")]

    def breaking(original):
        @wraps(original)
        def broken(*arguments):
            here = next(steps) == step
            if here and before:
                raise Crash
            result = original(*arguments)
            if here:
                raise Crash
            return result

        return broken

    with pytest.MonkeyPatch.context() as patch:
        for kind, name in places:
            patch.setattr(kind, name, breaking(getattr(kind, name)))
        yield


class TestFailures:
    def test_single_errors_are_failed_items_that_resuming_asks_again(
        self, store, prepared, do, service
    ):
        service.faults.refuse = "4?"
        run = prepared(n=5)

        record = do(run)

        assert record.status is RunStatus.FINISHED
        assert record.failed > 0
        assert record.answered + record.failed == 10
        assert "refused" in store.failures(run)[0].reason
        service.faults.refuse = ""
        before = record.failed
        record = do(run)
        assert counts(record) == (10, 0, 0)
        assert of(store, run)[-1].requests == before

    def test_passing_errors_are_asked_again_in_another_batch(self, prepared, do, service):
        service.faults.busy = "4?"
        go_on = service._go_on

        def recovers(batch):
            if len(service.batches) > 1:
                service.faults.busy = ""
            go_on(batch)

        service._go_on = recovers

        record = do(prepared(n=5))

        assert counts(record) == (10, 0, 0)
        assert len(service.batches) == 2

    def test_what_an_expired_batch_left_goes_into_the_next(self, store, prepared, do, service):
        service.held = True
        service.faults.done = 4
        run = prepared(n=5)
        go_on = service._go_on

        def expiring(batch):
            if service.looks == 3:
                service.clock += DAY + 1
            service.held = len(service.batches) == 1
            go_on(batch)

        service._go_on = expiring

        record = do(run)

        assert counts(record) == (10, 0, 0)
        assert record.asked == 10
        assert [batch.requests for batch in of(store, run)] == [10, 6]
        assert {retry.reason: retry.count for retry in store.retries(run)} == {
            batch_mode.NOT_WORKED_ON: 6
        }

    def test_batches_that_only_expire_pause_the_run(self, store, prepared, do, service):
        service.held = True
        go_on = service._go_on

        def expiring(batch):
            service.clock += DAY + 1
            go_on(batch)

        service._go_on = expiring

        record = do(run := prepared(n=3))

        assert record.status is RunStatus.PAUSED
        assert "expired" in record.message
        assert len(of(store, run)) == batch_mode.MOST_VAIN_ROUNDS

    def test_a_batch_cancelled_by_a_person_pauses_the_run(self, prepared, do, service):
        service.held = True
        service.faults.done = 4
        run = prepared(n=5)
        go_on = service._go_on

        def cancelling(batch):
            if service.looks == 3:
                service.cancel(batch["id"])
            go_on(batch)

        service._go_on = cancelling
        record = do(run)
        assert record.status is RunStatus.PAUSED
        assert "cancelled" in record.message
        assert record.asked == 4
        service.held = False

        record = do(run)

        assert counts(record) == (10, 0, 0)
        assert set(service.asked.values()) == {1}

    def test_a_batch_refused_as_a_whole_pauses_the_run(self, store, prepared, do, service):
        service.faults.fail = "token_limit_exceeded"

        record = do(run := prepared(n=3))

        assert record.status is RunStatus.PAUSED
        assert "token_limit_exceeded" in record.message
        assert record.message.lower().count("resume the run") == 1
        assert [batch.status for batch in of(store, run)] == [BatchStatus.FAILED]
        service.faults.fail = ""
        assert counts(do(run)) == (6, 0, 0)

    def test_broken_lines_are_asked_again(self, prepared, do, service):
        service.faults.broken = 2
        go_on = service._go_on

        def recovers(batch):
            if len(service.batches) > 1:
                service.faults.broken = 0
            go_on(batch)

        service._go_on = recovers

        record = do(prepared(n=5))

        assert counts(record) == (10, 0, 0)
        assert record.asked == 10

    def test_a_service_without_batches_pauses_with_a_sentence(self, prepared, do, service):
        service.faults.refuse_create = 404

        record = do(prepared(n=3))

        assert record.status is RunStatus.PAUSED
        assert "takes no batches" in record.message

    def test_probabilities_are_refused_with_a_sentence(self, prepared, do, service):
        record = do(prepared(n=3, strategy="scored"))

        assert record.status is RunStatus.FAILED
        assert "probabilities" in record.message
        assert not service.files

    def test_a_service_out_of_reach_for_a_while_is_waited_for(self, prepared, do, service):
        go_on = service._go_on

        def fades(batch):
            if service.looks == 2:
                service.faults.unreachable = 3  # as often as the client itself tries
            go_on(batch)

        service._go_on = fades

        assert counts(do(prepared(n=2))) == (4, 0, 0)

    def test_a_key_withdrawn_while_a_batch_is_out_pauses_the_run(
        self, store, url, do, service, monkeypatch
    ):
        monkeypatch.setenv(VARIABLE, KEY)
        service.key = KEY
        run = prepare_run(store, url, n=3, key_env=VARIABLE)
        go_on = service._go_on

        def withdraws(batch):
            go_on(batch)
            if service.looks == 1:
                service.key = "sk-another"

        service._go_on = withdraws
        record = do(run)
        assert record.status is RunStatus.PAUSED
        assert "refuses the key" in record.message
        assert "A batch of 6 requests is with" in record.message

        monkeypatch.setenv(VARIABLE, "sk-another")
        record = do(run)

        assert counts(record) == (6, 0, 0)
        assert len(service.batches) == 1

    def test_a_batch_that_the_service_does_not_know_is_not_replaced_at_once(
        self, store, prepared, do, service
    ):
        service.held = True
        run = prepared(n=3)
        stop_at(service, store, run, looks=2)
        do(run)
        service.held = False
        service.batches = {}

        record = do(run)

        assert record.status is RunStatus.PAUSED
        assert "another key or project" in record.message
        assert not service.batches
        with store.writing() as connection:
            connection.execute("UPDATE batches SET created = '2020-01-01T00:00:00.000Z'")
        assert counts(do(run)) == (6, 0, 0)

    def test_a_parameter_refused_in_every_wording_pauses_the_run(self, prepared, do, service):
        original = service._answer

        def refuses(asked):
            (name,) = asked.keys() & {"max_tokens", "max_completion_tokens"}
            if "messages" not in asked:
                return original(asked)
            message = f"Unsupported parameter: '{name}'."
            return 400, {"error": {"message": message, "code": "unsupported_parameter"}}

        service._answer = refuses

        record = do(prepared(n=3, strategy="chat"))

        assert record.status is RunStatus.PAUSED
        assert "does not take" in record.message
        assert len(service.batches) == batch_mode.MOST_VAIN_ROUNDS

    def test_answers_that_cannot_be_fetched_at_once_are_fetched_later(self, prepared, do, service):
        go_on = service._go_on

        def fades(batch):
            go_on(batch)
            if batch["status"] == "completed" and service.looks < 6:
                service.faults.unreachable = 3

        service._go_on = fades

        record = do(prepared(n=3))

        assert counts(record) == (6, 0, 0)
        assert len(service.batches) == 1


class TestWaiting:
    def test_looks_become_rarer_up_to_a_limit_and_never_stop(
        self, store, prepared, url, service, monkeypatch
    ):
        monkeypatch.setattr(batch_waiting, "FIRST_LOOK_SECONDS", 5.0)
        monkeypatch.setattr(batch_waiting, "LONGEST_LOOK_SECONDS", 300.0)
        service.held = True
        table = batch_mode.BatchTable(store, prepared(n=1))
        waits = []

        def wait(seconds):
            waits.append(seconds)
            service.held = len(waits) < 20

        with batch_mode.BatchClient("sums", Access((url,))) as client:
            batch = table.begin()
            question = GenerationRequest((Message("text", "What is 1 + 4?"),))
            table.add(batch, [BatchRequest("id", question)])
            table.submitted(batch, client.submit(table.requests(batch), batch).id)
            waiting = batch_waiting.Waiting(table, client, NeverStopped(), wait)

            (ended,) = waiting.ended()

        assert ended.state.status == "completed"
        assert waits[:3] == [5.0, 7.5, 11.25]
        assert waits == sorted(waits)
        assert waits[-1] == 300.0


class NeverStopped:
    """A writer of a run that nobody stops."""

    stop_requested = False
    pause = None


class TestBudget:
    def test_no_more_is_handed_over_than_the_budget_allows(self, prepared, do, service):
        record = do(prepared(n=10, budget=Budget(requests=6)))

        assert record.status is RunStatus.PAUSED
        assert "6 of 6 requests" in record.message
        assert record.asked == 6
        assert len(service.handed_over) == 6

    def test_what_a_batch_did_not_use_serves_the_next(self, store, prepared, do):
        # Each uses 9 tokens, and about 190 are set aside for it.
        record = do(run := prepared(n=4, budget=Budget(tokens=800)))

        assert counts(record) == (8, 0, 0)
        assert len(of(store, run)) > 1

    def test_a_batch_that_was_never_made_uses_nothing_of_it(self, store, prepared, do, service):
        service.faults.busy_create = 1

        record = do(run := prepared(n=3, budget=Budget(requests=6)))

        assert counts(record) == (6, 0, 0)
        assert [batch.status for batch in of(store, run)] == [
            BatchStatus.FAILED,
            BatchStatus.TAKEN_IN,
        ]

    def test_a_batch_from_before_counts(self, store, prepared, do, service):
        service.held = True
        run = prepared(n=10, budget=Budget(requests=12))
        stop_at(service, store, run, looks=3)
        do(run)
        service.held = False

        record = do(run)

        assert record.asked == 12
        assert record.status is RunStatus.PAUSED
        assert len(service.handed_over) == 12


class TestKey:
    def test_a_planted_key_is_nowhere(self, store, url, service, tmp_path):
        service.key = KEY
        run = prepare_run(store, url, n=4, key_env=VARIABLE)

        launch(store.path, run, {VARIABLE: KEY}, module=WORKER)
        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        refused = prepare_run(store, url, n=4, seed=99, key_env=VARIABLE)
        service.key = "sk-another"
        launch(store.path, refused, {VARIABLE: KEY}, module=WORKER)
        wait_for(lambda: store.run(refused).status is RunStatus.PAUSED)

        assert counts(store.run(run)) == (8, 0, 0)
        assert "refuses the key" in store.run(refused).message
        assert KEY not in log_path(store.path, run).read_text()
        assert KEY not in log_path(store.path, refused).read_text()
        store.copy_to(tmp_path / "copy.db")
        assert KEY.encode() not in (tmp_path / "copy.db").read_bytes()
        assert all(KEY not in content for content in service.files.values())


class TestReading:
    def test_batches_of_a_run_that_is_not_there(self, store):
        with pytest.raises(UnknownRun):
            of(store, "none")


@contextmanager
def served(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "tests.servers.batch_server", *options]
    with process(command) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip(), running


def kill_worker(store, run):
    with store.reading() as database:
        ((pid,),) = database.execute("SELECT worker_pid FROM runs WHERE id = ?", [run]).fetchall()
    os.kill(pid, 9)
    wait_for(lambda: store.run(run).status is RunStatus.INTERRUPTED)
