"""What share of problems, as people type them, is read, and what share of wrong answers explained.

    python benchmarks/diagnosing.py [--n 12] [--stories FILE.jsonl]

Every form draws n problems. Each is typed in ways that the form does not print (signs, spaces,
other lead-ins and endings); for each mal-rule that goes wrong there, its answer is given, and it
is counted whether the rule is among those named. Nonsense is a number drawn evenly from 0 to ten
times the right answer that is not right; by chance it may be what a rule or a slip gives. With
--stories, the texts of a file of word problems (``text``, ``answer``) are read too: how many
become a problem that mal-rules work on, and how many of these have the file's answer.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

from schoolmath.malrules import Answer, AnswerKind, NotDrawn, rules_for
from schoolmath.malrules.forms import Form
from schoolmath.malrules.library import all_forms
from schoolmath.malrules.reading import UnreadAnswer, UnreadProblem, read_problem, what_happened
from schoolmath.problems.draws import Draws

SIGNS = (("-", "-"), (" - ", " − "), (" - ", "–"))
STARTS = ("", "Please work out ", "Calculate: ", "Find ", "Solve: ")
ENDS = ("", "?", "=", " = ?", ".")


def typed(problem: Form, draws: Draws) -> str:
    """A problem's text, typed in another way."""
    text = problem.stem()
    for start in ("What is ", "Solve "):
        if text.startswith(start) and text.count(".") + text.count("?") == 1:
            text = (
                draws.one(STARTS) + text[len(start) : -1] + draws.one(("", "?", "=", " = ?", "."))
            )
            break
    one, other = draws.one(SIGNS)
    return text.replace(one, other) if draws.chance(0.5) else text


def measure(n: int) -> Counter[str]:
    """Counts over all forms."""
    counted: Counter[str] = Counter()
    for name, form in all_forms().items():
        draws = Draws(f"measured/{name}")
        low, high = form.grades
        for index in range(n):
            try:
                problem = form.draw(draws, low + index % (high - low + 1))
            except NotDrawn:
                continue
            text = typed(problem, draws)
            counted["problems"] += 1
            try:
                meanings = read_problem(text).meanings
            except UnreadProblem:
                continue
            counted["read"] += any(isinstance(each, form) for group in meanings for each in group)
            right = problem.solve().answer
            for rule in rules_for(problem):
                given = [w.answer for w in rule.run(problem) if not w.answer.same_as(right)]
                if not given:
                    continue
                counted["wrong answers"] += 1
                counted["rule among those named"] += rule.id in named(text, given[0])
            if right.kind is AnswerKind.NUMBER and isinstance(right.value, Fraction):
                most = max(10, int(abs(right.value)) * 10)
                nonsense = Answer.number(draws.between(0, most))
                if not nonsense.same_as(right):
                    counted["nonsense"] += 1
                    counted["nonsense: none known"] += named(text, nonsense) == {"none known"}
    return counted


def named(text: str, answer: Answer) -> set[str]:
    """The single rules that are named for an answer; "slip" or "none known" where none is."""
    try:
        happened = what_happened(text, answer.shown)
    except (UnreadProblem, UnreadAnswer):
        return {"not read"}
    found = {rule for each in happened.meanings for c in each.diagnosis.single for rule in c.rules}
    return found or {happened.status}


def stories(file: Path) -> Counter[str]:
    """Counts over a file of word problems."""
    counted: Counter[str] = Counter()
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        counted["stories"] += 1
        try:
            problem = read_problem(row["text"]).meanings[0][0]
        except UnreadProblem:
            continue
        counted["stories read"] += 1
        counted["with the file's answer"] += problem.solve().answer.value == Fraction(
            str(row["answer"]).replace(",", "")
        )
    return counted


def main() -> None:
    """Prints the counts."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--n", type=int, default=12, help="problems of each form")
    arguments.add_argument("--stories", type=Path, help="word problems, one JSON object a line")
    given = arguments.parse_args()
    counted = measure(given.n)
    if given.stories is not None:
        counted += stories(given.stories)
    for what, number in counted.items():
        print(f"{what:28} {number}")


if __name__ == "__main__":
    main()
