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


@over(
    ("text", "answered"),
    [
        ("In a club there are 50 children. 12 are in the choir only and 9 in the band only. How "
         "many are in both?", None),
        ("There are 20 pupils. 12 play chess and 9 play tennis. How many play both games?", None),
        ("A mixture has 3 parts rice to 2 parts beans. How many pounds of rice are in 20 pounds of "
         "the mixture?", None),
        ("There are some ducks and some cows. The number of their heads is 30 and the number of "
         "their legs is 84. Find the number of ducks.", None),
        ("Lea bought 6 plain buns, 4 seeded buns, and 5 nut - filled buns. How many buns did Lea "
         "buy in all?", None),
        ("How much does it cost at $0.50 each nail for 8 nails?", None),
        ("Melissa scored 91 points in 13 games, the same for each game. How many points did she "
         "score in each game?", 7),
        ("Ana has 5 pens at home. She buys 3 at school. How many pens does she have at home?",
         None),
        ("Ana has 24 pens. Ben has 9 pens. How many pens does Ana have?", 24),
        ("There were 5 birds in the tree. In the morning 3 birds came. How many birds are in the "
         "tree now?", 8),
        ("There are 8 boys and 6 girls in class A and 12 pupils in class B. How many children are "
         "there in both classes altogether?", 26),
    ],
)  # fmt: skip
def test_numbers_of_something_else_have_no_part(text: str, answered: int | None) -> None:
    assert answer(text).answer == answered


@over(
    ("text", "answered"),
    [
        ("I have a pear, 3 apples, and a plum. How many fruits do I have?", 5),
        ("A farmer has a dog, five cows and seven hens. How many animals does he have?", 13),
        ("Ana bought a ruler, 3 pens and 2 erasers. How many things did she buy?", 6),
        ("There is a teacher and 20 children in the room. How many people are in the room?", 21),
        ("I have a lamp, two chairs, a cat and a desk. How many objects do I have?", None),
        ("I have two violins, a pear and a flute. How many fruits do I have?", None),
        ("I have a head of lettuce, two onions, and two carrots. How many vegetables do I have?",
         None),
        ("Ana bought a bag for $7 and 3 apples for $2 each. How much did she pay?", 13),
        ("Ana buys a book and 2 pens. The book costs $8 and each pen costs $2. How much does she "
         "pay?", 12),
        ("A cap costs $8 and a scarf costs $6. How much do two caps and a scarf cost together?",
         22),
        ("Ana has an apple. She also has 3 pears and 2 plums. How many fruits does she have?",
         None),
        ("There are 3 boys, 2 girls and their teacher in the car. How many people are in the "
         "car?", None),
        ("Ana baked 12 cookies and a cake. She ate 2 cookies. How many cookies are left?", 10),
        ("Ivan spent 12 dollars on a book and 5 dollars on a pen. How much did Ivan spend in all?",
         17),
        ("Ana ate a third of the 12 buns and 2 figs. How many buns are left?", None),
    ],
)  # fmt: skip
def test_what_an_article_counts_beside_numbers_is_one(text: str, answered: int | None) -> None:
    assert answer(text).answer == answered


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
