"""Distractors whose rule has a source are preferred to those of item writers' common practice."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from schoolmath.malrules import FORMS, Answer, read_form
from schoolmath.malrules.bank import BankDesign, make_items
from schoolmath.malrules.bank.options import (
    DISTRACTORS,
    Distractor,
    choose,
    far_off,
    plausible,
    wrong_answers,
)
from schoolmath.malrules.catalogue.numbers.signed_numbers import SignedSum
from schoolmath.malrules.rules import Confidence
from schoolmath.problems import Draws


def with_source(each: Distractor, confidence: Confidence) -> Distractor:
    """The same distractor, of a rule that is as well known as this says, and of one kind."""
    card = replace(each.rule.card, confidence=confidence, kind="one kind")
    return replace(each, rule=replace(each.rule, card=card))


def problems_with_a_choice():
    """Problems of the bank with their right answer and some wrong ones that fit together."""
    for item in make_items(BankDesign(n=200, seed=5)):
        problem = read_form(item.problem)
        right = problem.solve()
        found = wrong_answers(problem, right)
        plain = [with_source(each, Confidence.A) for each in found]
        if any(far_off(right.answer, each.worked.answer) for each in found[:DISTRACTORS]):
            continue
        if len(found) > DISTRACTORS and choose(Draws("any"), right, plain[:DISTRACTORS]):
            yield right, found


@pytest.mark.parametrize("sourced_first", [True, False])
def test_three_with_a_source_are_taken_wherever_they_stand(sourced_first):
    tried = 0
    for right, found in islice(problems_with_a_choice(), 12):
        # Given three wrong answers with a source that go together, and others without
        three = [with_source(each, Confidence.A) for each in found[:DISTRACTORS]]
        others = [with_source(each, Confidence.C) for each in found[DISTRACTORS:]]
        candidates = [*three, *others] if sourced_first else [*others, *three]
        for seed in range(5):
            chosen = choose(Draws(f"order {seed}"), right, candidates)
            assert chosen is not None
            unsourced = sum(each.rule.card.confidence is Confidence.C for each in chosen)
            # Then no other is taken: a format or kind never outweighs so many sources
            assert unsourced < len(chosen), seed
            tried += unsourced == 0
    # And nearly always none at all: what an option of another format costs is two thirds of it
    assert tried >= 0.8 * 12 * 5


def test_an_option_is_negative_only_where_pupils_know_such_numbers() -> None:
    """Where the question has one, or of algebra from grade 6 on: a minus would give itself away."""
    minus, plus = Answer.number(-12), Answer.number(12)
    for problem, known in (
        (FORMS["ColumnSubtraction"].draw(Draws("minus"), 4), False),
        (FORMS["Division"].draw(Draws("minus"), 5), False),
        (FORMS["LinearEquation"].draw(Draws("minus"), 8), True),
        (SignedSum(32, -5, minus=True), True),
    ):
        assert plausible(problem, problem.stem(), plus, minus) is known, problem
        assert plausible(problem, problem.stem(), minus, minus), problem
    shown = [
        (item.question, item.options)
        for item in islice(make_items(BankDesign(n=300, seed=2, grades=(3, 5))), 300)
        if any(option.startswith(("-", "−")) for option in item.options)
    ]
    assert not shown
