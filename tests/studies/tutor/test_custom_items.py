"""The questions about tutors on somebody's own problems: a set of items that was imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.files.items import ImportedItem
from biaslab.runs import Store, open_store, study_in
from biaslab.runs.library.sets import delete_items, save_items
from biaslab.studies import Design
from biaslab.studies.tutor.check import MEASURES
from schoolmath.problems import DesignError

QUESTIONS = (
    ImportedItem("52 - 17 = ?", ("35", "45"), "A"),
    ImportedItem("How much is 3/4 of 20?", ("60", "15"), "B"),
    ImportedItem("Find the median of 4, 8, 6, 2", ("5", "6"), "A"),
    ImportedItem("Work out 0.3 + 0.25.", ("0.28", "0.55"), "B"),
)
UNFIT = (
    ImportedItem("Who wrote Hamlet?", ("Ann", "Will"), "B"),
    ImportedItem("431 - 163", ("332", "268"), "A"),  # the key is a wrong answer
    ImportedItem("61 - 24", ("37", "43"), "A", passage="A sum:"),  # a text goes before it
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as store:
        save_items(store, "ours", [*QUESTIONS, *UNFIT], "a test")
        yield store


def design(study: str, n: int = 4, **more: str) -> Design:
    return Design(study, n, 1, {"items": "ours", **more})


def test_every_study_asks_questions_in_their_own_words_and_only_those_without_a_doubt(
    store: Store,
) -> None:
    for measure in MEASURES:
        n = 1 if measure.study == "trap" else 4
        for pair in study_in(store, measure.study).pairs(design(measure.study, n)):
            for item in (pair.x, pair.x_prime):
                asked = [
                    each.question for each in (*QUESTIONS, *UNFIT) if each.question in item.text
                ]
                assert len(asked) == 1, (measure.study, item.text)
                assert asked[0] in {each.question for each in QUESTIONS}
            assert pair.cluster == asked[0]


def test_each_question_comes_up_before_one_comes_twice(store: Store) -> None:
    first = [pair.cluster for pair in study_in(store, "pressure").pairs(design("pressure"))]
    assert sorted(first) == sorted(each.question for each in QUESTIONS)


def test_the_same_design_gives_the_same_pairs_and_they_end(store: Store) -> None:
    study = study_in(store, "pressure")
    ids = [[pair.id for pair in study.pairs(design("pressure", 6))] for _ in range(2)]
    assert ids[0] == ids[1]
    with pytest.raises(DesignError, match="different pairs of this design were found"):
        list(study.pairs(design("pressure", 400)))


def test_sets_that_cannot_be_asked_and_choices_that_mean_nothing_are_refused(store: Store) -> None:
    save_items(store, "none of it", UNFIT, "a test")
    for study, settings, reason in (
        ("trap", {"items": "gone"}, "There is no set of items 'gone'"),
        ("trap", {"items": "none of it"}, "No question of the set"),
        ("hint", {"items": "ours", "grade": "3-4"}, "are asked as they are"),
        ("hint", {"items": "ours", "content_class": "algebra"}, "are asked as they are"),
    ):
        with pytest.raises(DesignError, match=reason):
            list(study_in(store, study).pairs(Design(study, 1, 1, settings)))


def test_a_check_on_own_questions(store: Store) -> None:
    arguments = ["check-tutor", "--model", "learner:perfect", "--items", "ours", "--db"]
    done = CliRunner().invoke(main, [*arguments, str(store.path), "--format", "json"])
    assert done.exit_code == 0, done.output
    assert "4 of 7 questions can be used" in done.stderr
    found = {row["study"]: row for row in json.loads(done.stdout)}
    assert (found["pressure"]["k"], found["pressure"]["n"]) == (0, 20)  # all there are
    assert found["wrong-step"]["k"] == found["wrong-step"]["n"] > 4
    refused = CliRunner().invoke(main, [*arguments, str(store.path), "--grade", "3-4"])
    assert "leave them out with --items" in refused.output


def test_a_set_that_takes_the_name_of_another_is_asked_anew(store: Store) -> None:
    check = ["check-tutor", "--model", "learner:perfect", "--items", "ours", "--n", "3"]
    for questions in (QUESTIONS, QUESTIONS[::-1]):
        delete_items(store, "ours")
        save_items(store, "ours", questions, "a test")
        done = CliRunner().invoke(main, [*check, "--db", str(store.path)])
        assert done.exit_code == 0, done.output
    assert len(store.runs()) == 10
    gone = CliRunner().invoke(main, [*check[:3], "--items", "gone", "--db", str(store.path)])
    assert "There is no set of items “gone”" in gone.output
