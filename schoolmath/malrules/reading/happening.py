"""What happened here? All that leads from a problem, as typed, to an answer, as typed; and told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from schoolmath.malrules.answers import Answer, AnswerKind, Worked, read_terms
from schoolmath.malrules.diagnosis.diagnosing import (
    SLIPPED,
    Candidate,
    Diagnosis,
    diagnose_written,
    ranked,
)
from schoolmath.malrules.diagnosis.separating import Separation, find_separation
from schoolmath.malrules.diagnosis.step_reading import StepReading
from schoolmath.malrules.forms import Form, write_form
from schoolmath.malrules.reading.problems import ReadProblem, read_problem
from schoolmath.malrules.reading.tokens import in_one_line, take_apart
from schoolmath.malrules.rules import (
    FOR_EVERY_RULE,
    Confidence,
    Help,
    cards,
    rules,
    rules_for,
)
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import percent
from schoolmath.text.written_answers import normalise, said_in_words, stated_last

MOST_SIGNS = 60
"""Longest answer that is looked at."""
MOST_OF_A_WORKING = 2_000
"""Longest answer with its working."""
_MOST_DIGITS = 15

_MIXED = re.compile(r"(-?)(\d+) (\d+)/(\d+)", re.ASCII)
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)", re.ASCII)
_FRACTION = re.compile(r"(-?\d+)/(-?\d+)", re.ASCII)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?", re.ASCII)
_AROUND = re.compile(r"^[$€£]\s*|\s*(?:[$€£%°]|\([a-zA-Z ]+\)|[a-zA-Z]+[²³]?\.?)+$")
_IN_A_STEP = re.compile(r"-?\d+(?:\.\d+)?(?:/\d+)?", re.ASCII)
_SUM = re.compile(
    r"(\d+(?:\.\d+)?(?:/\d+)?)\s*[-−+×÷*x/]\s*(\d+(?:\.\d+)?(?:/\d+)?)\s*(?:=|is|makes|gives)\s*"
    r"(\d+(?:\.\d+)?(?:/\d+)?)",
    re.ASCII,
)
_YES_OR_NO = ("yes", "no")
_EQUALS = re.compile(r"^(?:[a-z]|answer|ans)\s*[=:]\s*", re.IGNORECASE)


def read_given(
    text: str, right: Answer, known: Iterable[Answer], *, new_phrases: bool = True
) -> Answer | None:
    """What somebody answered; None where the text cannot be an answer of this kind.

    Compared first with how known answers are written, then read as a number, an expression or,
    where the right answer is a choice or a phrase, taken as it stands. What is no number itself,
    such as an answer with its working ("2/3 * 4/6 = 12/12 = 1"), is read by what stands last.

    Args:
        text: the answer as it is written, not blank.
        right: the right answer.
        known: answers that are known for this problem, such as those of mal-rules.
        new_phrases: whether a phrase that is not known can be an answer.
    """
    answers = (right, *known)
    between = next((each for each in (" < ", " > ") if each in right.shown), "")
    if between and (in_order := _in_order(right.shown)):
        given = _in_order(text)
        return Answer.label(between.join(given)) if sorted(given) == sorted(in_order) else None
    last = stated_last(text) if len(text) <= MOST_OF_A_WORKING else text
    for said in (text, last):
        for each in answers:
            if folded(each.shown) == folded(said) or _listed(each.shown) == _listed(said) != ():
                return each
    if right.kind is AnswerKind.NUMBER:
        for said in (_EQUALS.sub("", text.strip()), last, said_in_words(text[:MOST_OF_A_WORKING])):
            value = read_number(said)
            if value is not None:
                return Answer.number(value * _scale(right), said)
        return None
    if not new_phrases or len(text) > MOST_SIGNS:
        return None
    if right.value in _YES_OR_NO:
        first = re.match(r"[a-z]*", text.strip().lower())
        return Answer.label(first[0]) if first and first[0] in _YES_OR_NO else None
    if right.kind is not AnswerKind.EXPRESSION:
        return Answer.label(text)
    whole, end = _expression(text), _expression(last)
    return end if end is not None and end.kind is AnswerKind.EXPRESSION else whole


def read_number(text: str) -> Fraction | None:
    """A whole number, decimal (with point or comma), fraction or mixed number."""
    plain = text.replace("−", "-").strip()
    plain = _AROUND.sub("", _AROUND.sub("", plain)).strip()
    if sum(map(str.isdigit, plain)) > 2 * _MOST_DIGITS:
        return None
    try:
        if match := _MIXED.fullmatch(plain):
            size = int(match[2]) + Fraction(int(match[3]), int(match[4]))
            return -size if match[1] else size
        if match := _FRACTION.fullmatch(plain.replace(" ", "")):
            return Fraction(int(match[1]), int(match[2]))
        if _THOUSANDS.fullmatch(plain):
            return Fraction(plain.replace(",", "").replace(" ", ""))
        plain = plain.replace(",", ".")
        return Fraction(plain) if _NUMBER.fullmatch(plain) else None
    except ZeroDivisionError:
        return None


def folded(text: str) -> str:
    """A text without what does not matter in comparing answers: case, spaces, kinds of minus."""
    return re.sub(r"\s+", "", text.casefold().replace("−", "-"))


def _listed(text: str) -> tuple[Fraction, ...]:
    """Two numbers or more in any order, "x = 2 or x = 3"; empty where it is no such list."""
    parts = re.split(r"\s*(?:[,;]|\band\b|\bor\b)\s*", text.strip().replace("−", "-"))
    values = [read_number(_EQUALS.sub("", each)) for each in parts if each]
    numbers = [each for each in values if each is not None]
    return tuple(sorted(numbers)) if len(numbers) == len(values) > 1 else ()


def _in_order(text: str) -> list[str]:
    """Three numbers or more one after the other, as they are written; else none."""
    parts = re.split(r"\s*(?:[,;<>]|\band\b)\s*|\s+", text.strip().replace("−", "-"))
    given = [each for each in parts if each]
    are_numbers = all(read_number(each) is not None for each in given)
    return given if len(given) > 2 and are_numbers else []


def _expression(text: str) -> Answer | None:
    """A number or a linear expression; None for any other, which is not told from a slip."""
    counts: Counter[str] = Counter()
    for letters, number in read_terms(text):
        counts[letters] += number
    if len(set("".join(counts))) > 1 and any(map(str.isdigit, text)):
        return Answer.terms(counts)
    line = take_apart(in_one_line(text))
    if len(line.slots) != 1 or line.shape not in {"⟨x⟩", "⟨n⟩", "⟨f⟩"}:
        return Answer.label(text) if line.slots else None
    parts = line.slots[0].parts
    coefficients = [parts.get("constant", parts.get("value")), parts.get("factor", Fraction(0))]
    numbers = [each for each in coefficients if isinstance(each, Fraction)]
    return Answer.polynomial(numbers) if len(numbers) == 2 else None


def _scale(right: Answer) -> Fraction:
    """What a number as written is worth: 25 % may be kept as 25 or as 1/4."""
    written = read_number(right.shown)
    if not written or not isinstance(right.value, Fraction) or not right.value:
        return Fraction(1)
    return right.value / written


_DOCUMENTED = {
    Confidence.A: "well documented",
    Confidence.B: "documented",
    Confidence.C: "known to item writers",
}


class UnreadAnswer(ValueError):
    """A text that is no answer to the problem; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class MeaningDiagnosis:
    """What may be behind an answer to one meaning of a problem.

    Attributes:
        problem: the problem, as the form whose rules give the answer; the first one where none do.
        right: the right way.
        diagnosis: everything known that gives the answer, of every form that reads the problem.
        rounded_from: what the answer was rounded from, where only that is explained; else "".
        shown: by the rules of an explanation, the calculation in the pupil's own working that is
            a step of it and none of the right way; such explanations come first.
    """

    problem: Form
    right: Worked
    diagnosis: Diagnosis
    rounded_from: str = ""
    shown: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    def how_sure(self, candidate: Candidate) -> str:
        """What speaks for one explanation and against it, as a clause."""
        found = self.diagnosis
        others = len(found.candidates) + (found.slip is not None) - 1
        if others:
            alone = f"{others + 1} explanations fit"
        elif len(candidate.rules) == 1:
            alone = "the only explanation known"
        else:  # Nobody tries three errors, or every place at which a second one may happen.
            alone = "two errors together fit; others may too"
        confidence = " and ".join(
            f"{_DOCUMENTED[source]} (source {source.value})"
            for each in candidate.rules
            if each in rules()
            for source in [rules()[each].card.confidence_on(type(self.problem).__name__)]
        )
        if candidate.rules in self.shown:
            alone = f"the working shows it: {self.shown[candidate.rules]}; {alone}"
        share = candidate.chance_share
        by_chance = (
            f"; {percent(float(share), 0)} of careless slips would also give this answer"
            if share
            else ""
        )
        return f"{alone}; {confidence}{by_chance}"


@dataclass(frozen=True, slots=True)
class Happened:
    """What may have happened.

    Attributes:
        read: how the problem was understood.
        answer: what was answered, as it was typed.
        meanings: one for each question that the text may ask.
    """

    read: ReadProblem
    answer: str
    meanings: tuple[MeaningDiagnosis, ...]

    @property
    def status(self) -> str:
        """In a word: right, explained, slip or none known; of several meanings the first's."""
        found = self.meanings[0].diagnosis
        if found.correct:
            return "right"
        return "explained" if found.candidates else "slip" if found.slip else "none known"


def what_happened(text: str, answer: str) -> Happened:
    """Everything known that gives an answer to a problem.

    Args:
        text: the problem as people type it; see `read_problem`.
        answer: what was answered, as people write it.

    Raises:
        UnreadProblem: the problem cannot be read.
        UnreadAnswer: the answer cannot be one to this problem.
    """
    read = read_problem(text)
    given = read.answers.get(answer.strip().casefold(), answer)
    explained = [_explained(group, given) for group in read.meanings]
    meanings = tuple(each for each in explained if each is not None)
    if not meanings:
        raise UnreadAnswer(_no_answer(answer, read))
    return Happened(read, answer, meanings)


def next_problem(explained: MeaningDiagnosis, seed: int = 1) -> Separation | None:
    """The problem that tells the explanations apart; None where there is nothing to tell apart."""
    reading = {rule.id for rule in rules_for(explained.problem)}
    candidates = [each for each in explained.diagnosis.candidates if each.rules[0] in reading]
    if not candidates:
        return None
    return find_separation(explained.problem, candidates, Draws(f"diagnose/{seed}"))


def _explained(group: Sequence[Form], answer: str) -> MeaningDiagnosis | None:
    found: list[tuple[Form, Diagnosis, str]] = []
    for problem in group:
        right = problem.solve().answer
        known = [each.answer for rule in rules_for(problem) for each in rule.run(problem)]
        given = read_given(answer, right, known)
        if given is not None:
            written = diagnose_written(problem, given)
            found.append((problem, written.diagnosis, written.exact))
    if not found:
        return None
    told = next((each for each in found if each[1].candidates or each[1].correct), found[0])
    merged = _merged([diagnosis for _, diagnosis, _ in found])
    solution = told[0].solve()
    shown = _shown(answer, merged.candidates, solution)
    if shown:
        by_working = sorted(merged.candidates, key=lambda each: each.rules not in shown)
        merged = replace(merged, candidates=tuple(by_working))
    return MeaningDiagnosis(told[0], solution, merged, told[2], shown)


def _shown(
    working: str, candidates: Sequence[Candidate], right: Worked
) -> dict[tuple[str, ...], str]:
    """The step of a working that shows an explanation, by its rules; of those with most steps."""
    plain = normalise(working[:MOST_OF_A_WORKING])
    calculations = [(match[0], _numbers_of(match.groups())) for match in _SUM.finditer(plain)]
    usual = [_numbers_of(each.numbers) for each in right.steps]
    own = [each for each in calculations if not any(each[1] <= step for step in usual)]
    found: dict[tuple[str, ...], list[str]] = {}
    for candidate in candidates:
        steps = [_numbers_of(each.numbers) for each in candidate.trace.steps]
        found[candidate.rules] = [text for text, numbers in own if numbers in steps]
    most = max(map(len, found.values()), default=0)
    return {rules: hits[0] for rules, hits in found.items() if most and len(hits) == most}


def _numbers_of(texts: Iterable[str]) -> Counter[Fraction]:
    """Numbers as they stand in a calculation, with how often each stands there."""
    values = (read_number(each) for text in texts for each in _IN_A_STEP.findall(text))
    return Counter(each for each in values if each is not None)


def _merged(found: Sequence[Diagnosis]) -> Diagnosis:
    """What several forms of one question say together; each explanation once."""
    if len(found) == 1 or found[0].correct:
        return found[0]
    candidates: dict[tuple[str, ...], Candidate] = {}
    for each in found:
        for candidate in each.candidates:
            candidates.setdefault(candidate.rules, candidate)
    slip = next((each.slip for each in found if each.slip is not None), None)
    several = len(candidates) + (slip is not None) > 1
    return Diagnosis(
        False, tuple(ranked(list(candidates.values()))), slip, not candidates and slip is None,
        several,
    )  # fmt: skip


def _no_answer(answer: str, read: ReadProblem) -> str:
    if not answer.strip():
        return "No answer is given: write what was answered, such as 21 or 3/4."
    right: Answer = read.meanings[0][0].solve().answer
    if right.kind == "number":
        return f"“{answer}” is no number: write 21, -3, 3/4 or 2.5."
    return f"“{answer}” is no answer to this problem: the right one is {right}."


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
        lines.append(f"This text has {len(happened.meanings)} possible meanings.")
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
        lines.append(f"Correct method with one slip: {found.slip.what}")
        lines.append(f"  {'; '.join(_steps(found.slip.trace))}.")
    if found.unknown:
        lines.append("None known: no known rule, pair of rules or slip gives this answer.")
    if found.ambiguous:
        lines.append("Several explanations fit: this answer alone cannot tell us which one it was.")
    separation = next_problem(explained, seed)
    if separation is not None and separation.problem is not None:
        lines.append(f"Next problem: {separation.problem.stem()}")
        for expected in separation.expected:
            given = ", ".join(expected.answers) or "the right answer"
            lines.append(f"  {' + '.join(expected.rules)} gives {given}")
    if separation is not None and separation.reason:
        lines.append(separation.reason)
    return lines
