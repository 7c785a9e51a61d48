"""How far reviewers agree about texts, and how many texts are faulty.

Two yes/no criteria for every text, as in Opedal et al. (2024), appendix A.2; the wording is our
own. Everybody judges the control set, which says whether reviewers mean the same by the criteria;
the further texts are split among them. The error rate is estimated on all texts: each comes from a
pair of its own and was drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.errors import UnknownChoice
from biaslab.stats.estimates.clustered import Values
from biaslab.stats.estimates.proportions import Interval, check_confidence
from schoolmath.problems.draws import Draws

RESAMPLES = 2_000
"""Bootstrap samples of texts for an interval of kappa."""

EITHER = "either"
"""The error rate of texts that fail at least one criterion."""


class Criterion(StrEnum):
    """One of the two questions that are answered for every text."""

    NATURAL = "natural"
    CLEAR = "clear"

    @property
    def label(self) -> str:
        """A short name for tables."""
        return {"natural": "language", "clear": "task and answer"}[self.value]

    @property
    def question(self) -> str:
        """What a reviewer is asked."""
        return {
            "natural": "Is every sentence grammatical and natural English?",
            "clear": "Is it clear what is asked, and is the stated answer right?",
        }[self.value]

    @property
    def explanation(self) -> str:
        """What counts as a no, in one line."""
        return {
            "natural": "No: a mistake in grammar, a word that nobody would use, or something that "
            "does not happen in the world.",
            "clear": "No: it can be understood in two ways, something is missing, or the answer "
            "does not follow.",
        }[self.value]


@dataclass(frozen=True, slots=True)
class ReviewJudgement:
    """What a reviewer said about a text.

    Attributes:
        natural, clear: the answers to the two questions.
        comment: what else was said; often empty.
    """

    natural: bool
    clear: bool
    comment: str = ""

    def answer_to(self, criterion: Criterion) -> bool:
        """The answer to one of the questions."""
        return self.natural if criterion is Criterion.NATURAL else self.clear


@dataclass(frozen=True, slots=True)
class Judged:
    """A text with what its reviewers said.

    Attributes:
        number: of the text in its review.
        judgements: in the order of the reviewers; for a control text one of each.
    """

    number: int
    judgements: tuple[ReviewJudgement, ...]


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far reviewers agree on one criterion.

    Attributes:
        criterion: which question.
        method: ``Cohen's kappa`` for two reviewers, ``Fleiss' kappa`` for more.
        raters, texts: how many.
        kappa: agreement beyond chance, at most 1; None where everybody always said the same,
            so that nothing could be agreed on by chance or otherwise.
        interval: percentile interval of a bootstrap over texts; None without kappa.
        undefined: share of the bootstrap samples in which kappa was undefined; they are left
            out of the interval.
        raw: chance that two reviewers of a text drawn at random say the same, 0..1.
        disputed: numbers of the texts that reviewers do not agree on.
        noes: how often somebody said no.
        confidence: coverage of the interval.
    """

    criterion: Criterion
    method: str
    raters: int
    texts: int
    kappa: float | None
    interval: Interval | None
    undefined: float
    raw: float
    disputed: tuple[int, ...]
    noes: int
    confidence: float


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How many texts fail a criterion.

    Attributes:
        criterion: ``natural``, ``clear`` or `EITHER`.
        texts: how many were judged; faulty: numbers of those that fail.
        rate: share that fails, 0..1.
        interval: exact interval (Clopper & Pearson 1934, Biometrika 26:404-413).
        confidence: coverage of the interval.
    """

    criterion: str
    texts: int
    faulty: tuple[int, ...]
    rate: float
    interval: Interval
    confidence: float


def rater_agreement(
    judged: Sequence[Judged], criterion: Criterion, confidence: float = 0.95
) -> RaterAgreement:
    """Agreement of reviewers who all judged the same texts.

    Cohen's kappa (Cohen 1960, Educ. Psychol. Meas. 20:37-46) for two reviewers, Fleiss' kappa
    (Fleiss 1971, Psychol. Bull. 76:378-382) for more.

    Args:
        judged: texts with one judgement of each reviewer, in the same order.
        criterion: which question.
        confidence: coverage of the interval.

    Raises:
        UnknownChoice: fewer than two reviewers, no texts, or a text that not all have judged.
    """
    check_confidence(confidence)
    counts = {len(text.judgements) for text in judged}
    if len(counts) != 1 or min(counts) < 2:
        raise UnknownChoice(
            "Agreement needs texts that two or more reviewers have all judged: let everybody "
            "judge the whole control set first."
        )
    (raters,) = counts
    yes = np.array([[each.answer_to(criterion) for each in text.judgements] for text in judged])
    said = yes.sum(axis=1)
    known = float(_kappas(yes[np.newaxis])[0])
    kappa = None if np.isnan(known) else known
    interval, undefined = _bootstrapped(yes, confidence) if kappa is not None else (None, 0.0)
    agreeing = said * (said - 1) + (raters - said) * (raters - said - 1)
    return RaterAgreement(
        criterion=criterion,
        method="Cohen's kappa" if raters == 2 else "Fleiss' kappa",
        raters=raters,
        texts=len(judged),
        kappa=kappa,
        interval=interval,
        undefined=undefined,
        raw=float(agreeing.mean() / (raters * (raters - 1))),
        disputed=tuple(
            text.number for text, count in zip(judged, said, strict=True) if 0 < count < raters
        ),
        noes=int(yes.size - said.sum()),
        confidence=confidence,
    )


def _kappas(yes: npt.NDArray[np.bool_]) -> Values:
    """Kappa of many tables at once: Cohen's for two reviewers, Fleiss' for more.

    Args:
        yes: shape (tables, texts, reviewers).

    Returns:
        shape (tables,); NaN where everybody said the same of everything, so kappa is undefined.
    """
    reviewers = yes.shape[2]
    if reviewers == 2:
        first, other = yes[:, :, 0], yes[:, :, 1]
        observed = (first == other).mean(axis=1)
        shares = first.mean(axis=1), other.mean(axis=1)
    else:
        said = yes.sum(axis=2)
        unsaid = reviewers - said
        alike = said * (said - 1) + unsaid * (unsaid - 1)
        observed = alike.mean(axis=1) / (reviewers * (reviewers - 1))
        shares = (said.mean(axis=1) / reviewers,) * 2
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    varies = yes.any(axis=(1, 2)) & ~yes.all(axis=(1, 2))
    kappas = np.full(len(yes), np.nan)
    kappas[varies] = (observed[varies] - chance[varies]) / (1 - chance[varies])
    return kappas


def _bootstrapped(yes: npt.NDArray[np.bool_], confidence: float) -> tuple[Interval | None, float]:
    """Percentile interval over resampled texts, and the share without kappa.

    The stream of random choices is fixed: the same judgements give the same interval.
    """
    drawn = np.random.default_rng(20240506).integers(len(yes), size=(RESAMPLES, len(yes)))
    found = _kappas(yes[drawn])
    defined = found[~np.isnan(found)]
    undefined = 1 - len(defined) / RESAMPLES
    if not defined.size:
        return None, undefined
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high)), undefined


def fails(judgements: Sequence[ReviewJudgement], criterion: Criterion) -> bool:
    """Whether at least half of a text's reviewers said no; a tie counts as a fault."""
    noes = sum(not each.answer_to(criterion) for each in judgements)
    return bool(judgements) and 2 * noes >= len(judgements)


def error_rates(judged: Sequence[Judged], confidence: float = 0.95) -> list[ErrorRate]:
    """Error rates per criterion and of either.

    Args:
        judged: texts with at least one judgement each.
        confidence: coverage of the intervals.

    Returns:
        three rows; none without texts.

    Raises:
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    rates = []
    for name in (*Criterion, EITHER) if judged else ():
        wanted = tuple(Criterion) if name == EITHER else (Criterion(name),)
        faulty = tuple(
            text.number for text in judged if any(fails(text.judgements, c) for c in wanted)
        )
        interval = exact_interval(len(faulty), len(judged), confidence)
        share = len(faulty) / len(judged)
        rates.append(ErrorRate(str(name), len(judged), faulty, share, interval, confidence))
    return rates


def exact_interval(faulty: int, texts: int, confidence: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of a share; it covers at least as often as it says."""
    low, high = scipy.stats.binomtest(faulty, texts).proportion_ci(confidence, method="exact")
    return Interval(float(low), float(high))


def split(texts: Sequence[int], reviewers: int, seed: int) -> list[list[int]]:
    """Deals texts among reviewers: each to one, in shares that differ by one at most.

    Args:
        texts: their numbers.
        reviewers: how many there are, at least 1.
        seed: the same seed gives the same split; who gets one more is random too.

    Returns:
        for each reviewer the numbers, in the order in which they are shown.
    """
    draws = Draws(f"review split/{seed}")
    shuffled = draws.several(texts, len(texts))
    order = draws.several(range(reviewers), reviewers)
    shares: list[list[int]] = [[] for _ in range(reviewers)]
    for place, number in enumerate(shuffled):
        shares[order[place % reviewers]].append(number)
    return shares


def shuffled_for_each(texts: Sequence[int], reviewers: int, seed: int) -> list[list[int]]:
    """All texts for every reviewer, each in an order of its own."""
    return [
        Draws(f"review order/{seed}/{place}").several(texts, len(texts))
        for place in range(reviewers)
    ]
