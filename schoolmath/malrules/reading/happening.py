"""What happened here? All that leads from a problem, as typed, to an answer, as typed; and told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import pi
from typing import Any

from schoolmath.malrules.answers import Answer, Working
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
from schoolmath.malrules.reading.given_answers import (
    MOST_OF_A_WORKING,
    UnreadAnswer,
    as_asked,
    left_unfinished,
    read_given,
    read_number,
    rounded_as_asked,
)
from schoolmath.malrules.reading.problems import ReadProblem, read_problem
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
from schoolmath.text.formulas import typed
from schoolmath.text.written_answers import normalise

_IN_A_STEP = re.compile(r"-?\d+(?:\.\d+)?(?:/\d+)?", re.ASCII)
_SUM = re.compile(
    r"(\d+(?:\.\d+)?(?:/\d+)?)\s*[-−+×÷*x/]\s*(\d+(?:\.\d+)?(?:/\d+)?)\s*(?:=|is|makes|gives)\s*"
    r"(\d+(?:\.\d+)?(?:/\d+)?)",
    re.ASCII,
)


_DOCUMENTED = {
    Confidence.A: "well documented",
    Confidence.B: "documented",
    Confidence.C: "known to item writers",
}


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
        unfinished: why an answer of the right value is no full one, as a sentence; else "".
        right_answer: as the question asks for it, ``yes``, ``25π, about 78.5`` or ``29.83, rounded
            from 179/6``, where the form asks in another way.
    """

    problem: Form
    right: Working
    diagnosis: Diagnosis
    rounded_from: str = ""
    shown: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    unfinished: str = ""
    right_answer: str = ""

    def how_sure(self, candidate: Candidate, *, letters: bool = True) -> str:
        """What speaks for one explanation and against it, as a clause.

        Args:
            candidate: one of the diagnosis.
            letters: whether the letters of its sources stand there.
        """
        found = self.diagnosis
        others = len(found.candidates) + (found.slip is not None) - 1
        if others:
            alone = f"{others + 1} explanations fit"
        elif len(candidate.rules) == 1:
            alone = "the only explanation known"
        else:  # Nobody tries three errors, or every place at which a second one may happen.
            alone = "two errors together fit; others may too"
        confidence = " and ".join(
            _DOCUMENTED[source] + (f" (source {source.value})" if letters else "")
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
class AnswerDiagnoses:
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
        """In a word, of the first meaning: right, unfinished, explained, slip or none known."""
        found = self.meanings[0].diagnosis
        if found.correct:
            return "unfinished" if self.meanings[0].unfinished else "right"
        return "explained" if found.candidates else "slip" if found.slip else "none known"


def _in_words_of_the_form(answer: str, answers: Mapping[str, str]) -> str:
    """What an answer is to the question as the form asks it: by its wording, else by its value."""
    wording = answer.strip().casefold()
    value = read_number(wording)
    alike = (
        put for each, put in answers.items() if value is not None and read_number(each) == value
    )
    return answers.get(wording) or next(alike, answer)


def what_happened(text: str, answer: str) -> AnswerDiagnoses:
    """Everything known that gives an answer to a problem.

    Args:
        text: the problem as people type it; see `read_problem`.
        answer: what was answered, as people write it.

    Raises:
        UnreadProblem: the problem cannot be read.
        UnreadAnswer: the answer cannot be one to this problem.
    """
    read, answer = read_problem(text), typed(answer)
    given = _in_words_of_the_form(answer, read.answers)
    explained = [_explained(group, given, read) for group in read.meanings]
    meanings = tuple(each for each in explained if each is not None)
    if not meanings:
        raise UnreadAnswer(_no_answer(answer, read))
    return AnswerDiagnoses(read, answer, meanings)


def next_problem(meaning: MeaningDiagnosis, seed: int = 1) -> Separation | None:
    """The problem that tells the explanations apart; None where there is nothing to tell apart."""
    reading = {rule.id for rule in rules_for(meaning.problem)}
    candidates = [each for each in meaning.diagnosis.candidates if each.rules[0] in reading]
    if not candidates:
        return None
    return find_separation(meaning.problem, candidates, Draws(f"diagnose/{seed}"))


def _explained(group: Sequence[Form], answer: str, read: ReadProblem) -> MeaningDiagnosis | None:
    question = read.text
    found: list[tuple[Form, Diagnosis, str]] = []
    for problem in group:
        right = problem.solve().answer
        known = [each.answer for rule in rules_for(problem) for each in rule.run(problem)]
        said = as_asked(answer, problem, question, (right, *known))
        given = read_given(said, right, known)
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
    unfinished = left_unfinished(answer, told[0], question) if merged.correct else ""
    right_answer = _as_the_question_asks(told[0], solution.answer, read)
    return MeaningDiagnosis(told[0], solution, merged, told[2], shown, unfinished, right_answer)


def _as_the_question_asks(problem: Form, right: Answer, read: ReadProblem) -> str:
    """The right answer in the question's own terms."""
    if "times pi" in problem.stem() and "times pi" not in read.text:
        value = float(right.value) * pi if isinstance(right.value, Fraction) else 0.0
        return f"{right.shown}π, about {value:.4g}"
    if rounded := rounded_as_asked(right, read.text):
        return f"{rounded}, rounded from {right.shown}"
    return next((said for said, put in read.answers.items() if put == right.shown), right.shown)


def _shown(
    working: str, candidates: Sequence[Candidate], right: Working
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


def _merged(diagnoses: Sequence[Diagnosis]) -> Diagnosis:
    """What several forms of one question say together; each explanation once."""
    if len(diagnoses) == 1 or diagnoses[0].correct:
        return diagnoses[0]
    candidates: dict[tuple[str, ...], Candidate] = {}
    for each in diagnoses:
        for candidate in each.candidates:
            candidates.setdefault(candidate.rules, candidate)
    slip = next((each.slip for each in diagnoses if each.slip is not None), None)
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


def _steps(trace: Working) -> list[str]:
    return [step.text for step in trace.steps]


def _name(rule: str) -> str:
    return "a slip" if rule == SLIPPED else cards()[rule].name


def names_of(candidate: Candidate) -> str:
    """What is done, by the names of its rules."""
    return " and then ".join(map(_name, candidate.rules))


def helps_of(candidate: Candidate) -> tuple[Help, ...]:
    """What helps with its rules: what a source describes for them, then what helps with any."""
    own = (each for rule in candidate.rules if rule != SLIPPED for each in cards()[rule].helps)
    return (*dict.fromkeys(own), FOR_EVERY_RULE)


def _candidate(meaning: MeaningDiagnosis, candidate: Candidate) -> dict[str, Any]:
    return {
        "rules": [{"id": rule, "name": _name(rule)} for rule in candidate.rules],
        "rule": candidate.rules[0] if len(candidate.rules) == 1 else None,
        "name": names_of(candidate),
        "trace": _steps(candidate.trace),
        "how_sure": meaning.how_sure(candidate),
        "weight": round(float(candidate.weight), 6),
        "chance_share": round(float(candidate.chance_share), 6),
        "why": candidate.why,
        "helps": [{"what": each.what, "source": each.source} for each in helps_of(candidate)],
    }


def as_json(
    diagnoses: AnswerDiagnoses, seed: int, steps: StepReading | None = None
) -> dict[str, Any]:
    """Everything as a JSON object; the keys stand in docs/your-class.md.

    Args:
        diagnoses: what may have happened.
        seed: of the next problem.
        steps: what was found in the working, where there is one.
    """
    first, *more = [_meaning(each, seed) for each in diagnoses.meanings]
    content: dict[str, Any] = {
        **first,
        "typed": diagnoses.read.text,
        "answer": diagnoses.answer,
        "as_read": diagnoses.read.as_read or None,
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


def _meaning(meaning: MeaningDiagnosis, seed: int) -> dict[str, Any]:
    found = meaning.diagnosis
    content: dict[str, Any] = {
        "problem": meaning.problem.stem(),
        "form": write_form(meaning.problem),
        "right_answer": str(meaning.right.answer),
        "solution": _steps(meaning.right),
        "correct": found.correct,
        "unfinished": meaning.unfinished or None,
        "candidates": [_candidate(meaning, each) for each in found.candidates],
        "slip": None,
        "unknown": found.unknown,
        "ambiguous": found.ambiguous,
        "rounded_from": meaning.rounded_from or None,
        "next": _next(next_problem(meaning, seed)),
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


def in_words(diagnoses: AnswerDiagnoses, seed: int, steps: StepReading | None = None) -> list[str]:
    """The same in lines of text; takes what `as_json` takes."""
    lines = []
    if diagnoses.read.as_read:
        lines.append(f"Understood as: {diagnoses.read.as_read}")
    if steps is not None:
        # What is written is better evidence than what can be worked out from the answer.
        fits = " or ".join(f"{rule}: {_name(rule)}" for rule in steps.rules)
        lines.append(f"Working: {steps.why}{f' {fits}.' if fits else ''}")
        lines.append("From the answer alone:")
    if len(diagnoses.meanings) > 1:
        lines.append(f"This text has {len(diagnoses.meanings)} possible meanings.")
    for explained in diagnoses.meanings:
        lines += _lines(explained, seed, many=len(diagnoses.meanings) > 1)
    return lines


def _lines(meaning: MeaningDiagnosis, seed: int, *, many: bool) -> list[str]:
    found = meaning.diagnosis
    lines = [f"As “{meaning.problem.stem()}”:"] if many else []
    lines.append(f"The right answer is {meaning.right_answer}.")
    lines.append(f"  {'; '.join(_steps(meaning.right))}.")
    if found.correct:
        lines.append(meaning.unfinished or "The answer is right.")
    for each in found.candidates:
        lines.append(f"{' + '.join(each.rules)}: {names_of(each)} ({meaning.how_sure(each)})")
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
    separation = next_problem(meaning, seed)
    if separation is not None and separation.problem is not None:
        lines.append(f"Next problem: {separation.problem.stem()}")
        for expected in separation.expected:
            given = ", ".join(expected.answers) or "the right answer"
            lines.append(f"  {' + '.join(expected.rules)} gives {given}")
    if separation is not None and separation.reason:
        lines.append(separation.reason)
    return lines
