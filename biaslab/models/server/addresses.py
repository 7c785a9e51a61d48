"""Addresses of servers: checked, and written in one way, because they identify a model."""

from __future__ import annotations

import socket
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

import psutil

from biaslab.models.provider import OPENAI_URL, Access
from biaslab.models.requests import ModelError

_OPENAI_HOST = "api.openai.com"
_USUAL_PORTS = {"http": 80, "https": 443}


class BadAddress(ModelError):
    """What was given is no address of a server."""


def base_urls(access: Access) -> tuple[str, ...]:
    """The addresses that share the work, each once; OpenAI's own where none is given.

    Raises:
        BadAddress: one of them is no address.
    """
    given = access.base_urls or (OPENAI_URL,)
    return tuple(dict.fromkeys(normal_url(url) for url in given))


def normal_url(url: str) -> str:
    """The address in its shortest form: ``HTTP://Host:80/v1/`` becomes ``http://host/v1``.

    Raises:
        BadAddress: it is no web address, or it holds more than an address, such as a password.
    """
    text = url.strip()
    if not text:
        raise BadAddress(
            "A base URL is empty: give the server's address, such as http://localhost:8000/v1."
        )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadAddress(
            "A base URL cannot be read as an address: give one such as http://localhost:8000/v1."
        ) from None
    if parts.username is not None or parts.password is not None:
        raise BadAddress(
            f"The base URL for {parts.hostname or 'a server'} holds a user name or password, and "
            "addresses are stored: take it out and give the name of a key's environment variable."
        )
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or _holds_space(text):
        raise BadAddress(
            f"“{text}” is no base URL: write it with http:// or https:// and the path, such as "
            "http://localhost:8000/v1."
        )
    if parts.query or parts.fragment:
        raise BadAddress(
            f"The base URL for {parts.hostname} goes on after its path (with ? or #): give only "
            "the part up to the path, such as http://localhost:8000/v1."
        )
    host = parts.hostname
    host = f"[{host}]" if ":" in host else host
    place = host if port in (None, _USUAL_PORTS[parts.scheme]) else f"{host}:{port}"
    return SplitResult(parts.scheme, place, parts.path.rstrip("/"), "", "").geturl()


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_openai(url: str) -> bool:
    """Whether the address is OpenAI's own, where OpenAI's key may be sent."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme == "https" and (host == _OPENAI_HOST or host.endswith(f".{_OPENAI_HOST}"))


def _holds_space(text: str) -> bool:
    return any(character.isspace() for character in text)


def addresses_here() -> tuple[str, ...]:
    """IPv4 addresses of this computer at which others may reach it.

    Those of interfaces that are up, without loopback and those that a computer gives itself where
    nobody assigns it one (169.254). Which of them others can reach has to be tried.
    """
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = (
        each.address
        for name, there in psutil.net_if_addrs().items()
        if name in up
        for each in there
        if each.family == socket.AF_INET
    )
    usable = (
        each
        for each in found
        if not ip_address(each).is_loopback and not ip_address(each).is_link_local
    )
    return tuple(dict.fromkeys(usable))


def network_of(address: str) -> str:
    """The address; of IPv6 its network, since each computer there has as many as it likes."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(IPv6Network((found, 64), strict=False))
    return str(found)
