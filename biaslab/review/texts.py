"""What a quality review is about: texts drawn from a study's pairs, and two yes/no questions.

Two criteria for every text, as in Opedal et al. (2024), appendix A.2; the wording is our own.
Every text comes from a pair of its own, so that texts are independent of each other and nobody
can compare a text with its partner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from biaslab.problems import DesignError
from biaslab.problems.draws import Draws
from biaslab.studies.study import Pair, Value

FURTHER = 0
"""The round of texts that are split among the reviewers; control sets are numbered from 1."""


class Criterion(StrEnum):
    """One of the two questions that are answered for every text."""

    NATURAL = "natural"
    CLEAR = "clear"

    @property
    def label(self) -> str:
        """A short name for tables."""
        return {"natural": "language", "clear": "task and answer"}[self.value]

    @property
    def question(self) -> str:
        """What a reviewer is asked."""
        return {
            "natural": "Is every sentence grammatical and natural English?",
            "clear": "Is it clear what is asked, and is the stated answer right?",
        }[self.value]

    @property
    def explanation(self) -> str:
        """What counts as a no, in one line."""
        return {
            "natural": "No: a mistake in grammar, a word that nobody would use, or something that "
            "does not happen in the world.",
            "clear": "No: it can be understood in two ways, something is missing, or the answer "
            "does not follow.",
        }[self.value]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reviewer said about a text.

    Attributes:
        natural, clear: the answers to the two questions.
        comment: what else was said; often empty.
    """

    natural: bool
    clear: bool
    comment: str = ""

    def answer_to(self, criterion: Criterion) -> bool:
        """The answer to one of the questions."""
        return self.natural if criterion is Criterion.NATURAL else self.clear


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A text to be judged.

    Attributes:
        number: in its review, from 1.
        round: the control set that it belongs to, from 1; `FURTHER` for one that is split.
        item, pair: ids; member: ``x`` or ``x_prime``. Empty where a reviewer was sent the text.
        text: as asked, the question included.
        answer: the one that is stated to be right.
        strata: of its pair.
    """

    number: int
    round: int
    item: str
    pair: str
    member: str
    text: str
    answer: str
    strata: Mapping[str, Value]


def draw_texts(
    pairs: Callable[[], Iterable[Pair]], total: int, seed: int, first: int, count: int, of: int
) -> list[ReviewText]:
    """Texts of different pairs, drawn at random; which member of a pair is shown is random too.

    The order depends on seed and pairs alone, so the texts numbered 101 to 110 are the same
    whether they are drawn with the others or later.

    Args:
        pairs: gives the pairs, from the start each time: of a design, or a set that is kept.
        total: how many pairs there are.
        seed: any whole number.
        first: number of the first text that is wanted, from 1.
        count: how many are wanted.
        of: the round that they belong to.

    Raises:
        DesignError: there are not so many different texts.
    """
    wanted = first - 1 + count
    order = Draws(f"review texts/{seed}").several(range(total), total)
    # Pairs of some studies share texts, so more pairs may have to be looked at than are wanted.
    reach = min(total, 2 * wanted)
    while True:
        found = _different(pairs, order[:reach], seed)
        if len(found) >= wanted:
            break
        if reach >= total:
            raise DesignError(
                f"The pairs hold {len(found):,} different texts, and the review needs {wanted:,}.",
                "Make more pairs, or review fewer texts.",
                "n",
            )
        reach = min(total, 2 * reach)
    return [
        ReviewText(number, of, item.id, pair.id, member, item.text, item.answer, pair.strata)
        for number, (pair, member) in enumerate(found[:wanted], 1)
        if number >= first
        for item in (pair.x if member == "x" else pair.x_prime,)
    ]


def _different(
    pairs: Callable[[], Iterable[Pair]], places: list[int], seed: int
) -> list[tuple[Pair, str]]:
    """Pairs at these places with the member to show, in this order, each text once."""
    wanted = set(places)
    last = max(wanted, default=-1)
    at: dict[int, Pair] = {}
    for place, pair in enumerate(pairs()):
        if place in wanted:
            at[place] = pair
        if place >= last:
            break
    seen: set[str] = set()
    found: list[tuple[Pair, str]] = []
    for place in places:
        if place not in at:
            continue
        member = Draws(f"review member/{seed}/{place}").one(("x", "x_prime"))
        pair = at[place]
        text = (pair.x if member == "x" else pair.x_prime).text
        if text not in seen:
            seen.add(text)
            found.append((pair, member))
    return found
