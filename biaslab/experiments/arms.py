"""What the two members of a pair are called, where that depends on the design."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from biaslab.experiments.experiment import Arms, Design, Experiment


@runtime_checkable
class ArmsByDesign(Protocol):
    """A study whose members are called after what its design changes."""

    def arms_of(self, design: Design) -> Arms:
        """Names of x and x' in this design; the study's own where it names no known change."""
        ...

    def called(self, arms: Arms) -> Experiment:
        """The same study with these names for x and x'."""
        ...


def arms_of(study: Experiment, design: Design) -> Arms:
    """Names of x and x' in this design."""
    return study.arms_of(design) if isinstance(study, ArmsByDesign) else study.arms


def called_after(study: Experiment, designs: Iterable[Design]) -> Experiment:
    """The study with the names of x and x' that these designs share, or with its own names."""
    if not isinstance(study, ArmsByDesign):
        return study
    shared = {study.arms_of(design) for design in designs}
    return study.called(shared.pop()) if len(shared) == 1 else study
