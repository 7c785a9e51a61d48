"""Many scenes of a bias written by a language model: every answer checked, the reasons counted.

Nothing that a model wrote is used before it is checked: each answer has to pass the rules of
`gap_filling`, and must not say nearly the same as a scene before it. The generating step of
Malberg et al. (2024) asks a model for every case; there, a person looked at a sample.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from biaslab.models import Completion, Failure, GenerationRequest, ModelForm
from biaslab.stats.estimates import Interval, wilson
from biaslab.studies.decisions.biases.files import with_vignettes
from biaslab.studies.decisions.biases.gap_filling import (
    Filled,
    gap_request,
    neighbouring_words,
    read_filling,
)
from biaslab.studies.decisions.biases.template import Bias, Vignette
from schoolmath.text.figures import count, percent

MOST_SCENES = 1_000
"""Most scenes that are asked for at once."""

MOST_SHARED = 0.5
"""A scene that shares a larger part of its neighbouring pairs of words with one before it says
nearly the same. Scenes by people share at most 0.22."""

FIELDS = (
    "a school", "a hospital", "a farm", "a shop", "a library", "a town hall", "a bakery",
    "a museum", "a laboratory", "a railway", "a sports club", "a theatre",
)  # fmt: skip
"""Fields of work for a bias that has no vignettes yet."""

Ask: TypeAlias = Callable[[Sequence[GenerationRequest]], Iterable[tuple[int, Completion | Failure]]]
"""Asks every request and tells each exactly once, by its place, in any order."""

_NO_ANSWER = "No answer came: "
_QUOTED = re.compile(r"“[^”]*”|\b\d[\d.,]*(?: %)?")


@dataclass(frozen=True, slots=True)
class WrittenScene:
    """A scene that a model was asked for, and what became of it.

    Attributes:
        number: which one, from 1; field: of work, as asked.
        filled: the scene with what speaks against it.
        answer: what the model wrote; "" where no answer came.
        answered: whether one came at all.
    """

    number: int
    field: str
    filled: Filled
    answer: str
    answered: bool = True

    @property
    def sound(self) -> Vignette | None:
        """The scene, where nothing speaks against it."""
        return None if self.filled.faults else self.filled.vignette


@dataclass(frozen=True, slots=True)
class WrittenScenes:
    """All scenes of one asking, in the order of the requests."""

    bias: Bias
    scenes: tuple[WrittenScene, ...]

    @property
    def sound(self) -> tuple[Vignette, ...]:
        """Those that passed every check."""
        return tuple(each.sound for each in self.scenes if each.sound is not None)

    @property
    def answered(self) -> int:
        """How many requests had an answer: the others count nowhere."""
        return sum(each.answered for each in self.scenes)

    @property
    def keep_rate(self) -> float | None:
        """Share of the answers that passed, 0..1; None without answers."""
        return len(self.sound) / self.answered if self.answered else None

    @property
    def interval(self) -> Interval | None:
        """Of the keep rate: Wilson, 95 %."""
        return wilson(len(self.sound), self.answered)

    def reasons(self) -> list[tuple[str, int]]:
        """Why scenes were refused: see `refusals`."""
        return refusals(each.filled for each in self.scenes)

    def file(self, bias_text: str, model: str, *, beside: bool = False) -> str:
        """A bias file with the sound scenes, under an id of its own.

        Args:
            bias_text: the file of the bias that they were written for.
            model: who wrote them, for its notes.
            beside: whether the scenes that the bias has stay in front of them.
        """
        return with_vignettes(
            bias_text,
            [*(self.bias.vignettes if beside else ()), *self.sound],
            f"{self.bias.id}-written"[:80],
            f"{self.bias.name}, scenes by a model",
            f"{count(len(self.sound), 'scene')} written by {model}, checked by rules and read by "
            "nobody.",
        )


def refusals(scenes: Iterable[Filled]) -> list[tuple[str, int]]:
    """Kinds of reasons why scenes cannot be used, the most frequent first; names left out."""
    return Counter(
        kind for each in scenes for kind in {_kind(fault) for fault in each.faults}
    ).most_common()


def _kind(fault: str) -> str:
    """A reason without what it quotes; why no answer came is told in full."""
    return fault if fault.startswith(_NO_ANSWER) else _QUOTED.sub("…", fault)


def scenes_written(
    bias: Bias, ask: Ask, form: ModelForm, number: int, seed: int = 1
) -> Iterator[WrittenScene]:
    """Asks for scenes; each is told when its answer has come and has been checked.

    A scene that says nearly the same as one that came before is told with that as its fault.

    Args:
        bias: whose gaps are filled.
        ask: the model.
        form: how it wants to be addressed.
        number: of scenes; the bias's fields of work take turns.
        seed: of the first request; each has one of its own.

    Raises:
        BiasError: the bias has no gaps.
        ValueError: the number is not from 1 to `MOST_SCENES`.
    """
    if not 1 <= number <= MOST_SCENES:
        raise ValueError(f"From 1 to {MOST_SCENES:,} scenes can be asked for at once.")
    fields = bias.fields or FIELDS
    chosen = [fields[place % len(fields)] for place in range(number)]
    requests = [gap_request(bias, each, form, seed + place) for place, each in enumerate(chosen)]
    before: dict[int, frozenset[tuple[str, str]]] = {}
    for place, answer in ask(requests):
        if not isinstance(answer, Completion):
            failed = Filled(None, (f"{_NO_ANSWER}{answer.reason}",))
            yield WrittenScene(place + 1, chosen[place], failed, "", answered=False)
            continue
        filled = read_filling(bias, answer.text, f"written-{place + 1}", chosen[place])
        if filled.vignette is not None and not filled.faults:
            words = neighbouring_words(filled.vignette)
            like = max(before, key=lambda each: _shared(words, before[each]), default=None)
            if like is not None and _shared(words, before[like]) > MOST_SHARED:
                share = percent(_shared(words, before[like]), 0)
                fault = f"It says nearly the same as scene {like}: they share {share} of their "
                filled = replace(filled, faults=(f"{fault}neighbouring words.",))
            else:
                before[place + 1] = words
        yield WrittenScene(place + 1, chosen[place], filled, answer.text)


def write_scenes(
    bias: Bias,
    ask: Ask,
    form: ModelForm,
    number: int,
    seed: int = 1,
    on_scene: Callable[[WrittenScene], object] | None = None,
) -> WrittenScenes:
    """All of `scenes_written`, in order.

    Args:
        bias: as there.
        ask: as there.
        form: as there.
        number: as there.
        seed: as there.
        on_scene: called with each as it comes.
    """
    found = []
    for each in scenes_written(bias, ask, form, number, seed):
        found.append(each)
        if on_scene is not None:
            on_scene(each)
    return WrittenScenes(bias, tuple(sorted(found, key=lambda scene: scene.number)))


def _shared(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> float:
    return len(one & other) / (len(one | other) or 1)
