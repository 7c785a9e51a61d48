"""The file of a plan: which studies are asked of which models, in which ways, at what cost.

    studies:
      - {study: consistency, n: 200, steps: 1-3}
      - carry
    models:
      - tiny:balanced
      - {model: "openai:llama3.2", base_url: "http://localhost:11434/v1"}
    strategies: [direct, cot]
    budget: {requests: 5000}

A plan names no keys: a server that wants one is connected before, by a person (docs/servers.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from biaslab.models.access import AT_ONCE, MOST_AT_ONCE
from biaslab.runs.budget import Budget
from biaslab.runs.errors import RunError
from biaslab.runs.store.schema import MOST_SAMPLES
from biaslab.studies import Design
from schoolmath.text.yaml_files import parse_yaml

MAX_BYTES = 100_000
"""Bytes of the largest plan."""

MOST_SHOWN = 12
"""Faults that a refusal tells."""

_Name = Annotated[str, Field(min_length=1, max_length=300)]


class PlanError(RunError):
    """A plan that is not taken; the message tells its faults, each with its place."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlannedStudy(_Entry):
    """A study with its design. Further keys are settings of the study, such as ``steps: 1-3``.

    Attributes:
        study: its name; n, seed: as for `biaslab.studies.Design`.
        strategies: prompt strategies in place of the plan's.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    study: _Name
    n: int = Field(default=200, ge=1, le=1_000_000)
    seed: int = 1
    strategies: tuple[_Name, ...] | Literal["all"] | None = None

    @property
    def design(self) -> Design:
        """Which pairs are asked."""
        return Design(self.study, self.n, self.seed, dict(self.model_extra or {}))


class PlannedModel(_Entry):
    """A model and how it is reached.

    Attributes:
        model: what opens it, as ``--model``.
        base_url: of its server; None: that of OpenAI, or none is needed.
        at_most: requests on their way at once.
        price_in, price_out: of a million tokens sent and written; currency: of both.
    """

    model: _Name
    base_url: _Name | None = None
    at_most: int = Field(default=AT_ONCE, ge=1, le=MOST_AT_ONCE)
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    currency: str = Field(default="USD", max_length=10)


class PlannedBudget(_Entry):
    """What all cells may use together; None: no limit."""

    requests: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    money: Decimal | None = Field(default=None, ge=0)


def _by_name(key: str) -> BeforeValidator:
    """An entry that is a name alone stands for one with that key."""
    return BeforeValidator(lambda given: {key: given} if isinstance(given, str) else given)


class MatrixPlan(_Entry):
    """What is asked of whom.

    Attributes:
        studies, models: at least one of each.
        strategies: names of prompt strategies, "all", or None for the first of each study. A
            study that does not know one of them has no cell for it.
        samples: how often each item is asked; temperature, sampling_seed: of every request, where
            not as the strategies say.
        most: what all of it may use.
    """

    studies: tuple[Annotated[PlannedStudy, _by_name("study")], ...] = Field(
        min_length=1, max_length=50
    )
    models: tuple[Annotated[PlannedModel, _by_name("model")], ...] = Field(
        min_length=1, max_length=100
    )
    strategies: tuple[_Name, ...] | Literal["all"] | None = None
    samples: int = Field(default=1, ge=1, le=MOST_SAMPLES)
    temperature: float | None = Field(default=None, ge=0, le=2)
    sampling_seed: int = 0
    most: PlannedBudget = Field(default=PlannedBudget(), alias="budget")

    @property
    def budget(self) -> Budget:
        """What all cells may use together."""
        return Budget(self.most.requests, self.most.tokens, self.most.money)


def read_plan(data: bytes, name: str = "The plan") -> MatrixPlan:
    """A plan from its file.

    Args:
        data: the file; more than `MAX_BYTES` are refused before anything is parsed.
        name: what it is called, for refusals.

    Raises:
        PlanError: naming every entry and key at fault.
    """
    if len(data) > MAX_BYTES:
        raise PlanError(f"{name} is larger than {MAX_BYTES:,} bytes: split it.")
    try:
        loaded = parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PlanError(f"{name} is no text in UTF-8: save it as UTF-8.") from None
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise PlanError(f"{name} is no YAML{line}: {error.problem or 'it is damaged'}.") from None
    except (yaml.YAMLError, ValueError) as error:
        raise PlanError(f"{name} is no YAML: {error}.") from None
    if not isinstance(loaded, dict):
        raise PlanError(f"{name} holds no plan: begin with “studies:” and “models:”.")
    try:
        return MatrixPlan.model_validate(loaded)
    except ValidationError as error:
        faults = list(_faults(error))
        if len(faults) > MOST_SHOWN:
            faults[MOST_SHOWN:] = [f"... and {len(faults) - MOST_SHOWN} more."]
        raise PlanError("\n".join(f"{name}: {fault}" for fault in faults)) from None


_KINDS_OF_FAULT = {
    "missing": "is missing",
    "extra_forbidden": "is no key that is known here",
    "string_type": "is no text",
    "int_parsing": "is no whole number",
    "int_type": "is no whole number",
    "float_parsing": "is no number",
    "float_type": "is no number",
    "decimal_parsing": "is no amount: write a number such as 2.50",
    "tuple_type": "is no list: write [one, two]",
    "too_short": "has no entry",
    "too_long": "has too many entries",
    "string_too_long": "is too long",
    "string_too_short": "is empty",
}


def _faults(error: ValidationError) -> Iterator[str]:
    """A sentence for each fault, once for each place."""
    seen = set()
    for fault in error.errors(include_url=False, include_input=False):
        place = _place(fault["loc"])
        if place not in seen:
            seen.add(place)
            yield f"{place} {_KINDS_OF_FAULT.get(fault['type']) or _limit(fault)}."


def _place(parts: tuple[int | str, ...]) -> str:
    place = ""
    for part in parts:
        if isinstance(part, int):
            place += f"[{part + 1}]"
        elif part.isidentifier():
            place += f".{part}" if place else part
    return place or "The file"


def _limit(fault: Mapping[str, Any]) -> str:
    """What a number may be; for anything else that it cannot be so."""
    bounds = fault.get("ctx", {})
    if "ge" in bounds:
        return f"is less than {bounds['ge']}"
    if "le" in bounds:
        return f"is more than {bounds['le']:,}"
    return "cannot be so"
