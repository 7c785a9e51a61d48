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
from biaslab.studies import Setting
from biaslab.ui.widgets.address import Parameter

DrawField: TypeAlias = Callable[[Setting, Parameter[str]], None]


@dataclass(frozen=True, slots=True)
class StudyScreens:
    """The pieces that one study draws.

    Attributes:
        fields: of a design, by the names of the settings that have a field of their own.
        below_effects: what stands below the effects of runs of the study, if anything.
    """

    fields: Mapping[str, DrawField] = field(default_factory=dict)
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
