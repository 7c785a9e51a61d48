"""Making and proving the pairs of one structure, one treatment and one range of numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from biaslab.studies.study import Item, Pair, Value
from biaslab.studies.word_problems.cast import PairHalf
from biaslab.studies.word_problems.composer.composing import Composer
from biaslab.studies.word_problems.composer.diagnosable import ErrorAnswers
from biaslab.studies.word_problems.error_models import NO_CARRY, SMALLER_FROM_LARGER
from biaslab.studies.word_problems.treatments import (
    Base,
    Treatment,
    Twins,
    treatments,
    verify_treatment,
)
from biaslab.studies.word_problems.wording import Wording
from schoolmath.problems import Draws, Operation, Solution, vocabulary
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import NumberRange, carries
from schoolmath.problems.vocabulary import remembered

_ATTEMPTS = 1_000
"""After so many attempts without a pair a design counts as impossible."""
_SURVEYED = 150
"""So many pairs are looked at to see whether the range holds any carry or borrow."""
_PLAUSIBLE_ATTEMPTS, _PLAUSIBLE_FOUND = 300, 3
"""Wrong answers have to be whole and not below 0 where so many of these attempts give such."""

_OPERATION_WORDS = {
    Operation.ADD: "add",
    Operation.SUBTRACT: "subtract",
    Operation.MULTIPLY: "multiply",
    Operation.DIVIDE: "divide",
}


@dataclass(frozen=True, slots=True)
class _Made:
    """Two members before they are proved.

    Attributes:
        told: what the error models answer on each; () where that is not asked for.
    """

    x: PairHalf
    x_prime: PairHalf
    twins: Twins
    told: tuple[ErrorAnswers, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What texts of a structure, a treatment and a range of numbers can show.

    Attributes:
        without: of each member, the written error models that no numbers bring about.
        plausible: whether wrong answers can all be whole and not below 0.
    """

    without: tuple[frozenset[str], frozenset[str]]
    plausible: bool


_NOTHING = _Shown((frozenset(), frozenset()), plausible=False)
_WORDING = Wording()


class PairMaker:
    """Makes the pairs of a design one after the other.

    Args:
        study: name of the study, for the items' ids.
        plan: the structure, resolved.
        treatment: the one feature to change.
        sentence: index of the sentence to treat; None: the treatment chooses.
        numbers: range of all numbers in the text.
        draws: the stream of random choices.
        diagnosable: whether each error model has to give an answer of its own.
        wording: of the texts; it changes no number and nobody.

    Raises:
        DesignError: the vocabulary holds no thing with the words that the structure names.
    """

    def __init__(
        self,
        study: str,
        plan: ChainPlan,
        treatment: Treatment,
        sentence: int | None,
        numbers: NumberRange,
        draws: Draws,
        *,
        diagnosable: bool,
        wording: Wording = _WORDING,
    ) -> None:
        self._study = study
        self._wording = wording
        self._plan = plan
        self._treatment = treatment
        self._sentence = sentence
        self._numbers = numbers
        self._draws = draws
        self._composer = Composer(plan, numbers, draws)
        self._clashes: Counter[str] = Counter()
        self._diagnosable = diagnosable
        self._shown = _NOTHING
        if diagnosable:
            self._shown = _survey(plan, treatment.name, sentence, numbers)

    def make(self) -> Pair | None:
        """The next pair, proved; None where this attempt reached a dead end.

        Raises:
            UnsoundPair: a pair is not what it should be, an error in this program.
        """
        made = self._draw()
        if made is None:
            return None
        verify_treatment(made.x, made.x_prime, made.twins, self._treatment, self._numbers)
        for told in made.told:
            told.prove()
        x, x_prime = (self._item(made, index) for index in (0, 1))
        return Pair.of(x, x_prime, self._strata(made), cluster=x.id)

    def impossible(self) -> str:
        """Why there is no pair, to follow "there are no problems with"; "" where there is one."""
        if self._shown.plausible:
            return ""  # the survey made some
        if not any(self._composer.draw_numbers() is not None for _ in range(_ATTEMPTS)):
            return "this structure"
        if any(self._draw() is not None for _ in range(_ATTEMPTS)):
            return ""
        if not self._clashes:
            return f"this structure that differ in “{self._treatment.label}” alone"
        often = self._clashes.most_common(1)[0][0]
        return (
            "this structure in which every error model gives an answer of its own (most "
            f"often, {often})"
        )

    def _draw(self) -> _Made | None:
        made = self._draw_twins()
        if made is None or not self._diagnosable:
            return made
        told = []
        for member, without in zip((made.x, made.x_prime), self._shown.without, strict=True):
            each = ErrorAnswers.of(
                member.problem, " ".join(member.sentences), without, member.solution
            )
            clash = each.clash(plausible=self._shown.plausible)
            if clash:
                self._clashes[clash] += 1
                return None
            told.append(each)
        return replace(made, told=tuple(told))

    def _draw_twins(self) -> _Made | None:
        problem = self._composer.draw()
        if problem is None:
            return None
        base = Base(problem, self._plan, self._sentence, self._numbers, vocabulary())
        twins = self._treatment.twins(base, self._draws)
        if twins is None:
            return None
        twins = twins.worded(self._wording)
        x = PairHalf.of(twins.x, twins.treated)
        return _Made(x, PairHalf.of(twins.x_prime, twins.treated_prime, x), twins)

    def look(self) -> _Shown:
        """What these texts can show. It uses up choices: make no pairs with this maker then."""
        seen: tuple[set[str], set[str]] = (set(), set())
        for _ in range(_SURVEYED):
            made = self._draw_twins()
            if made is not None:
                for found, member in zip(seen, (made.x, made.x_prime), strict=True):
                    found |= _written_ways(member.solution)
        every = frozenset((NO_CARRY, SMALLER_FROM_LARGER))
        self._shown = _Shown((every - seen[0], every - seen[1]), plausible=True)
        self._diagnosable = True
        made_so_far = 0
        for _ in range(_PLAUSIBLE_ATTEMPTS):
            made_so_far += self._draw() is not None
            if made_so_far == _PLAUSIBLE_FOUND:
                return self._shown
        return replace(self._shown, plausible=False)

    def _item(self, made: _Made, index: int) -> Item:
        item = (made.x, made.x_prime)[index].item(self._study)
        if not made.told:
            return item
        return replace(item, facts={**item.facts, **made.told[index].facts()})

    def _strata(self, made: _Made) -> dict[str, Value]:
        steps = made.x.solution.steps
        return {
            "operations": ", ".join(_OPERATION_WORDS[step.operation] for step in steps),
            "steps": len(steps),
            "wording": _wording(made.x.solution),
            "carries": sum(
                carries(step.operation, step.left, step.right)
                for step in made.x_prime.solution.steps
            ),
            "treatment": self._treatment.name,
        }


@remembered
def _survey(plan: ChainPlan, treatment: str, sentence: int | None, numbers: NumberRange) -> _Shown:
    """Finds it out with a stream of choices of its own, so once for all designs that agree."""
    return PairMaker(
        "survey", plan, treatments()[treatment], sentence, numbers, Draws("survey"),
        diagnosable=False,
    ).look()  # fmt: skip


def _written_ways(solution: Solution) -> set[str]:
    return {
        NO_CARRY if step.operation == Operation.ADD else SMALLER_FROM_LARGER
        for step in solution.steps
        if carries(step.operation, step.left, step.right)
    }


def _wording(solution: Solution) -> str:
    forms = {step.consistent for step in solution.steps if step.consistent is not None}
    if not forms:
        return "no comparison"
    if len(forms) > 1:
        return "mixed"
    return "consistent" if True in forms else "inconsistent"
