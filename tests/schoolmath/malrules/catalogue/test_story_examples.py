"""The examples of the catalogue for rules on stories, verbatim."""

from __future__ import annotations

from schoolmath.malrules import Answer, rules
from schoolmath.malrules.diagnosis import read_story
from tests.loops import over

ANA_AND_BEN = (
    "Ana has 18 apples. Ana gives 5 apples away. Ben has 4 fewer apples than Ana. "
    "How many apples does Ben have?"
)

EXAMPLES = [
    ("WP01", "Ana has 15. Ana has 6 more than Ben. How many does Ben have?", 9, 21),
    ("WP02", ANA_AND_BEN, 9, 27),
    ("WP03", ANA_AND_BEN, 9, 13),
    ("WP04", ANA_AND_BEN, 9, 14),
    ("WP05", ANA_AND_BEN, 9, 19),
    (
        "WP06",
        "Ana has 18 pens. Ben has 3 pens. Ana gives Ben 5 pens. How many pens does Ben have now?",
        8,
        13,
    ),
    ("WP07", "Ben has 9. Ana has 6 more than Ben. How many does Ana have?", 15, 6),
    ("WP08", "Ana has 12. Ben has 3 times as many as Ana. How many does Ben have?", 36, 15),
    (
        "WP09",
        "Ana has 24 apples. All of Ana's apples are packed into baskets, 4 to a basket. "
        "How many baskets of apples does Ana have?",
        6,
        96,
    ),
    (
        "WP10",
        "Ana has 6 baskets. Each basket holds 4 apples. How many apples does Ana have?",
        24,
        10,
    ),
    (
        "WP11",
        "Fred and Bea have 8 apples altogether. Fred has 3 apples. "
        "How many apples does Bea have?",
        5,
        8,
    ),
    ("WP12", ANA_AND_BEN, 9, 14),
    (
        "WP13",
        "Ana has 6 baskets. Each basket holds 4 apples. Ana eats 5 apples. "
        "How many apples does Ana have now?",
        19,
        120,
    ),
    ("WP14", "Ana has 27 pens. Ana gets 38 pens. How many pens does Ana have now?", 65, 55),
    ("WP15", "Ana has 52 pens. Ana gives away 27 pens. How many pens does Ana have now?", 25, 35),
    (
        "WP16",
        "Ana has 12 apples. Ana has 5 pears. Ana buys 7 apples. "
        "How many apples does Ana have now?",
        19,
        24,
    ),
    (
        "WP17",
        "Joe had some stamps. Joe got 5 stamps. Now Joe has 12 stamps. "
        "How many stamps did Joe have at first?",
        7,
        17,
    ),
]  # fmt: skip


@over(("rule", "text", "right", "wrong"), EXAMPLES, ids=lambda each: str(each))
def test_a_rule_gives_the_wrong_answer_of_its_example(rule, text, right, wrong):
    story = read_story(text)
    assert story.solve().answer.same_as(Answer.number(right))
    given = [worked.answer for worked in rules()[rule].run(story)]
    assert Answer.number(wrong) in given, given


def test_every_rule_on_stories_has_an_example():
    assert {each[0] for each in EXAMPLES} == {f"WP{number:02d}" for number in range(1, 18)}
