"""From a structure to the chain of steps that leads to its answer: who has what, and why.

A structure names people by letters, or not at all; here every part gets its people, and the
path to the answer is found by going back from the last step. What makes no sense is refused
with the part at fault: a cycle, somebody compared with themselves, one unit mixed with another,
a step that nothing needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from schoolmath.problems.logic import Operation
from schoolmath.problems.quantities import EITHER
from schoolmath.problems.structure import (
    LETTERS,
    MOST_PARTS,
    NO_ATTRIBUTE,
    SIGNS,
    SentenceKind,
    Structure,
    StructureError,
    StructureStep,
)
from schoolmath.problems.vocabulary import vocabulary

NOBODY = ""
"""The other side of a transfer where there is none."""

_TURNED = {Operation.ADD: Operation.SUBTRACT, Operation.SUBTRACT: Operation.ADD, EITHER: EITHER}


def refusal(index: int, reason: str, suggestion: str) -> StructureError:
    """An error about one part, counted from 0."""
    return StructureError(f"Part {index + 1}: {reason}", suggestion, index)


@dataclass(frozen=True, slots=True)
class PartDraft:
    """A part with its people, before it is known whether the answer needs it.

    Attributes:
        step: as it was written.
        agent: whose amount it tells or changes.
        other: the other side; see `schoolmath.problems.chains.PlannedPart`.
        sign: the calculation, for `agent`.
        premise: part that settled the amount before it, of `agent` or of whom a comparison
            compares with.
        other_premise: the same of the other side of a transfer.
        aside: whether it counts something else than the path does.
    """

    step: StructureStep
    agent: str
    other: str | None
    sign: str
    premise: int | None
    other_premise: int | None = None
    aside: bool = False

    def seen_by(self, agent: str) -> PartDraft:
        """The same part with this person's amount in the first place."""
        if agent == self.agent or self.step.kind is not SentenceKind.TRANSFER:
            return self
        return replace(
            self,
            agent=agent,
            other=self.agent,
            sign=_TURNED[self.sign],
            premise=self.other_premise,
            other_premise=self.premise,
        )

    @property
    def source(self) -> str:
        """Whose amount before it the part starts from."""
        compares = self.step.kind is SentenceKind.COMPARISON
        return self.other if compares and self.other else self.agent


class PartPeople:
    """Who is meant by each part, in the order of the text.

    Attributes:
        named: letters of everybody met so far, repeated.
        settled: the part that settled each person's amount last.
    """

    def __init__(self, steps: tuple[StructureStep, ...]) -> None:
        self._reserved = {LETTERS[0], *(letter for step in steps for letter in step.agents)}
        self._main_things = {step.thing for step in steps if not step.distractor}
        self._focus = ""
        self._bystander = ""
        self.named: list[str] = []
        self.settled: dict[str, int] = {}
        self._told_aside: dict[tuple[str, str], int] = {}

    def place(self, index: int, step: StructureStep) -> PartDraft:
        """The part with its people."""
        match step.kind:
            case SentenceKind.CONTAINER:
                draft = self._container(index, step)
            case SentenceKind.TRANSFER:
                draft = self._transfer(index, step)
            case SentenceKind.COMPARISON:
                draft = self._comparison(index, step)
            case SentenceKind.RATE:
                draft = self._rate(index, step)
        self.named += [name for name in (draft.agent, draft.other) if name]
        return draft

    def _aside(self, step: StructureStep) -> bool:
        """Whether the sentence is about a thing of its own."""
        return step.distractor and bool(step.thing) and step.thing not in self._main_things

    def _tell_aside(self, index: int, agent: str, thing: str) -> None:
        """Notes who has how many of another thing; it is told once."""
        first = self._told_aside.setdefault((agent, thing), index) if thing else index
        if first != index:
            raise refusal(
                index,
                f"part {first + 1} speaks of {agent} and {thing} already.",
                "Name another person or thing, or leave the sentence out.",
            )

    def _new(self, index: int) -> str:
        for letter in LETTERS:
            if letter not in self._reserved:
                self._reserved.add(letter)
                return letter
        raise refusal(
            index, f"there are more than {len(LETTERS)} people.", "Let a person appear again."
        )

    def _container(self, index: int, step: StructureStep) -> PartDraft:
        agent = step.agents[0] if step.agents else self._new(index) if index else LETTERS[0]
        again = agent in self.settled
        if again and not step.distractor:
            raise refusal(
                index,
                f"how much {agent} has is known already, from part {self.settled[agent] + 1}.",
                "Name somebody else, or leave the letter out. Mark it as distractor where it "
                "tells how much they have of another thing.",
            )
        if again and step.thing and not self._aside(step):
            raise refusal(
                index,
                f"how much {agent} has of this thing is known already, from part "
                f"{self.settled[agent] + 1}.",
                "Write another thing=, or leave it out.",
            )
        if again or self._aside(step):
            self._tell_aside(index, agent, step.thing)
            return PartDraft(step, agent, None, "", None, aside=True)
        self.settled[agent] = index
        if index == 0:
            self._focus = agent
        else:
            self._bystander = agent
        return PartDraft(step, agent, None, "", None)

    def _transfer(self, index: int, step: StructureStep) -> PartDraft:
        agent, other, sign = self._sides(index, step)
        if self._aside(step):
            return PartDraft(step, agent, other, sign, None, aside=True)
        premise = self.settled.get(agent)
        other_premise = self.settled.get(other) if other else None
        if not step.distractor:
            if premise is None:
                raise refusal(
                    index,
                    f"how much {agent} has before is not known.",
                    f"Let {self._focus} give or get, or add a container for {agent} before it.",
                )
            self._focus = agent
        if premise is not None:
            self.settled[agent] = index
        if other and other_premise is not None:
            self.settled[other] = index
        return PartDraft(step, agent, other, sign, premise, other_premise)

    def _sides(self, index: int, step: StructureStep) -> tuple[str, str | None, str]:
        """Whose amount changes, who is on the other side, and the calculation."""
        if not step.agents:
            agent = self._focus
            if step.distractor:
                agent = self._bystander or self._new(index)
            return agent, None, step.sign or EITHER
        giver, receiver = step.agents
        if giver == receiver:
            raise refusal(
                index, f"{giver} gives to themselves.", "Name two people, or one: A> or >A."
            )
        if step.distractor:
            order = [side for side in (giver, receiver) if side]
        else:
            order = [self._focus, giver, receiver]
        agent = next(
            (each for each in order if each in (giver, receiver) and each in self.settled),
            giver or receiver,
        )
        sign = Operation.SUBTRACT if agent == giver else Operation.ADD
        if step.sign and step.sign != sign:
            turned = f"{receiver}>{giver}"
            raise refusal(
                index,
                f"{agent} {'gives' if agent == giver else 'gets'}, so the sign is {sign}, "
                f"not {step.sign}.",
                f"Write transfer{sign} or {turned}.",
            )
        return agent, receiver if agent == giver else giver, sign

    def _comparison(self, index: int, step: StructureStep) -> PartDraft:
        if step.agents:
            new, known = step.agents
        else:
            new, known = self._new(index), self._focus
        if new == known:
            raise refusal(
                index, f"{new} is compared with themselves.", "Name two people, such as B:A."
            )
        if self._aside(step):
            self._tell_aside(index, new, step.thing)
            # Once compared with, an amount is not told any more: it might not suit.
            self._told_aside.setdefault((known, step.thing), index)
            return PartDraft(step, new, known, step.sign or EITHER, None, aside=True)
        if known not in self.settled:
            turned = f" Or did you mean {known}:{new}?" if new in self.settled else ""
            raise refusal(
                index,
                f"how much {known} has is not known before it.",
                f"Compare with {self._focus}, or add a container for {known}.{turned}",
            )
        if new in self.settled:
            raise refusal(
                index,
                f"this closes a circle: how much {new} has is settled by part "
                f"{self.settled[new] + 1} already.",
                f"Compare somebody new with {known}, or leave the sentence out.",
            )
        premise = self.settled[known]
        self.settled[new] = index
        if step.distractor:
            self._bystander = new
        else:
            self._focus = new
        return PartDraft(step, new, known, step.sign or EITHER, premise)

    def _rate(self, index: int, step: StructureStep) -> PartDraft:
        if step.distractor:
            raise refusal(
                index,
                "a rate cannot be a distractor: nothing would be said to be packed.",
                "Make it a step, or use a container as distractor.",
            )
        agent = step.agents[0] if step.agents else self._focus
        premise = self.settled.get(agent)
        if premise is None:
            raise refusal(
                index, f"how much {agent} has is not known before it.", f"Write {self._focus}."
            )
        self.settled[agent] = index
        self._focus = agent
        return PartDraft(step, agent, None, step.sign or Operation.MULTIPLY, premise)


def packing(drafts: Sequence[PartDraft], path: tuple[int, ...]) -> list[int]:
    """For every part, how what it counts is counted."""
    rates = [index for index in path if drafts[index].step.kind is SentenceKind.RATE]
    signs = [drafts[index].sign for index in rates]
    multiply, divide = Operation.MULTIPLY, Operation.DIVIDE
    if signs not in ([], [multiply], [divide], [multiply, divide]):
        raise refusal(
            rates[1],
            "things are packed once: two rates make sense only where the first opens what they "
            "are in (rate*) and the second packs them anew (rate/).",
            "Leave one of the rates out.",
        )
    packed: list[int] = []
    counted = 1 if signs[:1] == [multiply] else 0
    for index, draft in enumerate(drafts):
        if index in rates:
            counted = 0 if draft.sign == multiply else len(rates)
        if draft.step.distractor and draft.premise is not None:
            # It goes on from an amount that may have been told before the rate.
            packed.append(packed[draft.premise])
        else:
            packed.append(counted)
    return packed


def check_units(drafts: Sequence[PartDraft], path: tuple[int, ...], packed: Sequence[int]) -> None:
    """Refuses parts that count the same thing in two ways, or that no vocabulary holds."""
    said = _stated(drafts, path, packed)
    thing = said.get(("thing", 0))
    rates = any(draft.step.kind is SentenceKind.RATE for draft in drafts)
    for (key, place), word in said.items():
        if thing is not None and key != "thing":
            _check_noun(word.part, thing.value, key, word.value)
        if key != "unit" or not rates:
            continue
        if not vocabulary().units[word.value].container:
            raise refusal(
                word.part,
                f"“{word.value}” is a measure, and a rate needs things kept in containers.",
                "Choose a container such as box or bag.",
            )
        if place == 0:
            raise refusal(
                word.part,
                "what goes into containers, or comes out of them, is counted one by one here.",
                "Leave the unit out, or write it at the rate.",
            )
        first = said.get((key, 1))
        if place > 1 and first is not None and first.value == word.value:
            raise refusal(
                word.part,
                f"the things would be packed into the {word.value} they came from.",
                "Write another unit, or leave it out.",
            )
    if thing is not None and rates and not _packable(thing.value):
        raise refusal(
            thing.part,
            f"{vocabulary().nouns[thing.value].plural} are not packed one by one.",
            "Choose a thing that is, such as apple.",
        )


class _Word(NamedTuple):
    """A word of the vocabulary and the part that says it first."""

    value: str
    part: int


def _stated(
    drafts: Sequence[PartDraft], path: tuple[int, ...], packed: Sequence[int]
) -> dict[tuple[str, int], _Word]:
    """What all parts say that count the same thing; units by how it is packed."""
    said: dict[tuple[str, int], _Word] = {}
    for index, draft in enumerate(drafts):
        step = draft.step
        # What the answer does not need may be about a thing of its own.
        if draft.aside or (step.thing and index not in path):
            _check_alone(index, step)
            continue
        for key in ("thing", "attribute", "unit"):
            value = getattr(step, key)
            if not value:
                continue
            # A rate names the container, whichever side of the packing it counts.
            place = 0 if key != "unit" else max(packed[index], _rate_place(drafts, index))
            first = said.setdefault((key, place), _Word(value, index))
            if first.value != value:
                raise refusal(
                    index,
                    f"this counts with {key} {value}, part {first.part + 1} with {key} "
                    f"{first.value}.",
                    f"Write {key}={first.value} here too, or leave it out.",
                )
    return said


def _check_alone(index: int, step: StructureStep) -> None:
    """Refuses words of a thing of its own that no vocabulary holds."""
    for key in ("attribute", "unit"):
        value = getattr(step, key)
        if value and not step.thing:
            raise refusal(
                index,
                f"the {key} {value} needs a thing, because {step.agents[0]} has another amount "
                "already.",
                "Write thing= too, or leave it out.",
            )
        if value:
            _check_noun(index, step.thing, key, value)


def _check_noun(index: int, thing: str, key: str, value: str) -> None:
    noun = vocabulary().nouns[thing]
    if key == "attribute" and value not in (*noun.attributes, NO_ATTRIBUTE):
        raise refusal(
            index,
            f"“{value} {noun.singular}” is not in the vocabulary.",
            _offer("It can be", (*noun.attributes, NO_ATTRIBUTE)),
        )
    if key == "unit" and value not in (*noun.containers, *noun.measures):
        raise refusal(
            index,
            f"{noun.plural} are not counted in the unit “{value}”.",
            _offer("Their units are", (*noun.containers, *noun.measures)),
        )


def _packable(thing: str) -> bool:
    noun = vocabulary().nouns[thing]
    return noun.countable and bool(noun.containers)


def _rate_place(drafts: Sequence[PartDraft], index: int) -> int:
    """Which packing a rate speaks of: 1 or 2; 0 for other parts."""
    if drafts[index].step.kind is not SentenceKind.RATE:
        return 0
    return sum(draft.step.kind is SentenceKind.RATE for draft in drafts[: index + 1])


def _offer(words: str, values: Iterable[str]) -> str:
    listed = ", ".join(values)
    return f"{words}: {listed}." if listed else "Leave it out."


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """One part of a structure with its people.

    Attributes:
        step: as it was written.
        agent: whose amount it tells or changes.
        other: whom a comparison compares with; the other side of a transfer, `NOBODY` where
            there is none, and None where that may be drawn.
        sign: the calculation, `EITHER` where the numbers decide; "" for a container.
        premise: index of the part that the amount comes from; None where there is none.
        needed: whether the answer needs it.
        packed: how what it counts is counted: 0 one by one, 1 and 2 in the container of the
            first and second rate on the path. For a rate: what is counted after it.
        aside: whether it counts something else than the path does; it is not needed then.
    """

    step: StructureStep
    agent: str
    other: str | None
    sign: str
    premise: int | None
    needed: bool
    packed: int
    aside: bool = False


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """A structure that makes sense.

    Attributes:
        structure: as it was written.
        parts: its parts with their people.
        start: index of the container that the path begins with.
        path: indices of the steps that lead to the answer, in order; never empty.
        operations: their calculations, `EITHER` where the numbers decide.
        asked: whose amount the question asks for.
        people: letters of everybody who is named in it, in the order of the text. Transfers
            whose other side may be drawn can bring in more.
    """

    structure: Structure
    parts: tuple[PlannedPart, ...]
    start: int
    path: tuple[int, ...]
    operations: tuple[str, ...]
    asked: str
    people: tuple[str, ...]


def resolve(structure: Structure) -> ChainPlan:
    """Gives every part its people and finds the path to the answer.

    Raises:
        StructureError: naming the part that makes no sense, and what to write instead.
    """
    steps = structure.steps
    _check_shape(steps)
    people = PartPeople(steps)
    drafts = [people.place(index, step) for index, step in enumerate(steps)]
    path = _path(drafts, people.settled)
    _check_needed(drafts, path)
    packed = packing(drafts, path)
    check_units(drafts, path, packed)
    parts = tuple(
        PlannedPart(
            draft.step, draft.agent, draft.other, draft.sign, draft.premise,
            index in path, packed[index], draft.aside,
        )
        for index, draft in enumerate(drafts)
    )  # fmt: skip
    calculating = tuple(index for index in path if steps[index].kind is not SentenceKind.CONTAINER)
    return ChainPlan(
        structure,
        parts,
        path[0],
        calculating,
        tuple(drafts[index].sign for index in calculating),
        drafts[path[-1]].agent,
        tuple(dict.fromkeys(people.named)),
    )


def _check_shape(steps: tuple[StructureStep, ...]) -> None:
    if not steps or steps[0].kind is not SentenceKind.CONTAINER:
        raise refusal(0, "a problem begins with what somebody has.", "Begin with: container")
    if len(steps) > MOST_PARTS:
        raise refusal(MOST_PARTS, f"the most is {MOST_PARTS} parts.", "Leave some out.")
    if steps[0].distractor:
        raise refusal(0, "the first sentence is never a distractor.", "Leave that word out.")
    for index, step in enumerate(steps):
        if step.sign and step.sign not in SIGNS[step.kind]:
            raise refusal(index, f"a {step.kind} has no sign “{step.sign}”.", "Choose another one.")
        if step.consistent is not None and step.kind is not SentenceKind.COMPARISON:
            raise refusal(
                index, "only a comparison is consistent or inconsistent.", "Leave that word out."
            )
    if all(step.kind is SentenceKind.CONTAINER or step.distractor for step in steps):
        raise refusal(
            len(steps) - 1,
            "there is nothing to calculate: the answer would stand in the text.",
            "Add a transfer, a comparison or a rate that is no distractor.",
        )


def _path(drafts: list[PartDraft], settled: dict[str, int]) -> tuple[int, ...]:
    """Indices from the container that the answer comes from to what settles the answer.

    Where the path leads through the other side of a transfer, the draft is turned round.
    """
    last = max(
        index
        for index, draft in enumerate(drafts)
        if draft.step.kind is not SentenceKind.CONTAINER and not draft.step.distractor
    )
    found: list[int] = []
    agent = drafts[last].agent
    at: int | None = settled[agent]
    while at is not None:
        drafts[at] = drafts[at].seen_by(agent)
        found.append(at)
        agent, at = drafts[at].source, drafts[at].premise
    return tuple(reversed(found))


def _check_needed(drafts: list[PartDraft], path: tuple[int, ...]) -> None:
    for index, draft in enumerate(drafts):
        step = draft.step
        if step.distractor and index in path:
            raise refusal(
                index, "the answer needs this sentence, so it is no distractor.",
                "Leave the word “distractor” out.",
            )  # fmt: skip
        if step.kind is not SentenceKind.CONTAINER and not step.distractor and index not in path:
            raise refusal(
                index,
                f"the answer, how much {drafts[path[-1]].agent} has, does not need this "
                f"{step.kind}, so it would not be a step.",
                "Mark it as distractor, or let a later part go on from it.",
            )
