"""Items of the bank per second on one core, and how many different questions there are.

    python benchmarks/items.py [--n 2000] [--reach 0]

Times are of the process, not of the wall. `--reach 100000` makes so many items of the default
design, no question twice, and prints how the depths and classes were met. For every form the
number of different questions is estimated from how many of its drawn problems come only once
and only twice (Chao's lower bound), over all its grades.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from schoolmath.malrules import FORMS, NotDrawn
from schoolmath.malrules.bank import BankDesign, RationaleStyle, check_item, make_items, offers
from schoolmath.problems.draws import Draws

GOAL = 500
DRAWN = 3_000


def speed(n: int, style: str) -> tuple[float, float]:
    """Items made and items checked per second of process time; the best of three rounds."""
    made = checked = 0.0
    for seed in range(3):
        began = time.process_time()
        items = list(make_items(BankDesign(n, seed, style=style)))
        made = max(made, n / (time.process_time() - began))
        began = time.process_time()
        for item in items:
            check_item(item)
        checked = max(checked, n / (time.process_time() - began))
    return made, checked


def at_least(form: str, grades: list[int]) -> tuple[int, int]:
    """Different questions seen in DRAWN draws, and Chao's lower bound for all there are."""
    seen: Counter[str] = Counter()
    for number in range(DRAWN):
        try:
            draws = Draws(f"{form}/{number}")
            seen[FORMS[form].draw(draws, grades[number % len(grades)]).stem()] += 1
        except NotDrawn:
            continue
    often = Counter(seen.values())
    return len(seen), len(seen) + often[1] * (often[1] - 1) // (2 * (often[2] + 1))


def main() -> None:
    """Prints a row per style and a row per form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=2_000)
    parser.add_argument("--reach", type=int, default=0)
    chosen = parser.parse_args()
    offers()
    print(f"{'style':10}{'made/s':>10}{'checked/s':>12}  goal {GOAL}/s made, terse")
    for style in RationaleStyle:
        made, checked = speed(chosen.n, style)
        print(f"{style:10}{made:10,.0f}{checked:12,.0f}")
    grades: dict[str, list[int]] = {}
    for offer in offers():
        if not offer.compared:
            grades.setdefault(offer.form, []).append(offer.grade)
    total = 0
    print(f"\n{'form':28}{'seen of ' + str(DRAWN):>14}{'at least':>14}")
    for form, of_form in sorted(grades.items()):
        seen, least = at_least(form, of_form)
        total += least
        print(f"{form:28}{seen:14,}{least:14,}")
    print(f"{'all forms':28}{'':14}{total:14,}")
    if chosen.reach:
        began = time.process_time()
        counts: Counter[str] = Counter()
        ids = set()
        for item in make_items(BankDesign(chosen.reach, 1)):
            ids.add(item.id)
            counts[f"DOK {item.dok}"] += 1
            counts[item.content_class] += 1
        rate = chosen.reach / (time.process_time() - began)
        print(f"\n{len(ids):,} different items, {rate:,.0f}/s: {dict(sorted(counts.items()))}")


if __name__ == "__main__":
    main()
