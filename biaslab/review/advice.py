"""What a quality review says in plain words, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from biaslab.review.quality import EITHER, ErrorRate, RaterAgreement
from biaslab.review.texts import Criterion
from biaslab.text.figures import exact_percent, percent

LOWEST_KAPPA = 0.6
"""Kappa from which reviewers count as agreeing: "substantial" in the words of Landis & Koch."""

ENOUGH_RAW = 0.9
"""Raw agreement from which a low kappa is a matter of a few texts, not of the criteria."""

HIGHEST_ERROR = 0.02
"""Error rate that the interval's upper end should stay below."""

NONE_NEEDED = 183
"""Texts without any fault from which the exact 95 % interval ends below `HIGHEST_ERROR`."""

_WORDS = (
    (0.0, "less agreement than chance alone would give"),
    (0.2, "slight agreement"),
    (0.4, "fair agreement"),
    (0.6, "moderate agreement"),
    (0.8, "substantial agreement"),
)
"""Landis & Koch (1977), Biometrics 33:159-174; a convention, no law."""


class NextStep(StrEnum):
    """What the people of a review do next."""

    JUDGE_CONTROL = "judge control"
    DISCUSS = "discuss"
    HAND_OUT = "hand out"
    JUDGE_FURTHER = "judge further"
    MEND = "mend"
    REPORT_LIMIT = "report limit"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next.

    Attributes:
        step: the kind of advice.
        headline: in a few words.
        reasons: why and how, a sentence each.
        texts: numbers of the texts to look at.
    """

    step: NextStep
    headline: str
    reasons: tuple[str, ...]
    texts: tuple[int, ...] = ()


def kappa_words(agreement: RaterAgreement) -> str:
    """How to read the agreement on one criterion, as sentences for someone new to kappa."""
    raw = f"Two reviewers of a text said the same in {percent(agreement.raw)} of the cases."
    few = (
        f"{agreement.texts} texts say little about agreement: "
        "read the interval, not the number alone."
    )
    if agreement.kappa is None:
        always = "no" if agreement.noes else "yes"
        return (
            f"Everybody said {always} to every text, so kappa is undefined: with one answer only, "
            f"chance would agree as often. {raw} {few}"
        )
    below = [words for limit, words in _WORDS if agreement.kappa <= limit]
    reading = below[0] if below else "almost perfect agreement"
    if agreement.kappa == 0.0:
        reading = "no more agreement than chance would give"
    rare = ""
    if agreement.kappa <= LOWEST_KAPPA and agreement.raw >= ENOUGH_RAW:
        rare = (
            " Kappa is low although nearly all answers agree: when hardly anybody says no, a "
            "single text decides about it."
        )
    lost = ""
    if agreement.undefined:
        lost = (
            f" In {percent(agreement.undefined)} of the samples behind the interval kappa was "
            "undefined; they are left out."
        )
    return f"Usually called {reading}. {raw}{rare} {few}{lost}"


def agreed(agreement: RaterAgreement) -> bool:
    """Whether the reviewers seem to mean the same by a criterion."""
    if agreement.kappa is None:
        return True
    return agreement.kappa > LOWEST_KAPPA or agreement.raw >= ENOUGH_RAW


def advise(
    agreements: Sequence[RaterAgreement],
    handed_out: bool,
    waiting: int,
    rates: Sequence[ErrorRate],
) -> Advice:
    """What to do next in a review.

    Args:
        agreements: on both criteria; none while the control set is not judged by everybody.
        handed_out: whether the further texts were split among the reviewers.
        waiting: judgements that are still to be made in this part of the review.
        rates: error rates of all texts together; none while something is waiting.
    """
    if not agreements:
        return Advice(
            NextStep.JUDGE_CONTROL,
            "Everybody judges the control set",
            (
                f"{_judgements(waiting)} missing. Nobody sees what others said until all are in.",
                "Do not talk about the texts before.",
            ),
        )
    if not handed_out:
        return _after_control(agreements)
    if waiting or not rates:
        return Advice(
            NextStep.JUDGE_FURTHER,
            "Everybody judges their share of the further texts",
            (f"{_judgements(waiting)} missing.",),
        )
    return _after_all(next(rate for rate in rates if rate.criterion == EITHER))


def _after_control(agreements: Sequence[RaterAgreement]) -> Advice:
    disputed = tuple(sorted({number for each in agreements for number in each.disputed}))
    low = [each for each in agreements if not agreed(each)]
    if low:
        names = " and ".join(each.criterion.label for each in low)
        return Advice(
            NextStep.DISCUSS,
            f"Discuss the criteria, then judge {low[0].texts} new texts",
            (
                f"The reviewers agree too little on {names}.",
                "Read the disputed texts together, settle what counts as a no, write it down, "
                "and judge a new control set. The texts of this one are left out of the error "
                "rate then.",
            ),
            disputed,
        )
    reasons = ["The reviewers agree well enough to share the work."]
    if disputed:
        reasons.append("Talk about the disputed texts first, so that all know how they were meant.")
    return Advice(
        NextStep.HAND_OUT, "Split the further texts among the reviewers", tuple(reasons), disputed
    )


def _after_all(either: ErrorRate) -> Advice:
    within = (
        f"The exact {exact_percent(either.confidence)} interval of the error rate reaches up to "
        f"{percent(either.interval.high)}"
    )
    if either.faulty and either.interval.high > HIGHEST_ERROR:
        count = len(either.faulty)
        return Advice(
            NextStep.MEND,
            f"Look at {'this text' if count == 1 else f'these {count} texts'}, mend, review again",
            (
                f"{within}, which is more than {exact_percent(HIGHEST_ERROR)}.",
                "See what the faulty texts have in common. Mend the words or the settings they "
                "come from, or make new pairs, then review the new texts.",
            ),
            either.faulty,
        )
    if either.interval.high > HIGHEST_ERROR:
        return Advice(
            NextStep.REPORT_LIMIT,
            "No fault was found: report it with the interval",
            (
                f"{within}. {either.texts} texts cannot show more: to get below "
                f"{exact_percent(HIGHEST_ERROR)}, {NONE_NEEDED} texts without a fault are needed.",
            ),
        )
    return Advice(
        NextStep.REPORT,
        "The texts are good enough: report it",
        (f"{within}, which is no more than {exact_percent(HIGHEST_ERROR)}.",),
        either.faulty,
    )


def paper_text(title: str, agreements: Sequence[RaterAgreement], rates: Sequence[ErrorRate]) -> str:
    """Sentences for the methods section of a paper, with every number that belongs there.

    Args:
        title: what the texts are of.
        agreements: on both criteria, of the control set that counts.
        rates: error rates of all texts together.
    """
    first = agreements[0]
    either = next(rate for rate in rates if rate.criterion == EITHER)
    asked = " ".join(f"({place}) {each.question}" for place, each in enumerate(Criterion, 1))
    kappas = "; ".join(_reported(each) for each in agreements)
    errors = ", ".join(
        f"{len(rate.faulty)} failed on {Criterion(rate.criterion).label}"
        for rate in rates
        if rate.criterion != EITHER
    )
    return (
        f"Following Opedal et al. (2024), {first.raters} reviewers judged a random sample of "
        f"{either.texts} problem texts ({title}), one from each of as many pairs, by two yes/no "
        f"criteria: {asked} A control set of {first.texts} texts was judged by all reviewers "
        f"({kappas}); the other {either.texts - first.texts} were split among them. A text of the "
        "control set counts as faulty if at least half of the reviewers said no. Of "
        f"{either.texts} texts, {errors}, and {len(either.faulty)} failed at least one criterion "
        f"({percent(either.rate)}, {exact_percent(either.confidence)} Clopper-Pearson interval "
        f"{percent(either.interval.low)} to {percent(either.interval.high)})."
    )


def _reported(agreement: RaterAgreement) -> str:
    name = agreement.criterion.label
    raw = f"raw agreement {percent(agreement.raw)}"
    if agreement.kappa is None:
        return f"{name}: {raw}, {agreement.method} undefined as all answers were the same"
    interval = ""
    if agreement.interval is not None:
        low, high = agreement.interval.low, agreement.interval.high
        interval = (
            f", {exact_percent(agreement.confidence)} bootstrap interval {low:.2f} to {high:.2f}"
        )
    return f"{name}: {agreement.method} {agreement.kappa:.2f}{interval}, {raw}"


def _judgements(waiting: int) -> str:
    return "1 judgement is" if waiting == 1 else f"{waiting:,} judgements are"
