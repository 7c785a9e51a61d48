"""What is expected of each feature, by whom, and what is known about people.

The only place from which screens, charts, the command line and exports take a sentence about
people. A study or treatment names its `Expectation`, or None where nobody expects anything, and
only one with `Evidence` is ever said to be so for people.
"""

from __future__ import annotations

from dataclasses import dataclass


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
