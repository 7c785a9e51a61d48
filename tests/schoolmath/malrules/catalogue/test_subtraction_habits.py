"""Habits of column subtraction: the examples of the literature, and that no two are one rule."""

from __future__ import annotations

from schoolmath.malrules import Answer, cards, rules, rules_for
from schoolmath.malrules.catalogue.numbers.column_subtraction import ColumnSubtraction
from schoolmath.malrules.diagnosis import diagnose
from schoolmath.malrules.forms import draw_widely
from schoolmath.problems.draws import Draws
from tests.loops import over

EXAMPLES = [
    ("NO67", 1100, 97, 13), ("NO68", 4001, 17, 3004), ("NO69", 401, 23, 428),
    ("NO71", 602, 437, 205), ("NO72", 604, 235, 379), ("NO73", 316, 139, 267),
    ("NO74", 4110, 1295, 2915), ("NO75", 340, 125, 224), ("NO76", 4001, 95, 3916),
    ("NO77", 8002, 1714, 6278), ("NO78", 8002, 1714, 6188), ("NO79", 4010, 1492, 2698),
    ("NO80", 306, 148, 160), ("NO81", 306, 148, 166), ("NO82", 452, 216, 242),
    ("NO83", 452, 216, 24), ("NO84", 648, 231, 647), ("NO85", 736, 532, 234),
    ("NO86", 432, 118, 550), ("NO87", 833, 277, 576), ("NO88", 535, 278, 357),
    ("NO89", 6262, 4444, 1828), ("NO90", 6262, 4444, 1822), ("NO91", 488, 229, 1159),
    ("NO92", 4369, 22, 2147), ("NO94", 505, 5, 50), ("NO95", 402, 6, 416),
    ("NO96", 4313, 674, 4639), ("NO97", 587, 228, 379), ("NO98", 650, 238, 417),
    ("NO99", 4110, 3615, 405), ("NO157", 648, 231, 7), ("NO158", 685, 248, 407),
    ("NO159", 400, 146, 144), ("NO160", 456, 328, 774),
]  # fmt: skip


@over(("rule", "top", "bottom", "wrong"), EXAMPLES)
def test_a_documented_example_comes_out(rule: str, top: int, bottom: int, wrong: int) -> None:
    (worked,) = rules()[rule].run(ColumnSubtraction(top, bottom))
    assert worked.answer.value == wrong


def test_no_two_habits_are_one_rule() -> None:
    problems = [draw_widely(ColumnSubtraction, Draws(f"told/{seed}"), 4) for seed in range(900)]
    given = {
        rule.id: tuple(
            frozenset(each.answer.value for each in rule.run(problem))
            - {problem.solve().answer.value}
            for problem in problems
        )
        for rule in rules_for(problems[0])
    }
    assert len(given) == len(set(given.values()))
    # Nor does one always answer as another where it errs at all.
    for one, answers in given.items():
        for other, others in given.items():
            if one != other:
                errs = [(a, b) for a, b in zip(answers, others, strict=True) if a]
                assert any(not a & b for a, b in errs), (one, other)


def test_two_habits_at_once_are_named_only_where_neither_gives_the_answer_alone() -> None:
    both = {key: card.parts for key, card in cards().items() if card.parts}
    assert both["NO71"] == ("NO01", "NO07")
    alone = diagnose(ColumnSubtraction(540, 127), Answer.number(420))
    together = diagnose(ColumnSubtraction(602, 437), Answer.number(205))
    assert {each.rules[0] for each in alone.single} & {"NO07", "NO71"} == {"NO07"}
    assert "NO71" in {each.rules[0] for each in together.single}
