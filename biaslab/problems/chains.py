"""From a structure to the chain of steps that leads to its answer: who has what, and why.

A structure names people by letters, or not at all; here every part gets its people, and the
path to the answer is found by going back from the last step. What makes no sense is refused
with the part at fault: a cycle, somebody compared with themselves, one unit mixed with another,
a step that nothing needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.problems.chain_people import NOBODY, Draft, People, refusal
from biaslab.problems.chain_units import check_units, packing
from biaslab.problems.structure import MOST_PARTS, SIGNS, Kind, Step, Structure

__all__ = ["NOBODY", "ChainPlan", "PlannedPart", "resolve"]


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

    step: Step
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
    people = People(steps)
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
    calculating = tuple(index for index in path if steps[index].kind is not Kind.CONTAINER)
    return ChainPlan(
        structure,
        parts,
        path[0],
        calculating,
        tuple(drafts[index].sign for index in calculating),
        drafts[path[-1]].agent,
        tuple(dict.fromkeys(people.named)),
    )


def _check_shape(steps: tuple[Step, ...]) -> None:
    if not steps or steps[0].kind is not Kind.CONTAINER:
        raise refusal(0, "a problem begins with what somebody has.", "Begin with: container")
    if len(steps) > MOST_PARTS:
        raise refusal(MOST_PARTS, f"the most is {MOST_PARTS} parts.", "Leave some out.")
    if steps[0].distractor:
        raise refusal(0, "the first sentence is never a distractor.", "Leave that word out.")
    for index, step in enumerate(steps):
        if step.sign and step.sign not in SIGNS[step.kind]:
            raise refusal(index, f"a {step.kind} has no sign “{step.sign}”.", "Choose another one.")
        if step.consistent is not None and step.kind is not Kind.COMPARISON:
            raise refusal(
                index, "only a comparison is consistent or inconsistent.", "Leave that word out."
            )
    if all(step.kind is Kind.CONTAINER or step.distractor for step in steps):
        raise refusal(
            len(steps) - 1,
            "there is nothing to calculate: the answer would stand in the text.",
            "Add a transfer, a comparison or a rate that is no distractor.",
        )


def _path(drafts: list[Draft], settled: dict[str, int]) -> tuple[int, ...]:
    """Indices from the container that the answer comes from to what settles the answer.

    Where the path leads through the other side of a transfer, the draft is turned round.
    """
    last = max(
        index
        for index, draft in enumerate(drafts)
        if draft.step.kind is not Kind.CONTAINER and not draft.step.distractor
    )
    found: list[int] = []
    agent = drafts[last].agent
    at: int | None = settled[agent]
    while at is not None:
        drafts[at] = drafts[at].seen_by(agent)
        found.append(at)
        agent, at = drafts[at].source, drafts[at].premise
    return tuple(reversed(found))


def _check_needed(drafts: list[Draft], path: tuple[int, ...]) -> None:
    for index, draft in enumerate(drafts):
        step = draft.step
        if step.distractor and index in path:
            raise refusal(
                index, "the answer needs this sentence, so it is no distractor.",
                "Leave the word “distractor” out.",
            )  # fmt: skip
        if step.kind is not Kind.CONTAINER and not step.distractor and index not in path:
            raise refusal(
                index,
                f"the answer, how much {drafts[path[-1]].agent} has, does not need this "
                f"{step.kind}, so it would not be a step.",
                "Mark it as distractor, or let a later part go on from it.",
            )
