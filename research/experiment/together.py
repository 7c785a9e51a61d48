"""Several trainings at once on an accelerator, each as if it were alone.

Their lessons are made beforehand by other processes, and others ask their pairs, for both take
longer there than learning. Every training keeps its own directory, saves and checks, so each can
be gone on with alone or beside others.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from biaslab.training.corpus import build_tokenizer, pool_of
from biaslab.training.learning import Arrays, build_model, to_arrays, without_subnormals
from biaslab.training.measuring import never
from biaslab.training.plan import NetworkShape, TrainingPlan
from biaslab.training.trainer import (
    SAVE_SECONDS,
    CheckAnswers,
    Counters,
    Trainer,
    TrainingCheck,
    ask,
)
from research.experiment.stacked import Stack

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

_AHEAD = 2
"""Pools that are made while one is learnt."""

_SAVES_TAKE = 10
"""Between two saves of all trainings lies so many times what one takes."""

_SAVES_WAIT = 5
"""A save that is due comes when no answers are awaited, or when it has been due for so many times
as long."""


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
        jobs: processes that make lessons, and as many that ask pairs.

    Raises:
        ValueError: they are not at the same step.
        TrainingError: the disk is full; what was saved before stays.
    """
    lead = trainers[0]
    if len({(one.counters.step, one.plan.steps, one.plan.schedule) for one in trainers}) > 1:
        raise ValueError("Only trainings at the same step of the same schedule go together.")
    stack = Stack([trainer.learner for trainer in trainers])
    spawn = multiprocessing.get_context("spawn")
    # Two crews, or a check of all models would keep the lessons after it waiting.
    with (
        without_subnormals(),
        ProcessPoolExecutor(jobs, spawn) as makers,
        ProcessPoolExecutor(jobs, spawn) as askers,
    ):
        ahead = _made_ahead([trainer.plan for trainer in trainers], lead.counters.pool, makers)
        looking = _Looking(trainers, stack, askers)
        looking.look()
        while not any(trainer.is_over(enough) for trainer in trainers):
            began, made = time.monotonic(), next(ahead)
            losses: list[Tensor] = []
            for at in range(len(made[0].batches)):
                step = lead.counters.step + at
                batches = [one.batches[at] for one in made]
                losses.append(stack.learn(batches, step, step / lead.plan.steps))
            told = [step.tolist() for step in losses]
            # What it took is shared: so the minutes of all trainings add up to those spent.
            seconds = (time.monotonic() - began) / len(trainers)
            for k, (trainer, one) in enumerate(zip(trainers, made, strict=True)):
                seen = sum(len(batch.tokens) for batch in one.batches)
                trainer.learnt([step[k] for step in told], seen, one.equations, seconds)
            looking.look()
        stack.give_back()
        looking.wait()
        for trainer in trainers:
            trainer.finish()


class _Looking:
    """What is done between two pools: copies, checks and saves.

    Pairs are asked by other processes while learning goes on. A save comes after their answers, so
    none is missing in what a later training goes on from.
    """

    def __init__(
        self, trainers: Sequence[Trainer], stack: Stack, askers: ProcessPoolExecutor
    ) -> None:
        self._trainers, self._stack, self._askers = trainers, stack, askers
        self._waiting: list[tuple[Trainer, TrainingCheck, Future[CheckAnswers]]] = []
        self._saved, self._save_took = time.monotonic(), 0.0

    def look(self) -> None:
        """Keeps copies, has pairs asked and saves, where one of these is due."""
        checks = [trainer for trainer in self._trainers if trainer.check_is_due]
        copies = any(trainer.copies_due for trainer in self._trainers)
        # Many are saved one after another: that is not to take most of the time.
        every = max(SAVE_SECONDS, _SAVES_TAKE * self._save_took)
        since = time.monotonic() - self._saved
        saves = since > every * (_SAVES_WAIT if checks or self._waiting else 1)
        if checks or copies or saves:
            self._stack.give_back()
        for trainer in self._trainers:
            trainer.keep_copy()
        for trainer in checks:
            asked = self._askers.submit(
                answers, _weights(trainer), trainer.shape, trainer.plan.check_pairs
            )
            self._waiting.append((trainer, trainer.begin_check(), asked))
        self._note()
        if saves:
            self.wait()
            began = time.monotonic()
            for trainer in self._trainers:
                trainer.save(finished=False)
            self._saved = time.monotonic()
            self._save_took = self._saved - began

    def wait(self) -> None:
        """Until everything that was asked is answered and noted."""
        wait([asked for _, _, asked in self._waiting])
        self._note()

    def _note(self) -> None:
        """Notes the answers that are there, in the order in which they were asked."""
        while self._waiting and self._waiting[0][2].done():
            trainer, check, asked = self._waiting.pop(0)
            trainer.note(check, asked.result())


def _weights(trainer: Trainer) -> dict[str, npt.NDArray[np.float32]]:
    """By name, in memory of their own: learning goes on while pairs are asked."""
    named = trainer.model.named_parameters()
    return {name: weights.detach().cpu().numpy().copy() for name, weights in named}


def answers(
    weights: Mapping[str, npt.NDArray[np.float32]], shape: NetworkShape, pairs: int
) -> CheckAnswers:
    """What a model of these weights says to unseen pairs, on one core (`trainer.ask`)."""
    import torch

    torch.set_num_threads(1)
    model = build_model(_tokenizer(), shape)
    with torch.no_grad():
        for name, empty in model.named_parameters():
            empty.copy_(torch.from_numpy(weights[name]))
    with without_subnormals():
        return ask(model, _tokenizer(), pairs, never)


def _made_ahead(
    plans: Sequence[TrainingPlan], first: int, pool: ProcessPoolExecutor
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


def made(plan: TrainingPlan, number: int) -> Made:
    """The pool of a plan with a number of steps, as arrays; batches beyond its end are left out."""
    first = number * plan.schedule.pool
    pool = pool_of(plan, number, first / plan.steps, _tokenizer())
    batches = pool.batches[: max(0, plan.steps - first)]
    return Made(
        tuple(
            to_arrays(batch, plan.seed, first + at).shortened() for at, batch in enumerate(batches)
        ),
        pool.equations,
    )


@cache
def _tokenizer() -> PreTrainedTokenizerFast:
    return build_tokenizer()
