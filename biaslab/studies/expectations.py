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


_ABSTRACT = "abstract read, direction only"

CONSISTENCY = Expectation(
    "inconsistent wording is harder, because its word suggests the wrong calculation",
    "Lewis & Mayer 1987; Opedal et al. 2024, section 5.1",
    Evidence(
        "children",
        "child-like",
        "Children of grades 3 to 5 solve fewer problems in inconsistent wording; in grade 2 no "
        "difference was found (Boonen & Jolles 2015).",
        "Passolunghi et al. 2022",
        _ABSTRACT,
        "consistency",
    ),
)
PREDICATE = Expectation(
    "comparisons are harder than transfers",
    "Riley, Greeno & Heller 1983; Opedal et al. 2024, section 5.2",
    Evidence(
        "children",
        "child-like",
        "Children of grade 2 find problems that compare harder than those in which something "
        "changes.",
        "Boonen & Jolles 2015",
        _ABSTRACT,
        "transfer-comparison",
    ),
)
CARRY = Expectation(
    "a calculation is harder where it carries or borrows",
    "Hitch 1978; Fürst & Hitch 2000; Opedal et al. 2024, section 5.3",
    Evidence(
        "children",
        "child-like",
        "Sums that carry are harder for children of 7 to 9 years, which shows mostly in the time "
        "that they take.",
        "Goebel et al. 2014",
        _ABSTRACT,
        "carry",
    ),
)
NUMBER_SIZE = Expectation(
    "larger numbers are harder", "Groen & Parkman 1972; Zbrodoff & Logan 2005"
)
OPERAND_ORDER = Expectation(
    "a sum is harder where its smaller number comes first",
    "Groen & Parkman 1972; De Corte & Verschaffel 1987",
)
IRRELEVANT_SENTENCE = Expectation(
    "a sentence that does not matter makes a problem harder", "Muth 1984; Shi et al. 2023"
)
SENTENCE_ORDER = Expectation(
    "sentences that are not in the order of solving make a problem harder",
    "Rosenthal & Resnick 1974",
)
GIVER = Expectation("the passive voice is harder than the active", "Slobin 1966")
NAME_FAMILIARITY = Expectation("unfamiliar names make a problem harder")
QUESTION_WORDING = Expectation("an order is harder than a question")
RATIONALES = Expectation(
    "the reason behind a right choice is found more often than that behind a wrong one",
    "Sonkar et al. 2024",
)
MONOTONE = Expectation(
    "upward concepts are learned more easily than downward ones",
    "the 2025 study of monotone concepts in language models",
)
DECISIONS = Expectation(
    "the treatment moves decisions in the direction of the bias",
    "Malberg et al. 2024",
    Evidence(
        "people",
        "as people",
        "Each of these biases was reported of people by the publications that its page names.",
        "the publications named with each bias",
        "known from their citations; not read",
    ),
)
