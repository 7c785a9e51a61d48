"""What can go wrong with a word problem, as a tree of errors.

    ProblemError
    ├── DesignError            the settings asked for cannot give problems
    ├── VocabularyError        a vocabulary or wording file is wrong
    └── UnsolvableProblem      the statements do not determine the answer
        ├── InexactDivision    a division leaves a remainder
        └── ContradictoryProblem  two statements disagree about one quantity

Every message is a sentence for the person who sees it: what, where, what to do.
"""

from __future__ import annotations


class ProblemError(Exception):
    """Base of everything this package raises on purpose."""


class DesignError(ProblemError):
    """Settings that cannot give problems.

    Args:
        reason: why not, in a full sentence.
        suggestion: the nearest setting that works, in a full sentence.
        setting: the name of the setting at fault, for a form to point at.
    """

    def __init__(self, reason: str, suggestion: str, setting: str = "") -> None:
        super().__init__(f"{reason} {suggestion}")
        self.reason = reason
        self.suggestion = suggestion
        self.setting = setting


class VocabularyError(ProblemError):
    """A vocabulary or wording file is missing something or contradicts itself."""


class UnsolvableProblem(ProblemError):
    """The statements do not determine the quantity that is asked for."""


class InexactDivision(UnsolvableProblem):
    """A division in the problem does not come out as a whole number."""


class ContradictoryProblem(UnsolvableProblem):
    """Two statements give one agent two different quantities of one thing."""
