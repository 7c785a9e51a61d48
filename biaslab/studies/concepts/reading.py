"""Reading an answer about a concept: from two probabilities, or from what was written."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from biaslab.models import Completion, Likelihood
from biaslab.studies.study import Answered, Item, Reading

TINY_MASS = 0.01
"""Both answers together less probable than this: the model was about to say something else."""


def read_answer(item: Item, answered: Sequence[Answered]) -> Reading:
    """Which of the two answers was given, and whether it is the right one.

    ``extra`` says whether the answer was yes (``yes``), and of probabilities how probable yes is
    against no (``p_yes``) and both together (``mass``), with ``tiny`` where that is below
    `TINY_MASS`.
    """
    last = answered[-1]
    if isinstance(last, Likelihood):
        return _of_scores(item, last)
    return _of_text(item, last)


def _of_scores(item: Item, found: Likelihood) -> Reading:
    yes, no = found.log_probabilities
    if math.isnan(yes) or math.isnan(no):
        return Reading(None, None, "no-number", "A probability is not a number: none is known.")
    mass = math.exp(yes) + math.exp(no)
    extra = {"mass": mass, "tiny": mass < TINY_MASS}
    if yes == no:
        return Reading(
            None,
            None,
            "tie",
            "Both answers are exactly equally probable, which counts as no answer. If this is so "
            "for every item, the model or server gives no real probabilities.",
            extra={**extra, "p_yes": 0.5},
        )
    p_yes = 1.0 / (1.0 + math.exp(min(no - yes, 700.0)))
    value = item.options[0] if yes > no else item.options[1]
    outcome = float(value == item.answer)
    extra |= {"p_yes": p_yes, "yes": yes > no}
    if mass < TINY_MASS:
        return Reading(
            value,
            outcome,
            "likelihood-small",
            f"The more probable of the two answers. Both together have a probability of {mass:.2g} "
            "only: the model was about to say something else.",
            extra=extra,
        )
    return Reading(
        value, outcome, "likelihood", "The more probable of the two answers.", extra=extra
    )


def _of_text(item: Item, found: Completion) -> Reading:
    text = found.text
    flags = 0 if min(map(len, item.options)) == 1 else re.IGNORECASE
    words = {word.casefold(): word for word in item.options}
    either = "|".join(map(re.escape, item.options))
    first = re.match(rf"[\s\"'“‘*_(\[]*(?P<word>{either})\b", text, flags)
    if first is not None:
        others = {
            each["word"].casefold() for each in re.finditer(rf"\b(?P<word>{either})\b", text, flags)
        }
        if len(others) == 1:
            return _read(item, words[first["word"].casefold()], "first", first.span("word"))
    stated = list(re.finditer(rf"\b(?P<word>{either})\b", text, flags))
    named = {each["word"].casefold() for each in stated}
    if len(named) == 1 and found.finish != "length":
        return _read(item, words[named.pop()], "only", stated[-1].span("word"))
    if len(named) > 1:
        return Reading(None, None, "both", "Both answers are written, so neither is taken.")
    return Reading(None, None, "none", f"Neither {item.options[0]} nor {item.options[1]} is there.")


def _read(item: Item, value: str, rule: str, span: tuple[int, int]) -> Reading:
    explanation = {
        "first": "The answer begins with one of the two words.",
        "only": "One of the two words is written, and the other is not.",
    }[rule]
    extra = {"yes": value == item.options[0]}
    return Reading(value, float(value == item.answer), rule, explanation, span, extra)
