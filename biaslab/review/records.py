"""Quality reviews as they stand in the file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from biaslab.review.texts import Judgement, ReviewText
from biaslab.studies import Design


class Role(StrEnum):
    """What a file is for in a review."""

    COORDINATOR = "coordinator"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """A quality review.

    Attributes:
        id: the same in every file that takes part.
        title: what the texts are of.
        role: whether this file holds the whole review, or what a reviewer was sent.
        design: where the texts come from; None for a reviewer.
        seed: decides texts, order and who gets what.
        control: texts in a control set; further: texts split among the reviewers.
        round: the control set that counts, from 1.
        handed_out: whether the further texts are split.
        created: UTC, ISO 8601.
        people: names or initials of the reviewers.
    """

    id: str
    title: str
    role: Role
    design: Design | None
    seed: int
    control: int
    further: int
    round: int
    handed_out: bool
    created: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A text that somebody judges, and what they have said so far.

    Attributes:
        turn: place in the order in which this person sees the texts, from 1.
        text: what is judged.
        natural, clear: answers to the two questions; None while there is none.
        comment: what else was said.
    """

    turn: int
    text: ReviewText
    natural: bool | None
    clear: bool | None
    comment: str

    @property
    def judgement(self) -> Judgement | None:
        """The answers, once both are there."""
        if self.natural is None or self.clear is None:
            return None
        return Judgement(self.natural, self.clear, self.comment)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is in a part of a review.

    Attributes:
        person: place among the reviewers, from 0; name: what they are called.
        part: control set from 1, or 0 for their share of the further texts.
        done: texts with both answers, of total.
    """

    person: int
    name: str
    part: int
    done: int
    total: int

    @property
    def waiting(self) -> int:
        """Texts without both answers."""
        return self.total - self.done
