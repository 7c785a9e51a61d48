"""What has to be known about effects before they are believed, in sentences.

"2.1 and 2.1 % right, no difference" says nothing about a difference. A row is at an end where
the answers to both kinds together are, as far as their interval tells, and neither kind is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from biaslab.stats.effects.effects import ALL, Effect
from biaslab.stats.estimates import wilson
from schoolmath.text.figures import count, exact_percent, percent

MARGIN = 0.1
"""A row is at the floor where the whole interval of the share right, of both arms together, lies
below this and neither arm lies above it, and at the ceiling where all lie as near to all right. A
difference of more than this cannot come out then."""


class End(StrEnum):
    """An end of the scale from nothing to all right."""

    FLOOR = "floor"
    CEILING = "ceiling"


_ROOM = {
    End.FLOOR: (
        "wrong", "below", MARGIN,
        "easier, such as fewer steps, smaller numbers, step by step, or a stronger model",
    ),
    End.CEILING: (
        "right", "above", 1 - MARGIN,
        "harder, such as more steps, larger numbers, the answer asked for at once, or a weaker "
        "model",
    ),
}  # fmt: skip


def end_of(effect: Effect) -> End | None:
    """At which end both arms are; None where one is not, or outcomes are no rights and wrongs."""
    both = (effect.accuracy_x, effect.accuracy_x_prime)
    if not effect.binary or None in both:
        return None
    shares = [share for share in both if share is not None]
    together = wilson(round(sum(shares) * effect.n), 2 * effect.n, effect.confidence)
    if together is None:
        return None
    if together.high < MARGIN and max(shares) < MARGIN:
        return End.FLOOR
    return End.CEILING if together.low > 1 - MARGIN and min(shares) > 1 - MARGIN else None


def end_sentence(effect: Effect, arms: tuple[str, str] = ("x", "x'")) -> str:
    """Why a row that shows no difference says little, and what to change; empty elsewhere.

    Empty also where the interval leaves out zero: there a difference showed all the same.

    Args:
        effect: one row.
        arms: what x and x' are called.
    """
    end = end_of(effect)
    if end is None or (effect.ci_low or 0.0) > 0 or (effect.ci_high or 0.0) < 0:
        return ""
    are, side, bound, change = _ROOM[end]
    unread = effect.invalid_x + effect.invalid_x_prime > effect.answers
    look = (
        " More than half of the answers could not be read: look at those first." if unread else ""
    )
    return (
        f"both kinds are at the {end}: nearly all answers are {are} ({percent(effect.accuracy_x)} "
        f"of “{arms[0]}” and {percent(effect.accuracy_x_prime)} of “{arms[1]}” right on "
        f"{count(effect.n, 'pair')}, the {exact_percent(effect.confidence)} interval of both "
        f"together {side} {percent(bound)}). So a difference had hardly any room to show, and "
        f"this does not say that there is none.{look} Make it {change}."
    )


def effect_warnings(
    found: Sequence[Effect], by: str | None = None, vote: bool = False
) -> list[str]:
    """Sentences for whoever reads these effects; none where all is well.

    Args:
        found: effects made with the same ``by`` and ``vote``.
        by: as for `effects`.
        vote: as for `effects`.
    """
    sentences: dict[str, None] = {}
    for effect in found:
        if by is not None and effect.stratum == ALL:
            sentences[undivided_sentence(effect.study, by)] = None
        if vote and not effect.voted:
            sentences[
                f"Run {effect.run} asked every item once, so there is nothing to vote on: its "
                "answers count as they are."
            ] = None
        unread = unread_arms(effect)
        told = [unread or unread_more(effect), "" if unread else end_sentence(effect)]
        if effect.missing is not None:
            told.append(effect.missing.sentence())
        for sentence in filter(None, told):
            sentences[f"{_row(effect)}: {sentence}"] = None
    return list(sentences)


def _row(effect: Effect) -> str:
    return f"Run {effect.run}" + ("" if effect.stratum == ALL else f", {effect.stratum}")


def undivided_sentence(study: str, by: str) -> str:
    """Why the runs of a study have one row where others are broken down."""
    return (
        f"The pairs of study {study} have no stratum '{by}': each of its runs has one row, for "
        "all pairs."
    )


def unread_more(effect: Effect, arms: tuple[str, str] = ("x", "x'")) -> str:
    """That one arm's answers could be read less often, with the numbers; empty elsewhere.

    Args:
        effect: one row.
        arms: what x and x' are called.
    """
    return "" if effect.unread is None else effect.unread.sentence(arms)


def unread_arms(effect: Effect, arms: tuple[str, str] = ("x", "x'")) -> str:
    """Why the effect says nothing where no answer of an arm could be read; empty elsewhere.

    Args:
        effect: one row.
        arms: what x and x' are called.
    """
    unread = [
        name
        for name, count in zip(arms, (effect.invalid_x, effect.invalid_x_prime), strict=True)
        if effect.answers and count == effect.answers
    ]
    if not unread:
        return ""
    which = "none of the answers" if len(unread) == 2 else f"none of the answers to “{unread[0]}”"
    return (
        f"{which} could be read ({effect.answers} of {effect.answers}), so the difference says "
        "nothing about what was asked. Read some of the answers, and choose another model or way "
        "of asking."
    )
