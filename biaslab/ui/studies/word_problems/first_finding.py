"""The first thing that BiasLab shows: what turning a sentence round does to a language model.

Consistency, asked step by step, problems with one calculation. The answers of a recorded run, or of
one made here, are counted as Effects counts them; nothing is written down in figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.models import ModelKind, read_spec
from biaslab.runs import PairDetail, PairPattern, RunRecord, Store
from biaslab.stats.paired import CountsEffect, cate_of_counts
from biaslab.studies import MAXIMUM_PAIRS, Design
from biaslab.studies.word_problems.inside.reversals import misleading_steps, reversed_answer

MODEL = "Qwen2.5-Coder-0.5B-Instruct"
"""Whose recorded answers are shown where there are several models'."""

DESIGN = Design("consistency", 50, 1, {"steps": "1-1"})
"""What is asked again: as many pairs of one calculation as the recorded run has."""

STRATEGY = "cot"

_ONE_STEP = {"steps": 1}


@dataclass(frozen=True, slots=True)
class FirstFinding:
    """What one run found on problems with one calculation.

    Attributes:
        right_x, right_x_prime: right answers where the wording helps, and where it is turned
            round; what could not be read is not right.
        effect: their difference with its interval, n the pairs of which both were asked.
    """

    right_x: int
    right_x_prime: int
    effect: CountsEffect


def shown_run(recorded: Sequence[RunRecord]) -> RunRecord | None:
    """The recorded run that is shown first; None where none has asked this."""
    fits = [run for run in recorded if _asks_this(run)]
    return min(fits, key=lambda run: read_spec(run.model_spec).short_name != MODEL, default=None)


def again(runs: Sequence[RunRecord]) -> RunRecord | None:
    """The newest run that asks a language model the same here; None where there is none."""
    same = (
        run
        for run in runs
        if (run.design, run.sampling, run.options.samples, run.bundle) == (DESIGN, None, 1, None)
    )
    return next(filter(_asks_this, same), None)


def _asks_this(run: RunRecord) -> bool:
    asked = (run.study, run.strategy, ModelKind(run.model_kind))
    return asked == (DESIGN.study, STRATEGY, ModelKind.LANGUAGE_MODEL)


def finding(store: Store, run: str) -> FirstFinding | None:
    """What a run found so far; None before it has a pair of one calculation.

    Raises:
        StoreError: the file cannot be read, or has no such run.
    """
    counts = store.paired_counts(run, _ONE_STEP)
    effect = cate_of_counts(counts.both, counts.only_x, counts.only_x_prime, counts.neither)
    if not effect.n:
        return None
    return FirstFinding(counts.both + counts.only_x, counts.both + counts.only_x_prime, effect)


def telling_pair(store: Store, run: str) -> PairDetail | None:
    """A pair of which one member alone came out right, the other by the reversed operation.

    Of all such pairs with one calculation the shortest to read, the first of these.

    Raises:
        StoreError: as `finding`.
    """
    rows = store.pair_rows(run, (PairPattern.ONLY_X,), _ONE_STEP, limit=MAXIMUM_PAIRS)
    for row in sorted(rows, key=lambda row: len(row.text_x) + len(row.text_x_prime)):
        found = store.pair_detail(run, row.pair)
        wrong = reversed_answer(found.x_prime.item, misleading_steps(found.pair))
        if wrong is not None and row.value_x_prime == str(wrong):
            return found
    return None
