"""Carry effect: is a sum harder when a digit carries, or a difference when one borrows?

Opedal et al. (2024), section 5.4, after Hitch (1978) and Fürst & Hitch (2000). One additive
comparison of three-digit numbers with a three-digit answer. The two texts are alike but for
the numbers: one needs no carry (or borrow), the other one or two; the answer is the same.
For models that three digits are too easy for there are four and five, with chains of carries.

Unlike the released data, the numbers are built digit by digit, one and two carries are as
frequent, and both members hold as many zero digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

from biaslab.models import Skill
from biaslab.studies.answers.numeric import NumericStudy
from biaslab.studies.designs import choice_of, range_of
from biaslab.studies.results import Expectation
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import (
    Arms,
    Design,
    NamedDesign,
    Pair,
    Setting,
    Stratum,
    Value,
)
from biaslab.studies.word_problems.cast import (
    PairHalf,
    ProblemHalf,
    compare,
    draw_agents,
    draw_entity,
    draw_phrasing,
    problem_of,
)
from biaslab.studies.word_problems.features import CARRY
from biaslab.studies.word_problems.settings import (
    EVENLY,
    SHARES,
    first_success,
    require_numbers,
)
from biaslab.studies.word_problems.verification import verify_pair
from schoolmath.problems import BalancedDeck, Container, Draws, Operation, Statement
from schoolmath.problems.quantities import CarryTwins, NumberRange, Sum, carry_twins

STEPS = Setting(
    "steps", "Reasoning steps", "A carry problem is one comparison: always one step.",
    "range", "1-1", 1, 1,
)  # fmt: skip
NUMBERS = Setting(
    "numbers", "Numbers in the text",
    "Smallest and largest number in a problem. All have as many digits as the largest: 3 to 5.",
    "range", "100-999", 100, 99_999,
)  # fmt: skip
CARRIES = Setting(
    "carries", "Carries",
    "How many carries (or borrows) in a row the harder problem has. Chain: as many as can be.",
    "choice", "1 or 2", choices=("1 or 2", "1", "2", "chain"),
)  # fmt: skip

_LONGER = ("1000-9999", "10000-99999")
"""Numbers for models that three digits are too easy for."""


@dataclass(frozen=True, slots=True)
class Carry(NumericStudy):
    """The carry study."""

    name: str = "carry"
    title: str = "With or without a carry"
    question: str = "Is the same problem harder when its numbers need a carry or a borrow?"
    source: str = "Opedal et al. 2024, section 5.4; Hitch 1978"
    asks: Skill = Skill.SOLVE
    expects: Expectation | None = CARRY
    arms: Arms = Arms("no carry", "carry")
    strata: tuple[Stratum, ...] = (
        Stratum("carries", "carries", "How many carries or borrows the harder member has."),
        Stratum("operation", "operation", "Addition (carry) or subtraction (borrow)."),
        Stratum("wording", "wording of the comparison", "Consistent or inconsistent."),
        Stratum("zeros", "zero digits", "Zero digits in the two numbers, alike in both."),
        Stratum("steps", "reasoning steps", "Always one in this study."),
    )
    settings: tuple[Setting, ...] = (STEPS, NUMBERS, CARRIES, SHARES)
    strategies = WORD_PROBLEM_STRATEGIES
    rank = 3
    custom_words = True
    named_designs = (
        NamedDesign(
            "published", "500 pairs of one step and three digits, one carry or two.", 500,
            {NUMBERS.name: "100-999", CARRIES.name: "1 or 2", SHARES.name: EVENLY},
        ),
    )  # fmt: skip
    baselines = ("always-plus", "keyword")

    def draw(self, design: Design, part: ProblemHalf = ProblemHalf.ASKED) -> Iterator[Pair | None]:
        """Pairs that differ in their numbers; carries, operations and wording balanced."""
        range_of(design, STEPS)
        evenly = choice_of(design, SHARES) == EVENLY
        wanted = range_of(design, NUMBERS)
        digits = len(str(wanted.high))
        counts = _counts(choice_of(design, CARRIES), digits)
        numbers = require_numbers(wanted, NUMBERS, partial(_impossible, counts, digits))
        draws = Draws(f"{self.name}/{part}/{design.seed}")
        cells = BalancedDeck(
            draws,
            [
                (operation, count, consistent)
                for operation in (Operation.ADD, Operation.SUBTRACT)
                for count in counts
                for consistent in (True, False)
            ],
        )
        zeros = BalancedDeck(draws, (True, False))
        while True:
            operation, count, consistent = cells.next()
            zero = count < digits - 1 and zeros.next()
            cell = (operation, count, zero, digits)
            twins = first_success(partial(_within, draws, cell, numbers))
            yield (
                None
                if twins is None
                else _pair(
                    self.name, draws, part, operation, consistent, twins, numbers, evenly=evenly
                )
            )

    def ladder(self, design: Design) -> tuple[Mapping[str, Value], ...]:  # noqa: ARG002
        """Three digits as published, then four and five with chains of carries."""
        chains = ({NUMBERS.name: each, CARRIES.name: "chain"} for each in _LONGER)
        return ({NUMBERS.name: str(NUMBERS.default)}, *chains)


def _counts(choice: str, digits: int) -> tuple[int, ...]:
    if choice == "chain":
        return (digits - 1,)
    return (1, 2) if choice == "1 or 2" else (int(choice),)


@cache
def _impossible(counts: tuple[int, ...], digits: int, numbers: NumberRange) -> tuple[str, ...]:
    """The first number of carries for which the range holds no numbers, in words."""
    draws = Draws("possible")
    for operation in (Operation.ADD, Operation.SUBTRACT):
        for count in counts:
            for zero in (False, True)[: 2 if count < digits - 1 else 1]:
                attempt = partial(_within, draws, (operation, count, zero, digits), numbers)
                if first_success(attempt) is None:
                    return (f"{count} carries and answers of {digits} digits",)
    return ()


def _within(
    draws: Draws, cell: tuple[str, int, bool, int], numbers: NumberRange
) -> CarryTwins | None:
    operation, count, zero, digits = cell
    twins = carry_twins(draws, operation, count, zero, digits)
    inside = all(
        numbers.low <= number <= numbers.high for number in (*twins.plain, *twins.carrying)
    )
    return twins if inside else None


def _pair(
    study: str,
    draws: Draws,
    part: ProblemHalf,
    operation: str,
    consistent: bool,
    twins: CarryTwins,
    numbers: NumberRange,
    *,
    evenly: bool,
) -> Pair:
    known, unknown = draw_agents(draws, 2, part)
    entity = draw_entity(draws, evenly=evenly)
    phrasings = [draw_phrasing(draws) for _ in range(3)]
    numbers_of_both = enumerate(zip(twins.plain, twins.carrying, strict=True))
    treated = tuple(index for index, (one, other) in numbers_of_both if one != other)

    def member(terms: Sum) -> PairHalf:
        container = Statement(Container(known, terms.known, entity), None, phrasings[0])
        comparison = compare(
            operation, known, unknown, terms.difference, entity, phrasings[1],
            consistent=consistent,
        )  # fmt: skip
        statements = (container, comparison)
        return PairHalf.of(
            problem_of(statements, unknown, entity, phrasings[2], now=False), treated
        )

    x, x_prime = member(twins.plain), member(twins.carrying)
    verify_pair(x, x_prime, 1, numbers, NUMBERS.maximum)
    item = x.item(study)
    strata = {
        "carries": twins.carries,
        "operation": "addition" if operation == Operation.ADD else "subtraction",
        "wording": "consistent" if consistent else "inconsistent",
        "zeros": twins.zeros,
        "steps": 1,
    }
    return Pair.of(item, x_prime.item(study), strata, cluster=item.id)


EXPERIMENT = Carry()
