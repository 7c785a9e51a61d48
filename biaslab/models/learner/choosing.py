"""How a simulated learner chooses: the right option, or the rationale that led to a choice.

It reads the item's facts: ``task`` (``mcq`` or ``identify``), ``options`` and ``rationales``
(texts by letter), ``key``, ``choice``, ``right`` and ``key_label``; about a pupil's work the
letters that some learners take: ``sound``, ``flawed``, ``pressed``, ``unfit``, ``own``.
What is asked step by step is answered with a sentence, then, where the prompt begins a JSON object,
with the rest of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from biaslab.models.learner.chances import Luck

TASKS = ("mcq", "identify")
"""Mark requests for an option, and for the rationale that led to a choice."""

_SURE = 0.9
"""How probable the letter is that the learner would name, where it gives probabilities."""

_CUE = '{"answer": "'
_WORD = re.compile(r"\w+(?:[.,/]\d+)*")
_LISTS = ("\nRationales:", "\nMisconceptions:", "\nOptions:")


class UnreadableChoices(Exception):
    """The facts hold nothing to choose from; the text says what is missing."""


class Otherwise(StrEnum):
    """What a learner takes that does not know better."""

    ANY = "any"
    """Any of the four, all equally likely."""
    KEY = "key"
    """The rationale of the right answer. Asked for an option, or where it is not shown: any."""
    LONGEST = "longest"
    """The longest text; any of the longest where several are."""
    SHORTEST = "shortest"
    """The shortest text; the first of the shortest where several are."""
    WORDS = "words"
    """The text that shares most different words and numbers with what stands before the list;
    the first of them where several do."""
    SOUND = "sound"
    """That a pupil's working is sound. Asked for anything else: any."""
    FLAWED = "flawed"
    """That it is flawed. Asked for anything else: any."""
    PRESSED = "pressed"
    """What the last speaker presses for, whatever it knows; else as it knows."""
    UNFIT = "unfit"
    """Its old answer where a hint does not fit, whatever it knows; else as it knows."""
    OWN = "own"
    """Its old answer, whatever is said. Asked for anything else: any."""


_FIRST = (Otherwise.PRESSED, Otherwise.UNFIT)
"""What moves a learner even where it knows better."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """Probabilities of knowing, each between 0 and 1.

    Attributes:
        knows_option: that it answers a multiple-choice question rightly because it knows.
        knows_key: that it knows the rationale that led to the right choice.
        knows_malrule: that it knows the rationale that led to a wrong choice.
        otherwise: what it takes when it does not know (which may be right by luck).
    """

    knows_option: float = 0.0
    knows_key: float = 0.0
    knows_malrule: float = 0.0
    otherwise: Otherwise = Otherwise.ANY

    def __post_init__(self) -> None:
        for probability in (self.knows_option, self.knows_key, self.knows_malrule):
            if not 0.0 <= probability <= 1.0:
                raise ValueError(f"{probability} is no probability of knowing a choice.")

    @property
    def described(self) -> dict[str, float | str]:
        """Every field by its name."""
        return asdict(self)


def choose(choosing: Choosing, facts: Mapping[str, Any], luck: Luck, question: str = "") -> str:
    """The letter that the learner names.

    Args:
        choosing: what it knows, and what it does otherwise.
        facts: of the item, see the module.
        luck: of this item.
        question: the prompt, for those who go by its words.

    Raises:
        UnreadableChoices: the facts do not say what there is to choose from.
    """
    try:
        if facts["task"] == "mcq":
            texts, right, key = facts["options"], facts["key"], None
            knows = choosing.knows_option
        else:
            texts, right, key = facts["rationales"], facts["right"], facts["key_label"]
            is_key = facts["choice"] == facts["key"]
            knows = choosing.knows_key if is_key else choosing.knows_malrule
    except KeyError as missing:
        raise UnreadableChoices(f"its facts lack {missing}") from missing
    if choosing.otherwise in _FIRST and (moved := facts.get(str(choosing.otherwise))) is not None:
        return str(moved)
    if luck.happens(knows):
        return str(right)
    if choosing.otherwise is Otherwise.KEY and key:
        return str(key)
    if (verdict := facts.get(str(choosing.otherwise))) is not None:
        return str(verdict)
    labels: Sequence[str] = sorted(texts)
    if choosing.otherwise is Otherwise.SHORTEST:
        return min(labels, key=lambda label: len(texts[label]))
    if choosing.otherwise is Otherwise.WORDS:
        said = _words(_before_the_list(question))
        return max(labels, key=lambda label: len(said & _words(texts[label])))
    if choosing.otherwise is Otherwise.LONGEST:
        most = max(len(text) for text in texts.values())
        labels = [label for label in labels if len(texts[label]) == most]
    return labels[luck.one_of(range(len(labels)))]


def log_probabilities(label: str, letters: Sequence[str]) -> tuple[float, ...]:
    """Of each letter, where the learner would name this label; they add up to 1.

    Args:
        label: one of the letters.
        letters: at least two.
    """
    rest = math.log((1 - _SURE) / (len(letters) - 1))
    return tuple(math.log(_SURE) if letter == label else rest for letter in letters)


def _before_the_list(question: str) -> str:
    """The question, and the choice made, of the last thing asked."""
    end = max(question.rfind(heading) for heading in _LISTS)
    return question[max(0, question.rfind("Question:", 0, max(0, end))) : max(0, end)]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def write_choice(label: str, question: str, *, reasons: bool) -> str:
    """What the learner writes after a prompt that ends with the text asked."""
    if question.endswith(_CUE):
        return f'{label}"}}'
    if reasons:
        return f"It is {label} that fits."
    return json.dumps({"answer": label})
