"""Composed: pairs of any structure that differ in any one feature.

A line of structure (`schoolmath.problems.structure`) says which sentences follow each other, a
treatment (`biaslab.studies.word_problems.treatments`) which feature the members of a pair differ
in. Every pair is proved to differ in nothing else. On request the numbers are diagnosable:
each error model gives a wrong answer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from biaslab.models import ModelForm, Skill
from biaslab.studies.answers.numeric import NUMBERS_READER, read_numeric
from biaslab.studies.designs import (
    choice_of,
    integer_of,
    range_of,
    value_of,
)
from biaslab.studies.results import Expectation
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Setting,
    Stratum,
    Value,
)
from biaslab.studies.word_problems.composer.pairs import PairMaker
from biaslab.studies.word_problems.number_ranges import require_numbers
from biaslab.studies.word_problems.treatments import check_one, treatments
from biaslab.studies.word_problems.wording import MULTIPLICATIVE, VERSION, wording_of
from schoolmath.problems import Draws
from schoolmath.problems.chains import ChainPlan, resolve
from schoolmath.problems.quantities import NumberRange
from schoolmath.problems.structure import MOST_PARTS, parse_structure

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
class Composed(Experiment):
    """The study of any structure and any one feature."""

    name: str = NAME
    title: str = "A structure of your own"
    question: str = "Does one feature make problems of this structure harder?"
    source: str = "Opedal et al. 2024, section 4.2, in full; each feature names its own source"
    asks: Skill = Skill.SOLVE
    reader: str = NUMBERS_READER
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

    def of_design(self, design: Design) -> Composed:
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

    def read(self, item: Item, answered: Sequence[Answered], form: ModelForm) -> Reading:
        """Right when the number read is the answer."""
        return read_numeric(item, answered, form)

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


EXPERIMENT = Composed()
