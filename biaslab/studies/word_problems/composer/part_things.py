"""What the sentences of a structure count: one thing along the path, packed or not.

A sentence that the answer does not need may be about a thing of its own. Words that the line
names are kept, the others are drawn among those that make sense together.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.studies.word_problems.cast import ATTRIBUTE_SHARE
from biaslab.studies.word_problems.composer.part_numbers import main_thing, things_of_parts
from schoolmath.problems import Draws, Entity, vocabulary
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.structure import NO_ATTRIBUTE, SentenceKind, StructureError, StructureStep
from schoolmath.problems.vocabulary import Noun, remembered


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the line says about the thing on the path.

    Attributes:
        nouns: the things that fit all of it.
        attribute: the adjective named, `NO_ATTRIBUTE`, or "" where it may be drawn.
        units: the units named, by how what is counted is packed.
        containers: how many containers the rates need.
        own: things of sentences that are about another one.
    """

    nouns: tuple[str, ...]
    attribute: str
    units: tuple[tuple[int, str], ...]
    containers: int
    own: frozenset[str]


class PartEntities:
    """Draws what every sentence of a structure counts.

    Raises:
        StructureError: the vocabulary holds no thing with the words that the line names.
    """

    __slots__ = ("_keys", "_plan", "_wanted")

    def __init__(self, plan: ChainPlan) -> None:
        self._plan = plan
        self._wanted = _wanted(plan)
        self._keys = things_of_parts(plan)

    def draw(self, draws: Draws) -> tuple[list[Entity], Entity]:
        """What each part counts (a rate: what is counted after it), and the thing unpacked."""
        wanted = self._wanted
        nouns = vocabulary().nouns
        noun = nouns[draws.one(wanted.nouns)]
        attribute = wanted.attribute
        if not attribute and noun.attributes and draws.chance(ATTRIBUTE_SHARE):
            attribute = draws.one(noun.attributes)
        loose = Entity(noun.id, "" if attribute == NO_ATTRIBUTE else attribute)
        counted = _counted(draws, wanted, noun, loose)
        own: dict[str, Entity] = {}
        taken = {noun.id, *wanted.own}
        entities = []
        for part, key in zip(self._plan.parts, self._keys, strict=True):
            if not key:
                entities.append(counted[part.packed])
                continue
            if key not in own:
                own[key] = _of_part(draws, part.step, taken)
                taken.add(own[key].noun)
            entities.append(own[key])
        return entities, counted[0]


def _counted(draws: Draws, wanted: _Wanted, noun: Noun, loose: Entity) -> dict[int, Entity]:
    """The thing by how it is packed: unpacked, and in the containers of the rates."""
    units = dict(wanted.units)
    if not wanted.containers:
        unit = units.get(0, "") or ("" if noun.countable else draws.one(noun.measures))
        return dict.fromkeys((0, 1, 2), loose._replace(unit=unit))
    found = {0: loose}
    used = set(units.values())
    for place in range(1, wanted.containers + 1):
        unit = units.get(place, "")
        if not unit:
            unit = draws.one([each for each in noun.containers if each not in used])
            used.add(unit)
        found[place] = loose._replace(unit=unit)
    return found


def _of_part(draws: Draws, step: StructureStep, taken: set[str]) -> Entity:
    """The thing of a sentence that is about another one than the path."""
    nouns = vocabulary().nouns
    if step.thing:
        noun = nouns[step.thing]
    else:
        free = [each for each in nouns if each not in taken]
        if not free:
            raise StructureError(
                "The line has sentences about more things than the vocabulary has.",
                "Add things to your vocabulary, or leave a sentence out.",
            )
        noun = nouns[draws.one(free)]
    unit = step.unit or ("" if noun.countable else draws.one(noun.measures))
    return Entity(noun.id, "" if step.attribute == NO_ATTRIBUTE else step.attribute, unit)


@remembered
def _wanted(plan: ChainPlan) -> _Wanted:
    main = main_thing(plan)
    units: dict[int, str] = {}
    attribute = ""
    rates = 0
    own: set[str] = set()
    for part, key in zip(plan.parts, things_of_parts(plan), strict=True):
        step = part.step
        if step.kind is SentenceKind.RATE:
            rates += 1
        if key:
            own.add(step.thing)
            continue
        attribute = attribute or step.attribute
        if step.unit:
            place = max(part.packed, rates if step.kind is SentenceKind.RATE else 0)
            units.setdefault(place, step.unit)
    own.discard("")
    nouns = tuple(
        noun.id
        for noun in vocabulary().nouns.values()
        if (not main or noun.id == main)
        and (main or noun.id not in own)
        and (attribute in ("", NO_ATTRIBUTE) or attribute in noun.attributes)
        and _fits(noun, units, rates)
    )
    if not nouns:
        raise StructureError(
            "No thing of the vocabulary goes with all the words of this line.",
            "Leave an attribute or a unit out, or name a thing.",
        )
    return _Wanted(nouns, attribute, tuple(units.items()), rates, frozenset(own))


def _fits(noun: Noun, units: dict[int, str], rates: int) -> bool:
    if rates:
        if not noun.countable or len(noun.containers) < rates:
            return False
        return all(unit in noun.containers for unit in units.values())
    return all(unit in (*noun.containers, *noun.measures) for unit in units.values())
