"""A table of outcomes, run by run: checked, voted on where asked for, ready to be counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from biaslab.stats.estimates.proportions import check_confidence
from biaslab.stats.outcomes import (
    InvalidRule,
    check_outcomes,
    check_rule,
    majority,
    most_samples,
    right_or_wrong,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class RunOutcomes:
    """What one run came to.

    Attributes:
        run, study: as in the table of outcomes.
        rows: what counts: a row per pair and sample, or per pair where it was voted on.
        asked: a row per pair and sample, whether voted on or not.
        binary: whether outcomes are right or wrong; samples, voted: as in `Effect`.
    """

    run: str
    study: str
    rows: pd.DataFrame
    asked: pd.DataFrame
    binary: bool
    samples: int
    voted: bool


def outcomes_by_run(
    outcomes: pd.DataFrame, invalid: InvalidRule, confidence: float, vote: bool
) -> list[RunOutcomes]:
    """The runs of a table of outcomes, in its order; arguments are those of `effects`.

    Raises:
        BrokenOutcomes: the table contradicts itself.
        UnknownChoice: an unknown rule for invalid answers or confidence level.
    """
    check_rule(invalid)
    check_confidence(confidence)
    check_outcomes(outcomes)
    outcomes = outcomes.reset_index(drop=True)
    asked = dict(iter(outcomes.groupby("run", sort=False)))
    counted = majority(outcomes) if vote else outcomes
    binary = {
        str(study): right_or_wrong(rows) for study, rows in counted.groupby("study", sort=False)
    }
    found = []
    for run, rows in counted.groupby("run", sort=False):
        study, samples = str(rows["study"].iloc[0]), most_samples(asked[run])
        found.append(
            RunOutcomes(
                str(run), study, rows, asked[run], binary[study], samples, vote and samples > 1
            )
        )
    return found
