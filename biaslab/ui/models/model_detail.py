"""One model: what it can do, what it charges, and what can be done with it."""

from __future__ import annotations

import datetime
from urllib.parse import urlsplit

import streamlit as st

from biaslab.charts.origins import abilities_chart
from biaslab.models import ModelCard, ModelChoice, ModelKind
from biaslab.models.prices import ENTERED, Price, describe_price, entered_price, price_of
from biaslab.models.server.capabilities import ProbeStep
from biaslab.models.tiny.model import ALIAS, DEFAULT_TINY
from biaslab.runs import Connection
from biaslab.runs.library.connections import change_price
from biaslab.studies import experiments
from biaslab.ui.ask.asking import card_of
from biaslab.ui.ask.matrix import served_id
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.models.connect_form import just_connected
from biaslab.ui.models.model_list import draw_changes, is_wanted_again, local_models
from biaslab.ui.models.server_found import WAYS, draw_findings
from biaslab.ui.models.server_testing import run_test
from biaslab.ui.models.servers import opened
from biaslab.ui.navigation import COMPOSE, LINK, MATRIX, MODELS, go, link
from biaslab.ui.training.origins import ASKED, STRATEGIES
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.cards import facts_list
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.session import forget_key, has_key, is_key_missing, wants_typed_key
from biaslab.ui.widgets.words import KINDS, moment, plain, shown_errors


def known_price(connection: Connection) -> Price | None:
    """What was entered, else what the table says; None where neither is there."""
    return connection.price or price_of(connection.capabilities.name, connection.base_url)


def draw_price(connection: Connection) -> None:
    """The price and where it is from, and fields to enter another one."""
    price = known_price(connection)
    today = datetime.datetime.now(datetime.UTC).date()
    with st.expander("What it costs"):
        if price is None:
            st.markdown(
                "No price is known for this model here. Enter one to see what a run costs before "
                "it starts, and to stop it at an amount; nothing is guessed. A model on your own "
                "computer costs nothing."
            )
        else:
            st.markdown(plain(describe_price(price, today)))
        with (
            shown_errors(),
            st.form(f"price {connection.spec} {connection.base_url}", border=False),
        ):
            _draw_fields(connection, price, today)
        if price is not None and price.source == ENTERED:
            st.button(
                "Forget the price entered",
                key="forget price",
                on_click=_keep,
                args=(connection, None),
                type="tertiary",
            )


def _draw_fields(connection: Connection, price: Price | None, today: datetime.date) -> None:
    sent, written, currency = st.columns(3)
    with sent:
        price_in = st.text_input(
            "A million tokens sent",
            str(price.input_per_million) if price else "",
            placeholder="0.15",
            autocomplete="off",
        )
    with written:
        price_out = st.text_input(
            "A million tokens written",
            str(price.output_per_million) if price else "",
            placeholder="0.60",
            autocomplete="off",
        )
    with currency:
        unit = st.text_input(
            "Currency", price.currency if price else "USD", max_chars=3, autocomplete="off"
        )
    if st.form_submit_button("Keep this price"):
        _keep(connection, entered_price(price_in or "", price_out or "", unit or "", today=today))
        st.rerun()


def _keep(connection: Connection, price: Price | None) -> None:
    change_price(queries.store(), connection.spec, connection.base_url, price)


_NOT_ANY_MORE = "test that failed again"


def draw_connection(connection: Connection) -> None:
    """A tested server's model."""
    found = connection.capabilities
    st.header(plain(found.name), anchor=False)
    host = urlsplit(connection.base_url).netloc
    st.caption(plain(f"{KINDS[ModelKind.LANGUAGE_MODEL].name} on {host}"))
    wanted = is_wanted_again(connection)
    reachable = has_key(connection.access, "models")
    if wanted:
        if reachable:
            _test_again(connection)
        else:
            st.info("The key is needed once more before this server can be tested again.")
    _draw_problems(connection)
    if just_connected(connection) and ProbeStep.PROBLEM not in found.untried:
        st.success(
            f"Connected: {plain(found.name)} answers, and it is remembered in the list of models."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Ask this model", type="primary", icon=":material/edit_note:", key="ask"):
            go(COMPOSE, **opened(connection))
        link(MATRIX, "Ask it several studies", {"models": served_id(connection)})
        draw_changes(connection, "this")
    draw_findings(found)
    draw_price(connection)
    facts_list(_facts(connection))
    if wants_typed_key(connection.access) and not is_key_missing(connection.access):
        st.button(
            "Forget the key typed for it",
            key="forget key",
            on_click=forget_key,
            args=(connection.access.base_urls,),
            type="tertiary",
        )
    link(MODELS, "Link to this model", opened(connection), icon=LINK)


def draw_model(model: ModelChoice) -> None:
    """A model that is asked on this computer."""
    st.header(plain(model.label), anchor=False)
    st.caption(f"{KINDS[model.kind].name}. {KINDS[model.kind].explanation}")
    if not model.ready:
        st.warning(plain(model.why_not))
    else:
        if st.button("Ask this model", type="primary", icon=":material/edit_note:", key="ask"):
            go(COMPOSE, **asked_of(model.spec))
        if model.kind is not ModelKind.TINY:
            st.markdown(plain(model.explanation))
    card = card_of(model.spec)
    if card is not None and card.caution:
        st.warning(plain(card.caution), icon=":material/visibility_off:")
    facts_list(_facts_here(model, card))
    if card is not None:
        _draw_abilities(card)
    link(MODELS, "Link to this model", st.query_params.to_dict(), icon=LINK)


def _draw_abilities(card: ModelCard) -> None:
    """What a tiny model gets right, by how it is asked; what it cannot do, in sentences."""
    ways = [way for way in ASKED if any(effect.strategy == way for effect in card.effects)]
    if ways:
        asked = choice("strategy", ways, ways[0])
        choosing.segmented_control(
            "Asked", ways, required=True, format_func=lambda way: STRATEGIES[way], **asked.bind()
        )
        measured = [effect for effect in card.effects if effect.strategy == asked.value]
        known = {name: study.arms for name, study in experiments().items()}
        draw_chart(
            abilities_chart(measured, known, ASKED[asked.value], dark=is_dark()),
            "what it gets right",
        )
    if card.limits:
        with st.expander("What it cannot do"):
            st.markdown("\n".join(f"- {plain(limit)}" for limit in card.limits))


def find_model(spec: str) -> ModelChoice | None:
    """A model on this computer, or a copy of one along its training; None where there is none."""
    models = [*queries.models(checkpoints=True), *local_models()]
    return next((model for model in models if model.spec == spec), None)


def _test_again(connection: Connection) -> None:
    """Tests it with what is known; what was found replaces what is remembered."""
    st.session_state.pop(_NOT_ANY_MORE, None)
    with shown_errors():
        found = run_test(connection.spec, connection.access)
        if not found.ok:
            st.session_state[_NOT_ANY_MORE] = (
                connection.spec,
                connection.base_url,
                found.problems,
            )
        st.rerun()


def _draw_problems(connection: Connection) -> None:
    """Why the last test of it came to nothing, if it did."""
    spec, url, problems = st.session_state.get(_NOT_ANY_MORE, ("", "", ()))
    if (spec, url) != (connection.spec, connection.base_url):
        return
    for problem in problems:
        st.error(plain(problem), icon=":material/error:")
    st.caption("Below is the result of the last successful test.")


def _facts(connection: Connection) -> dict[str, str]:
    access, found = connection.access, connection.capabilities
    facts = {"Name to ask for": connection.spec, "Addresses": ", ".join(access.base_urls)}
    if access.served and access.served != found.name:
        facts["Answers as"] = access.served
    if access.also_served:
        facts["Counts as the same model"] = ", ".join(access.also_served)
    if access.endpoint is not None:
        facts["Asked as"] = WAYS[access.endpoint]
    facts["Key"] = _key_words(connection)
    if ProbeStep.PROBLEM not in found.untried:
        facts["Tested"] = moment(connection.probed, st.context.timezone)
    return facts


def _key_words(connection: Connection) -> str:
    access = connection.access
    if not access.key_env:
        return "none"
    if not wants_typed_key(access):
        return f"in the environment variable {access.key_env}"
    return "typed for a session" + (
        "; this one has none" if is_key_missing(access) else "; this one has it"
    )


def _facts_here(model: ModelChoice, card: ModelCard | None) -> dict[str, str]:
    scores = model.kind is not ModelKind.LEARNER
    facts = {
        "Name to ask for": model.spec + (f", or {ALIAS}" if model.spec == DEFAULT_TINY else ""),
        "Runs": "on this computer; nothing leaves it and it costs nothing",
        "Log-probabilities": "exact, for any text"
        if scores
        else "none: a learner only gives answers",
    }
    if card is not None and card.trained_on:
        facts["Trained on"] = f"{card.trained_on[0]} {card.examples_seen:,} lessons in all."
    return facts
