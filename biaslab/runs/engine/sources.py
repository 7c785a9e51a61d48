"""Where studies and models come from when they are known by name only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from biaslab.models import Access, Model, ModelIdentity
from biaslab.models.requests import BrokenModel
from biaslab.models.spec import parse
from biaslab.runs.library.notes import find_text
from biaslab.runs.library.pair_sets import SetPairs, find_cases, find_pairs
from biaslab.runs.library.sets import SetItems, find_items
from biaslab.runs.store.store import Store
from biaslab.studies import Design, experiment
from biaslab.studies.study import Experiment
from biaslab.system.processes import AttachedProcess


@dataclass(frozen=True, slots=True)
class StoredInFile:
    """What people keep in a file of runs, which is opened only when something of it is wanted."""

    opened: Callable[[], Store]

    def pair_set(self, set_id: str) -> SetPairs | None:
        """The set of pairs that has this id; None where there is none."""
        return find_pairs(self.opened(), set_id)

    def case_set(self, named: str) -> SetPairs | None:
        """The set of cases of decisions that has this name or id; None where there is none."""
        return find_cases(self.opened(), named)

    def item_set(self, named: str) -> SetItems | None:
        """The set of items that has this name or id; None where there is none."""
        return find_items(self.opened(), named)

    def custom_text(self, text_id: str) -> str | None:
        """The text of a person's own that has this id; None where there is none."""
        return find_text(self.opened(), text_id)


@dataclass(frozen=True, slots=True)
class Sources:
    """Looks up studies and models.

    Attributes:
        experiment: the study of this name.
        identify: which model a spec names and how it is reached, without loading it.
        open_model: the model itself, ready to answer.
        settle: how the model is reached, with the number format that it will have.
    """

    experiment: Callable[[str], Experiment]
    identify: Callable[[str, Access], ModelIdentity]
    open_model: Callable[[str, Access], Model]
    settle: Callable[[str, Access], Access] = lambda _, access: access


def installed(store: Store) -> Sources:
    """The studies and models that come with BiasLab, and the sets of pairs kept in a file."""
    from biaslab.models import identify, open_model

    return Sources(
        partial(study_in, store),
        lambda spec, access: identify(spec, access=access),
        lambda spec, access: open_model(spec, access=access),
        settle_format,
    )


def is_measured(spec: str, access: Access) -> bool:
    """Whether `settle_format` has nothing to measure, which takes minutes on a slow computer.

    Raises:
        ModelError: no such model.
    """
    return _needed(spec, access)[1] is None


def settle_format(spec: str, access: Access) -> Access:
    """The number format in which a model of weights is asked, measured now if it never was.

    Measuring opens the model in a process of its own: torch is not to be in the app's server.

    Raises:
        ModelError: no such model, or one that cannot be opened.
    """
    dtype, needed = _needed(spec, access)
    if needed is not None:
        quiet = {"TRANSFORMERS_VERBOSITY": "critical"}  # what it says is to be one sentence
        with AttachedProcess("biaslab.models.local.measuring", needed, quiet) as process:
            dtype = "".join(process.lines())
            if not dtype:
                raise BrokenModel(
                    process.why_ended()
                    or "The model could not be opened to measure how it answers in eight bits. "
                    "Choose the number format float32."
                )
    return replace(access, dtype=dtype)


def _needed(spec: str, access: Access) -> tuple[str, list[str] | None]:
    """The number format as far as known, and what is to be measured first, if anything."""
    from biaslab.models.local.provider import WeightsProvider
    from biaslab.models.provider import Opening

    named = parse(spec)
    if not isinstance(named.provider, WeightsProvider):
        return access.dtype, None
    how = Opening(access, dtype=access.dtype)
    return named.provider.format(named.name, how), named.provider.unmeasured(named.name, how)


def study_in(store: Store, name: str) -> Experiment:
    """The study of this name; one that asks what people kept finds it in this file.

    Raises:
        DesignError: there is no such study.
    """
    return study_from(lambda: store, name)


def study_from(open_store: Callable[[], Store], name: str) -> Experiment:
    """As `study_in`, with a file that is asked for only where something kept is needed.

    Raises:
        DesignError: there is no such study.
    """
    return experiment(name).with_stored(StoredInFile(open_store))


def at_most_all(store: Store, design: Design) -> Design:
    """The design with no more pairs than there are, where a study has so many and no more.

    Raises:
        DesignError: there is no such study, or it has no such set.
    """
    return at_most(study_in(store, design.study), design)


def at_most(study: Experiment, design: Design) -> Design:
    """As `at_most_all`, for a study that was looked up already."""
    size = study.size(design)
    return design if size is None else replace(design, n=min(design.n, size))
