"""Lessons a second of the trainer of one model and of several models stacked, side by side.

    python benchmarks/training.py [--models 1 4] [--steps 20] [--rounds 3] [--size family]

All start from random weights of one shape and learn lessons of the experiment, of up to three
steps, made beforehand. Each round measures every way once, in turns, so that a machine that is
busy in between slows them alike; printed is the median. CPU seconds count, not the clock's,
unless there is a GPU: there the trainer of one is measured on a core and on the GPU, and ratios
are to the core. Making the lessons is timed apart. As in trainings, large blocks are kept: the
benchmark starts itself anew with the environment that trainings get.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from itertools import islice
from pathlib import Path

import torch

from biaslab.training.corpus import build_tokenizer, pool_of
from biaslab.training.learning import (
    FASTER_MEMORY,
    WeightLearner,
    build_model,
    device,
    prepare,
    to_arrays,
    without_subnormals,
)
from biaslab.training.plan import SIZES
from research.experiment.design import ROWS, trainings
from research.experiment.together import Stack

OF_ROWS = ROWS[2:4]
"""Trainings of the experiment whose lessons are learnt."""

POOL, SHARE = 100, 0.78
"""Which of their pools, and how much of a training is done before it: problems have all steps."""


def main() -> None:
    """Prints a line for making lessons, for the trainer of one, and for every number of models."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--steps", type=int, default=20, choices=range(1, 33), metavar="1 to 32")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", choices=list(SIZES), default="family")
    chosen = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in FASTER_MEMORY.items()):
        os.environ.update(FASTER_MEMORY)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    prepare(1)
    clock = time.perf_counter if device() == "cuda" else time.process_time
    tokenizer = build_tokenizer()
    most = max(chosen.models)
    plans = [training.plan(Path()) for training in islice(trainings(OF_ROWS), most)]
    plan = plans[0]
    began = clock()
    pools = [pool_of(each, POOL, SHARE, tokenizer).batches for each in plans]
    made = sum(len(batch) for pool in pools for batch in pool)
    print(f"making lessons: {made / (clock() - began):,.0f} a second", flush=True)
    lessons = chosen.steps * plan.schedule.batch

    def learners(count: int, where: str) -> list[WeightLearner]:
        shape = SIZES[chosen.size]
        made = []
        for _ in range(count):
            model = build_model(tokenizer, shape).to(where)
            made.append(WeightLearner(model, tokenizer, shape, plan.schedule, plan.seed))
        return made

    def alone(where: str) -> float:
        (learner,) = learners(1, where)
        began = clock()
        for step, batch in enumerate(pools[0][: chosen.steps]):
            learner.learn(batch, step, 0.0)
        return lessons / (clock() - began)

    def stacked(count: int) -> float:
        stack = Stack(learners(count, device()))
        arrays = [
            [to_arrays(batch, plan.seed, step) for step, batch in enumerate(pool[: chosen.steps])]
            for pool in pools[:count]
        ]
        stack.learn([pool[0] for pool in arrays], 0, 0.0).tolist()  # Not timed: what is set up.
        began = clock()
        for step in range(chosen.steps):
            losses = stack.learn([pool[step] for pool in arrays], step, 0.0)
        losses.tolist()
        return count * lessons / (clock() - began)

    rates: dict[str, list[float]] = {}
    with without_subnormals():
        for _ in range(chosen.rounds):
            rates.setdefault("the trainer of one", []).append(alone("cpu"))
            if device() != "cpu":
                rates.setdefault("the same on the GPU", []).append(alone(device()))
            for count in chosen.models:
                rates.setdefault(f"{count} stacked", []).append(stacked(count))
    base = statistics.median(rates["the trainer of one"])
    for name, found in rates.items():
        rate = statistics.median(found)
        print(f"{name}: {rate:,.0f} lessons a second, {rate / base:.2f} times")
    print(f"on {torch.cuda.get_device_name() if device() == 'cuda' else 'a CPU, one thread'}")


if __name__ == "__main__":
    main()
