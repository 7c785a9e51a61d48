"""An answer in another unit than the problem's is the same; changing units stays the task."""

from __future__ import annotations

from schoolmath import what_happened
from schoolmath.malrules.reading.answer_units import in_unit_of
from tests.loops import over

MONEY = "Ann has $2.50. She spends $1.75. How much money does she have left?"
CENTS = "Ann has 90 cents. She spends 40 cents. How many cents does she have left?"
GRAMS = "Ann had 750 g of flour. She used 250 g. How much flour is left?"
AROUND = "What is the perimeter of a rectangle 6 cm by 4 cm?"


@over(
    "question, answer, right",
    [
        (MONEY, "75 cents", True),
        (MONEY, "75¢", True),
        (MONEY, "$0.75", True),
        (MONEY, "85 cents", False),
        (MONEY, "75", False),
        (CENTS, "$0.50", True),
        (CENTS, "$0.05", False),
        (CENTS, "50 cents", True),
        (GRAMS, "0.5 kg", True),
        (GRAMS, "5 kg", False),
        (AROUND, "200 mm", True),
        (AROUND, "0.2 m.", True),
        (AROUND, "2 m", False),
    ],
)
def test_the_same_amount_in_another_unit_is_the_same_answer(
    question: str, answer: str, right: bool
) -> None:
    meanings = what_happened(question, answer).meanings
    assert any(each.diagnosis.correct for each in meanings) == right


@over(
    "question, answer",
    [
        ("Change 3 m to cm", "3 m"),
        ("How many minutes are in 2 hours?", "2 hours"),
        ("Write 45 cents as dollars", "45 cents"),
        ("What is the area of a rectangle 6 m by 4 m?", "2400 cm"),
        ("A pen costs 45 cents and a book costs $2. How much do they cost together?", "245 cents"),
        ("Tom has 12 eggs and eats 2 eggs. How many eggs are left?", "10 eggs"),
        (MONEY, "75"),
        (MONEY, "0.5 kg"),
    ],
)
def test_an_answer_stays_as_it_is_where_its_unit_is_none_of_the_problem(
    question: str, answer: str
) -> None:
    assert in_unit_of(answer, question) == answer
