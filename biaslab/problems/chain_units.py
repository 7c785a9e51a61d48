"""How what is counted is counted along a chain: one by one, or in a container."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from biaslab.problems.chain_people import Draft, refusal
from biaslab.problems.solving import Operation
from biaslab.problems.structure import NO_ATTRIBUTE, Kind, Step
from biaslab.problems.vocabulary import vocabulary


def packing(drafts: Sequence[Draft], path: tuple[int, ...]) -> list[int]:
    """For every part, how what it counts is counted."""
    rates = [index for index in path if drafts[index].step.kind is Kind.RATE]
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


def check_units(drafts: Sequence[Draft], path: tuple[int, ...], packed: Sequence[int]) -> None:
    """Refuses parts that count the same thing in two ways, or that no vocabulary holds."""
    said = _said(drafts, path, packed)
    thing = said.get(("thing", 0))
    rates = any(draft.step.kind is Kind.RATE for draft in drafts)
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


def _said(
    drafts: Sequence[Draft], path: tuple[int, ...], packed: Sequence[int]
) -> dict[tuple[str, int], _Word]:
    """What all parts say that count the same thing; units by how it is packed."""
    said: dict[tuple[str, int], _Word] = {}
    for index, draft in enumerate(drafts):
        step = draft.step
        # What the answer does not need may be about a thing of its own.
        if draft.aside or (step.thing and index not in path):
            _check_own(index, step)
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


def _check_own(index: int, step: Step) -> None:
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


def _rate_place(drafts: Sequence[Draft], index: int) -> int:
    """Which packing a rate speaks of: 1 or 2; 0 for other parts."""
    if drafts[index].step.kind is not Kind.RATE:
        return 0
    return sum(draft.step.kind is Kind.RATE for draft in drafts[: index + 1])


def _offer(words: str, values: Iterable[str]) -> str:
    listed = ", ".join(values)
    return f"{words}: {listed}." if listed else "Leave it out."
