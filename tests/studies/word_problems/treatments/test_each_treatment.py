"""What each treatment changes, seen in its texts without the proof that the app itself uses."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings

from biaslab.studies.word_problems.features import name_pairs
from biaslab.studies.word_problems.treatments import Base, treatments
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Draws,
    Problem,
    Solution,
    Statement,
    Transfer,
    look_alike,
    vocabulary,
)
from schoolmath.problems.quantities import NumberRange, carries
from tests.studies.word_problems.composer.composed_pairs import (
    Made,
    equations,
    made_pairs,
    make,
    numbers_in,
    teachers,
)

many = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)


class TestConsistency:
    @given(made_pairs("consistency"))
    @many
    def test_one_comparison_is_turned_and_the_solution_stays(self, made: Made):
        (index,) = made.twins.treated
        one, other = made.twins.x.statements[index], made.twins.x_prime.statements[index]
        assert one.predicate == other.predicate
        assert {one.form, other.form} == {ComparisonForm.A_MORE, ComparisonForm.B_FEWER}
        assert equations(made.x.solution) == equations(made.x_prime.solution)

    def test_the_mark_in_the_line_says_which_comparison_is_turned(self):
        line = "container . comparison . comparison inconsistent . comparison"
        made = make("consistency", line, NumberRange(2, 20))
        assert made is not None
        assert made.twins.treated == (2,)

    def test_without_a_mark_it_is_the_first_and_a_chosen_sentence_comes_before_both(self):
        line = "container . comparison . comparison inconsistent . comparison"
        unmarked = line.replace(" inconsistent", "")
        first = make("consistency", unmarked, NumberRange(2, 20))
        chosen = make("consistency", line, NumberRange(2, 20), sentence=3)
        assert first is not None
        assert chosen is not None
        assert (first.twins.treated, chosen.twins.treated) == ((1,), (3,))


class TestPredicate:
    @given(made_pairs("predicate"))
    @many
    def test_the_calculations_are_alike_and_comparisons_become_transfers(self, made: Made):
        assert equations(made.x.solution) == equations(made.x_prime.solution)
        for one, other in zip(made.twins.x.statements, made.twins.x_prime.statements, strict=True):
            if type(one.predicate) is not type(other.predicate):
                assert isinstance(one.predicate, Transfer)
                assert isinstance(other.predicate, Comparison)
                assert other.predicate.type is ComparisonType.ADDITIVE

    @given(made_pairs("predicate"))
    @many
    def test_both_questions_say_now(self, made: Made):
        assert made.twins.x.question.now
        assert made.twins.x_prime.question.now

    def test_whoever_the_story_goes_on_about_changes_place_with_the_first_person(self):
        # Given a comparison, something that happens to the new person, and a second comparison,
        line = "container . comparison+ B:A . transfer A>B . comparison-"
        made = make("predicate", line, NumberRange(10, 99))
        assert made is not None
        first = made.twins.x.statements[0].predicate
        # then in the transfer text all that happens to the first one, who is asked about.
        assert isinstance(first, Container)
        assert made.twins.x.question.agent == first.agent
        assert {step.possession.agent for step in made.x.solution.steps} == {first.agent}

    def test_one_comparison_alone_can_be_chosen(self):
        line = "container . comparison+ . comparison-"
        made = make("predicate", line, NumberRange(10, 99), sentence=2)
        assert made is not None
        kinds = [type(each.predicate) for each in made.twins.x.statements]
        assert kinds == [Container, Comparison, Transfer]


class TestCarry:
    @given(made_pairs("carry"))
    @many
    def test_no_step_carries_or_exactly_one_does_once(self, made: Made):
        def counts(solution: Solution) -> list[int]:
            return [carries(s.operation, s.left, s.right) for s in solution.steps]

        assert not any(counts(made.x.solution))
        assert sorted(counts(made.x_prime.solution))[-2:] in ([1], [0, 1])

    @given(made_pairs("carry"))
    @many
    def test_two_numbers_and_the_amount_between_differ_each_as_long_as_before(self, made: Made):
        one, other = numbers_in(made.twins.x), numbers_in(made.twins.x_prime)
        different = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        assert len(different) == 2
        for a, b in different:
            assert len(str(a)) == len(str(b))
            assert "0" not in f"{a}{b}"
        amounts = [[step.result for step in m.solution.steps] for m in (made.x, made.x_prime)]
        assert sum(a != b for a, b in zip(*amounts, strict=True)) <= 1
        assert amounts[0][-1] == amounts[1][-1]

    def test_a_teachers_own_numbers_are_kept_in_the_text_that_they_fit(self):
        # Given 18 - 3 = 15, without a borrow,
        problem = teachers(18, 3)
        base = Base(problem, None, None, NumberRange(2, 99), vocabulary())
        twins = treatments()["carry"].twins(base, Draws("1"))
        # then it is the member without one; the twin borrows: 22 - 7 = 15 is one such.
        assert twins is not None
        assert twins.x == problem
        first, second = numbers_in(twins.x_prime)
        assert first - second == 15
        assert carries("-", first, second) == 1

    def test_a_teachers_numbers_that_borrow_are_the_other_member(self):
        problem = teachers(22, 7)
        base = Base(problem, None, None, NumberRange(2, 99), vocabulary())
        twins = treatments()["carry"].twins(base, Draws("1"))
        assert twins is not None
        assert twins.x_prime == problem


class TestNumberSize:
    @given(made_pairs("number-size"))
    @many
    def test_numbers_are_half_as_large_again_with_as_many_digits_and_carries(self, made: Made):
        needless = set(made.x.solution.unused)
        both = zip(numbers_in(made.twins.x), numbers_in(made.twins.x_prime), strict=True)
        for index, (small, large) in enumerate(both):
            assert len(str(small)) == len(str(large))
            assert (small == large) if index in needless else (large >= 1.5 * small)
        for one, other in zip(made.x.solution.steps, made.x_prime.solution.steps, strict=True):
            assert one.operation == other.operation
            assert carries(one.operation, one.left, one.right) == 0
            assert carries(other.operation, other.left, other.right) == 0
            assert len(str(one.result)) == len(str(other.result))


class TestOperandOrder:
    @given(made_pairs("operand-order"))
    @many
    def test_the_first_two_numbers_change_places_the_larger_one_first(self, made: Made):
        one, other = numbers_in(made.twins.x), numbers_in(made.twins.x_prime)
        first, second = made.twins.treated
        assert (one[first], one[second]) == (other[second], other[first])
        assert one[first] > one[second]
        assert sorted(one) == sorted(other)
        assert made.x.solution.steps[0].operation in "+*"


class TestIrrelevantSentence:
    @given(made_pairs("irrelevant-sentence"))
    @many
    def test_without_it_the_texts_are_the_same(self, made: Made):
        (place,) = made.twins.treated_prime
        left = [s for index, s in enumerate(made.x_prime.sentences) if index != place]
        assert left == list(made.x.sentences)

    @given(made_pairs("irrelevant-sentence"))
    @many
    def test_it_is_about_somebody_else_and_its_number_is_found_nowhere_else(self, made: Made):
        (place,) = made.twins.treated_prime
        added = made.twins.x_prime.statements[place].predicate
        assert isinstance(added, Container)
        known = {step.result for step in made.x.solution.steps} | set(numbers_in(made.twins.x))
        assert added.quantity not in known
        assert added.agent not in " ".join(made.x.sentences)
        assert place in made.x_prime.solution.unused

    def test_it_stands_before_the_question_or_behind_the_sentence_chosen(self):
        line = "container . comparison . transfer"
        last = make("irrelevant-sentence", line, NumberRange(2, 20))
        second = make("irrelevant-sentence", line, NumberRange(2, 20), sentence=0)
        assert last is not None
        assert second is not None
        assert last.twins.treated_prime == (3,)
        assert second.twins.treated_prime == (1,)


class TestSentenceOrder:
    @given(made_pairs("sentence-order"))
    @many
    def test_the_same_sentences_lead_through_the_same_steps(self, made: Made):
        assert sorted(made.x.sentences) == sorted(made.x_prime.sentences)
        assert equations(made.x.solution) == equations(made.x_prime.solution)

    @given(made_pairs("sentence-order"))
    @many
    def test_one_sentence_stands_before_the_one_it_builds_on(self, made: Made):
        used = [step.sentence for step in made.x_prime.solution.steps]
        first = [i for i in range(len(made.twins.x.statements))
                 if i not in used and i not in made.x_prime.solution.unused]  # fmt: skip
        assert [*first, *used] != sorted([*first, *used])

    @given(made_pairs("sentence-order"))
    @many
    def test_transfers_keep_their_place_among_the_sentences_about_their_people(self, made: Made):
        def told_of(problem: Problem, name: str) -> list[Statement]:
            return [each for each in problem.statements if name in str(each.predicate)]

        for statement in made.twins.x.statements:
            if isinstance(statement.predicate, Transfer):
                for name in (statement.predicate.sender, statement.predicate.receiver):
                    orders = []
                    for problem in (made.twins.x, made.twins.x_prime):
                        about = told_of(problem, name or "-")
                        orders.append(about and set(map(str, about[: about.index(statement)])))
                    assert orders[0] == orders[1]

    def test_a_problem_told_out_of_order_is_put_in_order(self):
        plain = teachers(18, 3)
        turned = Problem(plain.statements[::-1], plain.question)
        base = Base(turned, None, None, NumberRange(2, 99), vocabulary())
        twins = treatments()["sentence-order"].twins(base, Draws("1"))
        assert twins is not None
        assert (twins.x, twins.x_prime) == (plain, turned)


class TestGiver:
    @given(made_pairs("giver"))
    @many
    def test_the_same_transfer_is_told_in_the_active_and_in_the_passive(self, made: Made):
        (place,) = made.twins.treated
        one, other = made.x.sentences[place], made.x_prime.sentences[place]
        active = re.fullmatch(r"(\w+) gives (\w+) (.+)\.", one)
        assert active is not None
        assert other == f"{active[2]} is given {active[3]} by {active[1]}."


class TestNameFamiliarity:
    @given(made_pairs("name-familiarity"))
    @many
    def test_the_texts_are_the_same_but_for_the_names_of_one_initial_and_length(self, made: Made):
        known = dict(name_pairs())
        text = " ".join(made.x.sentences)
        renamed = re.sub(r"[A-Z][a-z]+", lambda m: known.get(m[0], m[0]), text)
        assert renamed == " ".join(made.x_prime.sentences)
        assert len(text) == len(renamed)

    def test_no_two_names_of_one_kind_look_alike_and_none_is_in_the_other_list(self):
        drawn = {name.text for name in vocabulary().names}
        for names in zip(*name_pairs(), strict=True):
            assert drawn.isdisjoint(names)
            assert not [(a, b) for a in names for b in names if a < b and look_alike(a, b)]

    def test_there_are_enough_pairs_for_the_largest_problem(self):
        assert len(name_pairs()) >= 10


class TestQuestionWording:
    @given(made_pairs("question-wording"))
    @many
    def test_only_the_question_differs_and_now_is_alike(self, made: Made):
        one, other = made.x.sentences[-1], made.x_prime.sentences[-1]
        assert one.startswith("How many ")
        assert other.startswith("Work out how many ")
        assert ("now" in one.split("have")[-1]) is other.endswith(" now.")
