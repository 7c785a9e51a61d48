"""Consistency: is a comparison harder when its wording suggests the wrong operation?

Opedal et al. (2024), section 5.2, after Lewis & Mayer (1987). A container, up to two transfers
or rates, one comparison that brings in a new agent, up to two transfers or rates; the question
is about the new agent. "Ben has 3 fewer than Ana" (consistent: subtract) against "Ana has 3
more than Ben" (inconsistent: "more", yet subtract).

Unlike the released data, transfers also take away, rates also divide, and every sentence is needed
for the answer. A comparison that multiplies is told as "3 times as many" and "1/3 as many", or on
request as "3 times fewer", which has the same numeral in both forms and two meanings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

from biaslab.models import Skill
from biaslab.studies.answers.numeric import NumericStudy
from biaslab.studies.designs import Range, choice_of, range_of
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
    draw_container,
    draw_entity,
    draw_phrasing,
    move,
    problem_of,
)
from biaslab.studies.word_problems.features import CONSISTENCY
from biaslab.studies.word_problems.settings import (
    EVENLY,
    MULTIPLICATIVE,
    SHARES,
    VERSION,
    Wording,
    difficulties,
    first_success,
    in_wording,
    require_numbers,
    statement_in_wording,
    wording_of,
)
from biaslab.studies.word_problems.verification import verify_pair
from schoolmath.problems import (
    BalancedDeck,
    ComparisonForm,
    Container,
    Draws,
    Entity,
    Operation,
    Problem,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.quantities import EITHER, NumberRange, QuantityChain, Signs, chain

MOST_AROUND = 2
"""Most transfers or rates before, and after, the comparison (the paper's structure)."""

RATE_SHARE = 0.4
"""Share of problems with more than one step that hold a rate. At most one each: things are
packed once, never in boxes in bags. With a comparison that divides, the rate multiplies:
numbers up to 20 cannot be divided twice without printing the answer."""

STEPS = Setting(
    "steps", "Reasoning steps", "How many calculations lead to the answer.",
    "range", "1-5", 1, 2 * MOST_AROUND + 1,
)  # fmt: skip
NUMBERS = Setting(
    "numbers", "Numbers in the text", "Smallest and largest number in a problem.",
    "range", "2-20", 2, 999,
)  # fmt: skip
OPERATIONS = Setting(
    "operations", "Comparison",
    "Additive: 3 more than; multiplicative: 3 times as many as.",
    "choice", "all", choices=("all", "additive", "multiplicative"),
)  # fmt: skip

_SIGNS = {
    "all": (Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY, Operation.DIVIDE),
    "additive": (Operation.ADD, Operation.SUBTRACT),
    "multiplicative": (Operation.MULTIPLY, Operation.DIVIDE),
}
_OPERATION_NAMES = {
    Operation.ADD: "addition",
    Operation.SUBTRACT: "subtraction",
    Operation.MULTIPLY: "multiplication",
    Operation.DIVIDE: "division",
}


@dataclass(frozen=True, slots=True)
class _Plan:
    """Operations in order, which one is the comparison, and which (if any) is a rate."""

    operations: tuple[str, ...]
    comparison: int
    rate: int | None


@dataclass(frozen=True, slots=True)
class Consistency(NumericStudy):
    """The consistency study."""

    name: str = "consistency"
    title: str = "Consistent or inconsistent wording"
    question: str = "Is a problem harder when “more” or “fewer” suggests the wrong calculation?"
    source: str = "Opedal et al. 2024, section 5.2; Lewis & Mayer 1987"
    asks: Skill = Skill.SOLVE
    expects: Expectation | None = CONSISTENCY
    arms: Arms = Arms("consistent", "inconsistent")
    strata: tuple[Stratum, ...] = (
        Stratum("steps", "reasoning steps", "How many calculations lead to the answer."),
        Stratum("operation", "operation", "What the comparison needs: +, -, × or ÷."),
        Stratum("comparison", "comparison", "Additive (3 more) or multiplicative (3 times)."),
    )
    settings: tuple[Setting, ...] = (
        STEPS, NUMBERS, OPERATIONS, MULTIPLICATIVE, SHARES, VERSION,
    )  # fmt: skip
    strategies = WORD_PROBLEM_STRATEGIES
    baselines = ("always-plus", "keyword")
    rank = 1
    custom_words = True
    named_designs = (
        NamedDesign(
            "published", "500 pairs of one to five steps, numbers 2 to 20, all operations.", 500,
            {STEPS.name: "1-5", NUMBERS.name: "2-20", OPERATIONS.name: "all", SHARES.name: EVENLY},
        ),
    )  # fmt: skip

    def draw(self, design: Design, part: ProblemHalf = ProblemHalf.ASKED) -> Iterator[Pair | None]:
        """Pairs whose comparison sentence alone differs; steps and operations balanced."""
        steps, wording = range_of(design, STEPS), wording_of(design)
        signs, evenly = _SIGNS[choice_of(design, OPERATIONS)], choice_of(design, SHARES) == EVENLY
        numbers = require_numbers(
            range_of(design, NUMBERS), NUMBERS, partial(_impossible, steps, signs)
        )
        draws = Draws(f"{self.name}/{part}/{design.seed}")
        lengths = BalancedDeck(draws, range(steps.low, steps.high + 1))
        operations = {
            length: BalancedDeck(draws, signs) for length in range(steps.low, steps.high + 1)
        }
        around = Signs(draws)
        while True:
            length = lengths.next()
            plan = _draw_plan(draws, length, operations[length].next(), evenly=evenly)
            values = first_success(partial(chain, draws, around, plan.operations, numbers))
            yield (
                None
                if values is None
                else _pair(self.name, draws, part, plan, values, numbers, wording, evenly=evenly)
            )

    def ladder(self, design: Design) -> tuple[Mapping[str, Value], ...]:
        """Steps and numbers; the easiest has additive comparisons, unless kinds are chosen."""
        rungs = difficulties(STEPS, ("2-20", "2-99"))
        if OPERATIONS.name in design.settings:
            return rungs
        return ({**rungs[0], OPERATIONS.name: "additive"}, *rungs)


@cache
def _impossible(steps: Range, signs: tuple[str, ...], numbers: NumberRange) -> tuple[str, ...]:
    """The first kind of problem for which the range holds no numbers, in words."""
    draws = Draws("possible")
    around = Signs(draws)
    for length in range(steps.low, steps.high + 1):
        for sign in signs:
            for operations in sorted(
                {_draw_plan(draws, length, sign).operations for _ in range(60)}
            ):
                if first_success(partial(chain, draws, around, operations, numbers)) is None:
                    return (
                        f"{length} steps, one of them a comparison by {_OPERATION_NAMES[sign]}",
                    )
    return ()


def _draw_plan(draws: Draws, length: int, comparison: str, *, evenly: bool = False) -> _Plan:
    around = length - 1
    before = draws.between(max(0, around - MOST_AROUND), min(MOST_AROUND, around))
    operations = [comparison if index == before else EITHER for index in range(length)]
    rate = None
    if around and draws.chance(1 - 0.5**around if evenly else RATE_SHARE):
        rate = draws.below(around)
        rate += rate >= before
        divides = comparison != Operation.DIVIDE and draws.chance(0.5)
        operations[rate] = Operation.DIVIDE if divides else Operation.MULTIPLY
    return _Plan(tuple(operations), before, rate)


def _pair(
    study: str,
    draws: Draws,
    part: ProblemHalf,
    plan: _Plan,
    values: QuantityChain,
    numbers: NumberRange,
    wording: Wording,
    *,
    evenly: bool,
) -> Pair:
    agents = draw_agents(draws, 2 + len(plan.operations), part)
    things = draw_entity(draws, packable=plan.rate is not None, evenly=evenly)
    entity = things
    per: Entity | None = None
    if plan.rate is not None:
        per = draw_container(draws, things)
        if plan.operations[plan.rate] == Operation.MULTIPLY:
            entity = per
    agent = agents[0]
    statements = [Statement(Container(agent, values.first, entity), phrasing=draw_phrasing(draws))]
    for index, operation in enumerate(values.operations):
        number = values.numbers[index]
        if index == plan.comparison:
            statement = compare(operation, agent, agents[1], number, entity, draw_phrasing(draws))
            agent = agents[1]
        elif index == plan.rate and per is not None:
            dividing = operation == Operation.DIVIDE
            statement = Statement(
                Rate(agent, number, things, per), None, draw_phrasing(draws), dividing
            )
            entity = per if dividing else things
        else:
            other = agents[2 + index] if draws.chance(0.5) else None
            statement = move(operation, agent, other, number, entity, draw_phrasing(draws))
        statements.append(statement)
    changes = any(isinstance(statement.predicate, Transfer) for statement in statements)
    problem = problem_of(statements, agent, entity, draw_phrasing(draws), now=changes)
    return _twins(study, plan, problem, numbers, wording)


def _twins(
    study: str, plan: _Plan, problem: Problem, numbers: NumberRange, wording: Wording
) -> Pair:
    treated = plan.comparison + 1
    worded = in_wording(problem, wording)
    x = PairHalf.of(worded, (treated,))
    consistent = problem.statements[treated]
    other_form = (
        ComparisonForm.B_FEWER
        if consistent.form is ComparisonForm.A_MORE
        else ComparisonForm.A_MORE
    )
    turned = Statement(consistent.predicate, other_form, consistent.phrasing)
    twin = [*worded.statements]
    twin[treated] = statement_in_wording(turned, wording)
    x_prime = PairHalf.of(Problem(tuple(twin), worded.question), (treated,), x)
    steps = len(plan.operations)
    verify_pair(x, x_prime, steps, numbers)
    operation = plan.operations[plan.comparison]
    additive = operation in (Operation.ADD, Operation.SUBTRACT)
    item = x.item(study)
    return Pair.of(
        item,
        x_prime.item(study),
        {
            "steps": steps,
            "operation": _OPERATION_NAMES[operation],
            "comparison": "additive" if additive else "multiplicative",
        },
        cluster=item.id,
    )


EXPERIMENT = Consistency()
