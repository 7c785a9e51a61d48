"""What happens when the app is started: under which names it is opened, and by whom first."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from urllib.parse import urlsplit

import click
import psutil
import streamlit as st
from streamlit.cli_util import open_browser

from biaslab.models.server.addresses import addresses_here, is_loopback
from biaslab.system import processes
from biaslab.system.places import FIRST_VARIABLE, HOSTS_VARIABLE, opened, write_private
from biaslab.system.roles import Role
from biaslab.ui.serving import roles
from biaslab.ui.serving.roles import START, Visitor, host_token, start_token

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


def person_of(cookies: Mapping[str, str]) -> Visitor:
    """Who somebody is whose browser sends these cookies."""
    person = roles.person_of(cookies, _port())
    near = person.role is Role.VISITOR and not takes_visitors()
    return Visitor(Role.NEAR) if near else person


def role_of(cookies: Mapping[str, str]) -> Role:
    """The role of somebody whose browser sends these cookies."""
    return person_of(cookies).role


def announce() -> None:
    """Says where the app is open, and opens it in the browser of whoever started it.

    What is printed may be seen by a room, or kept in a log. An address that makes somebody more
    than a visitor is printed in a terminal alone, and where nobody else may come; else it stands in
    a file that its owner alone reads, and `biaslab addresses` shows it.
    """
    bare = [_base(host) for host in _network_addresses()] if is_shared() else []
    others = [*_named_bases(), *bare]
    own = [_base(_host_here()), *_named_bases()]
    written = _keep(own, others)
    if takes_visitors():
        click.echo(_for_all(others))
        click.echo(f"  {written}\n")
    elif sys.stdout.isatty():
        click.echo(
            f"\n  BiasLab is open for you at\n\n      {_first_page(own[0], start_token())}\n"
        )
        click.echo("  This address makes you the person at this computer: keep it to yourself.\n")
    else:
        click.echo(f"\n  BiasLab is open. {written}\n")
    if not st.get_option("server.headless"):
        # Without a browser the addresses are enough.
        with contextlib.suppress(Exception):
            open_browser(_first_page(own[0], roles.ticket()))


def withdraw() -> None:
    """Takes back where the app is open, once it is not."""
    with contextlib.suppress(OSError):
        opened(_port()).unlink(missing_ok=True)


def _keep(own: Sequence[str], others: Sequence[str]) -> str:
    """Writes down all addresses for their owner; says where they are."""
    this = psutil.Process()
    kept = {
        "host": processes.host(), "process": this.pid, "began": this.create_time(),
        "here": [_first_page(each, start_token()) for each in own],
        "hosts": [f"{each}{START}?token={host_token()}" for each in others],
        "all": list(others),
    }  # fmt: skip
    try:
        write_private(opened(_port()), json.dumps(kept, indent=1))
    except OSError as error:
        return (
            f"Your own address could not be written to {opened(_port()).parent} "
            f"({error.strerror}). Make it writable and start BiasLab again."
        )
    return "Your own address is shown by “biaslab addresses”: where nobody else looks."


def _for_all(addresses: Sequence[str]) -> str:
    """What a room may see."""
    if not addresses:
        return "\n  This computer is in no network, so nobody else can open BiasLab.\n"
    code = f"\n{_code(addresses[0])}\n  {addresses[0]}\n"
    if os.environ.get(FIRST_VARIABLE):
        return code
    each = "\n".join(f"      {address}" for address in addresses)
    return (
        f"\n  Others on your network see what is shown at\n\n{each}\n\n  Try it on one phone "
        f"first: a firewall or guest network may be in the way.\n{code}"
    )


def _first_page(base: str, token: str) -> str:
    """The address at which a token is taken, and the page that is seen then."""
    first = os.environ.get(FIRST_VARIABLE, "")
    return f"{base}{START}?token={token}{f'&page={first}' if first else ''}"


def _port() -> int:
    return int(st.get_option("server.port"))


def _code(address: str) -> str:
    """A QR code for terminals; in capitals, which take fewer squares."""
    # Needed where others may come alone.
    import segno

    lines = StringIO()
    segno.make(address.upper(), micro=False).terminal(lines, compact=True)
    return lines.getvalue()


def _named() -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_host_of, _entries()))))


def _named_bases() -> list[str]:
    """The further addresses: with scheme and port as they were named, else with the app's own."""
    return list(
        dict.fromkeys(
            entry.rstrip("/") if "//" in entry else _base(host)
            for entry in _entries()
            if (host := _host_of(entry))
        )
    )


def _entries() -> list[str]:
    return os.environ.get(HOSTS_VARIABLE, "").replace(",", " ").split()


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
    return f"{scheme}://{bare}:{_port()}"


def _network_addresses() -> Iterable[str]:
    """Addresses of this computer at which others may reach it."""
    if (bound := _host_here()) != "localhost":
        return [bound]
    return addresses_here()
