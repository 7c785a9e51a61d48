"""Trains a tiny model from nothing, in a given time, on one core.

    python -m biaslab.training.train --mix skewed --minutes 80 --seed 1 --out DIR

Three stages: bare equations until the model adds and subtracts numbers of one and two digits,
then problems of one step, then all problems. The learning rate falls to zero as the time runs
out, so a run ends when it was told to.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biaslab.problems import Draws
from biaslab.training.corpus import (
    UNTAUGHT,
    Example,
    Script,
    equation_script,
    examples,
    script,
)
from biaslab.training.equations import equations
from biaslab.training.greedy import continue_texts
from biaslab.training.mix import ALL_STEPS, MIXES, ONE_STEP, Mix, lessons
from biaslab.training.tokenizer import LONGEST_TEXT, build_tokenizer

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

log = logging.getLogger(__name__)

RECORD_FILE = "training.json"
"""How the weights next to it came about."""

POOL = 32
"""Batches made together; sorted by length within, so that hardly anything is padding."""

SURE_OF_SUMS = 0.98
"""Share of right sums and differences at which the equations alone have done their work."""

_CHECK_STEPS = 250
_CHECK_SECONDS = 240.0


@dataclass(frozen=True, slots=True)
class Shape:
    """Size of the model."""

    width: int = 96
    layers: int = 4
    heads: int = 6


@dataclass(frozen=True, slots=True)
class Schedule:
    """Time, step size and batch.

    Attributes:
        minutes: when the training ends.
        peak: largest learning rate. It rises for `warm_up` steps, stays, and falls from
            `falls_from` (a share of the time) in a straight line to zero at the end.
        batch: examples a step.
        equations_until, one_step_until: shares of the time at which the first stage ends at
            the latest, and the second one.
        equations_share: share of equations among the word problems.
    """

    minutes: float
    peak: float = 2e-3
    warm_up: int = 200
    falls_from: float = 0.4
    batch: int = 128
    equations_until: float = 0.25
    one_step_until: float = 0.45
    equations_share: float = 0.10

    def rate(self, step: int, spent: float) -> float:
        """The learning rate at a step, when this share of the time is spent."""
        rising = min(1.0, (step + 1) / self.warm_up)
        falling = (1.0 - spent) / (1.0 - self.falls_from)
        return self.peak * min(rising, 1.0, max(falling, 0.0))


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """How a model came about; written next to its weights.

    Attributes:
        examples: equations and problems seen; loss: mean over the last pool of batches, in
            nats a taught token.
    """

    mix: str
    seed: int
    minutes: float
    steps: int
    examples: int
    equations: int
    loss: float
    finished: bool
    date: str
    shape: dict[str, int]
    schedule: dict[str, float]


class Trainer:
    """One training run.

    Args:
        mix: what the word problems are.
        shape: size of the model.
        schedule: time and step size.
        seed: of the weights and of the problems.
        out: directory that gets the model, replaced whole at every save.
    """

    def __init__(self, mix: Mix, shape: Shape, schedule: Schedule, seed: int, out: Path) -> None:
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self.tokenizer = build_tokenizer()
        self.model = build_model(self.tokenizer, shape)
        self.losses: list[float] = []
        self._mix, self._shape, self._schedule = mix, shape, schedule
        self._seed, self._out = seed, out
        self._optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.02, fused=True
        )
        self._step = self._examples = self._equations = 0
        self._started = self._saved = time.monotonic()
        self._draws = Draws(f"batches/{seed}")
        self._loss = float("nan")

    def run(self) -> None:
        """Trains until the time is spent, then saves."""
        self._learn_equations()
        self._learn_problems(ONE_STEP, self._schedule.one_step_until)
        self._learn_problems(ALL_STEPS, 1.0)
        self.save(finished=True)

    def save(self, *, finished: bool) -> None:
        """Writes weights, tokenizer and record, replacing an earlier save at once."""
        fresh = self._out.with_name(self._out.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        self.model.save_pretrained(fresh)
        self.tokenizer.save_pretrained(fresh)
        record = TrainingRecord(
            self._mix.name, self._seed, round((time.monotonic() - self._started) / 60, 1),
            self._step, self._examples, self._equations, round(self._loss, 4), finished,
            datetime.now(UTC).date().isoformat(), asdict(self._shape), asdict(self._schedule),
        )  # fmt: skip
        (fresh / RECORD_FILE).write_text(json.dumps(asdict(record), indent=2), encoding="utf-8")
        shutil.rmtree(self._out, ignore_errors=True)
        fresh.rename(self._out)

    def _spent(self) -> float:
        return (time.monotonic() - self._started) / (60 * self._schedule.minutes)

    def _learn_equations(self) -> None:
        stream = _equation_scripts(self._seed)
        checked = self._step
        while self._spent() < self._schedule.equations_until:
            self._learn_pool(list(islice(stream, POOL * self._schedule.batch)))
            self._equations = self._examples
            if self._step >= checked + _CHECK_STEPS:
                checked = self._step
                sure = self.sureness_of_sums()
                log.info("sums and differences %.3f", sure)
                if sure >= SURE_OF_SUMS:
                    return

    def _learn_problems(self, sources: tuple[Any, ...], until: float) -> None:
        problems = lessons(self._mix, sources, self._seed + len(sources))
        bare = _equation_scripts(self._seed + 1000 + len(sources))
        draws = Draws(f"interleaved/{self._seed}/{len(sources)}")
        while self._spent() < until:
            pool: list[Script] = []
            for _ in range(POOL * self._schedule.batch):
                if draws.chance(self._schedule.equations_share):
                    pool.append(next(bare))
                    self._equations += 1
                else:
                    pool.append(script(next(problems)))
            self._learn_pool(pool)
            if time.monotonic() - self._saved > _CHECK_SECONDS:
                self._saved = time.monotonic()
                self.save(finished=False)

    def sureness_of_sums(self) -> float:
        """Share right of 500 sums and differences of numbers of one and two digits."""
        asked = [
            equation
            for equation in islice(equations(-1), 2_000)
            if equation.operation in "+-" and equation.left < 100 and equation.right < 100
        ][:500]
        written = continue_texts(
            self.model, self.tokenizer, [f" {equation.question} =" for equation in asked], 6
        )
        right = [
            text == f" {equation.result}."
            for text, equation in zip(written, asked, strict=True)
        ]
        return sum(right) / len(right)

    def _learn_pool(self, pool: list[Script]) -> None:
        ready = sorted(examples(pool, self.tokenizer), key=lambda example: len(example.tokens))
        size = self._schedule.batch
        batches = [ready[start : start + size] for start in range(0, len(ready), size)]
        total = 0.0
        done = 0
        for batch in self._draws.several(batches, len(batches)):
            if self._spent() >= 1.0:
                break
            total += self._learn(batch)
            done += 1
        if done:
            self._loss = total / done
            self.losses.append(self._loss)
        log.info(
            "spent %.3f steps %d examples %d loss %.4f",
            self._spent(), self._step, self._examples, self._loss,
        )  # fmt: skip

    def _learn(self, batch: list[Example]) -> float:
        import torch
        from torch.nn import functional

        tokens, labels = to_tensors(batch)
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.rate(self._step, self._spent())
        hidden = self.model.model(input_ids=tokens, use_cache=False).last_hidden_state
        taught = labels != UNTAUGHT
        # The vocabulary is scored at taught positions only: the rest is most of the work.
        scores = self.model.lm_head(hidden[taught])
        loss = functional.cross_entropy(scores, labels[taught])
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self._step += 1
        self._examples += len(batch)
        return float(loss.detach())


def build_model(tokenizer: PreTrainedTokenizerFast, shape: Shape) -> LlamaForCausalLM:
    """A model with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.width,
        intermediate_size=shape.width * 8 // 3 // 16 * 16,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        max_position_embeddings=LONGEST_TEXT,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def to_tensors(batch: list[Example]) -> tuple[Tensor, Tensor]:
    """Tokens and labels of a batch, each of shape (examples, longest), padded on the right.

    No mask is needed: nothing before the padding ever attends to it.
    """
    import torch

    longest = max(len(example.tokens) for example in batch)
    tokens = torch.zeros(len(batch), longest, dtype=torch.long)
    labels = torch.full((len(batch), longest), UNTAUGHT)
    for row, example in enumerate(batch):
        tokens[row, : len(example.tokens)] = torch.tensor(example.tokens)
        labels[row, : len(example.labels)] = torch.tensor(example.labels)
    return tokens, labels


def _equation_scripts(seed: int) -> Iterator[Script]:
    draws = Draws(f"equation forms/{seed}")
    for equation in equations(seed):
        yield equation_script(equation, asked=draws.chance(0.5))


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mix", choices=sorted(MIXES), default="skewed")
    parser.add_argument("--minutes", type=float, default=80.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=Shape().width)
    parser.add_argument("--layers", type=int, default=Shape().layers)
    parser.add_argument("--heads", type=int, default=Shape().heads)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    shape = Shape(given.width, given.layers, given.heads)
    Trainer(MIXES[given.mix], shape, Schedule(given.minutes), given.seed, given.out).run()


if __name__ == "__main__":
    main()
