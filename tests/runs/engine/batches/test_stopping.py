"""A run by batches is stopped and goes on, after days or after its process was killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biaslab.models import Access, GenerationRequest, Message
from biaslab.models.server.batches import BatchRequest
from biaslab.runs import (
    RunStatus,
    UnknownRun,
    launch,
    open_store,
    run_here,
)
from biaslab.runs.engine import batch as batch_mode
from biaslab.runs.engine import batch_waiting
from biaslab.runs.store.read_runs import BatchStatus
from tests.conftest import wait_for
from tests.runs.engine.batches.batch_worker import DIES, sources
from tests.runs.engine.batches.conftest import (
    WORKER,
    counts,
    kill_worker,
    of,
    prepare_run,
    response_ids,
    served,
    stop_at,
)
from tests.servers.batch_server import DAY, BatchServer


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
            on_disk.append(len(response_ids(store)))
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


class TestReading:
    def test_batches_of_a_run_that_is_not_there(self, store):
        with pytest.raises(UnknownRun):
            of(store, "none")
