"""Every item is worked again when it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank.items import (
    BANK_VERSION,
    LETTERS,
    ChoiceItem,
    ItemError,
    bank_version,
    item_id,
    library_version,
    read_item,
)
from schoolmath.malrules.bank.making import write_comparison
from schoolmath.malrules.bank.options import Distractor, dressed, tellings_of, wrong_answers
from schoolmath.malrules.bank.rationales import (
    GiveawayCheck,
    RationaleStyle,
    asking,
    numbers_in,
    questions_for,
)
from schoolmath.malrules.catalogue.fractions.wholes_and_fractions import FractionOnLine
from schoolmath.malrules.catalogue.numbers.decimal_writing import DecimalComparison, by_denominator
from schoolmath.malrules.forms import Form, listed, read_form
from schoolmath.malrules.rules import rules
from schoolmath.text.given_files import parse_json, read_given_text


def check_item(item: ChoiceItem, where: str = "") -> None:
    """Works the key and all mal-rules of an item again and compares everything.

    Args:
        item: the item.
        where: where it was found, for the message.

    Raises:
        ItemError: something is not what its problem and its rules give.
    """
    try:
        _Check(item).run()
    except _Mismatch as mismatch:
        name = f"{item.id or '?'} ({where})" if where else item.id or "?"
        reason = mismatch.reason
        if item.library_version != library_version():
            reason += (
                f"; it was made by library {item.library_version}, this is {library_version()}"
            )
        raise ItemError(name, mismatch.field, reason) from None


def read_items(path: Path) -> Iterator[ChoiceItem]:
    """The items of a JSONL file, each worked again and compared.

    Raises:
        ItemError: a row is no item or does not hold; the message names the row.
        FileRefused: it is too large, no ordinary file, or no text in UTF-8.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(read_given_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"row {number} of {path.name}"
        item = read_item(_object(line, where), where)
        check_item(item, where)
        if item.id in seen:
            raise ItemError(
                f"{item.id} ({where})", "id", f"it stands in row {seen[item.id]} already"
            )
        seen[item.id] = number
        yield item


class _Mismatch(Exception):
    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class _Check:
    def __init__(self, item: ChoiceItem) -> None:
        self._item = item
        self._wrong = [letter for letter in LETTERS if letter != item.key]
        self._every: list[Distractor] = []

    def run(self) -> None:
        problem = self._problem()
        self._about(problem)
        right = problem.solve()
        chosen = self._distractors(problem, right)
        right, chosen = dressed(right, chosen)
        shown = {self._item.key: right.answer.shown}
        shown |= {
            letter: each.worked.answer.shown
            for letter, each in zip(self._wrong, chosen, strict=True)
        }
        self._question(problem, [shown[letter] for letter in LETTERS])
        self._rationales(problem, right, chosen)
        _same("id", self._item.id, item_id(self._item))

    def _problem(self) -> Form:
        rules()
        try:
            return read_form(self._item.problem)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise _Mismatch("problem", str(error).rstrip(".")) from error

    def _about(self, problem: Form) -> None:
        item = self._item
        low, high = listed(problem).grades
        if not low <= item.grade <= high:
            raise _Mismatch("grade", f"its problem is for grades {low} to {high}")
        _same("content_class", item.content_class, str(listed(problem).content_class))
        _same("dok", item.dok, 3 if item.pupils else listed(problem).dok)
        if item.style not in {each.value for each in RationaleStyle}:
            raise _Mismatch("style", f"there is no style “{item.style}”")

    def _distractors(self, problem: Form, right: Working) -> tuple[Distractor, ...]:
        """For each wrong letter what its rule gives, where that is what its option says."""
        item = self._item
        if len(set(item.rules.values())) < len(self._wrong):
            raise _Mismatch("rules", "one rule stands for two options")
        found = self._every = [*wrong_answers(problem, right), *_formerly(item, problem)]
        chosen: list[Distractor] = []
        for letter in self._wrong:
            rule = item.rules[letter]
            if rule not in rules():
                raise _Mismatch("rules", f"there is no rule {rule} (option {letter})")
            given = [each for each in found if each.rule.id == rule]
            fitting = [each for each in given if self._gives(letter, each)]
            if not fitting:
                gives = ", ".join(each.worked.answer.shown for each in given) or "no wrong answer"
                raise _Mismatch(
                    f"options.{letter}",
                    f"it says “{item.option(letter)}” where rule {rule} gives {gives}",
                )
            others, known = item.others.get(letter, ()), fitting[0].others
            # The rules of an earlier bank were fewer: what it did not know it does not name.
            if bank_version(item.library_version) == BANK_VERSION or not set(others) <= set(known):
                _same(f"others.{letter}", others, known)
            chosen.append(fitting[0])
        return tuple(chosen)

    def _gives(self, letter: str, distractor: Distractor) -> bool:
        text = self._item.option(letter)
        if self._item.pupils:
            text = text.partition(", who says ")[2]
        shown = distractor.worked.answer.shown
        # Options may have zeros behind the decimals of the answer; `_question` compares all.
        return text == shown or ("." in text and text.startswith(shown))

    def _question(self, problem: Form, choices: list[str]) -> None:
        item = self._item
        question, options = _stem(item, problem), tuple(choices)
        if item.pupils:
            if len(set(item.pupils)) != len(LETTERS):
                raise _Mismatch("pupils", "there must be four different names")
            question, options = write_comparison(question, item.pupils, options)
        for letter, said, given in zip(LETTERS, item.options, options, strict=True):
            _same(f"options.{letter}", said, given)
        if len({" ".join(text.lower().split()) for text in choices}) < len(choices):
            raise _Mismatch("options", "two of them are written alike")
        _same("question", item.question, question)

    def _rationales(
        self, problem: Form, right: Working, distractors: tuple[Distractor, ...]
    ) -> None:
        item = self._item
        if bank_version(item.library_version) < BANK_VERSION:
            self._earlier_rationales(right, distractors)
            return
        style = RationaleStyle(item.style)
        told = tellings_of(problem.stem(), right, distractors, style, self._every)
        answers = [right.answer, *(each.worked.answer for each in distractors)]
        left = questions_for(answers) if style is RationaleStyle.TEACHER else [""]
        for letter, each in zip((item.key, *self._wrong), told, strict=True):
            text = item.rationales[letter]
            found = [
                question
                for question in left
                if text in {asking(telling.text, question) for telling in each}
            ]
            if found and style is RationaleStyle.TEACHER:
                # Each question is asked once in an item.
                left.remove(found[0])
            if not found:
                raise _Mismatch(
                    f"rationales.{letter}",
                    f"“{item.rationales[letter]}” does not tell what leads to this option",
                )

    def _earlier_rationales(self, right: Working, distractors: tuple[Distractor, ...]) -> None:
        """Those of an earlier bank, in words that are no longer made: each has numbers of its
        own trace or of the question, and does not give its answer away.
        """
        item = self._item
        traces = (right, *(each.worked for each in distractors))
        for letter, worked in zip((item.key, *self._wrong), traces, strict=True):
            text = item.rationales[letter]
            known = numbers_in(" ".join(step.text for step in worked.steps)) | numbers_in(
                item.question
            )
            if strange := sorted(numbers_in(text) - known):
                raise _Mismatch(
                    f"rationales.{letter}",
                    f"“{strange[0]}” is no number of what leads to this option",
                )
            if GiveawayCheck(
                worked.answer, worked.answer.shown, numbers_in(item.question)
            ).given_in(text):
                raise _Mismatch(f"rationales.{letter}", "it gives its own answer away")


def _formerly(item: ChoiceItem, problem: Form) -> Iterator[Distractor]:
    """What a rule no longer gives and an item of an earlier bank may hold."""
    if bank_version(item.library_version) < 3 and isinstance(problem, DecimalComparison):
        worked = by_denominator(problem)
        if worked is not None:
            yield Distractor(rules()["NO33"], worked)


def _stem(item: ChoiceItem, problem: Form) -> str:
    """The question as the bank of the item asked it."""
    if isinstance(problem, FractionOnLine) and bank_version(item.library_version) < 5:
        return problem.earlier_stem()
    return problem.stem()


def _same(field: str, statement: object, value: object) -> None:
    if statement != value:
        raise _Mismatch(
            field, f"it says {_shown(statement)} where working it again gives {_shown(value)}"
        )


def _shown(value: object) -> str:
    return f"“{value}”" if isinstance(value, str) else str(value)


def _object(line: str, where: str) -> Any:
    try:
        return parse_json(line)
    except ValueError as error:
        raise ItemError(f"? ({where})", "id", f"this is no JSON: {error}") from error
