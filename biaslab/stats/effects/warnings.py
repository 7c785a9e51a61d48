"""What has to be known about effects before they are believed, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.stats.effects.effects import Effect
from biaslab.stats.effects.ends import end_sentence
from biaslab.stats.effects.strata import ALL


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
