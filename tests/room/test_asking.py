"""What can be asked on a phone, and what is refused, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from biaslab.files import ImportedItem
from biaslab.models import ModelForm
from biaslab.room import (
    MOST_QUESTIONS,
    AnsweredBy,
    CannotAsk,
    can_be_asked,
    questions_of,
    questions_of_design,
    questions_of_items,
    right_answer,
)
from biaslab.room.asking import read_written
from biaslab.room.records import read_questions, write_questions
from biaslab.runs import open_store
from biaslab.studies import Answered, Design, Item, Pair, Reading, experiment, experiments
from biaslab.studies.study import study_of_sets
from biaslab.studies.word_problems.custom.problem import twins_of, understand
from tests.room.conftest import STUDY, bank, pairs

TUTORS = {"trap", "wrong-step", "next-answer", "pressure", "hint"}
ON_A_PHONE = {
    "consistency", "transfer-comparison", "carry", "composed", "imported", "decision", *TUTORS,
}  # fmt: skip


def test_word_problems_and_decisions_can_be_asked_and_what_cannot_says_why() -> None:
    reasons = {name: can_be_asked(study) for name, study in experiments().items()}
    assert {name for name, reason in reasons.items() if not reason} == ON_A_PHONE
    assert "how probable" in reasons["concept-learning"]
    assert "Open a room with the multiple-choice questions" in reasons["malgorithm"]


@pytest.mark.parametrize("name", sorted(ON_A_PHONE - {"imported"}))
def test_what_people_answer_is_read_by_the_studys_own_reader(name: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.db") as store:
        questions = questions_of_design(store, Design(name, 12, 3))
    assert len(questions) == 12
    study = experiment(name)
    for question in questions:
        for arm in ("x", "x_prime"):
            asked = question.asked(arm)
            assert set(asked.text.split("\n\n")) <= set(asked.item.text.split("\n\n"))
            if question.answered_by is AnsweredBy.NUMBER:
                typed = right_answer(question, arm)
                assert read_written(study, asked.item, typed).outcome == 1.0
                assert asked.choices == ()
            else:
                assert "Option 1" not in asked.text
                assert len(asked.choices) > 1


def test_people_play_the_tutor_with_words_on_their_buttons(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.db") as store:
        for name in sorted(TUTORS):
            study = experiment(name)
            for question in questions_of_design(store, Design(name, 6, 1)):
                for arm in ("x", "x_prime"):
                    asked = question.asked(arm)
                    assert asked.choices == tuple(asked.item.facts["options"].values())
                    assert "Options:" not in asked.text
                    shown = right_answer(question, arm)
                    number = str(asked.choices.index(shown) + 1)
                    assert read_written(study, asked.item, number).outcome == 1.0


def test_a_study_that_people_cannot_answer_is_refused_before_its_pairs_are_made(
    tmp_path: Path,
) -> None:
    with open_store(tmp_path / "runs.db") as store:
        with pytest.raises(CannotAsk, match="People have no such figures"):
            questions_of_design(store, Design("concept-learning", 5, 1))
        with pytest.raises(CannotAsk, match=f"1 to {MOST_QUESTIONS} questions"):
            questions_of_design(store, Design(STUDY, MOST_QUESTIONS + 1, 1))


def test_a_pair_that_is_there_twice_or_is_too_long_is_refused() -> None:
    study = experiment(STUDY)
    (pair,) = study.pairs(Design(STUDY, 1, 1))
    with pytest.raises(CannotAsk, match="twice"):
        questions_of(study, [pair, pair])
    long = Item(pair.x.id, "word " * 500, pair.x.answer, pair.x.facts)
    with pytest.raises(CannotAsk, match="2,499 characters"):
        questions_of(study, [Pair.of(long, pair.x_prime, {}, "c")])


def test_a_pair_whose_right_answer_cannot_be_typed_is_refused() -> None:
    study = experiment(STUDY)
    (pair,) = study.pairs(Design(STUDY, 1, 1))
    odd = Item(pair.x.id, pair.x.text, "as many", pair.x.facts)
    with pytest.raises(CannotAsk, match="cannot be typed"):
        questions_of(study, [Pair.of(odd, pair.x_prime, {}, "c")])


def test_a_study_that_does_not_read_the_number_of_a_choice_is_refused() -> None:
    deciding = type(experiment("decision"))

    class Words(deciding):  # type: ignore[misc, valid-type]
        """Reads nothing but words."""

        def read(self, item: Item, answered: Sequence[Answered], form: ModelForm) -> Reading:  # noqa: ARG002
            return Reading(None, None, "words", "Words alone are read.")

    found = experiment("decision").pairs(Design("decision", 1, 1))
    with pytest.raises(CannotAsk, match="number of a tapped choice"):
        questions_of(Words(), found)


def test_the_twins_of_a_problem_of_ones_own_can_be_asked() -> None:
    problem = understand(
        "Ana has 15 books. Ana has 6 more books than Ben. How many books does Ben have?"
    )
    twins = [twin.pair for twin in twins_of(problem) if twin.pair is not None]
    assert len(twins) > 2
    assert [each.id for each in questions_of(study_of_sets(), twins)] == [each.id for each in twins]


def test_items_of_the_bank_know_which_mal_rule_is_behind_each_choice() -> None:
    for question in bank(5):
        assert question.x_prime is None
        assert len(question.x.choices) == 4
        assert set(question.errors) == {"1", "2", "3", "4"} - {question.x.item.answer}


def test_imported_items_are_asked_with_their_passage_and_misconceptions() -> None:
    item = ImportedItem(
        "How many?", ("3", "5"), "B", passage="Two and three.", misconceptions={"A": "stops early"}
    )
    (question,) = questions_of_items([item])
    assert question.x.text == "Two and three.\n\nHow many?"
    assert question.x.item.answer == "2"
    assert right_answer(question, "x") == "5"
    assert question.errors == {"1": "stops early"}
    with pytest.raises(CannotAsk, match="not whole"):
        questions_of_items([replace(item, lost=("a picture is missing",))])


@pytest.mark.parametrize("questions", [pairs(3), pairs(3, "decision"), bank(3)])
def test_questions_are_the_same_when_they_come_out_of_the_file(questions) -> None:  # type: ignore[no-untyped-def]
    assert read_questions(write_questions(questions)) == questions
