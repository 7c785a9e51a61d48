"""What goes wrong with a batch: nothing is lost, and nothing is handed over twice."""

from __future__ import annotations

from biaslab.runs import (
    RunStatus,
)
from biaslab.runs.engine import batch as batch_mode
from biaslab.runs.store.read_runs import BatchStatus
from tests.runs.engine.batches.conftest import (
    KEY,
    VARIABLE,
    counts,
    of,
    prepare_run,
    stop_at,
)
from tests.servers.batch_server import DAY


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
