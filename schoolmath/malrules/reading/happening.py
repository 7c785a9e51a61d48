"""What happened here? Everything known that leads from a problem, as typed, to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.diagnosis.candidates import Candidate, ranked
from schoolmath.malrules.diagnosis.diagnosing import Diagnosis
from schoolmath.malrules.diagnosis.rounding import diagnose_written
from schoolmath.malrules.diagnosis.separating import Separation, find_separation
from schoolmath.malrules.forms import Form
from schoolmath.malrules.reading.answers import read_given
from schoolmath.malrules.reading.problems import ReadProblem, read_problem
from schoolmath.malrules.rules import rules, rules_for
from schoolmath.malrules.traces import Worked
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import percent


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
    """

    problem: Form
    right: Worked
    diagnosis: Diagnosis
    rounded_from: str = ""

    def how_sure(self, candidate: Candidate) -> str:
        """What speaks for one explanation and against it, as a clause."""
        found = self.diagnosis
        others = len(found.candidates) + (found.slip is not None) - 1
        if others:
            alone = f"one of {others + 1} that fit"
        elif len(candidate.rules) == 1:
            alone = "the only one known"
        else:  # Nobody tries three errors, or every place at which a second one may happen.
            alone = "two errors together that fit; others may too"
        confidence = " and ".join(
            f"source {rules()[each].card.confidence_on(type(self.problem).__name__).value}"
            for each in candidate.rules
            if each in rules()
        )
        share = candidate.chance_share
        by_chance = f"; {percent(float(share), 0)} of slips give what it gives" if share else ""
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
    explained = [_explained(group, answer) for group in read.meanings]
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
    return MeaningDiagnosis(told[0], told[0].solve(), merged, told[2])


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
