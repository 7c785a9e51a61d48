"""What happened, told as JSON and in lines of text."""

from __future__ import annotations

from typing import Any

from schoolmath.malrules.diagnosis import SLIPPED, Candidate, Separation, StepReading
from schoolmath.malrules.forms import write_form
from schoolmath.malrules.reading.happening import Happened, MeaningDiagnosis, next_problem
from schoolmath.malrules.rules import FOR_EVERY_RULE, Help, cards
from schoolmath.malrules.traces import Worked


def _steps(trace: Worked) -> list[str]:
    return [step.text for step in trace.steps]


def _name(rule: str) -> str:
    return "a slip" if rule == SLIPPED else cards()[rule].name


def names_of(found: Candidate) -> str:
    """What is done, by the names of its rules."""
    return " and then ".join(map(_name, found.rules))


def helps_of(found: Candidate) -> tuple[Help, ...]:
    """What helps with its rules: what a source describes for them, then what helps with any."""
    own = (each for rule in found.rules if rule != SLIPPED for each in cards()[rule].helps)
    return (*dict.fromkeys(own), FOR_EVERY_RULE)


def _candidate(explained: MeaningDiagnosis, found: Candidate) -> dict[str, Any]:
    return {
        "rules": [{"id": rule, "name": _name(rule)} for rule in found.rules],
        "rule": found.rules[0] if len(found.rules) == 1 else None,
        "name": names_of(found),
        "trace": _steps(found.trace),
        "how_sure": explained.how_sure(found),
        "weight": round(float(found.weight), 6),
        "chance_share": round(float(found.chance_share), 6),
        "why": found.why,
        "helps": [{"what": each.what, "source": each.source} for each in helps_of(found)],
    }


def as_json(happened: Happened, seed: int, steps: StepReading | None = None) -> dict[str, Any]:
    """Everything as a JSON object; the keys stand in docs/your-class.md.

    Args:
        happened: what may have happened.
        seed: of the next problem.
        steps: what was found in the working, where there is one.
    """
    first, *more = [_meaning(each, seed) for each in happened.meanings]
    content: dict[str, Any] = {
        **first,
        "typed": happened.read.text,
        "answer": happened.answer,
        "as_read": happened.read.as_read or None,
        "other_meanings": more,
    }
    if steps is not None:
        content["working"] = {
            "told": steps.told,
            "step": steps.step,
            "expected": steps.expected,
            "found": None if steps.found is None else str(steps.found),
            "rules": list(steps.rules),
            "slip": steps.slip,
            "miscalculated": steps.miscalculated,
            "sentence": steps.sentence,
            "why": steps.why,
        }
    return content


def _meaning(explained: MeaningDiagnosis, seed: int) -> dict[str, Any]:
    found = explained.diagnosis
    content: dict[str, Any] = {
        "problem": explained.problem.stem(),
        "form": write_form(explained.problem),
        "right_answer": str(explained.right.answer),
        "solution": _steps(explained.right),
        "correct": found.correct,
        "candidates": [_candidate(explained, each) for each in found.candidates],
        "slip": None,
        "unknown": found.unknown,
        "ambiguous": found.ambiguous,
        "rounded_from": explained.rounded_from or None,
        "next": _next(next_problem(explained, seed)),
    }
    if found.slip is not None:
        content["slip"] = {
            "what": found.slip.what,
            "step": found.slip.step,
            "trace": _steps(found.slip.trace),
        }
    return content


def _next(separation: Separation | None) -> dict[str, Any] | None:
    if separation is None:
        return None
    chosen = separation.problem
    return {
        "problem": None if chosen is None else chosen.stem(),
        "right_answer": None if chosen is None else str(chosen.solve().answer),
        "complete": separation.complete,
        "expected": [
            {"rules": list(each.rules), "answers": list(each.answers)}
            for each in separation.expected
        ],
        "reason": separation.reason,
    }


def in_words(happened: Happened, seed: int, steps: StepReading | None = None) -> list[str]:
    """The same in lines of text; takes what `as_json` takes."""
    lines = []
    if happened.read.as_read:
        lines.append(f"Understood as: {happened.read.as_read}")
    if steps is not None:
        # What is written is better evidence than what can be worked out from the answer.
        fits = " or ".join(f"{rule}: {_name(rule)}" for rule in steps.rules)
        lines.append(f"Working: {steps.why}{f' {fits}.' if fits else ''}")
        lines.append("From the answer alone:")
    if len(happened.meanings) > 1:
        lines.append(f"This text can mean {len(happened.meanings)} things.")
    for explained in happened.meanings:
        lines += _lines(explained, seed, many=len(happened.meanings) > 1)
    return lines


def _lines(explained: MeaningDiagnosis, seed: int, *, many: bool) -> list[str]:
    found = explained.diagnosis
    lines = [f"As “{explained.problem.stem()}”:"] if many else []
    lines.append(f"The right answer is {explained.right.answer}.")
    lines.append(f"  {'; '.join(_steps(explained.right))}.")
    if found.correct:
        lines.append("The answer is right.")
    for each in found.candidates:
        lines.append(f"{' + '.join(each.rules)}: {names_of(each)} ({explained.how_sure(each)})")
        lines.append(f"  {'; '.join(_steps(each.trace))}.")
        first = helps_of(each)[0]
        lines.append(f"  What helps: {first.what} ({first.source})")
    if found.slip is not None:
        lines.append(f"slip: right plan, {found.slip.what}")
        lines.append(f"  {'; '.join(_steps(found.slip.trace))}.")
    if found.unknown:
        lines.append("None known: no known rule, pair of rules or slip gives this answer.")
    if found.ambiguous:
        lines.append("Several explanations fit: none of them is told by this answer alone.")
    separation = next_problem(explained, seed)
    if separation is not None and separation.problem is not None:
        lines.append(f"Next problem: {separation.problem.stem()}")
        for expected in separation.expected:
            given = ", ".join(expected.answers) or "the right answer"
            lines.append(f"  {' + '.join(expected.rules)} gives {given}")
    if separation is not None and separation.reason:
        lines.append(separation.reason)
    return lines
