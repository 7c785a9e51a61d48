"""Asking a server: every request on its own way, nothing lost, nothing asked twice.

The server here is a simulation; tests/models/server has real ones.
"""

from __future__ import annotations

import pytest

from biaslab.models import Access, Notice, Sampling
from biaslab.runs import RunError, RunOptions, RunStatus, adjustments, prepare, stop
from biaslab.runs.engine.budget import Budget
from biaslab.stats import GroupSequential, effects
from biaslab.studies import Design
from tests.runs.simulation import (
    Behaviour,
    SimulatedModel,
    SimulatedServer,
    simulated_sources,
)


@pytest.fixture(autouse=True)
def progress_is_told_at_every_answer(monkeypatch):
    monkeypatch.setattr("biaslab.runs.engine.session._PROGRESS_SECONDS", 0.0)


class TestStreaming:
    @pytest.mark.parametrize("strategy", ["direct", "two"])
    def test_a_server_gives_the_same_outcomes_as_a_model_asked_in_groups(
        self, store, prepared, do, strategy
    ):
        behaviour = Behaviour(wrong=3, invalid=7)
        grouped = prepared(behaviour, n=60, strategy=strategy)
        do(grouped)
        streamed = prepared(Behaviour(wrong=3, invalid=7, name="s"), n=60, strategy=strategy)
        do(streamed, SimulatedServer(Behaviour(wrong=3, invalid=7, name="s")))

        columns = ["pair", "y_x", "y_x_prime", "state_x", "state_x_prime"]
        assert store.outcomes([streamed])[columns].equals(store.outcomes([grouped])[columns])

    def test_never_more_requests_on_their_way_than_there_is_room_for(self, prepared, do):
        server = SimulatedServer(Behaviour(), places=5)

        do(prepared(n=40), server)

        assert server.most_on_way == 5
        assert len(server.asked) == len(set(server.asked)) == 80

    def test_the_slowest_item_is_the_last_and_everything_else_was_finished_before(
        self, store, prepared, do
    ):
        """Given one request that the server answers only when it has nothing else to do."""
        run = prepared(n=30, strategy="two")
        slow = store.pair_rows(run)[0].text_x
        server = SimulatedServer(Behaviour(), places=4, last=slow)

        record = do(run, server)

        assert record.answered == 60
        assert [slow in prompt for prompt in server.asked[-2:]] == [True, True]
        assert not any(slow in prompt for prompt in server.asked[:-2])

    def test_what_is_on_its_way_when_a_person_stops_the_run_is_kept(self, store, prepared, do):
        server = SimulatedServer(Behaviour(delay=0.001), places=8)
        run = prepared(n=1500)

        record = do(run, server, on_progress=lambda _: stop(store, run))
        assert record.status is RunStatus.STOPPED
        before = len(server.asked)
        assert record.asked == before

        server.behaviour = Behaviour()
        record = do(run, server)

        assert record.status is RunStatus.FINISHED
        assert len(server.asked) == len(set(server.asked)) == 3000

    def test_what_is_to_be_known_of_the_server_is_told_while_the_run_goes_on(self, prepared, do):
        waiting, seedless = "It wants to be left alone.", "It takes no seed."
        server = SimulatedServer(
            Behaviour(), notices=[Notice(waiting)] + [Notice(remarks=(seedless,))] * 200
        )
        run = prepared(n=10)
        told = []

        record = do(run, server, on_progress=lambda now: told.append(now.message))

        assert list(dict.fromkeys(filter(None, told))) == [waiting, seedless]
        assert (record.status, record.message) == (RunStatus.FINISHED, seedless)

    def test_what_is_to_be_known_and_what_failed_are_both_said(self, prepared, do):
        behaviour = Behaviour(failing=3, fails=9, passing=False)
        notices = [Notice(remarks=("It takes no seed.",))] * 200
        message = do(prepared(behaviour, n=10), SimulatedServer(behaviour, notices=notices)).message
        assert "items got no response" in message
        assert message.endswith("It takes no seed.")

    def test_items_that_share_a_request_are_asked_once(self, prepared, do):
        server = SimulatedServer(Behaviour())

        record = do(prepared(n=6, settings={"shared": True}), server)

        assert record.answered == len(server.asked) == 7

    def test_what_other_runs_asked_is_not_asked_again(self, prepared, do):
        do(prepared(n=20, strategy="two"), SimulatedServer(Behaviour()))
        server = SimulatedServer(Behaviour())

        record = do(prepared(n=25, strategy="two"), server)

        assert len(server.asked) == 20
        assert (record.asked, record.cached) == (20, 80)

    def test_passing_failures_are_asked_again_and_counted(self, store, prepared, do):
        server = SimulatedServer(Behaviour(failing=3, fails=1))
        run = prepared(n=30)

        record = do(run, server)

        assert (record.answered, record.failed) == (60, 0)
        again = len(server.asked) - len(set(server.asked))
        assert record.retried == again > 0
        assert [failure.count for failure in store.retries(run)] == [again]

    def test_a_refusal_pauses_the_run_and_marks_no_item(self, prepared, do):
        """Regression: a key rejected half-way must not become wrong or failed answers."""
        server = SimulatedServer(Behaviour(), halts=10)
        run = prepared(n=30)

        record = do(run, server)

        assert record.status is RunStatus.PAUSED
        assert "refuses the key" in record.message
        assert (record.answered, record.failed) == (10, 0)
        server.halts = 0
        assert do(run, server).status is RunStatus.FINISHED


class TestBudget:
    def sized(self, store, budget, n=30, behaviour=None):
        return prepare(
            store,
            Design("sums", n, 1),
            (behaviour or Behaviour()).spec,
            "direct",
            sources=simulated_sources(),
            options=RunOptions(budget=budget),
        )

    @pytest.mark.parametrize("kind", [SimulatedServer, SimulatedModel])
    def test_a_budget_in_requests_is_used_to_the_last_and_never_passed(self, store, do, kind):
        model = kind(Behaviour())
        run = self.sized(store, Budget(requests=17))

        record = do(run, model)

        assert record.status is RunStatus.PAUSED
        assert len(model.asked) == record.asked == record.answered == 17
        assert "17" in record.message

    def test_a_resumed_run_counts_what_it_used_before(self, store, do):
        model = SimulatedServer(Behaviour())
        run = self.sized(store, Budget(requests=17))
        do(run, model)

        record = do(run, model)

        assert record.asked == 17

    @pytest.mark.parametrize("kind", [SimulatedServer, SimulatedModel])
    def test_a_budget_in_tokens_is_never_passed(self, store, do, kind):
        run = self.sized(store, Budget(tokens=3_000), n=400)

        record = do(run, kind(Behaviour()))

        assert record.status is RunStatus.PAUSED
        assert 2_700 <= record.tokens_in + record.tokens_out <= 3_000

    def test_what_is_kept_already_costs_nothing(self, store, prepared, do):
        do(prepared(n=30))

        record = do(self.sized(store, Budget(requests=1)))

        assert record.status is RunStatus.FINISHED


class TestSamples:
    def repeated(self, store, samples, temperature=0.7, seed=3, n=6, behaviour=None):
        return prepare(
            store,
            Design("sums", n, 1),
            (behaviour or Behaviour()).spec,
            "direct",
            Sampling(temperature=temperature, seed=seed),
            sources=simulated_sources(),
            options=RunOptions(samples=samples),
        )

    @pytest.mark.parametrize("kind", [SimulatedServer, SimulatedModel])
    def test_every_item_is_asked_so_often_each_time_with_another_seed(self, store, do, kind):
        model = kind(Behaviour())
        run = self.repeated(store, 4)

        record = do(run, model)

        assert record.items_total == record.answered == record.asked == 48
        outcomes = store.outcomes([run])
        assert len(outcomes) == 24
        assert sorted(outcomes["sample"].unique()) == [0, 1, 2, 3]
        seeds = {
            store.pair_detail(run, pair, sample).x.requests[0].sampling.seed
            for pair in outcomes["pair"]
            for sample in range(4)
        }
        assert len(seeds) == 4
        assert 3 in seeds

    def test_more_samples_ask_only_for_the_new_ones(self, store, do):
        do(self.repeated(store, 2))
        model = SimulatedServer(Behaviour())

        record = do(self.repeated(store, 5), model)

        assert len(model.asked) == 36
        assert record.cached == 24

    def test_runs_with_neighbouring_seeds_share_no_sample(self, store, do):
        do(self.repeated(store, 5, seed=0))

        record = do(self.repeated(store, 5, seed=1))

        assert record.cached == 0

    def test_values_are_given_with_the_outcomes(self, store, do):
        run = self.repeated(store, 2)
        do(run)

        outcomes = store.outcomes([run])

        assert outcomes["value_x"].notna().all()
        assert outcomes["value_x"].map(type).eq(str).all()


class TestOnlyFailed:
    def test_failed_items_are_asked_alone(self, store, prepared, do):
        """Given a run stopped half-way in which some items failed, when only those are asked
        again, then no other item is asked."""
        server = SimulatedServer(Behaviour(failing=3, fails=1, passing=False, delay=0.001))
        run = prepared(n=1500)
        record = do(run, server, on_progress=lambda _: stop(store, run))
        assert 0 < record.failed < record.items_done < record.items_total
        asked = len(server.asked)
        failed = record.failed

        record = do(run, server, only_failed=True)

        assert len(server.asked) - asked == failed
        assert record.failed == 0
        assert record.status is RunStatus.PAUSED
        assert "not asked" in record.message


class TestStoppingEarly:
    def sequential(self, store, behaviour, n, rule):
        return prepare(
            store,
            Design("sums", n, 1),
            behaviour.spec,
            "direct",
            sources=simulated_sources(),
            options=RunOptions(stopping=rule),
        )

    @pytest.mark.parametrize("kind", [SimulatedServer, SimulatedModel])
    def test_a_clear_effect_ends_the_run_at_a_look_and_the_rest_is_never_asked(
        self, store, do, kind
    ):
        """Given a model that gets x' wrong only, with four looks planned."""
        behaviour = Behaviour(wrong=1, right_below=10)
        model = kind(behaviour)
        run = self.sequential(store, behaviour, 200, GroupSequential(looks=4, at_most=200))

        record = do(run, model)

        assert record.status is RunStatus.FINISHED
        assert record.enough == 50
        assert len(model.asked) == 100
        assert len(store.outcomes([run])) == 50
        assert [look.stop for look in record.looks] == [True]
        assert record.message == record.looks[0].reason

    def test_resuming_a_run_that_knew_enough_asks_nothing(self, store, do):
        behaviour = Behaviour(wrong=1, right_below=10)
        run = self.sequential(store, behaviour, 200, GroupSequential(looks=4, at_most=200))
        do(run)
        model = SimulatedServer(behaviour)

        record = do(run, model)

        assert model.asked == []
        assert record.enough == 50

    def test_without_an_effect_every_look_is_taken_and_all_pairs_are_asked(self, store, do):
        run = self.sequential(store, Behaviour(), 200, GroupSequential(looks=4, at_most=200))

        record = do(run)

        assert [look.pairs for look in record.looks] == [50, 100, 150, 200]
        assert record.enough is None
        assert record.answered == 400

    def test_the_interval_shown_allows_for_looking(self, store, do):
        behaviour = Behaviour(wrong=7)
        run = self.sequential(store, behaviour, 200, GroupSequential(looks=4, at_most=200))
        do(run)
        outcomes = store.outcomes([run])

        (plain,) = effects(outcomes)
        (adjusted,) = effects(outcomes, adjusted=adjustments([store.run(run)]))

        assert adjusted.ci_high - adjusted.ci_low > plain.ci_high - plain.ci_low
        look = store.run(run).looks[-1]
        assert (adjusted.ci_low, adjusted.ci_high) == pytest.approx((look.low, look.high))

    def test_a_rule_for_another_number_of_pairs_is_refused(self, store):
        with pytest.raises(RunError, match="200 pairs at most, and the design has 100"):
            self.sequential(store, Behaviour(), 100, GroupSequential(looks=4, at_most=200))


class TestRefusedOptions:
    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            (RunOptions(batch_api=True), "Batches are for models on servers"),
            (RunOptions(access=Access(cluster="auto")), "A cluster is for models"),
        ],
    )
    def test_what_would_be_ignored_is_refused(self, store, options, sentence):
        with pytest.raises(RunError, match=sentence):
            prepare(
                store, Design("sums", 3, 1), Behaviour().spec, "direct",
                sources=simulated_sources(), options=options,
            )  # fmt: skip

    def test_samples_that_would_all_be_the_same_are_refused(self, store):
        with pytest.raises(RunError, match="temperature above 0"):
            prepare(
                store, Design("consistency", 3, 1), "tiny", "direct",
                options=RunOptions(samples=3),
            )  # fmt: skip

    @pytest.mark.parametrize("samples", [0, 101])
    def test_a_number_of_samples_out_of_range_is_refused(self, samples):
        with pytest.raises(RunError, match="1 to 100 times"):
            RunOptions(samples=samples)
