"""Whether a tiny model does well enough to be shipped, on problems it has never seen.

    python -m biaslab.training.gate DIRECTORY

The problems are of the part that training never draws from. Every one is asked with the
strategy's own prompts and read by the study's own reading, so a share in the table is what the
app would show.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.experiments.experiment import Answered, Design, Experiment, Item, Strategy, Value
from biaslab.experiments.strategies import PUBLISHED_STRATEGIES
from biaslab.experiments.word_problems import Part
from biaslab.models import Completion, GenerationRequest, ModelForm
from biaslab.training.greedy import continue_texts
from biaslab.training.mix import STUDIES

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

GATE_FILE = "gate.json"
GATE_SHARE = 0.80
"""At least so many of the easier arm's one-step problems must be right, asked directly."""

GATE_PROBLEMS = 500
"""Problems of each kind that the gate asks."""

OTHER_PROBLEMS = 300
"""Problems of each kind outside the gate."""

LEAST_SHARE = 0.20
"""Below this share of the easier arm the card says that the model cannot do such problems."""

SEED = 20_241


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of the table: problems of one kind, asked in one way.

    Attributes:
        comparison: ``additive`` or ``multiplicative`` where the study has both, else empty.
        n: pairs asked; right_x, right_x_prime: right answers of each arm.
        unread: answers of both arms in which no number could be read (not right).
    """

    study: str
    steps: int
    comparison: str
    strategy: str
    n: int
    right_x: int
    right_x_prime: int
    unread: int

    @property
    def share_x(self) -> float:
        """Share right of the easier arm."""
        return self.right_x / self.n

    @property
    def share_x_prime(self) -> float:
        """Share right of the harder arm."""
        return self.right_x_prime / self.n


@dataclass(frozen=True, slots=True)
class Report:
    """The table, and whether the model passes."""

    cells: tuple[Cell, ...]

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """A sentence for every condition of the gate that is not met; none when it passes."""
        found = []
        for study, comparison, what in _GATES:
            cell = self.cell(study, 1, comparison, "direct")
            if cell is None or cell.n < GATE_PROBLEMS:
                found.append(f"{what}: fewer than {GATE_PROBLEMS} problems were asked.")
            elif cell.share_x < GATE_SHARE:
                found.append(
                    f"{what}: {cell.share_x:.0%} right of {cell.n}, {GATE_SHARE:.0%} needed."
                )
        return tuple(found)

    def cell(self, study: str, steps: int, comparison: str, strategy: str) -> Cell | None:
        """The row of these problems, or None."""
        for cell in self.cells:
            if (cell.study, cell.steps, cell.comparison, cell.strategy) == (
                study, steps, comparison, strategy,
            ):  # fmt: skip
                return cell
        return None

    def write(self, path: Path) -> None:
        """Keeps the table as JSON."""
        content = {"shortfalls": self.shortfalls, "cells": [asdict(cell) for cell in self.cells]}
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Report:
        """The table kept in a file."""
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(tuple(Cell(**cell) for cell in content["cells"]))


_GATES = (
    ("transfer-comparison", "", "One-step transfers"),
    ("consistency", "additive", "One-step additive comparisons in consistent wording"),
)


@dataclass(frozen=True, slots=True)
class _Kind:
    study: str
    steps: int
    comparison: str

    @property
    def settings(self) -> Mapping[str, Value]:
        steps: dict[str, Value] = {"steps": f"{self.steps}-{self.steps}"}
        return {**steps, "operations": self.comparison} if self.comparison else steps


_KINDS = (
    *(
        _Kind("consistency", steps, comparison)
        for steps in range(1, 6)
        for comparison in ("additive", "multiplicative")
    ),
    *(_Kind("transfer-comparison", steps, "") for steps in range(1, 6)),
    _Kind("carry", 1, ""),
)


def evaluate(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    *,
    strategies: Sequence[str] = ("direct", "cot", "child-cot"),
    gate_problems: int = GATE_PROBLEMS,
    other_problems: int = OTHER_PROBLEMS,
    most_steps: int = 5,
    seed: int = SEED,
) -> Report:
    """Asks problems of every kind in every way.

    Args:
        model: what is asked.
        tokenizer: its tokenizer.
        strategies: names of the ways of asking.
        gate_problems: pairs of each one-step kind.
        other_problems: pairs of each other kind.
        most_steps: longest problems.
        seed: of the problems.
    """
    cells = []
    for kind in _KINDS:
        if kind.steps > most_steps:
            continue
        study = STUDIES[kind.study]
        design = Design(
            kind.study, gate_problems if kind.steps == 1 else other_problems, seed, kind.settings
        )
        pairs = list(islice(study.pairs(design, part=Part.ASKED), design.n))
        items = [pair.x for pair in pairs] + [pair.x_prime for pair in pairs]
        for strategy in PUBLISHED_STRATEGIES:
            if strategy.name not in strategies:
                continue
            outcomes = ask(model, tokenizer, study, items, strategy)
            x, x_prime = outcomes[: len(pairs)], outcomes[len(pairs) :]
            cells.append(
                Cell(
                    kind.study, kind.steps, kind.comparison, strategy.name, len(pairs),
                    sum(y == 1.0 for y in x), sum(y == 1.0 for y in x_prime),
                    sum(y is None for y in outcomes),
                )
            )  # fmt: skip
    return Report(tuple(cells))


def ask(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    study: Experiment,
    items: Sequence[Item],
    strategy: Strategy,
) -> list[float | None]:
    """The outcome of every item: 1.0 right, 0.0 wrong, None where nothing could be read."""
    answered: list[list[Answered]] = [[] for _ in items]
    while True:
        requests = [
            strategy.next_request(item, earlier, ModelForm.BASE)
            for item, earlier in zip(items, answered, strict=True)
        ]
        asked = [request for request in requests if isinstance(request, GenerationRequest)]
        if not asked:
            break
        sampling = asked[0].sampling
        prompts = [request.messages[0].content for request in asked]
        texts = continue_texts(model, tokenizer, prompts, sampling.max_new_tokens)
        for earlier, text in zip(answered, texts, strict=True):
            for stop in sampling.stop:
                text = text.partition(stop)[0]
            earlier.append(Completion(text, "stop", 0, 0, 0.0))
    return [
        study.read(item, earlier).outcome for item, earlier in zip(items, answered, strict=True)
    ]


def load(directory: Path) -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """Weights and tokenizer, as the app loads them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    return AutoModelForCausalLM.from_pretrained(directory), AutoTokenizer.from_pretrained(directory)


def table(report: Report) -> str:
    """The report as a Markdown table."""
    rows = [
        "| study | comparison | steps | strategy | n of each | x right | x′ right |",
        "|---|---|--:|---|--:|--:|--:|",
    ]
    rows += [
        f"| {cell.study} | {cell.comparison} | {cell.steps} | {cell.strategy} | {cell.n} "
        f"| {cell.share_x:.1%} | {cell.share_x_prime:.1%} |"
        for cell in report.cells
    ]
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> int:
    """The command line: 0 when the model passes, 1 when it does not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--strategies", nargs="+", default=["direct", "cot", "child-cot"])
    parser.add_argument("--most-steps", type=int, default=5)
    given = parser.parse_args(arguments)
    model, tokenizer = load(given.directory)
    report = evaluate(model, tokenizer, strategies=given.strategies, most_steps=given.most_steps)
    report.write(given.directory / GATE_FILE)
    sys.stdout.write(table(report) + "\n")
    for shortfall in report.shortfalls:
        sys.stdout.write(f"Not passed. {shortfall}\n")
    return 1 if report.shortfalls else 0


if __name__ == "__main__":
    sys.exit(main())
