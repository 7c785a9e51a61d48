"""What the reader of free answers takes from worked solutions, compared with their last line.

    python benchmarks/answers.py solutions.jsonl [--part 0/2] [--show wrong]

The file holds a line of JSON a solution: `question`, `response` with its last line cut off, and
`stated`, the number that this line said. So what is read is the last result of the reasoning.

"Right": the same number. "Rounded": the same but for the digits that the last line left out
(266.67 and 266), which no reader can see. "Stated nowhere": another number, but what was stated
stands nowhere in the response. "Misread": any other number. "Unread": refused. Intervals are
Wilson's, at 95 %, as if solutions were independent.

`--part 3/4` takes the last of four parts of the questions, by a hash: look at some parts with
`--show` while working on the reader, and keep others to measure with.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from statsmodels.stats.proportion import proportion_confint

from biaslab.studies.answers import NumberReading, asked_by, read_number

VERDICTS = ("right", "rounded", "stated nowhere", "misread", "unread")


def verdict(reading: NumberReading, response: str, stated: str) -> str:
    """How a reading compares with what the last line said."""
    if reading.value is None:
        return "unread"
    written = stated.strip().replace(",", "")
    number = Fraction(written)
    if reading.value == number:
        return "right"
    decimals = len(written.partition(".")[2])
    if abs(reading.value - number) < Fraction(1, 10**decimals):
        return "rounded"
    if re.search(rf"(?<![\d.]){re.escape(written)}(?!\d)", response.replace(",", "")) is None:
        return "stated nowhere"
    return "misread"


def solutions(path: Path, part: int, parts: int) -> Iterator[Mapping[str, str]]:
    """The solutions to one part of the questions."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if int(_position(row["question"]) * parts) == part:
                yield row


def _position(question: str) -> float:
    """A number from 0 to 1 that only depends on the question."""
    digest = sha256(question.encode()).digest()
    return sum((byte & 1) / 2**place for place, byte in enumerate(digest[:32], 1))


def main() -> None:
    """Prints a row per verdict, for the reader with and without the question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("solutions", type=Path)
    parser.add_argument("--part", default="0/1", help="such as 0/2: the first of two parts")
    parser.add_argument("--show", choices=VERDICTS, help="print these solutions")
    options = parser.parse_args()
    part, parts = (int(number) for number in options.part.split("/"))
    rows = list(solutions(options.solutions, part, parts))
    print(f"{len(rows)} solutions, part {part} of {parts}")
    for with_question in (True, False):
        counts: Counter[str] = Counter()
        for row in rows:
            asked = {"asked": asked_by(row["question"])} if with_question else {}
            reading = read_number(row["response"], expects="continuation", **asked)
            found = verdict(reading, row["response"], row["stated"])
            counts[found] += 1
            if with_question and found == options.show:
                print(f"\n{row['question']}\n{row['response']}")
                print(f"-> {reading.text or reading.rule}; stated {row['stated']}")
        print("\nthe question known" if with_question else "\nthe question unknown")
        for name in VERDICTS:
            low, high = proportion_confint(counts[name], len(rows), method="wilson")
            share = counts[name] / max(len(rows), 1)
            print(f"{name:15} {counts[name]:5} {share:7.2%}  ({low:.2%} to {high:.2%})")


if __name__ == "__main__":
    main()
