"""What makes two equal: how many one must give the other, get or lose."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories.strategies.terms import (
    StoryTerms,
    StrategyAnswer,
    Term,
    fits,
    leaf,
)


def levelled(story: StoryTerms) -> StrategyAnswer | None:
    """“How many must Ana give Ben so that both have the same number?”

    Who gets or loses makes up the whole difference; what one gives the other changes both.
    """
    asked, known = story.asked, story.known()
    if (
        len(known) != 2
        or len(asked.owners) != 1
        or any(
            each.kind != "state"
            or len(each.owners) != 1
            or each.compared
            or each.more
            or each.per is not None
            or each.flags - {"elliptic", "now"}
            or not fits(asked.thing, each.thing)
            for each in known
        )
    ):
        return None
    mine = [each for each in known if each.owners == asked.owners]
    others = [each for each in known if each.owners != asked.owners]
    if len(mine) != 1 or len(others) != 1 or others[0].owners[0] not in asked.words:
        return None
    high, low = (mine[0], others[0]) if leaf(mine[0]).value > leaf(others[0]).value else (
        others[0], mine[0],
    )  # fmt: skip
    term = leaf(high).combined("-", leaf(low))
    wishes = asked.kind == "need" or (asked.kind == "state" and "need" in asked.modals)
    gets = asked.kind in {"gain", "make"} or wishes
    if gets == (high is mine[0]) or not term.value:
        return None
    if not gets and asked.kind not in {"loss", "give"}:
        return None
    if asked.kind == "give" and asked.verb != "sell":
        term = term.combined("/", Term(Fraction(2)))
    return StrategyAnswer("levelled", term)
