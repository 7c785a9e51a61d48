"""Finding treatments by name, one at a time."""

from __future__ import annotations

import difflib
import re
from functools import cache

from biaslab.studies.word_problems.treatments.numbers import CarryTreatment, NumberSize
from biaslab.studies.word_problems.treatments.relations import (
    ConsistencyTreatment,
    Giver,
    PredicateTreatment,
)
from biaslab.studies.word_problems.treatments.telling import (
    IrrelevantSentence,
    NameFamiliarity,
    OperandOrder,
    QuestionWording,
    SentenceOrder,
)
from biaslab.studies.word_problems.treatments.treatment import Treatment
from schoolmath.problems import DesignError

_SEPARATOR = re.compile(r"\s*(?:[,;+&/]|\band\b)\s*")


@cache
def treatments() -> dict[str, Treatment]:
    """All treatments by name, those of the published studies first."""
    found: tuple[Treatment, ...] = (
        ConsistencyTreatment(),
        PredicateTreatment(),
        CarryTreatment(),
        NumberSize(),
        OperandOrder(),
        IrrelevantSentence(),
        SentenceOrder(),
        Giver(),
        NameFamiliarity(),
        QuestionWording(),
    )
    return {treatment.name: treatment for treatment in found}


def check_one(text: str) -> Treatment:
    """The one treatment that a setting names.

    Raises:
        DesignError: it names none, an unknown one, or several, which would change several
            things at once; with setting ``treatment``.
    """
    names = list(dict.fromkeys(filter(None, _SEPARATOR.split(text.strip().lower()))))
    if not names:
        raise DesignError(
            "No treatment is chosen, so the two texts would be the same.",
            f"Choose one of: {', '.join(treatments())}.",
            "treatment",
        )
    found = [_named(name) for name in names]
    if len(found) > 1:
        labels = " and ".join(f"“{treatment.label}”" for treatment in found)
        raise DesignError(
            f"{labels} at once would change {len(found)} things at once, so an effect could come "
            "from any of them.",
            f"Choose one, such as {found[0].name}, and make another design for the other.",
            "treatment",
        )
    return found[0]


def _named(name: str) -> Treatment:
    treatment = treatments().get(name)
    if treatment is None:
        near = difflib.get_close_matches(name, treatments(), n=1, cutoff=0.4)
        raise DesignError(
            f"There is no treatment “{name}”.",
            f"Did you mean {near[0]}?" if near else f"Choose one of: {', '.join(treatments())}.",
            "treatment",
        )
    return treatment
