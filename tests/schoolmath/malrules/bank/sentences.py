"""Every distinct clause of the rationales that items are told in, numbers and names left out.

`python -m tests.schoolmath.malrules.bank.sentences` prints the list; `sentences.txt` beside this
file holds it. It is read by a person before it is committed: what is new in it nobody has read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from schoolmath.malrules.forms import NotDrawn
from schoolmath.malrules.library import dealt_forms
from schoolmath.malrules.rules import dealt_rules
from schoolmath.problems.draws import Draws

DRAWN = 40
"""Problems of each form and grade: a clause that comes up more rarely is not in the list."""

_PLACE = re.compile(r"\{\d+\}")
_LIST = re.compile(r"#(?:, #)*,? (?:and|or) #|#(?:, #)+")
_NAME = re.compile(r"(?<!^)\b[A-Z]\w+\b")


def clauses(drawn: int = DRAWN) -> Iterator[str]:
    """All of them, in the order in which they come up, with repetitions."""
    for name, form in dealt_forms().items():
        low, high = form.grades
        readers = [rule for rule in dealt_rules() if issubclass(form, rule.forms)]
        for grade in range(low, high + 1):
            for number in range(drawn):
                try:
                    problem = form.draw(Draws(f"sentences {name} {grade} {number}"), grade)
                except NotDrawn:
                    continue
                for worked in (problem.solve(), *(w for r in readers for w in r.run(problem))):
                    for step in worked.steps:
                        yield plain(step.template)


def plain(template: str) -> str:
    """A clause with # for a number, ## for a list of numbers and Ana for a name."""
    return _NAME.sub("Ana", _LIST.sub("##", _PLACE.sub("#", template)))


if __name__ == "__main__":
    sys.stdout.write("\n".join(sorted(set(clauses()))) + "\n")
