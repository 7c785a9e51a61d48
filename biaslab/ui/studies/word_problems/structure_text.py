"""A structure while it is being written: a line, what of it is understood, and its sentences.

A person may leave a line half right. So a line is kept as it was typed, part by part: a part
that cannot be read stays what it is while the others are changed. The sentences, such as "A gives
B some apples.", are for the builder alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from schoolmath.problems.chains import ChainPlan, PartPeople, resolve
from schoolmath.problems.structure import (
    LETTERS,
    NO_ATTRIBUTE,
    SEPARATOR,
    SentenceKind,
    Structure,
    StructureError,
    StructureStep,
    parse_structure,
    write_structure,
)
from schoolmath.problems.vocabulary import vocabulary

_PART = re.compile(r"[^.]+")


@dataclass(frozen=True, slots=True)
class PartSides:
    """Who is meant by a part, as far as that can be said while others may be wrong.

    Attributes:
        agent: the letter of whom it tells about; "" where that is not known.
        other: of the other side; "" where there is none or it may be drawn.
        sign: the calculation, "" where the numbers decide.
    """

    agent: str
    other: str
    sign: str


@dataclass(frozen=True, slots=True)
class LinePart:
    """One part of a line.

    Attributes:
        text: as it was typed; start, end: where it stands in the line.
        step: what it says; None where it cannot be read.
        sides: who is meant; None where it cannot be read.
    """

    text: str
    start: int
    end: int
    step: StructureStep | None
    sides: PartSides | None


@dataclass(frozen=True, slots=True)
class StructureLine:
    """A line as it was typed, and what of it is understood.

    Attributes:
        text: the whole line.
        parts: its parts in order.
        plan: the chain that it stands for; None while something is wrong.
        error: what is wrong; None while nothing is.
    """

    text: str
    parts: tuple[LinePart, ...]
    plan: ChainPlan | None
    error: StructureError | None

    @property
    def texts(self) -> list[str]:
        """The parts as they were typed."""
        return [part.text for part in self.parts]

    @property
    def fault(self) -> tuple[int, int]:
        """Where the fault stands in the text; twice the same where that cannot be said."""
        error = self.error
        if error is None:
            return 0, 0
        if error.end > error.start:
            return error.start, error.end
        if error.part is not None and error.part < len(self.parts):
            part = self.parts[error.part]
            return part.start, part.end
        return 0, 0


@lru_cache(maxsize=256)
def read_line(text: str) -> StructureLine:
    """What of a line is understood."""
    found = [match for match in _PART.finditer(text) if match[0].strip()]
    steps = [_step(match[0]) for match in found]
    sides = _sides(steps)
    parts = []
    for match, step, side in zip(found, steps, sides, strict=True):
        inside = match[0].strip()
        start = match.start() + match[0].index(inside)
        parts.append(LinePart(inside, start, start + len(inside), step, side))
    try:
        return StructureLine(text, tuple(parts), resolve(parse_structure(text)), None)
    except StructureError as error:
        return StructureLine(text, tuple(parts), None, error)


def join(texts: Sequence[str]) -> str:
    """The line of these parts."""
    return SEPARATOR.join(texts)


def write_part(step: StructureStep) -> str:
    """One part of a line."""
    return write_structure(Structure((step,)))


def letters_for(line: StructureLine) -> list[str]:
    """Letters that a part may name: everybody in the line, and one more."""
    used = {LETTERS[0]}
    for part in line.parts:
        if part.step is not None:
            used |= {letter for letter in part.step.agents if letter}
        if part.sides is not None:
            used |= {letter for letter in (part.sides.agent, part.sides.other) if letter}
    last = max(LETTERS.index(letter) for letter in used)
    return list(LETTERS[: last + 2])


def _step(text: str) -> StructureStep | None:
    try:
        return parse_structure(text).steps[0]
    except StructureError:
        return None


def _sides(steps: Sequence[StructureStep | None]) -> list[PartSides | None]:
    """Who is meant by every part that can be read, going on after one that makes no sense."""
    people = PartPeople(tuple(step for step in steps if step is not None))
    found: list[PartSides | None] = []
    for index, step in enumerate(steps):
        if step is None:
            found.append(None)
            continue
        try:
            draft = people.place(index, step)
        except (StructureError, KeyError):
            found.append(_as_written(step))
        else:
            found.append(PartSides(draft.agent, draft.other or "", step.sign or _sign(draft.sign)))
    return found


def _as_written(step: StructureStep) -> PartSides:
    if step.kind is SentenceKind.TRANSFER and step.agents:
        giver, receiver = step.agents
        gains = step.sign == "+" or (not step.sign and not giver)
        return (
            PartSides(receiver or giver, giver, "+") if gains else PartSides(giver, receiver, "-")
        )
    first, second, *_ = (*step.agents, "", "")
    return PartSides(first, second, step.sign)


def _sign(sign: str) -> str:
    return sign if sign in ("+", "-", "*", "/") else ""


_THING = "apple"
"""Stands for what is counted where nothing is said about it."""
_SOMEBODY, _ELSE = "somebody", "somebody else"
_WORDS = {
    "+": "some more",
    "-": "some fewer",
    "*": "several times as many",
    "/": "several times fewer",
}
_TURNED = {"+": "-", "-": "+", "*": "/", "/": "*"}


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is counted in all sentences: identifiers of a noun and of its container."""

    thing: str
    container: str


def examples(line: StructureLine) -> list[str]:
    """Every part as a sentence; what was typed where a part cannot be read."""
    scene = _scene(line)
    found = []
    for index, part in enumerate(line.parts):
        if part.step is None or part.sides is None:
            found.append(f"“{part.text}” is not understood")
            continue
        boxed = line.plan is not None and line.plan.parts[index].packed > 0
        sentence = _sentence(part.step, part.sides, scene, boxed)
        found.append(sentence[0].upper() + sentence[1:])
    return found


def _scene(line: StructureLine) -> _Scene:
    steps = [part.step for part in line.parts if part.step is not None]
    thing = next((step.thing for step in steps if step.thing and not step.distractor), _THING)
    noun = vocabulary().nouns[thing]
    unit = next((step.unit for step in steps if step.unit and step.kind is SentenceKind.RATE), "")
    return _Scene(thing, unit or next(iter((*noun.containers, *noun.measures)), "box"))


def _sentence(step: StructureStep, sides: PartSides, scene: _Scene, boxed: bool) -> str:
    agent = sides.agent or _SOMEBODY
    if step.kind is SentenceKind.RATE:
        unit = vocabulary().units[step.unit or scene.container]
        what = _things(step, scene, boxed=False)
        if sides.sign == "/":
            return f"{agent}’s {what} are packed into {unit.plural}, so many to a {unit.singular}."
        return f"each {unit.singular} of {agent}’s holds so many {what}."
    what = _things(step, scene, boxed)
    match step.kind:
        case SentenceKind.TRANSFER:
            return _transfer(agent, sides, what)
        case SentenceKind.COMPARISON:
            return _comparison(step, agent, sides.other or _ELSE, sides.sign, what)
        case _:
            return f"{agent} has some {what}."


def _transfer(agent: str, sides: PartSides, what: str) -> str:
    other = sides.other
    if sides.sign == "+":
        return f"{other} gives {agent} some {what}." if other else f"{agent} gets some {what}."
    if sides.sign == "-":
        return (
            f"{agent} gives {other} some {what}." if other else f"{agent} gives away some {what}."
        )
    return f"{agent} gets or gives away some {what}."


def _comparison(step: StructureStep, new: str, first_agent: str, sign: str, what: str) -> str:
    if not sign:
        return f"{new} is compared with {first_agent}: more or fewer {what}."
    first, second = (new, first_agent) if step.consistent is not False else (first_agent, new)
    said = sign if step.consistent is not False else _TURNED[sign]
    return f"{first} has {_WORDS[said]} {what} {'as' if said == '*' else 'than'} {second}."


def _things(step: StructureStep, scene: _Scene, boxed: bool) -> str:
    words = vocabulary()
    noun = words.nouns[step.thing or scene.thing]
    adjective = "" if step.attribute in ("", NO_ATTRIBUTE) else f"{step.attribute} "
    phrase = f"{adjective}{noun.plural}"
    unit = step.unit if step.kind is not SentenceKind.RATE else ""
    if not unit and (boxed or not noun.countable):
        unit = scene.container if boxed or noun.containers else noun.measures[0]
    return f"{words.units[unit].plural} of {phrase}" if unit else phrase
