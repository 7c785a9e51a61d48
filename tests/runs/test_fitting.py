"""Who can be asked which study: a model without the skill is refused before anything is asked."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from biaslab.models import (
    EVERY_SKILL,
    LEARNERS,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Skill,
    identify,
)
from biaslab.models.spec import able, full_spec
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.runs import RunStatus, Store, UnfitModel, prepare, run_here, save_set
from biaslab.runs.engine.sources import installed
from biaslab.runs.estimating import estimate
from biaslab.runs.fitting import check_shown, why_unfit
from biaslab.studies import Design, Experiment, experiment
from biaslab.studies.study import experiments
from tests.loops import over

TINY = ("tiny", "tiny:skewed", "tiny:balanced", "tiny:skewed@0016k")
SOLVERS = (
    "perfect", "keyword", "halfway", "comparer", "carry-dropper", "careless", "coin", "forgetful",
    "shy", "novice", "key-drawn", "longest", "always-plus", "unsure", "shortest", "words",
)  # fmt: skip
WEIGHERS = ("even", "tipped")
CHOOSERS = (
    "perfect", "coin", "key-drawn", "longest", "random", "unsure", "shortest", "words", "agrees",
    "doubts", "half-seeing", "gives-in", "fitting-hints", "no-hints",
)  # fmt: skip
CAN = {
    "consistency": SOLVERS,
    "transfer-comparison": SOLVERS,
    "carry": SOLVERS,
    "composed": SOLVERS,
    "imported": SOLVERS,
    **dict.fromkeys(
        ("malgorithm", "trap", "wrong-step", "next-answer", "pressure", "hint"), CHOOSERS
    ),
    "concept-learning": (
        "random", "ratio", "count", "always-yes", "up-biased", "down-lost", "total", "last-label",
        "nearest",
    ),
    "decision": ("random", "swayed", "first-option", "scale-end", "anchored"),
    **dict.fromkeys(("consistency-odds", "transfer-comparison-odds", "carry-odds"), WEIGHERS),
}  # fmt: skip
"""The learners that can be asked each study. Tiny models can where these solve problems or weigh
their answers."""

COMBINATIONS = [
    (study, spec, (spec.startswith("tiny") and can in (SOLVERS, WEIGHERS)) or spec[8:] in can)
    for study, can in CAN.items()
    for spec in (*TINY, *(f"learner:{learner.name}" for learner in LEARNERS))
]


def _design(store: Store, study: str) -> Design:
    if study != "imported":
        return Design(study, 4, 1)
    pairs = list(experiment("consistency").pairs(Design("consistency", 4, 1)))
    return Design(study, 4, 1, {"set": save_set(store, "Pairs", pairs, "pairs.csv").id})


def _first_strategy(study: str) -> str:
    return experiment(study).strategies[0].name


def test_the_matrix_has_every_study() -> None:
    assert set(CAN) == set(experiments())


@over("study, spec, can", COMBINATIONS)
def test_whoever_lacks_the_skill_is_refused_naming_who_has_it(
    store: Store, study: str, spec: str, can: bool
) -> None:
    asked = (store, _design(store, study), spec, _first_strategy(study))
    if can:
        assert prepare(*asked)
        return
    before = store.runs()
    for start in (prepare, estimate):
        with pytest.raises(UnfitModel) as refused:
            start(*asked)
        message = str(refused.value)
        assert f"{full_spec(spec)} cannot" in message
        assert f"learner:{CAN[study][0]}" in message
        assert "openai:NAME" in message
    assert store.runs() == before


@over("study, learner", [(study, learner) for study, can in CAN.items() for learner in can])
def test_a_learner_that_is_let_in_is_read(store: Store, study: str, learner: str) -> None:
    design = _design(store, study)
    if learner == "anchored":  # It follows an anchor, so it answers where there is one.
        design = replace(design, settings={"bias": "anchoring"})
    for strategy in experiment(study).strategies:
        run = prepare(store, design, f"learner:{learner}", strategy.name)
        record = run_here(store, run)
        assert (record.status, record.failed) == (RunStatus.FINISHED, 0), record.message
        assert record.answered > 0


@pytest.mark.parametrize("study", CAN)
def test_language_models_can_be_asked_everything(study: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(
        TINY_MODELS / DEFAULT_NAME, bare, ignore=shutil.ignore_patterns("model_card.json")
    )
    for spec in (f"local:{bare}", "openai:some-model"):
        assert why_unfit(experiment(study), identify(spec)) == ""


def test_a_tiny_model_in_a_directory_is_a_tiny_model() -> None:
    model = identify(f"local:{TINY_MODELS / DEFAULT_NAME}")
    assert why_unfit(experiment("carry"), model) == ""
    assert "cannot choose between options" in why_unfit(experiment("decision"), model)


def test_those_who_are_named_can() -> None:
    for skill in Skill:
        assert able(skill)
        assert all(skill in identify(spec).skills for spec in able(skill))


def test_a_run_from_before_is_refused_when_it_is_asked_again(store: Store) -> None:
    lenient = installed(store)
    lenient = replace(
        lenient,
        identify=lambda spec, access: replace(identify(spec, access=access), skills=EVERY_SKILL),
    )
    asked = (Design("consistency", 4, 1), "learner:random", "direct")
    run = prepare(store, *asked, sources=lenient)
    record = run_here(store, run)
    assert record.status is not RunStatus.FINISHED
    assert record.answered + record.invalid == 0
    assert "learner:random cannot solve word problems" in record.message


def test_every_study_says_what_it_asks() -> None:
    for study in experiments().values():
        found: Experiment = study
        assert isinstance(found.asks, Skill)


class TestADesignThatShowsPictures:
    SHOWN: ClassVar = {"pictures": "shown", "content_class": "data analysis", "grade": "3-5"}

    def design(self, **chosen: str) -> Design:
        return Design("malgorithm", 30, 1, {**self.SHOWN, **chosen})

    def test_is_refused_to_a_model_that_sees_none(self, store: Store, tmp_path: Path) -> None:
        # Weights without the card that says that they know word problems alone.
        bare = tmp_path / "bare"
        without = shutil.ignore_patterns("model_card.json")
        shutil.copytree(TINY_MODELS / DEFAULT_NAME, bare, ignore=without)
        with pytest.raises(UnfitModel, match=r"sees no pictures.*pictures in words"):
            prepare(store, self.design(), f"local:{bare}", "simple")
        assert store.runs() == []
        assert prepare(store, self.design(pictures="in words"), f"local:{bare}", "simple")

    def test_is_asked_of_learners_who_know_what_is_asked(self, store: Store) -> None:
        run = run_here(store, prepare(store, self.design(), "learner:perfect", "simple"))
        assert (run.status, run.failed) == (RunStatus.FINISHED, 0)

    def test_is_asked_of_a_chat_model_on_a_server(self) -> None:
        pairs = list(experiment("malgorithm").pairs(self.design()))
        model = ModelIdentity("openai:m", ModelKind.LANGUAGE_MODEL, "1", ModelForm.CHAT)
        check_shown(model, pairs)
        with pytest.raises(UnfitModel):
            check_shown(replace(model, form=ModelForm.BASE), pairs)
