"""Items on demand, as many as a design asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from schoolmath.malrules.bank.balancing import Balance
from schoolmath.malrules.bank.design import (
    BankDesign,
    BankMix,
    Cell,
    Offer,
    chosen_offers,
    counts_of,
)
from schoolmath.malrules.bank.items import LETTERS, ChoiceItem, library_version
from schoolmath.malrules.bank.options import Candidates, ItemDraft, candidates, draft, rank_of
from schoolmath.malrules.bank.rationales import RationaleStyle, questions_for
from schoolmath.malrules.forms import FORMS, Form, NotDrawn, write_form
from schoolmath.problems.draws import BalancedDeck, Draws
from schoolmath.problems.errors import DesignError
from schoolmath.problems.vocabulary import vocabulary


class Dealer:
    """Deals cells of grade, class and depth in the shares of a mix, then the forms of the cell
    evenly.

    Args:
        draws: random choices.
        offered: what there is.
        mix: the shares.
    """

    def __init__(self, draws: Draws, offers: Iterable[Offer], mix: BankMix) -> None:
        self._draws = draws
        self._mix = mix
        self._offers: dict[Cell, list[Offer]] = defaultdict(list)
        for offer in offers:
            self._offers[offer.cell].append(offer)
        self._forms = {cell: BalancedDeck(draws, found) for cell, found in self._offers.items()}
        self._cells = self._shuffled()

    def next(self) -> Offer | None:
        """What to draw from next; None when nothing is left."""
        return self._forms[self._cells.next()].next() if self._offers else None

    def drop(self, offer: Offer) -> None:
        """Deals this offer no more."""
        found = self._offers[offer.cell]
        found.remove(offer)
        if found:
            self._forms[offer.cell] = BalancedDeck(self._draws, found)
            return
        del self._offers[offer.cell]
        self._cells = self._shuffled()

    def _shuffled(self) -> BalancedDeck[Cell]:
        templates = {cell: len(found) for cell, found in self._offers.items()}
        counts = counts_of(templates, self._mix)
        pack = [cell for cell, count in counts.items() for _ in range(count)]
        return BalancedDeck(self._draws, pack)


_PUPILS = 4


def pupils_for(draws: Draws, question: str) -> tuple[str, ...]:
    """Four names with different first letters that do not stand in the question."""
    taken = set(re.findall(r"\w+", question))
    names = _names()
    chosen: list[str] = []
    while len(chosen) < _PUPILS:
        name = draws.one(names)
        if name not in taken and name[0] not in {other[0] for other in chosen}:
            chosen.append(name)
    return tuple(chosen)


def write_comparison(
    question: str, pupils: Sequence[str], answers: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Question and options from a problem's own, the pupils in the order of the options."""
    said = [f"{name} says {answer}" for name, answer in zip(pupils, answers, strict=True)]
    whole = (
        f"Four pupils work on this question: “{question}” "
        f"{', '.join(said[:-1])} and {said[-1]}. Who is right, and why?"
    )
    options = (f"{name}, who says {answer}" for name, answer in zip(pupils, answers, strict=True))
    return whole, tuple(options)


@cache
def _names() -> tuple[str, ...]:
    return tuple(name.text for name in vocabulary().names)


_DRAWS_PER_TRY = 12
_TRIES_BEFORE_GIVING_UP = 3
_FOR_LEVEL = 3
"""So many problems are looked at for one whose key is not where it has been too often."""


def make_items(design: BankDesign) -> Iterator[ChoiceItem]:
    """The items of a design, one after the other; no question comes twice.

    Raises:
        DesignError: the forms offer nothing of it, or fewer different questions than it asks
            for (then at the first that is missing).
    """
    return _ItemMaking(design, chosen_offers(design)).items()


class _ItemMaking:
    def __init__(self, design: BankDesign, offers: tuple[Offer, ...]) -> None:
        self._design = design
        self._style = RationaleStyle(design.style)
        self._dealer = Dealer(Draws(f"bank/{design.seed}/mix"), offers, BankMix(design.mix))
        self._keys = BalancedDeck(Draws(f"bank/{design.seed}/keys"), LETTERS)
        self._balance = Balance()
        self._seen: set[str] = set()
        self._failures: dict[Offer, int] = {}

    def items(self) -> Iterator[ChoiceItem]:
        for number in range(self._design.n):
            yield self._item(Draws(f"bank/{self._design.seed}/{number}"), number)

    def _item(self, draws: Draws, number: int) -> ChoiceItem:
        while (offer := self._dealer.next()) is not None:
            made = self._try(draws, offer)
            if made is not None:
                self._failures.pop(offer, None)
                return self._put_together(draws, offer, *made)
            # What fails again and again has hardly any question left that was not asked.
            self._failures[offer] = self._failures.get(offer, 0) + 1
            if self._failures[offer] >= _TRIES_BEFORE_GIVING_UP:
                self._dealer.drop(offer)
        raise DesignError(
            f"This design has no more than {number} different questions.",
            f"Ask for {number} items or fewer, or for more grades or classes.",
            "n",
        )

    def _try(self, draws: Draws, offer: Offer) -> tuple[Form, ItemDraft] | None:
        form, strict = FORMS[offer.form], self._design.strict
        ranks = self._balance.ranks(offer.form)
        found: list[Candidates] = []
        for _ in range(_DRAWS_PER_TRY):
            try:
                problem = form.draw(draws, offer.grade)
            except NotDrawn:
                continue
            # One problem is one question, asked by itself or of four pupils.
            if problem.stem() in self._seen:
                continue
            one = candidates(draws, problem, offer.grade, strict=strict, ranks=ranks)
            if one is None:
                continue
            found.append(one)
            if not self._balance.will_do(offer.form, one.rank) and len(found) < _FOR_LEVEL:
                continue
            best = min(found, key=lambda each: ranks[each.rank])
            made = draft(draws, best, self._style, ranks)
            if made is not None:
                return best.problem, made
            found.remove(best)
        return None

    def _put_together(
        self, draws: Draws, offer: Offer, problem: Form, draft: ItemDraft
    ) -> ChoiceItem:
        self._seen.add(draft.question)
        answers = [draft.right.answer, *(each.worked.answer for each in draft.distractors)]
        questions = questions_for(answers) if self._style is RationaleStyle.TEACHER else ()
        texts = self._balance.choose(draws, offer.form, draft.told, questions)
        self._balance.count_rank(offer.form, rank_of(draft.right.answer, draft.distractors))
        key = self._keys.next()
        places = [letter for letter in LETTERS if letter != key]
        letters = [key, *draws.several(places, len(places))]
        shown = {letter: answer.shown for letter, answer in zip(letters, answers, strict=True)}
        told = dict(zip(letters, texts, strict=True))
        wrong = dict(zip(letters[1:], draft.distractors, strict=True))
        question, options = draft.question, tuple(shown[letter] for letter in LETTERS)
        pupils: tuple[str, ...] = ()
        if offer.compared:
            pupils = pupils_for(draws, draft.question)
            question, options = write_comparison(draft.question, pupils, options)
        return ChoiceItem(
            id="",
            question=question,
            options=options,
            key=key,
            rules={letter: wrong[letter].rule.id for letter in places},
            rationales={letter: told[letter] for letter in LETTERS},
            grade=offer.grade,
            content_class=offer.content_class,
            dok=offer.dok,
            style=self._design.style,
            problem=write_form(problem),
            library_version=library_version(),
            seed=self._design.seed,
            pupils=pupils,
            others={letter: wrong[letter].others for letter in places if wrong[letter].others},
        ).with_id()
