"""Problems of the forms for diagnosis as people type them, and what is said of their answers."""

from __future__ import annotations

import re

import pytest

from schoolmath.malrules.reading import UnreadProblem, read_problem, what_happened
from schoolmath.malrules.reading.given_answers import UnreadAnswer
from schoolmath.malrules.reading.ways import ways_of_writing
from tests.loops import over

TYPED = [
    ("17 ÷ 5", "3.2", "NO105"), ("17/5 as a mixed number", "2 3/5", "NO187"),
    ("7 × 8 =", "49", "NO102"), ("40 x 30", "120", "NO103"),
    ("4.8 ÷ 0.6", "0.8", "NO115"), ("36.4 ÷ 10", "364", "NO119"),
    ("0.04 as a fraction", "4/10", "NO162"), ("3/4 = ?/12", "11", "NO131"),
    ("(-5)²", "-25", "NO141"), ("(-24) ÷ 6", "4", "NO182"), ("-6 + -8", "14", "NO137"),
    ("3 × (4 + 5)", "17", "NO142"), ("24 ÷ 6 ÷ 2", "8", "NO143"), ("20 - 4 + 6", "10", "AL13"),
    ("What percent of 48 is 12?", "12%", "NO145"), ("12 is 25 % of what number?", "3", "NO147"),
    ("percent increase from 40 to 50", "20%", "NO149"), ("80 reduced by 20%", "16", "NO195"),
    ("lowest common multiple of 6 and 8", "48", "NO177"),
    ("greatest common factor of 12 and 18", "2", "NO179"),
    ("the value of the 4 in 3472", "4", "NO104"), ("35 min after 2:45", "2:80", "GM43"),
    ("x/4 = 12", "3", "AL41"), ("-x = 5", "5", "AL42"), ("x/3 + 2 = 8", "22", "AL43"),
    ("(x-3)(x+5) = 0", "5, -3", "AL47"), ("x² = 5x", "5", "AL48"),
    ("3x + y = 10, x - y = 2: x?", "4", "AL49"), ("Expand (x + 3)(x + 4)", "x^2 + 12", "AL45"),
    ("Factorise 6x + 9", "3(2x + 9)", "AL46"), ("Simplify √8", "4√2", "NO156"),
    ("Which is larger: -8 or -3?", "-8", "NO140"), ("31.2 × 4.5", "14.040", "NO114"),
    ("24.8 − 2.26", "22.66", "NO112"), ("5 - 2 3/8", "3 3/8", "NO127"),
    ("4 × 2/3", "8/12", "NO129"), ("Add 1/2 and 1/4", "2/6", "NO27"),
    ("Find the sum of 1/2 + 1/4", "2/6", "NO27"), ("2/3 * 4", "8/12", "NO129"),
    ("$24.8 − $2.26", "$22.66", "NO112"), ("area of a rectangle 6 by 4", "20", "GM01"),
    ("rectangle 6 by 4 area?", "20", "GM01"), ("52 - 17", "I got 45.", "NO01"),
    ("1/2 + 1/4", "2/6 because I added them", "NO27"),
    ("52 - 17", "5 - 1 = 4 and 7 - 2 = 5, so 45", "NO01"),
    ("52 - 17", "~~35~~ 45", "NO01"), ("52 - 17", "35 no 45", "NO01"),
    ("52 - 17", "its 45", "NO01"),
    ("52 - 17", "forty-five", "NO01"), ("52 - 17", " 5 2\n-1 7\n-----\n 4 5", "NO01"),
    ("47 + 38", "75 (7+8=15, write 5)", "NO12"), ("1/2 + 1/4", "1+1=2, 2+4=6, 2/6", "NO27"),
    ("1/2 + 1/4", "2 over 6", "NO27"), ("1/2 + 1/4", "two sixths", "NO27"),
    ("1 1/2 + 2 1/3", "3 2/5", "NO232"), ("1 2/3 + 2 2/3", "3 1/3", "NO233"),
    ("1.75 as a fraction", "175/10", "NO162"), ("0.6 of 45", "2.7", "NO114"),
    ("Find the distance between (1, 2) and (4, 6)", "7", "GM11"),
    ("Work out a² + b when a = 5 and b = 2", "12", "NO52"),
    ("f(x) = x² + 1. Find f(4)", "9", "NO52"), ("Solve y = 2x and x + y = 9", "6", "AL62"),
    ("3 kg 250 g in grams", "325", "GM100"), ("Share 60 in the ratio 2:3", "30, 20", "NO65"),
    ("A film starts at 13:45 and lasts 50 min. When does it end?", "13:95", "GM43"),
    ("The angles on a straight line are 130° and x. Find x", "230", "GM14"),
    ("Simplify 7 - (x - 2)", "5 - x", "AL06"), ("Simplify: 2(3x - 4) + 5", "6x + 1", "AL06"),
    ("Distribute: 3(x - 6)", "3x - 6", "AL06"), ("Multiply (x + 3)(x + 5)", "x² + 15", "AL45"),
    ("Factor x² + 2x - 15", "(x + 3)(x + 5)", "AL69"), ("What is 130% of 50?", "650", "NO63"),
    ("Find the difference: 5,002 − 1,847", "4845", "NO01"),
    ("Two coins are tossed. What is the probability of two heads?", "1/3", "PR04"),
    ("Two coins are tossed. What is the probability of one head and one tail?", "1/4", "PR05"),
    ("A coin is flipped 3 times. Find the probability of heads each time", "3/2", "PR06"),
    ("Simplify 4/8", "2/8", "NO234"), ("4 1/3 - 1 2/3", "3 1/3", "NO124"),
    ("1/2 __ 1/3 (<, >, =)", "<", "NO33"), ("0.5 __ 0.45", "<", "NO39"),
    ("-3 ___ -5", "<", "NO140"),
    ("x^2 + 5x + 6 = 0", "x = 2 or x = 3", "AL47"), ("52 - ? = 17", "69", "AL39"),
    ("17 subtracted from 52", "45", "NO01"), ("6.7*3", "2.01", "NO114"),
    ("2:3 = ?:12", "11", "NO131"), ("3 squared", "6", "NO52"),
    ("Put 0.5, 0.45, 0.405 in order, smallest first", "0.5, 0.45, 0.405", "NO39"),
    ("Order from greatest to least: 0.3, 0.45, 0.405", "0.3 0.45 0.405", "NO40"),
    ("Arrange 1/2, 2/5, 3/4 from smallest to largest", "1/2, 3/4, 2/5", "NO33"),
    ("Arrange -3, 5, -7, 0 in ascending order", "0 < -3 < 5 < -7", "NO140"),
    ("|-7|", "-7", "NO236"), ("|3 - 8|", "-5", "NO236"), ("Is 51 prime?", "Yes, odd", "NO176"),
    ("(8 + 4) / 4", "9", "NO142"), ("45% as a decimal", "4.5", "NO238"),
    ("0.6 as a percent", "0.6%", "NO237"), ("complement of 35 degrees", "145", "GM99"),
    ("Simplify 2a + 3b", "5ab", "AL03"), ("Simplify 2x + 3y + 4x", "9xy", "AL03"),
    ("Find 3a - 2b if a = 5 and b = 2", "13", "AL04"),
    ("if x = 4 and y = 5, find 2x + y", "11", "AL05"),
    ("250 cm to m", "25000", "GM21"), ("How many minutes in 3 hours?", "0.05", "GM21"),
    ("3 m² in cm²", "300", "GM22"),
    ("Area of a triangle with base 6 and height 4", "24", "GM03"),
    ("A right triangle has legs 3 and 4, what is the hypotenuse", "7", "GM11"),
    ("half of 46", "92", "NO31"), ("three quarters of 40", "10", "NO36"),
    ("3 ÷ 1/2", "1.5", "NO32"), ("how many quarters make 3", "3/4", "NO32"),
    ("A shirt costs $40 and is 25% off. What is the new price?", "15", "NO230"),
    ("If 3 pens cost $6, how much do 5 pens cost?", "8", "AL35"),
    ("2^3 x 2^4", "4^7", "NO153"), ("Next number: 2, 4, 8, 16, __", "24", "AL54"),
    ("6 x __ = 42", "36", "AL86"), ("volume of a cube with side 4", "12", "GM17"),
    ("x + y = 10, x - y = 4", "3", "AL62"), ("2x/3 = 6", "4", "AL58"), ("3^2 + 4", "10", "NO52"),
    ("Which of 1, 2, 3, 5 and 8 are prime?", "1, 2, 3, 5", "NO111"),
    ("perimeter of a square with side 5", "25", "GM01"), ("2/5 = 8/__", "11", "NO131"),
    ("List the factors of 12", "2, 3, 4, 6", "NO239"), ("all factors of 12", "2, 3", "NO240"),
    ("What are the factors of 12?", "12, 24, 36", "NO241"),
    ("Write 36 as a product of prime factors", "4 x 9", "NO242"),
    ("prime factorization of 60", "2*3*5", "NO243"),
    ("Write 5,280 in expanded form", "5+2+8", "NO244"),
    ("Write 45,000 in scientific notation", "4.5 x 10^3", "NO245"),
    ("Write 45,000 in scientific notation", "45 × 10³", "NO246"),
    ("Write 0.0032 in scientific notation", "3.2 × 10^3", "NO247"),
    ("(6 + 2) × 5 - 3", "13", "NO142"), ("2 × (3 + 4) × 5", "26", "NO142"),
    ("3(2x + 4) = 27", "23/6", "AL06"), ("Simplify 3x + 5x", "8x²", "AL103"),
    ("Write 3/8 as a decimal", "0.38", "NO248"), ("2 3/5 as an improper fraction", "6/5", "NO249"),
    ("Write 4,000 + 30 + 7 in standard form", "437", "NO250"), ("1/2 ÷ 4", "2", "NO252"),
    ("Write 3.2 × 10^4 in standard form", "3.20000", "NO251"),
    ("A car travels 180 miles in 3 hours. What is its speed?", "540", "NO253"),
    ("3.5 km to m", "350", "GM100"),
    ("x/3 + 2 = 6", "24", "AL08"), ("(6 + 2) × 5 - 3", "16", "NO50"),
    ("4 × (7 − 2)²", "40", "NO52"), ("5 + (8 + 6) × 7", "133", "NO49"),
    ("x/2 - 3 = 4", "11", "AL43"), ("A bike costs $240. The price goes up by 5%.", "245", "NO230"),
    ("y-intercept of y = 3x - 4", "3", "AL101"), ("y-intercept of y = 3x - 4", "4", "AL102"),
    ("A die is rolled. What is the probability of a number greater than 4?", "1/2", "PR29"),
    ("What is the chance of rolling a 4 on a die?", "1/5", "PR01"),
    ("A bag has 4 red, 3 blue and 5 green counters. What is the probability of blue?", "3/9",
     "PR01"),
    ("Expand 4(2x - 3)", "8x - 3", "AL06"), ("(2x + 1)(x + 3)", "2x² + 3", "AL45"),
    ("Area of a rectangle 8 cm by 5 cm", "26", "GM01"),
    ("Perimeter of a rectangle 12 m by 7 m", "84", "GM01"),
    ("Round 4.86 to one decimal place", "4.8", "NO23"),
    ("A $40 shirt is 25% off. What is the sale price?", "15", "NO230"),
    ("A coat costs $80. It is reduced by 20%. What is the new price?", "60", "NO230"),
    ("Simplify the ratio 12:18", "2:9", "NO234"), ("half of 5/6", "5/3", "NO31"),
    ("How long is it from 9:45 to 11:10?", "1:65", "GM23"),
    ("Find the area of a parallelogram with base 8 and height 5", "20", "GM55"),
    ("Area of a trapezoid with bases 6 and 10 and height 4", "64", "GM56"),
    ("An angle measures 35°. What is its complement?", "145", "GM99"),
    ("5 apples cost $10. What is the cost of 8 apples?", "13", "AL35"),
    ("3x × 4x", "12x", "AL26"), ("Simplify 5a × 2a", "7a²", "AL72"), ("(2x)²", "2x²", "AL71"),
    ("2³ × 2²", "1024", "NO153"), ("Solve the proportion 4/6 = x/9", "7", "AL35"),
]  # fmt: skip


@over(("text", "answer", "rule"), TYPED)
def test_a_typed_problem_and_its_wrong_answer_name_the_rule(
    text: str, answer: str, rule: str
) -> None:
    meanings = what_happened(text, answer).meanings
    named = {each.rules[0] for meaning in meanings for each in meaning.diagnosis.candidates}
    assert rule in named


@over(
    ("text", "answer"),
    [
        ("Arrange -3, 5, -7, 0 in ascending order", "-7, -3, 0, 5"),
        ("Order from greatest to least: 1/3, 1/2, 3/4", "3/4 > 1/2 > 1/3"),
        ("Simplify 2x + 3y + 4x", "3y + 6x"), ("Is 51 prime?", "no"), ("250 cm to m", "2.5 m"),
        ("2 wk in days", "14"), ("How many feet are 3 yards?", "9"),
        ("absolute value of -12", "12"),
        ("Order 2,150, 1,200 and 3,050", "1200, 2150, 3050"), ("|-12|", "12"),
        ("the angles of a triangle are 50, 60 and x. Find x", "70"), ("solve y/3 + 1 = 5", "12"),
        ("4x - y = 5, x + y = 5", "2"), ("value of 2m + n when m = 3 and n = 4", "10"),
        ("x^3 x x^5", "x^8"), ("twice 45", "90"), ("0.5 as a percent", "50%"),
        ("A train travels 150 km in 3 hours. What is its speed?", "50"),
        ("Solve: x + y = 10, x - y = 4", "x = 7, y = 3"), ("x + y = 10, x - y = 4", "(7, 3)"),
        ("Area of a circle with radius 5", "78.5"), ("Area of a circle with radius 5", "25π"),
        ("Circumference of a circle with diameter 8", "25.1"),
        ("List the factors of 12", "1 and 12, 2 and 6, 3 and 4"),
        ("List the factors of 12", "1 2 3 4 6 12"),
        ("Write 36 as a product of prime factors", "2² × 3²"),
        ("Write 5,280 in expanded form", "5 × 1000 + 2 × 100 + 8 × 10"),
        ("Write 45,000 in scientific notation", "4.5×10⁴"),
        ("Simplify the ratio 12:18", "2 to 3"), ("145 ÷ 12", "12 r 1"),
        ("How long is it from 9:45 to 11:10?", "1 h 25 min"),
        ("What is the y-intercept of y = 3x - 4?", "(0, -4)"), ("x^2 = 25", "±5"),
        ("Expand (x + 4)^2", "8x + x² + 16"), ("Factor x^2 + 5x + 6", "(x + 3)(x + 2)"),
        ("3(2x + 4) = 27", "2.5"), ("Solve 3 + 4(x + 2) = 23", "x = 3"),
        ("2(x - 3) - 3(2x + 1) = 7", "-4"), ("5(x - 1) = 3(x + 3)", "7"), ("10 = 2(3y - 1)", "2"),
        ("Write 0.0032 in scientific notation", "3.2 × 10⁻³"), ("Simplify x^5 · x^7", "x¹²"),
        ("2x > 8", "4 < x"), ("Simplify 7y - 2y + 4", "5y + 4"), ("2n > 8", "n > 4"),
        ("Expand (a + 4)^2", "a² + 8a + 16"), ("8² − 14", "50"), ("4 × (7 − 2)²", "100"),
        ("0 ÷ 7", "0"), ("-2 × 7 × -1", "14"), ("___ = 345 + 60", "405"), ("2⁻²", "0.25"),
        ("x/2 - 3 = 4", "14"), ("Simplify 3(x + 2) + 4x", "7x + 6"),
        ("Find the mode: 7, 3, 7, 2", "7"), ("2/3 of 1/4", "1/6"),
        ("What is the perimeter of a rectangle that is 7 in long and 3 in wide?", "20 in"),
        ("There are 4 red and 6 blue balls in a bag. Find the probability of drawing a red ball.",
         "2/5"),
        ("What is the size of each interior angle of a regular pentagon?", "108°"),
        ("Expand 4(2x - 3)", "8x - 12"), ("3(4 + 2)", "18"),
        ("Share £60 in the ratio 2:3. How much is the larger share?", "£36"),
    ],
)  # fmt: skip
def test_the_right_answer_to_a_typed_problem_is_right(text: str, answer: str) -> None:
    assert what_happened(text, answer).status == "right"


@over(
    ("text", "answer"),
    [
        ("Expand (x + 4)^2", "(x + 4)(x + 4)"), ("Simplify 3x + 5x", "3x + 5x"),
        ("Area of a circle with radius 5", "25"), ("List the factors of 12", "1, 2, 3, 4, 6"),
        ("Factor x^2 + 5x + 6", "(x + 1)(x + 6)"), ("2x > 8", "4 > x"),
        ("Write 36 as a product of prime factors", "36"), ("145 ÷ 12", "12 r 2"),
        ("Write 45,000 in scientific notation", "45000"),
        ("Area of a circle with radius 5 in terms of pi", "78.5"),
    ],
)  # fmt: skip
def test_what_only_looks_like_the_right_answer_is_not_right(text: str, answer: str) -> None:
    assert what_happened(text, answer).status != "right"


def test_a_right_value_that_is_not_finished_says_what_is_left() -> None:
    (found,) = what_happened("Simplify 12/18", "6/9").meanings
    assert found.unfinished == ("6/9 has the right value and is not in lowest terms: divide by 3.")
    asked = "Write 0.35 as a fraction in lowest terms"
    assert what_happened(asked, "35/100").status == "unfinished"
    assert what_happened("Write 0.35 as a fraction", "35/100").status == "right"
    (found,) = what_happened("Simplify 12/18", "2/3").meanings
    assert not found.unfinished


def test_of_two_values_the_one_that_is_not_asked_for_must_be_right_too() -> None:
    with pytest.raises(UnreadAnswer, match="Only x is asked for here, and 7 is right"):
        what_happened("x + y = 10, x - y = 4", "x = 7, y = 4")


@over(
    "text",
    [
        "Evaluate 3(2x + 4) when y = 5", "(2x - 5)(x + 8) = 14",
        "A coin is tossed twice. What is the probability of heads?", "Solve y² + 3x = 0",
        "A car drives at 60 km/h for 2 hours. How many miles does it go?", "1/2x when x = 4",
        "Three coins are tossed. What is the probability of at least one head?",
        "nth term of 2, 5, 9, 11", "10th term of 3, 7, 12, 15",
        "What is the value of (2a + 5)/3a when a = 3?", "A loan of $40 costs 25%",
        "Order 0.5, 1/2, 3", "Arrange 3 and 5", "3 cats in dogs",
        "Find 3a - 2b if a = 5", "-7", "What is -7?", "3h + 20m", "Work out 5m - 3s",
        "Order 1,200,1,300,1,400", "complement of 120 degrees",
        "5 apples, 3 pears and 2 plums in order", "1/2 of 3 dozen", "2/3 of 45x", "√1.44 + 1",
        "5 + ³√64", "√50 + 1", "Divide 4 dozen in the ratio 1:3", "36 ÷ ? = 5", "12 ÷ 4x",
        "If 3 kg of apples cost £6, how much do 5 kg of pears cost?", "x + 3 > x",
        "How long does it take to travel 150 km at 50 mph?", "x < 5",
        "6 pencils cost $1.50. Find the cost of 1 pen", "HCF of 12 and 18 and 24",
        "The ratio of boys to girls is 3:4. There are 12 boys and girls. How many girls?",
        "A spinner has 5 equal sections: red, blue, green, yellow. What is P(red)?",
        "School starts at 8:15 and ends at 3:05. How long is a lesson?",
        "Find the unit rate: 3 pounds for 6 dollars",
        "Find the area of a rectangle 3 m by 40 cm", "area of a rectangle 3 m by 4 m in cm^2",
        "area of a square with perimeter 20", "area of half of a rectangle 4 by 6",
        "A square has side 7 and a perimeter of 28. What is its area?", "lcm 4 6 8",
        "area of a circle with radius 3 and height 4", "area of a triangle sides 3 4 5",
        "A die is rolled twice. What is the probability of a 3 or a 5?", "mean of 10,100",
        "rectangle length 9 width 4 height 2 area", "A die is rolled. Probability of a 3 or a 9?",
        "5 pens cost $8 how much do 12 pencils cost", "$40 plus 10% tax plus 5% tip",
        "How many 5s are in 45 and 60?",
        "Divide 4 into 12", "9 groups of 6 less 4", "Split 42 into 7 and 6",
        "Which number is 10 times more than 5?", "What is the chance of heads and tails?",
        "A coin is flipped twice. What is the probability of heads?",
        "30% of a number is 18. What is half the number?", "Find x if 2x + y = 10",
        "Find the value of x when 2x = 10 and y = 3", "double 45 and add 3 and 4",
        "Find an equivalent fraction for 2/3 with denominator 12",
        "If 5 workers take 12 days, how long would 10 painters take?",
        "Find the probability of not rolling a 7 on a die",
        "find the area of a rectangular prism 3 by 4",
        "Find the perimeter of an isosceles triangle with sides 5 and 6",
        "3 more than twice a number times 4 is 20. Find the number.", "Add 3x + 2 and 4y - 5",
        "A number is 5. Find half the number.", "Split $90 between Al, Bob and Cy in the ratio 2:1",
        "Find the cost of 7 pens and 2 books at $3 each", "True or false: 1/2 = 2/4",
        "Where does y = 2x - 8 cross the x-axis and y-axis?",
        "Write 3 hundreds, 4 tens and 12 ones as a number",
    ],
)  # fmt: skip
def test_what_has_more_or_less_than_a_form_is_not_read_as_one(text: str) -> None:
    with pytest.raises(UnreadProblem):
        read_problem(text)


HURRIED = [
    ("area of circle r=5 (use 3.14)", "78.5", "25"), ("rectangle 9 by 4 perimeter?", "26", "36"),
    ("perimeter of rectangle length 9 width 4", "26", "13"), ("volume of box 2x3x4", "24", "9"),
    ("A rectangle is 9 m long and 4 m wide. What is its area?", "36", "26"),
    ("area of a triangle base 10 height 6", "30", "60"), ("volume cylinder r 3 h 5", "45π", "30"),
    ("hypotenuse with legs 5 and 12", "13", "17"), ("parallelogram area b=8 h=5", "40", "20"),
    ("What is the area of a right triangle with legs 3 and 4?", "6", "12"),
    ("whats 3/4 + 1/8", "7/8", "4/12"), ("5x+3=18 solve", "3", "15"), ("lcm 4 6", "12", "24"),
    ("round 2.345 nearest hundredth", "2.35", "2.34"), ("half of 37", "18.5", "74"),
    ("average of 12 and 20", "16", "32"), ("2x+3y when x=1,y=2", "8", "35"),
    ("next number 2 4 8 16", "32", "18"), ("y intercept of y=3x-4", "-4", "3"),
    ("order 0.2 0.15 0.3 smallest first", "0.15 0.2 0.3", "0.2 0.3 0.15"),
    ("speed 120 km 2 hours", "60", "240"), ("$40 plus 10% tip", "44", "50"),
    ("prob of rolling a 6", "1/6", "6"), ("2 red 3 blue marbles p(red)", "2/5", "2/3"),
    ("midpoint of (2,4) and (6,10)", "(4, 7)", "(4, 6)"), ("expand 4,305", "4000 + 300 + 5", "12"),
    ("Round 5,678 to 2 significant figures", "5700", "57"), ("x+y=10, x-y=4", "7, 3", "3"),
    ("A fair dice is rolled. What is the probability of a 3 or a 5?", "1/3", "2/4"),
    ("A coat costs £60 after a 25% discount. What was the original price?", "80", "75"),
    ("The chance of rain is 0.3. What is the chance that it does not rain?", "0.7", "0.3"),
    ("Write down the square root of 81", "9", "40.5"), ("5 ÷ 0", "undefined", "0"),
    ("5 pens cost $8 how much do 12 cost", "19.20", "15"), ("9 groups of 6", "54", "15"),
    ("What do you get when you divide 72 by 9?", "8", "63"), ("How many 5s are in 45?", "9", "40"),
    ("How many more is 52 than 37?", "15", "25"), ("Share 42 equally between 7", "6", "35"),
    ("How many times does 4 go into 28?", "7", "24"), ("Fill in the blank: 1/2 = ?/8", "4", "7"),
    ("Which number is 10 more than 296?", "306", "396"), ("6 lots of 8", "48", "14"),
    ("48 divided into 6 equal groups", "8", "42"),
    ("3/4 of a number is 18. What is the number?", "24", "13.5"),
    ("30% of a number is 18. What is the number?", "60", "5.4"),
    ("How many quarters are there in 2 1/2?", "10", "5/8"),
    ("A phone costs $200 and the price goes up by 15%. What's the new price?", "230", "215"),
    ("Write three tenths as a decimal.", "0.3", "3.10"),
    ("Is 27 prime or composite?", "composite", "prime"),
    ("What value of y makes 3y + 1 = 16 true?", "5", "45"),
    ("The area of a rectangle is 24 and its length is 6. Find the width.", "4", "18"),
    ("Angles a and 130° form a straight line. Find a.", "50", "230"),
    ("What is the radius of a circle with diameter 14?", "7", "28"),
    ("Find the perimeter of a regular hexagon with side 4", "24", "16"),
    ("What is the area of a circle with diameter 10? (π = 3.14)", "78.5", "314"),
    ("The mean of 3 numbers is 10. Two of them are 8 and 9. What is the third?", "13", "9"),
    ("A coin is flipped. What is the probability of heads?", "1/2", "1"),
    ("A car drives 180 miles in 3 hours. How fast is it going?", "60", "540"),
    ("A map has scale 1 cm to 5 km. How far is 4 cm?", "20", "9"),
    ("Find the quotient when 91 is divided by 7", "13", "84"), ("one more than 99", "100", "98"),
    ("By how much is 90 greater than 47?", "43", "137"), ("Double 45 and add 3", "93", "96"),
    ("What must be added to 37 to make 100?", "63", "137"), ("Turn 5/4 into a mixed number",
     "1 1/4", "5 1/4"), ("How much is left if you take 18 from 50?", "32", "68"),
    ("What percentage of 200 is 50?", "25%", "400%"), ("Find x: 2x + 3 = 11", "4", "7"),
    ("If 20% of a number is 12, find the number", "60", "2.4"),
    ("Find the number if 30% of it is 27", "90", "8.1"),
    ("The price of a $40 book is increased by 10%. What is the new price?", "44", "50"),
    ("Work out the value of x in 2x + 5 = 17", "6", "11"),
    ("Find the roots of x² - 7x + 12 = 0", "3, 4", "-3, -4"),
    ("A square has sides of length 9 cm. Work out its perimeter.", "36", "81"),
    ("A rectangular garden is 15 m long and 8 m wide. What is its perimeter?", "46", "23"),
    ("A circle has a diameter of 12 cm. Find its circumference in terms of π.", "12π", "6π"),
    ("The sides of a cube are 5 cm. Find its surface area.", "150", "125"),
    ("What is the supplement of a 40° angle?", "140", "50"),
    ("Find the perimeter of an equilateral triangle with side 6.", "18", "36"),
    ("What number occurs most often: 2, 5, 5, 8?", "5", "2"),
    ("Find the probability of not rolling a 4 on a fair die.", "5/6", "1/6"),
    ("A bus leaves at 7:50 and the journey takes 35 minutes. When does it arrive?", "8:25", "7:85"),
    ("If 5 workers take 12 days, how long would 10 workers take?", "6", "24"),
    ("8 notebooks cost $12. What do 6 notebooks cost?", "9", "10"),
    ("The sum of two numbers is 50 and one of them is 32. Find the other.", "18", "82"),
    ("Subtract the sum of 12 and 15 from 40", "13", "43"), ("Is 0.3 less than 0.25?", "no", "yes"),
    ("Find the cost of 7 pens at $3 each", "21", "10"), ("Is 2/3 greater than 3/5?", "yes", "no"),
    ("A number increased by 9 is 24. Find the number.", "15", "33"),
    ("5 less than twice a number is 17. Find the number.", "11", "6"),
    ("A number divided by 4 is 6. Find the number.", "24", "1.5"),
    ("Add 3x + 2 and 4x - 5", "7x - 3", "7x + 7"), ("4, 9, 14, 19, what comes next?", "24", "20"),
    ("The perimeter of a square is 20 cm. Find its side.", "5", "80"),
    ("One angle of a linear pair is 75°. Find the other.", "105", "15"),
    ("Find the simple interest on $1000 at 5% per annum for 2 years", "100", "50"),
    ("Cost price $80, selling price $100. Find the profit percent.", "25%", "20%"),
    ("Marked price $50, discount 10%. Find the selling price.", "45", "40"),
    ("The scores are 12, 15, 11, 18. What is the average?", "14", "56"),
    ("A die is thrown once. What is the probability of getting a prime number?", "1/2", "4/6"),
    ("What is 2 hours 15 minutes in minutes?", "135", "215"), ("True or false: 0.4 > 0.35", "true",
     "false"), ("How long is it from 10:45 am to 1:30 pm?", "2 h 45 min", "9 h 15 min"),
    ("Divide $90 between A and B in the ratio 2:1", "60, 30", "30, 60"),
    ("Where does y = 2x - 8 cross the x-axis?", "4", "-8"),
    ("Find the smallest number divisible by 4 and 6", "12", "24"),
    ("Write 3 hundreds, 4 tens and 2 ones as a number", "342", "300402"),
    ("If I add 19 to 34, what do I get?", "53", "15"), ("Halve 86", "43", "172"),
    ("Which is more: 0.6 or 0.59?", "0.6", "0.59"), ("Next: 3, 9, 27", "81", "33"),
    ("How do you write 0.125 as a fraction?", "1/8", "1/125"),
    ("(1, 2) and (4, 8) slope", "2", "1/2"),
    ("What's the third side of a right triangle with legs 9 and 12?", "15", "21"),
    ("How many cubic cm in a box 3 cm by 4 cm by 6 cm?", "72", "13"),
    ("How many ml in 3.2 litres?", "3200", "320"),
    ("What is 2/3 of an hour in minutes?", "40", "20"),
    ("What is the tip on a $60 bill at 15%?", "9", "69"), ("$80 shoes, 25% off, what's the price?",
     "60", "20"), ("A toy costs $12 plus 5% tax. What is the total?", "12.60", "0.60"),
    ("Triangle with angles 90 and 35, find the other", "55", "125"),
    ("How many minutes are between 2:15 and 4:00?", "105", "185"),
    ("$5 for 4 pounds. How much per pound?", "1.25", "0.80"),
]  # fmt: skip
"""Questions, the right answer, and another one that is wrong."""


@over(("problem", "right", "wrong"), HURRIED)
def test_what_is_typed_in_a_hurry_is_read_and_its_wrong_answer_is_wrong(
    problem: str, right: str, wrong: str
) -> None:
    assert any(meaning.diagnosis.correct for meaning in what_happened(problem, right).meanings)
    assert not any(meaning.diagnosis.correct for meaning in what_happened(problem, wrong).meanings)


@over(
    ("problem", "wrong", "right"),
    [
        ("area circle r=5", "31.4", "25π, about 78.54"), ("Is 2/3 greater than 3/5?", "no", "yes"),
        ("True or false: 0.4 > 0.35", "no", "true"), ("52 - 17", "45", "35"),
        ("Is 27 prime or composite?", "prime", "composite"),
        ("Which is smaller: 5/8 or 2/3?", "2/3", "5/8"), ("Compare: 0.8 ___ 0.75", "<", ">"),
        ("A circle has a radius of 5 cm. Its area in square centimetres is a number times pi. "
         "What is this number?", "10", "25"),
    ],
)  # fmt: skip
def test_the_right_answer_is_told_as_the_question_asks_for_it(
    problem: str, wrong: str, right: str
) -> None:
    (meaning,) = what_happened(problem, wrong).meanings
    assert meaning.right_answer == right
    assert not meaning.diagnosis.correct


@over(
    ("problem", "right"),
    [
        ("What is the remainder when 47 is divided by 6?", "5"),
        ("If a = 3 and b = -2, find 2a - b", "8"), ("1 h 50 min in minutes", "110"),
        ("How far does a car go in 4 hours at 60 km/h?", "240"), ("Double 3.7", "7.4"),
        ("What fraction of 1 hour is 20 minutes?", "1/3"), ("Share 60 in the ratio 2:3", "24:36"),
        ("Express 15 as a fraction of 40", "3/8"), ("Write 20 cm as a fraction of 1 m", "1/5"),
        ("A film starts at 18:45 and lasts 1 h 50 min. When does it end?", "20:35"),
        ("Which is smaller: 5/8 or 2/3?", "5/8"), ("Which is smaller: 5/8 or 2/3?", "0.625"),
        ("Which is smaller, 0.7 or 0.65?", ".65"), ("Compare: 0.8 ___ 0.75", "0.8 > 0.75"),
        ("Each angle of a regular hexagon", "120"), ("Solve x² + 3x = 0", "0, -3"),
        ("A spinner has 8 equal sections, 3 are blue. P(blue)?", "3/8"),
        ("A spinner has 8 equal sections, 3 are blue. P(blue)?", "37.5%"),
        ("Two coins are tossed. What is the probability of two heads?", "25 %"),
        ("Simplify 2⁻³", "1/8"),
        ("Find the simple interest on $500 at 4% for 3 years", "60"), ("∛27", "3"),
        ("A meal costs $40. Find the total with a 15% tip.", "46"), ("45% as a fraction", "9/20"),
        ("Find the volume of a cylinder with radius 2 and height 5", "62.8"),
        ("Convert 4500 mL to L", "4.5"), ("Find the elapsed time from 9:40 to 11:15", "1 h 35 min"),
        ("In a class of 30, 18 are girls. What percentage are girls?", "60%"),
        ("Prices rise by 8%. What is the new price of a $50 item?", "54"),
        ("A square has perimeter 36 cm. What is its area?", "81"), ("3 pens cost 90p. How much do "
         "5 pens cost?", "150"), ("Divide £45 in the ratio 4:5", "£20 and £25"),
        ("A train leaves at 10:45 and arrives at 13:20. How long is the journey?", "2 h 35 min"),
        ("y = x + 2 and x + y = 10", "x = 4, y = 6"), ("x + y = 10, y = 3x - 2", "(3, 7)"),
        ("1 1/2 ÷ 3/4", "2"), ("1 2/3 × 6", "10"), ("2/3 of 45 kg", "30"), ("3 + √16", "7"),
        ("2³ × 2²", "32"), ("36 ÷ ? = 4", "9"), ("HCF of 24 and 36", "12"), ("0.5x = 4", "8"),
        ("Find the LCD of 1/4 and 1/6", "12"), ("Find 7.5% of 400", "30"), ("(3y)³", "27y³"),
        ("What percentage is 9 of 36?", "25%"), ("Find 20% more than 50", "60"),
        ("A £60 jacket is now £45. What is the percentage decrease?", "25%"),
        ("$45 item, 20% off", "36"), ("Find the tax on $60 at 8%", "4.80"),
        ("A shop reduces a £250 TV by 20%. What is the new price?", "200"),
        ("£200 is invested at 5% simple interest for 2 years. How much interest?", "20"),
        ("The ratio of boys to girls is 3:4. There are 12 boys. How many girls are there?", "16"),
        ("Divide 40 sweets in the ratio 3:5", "15, 25"), ("Solve x/5 = 12/20", "3"),
        ("If 3 kg of apples cost £6, how much do 5 kg cost?", "10"),
        ("6 pencils cost $1.50. Find the cost of 1 pencil", "0.25"), ("x + 3 < 8", "x < 5"),
        ("If y = 3x + 2, find y when x = 4", "14"), ("y = 2x - 1 and x = 3, find y", "5"),
        ("The nth term of a sequence is n² + 1. What is the 4th term?", "17"),
        ("What comes next: 5, 9, 13, 17?", "21"), ("Simplify 2x × 3x²", "6x³"),
        ("Angles on a straight line: 65° and x. Find x", "115"),
        ("Angles in a quadrilateral are 80, 95, 110 and x. Find x", "75"),
        ("What is the exterior angle of a regular octagon?", "45"),
        ("Find the angle complementary to 25°", "65"), ("P(rain) = 0.3. P(no rain)?", "0.7"),
        ("Find the area of a circle with radius 4. Use 3.14 for pi.", "50.24"),
        ("Find the perimeter of a triangle with sides 3, 4, and 5", "12"),
        ("Probability of an even number on a fair die", "1/2"),
        ("A spinner has 4 equal sections: red, blue, green, yellow. What is P(red)?", "1/4"),
        ("How long does it take to travel 150 km at 50 km/h?", "3"),
        ("A train travels at 80 km/h for 2.5 hours. How far does it go?", "200"),
        ("School starts at 8:15 and ends at 3:05. How long is the school day?", "6 h 50 min"),
    ],
)  # fmt: skip
def test_the_right_answer_to_a_question_asked_in_other_words_is_right(
    problem: str, right: str
) -> None:
    assert any(meaning.diagnosis.correct for meaning in what_happened(problem, right).meanings)


def test_of_two_shares_both_have_to_fit() -> None:
    with pytest.raises(UnreadAnswer, match="with 30 it is not 60"):
        what_happened("Share 60 in the ratio 2:3", "24 and 30")


@over(
    "answer",
    [
        "45 or 46",
        "not 45",
        "so 4 tens and 5 ones",
        "because 45",
        "I got it",
        "5 - 1 = 4, 7 - 2 = 5",
        "45 no 35",
        "~~45~~ 35",
        "45 over 6",
    ],
)
def test_a_sentence_that_states_no_number_or_two_is_no_answer_of_45(answer: str) -> None:
    try:
        meanings = what_happened("52 - 17", answer).meanings
    except UnreadAnswer:
        return
    named = {each.rules[0] for meaning in meanings for each in meaning.diagnosis.candidates}
    assert "NO01" not in named


@over(
    ("problem", "working", "rule", "shown"),
    [
        ("52 - 17", "7-2=5, 5-1=4, so 45", "NO01", "7-2=5"),
        ("47 + 38", "7+8=15, 4+3=7, 715", "NO13", "7+8=15"),
        ("23 x 45", "23x5=115, 23x4=92, 207", "NO19", "23×4=92"),
    ],
)
def test_the_step_of_a_working_that_a_rule_takes_and_the_right_way_does_not_is_shown_first(
    problem: str, working: str, rule: str, shown: str
) -> None:
    (meaning,) = what_happened(problem, working).meanings
    assert meaning.diagnosis.candidates[0].rules == (rule,)
    assert meaning.shown[rule,] == shown
    assert shown in meaning.how_sure(meaning.diagnosis.candidates[0])


@over("working", ["45", "12-7=5, 5-0=4, so 45", "9-4=5 and 8-4=4, so 45"])
def test_steps_of_the_right_way_or_of_no_rule_are_no_evidence(working: str) -> None:
    (meaning,) = what_happened("52 - 17", working).meanings
    assert "NO01" in {each.rules[0] for each in meaning.diagnosis.candidates}
    assert not meaning.shown


def _stems(text: str) -> tuple[str, ...]:
    try:
        return tuple(meaning[0].stem() for meaning in read_problem(text).meanings)
    except UnreadProblem:
        return ()


def test_no_number_of_a_text_is_lost_on_the_way() -> None:
    """A number that is another is another problem, or none."""
    either = re.compile(r"\{([^{}]*\|[^{}]*)\}")
    ways = [either.sub(lambda found: found[1].split("|")[-1], way) for way, _ in ways_of_writing()]
    lost, read = [], 0
    for text in [*(typed for typed, _, _ in (*TYPED, *HURRIED)), *ways]:
        stems = _stems(text)
        read += bool(stems)
        for number in re.finditer(r"\d+(?:\.\d+)?", text):
            other = f"{text[: number.start()]}{float(number[0]) + 10:g}{text[number.end() :]}"
            if stems and _stems(other) == stems:
                lost.append(f"{number[0]} of “{text}”")
    assert not lost
    assert read > len(TYPED) + len(ways) // 2
