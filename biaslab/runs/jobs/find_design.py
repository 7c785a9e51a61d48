"""Before a study: at which design is a model right in half to four fifths of the easier problems?

The study's ladder of designs is searched (`biaslab.stats.sequential.staircase`) with the easier
members alone, asked by the study's own prompts, through the engine of every run and its cache. A
search is no run and gives no outcomes: its problems have a seed of their own, so none of them is
met again in the study. Each response is kept in a file beside the file of runs as it comes: a
search that was stopped goes on from there, and one that is done is told again without asking.

``python -m biaslab.runs.jobs.find_design`` reads a search as JSON and prints a line a block.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from biaslab.models import Concurrent, Model, ModelError, Sampling
from biaslab.problems import DesignError, ProblemError
from biaslab.processes import REFUSED
from biaslab.roles import May, require
from biaslab.runs.budget import Budget, Meter
from biaslab.runs.engine.ask import (
    Asker,
    Event,
    ItemFailed,
    ItemRead,
    NewResponse,
    RunHalted,
    Wanted,
)
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.engine.stream import Streamer
from biaslab.runs.errors import RunError, StoreError, StoreUnreadable
from biaslab.runs.fitting import check_fit
from biaslab.runs.hosting import check_listed, take_requests
from biaslab.runs.library.connections import length_for
from biaslab.runs.store.encoding import (
    read_design,
    read_response,
    read_sampling,
    response_columns,
    write_design,
    write_sampling,
)
from biaslab.runs.store.options import RunOptions, read_options, write_options
from biaslab.runs.store.store import Store, open_store
from biaslab.stats.sequential.staircase import (
    BLOCK,
    HIGH,
    LOW,
    Block,
    Ending,
    Rung,
    Search,
    search,
)
from biaslab.studies.study import (
    LARGEST_SEED,
    Answered,
    Design,
    Experiment,
    Item,
    Value,
    arms_of,
    content_hash,
)
from biaslab.text.figures import count, percent

MOST_REQUESTS = 200
"""Requests of one search, those before a stop included."""

_TOKENS = 1_000
"""What a request of a host is taken to send and have written, against what the day leaves."""


@dataclass(frozen=True, slots=True)
class DesignSearch:
    """Whom to ask, how, and the design whose difficulty is sought.

    Attributes:
        design: of the study; the ladder's settings are put in place of its own.
        model, strategy, sampling, options: as for `biaslab.runs.prepare`.
    """

    design: Design
    model: str
    strategy: str
    sampling: Sampling | None = None
    options: RunOptions = RunOptions()

    def as_json(self) -> dict[str, Any]:
        """JSON-ready; `of_json` reads it back."""
        return {
            "design": write_design(self.design),
            "model": self.model,
            "strategy": self.strategy,
            "sampling": write_sampling(self.sampling),
            "options": write_options(self.options),
        }

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> DesignSearch:
        """Reads what `as_json` wrote."""
        return cls(
            read_design(value["design"]),
            value["model"],
            value["strategy"],
            read_sampling(value["sampling"]),
            read_options(value["options"], 1),
        )


@dataclass(frozen=True, slots=True)
class Found:
    """How far a search has come.

    Attributes:
        ladder: settings from the easiest to the hardest.
        search: what was asked at each, and how it ended.
        requests: that the model answered; failed: problems without an answer, which do not count.
        seed: of the problems; arm: what the easier ones are called.
    """

    ladder: tuple[Mapping[str, Value], ...]
    search: Search
    requests: int
    failed: int
    seed: int
    arm: str

    @property
    def settings(self) -> Mapping[str, Value] | None:
        """Those that fit; None where none does, or while it goes on."""
        found = self.search.found
        return None if self.search.ending is not Ending.FITS or found is None else self._at(found)

    @property
    def sentence(self) -> str:
        """What it has come to, and what to do."""
        told = "; ".join(map(self._told, self.search.rungs))
        wanted = f"{percent(LOW)} to {percent(HIGH)}"
        match self.search.ending:
            case None:
                return f"“{self.arm}” problems right so far: {told}." if told else "Asking …"
            case Ending.FITS:
                assert self.search.found is not None
                words = (
                    f"{setting_words(self._at(self.search.found))} fits: the model answered "
                    f"{self._share(self.search.found)} of the “{self.arm}” problems right. So a "
                    "difference has room to show."
                )
                words = words[0].upper() + words[1:]
            case Ending.FLOOR:
                words = (
                    f"The floor: even the easiest design is too hard for this model ({told}). Ask "
                    "step by step, choose a stronger model, or measure odds in place of right "
                    "answers."
                )
            case Ending.CEILING:
                words = (
                    f"The ceiling: even the hardest design is too easy for this model ({told}). "
                    "Ask for the answer at once, choose a weaker model, or measure odds in place "
                    "of right answers."
                )
            case Ending.BETWEEN:
                words = (
                    f"No design here gives {wanted} right: one is too easy and the next too hard "
                    f"({told}). Take the one of them whose share suits you better."
                )
            case Ending.SPENT:
                words = (
                    f"{count(self.requests, 'request')} were not enough to settle a design "
                    f"({told}). Nothing is offered on so few answers."
                )
        notes = [words, f"{count(self.requests, 'request')} in all."]
        unread = sum(each.unread for each in self.search.rungs)
        if unread:
            notes.append(f"{count(unread, 'answer')} could not be read and count as not right.")
        if self.failed:
            notes.append(f"{count(self.failed, 'problem')} got no answer and do not count.")
        notes.append(f"These problems have seed {self.seed}; the study asks others.")
        return " ".join(notes)

    def _at(self, rung: Rung) -> Mapping[str, Value]:
        return self.ladder[rung.rung]

    def _told(self, rung: Rung) -> str:
        return f"{setting_words(self._at(rung))}: {self._share(rung)}"

    @staticmethod
    def _share(rung: Rung) -> str:
        counted = f"{rung.right} of {rung.asked}"
        if not rung.settled:
            return counted
        low, high = percent(rung.interval.low), percent(rung.interval.high)
        return f"{counted} ({percent(rung.share)}; 95 % interval {low} to {high})"


def setting_words(settings: Mapping[str, Value]) -> str:
    """Settings as a phrase: ``steps 2, numbers 2-20``."""
    return ", ".join(f"{name} {value}" for name, value in settings.items())


def find_design(
    store: Store,
    wanted: DesignSearch,
    on_block: Callable[[Found], None] | None = None,
    *,
    sources: Sources | None = None,
) -> Found:
    """Searches until a design fits, none can, or `MOST_REQUESTS` are used.

    Args:
        store: the file beside which responses are kept.
        wanted: what is sought.
        on_block: told after every block.
        sources: where studies and models come from, if not those installed.

    Raises:
        NotAllowed: whoever acts may not ask this model.
        DesignError: the study has no order of difficulty, or a design cannot be made.
        ModelError: no such model; UnknownStrategy, UnfitModel: as `biaslab.runs.prepare`.
        RunError: nothing more can be answered before a person does something.
        StoreError: responses cannot be kept.
    """
    require(May.RUN)
    check_listed(wanted.model, wanted.options.access)
    sources = sources or installed(store)
    study = sources.experiment(wanted.design.study)
    strategy = find_strategy(study, wanted.strategy)
    access = wanted.options.access
    check_fit(study, sources.identify(wanted.model, access))
    model = sources.open_model(wanted.model, access)
    # Another seed for each seed, and never the study's own.
    seed = int(content_hash("difficulty", wanted.design.seed), 16) % LARGEST_SEED
    seed += seed == wanted.design.seed
    ladder = _ladder(study, replace(wanted.design, n=1, seed=seed))
    length = length_for(store, wanted.model, access, wanted.options.length)
    known = [write_design(replace(wanted.design, n=1)), write_sampling(wanted.sampling)]
    kept = _Kept(store, content_hash(model.identity.id, strategy.version, *known, asdict(length)))
    if not kept.count:
        take_requests(store.path, MOST_REQUESTS, MOST_REQUESTS * _TOKENS)
    asker = Asker(
        study,
        strategy,
        model,
        wanted.sampling,
        kept.recall,
        Meter(Budget(requests=MOST_REQUESTS), used_requests=kept.count),
        length,
    )
    arm = arms_of(study, wanted.design).x
    items: dict[int, Iterator[Item]] = {}
    blocks: list[Block] = []
    taken = failed = 0
    while True:
        # What an answer costs is known once some are there: step by step takes two requests.
        used = len(kept.used)
        each = max(1.0, used / taken) if taken else 1.0
        left = int((MOST_REQUESTS - used) / each)
        state = search(blocks, len(ladder), left)
        found = Found(ladder, state, used, failed, seed, arm)
        if on_block is not None:
            on_block(found)
        if state.next is None:
            return found
        if state.next not in items:
            settings = {**wanted.design.settings, **ladder[state.next]}
            most = Design(study.name, MOST_REQUESTS, seed, settings)
            items[state.next] = (pair.x for pair in study.pairs(most))
        block, lost = _asked(model, asker, kept, islice(items[state.next], BLOCK), state.next)
        if not block.asked and not asker.exhausted:
            raise RunError(f"None of {lost} problems got an answer. Test the model first.")
        taken += block.asked + lost
        failed += lost
        blocks.append(block)


def _ladder(study: Experiment, design: Design) -> tuple[Mapping[str, Value], ...]:
    """The rungs of the study's ladder that have problems; some structures exclude some numbers."""
    found, refused = [], None
    for rung in study.ladder(design):
        try:
            next(study.pairs(replace(design, settings={**design.settings, **rung})))
            found.append(rung)
        except DesignError as error:
            refused = error
    if not found:
        raise refused or DesignError(
            f"The study {study.name} has no order of difficulty, so there is nothing to search.",
            "Choose a study of word problems.",
            "study",
        )
    return tuple(found)


class _Kept:
    """The responses of a search, a line each, and those of runs."""

    def __init__(self, store: Store, key: str) -> None:
        self._store = store
        self._path = searches(store.path) / f"{key}.jsonl"
        self._known: dict[str, Mapping[str, Any]] = {}
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            text = ""
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue  # cut off when the search was ended; it is asked again
            self._known[row["id"]] = row
        self._start = "" if text.endswith("\n") or not text else "\n"
        self.count = len(self._known)
        self.used: set[str] = set()
        """Those that the search has come to; told again, it comes to one after the other."""

    def recall(self, ids: Sequence[str]) -> Mapping[str, Answered]:
        """Those that are there; of runs, too."""
        sql = "SELECT * FROM responses WHERE id IN (SELECT value FROM json_each(?))"
        with self._store.reading() as database:
            found = {row["id"]: row for row in database.query(sql, [json.dumps(list(ids))])}
        known = {key: self._known[key] for key in ids if key in self._known}
        self.used |= known.keys()
        found |= known
        return {key: read_response(row) for key, row in found.items()}

    def keep(self, event: NewResponse) -> None:
        """Writes one down at once."""
        row = {"id": event.id, **response_columns(event.answered)}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{self._start}{json.dumps(row, ensure_ascii=False)}\n")
        except OSError as error:
            raise StoreUnreadable(
                f"{self._path} cannot be written ({error.strerror or error}). Make room, or check "
                "that its folder may be written to."
            ) from error
        self._known[event.id], self._start = row, ""
        self.used.add(event.id)


def searches(path: Path) -> Path:
    """The folder with the responses of searches, beside a file of runs."""
    return path.parent / f"{path.stem}-searches"


def _asked(
    model: Model, asker: Asker, kept: _Kept, items: Iterator[Item], rung: int
) -> tuple[Block, int]:
    """What came of some items, and how many got no answer."""
    asked = right = unread = lost = 0
    for event in _events(model, asker, [Wanted(item, 0) for item in items]):
        match event:
            case NewResponse():
                kept.keep(event)
            case ItemRead(reading=reading):
                asked += 1
                right += reading.outcome == 1.0
                unread += reading.outcome is None
            case ItemFailed():
                lost += 1
            case RunHalted(failure=failure):
                raise RunError(f"{failure.reason} Then search again: what was answered is kept.")
    return Block(rung, asked, right, unread), lost


def _events(model: Model, asker: Asker, wanted: Sequence[Wanted]) -> Iterator[Event]:
    if isinstance(model, Concurrent):
        with model.open_channel() as channel:
            yield from Streamer(asker, channel, lambda: False).ask(wanted)
    else:
        yield from asker.ask(wanted)


def main() -> int:
    """Searches as standard input says; prints a JSON line after every block."""
    given = json.load(sys.stdin)

    def tell(found: Found) -> None:
        line = {
            "sentence": found.sentence,
            "requests": found.requests,
            "ended": found.search.ending is not None,
            "settings": None if found.settings is None else dict(found.settings),
        }
        sys.stdout.write(f"{json.dumps(line, ensure_ascii=False)}\n")
        sys.stdout.flush()

    try:
        with open_store(given["db"]) as store:
            find_design(store, DesignSearch.of_json(given), tell)
    except (ModelError, ProblemError, RunError, StoreError) as error:
        sys.stderr.write(f"{REFUSED}{error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
