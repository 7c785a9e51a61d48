"""Finding the studies: every folder of this package whose module ``study`` offers ``STUDIES``."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
from functools import cache

from biaslab.studies.expectations import Evidence
from biaslab.studies.results import OutcomeScale
from biaslab.studies.study import Experiment
from schoolmath.problems import DesignError


@cache
def experiments() -> dict[str, Experiment]:
    """All studies by name, in the order of their ranks and names."""
    package = importlib.import_module("biaslab.studies")
    found: dict[str, Experiment] = {}
    for folder in pkgutil.iter_modules(package.__path__, "biaslab.studies."):
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.study") is not None:
            offered = importlib.import_module(f"{folder.name}.study").STUDIES
            found |= {study.name: study for study in offered}
    return dict(sorted(found.items(), key=lambda each: (each[1].rank, each[0])))


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


def strategy_label(study: str, name: str) -> str:
    """A prompt strategy on screens; its short name where this version does not have it.

    What stands behind a comma, such as how much a model may think, stays behind it.
    """
    found = experiments().get(study)
    name, comma, more = name.partition(",")
    labels = {s.name: s.label for s in found.strategies} if found is not None else {}
    return labels.get(name, name) + comma + more


def outcome_scale(study: str) -> OutcomeScale | None:
    """The scale of a study's outcomes; None where answers are right or wrong.

    Args:
        study: its name; one that is not installed counts as right or wrong.
    """
    found = experiments().get(study)
    return None if found is None else found.outcome_scale


def study_of_sets() -> Experiment:
    """The study that asks about sets of pairs that people keep: the first with such a setting."""
    return next(
        study
        for study in experiments().values()
        if any(setting.kind == "set" for setting in study.settings)
    )
