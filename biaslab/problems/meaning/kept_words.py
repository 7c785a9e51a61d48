"""Numbers and names of a text that must be there after its grammar was mended, as before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from biaslab.problems.logic import Problem
from biaslab.problems.meaning.flaws import Flaw, Reason, listed
from biaslab.problems.reading.said import Said, people_of

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBER_WORD = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    r"fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundreds?|thousands?|dozens?|hal(?:f|ves)|quarters?|twice|thrice|"
    r"doubled?|tripled?)\b",
    re.IGNORECASE,
)


def changed_numbers(before: str, after: str) -> Iterator[Reason]:
    """Numbers, in digits and in words, that one text has and the other has not so often."""
    changed = _difference(_NUMBER.findall(before), _NUMBER.findall(after))
    if changed:
        yield Reason(Flaw.NUMBERS, f"The numbers are not those of before: {changed}.")
    words = _difference(
        map(str.lower, _NUMBER_WORD.findall(before)), map(str.lower, _NUMBER_WORD.findall(after))
    )
    if words:
        yield Reason(Flaw.NUMBER_WORDS, f"The number words are not those of before: {words}.")


def changed_names(problem: Problem, before: str, after: str) -> Iterator[Reason]:
    """Names of the problem that one text has and the other has not so often."""
    said: tuple[Said, ...] = (*problem.statements, problem.question)
    names = sorted({name for each in said for name in people_of(each)})
    any_name = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    changed = _difference(any_name.findall(before), any_name.findall(after))
    if changed:
        yield Reason(Flaw.NAMES, f"The names are not those of before: {changed}.")


def _difference(before: Iterable[str], after: Iterable[str]) -> str:
    """What was lost and what came in, in words; empty where nothing did."""
    had, has = Counter(before), Counter(after)
    parts = []
    if lost := had - has:
        parts.append(f"{listed(lost)} lost")
    if new := has - had:
        parts.append(f"{listed(new)} added")
    return ", ".join(parts)
