"""Whether what was taught reaches school problems in other people's words.

    python -m research.adapters.school PROBLEMS.jsonl --work build/adapters

A line of the file is an object with `text` and `answer`, such as ASDiv's or SVAMP's problems. Used
are those of two numbers and one comparison that is not the question, whose answer is the sum or
the difference: "Jake has 34 fewer balls than Audrey. Audrey has 41 balls." is consistent, as fewer
is taken away; "Marcus has 210 cards. He has 58 more than Carter." is not. Each is asked by the odds
of its right answer against the other one. The texts of the two kinds differ in much else, so the
figure is how much more the odds of the consistent ones change by the lessons than those of the
others, within each problem. Nothing was predicted of it.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biaslab.models import Likelihood, LikelihoodRequest, Message
from biaslab.stats.errors import BrokenAssets
from biaslab.studies.strategies import ANSWER_CUE
from research.adapters.design import RATIOS, SEEDS, AdapterCell, AdapterMeasure
from research.adapters.estimates import value_words
from research.adapters.teaching import AnsweringModel, merged_model, model_in, unpacked
from research.experiment.estimates import One, StartsEstimate, over_starts
from schoolmath.problems.reading.shapes import split_words
from schoolmath.text.numbers import with_digits, with_plain_digits

_NUMBER = re.compile(r"\d+")
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_MORE = re.compile(r"\bmore\b(?=.*\bthan\b)", re.IGNORECASE)
_LESS = re.compile(r"\b(?:fewer|less)\b(?=.*\bthan\b)", re.IGNORECASE)
_QUESTION = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)

MOST_CHARACTERS = 300
"""Of a text; longer ones say more than the two numbers."""


@dataclass(frozen=True, slots=True)
class SchoolProblem:
    """A comparison of other people's.

    Attributes:
        text: as they wrote it; consistent: whether its word is that of the operation.
        right, reversed_: the answer, and what the other operation gives.
    """

    text: str
    consistent: bool
    right: int
    reversed_: int


def comparisons(lines: Iterable[Mapping[str, object]]) -> Iterator[SchoolProblem]:
    """The problems of two numbers and one comparison, each text once."""
    seen = set()
    for line in lines:
        text, answer = " ".join(str(line["text"]).split()), line["answer"]
        if text in seen or len(text) > MOST_CHARACTERS or not isinstance(answer, int | float):
            continue
        seen.add(text)
        found = _comparison(text, float(answer))
        if found is not None:
            yield found


def _comparison(text: str, answer: float) -> SchoolProblem | None:
    words = with_digits(split_words(with_plain_digits(text)))
    numbers = [int(word) for word in words if _NUMBER.fullmatch(word)]
    asked = [match.start() for match in _QUESTION.finditer(text)]
    if len(numbers) != 2 or len(_NUMBER.findall(with_plain_digits(text))) > 2 or len(asked) != 1:
        return None
    said = [match.start() for match in _THAN.finditer(text)]
    more, less = _MORE.search(text), _LESS.search(text)
    if len(said) != 1 or said[0] > asked[0] or (more is None) is (less is None):
        return None
    total, difference = sum(numbers), abs(numbers[0] - numbers[1])
    if answer not in (total, difference) or total == difference:
        return None
    added = answer == total
    return SchoolProblem(
        text, added is (more is not None), int(answer), difference if added else total
    )


def odds(problems: Sequence[SchoolProblem], model: AnsweringModel) -> list[float]:
    """Of the right against the reversed answer, in nats, a problem each."""
    requests = [
        LikelihoodRequest(
            (Message("user", each.text), Message("assistant", ANSWER_CUE)),
            (f" {each.right}", f" {each.reversed_}"),
        )
        for each in problems
    ]
    found = dict(model.likelihood(requests))
    likelihoods = [found[place] for place in range(len(requests))]
    for each in likelihoods:
        if not isinstance(each, Likelihood):
            raise BrokenAssets(f"The model gave no answer: {each}")
    return [each.log_probabilities[0] - each.log_probabilities[1] for each in likelihoods]


def change(
    problems: Sequence[SchoolProblem], before: Sequence[float], after: Sequence[float]
) -> One:
    """How much more the odds of consistent problems rose than those of the others."""
    risen: dict[bool, list[float]] = {True: [], False: []}
    for problem, one, other in zip(problems, before, after, strict=True):
        risen[problem.consistent].append(other - one)
    value = statistics.mean(risen[True]) - statistics.mean(risen[False])
    variance = sum(statistics.variance(each) / len(each) for each in risen.values())
    return One(value, math.sqrt(variance))


def measured(
    problems: Sequence[SchoolProblem], base: Path, keep: Path
) -> Iterator[tuple[tuple[int, int], StartsEstimate]]:
    """The change by each ratio, over the seeds whose adapters are there."""
    before = odds(problems, model_in(base))
    for ratio in RATIOS:
        by_seed = {}
        for seed in SEEDS:
            adapter = keep / AdapterCell(ratio, seed).name
            if adapter.is_dir():
                with merged_model(base, adapter) as model:
                    by_seed[seed] = change(problems, before, odds(problems, model))
        yield ratio, over_starts(by_seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: prints a line a ratio; 2 where it cannot."""
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}", description=__doc__)
    parser.add_argument("problems", type=Path)
    parser.add_argument("--work", type=Path, default=Path("build/adapters"))
    parser.add_argument("--base", type=Path)
    given = parser.parse_args(arguments)
    try:
        lines = map(json.loads, given.problems.read_text("utf-8").splitlines())
        problems = list(comparisons(lines))
        kinds = [sum(each.consistent is kind for each in problems) for kind in (True, False)]
        sys.stdout.write(f"{kinds[0]} consistent and {kinds[1]} inconsistent problems\n")
        for (first, other), estimate in measured(problems, unpacked(given.base), given.work):
            words = value_words(AdapterMeasure.ODDS, estimate)
            sys.stdout.write(f"{first}:{other} {words}, {estimate.n} seeds\n")
    except (BrokenAssets, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
