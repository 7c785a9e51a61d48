"""Outcomes as they come from the file, checked and made ready to be counted.

A pair counts when both members are answered or invalid. A failed request is nobody's wrong
answer, and a missing one has not been asked yet: their pairs are left out and counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from biaslab.analysis.errors import BrokenOutcomes, UnknownChoice
from biaslab.analysis.paired import Outcomes, is_binary

InvalidRule: TypeAlias = Literal["strict", "exclude"]
"""``strict``: an answer that cannot be read counts as not right; ``exclude``: its pair is
left out. Either way it is counted and reported."""

COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "pair", "cluster", "strata",
    "y_x", "y_x_prime", "state_x", "state_x_prime",
)  # fmt: skip
"""What a table of outcomes must have, a row per pair of a run."""

_STATES = ("answered", "invalid", "failed", "missing")

_Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Counted:
    """Some pairs of one run, ready for estimation.

    Attributes:
        y_x, y_x_prime: outcomes of the pairs that count, shape (n,).
        cluster: their clusters, shape (n,).
        invalid_x, invalid_x_prime: answers that could not be read, among pairs whose members
            both came back (in the estimate or not).
        failed: pairs left out because a request failed; unfinished: because a member has not
            been answered yet; excluded: because an answer is invalid and left out.
    """

    y_x: Outcomes
    y_x_prime: Outcomes
    cluster: npt.NDArray[Any]
    invalid_x: int
    invalid_x_prime: int
    failed: int
    unfinished: int
    excluded: int


def check_rule(invalid: str) -> None:
    """Refuses a rule for invalid answers that does not exist.

    Raises:
        UnknownChoice: the message names those that do.
    """
    if invalid not in get_args(InvalidRule):
        raise UnknownChoice(
            f"There is no rule '{invalid}' for invalid answers: "
            "choose 'strict' (they count as not right) or 'exclude' (their pairs are left out)."
        )


def check_outcomes(outcomes: pd.DataFrame) -> None:
    """Refuses a table that cannot be counted without guessing.

    Raises:
        BrokenOutcomes: a column is missing, a state is unknown, an answered member has no
            outcome, or a pair occurs twice in a run.
    """
    absent = [name for name in COLUMNS if name not in outcomes.columns]
    if absent:
        raise BrokenOutcomes(
            f"The table of outcomes has no column {', '.join(absent)}: "
            "take it from the store's outcomes as it is."
        )
    for member in ("x", "x_prime"):
        states = outcomes[f"state_{member}"]
        unknown = sorted({str(state) for state in states[~states.isin(_STATES)]})
        if unknown:
            raise BrokenOutcomes(
                f"Column state_{member} says '{unknown[0]}': it may only say {', '.join(_STATES)}."
            )
        values = pd.to_numeric(outcomes[f"y_{member}"], errors="coerce")
        lost = (states == "answered") & ~np.isfinite(values)
        if lost.any():
            row = outcomes.loc[lost].iloc[0]
            raise BrokenOutcomes(
                f"Pair {row['pair']} of run {row['run']} is answered but has no outcome in "
                f"y_{member}: an answer that could not be read must be marked invalid."
            )
    twice = outcomes.duplicated(["run", "pair"])
    if twice.any():
        row = outcomes.loc[twice].iloc[0]
        raise BrokenOutcomes(
            f"Pair {row['pair']} occurs twice in run {row['run']}: list every run only once."
        )


def right_or_wrong(outcomes: pd.DataFrame) -> bool:
    """Whether everything answered is 0 or 1, so that shares and McNemar's test make sense."""
    return all(
        is_binary(outcomes.loc[outcomes[f"state_{m}"] == "answered", f"y_{m}"].to_numpy(float))
        for m in ("x", "x_prime")
    )


def count(outcomes: pd.DataFrame, invalid: InvalidRule) -> Counted:
    """Decides which pairs count and what their outcomes are.

    Args:
        outcomes: checked rows of one run.
        invalid: ``strict`` gives an invalid answer the outcome 0, ``exclude`` leaves its pair
            out.
    """
    state_x = outcomes["state_x"].to_numpy(dtype=object)
    state_x_prime = outcomes["state_x_prime"].to_numpy(dtype=object)
    failed: _Mask = (state_x == "failed") | (state_x_prime == "failed")
    missing: _Mask = (state_x == "missing") | (state_x_prime == "missing")
    back: _Mask = ~failed & ~missing
    invalid_x: _Mask = back & (state_x == "invalid")
    invalid_x_prime: _Mask = back & (state_x_prime == "invalid")
    unreadable: _Mask = invalid_x | invalid_x_prime
    counted: _Mask = back if invalid == "strict" else back & ~unreadable
    return Counted(
        np.where(invalid_x, 0.0, outcomes["y_x"].to_numpy(float))[counted],
        np.where(invalid_x_prime, 0.0, outcomes["y_x_prime"].to_numpy(float))[counted],
        outcomes["cluster"].to_numpy(dtype=object)[counted],
        int(invalid_x.sum()),
        int(invalid_x_prime.sum()),
        int(failed.sum()),
        int((missing & ~failed).sum()),
        0 if invalid == "strict" else int(unreadable.sum()),
    )
