"""Whether a sentence that is put into a problem makes the reader of stories silently wrong.

    .venv/bin/python benchmarks/inserted.py FILE [--seed S] [--show N]

FILE is as for `corpus.py`. Into each problem that is answered rightly a sentence is put that leaves
its answer as it is: of some of the things it is said what they are like or where they came from,
somebody who is not in the story has some as well, there is another thing. The answer must stay, or
the text be refused. What somebody else has does count where the question asks what "they" have;
such questions are left out there. Then sentences are put in that do change it, by an amount which
nobody tells: some are lost; something happens again. There the same answer as before is the error
where a state is asked for, and a refusal is right. Last, single words are changed so that the
answer of before can't be right: somebody is asked about who is not there, a number is "nearly" one,
what was had is denied, things become boxes of them. Prints the counts by kind, with an interval.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from pathlib import Path

from biaslab.stats.estimates import wilson
from schoolmath.problems.stories import answer
from schoolmath.text.figures import percent

CLOSE = 1e-4
SAID = {
    "what some are like": "{k} {noun} are old.",
    "what a part is like": "{k} of the {noun} are old.",
    "what shape a part is in": "{k} of them are in good shape.",
    "where a part came from": "{k} of these {noun} came from a friend.",
    "somebody else": "Zelda has {k} {noun}.",
    "another thing": "There are also {k} lamps.",
}
CHANGING = {
    "some are lost": "Then some of the {noun} were lost.",
    "a few are given away": "After that a few {noun} were given away.",
    "it happens again": "Then the same happened again.",
}
ONCE = r"(?<![\w.,$/-])(?P<n>\d+)(?![\w,./-]*\d)"
WORDS = {
    "somebody who is not there": (r"(?<=[a-z] )(?P<one>[A-Z][a-z]{2,})\b(?=[^.?!]*\?)", "Zelda"),
    "somebody's who is not there": (r"how many (?P<noun>[a-z]+s)\b", "how many of Zelda's {noun}"),
    "a thing that is not there": (r"(?<=ow many )(?P<noun>[a-z]+s)\b", "trumpets"),
    "another time": (r"\?$", " a week later?"),
    "nearly": (ONCE, "nearly {n}"),
    "denied": (r"\bhad (?=\d)", "did not have "),
    "boxes of them": (ONCE + r" (?P<noun>[a-z]+s)\b(?! of)", "{n} boxes of {noun}"),
}
"""Words that are changed once in a text, each kind by itself; a name must stand in the rest too."""

STATE = re.compile(r"\b(have|has|are|is) (?:\w+ )*(?:left|now|there|have|remain)\b[^?]*\?$")
ABOUT_ALL = re.compile(r"\bthey\b|\btheir\b|altogether|in all|in total", re.IGNORECASE)


def main() -> None:
    """Prints a row for each kind of sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--show", type=int, default=0, help="changed answers to print of each kind")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*SAID, *CHANGING, *WORDS)}
    for line in options.file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text, right = row["text"].strip(), row["answer"]
        found = answer(text).answer
        if found is None or abs(float(found) - right) > CLOSE * max(1, abs(right)):
            continue
        for name, (words, put) in WORDS.items():
            match = re.search(words, text)
            if match is None or (
                name == "somebody who is not there" and match[0] not in text[: match.start()]
            ):
                continue
            new = text[: match.start()] + put.format(**match.groupdict()) + text[match.end() :]
            then = answer(new).answer
            kind = "refused" if then is None else "same" if then == found else "changed"
            counts[name][kind] += 1
            if kind == "same" and counts[name][kind] <= options.show:
                print(f"{then} still: {new}")
        sentences = re.split(r"(?<=[.!?])\s+", text)
        told = re.search(r"\b(\d+) ((?:[a-z]+ )?[a-z]+s)\b", sentences[0])
        if told is None or len(sentences) < 2 or int(told[1]) < 4:
            continue
        for name, said in SAID.items():
            if name == "somebody else" and ABOUT_ALL.search(text):
                continue
            for at in {1, len(sentences) - 1}:
                k = rng.randint(2, int(told[1]) - 1)
                new = [*sentences[:at], said.format(k=k, noun=told[2]), *sentences[at:]]
                then = answer(" ".join(new)).answer
                kind = "refused" if then is None else "same" if then == found else "changed"
                counts[name][kind] += 1
                if kind == "changed" and counts[name][kind] <= options.show:
                    print(f"{then} for {found}: {' '.join(new)}")
        for name, said in CHANGING.items():
            if not STATE.search(sentences[-1]):
                continue
            new = [*sentences[:-1], said.format(noun=told[2]), sentences[-1]]
            then = answer(" ".join(new)).answer
            kind = "refused" if then is None else "same" if then == found else "changed"
            counts[name][kind] += 1
            if kind != "refused" and counts[name][kind] <= options.show:
                print(f"{then} for {found}: {' '.join(new)}")
    print("| put in | texts | same | refused | changed | wrong |\n|---|--:|--:|--:|--:|--:|")
    for name, count in counts.items():
        n = count.total()
        wrong = count["same"] if name in WORDS else count["changed"]
        wrong += count["same"] if name in CHANGING else 0
        interval = wilson(wrong, n)
        share = f"{wrong} ({percent(interval.low)} to {percent(interval.high)})"
        kinds = " | ".join(str(count[kind]) for kind in ("same", "refused", "changed"))
        print(f"| {name} | {n} | {kinds} | {share} |")


if __name__ == "__main__":
    main()
