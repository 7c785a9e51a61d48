"""What an item knows of itself, typed: the sentences, reasoning steps and structure in its facts.

`Item.facts` is JSON so that it can be kept in the file. Whoever counts, draws or writes it out
reads it here. An item without facts, such as a text from a file, has its sentences all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from biaslab.studies.study import Item

# A full stop ends a sentence, unless digits follow (3.5) or one capital stands before it (J. Lee).
_ENDS = re.compile(r"(?<=[.?!])(?<!\b[A-Z]\.)\s+(?=\S)")
_SIGNS = {"+": "+", "-": "\N{MINUS SIGN}", "*": "\N{MULTIPLICATION SIGN}", "/": "\N{DIVISION SIGN}"}


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One reasoning step: ``left operation right = result``.

    Attributes:
        operation: ``+``, ``-``, ``*`` or ``/``.
        carries: carries of the addition, borrows of the subtraction, else 0.
        agent: whose amount the result is; empty where it is not known.
        what: of what, in the plural or singular that the result needs.
    """

    operation: str
    left: int
    right: int
    result: int
    carries: int = 0
    agent: str = ""
    what: str = ""

    def equation(self) -> str:
        """As it is written on paper: ``18 − 3 = 15``."""
        return f"{self.left} {_SIGNS[self.operation]} {self.right} = {self.result}"

    def in_words(self) -> str:
        """The equation with what it finds: ``Mei: 18 − 3 = 15 apples``."""
        whose = f"{self.agent}: " if self.agent else ""
        return f"{whose}{self.equation()} {self.what}".rstrip()


def sentences_of(item: Item) -> tuple[str, ...]:
    """The sentences in order, the question last."""
    given = item.facts.get("sentences")
    if given:
        return tuple(map(str, given))
    return tuple(_ENDS.split(item.text.strip()))


def body_of(item: Item) -> str:
    """Everything before the question."""
    return " ".join(sentences_of(item)[:-1])


def question_of(item: Item) -> str:
    """The question at the end."""
    return sentences_of(item)[-1]


def treated_of(item: Item) -> tuple[int, ...] | None:
    """Which sentences the treatment changes, from 0; None where the item does not say."""
    given = item.facts.get("treated")
    return None if given is None else tuple(int(index) for index in given)


def steps_of(item: Item) -> tuple[StepFacts, ...]:
    """The reasoning steps in order; none where they are not known."""
    return tuple(
        StepFacts(
            str(step["operation"]),
            int(step["left"]),
            int(step["right"]),
            int(step["result"]),
            int(step.get("carries", 0)),
            str(step.get("agent", "")),
            str(step.get("what", "")),
        )
        for step in item.facts.get("steps") or ()
    )


def structure_of(item: Item) -> str:
    """The line of the structure, such as ``container . comparison+ consistent``; or empty."""
    return str(item.facts.get("structure", ""))
