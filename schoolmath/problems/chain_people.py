"""Who is meant by each part of a structure, and where everybody's amount comes from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from schoolmath.problems.quantities import EITHER
from schoolmath.problems.solving import Operation
from schoolmath.problems.structure import LETTERS, SentenceKind, StructureError, StructureStep

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
                f"how much {agent} has is told already, in part {self.settled[agent] + 1}.",
                "Name somebody else, or leave the letter out. Mark it as distractor where it "
                "tells how much they have of another thing.",
            )
        if again and step.thing and not self._aside(step):
            raise refusal(
                index,
                f"how much {agent} has of this thing is told already, in part "
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
                    f"how much {agent} has before is not told.",
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
                f"how much {known} has is not told before it.",
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
                index, f"how much {agent} has is not told before it.", f"Write {self._focus}."
            )
        self.settled[agent] = index
        self._focus = agent
        return PartDraft(step, agent, None, step.sign or Operation.MULTIPLY, premise)
