"""Several trainings at once on an accelerator, each as if it were alone.

Their lessons are made beforehand by other processes, for making them takes longer there than
learning them. Every training keeps its own directory, saves and checks, so each can be gone on
with alone or beside others.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from biaslab.training.learning import without_subnormals
from biaslab.training.lessons.pools import pool_of
from biaslab.training.lessons.tokenizer import build_tokenizer
from biaslab.training.network import Arrays, to_arrays
from biaslab.training.plan import Plan
from biaslab.training.stacked import Stack
from biaslab.training.trainer import Counters, Trainer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

_AHEAD = 2
"""Pools that are made while one is learnt."""


@dataclass(frozen=True, slots=True)
class Made:
    """The lessons of a pool as arrays.

    Attributes:
        batches: in the order of learning; equations: bare equations among the lessons.
    """

    batches: tuple[Arrays, ...]
    equations: int


def train_together(
    trainers: Sequence[Trainer], enough: Callable[[Counters], bool], jobs: int = 1
) -> None:
    """Trains all of them, until their plans are fulfilled, one is asked to stop, or it is enough.

    Args:
        trainers: at the same step of plans with as many steps and the same schedule.
        enough: asked before every pool.
        jobs: processes that make lessons.

    Raises:
        ValueError: they are not at the same step.
        TrainingError: the disk is full; what was saved before stays.
    """
    lead = trainers[0]
    if len({(one.counters.step, one.plan.steps, one.plan.schedule) for one in trainers}) > 1:
        raise ValueError("Only trainings at the same step of the same schedule go together.")
    stack = Stack([trainer.learner for trainer in trainers])
    spawn = multiprocessing.get_context("spawn")
    with without_subnormals(), ProcessPoolExecutor(jobs, spawn) as pool:
        ahead = _made_ahead([trainer.plan for trainer in trainers], lead.counters.pool, pool)
        while not any(trainer.is_over(enough) for trainer in trainers):
            began, made = time.monotonic(), next(ahead)
            losses: list[list[float]] = []
            for at in range(len(made[0].batches)):
                step = lead.counters.step + at
                batches = [one.batches[at] for one in made]
                losses.append(stack.learn(batches, step, step / lead.plan.steps))
            # What it took is shared: so the minutes of all trainings add up to those spent.
            seconds = (time.monotonic() - began) / len(trainers)
            for k, (trainer, one) in enumerate(zip(trainers, made, strict=True)):
                seen = sum(len(batch.tokens) for batch in one.batches)
                trainer.learnt([step[k] for step in losses], seen, one.equations, seconds)
            if any(trainer.needs_weights for trainer in trainers):
                stack.give_back()
            for trainer in trainers:
                trainer.after_pool()
        stack.give_back()
        for trainer in trainers:
            trainer.finish()


def _made_ahead(
    plans: Sequence[Plan], first: int, pool: ProcessPoolExecutor
) -> Iterator[list[Made]]:
    """Every plan's next pool, while those after it are made."""
    waiting: deque[list[Future[Made]]] = deque()
    number, last = first, plans[0].steps // plans[0].schedule.pool
    while True:
        while len(waiting) <= _AHEAD and number <= last:
            waiting.append([pool.submit(made, plan, number) for plan in plans])
            number += 1
        if not waiting:
            return
        yield [future.result() for future in waiting.popleft()]


def made(plan: Plan, number: int) -> Made:
    """The pool of a plan with a number of steps, as arrays; batches beyond its end are left out."""
    first = number * plan.schedule.pool
    pool = pool_of(plan, number, first / plan.steps, _tokenizer())
    batches = pool.batches[: max(0, plan.steps - first)]
    return Made(
        tuple(to_arrays(batch, plan.seed, first + at) for at, batch in enumerate(batches)),
        pool.equations,
    )


@cache
def _tokenizer() -> PreTrainedTokenizerFast:
    return build_tokenizer()
