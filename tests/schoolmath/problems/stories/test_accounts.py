"""What balances: holdings over time, kinds and places, totals, comparisons, prices and purchases.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "compared with him": (
        "Omar has 31 shells. Lena has 8 shells more than him. How many shells do they have altogether?",
        70, "comparisons, total"),
    "kinds of one, and more than all of them": (
        "Lena buys 14 red caps and 5 more blue caps than red caps. Omar buys 6 caps more than Lena. How many caps does Omar buy?",
        39, "comparisons, accounts"),
    "places with letters": (
        "There are 14 boys and 9 girls in room A and 21 pupils in room B. How many pupils are in the 2 rooms?",
        44, "accounts of places"),
    "one place more than another": (
        "There are 14 pears and 9 figs in bag A. There are 8 pears and 7 figs in bag B. How many more pieces of fruit are there in bag A than in bag B?",
        8, "accounts of places"),
    "a kind less than another in all places": (
        "There are 14 boys and 9 girls in room A. There are 12 boys and 13 girls in room B. How many fewer girls than boys are there in both rooms altogether?",
        4, "accounts of places"),
    "as many times as in another place": (
        "There are 15 pens in box A. There are 3 times as many pens in box B as in box A. How many pens are there altogether?",
        60, "comparisons, accounts"),
    "some of all of them": (
        "There were 15 pens in box A. Box B had 20 more than box A. If 12 pens were sold, how many pens were left in both boxes?",
        38, "comparisons, accounts"),
    "what went, and was not told": (
        "There are 26 peanuts and 14 walnuts in a bowl. After Omar has eaten some of the nuts, there are 31 nuts left. How many nuts does Omar eat?",
        9, "accounts"),
    "some of several that went": (
        "Omar has $45. He spends $12 on food, $9 on books and some on pens. He has $16 left. How much does he spend on pens?",
        8, "accounts"),
    "two kinds of a whole": (
        "There are 64 people in a hall. 27 of them are children and the rest are adults. How many more adults than children are there?",
        10, "accounts"),
    "the rest in a sentence of its own": (
        "There were 64 people in a hall. There were 27 men and 20 women. The rest were children. How many children were there?",
        17, "accounts"),
    "half of them": (
        "There were 26 people on a boat. Half of them got off. Then 4 people got on. How many people are on the boat?",
        17, "accounts"),
    "half as many": (
        "Ava has half as many cards as Ben. Ben has 18 cards. How many cards do they have altogether?",
        27, "comparisons, accounts"),
    "half, and some to another": (
        "Ava had 30 figs. She ate half the figs and gave 4 to Ben. How many figs does she have left?",
        11, "accounts"),
    "two thirds of them": (
        "Ava had 30 figs. She sold two thirds of the figs. How many figs does she have left?",
        10, "accounts"),
    "what there was before it went": (
        "A cook uses 30 eggs for cakes and 12 eggs for buns. If 18 eggs are left, how many eggs were there at first?",
        60, "start"),
    "a total without two of three": (
        "Omar, Lena and Kim had 90 cards. Omar had 25. Lena had 14 fewer than Omar. How many cards did Kim have?",
        54, "comparisons, accounts"),
    "in units of the smallest": (
        "Omar has 3 times as many cards as Lena. Kim has 2 times as many cards as Omar. They have 100 cards altogether. How many cards does Kim have?",
        60, "comparisons, accounts"),
    "in units and so many more": (
        "Omar has 12 more cards than Lena. They have 58 cards altogether. How many cards does Omar have?",
        35, "comparisons, accounts"),
    "times and more of the same": (
        "Omar has 4 times as many cards as Lena. Omar has 36 more cards than Lena. How many cards do they have altogether?",
        60, "comparisons, accounts"),
    "bought, and part of it given away": (
        "Lena buys 40 nuts. She gives 12 nuts to her aunt and 15 nuts to her son. How many nuts has she left?",
        13, "state over time"),
    "so many in such boxes": (
        "There are 4 red pens and 3 blue pens in a box. How many pens are there in 6 such boxes?",
        42, "sum, times"),
    "how much more, then as much": (
        "Omar has 19 cards. Lena has 33 cards. How many more cards must Omar buy so that he will have the same number of cards as Lena?",
        14, "levelled"),
    "one gives the other": (
        "Omar has 19 cards and Lena has 33 cards. How many cards must Lena give Omar so that both have the same number?",
        7, "levelled"),
    "lost to be level": (
        "Omar has 19 cards. Lena has 33 cards. How many cards must Lena lose to have as many as Omar?",
        14, "levelled"),
    "several did not": (
        "There are 60 pages in a book. Lena reads 13 pages on Monday and 21 pages on Tuesday. How many pages are not read yet?",
        26, "others"),
    "who shares is one of them": (
        "Omar has 24 figs. He shares the figs equally with his 3 friends. How many figs does each of them get?",
        6, "shared"),
    "days in weeks": (
        "Lena drinks 3 cups of milk each day. How many cups of milk does she drink in 2 weeks?",
        42, "times"),
    "dearer, together": (
        "A scarf costs $31. 1 pair of gloves costs $12 more than the scarf. How much do the scarf and the pair of gloves cost altogether?",
        74, "comparisons, total"),
    "dearer, so many of the other": (
        "1 mug costs $5 more than 1 cup. The mug costs $9. What is the cost of 3 such cups?",
        12, "comparisons, shopping"),
    "the price of two of three": (
        "A pen and a ruler cost $9. 2 pens cost $8. How much does the ruler cost?",
        5, "shopping"),
    "one of a sum of several": (
        "3 melons and 4 limes cost $26. If a lime costs $2, what is the cost of a melon?",
        6, "shopping"),
    "two that cost so much, compared": (
        "A pen and a ruler cost $28 together. The pen costs $19. How much more does the pen cost than the ruler?",
        10, "accounts"),
    "change of one thing": (
        "Lena buys a lamp for $38. She gives the cashier $50. How much change does she get?",
        12, "shopping"),
    "change of several": (
        "A pen costs $3 and a book costs $5. Lena buys 2 pens and 3 books. She pays with a $50 note. How much change does she get?",
        29, "shopping"),
    "money before, by what is left": (
        "A notebook cost $3. Omar bought 6 and had $19 left. How much did he have at first?",
        37, "shopping"),
    "money left, with a compared price": (
        "A pen cost $5, which was $2 more than a pencil. Lena had $30 and bought 2 pens and 4 pencils. How much had she left?",
        8, "comparisons, shopping"),
    "by the price of several": (
        "2 books cost $10 and 3 pens cost $6. How much does Omar spend if he buys 1 book and 1 pen?",
        7, "shopping"),
    "a sum, and so much more": (
        "Lena spent $28 on a cap and gloves. The cap cost $6 more than the gloves. How much did the cap cost?",
        17, "comparisons, shopping"),
    "shares of what there was": (
        "Omar has 40 nuts. He eats 1/4 of them and gives 1/5 of them to Lena. How many nuts does he have left?",
        22, "accounts"),
    "a share of the rest": (
        "Omar has 40 nuts. He eats 1/4 of them. He gives 1/5 of the remaining nuts to Lena. How many nuts does he have left?",
        24, "accounts"),
    "shares of a whole, and the rest": (
        "Omar has 40 nuts. 1/4 of them are red, 1/2 of them are blue and the rest are green. How many nuts are green?",
        10, "accounts"),
    "a part as many": (
        "Omar has 40 nuts. Lena has 3/4 as many nuts as Omar. How many more nuts does Omar have than Lena?",
        10, "comparisons, accounts"),
    "what there was, by a share": (
        "Omar had some nuts. He gave 2/5 of them to Lena and had 30 left. How many nuts did he give Lena?",
        20, "accounts"),
    "a share of the money": (
        "Omar has $60. He spends 1/3 of his money on a book and $10 on a pen. How much money does he have left?",
        30, "accounts"),
    "times as many of another kind": (
        "There were 120 black chairs and 3 times as many white chairs in a hall. How many chairs were there?",
        480, "comparisons, accounts"),
    "two comparisons in one sentence": (
        "Lena had 2 times as many nuts as Kim and 25 fewer nuts than Omar. They had 100 nuts altogether. How many nuts did Omar have?",
        55, "comparisons, accounts"),
    "what several did together": (
        "Omar and Lena sold a total of 116 tickets. Omar sold 3 times as many tickets as Lena. How many tickets did Omar sell?",
        87, "comparisons, accounts"),
    "the three of them": (
        "Omar had $150 more than Lena and $70 less than Kim. The 3 children had a total of $790. How much did Kim have?",
        360, "comparisons, accounts"),
    "both kinds before they were put together": (
        "A basket contained 4 times as many blue balls as red balls. After 21 blue balls were taken away, there were 2 times as many red balls as blue balls. How many balls were there in the basket at first?",
        30, "comparisons, accounts"),
    "bags of two kinds": (
        "There are 4 bags of figs. Each bag has 8 figs. There are 3 bags of plums. Each bag has 5 plums. How many pieces of fruit are there altogether?",
        47, "same verb"),
    "pieces of fruit to buy": (
        "Omar wants to buy 60 pieces of fruit. He buys 18 apples and 19 bananas at the market. How many more pieces of fruit does he need to buy?",
        23, "need"),
    "boys and girls who do not": (
        "There are 26 boys and 15 girls in a class. 17 children wear caps. How many children do not wear caps?",
        24, "others"),
    "three boxes, by parts of one another": (
        "Box A contained 250 cards and box B contained 1/2 as many cards as box A. Box C contained 3 times as many cards as box B. How many cards were in the 3 boxes?",
        750, "comparisons, accounts"),
    "boys and girls together": (
        "There are 24 boys and girls in a club. There are 4 more boys than girls. How many girls are there?",
        10, "comparisons, accounts"),
    "hens and ducks together": (
        "A farmer has 3 times as many hens as ducks. He has 48 hens and ducks. How many ducks does he have?",
        12, "comparisons, accounts"),
}  # fmt: skip

DOUBTFUL = {
    "half of two kinds": (
        "Ava had 30 red figs and 20 green figs. She ate half of them. How many figs does she have left?",
        25),
    "half of what was bought besides": (
        "Ava had 30 figs. She bought 10 more and gave half of them to Ben. How many figs does she have left?",
        None),
    "half of half": (
        "Ava had 30 figs. She ate half of a fig. How many figs does she have left?",
        None),
    "the rest of it, by what it is not": (
        "There are 30 hens on a farm. 12 of them are black, 8 are brown and the rest are white. How many hens are not white?",
        20),
    "not on one of the days": (
        "There are 24 pages in a book. Lena reads 5 pages on Monday and 7 on Tuesday. How many pages did she not read on Monday?",
        19),
    "of one kind only": (
        "There are 14 boys and 16 girls in a class. 5 boys wear caps. How many children do not wear caps?",
        None),
    "which of the kinds left": (
        "There are 12 boys and 9 girls in a club. 4 children leave. How many boys are in the club?",
        None),
    "than two together": (
        "Omar has 4 more figs than Lena. Together they have 14 figs. Kim has 6 figs more than Omar and Lena together do. How many figs does Kim have?",
        20),
    "before or after": (
        "Omar had 12 more figs than Lena. Omar lost 20 of his figs. If Omar had 17 figs, how many figs does Lena have now?",
        5),
    "moved between two places": (
        "Box A has 12 pens and box B has 5 more pens than box A. 4 pens are moved from box A to box B. How many pens are in box B?",
        21),
    "taken out of one of two places": (
        "There are 15 pens in box A and 11 pens in box B. Omar takes 4 pens out of box A. How many pens are left in box A?",
        11),
    "taken out of the other": (
        "There are 15 pens in box A and 11 pens in box B. Omar takes 4 pens out of box A. How many pens are in box B?",
        11),
    "the other way round": (
        "Omar has 9 cards. Lena has 15 cards. How many cards must Omar give Lena so that they have the same number?",
        None),
    "twice as many, not as many": (
        "Omar has 9 cards. Lena has 15 cards. How many more cards must Omar get to have twice as many as Lena?",
        21),
    "first something else": (
        "Omar has 9 cards. Lena has 15 cards. Omar gets 2 more. How many cards must Lena give Omar so that they have the same number?",
        2),
    "what one kind is of": (
        "Lena made 56 pies and 124 cakes. If she sold 104 cakes and 29 pies, how many pies would she still have?",
        27),
    "boxes, and what is in one": (
        "There are 5 blue pens and 6 red pens in a box. There are 3 boxes. How many pens are there altogether?",
        33),
    "on each of the coats": (
        "Lena sews 4 buttons on a coat. After sewing 8 coats, she has 19 buttons left. How many buttons does she have at first?",
        51),
    "her share": (
        "Omar shares 24 buns equally with 2 friends. He puts his share equally into 2 boxes. How many buns are in each box?",
        4),
    "each friend": (
        "Lena shares 12 figs with 2 friends. She gives each friend 3 figs. How many figs does she keep?",
        6),
    "days that are no days of the week": (
        "Lena reads 3 books each school day. How many books does she read in 2 weeks?",
        None),
    "each child spends": (
        "3 children have 20 dollars each. Each child spends 4 dollars. How much money do they have left?",
        48),
    "pears for apples": (
        "If 3 kg of apples cost $6, how much do 5 kg of pears cost?",
        None),
    "something without a price": (
        "A pen costs $3. Lena buys 2 pens and a ruler. How much does she spend?",
        None),
    "two prices of one noun": (
        "A red cap costs $3 and a blue cap costs $5. Lena buys 2 red caps. How much does she spend?",
        6),
    "for five, each or together": (
        "Lena has $40. She buys a scarf for $12 and 2 caps for $5. How much does she have left?",
        None),
    "dearer than two together": (
        "A bag costs $30, a cap costs $12 and a belt costs $9. How much more does the bag cost than the cap and the belt?",
        9),
    "what is sold again": (
        "Lena buys a bag for $30. She sells it for $45. How much does she earn?",
        15),
    "paid by two": (
        "Lena pays $30 for a bag and Omar pays $12 for a cap. How much more does Lena pay than Omar?",
        18),
    "money short": (
        "A book costs $5 and a pen costs $2. Omar needs $3 more to buy both. How much money does he have now?",
        4),
    "a share of what": (
        "Omar has 40 nuts. He eats 1/4 of them. He gives 1/5 of them to Lena. How many nuts does he have left?",
        None),
    "a share of those who are not counted": (
        "There are 30 pupils in a class. 2/5 of the boys wear caps. How many boys wear caps?",
        None),
    "no whole number of them": (
        "Omar had 24 figs. He ate 1/5 of them. How many figs did he have left?",
        None),
    "somebody else's before": (
        "Omar had 24 figs. He gave Lena 1/3 of his figs. Lena had 10 figs before. How many figs does Lena have now?",
        18),
    "from where they were": (
        "There are 15 figs on a tree. Omar picks 6 figs. How many figs are on the tree?",
        9),
    "from where they were, and eaten": (
        "There are 15 figs on a tree. Omar picks 6 figs and eats 2 figs. How many figs does Omar have left?",
        4),
    "caught out of it": (
        "There are 9 fish in the pond. Omar catches 3 fish. How many fish does Omar have?",
        3),
    "than one has, or gets": (
        "Omar has 24 cards. Lena gets 18 more cards than Omar. How many cards does Lena have?",
        None),
}  # fmt: skip
"""Stories that may be refused, each with the one answer that would be right; None: no answer is."""


@over("case", SOLVED)
def test_a_story_of_each_kind_is_solved_by_its_strategy(case: str) -> None:
    assert_solved(*SOLVED[case])


@over("case", DOUBTFUL)
def test_where_it_is_doubtful_no_other_number_is_answered(case: str) -> None:
    assert_never_wrong(*DOUBTFUL[case])
