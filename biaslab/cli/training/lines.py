"""What `biaslab train` says while it trains: lines for people, or JSON lines for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import click

from biaslab.models import read_card
from biaslab.training.cells import CheckCell
from biaslab.training.heartbeat import MEASURING
from biaslab.training.plan import TrainingPlan, spec_of
from schoolmath.text.figures import count, interval_words, percent, signed_points, typed

LINES = 50
"""About so many lines of progress are written of a training."""


class Lines:
    """Tells of a training as it goes on.

    For people, lines go to standard error and what opens the model is the last line on standard
    output. As JSON, each line on standard output is an object whose ``event`` is ``begin``,
    ``progress``, ``check``, ``stopped``, ``ended`` or ``finished``.

    Args:
        directory: of the training.
        as_json: whether programs read it.
    """

    def __init__(self, directory: Path, *, as_json: bool) -> None:
        self._directory, self._json = directory, as_json
        self._told = -1.0
        self._plan: TrainingPlan | None = None
        self.measuring = False
        """Whether the training is over and unseen pairs are asked."""

    def begin(self, plan: TrainingPlan, *, goes_on: bool) -> None:
        """Says what is trained."""
        self._plan = plan
        length = f"{plan.steps:,} steps" if plan.steps else f"{plan.minutes:g} minutes"
        words = (
            f"{'Going on with' if goes_on else 'Training'} mix {plan.mix_name}, seed {plan.seed}, "
            f"{length}, in {self._directory}. Ctrl-C saves."
        )
        self._say("begin", words, {"plan": plan.to_json(), "goes_on": goes_on})

    def tell(self, line: Mapping[str, Any]) -> None:
        """Says a line of progress, or a check, as the training wrote it."""
        if "cells" in line:
            cells = [CheckCell.from_json(cell) for cell in line["cells"]]
            words = [f"Check after {line['examples']:,} lessons:", *map(cell_words, cells)]
            self._say("check", "\n  ".join(words), line)
            return
        self.measuring = line["stage"] == MEASURING
        if self.measuring:
            self._say("progress", "Trained and saved. Measuring on unseen pairs ...", line)
        elif self._json or line["share"] >= min(1.0, self._told + 1 / LINES):
            self._told = line["share"]
            self._say("progress", self._progress_words(line), line)

    def stopped(self) -> None:
        """Says that it was stopped, and how to go on."""
        self._say("stopped", f"Stopped and saved. {self._how_to_go_on()}", self._where())

    def ended(self) -> None:
        """Says that it was ended before it could save, and how to go on."""
        words = (
            "Ended while measuring; the trained model is saved."
            if self.measuring
            else "Ended without saving; the last save is still there."
        )
        self._say("ended", f"{words} {self._how_to_go_on()}", self._where())

    def finished(self) -> None:
        """Says where the model is, how well it does and how to ask it."""
        card = read_card(self._directory)
        spec = spec_of(self._directory)
        words = (
            f"The model is in {self._directory}; its card is README.md there. Ask it with:\n"
            f"  biaslab run consistency --n 200 --steps 1 --strategy cot --model {quote(spec)}"
        )
        self._say("finished", words, {**self._where(), "card": card.to_json()})
        if not self._json:
            click.echo(spec)

    def _where(self) -> dict[str, Any]:
        return {"directory": str(self._directory), "model": spec_of(self._directory)}

    def _how_to_go_on(self) -> str:
        return f"Go on with: biaslab train --out {quote(str(self._directory))}"

    def _progress_words(self, line: Mapping[str, Any]) -> str:
        assert self._plan is not None  # begin was said
        done = (
            f"step {line['step']:,} of {self._plan.steps:,}"
            if self._plan.steps
            else f"{line['minute']:.1f} of {self._plan.minutes:g} min"
        )
        share = percent(line["share"], 0)
        return f"{share:>5}  {done}  {line['examples']:,} lessons  loss {line['loss']:.3f}"

    def _say(self, event: str, words: str, content: Mapping[str, Any]) -> None:
        if self._json:
            click.echo(json.dumps({"event": event, **content}, ensure_ascii=False))
        else:
            click.echo(words, err=True)


def cell_words(cell: CheckCell) -> str:
    """A row of figures in a line: both shares, the effect with its interval, pairs."""
    effect = cell.effect()
    kind = " ".join(filter(None, (cell.comparison, cell.wording)))
    words = (
        f"{cell.study}{f' ({kind})' if kind else ''}, "
        f"{count(cell.steps, 'step')}, {cell.strategy}: {percent(cell.share_x)} / "
        f"{percent(cell.share_x_prime)} right, effect {signed_points(effect.cate)}"
    )
    if effect.interval is not None:
        words += f" ({interval_words(effect.interval.low, effect.interval.high)})"
    return typed(f"{words}, {cell.n} pairs")
