"""The key of a server: taken from the environment, and kept out of every text."""

from __future__ import annotations

import os

from biaslab.models.access import TYPED_KEY, Access
from biaslab.models.requests import ModelError
from biaslab.models.server.addresses import base_urls, is_openai
from biaslab.models.server.key_bindings import check_bound

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
