"""What is said of an unknown number, parts of a whole, ratios with a total, trade and interest."""

from __future__ import annotations

import pytest

from schoolmath.malrules.reading import UnreadProblem, read_problem, what_happened
from tests.loops import over


@over(
    "text, right, wrong, rule",
    [
        # A number that is not told.
        ("If 4 is added to thrice a number, the result is 19. Find the number.", "5", "", ""),
        ("When 6 is subtracted from a number, the answer is 9. What is the number?", "15", "3",
         "AL08"),
        ("3 times the sum of a number and 4 is 21. Find the number.", "3", "", ""),
        ("A number is multiplied by 3 and 5 is added. The result is 20. What is the number?", "5",
         "", ""),
        ("Find a number such that one fourth of the number is 3 more than 6.", "36", "", ""),
        ("What number, when multiplied by 7, gives 56?", "8", "", ""),
        ("By what number should -5/6 be multiplied to get 5/12?", "-1/2", "", ""),
        ("What number must be added to 2/9 to get 1/6?", "-1/18", "", ""),
        ("The product of two rational numbers is -8/9. One of them is 2/3. Find the other.",
         "-4/3", "", ""),
        ("2/3 × _ = 8/15", "4/5", "", ""), ("_ - 3/4 = 1/2", "5/4", "4/6", "NO27"),
        ("2.5 + _ = 4", "1.5", "", ""), ("17 × _ = 17", "1", "", ""),
        ("The sum of three consecutive even numbers is 54. Find the numbers.", "16, 18, 20", "",
         ""),
        ("The sum of three consecutive numbers is 33. What is the largest?", "12", "", ""),
        ("Divide the sum of 5 and 7 by the product of 2 and 3.", "2", "", ""),
        # Terms of several letters.
        ("Divide 20a^6b^3 by 5a^2b", "4a^4b^2", "4a^3b^3", "AL28"),
        ("(-4a^2)(3a^3)", "-12a^5", "-12a^6", "AL26"), ("7p × 6k", "42kp", "13pk", "AL72"),
        ("15y ÷ 3", "5y", "", ""), ("Simplify (-9c) - (-4c)", "-5c", "", ""),
        ("Combine the like terms in the expression 6a - 4b - 2a + c - 3b", "4a - 7b + c",
         "-2abc", "AL03"),
        # Signs and sizes of numbers.
        ("(+12) + (-30)", "-18", "", ""), ("(-4.2)(-0.5)", "2.1", "", ""),
        ("(5/8) - (-1/8)", "3/4", "", ""), ("-28 ‧ (-6) ÷ (-24)", "-7", "", ""),
        ("|-3| + |5|", "8", "", ""), ("7 1/2 - 2", "5 1/2", "", ""),
        ("Evaluate 3xy + 4 if x = 2 and y = 5", "34", "", ""),
        ("Evaluate n - (-7) if n = -2", "5", "-9", "NO46"),
        ("Round 4 678 921 to the nearest ten thousand.", "4680000", "4670000", "NO23"),
        ("In the number 6 342 589, what does the digit 4 stand for?", "40000", "4", "NO104"),
        ("Write six million and forty thousand in digits.", "6040000", "", ""),
        # A part of a whole.
        ("A cake is cut into 12 slices and two-thirds of those slices are eaten. How many slices "
         "are left?", "4", "8", "WP03"),
        ("Ana spends 3/5 of her money. She has $80 left. How much did she have at first?", "200",
         "", ""),
        ("Omar spends three-quarters of his money. He has 20 cents left. How much did he have?",
         "80", "", ""),
        ("A tank had 200 litres of water. 25% of the water was used. How much water is left?",
         "150", "50", "NO195"),
        ("In a class of 40 pupils, 60% are girls. How many boys are there?", "16", "24", "NO195"),
        # Kinds in a ratio.
        ("The ratio of boys to girls in a class is 3:5. There are 40 pupils. How many girls are "
         "there?", "25", "", ""),
        ("A box has 90 items of 2 kinds. The pens and rulers are in the ratio 4 : 5. The number of "
         "pens =", "40", "", ""),
        ("There are 8 mangoes, 12 apples and 5 pears. What is the ratio of mangoes and apples?",
         "2:3", "3:2", "NO254"),
        # Trade and interest.
        ("A watch was bought for Rs 120 and sold at a loss of 10%. What was the selling price?",
         "108", "", ""),
        ("The S.P. of a toy is $540. If the profit is 20%, find the C.P.", "450", "", ""),
        ("A lamp that costs $80 is sold for $100. Find the profit.", "20", "", ""),
        ("Find the simple interest on $500 for 3 years at 4% per annum.", "60", "", ""),
        ("Omar buys food which costs $13.40. He pays with a $20 bill. How much change does he get?",
         "6.60", "", ""),
        # Lengths from sizes.
        ("Find the width of a rectangle that is 24 cm long and has an area of 96 square cm.", "4",
         "", ""),
        ("The perimeter of a rectangle is 30 cm. Its length is 9 cm. Find its area.", "54", "", ""),
        ("The area of a square is 49 cm². Find its side.", "7", "", ""),
        # Two measures, and what is left of a whole.
        ("Ralph walks 11/12 mile. Ann walks 2/3 mile. How much farther does Ralph walk than Ann?",
         "1/4", "9/9", "NO28"),
        ("Maja has 2 4/5 yards of ribbon. She uses 1 3/4 yards of it. How much ribbon is left?",
         "1 1/20", "", ""),
        ("Ben walked 3/4 mile to school and 1/2 mile to the park. How far did he walk in total?",
         "5/4", "4/6", "NO27"),
        ("A temperature rises from 38.5 to 39.6 degrees. By how much has it increased?", "1.1", "",
         ""),
        ("Lucy reads three-sevenths of a book. What fraction of it does she have left to read?",
         "4/7", "", ""),
        ("There are 25 birds in a box. Ann takes away 10 of them. How many birds are left?", "15",
         "", ""),
        ("2/3 of a class of 24 wear glasses. How many wear glasses?", "16", "", ""),
        # Terms of products of letters; sums on both sides.
        ("ab + a + b - 2ab + 3b", "-ab + a + 4b", "", ""), ("xy + yx + xy", "3xy", "", ""),
        ("Simplify 3xy² + 2x²y - xy²", "2xy^2 + 2x^2y", "", ""),
        ("20 + 15 + x = 15 + 20 + 8", "8", "", ""),
        ("What is the common difference in the sequence 2, 5, 8?", "3", "11", ""),
        ("The value of 3^3 is ____", "27", "9", "NO52"),
        ("120 increased by 25%, then increased by 30%.", "195", "", ""),
        ("Divide 5208 in the ratio 11:17", "2046:3162", "", ""),
        ("Multiply 51 x 1000", "51000", "", ""),
        # Rising, falling, above and below; numbers and signs in brackets.
        ("A train's top speed is 140 mph. It increases by 15%. What is the new top speed?", "161",
         "21", "NO195"),
        ("Tickets sold fell by 20% from last year. If 300 were sold last year, how many were sold "
         "this year?", "240", "60", "NO195"),
        ("A diver is at -30 metres. He rises 12 metres. What is his new position?", "-18", "-42",
         ""),
        ("A kite is 82 m above the ground, a pipe 13 m below the ground. What is the distance "
         "between them?", "95", "69", ""),
        ("The temperature rises from – 20°C to 15°C. What is the rise in temperature?", "35", "5",
         ""),
        ("You put $500 into an account with a 4% annual interest rate. How much interest is there "
         "in one year?", "20", "", ""),
        ("(-31) + ___ = 0", "31", "", ""), ("(–7) ____ (2)", "<", ">", ""),
        ("33 x [(-27) – (-2)]", "-825", "", ""), ("12 – {16 – (6 + 2 – 6 ÷ 3)}", "2", "", ""),
        ("Sum of (– 9) and 15.", "6", "-24", ""), ("Successor of (–100) is ____", "-99", "", ""),
        ("When we subtract -10 from 18 we get ____.", "28", "8", ""),
        # What a question asks to be rounded is right when it is.
        ("Find the mean of 15, 19, 46, 77, 12 and 10. Give your answer to 2 decimal places.",
         "29.83", "29.84", ""),
        # Money and time as people tell of them.
        ("Nina has £12.50. She buys a cap for £7.80. How much money does she have left?", "4.70",
         "5.30", ""),
        ("A scarf costs £8.40 and a tie costs £5.70. How much more does the scarf cost?", "2.70",
         "3.30", ""),
        ("Two pens cost £4.70 altogether. How much does each pen cost?", "2.35", "", ""),
        ("He drove 140 miles in 3 1/2 hours. What was his average speed?", "40", "", ""),
        ("Ali set off at 9:35 a.m. He arrived at 10:20 a.m. How long did the journey take?", "45",
         "85", ""),
        ("A shop opens at 9:00 am and closes at 5:30 pm. How long is it open?", "510", "", ""),
        ("22 ÷ 7. Give your answer to 2 decimal places.", "3.14", "3.1", ""),
    ],
)  # fmt: skip
def test_is_read_and_the_idea_behind_a_wrong_answer_named(
    text: str, right: str, wrong: str, rule: str
) -> None:
    assert any(each.diagnosis.correct for each in what_happened(text, right).meanings)
    if wrong:
        found = what_happened(text, wrong)
        assert not any(each.diagnosis.correct for each in found.meanings)
        named = {id_ for each in found.meanings for one in each.diagnosis.candidates
                 for id_ in one.rules}  # fmt: skip
        assert not rule or rule in named


@over(
    "text",
    [
        "A number is 5 more than another number. Their sum is 25. Find the number.",
        "Twice a number is 6 more than the number. Find the number.",
        "The sum of a number and 4 times 5 is 21. Find the number.",
        "If 5 is added to a number and multiplied by 3, the result is 30. Find the number.",
        "A quarter of a number is 8. What is half the number?",
        "What number must be added to each of 3 and 5 to get 12?",
        "What number must be added to 20 to get a multiple of 7?", "7 ÷ _ = 2", "_ × _ = 12",
        "The sum of two consecutive odd numbers is 37. Find the numbers.",
        "The sum of three consecutive numbers is 33. What is the product?",
        "Multiply 5 by 6 plus 7", "10cm ÷ 2", "12 ÷ 4x",
        "Tom ate 1/3 of a pear. He has 12 apples. How many apples are left?",
        "A rope is 12 m long. A piece 3/4 m shorter is cut off. How much is left?",
        "Sam has 20 sweets. He eats 1/4 as many as Ann. How many are left?",
        "In a class of 40 students, 60% of the girls like football. How many boys are there?",
        "A tank is 25% full. It holds 200 litres. How much more water is needed?",
        "The ratio of cats to dogs is 3:5. There are 40 dogs. How many cats and dogs are there?",
        "The ratio of cats to dogs is 3:5. There are 40 birds. How many dogs are there?",
        "The ratio of boys to girls is 3:5. 40 girls are absent. How many boys are there?",
        "The ratio of boys to girls is 2:3. Of 30 children 5 leave. How many boys are there?",
        "There are 4 cats, 5 dogs and 6 birds. 2 dogs leave. What is the ratio of cats to dogs?",
        "30% of a group of 80 children wear black socks. How many wear white socks?",
        "3/4 of the pupils are girls. What fraction of the girls are left-handed?",
        "Ben has 2.5 kg of apples. He uses 1.5 kg of sugar. How many kg of apples are left?",
        "Ben walks 3/4 mile to school and back and 1/2 mile to the park. How far in total?",
        "A box is 1.5 m wide and 0.5 m deep. What is the total area?",
        "Tom had 25 nuts. He gave 10 nuts to Ann. How many nuts does Ann have now?",
        "Tom has 25 nuts. Ann ate 10 nuts. How many nuts does Tom have left?",
        "An agent earns $500 as commission on the sale. It is 4% of the price. What is the price?",
        "What is the sum of the sequence 2, 5, 8?",
        "Ann has 20% more than Ben. Ann has 60. How much does Ben have now?",
        "A car costs 20000. Its value falls by 10% every year. What is its value now?",
        "The number of pupils increased by 10% to 440. How many are there now?",
        "A shop has 200 shirts. It sells 15% more than last week. How many does it sell this week?",
        "A diver is 30 metres below the surface. He rises 12 metres. What is his new depth?",
        "A price rises from 20 to 25 dollars. What is the rise per day?",
        "A dress was reduced by $12, which is 20%. What was the price?",
        "A man bought a bicycle for $100 and sold it for $80. Find his profit.",
        "A shopkeeper buys 5 radios for $80 and sells them for $100. What is the profit on each?",
        "I buy a book for $7.25 and pay with a $5 note. How much change do I get?",
        "Nina has £12.50. Ali buys a cap for £7.80. How much money does Nina have left?",
        "Nina has £7.50 and Ali has £2.50. Nina buys a cake. How much does Nina have left?",
        "Nina had £12.50 after she bought a cap for £7.80. How much money is left?",
        "2 pens and a ruler cost £4.70 altogether. How much does each pen cost?",
        "School starts at 8:15 and ends at 3:05. How long is a lesson?",
        "Ali left home at 8:15 and arrived at school at 8:40. How long was he at school?",
        "I buy two books for $7.25 each. I pay with $20. How much change do I get?",
        "At 5% simple interest a sum becomes $550 in 2 years. Find the interest.",
        "Find the compound interest on $500 for 2 years at 5%.",
        "The perimeter of a rectangle is 30 cm and its length is 20 cm. What is its area?",
        "Find the length of a rectangle with area 48 and width 6 if the width is doubled.",
        "A rectangle has perimeter 30 and its length is twice its width. Find its width.",
    ],
)  # fmt: skip
def test_another_question_is_left_alone(text: str) -> None:
    with pytest.raises(UnreadProblem):
        read_problem(text)
