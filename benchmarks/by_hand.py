"""How many problems a person could enter by hand, simulated: changes that the guesses need.

    .venv/bin/python benchmarks/by_hand.py FILE [--inside] [--most 2]

FILE has a JSON object a line: id, text, answer, and `in_formalism` where that is known; --inside
takes only those where it is true. A corpus is no part of this repository. For every problem the
fewest places are searched whose guess must be changed, to any other choice of the form, so that the
answer is the corpus's. That is how near the forms are, not what people do: a filling that gives the
answer need not be what the text says. Guesses that give an answer unchanged are compared as well.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice, product
from pathlib import Path

from schoolmath.problems.proposals import AmountRelation, ProposedStatement
from schoolmath.problems.proposals.by_hand import read_by_hand, sheet_of
from schoolmath.problems.proposals.sheet import Meaning, ProblemSheet
from schoolmath.problems.proposals.statements import OF_TWO

CLOSE = 1e-4
"""The largest difference of two answers that are one, as a part of them."""

MOST_TRIED = 40_000
"""Fillings that are tried for a problem and a number of changes."""

_CHOICES = 4
"""Names, and things, that are tried."""


def main(path: Path, *, inside: bool, most: int) -> None:
    """Searches for every problem, and prints how many needed how many changes."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    rows = [row for row in rows if not inside or row.get("in_formalism")]
    needed: Counter[str] = Counter()
    unchanged: Counter[str] = Counter()
    for row in rows:
        sheet = sheet_of(row["text"])
        found = _answer(sheet, [place.guess for place in sheet.places])
        unchanged["none" if found is None else str(_near(found, row["answer"]))] += 1
        changes = next(
            (str(k) for k in range(most + 1) if _reaches(sheet, k, row["answer"])), "more"
        )
        needed[changes] += 1
    print("| places changed | problems |\n|---|--:|")
    for changes in [*map(str, range(most + 1)), "more"]:
        print(f"| {changes} | {needed[changes]} ({needed[changes] / len(rows):.0%}) |")
    print(
        f"\nUnchanged guesses: {unchanged['True']} right, {unchanged['False']} wrong, "
        f"{unchanged['none']} without an answer."
    )


def _answer(sheet: ProblemSheet, meanings: list[Meaning | None]) -> float | None:
    found = read_by_hand(sheet, meanings, told_again=False).answer
    return None if found is None else float(found)


def _near(found: float, expected: float) -> bool:
    return abs(found - expected) <= CLOSE * max(1, abs(expected))


def _reaches(sheet: ProblemSheet, changes: int, expected: float) -> bool:
    """Whether so many changed places give the answer."""
    for meanings in islice(_fillings(sheet, changes), MOST_TRIED):
        found = _answer(sheet, meanings)
        if found is not None and _near(found, expected):
            return True
    return False


def _fillings(sheet: ProblemSheet, changes: int) -> Iterator[list[Meaning | None]]:
    guesses = [place.guess for place in sheet.places]
    empty = {index for index, guess in enumerate(guesses) if guess is None}
    for places in combinations(range(len(guesses)), changes):
        if not empty <= set(places):
            continue
        for chosen in product(*(list(_choices(sheet, index)) for index in places)):
            meanings = list(guesses)
            for index, meaning in zip(places, chosen, strict=True):
                meanings[index] = meaning
            yield meanings


def _choices(sheet: ProblemSheet, index: int) -> Iterator[Meaning]:
    """What the form of a place can say."""
    place = sheet.places[index]
    names, things = sheet.names[:_CHOICES], sheet.things[:_CHOICES]

    def stated(
        relation: AmountRelation, who: tuple[str, ...], what: tuple[str, ...], whom: str
    ) -> Meaning:
        return Meaning(
            ProposedStatement(relation, who, what, place.number, place.asks, whom, place.sentence)
        )

    if not place.asks:
        yield Meaning(None)
    for relation, who, what in product(AmountRelation, ((), *((name,) for name in names)), things):
        if relation is AmountRelation.TOGETHER:
            continue
        whoms = (
            names
            if relation in OF_TWO
            else (*things, *names[:2])
            if relation is AmountRelation.HOLDS
            else ("",)
        )
        for whom in whoms:
            yield stated(relation, who, (what,), whom)
        if place.asks and relation is AmountRelation.HAS:
            yield Meaning(stated(relation, who, (what,), "").statement, at_first=True)
    for many, several in product((names[:2], names[:3], names[:1], ()), (1, 2, 3)):
        if len(many) > 1 or several > 1:
            yield stated(AmountRelation.TOGETHER, many, things[:several], "")


if __name__ == "__main__":
    most_changes = int(sys.argv[sys.argv.index("--most") + 1]) if "--most" in sys.argv else 2
    main(Path(sys.argv[1]), inside="--inside" in sys.argv, most=most_changes)
