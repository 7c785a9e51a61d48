"""A teacher's own test: what is worked out, what the key decides, and what stops it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from schoolmath.malrules.classes import (
    GivenItem,
    PupilOutcome,
    Quiz,
    answers_by_item,
    custom_test,
    group_class,
    read_sheet,
    simulate_class,
    write_sheet,
)
from schoolmath.malrules.diagnosis import diagnose
from schoolmath.malrules.rules import rules
from schoolmath.problems.draws import Draws

SUBTRACTIONS = [GivenItem(f"{a} - {b}") for a, b in ((52, 17), (403, 128), (600, 245), (71, 38))]


def _quiz(*items: GivenItem) -> Quiz:
    quiz = custom_test(items).quiz
    assert quiz is not None
    return quiz


def test_a_typed_test_is_worked_out_and_names_who_takes_the_smaller_digit() -> None:
    quiz = _quiz(*SUBTRACTIONS)
    assert [item.right.shown for item in quiz.items] == ["35", "275", "355", "33"]
    sheet = read_sheet("row,1,2,3,4\n1,45,325,445,47\n2,35,275,355,33\n", quiz)
    report = group_class(quiz, sheet)
    assert [(group.rules, group.rows) for group in report.groups] == [(("NO01",), (1,))]
    assert report.findings[2].outcome is PupilOutcome.RIGHT


def test_options_stand_for_every_rule_that_gives_them() -> None:
    options = {"A": "35", "B": "45", "C": "69", "D": "45.5"}
    (item,) = _quiz(GivenItem("What is 52 - 17?", options)).items
    assert item.key == "A"
    assert "NO01" in item.ideas_behind(item.options["B"])
    assert item.ideas_behind(item.options["D"]) == ()


def test_what_is_not_read_is_marked_by_the_key_and_no_rule_is_looked_for() -> None:
    made = custom_test([GivenItem("What time is a quarter to four?", key="3:45"), *SUBTRACTIONS])
    (remark,) = made.remarks
    assert (remark.number, remark.stops) == (1, False)
    assert made.quiz is not None
    assert not made.quiz.items[0].gives
    sheet = read_sheet("row,1,2\n1,4:15,35\n2,3:45,45\n", made.quiz)
    first = answers_by_item(made.quiz, sheet)[0]
    assert [(each.answer.shown, each.right, each.rows) for each in first.given] == [
        ("3:45", True, (2,)),
        ("4:15", False, (1,)),
    ]


def test_a_question_without_a_known_answer_stops_the_test_with_its_number() -> None:
    made = custom_test([SUBTRACTIONS[0], GivenItem("Name the capital of France.")])
    assert made.quiz is None
    (remark,) = made.remarks
    assert (remark.number, remark.stops) == (2, True)
    assert "right answer" in remark.text


def test_a_key_that_is_not_what_is_worked_out_marks_and_is_asked_about() -> None:
    made = custom_test([GivenItem("52 - 17", key="45")])
    assert made.quiz is not None
    assert made.quiz.items[0].right.shown == "45"
    assert not made.quiz.items[0].gives
    assert "Worked out here, the answer is 35" in made.remarks[0].text


def test_a_key_in_another_writing_is_the_same_answer() -> None:
    made = custom_test([GivenItem("1/2 + 1/4", key="0.75"), GivenItem("52 - 17", key="35 apples")])
    assert not made.remarks
    assert made.quiz is not None
    assert all(item.gives for item in made.quiz.items)


def test_options_worth_the_same_are_not_told_apart_by_value() -> None:
    made = custom_test([GivenItem("1/2 + 1/4", {"A": "3/4", "B": "6/8", "C": "2/6"}, "A")])
    assert made.quiz is not None
    (item,) = made.quiz.items
    assert not item.gives
    assert not item.options["B"].same_as(item.right)
    assert "as much as the right one" in made.remarks[0].text


def test_what_a_file_says_of_an_option_stands_where_no_rule_is_known() -> None:
    labels = {"B": "Thinks the digits stay apart", "C": "Adds"}
    options = {"A": "35", "B": "1234", "C": "45"}
    (item,) = _quiz(GivenItem("52 - 17", options, "A", labels)).items
    assert item.ideas_behind(item.options["B"]) == ("Thinks the digits stay apart",)
    assert "NO01" in item.ideas_behind(item.options["C"])
    assert "Adds" not in item.gives


def test_a_pupil_who_follows_what_the_file_names_is_grouped_by_its_words() -> None:
    items = [
        GivenItem(f"Which is the noun in sentence {at}?", {"A": "x", "B": "y", "C": "z", "D": "w"},
                  "A", {"B": "takes the verb"})
        for at in range(12)
    ]  # fmt: skip
    quiz = _quiz(*items)
    sheet = read_sheet("1" + ",B" * 12 + "\n2" + ",A" * 12, quiz)
    report = group_class(quiz, sheet)
    assert report.groups[0].rules == ("takes the verb",)
    assert quiz.nameable == ("takes the verb",)


def test_two_options_never_name_an_idea() -> None:
    items = [GivenItem(f"Is {n} even?", {"A": "so", "B": "not so"}, "A", {"B": "odd idea"})
             for n in range(24)]  # fmt: skip
    quiz = _quiz(*items)
    assert quiz.nameable == ()
    assert not group_class(quiz, read_sheet("1" + ",B" * 24, quiz)).groups


def test_names_are_kept_beside_numbers_only_where_they_are_wanted() -> None:
    quiz = _quiz(*SUBTRACTIONS)
    text = "name,1,2,3,4\nAna Berg,45,325,445,47\nBen,35,275,355,33\n"
    kept = read_sheet(text, quiz, keep_names=True)
    assert kept.names == {1: "Ana Berg", 2: "Ben"}
    assert not kept.marks
    assert "Ana" not in repr(kept)
    assert not read_sheet(text, quiz).names


def test_first_and_last_names_make_one_and_ids_and_mails_are_never_kept() -> None:
    quiz = _quiz(*SUBTRACTIONS)
    text = "row;first name;last name;e-mail;1\n7;Ana;Berg;ana@example.org;45\n"
    sheet = read_sheet(text, quiz, keep_names=True)
    assert sheet.names == {7: "Ana Berg"}
    assert [mark.personal for mark in sheet.marks] == [True]
    sheet = read_sheet("row,1\nana@example.org,45\n", quiz, keep_names=True)
    assert not sheet.names


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(20, 999), st.integers(2, 19)), min_size=1, max_size=8))
def test_every_idea_behind_an_answer_is_what_diagnosis_says(pairs: list[tuple[int, int]]) -> None:
    quiz = _quiz(*(GivenItem(f"{a} - {b}") for a, b in pairs))
    for item in quiz.items:
        for idea, given_answers in item.gives.items():
            problem = item.reads([idea])
            assert problem is not None
            for answer in given_answers:
                assert not answer.same_as(item.right)
                found = diagnose(problem, answer).candidates
                named = {rule for each in found for rule in each.rules}
                assert named <= set(item.ideas_behind(answer))
                # Two habits at once are told only where neither gives the answer alone.
                assert idea in named or not named.isdisjoint(rules()[idea].card.parts)


@settings(deadline=None)
@given(st.integers(0, 500))
def test_a_written_sheet_is_read_back_and_every_answer_is_counted_once(seed: int) -> None:
    quiz = _quiz(*SUBTRACTIONS, GivenItem("1/2 + 1/3", {"A": "5/6", "B": "2/5", "C": "1/6"}))
    sheet = simulate_class(Draws(f"own/{seed}"), quiz, ["NO01", "NO27", None, None])
    again = read_sheet(write_sheet(quiz, sheet), quiz)
    for found in answers_by_item(quiz, again):
        assert sum(len(each.rows) for each in found.given) == found.answered
        assert found.answered + found.blank == 4
        (right,) = [each for each in found.given if each.right]
        assert not right.ideas
    for row, answers in sheet.answers.items():
        for one, other in zip(answers, again.answers[row], strict=True):
            assert one is not None
            assert other is not None
            assert one.same_as(other)
