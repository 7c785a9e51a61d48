"""Items on demand, as many as a design asks for."""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.malrules.bank.balancing import Balance
from biaslab.malrules.bank.comparing import pupils_for, write_comparison
from biaslab.malrules.bank.dealing import Dealer
from biaslab.malrules.bank.design import BankDesign, Offer, chosen_offers
from biaslab.malrules.bank.drafting import Draft, draft
from biaslab.malrules.bank.items import LETTERS, ChoiceItem, library_version
from biaslab.malrules.bank.rationales import Style, questions_for
from biaslab.malrules.forms import FORMS, Form, NotDrawn, write_form
from biaslab.problems.draws import Balanced, Draws
from biaslab.problems.errors import DesignError

_DRAWS_PER_TRY = 12
_TRIES_BEFORE_GIVING_UP = 3


def make_items(design: BankDesign) -> Iterator[ChoiceItem]:
    """The items of a design, one after the other; no question comes twice.

    Raises:
        DesignError: the forms offer nothing of it, or fewer different questions than it asks
            for (then at the first that is missing).
    """
    return _Making(design, chosen_offers(design)).items()


class _Making:
    def __init__(self, design: BankDesign, offered: tuple[Offer, ...]) -> None:
        self._design = design
        self._style = Style(design.style)
        self._dealer = Dealer(Draws(f"bank/{design.seed}/mix"), offered)
        self._keys = Balanced(Draws(f"bank/{design.seed}/keys"), LETTERS)
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

    def _try(self, draws: Draws, offer: Offer) -> tuple[Form, Draft] | None:
        form = FORMS[offer.form]
        for _ in range(_DRAWS_PER_TRY):
            try:
                problem = form.draw(draws, offer.grade)
            except NotDrawn:
                continue
            # One problem is one question, asked by itself or of four pupils.
            if problem.stem() in self._seen:
                continue
            made = draft(draws, problem, self._style, strict=self._design.strict)
            if made is not None:
                return problem, made
        return None

    def _put_together(self, draws: Draws, offer: Offer, problem: Form, made: Draft) -> ChoiceItem:
        self._seen.add(made.question)
        answers = [made.right.answer, *(each.worked.answer for each in made.distractors)]
        questions = questions_for(answers) if self._style is Style.TEACHER else ()
        texts = self._balance.choose(draws, offer.form, made.told, questions)
        key = self._keys.next()
        places = [letter for letter in LETTERS if letter != key]
        letters = [key, *draws.several(places, len(places))]
        shown = {letter: answer.shown for letter, answer in zip(letters, answers, strict=True)}
        told = dict(zip(letters, texts, strict=True))
        wrong = dict(zip(letters[1:], made.distractors, strict=True))
        question, options = made.question, tuple(shown[letter] for letter in LETTERS)
        pupils: tuple[str, ...] = ()
        if offer.compared:
            pupils = pupils_for(draws, made.question)
            question, options = write_comparison(made.question, pupils, options)
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
