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
from schoolmath.malrules.reading.topics import (
    changes,
    measures,
    parts,
    prices,
    rates,
    sharing,
    trade,
)
from schoolmath.malrules.reading.topics.quantities import plain_story

_WAYS: tuple[Callable[[str], Sequence[Rewriting | str | tuple[str, ...]]], ...] = (
    sharing.shared, sharing.shared_in_ratio, sharing.pieces, sharing.sharing, prices.prices,
    prices.price_change, prices.short_of, prices.each_costs, trade.trade, trade.interest,
    trade.change_from, parts.left_over, parts.things_left, parts.other_part, parts.fraction_left,
    parts.part_of, parts.part_of_them, parts.others_of_count, measures.two_measures,
    changes.change, changes.between_times,
    changes.percent_changed, sharing.ratio_of_counts, sharing.share_of_counts,
    changes.temperature, rates.linked, rates.unit_rate,
)  # fmt: skip
"""What a story may be, in the order to try."""


def rewritten(text: str) -> Iterator[Rewriting]:
    """The questions that a short story comes to, in the order to try them; none where it is none.

    Args:
        text: a question with single spaces.
    """
    story = plain_story(text)
    for way in _WAYS:
        for found in way(story):
            if isinstance(found, Rewriting):
                yield found
            elif isinstance(found, str):
                yield Rewriting(found)
            else:
                # The story as it is, with the equations that lead to its answer.
                numbers = map(int, re.findall(r"\d+", parts.with_fractions(story)))
                yield read_as(ToldStory, text, tuple(numbers), found)._replace(text="")
