"""Diagnosis of one answer: everything that gives it, and never one name of several."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from schoolmath.malrules import FORMS, Answer, rules, rules_for
from schoolmath.malrules.catalogue.stories.chain import REVERSED, ratio_of, reckon, reckon_ratio
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import (
    SLIPPED,
    Null,
    diagnose,
    expected_by_chance,
    find_separation,
    read_story,
    separating_problem,
    slips,
)
from schoolmath.problems.draws import Draws

ONE_STEP = read_story("Ana has 15. Ana has 6 more than Ben. How many does Ben have?")
TWO_STEPS = read_story(
    "Ana has 15 pens. Ana has 6 more pens than Ben. Ben gets 4 pens. "
    "How many pens does Ben have now?"
)
UNKNOWN_START = read_story(
    "Joe has some pens. Joe gets 5 pens. Now Joe has 12 pens. How many pens did Joe have at first?"
)
TWO_INCONSISTENT = read_story(
    "Ana has 40 pens. Ana gives away 11 pens. Ana has 6 more pens than Ben. "
    "How many pens does Ben have now?"
)


def names(found):
    return [each.rules for each in found.candidates]


class TestDiagnosis:
    def test_a_right_answer_needs_no_explanation(self):
        found = diagnose(ONE_STEP, Answer.number(9))
        assert found.correct
        assert found.candidates == ()
        assert found.slip is None
        assert not found.unknown

    def test_a_right_answer_written_otherwise_is_right(self):
        assert diagnose(ONE_STEP, Answer.number(Fraction(9), "9.0")).correct

    def test_one_step_cannot_tell_reversal_from_adding_everything(self):
        found = diagnose(ONE_STEP, Answer.number(21))
        assert {("WP01",), ("WP02",)} <= set(names(found))
        assert found.ambiguous

    def test_two_steps_can(self):
        found = diagnose(TWO_STEPS, Answer.number(25))
        assert [each.rules for each in found.single] == [("WP01",), ("WP02",)]
        # 15 + 6 + 4 = 25 is both; a loss after the comparison tells them apart.
        story = read_story(TWO_STEPS.stem().replace("gets", "gives away"))
        assert [each.rules for each in diagnose(story, Answer.number(17)).single] == [("WP01",)]
        assert [each.rules for each in diagnose(story, Answer.number(25)).single] == [("WP02",)]

    def test_a_slip_is_told_beside_the_rules(self):
        found = diagnose(ONE_STEP, Answer.number(10))
        assert found.slip is not None
        assert found.slip.what == "off by one"

    def test_a_slip_that_is_carried_on_is_found(self):
        story = read_story(
            "Ana has 7 pens. Ana gets 5 pens. Ben has 3 times as many pens as Ana. "
            "How many pens does Ben have now?"
        )
        found = diagnose(story, Answer.number(33))
        assert found.slip is not None
        assert found.slip.step == 0
        assert found.slip.trace.steps[1].text == "slips, adds 5 to 7 and gets 11"

    def test_swapped_digits_are_a_slip(self):
        story = read_story("Ana has 30. Ana gets 17. How many does Ana have now?")
        found = diagnose(story, Answer.number(74))
        assert found.slip is not None
        assert found.slip.what == "two digits swapped"

    def test_a_rule_and_a_slip_that_agree_are_both_told(self):
        # Dropping the carry gives 55, ten less than 65.
        story = read_story("Ana has 27. Ana gets 38. How many does Ana have now?")
        found = diagnose(story, Answer.number(55))
        assert ("WP14",) in names(found)
        assert found.slip is not None
        assert found.ambiguous

    def test_nothing_known_is_said_to_be_unknown(self):
        found = diagnose(ONE_STEP, Answer.number(777))
        assert found.unknown
        assert not found.ambiguous
        assert names(found) == []

    def test_two_rules_at_different_steps_are_tried_after_single_ones(self):
        # The loss taken for a gain and the comparison reversed: 40 + 11 + 6.
        found = diagnose(TWO_INCONSISTENT, Answer.number(57))
        assert names(found)[0] == ("WP02",)
        assert ("WP05", "WP01") in names(found)

    def test_a_pair_alone_is_told_in_the_order_in_which_it_is_done(self):
        story = read_story(
            "Ana has 40 pens. Ana gives away 11 pens. Ana has 6 more pens than Ben. "
            "Ben gives away 8 pens. How many pens does Ben have now?"
        )
        found = diagnose(story, Answer.number(40 + 11 + 6 - 8))
        assert found.single == ()
        assert ("WP05", "WP01") in names(found)
        (pair,) = [each for each in found.candidates if each.rules == ("WP05", "WP01")]
        assert pair.trace.steps[-1].text == "takes 8 from 57 and gets 49"

    def test_a_rule_and_then_a_slip_come_last(self):
        found = diagnose(ONE_STEP, Answer.number(22))
        assert ("WP01", SLIPPED) in names(found)
        assert found.single == ()

    def test_single_rules_stand_before_pairs_and_heavier_ones_first(self, drawn):
        for story in drawn(Story)[:60]:
            for rule in rules_for(story):
                for worked in rule.run(story):
                    found = diagnose(story, worked.answer).candidates
                    lengths = [len(each.rules) for each in found]
                    assert lengths == sorted(lengths)
                    single = [each.weight for each in found if len(each.rules) == 1]
                    assert single == sorted(single, reverse=True)

    def test_every_trace_comes_to_the_answer(self, drawn):
        for story in drawn(Story)[:60]:
            for value in range(0, 60, 7):
                answer = Answer.number(value)
                found = diagnose(story, answer)
                for each in found.candidates:
                    assert each.trace.answer.same_as(answer)
                if found.slip:
                    assert found.slip.trace.answer.same_as(answer)

    def test_works_on_every_form(self, drawn):
        for form in FORMS.values():
            for problem in drawn(form)[:6]:
                key = problem.solve().answer
                for rule in rules_for(problem):
                    for worked in rule.run(problem):
                        found = diagnose(problem, worked.answer)
                        if worked.answer.same_as(key):
                            assert found.correct
                        else:
                            # Of two habits at once one may give the answer alone.
                            fitting = {(each,) for each in (rule.id, *rule.card.parts)}
                            assert fitting & set(names(found))


class TestChance:
    def test_slips_are_never_right(self, drawn):
        for story in drawn(Story)[:80]:
            key = story.solve().answer
            assert not any(slip.trace.answer.same_as(key) for slip in slips(story))

    def test_reversal_is_seldom_a_slip_and_a_third_of_random_operations(self):
        rule = rules()["WP01"]
        assert expected_by_chance(ONE_STEP, rule) == 0
        # 15 and 6 with + * / in place of -: one of three.
        assert expected_by_chance(ONE_STEP, rule, Null.OPERATION) == Fraction(1, 3)

    def test_a_dropped_carry_is_one_of_the_slips(self):
        story = read_story("Ana has 27. Ana gets 38. How many does Ana have now?")
        # Six offsets and one swap (56); ten too little is one of them.
        assert expected_by_chance(story, rules()["WP14"]) == Fraction(1, 7)


class TestTheNextProblem:
    def test_every_explanation_gives_an_answer_of_its_own(self):
        candidates = diagnose(ONE_STEP, Answer.number(21)).candidates
        for seed in range(20):
            chosen = separating_problem(ONE_STEP, candidates, Draws(f"next/{seed}"))
            assert chosen is not None
            key = chosen.solve().answer
            reversed_, added = (
                {w.answer.value for w in rules()[rule].run(chosen)} for rule in ("WP01", "WP02")
            )
            assert reversed_
            assert added
            assert key.value not in reversed_ | added
            assert not reversed_ & added

    def test_its_answers_are_ones_that_a_pupil_would_write(self):
        candidates = diagnose(ONE_STEP, Answer.number(21)).candidates
        for seed in range(20):
            found = find_separation(ONE_STEP, candidates, Draws(f"next/{seed}"))
            for each in found.expected:
                assert all(answer.isdecimal() for answer in each.answers)

    def test_the_same_seed_gives_the_same_problem(self):
        candidates = diagnose(ONE_STEP, Answer.number(21)).candidates
        first, second = (find_separation(ONE_STEP, candidates, Draws("same")) for _ in range(2))
        assert first == second

    def test_where_one_step_cannot_tell_them_apart_it_says_so(self):
        candidates = diagnose(UNKNOWN_START, Answer.number(17)).candidates
        assert {("WP02",), ("WP17",)} <= {each.rules for each in candidates}
        found = find_separation(UNKNOWN_START, candidates, Draws("one"), most_steps=1)
        assert not found.complete
        assert "“adds all numbers”" in found.reason
        assert "two steps" in found.reason
        assert separating_problem(UNKNOWN_START, candidates, Draws("1"), most_steps=1) is None
        assert separating_problem(UNKNOWN_START, candidates, Draws("1")) is not None

    def test_nothing_to_tell_apart_is_said(self):
        assert find_separation(ONE_STEP, (), Draws("x")).problem is None

    def test_other_forms_get_problems_of_their_own_form(self, drawn):
        tried = 0
        for form in FORMS.values():
            if form is Story or len(rules_for(drawn(form)[0])) < 2:
                continue
            problem = drawn(form)[0]
            key = problem.solve().answer
            for rule in rules_for(problem):
                wrong = [w.answer for w in rule.run(problem) if not w.answer.same_as(key)]
                if wrong:
                    candidates = diagnose(problem, wrong[0]).candidates
                    found = find_separation(problem, candidates, Draws("f"))
                    assert found.problem is None or isinstance(found.problem, form)
                    assert found.problem is not None or found.reason
                    tried += 1
                    break
        assert tried


@given(st.sampled_from(sorted(REVERSED)), st.fractions(max_denominator=60), st.integers(-99, 999))
def test_counting_in_ratios_gives_what_fractions_give(operation, left, right):
    expected = reckon(operation, left, right)
    found = reckon_ratio(operation, ratio_of(left), right)
    assert found == (None if expected is None else ratio_of(expected))


def test_a_slip_of_a_decimal_is_written_as_a_decimal() -> None:
    for seed in range(20):
        problem = FORMS["DecimalSum"].draw(Draws(f"decimal slips/{seed}"), 5)
        assert not [each for each in slips(problem) if "/" in each.trace.answer.shown]
