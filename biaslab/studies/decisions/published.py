"""Scores of decision biases as published, kept apart from what this lab measures.

Facts with their source (assets/published/README.md). No intervals are printed, and none can be
worked out from two decimals.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from biaslab.stats.errors import BrokenAssets
from biaslab.studies.decisions.biases.catalogue import bias_paths, biases
from biaslab.studies.decisions.biases.template import FidelityVerdict
from biaslab.studies.published import ASSETS

_SPACED = {"conservatism-bias": "Conservatism", "illusion-of-control": "Illusion of Control"}
"""Names that do not follow from the id."""

_REMARK = re.compile(r"\(.*?\)")
_KIND = re.compile(r"(?:bias|effect)\Z")


def spaced_name(bias_id: str) -> str:
    """As in the data sets: ``In Group Bias``."""
    return _SPACED.get(bias_id) or " ".join(word.capitalize() for word in bias_id.split("-"))


def joined_name(bias_id: str) -> str:
    """As in the results of decisions: ``InGroupBias``."""
    return "".join(word[:1].upper() + word[1:] for word in spaced_name(bias_id).split())


def bias_of_name(name: str) -> str | None:
    """The id behind a published name, however it is spelled; None for an unknown one."""
    return _by_key().get(_key(name))


@cache
def _by_key() -> dict[str, str]:
    return {_key(name): name for name in bias_paths()}


def _key(name: str) -> str:
    letters = re.sub(r"[^a-z]", "", _REMARK.sub("", name).lower())
    return _KIND.sub("", letters)


_FILE = "malberg_2024_heatmap.csv"
SOURCE = "Malberg et al. (2024), heat map of the version before publication"
AVERAGE, RANDOM = "Average", "Random"
"""Columns that are no model: the mean over all models, and answers drawn at random."""

CAVEATS = (
    "The scenes, texts and prompt strategies are others than here: rows stand side by side "
    "and are no replication.",
    "Conservatism was scored with a reversed scale by mistake, which the authors corrected in "
    "2025: its published row means nothing.",
    "About 70 % of the published cases had their options reversed, in one pattern that came back "
    "in every batch; here it is a balanced half.",
    "In loss aversion the gamble was worth more than the sure gain in 98.8 % of cases, so "
    "risk-taking and loss aversion cannot be distinguished; the repaired variant here can.",
    "Random answers to the planning fallacy score −0.05, not 0: the points it measures from are "
    "not placed evenly.",
    "A score near 0 may mean no bias, or the same option whatever is asked.",
)
"""What to know before comparing."""


def stands_beside(bias_id: str) -> bool:
    """Whether a published mean may stand beside the test of this bias here: the same test."""
    found = biases().get(bias_id)
    record = None if found is None else found.fidelity
    return record is not None and record.verdict is FidelityVerdict.FAITHFUL


def faithful_tests(bias_id: str) -> list[str]:
    """The tests here beside which the published mean of a bias may stand: its own, or a variant
    of it that is as published.
    """
    return [
        each.id
        for each in biases().values()
        if bias_id in (each.id, each.variant_of) and stands_beside(each.id)
    ]


@dataclass(frozen=True, slots=True)
class PublishedBias:
    """One cell of the published heat map.

    Attributes:
        bias: id here; name: as printed.
        model: as printed; `AVERAGE` and `RANDOM` are none.
        value: mean score, -1..1.
        note: what is wrong with it; "" mostly.
    """

    bias: str
    name: str
    model: str
    value: float
    note: str


@cache
def published_biases() -> tuple[PublishedBias, ...]:
    """The heat map, in its order.

    Raises:
        BrokenAssets: the table is missing or malformed.
    """
    try:
        with (ASSETS / _FILE).open(encoding="utf-8", newline="") as file:
            return tuple(_cell(row) for row in csv.DictReader(file))
    except (OSError, KeyError, ValueError) as error:
        raise BrokenAssets(f"assets/published/{_FILE} cannot be read: {error}.") from error


def published_beside(models: Sequence[str]) -> list[PublishedBias]:
    """The published values of models, each under the ids of the tests that it may stand beside."""
    return [
        replace(cell, bias=test)
        for cell in published_biases()
        if cell.model in models
        for test in faithful_tests(cell.bias)
    ]


def _cell(row: dict[str, str]) -> PublishedBias:
    bias = bias_of_name(row["bias"])
    if bias is None:
        raise ValueError(f"there is no bias {row['bias']}")
    return PublishedBias(bias, row["bias"], row["model"], float(row["value"]), row["note"])
