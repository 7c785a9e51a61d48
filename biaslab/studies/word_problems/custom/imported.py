"""Pairs that a person imported, corrected or made, asked like those of any study.

The pairs are not drawn: they lie in the file of runs as a set (`biaslab.runs.library.pair_sets`).
This module knows what asking them means, and is given the sets by whoever has the file open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from biaslab.models import ModelForm, Skill
from biaslab.studies.answers.numeric import NUMBERS_READER, read_numeric
from biaslab.studies.designs import value_of
from biaslab.studies.results import Expectation
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Setting,
    Stored,
    StoredPairs,
    Stratum,
)
from schoolmath.problems import DesignError, Draws

NAME = "imported"

STATUS = "status"
"""The stratum that says how far a pair was proved."""


class ProofStatus(StrEnum):
    """How far what a file says of a pair was proved when it was imported."""

    PROVED = "proved"
    """Read, solved, and everything that the file says of it is so."""
    LABELLED = "labelled"
    """Not read; the file's answer is taken."""
    CONTRADICTED = "contradicted"
    """Read, and its label or the difference between its members is wrong."""


SET = Setting(
    "set", "Set of pairs", "Which of the sets of pairs that were imported or made.",
    "set", "",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imported(Experiment):
    """The study of a person's own pairs.

    Attributes:
        stored: where sets are; None while no file of runs is open.
    """

    name: str = NAME
    title: str = "A set of pairs of your own"
    question: str = "Does the model do better on the first or on the second member of your pairs?"
    source: str = "the set itself: pairs that were imported, corrected or made by a person"
    asks: Skill = Skill.SOLVE
    reader: str = NUMBERS_READER
    expects: Expectation | None = None
    arms: Arms = Arms("first member", "second member")
    strata: tuple[Stratum, ...] = (
        Stratum(
            STATUS, "proof",
            "Proved: read, solved, and as its file says. Labelled: not read, the file's answer is "
            "taken. Contradicted: read, and the file says something else of it.",
        ),
        Stratum("steps", "reasoning steps", "How many calculations lead to the answer."),
        Stratum("treatment", "treatment", "What differs between the members of a pair."),
    )  # fmt: skip
    settings: tuple[Setting, ...] = (SET,)
    strategies = WORD_PROBLEM_STRATEGIES
    baselines = ("always-plus", "keyword")
    beside = (STATUS, str(ProofStatus.PROVED))
    stored: Stored | None = None

    def with_stored(self, stored: Stored) -> Imported:
        """The same study with the sets of a file."""
        return replace(self, stored=stored)

    def size(self, design: Design) -> int:
        """How many pairs the design's set has.

        Raises:
            DesignError: no set is named, or there is no such set.
        """
        return len(self._set(design))

    def draw(self, design: Design) -> Iterator[Pair]:
        """Pairs of the set in an order that the seed decides, so that the first are a sample."""
        kept = self._set(design)
        draws = Draws(f"{self.name}/{design.seed}")
        yield from kept.at(draws.several(range(len(kept)), design.n))

    def read(self, item: Item, answered: Sequence[Answered], form: ModelForm) -> Reading:
        """Right when the number read is the answer."""
        return read_numeric(item, answered, form)

    def _set(self, design: Design) -> StoredPairs:
        chosen = str(value_of(design, SET))
        if not chosen:
            raise DesignError(
                "No set of pairs is chosen.",
                "Import a file of pairs, then choose its set.",
                SET.name,
            )
        found = None if self.stored is None else self.stored.pair_set(chosen)
        if found is None:
            raise DesignError(
                f"There is no set of pairs {chosen!r} in this file of runs.",
                "Choose one of those that are kept, or import the pairs again.",
                SET.name,
            )
        return found


EXPERIMENT = Imported()
