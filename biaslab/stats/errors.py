"""What can go wrong when results are analysed, as a tree of errors.

AnalysisError
├── BrokenOutcomes     the table of outcomes contradicts itself or lacks columns
├── UnknownStratum     no pair of the study has the stratum asked for
├── UnknownChoice      a setting of the analysis has a value that does not exist
├── CannotCompare      a comparison asks for what these runs can't answer
├── ImpossiblePlan     a plan or stopping rule asks for what cannot be
└── BrokenAssets       a table of published results cannot be read

Every message is a sentence for the person who sees it: what, where, what to do.
"""

from __future__ import annotations


class AnalysisError(Exception):
    """Base of everything this package raises on purpose; its text is for the user."""


class BrokenOutcomes(AnalysisError):
    """The outcomes cannot be analysed as they are."""


class UnknownStratum(AnalysisError):
    """No pair of a study has the stratum by which its effects were to be broken down."""


class UnknownChoice(AnalysisError):
    """A setting of the analysis has a value that does not exist."""


class CannotCompare(AnalysisError):
    """A comparison asks for something that these runs can't answer."""


class ImpossiblePlan(AnalysisError):
    """A plan or a stopping rule asks for something that cannot be."""


class BrokenAssets(AnalysisError):
    """A table of published results is missing, incomplete or malformed."""
