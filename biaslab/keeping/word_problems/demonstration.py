"""The demo: two tiny models that differ in their lessons alone are asked the same problems.

    python -m biaslab.keeping.word_problems.demonstration

asks both here and writes down the answers to one of the pairs (assets/demo/example.json), for
screens that show what a wrong answer looks like before anything was asked. They are answers that
these models gave; a test asks the models again and compares.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from biaslab.models import Completion
from biaslab.models.tiny.model import tiny_spec
from biaslab.runs.engine.prepare import prepare
from biaslab.runs.engine.runner import run_here
from biaslab.runs.store.records import MemberDetail, PairRow, Pattern
from biaslab.runs.store.store import Store, open_store
from biaslab.studies import Design, Pair, experiment

DESIGN = Design("consistency", 150, 1, {"steps": "1-1", "operations": "additive"})
"""One calculation, plus or minus: problems that both models can do as far as their cards say."""

STRATEGY = "cot"

MISLED = tiny_spec("skewed")
"""Its lessons had five consistent comparisons for each inconsistent one."""

BALANCED = tiny_spec("balanced")
"""As many of the one as of the other, and alike in everything else."""

MODELS = (MISLED, BALANCED)

EXAMPLE = Path(__file__).resolve().parents[3] / "assets" / "demo" / "example.json"


@dataclass(frozen=True, slots=True)
class Given:
    """What a model gave to one problem.

    Attributes:
        responses: its texts, word for word, one for each time it was asked.
        value: the answer as read; right: whether it is the right one.
    """

    responses: tuple[str, ...]
    value: str
    right: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model gave to both members of the pair.

    Attributes:
        model, revision: which model, exactly.
        x, x_prime: what it gave.
    """

    model: str
    revision: str
    x: Given
    x_prime: Given


@dataclass(frozen=True, slots=True)
class Example:
    """A pair of the demo and what the models of the demo gave.

    Attributes:
        number: which of the demo's pairs, from 1; pair: its id.
        strategy: how it was asked.
        answers: of `MODELS`, in their order.
    """

    number: int
    pair: str
    strategy: str
    answers: tuple[Answered, ...]


def example() -> Example:
    """The example that comes with the app."""
    content = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    answers = [
        Answered(each["model"], each["revision"], _given(each["x"]), _given(each["x_prime"]))
        for each in content["answers"]
    ]
    return Example(content["number"], content["pair"], content["strategy"], tuple(answers))


def pair_of(number: int) -> Pair:
    """The demo's pair of this number, from 1."""
    design = Design(DESIGN.study, number, DESIGN.seed, DESIGN.settings)
    return list(experiment(DESIGN.study).pairs(design))[-1]


def make_example(store: Store) -> Example:
    """Asks both models all pairs, and takes the first that shows the error and nothing else.

    That is the first pair of which the misled model gets the inconsistent member alone wrong, by
    exactly the reversed operation, and the balanced model none.
    """
    # The catalogue of rules takes a moment to load, which screens do not wait for.
    from biaslab.studies.word_problems.inside.reversals import reversals

    runs = {spec: prepare(store, DESIGN, spec, STRATEGY) for spec in MODELS}
    for run in runs.values():
        run_here(store, run)
    balanced = {row.pair for row in _rows(store, runs[BALANCED], Pattern.BOTH_RIGHT)}
    wrong = store.wrong_answers(runs[MISLED], 2 * DESIGN.n)
    for row in _rows(store, runs[MISLED], Pattern.ONLY_X):
        (counted,) = reversals(wrong[wrong["item"] == row.item_x_prime])
        if counted.reversed > counted.miscalculated and row.pair in balanced:
            answers = [_answered(store, runs[spec], row.pair) for spec in MODELS]
            return Example(row.position + 1, row.pair, STRATEGY, tuple(answers))
    raise LookupError("No pair of the demo shows the error alone: choose another seed.")


def _rows(store: Store, run: str, pattern: Pattern) -> list[PairRow]:
    return store.pair_rows(run, (pattern,), limit=DESIGN.n)


def _answered(store: Store, run: str, pair: str) -> Answered:
    record, found = store.run(run), store.pair_detail(run, pair)
    return Answered(record.model_spec, record.model_revision, _kept(found.x), _kept(found.x_prime))


def _kept(member: MemberDetail) -> Given:
    answers = [stage.answered for stage in member.stages]
    texts = [answer.text for answer in answers if isinstance(answer, Completion)]
    assert member.reading is not None  # only pairs that were answered are taken
    return Given(tuple(texts), str(member.reading.value), member.reading.outcome == 1)


def _given(content: Mapping[str, Any]) -> Given:
    return Given(tuple(content["responses"]), content["value"], content["right"])


def main() -> None:
    """Writes the example anew."""
    with tempfile.TemporaryDirectory() as directory, open_store(Path(directory) / "d.db") as store:
        found = make_example(store)
    EXAMPLE.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(found), indent=1, ensure_ascii=False)
    EXAMPLE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
