"""What the words of a story have against an answer that both readers would give."""

from __future__ import annotations

from schoolmath.problems.stories import answer
from tests.loops import over


@over(
    ("text", "answered"),
    [
        ("27 children were in a room. 8 children went to the window. How many children are in the "
         "room?", None),
        ("27 children were in a park. 8 children joined a game. How many children are in the "
         "park?", None),
        ("There are 20 marbles in a bag. 7 marbles fewer are added. How many marbles are in the "
         "bag?", None),
        ("A pen costs $3 and a book costs $5 more. How much do they cost together?",
         None),
        ("A shirt is $15 and trousers are $10 more. How much are both?", None),
        ("Grace sold 14 tickets and her friend sold 5 more. How many tickets did they sell "
         "altogether?", None),
        ("Leo scored 8 points in the first game and 5 points more in the second game. How many "
         "points did he score in both games?", None),
        ("Bob has 5 shirts, and Jim has 2 more. How many shirts do they have in all?", None),
        ("Bob has 5 shirts. Jim owns 2 more. How many shirts are there altogether?", None),
        ("The red box has 5 pens. The blue box has 3 more. How many pens are there in all?", None),
        ("A pencil costs 2 dollars. A pen costs 3 dollars more. How much do a pencil and a pen "
         "cost?", None),
        ("Tom ran 4 miles on Monday. On Tuesday he ran 2 miles more. How many miles did he run in "
         "all?", None),
        ("Bob has 5 shirts in a drawer. He has 2 more in the wash. How many shirts does Bob have "
         "in all?", 7),
        ("There are 4 marbles. 7 marbles more are added. How many marbles are there in all?", 11),
        ("Rita has 12 pens. Rita's pens are all sorted into buckets, with 4 in each bucket. What "
         "is the number of buckets of pens that Rita has now?", 3),
        ("Pete ate 6 grapes. Rita ate 4 more grapes. How many grapes were eaten in all?", None),
        ("Wayne collects 9 blocks. Wayne's father gives Wayne 6 more. How many blocks does Wayne "
         "have?", 15),
        ("A cook has 24 eggs. He makes 5 omelettes with 3 eggs each. How many eggs are left?",
         None),
        ("20 pupils were in the class. 5 went home. How many pupils are in the class?", 15),
        ("30 birds sat in a tree. 5 birds flew to another tree. How many birds are in the tree "
         "now?", 25),
        ("3 owls were sitting on the fence. 2 more owls joined them. How many owls are on the "
         "fence now?", 5),
        ("There were 5 friends playing a video game online when 2 more players joined the game. "
         "If each player had 8 lives, how many lives did they have total?", 56),
        ("Ava had 24 pens. She bought 6 pens. She shared the new pens between 3 boxes. How many "
         "pens are in each box?", None),
        ("Joan sells her old books. She has 33 books to sell. She sold 26 books. How many books "
         "does Joan now have?", 7),
        ("A store had 34 oranges in a bin. If they threw away 20 of the old ones and put 13 new "
         "ones in the bin how many would be in the bin?", 27),
    ],
)  # fmt: skip
def test_which_way_something_goes_is_told_by_more_than_its_verb(
    text: str, answered: int | None
) -> None:
    found = answer(text)
    assert found.answer == answered, found
    assert (found.doubted is None) == (answered is not None)


STORIES = {
    "Ana had 12 pens. She bought 5 pens.": "How many pens does Ana have?",
    "30 birds sat in a tree. 5 birds flew to another tree.": "How many birds are in the tree?",
    "Tom has 3 boxes. Each box has 6 books.": "How many books does Tom have?",
    "A shop had 50 apples. It sold 20 and threw away 5.": "How many apples are left?",
}
"""Stories that are answered, with their questions."""


@over(
    "more",
    [
        "Then all of them were lost.", "Then somebody gave one more.", "Later another one came.",
        "Then they gave some of them back.", "Then none of them were left.", "Some were rotten.",
        "Then one of them was eaten.", "A few of them did not count.",
        "In the end several were missing.",
        "Then half of them were thrown away.", "The next day the same happened again.",
        "Then the number doubled.", "Then somebody stole them.",
        "Then they shared them equally.", "After that there were fewer.", "Then everyone left.",
        "Her mother took the rest.",
    ],
)  # fmt: skip
def test_nothing_that_changes_an_amount_is_passed_over(more: str) -> None:
    for story, question in STORIES.items():
        assert answer(f"{story} {question}").answer is not None
        assert answer(f"{story} {more} {question}").answer is None, story


@over(
    ("text", "right"),
    [
        ("18 children were riding on the bus. At the bus stop, some more children got on the bus. "
         "Then there were 25 children altogether on the bus. How many children got on the bus at "
         "the bus stop?", 7),
        ("Mike baked some cakes. He sold 14 of them. He still has 7 cakes left. How many cakes did "
         "Mike bake?", 21),
    ],
)  # fmt: skip
def test_an_amount_that_a_later_number_makes_known_is_an_unknown(text: str, right: int) -> None:
    assert answer(text).answer == right
