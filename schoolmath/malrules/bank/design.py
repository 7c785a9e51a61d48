"""What a bank shall hold, what the forms offer, and how many items of each kind it takes.

MalAlgoQA's tables give grades, classes and depths each by itself. Their shares of every cell
(grade, class, depth) are those that come from the number of templates in the cells by iterative
proportional fitting (Deming & Stephan 1940): rows are scaled to what they should hold, one table
after the other, until all of them hold as nearly as the cells that exist allow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

from schoolmath.malrules.bank.options import candidates, draft
from schoolmath.malrules.bank.rationales import RationaleStyle
from schoolmath.malrules.forms import Form, NotDrawn
from schoolmath.malrules.library import dealt_forms
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import DesignError

Cell: TypeAlias = tuple[int, str, int]
"""Grade, content class and depth of knowledge."""


class BankMix(StrEnum):
    """In which shares a bank deals its cells."""

    PUBLISHED = "published"
    """Grades, classes and depths as in MalAlgoQA."""
    EVEN = "even"
    """Depths as in MalAlgoQA, grades and classes evenly over what there is of each depth."""


PUBLISHED_GRADES = {3: 132, 4: 120, 5: 94, 6: 140, 7: 159, 8: 128, 11: 34}
PUBLISHED_CLASSES = {
    ContentClass.ALGEBRA.value: 315,
    ContentClass.NUMBER.value: 312,
    ContentClass.GEOMETRY.value: 122,
    ContentClass.PROBABILITY.value: 44,
    ContentClass.DATA.value: 14,
}
PUBLISHED_DOKS = {1: 349, 2: 434, 3: 24}
"""Mathematics items of MalAlgoQA (Sonkar et al. 2024, tables 2, 3 and 4): 807 in all."""

PACK = 807
"""So many items hold the shares of a mix as nearly as whole numbers can."""

_ROUNDS = 200


def counts_of(templates: Mapping[Cell, int], mix: BankMix) -> dict[Cell, int]:
    """How many of `PACK` items each cell gets.

    A grade or class that the publication does not have gets none, but where nothing else is
    asked for (grade 10 alone): then all that are asked for come evenly.

    Args:
        templates: the cells that there are, with the number of their templates.
        mix: the shares.
    """
    cells = sorted(templates)
    if not cells:
        return {}
    if mix is BankMix.EVEN:
        depths = _margin(cells, 2, PUBLISHED_DOKS)
        size = {dok: sum(cell[2] == dok for cell in cells) for dok in depths}
        return _whole({cell: depths[cell[2]] / size[cell[2]] for cell in cells})
    margins: list[dict[Hashable, float]] = [
        _margin(cells, 2, PUBLISHED_DOKS),
        _margin(cells, 1, PUBLISHED_CLASSES),
        _margin(cells, 0, PUBLISHED_GRADES),
    ]
    shares = {
        cell: float(templates[cell])
        for cell in cells
        if all(margin[cell[at]] for at, margin in zip((2, 1, 0), margins, strict=True))
    }
    if not shares:
        # What is left has no grade and class that the publication has together.
        shares = {cell: float(templates[cell]) for cell in cells}
        return _whole(shares)
    for _ in range(_ROUNDS):
        for at, margin in zip((2, 1, 0), margins, strict=True):
            held: dict[Hashable, float] = defaultdict(float)
            for cell, share in shares.items():
                held[cell[at]] += share
            for cell in shares:
                shares[cell] *= margin[cell[at]] / held[cell[at]]
    return _whole(shares)


def _margin(cells: list[Cell], at: int, published: Mapping[Any, int]) -> dict[Hashable, float]:
    """The share of each level that there is; even where the publication has none of them."""
    levels = sorted({cell[at] for cell in cells}, key=str)
    known = {level: float(published.get(level, 0)) for level in levels}
    whole = sum(known.values())
    if not whole:
        return {level: 1 / len(levels) for level in levels}
    return {level: count / whole for level, count in known.items()}


def _whole(shares: Mapping[Cell, float]) -> dict[Cell, int]:
    """Whole numbers that come to `PACK`: largest remainders, the first cells where equal."""
    total = sum(shares.values())
    exact = {cell: PACK * share / total for cell, share in shares.items()}
    counts = {cell: int(value) for cell, value in exact.items()}
    # Rounded, so that the last digit of a sum decides nothing.
    by_rest = sorted(exact, key=lambda cell: (-round(exact[cell] - counts[cell], 6), cell))
    for cell in by_rest[: PACK - sum(counts.values())]:
        counts[cell] += 1
    return {cell: count for cell, count in counts.items() if count}


GRADES = (3, 11)
"""Lowest and highest grade."""
DOKS = (1, 3)
"""Lowest and highest depth of knowledge."""
_PROBES = 12
_COMPARED = 2


@dataclass(frozen=True, slots=True)
class Offer:
    """Items that can be made.

    Attributes:
        form: name of the form.
        grade: for which it is drawn.
        content_class: of the form.
        dok: depth of knowledge of the item.
        compared: whether the item asks which of four pupils is right, and why.
    """

    form: str
    grade: int
    content_class: str
    dok: int
    compared: bool = False

    @property
    def cell(self) -> Cell:
        """Grade, content class and depth."""
        return (self.grade, self.content_class, self.dok)


@dataclass(frozen=True, slots=True)
class BankDesign:
    """What a bank shall hold.

    Attributes:
        n: number of items.
        seed: the same seed gives the same items everywhere; more items begin with the fewer.
        grades: lowest and highest grade.
        content_classes: names of content classes; None: all.
        doks: lowest and highest depth of knowledge.
        style: of the rationales: terse, worked or teacher.
        strict: every distractor fits one mal-rule only.
        mix: in which shares grades, classes and depths come: one of `BankMix`.

    Raises:
        DesignError: a setting is not what it can be.
    """

    n: int
    seed: int
    grades: tuple[int, int] = GRADES
    content_classes: tuple[str, ...] | None = None
    doks: tuple[int, int] = DOKS
    style: str = RationaleStyle.TERSE.value
    strict: bool = True
    mix: str = BankMix.PUBLISHED.value

    def __post_init__(self) -> None:
        if self.n < 1:
            raise DesignError(f"{self.n} items cannot be made.", "Ask for 1 or more.", "n")
        for setting, asked, known in (("grades", self.grades, GRADES), ("doks", self.doks, DOKS)):
            low, high = asked
            if not known[0] <= low <= high <= known[1]:
                raise DesignError(
                    f"There are no items for {setting} {_range(asked)}.",
                    f"The nearest setting that works is {_range(_nearest_range(asked, known))}.",
                    setting,
                )
        names = [each.value for each in ContentClass]
        if self.content_classes is not None and not self.content_classes:
            raise DesignError(
                "No content class is chosen.", f"Choose among {', '.join(names)}.",
                "content_classes",
            )  # fmt: skip
        for name in self.content_classes or ():
            if name not in names:
                raise DesignError(
                    f"There is no content class “{name}”.",
                    f"The classes are {', '.join(names)}.",
                    "content_classes",
                )
        if self.style not in {each.value for each in RationaleStyle}:
            raise DesignError(
                f"There is no style “{self.style}”.",
                f"The styles are {', '.join(each.value for each in RationaleStyle)}.",
                "style",
            )
        if self.mix not in {each.value for each in BankMix}:
            raise DesignError(
                f"There is no mix “{self.mix}”.",
                f"The mixes are {', '.join(each.value for each in BankMix)}.",
                "mix",
            )


@cache
def offers(strict: bool = True) -> tuple[Offer, ...]:
    """Everything that the forms offer, found by trying each form at each of its grades.

    A form whose rules give no three distractors that can stand together offers nothing.
    Questions which of four pupils is right are offered for forms of DOK 2 and more.
    """
    found = []
    for name, form in dealt_forms().items():
        for grade in range(max(form.grades[0], GRADES[0]), min(form.grades[1], GRADES[1]) + 1):
            if _can_be_made(name, form, grade, strict):
                found.append(Offer(name, grade, str(form.content_class), form.dok))
                if form.dok >= _COMPARED:
                    found.append(Offer(name, grade, str(form.content_class), 3, compared=True))
    return tuple(found)


def chosen_offers(design: BankDesign) -> tuple[Offer, ...]:
    """What the forms offer of this design.

    Raises:
        DesignError: nothing, or nothing of one of its classes; names the nearest that works.
    """
    every = offers(design.strict)
    names = design.content_classes or (None,)
    for name in names:
        of_class = [each for each in every if name in (None, each.content_class)]
        if not any(_within(each, design) for each in of_class):
            raise _nothing(design, name, of_class)
    return tuple(
        each
        for each in every
        if _within(each, design)
        and (design.content_classes is None or each.content_class in design.content_classes)
    )


def _can_be_made(name: str, form: type[Form], grade: int, strict: bool) -> bool:
    for attempt in range(_PROBES):
        draws = Draws(f"offer/{name}/{grade}/{attempt}")
        try:
            problem = form.draw(draws, grade)
        except NotDrawn:
            continue
        found = candidates(draws, problem, grade, strict=strict)
        if found is not None and draft(draws, found, RationaleStyle.TERSE) is not None:
            return True
    return False


def _within(offer: Offer, design: BankDesign) -> bool:
    return (
        design.grades[0] <= offer.grade <= design.grades[1]
        and design.doks[0] <= offer.dok <= design.doks[1]
    )


def _nothing(design: BankDesign, name: str | None, of_class: Iterable[Offer]) -> DesignError:
    asked = f"{name} items" if name else "items"
    reason = f"There are no {asked} for grade {_range(design.grades)} at DOK {_range(design.doks)}."
    nearest = min(
        of_class,
        key=lambda each: (
            _distance(each.grade, design.grades) + 2 * _distance(each.dok, design.doks),
            each.grade,
            each.dok,
        ),
        default=None,
    )
    if nearest is None:
        return DesignError(reason, "No form offers this class yet.", "content_classes")
    setting = "doks" if _distance(nearest.dok, design.doks) else "grades"
    return DesignError(
        reason,
        f"The nearest setting that works is grade {nearest.grade} at DOK {nearest.dok}.",
        setting,
    )


def _distance(value: int, interval: tuple[int, int]) -> int:
    return max(interval[0] - value, value - interval[1], 0)


def _nearest_range(ends: tuple[int, int], span: tuple[int, int]) -> tuple[int, int]:
    low, high = (min(max(value, span[0]), span[1]) for value in sorted(ends))
    return low, high


def _range(interval: tuple[int, int]) -> str:
    low, high = interval
    return str(low) if low == high else f"{low}-{high}"
