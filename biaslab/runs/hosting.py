"""What those may have asked who may ask listed models alone: which models, and how much.

A host (`biaslab.system.roles`) asks the models that come with the app and the simulated learners,
which cost nothing and go nowhere, and what the person who starts BiasLab names in an environment
variable. Nothing that a host types is opened: no folder, no address.
"""

from __future__ import annotations

import datetime
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, TypeVar

from filelock import FileLock

from biaslab.models import Access, ModelError, ModelKind, identify, read_spec
from biaslab.models.prices import cost, write_amount
from biaslab.models.provider import OPENAI_URL
from biaslab.runs.engine.budget import Budget
from biaslab.runs.errors import RunError, StoreUnreadable
from biaslab.runs.jobs.queue import line
from biaslab.runs.store.options import RunOptions, read_options
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import open_store
from biaslab.system.roles import PROVE_HERE, TABLE, WORKS_FOR, May, NotAllowed, acting, who

# What hosts have had asked in the last 24 hours, each and all of them together, and what is left.
# Which runs a host began stands in a file beside the file of runs (`hosted.jsonl`, lines of JSON),
# and what does not come from a run, such as an answer that a screen asked for or a file that was
# given in. How much a run has used is counted where its answers are. Nothing else is kept of a
# host than the name by which `biaslab.system.roles.who` tells them from others, and that for a day.


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


class HostUsage(NamedTuple):
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
    used: HostUsage = field(default_factory=HostUsage)


def note_run(path: str | Path, who: str, run: str) -> None:
    """Notes that a host has a run done from now on.

    Raises:
        StoreUnreadable: the folder beside the file cannot be written.
    """
    with _changed(path) as entries:
        entries.append(_Entry(time.time(), who, run))


def take(path: str | Path, who: str, used: HostUsage) -> None:
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
    for each in lines:
        try:
            said = json.loads(each)
            used = HostUsage(*(int(number) for number in said["used"]))
            entries.append(_Entry(float(said["when"]), str(said["who"]), str(said["run"]), used))
        except (ValueError, KeyError, TypeError):
            continue  # another version's, or damaged: it counts for nobody
    return entries


def _file(path: str | Path) -> Path:
    database = Path(path).expanduser().absolute()
    return database.parent / f"{database.stem}-logs" / "hosted.jsonl"


_Amount = TypeVar("_Amount", int, Decimal)

MODELS_VARIABLE = "BIASLAB_HOST_MODELS"
"""Environment variable with what hosts may ask besides, between commas: a model that runs here by
its spec, one on a server as ``openai:NAME@ADDRESS``."""

LIMITS = Budget(requests=20_000, tokens=10_000_000, money=Decimal(5))
"""What a run of a host may use at most, whatever they choose; money where a price is known."""

MOST_PAIRS = 5_000
"""Pairs in a run of a host."""

MOST_WAITING = 20
"""So many runs, plans and trainings may stand in the queue when a host adds one."""


def is_bound() -> bool:
    """Whether whoever acts may ask listed models alone."""
    return May.CONNECT not in TABLE[acting()]


def why_not_listed(spec: str, access: Access | None = None) -> str:
    """Why whoever acts may not have this model asked, as a sentence; empty where they may."""
    if not is_bound() or _is_listed(spec, access or Access()):
        return ""
    return (
        f"“{spec}” is not among the models that hosts may ask here. The person at this computer "
        f"may ask it, and may list it when starting BiasLab. {PROVE_HERE}"
    )


def check_listed(spec: str, access: Access | None = None) -> None:
    """Sees that whoever acts may have this model asked.

    Raises:
        NotAllowed: they may not.
    """
    if why := why_not_listed(spec, access):
        raise NotAllowed(why)


def check_size(pairs: int) -> None:
    """Sees that a run of whoever acts may have so many pairs.

    Raises:
        TooMuch: it may not.
    """
    if is_bound() and pairs > MOST_PAIRS:
        raise HostLimit(
            f"A host asks at most {MOST_PAIRS:,} pairs in a run, and these are {pairs:,}. Choose "
            "fewer."
        )


def check_batch(options: RunOptions) -> None:
    """Sees that a run of whoever acts is not handed over as a batch where that cannot be bounded.

    What a batch uses is known a day later, so it would be in no day's sum.

    Raises:
        TooMuch: it would be handed over.
    """
    if is_bound() and options.batch_api:
        raise HostLimit("A run of a host is not handed over as a batch. Leave the batch out.")


def works_for() -> dict[str, str]:
    """What tells a process that it works for a host, where one acts: environment variables."""
    return {WORKS_FOR: who()} if is_bound() else {}


def check_day(path: str | Path, options: RunOptions | None = None) -> None:
    """Sees that the last 24 hours leave something to whoever acts.

    Args:
        path: the file of runs.
        options: of the run that is to begin; None: no price is known.

    Raises:
        TooMuch: they do not.
        StoreError: the file cannot be read.
    """
    if is_bound():
        price = None if options is None else options.price
        left(path, who()).check("" if price is None else price.currency)


def within_day(path: str | Path, record: RunRecord) -> Budget:
    """The budget of a run that begins now: its own, and no more than the day leaves its host.

    Where the day leaves nothing, nothing is asked, and the run can be resumed later.

    Raises:
        StoreError: the file cannot be read, or the run not be noted beside it.
    """
    budget, price = record.options.budget, record.options.price
    if not is_bound():
        return budget
    today = left(path, who())
    note_run(path, who(), record.id)
    tokens = record.tokens_in + record.tokens_out
    money = None
    if price is not None:
        money = cost(price, record.tokens_in, record.tokens_out) + today.money(price.currency)
    return Budget(
        _least(budget.requests, record.asked + today.requests),
        _least(budget.tokens, tokens + today.tokens),
        _least(budget.money, money),
    )


def take_requests(path: str | Path, requests: int, tokens: int) -> None:
    """Takes requests that belong to no run from what the day leaves whoever acts.

    Args:
        path: the file of runs.
        requests: how many.
        tokens: the most that they send and have written.

    Raises:
        TooMuch: not so many are left; none was taken.
        StoreUnreadable: it cannot be noted.
    """
    if is_bound():
        take(path, who(), HostUsage(requests, tokens))


def left_today(path: str | Path) -> str:
    """What the last 24 hours leave whoever acts, as a sentence; empty where nothing bounds them."""
    return left(path, who()).sentence() if is_bound() else ""


def check_queue(path: str | Path) -> None:
    """Sees that the queue has room for more of whoever acts.

    Raises:
        TooMuch: it has not.
    """
    if is_bound() and len(line(path)) >= MOST_WAITING:
        raise HostLimit(
            f"{MOST_WAITING} runs, plans and trainings wait already. Wait until some are done, "
            "then start this again."
        )


def check_plan(models: Iterable[tuple[str, Access]], pairs: int, requests: int | None) -> None:
    """Sees that whoever acts may have a plan done.

    Args:
        models: spec of each, and how it is reached.
        pairs: most pairs of one of its studies.
        requests: its budget.

    Raises:
        NotAllowed: one of the models is not theirs to ask.
        TooMuch: the plan is too large, or has no budget.
    """
    if not is_bound():
        return
    for spec, access in models:
        check_listed(spec, access)
    check_size(pairs)
    assert LIMITS.requests is not None
    if requests is None or requests > LIMITS.requests:
        raise HostLimit(
            f"A host's plan has a limit of at most {LIMITS.requests:,} requests. Enter one under "
            "“Request limit”."
        )


def within_limits(options: RunOptions) -> RunOptions:
    """The options of a run with what it may use at most, where whoever acts is bound by that."""
    if not is_bound():
        return options
    asked = options.budget
    budget = Budget(
        _least(asked.requests, LIMITS.requests),
        _least(asked.tokens, LIMITS.tokens),
        asked.money if options.price is None else _least(asked.money, LIMITS.money),
    )
    return replace(options, budget=budget)


def _is_listed(spec: str, access: Access) -> bool:
    listed = {each.strip() for each in os.environ.get(MODELS_VARIABLE, "").split(",")} - {""}
    named = read_spec(spec)
    if named.served:
        urls = access.base_urls or (OPENAI_URL,)
        return all(f"{spec}@{url}" in listed for url in urls)
    comes_along = named.kind in (ModelKind.TINY, ModelKind.LEARNER)
    if spec in listed or (comes_along and not {"/", "\\"} & set(named.name)):
        return True
    # In runs a local model has the sum of its files for a folder; only listed ones are opened.
    return "#" in named.name and any(
        _called(each) == spec for each in listed if read_spec(each).has_weights
    )


def _called(listed: str) -> str:
    """What a listed model is called in runs; empty where it is not there."""
    try:
        return identify(listed, download=False).spec
    except ModelError:
        return ""


def _least(target: _Amount | None, most: _Amount | None) -> _Amount | None:
    return min((each for each in (target, most) if each is not None), default=None)
