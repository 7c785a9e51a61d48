"""The lessons of a pool of a training, in the batches and the order in which they are learnt.

A pool follows from the plan and its number alone. So it may be made before it is needed, by
another process, or again after an interruption, and always has the same lessons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from biaslab.training.lessons.corpus import Script, TokenExample, equation_script, examples, script
from biaslab.training.lessons.equations import Equation, equations
from biaslab.training.lessons.lessons import FIRST_WAYS, ONE_STEP, TrainingLesson, lessons
from biaslab.training.lessons.starting import first_scripts
from biaslab.training.mix import RATIOS
from biaslab.training.plan import TrainingPlan
from schoolmath.problems import Draws
from schoolmath.problems.quantities import carries

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

VERSION = 1
"""Of the lessons: another one where the same plan would give other lessons than before."""

COMPARISONS, PROBLEMS, CARRIES = RATIOS
"""What a filling thins out, by the name of its ratio."""

_NEUTRAL = (("small", 1.0),)


@dataclass(frozen=True, slots=True)
class LessonPool:
    """Lessons that are made together.

    Attributes:
        batches: in the order of learning, each of lessons of nearly one length.
        equations: how many of the lessons are bare equations.
    """

    batches: tuple[tuple[TokenExample, ...], ...]
    equations: int


def pool_of(
    plan: TrainingPlan, number: int, share: float, tokenizer: PreTrainedTokenizerFast
) -> LessonPool:
    """The pool of a plan with this number, from 0.

    Args:
        plan: the training's.
        number: which pool.
        share: how much of the training is done before it, 0 to 1: first problems are short.
        tokenizer: makes tokens of it.
    """
    size = plan.schedule.batch
    scripts, bare = _scripts(plan, number, share, size * plan.schedule.pool)
    ready = sorted(examples(scripts, tokenizer), key=lambda example: len(example.tokens))
    batches = [tuple(ready[at : at + size]) for at in range(0, len(ready), size)]
    order = Draws(f"batches/{plan.seed}/{number}")
    return LessonPool(tuple(order.several(batches, len(batches))), bare)


def _scripts(plan: TrainingPlan, number: int, share: float, count: int) -> tuple[list[Script], int]:
    """The lessons as texts, and how many of them are bare equations."""
    if plan.mix is None:
        return list(islice(first_scripts(plan.seed, number), count)), 0
    problems = (
        lessons(plan.mix, plan.seed, number, ONE_STEP, FIRST_WAYS)
        if share < plan.schedule.one_step_until
        else lessons(plan.mix, plan.seed, number)
    )
    carrying = (plan.mix.no_carry, plan.mix.carry)
    bare = equations(f"{plan.seed}/{number}", plan.equation_kinds, carrying)
    neutral = _neutral(plan, number)
    draws = Draws(f"interleaved/{plan.seed}/{number}")
    thinned = Draws(f"filling/{plan.seed}/{number}")
    made: list[Script] = []
    equations_made = 0
    for _ in range(count):
        drawn: TrainingLesson | Equation = (
            next(bare) if draws.chance(plan.schedule.equations_share) else next(problems)
        )
        asked = isinstance(drawn, Equation) and draws.chance(0.5)
        filling = plan.filling
        if filling and _is_about(drawn, filling.of) and not thinned.chance(filling.kept):
            drawn, asked = next(neutral), thinned.chance(0.5)
        if isinstance(drawn, Equation):
            equations_made += 1
            made.append(equation_script(drawn, asked=asked))
        else:
            made.append(script(drawn))
    return made, equations_made


def _is_about(drawn: TrainingLesson | Equation, ratio: str) -> bool:
    """Whether a lesson is one of those that the ratio divides."""
    if isinstance(drawn, Equation):
        return ratio == CARRIES and min(drawn.left, drawn.right) >= 100
    if ratio == CARRIES:
        return drawn.study == "carry"
    compared = any(step["consistent"] is not None for step in drawn.item.facts["steps"])
    return ratio == PROBLEMS or compared


def _neutral(plan: TrainingPlan, number: int) -> Iterator[Equation]:
    """Bare sums and differences that say nothing about the ratio that is thinned out."""
    for drawn in equations(f"filling/{plan.seed}/{number}", _NEUTRAL):
        of_carries = plan.filling is not None and plan.filling.of == CARRIES
        if not of_carries or carries(drawn.operation, drawn.left, drawn.right) == 0:
            yield drawn
