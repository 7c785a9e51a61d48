"""What may be behind a wrong answer, in words for people who teach."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.runs.answer_words import number_words
from biaslab.ui.widgets.cards import SIGNS
from biaslab.ui.widgets.words import CONFIDENCE
from schoolmath.malrules.answers import Worked
from schoolmath.malrules.diagnosis import SLIPPED, Candidate, Diagnosis, Separation, StepReading
from schoolmath.malrules.rules import Card, rules
from schoolmath.text.figures import count

_OPERATION = re.compile(r"\b(needs|has) ([-+*/])(?![^\s.])")

SLIP = "Right plan and a slip"
NO_KNOWN_RULE = "No known rule"
SEVERAL = "Several explanations fit"


@dataclass(frozen=True, slots=True)
class ShownExplanation:
    """One way to come to an answer, as it is shown.

    Attributes:
        name: of what is done; ids: of its rules, empty for a slip.
        plain: what is done, in general.
        trace: what is done in this problem, a sentence a step.
        key_step: index of the sentence where it goes wrong.
        source: where the rules are known from, with the letter of confidence; "" for a slip.
        ask: a question that may show whether this is it; "" where there is none.
    """

    name: str
    ids: tuple[str, ...]
    plain: str
    trace: tuple[str, ...]
    key_step: int
    source: str
    ask: str


def summary(found: Diagnosis, value: str) -> str:
    """What can be said at all, in a sentence; never one name where several fit."""
    answer = number_words(value)
    if found.unknown:
        return (
            f"{NO_KNOWN_RULE} gives {answer} here, and no slip and no two rules together do. "
            "That is not the same as having no misconception."
        )
    if found.ambiguous:
        return f"{SEVERAL}. The answer {answer} alone does not tell which of them it was."
    if found.slip is not None:
        return f"{SLIP}: that alone gives {answer}, and no single rule does."
    if found.single:
        return f"One known rule gives {answer}, and no single slip does."
    return f"No single rule and no slip gives {answer}, but two things at once do."


def brief(found: Diagnosis) -> str:
    """What may be behind an answer in a few words, for lists."""
    if found.unknown:
        return "no known rule"
    if found.ambiguous:
        return "several explanations"
    if found.slip is not None:
        return "a slip"
    # Two things are no name for a list, which has not seen the working.
    return names_of(found.single[0].rules) if found.single else "two things at once"


def explanations(found: Diagnosis) -> tuple[list[ShownExplanation], list[ShownExplanation]]:
    """Everything that gives the answer, in order: what takes one thing, and what takes two."""
    plain = [_explained(each) for each in found.single]
    if found.slip is not None:
        what = found.slip.what
        plain.append(
            ShownExplanation(
                f"{SLIP}: {what}", (), "Everything is understood; one calculation went wrong.",
                _sentences(found.slip.trace), found.slip.trace.key_step, "", "",
            )
        )  # fmt: skip
    return plain, [_explained(each) for each in found.candidates if len(each.rules) > 1]


def alternatives(found: Diagnosis, value: str) -> list[str]:
    """What is left beside the explanations, in sentences."""
    if found.unknown:
        return []
    answer = number_words(value)
    left = [] if found.slip is not None else [f"{SLIP}: no single slip gives {answer}."]
    left.append(
        f"{NO_KNOWN_RULE}: always possible. These are the explanations that the catalogue "
        "knows, found from the answer alone."
    )
    return left


def names_of(ids: Sequence[str]) -> str:
    """Rules by their names, in the order in which they are applied."""
    known = rules()
    return ", then ".join(
        "a slip" if each == SLIPPED else known[each].card.name if each in known else each
        for each in ids
    )


def _explained(candidate: Candidate) -> ShownExplanation:
    known = rules()
    found: list[Card] = [known[each].card for each in candidate.rules if each != SLIPPED]
    name = names_of(candidate.rules)
    ids = tuple(card.id for card in found)
    return ShownExplanation(
        name=f"{name[:1].upper()}{name[1:]}",
        ids=ids,
        plain=" ".join(card.description for card in found),
        trace=_sentences(candidate.trace),
        key_step=candidate.trace.key_step,
        source="; ".join(f"{card.source} ({card.confidence.value})" for card in found),
        ask=found[0].probe if len(candidate.rules) == 1 else "",
    )


def _sentences(worked: Worked) -> tuple[str, ...]:
    return tuple(f"{step.text[:1].upper()}{step.text[1:]}." for step in worked.steps)


def confidence_words(shown: Sequence[ShownExplanation]) -> str:
    """What the letters that stand beside these sources mean."""
    known = rules()
    letters = sorted({known[each].card.confidence for one in shown for each in one.ids})
    told = "; ".join(f"{letter.value} is {CONFIDENCE[letter]}" for letter in letters)
    return f"Letters after sources: {told}. No citation was opened page by page." if told else ""


def next_label(found: Diagnosis) -> str:
    """What the next problem is for."""
    plain = len(found.single) + (found.slip is not None)
    if plain > 1 or found.ambiguous:
        return "Show the next problem that would tell them apart"
    return "Show a next problem that would test this"


def expected_rows(next_one: Separation) -> list[tuple[str, str]]:
    """What each explanation, and the right plan, answers on the next problem."""
    if next_one.problem is None:
        return []
    rows = [
        (names_of(each.rules), " or ".join(number_words(answer) for answer in each.answers))
        for each in next_one.expected
    ]
    rows = [(name, answers or "the right answer as well") for name, answers in rows]
    return [("right plan", next_one.problem.solve().answer.shown), *rows]


def step_sentences(reading: StepReading, value: str) -> tuple[str, str]:
    """What went wrong first in the working: a headline, and the details.

    Args:
        reading: of `first_wrong_step`.
        value: the answer as read.
    """
    if not reading.told:
        return "which step went wrong first cannot be told.", reading.why
    if reading.found is None:
        return (
            f"no step of it is wrong, and yet the answer is {number_words(value)}.",
            reading.why,
        )
    result = f"{number_words(str(reading.found))} in place of {reading.expected}"
    where = (
        "its first calculation is none of the story's steps"
        if reading.step is None
        else f"step {reading.step + 1} is the first that went wrong"
    )
    gives = f"gives {number_words(str(reading.found))}"
    fits = []
    if reading.rules:
        # Operation and number are two findings: the rules are those of the operation.
        what = "The operation" if reading.miscalculated else "It"
        fits.append(f"{what} fits {' or '.join(names_of([each]) for each in reading.rules)}.")
    if reading.slip:
        also = " as well" if reading.rules else ""
        fits.append(f"A slip at this step {gives}{also}.")
    if not fits:
        fits.append(f"No known rule {gives} at this step.")
    return f"{where}: {result}.", " ".join([_with_signs(reading.why), *fits])


def _with_signs(why: str) -> str:
    """Operations as they are written by hand."""
    return _OPERATION.sub(lambda found: f"{found[1]} {SIGNS[found[2]]}", why)


def more_words(pairs: Sequence[ShownExplanation]) -> str:
    """A heading for explanations that need two things at once."""
    return f"{count(len(pairs), 'explanation')} with two things at once, which is rarer"
