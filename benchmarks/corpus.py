"""How many of a corpus's problems are read, and how many of the answers are wrong.

    .venv/bin/python benchmarks/corpus.py FILE [--disagreements]

FILE has a JSON object a line: id, text, answer; the source is the id up to its first hyphen. A
corpus is no part of this repository. Answers are compared to 1 in 10,000. Prints a table by source
with 95 % intervals (Wilson), the refusals counted by reason, how many texts a CPU second, and with
--disagreements the ids of answers that differ (a corpus's own answer may be faulty).
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

from biaslab.stats.estimates import wilson
from schoolmath.problems.stories import answer
from schoolmath.text.figures import percent

CLOSE = 1e-4
"""The largest difference of two answers that are one, as a part of them."""


def main(path: Path, *, disagreements: bool) -> None:
    """Reads every problem and prints what came of it."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    answer(rows[0]["text"])
    counts: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    differing = []
    started = time.process_time()
    for row in rows:
        found = answer(row["text"])
        source = re.split("[-_]", row["id"])[0]
        count = counts.setdefault(source, Counter())
        count["n"] += 1
        if found.answer is None:
            reasons[re.sub("“[^”]*”(, )?", "… ", found.reasons[0])] += 1
            continue
        near = abs(float(found.answer) - row["answer"]) <= CLOSE * max(1, abs(row["answer"]))
        count["right" if near else "wrong"] += 1
        if not near:
            differing.append(row["id"])
    seconds = time.process_time() - started
    counts["all"] = sum(counts.values(), Counter())
    print("| source | problems | right | wrong | wrong of answered |\n|---|--:|--:|--:|--:|")
    for source, count in counts.items():
        answered = count["right"] + count["wrong"]
        part = "-"
        if answered:
            interval = wilson(count["wrong"], answered)
            share = percent(count["wrong"] / answered)
            part = f"{share} ({percent(interval.low)} to {percent(interval.high)})"
        right = f"{count['right']} ({percent(count['right'] / count['n'], 1)})"
        print(f"| {source} | {count['n']} | {right} | {count['wrong']} | {part} |")
    print(f"\n{len(rows) / seconds:,.0f} texts a CPU second\n")
    for reason, many in reasons.most_common(12):
        print(f"{many:6} {reason}")
    if disagreements:
        print("\nDiffer:", ", ".join(differing))


if __name__ == "__main__":
    main(Path(sys.argv[1]), disagreements="--disagreements" in sys.argv)
