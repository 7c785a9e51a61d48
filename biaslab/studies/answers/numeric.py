"""Reading the answer of a word problem: right when it is exactly the number asked for.

There are two ways: BiasLab's own, which most runs are read by, and the published one, which can be
chosen for a run or laid beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from biaslab.models import Completion, ModelForm
from biaslab.studies.answers import asked_by, read_number, same_number
from biaslab.studies.study import Answered, Experiment, Item, Reading
from schoolmath.text.numbers import first_number

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


PUBLISHED_READER = "published 1"
"""The rule of Opedal et al. (2024, section 5.1): the first number of the output.

As in the authors' code, commas and points are deleted before. Nothing else is looked at: "5 + 7 =
12" is 5.
"""


def read_numeric(item: Item, responses: Sequence[Answered], form: ModelForm) -> Reading:
    """Reads the last response: a bare number, or free text that the item's question decides.

    Nothing readable is invalid, not wrong.
    """
    last = responses[-1]
    if not isinstance(last, Completion):
        raise TypeError("A word problem is answered in text, not by a likelihood.")
    asked = asked_by(item.text)
    found = read_number(
        last.text,
        target=asked,
        form="chat" if form is ModelForm.CHAT else "text",
        cut_off=last.finish == "length",
    )
    if found.value is None:
        return Reading(None, None, found.rule, found.explanation)
    key = item.answer.removesuffix("%") if asked.percent else item.answer
    right = same_number(str(found.value), key)
    return Reading(str(found.value), float(right), found.rule, found.explanation, found.span)


def read_first_number(
    item: Item,
    responses: Sequence[Answered],
    form: ModelForm,  # noqa: ARG001
) -> Reading:
    """Reads the last response as it was read for the paper. No number is invalid, not wrong."""
    last = responses[-1]
    if not isinstance(last, Completion):
        raise TypeError("A word problem is answered in text, not by a likelihood.")
    number = first_number(last.text)
    if number is None:
        return Reading(None, None, "no number", "Invalid: there is no number in the response.")
    key = first_number(item.answer)
    right = key is not None and number.value == key.value
    explanation = "The first number of the response, as in the paper."
    return Reading(str(number.value), float(right), "first number", explanation, number.span)


_READERS: Mapping[str, Callable[[Item, Sequence[Answered], ModelForm], Reading]] = {
    NUMBERS_READER: read_numeric,
    PUBLISHED_READER: read_first_number,
}


@dataclass(frozen=True, slots=True)
class NumericStudy(Experiment):
    """A study whose answers are numbers, read in BiasLab's way or in the published one."""

    reader: str = NUMBERS_READER
    further_readers: tuple[str, ...] = (PUBLISHED_READER,)
    system: str | None = "word problems"

    def read(self, item: Item, responses: Sequence[Answered], form: ModelForm) -> Reading:
        """Right when the number read is the answer."""
        return _READERS[self.reader](item, responses, form)

    def reading_by(self, reader: str | None) -> NumericStudy:
        """The study as it reads in this way."""
        return replace(self, reader=self.reader_of(reader))
