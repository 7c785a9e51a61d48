"""Where studies and models come from when they are known by name only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from biaslab.experiments.experiment import Experiment
from biaslab.models import Access, Model, ModelIdentity


@dataclass(frozen=True, slots=True)
class Sources:
    """Looks up studies and models.

    Attributes:
        experiment: the study of this name.
        identify: which model a spec names and how it is reached, without loading it.
        open_model: the model itself, ready to answer.
    """

    experiment: Callable[[str], Experiment]
    identify: Callable[[str, Access], ModelIdentity]
    open_model: Callable[[str, Access], Model]


def installed() -> Sources:
    """The studies and models that come with BiasLab."""
    from biaslab.experiments import experiment
    from biaslab.models import identify, open_model

    return Sources(
        experiment,
        lambda spec, access: identify(spec, access=access),
        lambda spec, access: open_model(spec, access=access),
    )
