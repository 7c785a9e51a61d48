"""How a simulated learner decides between numbered options.

It cannot judge them. It goes by a rule, and with a set probability, its strength, it decides as
people do whose bias is total: the item's facts say which option of the scale that is (``classic``).
Whether it does is one toss for both arms of a pair. The rest is drawn once for an item and
sample: what is thought first and what is chosen then are the same option.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from biaslab.models.learner.chances import Luck, every_way

TASK = "decision"
"""What the facts of such a request say under ``task``."""

_OPTION = re.compile(r"^Option (\d+):", re.MULTILINE)
_CUE = re.compile(r"Option\s*\Z")
_CHOSEN = re.compile(r"I choose Option (\d+)\.")
_PER_CENT_OPTION = re.compile(r"^Option (\d+): ([+-]?\d+) %$", re.MULTILINE)
_PER_CENT = re.compile(r"(?<![\d.,])([+-]?\d+) %")


class NoOptions(Exception):
    """Neither facts nor prompt say between what to decide; the text says what is missing."""


class DecisionRule(StrEnum):
    """What a learner goes by that the bias does not move."""

    LOT = "lot"
    """Nothing: every option is equally likely."""
    FIRST_SHOWN = "first shown"
    """The option that is listed first."""
    SCALE_END = "end of the scale"
    """The option at the beginning of the scale, wherever it is listed."""
    ANCHOR = "anchor"
    """The option nearest to the first percentage in the text, the middle where there is none."""


@dataclass(frozen=True, slots=True)
class DecisionPolicy:
    """How a learner decides.

    Attributes:
        rule: what it goes by.
        strength: probability that it decides as people do whose bias is total.
    """

    rule: DecisionRule = DecisionRule.LOT
    strength: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.strength <= 1.0:
            raise ValueError(f"{self.strength} is not between 0 and 1.")

    @property
    def described(self) -> dict[str, float | str]:
        """Every field by its name."""
        return {f"decision_{name}": value for name, value in asdict(self).items()}


def options_in(facts: Mapping[str, Any], question: str) -> int:
    """How many options there are: those of the facts, else those listed in the prompt.

    Raises:
        NoOptions: there are none.
    """
    given = facts.get("options")
    count = len(given) if isinstance(given, list | tuple) else given
    if not isinstance(count, int):
        count = max((int(number) for number in _OPTION.findall(question)), default=0)
    if count < 1:
        raise NoOptions("it offers no options")
    return count


def luck_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that decide the lot: not the stage, so that both stages draw the same."""
    return {name: value for name, value in facts.items() if name not in ("stage", "classic")}


def pair_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that both arms of a pair share."""
    own = ("stage", "classic", "arm", "gamma", "asked")
    return {name: value for name, value in facts.items() if name not in own}


def decide(
    deciding: DecisionPolicy, facts: Mapping[str, Any], question: str, luck: Luck, pair_luck: Luck
) -> int:
    """The number of the option that is chosen, from 1.

    Args:
        deciding: how.
        facts: of the item.
        question: the whole prompt.
        luck: of this item.
        pair_luck: the same for both arms of a pair.

    Raises:
        NoOptions: there is nothing to decide between, or nothing that the rule can go by.
    """
    count = options_in(facts, question)
    if deciding.strength and pair_luck.happens(deciding.strength):
        return _shown(_known(facts, "classic"), count, facts)
    match deciding.rule:
        case DecisionRule.LOT:
            return 1 + luck.one_of(range(count))
        case DecisionRule.FIRST_SHOWN:
            return 1
        case DecisionRule.SCALE_END:
            return _shown(0, count, facts)
        case DecisionRule.ANCHOR:
            return _nearest_to_anchor(question)


def chances_of(
    deciding: DecisionPolicy, facts: Mapping[str, Any], question: str
) -> dict[int, float]:
    """How probable each option's number is, exactly, over all luck.

    Raises:
        NoOptions: as `decide`.
    """
    chances: dict[int, float] = {}
    for probability, number in every_way(
        lambda luck: decide(deciding, facts, question, luck, luck),
    ):
        chances[number] = chances.get(number, 0.0) + probability
    return chances


def write_decision(
    deciding: DecisionPolicy, number: int, facts: Mapping[str, Any], question: str
) -> str:
    """The decision in the words that the stage asks for."""
    if facts.get("stage") == "think":
        why = "I drew lots. " if deciding == DecisionPolicy() else ""
        return f"{why}I choose Option {number}."
    return str(number) if _CUE.search(question) else f"Option {number}"


def _known(facts: Mapping[str, Any], name: str) -> int:
    value = facts.get(name)
    if not isinstance(value, int):
        raise NoOptions(f"its facts lack '{name}'")
    return value


def _shown(position: int, count: int, facts: Mapping[str, Any]) -> int:
    """The number under which a position of the scale, from 0, is listed."""
    return count - position if facts.get("reversed") else 1 + position


def _nearest_to_anchor(question: str) -> int:
    chosen = _CHOSEN.findall(question)
    if chosen:
        return int(chosen[-1])
    options = {int(number): int(value) for number, value in _PER_CENT_OPTION.findall(question)}
    if len(options) < 2:
        raise NoOptions("its options are no percentages")
    named = _PER_CENT.search(question[: question.find("\nOption 1:")])
    anchor = sum(options.values()) / len(options) if named is None else int(named[1])
    return min(options, key=lambda number: (abs(options[number] - anchor), options[number]))
