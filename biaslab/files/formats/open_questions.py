"""Questions that pupils answer in their own words or numbers, for formats of quizzes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?")


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question without options.

    Attributes:
        name: what it is called; no two of a quiz are called the same.
        text: what is asked, clean.
        answer: the right one; a plain number is marked by its value, anything else by its letters.
        told: what pupils see once they have answered; may be empty.
    """

    name: str
    text: str
    answer: str
    told: str = ""

    @property
    def is_number(self) -> bool:
        """Whether the answer is a plain number."""
        return not no_number(self.answer)


def no_number(answer: str) -> str:
    """Why an answer cannot be that of a numerical question, as a clause; empty where it can."""
    if _NUMBER.fullmatch(answer.strip()):
        return ""
    return f"its answer {answer[:40]!r} is no plain number"
