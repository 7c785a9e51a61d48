"""Five worked examples for prompts, from the bank with a seed of its own.

Of five content classes; two choices of the key and three of mal-rules; the right labels are
all four, one of them twice. Their reasoning is told from the traces. They are put in the manner
of the item that follows (order, letter, framing, style), and the question asked is never among
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from biaslab.studies.malgorithm.items import Framing, identification, of_bank
from biaslab.studies.study import Item, content_hash
from schoolmath.malrules.answers import Worked
from schoolmath.malrules.bank import BankDesign, BankMix, ChoiceItem, RationaleStyle, make_items
from schoolmath.malrules.forms import read_form
from schoolmath.malrules.rules import rules

EXAMPLES = 5
"""How many: the paper's."""

SEED = -2024
"""Of the examples; a bank of this seed is for nothing else."""

_POOL = 160
_WANTED = (("B", False), ("D", True), ("A", False), ("C", False), ("A", True))
"""Right label, and whether the choice is the key's, of each example in order."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A question, a choice and its rationale, with the reasoning that finds it.

    Attributes:
        question: of the bank; text: as an item puts it; reasoning: a few sentences;
            label: of the right rationale; key: whether the choice is the key's.
    """

    question: str
    text: str
    reasoning: str
    label: str
    key: bool


def examples_of(facts: Mapping[str, Any]) -> tuple[WorkedExample, ...]:
    """The examples that come before an item with these facts."""
    manner = Framing(facts["order"], facts["shown"], facts["framing"])
    usual = _chosen(facts["style"], manner)
    asked = facts["question"]
    if all(example.question != asked for example in usual):
        return usual
    return _chosen(facts["style"], manner, asked)


@cache
def examples_fingerprint() -> str:
    """Changes whenever the examples do."""
    shown = [
        (example.text, example.reasoning, example.label)
        for style in RationaleStyle
        for example in _chosen(style.value, Framing())
    ]
    return content_hash(shown)


@lru_cache(maxsize=64)
def _chosen(style: str, manner: Framing, without: str = "") -> tuple[WorkedExample, ...]:
    found: list[WorkedExample] = []
    classes: set[str] = set()
    for label, of_key in _WANTED:
        example, content_class = _first(style, manner, label, of_key, classes, without, found)
        classes.add(content_class)
        found.append(example)
    return tuple(found)


def _first(
    style: str,
    manner: Framing,
    label: str,
    of_key: bool,
    classes: set[str],
    without: str,
    found: Sequence[WorkedExample],
) -> tuple[WorkedExample, str]:
    """The first question of the pool that gives such an example, of a new class if there is."""
    taken = {without, *(example.question for example in found)}
    fitting = [
        (question, item)
        for question in _pool(style)
        if question.question not in taken
        for item in (_with_right_label(question, manner, label),)
        if (item.facts["choice"] == question.key) is of_key
    ]
    if not fitting:
        raise LookupError(f"The bank has no example with the right label {label} in style {style}.")
    question, item = next(
        (each for each in fitting if each[0].content_class not in classes), fitting[0]
    )
    reasoning = _reasoning(question, item)
    example = WorkedExample(question.question, item.text, reasoning, label, of_key)
    return example, question.content_class


@cache
def _pool(style: str) -> tuple[ChoiceItem, ...]:
    # No items that compare pupils: their long questions would fill a small model's context.
    return tuple(
        make_items(BankDesign(n=_POOL, seed=SEED, doks=(1, 2), style=style, mix=BankMix.EVEN))
    )


def _with_right_label(question: ChoiceItem, manner: Framing, label: str) -> Item:
    asked = of_bank(question)
    letters = identification(asked, question.key, manner).facts["letters"]
    return identification(asked, letters[label], manner)


def _reasoning(question: ChoiceItem, item: Item) -> str:
    """What is done according to the right rationale, step by step, and that it fits."""
    choice = item.facts["choice"]
    worked = _worked(question, choice)
    steps = [step.text.removeprefix("so ") for step in worked.steps]
    who = "Whoever chose this"
    told = f"{who} {steps[0]}." + "".join(f" Then that person {step}." for step in steps[1:])
    right = "is the right way" if choice == question.key else "is not the right way"
    return (
        f"{told} That gives {question.option(choice)}, which is the choice. It {right}, and it is "
        f"what rationale {item.answer} tells."
    )


def _worked(question: ChoiceItem, choice: str) -> Worked:
    problem = read_form(question.problem)
    if choice == question.key:
        return problem.solve()
    ways = rules()[question.rules[choice]].run(problem)
    shown = question.option(choice)
    return next((way for way in ways if way.answer.shown == shown), ways[0])
