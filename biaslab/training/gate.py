"""Whether a tiny model has learnt enough to be asked, on problems it has never seen.

    python -m biaslab.training.gate DIRECTORY

It has when it can do what most of its training problems were: 90 % of the one-step problems of the
majority form of its mix, asked in the way that it does better, directly or step by step (its card
tells both). The minority form is not part of the gate, for how badly it goes is what the models are
there to show. What those that ship should reach beyond that: `research.shipped`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.training.cells import ALL, CheckCell, table
from biaslab.training.lessons import ALL_STEPS
from biaslab.training.measuring import (
    FULL,
    PAIRS,
    SEED,
    STRATEGIES,
    Enough,
    measure,
    never,
)
from biaslab.training.mix import MIXES, LessonMix, MixError, read_mix
from biaslab.training.plan import RECORD_FILE, TrainingError, TrainingRecord
from schoolmath.text.figures import exact_percent, percent

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

GATE_FILE = "gate.json"
GATE_SHARE = 0.90
"""At least so many of the one-step problems of the majority form must be right."""

GATE_PROBLEMS = 500
"""Problems of each kind that the gate asks."""

TAUGHT_STEPS = max(steps for steps, _ in ALL_STEPS)
"""Longest problems that are taught, and asked unless told."""

_WAYS = ("direct", "cot")


@dataclass(frozen=True, slots=True)
class Condition:
    """One kind of one-step problems that a model must be able to do.

    Attributes:
        study, comparison: whose pairs, as in a `CheckCell`.
        first: whether it is about x; else about x'.
        what: in words.
    """

    study: str
    comparison: str
    first: bool
    what: str


_TRANSFERS = Condition("transfer-comparison", ALL, True, "One-step transfers")
_CONSISTENT = Condition(
    "consistency", "additive", True, "One-step additive comparisons in consistent wording"
)
_INCONSISTENT = Condition(
    "consistency", "additive", False, "One-step additive comparisons in inconsistent wording"
)


def conditions(mix: LessonMix) -> tuple[Condition, ...]:
    """What a model of this mix must be able to do: the forms that are not the rarer ones.

    Comparisons are asked of every model whose mix has any, in the wording that is commoner.
    """
    found = []
    if mix.transfer >= mix.comparison:
        found.append(_TRANSFERS)
    if mix.comparison:
        if mix.consistent >= mix.inconsistent:
            found.append(_CONSISTENT)
        if mix.inconsistent >= mix.consistent:
            found.append(_INCONSISTENT)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class GateReport:
    """What was measured of a model, and whether it passes.

    Attributes:
        mix: what it was trained on.
        cells: what was measured.
    """

    mix: LessonMix
    cells: tuple[CheckCell, ...]

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """A sentence for every condition of the gate that is not met; none when it passes."""
        return (*self.learned_too_little, *self.asked_too_few)

    @property
    def learned_too_little(self) -> tuple[str, ...]:
        """A sentence for every majority form of which too few were right."""
        found = []
        for condition in conditions(self.mix):
            cell = self._cell_of(condition)
            if cell is None:
                continue
            share = cell.share_x if condition.first else cell.share_x_prime
            if share < GATE_SHARE:
                found.append(
                    f"{condition.what}: {percent(share)} right of {cell.n}, "
                    f"{exact_percent(GATE_SHARE)} needed."
                )
        return tuple(found)

    @property
    def asked_too_few(self) -> tuple[str, ...]:
        """A sentence for every majority form of which too few were asked to tell."""
        found = []
        for condition in conditions(self.mix):
            cell = self._cell_of(condition)
            n = 0 if cell is None else cell.n
            if n < GATE_PROBLEMS:
                found.append(
                    f"{condition.what}: {n} problems were asked, {GATE_PROBLEMS} are needed."
                )
        return tuple(found)

    def cell(self, study: str, steps: int, comparison: str, strategy: str) -> CheckCell | None:
        """The cell of these problems in all wordings, or None."""
        for cell in self.cells:
            if (cell.study, cell.steps, cell.comparison, cell.strategy, cell.wording) == (
                study, steps, comparison, strategy, ALL,
            ):  # fmt: skip
                return cell
        return None

    def _cell_of(self, condition: Condition) -> CheckCell | None:
        found = [self.cell(condition.study, 1, condition.comparison, way) for way in _WAYS]
        return max(
            (cell for cell in found if cell is not None),
            key=lambda cell: (
                min(cell.n, GATE_PROBLEMS),
                cell.share_x if condition.first else cell.share_x_prime,
            ),
            default=None,
        )

    def write(self, path: Path) -> None:
        """Keeps the table as JSON."""
        content = {
            "mix": self.mix.text,
            "shortfalls": self.shortfalls,
            "cells": [cell.to_json() for cell in self.cells],
        }
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> GateReport:
        """The table kept in a file.

        Raises:
            FileNotFoundError: there is none.
            TrainingError: it is damaged, or of an earlier version of BiasLab.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            cells = tuple(CheckCell.from_json(cell) for cell in content["cells"])
            return cls(read_mix(content["mix"]), cells)
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError(
                f"{path} is damaged or was measured by an earlier version of BiasLab ({error}): "
                "measure the model anew with python -m biaslab.training.gate "
                f"{path.parent}"
            ) from error


def mix_of(record: TrainingRecord) -> LessonMix:
    """The mix that a model was trained on.

    Raises:
        TrainingError: it was trained on none (a start), or on one that is not known here.
    """
    if not record.ratios and record.mix not in MIXES:
        raise TrainingError(
            f"The model was trained on no mix of word problems (“{record.mix}”): there is nothing "
            "to measure."
        )
    try:
        return read_mix(record.ratios or record.mix)
    except MixError as error:
        raise TrainingError(f"{RECORD_FILE} of the model is damaged. {error}") from error


def evaluate(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    mix: LessonMix,
    *,
    strategies: Sequence[str] = STRATEGIES,
    gate_problems: int = GATE_PROBLEMS,
    other_problems: int = PAIRS,
    most_steps: int = TAUGHT_STEPS,
    seed: int = SEED,
    enough: Enough = never,
) -> GateReport:
    """Asks unseen problems of every kind in every way.

    Args:
        model: what is asked.
        tokenizer: its tokenizer.
        mix: what it was trained on.
        strategies: names of the prompt strategies.
        gate_problems: pairs of each one-step kind.
        other_problems: pairs of each other kind.
        most_steps: longest problems.
        seed: of the problems.
        enough: whether to stop, asked every second or so.

    Raises:
        MeasuringStopped: it was enough before the end.
    """
    short = [kind for kind in FULL if kind.steps == 1]
    long = [kind for kind in FULL if 1 < kind.steps <= most_steps]
    cells = measure(model, tokenizer, short, strategies, gate_problems, seed, enough)
    if long:
        cells += measure(model, tokenizer, long, strategies, other_problems, seed, enough)
    return GateReport(mix, cells)


def load(directory: Path) -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """Weights and tokenizer, as the app loads them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    return AutoModelForCausalLM.from_pretrained(directory), AutoTokenizer.from_pretrained(directory)


def main(arguments: list[str] | None = None) -> int:
    """The command line: 0 when the model passes, 1 when it does not, 2 when it has no mix."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES, choices=STRATEGIES)
    parser.add_argument("--most-steps", type=int, default=TAUGHT_STEPS)
    given = parser.parse_args(arguments)
    try:
        mix = mix_of(TrainingRecord.load(given.directory))
    except TrainingError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    report = evaluate(
        *load(given.directory), mix, strategies=given.strategies, most_steps=given.most_steps
    )
    report.write(given.directory / GATE_FILE)
    sys.stdout.write(table(report.cells) + "\n")
    for shortfall in report.shortfalls:
        sys.stdout.write(f"Not passed. {shortfall}\n")
    return 1 if report.shortfalls else 0


if __name__ == "__main__":
    sys.exit(main())
