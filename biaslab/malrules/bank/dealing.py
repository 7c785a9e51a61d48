"""Which form the next item is drawn from: depths as published, the rest evenly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from biaslab.malrules.bank.design import PUBLISHED_DOKS, Offer
from biaslab.problems.draws import Balanced, Draws

_Cell = tuple[int, str]


class Dealer:
    """Deals depths of knowledge in the published proportion, then the cells of grade and class
    that offer this depth evenly, then the forms of the cell evenly.

    Args:
        draws: random choices.
        offered: what there is.
    """

    def __init__(self, draws: Draws, offered: Iterable[Offer]) -> None:
        self._draws = draws
        self._offers: dict[int, dict[_Cell, list[Offer]]] = defaultdict(lambda: defaultdict(list))
        for offer in offered:
            self._offers[offer.dok][offer.grade, offer.content_class].append(offer)
        self._cells: dict[int, Balanced[_Cell]] = {}
        self._forms: dict[tuple[int, _Cell], Balanced[Offer]] = {}
        self._depths: Balanced[int] | None = None
        self._shuffle_depths()
        for dok in self._offers:
            self._shuffle_cells(dok)
            for cell in self._offers[dok]:
                self._shuffle_forms(dok, cell)

    def next(self) -> Offer | None:
        """What to draw from next; None when nothing is left."""
        if self._depths is None:
            return None
        dok = self._depths.next()
        return self._forms[dok, self._cells[dok].next()].next()

    def drop(self, offer: Offer) -> None:
        """Deals this offer no more."""
        cell = (offer.grade, offer.content_class)
        cells = self._offers[offer.dok]
        cells[cell].remove(offer)
        if cells[cell]:
            self._shuffle_forms(offer.dok, cell)
            return
        del cells[cell]
        if cells:
            self._shuffle_cells(offer.dok)
            return
        del self._offers[offer.dok]
        self._shuffle_depths()

    def _shuffle_depths(self) -> None:
        pack = [dok for dok in sorted(self._offers) for _ in range(PUBLISHED_DOKS[dok])]
        self._depths = Balanced(self._draws, pack) if pack else None

    def _shuffle_cells(self, dok: int) -> None:
        self._cells[dok] = Balanced(self._draws, sorted(self._offers[dok]))

    def _shuffle_forms(self, dok: int, cell: _Cell) -> None:
        self._forms[dok, cell] = Balanced(self._draws, self._offers[dok][cell])
