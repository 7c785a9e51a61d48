"""Outcomes as they come from the file, checked and made ready to be counted.

A pair counts when both members are answered or invalid. A failed request is nobody's wrong
answer, and a missing one has not been asked yet: their pairs are left out and counted apart.

Where every item was asked several times there is a row per sample, and sample k of one member
stands beside sample k of the other. Samples of a pair are never independent of each other, so
all of them become one: a pair's outcomes are the means of those of its samples that count, and
n is the number of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from biaslab.stats.errors import BrokenOutcomes, UnknownChoice
from biaslab.stats.paired import Outcomes, is_binary

if TYPE_CHECKING:
    import pandas as pd


def require_items(items: pd.DataFrame, columns: Sequence[str], study: str, figures: str) -> None:
    """Refuses a table that cannot be counted.

    Args:
        items: as of `Store.answered_items`.
        columns: those that are needed.
        study: name of the study that all items must be of.
        figures: what is to be counted, in words, as the start of a sentence.

    Raises:
        BrokenOutcomes: a column is missing, or there are items of another study.
    """
    absent = [name for name in columns if name not in items.columns]
    if absent:
        raise BrokenOutcomes(
            f"The table of items has no column {', '.join(absent)}: take it from the store's "
            "answered items as it is."
        )
    others = sorted(set(items["study"]) - {study})
    if others:
        raise BrokenOutcomes(
            f"{figures} {study}, and there are items of {', '.join(others)}: leave their runs out."
        )


InvalidRule: TypeAlias = Literal["strict", "exclude"]
"""``strict``: an answer that cannot be read counts as not right; ``exclude``: its pair is
left out. Either way it is counted and reported."""

COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "pair", "cluster", "strata",
    "y_x", "y_x_prime", "state_x", "state_x_prime",
)  # fmt: skip
"""What a table of outcomes must have, a row per run, pair and sample.

It may have ``on_scale`` (whether outcomes are positions on a scale and no right answers; absent:
no), ``recorded`` (whether the run came with BiasLab and was not asked here, which makes such runs a
family of tests of their own; absent: no), ``sample`` (0, 1, ...; absent or empty: 0) and
``value_x`` and ``value_x_prime``, the answers as read (text, or None), which votes and agreement
need; ``position``, the place of the pair in its design, and ``item_x`` and ``item_x_prime``, ids of
the items."""

_STATES = ("answered", "invalid", "failed", "missing")

_Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CountedPairs:
    """Some pairs of one run, ready for estimation.

    Attributes:
        pair: ids of the pairs that count, shape (n,).
        y_x, y_x_prime: their outcomes, shape (n,): means over those of their samples that count.
        cluster: their clusters, shape (n,).
        first: for each of them, the place in the table of its first row, shape (n,).
        rows: samples of these pairs that count.
        answers: samples whose members both came back, read or not.
        invalid_x, invalid_x_prime: answers that could not be read, among samples whose members
            both came back (in the estimate or not).
        failed: pairs without any sample that counts because a request failed; unfinished:
            because a member has not been answered yet; excluded: because an answer is invalid
            and left out.
        samples_failed, samples_unfinished, samples_excluded: samples left out of the pairs that
            count, for the same reasons.
    """

    pair: npt.NDArray[Any]
    y_x: Outcomes
    y_x_prime: Outcomes
    cluster: npt.NDArray[Any]
    first: npt.NDArray[np.intp]
    rows: int
    answers: int
    invalid_x: int
    invalid_x_prime: int
    failed: int
    unfinished: int
    excluded: int
    samples_failed: int
    samples_unfinished: int
    samples_excluded: int


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
            outcome, a sample is no number, or the same sample of a pair occurs twice in a run.
    """
    import pandas as pd

    absent = [name for name in COLUMNS if name not in outcomes.columns]
    if absent:
        raise BrokenOutcomes(
            f"The table of outcomes has no column {', '.join(absent)}: "
            "take it from the store's outcomes as it is."
        )
    for member in ("x", "x_prime"):
        states = outcomes[f"state_{member}"]
        unknown = sorted(str(state) for state in states.unique() if state not in _STATES)
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
    sample = sample_numbers(outcomes)
    twice = outcomes[["run", "pair"]].assign(sample=sample).duplicated()
    if twice.any():
        row = outcomes.loc[twice.to_numpy()].iloc[0]
        which = f"Sample {row['sample']} of pair" if sample.any() else "Pair"
        raise BrokenOutcomes(
            f"{which} {row['pair']} occurs twice in run {row['run']}: list every run only once."
        )
    if sample.any():
        _check_clusters(outcomes)


def _check_clusters(outcomes: pd.DataFrame) -> None:
    apart = outcomes[["run", "pair", "cluster"]].drop_duplicates()
    torn = apart.duplicated(["run", "pair"])
    if torn.any():
        row = apart.loc[torn].iloc[0]
        raise BrokenOutcomes(
            f"The samples of pair {row['pair']} of run {row['run']} name different clusters: "
            "take the table from the store's outcomes as it is."
        )


def check_values(outcomes: pd.DataFrame) -> None:
    """Refuses a checked table whose answers cannot be compared with each other.

    Raises:
        BrokenOutcomes: a column of values is missing, or an answered member has no value.
    """
    for member in ("x", "x_prime"):
        name = f"value_{member}"
        if name not in outcomes.columns:
            raise BrokenOutcomes(
                f"The table of outcomes has no column {name}: votes and agreement need the "
                "answers as read. Take the table from the store with its values."
            )
        lost = (outcomes[f"state_{member}"] == "answered") & outcomes[name].isna()
        if lost.any():
            row = outcomes.loc[lost].iloc[0]
            raise BrokenOutcomes(
                f"Pair {row['pair']} of run {row['run']} is answered but has no {name}: votes "
                "and agreement need the answers as read. Take the table from the store with its "
                "values."
            )


def sample_numbers(outcomes: pd.DataFrame) -> npt.NDArray[np.int64]:
    """The number of each row's sample, shape (rows,); 0 where the table does not say.

    Raises:
        BrokenOutcomes: something in the column is no whole number from 0.
    """
    import pandas as pd

    if "sample" not in outcomes.columns:
        return np.zeros(len(outcomes), dtype=np.int64)
    given = outcomes["sample"]
    numbers = pd.to_numeric(given, errors="coerce").to_numpy(float, na_value=np.nan)
    wrong = ~given.isna().to_numpy() & ~((numbers >= 0) & (numbers % 1 == 0))
    if wrong.any():
        raise BrokenOutcomes(
            f"Column sample says '{given[wrong].iloc[0]}': it may only say 0, 1, 2 and so on."
        )
    whole: npt.NDArray[np.int64] = np.nan_to_num(numbers).astype(np.int64)
    return whole


def most_samples(outcomes: pd.DataFrame) -> int:
    """The largest number of samples that any pair of the checked rows has; at least 1."""
    if outcomes.empty:
        return 1
    return int(outcomes.groupby(["run", "pair"], sort=False).size().max())


def right_or_wrong(outcomes: pd.DataFrame) -> bool:
    """Whether everything answered is 0 or 1, so that shares and McNemar's test make sense.

    Outcomes of a study that has a scale are none, whatever values happen to be among them.
    """
    if "on_scale" in outcomes and bool(outcomes["on_scale"].any()):
        return False
    return all(
        is_binary(outcomes.loc[outcomes[f"state_{m}"] == "answered", f"y_{m}"].to_numpy(float))
        for m in ("x", "x_prime")
    )


def count_pairs(outcomes: pd.DataFrame, invalid: InvalidRule) -> CountedPairs:
    """Decides which pairs count and what their outcomes are.

    A pair counts as soon as one of its samples does.

    Args:
        outcomes: checked rows of one run.
        invalid: ``strict`` gives an invalid answer the outcome 0, ``exclude`` leaves its sample
            of the pair out.
    """
    import pandas as pd

    state_x = outcomes["state_x"].to_numpy(dtype=object)
    state_x_prime = outcomes["state_x_prime"].to_numpy(dtype=object)
    failed: _Mask = (state_x == "failed") | (state_x_prime == "failed")
    missing: _Mask = ((state_x == "missing") | (state_x_prime == "missing")) & ~failed
    back: _Mask = ~failed & ~missing
    invalid_x: _Mask = back & (state_x == "invalid")
    invalid_x_prime: _Mask = back & (state_x_prime == "invalid")
    left_out: _Mask = np.zeros_like(back) if invalid == "strict" else invalid_x | invalid_x_prime
    counted: _Mask = back & ~left_out
    pair, pairs = pd.factorize(outcomes["pair"])
    in_pair = _PerPair(pair, len(pairs))
    size = in_pair.sum(counted)
    counts: _Mask = size > 0
    lost_to_failure: _Mask = ~counts & (in_pair.sum(failed) > 0)
    unfinished: _Mask = ~counts & ~lost_to_failure & (in_pair.sum(missing) > 0)
    beside: _Mask = counts[pair]
    y_x = np.where(invalid_x, 0.0, outcomes["y_x"].to_numpy(float))
    y_x_prime = np.where(invalid_x_prime, 0.0, outcomes["y_x_prime"].to_numpy(float))
    return CountedPairs(
        pair=np.asarray(pairs, dtype=object)[counts],
        y_x=(in_pair.sum(np.where(counted, y_x, 0.0))[counts] / size[counts]),
        y_x_prime=(in_pair.sum(np.where(counted, y_x_prime, 0.0))[counts] / size[counts]),
        cluster=outcomes["cluster"].to_numpy(dtype=object)[in_pair.first()][counts],
        first=in_pair.first()[counts],
        rows=int(counted.sum()),
        answers=int(back.sum()),
        invalid_x=int(invalid_x.sum()),
        invalid_x_prime=int(invalid_x_prime.sum()),
        failed=int(lost_to_failure.sum()),
        unfinished=int(unfinished.sum()),
        excluded=int((~counts & ~lost_to_failure & ~unfinished).sum()),
        samples_failed=int((failed & beside).sum()),
        samples_unfinished=int((missing & beside).sum()),
        samples_excluded=int((left_out & beside).sum()),
    )


@dataclass(frozen=True, slots=True)
class _PerPair:
    """Sums over the rows of each pair.

    Attributes:
        pair: which pair each row belongs to, numbered by first appearance; pairs: how many.
    """

    pair: npt.NDArray[np.intp]
    pairs: int

    def sum(self, values: npt.NDArray[Any]) -> Outcomes:
        sums = np.bincount(self.pair, weights=values.astype(np.float64), minlength=self.pairs)
        return sums.astype(np.float64)

    def first(self) -> npt.NDArray[np.intp]:
        """The first row of each pair."""
        return np.unique(self.pair, return_index=True)[1]


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
        outcomes: as for `biaslab.stats.effects`, with ``value_x`` and ``value_x_prime``
        where
            a pair has several samples; elsewhere they may be missing.

    Returns:
        the same columns, in the order in which the pairs first appear; ``sample`` is 0. The
        outcome, state and value are those of the vote, everything else is that of the pair's
        first row.

    Raises:
        BrokenOutcomes: the table contradicts itself, or has several samples but no values.
    """
    import pandas as pd

    check_outcomes(outcomes)
    outcomes = outcomes.reset_index(drop=True)
    repeated = outcomes.loc[outcomes.duplicated(["run", "pair"]), "run"]
    voting = outcomes["run"].isin(repeated)
    parts = [part for part in (outcomes[~voting], _voted(outcomes[voting])) if not part.empty]
    voted = pd.concat(parts).sort_index().reset_index(drop=True) if parts else outcomes
    return voted.assign(sample=0) if "sample" in voted.columns else voted


def _voted(outcomes: pd.DataFrame) -> pd.DataFrame:
    """The votes of runs with several samples, each in the place of its pair's first row."""
    import pandas as pd

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
