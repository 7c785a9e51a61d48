"""What is said about people comes from a study's or treatment's evidence, with its source."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from biaslab.charts import cate_chart
from biaslab.runs import open_store, prepare, run_here, save_set
from biaslab.stats import Effect
from biaslab.stats.estimates import Interval
from biaslab.studies import Design, Experiment, experiment
from biaslab.studies.decisions.biases import bias, bias_paths
from biaslab.studies.decisions.results import BiasScore
from biaslab.studies.effects import verdict_sentence
from biaslab.studies.published import ASSETS, human_baselines
from biaslab.studies.study import called_after, experiments
from biaslab.studies.word_problems.files.data_sets import data_set_card
from biaslab.studies.word_problems.treatments import treatments
from biaslab.ui.studies.decisions.queries import score_sentences
from tests.loops import over
from tests.runs.simulation import SumStudy
from tests.ui.conftest import Visit, words

ABOUT_PEOPLE = re.compile(
    r"\b(child(ren|-like)?|people|people's|human(s|-like)?|pupils|adults|learners)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Case:
    """A study as some design makes it."""

    name: str
    study: Experiment
    design: Design


def cases() -> Iterator[Case]:
    """Every study, every treatment, a bias of somebody's own, an imported set, a new study."""
    for name, study in experiments().items():
        yield Case(name, study, Design(name, 10, 1))
    for treatment in treatments():
        design = Design("composed", 10, 1, {"treatment": treatment})
        yield Case(f"composed {treatment}", experiment("composed"), design)
    own = Design("decision", 10, 1, {"bias": "anchoring,my-bias"})
    yield Case("a bias of one's own", experiment("decision"), own)
    yield Case(
        "an imported set", experiment("imported"), Design("imported", 1, 1, {"set": "fonts"})
    )
    yield Case("a new study", SumStudy(), Design("sums", 10, 1))  # type: ignore[arg-type]


CASES = [pytest.param(case, id=case.name) for case in cases()]


def _effect(study: Experiment, way: int) -> Effect:
    low, high = sorted((0.1 * way, 0.3 * way))
    right = Interval(0.4, 0.6)
    return Effect(
        study.name, "tiny", "tiny", "direct", "r", "all", None, 100, 100,
        getattr(study, "outcome_scale", None) is None, 0.5, right, 0.5, right, 0.2 * way, low,
        high, 0.01, 0.01, 0.01, 0.01, 0, 0, 0, 0, 0, 0.95, "imagined-pairs", False, "",
    )  # fmt: skip


def _score(bias_name: str, way: int) -> BiasScore:
    moved = Interval(*sorted((0.1 * way, 0.2 * way)))
    return BiasScore(
        "r", "tiny", "tiny", "choose", bias_name, 300, 290, 1, 0.3 * way, moved, 0.5, 0.15 * way,
        moved, 0.2, None, None, Interval(-0.1, 0.1), None, 0, 0, 0.95,
    )  # fmt: skip


def _sentences(case: Case) -> Iterator[str]:
    """All that is made from the study alone and may say something about people."""
    study = case.study.of_design(case.design)
    for way in (1, -1):
        effect = _effect(study, way)
        yield verdict_sentence(effect, study.arms, study)
        chart = cate_chart([effect], study.arms, experiment=study)
        yield chart.summary
        if study.name == "decision":
            yield from score_sentences(_score("all", way), study)
    card = data_set_card(case.study, case.design, 10, arms=study.arms)
    yield card[card.index("## Use") : card.index("## Before")]


@over("case", CASES)
def test_no_claim_about_people_stands_without_evidence_and_its_source(case: Case) -> None:
    study = case.study.of_design(case.design)
    people = None if study.expects is None else study.expects.people
    claims = [sentence for sentence in _sentences(case) if ABOUT_PEOPLE.search(sentence)]
    if people is None:
        assert claims == []
        return
    assert people.source
    assert people.confidence
    assert claims
    assert all(people.source in claim for claim in claims)


@over("case", CASES)
def test_the_axis_of_a_chart_names_people_only_where_there_is_evidence(case: Case) -> None:
    study = case.study.of_design(case.design)
    chart = cate_chart([_effect(study, 1)], study.arms, experiment=study)
    labels = " ".join(note.text or "" for note in chart.figure.layout.annotations)
    known = study.expects is not None and study.expects.people is not None
    if not known or study.name == "decision":
        assert not ABOUT_PEOPLE.search(labels)
    else:
        assert "(child-like)" in labels


def test_who_has_evidence_is_a_list_that_changes_on_purpose() -> None:
    known = [case.name for case in cases() if _people(case) is not None]
    assert known == [
        "consistency", "transfer-comparison", "carry", "composed", "decision",
        "composed consistency", "composed predicate", "composed carry",
    ]  # fmt: skip


def _people(case: Case) -> object:
    expects = case.study.of_design(case.design).expects
    return None if expects is None else expects.people


def test_evidence_is_in_the_table_of_what_is_known_about_people() -> None:
    with (ASSETS / "human_baselines.csv").open(encoding="utf-8", newline="") as file:
        sources = {(row["effect"], row["source"]) for row in csv.DictReader(file)}
    for study in experiments().values():
        people = None if study.expects is None else study.expects.people
        if people is None or not people.effect:
            continue
        assert any(
            effect == people.effect and source.startswith(people.source)
            for effect, source in sources
        )
        confidence = {b.confidence for b in human_baselines(people.effect, without_n=True)}
        assert people.confidence in confidence


def test_every_bias_of_the_app_names_its_publications() -> None:
    assert all(bias(name).references for name in bias_paths())


def test_a_hypothesis_without_a_source_says_so() -> None:
    for treatment in treatments().values():
        assert treatment.expects is not None
        assert bool(treatment.expects.source) == bool(treatment.source)
        assert ("no source" in treatment.expects.sentence) != bool(treatment.source)


def test_runs_of_different_treatments_share_no_claim() -> None:
    designs = [Design("composed", 10, 1, {"treatment": name}) for name in ("consistency", "giver")]
    assert called_after(experiment("composed"), designs).expects is None


def test_an_imported_set_is_not_said_to_be_harder_for_children(empty: Path, visit: Visit) -> None:
    made = experiment("consistency").pairs(Design("consistency", 12, 1))
    fonts = [replace(pair, strata={"steps": 1}) for pair in made]
    with open_store(empty) as store:
        kept = save_set(store, "Two fonts", fonts, "fonts.csv")
        design = Design("imported", 12, 1, {"set": kept.id})
        run = prepare(store, design, "learner:keyword", "direct")
        run_here(store, run)
    shown = words(visit("effects", runs=run))
    assert "“second member” kind was harder and chance hardly explains it" in shown
    assert "Nobody has said which member of these pairs should be easier" in shown
    assert "child" not in shown.lower()
