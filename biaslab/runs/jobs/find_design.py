"""Before a study: at which design is a model right in half to four fifths of the easier problems?

The study's ladder of designs is searched (`biaslab.stats.staircase`) with the easier
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
from typing import Any

from biaslab.models import Concurrent, Model, ModelError, Sampling
from biaslab.runs.engine import ask
from biaslab.runs.engine.budget import Budget, Meter
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.engine.stream import Streamer
from biaslab.runs.errors import RunError, StoreError
from biaslab.runs.fitting import check_fit
from biaslab.runs.hosting import check_listed, take_requests
from biaslab.runs.library.connections import length_for
from biaslab.runs.store import encoding
from biaslab.runs.store.connection import store_errors
from biaslab.runs.store.options import RunOptions, read_options, write_options
from biaslab.runs.store.sqlite import Database
from biaslab.runs.store.store import Store, open_store
from biaslab.stats.staircase import BLOCK, Block, Ending, Rung, Search, search
from biaslab.studies import Answered, Design, Experiment, Item, Value
from biaslab.studies.study import LARGEST_SEED, arms_of, content_hash
from biaslab.system.processes import REFUSED
from biaslab.system.roles import May, require
from schoolmath.problems import DesignError, ProblemError
from schoolmath.text.figures import count, percent

MOST_REQUESTS = 200
"""Requests of one search, those before a stop included."""

_TOKENS = 1_000
"""What a request of a host is taken to send and have written, against what the day leaves."""

_WORDS = {
    Ending.FLOOR: "The floor: even the easiest design is too hard for this model ({told}). Ask "
    "step by step, choose a stronger model, or measure odds in place of right answers.",
    Ending.CEILING: "The ceiling: even the hardest design is too easy for this model ({told}). Ask "
    "for the answer at once, choose a weaker model, or measure odds in place of right answers.",
    Ending.BETWEEN: "No design here fits: one is too easy and the next too hard ({told}). Take the "
    "one of them whose share suits you better.",
    Ending.SPENT: "The requests were not enough to settle a design ({told}). Nothing is offered on "
    "so few answers.",
}


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
            "design": encoding.write_design(self.design),
            "model": self.model,
            "strategy": self.strategy,
            "sampling": encoding.write_sampling(self.sampling),
            "options": write_options(self.options),
        }

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> DesignSearch:
        """Reads what `as_json` wrote."""
        design, sampling = value["design"], value["sampling"]
        return cls(
            encoding.read_design(design),
            value["model"],
            value["strategy"],
            encoding.read_sampling(sampling),
            read_options(value["options"], 1),
        )


@dataclass(frozen=True, slots=True)
class SearchProgress:
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
        return None if found is None else self.ladder[found.rung]

    @property
    def sentence(self) -> str:
        """What it has come to, and what to do."""
        rungs = self.search.rungs
        told = "; ".join(f"{self._words(each)}: {_share(each)}" for each in rungs)
        ending = self.search.ending
        if ending is None:
            return f"“{self.arm}” problems right so far: {told}." if told else "Asking …"
        if (found := self.search.found) is not None:
            words = self._words(found)
            said = (
                f"{words[0].upper()}{words[1:]} fits: the model answered {_share(found)} of the "
                f"“{self.arm}” problems right. So a difference has room to show."
            )
        else:
            said = _WORDS[ending].format(told=told)
        notes = [said, f"{count(self.requests, 'request')} in all."]
        if unread := sum(each.unread for each in rungs):
            notes.append(f"{count(unread, 'answer')} could not be read and count as not right.")
        if self.failed:
            notes.append(f"{count(self.failed, 'problem')} got no answer and do not count.")
        notes.append(f"These problems have seed {self.seed}; the study asks others.")
        return " ".join(notes)

    def _words(self, rung: Rung) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.ladder[rung.rung].items())


def _share(rung: Rung) -> str:
    low, high = percent(rung.interval.low), percent(rung.interval.high)
    sure = f" ({percent(rung.share)}; 95 % interval {low} to {high})" if rung.settled else ""
    return f"{rung.right} of {rung.asked}{sure}"


def find_design(
    store: Store,
    query: DesignSearch,
    on_block: Callable[[SearchProgress], None] | None = None,
    *,
    sources: Sources | None = None,
) -> SearchProgress:
    """Searches until a design fits, none can, or `MOST_REQUESTS` are used.

    Args:
        store: the file beside which responses are kept.
        query: what is sought.
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
    access = query.options.access
    check_listed(query.model, access)
    sources = sources or installed(store)
    study = sources.experiment(query.design.study)
    strategy = find_strategy(study, query.strategy)
    check_fit(study, sources.identify(query.model, access))
    model = sources.open_model(query.model, access)
    # Another seed for each seed, and never the study's own.
    seed = int(content_hash("difficulty", query.design.seed), 16) % LARGEST_SEED
    seed += seed == query.design.seed
    design = replace(query.design, n=1, seed=seed)
    ladder, arm = _ladder(study, design), arms_of(study, design).x
    length = length_for(store, query.model, access, query.options.length)
    known = [encoding.write_design(design), encoding.write_sampling(query.sampling)]
    kept = _StoredResponses(
        store, content_hash(model.identity.id, strategy.version, *known, asdict(length))
    )
    if not kept.count:
        take_requests(store.path, MOST_REQUESTS, MOST_REQUESTS * _TOKENS)
    meter = Meter(Budget(requests=MOST_REQUESTS), used_requests=kept.count)
    asker = ask.Asker(study, strategy, model, query.sampling, kept.recall, meter, length)
    items: dict[int, Iterator[Item]] = {}
    blocks: list[Block] = []
    taken = failed = 0
    while True:
        # What an answer costs is known once some are there: step by step takes two requests.
        used = len(kept.used)
        each = max(1.0, used / taken) if taken else 1.0
        state = search(blocks, len(ladder), int((MOST_REQUESTS - used) / each))
        found = SearchProgress(ladder, state, used, failed, seed, arm)
        if on_block is not None:
            on_block(found)
        if (rung := state.next) is None:
            return found
        if rung not in items:
            chosen = {**design.settings, **ladder[rung]}
            items[rung] = (
                pair.x for pair in study.pairs(replace(design, n=MOST_REQUESTS, settings=chosen))
            )
        block, lost = _asked(model, asker, kept, islice(items[rung], BLOCK), rung)
        if not block.asked and not asker.exhausted:
            raise RunError(f"None of {lost} problems got an answer. Test the model first.")
        taken, failed = taken + block.asked + lost, failed + lost
        blocks.append(block)


def _ladder(study: Experiment, design: Design) -> tuple[Mapping[str, Value], ...]:
    """The rungs of the study's ladder that have problems; some structures exclude some numbers."""
    found = []
    refused = DesignError(
        f"The study {study.name} has no order of difficulty, so there is nothing to search.",
        "Choose a study of word problems.",
        "study",
    )
    for rung in study.ladder(design):
        try:
            next(study.pairs(replace(design, settings={**design.settings, **rung})))
            found.append(rung)
        except DesignError as error:
            refused = error
    if not found:
        raise refused
    return tuple(found)


class _StoredResponses:
    """The responses of a search, in a file beside the file of runs, and those of runs."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._path = store.path.parent / f"{store.path.stem}-searches" / f"{name}.db"
        with store_errors(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._table = Database(self._path).table("responses", pk="id")
            self.count: int = self._table.count if self._table.exists() else 0
        self.used: set[str] = set()
        """Those that the search has come to; told again, it comes to one after the other."""

    def recall(self, ids: Sequence[str]) -> Mapping[str, Answered]:
        """Those that are there; of runs, too."""
        wanted = "id IN (SELECT value FROM json_each(?))", [json.dumps(list(ids))]
        with self._store.reading() as database:
            rows = list(database.query(f"SELECT * FROM responses WHERE {wanted[0]}", wanted[1]))
        own = list(self._table.rows_where(*wanted)) if self._table.exists() else []
        self.used |= {row["id"] for row in own}
        return {row["id"]: encoding.read_response(row) for row in [*rows, *own]}

    def keep(self, event: ask.NewResponse) -> None:
        """Writes one down at once."""
        with store_errors(self._path):
            columns = encoding.response_columns(event.answered)
            self._table.insert({"id": event.id, **columns}, ignore=True)
        self.used.add(event.id)


def _asked(
    model: Model, asker: ask.Asker, stored: _StoredResponses, items: Iterator[Item], rung: int
) -> tuple[Block, int]:
    """What came of some items, and how many got no answer."""
    asked = right = unread = lost = 0
    for event in _events(model, asker, [ask.RunAnswer(item, 0) for item in items]):
        match event:
            case ask.NewResponse():
                stored.keep(event)
            case ask.ItemRead(reading=reading):
                asked += 1
                right += reading.outcome == 1.0
                unread += reading.outcome is None
            case ask.ItemFailed():
                lost += 1
            case ask.RunHalted(failure=failure):
                raise RunError(f"{failure.reason} Then search again: what was answered is saved.")
    return Block(rung, asked, right, unread), lost


def _events(
    model: Model, asker: ask.Asker, requests: Sequence[ask.RunAnswer]
) -> Iterator[ask.Event]:
    if isinstance(model, Concurrent):
        with model.open_channel() as channel:
            yield from Streamer(asker, channel, lambda: False).ask(requests)
    else:
        yield from asker.ask(requests)


def main() -> int:
    """Searches as standard input says; prints a JSON line after every block."""
    given = json.load(sys.stdin)

    def tell(progress: SearchProgress) -> None:
        line = {
            "sentence": progress.sentence,
            "requests": progress.requests,
            "ended": progress.search.ending is not None,
            "settings": progress.settings,
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
