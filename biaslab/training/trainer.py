"""One training: lessons pool by pool, saves to go on from, heartbeats for whoever watches.

A training lives in a directory (`TrainingPlan.save`): the weights as any model's, and beside them
``resume.pt`` (everything to go on from), ``progress.jsonl`` (a line a pool), ``checks.jsonl`` (a
line a check on unseen pairs) and ``training.json``. Whoever puts a file ``stop`` there asks it to
save and end.
"""

from __future__ import annotations

import errno
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biaslab.training.corpus import build_tokenizer, pool_of
from biaslab.training.learning import (
    WeightLearner,
    build_model,
    device,
    hardware,
    open_start,
    prepare,
    without_subnormals,
)
from biaslab.training.plan import (
    FORMAT,
    SIZES,
    NetworkShape,
    TrainingError,
    TrainingPlan,
    TrainingRecord,
)

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

    from biaslab.training.measuring import CheckCell, PairsRight

PROGRESS_FILE, CHECKS_FILE = "progress.jsonl", "checks.jsonl"
RESUME_FILE, STOP_FILE = "resume.pt", "stop"
CHECKPOINTS = "checkpoints"

SAVE_SECONDS = 60.0
"""A save to go on from is written as often as this."""


def copy_name(lessons: int) -> str:
    """Of the directory, among `CHECKPOINTS`, of a copy kept after so many lessons."""
    return f"{lessons // 1000:04d}k"


def _never(_: Counters) -> bool:
    """For a training that goes on to its plan's end."""
    return False


def _silent(record: dict[str, Any]) -> None:
    """For a training that nobody watches."""


@dataclass(slots=True)
class Counters:
    """How far a training is.

    Attributes:
        pool: the next pool's number; spent: seconds trained, checks and saves left out.
        checked: share of the whole at the last check; checked_at: examples seen then.
    """

    step: int = 0
    examples: int = 0
    equations: int = 0
    pool: int = 0
    spent: float = 0.0
    loss: float = float("nan")
    checked: float = 0.0
    checked_at: int = 0


@dataclass(frozen=True, slots=True)
class CheckAnswers:
    """What unseen pairs, the same ones at every check, were answered.

    Attributes:
        cells: in counts; pairs: of every kind and strategy, which pairs were right.
    """

    cells: tuple[CheckCell, ...]
    pairs: tuple[PairsRight, ...]


def ask(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    pairs: int,
    enough: Callable[[], bool],
) -> CheckAnswers:
    """A quick check.

    Args:
        model: what is asked.
        tokenizer: its tokenizer.
        pairs: how many of each kind.
        enough: whether to stop, asked every second or so.

    Raises:
        MeasuringStopped: it was enough before the end.
    """
    from biaslab.training.measuring import QUICK, measure

    noted: list[PairsRight] = []
    model.eval()
    try:
        cells = measure(
            model, tokenizer, QUICK, ("direct", "cot"), pairs, enough=enough, note=noted.append
        )
    finally:
        model.train()
    return CheckAnswers(cells, tuple(noted))


@dataclass(frozen=True, slots=True)
class TrainingCheck:
    """Where a training was when its pairs were asked.

    Attributes:
        minute: minutes trained; examples: seen.
    """

    minute: float
    examples: int


class Trainer:
    """One training run.

    Args:
        plan: what is to be done.
        directory: where it lives; made if it is not there.
        tell: called with every line of progress.
    """

    def __init__(
        self,
        plan: TrainingPlan,
        directory: Path,
        tell: Callable[[dict[str, Any]], None] = _silent,
    ) -> None:
        prepare(plan.seed)
        self.plan, self.directory = plan, directory
        self._tell = tell
        self.counters = Counters()
        self._start_examples = 0
        self.tokenizer = build_tokenizer()
        directory.mkdir(parents=True, exist_ok=True)
        self.shape, self.model = self._first_weights()
        self.model.to(device())
        self.learner = WeightLearner(
            self.model, self.tokenizer, self.shape, plan.schedule, plan.seed
        )
        self._go_on_from_save()
        if not (directory / "plan.json").exists():
            plan.save(directory)
        self._saved = time.monotonic()

    def run(self, enough: Callable[[Counters], bool] = _never) -> bool:
        """Trains until the plan is fulfilled or a stop is asked for, and saves.

        Args:
            enough: asked before every pool; where it says so, the training stops there.

        Returns:
            Whether the plan is fulfilled.

        Raises:
            TrainingError: the disk is full; what was saved before stays.
        """
        with without_subnormals():
            return self._run(enough)

    def _run(self, enough: Callable[[Counters], bool]) -> bool:
        if self.check_is_due and not self.is_over(enough):
            # The last stop came while these pairs were asked.
            self.after_pool()
        while not self.is_over(enough):
            self._learn_pool()
            self.after_pool()
        return self.finish()

    def is_over(self, enough: Callable[[Counters], bool] = _never) -> bool:
        """Whether the plan is fulfilled, a stop is asked for, or this is enough."""
        return self.share >= 1.0 or self.stop_asked() or enough(self.counters)

    def after_pool(self) -> None:
        """Keeps a copy, asks pairs and saves, where one of these is due."""
        self.keep_copy()
        if self.share < 1.0:
            if self.check_is_due:
                # What was asked is not asked again, should the process end before its next save.
                if self._check():
                    self.save(finished=False)
            elif time.monotonic() - self._saved > SAVE_SECONDS:
                self.save(finished=False)

    def finish(self) -> bool:
        """Asks pairs at the end of the plan, and saves.

        Returns:
            Whether the plan is fulfilled, and no pair is left to ask.
        """
        learnt = finished = self.share >= 1.0
        new = self.counters.checked_at < self.counters.examples
        if learnt and new and self._checks:
            finished = self._check()
        self.save(finished=learnt)
        (self.directory / STOP_FILE).unlink(missing_ok=True)
        return finished

    @property
    def _checks(self) -> bool:
        """Whether this training asks pairs on its way."""
        plan = self.plan
        return plan.mix is not None and bool(plan.check_every or plan.check_at)

    @property
    def check_is_due(self) -> bool:
        """Whether pairs are to be asked before anything more is learnt."""
        plan, counters = self.plan, self.counters
        if not self._checks:
            return False
        if any(counters.checked_at < count <= counters.examples for count in plan.check_at):
            return True
        whole = plan.steps or plan.minutes
        return bool(plan.check_every) and (
            (self.share - counters.checked) * whole >= plan.check_every
        )

    @property
    def share(self) -> float:
        """How much of the plan is done, 0 to 1."""
        if self.plan.steps:
            return min(1.0, self.counters.step / self.plan.steps)
        return min(1.0, self.counters.spent / (60 * self.plan.minutes))

    def save(self, *, finished: bool) -> None:
        """Writes weights, tokenizer, record and what is needed to go on.

        Raises:
            TrainingError: the disk is full.
        """
        import torch

        fresh = self.directory / RESUME_FILE
        fresh = fresh.with_suffix(".new")
        try:
            self._write_model(self.directory, finished=finished)
            torch.save(
                {
                    "format": FORMAT,
                    "plan": json.dumps(self.plan.to_json()),
                    "counters": asdict(self.counters),
                    "start_examples": self._start_examples,
                    "shape": asdict(self.shape),
                    "model": self.model.state_dict(),
                    "optimizers": self.learner.state(),
                    "random": torch.get_rng_state(),
                },
                fresh,
            )
            fresh.replace(self.directory / RESUME_FILE)
        except (OSError, RuntimeError) as error:
            fresh.unlink(missing_ok=True)
            if isinstance(error, OSError) and error.errno != errno.ENOSPC:
                raise TrainingError(f"The training cannot be saved ({error}).") from error
            if isinstance(error, RuntimeError) and "write" not in str(error):
                raise
            raise TrainingError(
                f"There is no space left on the disk of {self.directory}: free some, then go on. "
                "The last save before this one is still there."
            ) from error
        self._saved = time.monotonic()

    def _first_weights(self) -> tuple[NetworkShape, LlamaForCausalLM]:
        if self.plan.start is None:
            shape = SIZES[self.plan.size]
            return shape, build_model(self.tokenizer, shape)
        opened = open_start(self.plan.start, self.tokenizer)
        self._start_examples = opened.examples
        return opened.shape, opened.model

    def _go_on_from_save(self) -> None:
        import torch

        path = self.directory / RESUME_FILE
        if not path.exists():
            return
        try:
            saved = torch.load(path, map_location=device(), weights_only=True)
        except Exception as error:  # torch raises many kinds for a damaged file.
            raise TrainingError(
                f"{path} is damaged ({type(error).__name__}): train anew in another directory."
            ) from error
        if not isinstance(saved, dict) or saved.get("format") != FORMAT:
            raise TrainingError(
                f"{path} was saved by another version of BiasLab, which this one cannot go on "
                "with: train anew in another directory."
            )
        begun = TrainingPlan.from_json(json.loads(saved["plan"]))
        # A start is known by its name: whoever moves a folder, or names it from elsewhere, goes on.
        if (begun.mix, begun.filling, begun.seed, _name(begun.start)) != (
            self.plan.mix, self.plan.filling, self.plan.seed, _name(self.plan.start),
        ):  # fmt: skip
            raise TrainingError(
                f"{path} was saved by a training of another mix, seed or start ({begun.mix_name}, "
                f"seed {begun.seed}): train this one in another directory."
            )
        try:
            self.model.load_state_dict(saved["model"])
        except (RuntimeError, KeyError) as error:
            raise TrainingError(
                f"{path} belongs to a model of another size or other words: train anew in another "
                "directory."
            ) from error
        self.learner.restore(saved["optimizers"])
        torch.set_rng_state(saved["random"].cpu())
        self.counters = Counters(**saved["counters"])
        self._start_examples = saved["start_examples"]

    def stop_asked(self) -> bool:
        """Whether somebody asked it to save and end."""
        return (self.directory / STOP_FILE).exists()

    def _learn_pool(self) -> None:
        counters = self.counters
        began, before = time.monotonic(), (counters.step, counters.examples, counters.spent)
        pool = pool_of(self.plan, counters.pool, self.share, self.tokenizer)
        losses = []
        for batch in pool.batches:
            if self.plan.steps and counters.step >= self.plan.steps:
                break
            losses.append(self.learner.learn(batch, counters.step, self.share))
            # A training that ends by the clock looks at it at every step.
            counters.step += 1
            counters.examples += len(batch)
            counters.spent = before[2] + time.monotonic() - began
        seen, seconds = counters.examples - before[1], counters.spent - before[2]
        counters.step, counters.examples, counters.spent = before
        self.learnt(losses, seen, pool.equations, seconds)

    def learnt(self, losses: Sequence[float], examples: int, bare: int, seconds: float) -> None:
        """Notes that a pool was learnt, and tells of it.

        Args:
            losses: of its steps.
            examples: lessons in them.
            bare: equations among the pool's lessons.
            seconds: that it took.
        """
        counters = self.counters
        counters.step += len(losses)
        counters.examples += examples
        counters.equations += bare
        counters.spent += seconds
        counters.pool += 1
        counters.loss = sum(losses) / len(losses)
        self._write_line(
            PROGRESS_FILE,
            {
                "minute": round(counters.spent / 60, 3), "share": round(self.share, 4),
                "step": counters.step, "examples": counters.examples,
                "loss": round(counters.loss, 4), "stage": self._stage,
            },
        )  # fmt: skip

    @property
    def _stage(self) -> str:
        return "start" if self.plan.mix is None else "problems"

    @property
    def copies_due(self) -> list[Path]:
        """Where copies belong that are not kept yet."""
        counts = [count for count in self.plan.keep if self.counters.examples >= count]
        paths = [self.directory / CHECKPOINTS / copy_name(count) for count in counts]
        return [path for path in paths if not path.exists()]

    def keep_copy(self) -> None:
        """Writes the copies of the weights that are due."""
        for path in self.copies_due:
            self._write_model(path, finished=False)

    def _write_model(self, path: Path, *, finished: bool) -> None:
        path.mkdir(parents=True, exist_ok=True)
        fresh = path / "new"
        shutil.rmtree(fresh, ignore_errors=True)
        self.model.save_pretrained(fresh)
        self.tokenizer.save_pretrained(fresh)
        self._record(finished).save(fresh)
        for file in fresh.iterdir():
            file.replace(path / file.name)
        fresh.rmdir()

    def _record(self, finished: bool) -> TrainingRecord:
        counters, plan = self.counters, self.plan
        return TrainingRecord(
            plan.mix_name, plan.seed, round(counters.spent / 60, 1), counters.step,
            counters.examples, counters.equations, round(counters.loss, 4), finished,
            datetime.now(UTC).date().isoformat(), asdict(self.shape), asdict(plan.schedule),
            ratios="" if plan.mix is None else plan.mix.text, hardware=hardware(),
            start_examples=self._start_examples,
            rate_left=0.0 if finished else round(self.learner.rate_left(self.share), 3),
        )  # fmt: skip

    def _check(self) -> bool:
        """Asks unseen pairs and notes what came of it; False where it was stopped meanwhile."""
        from biaslab.training.measuring import MeasuringStopped

        try:
            answers = ask(self.model, self.tokenizer, self.plan.check_pairs, self.stop_asked)
        except MeasuringStopped:
            return False
        self.note(self.begin_check(), answers)
        return True

    def begin_check(self) -> TrainingCheck:
        """Notes that pairs are asked of the weights as they are now, so none are due any more."""
        self.counters.checked, self.counters.checked_at = self.share, self.counters.examples
        return TrainingCheck(self.counters.spent / 60, self.counters.examples)

    def note(self, check: TrainingCheck, answers: CheckAnswers) -> None:
        """Writes down what came of a check."""
        self._write_line(
            CHECKS_FILE,
            {
                "minute": round(check.minute, 3),
                "examples": check.examples,
                "cells": [asdict(cell) for cell in answers.cells],
                "pairs": [
                    {**asdict(one.kind), "strategy": one.strategy, "right": one.right}
                    for one in answers.pairs
                ],
            },
        )

    def _write_line(self, name: str, record: dict[str, Any]) -> None:
        try:
            with (self.directory / name).open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise TrainingError(
                f"The training's progress cannot be written in {self.directory} ({error})."
            ) from error
        self._tell(record)


def _name(start: Path | None) -> str:
    return "" if start is None else start.name


def continued(plan: TrainingPlan, more_minutes: float) -> TrainingPlan:
    """The plan with so many minutes more; the learning rate then falls at the new end."""
    return replace(plan, minutes=plan.minutes + more_minutes)
