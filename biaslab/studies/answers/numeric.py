"""Reading the answer of a word problem: right when it is exactly the number asked for."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.models import Completion, ModelForm
from biaslab.studies.answers import asked_by, read_number, same_number
from biaslab.studies.study import Answered, Item, Reading

NUMBERS_READER = "numbers 6"
"""This way of reading; the number rises whenever any reading may change.

1: up to BiasLab 0.4, without the question (runs of that time have no reader's name). 2: with it.
3: without what a chat model says beside its solution, and refusing where little shows that a result
is the answer. 4: a number behind the last result that is not of what is asked for is no answer, nor
a calculation with nothing of what came before. 5: the last result of the working, alone on a line
below it, is the answer whatever stands behind it. 6: what answers a turn of a chat is read as a
whole, and what is marked or stated in it outweighs a number at its opening; before, its first
paragraph alone was read where that opened with a number or a calculation. What was cut off is
"cut off" whatever else it holds.
"""


def read_numeric(item: Item, answered: Sequence[Answered], form: ModelForm) -> Reading:
    """Reads the last response: a bare number, or free text that the item's question decides.

    The rule of the paper (the first number of the continuation) is refined where it is known
    to go wrong; `biaslab.studies.answers` says how. Nothing readable is invalid, not wrong.
    """
    last = answered[-1]
    if not isinstance(last, Completion):
        raise TypeError("A word problem is answered in text, not by a likelihood.")
    asked = asked_by(item.text)
    found = read_number(
        last.text,
        asked=asked,
        form="chat" if form is ModelForm.CHAT else "text",
        cut_off=last.finish == "length",
    )
    if found.value is None:
        return Reading(None, None, found.rule, found.explanation)
    key = item.answer.removesuffix("%") if asked.percent else item.answer
    right = same_number(str(found.value), key)
    return Reading(str(found.value), float(right), found.rule, found.explanation, found.span)
