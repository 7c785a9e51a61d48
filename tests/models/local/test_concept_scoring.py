"""Concepts asked of a real transformer: both answers scored after one reading of the prompt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from biaslab.models import Likelihood, ModelForm, open_model
from biaslab.models.local.model import LocalModel
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.runs import RunStatus, open_store, prepare, run_here
from biaslab.studies import Design, experiment
from biaslab.studies.concepts.answers import run_answers
from biaslab.studies.concepts.results import by_concept, warnings_of
from tests.models.random_models import make_network, make_tokenizer

SETTINGS = {"shots": "2", "totals": "5-20"}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("concept model") / "llama"
    tokenizer = make_tokenizer()
    make_network("llama", len(tokenizer), max_position_embeddings=2048).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def requests(name: str = "likelihood", n: int = 3):
    study = experiment("concept-learning")
    strategy = next(each for each in study.strategies if each.name == name)
    pairs = study.pairs(Design(study.name, n, 1, SETTINGS))
    return [
        strategy.next_request(item, (), ModelForm.BASE) for p in pairs for item in (p.x, p.x_prime)
    ]


def test_scores_are_those_of_reading_prompt_and_answer_as_one_text(directory: Path):
    model = open_model(f"local:{directory}")
    assert isinstance(model, LocalModel)
    asked = requests()
    for index, found in model.likelihood(asked):
        assert isinstance(found, Likelihood)
        text = asked[index].messages[0].content
        for answer, score in zip(asked[index].continuations, found.log_probabilities, strict=True):
            tokens = torch.tensor(
                [model._encoder.encode(model._encoder.prompt(asked[index].messages), answer)]
            )
            start = len(model._encoder.encode(model._encoder.prompt(asked[index].messages)))
            with torch.inference_mode():
                plain = model._network.model(tokens).logits[0, start - 1 : -1].log_softmax(-1)
            exact = plain.gather(1, tokens[0, start:, None]).sum()
            assert score == pytest.approx(float(exact), abs=1e-3), text


def test_the_prompt_goes_through_the_model_once_for_both_answers(
    directory: Path, monkeypatch: pytest.MonkeyPatch
):
    model = open_model(f"local:{directory}")
    (request,) = requests(n=1)[:1]
    list(model.likelihood([request]))  # the engine tries itself out first, on texts of its own
    read: list[int] = []
    scores = model._network.scores

    def counted(tokens: torch.Tensor, *others):
        read.append(tokens.numel())
        return scores(tokens, *others)

    monkeypatch.setattr(model._network, "scores", counted)
    prompt = len(model._encoder.encode(model._encoder.prompt(request.messages)))
    list(model.likelihood([request]))
    assert prompt <= sum(read) < 1.1 * prompt


def test_a_run_on_a_local_model_from_design_to_figures(directory: Path, tmp_path: Path):
    with open_store(tmp_path / "runs.db") as store:
        design = Design("concept-learning", 6, 1, SETTINGS)
        run = prepare(store, design, f"local:{directory}", "likelihood")
        record = run_here(store, run)
        assert record.status is RunStatus.FINISHED
        (found,) = run_answers(store.answered_items([run]))
    figures = by_concept(found)
    # Three draws, each both ways
    assert [each.accuracy.n for each in figures] == [3, 3, 3, 3]
    assert all(0.0 < each.mass < 1.0 for each in figures)
    # Random weights were about to say something else, and that is said.
    assert "about to say something else" in " ".join(warnings_of(found))


def test_the_shipped_tiny_model_does_not_know_the_answers_and_that_is_no_no(tmp_path: Path):
    # Its weights without the card, for which it would be refused before it is asked.
    bare = tmp_path / "bare"
    cardless = shutil.ignore_patterns("model_card.json")
    shutil.copytree(TINY_MODELS / DEFAULT_NAME, bare, ignore=cardless)
    with open_store(tmp_path / "runs.db") as store:
        design = Design("concept-learning", 2, 1, SETTINGS)
        run = prepare(store, design, f"local:{bare}", "likelihood")
        run_here(store, run)
        (found,) = run_answers(store.answered_items([run]))
    assert {each.state for each in found.answers} == {"invalid"}
    assert "gives no real probabilities" in " ".join(warnings_of(found))
