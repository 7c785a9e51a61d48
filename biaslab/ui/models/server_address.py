"""What stands in the address of the Models page: the model that is open, and the form.

Never a key, and nothing that may be one: a base URL with a password in it and a name that is no
environment variable's are refused before they come here.
"""

from __future__ import annotations

import os

from biaslab.models import Endpoint, ModelError, full_spec, read_spec
from biaslab.models.server.addresses import normal_url
from biaslab.models.server.request.replies import LONGEST_NAME
from biaslab.runs import Connection
from biaslab.system.roles import May
from biaslab.ui.models.server_presets import PRESETS, Preset
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.address import Parameter, choice, flag

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
