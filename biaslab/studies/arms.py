"""What the two members of a pair are called, and expected to do, where the design decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from biaslab.studies.study import Arms, Design, Experiment


@runtime_checkable
class ByDesign(Protocol):
    """A study in which names of members or expectations depend on the design."""

    def expecting_nothing(self) -> Experiment:
        """The same study where its designs have no expectation in common."""
        ...

    def of_design(self, design: Design) -> Experiment:
        """The same study with the ``arms`` and ``expects`` of this design.

        Its own where the design names nothing that is known.
        """
        ...


def arms_of(study: Experiment, design: Design) -> Arms:
    """Names of x and x' in this design."""
    return of_design(study, design).arms


def of_design(study: Experiment, design: Design) -> Experiment:
    """The study as this design makes it."""
    return study.of_design(design) if isinstance(study, ByDesign) else study


def called_after(study: Experiment, designs: Iterable[Design]) -> Experiment:
    """The study with names and expectations that these designs share, or with its own names.

    Where designs differ in what they expect, nothing is expected of all of them.
    """
    if not isinstance(study, ByDesign):
        return study
    made = [study.of_design(design) for design in designs]
    if made and all(each == made[0] for each in made):
        return made[0]
    return study.expecting_nothing()
