"""Choosing a language model that writes: mends sentences, puts a problem into other words.

Simulated learners and the tiny models are not offered: they know numbers only.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import streamlit as st

from biaslab.models import (
    Access,
    GenerationRequest,
    ModelError,
    ModelForm,
    ModelIdentity,
    ModelKind,
    identify,
    read_spec,
)
from biaslab.runs import Connection, connections
from biaslab.runs.hosting import why_not_listed
from biaslab.runs.jobs.one_off import RequestResult, ask_in_background
from biaslab.ui.navigation import MODELS, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.session import environment_for, has_key
from biaslab.ui.widgets.words import place, plain, short_name


@dataclass(frozen=True, slots=True)
class ReadyModel:
    """A language model that can be asked now.

    Attributes:
        spec: what opens it.
        label: what it is called on screens.
        access: how it is reached.
        form: how it wants to be addressed.
    """

    spec: str
    label: str
    access: Access
    form: ModelForm

    def ask(self, requests: Sequence[GenerationRequest]) -> Generator[RequestResult, None, None]:
        """Asks in a process of its own, with the key that this session has.

        Raises:
            RunError: the model cannot be opened.
        """
        told = ask_in_background(self.spec, self.access, requests, environment_for(self.access))
        with closing(told):
            yield from told


def draw_writer(name: str) -> ReadyModel | None:
    """Draws the choice; None while there is no model, or the one chosen cannot be asked.

    Args:
        name: tells these fields from others of the page.
    """
    servers = _servers()
    options = [*servers, *queries.local_specs()]
    parameter = Parameter("model", options[0] if options else "", _meant(options))
    if not options and not parameter.value:
        st.info(
            "No language model is connected. Connect a server, such as one on this computer, or "
            "OpenAI's with a key. A model in a folder of this computer can be typed below.",
            icon=":material/power_off:",
        )
        link(MODELS, "Connect a server", {"connect": "yes"})
    words = choosing.distinct_labels({option: _words(option, servers) for option in options})
    choosing.selectbox(
        "Language model",
        words,
        index=None,
        placeholder="type local: and a folder",
        format_func=lambda option: words.get(option, option),
        accept_new_options=True,
        help="A model on a tested server, or type local: and the folder that holds its files. "
        "Simulated learners and the tiny model are not offered: they know numbers only.",
        **parameter.bind(),
    )
    chosen = parameter.value
    if not chosen:
        return None
    if chosen in servers:
        return _on_server(servers[chosen], name)
    return _here(chosen)


def _servers() -> dict[str, Connection]:
    """Tested servers by what stands for them in an address."""
    return {f"{server.spec} {server.base_url}": server for server in connections(queries.store())}


def draw_models(label: str, parameter: Parameter[list[str]]) -> list[ReadyModel]:
    """Draws the choice of several models of any kind that reads texts; those that can be asked.

    Args:
        label: above the field.
        parameter: which are chosen, in the address.
    """
    servers = _servers()
    here = {
        each.spec: each for each in queries.models() if each.kind is ModelKind.TINY and each.ready
    }
    options = [*here, *servers, *queries.local_specs()]
    read = parameter.read
    parameter = replace(
        parameter,
        read=lambda text: (
            list(dict.fromkeys(_listed(each, options) for each in read(text) or ())) or None
        ),
    )
    chosen = parameter.value
    options += [each for each in chosen if each not in options]
    words = choosing.distinct_labels(
        {each: here[each].label if each in here else _words(each, servers) for each in options}
    )
    choosing.multiselect(
        label, options, format_func=lambda each: words.get(each, each), **parameter.bind()
    )
    found = []
    for number, spec in enumerate(chosen):
        if spec in here:
            found.append(ReadyModel(spec, words[spec], Access(), identify(spec).form))
            continue
        server = servers.get(spec)
        one = _here(spec) if server is None else _on_server(server, f"models {number}")
        if one is not None:
            found.append(replace(one, label=words[spec]))
    return found


def _listed(text: str, options: Sequence[str]) -> str:
    """What the list calls the model that an address names in another way."""
    if text in options or read_spec(text).served:
        return text
    identity = _identified(text)
    return identity.spec if isinstance(identity, ModelIdentity) else text


def _meant(options: Sequence[str]) -> Callable[[str], str | None]:
    """Reads an address: an option, its model's name alone, or a model nobody has used yet."""

    def read(text: str) -> str | None:
        text = text.strip()
        same = [option for option in options if text in (option, option.partition(" ")[0])]
        return same[0] if same else text or None

    return read


def _words(option: str, servers: dict[str, Connection]) -> str:
    server = servers.get(option)
    if server is None:
        return f"{short_name(option)} (this computer)" if read_spec(option).has_weights else option
    return f"{server.capabilities.name} on {place(server.base_url)}"


def _on_server(server: Connection, name: str) -> ReadyModel | None:
    if not server.capabilities.ok:
        st.warning(plain(" ".join(server.capabilities.problems) or "Its last test went wrong."))
        link(MODELS, "Test this model", {"model": server.spec})
        return None
    if why_not := why_not_listed(server.spec, server.access):
        st.warning(plain(why_not))
        return None
    if not has_key(server.access, name):
        return None
    identity = identify(server.spec, access=server.access)
    return ReadyModel(server.spec, server.capabilities.name, server.access, identity.form)


def _here(spec: str) -> ReadyModel | None:
    identity = why_not_listed(spec) or _identified(spec)
    if isinstance(identity, str):
        st.warning(plain(identity))
        if read_spec(spec).served:
            link(MODELS, "Test this model", {"model": spec.partition(" ")[0]})
        return None
    return ReadyModel(identity.spec, short_name(identity.spec), Access(), identity.form)


@st.cache_data(ttl=60, max_entries=32, show_spinner="Looking at the model …")
def _identified(spec: str) -> ModelIdentity | str:
    """Which model that is, or why it cannot be asked."""
    if read_spec(spec).served:
        return (
            f"“{spec}” was never tested here. Test it on the page Models first: that finds out "
            "where the server is and what it supports."
        )
    try:
        identity = identify(spec)
    except ModelError as error:
        return str(error)
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        return (
            f"“{spec}” is a {identity.kind} and knows numbers only. Choose a language model: one "
            "on a server, or one in a folder of this computer."
        )
    return identity
