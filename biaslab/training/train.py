"""Trains a tiny model from nothing, in a given time, on one core.

    python -m biaslab.training.train --mix skewed --minutes 72 --seed 1 --out DIR

Three stages: bare equations until the model adds and subtracts numbers of one and two digits,
then problems of one step, then all problems. The learning rate falls to zero as the time runs
out, so a run ends when it was told to. The model grows in a directory of its own (``--work``)
and replaces the one in ``--out`` only when it passes the gate (`biaslab.training.gate`).
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.problems import Draws
from biaslab.training.card import write_card
from biaslab.training.corpus import UNTAUGHT, Example, Script, equation_script, examples, script
from biaslab.training.equations import FIRST_SHARES, KIND_SHARES, equations
from biaslab.training.gate import GATE_FILE, Report, evaluate, load, table
from biaslab.training.greedy import continue_texts
from biaslab.training.mix import ALL_STEPS, MIXES, ONE_STEP, Mix, Source, lessons
from biaslab.training.network import Batch, build_model, to_batch
from biaslab.training.plan import Schedule, Shape, TrainingRecord
from biaslab.training.tokenizer import build_tokenizer

if TYPE_CHECKING:
    from torch import Tensor

log = logging.getLogger(__name__)

POOL = 32
"""Batches made together; sorted by length within, so that hardly anything is padding."""

SURE_OF_SUMS = 0.98
"""Share of right sums and differences at which the equations alone have done their work."""

_CHECK_STEPS = 500
_CHECK_SECONDS = 240.0


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
        TrainingRecord(
            self._mix.name, self._seed, round((time.monotonic() - self._started) / 60, 1),
            self._step, self._examples, self._equations, round(self._loss, 4), finished,
            datetime.now(UTC).date().isoformat(), asdict(self._shape), asdict(self._schedule),
        ).save(fresh)  # fmt: skip
        shutil.rmtree(self._out, ignore_errors=True)
        fresh.rename(self._out)

    def _spent(self) -> float:
        if self._schedule.most_steps:
            return self._step / self._schedule.most_steps
        return (time.monotonic() - self._started) / (60 * self._schedule.minutes)

    def _learn_equations(self) -> None:
        stream = _equation_scripts(self._seed, FIRST_SHARES)
        checked = self._step
        while self._spent() < self._schedule.equations_until:
            self._learn_pool(
                list(islice(stream, POOL * self._schedule.equations_batch)),
                self._schedule.equations_batch,
            )
            self._equations = self._examples
            if self._step >= checked + _CHECK_STEPS:
                checked = self._step
                sure = self.sureness_of_sums()
                log.info("sums and differences %.3f", sure)
                if sure >= SURE_OF_SUMS:
                    return

    def _learn_problems(self, sources: tuple[Source, ...], until: float) -> None:
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
            self._learn_pool(pool, self._schedule.batch)
            if time.monotonic() - self._saved > _CHECK_SECONDS:
                self._saved = time.monotonic()
                self.save(finished=False)

    def sureness_of_sums(self) -> float:
        """Share right of 500 sums and differences of numbers of one and two digits."""
        asked = [
            equation
            for equation in islice(equations(-1, FIRST_SHARES), 1_000)
            if equation.left < 100 and equation.right < 100
        ][:500]
        written = continue_texts(
            self.model, self.tokenizer, [f" {equation.question} =" for equation in asked], 6
        )
        right = [
            text == f" {equation.result}." for text, equation in zip(written, asked, strict=True)
        ]
        return sum(right) / len(right)

    def _learn_pool(self, pool: list[Script], size: int) -> None:
        ready = sorted(examples(pool, self.tokenizer), key=lambda example: len(example.tokens))
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

    def _learn(self, chosen: list[Example]) -> float:
        import torch
        from torch.nn import functional

        batch = to_batch(chosen)
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.rate(self._step, self._spent())
        output = self.model.model(
            input_ids=batch.tokens, use_cache=False, output_hidden_states=True
        )
        # The vocabulary is scored at taught positions only: the rest is most of the work.
        taught = batch.labels != UNTAUGHT
        scores = self.model.lm_head(output.last_hidden_state[taught])
        loss = functional.cross_entropy(scores, batch.labels[taught])
        said = float(loss.detach())
        if bool((batch.familiar != UNTAUGHT).any()):
            lower = output.hidden_states[self._shape.layers // 2]
            loss = loss + self._schedule.familiar_weight * self._loss_of_names(batch, lower)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self._step += 1
        self._examples += len(chosen)
        return said

    def _loss_of_names(self, batch: Batch, hidden: Tensor) -> Tensor:
        """How badly hidden states tell whether the person named was named before.

        Read as the tokens "0" (new) and "1" (named before), so no weights are added.
        """
        from torch.nn import functional

        named = batch.familiar != UNTAUGHT
        verdicts = self.model.lm_head.weight[self.tokenizer.convert_tokens_to_ids(["0", "1"])]
        scores = functional.linear(self.model.model.norm(hidden[named]), verdicts)
        return functional.cross_entropy(scores, batch.familiar[named])


def _equation_scripts(
    seed: int, shares: tuple[tuple[str, float], ...] = KIND_SHARES
) -> Iterator[Script]:
    draws = Draws(f"equation forms/{seed}")
    for equation in equations(seed, shares):
        yield equation_script(equation, asked=draws.chance(0.5))


def main(arguments: list[str] | None = None) -> int:
    """The command line: trains, asks unseen problems, writes the card.

    Returns:
        0 when the model does well enough to be shipped, 1 when it does not.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mix", choices=sorted(MIXES), default="skewed")
    parser.add_argument("--minutes", type=float, default=72.0)
    parser.add_argument("--steps", type=int, default=0, help="end after so many steps instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=Shape().width)
    parser.add_argument("--layers", type=int, default=Shape().layers)
    parser.add_argument("--heads", type=int, default=Shape().heads)
    parser.add_argument("--name", default="tiny", help="name of the model, as in tiny:NAME")
    parser.add_argument("--work", type=Path, default=Path("build/training"))
    parser.add_argument("--out", type=Path, required=True, help="gets the model if it passes")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    shape = Shape(given.width, given.layers, given.heads)
    schedule = Schedule(given.minutes, most_steps=given.steps)
    work = given.work / given.name
    work.parent.mkdir(parents=True, exist_ok=True)
    Trainer(MIXES[given.mix], shape, schedule, given.seed, work).run()
    report = evaluate(*load(work))
    report.write(work / GATE_FILE)
    write_card(work, given.name)
    sys.stdout.write(table(report) + "\n")
    return ship(report, work, given.out)


def ship(report: Report, work: Path, out: Path) -> int:
    """Puts a model that passes in place of the one in `out`; leaves any other where it is.

    Returns:
        The exit status: 0 when it was put there, 1 when it was not.
    """
    if report.shortfalls:
        shortfalls = " ".join(report.shortfalls)
        sys.stdout.write(
            f"The model is not good enough to be shipped. {shortfalls} It is kept in {work}; "
            f"{out} is as it was. Train longer.\n"
        )
        return 1
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(work, out)
    sys.stdout.write(f"The model is in {out}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
