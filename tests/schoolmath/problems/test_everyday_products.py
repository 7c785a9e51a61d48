"""Everyday products: of each over time, stretches, shares by name, pairs, coins; and all of two weeks.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories import answer
from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "of each over time": (
        "A goat gives 3 liters of milk a day. How many liters do 6 goats give in 5 days?",
        90, "of each over time"),
    "those are told of first": (
        "A zoo keeps 7 seals. Each seal eats 4 kilograms of fish a day. How many kilograms of fish do the seals eat in 3 days?",
        84, "of each over time"),
    "stretches of a way": (
        "Iva rode 12 miles per hour for 2 hours. Then she rode 9 miles per hour for 3 hours. How many miles did she ride in all?",
        51, "stretches"),
    "how much faster": (
        "Iva types 40 words in a minute, and Leo types 25 words in a minute. How many more words does Iva type than Leo in 4 minutes?",
        60, "faster"),
    "shared by those named": (
        "Iva, Leo and Kofi found 27 shells. They shared them equally. How many shells did each of them get?",
        9, "shared by name"),
    "pairs": ("Iva has 6 pairs of mittens. How many mittens does she have?", 12, "pairs"),
    "coins in cents": (
        "Iva found 3 quarters and 4 dimes. How many cents did she find in all?", 115, "same verb"),
    "coins in dollars": (
        "Leo has 5 dimes and 2 nickels. How much money does he have?", Fraction(3, 5), "same verb"),
    "coins spent": (
        "Leo has 2 quarters and 3 dimes. He gives 1 dime to Iva. How many cents does he have left?",
        70, "state over time"),
    "cents and dollars": (
        "A stamp costs 20 cents. How many stamps can you buy with $3?", 15, "groups"),
    "three kinds in each": (
        "There are 4 yards. Each yard has 2 fig trees, 3 plum trees, and 1 apple tree. How many trees are there in all?",
        24, "sum, times"),
    "in the two weeks": (
        "Leo read 35 pages last week and 48 pages this week. How many pages did he read in the two weeks?",
        83, "same verb"),
    "the two classes": (
        "Class 3 has 21 pupils and Class 4 has 26 pupils. How many pupils are in the two classes?",
        47, "same verb"),
    "two classes, as was said": (
        "Two classes gathered leaves. Room 5 gathered 64 leaves and Room 8 gathered 59 leaves. How many leaves did the two classes gather?",
        123, "same verb"),
    "over the weekend": (
        "On Saturday, Iva swam 14 laps, and on Sunday, she swam 18 laps. How many laps did she swim over the weekend?",
        32, "same verb"),
    "what is made of them": (
        "Leo is building a paper chain. He uses 12 red rings and 9 white rings. How many rings are in the chain?",
        21, "state over time"),
    "seats not taken": (
        "A hall has 90 seats. 64 of the seats are taken. How many seats are still free?", 26, "others"),
    "not yet": (
        "Leo planted 30 bulbs. 18 of the bulbs have bloomed. How many bulbs have not bloomed yet?",
        12, "rest"),
    "saving for": (
        "Leo is saving for a tent that costs $95. He has $40 and earned $15. How much more money does he need?",
        40, "need"),
    "a wish and a goal": (
        "Iva's goal is to swim 60 laps. So far, she has swum 42 laps. How many more laps does she need to swim to reach her goal?",
        18, "need"),
    "pages left to read": (
        "Leo is reading a 90-page book. He reads 12 pages every night for 5 nights in a row. How many pages does he still have to read?",
        30, "need"),
    "adopted": (
        "A shelter had 31 cats. 12 cats were adopted, and 5 new cats arrived. How many cats are at the shelter now?",
        24, "state over time"),
    "how many boxes for them": (
        "Iva has 42 figs. She puts 6 figs in a box. How many boxes does she need?", 7, "groups"),
    "in one day": (
        "Leo has to sell 56 caps. He sells 8 caps in one day. How many days will he take to sell all the caps?",
        7, "groups"),
    "legs in total": (
        "A beetle has 6 legs. How many legs do 4 beetles have in total?", 24, "times"),
    "took in all": (
        "Iva took 31 pictures of cats. She took 18 pictures of birds. How many pictures did she take in all?",
        49, "same verb"),
    "and more in the afternoon": (
        "A shop made 450 buns. They sold 175 in the morning and 60 more in the afternoon. How many buns are left?",
        215, "state over time"),
    "they go home": (
        "There are 14 children in a park. 5 children go home. Then 3 more children come. How many children are in the park now?",
        12, "state over time"),
    "left for a trip": (
        "A school had 96 pupils. 38 pupils left for a trip. How many pupils stayed at school?", 58,
        "state over time"),
    "left on the table": (
        "Iva had 12 figs. There are 5 figs left on the table. How many figs did she eat?", 7, "change"),
    "for one hour": (
        "Iva worked for one hour, and Leo worked for 2 hours. How many hours did they work?", 3,
        "same verb"),
    "for one pot": (
        "A soup needs 3 carrots for one pot. How many carrots are needed for 4 pots?", 12, "times"),
    "tickets available": (
        "There were 240 tickets for a play. 185 tickets were sold. How many tickets are still available?",
        55, "state over time"),
    "the total amount": (
        "A class collected $24 on Monday and $31 on Tuesday. What was the total amount collected?",
        55, "same verb"),
    "a bus leaves with them": (
        "A bus leaves the station with 23 riders. 8 riders get off and 4 get on. How many riders are on the bus now?",
        19, "state over time"),
}  # fmt: skip
"""Stories by kind: the text, its answer, the strategy that finds it."""

DOUBTFUL = {
    "a part of those asked": (
        "Room 4 gathered 64 leaves, Room 7 gathered 59 leaves and Room 9 gathered 20 leaves. How many leaves did the two rooms gather together?",
        None),
    "the first two days": (
        "The shop sold 12 caps on Monday, 15 on Tuesday and 9 on Wednesday. How many caps did it sell in the first two days?",
        27),
    "two of three days": (
        "The shop sold 12 caps on Monday, 15 on Tuesday and 9 on Wednesday. How many caps did it sell in those two days?",
        None),
    "each of the two": (
        "Iva sold 12 pens and Leo sold 9 pens. How many pens did each of the two children sell?", None),
    "one of the weeks": (
        "Iva read 85 pages last week and 112 pages this week. How many pages did she read this week?",
        112),
    "Monday is no weekend": (
        "Iva read 20 pages on Saturday and 12 pages on Sunday. On Monday she read 9 pages. How many pages did she read over the weekend?",
        32),
    "Friday is no weekend": (
        "Iva read 20 pages on Friday and 12 pages on Sunday. How many pages did she read over the weekend?",
        None),
    "one bus": (
        "Bus 3 carries 24 children and Bus 5 carries 31 children. How many children are on Bus 5?", 31),
    "all of them together a day": (
        "5 hens lay 20 eggs a day. How many eggs do the hens lay in 3 days?", 60),
    "one goat": (
        "A goat gives 8 liters of milk a day. How many liters does a goat give in 3 days?", 24),
    "one of them is ill": (
        "A worker makes 6 toys an hour. How many toys do 4 workers make in 5 hours if one of them is ill?",
        None),
    "she eats some": (
        "A hen lays 1 egg a day. Iva eats 2 eggs a day. Iva has 5 hens. How many eggs are left after 4 days?",
        None),
    "the way of another": (
        "Leo drove 60 miles per hour for 2 hours. Iva drove 50 miles per hour for 3 hours. How many miles did Leo drive in all?",
        120),
    "shared with another": (
        "Iva and Leo picked 18 plums. They shared them equally with Kofi. How many plums did each of them get?",
        6),
    "another picked some": (
        "Iva and Leo picked 18 plums. Kofi picked 6 plums. They shared them equally. How many plums did each get?",
        None),
    "some are eaten": (
        "Iva and Leo picked 18 plums. They ate 2 plums and shared the rest equally. How many plums did each get?",
        8),
    "a pair is one": (
        "There are 4 pairs of scissors on the table. How many scissors are there?", 4),
    "one of a pair": (
        "Iva has 4 pairs of shoes. She loses 1 shoe. How many shoes does she have?", 7),
    "a quarter of a mile": (
        "Iva walked 3 quarters of a mile. How many miles did she walk?", None),
    "coins, not cents": (
        "Iva has 3 dimes and 2 nickels. How many coins does she have?", 5),
    "more than the coins": (
        "Iva has 3 dimes and 2 nickels. How much more money does she need to buy a pen?", None),
    "has some and uses some": (
        "Leo is making a chain. He has 22 red rings and uses 15 rings. How many rings are on the chain?",
        15),
    "on another day": (
        "A hall has 120 seats. 85 seats were taken on Monday. How many seats are free on Tuesday?", None),
    "free and asked for": (
        "A shop has 40 windows. 12 of them are open. How many are still open?", None),
    "spends what was saved": (
        "Leo is saving for a tent that costs $140. He has $60 and spends $25. How much more money does he need?",
        105),
    "two of one kind": (
        "A spider has 8 legs. A dog has 4 legs. How many legs do the 2 spiders have?", 16),
    "two boxes of one kind": (
        "There are 5 red pens and 3 blue pens in a box. How many pens are in the 2 boxes?", 16),
    "two days of one kind": (
        "Iva reads 5 pages in the morning and 3 pages at night. How many pages does she read in the 2 days?",
        16),
    "what is to be grouped": (
        "Group 24 pencils and 12 pens into sets of 6. How many sets are there?", 6),
    "friends without a number": (
        "Iva and her friends picked 18 plums. They shared them equally. How many plums did each get?",
        None),
    "full and empty": (
        "There are 40 lockers. 12 lockers are full and 8 lockers are empty. How many lockers are empty?",
        8),
    "adopted by her": (
        "Iva had 7 cats. 5 cats were adopted by Iva. How many cats does Iva have?", 12),
    "two pens wanted": (
        "Iva wants 2 pens. A pen costs $3. She has $1. How much more money does she need?", 5),
    "quarters of a year": (
        "A shop earned $500 in 3 quarters of the year. How much money did it earn?", 500),
    "boxes and bags": (
        "Iva puts 6 figs in a box and 4 figs in a bag. She has 36 figs. How many boxes does she need?",
        None),
    "and eats some": (
        "Iva has 36 figs. She puts 6 figs in a box and eats 2 figs. How many boxes does she need?", None),
    "they want to go home": (
        "There are 10 children in a park. 4 children want to go home. How many children are in the park?",
        10),
    "still available, as told": (
        "A shop had 40 caps. 12 caps were sold and 5 are still available. How many caps are still available?",
        5),
    "and got more": (
        "Iva sold 5 figs and got 2 more from Leo. She had 20 figs. How many figs does she have now?", 17),
    "counted twice": (
        "Iva counted 20 birds in the tree. Leo counted 22 birds in the tree. How many birds are in the tree?",
        None),
}  # fmt: skip
"""Stories that may be refused, each with the one answer that would be right; None: no answer is."""


@over("case", SOLVED)
def test_a_story_of_each_kind_is_solved_by_its_strategy(case: str) -> None:
    assert_solved(*SOLVED[case])
    assert answer(SOLVED[case][0]).answer == SOLVED[case][1]


@over("case", DOUBTFUL)
def test_where_it_is_doubtful_no_other_number_is_answered(case: str) -> None:
    text, right = DOUBTFUL[case]
    assert answer(text).answer in {None, right}
    if case not in {"has some and uses some", "one of a pair"}:  # To them the second look objects.
        assert_never_wrong(text, right)


def test_what_was_returned_is_not_passed_over() -> None:
    text = "A shop sold 65 caps in May and 38 caps in June. 24 caps were returned. How many caps were sold?"
    assert answer(text).answer is None
