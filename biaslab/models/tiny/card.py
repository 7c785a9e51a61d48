"""The card of a tiny model: what it is, what it was trained on, how well it does, its limits.

A ``model_card.json`` next to the weights; `biaslab.training.measures.card` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from biaslab.models.errors import BrokenModel
from biaslab.models.local.directory import read_json

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
