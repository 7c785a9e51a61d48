"""The figures of a run in words that anyone can read."""

from __future__ import annotations

from biaslab.stats import Effect, Interval
from biaslab.studies.malgorithm.items import QUESTION_ITSELF, RIGHT_REASON
from biaslab.studies.malgorithm.results import GuessRates, Identification, ReadShare
from schoolmath.text.figures import count, exact_percent, percent, percents, signed_points


def spread_words(interval: Interval | None, confidence: float = 0.95) -> str:
    """An interval of a share, as in "95 % interval 51.0 % to 72.7 %"."""
    level = f"{exact_percent(confidence)} interval"
    if interval is None:
        return f"no {level} can be determined"
    return f"{level} {percents(interval.low, interval.high)}"


def share_words(share: ReadShare) -> str:
    """A share with interval and n, as in "62.5 % (95 % interval 51.0 % to 72.7 %, n = 24)"."""
    if share.value is None:
        return "no value yet"
    return f"{percent(share.value)} ({spread_words(share.interval)}, n = {share.n:,})"


def result_sentence(found: Identification) -> str:
    """AIA, MIA and MCQ with n and intervals, in plain text."""
    parts = []
    if found.mia.value is not None:
        parts.append(
            f"For {count(found.mia.n, 'wrong choice')}, the model named the rationale that leads "
            f"to it {percent(found.mia.value)} of the time ({spread_words(found.mia.interval)})."
        )
    if found.aia.value is not None:
        parts.append(
            f"For {count(found.aia.n, 'right choice')} it did so {percent(found.aia.value)} of "
            f"the time ({spread_words(found.aia.interval)})."
        )
    if found.mcq.value is not None:
        parts.append(
            f"Asked {count(found.mcq.n, 'question')} themselves, it chose the right option "
            f"{percent(found.mcq.value)} of the time ({spread_words(found.mcq.interval)})."
        )
    parts.append(_guessing(found.chances))
    if found.misconceptions:
        parts.append(
            "The reasons are names of misconceptions: each says what a pupil believes who makes "
            "such a choice, not how this answer comes about."
        )
    return " ".join(parts)


def _guessing(chances: GuessRates) -> str:
    """What guessing reaches, for each figure there is."""
    there = {
        name: value
        for name, value in (("MIA", chances.mia), ("AIA", chances.aia), ("MCQ", chances.mcq))
        if value is not None
    }
    if all(value == 1 / 4 for value in there.values()):
        return f"Guessing among four gives {percent(1 / 4)} each time."
    each = ", ".join(f"{percent(value)} ({name})" for name, value in there.items())
    return f"Guessing among as many as there are gives {each}."


def chance_sentence(found: Identification) -> str:
    """Whether the mal-rules were identified more often than by guessing."""
    share, chance = found.mia, found.chances.mia
    if share.value is None or chance is None:
        return ""
    if share.interval is None:
        return "For the wrong choices no interval can be worked out, so chance is not excluded."
    if share.interval.low > chance:
        return (
            "It sees why a wrong answer was chosen more often than guessing would: the whole "
            "interval is above the chance line."
        )
    if share.interval.high < chance:
        return (
            "It sees why a wrong answer was chosen less often than guessing would: the whole "
            "interval is below the chance line."
        )
    return (
        "The interval includes the chance line: with these questions, seeing why a wrong answer "
        "was chosen cannot be told from guessing."
    )


def gap_sentence(effect: Effect | None, against: str = RIGHT_REASON) -> str:
    """AIA - MIA, the effect of this study, or MCQ - MIA where that is compared."""
    if effect is None or effect.cate is None:
        return ""
    gap = signed_points(effect.cate)
    of_question = against == QUESTION_ITSELF
    figures = "MCQ − MIA" if of_question else "AIA − MIA"
    if effect.ci_low is None or effect.ci_high is None:
        return f"{figures} over the pairs: {gap} percentage points."
    spread = f"95 % interval {signed_points(effect.ci_low)} to {signed_points(effect.ci_high)}"
    if effect.ci_low > 0:
        verdict = (
            "answering the questions was easier than seeing why wrong choices are made"
            if of_question
            else "right choices were easier to explain than wrong ones"
        )
    elif effect.ci_high < 0:
        verdict = (
            "seeing why wrong choices are made was easier than answering the questions"
            if of_question
            else "wrong choices were easier to explain than right ones"
        )
    else:
        verdict = "no difference can be told from chance"
    return f"{figures} over the pairs: {gap} percentage points ({spread}); {verdict}."


def unread_sentence(found: Identification) -> str:
    """How many answers did not count as they were, or nothing."""
    parts = []
    unread = found.aia.invalid + found.mia.invalid
    if unread:
        treated = "were left out" if found.invalid_rule == "exclude" else "count as not right"
        parts.append(f"{count(unread, 'answer')} could not be read and {treated}")
    failed = found.aia.failed + found.mia.failed
    if failed:
        parts.append(f"{count(failed, 'answer')} missing (cut off or failed) and left out")
    unfinished = found.aia.unfinished + found.mia.unfinished
    if unfinished:
        parts.append(f"{count(unfinished, 'answer')} not there yet")
    return "; ".join(parts) + "." if parts else ""
