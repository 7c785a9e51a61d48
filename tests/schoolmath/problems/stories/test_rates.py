"""So many in each: how many in all, how many groups, how many in each of them.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "each has so many": (
        "There are 7 tables in the hall. Each table has 4 legs. How many legs are there?",
        28, "times"),
    "so many in each": (
        "There are 8 lamps in each room. There are 5 rooms. How many lamps are there in all?",
        40, "times"),
    "a price each": (
        "Kofi bought 6 pens for 3 dollars each. How much did he spend?",
        18, "times"),
    "so many a day": (
        "Mira reads 12 pages per day. How many pages does she read in 5 days?",
        60, "times"),
    "how many groups": (
        "A baker has 63 rolls. He puts 9 rolls in each bag. How many bags does he need?",
        7, "groups"),
    "shared out": (
        "Zeno shared 45 nuts equally among 5 squirrels. How many nuts did each squirrel get?",
        9, "shared"),
    "a chain": (
        "There are 4 trucks. Each truck carries 6 crates. Each crate holds 10 melons. How many melons are there?",
        240, "chain of rates"),
    "two prices": (
        "Kofi bought 4 pens for 2 dollars each and 3 books for 7 dollars each. How much did he spend in all?",
        29, "same verb"),
    "some go afterwards": (
        "Ana has 3 boxes. Each box holds 8 pens. She gives 5 pens to Ben. How many pens does Ana have left?",
        19, "state over time"),
    "put into": (
        "Sara has 56 pictures. She puts them into albums with 7 pictures in each album. How many albums does she need?",
        8, "groups"),
    "packs with some in each": (
        "Olaf bought 9 packs of cards. Each pack has 5 cards. How many cards did Olaf buy?",
        45, "times"),
    "how long": (
        "Ida paints 4 chairs per hour. How many hours does she need for 20 chairs?",
        5, "groups"),
    "how many in each": (
        "There are 72 seats in 8 rows. How many seats are in each row?",
        9, "shared"),
    "earns an hour": (
        "Gwen earns 11 dollars an hour. How much does she earn in 6 hours?",
        66, "times"),
    "in a bar": (
        "There are 8 nuts in a bar. How many nuts are in 3 bars?",
        24, "times"),
    "a box holds": (
        "A box holds 6 pens. How many boxes does Sara need for 30 pens?",
        5, "groups"),
    "how long (2)": (
        "A snail crawls 4 feet per hour. It crawled 20 feet. How long did it crawl?",
        5, "groups"),
    "contents": (
        "Olaf bought 9 packs of gum with 15 pieces in each pack. How many pieces of gum did Olaf buy?",
        135, "times"),
    "counts left": (
        "Ana had 9 boxes. She gave away 4 boxes. Each box holds 6 pens. How many pens does Ana have left?",
        30, "times"),
    "counts more": (
        "Ana had 9 boxes. She bought 4 boxes. Each box holds 6 pens. How many pens does Ana have?",
        78, "times"),
    "not sold ones": (
        "Ana had 17 boxes, but she did not sell 8 of them. Each box costs 2 dollars. How much did she earn?",
        18, "times"),
    "shared sums": (
        "Ana has 12 red and 18 blue beads. She shares the beads equally among 6 friends. How many beads does each friend get?",
        5, "shared"),
    "shared left": (
        "Ana had 35 figs. She ate 5 figs. She put the figs into 6 bags. How many figs are in each bag?",
        5, "shared"),
    "groups of": (
        "A teacher has 28 pupils. She puts them into groups of 4. How many groups are there?",
        7, "groups"),
    "groups sum": (
        "There are 15 boys and 13 girls. The teacher puts the children into groups of 4. How many groups are there?",
        7, "groups"),
    "had and bought bags": (
        "Ana had 3 figs and bought 2 bags with 9 figs each. How many figs does Ana have now?",
        21, "state over time"),
    "bags and some eaten": (
        "Ana has 4 bags with 9 figs in each bag. She eats 5 figs and finds 3 figs. How many figs does she have?",
        34, "state over time"),
    "price of those": (
        "Ana bought 5 pens that cost 3 dollars each. How much did the pens cost?",
        15, "times"),
    "counted in question": (
        "If each box holds 6 pens, how many pens are in 8 boxes?",
        48, "times"),
    "dollar games": (
        "Ana earned 24 dollars. How many 6 dollar games can Ana buy?",
        4, "groups"),
    "miles per": (
        "A car drives 40 miles per gallon. How many miles can it drive with 5 gallons?",
        200, "times"),
    "rows": (
        "A hall has 9 rows with 8 seats in each row. How many seats are there?",
        72, "times"),
    "small bags alike": (
        "Ana has 30 figs. Each small bag holds 5 figs. How many small bags does Ana need?",
        6, "groups"),
    "boxes bought and given": (
        "Ana bought 9 boxes and gave away 4 boxes. Each box holds 6 pens. How many pens does Ana have?",
        30, "times"),
    "a total of boxes": (
        "Ana has a total of 9 boxes. Each box holds 6 pens. How many pens does Ana have?",
        54, "times"),
}  # fmt: skip
"""A story of each kind, with its answer and the strategy that finds it."""

ALIKE = {
    "one thing besides": (
        "Kofi bought 6 pens for 3 dollars each and a book for 10 dollars. How much did he spend?",
        28, "same verb"),
    "broken ones": (
        "There are 8 lamps in each room. There are 5 rooms. 3 lamps are broken. How many lamps are not broken?",
        37, "others"),
    "and in the hall": (
        "There are 8 lamps in each room. There are 5 rooms. There are 2 lamps in the hall. How many lamps are there in all?",
        42, "same verb"),
    "given away packs": (
        "Olaf bought 9 packs of cards. He gave 2 packs to Ben. Each pack has 5 cards. How many cards does Olaf have?",
        35, "times"),
    "with money left": (
        "Gwen earns 11 dollars an hour. She worked 6 hours and spent 20 dollars. How much money does she have left?",
        46, "state over time"),
    "together": (
        "Mira and Olaf read 12 pages per day together. How many pages do they read in 5 days?",
        60, "times"),
    "sells bags, rolls": (
        "A baker has 63 rolls. He puts 9 rolls in each bag. He sells 3 bags. How many rolls are left?",
        36, "state over time"),
    "eats before": (
        "A baker has 63 rolls. He eats 9 rolls and puts the rest in 6 bags. How many rolls are in each bag?",
        9, "shared"),
    "two in all": (
        "A baker has 5 bags and 2 boxes. There are 9 rolls in each bag and 4 rolls in each box. How many rolls does he have?",
        53, "sum of products"),
    "price of all": (
        "Kofi bought 6 pens. The pens cost 18 dollars. How much does each pen cost?",
        3, "shared"),
    "bags for two": (
        "Each child gets 3 bags with 5 nuts. There are 4 children. How many nuts are there?",
        60, "chain of rates"),
    "hours a day, week": (
        "Gwen works 6 hours a day, 5 days a week. How many hours does she work in 3 weeks?",
        90, "chain of rates"),
    "how many get": (
        "Zeno gave 5 nuts to each squirrel. He had 45 nuts. How many squirrels got nuts?",
        9, "groups"),
    "legs of cows": (
        "A farm has 6 hens and 4 cows. Each cow has 4 legs. How many legs do the cows have?",
        16, "times"),
    "boxes, any": (
        "Olaf has 9 boxes of pens and 5 boxes of caps. Each box holds 4 things. How many things does he have?",
        56, "times"),
}  # fmt: skip
"""Stories that look like one of those and have an answer of their own."""

DOUBTFUL = {
    "two things in each": (
        "There are 6 cages. Each cage has 2 parrots and 7 doves. How many birds are there in all?",
        54),
    "in weeks": (
        "Mira reads 12 pages per day. How many pages does she read in 5 weeks?",
        420),
    "in a week": (
        "Mira reads 12 pages per day. How many pages does she read in a week?",
        84),
    "not whole": (
        "A baker has 63 rolls. He puts 10 rolls in each bag. How many bags does he need?",
        7),
    "shared by more": (
        "Zeno shared 45 nuts equally among 5 squirrels and 4 birds. How many nuts did each animal get?",
        5),
    "for all of them": (
        "Kofi bought 6 pens for 3 dollars. How much did he spend?",
        3),
    "change": (
        "Kofi bought 6 pens for 3 dollars each. He paid with 20 dollars. How much change did he get?",
        2),
    "of ten": (
        "Kofi had 10 pens. He sold 6 pens for 3 dollars each. How much money did he get?",
        18),
    "some tables only": (
        "There are 7 tables in the hall. 5 tables have 4 chairs each. How many chairs are there?",
        20),
    "round ones": (
        "There are 7 tables in the hall. Each round table has 4 legs. 3 tables are round. How many legs do the round tables have?",
        12),
    "denied": (
        "Olga has 6 shelves. Each shelf does not hold 9 books. How many books does Olga have?",
        None),
    "every second": (
        "There are 8 tables in the hall. Every second table has 4 legs. How many legs are there?",
        None),
    "not each": (
        "There are 7 tables in the hall. Not every table has 4 legs. How many legs are there?",
        None),
    "some for himself": (
        "Zeno had 45 nuts. He kept 5 nuts and shared the others equally among 8 squirrels. How many nuts did each squirrel get?",
        5),
    "ate some before": (
        "Zeno had 45 nuts. He ate 5 nuts. Then he shared the nuts equally among 8 squirrels. How many nuts did each squirrel get?",
        5),
    "how many more": (
        "There are 7 tables in the hall. Each table has 4 legs. How many more legs than tables are there?",
        21),
    "tables not legs": (
        "There are 7 tables in the hall. Each table has 4 legs. How many tables are there?",
        7),
    "legs of one": (
        "There are 7 tables in the hall. Each table has 4 legs. How many legs does each table have?",
        4),
    "two carried off": (
        "There are 7 tables in the hall. Each table has 4 legs. 2 tables are carried away. How many legs are in the hall?",
        20),
    "two of three rates": (
        "Olaf bought 9 packs of cards. Each pack has 5 cards and costs 3 dollars. How many cards did Olaf buy?",
        45),
    "two of three rates, money": (
        "Olaf bought 9 packs of cards. Each pack has 5 cards and costs 3 dollars. How much did Olaf spend?",
        27),
    "each of another": (
        "Olaf bought 9 packs of cards. Each box has 5 cards. How many cards did Olaf buy?",
        None),
    "hours in minutes": (
        "Ida paints 4 chairs per hour. How many chairs does she paint in 30 minutes?",
        2),
    "days off": (
        "Mira reads 12 pages per day, but she does not read on 2 days. How many pages does she read in 5 days?",
        36),
    "half of them": (
        "Kofi bought 6 pens for 3 dollars each. Half of the pens were red. How much did he spend?",
        18),
    "rows removed": (
        "There are 72 seats in 8 rows. 2 rows are removed. How many seats are in each row?",
        9),
    "two sizes": (
        "Olaf bought 4 small packs and 5 large packs. Each large pack has 6 cards. How many cards are in the large packs?",
        30),
    "already has": (
        "Sara has 56 pictures. She has 2 albums. She puts the pictures into albums with 7 pictures in each album. How many more albums does she need?",
        6),
    "each pair": (
        "Ana has 5 pairs of socks. How many socks does she have?",
        10),
    "teams with extra child": (
        "There are 4 teams with 6 children each. 2 children have no team. How many children are there?",
        26),
    "every 2 days": (
        "Mira reads 12 pages every 2 days. How many pages does she read in 6 days?",
        36),
    "per 2 hours": (
        "Ida paints 4 chairs in 2 hours. How many chairs does she paint in 6 hours?",
        12),
    "twice a day": (
        "Mira reads 12 pages twice a day. How many pages does she read in 5 days?",
        120),
    "3 times a day": (
        "Mira reads 12 pages 3 times a day. How many pages does she read in 5 days?",
        180),
    "except Sunday": (
        "Mira reads 12 pages each day except Sunday. How many pages does she read in 7 days?",
        72),
    "from 2 to 5": (
        "Ida paints 4 chairs per hour. How many chairs does she paint from 2 to 5 o'clock?",
        12),
    "two people": (
        "Mira and Olaf each read 12 pages per day. How many pages do they read in 5 days?",
        120),
    "some rooms": (
        "There are 8 lamps in each big room. There are 5 rooms. 3 of the rooms are big. How many lamps are in the big rooms?",
        24),
    "up to": (
        "Each table has up to 4 legs. There are 7 tables. How many legs are there?",
        None),
    "at most": (
        "Each bag can hold 9 rolls. A baker has 6 bags and 20 rolls. How many rolls are in the bags?",
        20),
    "how many more (2)": (
        "Each bag can hold 9 rolls. A baker has 6 bags and 20 rolls. How many more rolls can he put into the bags?",
        34),
    "full bags": (
        "A baker has 63 rolls. He puts 9 rolls in each bag. He sells 3 bags. How many bags are left?",
        4),
    "bags of other size": (
        "A baker has 5 bags with 9 rolls and 2 bags with 4 rolls. How many rolls does he have?",
        53),
    "price of all, other": (
        "Kofi bought 6 pens and 2 caps. The pens cost 18 dollars. How much does each pen cost?",
        3),
    "one free": (
        "Kofi bought 6 pens for 3 dollars each and got 1 pen for free. How much did he spend?",
        18),
    "friends pay": (
        "Kofi and 2 friends shared 45 nuts equally. How many nuts did each of them get?",
        15),
    "friends and himself": (
        "Kofi shared 45 nuts equally with 4 friends. How many nuts did each of them get?",
        9),
    "group of each": (
        "A class of 28 children is split into 4 groups. 1 group leaves. How many children are left?",
        21),
    "not full": (
        "There are 7 tables in the hall. Each table has 4 chairs. 2 tables are empty. How many chairs are there?",
        28),
    "one chair short": (
        "There are 7 tables with 4 chairs each. One table has only 3 chairs. How many chairs are there?",
        27),
    "but one": (
        "There are 7 tables in the hall. Each table but one has 4 chairs. How many chairs are there?",
        None),
    "weeks in days": (
        "A cow gives 9 liters of milk per day. How many liters does it give in 2 weeks?",
        126),
    "hours a day": (
        "Gwen works 6 hours a day and earns 11 dollars an hour. How much does she earn in 5 days?",
        330),
    "per dozen": (
        "Eggs cost 3 dollars per dozen. How much do 4 dozen eggs cost?",
        12),
    "2 for 3 dollars": (
        "Pens cost 3 dollars for 2 pens. How much do 8 pens cost?",
        12),
    "buy two": (
        "Kofi buys 8 pens. 2 pens cost 3 dollars. How much does he pay?",
        12),
    "tickets for two kinds": (
        "Tickets cost 5 dollars. Kofi buys 6 tickets and has 10 dollars left. How much money did he have?",
        40),
    "cost more": (
        "Kofi wants to buy 6 pens for 3 dollars each. He has 10 dollars. How much more money does he need?",
        8),
    "half price": (
        "Kofi bought 6 pens for 3 dollars each and 2 at half price. How much did he spend?",
        None),
    "share but one": (
        "Zeno shared 45 nuts equally among 5 squirrels. One squirrel ate 4 nuts. How many nuts did each squirrel get?",
        9),
    "left over": (
        "Zeno shared 45 nuts equally among 6 squirrels. How many nuts were left over?",
        3),
    "how many get, kept": (
        "Zeno gave 5 nuts to each squirrel. He had 45 nuts and kept 10 nuts. How many squirrels got nuts?",
        7),
    "each twice": (
        "Zeno gave 5 nuts to each of 4 squirrels on 2 days. How many nuts did he give?",
        40),
    "rows and columns": (
        "There are 8 rows of 9 seats. 5 seats are taken. How many seats are free?",
        67),
    "two teams": (
        "There are 6 players on each team. 3 teams have 2 coaches each. How many players are on 3 teams?",
        18),
    "who walks": (
        "Each of the 12 boys and 9 girls has 3 pens. How many pens do the boys have?",
        36),
    "who walks, all": (
        "Each of the 12 boys and 9 girls has 3 pens. How many pens do they have?",
        63),
    "legs": (
        "A farm has 6 hens and 4 cows. A hen has 2 legs. A cow has 4 legs. How many legs are there?",
        28),
    "boxes and pieces": (
        "Olaf has 9 boxes of pens. He has 5 boxes of caps. Each box of pens holds 4 pens. How many pens does he have?",
        36),
    "per page": (
        "Sara put 7 pictures on each page. She used 8 pages, but the last page has only 3 pictures. How many pictures does she have?",
        52),
    "in an hour, minutes": (
        "A pump fills 5 liters in a minute. How many liters does it fill in an hour?",
        300),
    "started at": (
        "Ida paints 4 chairs per hour. She has painted 3 chairs. How many chairs will she have painted after 2 more hours?",
        11),
    "every other day": (
        "Mira reads 12 pages every other day. How many pages does she read in 10 days?",
        60),
    "days of the week": (
        "Mira reads 12 pages on Monday and Tuesday. How many pages does she read?",
        None),
    "each on two days": (
        "Mira reads 12 pages each on Monday and Tuesday. How many pages does she read?",
        24),
    "can fit": (
        "Sara can fit 4 books on a shelf. She has 20 books. How many shelves does she need?",
        5),
    "two kinds in each": (
        "There are 6 cages with 2 parrots and 7 parakeets in each cage. How many birds are there in all?",
        54),
    "women and men": (
        "There are 7 women and 2 men at each table. There are 5 tables. How many people are there?",
        45),
    "counts of two": (
        "Ana bought 3 red caps and 2 blue caps for 4 dollars each. How much did she spend?",
        20),
    "tickets left": (
        "Ana bought 13 tickets and had 4 tickets left. Each ticket costs 2 dollars. How much did Ana spend riding?",
        18),
    "legs of bees": (
        "A bee has 6 legs. How many legs do 8 bees have?",
        48),
    "small bags": (
        "Ana has 30 figs. She puts 5 figs in each large bag. How many small bags does she need?",
        None),
    "money and people at each": (
        "There are 7 women and 2 dollars at each table. There are 5 tables. How many women are there?",
        35),
    "a total beside its parts": (
        "Ana has 4 red boxes and 5 blue boxes, a total of 9 boxes. Each box holds 6 pens. How many pens does Ana have?",
        54),
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
