"""School mathematics: what a word problem is, what it comes to, and how pupils go wrong with it.

answer("Ana has 15 pens. She gives Ben 6. How many pens does Ana have?").answer   # 9
what_happened("52 - 17", "45").meanings[0].diagnosis.candidates[0].rules   # ("NO01",)
rules()["NO01"].card.description                                           # what pupils do there
list(make_items(BankDesign(n=2, seed=1, grades=(3, 5))))                   # with distractors

These names are imported when they are first used, for each brings much; everything else has its
place: `schoolmath.problems`, `schoolmath.malrules`, `schoolmath.text`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from schoolmath.version import __version__

if TYPE_CHECKING:
    from schoolmath.malrules.bank import BankDesign, make_items
    from schoolmath.malrules.reading import what_happened
    from schoolmath.malrules.rules import rules
    from schoolmath.problems.stories import answer

__all__ = ["BankDesign", "__version__", "answer", "make_items", "rules", "what_happened"]

_MODULES = {
    "BankDesign": "schoolmath.malrules.bank",
    "answer": "schoolmath.problems.stories",
    "make_items": "schoolmath.malrules.bank",
    "rules": "schoolmath.malrules",
    "what_happened": "schoolmath.malrules.reading",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
