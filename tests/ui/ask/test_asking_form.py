"""Compose, third part: who is asked, how often, until when, at what cost."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models import TYPED_KEY, Access, Endpoint, ModelChoice, ModelKind
from biaslab.models.prices import Price
from biaslab.models.provider import Continuing, ThinkingSwitch
from biaslab.models.server.capabilities import Seed
from biaslab.runs import Budget, RunError, RunOptions, RunRecord, Store, open_store, prepare
from biaslab.runs.engine.sources import Sources
from biaslab.stats import GroupSequential, UntilNarrow
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import Length
from biaslab.ui.ask.sampling_form import why_refused
from biaslab.ui.widgets.address import amount
from tests.ui.conftest import SERVER, SimulatedWriter, Visit, ask, connect, links, words

PRICE = Price(
    Decimal("0.15"), Decimal("0.60"), "USD", "https://prices.example", datetime.date(2026, 11, 1)
)
OPENAI = Access(("https://api.openai.com/v1",), Endpoint.CHAT, "small")


@pytest.fixture
def store(empty: Path) -> Store:
    return open_store(empty)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """Environments of the workers that were started; none is."""
    environments: list[Mapping[str, str]] = []

    def launch(_path: Path, _run: str, environment: Mapping[str, str]) -> None:
        environments.append(environment)

    monkeypatch.setattr("biaslab.ui.ask.asking.launch", launch)
    return environments


def _run(app: AppTest, store: Store) -> RunRecord:
    app.button(key="run").click().run()
    assert not app.exception
    return store.runs()[0]


def _figures(app: AppTest) -> str:
    return next(e.proto.body for e in app.get("html") if "bl-figures" in e.proto.body[:60])


def test_tested_servers_are_offered(store: Store, visit: Visit) -> None:
    connect(store)
    app = visit("compose", model="openai:small")
    assert "Language model: small" in app.selectbox(key="address model").options
    assert "On the server localhost:8000/v1." in words(app)
    assert not app.button(key="run").disabled


@pytest.mark.usefixtures("empty")
def test_a_server_that_was_never_tested_leads_to_its_test(visit: Visit) -> None:
    app = visit("compose", model="openai:other")
    assert "never tested" in app.warning[0].value
    assert links(app)["Test this model"] == "models?model=openai%3Aother"
    assert app.button(key="run").disabled


def test_servers_with_a_model_of_the_same_name_are_told_apart(
    store: Store, visit: Visit, launched: list[Mapping[str, str]]
) -> None:
    connect(store)
    connect(store, replace(SERVER, base_urls=("http://localhost:9000/v1",)))
    app = visit("compose", model="openai:small", server="http://localhost:8000/v1", n="3")
    assert len(app.selectbox(key="address server").options) == 2
    assert _run(app, store).options.access.base_urls == ("http://localhost:8000/v1",)
    assert launched == [{}]


@pytest.mark.usefixtures("launched")
def test_a_run_remembers_how_its_server_is_asked(store: Store, visit: Visit) -> None:
    connect(store)
    app = visit("compose", model="openai:small", n="3")
    app.number_input(key="address at-most").set_value(7).run()
    assert app.query_params["at-most"] == "7"
    assert _run(app, store).options.access == replace(SERVER, at_once=7)


def test_batches_are_offered_for_servers_and_explained(store: Store, visit: Visit) -> None:
    connect(store)
    assert not [t for t in visit("compose").toggle if t.key == "address batch-api"]
    app = visit("compose", model="openai:small")
    assert "Batch API" in app.toggle(key="address batch-api").help
    app.toggle(key="address batch-api").set_value(True).run()
    assert "not OpenAI's own" in words(app)


@pytest.mark.usefixtures("launched")
def test_everything_chosen_is_written_into_the_run(store: Store, visit: Visit) -> None:
    connect(store, OPENAI, PRICE)
    address = {
        "model": "openai:small", "n": "100", "samples": "3", "temperature": "0.7",
        "sampling-seed": "5", "stop": "test", "looks": "4", "budget-requests": "500",
        "budget-tokens": "9000", "budget-money": "2,50", "batch-api": "yes",
        "max-tokens": "300", "go-on": "0",
    }  # fmt: skip
    run = _run(visit("compose", **address), store)
    assert run.options == RunOptions(
        samples=3,
        access=OPENAI,
        budget=Budget(500, 9000, Decimal("2.50")),
        price=PRICE,
        stopping=GroupSequential(looks=4, at_most=100),
        batch_api=True,
        length=Length(300, go_on=0),
    )
    assert run.sampling is not None
    assert (run.sampling.temperature, run.sampling.seed) == (0.7, 5)


@pytest.mark.usefixtures("launched")
def test_nothing_chosen_leaves_everything_as_the_prompt_strategy_says(
    store: Store, visit: Visit
) -> None:
    run = _run(visit("compose", model="learner:perfect", n="3"), store)
    assert run.options == RunOptions()
    assert run.sampling is None


def test_a_closed_box_says_what_was_chosen_in_it(store: Store, visit: Visit) -> None:
    connect(store, price=PRICE)
    app = visit(
        "compose", model="openai:small", samples="3", temperature="0.7", stop="narrow",
        **{"budget-requests": "500", "until-narrow": "3"},
    )  # fmt: skip
    labels = [box.label for box in app.expander]
    assert "Repeats and luck: asked 3 times, temperature 0.7" in labels
    assert "Stop when you know enough: until ± 3 points" in labels
    assert "Limits: at most 500 requests" in labels


@pytest.mark.parametrize("spec", ["learner:perfect", "openai:small", "local:/models/writer"])
@pytest.mark.parametrize("temperature", [0.0, 0.7])
@pytest.mark.parametrize("samples", [1, 2])
def test_repeats_are_refused_exactly_where_a_run_would_refuse_them(
    spec: str, temperature: float, samples: int, store: Store
) -> None:
    from biaslab.models import Sampling

    kind = ModelKind.LEARNER if spec.startswith("learner") else ModelKind.LANGUAGE_MODEL
    refused = why_refused(ModelChoice(spec, spec, kind, "", ready=True), temperature, samples)
    writer = SimulatedWriter("15")
    identity = replace(writer.identity, spec=spec, kind=kind)
    sources = Sources(experiment, lambda *_: identity, lambda *_: writer)
    sampling = Sampling(temperature=temperature)
    options = RunOptions(samples=samples)
    try:
        prepare(
            store, Design("consistency", 2, 1), spec, "direct", sampling,
            options=options, sources=sources,
        )  # fmt: skip
    except RunError:
        assert "gives the same answer every time" in refused
    else:
        assert refused == ""


@pytest.mark.usefixtures("empty")
def test_refused_repeats_are_explained_and_one_click_allows_them(visit: Visit) -> None:
    app = visit("compose", model="tiny", samples="4", steps="1-1")
    assert "4 answers to each problem add nothing to one" in app.warning[0].value
    assert app.button(key="run").disabled
    app.button(key="warmer").click().run()
    assert app.query_params["temperature"] == "0.7"
    assert not app.button(key="run").disabled


def test_what_a_server_does_with_temperature_and_seed_is_told(store: Store, visit: Visit) -> None:
    connect(store, seed=Seed.IGNORED, cold=False)
    shown = words(visit("compose", model="openai:small"))
    assert "does not take temperature 0" in shown
    assert "ignores the seed" in shown


@pytest.mark.usefixtures("launched")
def test_a_run_may_stop_once_its_interval_is_narrow(store: Store, visit: Visit) -> None:
    app = visit("compose", model="learner:perfect", n="120", stop="narrow")
    assert "Looks after 50, 75, 100, 120 pairs." in words(app)
    rule = _run(app, store).options.stopping
    assert rule == UntilNarrow(half_width=0.05, at_most=120)


@pytest.mark.usefixtures("empty")
def test_a_rule_that_cannot_be_is_told_outside_its_box(visit: Visit) -> None:
    app = visit("compose", model="learner:perfect", n="20", stop="narrow")
    assert "Or ask all pairs." in app.warning[0].value
    assert app.button(key="run").disabled


def test_a_price_comes_with_source_and_day(store: Store, visit: Visit) -> None:
    connect(store, price=PRICE)
    shown = words(visit("compose", model="openai:small"))
    assert "A million tokens cost 0.15 USD sent and 0.60 USD written" in shown
    assert "https://prices.example, 2026-11-01" in shown


def test_without_a_price_no_cost_is_guessed(store: Store, visit: Visit) -> None:
    connect(store)
    app = visit("compose", model="openai:small")
    assert "not known: no price is known" in _figures(app).replace("</b>", "").replace(
        '<span class="bl-faint">cost', ""
    )
    assert app.text_input(key="address budget-money").disabled


def test_an_entered_price_gives_the_cost(store: Store, visit: Visit) -> None:
    connect(store)
    prices = {"price-in": "1", "price-out": "2", "currency": "eur"}
    app = visit("compose", model="openai:small", **prices)
    assert "EUR</b>" in _figures(app)
    assert app.text_input(key="address budget-money").label == "Money at most (EUR)"


def test_a_run_that_may_cost_much_begins_after_somebody_said_that_it_may(
    store: Store, visit: Visit
) -> None:
    connect(store)
    cheap = {"price-in": "1", "price-out": "2", "currency": "eur"}
    app = visit("compose", model="openai:small", n="5", **cheap)
    assert not app.button(key="run").disabled
    dear = {**cheap, "price-out": "4000"}
    app = visit("compose", model="openai:small", n="5", **dear)
    (question,) = [box for box in app.checkbox if box.label.startswith("Spend up to")]
    assert question.label.endswith("EUR")
    assert app.button(key="run").disabled
    question.check().run()
    assert not app.button(key="run").disabled
    limited = visit("compose", model="openai:small", n="5", **dear, **{"budget-money": "0.5"})
    assert not limited.button(key="run").disabled


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ({"price-in": "1"}, "Enter both prices"),
        ({"price-in": "1", "price-out": "cheap"}, "is not an amount"),
        ({"budget-money": "2"}, "needs to know what tokens cost"),
        ({"price-in": "1", "price-out": "2", "budget-money": "much"}, "is no amount of money"),
    ],
)
def test_limits_that_mean_nothing_are_told_outside_their_box(
    address: dict[str, str], says: str, store: Store, visit: Visit
) -> None:
    connect(store)
    app = visit("compose", model="openai:small", **address)
    assert says in app.warning[0].value
    assert app.button(key="run").disabled


@pytest.mark.parametrize(
    ("text", "value"), [("2.50", Decimal("2.50")), ("2,5", Decimal("2.5")), ("x", None),
                        ("-1", None), ("nan", None), ("inf", None)],
)  # fmt: skip
def test_amounts_are_exact(text: str, value: Decimal | None) -> None:
    assert amount(text) == value


@pytest.mark.usefixtures("empty")
def test_the_estimate_says_what_is_counted_and_how(visit: Visit) -> None:
    app = visit("compose", model="tiny", n="20", steps="1-1", strategy="direct")
    assert "<b>40</b>" in _figures(app)
    assert "tokens sent, estimated; at most" in _figures(app)
    assert "none</b>" in _figures(app)
    (notes,) = [box for box in app.expander if box.label == "Cost and time"]
    assert "counted with the model's own tokenizer" in notes.markdown[-1].value
    assert "cut off is asked to go on up to 3 times" in notes.markdown[-1].value
    app = visit("compose", model="tiny", n="20", steps="1-1", strategy="direct", **{"go-on": "0"})
    assert "tokens sent, counted" in _figures(app)


def test_kept_answers_are_free(store: Store, visit: Visit) -> None:
    ask(store, "consistency", 10, "1-2", "learner:perfect")
    asked = {"steps": "1-2", "operations": "all", "strategy": "direct"}
    app = visit("compose", model="learner:perfect", n="20", **asked)
    assert "<b>20</b>" in _figures(app)
    assert "free: saved from before" in _figures(app)


def test_an_estimate_is_made_once_for_a_choice(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    from biaslab.ui.ask import costs

    made: list[Any] = []
    real = costs.estimate

    def count(*args: Any, **named: Any) -> Any:
        made.append(args)
        return real(*args, **named)

    monkeypatch.setattr(costs, "estimate", count)
    app = visit("compose", model="learner:perfect")
    app.run()
    app.number_input(key="address budget-requests").set_value(5).run()
    assert len(made) == 1
    app.number_input(key="address n").set_value(300).run()
    assert len(made) == 2
    ask(store, "carry", 2, "", "learner:perfect")
    app.run()
    assert len(made) == 3


def test_a_typed_key_goes_to_the_worker_and_nowhere_else(
    store: Store, empty: Path, visit: Visit, launched: list[Mapping[str, str]]
) -> None:
    connect(store, replace(SERVER, key_env=TYPED_KEY))
    app = visit("compose", model="openai:small", n="3")
    assert app.button(key="run").disabled
    app.text_input(key="key compose").set_value("sk-planted-key").run()
    assert app.session_state["key compose"] == ""
    assert not app.button(key="run").disabled
    run = _run(app, store)
    assert launched == [{TYPED_KEY: "sk-planted-key"}]
    assert "planted" not in str(dict(app.query_params)) + words(app) + repr(run)
    for file in empty.parent.rglob("*"):
        assert file.is_dir() or b"sk-planted-key" not in file.read_bytes()


def test_text_that_is_no_key_is_refused_without_being_shown(store: Store, visit: Visit) -> None:
    connect(store, replace(SERVER, key_env=TYPED_KEY))
    app = visit("compose", model="openai:small")
    app.text_input(key="key compose").set_value("my secret words").run()
    assert "cannot be a key" in app.error[0].value
    assert "secret" not in words(app)


def test_a_key_that_the_app_was_not_started_with_is_told(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SMALL_KEY", raising=False)
    connect(store, replace(SERVER, key_env="SMALL_KEY"))
    app = visit("compose", model="openai:small")
    assert "SMALL\\_KEY is to hold the server's key" in app.warning[0].value
    assert app.button(key="run").disabled


@pytest.mark.usefixtures("launched")
def test_the_way_of_asking_is_chosen_where_the_server_proved_it(store: Store, visit: Visit) -> None:
    proved = replace(SERVER, continuing=Continuing.UNTOLD, switch=ThinkingSwitch.TEMPLATE)
    connect(store, proved)
    address = {"model": "openai:small", "n": "3", "strategy": "direct-begun", "thinking": "off"}
    app = visit("compose", **address)
    assert app.button_group(key="address thinking").value == "off"
    run = _run(app, store)
    assert (run.strategy, run.way) == ("direct-begun", "direct-begun, thinking off")
    for changed, why in (
        ({"thinking": "short"}, "leaves no room to think"),
        ({"thinking": "short", "strategy": "direct"}, "Choose off or long"),
    ):
        refused = visit("compose", **{**address, **changed})
        assert why in words(refused)
        assert refused.button(key="run").disabled
    connect(store)
    refused = visit("compose", **address)
    assert "did not prove that it does" in words(refused)
    assert refused.button(key="run").disabled


def test_answers_are_read_in_the_published_way_where_that_is_chosen(
    store: Store, visit: Visit, launched: list[Mapping[str, str]]
) -> None:
    app = visit("compose", model="learner:keyword", n="3", strategy="direct", reader="published")
    assert app.button_group(key="address reader").value == "published"
    assert "Stop writing after" not in words(app), "a simulated learner does not write on"
    run = _run(app, store)
    assert (run.reader, run.way) == ("published 1", "direct, first number")
    assert len(launched) == 1
    app = visit("compose", model="learner:random", study="decision", n="3")
    assert "How answers are read" not in words(app)
