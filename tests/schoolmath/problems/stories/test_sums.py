"""Sums of what stands side by side: by one verb, of several people, kinds, places or times.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "two people": (
        "Lina sold 23 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
        42, "same verb"),
    "two kinds of one thing": (
        "Petra planted 14 red roses and 9 white roses. How many roses did she plant?",
        23, "same verb"),
    "three days": (
        "Hugo swam 12 laps on Monday, 15 laps on Tuesday and 8 laps on Thursday. How many laps did Hugo swim in all?",
        35, "same verb"),
    "two places": (
        "There are 16 frogs in the pond and 7 frogs in the well. How many frogs are there in total?",
        23, "same verb"),
    "different verbs": (
        "Rita found 6 shells. Otto brought 9 shells. How many shells do they have in all?",
        15, "everything"),
    "members of a kind": (
        "There are 5 apples and 8 pears in a basket. How many fruits are in the basket?",
        13, "same verb"),
    "things without a kind": (
        "Gus packed 11 shirts and 6 belts. How many things did Gus pack in all?",
        17, "one verb"),
    "a measure that is not named": (
        "Dina jogged 4 miles on Friday and 7 miles on Sunday. How far did she jog altogether?",
        11, "same verb"),
    "money": (
        "Ivan spent 12 dollars on a book and 5 dollars on a pen. How much did Ivan spend in all?",
        17, "same verb"),
    "two who are asked about by name": (
        "Emil has 13 stamps. Clara has 8 stamps. How many stamps do Emil and Clara have?",
        21, "everything"),
    "more put to what is there": (
        "There are 7 balls in the box. Ana puts 4 more balls in the box. How many balls are in the box?",
        11, "state over time"),
    "two years": (
        "A farmer planted 30 trees last year and 45 trees this year. How many trees did the farmer plant?",
        75, "same verb"),
    "two things asked": (
        "Nora baked 12 pies and 20 cakes. How many pies and cakes did she bake?",
        32, "same verb"),
    "at a place": (
        "Ana found 6 shells at the lake and 9 shells at the sea. Ben found 4 shells at the sea. How many shells did they find at the sea?",
        13, "same verb"),
    "who owns": (
        "Ana has 6 red pens and 9 blue pens. Ben has 4 red pens. How many pens does Ana have?",
        15, "same verb"),
    "of days": (
        "Ana ran 6 laps on Monday and 9 laps on Friday. Ben ran 4 laps on Friday. How many laps did Ana run?",
        15, "same verb"),
    "hours": (
        "Ana studied 2 hours on Monday and 3 hours on Friday. How many hours did she study in all?",
        5, "same verb"),
    "earned on days": (
        "Ana earned 12 dollars on Monday and 5 dollars on Friday. How much did she earn altogether?",
        17, "same verb"),
}  # fmt: skip
"""A story of each kind, with its answer and the strategy that finds it."""

ALIKE = {
    "money that was there": (
        "Ivan had 40 dollars. He spent 12 dollars on a book and 5 dollars on a pen. How much did Ivan spend in all?",
        17, "same verb"),
    "two units of one measure": (
        "Dina jogged 4 kilometers on Friday and 700 meters on Sunday. How many meters did she jog altogether?",
        4700, "same verb"),
    "taken from what is there": (
        "There are 7 balls in the box. Ana takes 4 balls out of the box. How many balls are in the box?",
        3, "state over time"),
    "one of three asked": (
        "Nora baked 12 pies, 20 cakes and 6 rolls. How many pies and cakes did she bake?",
        32, "same verb"),
    "age": (
        "Lina is 9 years old. She sold 23 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
        42, "same verb"),
    "more on each": (
        "Hugo swam 12 laps on Monday and 15 laps on Tuesday. Each lap is 50 meters. How many meters did Hugo swim in all?",
        1350, "times"),
    "in the basket": (
        "There are 5 apples and 8 pears in a basket. There are 4 apples on the table. How many fruits are in the basket?",
        13, "same verb"),
    "ate of them, baked": (
        "Nora baked 12 pies and 20 cakes. Her family ate 7 cakes. How many pies and cakes did she bake?",
        32, "same verb"),
}  # fmt: skip
"""Stories that look like one of those and have an answer of their own."""

DOUBTFUL = {
    "two of three days": (
        "Hugo swam 12 laps on Monday, 15 laps on Tuesday and 8 laps on Thursday. How many laps did Hugo swim on Tuesday and Thursday?",
        23),
    "one of three days": (
        "Hugo swam 12 laps on Monday, 15 laps on Tuesday and 8 laps on Thursday. How many laps did Hugo swim on Tuesday?",
        15),
    "another verb": (
        "Lina sold 23 tickets. Marco bought 19 tickets. How many tickets did they sell altogether?",
        23),
    "denied": (
        "Lina sold 23 tickets. Marco did not sell 19 tickets. How many tickets did they sell altogether?",
        None),
    "one is part of both": (
        "Lina and Marco sold 23 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
        23),
    "one kind of two": (
        "Petra planted 14 red roses and 9 white roses. How many red roses did she plant?",
        14),
    "one thing of two": (
        "Petra planted 14 roses and 9 tulips. How many roses did she plant?",
        14),
    "what some are like": (
        "There are 16 frogs in the pond and 7 frogs in the well. 5 of the frogs in the pond are green. How many frogs are there in total?",
        23),
    "one place": (
        "There are 16 frogs in the pond and 7 frogs in the well. How many frogs are in the pond?",
        16),
    "what somebody wants": (
        "Hugo swam 12 laps on Monday and 15 laps on Tuesday. He wants to swim 8 laps on Thursday. How many laps did Hugo swim in all?",
        27),
    "no member of the kind": (
        "There are 5 apples, 8 pears and 3 onions in a basket. How many fruits are in the basket?",
        13),
    "something is lost": (
        "Rita found 6 shells. Otto brought 9 shells. They lost 4 shells. How many shells do they have in all?",
        11),
    "some are broken": (
        "Rita found 6 shells. Otto brought 9 shells. 4 of his shells were broken. How many shells do they have in all?",
        15),
    "one thing packed": (
        "Gus packed 11 shirts and 6 belts. How many shirts did Gus pack in all?",
        11),
    "two units": (
        "Dina jogged 4 miles on Friday and 700 meters on Sunday. How far did she jog altogether?",
        None),
    "so many a day": (
        "Dina jogged 4 miles each day for 7 days. How far did she jog altogether?",
        28),
    "dollars and cents": (
        "Ivan spent 12 dollars on a book and 50 cents on a pen. How much did Ivan spend in all?",
        None),
    "a total told": (
        "Emil and Clara have 21 stamps in total. Clara has 8 stamps. How many stamps do Emil and Clara have?",
        21),
    "one of two owners": (
        "Emil has 13 stamps. Clara has 8 stamps. How many stamps does Emil have?",
        13),
    "a third owner": (
        "Emil has 13 stamps. Clara has 8 stamps. Ruth has 5 stamps. How many stamps do Emil and Clara have?",
        21),
    "put elsewhere": (
        "There are 7 balls in the box. Ana puts 4 more balls in the bag. How many balls are in the box?",
        7),
    "one of two years": (
        "A farmer planted 30 trees last year and 45 trees this year. How many trees did the farmer plant this year?",
        45),
    "they had them and gave some": (
        "Emil had 13 stamps. Clara had 8 stamps. Emil sold 4 stamps. How many stamps do Emil and Clara have?",
        17),
    "unless": (
        "Lina sold 23 tickets. Marco sold 19 tickets, but 6 of them were returned. How many tickets did they sell altogether?",
        36),
    "the same ones again": (
        "Lina washed 9 cups. Then Marco dried the 9 cups. How many cups did they have in all?",
        9),
    "including": (
        "Lina sold 23 tickets, including 5 tickets to her aunt. How many tickets did Lina sell altogether?",
        23),
    "of which": (
        "Lina sold 23 tickets, 5 of which were for children. How many tickets did Lina sell altogether?",
        23),
    "besides": (
        "Petra planted 14 roses. 9 of the roses she planted were white. How many roses did she plant?",
        14),
    "the hour is no amount": (
        "At 8 o'clock Lina had sold 23 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
        42),
    "average words": (
        "Hugo swam 12 laps on Monday and 15 laps on Tuesday. On Thursday he swam 3 laps less than on Tuesday. How many laps did Hugo swim in all?",
        39),
    "or": (
        "Lina sold 23 or 24 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
        None),
    "each sold": (
        "Lina and Marco each sold 23 tickets. How many tickets did they sell altogether?",
        46),
    "purple": (
        "Lina sold 23 tickets and Marco sold 19 tickets. How many purple tickets did they sell altogether?",
        None),
    "for children": (
        "Lina sold 23 tickets and Marco sold 19 tickets for children. How many tickets for children did they sell altogether?",
        None),
    "more than": (
        "Lina sold more than 23 tickets. Marco sold 19 tickets. How many tickets did they sell altogether?",
        None),
    "would": (
        "Lina sold 23 tickets. Marco would have sold 19 tickets. How many tickets did they sell altogether?",
        None),
    "will": (
        "Lina sold 23 tickets. Marco will sell 19 tickets. How many tickets did they sell altogether?",
        None),
    "a third": (
        "Lina sold 23 tickets. Marco sold 19 tickets. Ruth sold some tickets. How many tickets did they sell altogether?",
        None),
    "hoped": (
        "Lina sold 23 tickets. Marco hoped to sell 19 tickets. How many tickets did they sell altogether?",
        None),
    "also the same": (
        "Lina read 23 pages. Marco read the same 23 pages. How many pages did they read altogether?",
        None),
    "and again": (
        "Lina sold 23 tickets. Marco sold 19 tickets. Lina sold 5 tickets again. How many tickets did Lina sell?",
        28),
    "she alone": (
        "Lina sold 23 tickets. Marco sold 19 tickets. Lina sold 5 tickets on Sunday. How many tickets did Lina sell?",
        28),
    "who sold more": (
        "Lina sold 23 tickets. Marco sold 19 tickets. How many tickets did Ruth sell?",
        None),
    "boys": (
        "Lina invited 23 boys and 19 girls. How many boys did Lina invite in all?",
        23),
    "adults": (
        "Lina invited 23 children and 19 adults. How many children did Lina invite in all?",
        23),
    "people": (
        "Lina invited 23 children and 19 adults. 4 of the adults are teachers. How many people did Lina invite in all?",
        42),
    "in the garden": (
        "There are 5 apples and 8 pears in a basket. There are 4 apples on the table. How many apples are there?",
        9),
    "ate of them": (
        "Nora baked 12 pies and 20 cakes. Her family ate 7 cakes. How many pies and cakes are left?",
        25),
    "round trip": (
        "Dina walked 4 miles to the lake and the same way back. How far did she walk altogether?",
        8),
    "to and from": (
        "Dina walked 4 miles to the lake and 5 miles back. How far did she walk to the lake?",
        4),
    "price and money": (
        "A book costs 12 dollars. A pen costs 5 dollars. Ivan has 40 dollars. How much do the book and the pen cost together?",
        17),
    "only book": (
        "A book costs 12 dollars. A pen costs 5 dollars. How much does the book cost?",
        12),
    "two books": (
        "A book costs 12 dollars. A pen costs 5 dollars. How much do 2 books and a pen cost?",
        29),
    "books of two": (
        "Lina read 12 books. 5 of the books were about cats. Marco read 8 books. How many books did they read in all?",
        20),
    "sisters": (
        "Lina has 2 sisters and 3 brothers. How many children are in her family?",
        6),
    "sisters, siblings": (
        "Lina has 2 sisters and 3 brothers. How many siblings does Lina have?",
        5),
    "floors": (
        "Lina climbed 23 steps up and 19 steps down. How many steps is she above the ground?",
        4),
    "pages from to": (
        "Lina read from page 23 to page 40. How many pages did she read?",
        18),
    "years": (
        "Lina was born in 1990. How old was Lina in 2001?",
        11),
    "phone": (
        "Lina lives at 23 Hill Street. She sold 19 tickets and 4 cups. How many tickets did Lina sell?",
        19),
    "room number": (
        "Room 12 has 23 chairs. Room 14 has 19 chairs. How many chairs are there in all?",
        42),
    "first grade": (
        "Grade 4 has 23 children. Grade 5 has 19 children. How many children are there in all?",
        42),
    "lunch at 12": (
        "At 12 o'clock 23 people came. At 1 o'clock 19 people came. How many people came in all?",
        42),
    "brought": (
        "Ana brought 6 buns. Ben arrived with 9 buns. Cem has 4 buns. How many buns do they have in total?",
        19),
    "pieces of litter": (
        "Ana picked up 6 bottles and 9 cans. How many pieces of litter did she pick up in all?",
        15),
    "in all places": (
        "Ana found 6 shells at the lake and 9 shells at the sea. How many shells did she find at the lake and at the sea in total?",
        15),
}  # fmt: skip
"""Stories that may be refused, each with the one answer that would be right; None: no answer is."""


@over("case", SOLVED)
def test_a_story_of_each_kind_is_solved_by_its_strategy(case: str) -> None:
    assert_solved(*SOLVED[case])


@over("case", ALIKE)
def test_a_story_that_looks_alike_gets_its_own_answer(case: str) -> None:
    assert_solved(*ALIKE[case])


@over("case", DOUBTFUL)
def test_where_it_is_doubtful_no_other_number_is_answered(case: str) -> None:
    assert_never_wrong(*DOUBTFUL[case])
