"""Whether a proposed reading can be believed: a simulated proposer, with errors, on a corpus.

    .venv/bin/python benchmarks/proposals.py FILE [--tries N] [--seed S] [--show]

FILE as for benchmarks/corpus.py. Of every text the proposer makes N readings (default 60), each
with none to two typical errors; the second reading always agrees with the first, which is the worst
case. Prints of how many texts a right and a wrong reading was believed, apart for texts that the
readers read and for those that they refuse. With --show the ids of texts with a wrong one.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from schoolmath.problems.proposals import ProposalError, check
from schoolmath.problems.proposals.simulated import guessed, with_error
from schoolmath.problems.proposals.telling import work_out
from schoolmath.problems.stories import UnderstoodStory, answer
from schoolmath.problems.stories.understanding import account_of

CLOSE = 1e-4


def main(path: Path, tries: int, seed: str, *, show: bool) -> None:
    """Proposes readings of every text and prints what became of them."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    counts: dict[str, Counter[str]] = {}
    wrong = []
    for row in rows:
        text = row["text"]
        account = account_of(text)
        group = "read" if answer(text).answer is not None else "refused"
        sources = [group, *([f"{group}, in the formalism"] if row.get("in_formalism") else [])]
        made: Counter[str] = Counter(texts=1)
        if not isinstance(account, UnderstoodStory):
            random = Random(f"{row['id']}/{seed}")
            believed = set()
            for _ in range(tries):
                with suppress(ProposalError):
                    proposal = guessed(account, random)
                    for _ in range(random.choice((0, 0, 1, 2))):
                        proposal = with_error(proposal, random)
                    value = work_out(proposal).answer
                    near = abs(float(value) - row["answer"]) <= CLOSE * max(1, abs(row["answer"]))
                    made["right readings" if near else "wrong readings"] += 1
                    found = check(text, proposal, value)
                    if found.answer is not None:
                        made["wrong readings believed"] += not near
                        if show and not near and False not in believed:
                            print(row["id"], text, row["answer"], found, "\n")
                        believed.add(near)
            made["texts with a right one"] = int(made["right readings"] > 0)
            made["texts with a right one believed"] = int(True in believed)
            made["texts with a wrong one believed"] = int(False in believed)
            if False in believed:
                wrong.append(row["id"])
        for source in sources:
            counts.setdefault(source, Counter()).update(made)
    columns = (
        "texts", "right readings", "wrong readings", "wrong readings believed",
        "texts with a right one", "texts with a right one believed",
        "texts with a wrong one believed",
    )  # fmt: skip
    print(f"| by the readers | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}")
    for source, count in sorted(counts.items()):
        print(f"| {source} | {' | '.join(f'{count[each]:,}' for each in columns)} |")
    if show:
        print("\nWrong:", ", ".join(wrong))


if __name__ == "__main__":
    options = dict(zip(sys.argv[2:], sys.argv[3:], strict=False))
    main(
        Path(sys.argv[1]),
        int(options.get("--tries", 60)),
        options.get("--seed", "1"),
        show="--show" in sys.argv,
    )
