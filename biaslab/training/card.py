"""The card of a tiny model: what it is, how well it does and what it cannot do, from measurements.

    python -m biaslab.training.card DIRECTORY

Reads the record of the training and the gate's table next to the weights and writes
``model_card.json`` (read by `biaslab.models.tiny`) and ``README.md``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from biaslab.models import read_card
from biaslab.models.tiny import CARD_FILE, Ability, Accuracy, ModelCard
from biaslab.training.gate import GATE_FILE, GATE_SHARE, LEAST_SHARE, Cell, Report, table
from biaslab.training.mix import ALL_STEPS, MIXES, STUDIES
from biaslab.training.plan import TrainingRecord

HARDWARE = "one core of a shared x86 machine, no GPU"

WHAT_IT_IS = (
    "A tiny transformer trained on this project's own problems only, for demonstration: "
    "not a language model trained on human text."
)


def make_card(name: str, record: TrainingRecord, report: Report, parameters: int) -> ModelCard:
    """The card of a model.

    Args:
        name: as in ``tiny:NAME``.
        record: how it was trained.
        report: the gate's table.
        parameters: number of weights.
    """
    mix = MIXES[record.mix]
    problems = record.examples - record.equations
    return ModelCard(
        name=name,
        label="Tiny model" if name == "tiny" else f"Tiny model “{name}”",
        explanation=WHAT_IT_IS,
        trained_on=(
            f"Mix “{mix.name}”: {mix.explanation}",
            f"It saw {problems:,} word problems of this app and {record.equations:,} bare "
            f"equations, in {record.minutes:.0f} minutes on {HARDWARE}, on {record.date}.",
            "No problem of this app is among them: the first two people of a training problem "
            "never open a problem that is asked.",
        ),
        limits=(*((record.caveat,) if record.caveat else ()), *limits(report)),
        parameters=parameters,
        examples_seen=record.examples,
        abilities=tuple(abilities(report)),
        accuracy=tuple(
            Accuracy(
                study, strategy, steps,
                sum(cell.right_x + cell.right_x_prime for cell in cells),
                sum(2 * cell.n for cell in cells),
            )
            for study, strategy, steps, cells in _pooled(report)
        ),
    )  # fmt: skip


def abilities(report: Report) -> Iterator[Ability]:
    """What the model can do: from one step up to the last before its share falls too low."""
    most: dict[tuple[str, str], int] = {}
    for study, strategy, steps, cells in _pooled(report):
        if most.get((study, strategy), 0) == steps - 1 and _share_x(cells) >= LEAST_SHARE:
            most[study, strategy] = steps
    for study in STUDIES:
        by_steps: dict[int, list[str]] = {}
        for (of, strategy), steps in most.items():
            if of == study:
                by_steps.setdefault(steps, []).append(strategy)
        for steps, strategies in by_steps.items():
            yield Ability(study, tuple(strategies), 1, steps)


def limits(report: Report) -> tuple[str, ...]:
    """Sentences about everything below the thresholds, and about what it was not trained on."""
    found = [f"It does not reach the standard for shipping: {text}" for text in report.shortfalls]
    for study, strategy, steps, cells in _pooled(report):
        kinds = [[cell] for cell in cells] if len(cells) > 1 else [cells]
        for kind in kinds:
            share = _share_x(kind)
            if share < LEAST_SHARE:
                word = f"{kind[0].comparison} " if kind[0].comparison else ""
                arm = STUDIES[study].arms.x
                found.append(
                    f"It cannot do {word}{study} problems with {steps} "
                    f"{'step' if steps == 1 else 'steps'} asked “{strategy}”: {share:.0%} right "
                    f"of {sum(cell.n for cell in kind)} even in the easier arm ({arm})."
                )
    found.append(
        "It knows the words, numbers and prompts of this app only; any other text is noise to it."
    )
    found.append(
        "Long problems were rare in its training: "
        f"{_share_of_long():.0%} had four or five steps, so its errors there say little."
    )
    return tuple(found)


def write_card(directory: Path, name: str = "tiny") -> ModelCard:
    """Writes the card and the README into a model's directory.

    Raises:
        FileNotFoundError: there is no training record or no gate table in it.
    """
    from safetensors import safe_open

    record = TrainingRecord.load(directory)
    report = Report.load(directory / GATE_FILE)
    with safe_open(directory / "model.safetensors", "np") as weights:
        parameters = sum(_size(weights.get_slice(key).get_shape()) for key in weights.keys())  # noqa: SIM118
    card = make_card(name, record, report, parameters)
    text = json.dumps(card.to_json(), indent=1, ensure_ascii=False)
    (directory / CARD_FILE).write_text(text + "\n", encoding="utf-8")
    (directory / "README.md").write_text(readme(card, record, report), encoding="utf-8")
    return read_card(directory)


def readme(card: ModelCard, record: TrainingRecord, report: Report) -> str:
    """The card as a page for people."""
    shape = record.shape
    lines = [
        f"# {card.label}",
        "",
        card.explanation,
        "",
        f"- Date: {record.date}",
        f"- Form: base (continues text), Llama architecture, {shape['layers']} layers of width "
        f"{shape['width']} with {shape['heads']} heads, {card.parameters:,} parameters",
        f"- Training: {record.steps:,} steps, {card.examples_seen:,} examples "
        f"({record.equations:,} of them bare equations), {record.minutes:.0f} minutes on "
        f"{HARDWARE}",
        f"- Loss at the end: {record.loss:.3f} nats a taught token",
        f"- Made with: {_made_with(record)}",
        "",
        "## Trained on",
        "",
        *(f"- {text}" for text in card.trained_on),
        "",
        "## Cannot do",
        "",
        *(f"- {text}" for text in card.limits),
        "",
        "## Accuracy on problems it had not seen",
        "",
        "x is the arm that is easier by hypothesis (consistent wording, transfers, no carry), x′ "
        "the other one. Greedy answers to the app's own prompts, read as the app reads them; an "
        f"answer without a number counts as wrong. To be shipped a model needs {GATE_SHARE:.0%} "
        "of one-step transfers and of one-step additive consistent comparisons, asked directly.",
        "",
        table(report),
        "",
    ]
    return "\n".join(lines)


def _made_with(record: TrainingRecord) -> str:
    command = (
        f"`python -m biaslab.training.train --mix {record.mix} "
        f"--minutes {record.schedule['minutes']:g} --seed {record.seed} --out DIR`"
    )
    return record.history or command


def _pooled(report: Report) -> Iterator[tuple[str, str, int, list[Cell]]]:
    cells: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in report.cells:
        cells.setdefault((cell.study, cell.strategy, cell.steps), []).append(cell)
    for (study, strategy, steps), group in sorted(
        cells.items(), key=lambda entry: (list(STUDIES).index(entry[0][0]), entry[0][2])
    ):
        yield study, strategy, steps, group


def _share_x(cells: Sequence[Cell]) -> float:
    return sum(cell.right_x for cell in cells) / sum(cell.n for cell in cells)


def _share_of_long() -> float:
    long = sum(source.weight for source in ALL_STEPS if source.settings["steps"] == "4-5")
    return long / sum(source.weight for source in ALL_STEPS)


def _size(shape: Sequence[int]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--name", default="tiny", help="name of the model, as in tiny:NAME")
    given = parser.parse_args(arguments)
    write_card(given.directory, given.name)


if __name__ == "__main__":
    main()
