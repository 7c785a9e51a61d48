"""Pairs go to a model on a loopback server, and what passes the check is kept as a set.

The server is real; the model behind it is a simulation (`tests.servers.mending`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from biaslab.models import Access, Endpoint, Failure, ModelForm, identify
from biaslab.models.server.channel import ServerChannel
from biaslab.models.server.keys import bind
from biaslab.models.server.model import ServerModel
from biaslab.models.server.request.client import Patience
from biaslab.runs import RunError, prepare, run_here
from biaslab.runs.jobs.one_off import ask_in_background, ask_loose
from biaslab.runs.library.pair_sets import pair_sets, save_set, set_pairs, set_report
from biaslab.studies import Design, Item, Pair, experiment
from biaslab.studies.published import published_words
from biaslab.studies.word_problems.custom.correction import (
    Correction,
    CorrectionProgress,
    CorrectionPrompt,
    check_mender,
    correct,
    report_of,
    set_of,
)
from schoolmath.problems.errors import ProblemError
from schoolmath.problems.meaning import Flaw
from tests.conftest import DEADLINE
from tests.servers.faulty import Fault, FaultyServer, answer, status
from tests.servers.mending import mends, mends_texts, replacing

QUICK = Patience(connect=DEADLINE, silence=DEADLINE, deadline=DEADLINE, attempts_more=0)
BUSY = status(429, {"message": "Too many requests."}, retry_after="0")


class _QuickModel(ServerModel):
    """Waits for no server, so that no test does."""

    def open_channel(self) -> ServerChannel:
        return ServerChannel(self._name, self._access, QUICK)


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer() as running:
        running.always = mends()
        yield running


def access(server: FaultyServer) -> Access:
    return Access((server.url,), Endpoint.CHAT, "faulty-1", at_once=4)


def pairs(n: int = 6, study: str = "consistency") -> list[Pair]:
    return list(experiment(study).pairs(Design(study, n, 7)))


Mend = Callable[..., Correction]


@pytest.fixture
def mend(server) -> Mend:
    def ask(wanted: list[Pair], *always: Fault, **more: object) -> Correction:
        if always:
            (server.always,) = always
        model = _QuickModel("faulty", access(server))
        return correct(wanted, partial(ask_loose, model, pauses=(0.0,)), ModelForm.CHAT, **more)  # type: ignore[arg-type]

    return ask


class TestAModelThatMendsWell:
    def test_every_pair_is_kept_in_order_and_asked_once(self, mend, server):
        wanted = pairs(8)

        found = mend(wanted)

        assert [pair.x.text for pair in found.kept] == [pair.x.text for pair in wanted]
        assert (found.keep_rate, found.changed) == (1.0, 0)
        assert len(server.asked) == 8

    def test_the_keep_rate_has_its_interval(self, mend):
        found = mend(pairs(8))

        assert found.interval is not None
        assert 0.6 < found.interval.low < 0.7
        assert found.interval.high == 1.0

    def test_progress_is_told_at_every_answer(self, mend):
        told: list[CorrectionProgress] = []

        mend(pairs(5), on_progress=told.append)

        assert [progress.done for progress in told] == [1, 2, 3, 4, 5]
        assert told[-1] == CorrectionProgress(5, 5, 0, 0)


class TestThePromptOfThePaper:
    @pytest.fixture(autouse=True)
    def texts(self, server):
        server.always = mends_texts()

    def test_each_text_is_asked_whole_in_the_words_of_the_paper(self, mend, server):
        wanted = pairs(3)
        found = mend(wanted, prompt=CorrectionPrompt.PUBLISHED)

        words = published_words()["word problems, correction"].words
        texts = [item.text for pair in wanted for item in (pair.x, pair.x_prime)]
        assert sorted(server.prompts()) == sorted(words.format(problem=text) for text in texts)
        assert [pair.x.text for pair in found.kept] == [pair.x.text for pair in wanted]
        assert found.changed == 0

    def test_what_comes_back_is_checked_as_ever(self, mend):
        def flaws(change, around="{}"):
            fault = mends_texts(change, around)
            return dict(mend(pairs(6), fault, prompt=CorrectionPrompt.PUBLISHED).by_reason())

        assert flaws(str, "**{}**\n") == {}
        assert flaws(lambda text: text.partition(". ")[2])[Flaw.SENTENCES] == 6
        assert flaws(lambda text: text.replace("1", "9"))[Flaw.NUMBERS] > 0
        assert flaws(lambda _: "…")[Flaw.UNREADABLE] == 6

    def test_what_is_mended_in_one_member_alone_is_told(self, mend, server):
        (pair,) = pairs(1)
        shared = next(each for each in pair.x.facts["sentences"] if each in pair.x_prime.text)
        again = pair.x_prime.text.replace(shared, shared.replace(" has ", " owns "))
        assert again != pair.x_prime.text
        server.faults[prompt_of(pair.x_prime)] = [answer(again)]

        found = mend([pair], prompt=CorrectionPrompt.PUBLISHED)

        assert [flaw for flaw, _ in found.by_reason()] == [Flaw.SHARED]

    def test_a_pair_with_half_an_answer_counts_nowhere(self, mend, server):
        wanted = pairs(2)
        server.faults[prompt_of(wanted[0].x)] = [BUSY] * 9

        found = mend(wanted, prompt=CorrectionPrompt.PUBLISHED)

        assert [each.pair for each in found.not_answered] == [wanted[0]]
        assert [each.pair for each in found.answered] == [wanted[1]]


def prompt_of(item: Item) -> str:
    return published_words()["word problems, correction"].words.format(problem=item.text)


class TestAModelThatChangesTheMeaning:
    def test_pairs_whose_numbers_it_changed_are_discarded_with_the_reason(self, mend):
        found = mend(pairs(6), mends(lambda lines: [line.replace("1", "9") for line in lines]))

        touched = [each for each in found.answered if each.mended]
        assert touched
        assert all(each.kept is None for each in touched)
        assert dict(found.by_reason())[Flaw.NUMBERS] == len(touched)

    def test_reasons_are_counted_once_a_pair(self, mend):
        found = mend(pairs(6), mends(lambda lines: lines[1:]))

        assert found.by_reason() == [(Flaw.UNREADABLE, 6)]
        assert found.keep_rate == 0.0

    def test_a_model_that_makes_both_members_alike_loses_every_pair(self, mend):
        """Given one that turns "fewer" into "more" wherever it stands."""
        found = mend(pairs(20), mends(replacing("fewer", "more")))

        assert not any("fewer" in pair.x.text + pair.x_prime.text for pair in found.kept)
        assert len(found.discarded) + len(found.kept) == 20
        assert found.discarded

    def test_pairs_that_became_one_pair_are_kept_once(self, mend):
        (pair,) = pairs(1)

        found = mend([pair, pair])

        assert len(found.kept) == 1
        assert found.by_reason() == [(Flaw.SAME, 1)]


class TestNoAnswer:
    def test_too_many_requests_are_never_discards(self, mend):
        found = mend(pairs(3), BUSY)

        assert len(found.not_answered) == 3
        assert (found.answered, found.discarded, found.keep_rate) == ((), [], None)

    def test_what_failed_for_a_passing_reason_is_asked_again_at_once(self, mend, server):
        wanted = pairs(3)
        mend(wanted)
        for prompt in server.prompts():
            server.faults[prompt] = [BUSY]

        found = mend(wanted)

        assert len(found.kept) == 3
        assert not found.not_answered

    def test_what_got_no_answer_can_be_asked_later_and_is_counted_with_the_rest(self, mend, server):
        wanted = pairs(4)
        mend(wanted)
        server.faults[server.prompts()[0]] = [BUSY, BUSY]
        first = mend(wanted)
        assert len(first.not_answered) == 1

        found = mend([each.pair for each in first.not_answered], before=first)

        assert len(found.kept) == 4
        assert not found.not_answered
        assert len(server.asked) == 4 + 5 + 1

    def test_a_refused_key_ends_it_at_once(self, mend, server):
        refused = status(401, {"message": "No.", "code": "invalid_api_key"})

        found = mend(pairs(6), refused)

        assert len(found.not_answered) == 6
        assert len(server.asked) <= 6

    def test_a_pair_that_cannot_be_read_is_not_asked(self, mend, server):
        (pair,) = pairs(1)
        item = Item.of("imported", "Mia cups 3.", "3", {})

        found = mend([Pair.of(item, pair.x, {}, "c"), pair])

        assert [each.reasons[0].flaw for each in found.not_asked] == [Flaw.ORIGINAL]
        assert len(found.kept) == len(server.asked) == 1
        assert found.keep_rate == 1.0

    def test_no_pairs_at_all_are_refused(self, mend):
        with pytest.raises(ProblemError, match="no pairs"):
            mend([])


class TestKeeping:
    def test_kept_pairs_are_a_set_that_a_run_asks(self, mend, store):
        found = mend(pairs(5), treatment="consistency")

        kept = save_set(store, "mended", *set_of(found, "openai:faulty", "consistency, seed 7"))

        assert [each.id for each in pair_sets(store)] == [kept.id]
        assert "corrected by openai:faulty" in kept.origin
        assert [pair.id for pair in set_pairs(store, kept.id)] == [pair.id for pair in found.kept]
        run = prepare(
            store, Design("imported", 5, 1, {"set": kept.id}), "learner:keyword", "direct"
        )
        assert run_here(store, run).answered == 10

    def test_what_is_not_in_the_set_is_in_its_report(self, mend, store):
        wanted = pairs(20)
        found = mend(wanted, mends(replacing("13", "31")))
        assert found.kept
        assert found.discarded

        kept = save_set(store, "mended", *set_of(found, "openai:faulty", "six"))

        report = set_report(store, kept.id)
        assert report == report_of(found)
        assert {row["pair"] for row in report} == {each.pair.id for each in found.discarded}
        assert {row["status"] for row in report} == {"discarded"}
        assert all(row["code"] and row["reason"] for row in report)

    def test_nothing_kept_makes_no_set(self, mend):
        found = mend(pairs(2), answer("No."))

        with pytest.raises(ProblemError, match="nothing to keep"):
            set_of(found, "openai:faulty", "two")


class TestWhoCanMend:
    @pytest.mark.parametrize("spec", ["tiny", "learner:keyword"])
    def test_models_that_know_numbers_only_cannot(self, spec):
        with pytest.raises(ProblemError, match="cannot correct sentences"):
            check_mender(identify(spec))

    def test_a_language_model_can(self, server):
        check_mender(identify("openai:faulty", access=access(server)))


@pytest.mark.slow
class TestAProcessOfItsOwn:
    def test_gives_the_same_answers(self, server):
        wanted = pairs(3)

        found = correct(
            wanted, partial(ask_in_background, "openai:faulty", access(server)), ModelForm.CHAT
        )

        assert len(found.kept) == 3
        assert len(server.asked) == 3

    def test_a_key_is_in_its_environment_alone(self, server, monkeypatch):
        monkeypatch.delenv("MENDING_KEY", raising=False)
        reached = Access((server.url,), Endpoint.CHAT, "faulty-1", key_env="MENDING_KEY")
        bind("MENDING_KEY", [server.url])
        asked = partial(
            ask_in_background, "openai:faulty", reached, environment={"MENDING_KEY": "planted-4711"}
        )

        correct(pairs(1), asked, ModelForm.CHAT)

        assert [each.key for each in server.asked] == ["planted-4711"]

    def test_a_model_that_cannot_be_opened_is_told_in_a_sentence(self, server):
        missing = Access((server.url,), Endpoint.CHAT, "faulty-1", key_env="NO_SUCH_KEY")

        with pytest.raises(RunError, match="NO_SUCH_KEY"):
            correct(pairs(1), partial(ask_in_background, "openai:faulty", missing), ModelForm.CHAT)

    def test_failures_come_back_as_failures(self, server):
        server.always = status(400, {"message": "Bad request."})
        requests = [_a_request()]

        (found,) = ask_in_background("openai:faulty", access(server), requests, pauses=())

        assert isinstance(found.answer, Failure)
        assert not found.answer.retryable


def _a_request():
    from biaslab.studies.word_problems.custom.correction import correction_request

    return correction_request(("Mia has 3 cups.",), ModelForm.CHAT)
