"""Tiny models: very small transformers that this project trained on its own problems.

They are opened like any local model; what is to be known of each stands in its card, a
``model_card.json`` next to the weights (`biaslab.training.card` writes it).
``tiny:NAME`` is one that comes with the app or one that was trained here (`custom_models`),
``tiny:NAME@CHECKPOINT`` a copy of it from along its training. ``tiny`` alone is short for the
default one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from biaslab.models.local.directory import inspect_directory, read_json
from biaslab.models.requests import (
    WORD_PROBLEMS,
    BrokenModel,
    ModelIdentity,
    ModelKind,
    ModelNotFound,
)
from biaslab.system.places import TINY_MODELS, custom_models

__all__ = [
    "ALIAS",
    "CARD_FILE",
    "CHECKPOINTS",
    "CHECKPOINT_MARK",
    "DEFAULT_NAME",
    "DEFAULT_TINY",
    "TINY_MODELS",
    "Ability",
    "AbilityVerdict",
    "CardEffect",
    "ModelCard",
    "UnseenAccuracy",
    "checkpoint_names",
    "custom_names",
    "identify_tiny",
    "read_card",
    "tiny_directory",
    "tiny_names",
    "tiny_spec",
]


CARD_FILE = "model_card.json"

LEAST_SHARE = 0.20
"""A model that gets fewer right, even in the arm that it does better, cannot do such problems."""

ALIKE = 0.05
"""Shares right that differ by less do not say which prompt strategy suits a model better."""


@dataclass(frozen=True, slots=True)
class Ability:
    """Problems that a model was trained for.

    Attributes:
        study: name of a study, as in ``consistency``.
        strategies: names of prompt strategies, as in ``direct``.
        fewest_steps, most_steps: reasoning steps, both included.
    """

    study: str
    strategies: tuple[str, ...]
    fewest_steps: int
    most_steps: int


@dataclass(frozen=True, slots=True)
class UnseenAccuracy:
    """How often a model was right on problems it had not seen.

    Attributes:
        steps: reasoning steps of the problems; 0 where they are not told apart.
        right: answers that were right; n: problems asked.
    """

    study: str
    strategy: str
    steps: int
    right: int
    n: int

    @property
    def share(self) -> float:
        """Share of right answers, from 0 to 1."""
        return self.right / self.n


@dataclass(frozen=True, slots=True)
class CardEffect:
    """How much better a model was on one arm of a study than on the other, on the same pairs.

    Attributes:
        study, strategy, steps: as in `UnseenAccuracy`.
        comparison: ``additive`` or ``multiplicative`` where they are told apart, else empty.
        n: pairs; right_x, right_x_prime: right answers of each arm.
        low, high: 95 % confidence interval of `cate`; None where there is none.
        identical: whether both members of every pair were right or both were not, so that nothing
            is known of a difference beyond the interval.
    """

    study: str
    strategy: str
    steps: int
    comparison: str
    n: int
    right_x: int
    right_x_prime: int
    low: float | None
    high: float | None
    identical: bool

    @property
    def cate(self) -> float:
        """Share right of x minus share right of x', -1 to 1."""
        return (self.right_x - self.right_x_prime) / self.n

    @property
    def learned(self) -> bool:
        """Whether the model can do such problems, by the arm that it does better."""
        return max(self.right_x, self.right_x_prime) / self.n >= LEAST_SHARE


@dataclass(frozen=True, slots=True)
class AbilityVerdict:
    """Whether a model can do something, and why not in a sentence (empty when it can)."""

    possible: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Best:
    """What a model can do of a study.

    Attributes:
        strategy: the prompt strategy in which it can do the longest problems.
        fewest_steps, most_steps: reasoning steps that it can do then, both included.
        comparisons: kinds of comparison that it can do in all of these; empty where the card
            does not tell them apart.
    """

    strategy: str
    fewest_steps: int
    most_steps: int
    comparisons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a person should know before trusting a tiny model's answers.

    Attributes:
        name: as in ``tiny:NAME``.
        label: name on screens.
        explanation: one line for someone who has not met it.
        trained_on: sentences about the training problems.
        limits: sentences about what it was not trained on and cannot do.
        parameters: number of weights.
        examples_seen: training examples seen, repetitions counted.
        abilities: problems it was trained for.
        accuracy: how it did on problems held back from training.
        effects: its effects on the same problems; older cards have none.
        operations: sentences on the operations that it chose, and on its wrong answers.
        mix: the ratios of its training problems, as ``biaslab.training.mix`` reads them; empty
            on older cards.
        caution: what must stand wherever the model is offered: that it does not read the wording;
            empty where nothing must.
    """

    name: str
    label: str
    explanation: str
    trained_on: tuple[str, ...]
    limits: tuple[str, ...]
    parameters: int
    examples_seen: int
    abilities: tuple[Ability, ...]
    accuracy: tuple[UnseenAccuracy, ...] = ()
    effects: tuple[CardEffect, ...] = ()
    operations: tuple[str, ...] = ()
    mix: str = ""
    caution: str = ""

    def can(
        self,
        study: str,
        steps: int | Iterable[int],
        strategy: str,
        labels: Mapping[str, str] | None = None,
    ) -> AbilityVerdict:
        """Whether the model was trained for such problems asked in such a way.

        Args:
            study: name of the experiment.
            steps: of reasoning, one number or all that are asked for.
            strategy: name of the prompt strategy.
            labels: what strategies are called to the reader; their names unless told.
        """
        called = {strategy: strategy, **(labels or {})}
        wanted = [steps] if isinstance(steps, int) else list(steps)
        known = [ability for ability in self.abilities if ability.study == study]
        if not known:
            studies = ", ".join(dict.fromkeys(ability.study for ability in self.abilities))
            return AbilityVerdict(
                False,
                f"The model “{self.name}” was not trained on the study “{study}”: choose "
                f"{studies or 'another model'}.",
            )
        asked = [ability for ability in known if strategy in ability.strategies]
        if not asked:
            known_ways = dict.fromkeys(way for ability in known for way in ability.strategies)
            ways = ", ".join(called.get(way, way) for way in known_ways)
            return AbilityVerdict(
                False,
                f"The model “{self.name}” was not trained on the strategy “{called[strategy]}”: "
                f"choose {ways}.",
            )
        beyond = [
            each
            for each in wanted
            if not any(ability.fewest_steps <= each <= ability.most_steps for ability in asked)
        ]
        if not beyond:
            return AbilityVerdict(True)
        ranges = " or ".join(
            f"{a.fewest_steps} to {a.most_steps}"
            if a.fewest_steps < a.most_steps
            else str(a.most_steps)
            for a in asked
        )
        return AbilityVerdict(
            False,
            f"The model “{self.name}” cannot do problems with {_steps_words(beyond)} when asked "
            f"“{called[strategy]}”: choose {ranges}.",
        )

    def best(self, study: str) -> Best | None:
        """What the model can do of a study; None where it cannot do any.

        Of prompt strategies that reach as far, the one in which it was right most often at the
        fewest steps is taken; of those within `ALIKE` of it, the first of the card, so that
        chance does not make somebody ask it as a child.
        """
        ways = [(a, way) for a in self.abilities if a.study == study for way in a.strategies]
        if not ways:
            return None
        right = {(a.strategy, a.steps): a.share for a in self.accuracy if a.study == study}
        farthest = max(ability.most_steps for ability, _ in ways)
        reaching = [
            (ability, way, right.get((way, ability.fewest_steps), 0.0))
            for ability, way in ways
            if ability.most_steps == farthest
        ]
        least = max(share for _, _, share in reaching) - ALIKE
        ability, strategy, _ = next(each for each in reaching if each[2] >= least)
        asked = range(ability.fewest_steps, ability.most_steps + 1)
        measured = [
            effect
            for effect in self.effects
            if (effect.study, effect.strategy) == (study, strategy) and effect.steps in asked
        ]
        failed = {effect.comparison for effect in measured if not effect.learned}
        kinds = dict.fromkeys(effect.comparison for effect in measured if effect.comparison)
        able = tuple(kind for kind in kinds if kind not in failed)
        return Best(strategy, ability.fewest_steps, ability.most_steps, able)

    def fit_strategy(self, study: str) -> str | None:
        """The prompt strategy by which to ask a study, known to the card or not.

        That of `best`; where the card says nothing of the study, or that the model cannot do it,
        the one in which it does the longest problems of all. None: it can do nothing.
        """
        known = [study] if self.best(study) else [each.study for each in self.abilities]
        bests = [best for each in known if (best := self.best(each)) is not None]
        return max(bests, key=lambda best: best.most_steps).strategy if bests else None

    def to_json(self) -> dict[str, Any]:
        """The card as it is written to ``model_card.json``."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> ModelCard:
        """The card in the content of a ``model_card.json``.

        Raises:
            KeyError, TypeError, ValueError: a field is missing or of another type.
        """
        return cls(
            name=_text(content, "name"),
            label=_text(content, "label"),
            explanation=_text(content, "explanation"),
            trained_on=_texts(content["trained_on"], "trained_on"),
            limits=_texts(content["limits"], "limits"),
            parameters=_count(content, "parameters"),
            examples_seen=_count(content, "examples_seen"),
            abilities=tuple(
                Ability(
                    _text(entry, "study"),
                    _texts(entry["strategies"], "strategies"),
                    _count(entry, "fewest_steps"),
                    _count(entry, "most_steps"),
                )
                for entry in content["abilities"]
            ),
            accuracy=tuple(
                UnseenAccuracy(
                    _text(entry, "study"),
                    _text(entry, "strategy"),
                    _count(entry, "steps"),
                    _count(entry, "right"),
                    _count(entry, "n"),
                )
                for entry in content.get("accuracy", ())
            ),
            effects=tuple(_effect(entry) for entry in content.get("effects", ())),
            operations=_texts(content.get("operations", ()), "operations"),
            mix=_text({"mix": "", **content}, "mix"),
            caution=_text({"caution": "", **content}, "caution"),
        )


def _effect(entry: Mapping[str, Any]) -> CardEffect:
    found = CardEffect(
        _text(entry, "study"),
        _text(entry, "strategy"),
        _count(entry, "steps"),
        _text(entry, "comparison"),
        _count(entry, "n"),
        _count(entry, "right_x"),
        _count(entry, "right_x_prime"),
        _end(entry, "low"),
        _end(entry, "high"),
        entry["identical"] is True,
    )
    if not found.n or max(found.right_x, found.right_x_prime) > found.n:
        raise ValueError("an effect has no pairs, or more right answers than pairs")
    return found


def _end(content: Mapping[str, Any], name: str) -> float | None:
    """An end of an interval of a difference of shares."""
    value = content[name]
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not -1 <= value <= 1:
        raise TypeError(f"“{name}” is no number from -1 to 1")
    return float(value)


def _steps_words(steps: Sequence[int]) -> str:
    """Numbers of steps, those in a row as a range."""
    if len(steps) > 1 and list(steps) == list(range(steps[0], steps[-1] + 1)):
        return f"{steps[0]} to {steps[-1]} steps"
    return f"{', '.join(map(str, steps))} {'step' if list(steps) == [1] else 'steps'}"


def _text(content: Mapping[str, Any], name: str) -> str:
    if not isinstance(content[name], str):
        raise TypeError(f"“{name}” is not a text")
    return str(content[name])


def _texts(content: object, name: str) -> tuple[str, ...]:
    if not isinstance(content, Sequence) or isinstance(content, str):
        raise TypeError(f"“{name}” is not a list of texts")
    if not all(isinstance(text, str) for text in content):
        raise TypeError(f"“{name}” is not a list of texts")
    return tuple(content)


def _count(content: Mapping[str, Any], name: str) -> int:
    if not isinstance(content[name], int) or isinstance(content[name], bool) or content[name] < 0:
        raise TypeError(f"“{name}” is not a whole number from 0")
    return int(content[name])


def read_card(directory: Path) -> ModelCard:
    """The card of the tiny model in a directory.

    Raises:
        BrokenModel: the card is missing or damaged; the sentence says which field.
    """
    content = read_json(directory / CARD_FILE)
    try:
        return ModelCard.from_json(content)
    except KeyError as error:
        raise BrokenModel(
            f"{directory / CARD_FILE} lacks the field {error}: get the file again."
        ) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise BrokenModel(
            f"{directory / CARD_FILE} is not a model card ({error}): get the file again."
        ) from error


DEFAULT_NAME = "balanced-640k"
"""The model that ``tiny`` stands for: the one that can do the most studies, and whose lessons
favour no arm of them. What it does wrong, nobody put in on purpose."""

ALIAS = "tiny"
"""What the default model is called for short, and what every spec of a tiny model begins with. No
model may have this name."""

DEFAULT_TINY = f"{ALIAS}:{DEFAULT_NAME}"
"""How the default model is written down, in runs and on screens."""

CHECKPOINTS = "checkpoints"
"""Directory inside a model's with copies of it along its training, a directory each."""

_PLAN_FILE = "plan.json"
"""What a training puts into its directory long before the model is ready."""

CHECKPOINT_MARK = "@"
"""Between a model's name and a checkpoint's, as in ``tiny:skewed@0040k``."""


def tiny_names(models: Path = TINY_MODELS) -> tuple[str, ...]:
    """Names of the tiny models that come with the app, the default one first."""
    return tuple(sorted(_carded(models), key=lambda name: name != DEFAULT_NAME))


def custom_names(models: Path = TINY_MODELS) -> tuple[str, ...]:
    """Names of the tiny models that were trained here; none that a shipped model has."""
    return tuple(name for name in _carded(custom_models()) if not (models / name).is_dir())


def checkpoint_names(name: str, models: Path = TINY_MODELS) -> tuple[str, ...]:
    """Names of a model's copies along its training, the earliest first: ``skewed@0040k``."""
    copies = _carded(tiny_directory(name, models) / CHECKPOINTS)
    return tuple(f"{name}{CHECKPOINT_MARK}{copy}" for copy in copies)


def tiny_directory(name: str, models: Path = TINY_MODELS) -> Path:
    """Where the tiny model of this name is: one that comes with the app, or one trained here.

    Args:
        name: a model's, or a checkpoint's as in ``skewed@0040k``.
        models: where those that come with the app are.

    Raises:
        ModelNotFound: there is no such model, or no such checkpoint of it.
    """
    model, mark, copy = name.partition(CHECKPOINT_MARK)
    path = _child(models, model) or _child(custom_models(), model)
    if path is None:
        there = ", ".join((*tiny_names(models), *custom_names(models))) or "none"
        raise ModelNotFound(
            f"There is no tiny model “{model}” in {models} or {custom_models()} (there: {there}): "
            "choose one of these, or train it with `biaslab train`."
        )
    if not mark:
        return path
    checkpoint = _child(path / CHECKPOINTS, copy)
    if checkpoint is None:
        kept = _carded(path / CHECKPOINTS)
        raise ModelNotFound(
            f"The tiny model “{model}” has no checkpoint “{copy}”: "
            + (f"choose {', '.join(kept)}." if kept else "none were saved of it.")
        )
    return checkpoint


def _carded(directory: Path) -> list[str]:
    """Names of the models in a directory that have a card."""
    try:
        return sorted(entry.name for entry in directory.iterdir() if (entry / CARD_FILE).exists())
    except OSError:
        return []


def _child(directory: Path, name: str) -> Path | None:
    """The directory of exactly this name in another, if it is there."""
    if Path(name).name != name or name in ("", ".", ".."):
        return None
    path = directory / name
    return path if path.is_dir() else None


def tiny_spec(name: str) -> str:
    """How the model is opened, its name given in full."""
    return f"{ALIAS}:{name}"


def identify_tiny(name: str, models: Path = TINY_MODELS) -> ModelIdentity:
    """Which tiny model this is, its card in the details, without loading weights.

    Raises:
        ModelNotFound, BrokenModel: it is not there, or its files are damaged.
    """
    path = tiny_directory(name, models)
    if (path / _PLAN_FILE).exists() and not (path / CARD_FILE).exists():
        raise BrokenModel(
            f"The tiny model “{name}” is not ready: its training in {path} has not come to its "
            f"end. Go on with it in the lab or with `biaslab train --out {path}`."
        )
    directory = inspect_directory(path)
    return ModelIdentity(
        spec=tiny_spec(name),
        kind=ModelKind.TINY,
        revision=directory.revision,
        form=directory.form,
        details=read_card(path).to_json(),
        skills=WORD_PROBLEMS,
    )
