"""Doing a run: every item once, every answer kept, and failures never taken for answers."""

from __future__ import annotations

import sqlite3

import pytest

from biaslab.models import Sampling, Watchable
from biaslab.runs import (
    PairPattern,
    RunBusy,
    RunError,
    RunStatus,
    UnknownRun,
    UnknownStrategy,
    prepare,
    run_here,
    stop,
)
from biaslab.runs.engine import leases
from biaslab.runs.store.records import WRITING
from biaslab.studies import Design
from tests.runs.simulation import (
    Behaviour,
    OneRequest,
    SimulatedModel,
    SumStudy,
    open_simulated,
    simulated_sources,
)


def counters(record):
    return record.answered, record.invalid, record.failed


class TestWholeRun:
    def test_a_prepared_run_is_ready_and_has_asked_nothing(self, store, prepared):
        record = store.run(prepared(n=5))

        assert record.status is RunStatus.READY
        assert (record.pairs_total, record.items_total, record.items_done) == (5, 10, 0)
        assert record.design == Design("sums", 5, 1, {})
        assert record.started is None

    def test_every_item_is_asked_once_and_counted(self, prepared, do):
        model = SimulatedModel(Behaviour(wrong=2))
        run = prepared(model.behaviour, n=40)

        record = do(run, model)

        assert record.status is RunStatus.FINISHED
        assert counters(record) == (80, 0, 0)
        assert (record.asked, record.cached) == (80, 0)
        assert len(model.asked) == len(set(model.asked)) == 80
        assert record.seconds_left is None
        assert record.finished >= record.started >= record.created

    def test_a_text_that_is_being_written_is_told_until_the_run_ends(self, prepared, do):
        class Writer(SimulatedModel):
            on_text = None

            def generate(self, requests):
                self.on_text("Ana has 3 apples.\n" * 40 + "So, in all,")
                yield from super().generate(requests)

        assert isinstance(Writer(Behaviour()), Watchable)
        assert not isinstance(SimulatedModel(Behaviour()), Watchable)
        told = []

        record = do(prepared(n=3), Writer(Behaviour()), on_progress=told.append)

        writing = {each.message for each in told if each.message.startswith(WRITING)}
        (message,) = writing
        assert message.startswith(f"{WRITING}“… ")
        assert message.endswith("3 apples. So, in all,”")
        assert len(message) < len(WRITING) + 250
        assert record.message == ""

    def test_an_item_shared_by_pairs_is_asked_once(self, store, prepared, do):
        model = SimulatedModel(Behaviour())
        run = prepared(n=6, settings={"shared": True})

        record = do(run, model)

        assert record.items_total == record.answered == len(model.asked) == 7
        assert store.count_patterns(run)[PairPattern.BOTH_RIGHT] == 6

    def test_unreadable_answers_are_invalid_and_not_wrong(self, store, prepared, do):
        run = prepared(Behaviour(invalid=2), n=10)

        record = do(run)

        assert counters(record) == (5, 15, 0)
        patterns = store.count_patterns(run)
        assert patterns[PairPattern.INVALID] == 10
        assert store.outcomes([run])["y_x"].isna().all()

    @pytest.mark.parametrize(("strategy", "responses"), [("two", 20), ("scored", 10)])
    def test_other_prompt_strategies(self, store, prepared, do, strategy, responses):
        run = prepared(n=5, strategy=strategy)

        record = do(run)

        assert counters(record) == (10, 0, 0)
        assert record.asked == responses
        assert store.count_patterns(run)[PairPattern.BOTH_RIGHT] == 5

    def test_the_second_request_is_built_on_the_first_response(self, store, prepared, do):
        run = prepared(n=1, strategy="two")
        do(run)

        detail = store.pair_detail(run, store.pair_rows(run)[0].pair)

        first, second = detail.x.exchanges
        prompt = second.request.messages[0].content
        assert prompt == f"{detail.x.item.text} {first.answered.text} So:"

    def test_progress_is_told_as_the_run_goes(self, store, prepared, monkeypatch):
        monkeypatch.setattr("biaslab.runs.engine.session._PROGRESS_SECONDS", 0.0)
        told = []

        run_here(store, prepared(n=50), told.append, sources=simulated_sources(), pauses=())

        done = [record.items_done for record in told]
        assert done == sorted(done)
        assert all(record.status is RunStatus.RUNNING for record in told)

    def test_a_large_design_is_asked_in_large_groups(self, prepared, do):
        model = SimulatedModel(Behaviour())

        do(prepared(n=400), model)

        assert max(model.sizes) == 256
        assert sum(model.sizes) == 800


class TestCache:
    def test_what_was_asked_is_never_asked_again(self, prepared, do):
        do(prepared(n=5))
        again = SimulatedModel(Behaviour())

        record = do(prepared(n=5), again)

        assert again.asked == []
        assert (record.asked, record.cached, record.answered) == (0, 10, 10)

    def test_a_larger_design_asks_only_what_is_new(self, prepared, do):
        do(prepared(n=5))
        model = SimulatedModel(Behaviour())

        record = do(prepared(n=8), model)

        assert len(model.asked) == 6
        assert (record.asked, record.cached) == (6, 10)

    @pytest.mark.parametrize(
        "other", [Behaviour(name="two", wrong=1), Behaviour(revision="r2", wrong=1)]
    )
    def test_another_model_is_asked_itself(self, store, prepared, do, other):
        """Regression: a cache that ignores the model gives one model's answers to another."""
        first = prepared(Behaviour(), n=5)
        do(first)
        model = SimulatedModel(other)
        second = prepared(other, n=5)

        do(second, model)

        assert len(model.asked) == 10
        assert store.count_patterns(first)[PairPattern.BOTH_RIGHT] == 5
        assert store.count_patterns(second)[PairPattern.BOTH_WRONG] == 5

    @pytest.mark.parametrize(
        "sampling",
        [Sampling(8), Sampling(16, 0.5), Sampling(16, 0.0, 7), Sampling(16, stop=("\n",))],
    )
    def test_other_parameters_are_another_question(self, prepared, do, sampling):
        do(prepared(n=3))
        model = SimulatedModel(Behaviour())

        do(prepared(n=3, sampling=sampling), model)

        assert len(model.asked) == 6

    def test_sampling_that_changes_nothing_is_the_same_question(self, prepared, do):
        do(prepared(n=3))
        model = SimulatedModel(Behaviour())

        do(prepared(n=3, sampling=Sampling(max_new_tokens=500)), model)

        assert model.asked == []

    def test_two_runs_of_two_models_in_one_file_never_mix(self, store, prepared, do):
        """Regression: prompts of one model shown with the responses of another."""
        runs = {}
        for name in ("one", "two"):
            behaviour = Behaviour(name=name, text=f"{name} says 1")
            runs[name] = prepared(behaviour, n=3, strategy="two")
            do(runs[name])

        for name, run in runs.items():
            for row in store.pair_rows(run):
                detail = store.pair_detail(run, row.pair)
                for member in (detail.x, detail.x_prime):
                    texts = [response.text for response in member.responses]
                    assert texts == [f"{name} says 1"] * 2
                    assert f"{name} says 1" in member.requests[1].messages[0].content


class TestFailures:
    def test_failures_are_not_wrong_answers(self, store, prepared, do):
        """Regression: requests refused for the rate limit counted as wrong answers."""
        run = prepared(Behaviour(failing=4, fails=99), n=10)

        record = do(run)

        assert record.failed == 12
        assert record.status is RunStatus.FINISHED
        assert "12 of 20 items got no response" in record.message
        assert store.count_patterns(run) == {
            **dict.fromkeys(PairPattern, 0), PairPattern.UNFINISHED: 10
        }  # fmt: skip
        outcomes = store.outcomes([run])
        assert set(outcomes["state_x"]) == {"failed"}
        assert outcomes["y_x"].isna().all()
        assert store.pair_detail(run, outcomes["pair"][0]).x.reason == (
            "The server is too busy (429)."
        )

    def test_passing_failures_are_asked_again_at_once(self, prepared, do):
        model = SimulatedModel(Behaviour(failing=4, fails=2))

        record = do(prepared(model.behaviour, n=10), model)

        assert counters(record) == (20, 0, 0)
        assert record.message == ""
        assert len(model.asked) == 20 + 2 * 12

    def test_lasting_failures_wait_for_a_resume(self, store, prepared, do):
        behaviour = Behaviour(failing=4, fails=1, passing=False)
        model = SimulatedModel(behaviour)
        run = prepared(behaviour, n=10)
        assert do(run, model).failed == 12

        record = do(run, model)

        assert counters(record) == (20, 0, 0)
        assert len(model.asked) == 20 + 12
        detail = store.pair_detail(run, store.pair_rows(run)[0].pair)
        assert (detail.x.state, detail.x.attempts, detail.x.reason) == ("answered", 1, "")

    def test_one_member_answered_and_one_not_is_an_unfinished_pair(self, store, prepared, do):
        """Regression: half a pair shown under a wrong label and counted."""
        run = prepared(Behaviour(failing=4, fails=99), n=3)
        do(run)

        rows = store.pair_rows(run)

        assert [(row.state_x, row.state_x_prime) for row in rows] == [
            ("failed", "answered"), ("failed", "answered"), ("failed", "failed")
        ]  # fmt: skip
        assert {row.pattern for row in rows} == {PairPattern.UNFINISHED}
        with sqlite3.connect(store.path) as plain:
            assert plain.execute("SELECT * FROM effects").fetchall() == []
        plain.close()

    def test_nothing_but_failures_ends_the_run_with_the_reason(self, prepared, do):
        record = do(prepared(Behaviour(failing=1, fails=99), n=200))

        assert record.status is RunStatus.FAILED
        assert "The server is too busy (429)." in record.message
        assert "resume" in record.message
        assert record.failed == 50

    def test_a_model_that_breaks_down_leaves_its_answers(self, store, prepared, do):
        behaviour = Behaviour(broken=7)
        run = prepared(behaviour, n=10)

        with pytest.raises(RuntimeError):
            do(run)

        record = store.run(run)
        assert record.status is RunStatus.FAILED
        assert "broke down" in record.message
        assert record.answered == 7
        rest = SimulatedModel(Behaviour(broken=0))
        rest = _same_identity(rest, behaviour)
        assert do(run, rest).answered == 20
        assert len(rest.asked) == 13

    def test_a_model_that_forgets_a_request_has_failed_it(self, prepared, do):
        class Forgetful(SimulatedModel):
            def generate(self, requests):
                yield from super().generate(requests[:-1])

        record = do(prepared(n=1), Forgetful(Behaviour()))

        assert counters(record) == (1, 0, 1)

    def test_a_model_that_answers_twice_is_refused(self, prepared, do):
        class Doubling(SimulatedModel):
            def generate(self, requests):
                for index, result in super().generate(requests):
                    yield index, result
                    yield index, result

        with pytest.raises(ValueError, match="twice"):
            do(prepared(n=2), Doubling(Behaviour()))


def _same_identity(model, behaviour):
    identity = open_simulated(behaviour.spec).identity

    class Repaired(type(model)):
        @property
        def identity(self):
            return identity

    return Repaired(model.behaviour)


class TestStopAndResume:
    def test_a_stopped_run_has_whole_pairs_and_resumes(self, store, prepared, do):
        run = prepared(n=200)

        class Stopping(SimulatedModel):
            def generate(self, requests):
                for result in super().generate(requests):
                    yield result
                    if len(self.asked) == 40:
                        stop(store, run)

        model = Stopping(Behaviour())
        record = do(run, model)

        assert record.status is RunStatus.STOPPED
        assert 40 <= record.answered < 400
        assert store.count_patterns(run)[PairPattern.BOTH_RIGHT] >= 16
        before = list(model.asked)
        record = do(run, model)
        assert record.status is RunStatus.FINISHED
        assert record.answered == 400
        stored_twice = len(model.asked) - len(set(model.asked))
        assert stored_twice <= len(before) - 40

    def test_stopping_a_run_that_nobody_does_changes_nothing(self, store, prepared):
        run = prepared()

        stop(store, run)

        assert store.run(run).status is RunStatus.READY

    def test_ctrl_c_leaves_a_stopped_run(self, store, prepared, do):
        class Interrupted(SimulatedModel):
            def _note(self, prompt):
                if len(self.asked) == 3:
                    raise KeyboardInterrupt
                super()._note(prompt)

        run = prepared()
        with pytest.raises(KeyboardInterrupt):
            do(run, Interrupted(Behaviour()))

        assert store.run(run).status is RunStatus.STOPPED
        assert store.run(run).answered == 3

    def test_resuming_a_finished_run_asks_nothing(self, prepared, do):
        run = prepared()
        do(run)
        model = SimulatedModel(Behaviour())

        record = do(run, model)

        assert model.asked == []
        assert record.status is RunStatus.FINISHED
        assert record.answered == 10

    def test_a_run_that_is_being_done_cannot_be_started(self, store, prepared, do):
        run = prepared()
        leases.claim(store, run, 60.0, None)

        with pytest.raises(RunBusy, match="already"):
            do(run)


class TestRefusals:
    def test_a_changed_model_is_not_mixed_in(self, store, prepared, do):
        run = prepared(Behaviour(revision="r1"))

        record = do(run, SimulatedModel(Behaviour(revision="r2")))

        assert record.status is RunStatus.FAILED
        assert "no longer the one" in record.message
        assert store.run(run).items_done == 0

    def test_changed_prompts_are_not_mixed_in(self, store, prepared):
        run = prepared()
        study = SumStudy(strategies=(OneRequest(version="2"),))

        record = run_here(store, run, sources=simulated_sources(study=study))

        assert record.status is RunStatus.FAILED
        assert "prompts" in record.message

    def test_unknown_run(self, do):
        with pytest.raises(UnknownRun, match="no run nothing"):
            do("nothing")

    def test_unknown_strategy_names_those_there_are(self, prepared):
        with pytest.raises(UnknownStrategy, match="direct, two, scored"):
            prepared(strategy="tow")

    def test_a_design_with_the_same_pair_twice_is_refused(self, store):
        class Doubling(SumStudy):
            def pairs(self, design):
                yield from super().pairs(design)
                yield from super().pairs(design)

        sources = simulated_sources(study=Doubling())
        with pytest.raises(RunError, match="same pair twice"):
            prepare(store, Design("sums", 3, 1), Behaviour().spec, "direct", sources=sources)
        assert store.runs() == []

    def test_a_design_without_pairs_is_refused(self, prepared):
        with pytest.raises(RunError, match="no pairs"):
            prepared(n=0)
