"""Which servers the key in an environment variable may be sent to.

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

from biaslab.models.access import TYPED_KEY, Access
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
