"""Finding the studies: every folder of this package whose module ``study`` offers ``STUDIES``."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
from dataclasses import dataclass
from functools import cache

from biaslab.problems import DesignError
from biaslab.studies.expectations import Evidence
from biaslab.studies.study import Experiment

_ORDER = ("consistency", "transfer-comparison", "carry")


@cache
def experiments() -> dict[str, Experiment]:
    """All studies by name, those of the word problems first."""
    package = importlib.import_module("biaslab.studies")
    found: dict[str, Experiment] = {}
    for folder in pkgutil.iter_modules(package.__path__, "biaslab.studies."):
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.study") is not None:
            offered = importlib.import_module(f"{folder.name}.study").STUDIES
            found |= {study.name: study for study in offered}
    first = [name for name in _ORDER if name in found]
    rest = sorted(name for name in found if name not in first)
    return {name: found[name] for name in (*first, *rest)}


def evidence_about_people(study: str, designed: Experiment | None = None) -> Evidence | None:
    """What is known about people of a study's feature; None where nothing is, or it is unknown.

    Args:
        study: its name.
        designed: the study as its designs make it, where they decide what is known.
    """
    found = designed or experiments().get(study)
    return None if found is None or found.expects is None else found.expects.people


def experiment(name: str) -> Experiment:
    """The study of this name.

    Raises:
        DesignError: there is none; the nearest name is suggested.
    """
    found = experiments().get(name)
    if found is None:
        near = difflib.get_close_matches(name, experiments(), n=1, cutoff=0.4)
        raise DesignError(
            f"There is no study {name!r}.",
            f"Did you mean {near[0]!r}?" if near else f"Choose {', '.join(experiments())}.",
            "study",
        )
    return found


@dataclass(frozen=True, slots=True)
class OutcomeScale:
    """What outcomes on a scale are.

    Attributes:
        unit: in which they are told, in plural, such as ``scale lengths``.
        explanation: a sentence about what an outcome measures.
        positive, negative: what a positive and a negative difference x - x' mean, each the
            rest of a sentence that begins with “The answers moved”.
    """

    unit: str
    explanation: str
    positive: str
    negative: str


def outcome_scale(study: str) -> OutcomeScale | None:
    """The scale of a study's outcomes; None where answers are right or wrong.

    Args:
        study: its name; one that is not installed counts as right or wrong.
    """
    found = getattr(experiments().get(study), "outcome_scale", None)
    return found if isinstance(found, OutcomeScale) else None
