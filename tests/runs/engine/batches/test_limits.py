"""A run by batches keeps to its budget, and its key is written down nowhere."""

from __future__ import annotations

from biaslab.runs import (
    RunStatus,
    launch,
    log_path,
)
from biaslab.runs.engine.budget import Budget
from biaslab.runs.store.read_runs import BatchStatus
from tests.conftest import wait_for
from tests.runs.engine.batches.conftest import (
    KEY,
    VARIABLE,
    WORKER,
    counts,
    of,
    prepare_run,
    stop_at,
)


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
