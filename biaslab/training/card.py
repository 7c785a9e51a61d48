"""The card of a tiny model: what it is, how well it does and what it cannot do, as measured.

    python -m biaslab.training.card DIRECTORY --name NAME

Reads the record of the training and what was measured (`biaslab.training.gate`) next to the
weights and writes ``model_card.json`` (read by `biaslab.models.tiny.model`) and ``README.md``.
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
from biaslab.training.cells import ALL, CheckCell, OperationChoice, table
from biaslab.training.gate import (
    GATE_FILE,
    GATE_SHARE,
    TAUGHT_STEPS,
    GateReport,
    conditions,
    evaluate,
    mix_of,
)
from biaslab.training.lessons import STUDIES
from biaslab.training.measuring import STRATEGIES, Enough, never
from biaslab.training.mix import CUSTOM, LessonMix, mix_name
from biaslab.training.plan import TrainingRecord
from schoolmath.text.figures import exact_percent, percent, percents

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

# What the card says in words and tables: the model's mix, its training, limits and measures.


_THINGS = (
    ("consistent comparison", "consistent comparisons",
     "inconsistent one", "inconsistent ones", "inconsistent comparisons"),
    ("problem of transfers", "problems of transfers",
     "problem with a comparison", "problems with a comparison", "problems with a comparison"),
    ("three-digit calculation without a carry or borrow",
     "three-digit calculations without a carry or borrow",
     "with one", "with one", "three-digit calculations with a carry or borrow"),
)  # fmt: skip
"""Of each ratio: the first thing, one and many; the second after the first, one and many; the
second alone."""

UNKNOWN_HARDWARE = "one core of a shared x86 machine, no GPU"
"""Of the models of earlier versions, whose records do not say."""


def mix_words(mix: LessonMix) -> str:
    """All three ratios of a mix in words, without a full stop at the end."""
    return "; ".join(
        _ratio_words(*ratio, *things) for ratio, things in zip(_ratios(mix), _THINGS, strict=True)
    )


def rare_words(mix: LessonMix) -> str:
    """What is the rarer of two kinds in the lessons, for one line; empty where nothing is."""
    found = []
    for (first, second), things in zip(_ratios(mix), _THINGS, strict=True):
        if first != second:
            rarer = things[4] if second < first else things[1]
            found.append(f"{rarer} ({min(first, second):,}\u00a0of\u00a0{first + second:,})")
    return ", ".join(found)


def _ratios(mix: LessonMix) -> tuple[tuple[int, int], ...]:
    return (
        (mix.consistent, mix.inconsistent), (mix.transfer, mix.comparison),
        (mix.no_carry, mix.carry),
    )  # fmt: skip


def _ratio_words(
    first: int, second: int, one: str, many: str, other: str, others: str, others_alone: str
) -> str:
    if first == second:
        return f"as many {many} as {others}"
    if not first or not second:
        return f"only {others_alone if second else many}"
    if second == 1:
        return f"{first} {many} for each {other}"
    return f"{first} {one if first == 1 else many} for every {second} {others}"


def training_sentences(record: TrainingRecord, mix: LessonMix) -> tuple[str, ...]:
    """What a model was trained on, how long, on what, and how far that had come."""
    name = mix_name(mix)
    what = "A mix of its own" if name == CUSTOM else f"Mix “{name}”"
    found = [f"{what}: {mix_words(mix)}."]
    if not record.ratios:
        found.append("These ratios held within each study's problems, not over all word problems.")
    if record.start_examples:
        found.append(
            f"Before, it saw {record.start_examples:,} bare equations and texts to look something "
            "up in. All models of the family go on from there."
        )
    problems = record.examples - record.equations
    found.append(
        f"It saw {problems:,} word problems of this app and {record.equations:,} bare equations, "
        f"in {record.minutes:.0f} minutes on {hardware_of(record)}, on {record.date}; seed "
        f"{record.seed}. Loss at the end: {record.loss:.3f} nats a taught token."
    )
    if not record.finished:
        found.append(
            "These are weights from along a training, before its end: the learning rate was at "
            f"{percent(record.rate_left, 0)} of its largest."
        )
    found.append(
        "No problem of this app is among them: the first two people of a training problem never "
        "open a problem that is asked."
    )
    return tuple(found)


def hardware_of(record: TrainingRecord) -> str:
    """What it was trained on."""
    return record.hardware or UNKNOWN_HARDWARE


def limits(report: GateReport) -> tuple[str, ...]:
    """Sentences about everything below the thresholds, and about what was not measured."""
    found = [f"It learned too little. {text}" for text in report.learned_too_little]
    found += [
        f"It was not measured as the app's own models are. {text}" for text in report.asked_too_few
    ]
    for cell in whole(report.cells):
        share = max(cell.share_x, cell.share_x_prime)
        if share < LEAST_SHARE:
            word = f"{cell.comparison} " if cell.comparison else ""
            arms = STUDIES[cell.study].arms
            better = arms.x if cell.right_x >= cell.right_x_prime else arms.x_prime
            found.append(
                f"It cannot do {word}{cell.study} problems with {steps_words(cell.steps)} asked "
                f"“{cell.strategy}”: {percent(share)} right of {cell.n} even in the arm that it "
                "does "
                f"better ({better})."
            )
    found.append(
        "It knows the words, numbers and prompts of this app only; any other text is noise to it."
    )
    most = max((cell.steps for cell in report.cells), default=0)
    found.append(f"Problems with more than {steps_words(most)} were not measured.")
    return tuple(found)


def operation_sentences(cells: Sequence[CheckCell]) -> tuple[str, ...]:
    """Which operation it chose in one-step additive comparisons, and which wrong answers it gave.

    Both arms are told: a model that never reads the wording, and one that goes by the keyword,
    have the right operation in one arm only or in half of both.
    """
    found = []
    for cell in whole(cells):
        if (cell.study, cell.comparison, cell.steps) != ("consistency", "additive", 1):
            continue
        arms = STUDIES[cell.study].arms
        chosen = [
            _chosen(arm, choice)
            for arm, choice in zip(
                arms, (cell.operation_x(), cell.operation_x_prime()), strict=True
            )
            if choice is not None
        ]
        if chosen:
            found.append(
                f"One-step additive comparisons asked “{cell.strategy}”, operation of the first "
                f"step: {'; '.join(chosen)}."
            )
        wrong = ((cell.wrong_x, cell.reversed_x), (cell.wrong_x_prime, cell.reversed_x_prime))
        if any(answers for answers, _ in wrong):
            told = [
                f"{turned} of {answers} wrong answers to {arm} problems"
                for arm, (answers, turned) in zip(arms, wrong, strict=True)
            ]
            found.append(
                f"One-step additive comparisons asked “{cell.strategy}”: {' and '.join(told)} are "
                "what the reversed operation gives."
            )
    return tuple(found)


def caution(cells: Sequence[CheckCell]) -> str:
    """That the model does not read the wording, where it was measured and does not; else empty.

    Whoever goes by the keyword chooses well in one arm; whoever reads nothing chooses in neither
    better than by always taking the commoner operation.
    """
    for cell in whole(cells):
        if (cell.study, cell.comparison, cell.steps, cell.strategy) != (
            "consistency", "additive", 1, "cot",
        ):  # fmt: skip
            continue
        choices = [each for each in (cell.operation_x(), cell.operation_x_prime()) if each]
        # Where one arm's first steps could not be read, nothing can be said of its choices.
        if len(choices) < 2 or any(each.reads_the_wording for each in choices):
            return ""
        arms = STUDIES[cell.study].arms
        told = " and ".join(
            f"{percent(each.share)} of {arm}" for arm, each in zip(arms, choices, strict=True)
        )
        return (
            "This model hardly reads the wording, if at all: of one-step comparisons worked step "
            f"by step it chose the right operation in {told} ones, where always taking the "
            f"commoner one gets {percent(max(each.always_commonest for each in choices))}. That it "
            "shows no effect would say nothing."
        )
    return ""


def _chosen(arm: str, choice: OperationChoice) -> str:
    low, high = choice.interval.low, choice.interval.high
    return (
        f"{arm} {percent(choice.share)} right of {choice.asked} that could be read (95 % interval "
        f"{percents(low, high)}), where always adding gets {percent(choice.always_plus)}"
    )


def whole(cells: Sequence[CheckCell]) -> Iterator[CheckCell]:
    """The cells with all wordings together, one for every kind, in the order of the studies."""
    order = list(STUDIES)
    yield from sorted(
        (cell for cell in cells if cell.wording == ALL),
        key=lambda cell: (order.index(cell.study), cell.steps),
    )


def steps_words(steps: int) -> str:
    """``1 step``, ``2 steps``."""
    return f"{steps} {'step' if steps == 1 else 'steps'}"


# The card.


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
