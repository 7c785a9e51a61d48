"""What the file of runs holds: runs, pairs with their outcomes, all about one pair.

The gallery: runs of real language models that come with BiasLab, beside everybody's own.

It is an ordinary file of runs, compressed. It is unpacked once into the user's cache, under the
hash of what it came from, and opened so that nothing can be written to it or beside it.
`biaslab.runs.recording` makes it.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from biaslab.models import Completion, LikelihoodRequest, Sampling
from biaslab.runs.errors import StoreUnreadable
from biaslab.runs.store.connection import store_errors
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.schema import VERSION
from biaslab.studies import Arms
from biaslab.studies.strategies import stages_of
from biaslab.studies.study import (
    Answered,
    Design,
    Item,
    Pair,
    Reading,
    Request,
    Value,
)
from biaslab.system.places import make_private, recorded_runs


class RunStatus(StrEnum):
    """Where a run is."""

    READY = "ready"
    """Prepared, never started."""
    RUNNING = "running"
    """A worker is asking."""
    STOPPING = "stopping"
    """A worker is asking and has been told to stop."""
    STOPPED = "stopped"
    """Stopped by a person; can be resumed."""
    PAUSED = "paused"
    """BiasLab stopped because a person is needed, as `RunRecord.message` says; can be resumed."""
    INTERRUPTED = "interrupted"
    """The worker is gone without having said so; can be resumed."""
    FINISHED = "finished"
    """Every item was asked. Failed ones are asked again when the run is resumed."""
    FAILED = "failed"
    """Something went wrong that `RunRecord.message` tells; can be resumed."""


ASK_AGAIN = "Resume the run to ask them again."
"""How `RunRecord.message` ends where a finished run says no more than that some failed."""


WRITING = "It is writing: "
"""How `RunRecord.message` begins while a model writes whose texts can be watched."""


class AnswerState(StrEnum):
    """What became of asking one item."""

    ANSWERED = "answered"
    """The response could be read; there is an outcome."""
    INVALID = "invalid"
    """The model responded to the end, and nothing could be read in it."""
    FAILED = "failed"
    """No response came (time-out, rate limit ...), or it was cut off before an answer could be
    read in it. Never counted as a wrong answer."""
    MISSING = "missing"
    """Not asked yet."""


class PairPattern(StrEnum):
    """How the two members of a pair came out together. Every pair has exactly one.

    Right means an outcome of 1; wrong is every other outcome.
    """

    BOTH_RIGHT = "both right"
    ONLY_X = "only x right"
    ONLY_X_PRIME = "only x' right"
    BOTH_WRONG = "both wrong"
    INVALID = "invalid"
    """Both members have responses and at least one of them could not be read."""
    UNFINISHED = "unfinished"
    """At least one member has no response yet, or failed. No part of any outcome."""


class PairOrder(StrEnum):
    """Which pairs of a run come first."""

    DESIGN = "design"
    """As the design numbers them."""
    TELLING = "telling"
    """Members that came out differently first, as they show what the changed words did; then
    both wrong, not readable, both right, not finished. Within these as the design numbers them."""


@dataclass(frozen=True, slots=True)
class InterimLook:
    """What a rule for stopping early saw and decided once.

    Attributes:
        pairs: how many pairs of the design had been asked.
        stop: whether they were enough; reason: why, or why not, as a sentence.
        cate, low, high: estimate and its interval, corrected for looking repeatedly.
        adjustment: how that interval was made: JSON of an `analysis.Adjustment`.
    """

    pairs: int
    stop: bool
    reason: str
    cate: float | None
    low: float | None
    high: float | None
    adjustment: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FailureCount:
    """Why requests were in vain, and how many."""

    reason: str
    count: int


class ReadingRules(NamedTuple):
    """Which rules read the answers of a run.

    Attributes:
        explanations: what each rule does, a sentence, by its name; the most frequent first.
        counts: how many answers each read.
        of_pairs: by pair the rules that read the answers to x and to x'; None where none did.
    """

    explanations: Mapping[str, str]
    counts: Mapping[str, int]
    of_pairs: Mapping[str, tuple[str | None, str | None]]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run as it stands now.

    Attributes:
        id: identifier of the run.
        study: name of the experiment.
        design: what determined the pairs.
        model_spec: what opens the model; model_kind: the text of a `ModelKind`;
            model_revision and model_form: which exactly.
        strategy: name of the prompt strategy.
        sampling: what was chosen in place of the strategy's own; None if nothing was.
        status: see `RunStatus`.
        pairs_total: pairs of the design.
        items_total: answers wanted: different items in these pairs (a shared item is asked
            once), times the samples of each.
        items_done: answered + invalid + failed.
        answered, invalid, failed: wanted answers by what became of them.
        cached: responses taken over from other runs; asked: responses that the model gave for
            this run. A strategy may need several responses for an item.
        retried: how often a request was sent again after an attempt in vain; `Store.retries`
            says why.
        tokens_in, tokens_out: sent and written for this run; what was cached is not in them.
        options: samples, access, budget, price, rule for stopping early.
        looks: what that rule has seen, in order.
        enough: so many pairs were enough; None: all pairs are asked.
        rate_per_second: items done in a second lately; None while nothing is known.
        seconds_left: at that rate; None when not running or not known.
        created, started, finished: times in UTC, ISO 8601, or None. ``started`` is the first
            start, ``finished`` the last end.
        message: what to tell the person, such as why the run failed; empty if nothing.
        library_version: version of BiasLab that prepared the run.
        reader: which way of reading its answers were read by; None: from before readers had
            names.
        bundle: SHA-256 of the bundle that the run was opened from, which makes it read-only;
            None: it was prepared here.
    """

    id: str
    study: str
    design: Design
    model_spec: str
    model_kind: str
    model_revision: str
    model_form: str
    strategy: str
    sampling: Sampling | None
    status: RunStatus
    pairs_total: int
    items_total: int
    items_done: int
    answered: int
    invalid: int
    failed: int
    cached: int
    asked: int
    retried: int
    tokens_in: int
    tokens_out: int
    options: RunOptions
    looks: tuple[InterimLook, ...]
    enough: int | None
    rate_per_second: float | None
    seconds_left: float | None
    created: str
    started: str | None
    finished: str | None
    message: str
    library_version: str
    reader: str | None
    bundle: str | None

    @property
    def way(self) -> str:
        """How it was asked and read: the strategy, and what was chosen beside it: thinking, reader
        and a system prompt, by the beginning of its SHA-256.

        Runs that differ in it are compared and never pooled.
        """
        level = None if self.sampling is None else self.sampling.thinking
        thinking = "" if level is None else f", thinking {level}"
        first = (self.reader or "").startswith("published ")
        system = system_words(self.options.system)
        return f"{self.strategy}{thinking}{', first number' if first else ''}{system}"


def system_words(system: str) -> str:
    """A system prompt as a part of how a run was asked, by its SHA-256; "" for none."""
    return f", system prompt {sha256(system.encode()).hexdigest()[:6]}" if system else ""


@dataclass(frozen=True, slots=True)
class PairRow:
    """One line of a list of pairs.

    Attributes:
        pair: id of the pair; position: its place in the design, from 0; sample: which of
            several times it was asked, from 0.
        text_x, text_x_prime: what was asked; answer_x, answer_x_prime: what is right.
        value_x, value_x_prime: the answers as read, None where there is none.
        y_x, y_x_prime: outcomes, None unless answered.
    """

    pair: str
    position: int
    sample: int
    cluster: str
    strata: Mapping[str, Value]
    pattern: PairPattern
    item_x: str
    item_x_prime: str
    text_x: str
    text_x_prime: str
    answer_x: str
    answer_x_prime: str
    value_x: str | None
    value_x_prime: str | None
    y_x: float | None
    y_x_prime: float | None
    state_x: AnswerState
    state_x_prime: AnswerState


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """How many pairs of a run came out how; what could not be read counts as not right.

    Attributes:
        both, only_x, only_x_prime, neither: pairs by which members were answered right.
        unread_x, unread_x_prime: answers among these that could not be read.
    """

    both: int
    only_x: int
    only_x_prime: int
    neither: int
    unread_x: int
    unread_x_prime: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request exactly as it was sent, and what came back.

    Attributes:
        id: identifier of the response; the same request to the same model has the same one.
        request: messages and sampling, or messages and continuations.
        answered: a completion (text, finish, tokens_in, tokens_out, seconds, thinking) or
            log-probabilities.
        created: when it came, UTC, ISO 8601.
    """

    id: str
    request: Request
    answered: Answered
    created: str


@dataclass(frozen=True, slots=True)
class MemberDetail:
    """Everything kept about one member of a pair in one run.

    Attributes:
        state: what became of asking it.
        exchanges: requests and responses in order; several for strategies that ask twice.
        reading: what the responses were taken to say; None when missing or failed.
        reason: why it failed; empty otherwise.
        attempts: how often it was asked in vain.
    """

    item: Item
    state: AnswerState
    exchanges: tuple[Exchange, ...]
    reading: Reading | None
    reason: str
    attempts: int

    @property
    def requests(self) -> tuple[Request, ...]:
        """What was sent, in order."""
        return tuple(exchange.request for exchange in self.exchanges)

    @property
    def responses(self) -> tuple[Answered, ...]:
        """What came back, in order."""
        return tuple(exchange.answered for exchange in self.exchanges)

    @property
    def stages(self) -> tuple[Exchange, ...]:
        """The exchanges, those in which a response was asked to go on as one: as they are read."""
        return tuple(
            replace(self.exchanges[stage.places[0]], answered=stage.response)
            for stage in stages_of(self.requests, self.responses)
        )


@dataclass(frozen=True, slots=True)
class PairDetail:
    """Everything kept about one pair in one run."""

    run: str
    position: int
    sample: int
    pair: Pair
    pattern: PairPattern
    x: MemberDetail
    x_prime: MemberDetail


def response_words(request: Request, response: Answered) -> str:
    """What came back as a text: what was written, or a line for each text that was scored."""
    if isinstance(response, Completion):
        return response.text
    scored = request.continuations if isinstance(request, LikelihoodRequest) else ()
    numbers = zip(response.log_probabilities, scored, strict=True)
    return "\n".join(f"{number:.4f}  {text.strip()}" for number, text in numbers)


def number_words(value: str) -> str:
    """An answer as read: a fraction that ends as a decimal is written as one."""
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return value
    decimal = f"{float(number):.10g}"
    return decimal if Fraction(decimal) == number else value


def pattern_words(pattern: PairPattern, arms: Arms) -> str:
    """How a pair came out, with marks for x and x' in front, as in "✓ ✗ only consistent right"."""
    match pattern:
        case PairPattern.BOTH_RIGHT:
            return "✓ ✓ both right"
        case PairPattern.ONLY_X:
            return f"✓ ✗ only “{arms.x}” right"
        case PairPattern.ONLY_X_PRIME:
            return f"✗ ✓ only “{arms.x_prime}” right"
        case PairPattern.BOTH_WRONG:
            return "✗ ✗ both wrong"
        case PairPattern.INVALID:
            return "? an answer could not be read"
        case PairPattern.UNFINISHED:
            return "… not finished"


PACKED = "runs.db.xz"
"""Name of the compressed file in the gallery's folder."""

_ID = re.compile(r"r[0-9a-f]{11}")


def is_recorded(run_id: str) -> bool:
    """Whether an id is one of the gallery's: ids of runs made here have digits and a to f alone."""
    return _ID.fullmatch(run_id) is not None


def unpacked() -> Path | None:
    """The gallery as a file of runs; None where there is no gallery.

    Raises:
        StoreUnreadable: it is damaged.
    """
    packed = recorded_runs() / PACKED
    if not packed.is_file():
        return None
    status = packed.stat()
    return _unpacked(packed, status.st_mtime_ns, status.st_size)


@cache
def _unpacked(packed: Path, changed: int, size: int) -> Path:
    del changed, size  # another gallery may have come to lie there
    try:
        name = f"recorded-{sha256(packed.read_bytes()).hexdigest()[:16]}.db"
        try:
            path = _unpack(packed, platformdirs.user_cache_path("biaslab", appauthor=False) / name)
        except PermissionError:  # an account without a home of its own
            path = _unpack(packed, Path(tempfile.mkdtemp(prefix="biaslab-")) / name)
        _check_version(path)
        return path
    except (OSError, EOFError, lzma.LZMAError, sqlite3.Error) as error:
        raise StoreUnreadable(
            f"The recorded runs cannot be shown, because {packed} cannot be used ({error}): get "
            "this file of BiasLab again; your own runs are all there."
        ) from error


def _unpack(packed: Path, path: Path) -> Path:
    if path.is_file():
        return path
    make_private(path.parent)
    handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as whole, lzma.open(packed) as read:
            shutil.copyfileobj(read, whole)
        with closing(sqlite3.connect(part)) as database:
            (told,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if told != "ok":
                raise sqlite3.DatabaseError("it is damaged")
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)
    return path


def _check_version(path: Path) -> None:
    """Refuses files that another BiasLab wrote: one that is only read cannot be brought up to date.

    Raises:
        sqlite3.Error: it is one, or no file of runs.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        if database.execute("PRAGMA user_version").fetchone() != (VERSION,):
            raise sqlite3.DatabaseError("it is not a file of runs of this version of BiasLab")


def connect_recorded(path: Path) -> sqlite3.Connection:
    """A connection that only reads; any one thread at a time may use it.

    Raises:
        StoreError: the file cannot be opened.
    """
    with store_errors(path):
        return sqlite3.connect(
            f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip
