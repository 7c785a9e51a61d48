"""What the reader of free answers takes from worked solutions, compared with their last line.

    python benchmarks/answers.py solutions.jsonl [--part 0/2] [--show wrong]

The file holds a line of JSON a solution: `question`, `response` with its last line cut off, and
`stated`, the number that this line said. So what is read is the last result of the reasoning.

"Right": the same number. "Rounded": the same but for the digits that the last line left out
(266.67 and 266), which no reader can see. "Stated nowhere": another number, but what was stated
stands nowhere in the response. "Misread": any other number. "Unread": refused. Intervals are
Wilson's, at 95 %, as if solutions were independent.

`--put-in SOLUTIONS` puts sentences that answer nothing before and after so many of the solutions,
one at a time, and counts how often another number is read than without. Reader 4 was mended against
`SEEN`; `FRESH` was written before its last mends, which knew the shares of `FRESH` alone: fresher,
and not unseen. With `--marked` the answer stands below each solution that is read rightly, in one
of several ways, and the sentences below it.

`--part 3/4` takes the last of four parts of the questions, by a hash: look at some parts with
`--show` while working on the reader, and keep others to measure with.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from statsmodels.stats.proportion import proportion_confint

from biaslab.studies.answers import NumberReading, asked_by, read_number

VERDICTS = ("right", "rounded", "stated nowhere", "misread", "unread")

SEEN = (
    "I hope this helps!", "So 3 friends get the same.", "(That is 12 more than before.)",
    "Let me know if you need 2 more examples.", "Note that 1 dozen is 12.",
    "This uses 2 operations.", "These 2 steps solve the problem.", "We used addition 3 times.",
    "I double-checked this in 2 ways.", "There are 7 days in a week, as you know.",
    "This problem has 4 numbers.", "It is a problem for grade 3.",
    "Each step took less than 5 seconds.", "You can ask me up to 10 questions.",
    "Hope that helps, and have a 5 star day!", "That was question 4 of 10.",
    "See example 7 in the book.", "(See page 14.)", "This is about 2 times as much as before.",
    "That is 5 less than 100.", "In other words, 4 people could share it.",
    "Rounded to 2 decimals where needed.", "The units are kept in all 3 lines.",
    "Ratio: 2 to 1.", "Remember that 60 minutes make 1 hour.",
    "Thanks for the question, it has 3 parts.", "[Answer checked by 2 people]", "PS: 1 + 1 = 2.",
    "For comparison, another person has 9.", "If there were 10 more, it would be different.",
)  # fmt: skip
FRESH = (
    "It took me 6 tries to see it.", "Therefore 8 classmates would agree.",
    "By the way, a week has 7 days.", "My teacher showed 2 such tasks.", "Fun fact: 11 is a prime.",
    "Compare this with exercise 9b.", "Only 3 of these facts were needed.",
    "Altogether I wrote 5 sentences.", "Thus 2 methods lead here.", "5 stars for this puzzle!",
    "Last year somebody else got 13.", "Also, 2 + 2 = 4, as always.",
    "That would be nearly 20 if one rounds.", "A pupil of 10 years can do this.",
    "Total time: 4 minutes.", "The first line uses 2 brackets.",
)  # fmt: skip
BEFORE = (
    "Sure! Here are the 3 steps:", "Let's solve this in 2 steps.", "This is a 2-step problem.",
    "I will use 3 facts.", "First I list the 4 numbers.", "There are 2 unknowns.", "Problem 12:",
    "Here is method 1 of 2.", "OK, 100% sure I can do this.",
)  # fmt: skip
MARKS = (
    "The answer is {}.", "The answer is **{}**.", "#### {}", r"$\boxed{{{}}}$", "**{}**", "{}",
)  # fmt: skip


def marked(rows: Sequence[Mapping[str, str]], mark: str) -> list[Mapping[str, str]]:
    """The solutions that are read rightly, with their answer below them."""
    return [
        {**row, "response": f"{row['response'].rstrip()}\n{mark.format(row['stated'])}"}
        for row in rows
        if verdict(_read(row), row["response"], row["stated"]) == "right"
    ]


def _read(row: Mapping[str, str]) -> NumberReading:
    return read_number(row["response"], target=asked_by(row["question"]), form="chat")


def put_in(rows: Sequence[Mapping[str, str]]) -> None:
    """Prints how often a sentence that answers nothing changes what is read."""
    for name, sentences in (("after, seen", SEEN), ("after, fresh", FRESH), ("before", BEFORE)):
        counts: Counter[str] = Counter()
        for row in rows:
            response, asked = row["response"].rstrip(), asked_by(row["question"])
            alone = read_number(response, target=asked, form="chat").value
            if alone is None:
                continue
            for sentence in sentences:
                both = (sentence, response) if name == "before" else (response, sentence)
                value = read_number("\n".join(both), target=asked, form="chat").value
                counts["unread" if value is None else "same" if value == alone else "another"] += 1
        texts = sum(counts.values())
        if not texts:
            print(f"{name:13} no solution can be read without them")
            continue
        low, high = proportion_confint(counts["another"], texts, method="wilson")
        print(
            f"{name:13} {texts:6} texts: another number {counts['another'] / texts:.2%} "
            f"({low:.2%} to {high:.2%}), unread {counts['unread'] / texts:.2%}"
        )


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
    parser.add_argument("--put-in", type=int, metavar="SOLUTIONS", help="put sentences into these")
    parser.add_argument("--marked", action="store_true", help="with the answer below them")
    options = parser.parse_args()
    part, parts = (int(number) for number in options.part.split("/"))
    rows = list(solutions(options.solutions, part, parts))
    if options.put_in:
        some = rows[:: max(len(rows) // options.put_in, 1)]
        for mark in MARKS if options.marked else ():
            print(f"\n{mark}")
            put_in(marked(some, mark))
        if not options.marked:
            put_in(some)
        return
    print(f"{len(rows)} solutions, part {part} of {parts}")
    for with_question in (True, False):
        counts: Counter[str] = Counter()
        for row in rows:
            asked = {"asked": asked_by(row["question"])} if with_question else {}
            reading = read_number(row["response"], form="chat", **asked)
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
