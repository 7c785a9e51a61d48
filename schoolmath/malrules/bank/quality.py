"""Whether rationales tell what leads to their options, and whether a cue gives keys away.

Everything is measured on finished items, their traces worked again, by one command
(`biaslab items --quality`). `followed` is somebody who has a question and a rationale, and
nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank.balancing import (
    CUES,
    could_tell,
    guessed,
    learnt_on_others,
    learnt_on_seen,
    stops_at_another,
)
from schoolmath.malrules.bank.items import LETTERS, ChoiceItem
from schoolmath.malrules.bank.options import (
    FAR,
    Distractor,
    can_be,
    dressed,
    far_off,
    tellings_of,
    wrong_answers,
)
from schoolmath.malrules.bank.rationales import (
    NUMBER,
    POINTED,
    POINTED_TEXT,
    QUESTIONS,
    RationaleStyle,
    RationaleTelling,
)
from schoolmath.malrules.forms import Form, read_form

_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z])")
_THEN = ", then "


def followed(problem: Form, text: str) -> frozenset[Fraction | str]:
    """The answers to which a rationale's text leads: exactly one, where it is sound.

    The text alone is read: it is taken apart into what is done, and each way that the library knows
    of working on the problem, right or wrong, is tried: the text leads to the answer of a way that
    does all of it, in this order.

    Args:
        problem: what the rationale is about.
        text: the rationale, without a question to ask about it.

    Returns:
        Values of answers (`schoolmath.malrules.Answer.value`); empty where no way is told so.
    """
    clauses = [
        clause[:1].lower() + clause[1:]
        for sentence in _SENTENCE.split(text.removesuffix("."))
        for clause in sentence.removesuffix(".").split(_THEN)
    ]
    right = problem.solve()
    ways = (right, *(each.worked for each in wrong_answers(problem, right)))
    return frozenset(way.answer.value for way in ways if _does(way, clauses))


def _does(way: Working, clauses: Sequence[str]) -> bool:
    """Whether the steps of a way, in their order, can be told by these clauses."""
    told = [step.text.removeprefix("so ") for step in way.steps]
    return _told_by(told, list(clauses))


def _told_by(steps: Sequence[str], clauses: list[str]) -> bool:
    if not clauses:
        return True
    for parts in range(1, len(clauses) + 1):
        # A step may have the word between two clauses in itself.
        clause = _THEN.join(clauses[:parts])
        for place, step in enumerate(steps):
            if could_tell(clause, [step]) and _told_by(steps[place + 1 :], clauses[parts:]):
                return True
    return False


_ODD = re.compile(
    r"\b(?:a|an|the|this|these|its) (?:the|this|a|an)\b|\b(\w+) \1\b"
    r"|this (?:number|answer) (?:others|%)"
    r"|this (?:number|answer)[\d%/^]|[\d$/^]this (?:number|answer)| [,.;:]|[,;:]\.|\.\."
    r"|\b(?:and|or|to|of|from|the|a|an|gets|get|as|than|then|so|which) ?[,.;:]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ItemMeasure:
    """One property of items.

    Attributes:
        name: stable, for programs.
        says: what is counted, in words.
        goal: what the share should come to at least or at most; "" where none is set.
        count, n: so many of so many; count has ties as parts.
    """

    name: str
    says: str
    goal: str
    count: float
    n: int

    @property
    def share(self) -> float | None:
        """The count of n, as a fraction of one."""
        return self.count / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class TracedOption:
    """One option of an item with its trace and the telling that its rationale is.

    Attributes:
        letter, text: of the option's rationale, without a teacher's question.
        worked: its trace, the answer as the option writes it.
        telling: the way in which the trace is told.
        is_key: whether it is the right option.
    """

    letter: str
    text: str
    worked: Working
    telling: RationaleTelling
    is_key: bool


@dataclass(frozen=True, slots=True)
class WorkedItem:
    """An item worked again.

    Attributes:
        item, problem, stem: as made, its problem, and the problem's own question.
        options: the key first.
        every: all wrong answers that the library gives on the problem.
    """

    item: ChoiceItem
    problem: Form
    stem: str
    options: tuple[TracedOption, ...]
    every: tuple[Distractor, ...]


def open_item(item: ChoiceItem) -> WorkedItem:
    """An item with its traces. It must hold (`check_item`).

    Raises:
        ValueError: a rationale is no telling of its option's trace.
    """
    problem = read_form(item.problem)
    right = problem.solve()
    found = wrong_answers(problem, right)
    wrong = [letter for letter in LETTERS if letter != item.key]
    chosen = tuple(_of_option(item, letter, found) for letter in wrong)
    right, chosen = dressed(right, chosen)
    stem = problem.stem()
    told = tellings_of(stem, right, chosen, RationaleStyle(item.style), found)
    traces = (right, *(each.worked for each in chosen))
    options = []
    for letter, worked, tellings in zip((item.key, *wrong), traces, told, strict=True):
        text = _without_question(item.rationales[letter])
        telling = next((each for each in tellings if each.text == text), None)
        if telling is None:
            raise ValueError(f"Item {item.id}: “{text}” is no telling of option {letter}.")
        options.append(TracedOption(letter, text, worked, telling, letter == item.key))
    return WorkedItem(item, problem, stem, tuple(options), tuple(found))


def measured(items: Iterable[ChoiceItem]) -> list[ItemMeasure]:
    """Every measure, over finished items.

    Raises:
        ValueError: an item does not hold.
    """
    opened = [open_item(item) for item in items]
    found = []
    for name, says, goal, holds in _RATIONALES:
        for which, among in (("key", True), ("distractor", False)):
            each = [(one, told) for one in opened for told in one.options if told.is_key is among]
            count = sum(holds(one, told) for one, told in each)
            found.append(_measure(f"{name}.{which}", f"{which}: {says}", goal, count, len(each)))
    for name, says, goal, true in _ITEMS:
        found.append(_measure(name, says, goal, sum(map(true, opened)), len(opened)))
    shown = [one.item for one in opened]
    for name, says, value in CUES:
        found.append(
            _measure(f"cue.{name}", says, "at most 30 %", guessed(shown, value), len(shown))
        )
    for rank, name in enumerate(("smallest", "second", "third", "largest")):
        ranked = [one for one in opened if _rank(one) is not None]
        count = sum(_rank(one) == rank for one in ranked)
        found.append(
            _measure(
                f"rank.{name}", f"the key's value is the {name}", "at most 30 %", count, len(ranked)
            )
        )
    for name, says, learnt in (
        ("words.seen", "naive Bayes on words, forms seen", learnt_on_seen),
        ("words.unseen", "naive Bayes on words, forms never seen", learnt_on_others),
    ):
        right, asked = learnt(shown)
        found.append(_measure(name, says, "at most 32 %", right, asked))
    return found


def tells_the_deviation(one: WorkedItem, option: TracedOption) -> bool:
    """Whether a step is told that no other option's trace has."""
    foreign = {
        step.text for other in one.options if other is not option for step in other.worked.steps
    }
    return any(option.worked.steps[index].text not in foreign for index in option.telling.steps)


def tells_the_key_step(_: WorkedItem, option: TracedOption) -> bool:
    """Whether the step is told that the trace itself names as the one that shows the idea."""
    return option.worked.key_step in option.telling.steps


def arrives_alone(one: WorkedItem, option: TracedOption) -> bool:
    """Whether whoever has only the text comes to this option's answer and to no other one.

    It leads astray, too, where the last thing told comes to another option's answer.
    """
    alone = followed(one.problem, option.text) == {option.worked.answer.value}
    return alone and not stops_at_another(
        option.worked, option.telling, [each.worked for each in one.options if each is not option]
    )


def _hides(_: WorkedItem, option: TracedOption) -> bool:
    return POINTED in option.text or POINTED_TEXT in option.text


def _hides_a_given_number(one: WorkedItem, option: TracedOption) -> bool:
    shown = NUMBER.findall(option.worked.answer.shown)
    return _hides(one, option) and any(number in NUMBER.findall(one.stem) for number in shown)


def _is_odd(_: WorkedItem, option: TracedOption) -> bool:
    return (
        bool(_ODD.search(option.text)) or not option.text[:1].isupper() or option.text[-1:] != "."
    )


_RATIONALES: tuple[tuple[str, str, str, Callable[[WorkedItem, TracedOption], bool]], ...] = (
    ("idea", "tells the step that shows the idea", "100 %", tells_the_key_step),
    ("deviation", "tells a step that no other option's way has", "100 %", tells_the_deviation),
    ("alone", "its text alone leads to its option and to no other", "100 %", arrives_alone),
    ("hidden", "has “this number”", "", _hides),
    (
        "hidden-given",
        "has “this number” for a number of the question",
        "0 %",
        _hides_a_given_number,
    ),
    ("odd", "has what no sentence has", "0 %", _is_odd),
)


def _values(one: WorkedItem) -> list[Fraction] | None:
    values = [told.worked.answer.value for told in one.options]
    numbers = [value for value in values if isinstance(value, Fraction)]
    return numbers if len(numbers) == len(values) else None


def _rank(one: WorkedItem) -> int | None:
    values = _values(one)
    return None if values is None else sorted(values).index(values[0])


def _has_one_far_off(one: WorkedItem) -> bool:
    key, *wrong = (told.worked.answer for told in one.options)
    return any(far_off(key, each) for each in wrong)


def _has_one_impossible(one: WorkedItem) -> bool:
    return any(not can_be(one.stem, told.worked.answer) for told in one.options)


_ITEMS: tuple[tuple[str, str, str, Callable[[WorkedItem], bool]], ...] = (
    ("far", f"an option is {FAR} times off the key or more", "", _has_one_far_off),
    ("impossible", "an option cannot be, by its kind of quantity", "0 %", _has_one_impossible),
    (
        "hidden.item",
        "“this number” somewhere",
        "",
        lambda one: any(_hides(one, t) for t in one.options),
    ),
)


def _of_option(item: ChoiceItem, letter: str, distractors: Sequence[Distractor]) -> Distractor:
    text = item.option(letter)
    text = text.partition(", who says ")[2] if item.pupils else text
    for each in distractors:
        shown = each.worked.answer.shown
        if each.rule.id == item.rules[letter] and (
            text == shown or ("." in text and text.startswith(shown))
        ):
            return each
    raise ValueError(f"Item {item.id}: no rule {item.rules[letter]} gives option {letter}.")


def _without_question(text: str) -> str:
    return next((text[: -len(each) - 1] for each in QUESTIONS if text.endswith(f" {each}")), text)


def _measure(name: str, says: str, goal: str, count: float, n: int) -> ItemMeasure:
    return ItemMeasure(name, says, goal, count, n)
