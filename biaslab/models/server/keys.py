"""The key of a server: taken from the environment, and kept out of every text.

Which servers the key in an environment variable may be sent to.

A variable and an address are never a free pair: whoever could choose both could have any secret
of the environment sent anywhere. A variable is bound to a server (scheme, host and port)

- where its name is a provider's and the server is that provider (`WELL_KNOWN`), or
- after the person who owns the environment has said so: in the app with a click of the person at
  this computer, on the command line by typing ``--key-env`` with ``--base-url``. They may take it
  back at any time.

Bindings are kept in a file of this computer beside the file of runs, not in it: a file of runs that
somebody else made must not say where keys of this computer go.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from biaslab.models.provider import TYPED_KEY, Access
from biaslab.models.requests import ModelError
from biaslab.models.server.addresses import base_urls, is_openai
from biaslab.system.places import beside_runs

WELL_KNOWN = {
    "OPENAI_API_KEY": "https://api.openai.com",
    "OPENROUTER_API_KEY": "https://openrouter.ai",
}
"""Servers of providers, by the variable that they tell people to use."""


class UnboundKey(ModelError):
    """A key is to go where nobody has allowed it to go."""


def server_of(url: str) -> str:
    """Scheme, host and port of a base URL in its normal form."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def bind(variable: str, urls: Sequence[str]) -> None:
    """Allows that the key in a variable is sent to these servers, from now on.

    Only ever called for what the person who owns the environment did.

    Args:
        variable: name of the environment variable.
        urls: base URLs; OpenAI's own where there are none.

    Raises:
        BadAddress: one of them is no address.
        OSError: it cannot be written down.
    """
    missing = unbound(Access(tuple(urls), key_env=variable))
    if not missing:
        return
    kept = _kept()
    kept[variable] = sorted({*kept.get(variable, []), *missing})
    _keep(kept)


def bound() -> list[tuple[str, str]]:
    """What somebody has allowed: variables and servers (scheme, host and port), in order."""
    return sorted((variable, server) for variable, some in _kept().items() for server in some)


def unbind(variable: str, server: str) -> None:
    """Takes back that the key in a variable may be sent to a server; does nothing where it may not.

    Args:
        variable: name of the environment variable.
        server: scheme, host and port, as `bound` gives them.

    Raises:
        OSError: it cannot be written down.
    """
    if (variable, server) in bound():
        _keep(
            {
                name: [each for each in some if (name, each) != (variable, server)]
                for name, some in _kept().items()
            }
        )


def unbound(access: Access) -> tuple[str, ...]:
    """Servers that are to be sent the key in a variable and that it is not bound to.

    Raises:
        BadAddress: a base URL is no address.
    """
    variable = access.key_env
    if not variable or variable == TYPED_KEY:
        # A typed key is kept for addresses by the session that it was typed in.
        return ()
    kept = _kept().get(variable, [])
    return tuple(
        dict.fromkeys(
            server_of(url)
            for url in base_urls(access)
            if server_of(url) not in kept and not _is_providers(variable, url)
        )
    )


def check_bound(access: Access) -> None:
    """Refuses to send a key where nobody has allowed it to go.

    Raises:
        UnboundKey: saying who can allow it, and how.
        BadAddress: a base URL is no address.
    """
    for server in unbound(access):
        raise UnboundKey(
            f"Nobody has allowed that the key in {access.key_env} is sent to {server}, so nothing "
            "was sent. If you own this key: connect the server on the Models page and allow it "
            f"there, or name both on the command line, --key-env {access.key_env} with --base-url."
        )


def _is_providers(variable: str, url: str) -> bool:
    if variable == "OPENAI_API_KEY":
        return is_openai(url)
    return WELL_KNOWN.get(variable) == server_of(url)


def _kept() -> dict[str, list[str]]:
    """What was allowed; a file that cannot be read allows nothing."""
    try:
        kept = json.loads(_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {
        variable: [each for each in servers if isinstance(each, str)]
        for variable, servers in kept.items()
        if isinstance(servers, list)
    }


def _keep(bindings: Mapping[str, Sequence[str]]) -> None:
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    allowed = {variable: servers for variable, servers in bindings.items() if servers}
    part.write_text(json.dumps(allowed, indent=1), encoding="utf-8")
    part.replace(path)


def _path() -> Path:
    return beside_runs("key-bindings.json")


NO_KEY = "none"
"""Sent to servers that ask for no key; the client insists on some text."""

HIDDEN = "[key]"
"""What stands in a text in place of a key."""

LEAST_SECRET = 8
"""Signs of the shortest key that is hidden. What is shorter is no secret but what people send to
servers that want some key, such as ``x`` or ``EMPTY``: taken out, it would change what was said."""

_OPENAI_KEY = "OPENAI_API_KEY"


class MissingKey(ModelError):
    """The server needs a key and there is none, or what there is cannot be one."""


def read_key(access: Access) -> str:
    """The key for this model's servers; empty where none is needed.

    Looks only at the environment: at the variable that `access` names, else at the key typed
    for this session, else, where every address is OpenAI's own, at ``OPENAI_API_KEY``.

    Raises:
        MissingKey: the named variable is not set, OpenAI is asked without a key, or the text
            cannot be a key.
        UnboundKey: nobody has allowed that the variable's key goes to these servers.
        BadAddress: a base URL is no address.
    """
    openai = all(is_openai(url) for url in base_urls(access))
    if access.key_env:
        key = _read(access.key_env)
        if not key:
            raise MissingKey(
                f"The environment variable {access.key_env} is to hold the server's key and is "
                "not set: set it where the app or command is started, or type the key."
            )
        check_bound(access)
        return key
    key = _read(TYPED_KEY)
    if not key and openai:
        key = _read(_OPENAI_KEY)
    if not key and openai:
        raise MissingKey(
            f"OpenAI needs a key and there is none: set the environment variable {_OPENAI_KEY}, "
            "name another one, or type the key."
        )
    return key


def hide_key(text: str, key: str) -> str:
    """The text without the key, unless that is none; see `LEAST_SECRET`."""
    return text.replace(key, HIDDEN) if len(key) >= LEAST_SECRET else text


def hide_key_in(content: bytes, key: str) -> bytes:
    """The same for the bytes of a text."""
    hidden = HIDDEN.encode("ascii")
    return content.replace(key.encode("ascii"), hidden) if len(key) >= LEAST_SECRET else content


def _read(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    # A header that cannot be encoded raises an error that carries the key.
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise MissingKey(
            f"What the environment variable {variable} holds cannot be a key: it has spaces or "
            "signs that no key has, perhaps copied along with it. Set it again."
        )
    return key
