"""What a study draws itself, where what is drawn of every study is not enough.

A study that has such pieces offers them in the module ``parts`` of its folder here, as `SCREENS`:
a `StudyScreens` for each of its names. Most studies have none.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from biaslab.runs import RunRecord
from biaslab.studies import Arms, Design, Experiment, Pair, Setting
from biaslab.ui.widgets.address import Parameter
from schoolmath.problems import DesignError

DrawField: TypeAlias = Callable[[Experiment, Setting, Parameter[str], DesignError | None], None]
"""Draws a setting of a study, given why the design of the address cannot be made, if so."""


@dataclass(frozen=True, slots=True)
class Field:
    """How one setting of a study is drawn, where its kind does not say enough.

    Attributes:
        draw: the field itself.
        parameter: how it stands in the address, by its default; None: as its kind says.
        explains: whether an error is shown below the field; None: the errors that name it.
    """

    draw: DrawField
    parameter: Callable[[str], Parameter[str]] | None = None
    explains: Callable[[DesignError], bool] | None = None


@dataclass(frozen=True, slots=True)
class StudyScreens:
    """The pieces that one study draws.

    Attributes:
        fields: of a design, by the names of the settings that have a field of their own.
        below_pair: what stands below a pair on Compose, if anything.
        instead_of_pairs: what stands in place of pairs that cannot be made; whether it said
            anything.
        below_effects: what stands below the effects of runs of the study, if anything.
    """

    fields: Mapping[str, Field] = field(default_factory=dict)
    below_pair: Callable[[Pair, Arms], None] | None = None
    instead_of_pairs: Callable[[Experiment, Design], bool] | None = None
    below_effects: Callable[[Sequence[RunRecord]], None] | None = None


_NONE = StudyScreens()


def screens_of(study: str) -> StudyScreens:
    """The pieces of the study of this name; none of its own where it offers none."""
    return _offered().get(study, _NONE)


@cache
def _offered() -> dict[str, StudyScreens]:
    """What the folders of this package offer, by the names of studies."""
    package = importlib.import_module("biaslab.ui.studies")
    found: dict[str, StudyScreens] = {}
    for folder in pkgutil.iter_modules(package.__path__, "biaslab.ui.studies."):
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.parts") is not None:
            found |= importlib.import_module(f"{folder.name}.parts").SCREENS
    return found
