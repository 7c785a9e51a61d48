"""How a simulated learner decides between numbered options that it cannot judge: by lot.

Every option is equally likely. The lot is drawn once for an item and sample: what is thought
first and what is chosen then are the same option, and no second draw is made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from biaslab.models.chances import Chances

TASK = "decision"
"""What the facts of such a request say under ``task``."""

_OPTION = re.compile(r"^Option (\d+):", re.MULTILINE)
_CUE = re.compile(r"Option\s*\Z")


class NoOptions(Exception):
    """Neither facts nor prompt say between what to decide."""


def options_in(facts: Mapping[str, Any], asked: str) -> int:
    """How many options there are: those of the facts, else those listed in the prompt.

    Raises:
        NoOptions: there are none.
    """
    given = facts.get("options")
    count = len(given) if isinstance(given, list | tuple) else given
    if not isinstance(count, int):
        count = max((int(number) for number in _OPTION.findall(asked)), default=0)
    if count < 1:
        raise NoOptions("it offers no options")
    return count


def luck_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that decide the lot: all but the stage, so that both stages draw the same."""
    return {name: value for name, value in facts.items() if name != "stage"}


def decide(count: int, luck: Chances) -> int:
    """The number of the option that is drawn, from 1."""
    return 1 + luck.one_of(range(count))


def write_decision(number: int, facts: Mapping[str, Any], asked: str) -> str:
    """The decision in the words that the stage asks for."""
    if facts.get("stage") == "think":
        return f"I drew lots. I choose Option {number}."
    return str(number) if _CUE.search(asked) else f"Option {number}"
