"""Short stories of two amounts that belong together: a price, a recipe, a ratio, a sale.

A story is read where it has as many numbers as its question needs and no more, where each stands
with the thing that it counts, and where the question asks for one of these things. Words that
tell of anything further (more, left, both, before, ...) leave it unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from schoolmath.malrules.catalogue.stories.told import ToldStory
from schoolmath.malrules.reading.expressions import Rewriting, read_as
from schoolmath.malrules.reading.topics.parts import (
    left_over,
    other_part,
    take_away,
    with_fractions,
)
from schoolmath.malrules.reading.topics.prices import (
    change,
    percent_told,
    price_change,
    prices,
    short_of,
    temperature,
)
from schoolmath.malrules.reading.topics.quantities import plain_story
from schoolmath.malrules.reading.topics.rates import linked, unit_rate
from schoolmath.malrules.reading.topics.sharing import (
    pieces,
    ratio_of_counts,
    share_of_counts,
    shared,
    shared_in_ratio,
    sharing,
)
from schoolmath.malrules.reading.topics.trade import change_from, interest, trade


def rewritten(text: str) -> Iterator[Rewriting]:
    """The questions that a short story comes to, in the order to try them; none where it is none.

    Args:
        text: a question with single spaces.
    """
    ways: tuple[Callable[[str], Sequence[Rewriting | str | tuple[str, ...]]], ...] = (
        shared, shared_in_ratio, pieces, sharing, prices, price_change, short_of, trade, interest,
        change_from, left_over, take_away, other_part, percent_told, change, ratio_of_counts,
        share_of_counts, temperature, linked, unit_rate,
    )  # fmt: skip
    story = plain_story(text)
    for way in ways:
        for found in way(story):
            if isinstance(found, Rewriting):
                yield found
            elif isinstance(found, str):
                yield Rewriting(found)
            else:
                # The story as it is, with the equations that lead to its answer.
                numbers = map(int, re.findall(r"\d+", with_fractions(story)))
                yield read_as(ToldStory, text, tuple(numbers), found)._replace(text="")
