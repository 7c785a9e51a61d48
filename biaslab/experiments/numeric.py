"""Reading the answer of a word problem: right when it is exactly the number asked for."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.experiments.answers import read_number, same_number
from biaslab.experiments.experiment import Answered, Item, Reading
from biaslab.models import Completion


def read_numeric(item: Item, answered: Sequence[Answered]) -> Reading:
    """Reads the last response, which continues "the answer (Arabic numerals) is".

    The rule of the paper (the first number of the continuation) is refined where it is known
    to go wrong; `biaslab.experiments.answers` says how. Nothing readable is invalid, not wrong.
    """
    last = answered[-1]
    if not isinstance(last, Completion):
        raise TypeError("A word problem is answered in text, not by a likelihood.")
    found = read_number(last.text, expects="continuation", cut_off=last.finish == "length")
    if found.value is None:
        return Reading(None, None, found.rule, found.explanation)
    right = same_number(str(found.value), item.answer)
    return Reading(str(found.value), float(right), found.rule, found.explanation, found.span)
