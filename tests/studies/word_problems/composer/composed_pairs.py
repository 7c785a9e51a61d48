"""Pairs of any structure and treatment, for the tests of what is promised of them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import assume
from hypothesis import strategies as st

from biaslab.studies.word_problems.cast import PairHalf
from biaslab.studies.word_problems.composing import Composer
from biaslab.studies.word_problems.treatments import Base, Treatment, Twins, treatments
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    DesignError,
    Draws,
    Entity,
    Problem,
    Question,
    Solution,
    Statement,
    Vocabulary,
    solve,
    vocabulary,
    write,
)
from schoolmath.problems.chains import ChainPlan, resolve
from schoolmath.problems.quantities import NumberRange
from schoolmath.problems.structure import describe, parse_structure

STRUCTURES = (
    "container . comparison",
    "container . transfer",
    "container . rate",
    "container . rate/",
    "container . transfer A>B . transfer >A",
    "container . comparison- inconsistent . transfer+",
    "container . comparison* . comparison+",
    "container . comparison . comparison . comparison",
    "container . transfer- . comparison+ inconsistent . rate",
    "container . comparison . rate* . transfer",
    "container . transfer . comparison . transfer- . comparison . transfer+",
    "container . container distractor . transfer . comparison . transfer distractor",
    "container . comparison . comparison distractor . transfer A>B distractor . comparison",
    "container . transfer A>B . comparison B:A . transfer B>A . comparison consistent",
)
RANGES = (NumberRange(2, 20), NumberRange(10, 99), NumberRange(100, 999), NumberRange(2, 999))
ATTEMPTS = 300


def plan_of(line: str) -> ChainPlan:
    return resolve(parse_structure(line))


def fits(name: str, line: str) -> bool:
    try:
        treatments()[name].check(plan_of(line), None)
    except DesignError:
        return False
    return True


CASES = tuple((name, line) for name in treatments() for line in STRUCTURES if fits(name, line))


@dataclass(frozen=True)
class Made:
    treatment: Treatment
    base: Base
    twins: Twins
    x: PairHalf
    x_prime: PairHalf


def member(problem: Problem, treated: tuple[int, ...], words: Vocabulary | None = None) -> PairHalf:
    solution = solve(problem)
    sentences = write(problem, words or vocabulary()).sentences
    return PairHalf(problem, sentences, solution, treated, describe(problem, solution))


def pair_of(treatment: Treatment, base: Base, twins: Twins) -> Made:
    return Made(
        treatment,
        base,
        twins,
        member(twins.x, twins.treated, base.words),
        member(twins.x_prime, twins.treated_prime, base.words),
    )


def make(
    name: str, line: str, numbers: NumberRange, seed: str = "1", sentence: int | None = None
) -> Made | None:
    """A pair, or None where the structure has hardly any with such numbers."""
    draws = Draws(seed)
    plan = plan_of(line)
    composer = Composer(plan, numbers, draws)
    treatment = treatments()[name]
    for _ in range(ATTEMPTS):
        problem = composer.draw()
        if problem is None:
            continue
        base = Base(problem, plan, sentence, numbers, vocabulary())
        twins = treatment.twins(base, draws)
        if twins is not None:
            return pair_of(treatment, base, twins)
    return None


@st.composite
def made_pairs(draw: st.DrawFn, only: str = "") -> Made:
    cases = [case for case in CASES if only in ("", case[0])]
    name, line = draw(st.sampled_from(cases))
    numbers = draw(st.sampled_from(RANGES))
    try:
        made = make(name, line, numbers, draw(st.integers(0, 10**6).map(str)))
    except DesignError as error:
        # The range holds no such numbers; which ranges do is what the refusals' tests say.
        if error.setting != "numbers":
            raise
        made = None
    assume(made is not None)
    assert made is not None
    return made


def equations(solution: Solution) -> list[str]:
    return [step.equation() for step in solution.steps]


def numbers_in(problem: Problem) -> list[int]:
    return [statement.predicate.quantity for statement in problem.statements]


def teachers(first: int, fewer: int) -> Problem:
    """A problem that nobody drew: Ana has so many, Ben so many fewer."""
    things = Entity("apple")
    return Problem(
        (
            Statement(Container("Ana", first, things)),
            Statement(
                Comparison(ComparisonType.ADDITIVE, "Ana", "Ben", fewer, things),
                ComparisonForm.B_FEWER,
            ),
        ),
        Question("Ben", things),
    )
