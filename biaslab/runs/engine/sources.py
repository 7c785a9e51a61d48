"""Where studies and models come from when they are known by name only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from biaslab.models import Access, Model, ModelIdentity
from biaslab.runs.library.custom_biases import find_bias
from biaslab.runs.library.pair_sets import find_pairs
from biaslab.runs.store.store import Store
from biaslab.studies import Design, experiment
from biaslab.studies.decisions.study import Decision
from biaslab.studies.study import Experiment
from biaslab.studies.word_problems.custom.imported import Imported


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


def installed(store: Store) -> Sources:
    """The studies and models that come with BiasLab, and the sets of pairs kept in a file."""
    from biaslab.models import identify, open_model

    return Sources(
        partial(study_in, store),
        lambda spec, access: identify(spec, access=access),
        lambda spec, access: open_model(spec, access=access),
    )


def study_in(store: Store, name: str) -> Experiment:
    """The study of this name; one that asks what people kept finds it in this file.

    Raises:
        DesignError: there is no such study.
    """
    return study_from(lambda: store, name)


def study_from(opened: Callable[[], Store], name: str) -> Experiment:
    """As `study_in`, with a file that is asked for only where something kept is needed.

    Raises:
        DesignError: there is no such study.
    """
    match experiment(name):
        case Imported() as imported:
            return imported.reading(lambda kept: find_pairs(opened(), kept))
        case Decision() as decision:
            return decision.reading(lambda kept: find_bias(opened(), kept))
        case found:
            return found


def asks_kept_sets(study: Experiment) -> bool:
    """Whether the study's pairs are those of a kept set rather than drawn."""
    return isinstance(study, Imported)


def at_most_all(store: Store, design: Design) -> Design:
    """The design with no more pairs than there are, where a study has so many and no more.

    Raises:
        DesignError: there is no such study, or it has no such set.
    """
    return at_most(study_in(store, design.study), design)


def at_most(study: Experiment, design: Design) -> Design:
    """As `at_most_all`, for a study that was looked up already."""
    if not isinstance(study, Imported | Decision):
        return design
    return replace(design, n=min(design.n, study.size(design)))
