"""What a run would take before anything is asked: requests, tokens, money and time.

Nothing is written and no model is asked. Every figure says how it was made.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from math import ceil

from biaslab.models import Access, Sampling, read_spec
from biaslab.models.prices import Price, cost, describe_price, price_of
from biaslab.models.provider import OPENAI_URL
from biaslab.runs.engine.ask import RunAnswer
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.errors import RunError
from biaslab.runs.fitting import check_fit
from biaslab.runs.library.connections import find_connection, length_for
from biaslab.runs.library.experience import Experience, counter_for
from biaslab.runs.loads import MOST_STAGES, DryRun, LoadOfSteps, duration
from biaslab.runs.store.encoding import read_response
from biaslab.runs.store.store import Store
from biaslab.studies.strategies import AS_USUAL, Length
from biaslab.studies.study import Answered, Design, Item, Pair
from schoolmath.text.figures import count

PAIRS_LOOKED_AT = 200
"""So many pairs are made and followed for an estimate; larger designs are projected from them."""

_FEWEST_PAIRS = 20
"""Of a design whose items are asked very often, still so many pairs are followed."""


@dataclass(frozen=True, slots=True)
class EstimatedAmount:
    """How much of something: what is likely, and what it is at most."""

    expected: int
    at_most: int


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run would take.

    Attributes:
        pairs: of the design.
        items: different items; each is asked ``samples`` times.
        requests: in all, at most: a strategy may need fewer for some items.
        free: how many of them have a response in the file already. Only what is certain is
            counted, so it may be more.
        to_ask: the other requests. Tokens, cost and time are for them alone.
        tokens_in, tokens_out: tokens sent and written.
        cost_expected, cost_at_most: None where nobody has said what tokens cost.
        currency: of the cost; empty without one.
        seconds: at the pace of earlier responses; None where nothing is known.
        exact: whether every request was looked at; otherwise figures are projected.
        notes: sentences that say how each figure was made.
    """

    pairs: int
    items: int
    samples: int
    requests: int
    free: int
    to_ask: int
    tokens_in: EstimatedAmount
    tokens_out: EstimatedAmount
    cost_expected: Decimal | None
    cost_at_most: Decimal | None
    currency: str
    seconds: float | None
    exact: bool
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The estimate as a JSON object; money is text, because a float would round it."""
        return {
            "pairs": self.pairs,
            "items": self.items,
            "samples": self.samples,
            "requests": self.requests,
            "free": self.free,
            "to_ask": self.to_ask,
            "tokens_in": {"expected": self.tokens_in.expected, "at_most": self.tokens_in.at_most},
            "tokens_out": {
                "expected": self.tokens_out.expected, "at_most": self.tokens_out.at_most
            },
            "cost_expected": None if self.cost_expected is None else f"{self.cost_expected:f}",
            "cost_at_most": None if self.cost_at_most is None else f"{self.cost_at_most:f}",
            "currency": self.currency,
            "seconds": self.seconds,
            "exact": self.exact,
            "notes": list(self.notes),
        }  # fmt: skip


def estimate(
    store: Store,
    design: Design,
    model_spec: str,
    strategy: str,
    *,
    access: Access | None = None,
    samples: int = 1,
    sampling: Sampling | None = None,
    length: Length = AS_USUAL,
    price: Price | None = None,
    sources: Sources | None = None,
    batch: bool = False,
    today: datetime.date | None = None,
    most_pairs: int | None = PAIRS_LOOKED_AT,
    system: str = "",
) -> RunEstimate:
    """What a run of this design would take.

    Args:
        store: the file; what is in it is free and teaches how long responses are.
        design: which pairs.
        model_spec: whom to ask.
        strategy: name of the prompt strategy, one of the study's.
        access: how the model is reached.
        samples: how often each item is asked.
        sampling: as for `prepare`.
        length: how much the model may write.
        price: what tokens cost; None: what a person said when the server was tested, else what
            the table says for this model at this address.
        sources: where studies and models come from, if not those installed.
        batch: whether requests are handed over as a batch, which may cost less.
        today: for saying how old a price is.
        most_pairs: so many pairs are followed at most, fewer where items are asked several
            times; the others are projected. None: all of them, which takes longer.
        system: what a chat model would be told before every request.

    Raises:
        DesignError: such pairs do not exist.
        ModelError: no such model.
        UnknownStrategy: the study does not ask in this way.
        UnfitModel: the model cannot do what the study asks.
        RunError: the study gave no pairs.
        StoreError: the file cannot be read.
    """
    access = access or Access()
    sources = sources or installed(store)
    experiment = sources.experiment(design.study)
    chosen = find_strategy(experiment, strategy)
    identity = sources.identify(model_spec, access)
    check_fit(experiment, identity)
    items = _Items.of(experiment.pairs(design), design, _pairs_followed(most_pairs, samples))
    experience = Experience(store, identity, chosen.name, chosen.version)
    length = length_for(store, model_spec, access, length, sampling)
    loads = LoadOfSteps(counter_for(store, identity, access), experience.stage, length.go_on)
    dry_run = DryRun(
        experiment, chosen, identity, sampling, lambda ids: _recall(store, ids), length, system
    )
    for step in dry_run.steps(
        RunAnswer(item, sample) for item in items.looked.values() for sample in range(samples)
    ):
        loads.add(step)
    load = loads.asked + loads.projected(items.more / len(items.looked))
    tokens_in = EstimatedAmount(ceil(load.tokens_in), load.most_in)
    tokens_out = EstimatedAmount(ceil(load.tokens_out), load.most_out)
    price = price or _known_price(store, model_spec, access)
    time = duration(load, experience, model_spec, access, batch=batch)
    return RunEstimate(
        pairs=items.pairs,
        items=len(items.looked) + items.more,
        samples=samples,
        requests=load.requests + loads.free,
        free=loads.free,
        to_ask=load.requests,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_expected=_cost(price, tokens_in.expected, tokens_out.expected, batch),
        cost_at_most=_cost(price, tokens_in.at_most, tokens_out.at_most, batch),
        currency="" if price is None else price.currency,
        seconds=time.seconds,
        exact=items.followed == items.pairs,
        notes=(
            *items.notes(),
            _stages_note(dry_run.stages),
            _length_note(length),
            _free_note(loads.free, items),
            *loads.notes,
            _price_note(price, model_spec, today or _today(), batch),
            time.note,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Items:
    """Items of the pairs that were followed, and how many others the design has.

    Attributes:
        pairs: of the design; followed: those that were made.
        looked: their items by id; more: items of the other pairs, as far as can be told.
    """

    pairs: int
    followed: int
    looked: Mapping[str, Item]
    more: int

    @classmethod
    def of(cls, pairs: Iterable[Pair], design: Design, limit: int | None) -> _Items:
        """Pairs may share items; how many new ones a pair brings is seen in the second half."""
        looked: dict[str, Item] = {}
        grown = [0]
        for pair in islice(pairs, limit):
            looked |= {pair.x.id: pair.x, pair.x_prime.id: pair.x_prime}
            grown.append(len(looked))
        followed = len(grown) - 1
        if not followed:
            raise RunError(f"The design for {design.study} has no pairs. Ask for at least one.")
        left = design.n - followed if limit is not None and followed >= limit else 0
        half = followed // 2
        more = ceil(left * (grown[-1] - grown[half]) / (followed - half))
        return cls(followed + left, followed, looked, more)

    def notes(self) -> tuple[str, ...]:
        """How many were looked at, if not all."""
        if self.followed == self.pairs:
            return ()
        return (
            f"The first {self.followed:,} of {self.pairs:,} pairs were checked; the figures for "
            "the others are projected from them, at most by the largest request among them.",
        )


def _pairs_followed(most_pairs: int | None, samples: int) -> int | None:
    if most_pairs is None:
        return None
    return max(min(most_pairs, _FEWEST_PAIRS), most_pairs // samples)


def _known_price(store: Store, model_spec: str, access: Access) -> Price | None:
    """What a person once said, else what the table says, where it says the same everywhere."""
    if not read_spec(model_spec).served:
        return None
    urls = access.base_urls or (OPENAI_URL,)
    tested = find_connection(store, model_spec, urls[0])
    if tested is not None and tested.price is not None:
        return tested.price
    prices = {price_of(read_spec(model_spec).name, url) for url in urls}
    return prices.pop() if len(prices) == 1 else None


def _cost(price: Price | None, tokens_in: int, tokens_out: int, batch: bool) -> Decimal | None:
    return None if price is None else cost(price, tokens_in, tokens_out, batch)


def _stages_note(stages: int) -> str:
    if stages >= MOST_STAGES:
        return f"Each item was followed through {stages} requests and no further."
    plural = "" if stages == 1 else "s"
    return f"Each item takes {stages} request{plural} at most."


def _length_note(length: Length) -> str:
    if not length.go_on:
        return "A response that is cut off is not asked to go on."
    return (
        f"A response that is cut off is asked to go on up to {count(length.go_on, 'time')}. What "
        "this comes to at most is allowed for; how often it happens is not known before."
    )


def _free_note(free: int, items: _Items) -> str:
    if free == 0:
        told = "No response is in the file yet."
    elif free == 1:
        told = "One response is in the file already and costs nothing."
    else:
        told = f"{free:,} responses are in the file already and cost nothing."
    if items.followed < items.pairs:
        told += " Only the checked pairs count here, so there may be more."
    return told


def _price_note(price: Price | None, model_spec: str, today: datetime.date, batch: bool) -> str:
    if price is not None:
        return describe_price(price, today, batch)
    if read_spec(model_spec).served:
        return (
            "What tokens cost here is not known, so no cost is given: enter the price of a "
            "million tokens to see it."
        )
    return "The model runs here: nobody charges for its tokens."


def _recall(store: Store, ids: Sequence[str]) -> Mapping[str, Answered]:
    sql = "SELECT * FROM responses WHERE id IN (SELECT value FROM json_each(?))"
    with store.reading() as database:
        return {row["id"]: read_response(row) for row in database.query(sql, [json.dumps(ids)])}


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()
