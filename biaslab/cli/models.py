"""The models that can be asked, with the figures of those that were trained here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from biaslab.models import ModelCard, ModelChoice, ModelError, ModelKind, list_models, read_card
from biaslab.models.tiny.model import CardEffect, tiny_directory
from biaslab.training.plan import TrainingRecord

_SHOWN = ("direct", "cot")
"""Ways of asking whose figures are shown to people; JSON has all."""


@click.command("models")
@click.argument("directories", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True,
              help="Print everything that is known of them, as JSON.")  # fmt: skip
def models_command(directories: tuple[Path, ...], as_json: bool) -> None:
    """List the models that can be asked; DIRECTORIES of language models as well.

    Of tiny models and their copies along training: what they were trained on, and their effects
    on one-step problems.
    """
    choices = list_models(directories, checkpoints=True)
    if as_json:
        found = [_as_json(choice) for choice in choices]
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    for choice in choices:
        state = "" if choice.ready else f" [not ready: {choice.why_not}]"
        click.echo(f"{choice.spec}: {choice.label} ({choice.kind}){state}")
        for line in _figures(choice):
            click.echo(f"    {line}")
    click.echo("openai:NAME: any model of an OpenAI-compatible server (see `biaslab probe`)")


def _as_json(choice: ModelChoice) -> dict[str, Any]:
    content: dict[str, Any] = {
        "spec": choice.spec,
        "label": choice.label,
        "kind": str(choice.kind),
        "explanation": choice.explanation,
        "ready": choice.ready,
        "why_not": choice.why_not,
        "own": choice.own,
        "checkpoint_of": choice.checkpoint_of,
    }
    card = _card(choice)
    if card is None:
        return content
    record = _record(choice)
    return content | {
        "mix": card.mix,
        "mix_name": None if record is None else record.mix,
        "seed": None if record is None else record.seed,
        "minutes": None if record is None else record.minutes,
        "loss": None if record is None else record.loss,
        "examples": card.examples_seen,
        "parameters": card.parameters,
        "effects": [_effect_json(effect) for effect in card.effects],
        "limits": list(card.limits),
    }


def _effect_json(effect: CardEffect) -> dict[str, Any]:
    return {
        "study": effect.study,
        "comparison": effect.comparison,
        "steps": effect.steps,
        "strategy": effect.strategy,
        "n": effect.n,
        "accuracy_x": effect.right_x / effect.n,
        "accuracy_x_prime": effect.right_x_prime / effect.n,
        "cate": effect.cate,
        "ci_low": effect.low,
        "ci_high": effect.high,
        "identical": effect.identical,
    }


def _figures(choice: ModelChoice) -> Iterator[str]:
    card = _card(choice)
    if card is None:
        return
    record = _record(choice)
    trained = "" if record is None else f"mix {record.mix}, seed {record.seed}, "
    yield f"{trained}{card.examples_seen:,} examples, {card.parameters:,} parameters"
    shown = [effect for effect in card.effects if effect.steps == 1 and effect.strategy in _SHOWN]
    for effect in shown:
        yield _effect_words(effect)
    if not card.effects:
        for accuracy in card.accuracy:
            if accuracy.steps == 1 and accuracy.strategy in _SHOWN:
                yield (
                    f"{accuracy.study}, 1 step, {accuracy.strategy}: {accuracy.share:.1%} right "
                    f"of {accuracy.n:,}; both arms together"
                )


def _effect_words(effect: CardEffect) -> str:
    kind = f" ({effect.comparison})" if effect.comparison else ""
    words = (
        f"{effect.study}{kind}, 1 step, {effect.strategy}: {effect.right_x / effect.n:.1%} / "
        f"{effect.right_x_prime / effect.n:.1%} right, effect {100 * effect.cate:+.1f} points"
    )
    if effect.low is not None and effect.high is not None:
        words += f" ({100 * effect.low:+.1f} to {100 * effect.high:+.1f})"
    return f"{words}, {effect.n} pairs"


def _card(choice: ModelChoice) -> ModelCard | None:
    if choice.kind is not ModelKind.TINY:
        return None
    try:
        return read_card(_directory(choice))
    except ModelError:
        return None


def _record(choice: ModelChoice) -> TrainingRecord | None:
    try:
        return TrainingRecord.load(_directory(choice))
    except (ModelError, OSError, ValueError, TypeError):
        return None


def _directory(choice: ModelChoice) -> Path:
    return tiny_directory(choice.spec.partition(":")[2] or choice.spec)
