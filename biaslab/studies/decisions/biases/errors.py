"""What can be wrong with a bias and its file."""

from __future__ import annotations

from schoolmath.problems.errors import ProblemError


class BiasError(ProblemError):
    """A bias that cannot be used.

    Args:
        reason: what is wrong, in a full sentence.
        suggestion: what to write instead, in a full sentence.
        where: the key at fault, such as ``vignettes[3].role``; "" for the file as a whole.
        line: its line in the file, from 1; 0 where it is not known.

    Attributes:
        others: what else is wrong with the same file, in the order in which it was found.
    """

    def __init__(self, reason: str, suggestion: str = "", where: str = "", line: int = 0) -> None:
        place = f"Line {line}, {where}: " if line and where else f"{where}: " if where else ""
        super().__init__(f"{place}{reason} {suggestion}".strip())
        self.reason = reason
        self.suggestion = suggestion
        self.where = where
        self.line = line
        self.others: tuple[BiasError, ...] = ()
