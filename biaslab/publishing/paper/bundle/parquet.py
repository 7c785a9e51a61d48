"""The bundle's tables for other programs: its records once more, flat and typed, as Parquet.

They are made of the records beside them, so that making them again tells whether they say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from biaslab.publishing.data_sets import effect_table, response_table
from biaslab.publishing.paper.analysis import OVERALL
from biaslab.runs import Store
from schoolmath.text.given_files import parse_json

MADE_BY = "pyarrow"
OUTCOMES, EFFECTS = "outcomes.parquet", "effects.parquet"
PARQUET: Mapping[str, str] = {
    OUTCOMES: "a row for each answer: pair, arm, prompt, response, what was read, outcome",
    EFFECTS: f"a row for each run: what `{OVERALL}.json` says of all its pairs",
}
"""What each file holds, by name."""


def parquet_version() -> str:
    """The version of what writes Parquet here; empty where it is not installed."""
    try:
        return version(MADE_BY)
    except PackageNotFoundError:
        return ""


def parquet_files(store: Store, runs: Sequence[str], effects: str) -> dict[str, bytes]:
    """The files by name; none where Parquet cannot be written. The same records and the same
    version of what writes Parquet give the same bytes.

    Args:
        store: the file of runs.
        runs: ids of those that the bundle holds, in order.
        effects: text of the bundle's effects over all pairs.

    Raises:
        UnknownRun: one of the runs is not there.
        ValueError: the effects are no JSON.
    """
    if not parquet_version():
        return {}
    return {
        OUTCOMES: response_table(store, runs),
        EFFECTS: effect_table(parse_json(effects)),
    }
