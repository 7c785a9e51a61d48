"""A run by batches: the same outcomes as live, and what was asked one way is not asked again."""

from __future__ import annotations

import pytest

from biaslab.models import Sampling
from biaslab.runs import (
    RunStatus,
    open_store,
    run_here,
)
from biaslab.runs.engine import batch as batch_mode
from biaslab.runs.store.read_runs import BatchStatus
from tests.runs.engine.batches.batch_worker import sources
from tests.runs.engine.batches.conftest import (
    counts,
    of,
    outcomes,
    prepare_run,
    response_ids,
)
from tests.servers.batch_server import add_up


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
            assert sorted(response_ids(store)) == sorted(response_ids(other))

    @pytest.mark.parametrize("strategy", ["direct", "two", "chat"])
    def test_what_was_cut_off_goes_on_in_the_next_batch(
        self, store, tmp_path, strategy, prepared, do, url, service
    ):
        def write(prompt: str) -> str:
            begun = prompt in ("Go on.",) or prompt.endswith("add both")
            return " we get 5." if begun else " we add both of"

        service.reply, service.cuts = write, lambda text: "5" not in text
        with open_store(tmp_path / "live.db") as other:
            live = prepare_run(other, url, n=4, strategy=strategy, live=True)
            expected = run_here(other, live, sources=sources())
            service.asked.clear()

            record = do(run := prepared(n=4, strategy=strategy))

            assert counts(record) == counts(expected) == (8, 0, 0)
            assert len(of(store, run)) == (4 if strategy == "two" else 2)
            assert outcomes(store, run) == outcomes(other, live)
            assert sorted(response_ids(store)) == sorted(response_ids(other))

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
