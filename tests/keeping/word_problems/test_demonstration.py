"""The demo's example: answers that the shipped models give, asked again here."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.keeping.word_problems.demonstration import (
    BALANCED,
    DESIGN,
    EXAMPLE,
    MISLED,
    MODELS,
    STRATEGY,
    Answered,
    Given,
    example,
    pair_of,
)
from biaslab.models import Completion, ModelForm, identify, open_model
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Pair, experiment
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.word_problems.inside.reversals import reversals
from biaslab.text.figures import percent, signed_points

DOCS = EXAMPLE.parents[2] / "docs" / "tiny-model.md"

FOUND = example()


def asked_again(spec: str, pair: Pair) -> Answered:
    """The answers of a model to a pair, asked here and now, one request at a time."""
    model = open_model(spec, device="cpu")
    strategy = next(each for each in PUBLISHED_STRATEGIES if each.name == FOUND.strategy)
    study = experiment(DESIGN.study)
    given = []
    for item in (pair.x, pair.x_prime):
        answers: list[Completion] = []
        while (request := strategy.next_request(item, answers, model.identity.form)) is not None:
            ((_, answer),) = model.generate([request])
            assert isinstance(answer, Completion)
            answers.append(answer)
        reading = study.read(item, answers, ModelForm.BASE)
        texts = tuple(answer.text for answer in answers)
        given.append(Given(texts, str(reading.value), reading.outcome == 1))
    return Answered(spec, model.identity.revision, *given)


def test_it_is_a_pair_of_the_demo() -> None:
    assert pair_of(FOUND.number).id == FOUND.pair
    assert [answered.model for answered in FOUND.answers] == list(MODELS)


@pytest.mark.parametrize("answered", FOUND.answers, ids=lambda answered: answered.model)
def test_a_shipped_model_asked_again_gives_what_the_screens_show(answered: Answered) -> None:
    assert answered.revision == identify(answered.model).revision, (
        f"The models have changed: write {EXAMPLE.name} anew with "
        "`python -m biaslab.keeping.word_problems.demonstration`."
    )
    assert asked_again(answered.model, pair_of(FOUND.number)) == answered


def test_it_shows_the_error_in_one_model_and_not_in_the_other() -> None:
    by_model = {answered.model: answered for answered in FOUND.answers}
    assert (by_model[MISLED].x.right, by_model[MISLED].x_prime.right) == (True, False)
    assert (by_model[BALANCED].x.right, by_model[BALANCED].x_prime.right) == (True, True)
    (step,) = pair_of(FOUND.number).x_prime.facts["steps"]
    left, right = int(step["left"]), int(step["right"])
    reversed_ = left - right if step["operation"] == "+" else left + right
    assert by_model[MISLED].x_prime.value == str(reversed_)


def test_the_docs_say_what_the_demo_shows(tmp_path: Path) -> None:
    docs = DOCS.read_text(encoding="utf-8")
    with open_store(tmp_path / "runs.db") as store:
        for model in MODELS:
            run = prepare(store, DESIGN, model, STRATEGY)
            run_here(store, run)
            answers = store.outcomes([run])
            right, misled = (int(answers[arm].sum()) for arm in ("y_x", "y_x_prime"))
            row = (
                f"| `{model}` | {right} of {len(answers)} | {misled} of {len(answers)} | "
                f"{signed_points((right - misled) / len(answers))} | {len(answers) - misled} |"
            )
            assert row in docs
            if found := reversals(store.wrong_answers(run, 2 * DESIGN.n)):
                (counted,) = found
                said = (
                    f"| {counted.reversed} ({percent(counted.share)}; operations at random "
                    f"{percent(counted.by_operation)},"
                )
                assert f"{row.removesuffix(' |')} {said}" in docs
