"""Mal-rules: what a pupil does, as code that runs on a typed problem.

What a rule is called and where it is from stands in assets/malrules/*.yaml; what it does is a
function here, joined to it by the id:

    @mal_rule("NO01")
    def smaller_from_larger(problem: ColumnSub) -> Worked | None: ...

A function is deterministic and total on its form: where the rule does not apply it gives None.
Rules that can go wrong in several places give a tuple, one `Working` for each.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from schoolmath.malrules.answers import Working
from schoolmath.malrules.forms import FORMS, Form, NotDrawn, draw_widely
from schoolmath.problems.draws import Draws
from schoolmath.text.yaml_files import read_yaml

CATALOGUE = Path(__file__).resolve().parents[2] / "assets" / "malrules"
"""Folder of the catalogue: one YAML file for each group of rules."""


class ContentClass(StrEnum):
    """The five content classes of MalAlgoQA (Sonkar et al. 2024), and word problems."""

    NUMBER = "number and operation"
    ALGEBRA = "algebra"
    GEOMETRY = "geometry and measurement"
    DATA = "data analysis"
    PROBABILITY = "probability"
    WORD_PROBLEMS = "word problems"


class MistakeKind(StrEnum):
    """What sort of mistake it is. A slip is never called a misconception."""

    MISCONCEPTION = "misconception"
    """A wrong idea of what something means."""
    PROCEDURAL_BUG = "procedural bug"
    """A procedure with a step that is wrong."""
    STRATEGY = "strategy"
    """A shortcut that avoids understanding, such as adding all numbers."""
    SLIP = "slip"
    """Something that was known and not done."""


class Confidence(StrEnum):
    """How well the source is known. No citation was opened page by page."""

    A = "A"
    """The named work is a well-known primary source for this error."""
    B = "B"
    """Documented in textbooks or catalogues of errors, or the attribution is indirect."""
    C = "C"
    """Common practice of item writers; no primary source known."""


@dataclass(frozen=True, slots=True)
class Help:
    """What helps: something to show, to use or to ask, and who described it."""

    what: str
    source: str


FOR_EVERY_RULE = Help(
    "Put the answer next to a right one, and let the pupil find the first step that differs.",
    "Bell 1993; Swan 2001",
)
"""What helps whatever the rule."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a rule beyond its code; see assets/malrules/README.md."""

    id: str
    slug: str
    version: int
    name: str
    description: str
    grades: tuple[int, int]
    content_class: ContentClass
    dok: int
    kind: MistakeKind
    source: str
    confidence: Confidence
    look_for: str
    probe: str
    helps: tuple[Help, ...] = ()
    """Only what a source describes; `FOR_EVERY_RULE` goes for all."""
    parts: tuple[str, ...] = ()
    """Ids of the rules that it is made of, where it is two habits at once."""
    same_idea: tuple[str, ...] = ()
    """Ids of rules that are the same idea on other problems."""
    seen_on: tuple[str, ...] = ()
    """Names of the forms on which the source saw it; empty: on every form of the rule."""

    def confidence_on(self, form: str) -> Confidence:
        """How well the source is known for the error on problems of a form, by its name.

        On a form that the source did not see, it is attributed indirectly: `Confidence.B` at best.
        """
        if not self.seen_on or form in self.seen_on:
            return self.confidence
        return max(self.confidence, Confidence.B)


Work: TypeAlias = Callable[[Any], "Working | tuple[Working, ...] | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A mal-rule.

    Attributes:
        card: what it is called, for whom, and where it is from.
        forms: the forms that it reads.
        work: what the pupil does; use `run`.
        typed: problems on which it goes wrong, where on a form none of those is ever drawn.
    """

    card: Card
    forms: tuple[type[Form], ...]
    work: Work
    typed: tuple[Form, ...] = ()

    @property
    def id(self) -> str:
        """Stable; never used again for another rule."""
        return self.card.id

    def run(self, problem: Form) -> tuple[Working, ...]:
        """What the rule gives on this problem; empty where it does not apply.

        An answer that is marked as right is given too: whether a rule triggers is for the
        caller to see (`schoolmath.malrules.Answer.same_as`).
        """
        if not isinstance(problem, self.forms):
            return ()
        worked = self.work(problem)
        if worked is None:
            return ()
        return worked if isinstance(worked, tuple) else (worked,)


_WORK: dict[str, tuple[tuple[type[Form], ...], Work, tuple[Form, ...]]] = {}
_T = TypeVar("_T", bound=Work)


def mal_rule(rule_id: str, *typed: Form) -> Callable[[_T], _T]:
    """Joins a function to the rule of this id. Its forms are the type of its one parameter.

    Args:
        rule_id: see assets/malrules.
        typed: see `Rule.typed`.
    """

    def join(work: _T) -> _T:
        if rule_id in _WORK:
            raise ValueError(f"There are two functions for rule {rule_id}.")
        (parameter,) = inspect.signature(work).parameters
        hint = typing.get_type_hints(work)[parameter]
        _WORK[rule_id] = (typing.get_args(hint) or (hint,), work, typed)
        return work

    return join


@cache
def cards() -> dict[str, Card]:
    """Every card of the catalogue by id, in the order of the files.

    Raises:
        ValueError: a card is not what it should be; the message names file, rule and field.
    """
    found: dict[str, Card] = {}
    for path in sorted(CATALOGUE.glob("*.yaml")):
        for entry in read_yaml(path):
            card = _card(path.name, entry)
            if card.id in found:
                raise ValueError(f"{path.name}: there are two rules {card.id}.")
            found[card.id] = card
    return found


@cache
def rules() -> dict[str, Rule]:
    """Every rule that has a card and code, by id."""
    from schoolmath.malrules import library

    library.load()
    known = cards()
    lost = sorted(set(_WORK) - set(known))
    if lost:
        raise ValueError(f"There is code and no card for {', '.join(lost)}.")
    return {key: Rule(card, *_WORK[key]) for key, card in known.items() if key in _WORK}


def dealt_rules() -> list[Rule]:
    """The rules that make wrong options of the bank's items."""
    from schoolmath.malrules import library

    return [rule for key, rule in rules().items() if key not in library.RARE]


def commonest_first(among: Iterable[Rule], grade: int | None = None) -> list[Rule]:
    """Rules in the order in which they are taken to be common.

    Hardly anybody has counted. So: those of higher grades and the rare ones last, the others as
    well as they are documented, then in the order of the catalogue (assets/malrules/README.md).
    """
    from schoolmath.malrules import library

    def rarity(rule: Rule) -> tuple[bool, bool, Confidence, int]:
        card = rule.card
        late = grade is not None and card.grades[0] > grade
        return late, card.id in library.RARE, card.confidence, places[card.id]

    places = {key: place for place, key in enumerate(cards())}
    return sorted(among, key=rarity)


def rules_for(problem: Form, among: Iterable[Rule] | None = None) -> list[Rule]:
    """The rules that read problems of this form."""
    return [rule for rule in among or rules().values() if isinstance(problem, rule.forms)]


def _card(file: str, entry: dict[str, Any]) -> Card:
    where = f"{file}, rule {entry.get('id', '?')}"
    try:
        low, high = entry["grades"]
        return Card(
            id=str(entry["id"]),
            slug=str(entry["slug"]),
            version=int(entry["version"]),
            name=str(entry["name"]),
            description=str(entry["description"]),
            grades=(int(low), int(high)),
            content_class=ContentClass(entry["content_class"]),
            dok=int(entry["dok"]),
            kind=MistakeKind(entry["kind"]),
            source=str(entry["source"]),
            confidence=Confidence(entry["confidence"]),
            look_for=str(entry["look_for"]),
            probe=str(entry["probe"]),
            helps=tuple(Help(each["what"], each["source"]) for each in entry.get("helps", ())),
            parts=tuple(entry.get("parts", ())),
            same_idea=tuple(entry.get("same_idea", ())),
            seen_on=tuple(entry.get("seen_on", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error!r}.") from error


_DRAWN = 40
"""Problems of each form that are tried."""
_MOST_DRAWN = 600
"""The same where the rule went wrong on none of them."""

_CALCULATION = re.compile(r"What is ([^?a-z]+)\?")


@dataclass(frozen=True, slots=True)
class MalRuleExample:
    """A problem and what a pupil who follows a rule answers.

    Attributes:
        question: as a pupil reads it.
        wrong: the rule's answer.
        right: the right answer.
    """

    question: str
    wrong: str
    right: str

    @property
    def words(self) -> str:
        """In one line: ``52 − 17 = 45``, or the question and the answer behind it."""
        found = _CALCULATION.fullmatch(self.question)
        words = f"{found[1]} = {self.wrong}" if found else f"{self.question} {self.wrong}"
        return re.sub(r"-(?=\d)| - ", lambda sign: sign[0].replace("-", "−"), words)


@lru_cache(maxsize=1024)
def example_of(rule: str) -> MalRuleExample | None:
    """The shortest of some problems on which a rule goes wrong, the same on every computer.

    Args:
        rule: its id.

    Returns:
        None where it went wrong on none.

    Raises:
        KeyError: there is no such rule.
    """
    found = [each for form in rules()[rule].forms for each in _goes_wrong(rules()[rule], form)]
    return min(found, key=_unclear, default=None)


def _goes_wrong(rule: Rule, form: type[Form]) -> Iterator[MalRuleExample]:
    for problem in rule.typed:
        if isinstance(problem, form):
            right, (worked, *_) = problem.solve().answer, rule.run(problem)
            yield MalRuleExample(problem.stem(), worked.answer.shown, right.shown)
    low, high = FORMS[form.__name__].grades
    found = 0
    for number in range(_MOST_DRAWN):
        if number >= _DRAWN and found:
            return
        draws = Draws(f"example/{rule.id}/{form.__name__}/{number}")
        try:
            draw = form.draw if number < _DRAWN else partial(draw_widely, form)
            problem = draw(draws, low + number % (high - low + 1))
        except NotDrawn:
            continue
        right = problem.solve().answer
        for worked in rule.run(problem)[:1]:
            if not worked.answer.same_as(right):
                found += 1
                yield MalRuleExample(problem.stem(), worked.answer.shown, right.shown)


def _unclear(example: MalRuleExample) -> tuple[bool, int, str]:
    """A wrong answer that stands in the question shows little, a long question less."""
    return example.wrong in example.question, len(example.question), example.question


def by_subject() -> dict[ContentClass, list[Card]]:
    """Every mal-rule by subject, those that are taken to be common first."""
    found: dict[ContentClass, list[Card]] = {each: [] for each in ContentClass}
    for rule in commonest_first(rules().values()):
        found[rule.card.content_class].append(rule.card)
    return found
