"""What happens when the app is started: under which names it is opened, and by whom first."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterable, Mapping
from io import StringIO
from urllib.parse import urlsplit

import click
import streamlit as st
from streamlit.cli_util import open_browser

from biaslab.models.server.addresses import addresses_here, is_loopback
from biaslab.places import FIRST_VARIABLE, HOSTS_VARIABLE
from biaslab.roles import Role
from biaslab.ui.serving import roles
from biaslab.ui.serving.roles import START, Person, host_token, start_token

_LOCAL = ("localhost", "127.0.0.1", "::1")


def names() -> frozenset[str]:
    """Hosts under which the app may be opened, besides the address a connection came in on.

    This computer's own; where others may open the app, what it is called on its network; and
    what BIASLAB_HOSTS names.
    """
    called = socket.gethostname().lower()
    shared = (called, f"{called.removesuffix('.local')}.local") if is_shared() else ()
    return frozenset((*_LOCAL, *shared, *_named()))


def is_shared() -> bool:
    """Whether the app takes visitors from other computers."""
    address = st.get_option("server.address")
    return not address or not is_loopback(f"http://{address}")


def takes_visitors() -> bool:
    """Whether others may come: from the network, or by a further name, as behind a proxy."""
    return is_shared() or bool(_named())


def person_of(cookies: Mapping[str, str]) -> Person:
    """Who somebody is whose browser sends these cookies."""
    person = roles.person_of(cookies, int(st.get_option("server.port")))
    near = person.role is Role.VISITOR and not takes_visitors()
    return Person(Role.NEAR) if near else person


def role_of(cookies: Mapping[str, str]) -> Role:
    """The role of somebody whose browser sends these cookies."""
    return person_of(cookies).role


def start_address() -> str:
    """The address that makes somebody the person at this computer."""
    first = os.environ.get(FIRST_VARIABLE, "")
    onwards = f"&page={first}" if first else ""
    return f"{_base(_host_here())}{START}?token={start_token()}{onwards}"


def announce() -> None:
    """Says where the app is open, and opens it in the browser of whoever started it."""
    click.echo(f"\n  BiasLab is open for you at\n\n      {start_address()}\n")
    click.echo("  This address makes you the person at this computer: keep it to yourself.")
    network = _network_addresses() if is_shared() else ()
    others = [_base(host) for host in (*network, *_named())]
    if others:
        click.echo("  Others on your network see what is shown at\n")
        for address in others:
            click.echo(f"      {address}")
        click.echo("\n  Try it on one phone first: a firewall or guest network may be in the way.")
        click.echo(f"  {others[0]} as a code:\n")
        click.echo(_code(others[0]))
        click.echo("\n  Whoever is to open rooms and ask the listed models opens\n")
        for address in others:
            click.echo(f"      {address}{START}?token={host_token()}")
    click.echo("")
    if not st.get_option("server.headless"):
        # Without a browser the address above is enough.
        with contextlib.suppress(Exception):
            open_browser(start_address())


def _code(address: str) -> str:
    """A QR code for terminals; in capitals, which take fewer squares."""
    # Needed where others may come alone.
    import segno

    lines = StringIO()
    segno.make(address.upper(), micro=False).terminal(lines, compact=True)
    return lines.getvalue()


def _named() -> tuple[str, ...]:
    given = os.environ.get(HOSTS_VARIABLE, "").replace(",", " ").split()
    return tuple(dict.fromkeys(filter(None, map(_host_of, given))))


def _host_of(entry: str) -> str:
    """The host of an address that may have a scheme and a port."""
    try:
        return urlsplit(entry if "//" in entry else f"//{entry}").hostname or ""
    except ValueError:
        return ""


def _host_here() -> str:
    address = st.get_option("server.address") or ""
    return (
        "localhost"
        if address in ("", "0.0.0.0", "::") or is_loopback(f"http://{address}")
        else address
    )


def _base(host: str) -> str:
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    bare = f"[{host}]" if ":" in host else host
    return f"{scheme}://{bare}:{st.get_option('server.port')}"


def _network_addresses() -> Iterable[str]:
    """Addresses of this computer at which others may reach it."""
    if (bound := _host_here()) != "localhost":
        return [bound]
    return addresses_here()
