"""A whole and its parts: the rest, those who did not, what is still needed, room for more.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "the rest": (
        "There are 24 cars in the lot. 9 of them are blue and the rest are black. How many cars are black?",
        15, "rest"),
    "two parts and the rest": (
        "There are 24 cars in the lot. 9 of them are blue, 6 of them are red and the rest are black. How many cars are black?",
        9, "rest"),
    "what is still needed": (
        "Noa needs 25 stamps. She has 17 stamps. How many more stamps does she need?",
        8, "need"),
    "what somebody has of two kinds": (
        "Noa needs 25 stamps. She has 9 red stamps and 7 blue stamps. How many more stamps does she need?",
        9, "need"),
    "room for more": (
        "A van can hold 12 people. There are 7 people in the van. How many more people can the van hold?",
        5, "room"),
    "has to read": (
        "Pablo has to read 90 pages. He read 35 pages. How many more pages does he have to read?",
        55, "need"),
    "wants": (
        "Rosa wants to plant 40 trees. She has planted 22 trees. How many more trees does she need to plant?",
        18, "need"),
    "not eaten": (
        "Ana bought 9 figs. She ate 4 figs. How many figs did she not eat?",
        5, "others"),
    "not sold": (
        "A shop had 32 bikes. They sold 27 bikes. How many bikes did they not sell?",
        5, "others"),
    "not used": (
        "Ana bought 12 red and 9 blue balloons. She used 15 balloons. How many balloons did she not use?",
        6, "others"),
    "of what is read": (
        "Jo has 30 pages of homework. She finished 12 of them. How many more pages does she have to finish?",
        18, "need"),
    "in total, some kinds": (
        "There are 50 seats in total. 20 seats are red and the rest are blue. How many seats are blue?",
        30, "rest"),
    "a total of, one part": (
        "A zoo has a total of 50 birds. 20 birds are owls. How many birds are not owls?",
        30, "others"),
    "needs two": (
        "Ana needs 20 nails. She has 6 long nails and 5 short nails. How many more nails does she need?",
        9, "need"),
    "gets besides": (
        "Ana needs 20 nails. She has 6 nails. Ben gives Ana 5 nails. How many more nails does Ana need?",
        9, "need"),
    "should": (
        "Ana should read 20 pages. She read 6 pages. How many more pages should she read?",
        14, "need"),
    "bus holds": (
        "A bus can seat 40 people. There are 28 people on the bus. How many more people can the bus seat?",
        12, "room"),
    "just enough": (
        "Noa needs 17 stamps. She has 17 stamps. How many more stamps does she need?",
        0, "need"),
    "all did": (
        "Ana bought 9 figs. She ate 9 figs. How many figs did she not eat?",
        0, "others"),
    "no room": (
        "A van can hold 12 people. There are 12 people in the van. How many more people can the van hold?",
        0, "room"),
}  # fmt: skip
"""A story of each kind, with its answer and the strategy that finds it."""

ALIKE = {
    "read twice": (
        "Pablo has to read 90 pages. He read 35 pages on Monday and 20 pages on Tuesday. How many more pages does he have to read?",
        35, "need"),
    "rest sold": (
        "Mia had 24 figs. She ate 9 of them and sold the rest for 2 dollars each. How much money did she get?",
        30, "times"),
    "gives the rest of need": (
        "Noa needs 25 stamps and 10 envelopes. She has 17 stamps. How many more stamps does she need?",
        8, "need"),
    "some sold, the rest black": (
        "There are 24 cars in the lot. 9 of them were sold and the rest are black. How many cars are black?",
        15, "state over time"),
    "other parts of another verb": (
        "There are 24 cars in the lot. 9 of them are blue, 4 of them drive away and the rest are black. How many cars are black?",
        11, "rest"),
}  # fmt: skip
"""Stories that look like one of those and have an answer of their own."""

DOUBTFUL = {
    "those who did not": (
        "There are 32 children in the class. 27 children ride the bus. How many children do not ride the bus?",
        5),
    "all of them": (
        "There are 24 cars in the lot. 9 of them are blue and the rest are black. How many cars are in the lot?",
        24),
    "the part itself": (
        "There are 24 cars in the lot. 9 of them are blue and the rest are black. How many cars are blue?",
        9),
    "no rest": (
        "There are 24 cars in the lot. 9 of them are blue. How many cars are red?",
        None),
    "another thing": (
        "There are 24 cars in the lot. 9 bikes are blue and the rest are black. How many cars are black?",
        None),
    "the rest of another place": (
        "There are 24 cars in the lot and 10 cars in the street. 9 of the cars in the lot are blue and the rest are black. How many cars in the lot are black?",
        15),
    "a part of a part": (
        "There are 24 cars in the lot. 9 of them are blue and 4 of the blue ones are old. The rest are black. How many cars are black?",
        15),
    "both": (
        "There are 24 children. 15 of them play chess and the rest play chess and football both. How many children play chess?",
        24),
    "some leave": (
        "There are 24 cars in the lot. 9 of them are blue and the rest are black. 3 black cars leave. How many black cars are in the lot?",
        12),
    "those who did": (
        "There are 32 children in the class. 27 children ride the bus. How many children ride the bus?",
        27),
    "did not, told": (
        "There are 32 children in the class. 27 children do not ride the bus. How many children ride the bus?",
        5),
    "did not, both": (
        "There are 32 children in the class. 27 children do not ride the bus. How many children do not ride the bus?",
        27),
    "somebody else's": (
        "Noa needs 25 stamps. Her sister has 17 stamps. How many more stamps does Noa need?",
        25),
    "lost some": (
        "Noa needs 25 stamps. She has 17 stamps. She loses 3 stamps. How many more stamps does she need?",
        11),
    "of another thing": (
        "Noa needs 25 stamps. She has 17 coins. How many more stamps does she need?",
        25),
    "need denied": (
        "Noa does not need 25 stamps. She has 17 stamps. How many more stamps does she need?",
        None),
    "has denied": (
        "Noa needs 25 stamps. She does not have 17 stamps. How many more stamps does she need?",
        None),
    "has more than needed": (
        "Noa needs 25 stamps. She has 30 stamps. How many more stamps does she need?",
        0),
    "some get out": (
        "A van can hold 12 people. There are 7 people in the van. 2 people get out. How many more people can the van hold?",
        7),
    "two vans": (
        "A van can hold 12 people. There are 2 vans and 7 people. How many more people can the vans hold?",
        17),
    "gives away of what is needed": (
        "Noa needs 25 stamps. She has 17 stamps. Ben gives her 4 stamps. How many more stamps does she need?",
        4),
    "each needs": (
        "Noa needs 25 stamps for each letter. She has 17 stamps and 2 letters. How many more stamps does she need?",
        33),
    "need in all": (
        "Noa needs 25 stamps. She needs 17 envelopes. How many more stamps does she need?",
        None),
    "two needs": (
        "Noa needs 25 red stamps and 10 blue stamps. She has 17 stamps. How many more stamps does she need?",
        18),
    "money": (
        "Noa needs 25 dollars. She has 17 dollars and 50 cents. How many more dollars does she need?",
        None),
    "at least": (
        "There are 24 cars in the lot. At least 9 of them are blue and the rest are black. How many cars are black?",
        None),
    "all but": (
        "There are 24 cars in the lot. All but 9 of them are blue. How many cars are blue?",
        15),
    "none of": (
        "There are 24 cars in the lot. None of the 9 new cars are blue. How many cars are blue?",
        None),
    "half and rest": (
        "There are 24 cars in the lot. Half of them are blue and the rest are black. How many cars are black?",
        12),
    "rest by verb": (
        "There are 24 children in a class. 9 of them walk to school and the rest ride the bus. How many children ride the bus?",
        15),
    "rest by verb, part": (
        "There are 24 children in a class. 9 of them walk to school and the rest ride the bus. How many children walk to school?",
        9),
    "rest by verb, all": (
        "There are 24 children in a class. 9 of them walk to school and the rest ride the bus. How many children go to school?",
        24),
    "rest eaten": (
        "Mia had 24 figs. She ate 9 of them and gave the rest to Bo. How many figs did she eat?",
        9),
    "rest given": (
        "Mia had 24 figs. She ate 9 of them and gave the rest to Bo. How many figs does Mia have?",
        0),
    "rest given, asked": (
        "Mia had 24 figs. She ate 9 of them and gave the rest to Bo. How many figs did Bo get?",
        15),
    "red not": (
        "There are 24 cars in the lot. 9 of them are not blue. How many cars are blue?",
        15),
    "red not, asked": (
        "There are 24 cars in the lot. 9 of them are not blue. How many cars are not blue?",
        9),
    "part asked with not": (
        "There are 24 cars in the lot. 9 of them are blue. How many cars are not blue?",
        15),
    "not, three": (
        "There are 24 cars in the lot. 9 of them are blue and 5 of them are red. How many cars are not blue?",
        15),
    "not, two": (
        "There are 24 cars in the lot. 9 of them are blue and 5 of them are red. How many cars are neither blue nor red?",
        10),
    "boys girls": (
        "There are 24 children. 9 are boys. 4 of the boys wear caps. How many are girls?",
        15),
    "wants fewer": (
        "Noa wants 25 stamps. She has 17 stamps. She wants 3 stamps fewer now. How many more stamps does she need?",
        5),
    "gives the rest of need2": (
        "Noa needs 25 stamps and 10 envelopes. She has 17 stamps. How many more things does she need?",
        18),
    "read to the end": (
        "Pablo has to read 90 pages. He read 35 pages. How many pages does he have to read?",
        90),
    "free seats": (
        "A hall has 80 seats. 52 seats are taken. How many seats are free?",
        28),
    "free seats, two": (
        "A hall has 80 seats. 52 adults and 10 children sit in the hall. How many seats are free?",
        18),
    "how many taken": (
        "A hall has 80 seats. 52 seats are taken. How many seats are taken?",
        52),
    "absent": (
        "A class has 28 children. 3 children are absent. How many children are present?",
        25),
    "absent, asked": (
        "A class has 28 children. 3 children are absent. How many children are absent?",
        3),
    "absent, in class": (
        "A class has 28 children. 3 children are absent. How many children are in the class?",
        28),
    "of 28": (
        "3 of 28 children are absent. How many children are present?",
        25),
    "girls of class": (
        "A class has 28 children. 13 of them are girls. How many boys are in the class?",
        15),
    "girls of class, girls": (
        "A class has 28 children. 13 of them are girls. How many girls are in the class?",
        13),
    "girls of class, wear": (
        "A class has 28 children. 13 of them are girls. 5 girls wear caps. How many boys are in the class?",
        15),
    "rotten": (
        "Mia has 24 figs. 9 figs are rotten. How many figs are good?",
        15),
    "rotten, all": (
        "Mia has 24 figs. 9 figs are rotten. How many figs does Mia have?",
        24),
    "did not vote": (
        "There were 32 children in a class. 27 children voted. How many children did not vote?",
        5),
    "two kinds, some did": (
        "Ana picked 12 plums and 9 pears. She ate 15 fruits. How many fruits did she not eat?",
        6),
    "others have": (
        "There are 50 pupils in a club. 20 of them are boys and the others are girls. How many girls are in the club?",
        30),
    "remaining": (
        "There are 50 pupils in a club. 20 of the pupils are boys. The rest are girls. How many girls are there?",
        30),
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
