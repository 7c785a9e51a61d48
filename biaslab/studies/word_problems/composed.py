"""Composed: pairs of any structure that differ in any one feature.

A line of structure (`schoolmath.problems.structure`) says which sentences follow each other, a
treatment (`biaslab.studies.word_problems.treatments`) which feature the members of a pair differ
in. Every pair is proved to differ in nothing else. On request the numbers are diagnosable:
each error model gives a wrong answer of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from biaslab.models import Skill
from biaslab.studies.answers.numeric import NumericStudy
from biaslab.studies.designs import choice_of, integer_of, range_of, value_of
from biaslab.studies.results import Expectation
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import (
    Arms,
    Design,
    Item,
    Pair,
    Setting,
    Stratum,
    Value,
)
from biaslab.studies.word_problems.cast import PairHalf
from biaslab.studies.word_problems.composing import Composer
from biaslab.studies.word_problems.error_models import NO_CARRY, SMALLER_FROM_LARGER, ErrorAnswers
from biaslab.studies.word_problems.settings import (
    MULTIPLICATIVE,
    VERSION,
    Wording,
    require_numbers,
    wording_of,
)
from biaslab.studies.word_problems.treatments import (
    Base,
    Treatment,
    Twins,
    check_one,
    treatments,
    verify_treatment,
)
from schoolmath.problems import Draws, Operation, Solution, vocabulary
from schoolmath.problems.chains import ChainPlan, resolve
from schoolmath.problems.quantities import NumberRange, carries
from schoolmath.problems.structure import MOST_PARTS, parse_structure
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
class _TreatedMembers:
    """Two members before they are proved.

    Attributes:
        told: what the error models answer on each; () where that is not asked for.
    """

    x: PairHalf
    x_prime: PairHalf
    twins: Twins
    told: tuple[ErrorAnswers, ...] = ()


@dataclass(frozen=True, slots=True)
class _Showable:
    """What texts of a structure, a treatment and a range of numbers can show.

    Attributes:
        without: of each member, the written error models that no numbers bring about.
        plausible: whether wrong answers can all be whole and not below 0.
    """

    without: tuple[frozenset[str], frozenset[str]]
    plausible: bool


_NOTHING = _Showable((frozenset(), frozenset()), plausible=False)
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

    def _draw(self) -> _TreatedMembers | None:
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

    def _draw_twins(self) -> _TreatedMembers | None:
        problem = self._composer.draw()
        if problem is None:
            return None
        base = Base(problem, self._plan, self._sentence, self._numbers, vocabulary())
        twins = self._treatment.twins(base, self._draws)
        if twins is None:
            return None
        twins = twins.worded(self._wording)
        x = PairHalf.of(twins.x, twins.treated)
        return _TreatedMembers(x, PairHalf.of(twins.x_prime, twins.treated_prime, x), twins)

    def look(self) -> _Showable:
        """What these texts can show. It uses up choices: make no pairs with this maker then."""
        seen: tuple[set[str], set[str]] = (set(), set())
        for _ in range(_SURVEYED):
            made = self._draw_twins()
            if made is not None:
                for found, member in zip(seen, (made.x, made.x_prime), strict=True):
                    found |= _written_ways(member.solution)
        every = frozenset((NO_CARRY, SMALLER_FROM_LARGER))
        self._shown = _Showable((every - seen[0], every - seen[1]), plausible=True)
        self._diagnosable = True
        made_so_far = 0
        for _ in range(_PLAUSIBLE_ATTEMPTS):
            made_so_far += self._draw() is not None
            if made_so_far == _PLAUSIBLE_FOUND:
                return self._shown
        return replace(self._shown, plausible=False)

    def _item(self, pair: _TreatedMembers, index: int) -> Item:
        item = (pair.x, pair.x_prime)[index].item(self._study)
        if not pair.told:
            return item
        return replace(item, facts={**item.facts, **pair.told[index].facts()})

    def _strata(self, pair: _TreatedMembers) -> dict[str, Value]:
        steps = pair.x.solution.steps
        return {
            "operations": ", ".join(_OPERATION_WORDS[step.operation] for step in steps),
            "steps": len(steps),
            "wording": _wording(pair.x.solution),
            "carries": sum(
                carries(step.operation, step.left, step.right)
                for step in pair.x_prime.solution.steps
            ),
            "treatment": self._treatment.name,
        }


@remembered
def _survey(
    plan: ChainPlan, treatment: str, sentence: int | None, numbers: NumberRange
) -> _Showable:
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


NAME = "composed"

STRUCTURE = Setting(
    "structure", "Structure",
    "The sentences in order, such as: container . transfer- . comparison+ inconsistent . rate",
    "text", "container . transfer- . comparison+ inconsistent",
)  # fmt: skip
TREATMENT = Setting(
    "treatment", "What differs", "The one feature in which the two texts of a pair differ.",
    "choice", "consistency", choices=tuple(treatments()),
)  # fmt: skip
SENTENCE = Setting(
    "sentence", "Sentence to change",
    "The number of the sentence that differs; 0: the study chooses.",
    "integer", 0, 0, MOST_PARTS,
)  # fmt: skip
NUMBERS = Setting(
    "numbers", "Numbers in the text", "Smallest and largest number in a problem.",
    "range", "2-20", 1, 999,
)  # fmt: skip
DIAGNOSABLE = Setting(
    "diagnosable", "Diagnosable numbers",
    "Yes: each error model leads to a wrong answer of its own.",
    "choice", "no", choices=("no", "yes"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ComposedStudy(NumericStudy):
    """The study of any structure and any one feature."""

    name: str = NAME
    title: str = "A structure of your own"
    question: str = "Does one feature make problems of this structure harder?"
    source: str = "Opedal et al. 2024, section 4.2, in full; each feature names its own source"
    asks: Skill = Skill.SOLVE
    expects: Expectation | None = None
    arms: Arms = Arms("easier by hypothesis", "harder by hypothesis")
    strata: tuple[Stratum, ...] = (
        Stratum("operations", "operations", "The calculations that lead to the answer, in order."),
        Stratum("steps", "reasoning steps", "How many calculations lead to the answer."),
        Stratum("wording", "wording of the comparisons", "Of the first member of a pair."),
        Stratum("carries", "carries", "Carries and borrows of the second member of a pair."),
        Stratum("treatment", "what differs", "The one feature in which the two texts differ."),
    )
    settings: tuple[Setting, ...] = (
        STRUCTURE, TREATMENT, SENTENCE, NUMBERS, DIAGNOSABLE, MULTIPLICATIVE, VERSION,
    )  # fmt: skip
    strategies = WORD_PROBLEM_STRATEGIES
    baselines = ("always-plus", "keyword")
    quick_pairs = 40
    custom_words = True

    def of_design(self, design: Design) -> ComposedStudy:
        """The same study with the names and the expectation of the design's treatment."""
        found = treatments().get(str(value_of(design, TREATMENT)))
        return self if found is None else replace(self, arms=found.arms, expects=found.expects)

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """Pairs that differ in the treatment alone.

        Raises:
            DesignError: the structure makes no sense, the treatment would change two things or
                nothing, or the range holds no numbers.
        """
        maker = self._maker(design)
        while True:
            yield maker.make()

    def ladder(self, design: Design) -> tuple[Mapping[str, Value], ...]:  # noqa: ARG002
        """Larger numbers in the structure as it is."""
        return tuple({NUMBERS.name: each} for each in ("2-20", "10-99", "100-999"))

    def plan(self, design: Design) -> ChainPlan:
        """The design's structure with its people and its path to the answer.

        Raises:
            StructureError: it cannot be read or makes no sense.
        """
        return resolve(parse_structure(str(value_of(design, STRUCTURE))))

    def _maker(self, design: Design) -> PairMaker:
        plan = self.plan(design)
        treatment = check_one(str(value_of(design, TREATMENT)))
        sentence = integer_of(design, SENTENCE) - 1
        chosen = None if sentence < 0 else sentence
        treatment.check(plan, chosen)
        diagnosable = choice_of(design, DIAGNOSABLE) == "yes"
        wording = wording_of(design)

        def impossible(numbers: NumberRange) -> tuple[str, ...]:
            draws = Draws("possible")
            maker = PairMaker(
                self.name,
                plan,
                treatment,
                chosen,
                numbers,
                draws,
                diagnosable=diagnosable,
                wording=wording,
            )
            reason = maker.impossible()
            return (reason,) if reason else ()

        numbers = require_numbers(range_of(design, NUMBERS), NUMBERS, impossible)
        return PairMaker(
            self.name, plan, treatment, chosen, numbers, Draws(f"{self.name}/{design.seed}"),
            diagnosable=diagnosable, wording=wording,
        )  # fmt: skip


EXPERIMENT = ComposedStudy()
