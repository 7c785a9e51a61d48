"""What a person chose for a run beyond its design: how often, how reached, at what cost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from biaslab.models import Access, Endpoint
from biaslab.models.prices import Price
from biaslab.models.provider import Continuing, ThinkingSwitch
from biaslab.runs.engine.budget import Budget
from biaslab.runs.errors import RunError
from biaslab.runs.store.schema import MOST_SAMPLES
from biaslab.studies.strategies import AS_BEFORE, MOST_GO_ON, MOST_TOKENS, Length

if TYPE_CHECKING:
    from biaslab.stats.stopping_rules import StoppingRule


MOST_SYSTEM = 20_000
"""Characters of the longest system prompt."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a person chose for a run beyond its design and its prompts.

    Attributes:
        samples: how often each item is asked, from 1 to `MOST_SAMPLES`.
        access: how the model is reached. Never holds a key.
        budget: what the run may use.
        price: what tokens cost; None where nobody has said.
        stopping: when enough pairs were asked; None: after all of them.
        batch_api: whether requests are handed over as a batch, to be answered within a day.
        length: how much the model may write. `prepare` puts in what suits the model where
            nobody has said.
        system: what a chat model is told before every request, such as a school's own system
            prompt; "" for nothing.
    """

    samples: int = 1
    access: Access = Access()
    budget: Budget = Budget()
    price: Price | None = None
    stopping: StoppingRule | None = None
    batch_api: bool = False
    length: Length = Length()
    system: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise RunError(
                f"Each item can be asked 1 to {MOST_SAMPLES} times, not {self.samples} times. "
                "Choose another number of samples."
            )
        if self.budget.money is not None and self.price is None:
            raise RunError(
                "A budget in money needs to know what tokens cost. Enter the price of a million "
                "tokens, or give the budget in tokens or requests."
            )
        tokens = self.length.tokens
        if tokens is not None and not 1 <= tokens <= MOST_TOKENS:
            raise RunError(
                f"A response can have 1 to {MOST_TOKENS:,} tokens, not {tokens:,}. Choose another "
                "number."
            )
        if len(self.system) > MOST_SYSTEM:
            raise RunError(
                f"A system prompt can have {MOST_SYSTEM:,} characters, not {len(self.system):,}. "
                "Shorten it."
            )
        if not 0 <= self.length.go_on <= MOST_GO_ON:
            raise RunError(
                f"A response that is cut off can be asked to go on 0 to {MOST_GO_ON} times, not "
                f"{self.length.go_on} times. Choose another number."
            )


def write_options(options: RunOptions) -> str:
    """Options as JSON, without the number of samples, which has a column of its own."""
    budget = options.budget
    fields = {
        "access": asdict(options.access),
        "budget": {
            "requests": budget.requests,
            "tokens": budget.tokens,
            "money": None if budget.money is None else str(budget.money),
        },
        "price": None if options.price is None else options.price.as_json(),
        "stopping": None if options.stopping is None else options.stopping.as_json(),
        "batch_api": options.batch_api,
        "length": asdict(options.length),
    } | ({"system": options.system} if options.system else {})
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def read_options(text: str, samples: int) -> RunOptions:
    """The options that `write_options` wrote."""
    fields = json.loads(text)
    # Runs from before anybody could choose it go on as they began.
    length = Length(**fields["length"]) if "length" in fields else AS_BEFORE
    if not fields:
        return RunOptions(samples, Access(dtype="float32"), length=length)
    budget = fields["budget"]
    money = budget["money"]
    stopping, price = fields["stopping"], fields["price"]
    return RunOptions(
        samples,
        read_access(fields["access"]),
        Budget(budget["requests"], budget["tokens"], None if money is None else Decimal(money)),
        None if price is None else Price.of_json(price),
        None if stopping is None else _read_rule(stopping),
        fields["batch_api"],
        length,
        fields.get("system", ""),
    )


def _read_rule(fields: Mapping[str, Any]) -> StoppingRule:
    # The statistics take a second to import, and few runs need them.
    from biaslab.stats.stopping_rules import rule_from_json

    return rule_from_json(fields)


def read_access(fields: Mapping[str, Any]) -> Access:
    """How a model is reached, from its JSON object."""
    endpoint = fields["endpoint"]
    return Access(
        **{
            **fields,
            "base_urls": tuple(fields["base_urls"]),
            # Files of BiasLab 0.4 do not have it.
            "also_served": tuple(fields.get("also_served", ())),
            # Runs from before it could be chosen were of float32.
            "dtype": fields.get("dtype", "float32"),
            "endpoint": None if endpoint is None else Endpoint(endpoint),
            # Nor do files from before servers were tried for these.
            "continuing": Continuing(fields["continuing"]) if fields.get("continuing") else None,
            "switch": ThinkingSwitch(fields["switch"]) if fields.get("switch") else None,
        }
    )
