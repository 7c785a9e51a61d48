"""What a model answered on pairs of one kind, as counts, and what the counts mean.

A cell holds counts only, so that it can be written into a table, added up and read again without
losing anything. Effects and intervals come from `biaslab.stats`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from biaslab.stats import Interval, cate_estimate, wilson
from schoolmath.text.figures import interval_words, percent, signed_points

ALL = ""
"""As a comparison or a wording: all of them together."""

ABOVE_COMMONEST = 0.10
"""How far the choice of operation must lie above always choosing the commonest one, lower end of
the interval, before a missing effect may be called the work of balance
(research/docs/family.md)."""


@dataclass(frozen=True, slots=True)
class CellEffect:
    """The difference between the two arms of a cell.

    Attributes:
        n: pairs.
        cate: share right of x minus share right of x', -1 to 1.
        interval: 95 % confidence interval; None where there are fewer than two pairs.
        p: two-sided p of the interval's test; None where `identical`: no pair says anything
            about a difference then, and a p of 1 would look like evidence of none.
        identical: whether both members of every pair were right or both were not.
    """

    n: int
    cate: float
    interval: Interval | None
    p: float | None
    identical: bool


@dataclass(frozen=True, slots=True)
class OperationChoice:
    """Which operation the first worked step of the answers of one arm has.

    Attributes:
        asked: answers with a readable first step.
        right: those with the operation that the problem needs.
        plus: those to problems that need an addition, so what always adding would get right.
    """

    asked: int
    right: int
    plus: int

    @property
    def share(self) -> float:
        """Share of right operations, 0 to 1."""
        return self.right / self.asked

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the share."""
        found = wilson(self.right, self.asked)
        assert found is not None  # there are answers
        return found

    @property
    def always_plus(self) -> float:
        """Share that always adding would get right."""
        return self.plus / self.asked

    @property
    def always_commonest(self) -> float:
        """Share that the better of always adding and always subtracting would get right."""
        return max(self.plus, self.asked - self.plus) / self.asked

    @property
    def reads_the_wording(self) -> bool:
        """Whether the choice lies well above the commonest operation (`ABOVE_COMMONEST`)."""
        return self.interval.low >= self.always_commonest + ABOVE_COMMONEST


@dataclass(frozen=True, slots=True)
class CheckCell:
    """Pairs of one kind, asked in one way.

    Attributes:
        study: whose pairs.
        comparison: ``additive`` or ``multiplicative`` where the study has both, else `ALL`.
        wording: of the comparisons: ``consistent``, ``inconsistent``, ``mixed``, or `ALL`.
        steps: reasoning steps.
        strategy: how it was asked.
        n: pairs; both, only_x, only_x_prime, neither: pairs by which members were answered
            rightly; they add up to n. An answer that could not be read is not right.
        unread_x, unread_x_prime: answers that could not be read.
        operator_asked_x: answers of x whose first worked step could be read, for one-step
            additive problems worked step by step (else 0); operator_right_x: those with the right
            operation; operator_plus_x: those for which always adding would be right.
        wrong_x: wrong answers of x that could be read; reversed_x: those that are what the
            reversed operation gives (`biaslab.training.measuring.reversed_answers`).
    """

    study: str
    comparison: str
    wording: str
    steps: int
    strategy: str
    n: int
    both: int
    only_x: int
    only_x_prime: int
    neither: int
    unread_x: int = 0
    unread_x_prime: int = 0
    operator_asked_x: int = 0
    operator_right_x: int = 0
    operator_plus_x: int = 0
    operator_asked_x_prime: int = 0
    operator_right_x_prime: int = 0
    operator_plus_x_prime: int = 0
    wrong_x: int = 0
    reversed_x: int = 0
    wrong_x_prime: int = 0
    reversed_x_prime: int = 0

    def __post_init__(self) -> None:
        below = [name for name in COUNTS if getattr(self, name) < 0]
        if below:
            raise ValueError(f"{below[0]} is {getattr(self, below[0])}, below zero")
        if self.both + self.only_x + self.only_x_prime + self.neither != self.n:
            raise ValueError("both, only_x, only_x_prime and neither do not add up to n")
        if self.n == 0:
            raise ValueError("a cell without pairs says nothing")
        for part, whole in _PARTS:
            if getattr(self, part) > getattr(self, whole):
                raise ValueError(f"{part} is larger than {whole}")

    @property
    def right_x(self) -> int:
        """Right answers of x."""
        return self.both + self.only_x

    @property
    def right_x_prime(self) -> int:
        """Right answers of x'."""
        return self.both + self.only_x_prime

    @property
    def share_x(self) -> float:
        """Share right of x, 0 to 1."""
        return self.right_x / self.n

    @property
    def share_x_prime(self) -> float:
        """Share right of x', 0 to 1."""
        return self.right_x_prime / self.n

    @property
    def cate(self) -> float:
        """Share right of x minus share right of x', -1 to 1."""
        return (self.only_x - self.only_x_prime) / self.n

    @property
    def identical(self) -> bool:
        """Whether no pair has one member right and the other not."""
        return self.only_x == self.only_x_prime == 0

    def effect(self) -> CellEffect:
        """The paired difference with its interval."""
        counts = (self.both, self.only_x, self.only_x_prime, self.neither)
        y_x = np.repeat([1.0, 1.0, 0.0, 0.0], counts)
        y_x_prime = np.repeat([1.0, 0.0, 1.0, 0.0], counts)
        found = cate_estimate(y_x, y_x_prime)
        p = None if self.identical else found.p
        return CellEffect(self.n, self.cate, found.interval, p, self.identical)

    def operation_x(self) -> OperationChoice | None:
        """The operations chosen in x; None where none could be read."""
        if not self.operator_asked_x:
            return None
        return OperationChoice(self.operator_asked_x, self.operator_right_x, self.operator_plus_x)

    def operation_x_prime(self) -> OperationChoice | None:
        """The operations chosen in x'; None where none could be read."""
        if not self.operator_asked_x_prime:
            return None
        return OperationChoice(
            self.operator_asked_x_prime, self.operator_right_x_prime, self.operator_plus_x_prime
        )

    def to_json(self) -> dict[str, Any]:
        """The cell as it is written down."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> CheckCell:
        """The cell that was written down.

        Raises:
            ValueError: it lacks something, has something else, or contradicts itself.
        """
        if not isinstance(content, Mapping) or set(content) != set(COLUMNS):
            raise ValueError(f"a cell has the fields {', '.join(COLUMNS)}")
        for name in COLUMNS:
            wanted = str if name in _TEXTS else int
            if not isinstance(content[name], wanted) or isinstance(content[name], bool):
                kind = "text" if name in _TEXTS else "whole number"
                raise ValueError(f"{name} is {content[name]!r}, no {kind}")
        return cls(**content)


COLUMNS = tuple(field.name for field in fields(CheckCell))
"""Names of a cell's fields, in their order."""

COUNTS = COLUMNS[COLUMNS.index("n") :]
"""Those that are counts of pairs or answers."""

_TEXTS = ("study", "comparison", "wording", "strategy")
_PARTS = tuple(
    (f"{part}_{arm}", whole if whole == "n" else f"{whole}_{arm}")
    for arm in ("x", "x_prime")
    for part, whole in (
        ("unread", "n"),
        ("operator_asked", "n"),
        ("operator_right", "operator_asked"),
        ("operator_plus", "operator_asked"),
        ("wrong", "n"),
        ("reversed", "wrong"),
    )
)


def added_up(cells: Iterable[CheckCell]) -> tuple[CheckCell, ...]:
    """Cells that differ in their wording alone, added up, in the order in which they come."""
    found: dict[CheckCell, dict[str, int]] = {}
    for cell in cells:
        key = CheckCell(cell.study, cell.comparison, ALL, cell.steps, cell.strategy, *_NO_COUNTS)
        sums = found.setdefault(key, dict.fromkeys(COUNTS, 0))
        for name in COUNTS:
            sums[name] += getattr(cell, name)
    return tuple(CheckCell(**{**key.to_json(), **sums}) for key, sums in found.items())


_NO_COUNTS = (1, 0, 0, 0, 1)
"""Of a cell that stands for its kind alone."""


def table(cells: Sequence[CheckCell]) -> str:
    """All cells as a Markdown table, effects in percentage points."""
    rows = [
        "| study | comparison | wording | steps | strategy | pairs | x right | x′ right "
        "| unread | effect | 95 % interval | p |",
        "|---|---|---|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        effect = cell.effect()
        ends = effect.interval
        between = "" if ends is None else interval_words(ends.low, ends.high)
        p = "alike in every pair" if effect.p is None else f"{effect.p:.2g}"
        rows.append(
            f"| {cell.study} | {cell.comparison} | {cell.wording} | {cell.steps} "
            f"| {cell.strategy} | {cell.n} | {percent(cell.share_x)} | "
            f"{percent(cell.share_x_prime)} "
            f"| {cell.unread_x + cell.unread_x_prime} | {signed_points(effect.cate)} | {between} "
            f"| {p} |"
        )
    return "\n".join(rows)
