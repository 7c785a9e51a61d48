"""The card of a tiny model: what it is, how well it does and what it cannot do, from measurements.

    python -m biaslab.training.measures.card DIRECTORY --name NAME

Reads the record of the training and what was measured (`biaslab.training.measures.gate`) next to
the weights and writes ``model_card.json`` (read by `biaslab.models.tiny.model`) and ``README.md``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.models.tiny.model import (
    CARD_FILE,
    CHECKPOINT_MARK,
    LEAST_SHARE,
    Ability,
    CardEffect,
    ModelCard,
    UnseenAccuracy,
    read_card,
)
from biaslab.training.lessons.lessons import STUDIES
from biaslab.training.measures.card_sentences import (
    caution,
    hardware_of,
    limits,
    operation_sentences,
    training_sentences,
    whole,
)
from biaslab.training.measures.cells import CheckCell, table
from biaslab.training.measures.gate import (
    GATE_FILE,
    GATE_SHARE,
    TAUGHT_STEPS,
    GateReport,
    conditions,
    evaluate,
    mix_of,
)
from biaslab.training.measures.measuring import STRATEGIES, Enough, never
from biaslab.training.plan import TrainingRecord
from schoolmath.text.figures import exact_percent

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

WHAT_IT_IS = (
    "A tiny transformer trained on this project's own problems only, for demonstration: "
    "not a language model trained on human text."
)


def make_card(name: str, record: TrainingRecord, report: GateReport, parameters: int) -> ModelCard:
    """The card of a model.

    Args:
        name: as in ``tiny:NAME``.
        record: how it was trained.
        report: what was measured of it.
        parameters: number of weights.
    """
    return ModelCard(
        name=name,
        label=_label(name, record),
        explanation=WHAT_IT_IS,
        trained_on=training_sentences(record, report.mix),
        limits=(*((record.caveat,) if record.caveat else ()), *limits(report)),
        parameters=parameters,
        examples_seen=record.start_examples + record.examples,
        abilities=tuple(abilities(report.cells)),
        accuracy=tuple(
            UnseenAccuracy(
                study, strategy, steps,
                sum(cell.right_x + cell.right_x_prime for cell in cells),
                sum(2 * cell.n for cell in cells),
            )
            for study, strategy, steps, cells in _pooled(report.cells)
        ),
        effects=tuple(map(_effect, whole(report.cells))),
        operations=operation_sentences(report.cells),
        mix=report.mix.text,
        caution=caution(report.cells),
    )  # fmt: skip


def _label(name: str, record: TrainingRecord) -> str:
    model, copy, _ = name.partition(CHECKPOINT_MARK)
    label = f"Tiny model “{model}”"
    seen = record.start_examples + record.examples
    return f"{label} after {seen:,} examples" if copy else label


def _effect(cell: CheckCell) -> CardEffect:
    found = cell.effect()
    ends = found.interval
    return CardEffect(
        cell.study, cell.strategy, cell.steps, cell.comparison, cell.n, cell.right_x,
        cell.right_x_prime, None if ends is None else round(ends.low, 4),
        None if ends is None else round(ends.high, 4), found.identical,
    )  # fmt: skip


def abilities(cells: Sequence[CheckCell]) -> Iterator[Ability]:
    """What the model can do: from one step up to the last before its share falls too low.

    The arm in which it does better counts: a model may be right on the rarer form alone.
    """
    most: dict[tuple[str, str], int] = {}
    for study, strategy, steps, group in _pooled(cells):
        n = sum(cell.n for cell in group)
        right = max(sum(cell.right_x for cell in group), sum(cell.right_x_prime for cell in group))
        if most.get((study, strategy), 0) == steps - 1 and right / n >= LEAST_SHARE:
            most[study, strategy] = steps
    for study in STUDIES:
        by_steps: dict[int, list[str]] = {}
        for (of, strategy), steps in most.items():
            if of == study:
                by_steps.setdefault(steps, []).append(strategy)
        for steps, strategies in by_steps.items():
            yield Ability(study, tuple(strategies), 1, steps)


def measure_and_write(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    directory: Path,
    name: str,
    *,
    gate_problems: int,
    other_problems: int,
    strategies: Sequence[str] = STRATEGIES,
    most_steps: int = TAUGHT_STEPS,
    enough: Enough = never,
) -> GateReport:
    """Measures a model and writes what was found, the card and the README into its directory.

    Args:
        model: what is asked.
        tokenizer: its tokenizer.
        directory: where its weights and its training's record are.
        name: as in ``tiny:NAME``.
        gate_problems: pairs of each one-step kind.
        other_problems: pairs of each other kind.
        strategies: names of the prompt strategies.
        most_steps: longest problems.
        enough: whether to stop, asked every second or so.

    Raises:
        TrainingError: it was trained on no word problems.
        MeasuringStopped: it was enough before the end; nothing is written then.
    """
    mix = mix_of(TrainingRecord.load(directory))
    report = evaluate(
        model, tokenizer, mix, strategies=strategies, gate_problems=gate_problems,
        other_problems=other_problems, most_steps=most_steps, enough=enough,
    )  # fmt: skip
    report.write(directory / GATE_FILE)
    write_card(directory, name)
    return report


def write_card(directory: Path, name: str) -> ModelCard:
    """Writes the card and the README into a model's directory.

    Raises:
        FileNotFoundError: there is no training record in it, or nothing was measured.
        TrainingError: what was measured is damaged or of an earlier version.
    """
    from safetensors import safe_open

    record = TrainingRecord.load(directory)
    report = GateReport.load(directory / GATE_FILE)
    with safe_open(directory / "model.safetensors", "np") as weights:
        parameters = sum(_size(weights.get_slice(key).get_shape()) for key in weights.keys())  # noqa: SIM118
    card = make_card(name, record, report, parameters)
    text = json.dumps(card.to_json(), indent=1, ensure_ascii=False)
    (directory / CARD_FILE).write_text(text + "\n", encoding="utf-8")
    (directory / "README.md").write_text(readme(card, record, report), encoding="utf-8")
    return read_card(directory)


def readme(card: ModelCard, record: TrainingRecord, report: GateReport) -> str:
    """The card as a page for people."""
    shape = record.shape
    needed = " and ".join(
        condition.what[0].lower() + condition.what[1:] for condition in conditions(report.mix)
    )
    lines = [
        f"# {card.label}",
        "",
        card.explanation,
        "",
        *((f"**{card.caution}**", "") if card.caution else ()),
        f"- Date: {record.date}; seed: {record.seed}",
        f"- Form: base (continues text), Llama architecture, {shape['layers']} layers of width "
        f"{shape['width']} with {shape['heads']} heads, {card.parameters:,} parameters",
        f"- Training: {record.steps:,} steps, {card.examples_seen:,} examples "
        f"({record.start_examples:,} of them before the mix), {record.minutes:.0f} minutes on "
        f"{hardware_of(record)}",
        f"- Loss at the end: {record.loss:.3f} nats a taught token",
        f"- Mix: `{card.mix}`",
        *((f"- Made with: {record.history}",) if record.history else ()),
        "",
        "## Trained on",
        "",
        *(f"- {text}" for text in card.trained_on),
        "",
        "## Limits",
        "",
        *(f"- {text}" for text in card.limits),
        "",
        "## Which operation it chooses",
        "",
        *([f"- {text}" for text in card.operations] or ["Not measured."]),
        "",
        "## How well it does on problems it had not seen, and its effects",
        "",
        "x is the arm that is easier for people (consistent wording, transfers, no carry), x′ the "
        "other one. Greedy answers to the app's own prompts, read as the app reads them; an "
        "answer without a number counts as wrong. The effect is the difference of the shares on "
        "the same pairs, x minus x′, in percentage points; p is of the interval's own test, and "
        "there is none where both members of every pair came out alike. An empty wording stands "
        "for all of them, as many of each. A model has learnt enough to be asked with "
        f"{exact_percent(GATE_SHARE)} of "
        f"{needed}, asked directly or step by step.",
        "",
        table(report.cells),
        "",
    ]
    return "\n".join(lines)


def _pooled(cells: Sequence[CheckCell]) -> Iterator[tuple[str, str, int, list[CheckCell]]]:
    groups: dict[tuple[str, str, int], list[CheckCell]] = {}
    for cell in whole(cells):
        groups.setdefault((cell.study, cell.strategy, cell.steps), []).append(cell)
    for (study, strategy, steps), group in groups.items():
        yield study, strategy, steps, group


def _size(shape: Sequence[int]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--name", required=True, help="name of the model, as in tiny:NAME")
    given = parser.parse_args(arguments)
    write_card(given.directory, given.name)


if __name__ == "__main__":
    main()
