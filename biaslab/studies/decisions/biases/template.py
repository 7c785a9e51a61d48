"""What a bias is: one text in two arms, custom values, slots, vignettes, a scale and a metric.

Malberg et al. (2024): with a1 and a2 the positions of the options chosen in control and treatment
(0-based, in the order of the scale),

    m = kappa * (|a1 - gamma1| - |a2 - gamma2|) / max(|a1 - gamma1|, |a2 - gamma2|),

between -1 and 1, and 0 where both distances are 0. It is a ratio to a chosen end of the scale
and no difference: (0, 1) gives -+1, (5, 6) gives -+1/6.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from biaslab.studies.decisions.biases.expressions import Value, calculate

Expression: TypeAlias = int | str
"""A whole number, or a calculation with custom values (`expressions.calculate`)."""


@dataclass(frozen=True, slots=True)
class IntegerValue:
    """A whole number drawn from low to high, both included, in steps."""

    low: int
    high: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class ChoiceValue:
    """One of several texts or numbers."""

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class CalculatedValue:
    """Calculated from the values before it."""

    expression: str


ValueSource: TypeAlias = IntegerValue | ChoiceValue | CalculatedValue


@dataclass(frozen=True, slots=True)
class VignetteSlot:
    """A gap that a vignette fills.

    Attributes:
        instruction: what stands there, for human authors and for a model that fills it; by
            choice of the value `by`, where the slot depends on one ("" key otherwise).
        by: name of the value that the slot's text depends on; "" where it depends on none.
        forbid: what must not stand in it: ``numbers``, ``questions``.
        words: most words; 0: any number.
    """

    instruction: Mapping[str, str]
    by: str = ""
    forbid: tuple[str, ...] = ()
    words: int = 0


@dataclass(frozen=True, slots=True)
class Vignette:
    """One hand-written scene.

    Attributes:
        id: within its bias.
        field: field of work, such as ``school``.
        slots: texts by slot; for a slot that depends on a value, texts by its choices.
    """

    id: str
    field: str
    slots: Mapping[str, str | Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class MetricTemplate:
    """The metric's parameters, as numbers or calculations with the values and ``n``."""

    kappa: Expression
    gamma1: Expression
    gamma2: Expression


class FidelityVerdict(StrEnum):
    """How a bias's test stands to the published template (Malberg et al. 2024)."""

    FAITHFUL = "faithful"
    """The same manipulation on the same scale: published means may stand beside."""
    REPAIRED = "repaired"
    """A confound of the template is removed, so its published mean has no twin here."""
    OTHER_CONTRAST = "other contrast"
    """The two arms differ in something else than theirs."""
    OTHER_TEST = "other test"
    """Another manipulation that goes by the same name."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """What is known of a test beside the published template of its bias.

    Compared with the authors' templates and generators at commit a3d2465. Scenes, names of the
    options and who is asked differ everywhere and are not repeated.

    Attributes:
        verdict: in a word.
        changed: what differs and what that does, sentences; empty: nothing but that.
        flaw: of the published template: what somebody without the bias would score; often empty.
    """

    verdict: FidelityVerdict
    changed: str = ""
    flaw: str = ""


@dataclass(frozen=True, slots=True)
class MovementWords:
    """What answers did, in a bias's own words: clauses to which “by so much” is added.

    Attributes:
        shown: where they moved in the direction of the bias.
        reversed: where they moved against it.
    """

    shown: str
    reversed: str


@dataclass(frozen=True, slots=True)
class Bias:
    """A bias as it can be tested: see the format in docs/decision.md.

    Attributes:
        id, name, kind (A, B or C), question, explanation, references, notes: for people.
        scale: option texts of the control, of the treatment; mostly the same.
        metric: parameters of the published metric.
        classic, opposite: answers of control and treatment that give +1 and -1.
        values: custom values by name, in the order in which they are drawn.
        swap: pairs of slots or values that exchange their contents in the treatment.
        text: both arms; ``[control | treatment]`` where they differ.
        slots, vignettes: what fills the gaps.
        later: how many of the vignettes, the last ones, came with the second version of the study.
        variant_of, repairs: for a variant, of which bias and what it repairs; "" for one that is as
            published, where the bias is not.
        sensitive: whether it touches groups of people.
        fidelity: how it stands to a published template; None: to none.
        moved: what a movement of its answers is called; None: nobody has said.
    """

    id: str
    name: str
    kind: str
    question: str
    explanation: str
    references: tuple[str, ...]
    scale: tuple[tuple[str, ...], tuple[str, ...]]
    metric: MetricTemplate
    classic: tuple[Expression, Expression]
    opposite: tuple[Expression, Expression]
    text: str
    values: Mapping[str, ValueSource] = field(default_factory=dict)
    swap: tuple[tuple[str, str], ...] = ()
    slots: Mapping[str, VignetteSlot] = field(default_factory=dict)
    vignettes: tuple[Vignette, ...] = ()
    variant_of: str = ""
    repairs: str = ""
    sensitive: bool = False
    notes: str = ""
    fidelity: Fidelity | None = None
    moved: MovementWords | None = None
    later: int = 0

    @property
    def of_first_version(self) -> Bias:
        """The bias with the vignettes alone that the first version of the study had."""
        return replace(self, vignettes=self.vignettes[: len(self.vignettes) - self.later], later=0)

    @property
    def options(self) -> int:
        """How many options the scale has; the same in both arms."""
        return len(self.scale[0])

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields of work of the vignettes, each once, in their order."""
        return tuple(dict.fromkeys(vignette.field for vignette in self.vignettes))


def value_count(bias: Bias) -> int:
    """How many combinations there are; 1 for a bias without values."""
    return prod(len(_options(source)) for source in bias.values.values())


def values_at(bias: Bias, place: int) -> dict[str, Value]:
    """The combination at a place, from 0 to `value_count` - 1, in the order of the file.

    Raises:
        BiasError: a value cannot be calculated.
    """
    values: dict[str, Value] = {}
    for name, source in bias.values.items():
        if isinstance(source, CalculatedValue):
            values[name] = calculate(source.expression, values)
        else:
            options = _options(source)
            place, at = divmod(place, len(options))
            values[name] = options[at]
    return values


def _options(source: ValueSource) -> Sequence[Value]:
    match source:
        case IntegerValue(low, high, step):
            return range(low, high + 1, step)
        case ChoiceValue(options):
            return options
        case CalculatedValue():
            return ("calculated",)


@dataclass(frozen=True, slots=True)
class Metric:
    """Parameters of the metric for one case.

    Attributes:
        kappa: 1 or -1, which direction is the classic bias.
        gamma1, gamma2: positions that distances are measured from in control and treatment;
            they may lie off the scale.
    """

    kappa: int
    gamma1: int
    gamma2: int

    def of(self, control: int, treatment: int) -> Fraction:
        """The metric of two answers, 0-based positions on the scale."""
        one, other = abs(control - self.gamma1), abs(treatment - self.gamma2)
        if one == other == 0:
            return Fraction(0)
        return self.kappa * Fraction(one - other, max(one, other))


_Table = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Chance:
    """What answers drawn at random, all options alike, would give.

    Attributes:
        mean: expected metric; mean_size: expected size of the metric, whatever its sign.
        sd: standard deviation of the metric of one case.
    """

    mean: float
    mean_size: float
    sd: float


@dataclass(frozen=True, slots=True)
class AskedCase:
    """A case with what was shown, so that cases which share a prompt are known.

    Attributes:
        metric: its parameters; options: of the scale.
        control, treatment: what identifies the prompts of its arms.
        is_reversed: whether options were shown from last to first.
    """

    metric: Metric
    options: int
    control: str
    treatment: str
    is_reversed: bool = False


def by_chance(cases: Iterable[tuple[Metric, int]]) -> Chance:
    """The exact expectations, by going through all pairs of answers.

    Args:
        cases: each case's metric and number of options; cases count alike.

    Raises:
        ValueError: no case.
    """
    first = second = size = Fraction(0)
    count = 0
    for metric, options in cases:
        count += 1
        mean, mean_size, square = _moments(metric, options)
        first, size, second = first + mean, size + mean_size, second + square
    if not count:
        raise ValueError("There are no cases.")
    mean = first / count
    return Chance(float(mean), float(size / count), sqrt(second / count - mean * mean))


def standard_error(cases: Sequence[AskedCase]) -> float:
    """The exact standard error of the mean metric when every prompt is answered by one draw.

    Where no prompt is shared, this is the usual sd / sqrt(n) of cases that differ in nothing
    but chance. A shared prompt has one answer in all its cases: each case's metric is split
    into what either answer gives by itself and what both give together, which are
    uncorrelated, and the parts of shared prompts are added before they are squared.

    Raises:
        ValueError: no case.
    """
    if not cases:
        raise ValueError("There are no cases.")
    alone: dict[str, list[_Table]] = defaultdict(list)
    together: dict[tuple[str, str], list[_Table]] = defaultdict(list)
    for case in cases:
        table = _table(case.metric, case.options)
        if case.is_reversed:
            table = table[::-1, ::-1]
        centred = table - table.mean()
        of_control, of_treatment = centred.mean(axis=1), centred.mean(axis=0)
        rest = centred - of_control[:, None] - of_treatment[None, :]
        alone[case.control].append(of_control)
        alone[case.treatment].append(of_treatment)
        # One pair's control may be another one's treatment, where contents are swapped.
        turned = case.treatment < case.control
        names = (case.treatment, case.control) if turned else (case.control, case.treatment)
        together[names].append(rest.T if turned else rest)
    variance = sum(_variance(parts) for parts in (*alone.values(), *together.values()))
    return sqrt(variance) / len(cases)


def _variance(parts: Sequence[_Table]) -> float:
    return float((np.sum(parts, axis=0) ** 2).mean())


@cache
def _table(metric: Metric, options: int) -> _Table:
    every = [[float(metric.of(a, b)) for b in range(options)] for a in range(options)]
    return np.array(every, dtype=np.float64)


@cache
def _moments(metric: Metric, options: int) -> tuple[Fraction, Fraction, Fraction]:
    every = [metric.of(*answers) for answers in product(range(options), repeat=2)]
    return (
        sum(every, Fraction(0)) / len(every),
        sum((abs(each) for each in every), Fraction(0)) / len(every),
        sum((each * each for each in every), Fraction(0)) / len(every),
    )
