"""Stories of several steps: what follows from two amounts takes their place.

Each kind of story stands beside others that look alike and must get another answer, or none.
"""

# ruff: noqa: E501

from __future__ import annotations

from tests.loops import over
from tests.schoolmath.problems.stories.checks import assert_never_wrong, assert_solved

SOLVED = {
    "compare, then all": (
        "Ava has 10 cups. Ben has 4 more cups than Ava. Cem has 6 fewer cups than Ben. How many cups do they have in all?",
        32, "comparisons, total"),
    "times, then change": (
        "Ava bought 5 packs of paper. Each pack has 20 sheets. She used 30 sheets. How many sheets does Ava have left?",
        70, "state over time"),
    "product, then shared": (
        "There are 6 benches in the hall. There are 5 seats on each bench. If there are 10 seats in each row, how many rows are there?",
        3, "groups"),
    "rest, then shared": (
        "Ava had 26 pens. She gave 8 of them to Ben and put the rest into 3 boxes. How many pens are in each box?",
        6, "shared"),
    "gain, then shared": (
        "Ava has 40 cards. Her mom gives her 16 more. She wants to share all her cards equally among her 8 friends. How many cards will each friend get?",
        7, "shared"),
    "what is left, in the passive": (
        "There were 25 buns in a basket. After the party, 9 buns were left. How many buns were eaten?",
        16, "change"),
    "each of so many": (
        "If 6 girls each have 7 cards, how many cards are there in total?",
        42, "times"),
    "one place, said once": (
        "There are 14 sweet buns at the bakery. There are 25 salty buns. How many buns are in the bakery in all?",
        39, "same verb"),
    "change, then difference": (
        "There are 8 cats and 5 dogs in a house. 4 more cats come. How many more cats than dogs are in the house?",
        7, "accounts"),
    "product of a compared": (
        "Ben has 3 boxes. Ava has 2 more boxes than Ben. Each box holds 6 cups. How many cups does Ava have?",
        30, "times"),
    "sum, then product": (
        "Ava has 2 red boxes and 3 blue boxes. Each box holds 6 cups. How many cups does Ava have?",
        30, "times"),
}  # fmt: skip
"""A story of each kind, with its answer and the strategy that finds it."""

ALIKE = {
    "two packs given": (
        "Ava bought 5 packs of paper. Each pack has 20 sheets. She gave 2 packs to Ben. How many sheets does Ava have left?",
        60, "times"),
    "rest kept": (
        "Ava had 26 pens. She gave 8 of them to Ben and 3 of them to Cem and put the rest into 5 boxes. How many pens are in each box?",
        3, "shared"),
    "some cats leave first": (
        "There are 8 cats and 5 dogs in a house. 4 more cats come and 2 dogs leave. How many more cats than dogs are in the house?",
        9, "accounts"),
    "only cats": (
        "There are 8 cats and 5 dogs in a house. 4 more cats come. How many cats are in the house?",
        12, "state over time"),
    "product unused": (
        "Ava bought 5 packs of paper. Each pack has 20 sheets. She used 2 packs. How many sheets does Ava have left?",
        60, "times"),
    "of one in all": (
        "Ava has 10 cups. Ben has 4 more cups than Ava. Cem has 6 fewer cups than Ben. How many cups do Ava and Cem have in all?",
        18, "comparisons, total"),
    "bags besides boxes": (
        "Ava has 2 boxes and 3 bags. Each box holds 6 cups. How many cups are in the boxes?",
        12, "times"),
    "spent and left": (
        "Ava had 50 dollars. She bought 4 books for 6 dollars each. How much money does Ava have left?",
        26, "state over time"),
    "spent and left, two kinds": (
        "Ava had 50 dollars. She bought 4 books for 6 dollars each and 2 pens for 3 dollars each. How much money does Ava have left?",
        20, "state over time"),
    "earned": (
        "Ava had 50 dollars. She sold 4 books for 6 dollars each. How much money does Ava have now?",
        74, "state over time"),
    "twice given": (
        "Ava had 50 dollars. She bought 4 books for 6 dollars each and gave 10 dollars to Ben. How much money does Ava have left?",
        16, "state over time"),
    "earned and spent": (
        "Ava earns 6 dollars a day. She works 4 days and spends 10 dollars. How much money does she have left?",
        14, "state over time"),
    "share of two things": (
        "Ava had 20 figs and 10 nuts. She shared the nuts equally among 5 friends. How many nuts did each friend get?",
        2, "shared"),
    "rest in boxes": (
        "Ava had 26 pens. She lost 8 of them and put the rest into boxes of 6 pens. How many boxes did she use?",
        3, "groups"),
    "rest sold at": (
        "Ava had 26 pens. She gave away 8 of them and sold the rest for 2 dollars each. How much money did she get?",
        36, "times"),
    "compared product": (
        "Ava read 6 pages a day for 4 days. Ben read 5 more pages than Ava. How many pages did Ben read?",
        29, "comparisons"),
    "cats and dogs leave": (
        "There are 8 cats and 5 dogs in a house. 4 cats leave. How many animals are in the house?",
        9, "state over time"),
    "cats and dogs and food": (
        "There are 8 cats and 5 dogs in a house. Each cat eats 2 cans. How many cans do the cats eat?",
        16, "times"),
    "cats and dogs and food, all": (
        "There are 8 cats and 5 dogs in a house. Each animal eats 2 cans. How many cans do they eat?",
        26, "times"),
}  # fmt: skip
"""Stories that look like one of those and have an answer of their own."""

DOUBTFUL = {
    "what was given is shared": (
        "Ava has 24 pens. She gives 6 to Ben. Ben shares his pens equally between 3 boxes. How many pens are in each box?",
        2),
    "another ate of them": (
        "Ava had 24 buns. Ben ate 4 buns. 6 buns were left. How many buns did Ava eat?",
        14),
    "one place of two": (
        "There are 14 red cars in the street. There are 5 blue cars. There are 9 black cars in the yard. How many cars are in the street?",
        None),
    "lost from one of the piles": (
        "Ava has 60 cards. She puts her cards into 4 equal piles. She loses 12 cards. How many cards are in each pile?",
        15),
    "some green, others left green": (
        "Ava had 12 red apples. 5 apples were left green. How many apples are there?",
        17),
    "compare, then change": (
        "Ben has 14 cups. Ava has 6 more cups than Ben. Ava breaks 3 cups. How many cups does Ava have left?",
        17),
    "compared after a change": (
        "Ben has 14 cups. Ben breaks 3 cups. Ava has 6 more cups than Ben. How many cups does Ava have?",
        17),
    "difference reversed": (
        "There are 8 cats and 5 dogs in a house. 4 more cats come. How many more dogs than cats are in the house?",
        None),
    "boxes of another": (
        "Ben has 3 boxes. Ava has 2 more boxes than Ben. Each of Ben's boxes holds 6 cups. How many cups does Ben have?",
        18),
    "twice a week": (
        "Ava runs 3 miles twice a week. How many miles does she run in 4 weeks?",
        24),
    "price of one in pack": (
        "A pack of 6 pens costs 12 dollars. How much does one pen cost?",
        2),
    "four books cost": (
        "4 books cost 24 dollars. How much do 7 books cost?",
        42),
    "some benches broken": (
        "There are 6 benches in the hall. 2 benches are broken. There are 5 seats on each bench. How many seats are on the benches that are not broken?",
        20),
    "compared, denied": (
        "Ben has 14 cups. Ava has 6 more cups than Ben. Ava does not break 3 cups. How many cups does Ava have?",
        20),
    "shared with herself": (
        "Ava had 26 pens. She kept 2 pens and shared the rest equally with 3 friends. How many pens did each friend get?",
        8),
    "rest to one": (
        "Ava had 26 pens. She gave 8 of them to Ben and the rest to Cem. How many pens did Cem get?",
        18),
    "packs opened": (
        "Ava had 5 packs with 20 sheets each. She opened 2 packs. How many sheets does Ava have?",
        100),
    "each spends": (
        "3 children have 20 dollars each. Each child spends 4 dollars. How much money do they have left?",
        48),
    "share after": (
        "Ava had 20 figs. Ben gave her 4 figs. She shared all her figs equally among 6 friends. How many figs did each friend get?",
        4),
    "share of two": (
        "Ava had 20 figs. Ben had 4 figs. Ava shared her figs equally among 5 friends. How many figs did each friend get?",
        4),
    "three steps": (
        "Ava has 3 bags with 6 nuts each. Ben has 4 more nuts than Ava. They eat 5 nuts. How many nuts are left?",
        35),
    "compared rate": (
        "Ava has 4 boxes. Each box holds 6 cups. Ben has 3 more boxes than Ava. How many cups do Ben's boxes hold?",
        42),
    "come and go": (
        "There were 30 birds in a tree. 12 birds flew away. Then twice as many birds came as had flown away. How many birds are in the tree?",
        42),
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
