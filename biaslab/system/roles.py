"""Who somebody is to BiasLab, and what they may do: one table. In no layer.

Whoever uses the library or the command line is the person at this computer. The app says who acts
(`known_by`), and what changes or costs something asks here (`require`) before it does it; screens
only show what the table says.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from enum import StrEnum

WORKS_FOR = "BIASLAB_WORKS_FOR"
"""Environment variable of a process that works for a host: who that is (`who`)."""


class Role(StrEnum):
    """Who somebody is."""

    VISITOR = "visitor"
    """Whoever proves nothing, where others can open the app."""
    PARTICIPANT = "participant"
    """Somebody who came into a room by its code."""
    HOST = "host"
    """Somebody who leads a room: by an address of their own, or by signing in."""
    NEAR = "near"
    """Whoever opens the app on the computer where it runs, while nobody else can reach it."""
    HERE = "here"
    """The person at the computer that runs the app, whose keys, files and money are at stake."""


class May(StrEnum):
    """What somebody may do, as it stands in sentences."""

    SEE = "see what is shown"
    ANSWER = "answer in a room"
    ROOM = "open a room and reveal its answers"
    RUN = "ask models, and stop and resume runs"
    KEEP = "bring files, and save designs, sets and reviews"
    CONNECT = "ask models by an address, a path or a key of their own, and connect servers"
    DELETE = "delete what is saved"
    BUNDLE = "open and close bundles of recorded runs"
    NOTES = "read and write marks and notes next to pairs"
    TRAIN = "train models and download them"
    KEYS = "use keys of this computer's environment for a new server"


_SEES = frozenset({May.SEE})
_ANSWERS = _SEES | {May.ANSWER}
_HOSTS = _ANSWERS | {May.ROOM, May.RUN, May.KEEP}
_NEAR = _HOSTS | {May.CONNECT, May.DELETE, May.BUNDLE}

TABLE: Mapping[Role, frozenset[May]] = {
    Role.VISITOR: _SEES,
    Role.PARTICIPANT: _ANSWERS,
    Role.HOST: _HOSTS,
    Role.NEAR: _NEAR,
    Role.HERE: frozenset(May),
}
"""The one table."""

PROVE_HERE = (
    "If you are at the computer that runs BiasLab: open the address with “/start?token=” that the "
    "command “biaslab addresses” shows there, or start it again."
)
"""How somebody becomes the person at this computer."""

_PROVE_HOST = (
    "To become a host, open the address for hosts that the person at this computer can give you, "
    "or sign in where that is set up."
)
_JOIN = "To take part, open a room with its code."


class NotAllowed(Exception):
    """Somebody wants what they may not do; says in a sentence who may, and how to become that."""


def refusal(deed: May, role: Role) -> str:
    """Why somebody may not do something, who may, and how to become that; empty where they may."""
    if deed in TABLE[role]:
        return ""
    if deed is May.ANSWER:
        return f"Those who came into a room may {deed}. {_JOIN}"
    if deed in TABLE[Role.HOST]:
        return f"Hosts and the person at this computer may {deed}. {_PROVE_HOST} {PROVE_HERE}"
    return f"The person at this computer may {deed}. {PROVE_HERE}"


def known_by(whose: Callable[[], Role], who: Callable[[], str] | None = None) -> None:
    """Says how this process knows who acts just now; without it, it is the person here.

    Args:
        whose: tells their role.
        who: tells one host from another, by signs that say nothing else about them.
    """
    global _whose, _who
    _whose, _who = whose, who or _nobody


def acting() -> Role:
    """Who acts just now. A process that works for a host (`WORKS_FOR`) may what hosts may."""
    return _whose()


def who() -> str:
    """Which host acts just now; empty for everybody else, and where hosts are not told apart."""
    return _who() if acting() is Role.HOST else ""


def require(deed: May) -> None:
    """Sees that whoever acts may do something.

    Raises:
        NotAllowed: they may not.
    """
    if why := refusal(deed, acting()):
        raise NotAllowed(why)


def _of_process() -> Role:
    return Role.HOST if WORKS_FOR in os.environ else Role.HERE


def _worked_for() -> str:
    return os.environ.get(WORKS_FOR, "")


def _nobody() -> str:
    return ""


_whose: Callable[[], Role] = _of_process
_who: Callable[[], str] = _worked_for
