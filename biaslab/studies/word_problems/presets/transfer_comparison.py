"""Transfer vs comparison: is a static relation harder than a change, the arithmetic the same?

Opedal et al. (2024), section 5.3, after Riley, Greeno & Heller (1983). A container followed by
transfers between one agent and others ("Ben gives Ana 3"), against the same container followed
by additive comparisons, each with a new agent ("Ben has 3 more than Ana"). Both take the same
calculations with the same numbers, and the sentences at one place bring in the same name.
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
    MOST_AGENTS,
    PairHalf,
    ProblemHalf,
    compare,
    draw_agents,
    draw_entity,
    draw_phrasing,
    move,
    problem_of,
)
from biaslab.studies.word_problems.features import PREDICATE
from biaslab.studies.word_problems.settings import (
    EVENLY,
    SHARES,
    VERSION,
    Wording,
    difficulties,
    first_success,
    in_wording,
    require_numbers,
    wording_of,
)
from biaslab.studies.word_problems.verification import verify_pair
from schoolmath.problems import BalancedDeck, Container, Draws, Statement
from schoolmath.problems.quantities import EITHER, NumberRange, QuantityChain, Signs, chain

STEPS = Setting(
    "steps", "Reasoning steps", "How many transfers, or comparisons, a problem has.",
    "range", "1-5", 1, MOST_AGENTS - 1,
)  # fmt: skip
NUMBERS = Setting(
    "numbers", "Numbers in the text", "Smallest and largest number in a problem.",
    "range", "2-20", 2, 999,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TransferComparison(NumericStudy):
    """The study of transfers against comparisons."""

    name: str = "transfer-comparison"
    title: str = "Transfer or comparison"
    question: str = "Is “Ben has 3 more than Ana” harder than “Ana gives Ben 3”?"
    source: str = "Opedal et al. 2024, section 5.3; Riley, Greeno & Heller 1983"
    asks: Skill = Skill.SOLVE
    expects: Expectation | None = PREDICATE
    arms: Arms = Arms("transfer", "comparison")
    strata: tuple[Stratum, ...] = (
        Stratum("steps", "reasoning steps", "How many transfers, or comparisons, there are."),
        Stratum(
            "wording", "wording of the comparisons",
            "Consistent, inconsistent, or some of each.",
        ),
    )  # fmt: skip
    settings: tuple[Setting, ...] = (STEPS, NUMBERS, SHARES, VERSION)
    strategies = WORD_PROBLEM_STRATEGIES
    baselines = ("always-plus", "keyword")
    rank = 2
    custom_words = True
    named_designs = (
        NamedDesign(
            "published", "500 pairs of one to five steps, numbers 2 to 20.", 500,
            {STEPS.name: "1-5", NUMBERS.name: "2-20", SHARES.name: EVENLY},
        ),
    )  # fmt: skip

    def draw(self, design: Design, part: ProblemHalf = ProblemHalf.ASKED) -> Iterator[Pair | None]:
        """Pairs with the same arithmetic; steps, operations and wording balanced."""
        steps, wording = range_of(design, STEPS), wording_of(design)
        evenly = choice_of(design, SHARES) == EVENLY
        numbers = require_numbers(range_of(design, NUMBERS), NUMBERS, partial(_impossible, steps))
        draws = Draws(f"{self.name}/{part}/{design.seed}")
        lengths = BalancedDeck(draws, range(steps.low, steps.high + 1))
        signs = Signs(draws)
        forms = BalancedDeck(draws, (True, True, False, False))
        while True:
            operations = (EITHER,) * lengths.next()
            values = first_success(partial(chain, draws, signs, operations, numbers))
            if values is None:
                yield None
                continue
            consistent = tuple(forms.next() for _ in operations)
            yield _pair(self.name, draws, part, consistent, values, numbers, wording, evenly=evenly)

    def ladder(self, design: Design) -> tuple[Mapping[str, Value], ...]:  # noqa: ARG002
        """Steps and numbers."""
        return difficulties(STEPS, ("2-20", "2-99"))


@cache
def _impossible(steps: Range, numbers: NumberRange) -> tuple[str, ...]:
    """The first number of steps for which the range holds no numbers, in words."""
    draws = Draws("possible")
    for length in range(steps.low, steps.high + 1):
        attempt = partial(chain, draws, Signs(draws), (EITHER,) * length, numbers)
        if first_success(attempt) is None:
            return (f"{length} steps",)
    return ()


def _pair(
    study: str,
    draws: Draws,
    part: ProblemHalf,
    consistent: tuple[bool, ...],
    values: QuantityChain,
    numbers: NumberRange,
    wording: Wording,
    *,
    evenly: bool,
) -> Pair:
    operations = values.operations
    agents = draw_agents(draws, 1 + len(operations), part)
    entity = draw_entity(draws, evenly=evenly)
    first = Statement(Container(agents[0], values.first, entity), phrasing=draw_phrasing(draws))
    transfers, comparisons = [first], [first]
    for index, operation in enumerate(operations):
        number, new = values.numbers[index], agents[index + 1]
        transfers.append(move(operation, agents[0], new, number, entity, draw_phrasing(draws)))
        comparisons.append(
            compare(
                operation, agents[index], new, number, entity, draw_phrasing(draws),
                consistent=consistent[index],
            )
        )  # fmt: skip
    phrasing = draw_phrasing(draws)
    treated = tuple(range(1, len(operations) + 2))
    changed = problem_of(transfers, agents[0], entity, phrasing, now=True)
    compared = problem_of(comparisons, agents[-1], entity, phrasing, now=True)
    x = PairHalf.of(in_wording(changed, wording), treated)
    x_prime = PairHalf.of(in_wording(compared, wording), treated, x)
    verify_pair(x, x_prime, len(operations), numbers)
    item = x.item(study)
    strata: dict[str, Value] = {"steps": len(operations), "wording": _wording(consistent)}
    return Pair.of(item, x_prime.item(study), strata, cluster=item.id)


def _wording(consistent: tuple[bool, ...]) -> str:
    if all(consistent):
        return "consistent"
    return "mixed" if any(consistent) else "inconsistent"


EXPERIMENT = TransferComparison()
