"""An example of each mal-rule: one on which it goes wrong, short, the same everywhere."""

from __future__ import annotations

from schoolmath.malrules import cards, rules
from schoolmath.malrules.reading import read_problem
from schoolmath.malrules.rules import by_subject, example_of
from tests.loops import over


@over("rule", list(rules()))
def test_hardly_a_rule_is_without_one_and_its_answer_is_wrong(rule: str) -> None:
    example = example_of(rule)
    if example is None:
        assert rule in WITHOUT
        return
    assert example.wrong != example.right
    assert example.words.endswith(example.wrong.replace("-", "−")) or "-" in example.wrong


WITHOUT = {"DA17"}
"""Rules that go wrong on no problem that is drawn: people type those."""


def test_a_calculation_is_written_as_one() -> None:
    example = example_of("NO01")
    assert example is not None
    assert example.words == f"{example.question[8:-1].replace('-', '−')} = {example.wrong}"


@over("rule", ["NO01", "NO27", "AL03", "GM21", "NO39"])
def test_what_the_example_asks_is_read_and_the_rule_gives_its_answer(rule: str) -> None:
    example = example_of(rule)
    assert example is not None
    problems = [p for group in read_problem(example.question).meanings for p in group]
    given = {
        worked.answer.shown
        for problem in problems
        if isinstance(problem, rules()[rule].forms)
        for worked in rules()[rule].run(problem)
    }
    assert example.wrong in given


def test_every_rule_stands_in_one_subject_the_well_documented_ones_first() -> None:
    found = by_subject()
    assert sorted(card.id for each in found.values() for card in each) == sorted(cards())
    for each in found.values():
        letters = [card.confidence for card in each if card.confidence != "C"]
        assert letters[0] == min(letters)
