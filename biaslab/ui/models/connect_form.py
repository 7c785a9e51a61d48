"""The form that connects a server: where it is, its key, the model, and the test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from biaslab.models import TYPED_KEY, Access, Endpoint, ModelError
from biaslab.models.server.addresses import BadAddress, is_loopback, normal_url
from biaslab.models.server.capabilities import Capabilities
from biaslab.models.server.keys import bind, bound, unbind, unbound
from biaslab.models.server.model import server_spec
from biaslab.runs import Connection
from biaslab.system.roles import May
from biaslab.ui.models import servers as address
from biaslab.ui.models.server_found import draw_findings
from biaslab.ui.models.server_testing import list_models, listed, run_test, use_untested
from biaslab.ui.models.servers import PRESETS, Preset, draw_nearby, draw_none_nearby
from biaslab.ui.widgets import choosing, visitor
from biaslab.ui.widgets.address import draft_field, set_address
from biaslab.ui.widgets.session import forget_key, has_key, typed_key
from biaslab.ui.widgets.words import plain, shown_errors

_WAYS = {
    address.NO_KEY: "No key",
    address.VARIABLE: "Environment",
    address.TYPED: "Typed here",
}


def draw_key(base_urls: tuple[str, ...]) -> None:
    """Draws the choice, and the field that belongs to it.

    Args:
        base_urls: of the server; empty where there is none yet.
    """
    parameter = address.key_parameter()
    choosing.segmented_control(
        "Key",
        address.key_ways(),
        format_func=lambda way: _WAYS[way],
        required=True,
        wrap=True,
        help="Online services need a key; programs on your own computer usually do not. "
        "“Environment” names a variable that BiasLab was started with.",
        **parameter.bind(),
    )
    if parameter.value == address.VARIABLE:
        _draw_variable(base_urls)
    elif parameter.value == address.TYPED:
        if base_urls:
            _draw_typed(base_urls)
        else:
            st.caption("Give the base URL first: a key belongs to one address.")


def _draw_variable(base_urls: tuple[str, ...]) -> None:
    wrong = draft_field(
        "Name of the environment variable",
        address.variable_parameter(),
        placeholder="OPENAI_API_KEY",
        help="Only the name is saved. The key itself stays where it is.",
        autocomplete="off",
    )
    if wrong is not None or not address.is_set(address.variable_parameter().value):
        # What was typed may be the key itself, so it is not repeated.
        st.warning(
            "No environment variable of this name is set where BiasLab was started. Set it there "
            "and start BiasLab again, or type the key for this session."
        )
        return
    if base_urls:
        _draw_binding(Access(base_urls, key_env=address.variable_parameter().value))


def _draw_binding(access: Access) -> None:
    """Asks the person at this computer before a key goes where it never went."""
    servers = unbound(access)
    if not servers:
        return
    to = " and ".join(servers)
    st.warning(
        f"The key in **{plain(access.key_env)}** may not be sent to **{plain(to)}** yet. The "
        "people who run that server can read it and use it. Allow it only if the key is meant for "
        "this server."
    )

    def allow() -> None:
        if visitor.may(May.KEYS):
            bind(access.key_env, access.base_urls)

    st.button(
        f"Allow {plain(access.key_env)} for this server",
        key="bind key",
        icon=":material/key:",
        on_click=allow,
    )


def _draw_typed(base_urls: tuple[str, ...]) -> None:
    access = Access(base_urls, key_env=TYPED_KEY)
    if visitor.is_overheard():
        st.warning(
            "This page came over plain http, so a key that you type crosses the network readable "
            "for others on it. Ask the host for https, or for a server that is connected already."
        )
    if has_key(access, "connect"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(":material/key: A typed key is ready for this address.")
            st.button(
                "Forget the key",
                key="forget key",
                on_click=forget_key,
                args=(access.base_urls,),
                type="tertiary",
            )
    st.caption(
        "Held in this session's memory, never written down.",
        help="It is handed to the program that asks through its environment. Reloading or closing "
        "the page forgets it.",
    )


_FAILED = "test that failed"
_JUST_CONNECTED = "server just connected"
_NEARBY = "server found on this computer, wanted"

_ENDPOINTS = {
    address.AS_FOUND: "As the test finds",
    str(Endpoint.CHAT): "Chat",
    str(Endpoint.COMPLETIONS): "Plain text",
}


class Unfinished(ModelError):
    """Something in the form is still missing; the sentence says what."""


@dataclass(frozen=True, slots=True)
class _FailedTest:
    """A test after which the model cannot be asked."""

    name: str
    access: Access
    found: Capabilities


def draw_form(action: DeltaGenerator, container: DeltaGenerator) -> None:
    """Draws the form, does what its buttons say, and tells what came of it.

    Args:
        action: where its main button stands.
        container: where it is told what came of a button.
    """
    st.header("Connect a server", anchor=False)
    nearby = draw_nearby(_connect_nearby)
    _draw_server()
    url_is_right = _draw_url()
    draw_key(_urls() if url_is_right else ())
    asks_list = _draw_name(url_is_right)
    _draw_more()
    tests = action.button(
        "Test the connection",
        type="secondary" if nearby else "primary",
        icon=":material/cable:",
        key="test",
    )
    action.markdown(_tested_words())
    draw_none_nearby()
    with container:
        if asks_list or tests or st.session_state.pop(_NEARBY, False):
            try:
                _list_models() if asks_list else _test()
            except ModelError as error:
                st.error(plain(str(error)), icon=":material/error:")
                return
        _draw_failure()


def _tested_words() -> str:
    """Which server and model the button tests, as Markdown."""
    host = urlsplit(address.url_parameter().value).netloc
    name = address.name_parameter().value
    return f"**{plain(name or address.preset().label)}**" + (f" at {plain(host)}" if host else "")


def _connect_nearby(preset: Preset, url: str, name: str) -> None:
    asked = {"connect": "yes", "preset": preset.name, "url": url, "name": name}
    set_address(asked)
    st.session_state[_NEARBY] = True


def just_connected(connection: Connection) -> bool:
    """Whether this server was tested for the first time in this session a moment ago."""
    mark = (connection.spec, connection.base_url)
    return st.session_state.get(_JUST_CONNECTED) == mark


def _draw_server() -> None:
    parameter = address.preset_parameter()
    by_name = {preset.name: preset for preset in PRESETS}
    choosing.selectbox(
        "Server",
        list(by_name),
        format_func=lambda name: by_name[name].label,
        filter_mode=None,
        help="Sets the address below to the usual one. Any server with OpenAI's interface will do.",
        **parameter.bind(),
    )
    st.caption(plain(address.preset().note))


def _draw_url() -> bool:
    """Whether there is a base URL."""
    parameter = address.url_parameter()
    wrong = draft_field(
        "Base URL",
        parameter,
        placeholder="http://localhost:8000/v1",
        help="The server's address up to and with /v1. “localhost” is the computer that runs "
        "BiasLab.",
        autocomplete="off",
    )
    if wrong is None:
        return bool(parameter.value)
    try:
        normal_url(wrong)
    except BadAddress as error:
        st.error(plain(str(error)), icon=":material/error:")
    return False


def _draw_name(url_is_right: bool) -> bool:
    """Whether the server is to be asked for its models."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = listed(Access(_urls())) if url_is_right else ()
        if names:
            _draw_choice(names)
        else:
            example = address.preset().example
            draft_field(
                "Model",
                address.name_parameter(),
                placeholder=f"such as {example}" if example else "",
                help="The name that the server knows it by. Leave it empty to choose from the "
                "server's list.",
                autocomplete="off",
            )
        asks = st.button(
            "List",
            icon=":material/list:",
            key="list models",
            help="Asks the server which models it has.",
            disabled=not url_is_right,
        )
    if names and not address.name_parameter().value:
        st.caption("Choose the model that is to be tested.")
    return asks


def _draw_choice(names: tuple[str, ...]) -> None:
    parameter = address.name_parameter()
    bound = parameter.bind()
    st.session_state[bound["key"]] = parameter.value or None
    choosing.selectbox(
        f"Model ({len(names):,} on this server)",
        list(dict.fromkeys([*names, *filter(None, [parameter.value])])),
        index=None,
        placeholder="Choose one, or type a name",
        accept_new_options=True,
        **bound,
    )


def _draw_more() -> None:
    with st.expander("Several addresses or names, chat or plain text"):
        wrong = draft_field(
            "Further addresses with the same model",
            address.more_parameter(),
            long=True,
            placeholder="http://localhost:8001/v1",
            help="One on a line. All of them share the work; the test checks that they serve the "
            "same model.",
            height="content",
        )
        if wrong is not None:
            st.error("One of these is no base URL such as http://localhost:8001/v1.")
        also = draft_field(
            "Other names of the same model",
            address.also_parameter(),
            long=True,
            help="Some servers give another name in some of their answers, as when an alias means "
            "two dated versions in turn. Such answers are not saved, as they may be another "
            "model's. Enter the other names here, one on a line, only if you want all of them to "
            "count as one model.",
            height="content",
        )
        if also is not None:
            st.error("One of these is too long to be a name.")
        choosing.segmented_control(
            "How it is asked",
            list(_ENDPOINTS),
            format_func=lambda way: _ENDPOINTS[way],
            required=True,
            wrap=True,
            help="By default in a chat where there is one. “Plain text” suits models that were "
            "not trained to chat, and most servers give log-probabilities only there.",
            **address.endpoint_parameter().bind(),
        )


def _urls() -> tuple[str, ...]:
    return (address.url_parameter().value, *address.more_parameter().value)


def _access() -> Access:
    """How the form says that the server is reached.

    Raises:
        Unfinished, BadAddress: something is missing or wrong.
    """
    urls = tuple(map(normal_url, _urls()))
    way = address.key_parameter().value
    endpoint = address.endpoint_parameter().value
    access = Access(
        urls,
        None if endpoint == address.AS_FOUND else Endpoint(endpoint),
        also_served=address.also_parameter().value,
    )
    if way == address.VARIABLE:
        variable = address.variable_parameter().value
        if not address.is_set(variable):
            raise Unfinished(
                "The key is to come from an environment variable that is not set: choose another "
                "way of giving it."
            )
        named = replace(access, key_env=variable)
        if unbound(named):
            raise Unfinished(
                f"Say first that the key in {variable} may be sent to this server: allow it under "
                "“Key”. Nothing was sent."
            )
        return named
    if way == address.TYPED:
        if typed_key(urls) is None:
            raise Unfinished("Type the server's key first, or choose “No key”.")
        return replace(access, key_env=TYPED_KEY)
    if not is_loopback(urls[0]) and address.preset().key_variable:
        raise Unfinished(f"{address.preset().label} wants a key: say how it is given.")
    return access


def _list_models() -> None:
    access = _access()
    listing = list_models(access)
    if listing.problem:
        st.error(plain(listing.problem), icon=":material/error:")
        _offer(listing.meant_url)
        return
    if len(listing.names) == 1:
        address.name_parameter().change(listing.names[0])
    st.rerun()


def _test() -> None:
    access = _access()
    name = address.name_parameter().value
    if not name:
        listing = list_models(access)
        if listing.problem:
            st.error(plain(listing.problem), icon=":material/error:")
            _offer(listing.meant_url)
            return
        if len(listing.names) > 1:
            st.session_state.pop(_FAILED, None)
            st.rerun()
        name = listing.names[0]
    found = run_test(server_spec(name), access)
    if found.ok:
        _show_connected(found)
    else:
        address.name_parameter().change(name)
        st.session_state[_FAILED] = _FailedTest(name, access, found)
    st.rerun()


def _show_connected(capabilities: Capabilities) -> None:
    st.session_state.pop(_FAILED, None)
    connected = server_spec(capabilities.name), capabilities.base_urls[0]
    st.session_state[_JUST_CONNECTED] = connected
    set_address({"model": connected[0], "server": connected[1]})


def _draw_failure() -> None:
    """What the last test found, while the form still says the same."""
    failed: _FailedTest | None = st.session_state.get(_FAILED)
    if failed is None or failed.name != address.name_parameter().value:
        return
    if failed.access.base_urls != _urls():
        return
    found = failed.found
    for problem in found.problems:
        st.error(plain(problem), icon=":material/error:")
    _offer(found.meant_url)
    if found.untried and st.button("Use it untested", key="untested", icon=":material/bolt:"):
        with shown_errors():
            _show_connected(use_untested(server_spec(failed.name), failed.access))
            st.rerun()
    if found.chosen is not None:
        with st.expander("What the test found"):
            draw_findings(replace(found, problems=()))


def _offer(url: str) -> None:
    if url:
        change = address.url_parameter().change
        st.button(f"Use {plain(url)}", on_click=change, args=(url,), key="use meant")


def draw_keys_allowed() -> None:
    """Draws what the person at this computer has allowed, for them alone."""
    allowed = bound() if visitor.may(May.KEYS) else []
    if not allowed:
        return
    st.markdown("**Keys of the environment**")
    for variable, server in allowed:
        with st.container(border=True):
            st.markdown(f":material/key: **{plain(variable)}** may be sent to **{plain(server)}**")
            st.button(
                "Take back",
                key=f"take back {variable} {server}",
                icon=":material/undo:",
                help="Nothing that starts from now on sends the key there, and it can be allowed "
                "again. A run under way has the key already: stop it if you want that to end.",
                on_click=_take_back,
                args=(variable, server),
            )


def _take_back(variable: str, server: str) -> None:
    if visitor.may(May.KEYS):
        unbind(variable, server)
