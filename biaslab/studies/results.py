"""What a study says of its results: what is expected, their scale, further columns, a page.

Each is a value that a study hands over (`biaslab.studies.study.Experiment`); tables, charts and
screens follow from it without knowing the study.

The module is the only place from which screens, charts, the command line and exports take a
sentence about people. A study or treatment names its `Expectation`, or None where nobody expects
anything, and only one with `Evidence` is ever said to be so for people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.stats.effects import Cell, Effect
    from biaslab.stats.outcomes import InvalidRule

LAST = 100
"""The rank of what has no place of its own in a list."""


@dataclass(frozen=True, slots=True)
class OutcomeScale:
    """What outcomes on a scale are.

    Attributes:
        unit: in which they are told, in plural, such as ``scale lengths``.
        explanation: a sentence about what an outcome measures.
        positive, negative: what a positive and a negative difference x - x' mean, each the
            rest of a sentence that begins with “The answers moved”.
    """

    unit: str
    explanation: str
    positive: str
    negative: str


MakeCells: TypeAlias = Callable[
    ["Sequence[Effect]", "pd.DataFrame", "str | None", "InvalidRule"], "list[dict[str, Cell]]"
]
"""From effects of the study, its answered items, the stratum and the rule for unreadable answers
to the further cells of each effect."""


@dataclass(frozen=True, slots=True)
class FurtherColumns:
    """Columns that a study adds to a table of effects.

    Attributes:
        columns: their names; counts: those of them that are whole numbers; texts: that are words.
        cells: a dictionary for each effect of the study, made from its answered items.
        note: what a vote does not change, for a table of votes.
        warnings: from the study's items to sentences about runs that are not to be believed.
        rank: the place of its columns in a table of several studies; of one rank, by study.
    """

    columns: tuple[str, ...]
    counts: tuple[str, ...]
    cells: MakeCells
    note: str
    warnings: Callable[[pd.DataFrame], list[str]] = lambda _: []
    rank: int = LAST
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """The page on which a study shows its results in its own way.

    Attributes:
        page: the last part of its address, such as ``biases``.
        label: of a link to it.
        parameters: what stands in its address beside ``runs``.
    """

    page: str
    label: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What publications found about people.

    Attributes:
        who: of whom it is known, in plural: ``children``.
        like: the direction in a word or two, for the axis of a chart: ``child-like``.
        finding: what was found, in a sentence.
        source: the publication.
        confidence: how we know: what of the source was read.
        effect: name of the findings in assets/published/human_baselines.csv; "" where the
            findings are in the publications alone.
    """

    who: str
    like: str
    finding: str
    source: str
    confidence: str
    effect: str = ""

    @property
    def cited(self) -> str:
        """Of whom it is known and from where: ``children (Passolunghi et al. 2022)``."""
        return f"{self.who} ({self.source})"

    @property
    def sentence(self) -> str:
        """The finding with all that must be shown with it."""
        return f"{self.finding} Source: {self.source}. Confidence: {self.confidence}."


@dataclass(frozen=True, slots=True)
class Expectation:
    """Which member of a pair should be easier, or which way answers should move.

    Attributes:
        hypothesis: in a sentence.
        source: who put it forward; "" where it is a guess of this project.
        people: what is known about people; None where we know of nothing.
    """

    hypothesis: str
    source: str = ""
    people: Evidence | None = None

    @property
    def sentence(self) -> str:
        """The hypothesis with its source, or with the word that it has none."""
        return f"Expected: {self.hypothesis} ({self.source or 'a guess: no source says so'})."
