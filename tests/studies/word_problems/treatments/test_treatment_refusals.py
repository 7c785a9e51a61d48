"""What a treatment refuses: whatever would change two things at once, or nothing."""

from __future__ import annotations

import pytest

from biaslab.studies.word_problems.treatments import Base, check_one, treatments
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    DesignError,
    Draws,
    Entity,
    Problem,
    Question,
    Statement,
    vocabulary,
)
from schoolmath.problems.quantities import NumberRange
from tests.loops import over
from tests.studies.word_problems.composer.composed_pairs import make, plan_of

TEN_SIGNS = " . ".join(["container", *["comparison+"] * 9])


def refusal(name: str, line: str, sentence: int | None = None) -> DesignError:
    with pytest.raises(DesignError) as caught:
        treatments()[name].check(plan_of(line), sentence)
    return caught.value


class TestOneTreatmentAtATime:
    @pytest.mark.parametrize("text", ["consistency", " Consistency ", "consistency, consistency"])
    def test_one_name_is_found(self, text: str):
        assert check_one(text).name == "consistency"

    @pytest.mark.parametrize(
        "text", ["consistency, carry", "consistency + carry", "consistency and carry"]
    )
    def test_two_are_refused_by_name(self, text: str):
        with pytest.raises(DesignError, match="2 things at once") as caught:
            check_one(text)
        assert caught.value.setting == "treatment"
        assert "Consistent or inconsistent wording" in caught.value.reason
        assert "With or without a carry" in caught.value.reason

    def test_an_unknown_name_gets_the_nearest_one(self):
        with pytest.raises(DesignError, match="Did you mean operand-order") as caught:
            check_one("operandorder")
        assert caught.value.setting == "treatment"

    @pytest.mark.parametrize("text", ["", "  ", ","])
    def test_no_name_lists_them_all(self, text: str):
        with pytest.raises(DesignError, match="question-wording"):
            check_one(text)


@over(
    ("name", "line", "because"),
    [
        ("consistency", "container . transfer", "No step of this problem is a comparison"),
        ("consistency", "container . rate . comparison distractor", "No step"),
        ("predicate", "container . transfer", "No step of this problem is a comparison"),
        ("predicate", "container . comparison*", "operation would change too"),
        ("carry", "container . rate", "multiplies or divides"),
        ("carry", "container . comparison/", "multiplies or divides"),
        ("carry", "container . rate . transfer", "calculation would change too"),
        ("number-size", "container . transfer . rate", "carries would change too"),
        ("operand-order", "container . transfer-", "The first step subtracts"),
        ("operand-order", "container . rate/", "The first step divides"),
        ("sentence-order", "container . transfer . transfer", "transfers happen in time"),
        ("sentence-order", "container . transfer . comparison", "without changing the meaning"),
        ("giver", "container . comparison", "both a giver and a receiver"),
        ("giver", "container . transfer A> . transfer >A", "both a giver and a receiver"),
    ],
)
def test_a_structure_that_a_treatment_cannot_change_alone_is_refused_with_the_reason(
    name: str, line: str, because: str
):
    error = refusal(name, line)
    assert error.setting == "structure"
    assert because in error.reason
    assert error.suggestion.endswith((".", "+", "-", "B"))


@over(
    ("name", "line", "sentence", "because"),
    [
        ("consistency", "container . transfer . comparison", 1, "Sentence 2 is a transfer"),
        ("consistency", "container . comparison . comparison distractor", 2, "not needed"),
        ("predicate", "container . comparison* . comparison+", 1, "Sentence 2 multiplies"),
        ("carry", "container . transfer . rate", 2, "Sentence 3 multiplies"),
        ("carry", "container . transfer . rate . transfer", 3, "that calculation would change"),
        ("carry", "container . transfer", 0, "no step of the calculation"),
        ("operand-order", "container . transfer+ . transfer+", 2, "does not state"),
        ("sentence-order", "container . comparison . transfer", 2, "is a transfer"),
        ("sentence-order", "container . comparison . transfer . comparison", 3, "sentence 3"),
        ("giver", "container . transfer A>B . transfer A>", 2, "only one person is named"),
        ("name-familiarity", "container . transfer", 1, "not about one sentence"),
        ("question-wording", "container . transfer", 1, "not about one sentence"),
        ("number-size", "container . transfer", 1, "not about one sentence"),
    ],
)
def test_a_sentence_that_cannot_be_treated_is_refused_and_one_that_can_is_named(
    name: str, line: str, sentence: int, because: str
):
    error = refusal(name, line, sentence)
    assert error.setting == "sentence"
    assert because in error.reason
    assert error.suggestion


@over("name", treatments())
@over("sentence", [-1, 3, 99])
def test_a_sentence_that_is_not_there_is_refused(name: str, sentence: int):
    line = "container . comparison+ . transfer A>B" if name == "giver" else (
        "container . comparison+ . comparison-")  # fmt: skip
    if name == "giver":
        line = "container . transfer A>B . comparison+"
    assert refusal(name, line, sentence).setting == "sentence"


class TestMarks:
    LINE = "container . comparison inconsistent . comparison inconsistent"

    def test_two_comparisons_marked_inconsistent_need_a_choice(self):
        error = refusal("consistency", self.LINE)
        assert error.setting == "sentence"
        assert "2 things at once" in error.reason

    def test_with_a_choice_the_other_one_stays_inconsistent(self):
        made = make("consistency", self.LINE, NumberRange(2, 20), sentence=1)
        assert made is not None
        for each in (made.x, made.x_prime):
            assert each.solution.steps[1].consistent is False


class TestNumbers:
    @pytest.mark.parametrize("numbers", [NumberRange(2, 9), NumberRange(2, 20)])
    @pytest.mark.parametrize("line", ["container . comparison+", "container . transfer . transfer"])
    def test_carries_need_numbers_with_digits_to_carry_into(self, numbers: NumberRange, line: str):
        with pytest.raises(DesignError) as caught:
            make("carry", line, numbers)
        assert caught.value.setting == "numbers"

    def test_nine_additions_have_no_larger_numbers_of_one_length_without_carries(self):
        with pytest.raises(DesignError) as caught:
            make("number-size", TEN_SIGNS, NumberRange(2, 99))
        assert caught.value.setting == "numbers"
        assert "as many digits" in caught.value.reason

    @pytest.mark.parametrize("second", [18, 1])
    def test_two_equal_numbers_or_a_one_cannot_change_places_in_a_read_problem(self, second: int):
        things = Entity("apple")
        more = Comparison(ComparisonType.ADDITIVE, "Ben", "Ana", second, things)
        problem = Problem(
            (Statement(Container("Ana", 18, things)), Statement(more, ComparisonForm.A_MORE)),
            Question("Ben", things),
        )
        base = Base(problem, None, None, NumberRange(2, 99), vocabulary())
        with pytest.raises(DesignError) as caught:
            treatments()["operand-order"].twins(base, Draws("1"))
        assert caught.value.setting == "numbers"


@pytest.mark.parametrize(
    "name", ["consistency", "carry", "operand-order", "sentence-order", "giver"]
)
def test_a_read_problem_with_nothing_to_calculate_is_refused(name: str):
    things = Entity("apple")
    problem = Problem((Statement(Container("Ana", 18, things)),), Question("Ana", things))
    base = Base(problem, None, None, NumberRange(2, 99), vocabulary())
    with pytest.raises(DesignError, match="nothing to calculate"):
        treatments()[name].twins(base, Draws("1"))


def test_a_full_text_has_no_room_for_one_more_sentence():
    line = " . ".join(["container", *["transfer"] * 11])
    assert refusal("irrelevant-sentence", line).setting == "structure"
