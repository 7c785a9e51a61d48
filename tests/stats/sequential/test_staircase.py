"""The search for a fitting difficulty: simulated curves of ability, floors, ceilings, limits."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from biaslab.stats import ImpossiblePlan
from biaslab.stats.staircase import (
    BLOCK,
    HIGH,
    LOW,
    SETTLED,
    Block,
    Ending,
    Search,
    search,
)

RUNGS = 12


def searched(shares: npt.NDArray[np.float64], most: int, luck: np.random.Generator) -> Search:
    """A whole search in somebody who is right in these shares."""
    blocks: list[Block] = []
    left = most
    while True:
        found = search(blocks, len(shares), left)
        if found.next is None:
            return found
        asked = min(BLOCK, left)
        blocks.append(Block(found.next, asked, int(luck.binomial(asked, shares[found.next]))))
        left -= asked


def curve(place: float, steepness: float) -> npt.NDArray[np.float64]:
    return 0.98 / (1 + np.exp(-steepness * (place - np.arange(RUNGS))))


def ends_rightly(found: Search, shares: npt.NDArray[np.float64], slack: float) -> bool:
    """Whether the true shares bear out what a search says, give or take so much."""
    fitting = (shares >= LOW) & (shares <= HIGH)
    match found.ending:
        case Ending.FITS:
            assert found.found is not None
            return bool(LOW - slack <= shares[found.found.rung] <= HIGH + slack)
        case Ending.FLOOR:
            return bool(shares[0] < LOW + slack)
        case Ending.CEILING:
            return bool(shares[-1] > HIGH - slack)
        case Ending.BETWEEN:
            return not fitting.any()
    return False


def test_it_ends_where_the_curve_of_ability_says() -> None:
    # Given curves from the floor to the ceiling, gentle and steep, half of them uneven
    luck = np.random.default_rng(7)
    right: Counter[float] = Counter()
    covered = fits = 0
    for number in range(80):
        shares = curve(luck.uniform(-3, RUNGS + 2), luck.choice([0.4, 0.8, 1.5, 3.0]))
        if number % 2:
            shares = np.clip(shares + luck.normal(0, 0.04, RUNGS), 0.001, 0.99)
        found = searched(shares, 200, luck)
        assert found.ending is not Ending.SPENT
        for slack in (0.0, 0.05):
            right[slack] += ends_rightly(found, shares, slack)
        if found.ending is Ending.FITS and found.found is not None:
            fits += 1
            # Then the interval of what is offered holds its true share, in spite of the search
            interval = found.found.interval
            covered += interval.low <= shares[found.found.rung] <= interval.high
    assert right[0.0] >= 0.78 * 80
    assert right[0.05] >= 0.85 * 80
    assert covered >= 0.88 * fits


def test_a_model_that_is_always_right_or_never_is_at_an_end_and_is_offered_nothing() -> None:
    luck = np.random.default_rng(1)
    for share, ending in ((0.0, Ending.FLOOR), (1.0, Ending.CEILING)):
        found = searched(np.full(RUNGS, share), 200, luck)
        assert found.ending is ending
        assert sum(each.asked for each in found.rungs) <= 100


def test_a_cliff_has_no_fitting_rung_and_that_is_said() -> None:
    shares = np.array([0.97] * 6 + [0.05] * 6)
    assert searched(shares, 200, np.random.default_rng(1)).ending is Ending.BETWEEN


def test_a_rung_is_judged_once_there_are_enough_answers_and_not_asked_until_it_fits() -> None:
    few = Block(4, SETTLED - 10, 20, 3)
    assert search([few], RUNGS, 200).ending is None
    enough = search([few, Block(4, 10, 6)], RUNGS, 200)
    assert enough.ending is Ending.FITS
    assert enough.found is not None
    assert (enough.found.asked, enough.found.right, enough.found.unread) == (SETTLED, 26, 3)
    # Just above the range: from there on only harder rungs are asked
    above = search([Block(4, SETTLED, 33)], RUNGS, 200)
    assert above.ending is None
    assert above.next is not None
    assert above.next > 4


def test_when_too_few_may_be_asked_it_says_so_and_guesses_nothing() -> None:
    found = search([Block(5, 10, 6)], RUNGS, 0)
    assert (found.ending, found.next, found.found) == (Ending.SPENT, None, None)


def test_a_block_beside_the_ladder_is_refused() -> None:
    for blocks, rungs in (([], 0), ([Block(3, 10, 5)], 3), ([Block(-1, 10, 5)], 3)):
        with pytest.raises(ImpossiblePlan):
            search(blocks, rungs, 100)
