"""What a bias is: one text in two arms, custom values, slots, vignettes, a scale and a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import prod
from typing import TypeAlias

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
