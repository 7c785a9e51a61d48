"""Number or share: whether x′ is wrong for want of lessons, or for the lessons of x beside them.

Two curves of the share of x′ right, by the ratio of x to x′. At a fixed total all lessons but the
ratio are the same; at a fixed number the rarer form has as few lessons in all cells. If the share
alone counted, both curves would be one; if the number alone did, the second would be flat from 1:1
on, where x′ is the rarer form, and only lessons of x get more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.text.figures import count, p_words
from biaslab.training.experiment.contrasts import rarer_right
from biaslab.training.experiment.design import STARTS, Cell, at_fixed_number, at_fixed_total
from biaslab.training.experiment.estimates import Estimate
from biaslab.training.experiment.outcomes import Answers
from biaslab.training.experiment.predictions import LEAST_STARTS, Figure
from biaslab.training.experiment.table import Kept
from biaslab.training.experiment.verdicts import Decided, decide
from biaslab.training.experiment.wording import value_words
from biaslab.training.origins.claims import Answer

Ratio = tuple[int, int]

FIGURES = (Figure.RARER, Figure.COMMONER, Figure.BOTH)
"""A doubling of the lessons of x′, of those of x, and of both."""


@dataclass(frozen=True, slots=True)
class NumberOrShare:
    """The share of x′ right, mean over log lessons, of the same starts everywhere.

    Attributes:
        study: whose pairs.
        total: by ratio of x to x′, with the total of both fixed.
        number: likewise, with the number of lessons of the rarer form fixed.
        decided: what each doubling does, by figure, with whether it is as predicted.
    """

    study: str
    total: dict[Ratio, Estimate]
    number: dict[Ratio, Estimate]
    decided: dict[Figure, Decided]

    @property
    def starts(self) -> int:
        """How many starts are behind it."""
        return self.decided[Figure.RARER].estimate.n


def number_or_share(table: Sequence[Kept], study: str) -> NumberOrShare | None:
    """Both curves; None where no start has all cells of the study at their end."""
    decided = {
        claim.figure: found
        for claim, found in decide(table).items()
        if claim.study == study and claim.figure in FIGURES
    }
    starts = decided[Figure.RARER].estimate.starts
    if not starts:
        return None
    behind = Answers(kept for kept in table if kept.row.seed in starts)

    def curve(cells: Sequence[Cell]) -> dict[Ratio, Estimate]:
        # 1:1 at the fixed total is one cell for all studies.
        return {cell.ratio: behind.estimate(rarer_right(cell, study)) for cell in cells}

    return NumberOrShare(
        study, curve(at_fixed_total(study)), curve(at_fixed_number(study)), decided
    )


def number_sentence(found: NumberOrShare) -> str:
    """What counts, by the intervals; what decides nothing says so."""
    if found.starts < LEAST_STARTS:
        return f"Not yet decided: no verdict comes before {LEAST_STARTS} starts."
    number, share = (found.decided[figure].answer for figure in (Figure.RARER, Figure.COMMONER))
    beside = found.decided[Figure.COMMONER].estimate.interval
    if beside is not None and beside.low > 0.0:
        return f"{_counts(number, share)} Lessons of the easier form help the harder one."
    return _counts(number, share)


def _counts(number: Answer, share: Answer) -> str:
    match number, share:
        case Answer.TRUE, Answer.TRUE:
            return "Number and share both count."
        case Answer.FALSE, Answer.FALSE:
            return "Neither the number of lessons nor their share counts as predicted."
        case Answer.TRUE, _:
            return f"The number of lessons counts; {_other('share', share)}."
        case _, Answer.TRUE:
            return f"The share of lessons counts; {_other('number', number)}."
        case Answer.FALSE, _:
            return f"The number of lessons does not count as predicted; {_other('share', share)}."
        case _, Answer.FALSE:
            return f"The share of lessons does not count as predicted; {_other('number', number)}."
        case _:
            return "Whether the number of lessons or their share counts cannot be told."


def _other(name: str, answer: Answer) -> str:
    if answer is Answer.FALSE:
        return f"their {name} does not count as predicted"
    return f"whether their {name} does cannot be told"


def number_figures(found: NumberOrShare, x: str, x_prime: str) -> str:
    """What a doubling of either's lessons does, with intervals, q and starts.

    Args:
        found: the curves.
        x: what x is: ``consistent``.
        x_prime: what x′ is.
    """
    told = {figure: _figure(found.decided[figure]) for figure in FIGURES}
    return (
        f"For each doubling of {x_prime} lessons the share of {x_prime} problems right changes by "
        f"{told[Figure.RARER]}; of {x} lessons by {told[Figure.COMMONER]}; of both by "
        f"{told[Figure.BOTH]}; {found.starts} of {count(STARTS, 'start')}."
    )


def _figure(decided: Decided) -> str:
    q = "" if decided.q is None else f", q {p_words(decided.q)}"
    return f"{value_words(decided.claim.figure, decided.estimate)}{q}"
