"""Usual addresses of servers, servers nearby, and what stands in the Models page's address.

An address never holds a key, and nothing that may be one: a base URL with a password in it and a
name that is no environment variable's are refused before they come here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st

from biaslab.models import OPENAI_URL, Endpoint, ModelError, full_spec, read_spec
from biaslab.models.server.addresses import is_loopback, normal_url
from biaslab.models.server.model import server_spec
from biaslab.models.server.probe.nearby import Nearby, look_nearby
from biaslab.models.server.request.replies import LONGEST_NAME
from biaslab.runs import Connection, connections
from biaslab.system.roles import May
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import Parameter, choice, flag
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import listed


@dataclass(frozen=True, slots=True)
class Preset:
    """One of them.

    Attributes:
        name: in the address of the page.
        label: on the page.
        url: where it is asked, unless somebody set it up otherwise; empty where there is none.
        note: what to do or know before it can be asked.
        key_variable: environment variable that usually holds its key; empty where it wants none.
        example: name of a model there, to show what names look like.
    """

    name: str
    label: str
    url: str
    note: str
    key_variable: str = ""
    example: str = ""


_START = "Start it on the computer that runs BiasLab"

PRESETS = (
    Preset(
        "openai",
        "OpenAI",
        OPENAI_URL,
        "Needs an account and a key from it; every request costs money.",
        "OPENAI_API_KEY",
        "gpt-4o-mini",
    ),
    Preset(
        "vllm",
        "vLLM",
        "http://localhost:8000/v1",
        f"{_START}: vllm serve MODEL",
        example="Qwen/Qwen2.5-0.5B-Instruct",
    ),
    Preset(
        "llamacpp",
        "llama.cpp",
        "http://localhost:8080/v1",
        f"{_START}: llama-server -m MODEL.gguf",
        example="the file's name",
    ),
    Preset(
        "ollama",
        "Ollama",
        "http://localhost:11434/v1",
        f"{_START}: ollama pull MODEL, then ollama serve",
        example="llama3.2",
    ),
    Preset(
        "lmstudio",
        "LM Studio",
        "http://localhost:1234/v1",
        f"{_START}: load a model, then switch its server on under “Developer”.",
        example="as LM Studio shows it",
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "Needs an account and a key from it; most models cost money.",
        "OPENROUTER_API_KEY",
        "openai/gpt-4o-mini",
    ),
    Preset(
        "transformers",
        "transformers serve",
        "http://localhost:8000/v1",
        f"{_START}: transformers serve",
        example="Qwen/Qwen2.5-0.5B-Instruct",
    ),
    Preset("other", "Another server", "", "Its documentation gives its base URL."),
)
"""The first one is offered first."""


_BUTTONS = 4
"""Most models of a server that have a button each; more are in a list."""

_SHOWN = 60
"""Characters of a name on a button."""


def draw_nearby(connect: Callable[[Preset, str, str], None]) -> bool:
    """Draws those that are not connected yet; nothing for visitors, whose computer is another.

    Args:
        connect: called with the preset at whose address a server answers, this address, and the
            model chosen.

    Returns:
        Whether there is any.
    """
    if not visitor.is_here():
        return False
    known = {(each.spec, each.base_url) for each in connections(queries.store())}
    waiting = [
        (found, names)
        for found in found_nearby()
        if (names := [each for each in found.names if (server_spec(each), found.url) not in known])
    ]
    for found, names in waiting:
        _draw(found, names, connect)
    return bool(waiting)


def draw_none_nearby() -> None:
    """Says where was looked in vain, to who is at this computer."""
    if visitor.is_here() and not found_nearby():
        names = list(dict.fromkeys(each.label for each in usual()))
        st.caption(
            "No server was found on this computer.",
            help=f"Nothing answers where {listed(names)} usually do. Start one, open this page "
            "again, and its models are here.",
        )


def _draw(nearby: Nearby, names: list[str], connect: Callable[[Preset, str, str], None]) -> None:
    at = [each for each in usual() if each.url == nearby.url]
    programs = " or ".join(each.label for each in at)
    st.markdown(
        f"**Found on this computer:** a server at {urlsplit(nearby.url).netloc}, where {programs} "
        "usually answers."
    )
    if len(names) <= _BUTTONS:
        for name in names:
            st.button(
                f"Connect {plain(_short(name))}",
                key=f"nearby {nearby.url} {name}",
                type="primary",
                icon=":material/cable:",
                on_click=connect,
                args=(at[0], nearby.url, name),
            )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = choosing.selectbox(
            f"Its {len(names)} models", names, key=f"nearby {nearby.url}", filter_mode=None
        )
        st.button(
            "Connect it",
            key=f"nearby {nearby.url} chosen",
            type="primary",
            icon=":material/cable:",
            on_click=connect,
            args=(at[0], nearby.url, chosen or names[0]),
        )


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN - 1]}…"


def usual() -> list[Preset]:
    """Programs that run on this computer, with their usual addresses."""
    return [each for each in PRESETS if each.url and is_loopback(each.url)]


@st.cache_data(ttl=10, max_entries=1, show_spinner=False)
def found_nearby() -> tuple[Nearby, ...]:
    """What answers there, looked at again after ten seconds."""
    return look_nearby(each.url for each in usual())


NO_KEY = "none"
VARIABLE = "variable"
TYPED = "typed"

_OF_A_SERVER = ("url", "name", "key", "variable", "endpoint", "more", "also")
"""What another program or service resets."""

AS_FOUND = "as-found"
"""The way of writing is the one that the test finds."""


def model_parameter() -> Parameter[str]:
    """Spec of the model that is open; empty for none."""
    return Parameter("model", "", lambda text: full_spec(text) or None, resets=("server",))


def server_parameter() -> Parameter[str]:
    """Base URL of the server of the model that is open; empty for the one tested last."""
    return Parameter("server", "", _url)


def connect_parameter() -> Parameter[bool]:
    """Whether the form is wanted."""
    return flag("connect")


def preset_parameter() -> Parameter[str]:
    """Which program or service the server is."""
    names = [preset.name for preset in PRESETS]
    return choice("preset", names, names[0], _OF_A_SERVER)


def preset() -> Preset:
    """The one that the address names."""
    name = preset_parameter().value
    return next(each for each in PRESETS if each.name == name)


def url_parameter() -> Parameter[str]:
    """The base URL."""
    return Parameter("url", preset().url, _url, resets=("key", "variable"))


def name_parameter() -> Parameter[str]:
    """The model's name on the server; empty until there is one."""
    opened = read_spec(model_parameter().value)
    return Parameter(
        "name", opened.name if opened.served else opened.text, lambda text: text.strip() or None
    )


def key_parameter() -> Parameter[str]:
    """How the key is given: `NO_KEY`, `VARIABLE` or `TYPED`."""
    ways = key_ways()
    usual = preset().key_variable
    if not usual:
        return choice("key", ways, NO_KEY)
    return choice("key", ways, VARIABLE if VARIABLE in ways and os.environ.get(usual) else TYPED)


def key_ways() -> tuple[str, ...]:
    """The ways that are open to this visitor.

    Somebody on a network who may name both a variable and an address could have any secret of
    the host sent anywhere; who sits at the computer has these secrets anyway.
    """
    return (NO_KEY, VARIABLE, TYPED) if visitor.may(May.KEYS) else (NO_KEY, TYPED)


def variable_parameter() -> Parameter[str]:
    """Name of the environment variable that holds the key; only one that is set."""
    return Parameter("variable", preset().key_variable, lambda text: text if is_set(text) else None)


def is_set(variable: str) -> bool:
    """Whether the app was started with this environment variable."""
    return bool(os.environ.get(variable))


def endpoint_parameter() -> Parameter[str]:
    """Which way of writing is tried: `AS_FOUND` or an `Endpoint`."""
    return choice("endpoint", (AS_FOUND, *map(str, Endpoint)), AS_FOUND)


def more_parameter() -> Parameter[tuple[str, ...]]:
    """Further addresses with the same model."""
    return Parameter("more", (), read_urls, ",".join)


def also_parameter() -> Parameter[tuple[str, ...]]:
    """Other names that the server gives in its answers, taken for the same model."""
    return Parameter("also", (), read_names, ",".join)


def read_names(text: str) -> tuple[str, ...] | None:
    """Names one after another; None where one of them is too long to be one."""
    names = tuple(dict.fromkeys(text.replace(",", " ").split()))
    return names if all(len(name) <= LONGEST_NAME for name in names) else None


def read_urls(text: str) -> tuple[str, ...] | None:
    """Addresses one after another; None where one of them is none."""
    found = [_url(part) for part in text.replace(",", " ").split()]
    return tuple(url for url in found if url) if all(found) else None


def opened(connection: Connection) -> dict[str, str]:
    """The parameters of a link to what was found about a model on a server."""
    return {"model": connection.spec, "server": connection.base_url}


def _url(text: str) -> str | None:
    try:
        return normal_url(text)
    except ModelError:
        return None
