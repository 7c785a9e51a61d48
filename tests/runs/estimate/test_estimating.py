"""What a run would take is known before it is begun, and every figure says how it was made."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import (
    Access,
    Endpoint,
    GenerationRequest,
    Message,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Sampling,
    identify,
)
from biaslab.models.prices import Price, cost
from biaslab.models.server.capabilities import Capabilities, EndpointReport
from biaslab.runs import RunRecord, Store, UnknownStrategy, open_store, prepare, run_here
from biaslab.runs.engine.sources import Sources
from biaslab.runs.estimating import PAIRS_LOOKED_AT, RunEstimate, estimate
from biaslab.runs.library.connections import Connection, remember
from biaslab.runs.library.experience import ENOUGH_RESPONSES, counter_for
from biaslab.runs.loads import MOST_STAGES
from biaslab.runs.store.options import RunOptions
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import Length
from biaslab.studies.study import Answered, Item, Request
from schoolmath.problems import DesignError
from tests.runs.simulation import Behaviour, SimulatedModel, SimulatedServer, SumStudy

SPEC = "openai:gpt-4o-mini"
TODAY = datetime.date(2026, 9, 20)
PRICE = Price(Decimal("3"), Decimal("15"), "EUR", "a page", datetime.date(2026, 9, 13))


@dataclass
class Server(SimulatedServer):
    """A simulation of a server that a person knows as `SPEC` or by another name."""

    spec: str = SPEC
    kind: ModelKind = ModelKind.LANGUAGE_MODEL

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity(self.spec, self.kind, "r1", ModelForm.BASE)


@dataclass
class Local(SimulatedModel):
    """A simulation of a model on this machine."""

    spec: str = "sim:local"

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity(self.spec, ModelKind.TINY, "r1", ModelForm.BASE)


def sources(model: SimulatedModel, study: object = None) -> Sources:
    chosen: Any = study or SumStudy()

    def find(name: str) -> Any:
        if name != chosen.name:
            raise DesignError(f"There is no study {name}.", "Choose sums.", "study")
        return chosen

    return Sources(find, lambda _, __: model.identity, lambda _, __: model)


def server(spec: str = SPEC, kind: ModelKind = ModelKind.LANGUAGE_MODEL) -> Server:
    return Server(Behaviour(), spec=spec, kind=kind)


def sums(n: int, seed: int = 1, **chosen: bool) -> Design:
    return Design("sums", n, seed, chosen)


def run(
    store: Store,
    n: int,
    strategy: str = "direct",
    *,
    model: SimulatedModel | None = None,
    samples: int = 1,
    sampling: Sampling | None = None,
    at_once: int = 32,
    study: object = None,
    **chosen: bool,
) -> RunRecord:
    """Does a run and returns what it took."""
    model = model or server()
    known = sources(model, study)
    options = RunOptions(samples, Access(at_once=at_once))
    run_id = prepare(
        store,
        sums(n, **chosen),
        model.identity.spec,
        strategy,
        sampling,
        options=options,
        sources=known,
    )
    return run_here(store, run_id, sources=known)


def look(
    store: Store,
    n: int,
    strategy: str = "direct",
    *,
    model: SimulatedModel | None = None,
    study: object = None,
    chosen: dict[str, bool] | None = None,
    **how: Any,
) -> RunEstimate:
    """An estimate of the run that `run` does."""
    model = model or server()
    given_how = {"today": TODAY, "length": Length(go_on=0)} | how
    return estimate(
        store,
        sums(n, **(chosen or {})),
        model.identity.spec,
        strategy,
        sources=sources(model, study),
        **given_how,
    )


def told(estimated: RunEstimate) -> str:
    return " ".join(estimated.notes)


class TestRequests:
    @pytest.mark.parametrize(("strategy", "each"), [("direct", 1), ("two", 2), ("scored", 1)])
    def test_are_counted_for_every_item_stage_and_sample(
        self, store: Store, strategy: str, each: int
    ) -> None:
        found = look(store, 5, strategy, samples=3)
        asked_again = 1 if strategy == "scored" else 3
        assert (found.pairs, found.items, found.samples, found.free) == (5, 10, 3, 0)
        assert found.requests == found.to_ask == 10 * each * asked_again
        assert f"Each item takes {each} request" in told(found)
        assert found.exact

    def test_that_items_share_are_counted_once(self, store: Store) -> None:
        assert look(store, 5, chosen={"shared": True}).to_ask == 6

    @settings(max_examples=15, deadline=None)
    @given(
        before=st.integers(0, 4),
        n=st.integers(1, 6),
        strategy=st.sampled_from(["direct", "two"]),
        samples=st.integers(1, 3),
        samples_before=st.integers(1, 3),
        sampling=st.sampled_from([None, Sampling(8, 0.7, 3)]),
        shared=st.booleans(),
    )
    def test_are_exactly_those_that_the_run_then_takes(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        before: int,
        n: int,
        strategy: str,
        samples: int,
        samples_before: int,
        sampling: Sampling | None,
        shared: bool,
    ) -> None:
        # Given a file in which part of the responses stands already
        with open_store(tmp_path_factory.mktemp("estimate") / "runs.db") as store:
            if before:
                run(
                    store, before, strategy,
                    samples=samples_before, sampling=sampling, shared=shared,
                )  # fmt: skip
            # When a run is estimated and then done
            found = look(
                store, n, strategy,
                samples=samples, sampling=sampling, chosen={"shared": shared}, price=PRICE,
            )  # fmt: skip
            record = run(
                store, n, strategy, samples=samples, sampling=sampling, shared=shared
            )  # fmt: skip
            # Then it took what was said, and no more than was said of the rest
            assert found.exact
            assert found.items * samples == record.items_total
            assert found.to_ask == record.asked
            assert found.free <= record.cached
            assert found.requests == found.free + found.to_ask
            assert record.tokens_in <= found.tokens_in.at_most
            assert record.tokens_out <= found.tokens_out.at_most
            assert found.cost_at_most is not None
            assert cost(PRICE, record.tokens_in, record.tokens_out) <= found.cost_at_most
            # And now nothing is left to be asked
            after = look(
                store, n, strategy,
                samples=samples, sampling=sampling, chosen={"shared": shared}, price=PRICE,
            )  # fmt: skip
            assert (after.to_ask, after.cost_at_most, after.seconds) == (0, 0, 0.0)

    def test_that_build_on_kept_responses_are_found_as_well(self, store: Store) -> None:
        run(store, 2, "two")
        found = look(store, 3, "two")
        assert (found.free, found.to_ask) == (8, 4)
        assert "8 responses are in the file already and cost nothing" in told(found)

    def test_of_another_model_are_not_free(self, store: Store) -> None:
        run(store, 3)
        assert look(store, 3, model=server("openai:other")).free == 0

    def test_are_not_followed_for_ever(self, store: Store) -> None:
        @dataclass(frozen=True)
        class Endless:
            name: str = "endless"
            label: str = "Endless"
            explanation: str = "Never stops asking."
            version: str = "1"

            def next_request(
                self, item: Item, answered: Sequence[Answered], _form: ModelForm
            ) -> Request | None:
                text = f"{item.text} {len(answered)}"
                return GenerationRequest((Message("text", text),), Sampling(16))

        study = replace(SumStudy(), strategies=(Endless(),))
        found = look(store, 1, "endless", study=study)
        assert found.to_ask == 2 * MOST_STAGES
        assert "no further" in told(found)


class TestLargeDesigns:
    def test_are_projected_from_their_first_pairs_and_marked(self, store: Store) -> None:
        found = look(store, 5_000, "two", samples=1)
        assert (found.items, found.requests, found.exact) == (10_000, 20_000, False)
        assert f"first {PAIRS_LOOKED_AT} of 5,000 pairs" in told(found)

    def test_that_share_items_are_projected_with_what_they_share(self, store: Store) -> None:
        assert look(store, 5_000, chosen={"shared": True}).items == 5_001

    def test_asked_often_are_projected_from_fewer_pairs(self, store: Store) -> None:
        found = look(store, 150, samples=100)
        assert (found.requests, found.exact) == (30_000, False)

    def test_take_about_what_they_take_when_every_pair_is_looked_at(self, tmp_path: Path) -> None:
        known = Sources(experiment, lambda spec, _: identify(spec), lambda _, __: None)  # type: ignore[arg-type, return-value]
        design = Design("consistency", 600, 1)
        with open_store(tmp_path / "runs.db") as store:
            projected, exact = (
                estimate(store, design, "tiny", "cot", sources=known, most_pairs=most)
                for most in (PAIRS_LOOKED_AT, None)
            )
        assert exact.exact
        assert projected.requests == exact.requests
        assert projected.tokens_in.expected == pytest.approx(exact.tokens_in.expected, rel=0.05)
        assert projected.tokens_out == exact.tokens_out

    def test_count_only_what_was_looked_at_as_free(self, store: Store) -> None:
        run(store, 10)
        found = look(store, 1_000)
        assert (found.free, found.to_ask) == (20, 1_980)
        assert "there may be more" in told(found)


class TestTokens:
    def test_written_are_expected_at_their_most_without_experience(self, store: Store) -> None:
        found = look(store, 5)
        assert (found.tokens_out.expected, found.tokens_out.at_most) == (160, 160)
        assert "expected to have its most of 16 tokens" in told(found)

    def test_written_are_expected_as_this_model_wrote_before(self, store: Store) -> None:
        run(store, ENOUGH_RESPONSES // 2)
        found = look(store, 50)
        assert found.to_ask == 80
        assert (found.tokens_out.expected, found.tokens_out.at_most) == (160, 1280)
        assert "the average of 20 earlier responses of this model" in told(found)

    def test_written_are_not_expected_from_too_few_responses(self, store: Store) -> None:
        run(store, ENOUGH_RESPONSES // 2 - 1)
        assert look(store, 10).tokens_out.expected == look(store, 10).tokens_out.at_most

    def test_written_are_expected_as_other_models_wrote_if_need_be(self, store: Store) -> None:
        run(store, 10, model=server("openai:other"))
        found = look(store, 10)
        assert found.tokens_out.expected == 40
        assert "of other models, because there are too few of this one" in told(found)

    def test_written_are_not_expected_as_simulated_learners_wrote(self, store: Store) -> None:
        run(store, 10, model=server("learner:one", ModelKind.LEARNER))
        assert look(store, 10).tokens_out.expected == 320

    def test_written_are_not_expected_from_responses_with_another_limit(self, store: Store) -> None:
        run(store, 10)
        assert look(store, 10, sampling=Sampling(8, 0.5)).tokens_out.expected == 160

    def test_written_are_not_expected_from_other_prompts(self, store: Store) -> None:
        run(store, 10)
        changed = replace(SumStudy().strategies[0], version="2")
        found = look(store, 20, study=replace(SumStudy(), strategies=(changed,)))
        assert found.tokens_out.expected == found.tokens_out.at_most

    def test_sent_include_what_the_model_will_have_written_before(self, store: Store) -> None:
        once, twice = look(store, 5), look(store, 5, "two")
        second = twice.tokens_in.expected - once.tokens_in.expected
        assert second > once.tokens_in.expected + 10 * 16
        assert twice.tokens_in.at_most >= twice.tokens_in.expected

    def test_sent_are_estimated_from_what_this_model_had_before(self, store: Store) -> None:
        run(store, 10)
        found = look(store, 11)
        assert found.tokens_in.expected == pytest.approx(10, abs=1)
        assert "from 20 earlier responses of this model" in told(found)

    def test_sent_are_estimated_from_the_test_of_a_server(self, store: Store) -> None:
        access = connected(store, None)
        found = look(store, 5, access=access)
        assert "0.300 for each character, from the sample problem of this server's test" in (
            told(found)
        )
        counter = counter_for(store, server().identity, access)
        request = GenerationRequest((Message("text", "a" * 100),))
        assert (counter.count(request).tokens, counter.count(request).at_most) == (30, 45)

    def test_for_probabilities_are_hardly_any_written(self, store: Store) -> None:
        found = look(store, 5, "scored")
        assert found.tokens_out.at_most == 20
        assert "asks for probabilities" in told(found)


def connected(store: Store, price: Price | None) -> Access:
    """Remembers the test of a simulated server and says how it is reached."""
    access = Access(("http://localhost:8000/v1",), Endpoint.CHAT)
    found = EndpointReport(Endpoint.CHAT, works=True, tokens_per_character=0.3)
    capabilities = Capabilities(
        "gpt-4o-mini", access.base_urls, ok=True, endpoint=Endpoint.CHAT, found=(found,)
    )
    remember(store, Connection(SPEC, access, capabilities, price))
    return access


class TestCost:
    def test_is_what_the_table_says_at_the_providers_own_address(self, store: Store) -> None:
        found = look(store, 5)
        assert found.currency == "USD"
        assert found.cost_expected is not None
        sent, written = found.tokens_in.expected, found.tokens_out.expected
        assert found.cost_expected == (
            (sent * Decimal("0.15") + written * Decimal("0.60")) / 1_000_000
        )
        assert "A million tokens cost 0.15 USD sent and 0.60 USD written" in told(found)

    def test_is_unknown_and_never_nothing_elsewhere(self, store: Store) -> None:
        for access in (
            Access(("http://localhost:8000/v1",)),
            Access(("https://api.openai.com/v1", "http://localhost:8000/v1")),
        ):
            found = look(store, 5, access=access)
            assert (found.cost_expected, found.cost_at_most, found.currency) == (None, None, "")
            assert "enter the price of a million tokens" in told(found)

    def test_is_unknown_for_models_on_this_machine(self, store: Store) -> None:
        found = look(store, 5, model=Local(Behaviour()))
        assert found.cost_expected is None
        assert "nobody charges" in told(found)

    def test_follows_the_price_that_is_given(self, store: Store) -> None:
        found = look(store, 5, price=PRICE)
        assert found.currency == "EUR"
        assert found.cost_at_most == cost(PRICE, found.tokens_in.at_most, found.tokens_out.at_most)

    def test_follows_the_price_that_was_entered_for_a_tested_server(self, store: Store) -> None:
        assert look(store, 5, access=connected(store, PRICE)).currency == "EUR"

    def test_of_a_batch_is_less(self, store: Store) -> None:
        alone, batch = look(store, 5), look(store, 5, batch=True)
        assert alone.cost_at_most is not None
        assert batch.cost_at_most == alone.cost_at_most / 2
        assert batch.seconds is None

    def test_by_an_old_price_is_marked(self, store: Store) -> None:
        later = datetime.date(2027, 9, 13)
        assert "may be out of date" not in told(look(store, 5, price=PRICE))
        assert "may be out of date" in told(look(store, 5, price=PRICE, today=later))


class TestTime:
    def test_is_unknown_without_experience(self, store: Store) -> None:
        found = look(store, 5)
        assert found.seconds is None
        assert "How long it takes is not known" in told(found)

    def test_is_not_taken_from_other_models(self, store: Store) -> None:
        run(store, 20, model=server("openai:other"))
        assert look(store, 5).seconds is None

    def test_of_a_local_model_is_the_sum_of_its_requests(self, store: Store) -> None:
        run(store, 20, model=Local(Behaviour()))
        found = look(store, 120, model=Local(Behaviour()), access=Access(at_once=10))
        assert found.seconds == pytest.approx(200 * 0.01)

    def test_of_a_server_is_shared_by_those_on_their_way_at_once(self, store: Store) -> None:
        run(store, 20, at_once=5)
        found = look(store, 120, access=Access(at_once=10))
        assert found.seconds == pytest.approx(200 * 0.01 / 10)
        assert "if the server bears 10 at once; it may take longer" in told(found)

    def test_of_a_server_follows_its_measured_pace_without_the_pauses(self, store: Store) -> None:
        # Given 40 responses, two a second, with an hour's pause between them
        run(store, 20, at_once=5)
        start = datetime.datetime(2026, 9, 1, tzinfo=datetime.UTC)
        with store.writing() as database:
            for number, (key,) in enumerate(
                database.execute("SELECT id FROM responses").fetchall()
            ):
                seconds = number / 2 + (3600 if number >= 20 else 0)
                when = start + datetime.timedelta(seconds=seconds)
                database.execute(
                    "UPDATE responses SET created = ? WHERE id = ?",
                    (when.isoformat(timespec="milliseconds").replace("+00:00", "Z"), key),
                )
        # When as many are to be on their way at once, then that pace is expected
        found = look(store, 120, access=Access(at_once=5))
        assert found.seconds == pytest.approx(100)
        assert "2 requests a second" in told(found)
        # And with another number it is not
        assert look(store, 120, access=Access(at_once=6)).seconds == pytest.approx(200 * 0.01 / 6)


class TestEstimate:
    def test_is_ready_for_json_with_exact_money(self, store: Store) -> None:
        found = look(store, 5)
        content = json.loads(json.dumps(found.as_json()))
        assert Decimal(content["cost_at_most"]) == found.cost_at_most
        assert content["tokens_in"] == {
            "expected": found.tokens_in.expected,
            "at_most": found.tokens_in.at_most,
        }
        assert set(content) == set(RunEstimate.__dataclass_fields__)
        assert (
            json.loads(json.dumps(look(store, 5, access=connected(store, None)).as_json()))[
                "cost_at_most"
            ]
            is None
        )

    def test_writes_nothing_and_asks_nothing(self, store: Store) -> None:
        model = server()
        before = store.change_counter()
        look(store, 50, "two", model=model)
        assert store.change_counter() == before
        assert model.asked == []

    def test_of_what_does_not_exist_is_refused(self, store: Store) -> None:
        with pytest.raises(UnknownStrategy):
            look(store, 5, "none")
        with pytest.raises(DesignError):
            look(store, 20_000)
