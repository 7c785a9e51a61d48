"""Items of the study of rationales as they come from the file, made ready to be counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from biaslab.stats.effects import ALL, StratumValue, stratum_order
from biaslab.stats.errors import UnknownStratum
from biaslab.stats.outcomes import require_items
from biaslab.studies.malgorithm.items import RATIONALE, asks_reason
from schoolmath.malrules.bank.rationales import read_number

if TYPE_CHECKING:
    import pandas as pd

STUDY = "malgorithm"
"""Name of the study whose items these figures are for."""

CHANCE = 1 / 4
"""Share of right identifications by guessing among the four rationales of the bank's items."""

COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "arm", "item", "sample", "state",
    "value", "outcome", "extra", "facts", "cluster", "strata",
)  # fmt: skip
"""What a table of items must have."""

Rows: TypeAlias = "pd.DataFrame"
"""A row per item and sample, as `counted` makes it."""


def check_items(items: pd.DataFrame) -> None:
    """Refuses a table that is not one of items of this study.

    Raises:
        BrokenOutcomes: a column is missing, or the items are another study's.
    """
    require_items(items, COLUMNS, STUDY, "AIA and MIA are figures of the study")


def counted(rows: pd.DataFrame) -> Rows:
    """The rows of a run with what their facts say as columns of their own.

    ``longest``, ``shortest``, ``words`` and ``inside`` are how likely the rules that understand
    nothing are right, ``second`` how likely the second smallest option is the key,
    ``labels`` and ``options`` how many there are to guess among, ``wrong`` how many wrong options
    of the question can be asked for, ``of_reason`` whether a reason was asked for at all, and
    ``told`` what the reasons are.
    """
    import pandas as pd

    facts = rows["facts"]
    value = rows["value"].to_numpy(dtype=object)
    return pd.DataFrame(
        {
            "arm": rows["arm"].to_numpy(),
            "item": rows["item"].to_numpy(),
            "sample": rows["sample"].to_numpy(),
            "state": rows["state"].to_numpy(),
            "value": value,
            "outcome": rows["outcome"].to_numpy(dtype=float),
            "cluster": rows["cluster"].to_numpy(dtype=object),
            "question": [each["question_id"] for each in facts],
            "strata": rows["strata"].to_numpy(dtype=object),
            "right": [each["right"] for each in facts],
            "key_label": [each["key_label"] for each in facts],
            "mcq": [each.get("mcq", np.nan) if each else np.nan for each in rows["extra"]],
            "mcq_read": ["mcq" in each for each in rows["extra"]],
            "json": [each.get("json") for each in rows["extra"]],
            "longest": [_chance_of(each, _longest(each)) for each in facts],
            "shortest": [_chance_of(each, _shortest(each)) for each in facts],
            "words": [_chance_of(each, _most_words(each)) for each in facts],
            "second": [_second(each) for each in facts],
            "inside": [_chance_of(each, _inside(each)) for each in facts],
            "labels": [len(each["lengths"]) for each in facts],
            "options": [len(each["options"]) for each in facts],
            "wrong": [len(each["lengths"]) - bool(each["key_label"]) for each in facts],
            "of_reason": [asks_reason(each) for each in facts],
            "told": [each.get("told", RATIONALE) for each in facts],
        }
    )


def _longest(facts: Mapping[str, Any]) -> list[str]:
    lengths = facts["lengths"]
    most = max(lengths.values())
    return [label for label, length in lengths.items() if length == most]


def _shortest(facts: Mapping[str, Any]) -> list[str]:
    lengths = facts["lengths"]
    fewest = min(lengths.values())
    return [label for label, length in lengths.items() if length == fewest]


def _most_words(facts: Mapping[str, Any]) -> list[str]:
    """The rationales that share most different words with the question and the choice."""
    said = _words(f"{facts['question']} {facts['choice_text']}")
    shared = {label: len(said & _words(text)) for label, text in facts["rationales"].items()}
    most = max(shared.values())
    return [label for label, count in shared.items() if count == most]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _second(facts: Mapping[str, Any]) -> float:
    """1 or 0; not a number where the options are no different plain numbers."""
    values = {letter: read_number(text) for letter, text in facts["options"].items()}
    numbers = sorted({value for value in values.values() if value is not None})
    if len(numbers) < len(values) or len(numbers) < 2:
        return float("nan")
    return float(values[facts["key"]] == numbers[1])


def _inside(facts: Mapping[str, Any]) -> list[str]:
    return [label for label, inside in facts["value_inside"].items() if inside]


def _chance_of(facts: Mapping[str, Any], labels: Sequence[str]) -> float:
    """How likely one of the labels taken, chosen at random, is right; none: any of them all."""
    if not labels:
        return 1 / len(facts["lengths"])
    return (facts["right"] in labels) / len(labels)


def strata_of(table: Rows, by: str | None, run: str) -> Iterator[tuple[str, StratumValue, Rows]]:
    """Name, value and rows of each stratum of a run; see `identifications`.

    Raises:
        UnknownStratum: no item has it.
    """
    import pandas as pd

    if by is None:
        yield ALL, None, table
        return
    mal = table["arm"] == "x_prime"
    values = pd.Series([strata.get(by) for strata in table["strata"]], dtype=object).where(mal)
    known: list[Any] = sorted(values[mal].dropna().unique(), key=stratum_order)
    if not known:
        names = sorted({name for strata in table["strata"] for name in strata})
        raise UnknownStratum(
            f"The items of run {run} have no stratum '{by}': choose {', '.join(names)}."
        )
    for value in known:
        own = mal & (values == value)
        shared = ~mal & table["question"].isin(table.loc[own, "question"])
        yield f"{by}={value}", value, table.loc[own | shared]


KEY = "key"
"""The right way, where rules are named."""

UNREADABLE = "unreadable"
"""No label could be read."""


def confusion(items: pd.DataFrame) -> pd.DataFrame:
    """How often each rule was taken for each other one, of all runs in the table together.

    Args:
        items: as for `biaslab.studies.malgorithm.results.identifications`.

    Returns:
        columns ``rule`` (that led to the choice: an id, or ``key``), ``named`` (the rule whose
        rationale was named: an id, ``key`` or ``unreadable``) and ``answers`` (how many). Only
        what occurs; sorted. What failed or has not been asked is left out.

    Raises:
        BrokenOutcomes: as for `identifications`.
    """
    import pandas as pd

    check_items(items)
    back = items[items["state"].isin(("answered", "invalid"))]
    back = back.loc[[asks_reason(facts) for facts in back["facts"]]]
    named = [
        facts["rules"][value] if state == "answered" else UNREADABLE
        for facts, value, state in zip(back["facts"], back["value"], back["state"], strict=True)
    ]
    rule = [facts["rules"][facts["right"]] for facts in back["facts"]]
    counted = pd.DataFrame({"rule": rule, "named": named}, dtype=object).value_counts()
    table = counted.rename("answers").reset_index()
    return table.sort_values(["rule", "named"], ignore_index=True)
