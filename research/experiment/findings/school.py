"""Mixes of school problems: which effects come of all their ratios at once.

Declared when rows 1 and 2 were known and nothing of rows 5 and 7 was trained
(research/docs/experiment.md, "Mixes of school problems"). The claims are a family of tests of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from biaslab.training.origins.predictions import Truth
from research.experiment.contrasts import (
    Contrast,
    Weights,
    at_check,
    effect,
    over_log_lessons,
)
from research.experiment.design import CELLS, CHECKS, STARTS
from research.experiment.estimates import StartsEstimate
from research.experiment.outcomes import TrainingAnswers
from research.experiment.predictions import (
    CONSISTENCY,
    LEAST_STARTS,
    NO_EFFECT,
    STUDIES,
    TRANSFER,
    ClaimFigure,
    Side,
)
from research.experiment.table import Kept
from research.experiment.verdicts import Located, decide_together
from research.experiment.wording import value_words
from schoolmath.text.figures import count, listed, p_words

AUDITED, COUNTED, EVEN = "audited", "skewed", "balanced"
"""Cells: as this project's audit told of public corpora, as Opedal et al. (2024) counted, and as
many of each."""

COMPARED = (COUNTED, AUDITED, EVEN)
"""From the most uneven."""

RATIOS_OF = {COUNTED: "Opedal et al.", AUDITED: "public corpora", EVEN: "1:1"}
"""Whose ratios each of them has, for people."""

_EFFECTS = {CONSISTENCY: "consistency", TRANSFER: "transfer"}


@dataclass(frozen=True, slots=True)
class SchoolClaim:
    """That an effect is above zero, or that it is larger with one mix than with another.

    Attributes:
        study: whose pairs; mix: the cell; than: the other cell, where two are compared.
    """

    study: str
    mix: str
    than: str = ""

    def contrast(self, checks: Weights) -> Contrast:
        """The figure that has to be above zero; declared was the mean over log lessons."""
        cells = [(CELLS[self.mix], 1.0)]
        if self.than:
            cells.append((CELLS[self.than], -1.0))
        return Contrast(self.study, cells, checks)


CLAIMS = (
    *(SchoolClaim(study, mix) for mix in (AUDITED, COUNTED) for study in _EFFECTS),
    *(SchoolClaim(study, COUNTED, AUDITED) for study in _EFFECTS),
)


@dataclass(frozen=True, slots=True)
class SchoolDecided:
    """A claim with what the table says of it.

    Attributes:
        claim: what was declared; estimate: its figure; q: among these claims; None without a test.
        answer: whether it holds.
    """

    claim: SchoolClaim
    estimate: StartsEstimate
    q: float | None
    answer: Truth


@dataclass(frozen=True, slots=True)
class SchoolMixes:
    """What comes of the mixes of school problems, beside an even one.

    Attributes:
        mean, end: by study and cell, the effect over log lessons and after the last lesson, of
            the same starts everywhere.
        decided: every claim; decided_at_end: the same after the last lesson, of which nothing was
            declared.
    """

    mean: dict[tuple[str, str], StartsEstimate]
    end: dict[tuple[str, str], StartsEstimate]
    decided: tuple[SchoolDecided, ...]
    decided_at_end: tuple[SchoolDecided, ...]

    @property
    def starts(self) -> int:
        """How many starts are behind it."""
        return self.mean[CONSISTENCY, AUDITED].n

    def rows(self) -> Iterator[tuple[str, str, str, StartsEstimate]]:
        """Every effect with its study, its mix and when it is of."""
        for when, effects in (("mean over log lessons", self.mean), ("last lesson", self.end)):
            for (study, mix), estimate in effects.items():
                yield study, mix, when, estimate


def school_mixes(table: Sequence[Kept]) -> SchoolMixes | None:
    """Effects and claims; None where no start has both mixes and the even one at their end."""
    names = {name: set[int]() for name in COMPARED}
    for kept in table:
        if kept.row.final and kept.row.mix in names:
            names[kept.row.mix].add(kept.row.seed)
    whole = set.intersection(*names.values())
    if not whole:
        return None
    answers = TrainingAnswers(kept for kept in table if kept.row.seed in whole)

    def effects(checks: Weights) -> dict[tuple[str, str], StartsEstimate]:
        return {
            (study, name): answers.estimate(effect(CELLS[name], study, checks))
            for study in STUDIES
            for name in COMPARED
        }

    def decided(checks: Weights) -> tuple[SchoolDecided, ...]:
        found = [answers.estimate(claim.contrast(checks)) for claim in CLAIMS]
        held = decide_together([Located(Side.ABOVE, NO_EFFECT, estimate) for estimate in found])
        return tuple(
            SchoolDecided(claim, estimate, each.q, each.answer)
            for claim, estimate, each in zip(CLAIMS, found, held, strict=True)
        )

    mean, end = over_log_lessons(), at_check(CHECKS[-1])
    return SchoolMixes(effects(mean), effects(end), decided(mean), decided(end))


def school_sentence(found: SchoolMixes) -> str:
    """What comes of the mixes over learning, by the intervals; what decides nothing says so."""
    if found.starts < LEAST_STARTS:
        return f"Not yet decided: no verdict comes before {LEAST_STARTS} starts."
    return _sentence(found.decided)


def school_at_end(found: SchoolMixes) -> str:
    """The same after the last lesson."""
    if found.starts < LEAST_STARTS:
        return ""
    return f"After the last lesson: {_sentence(found.decided_at_end)}"


def _sentence(decided: Sequence[SchoolDecided]) -> str:
    parts = [
        f"With the ratios of {RATIOS_OF[mix]} "
        f"{_claim_words(_by_answer(decided, mix), 'above zero')}."
        for mix in (AUDITED, COUNTED)
    ]
    beyond = _claim_words(_by_answer(decided, COUNTED, AUDITED), "larger")
    return " ".join([*parts, f"With those of {RATIOS_OF[COUNTED]} {beyond}."])


def school_figures(found: SchoolMixes) -> str:
    """Every claim's figure, with its interval, q and starts; and those of an even mix."""
    told = []
    for mix, than in ((AUDITED, ""), (COUNTED, ""), (COUNTED, AUDITED)):
        figures = [
            f"{_EFFECTS[each.claim.study]} {value_words(ClaimFigure.EFFECT, each.estimate)}"
            + ("" if each.q is None else f", q {p_words(each.q)}")
            for each in found.decided
            if (each.claim.mix, each.claim.than) == (mix, than)
        ]
        beyond = " beyond those of public corpora" if than else ""
        told.append(f"With the ratios of {RATIOS_OF[mix]}{beyond}: {'; '.join(figures)}.")
    even = "; ".join(
        f"{name} {value_words(ClaimFigure.EFFECT, found.mean[study, EVEN])}"
        for study, name in _EFFECTS.items()
    )
    told.append(f"With {RATIOS_OF[EVEN]}, without a claim: {even}.")
    return f"{' '.join(told)} Mean over log lessons; {found.starts} of {count(STARTS, 'start')}."


def _by_answer(
    decided: Sequence[SchoolDecided], mix: str, than: str = ""
) -> dict[Truth, list[str]]:
    """Effects of a mix, or those that are larger with it than with another, by what was found."""
    names: dict[Truth, list[str]] = {}
    for each in decided:
        if (each.claim.mix, each.claim.than) == (mix, than):
            names.setdefault(each.answer, []).append(f"{_EFFECTS[each.claim.study]} effect")
    return names


def _claim_words(names: dict[Truth, list[str]], what: str) -> str:
    """Which effects are what was claimed, which are not, and of which it cannot be told."""
    parts = []
    for answer, before, no in (
        (Truth.TRUE, "the ", ""),
        (Truth.FALSE, "the ", "not "),
        (Truth.OPEN, "it cannot be told whether the ", ""),
    ):
        if answer in names:
            are = "are" if len(names[answer]) > 1 else "is"
            parts.append(f"{before}{listed(names[answer])} {are} {no}{what}")
    return "; ".join(parts)
