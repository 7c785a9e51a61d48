"""The structure of a problem: which kinds of sentence follow each other, as a line of text.

Opedal et al. (2024), section 4.2: one container followed by any sequence of containers,
transfers, comparisons and rates. The line

    container . transfer- . comparison+ inconsistent . rate

says that somebody has something, gives some of it away, somebody else has more than that (told
the other way round), and each of the things holds so many. Parts are separated by full stops;
a part is a kind, its sign, and then words in any order:

| word | of | meaning |
|---|---|---|
| ``+ - * /`` | transfer, comparison, rate | the calculation; none: as the numbers allow |
| ``consistent``, ``inconsistent`` | comparison | its form; none: drawn |
| ``A`` | container, rate | who |
| ``A>B``, ``A>``, ``>B`` | transfer | who gives to whom; one of them may be nobody |
| ``B:A`` | comparison | B, who is new, is compared with A |
| ``distractor`` | all but a rate | the sentence is not needed for the answer |
| ``thing=``, ``attribute=``, ``unit=`` | all | identifiers of the vocabulary |

Whoever is not named is the person whose amount was settled last, or somebody new.
`schoolmath.problems.chains.resolve` says who that is, and refuses what makes no sense.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from schoolmath.problems.errors import DesignError
from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Operation,
    Problem,
    Rate,
    Solution,
    Statement,
    Transfer,
    solve,
)
from schoolmath.problems.vocabulary import vocabulary

SEPARATOR = " . "
MOST_PARTS = 12
"""Most sentences of a structure: a limit of this app, for texts that fit a screen."""
LETTERS = "ABCDEFGHIJ"
"""What people are called in a line; one for each that a problem can have."""
NO_ATTRIBUTE = "none"
"""``attribute=none``: the thing has no adjective, where otherwise one may be drawn."""


class SentenceKind(StrEnum):
    """What a sentence says; the predicates of MathWorld."""

    CONTAINER = "container"
    TRANSFER = "transfer"
    COMPARISON = "comparison"
    RATE = "rate"


SIGNS: dict[SentenceKind, tuple[str, ...]] = {
    SentenceKind.CONTAINER: (),
    SentenceKind.TRANSFER: (Operation.ADD, Operation.SUBTRACT),
    SentenceKind.COMPARISON: (
        Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY, Operation.DIVIDE,
    ),
    SentenceKind.RATE: (Operation.MULTIPLY, Operation.DIVIDE),
}  # fmt: skip
"""The calculations that a kind of sentence can stand for."""


class StructureError(DesignError):
    """A line of structure that cannot be read or makes no sense.

    Args:
        reason: why not, in a full sentence.
        suggestion: what to write instead, in a full sentence.
        part: index of the part at fault, from 0; None: the line as a whole.
        start, end: where the fault stands in the text that was read; 0 and 0 where no text was.
    """

    def __init__(
        self, reason: str, suggestion: str, part: int | None = None, start: int = 0, end: int = 0
    ) -> None:
        super().__init__(reason, suggestion, "structure")
        self.part = part
        self.start = start
        self.end = end


@dataclass(frozen=True, slots=True)
class StructureStep:
    """One part of a structure: a sentence of the problem.

    Attributes:
        kind: what it says.
        sign: the calculation, one of `SIGNS`; "" as the numbers allow.
        consistent: a comparison's form; None: drawn, and None for other kinds.
        agents: letters; () where they follow from the rest. A container or rate has one, a
            transfer giver and receiver ("" for nobody), a comparison the new one and the
            one compared with.
        distractor: whether the answer does not need it.
        thing, attribute, unit: identifiers of the vocabulary; "" where they are drawn or
            follow from the rest.
    """

    kind: SentenceKind
    sign: str = ""
    consistent: bool | None = None
    agents: tuple[str, ...] = ()
    distractor: bool = False
    thing: str = ""
    attribute: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """The sentences of a problem in order, without its question.

    The question asks for what the last sentence that is a step settles.
    """

    steps: tuple[StructureStep, ...]

    def __str__(self) -> str:
        return write_structure(self)


_PART = re.compile(r"[^.]+")
_WORD = re.compile(r"\S+")
_KIND = re.compile(r"([a-z]+)\s*([+*/×÷−-]?)", re.IGNORECASE)
_SIGNS = {"×": "*", "÷": "/", "−": "-"}
_PEOPLE = {
    SentenceKind.CONTAINER: re.compile(r"([A-J])"),
    SentenceKind.RATE: re.compile(r"([A-J])"),
    SentenceKind.TRANSFER: re.compile(r"([A-J]?)>([A-J]?)"),
    SentenceKind.COMPARISON: re.compile(r"([A-J]):([A-J])"),
}
_EXAMPLE = {
    SentenceKind.CONTAINER: "A",
    SentenceKind.RATE: "A",
    SentenceKind.TRANSFER: "A>B (A gives to B), A> or >A",
    SentenceKind.COMPARISON: "B:A (B, who is new, is compared with A)",
}
_KEYS = ("thing", "attribute", "unit")
_Refuse: TypeAlias = Callable[[str, str, int, int], StructureError]


def parse_structure(text: str) -> Structure:
    """Reads a line of structure.

    Raises:
        StructureError: naming the part and the place in the text.
    """
    found = [match for match in _PART.finditer(text) if match[0].strip()]
    if not found:
        raise StructureError(
            "The line is empty.", "Begin with a container, such as: container . transfer-"
        )
    if len(found) > MOST_PARTS:
        raise StructureError(
            f"The line has {len(found)} parts; the most is {MOST_PARTS}.",
            "Leave some out.",
            MOST_PARTS,
            found[MOST_PARTS].start(),
            len(text),
        )
    steps = tuple(_read_part(index, match) for index, match in enumerate(found))
    return Structure(steps)


def write_structure(structure: Structure) -> str:
    """The line of a structure; `parse_structure` reads it back to an equal one."""
    return SEPARATOR.join(_write_step(step) for step in structure.steps)


def _write_step(step: StructureStep) -> str:
    words = [f"{step.kind}{step.sign}"]
    if step.consistent is not None:
        words.append("consistent" if step.consistent else "inconsistent")
    if step.agents:
        mark = {SentenceKind.TRANSFER: ">", SentenceKind.COMPARISON: ":"}.get(step.kind, "")
        words.append(mark.join(step.agents))
    if step.distractor:
        words.append("distractor")
    words += [f"{key}={value}" for key in _KEYS if (value := getattr(step, key))]
    return " ".join(words)


def _read_part(index: int, match: re.Match[str]) -> StructureStep:
    offset = match.start() + len(match[0]) - len(match[0].lstrip())
    text = match[0].strip()

    def refuse(reason: str, suggestion: str, start: int, end: int) -> StructureError:
        return StructureError(
            f"Part {index + 1}: {reason}", suggestion, index, offset + start, offset + end
        )

    head = _KIND.match(text)
    name = head[1].lower() if head else text.split()[0]
    if head is None or name not in tuple(SentenceKind):
        near = difflib.get_close_matches(name, tuple(SentenceKind), n=1, cutoff=0.4)
        kinds = ", ".join(SentenceKind)
        suggestion = f"Did you mean {near[0]}?" if near else f"Write one of: {kinds}."
        raise refuse(f"there is no kind of sentence “{name}”.", suggestion, 0, len(name))
    kind = SentenceKind(name)
    sign = _SIGNS.get(head[2], head[2])
    if sign and sign not in SIGNS[kind]:
        can = f"It can be {' '.join(SIGNS[kind])}." if SIGNS[kind] else "Leave it out."
        raise refuse(f"a {kind} has no sign “{sign}”.", can, head.start(2), head.end(2))
    fields: dict[str, object] = {}

    def keep(name: str, value: object, word: re.Match[str]) -> None:
        if name in fields:
            raise refuse(
                f"“{word[0]}” says again what was said.", "Leave one of them out.", *word.span()
            )
        fields[name] = value

    for word in _WORD.finditer(text, head.end()):
        key, equals, value = word[0].partition("=")
        people = _PEOPLE[kind].fullmatch(word[0])
        if word[0].lower() in ("consistent", "inconsistent"):
            if kind is not SentenceKind.COMPARISON:
                raise refuse(
                    f"a {kind} is neither consistent nor inconsistent.",
                    "Only a comparison can be reversed.", *word.span(),
                )  # fmt: skip
            keep("consistent", word[0].lower() == "consistent", word)
        elif word[0].lower() == "distractor":
            keep("distractor", True, word)
        elif equals and key.lower() in _KEYS:
            keep(key.lower(), _known_word(key.lower(), value, refuse, word), word)
        elif people is not None and any(people.groups()):
            keep("agents", people.groups(), word)
        else:
            raise refuse(
                f"“{word[0]}” is not understood.",
                f"After {kind} may stand: {_EXAMPLE[kind]}, distractor, thing=, attribute=, unit="
                + (", consistent, inconsistent." if kind is SentenceKind.COMPARISON else "."),
                *word.span(),
            )
    return StructureStep(kind, sign, **fields)  # type: ignore[arg-type]


def _known_word(key: str, value: str, refuse: _Refuse, word: re.Match[str]) -> str:
    words = vocabulary()
    known: tuple[str, ...]
    if key == "thing":
        known = tuple(words.nouns)
    elif key == "unit":
        known = tuple(words.units)
    else:
        known = (*words.attributes, NO_ATTRIBUTE)
    if value.lower() in known:
        return value.lower()
    near = difflib.get_close_matches(value.lower(), known, n=3, cutoff=0.5)
    suggestion = f"Near it: {', '.join(near)}." if near else f"For example: {known[0]}."
    raise refuse(f"the vocabulary has no {key} “{value}”.", suggestion, *word.span())


def part_span(text: str, part: int) -> tuple[int, int]:
    """Where a part stands in a line, from its first to after its last sign.

    Args:
        text: a line that `parse_structure` reads.
        part: index of one of its parts, from 0.
    """
    found = [match for match in _PART.finditer(text) if match[0].strip()][part]
    begin = found.start() + len(found[0]) - len(found[0].lstrip())
    return begin, begin + len(found[0].strip())


def describe(problem: Problem, solution: Solution | None = None) -> str:
    """One line for the problem's structure, from its statements and solution."""
    parts = [_KIND_OF[type(statement.predicate)] for statement in problem.statements]
    for step in (solution or solve(problem)).steps:
        form = _FORM_WORDS[step.consistent]
        parts[step.sentence] = f"{parts[step.sentence]}{step.operation}{form}"
    return SEPARATOR.join(parts)


def kind_of(statement: Statement) -> SentenceKind:
    """What a statement says."""
    return SentenceKind(_KIND_OF[type(statement.predicate)])


_KIND_OF: dict[type, str] = {
    Container: SentenceKind.CONTAINER.value,
    Transfer: SentenceKind.TRANSFER.value,
    Comparison: SentenceKind.COMPARISON.value,
    Rate: SentenceKind.RATE.value,
}
_FORM_WORDS = {None: "", True: " consistent", False: " inconsistent"}


def structure_of(
    problem: Problem, solution: Solution | None = None, *, things: bool = False
) -> Structure:
    """The line of a problem, with a letter for every person.

    Args:
        problem: any problem that has a solution.
        solution: its solution, where it is known already.
        things: whether the line also names the things, as far as the vocabulary has them;
            without them, only sentences about another thing than the answer's name theirs.

    Raises:
        ProblemError: the problem has no solution.
        StructureError: no line says it: its sentences do not stand in the order of the
            calculation, or it has more people than letters.
    """
    solution = solution or solve(problem)
    writer = _Writer(problem, solution, things)
    return Structure(tuple(writer.step(i, each) for i, each in enumerate(problem.statements)))


@dataclass(slots=True)
class _Writer:
    problem: Problem
    solution: Solution
    things: bool
    _letters: dict[str, str] = field(default_factory=dict)
    _known: set[tuple[str, Entity]] = field(default_factory=set)

    def step(self, index: int, statement: Statement) -> StructureStep:
        """One sentence of the line."""
        predicate = statement.predicate
        unused = index in self.solution.unused
        entity = predicate.entity
        words = self._words(predicate, other=self._is_other(entity))
        match predicate:
            case Container():
                agents = self._of((predicate.agent,), index)
                self._known.add((predicate.agent, entity))
                return StructureStep(
                    SentenceKind.CONTAINER, "", None, agents, unused and index > 0, *words
                )
            case Transfer():
                people = (predicate.sender or "", predicate.receiver or "")
                agents = self._of(people, index)
                return StructureStep(
                    SentenceKind.TRANSFER, self._sign(index), None, agents, unused, *words
                )
            case Comparison():
                return self._comparison(index, statement, predicate, unused, words)
            case Rate():
                return self._rate(index, predicate, unused, words)

    def _comparison(
        self,
        index: int,
        statement: Statement,
        predicate: Comparison,
        unused: bool,
        words: tuple[str, str, str],
    ) -> StructureStep:
        entity = predicate.entity
        a, b = predicate.agent_a, predicate.agent_b
        if (a, entity) in self._known or (b, entity) in self._known:
            forwards = (b, entity) in self._known
        else:
            # Nobody's amount is known: who is new to the text comes in by this sentence.
            forwards = a not in self._letters or b in self._letters
        new, known = (a, b) if forwards else (b, a)
        if (known, entity) not in self._known and not (unused and self._is_other(entity)):
            raise _out_of_order(index)
        if (new, entity) in self._known:
            raise StructureError(
                f"Sentence {index + 1} tells again how much {new} has.",
                "Leave one of the two sentences out.",
                index,
            )
        additive = predicate.type is ComparisonType.ADDITIVE
        up = Operation.ADD if additive else Operation.MULTIPLY
        down = Operation.SUBTRACT if additive else Operation.DIVIDE
        consistent = (statement.form in (None, ComparisonForm.A_MORE)) is forwards
        agents = self._of((new, known), index)
        if not self._is_other(entity):
            self._known.add((new, entity))
        sign = up if forwards else down
        return StructureStep(SentenceKind.COMPARISON, sign, consistent, agents, unused, *words)

    def _rate(
        self, index: int, predicate: Rate, unused: bool, words: tuple[str, str, str]
    ) -> StructureStep:
        agent = predicate.agent
        groups = (agent, predicate.per) in self._known
        if unused:
            raise StructureError(
                f"Sentence {index + 1} tells how things are packed, and the answer does not "
                "need it.",
                "A line of structure has such sentences as steps only: leave it out.",
                index,
            )
        if not groups and (agent, predicate.entity) not in self._known:
            raise _out_of_order(index)
        self._known.add((agent, predicate.entity if groups else predicate.per))
        sign = Operation.MULTIPLY if groups else Operation.DIVIDE
        unit = (
            predicate.per.unit if self.things and predicate.per.unit in vocabulary().units else ""
        )
        return StructureStep(
            SentenceKind.RATE,
            sign,
            None,
            self._of((agent,), index),
            False,
            words[0],
            words[1],
            unit,
        )

    def _sign(self, index: int) -> str:
        """The calculation of a step; "" for what is not one: the letters say who gives."""
        found = [step.operation for step in self.solution.steps if step.sentence == index]
        return found[0] if found else ""

    def _is_other(self, entity: Entity) -> bool:
        """Whether this is another thing than the one asked for, however that is packed."""
        asked = self.problem.question.entity
        return (entity.noun, entity.attribute) != (asked.noun, asked.attribute)

    def _words(self, predicate: object, *, other: bool) -> tuple[str, str, str]:
        entity: Entity = predicate.entity  # type: ignore[attr-defined]
        words = vocabulary()
        if not (self.things or other) or entity.noun not in words.nouns:
            return "", "", ""
        noun = words.nouns[entity.noun]
        attribute = entity.attribute or NO_ATTRIBUTE
        if entity.attribute and entity.attribute not in noun.attributes:
            attribute = ""
        unit = entity.unit if entity.unit in (*noun.containers, *noun.measures) else ""
        return noun.id, attribute, unit

    def _of(self, people: Iterable[str], index: int) -> tuple[str, ...]:
        return tuple(self._letter(each, index) if each else "" for each in people)

    def _letter(self, name: str, index: int) -> str:
        if name not in self._letters:
            if len(self._letters) == len(LETTERS):
                raise StructureError(
                    f"There are more than {len(LETTERS)} people in this problem.",
                    "Leave some of them out.",
                    index,
                )
            self._letters[name] = LETTERS[len(self._letters)]
        return self._letters[name]


def _out_of_order(index: int) -> StructureError:
    return StructureError(
        f"Sentence {index + 1} speaks of an amount that only a later sentence settles.",
        "Move it behind that sentence: a line of structure tells the calculation in its order.",
        index,
    )
