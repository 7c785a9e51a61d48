"""What hosts have had asked in the last 24 hours, each and all of them together, and what is left.

Which runs a host began stands in a file beside the file of runs (`hosted.jsonl`, lines of JSON),
and what does not come from a run, such as an answer that a screen asked for or a file that was
given in. How much a run has used is counted where its answers are. Nothing else is kept of a host
than the name by which `biaslab.system.roles.who` tells them from others, and that for a day.
"""

from __future__ import annotations

import datetime
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from biaslab.models.prices import cost, write_amount
from biaslab.runs.errors import RunError, StoreUnreadable
from biaslab.runs.store.options import read_options
from biaslab.runs.store.store import open_store

_DAY = 24 * 3600


class HostLimit(RunError):
    """More than a host may have asked, or more than this computer has time for now."""


class Day(NamedTuple):
    """What may be used in 24 hours.

    Attributes:
        requests: answers that models gave; tokens: sent and written together.
        money: in each currency.
        size: bytes of files given in.
    """

    requests: int
    tokens: int
    money: Decimal
    size: int


OF_ONE = Day(50_000, 20_000_000, Decimal(10), 128 * 2**20)
"""What a host may use. Somebody who opens the address for hosts in another browser is another
host to BiasLab; those who sign in are the same everywhere."""

OF_ALL = Day(200_000, 80_000_000, Decimal(30), 512 * 2**20)
"""What all hosts may use together."""


class Used(NamedTuple):
    """What was used, or is about to be, beside runs.

    Attributes:
        requests, tokens, size: see `Day`.
    """

    requests: int = 0
    tokens: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Left:
    """What the last 24 hours leave a host.

    Attributes:
        requests, tokens, size: see `Day`; none of them is below 0.
        spent: of all hosts and of this one, what was spent in each currency.
        again: when some of what was used no longer counts, seconds since 1970.
    """

    requests: int
    tokens: int
    size: int
    spent: tuple[dict[str, Decimal], dict[str, Decimal]]
    again: float

    def money(self, currency: str) -> Decimal:
        """What is left of one currency."""
        everybody, own = (each.get(currency, Decimal()) for each in self.spent)
        return max(Decimal(), min(OF_ALL.money - everybody, OF_ONE.money - own))

    def check(self, currency: str = "") -> None:
        """Sees that something of everything that a run needs is left.

        Args:
            currency: of the run's price; empty where nobody has said one.

        Raises:
            TooMuch: something is used up.
        """
        missing = [
            told
            for told, left in (
                (f"{OF_ONE.requests:,} requests", self.requests),
                (f"{OF_ONE.tokens:,} tokens", self.tokens),
                (write_amount(OF_ONE.money, currency), self.money(currency) if currency else 1),
            )
            if not left
        ]
        if missing:
            raise self._used_up(" and ".join(missing))

    def check_size(self, size: int) -> None:
        """Sees that a file of so many bytes may be given in.

        Raises:
            TooMuch: it may not.
        """
        if size > self.size:
            raise self._used_up(f"{OF_ONE.size // 2**20} MiB of files")

    def sentence(self) -> str:
        """What is left, for the person."""
        return f"The last 24 hours leave you {self.requests:,} requests and {self.tokens:,} tokens."

    def _used_up(self, what: str) -> HostLimit:
        at = datetime.datetime.fromtimestamp(self.again).astimezone()
        return HostLimit(
            f"A host may use {what} in 24 hours, all hosts together "
            f"{OF_ALL.requests // OF_ONE.requests} times as much, and that is used up. Try again "
            f"after {at:%H:%M}, or ask the person at this computer to start it."
        )


@dataclass(frozen=True, slots=True)
class _Entry:
    when: float
    who: str
    run: str = ""
    used: Used = field(default_factory=Used)


def note_run(path: str | Path, who: str, run: str) -> None:
    """Notes that a host has a run done from now on.

    Raises:
        StoreUnreadable: the folder beside the file cannot be written.
    """
    with _changed(path) as entries:
        entries.append(_Entry(time.time(), who, run))


def take(path: str | Path, who: str, used: Used) -> None:
    """Notes what a host uses beside runs, where that much is left.

    Raises:
        TooMuch: it is not left; nothing is noted.
        StoreUnreadable: the folder beside the file cannot be written.
    """
    with _changed(path) as entries:
        before = _left(path, who, entries)
        if used.requests > before.requests or used.tokens > before.tokens:
            raise HostLimit(
                f"{before.sentence()} This may take {used.requests:,} and {used.tokens:,}: ask "
                "less."
            )
        if used.size:
            before.check_size(used.size)
        entries.append(_Entry(time.time(), who, used=used))


def left(path: str | Path, who: str) -> Left:
    """What the last 24 hours leave a host.

    Raises:
        StoreError: the file of runs cannot be read.
    """
    return _left(path, who, _read(path))


def _left(path: str | Path, who: str, entries: Iterable[_Entry]) -> Left:
    since = time.time() - _DAY
    counted = [entry for entry in entries if entry.when >= since]
    own = [entry for entry in counted if entry.who == who]
    everybody, mine = (_sum(path, each, since) for each in (counted, own))
    first = min((entry.when for entry in counted), default=since)
    return Left(
        max(0, min(OF_ALL.requests - everybody.requests, OF_ONE.requests - mine.requests)),
        max(0, min(OF_ALL.tokens - everybody.tokens, OF_ONE.tokens - mine.tokens)),
        max(0, min(OF_ALL.size - everybody.size, OF_ONE.size - mine.size)),
        (everybody.spent, mine.spent),
        first + _DAY,
    )


class _Sum(NamedTuple):
    requests: int
    tokens: int
    size: int
    spent: dict[str, Decimal]


_ANSWERS = """
SELECT responses.run AS run, runs.options AS options, count(*) AS requests,
       total(responses.tokens_in) AS tokens_in, total(responses.tokens_out) AS tokens_out
FROM responses JOIN runs ON runs.id = responses.run
WHERE responses.run IN (SELECT value FROM json_each(?))
      AND responses.created >= strftime('%Y-%m-%dT%H:%M:%fZ', ?, 'unixepoch')
GROUP BY responses.run
"""


def _sum(path: str | Path, entries: list[_Entry], since: float) -> _Sum:
    requests = sum(entry.used.requests for entry in entries)
    tokens = sum(entry.used.tokens for entry in entries)
    spent: dict[str, Decimal] = defaultdict(Decimal)
    runs = sorted({entry.run for entry in entries} - {""})
    if runs:
        with open_store(path) as store, store.reading() as database:
            rows = list(database.query(_ANSWERS, [json.dumps(runs), since]))
        for row in rows:
            sent, written = int(row["tokens_in"]), int(row["tokens_out"])
            requests += row["requests"]
            tokens += sent + written
            if (price := read_options(row["options"], 1).price) is not None:
                spent[price.currency] += cost(price, sent, written, False)
    return _Sum(requests, tokens, sum(entry.used.size for entry in entries), dict(spent))


@contextmanager
def _changed(path: str | Path) -> Iterator[list[_Entry]]:
    """The entries of the last day, to be added to; one process at a time."""
    file = _file(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file.with_suffix(".lock")):
            since = time.time() - _DAY
            entries = [entry for entry in _read(path) if entry.when >= since]
            yield entries
            part = file.with_suffix(".part")
            lines = (json.dumps(asdict(entry)) + "\n" for entry in entries)
            part.write_text("".join(lines), encoding="utf-8")
            part.replace(file)
    except OSError as error:
        raise StoreUnreadable(
            f"What hosts use could not be noted ({error.strerror or error}). Check that "
            f"{file.parent} may be written to, then try again."
        ) from error


def _read(path: str | Path) -> list[_Entry]:
    try:
        lines = _file(path).read_text("utf-8").splitlines()
    except OSError:
        return []
    entries = []
    for line in lines:
        try:
            said = json.loads(line)
            used = Used(*(int(each) for each in said["used"]))
            entries.append(_Entry(float(said["when"]), str(said["who"]), str(said["run"]), used))
        except (ValueError, KeyError, TypeError):
            continue  # another version's, or damaged: it counts for nobody
    return entries


def _file(path: str | Path) -> Path:
    database = Path(path).expanduser().absolute()
    return database.parent / f"{database.stem}-logs" / "hosted.jsonl"
