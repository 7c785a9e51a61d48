"""One answer from several: the answer that a model gives most often."""

from __future__ import annotations

import pandas as pd

from biaslab.stats.outcomes import check_outcomes, check_values, sample_numbers


def majority(outcomes: pd.DataFrame) -> pd.DataFrame:
    """One row per run and pair, each member's outcome by vote of its samples.

    The value read most often wins (Wang et al. 2023, *Self-consistency improves chain of thought
    reasoning in language models*, ICLR). Among values that occur equally often the one wins that
    the earliest sample gave: samples are exchangeable, so this favours no value, and the same
    table always gives the same vote. An answer that could not be read does not vote; if none
    could be read, the vote is invalid. A member of which a sample failed or has not been
    answered yet stays failed or missing, because that sample could change the vote. Runs in which
    no pair has several samples have nothing to vote on and stay as they are.

    Args:
        outcomes: as for `biaslab.stats.effects.effects`, with ``value_x`` and ``value_x_prime``
        where
            a pair has several samples; elsewhere they may be missing.

    Returns:
        the same columns, in the order in which the pairs first appear; ``sample`` is 0. The
        outcome, state and value are those of the vote, everything else is that of the pair's
        first row.

    Raises:
        BrokenOutcomes: the table contradicts itself, or has several samples but no values.
    """
    check_outcomes(outcomes)
    outcomes = outcomes.reset_index(drop=True)
    repeated = outcomes.loc[outcomes.duplicated(["run", "pair"]), "run"]
    voting = outcomes["run"].isin(repeated)
    parts = [part for part in (outcomes[~voting], _voted(outcomes[voting])) if not part.empty]
    voted = pd.concat(parts).sort_index().reset_index(drop=True) if parts else outcomes
    return voted.assign(sample=0) if "sample" in voted.columns else voted


def _voted(outcomes: pd.DataFrame) -> pd.DataFrame:
    """The votes of runs with several samples, each in the place of its pair's first row."""
    if outcomes.empty:
        return outcomes
    check_values(outcomes)
    sample = sample_numbers(outcomes)
    voter = outcomes.groupby(["run", "pair"], sort=False).ngroup()
    voted = outcomes.loc[~voter.duplicated()].copy()
    place = voter[voted.index]
    for member in ("x", "x_prime"):
        votes = pd.DataFrame(
            {
                "voter": voter,
                "sample": sample,
                "state": outcomes[f"state_{member}"],
                "value": outcomes[f"value_{member}"],
                "outcome": outcomes[f"y_{member}"],
            }
        )
        winner = _winners(votes).reindex(place).set_axis(voted.index)
        voted[f"state_{member}"] = _states(votes).reindex(place).set_axis(voted.index)
        decided = voted[f"state_{member}"] == "answered"
        voted[f"value_{member}"] = winner["value"].astype(object).where(decided, None)
        voted[f"y_{member}"] = winner["outcome"].astype("float64").where(decided)
    return voted


def _winners(votes: pd.DataFrame) -> pd.DataFrame:
    """The sample that stands for the winning value, indexed by voter."""
    read = votes.loc[votes["state"] == "answered"].sort_values("sample", kind="stable")
    same = read.groupby(["voter", "value"])["sample"]
    read = read.assign(count=same.transform("size"), first=same.transform("min"))
    read = read.sort_values(["count", "first"], ascending=[False, True], kind="stable")
    return read.drop_duplicates("voter").set_index("voter")


def _states(votes: pd.DataFrame) -> pd.Series:
    """What became of each member: the least finished of its samples decides."""
    order = ("failed", "missing", "answered", "invalid")
    rank = votes["state"].map({state: place for place, state in enumerate(order)})
    return rank.groupby(votes["voter"]).min().map(dict(enumerate(order)))
