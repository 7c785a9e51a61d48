"""Rules for stopping a run before all its pairs are asked, chosen before it starts.

`UntilNarrow` asks until the interval of the CATE is as narrow as wanted, `GroupSequential` until
it is clear that there is an effect. Both look at numbers of pairs that are finished: answered,
invalid or failed for good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.sequential.group import GroupSequential
from biaslab.stats.sequential.until_narrow import UntilNarrow

StoppingRule: TypeAlias = UntilNarrow | GroupSequential
"""When a run may stop before all pairs are asked."""


def rule_from_json(value: Mapping[str, Any]) -> StoppingRule:
    """Reads what a rule's ``as_json`` wrote.

    Raises:
        ImpossiblePlan: it is no rule, lacks a number, has one that is unknown, or one that
            cannot be.
    """
    kinds: dict[str, type[UntilNarrow | GroupSequential]] = {
        kind.NAME: kind for kind in (UntilNarrow, GroupSequential)
    }
    given = dict(value)
    kind = kinds.get(str(given.pop("rule", None)))
    if kind is None:
        raise ImpossiblePlan(
            f"There is no stopping rule '{value.get('rule')}': choose {' or '.join(kinds)}."
        )
    known = {field.name: field.type for field in fields(kind)}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ImpossiblePlan(
            f"The stopping rule {kind.NAME} has no '{unknown[0]}': it may have {', '.join(known)}."
        )
    for name, wanted in known.items():
        _check_type(given, name, str(wanted))
    try:
        return kind(**given)
    except TypeError as error:
        raise ImpossiblePlan(f"The stopping rule {kind.NAME} is incomplete: {error}.") from error


def _check_type(given: Mapping[str, Any], name: str, wanted: str) -> None:
    if name not in given or wanted not in ("int", "float"):
        return
    number = given[name]
    allowed = (int, float) if wanted == "float" else (int,)
    if isinstance(number, bool) or not isinstance(number, allowed):
        kind = "a number" if wanted == "float" else "a whole number"
        raise ImpossiblePlan(f"'{name}' of the stopping rule is {number!r}: give {kind}.")
