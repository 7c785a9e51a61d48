"""Problems of any structure: people, things, numbers and words for a line of text.

The path's numbers come from `schoolmath.problems.quantities.chain`. Sentences that the answer does
not need get numbers of their own, different from the answer and from every other number, and
the amounts they speak of stay from 1 to 999 like all others.

A sentence that the answer does not need may be about a thing of its own. Words that the line
names are kept, the others are drawn among those that make sense together.

    composer = Composer(resolve(parse_structure("container . transfer- . rate")), numbers, draws)
    problem = composer.draw()          # None: these numbers reached a dead end, draw again

`schoolmath.problems.structure` goes the other way: the line of a problem, drawn or read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from biaslab.studies.word_problems.cast import (
    ATTRIBUTE_SHARE,
    MOST_AGENTS,
    compare,
    draw_agents,
    draw_phrasing,
    move,
    problem_of,
)
from schoolmath.problems import (
    BalancedDeck,
    Container,
    Draws,
    Entity,
    Operation,
    Problem,
    Rate,
    Statement,
    vocabulary,
)
from schoolmath.problems.chains import NOBODY, ChainPlan, PlannedPart
from schoolmath.problems.quantities import (
    EITHER,
    LARGEST_RESULT,
    NumberRange,
    QuantityChain,
    Signs,
    apply,
    chain,
    suiting,
)
from schoolmath.problems.structure import NO_ATTRIBUTE, SentenceKind, StructureError, StructureStep
from schoolmath.problems.vocabulary import Noun, remembered

_DRAWS = 40
"""So many numbers are drawn for a sentence that is not needed before the path's are given up."""

_BACK = {Operation.ADD: Operation.SUBTRACT, Operation.SUBTRACT: Operation.ADD}


@dataclass(frozen=True, slots=True)
class PartNumbers:
    """The number and the calculation of every part.

    Attributes:
        values: the number that each part states.
        signs: its calculation; "" for a container.
        answer: the amount asked for.
    """

    values: tuple[int, ...]
    signs: tuple[str, ...]
    answer: int


def is_lone(plan: ChainPlan) -> bool:
    """Whether every part is on the path and nobody else's amount is touched by it."""
    return all(part.needed for part in plan.parts) and not any(
        part.step.kind is SentenceKind.TRANSFER and part.other for part in plan.parts
    )


def draw_numbers(
    plan: ChainPlan, draws: Draws, signs: Signs, numbers: NumberRange
) -> PartNumbers | None:
    """Numbers for all parts, or None when this attempt reached a dead end."""
    found = chain(draws, signs, plan.operations, numbers)
    if found is None:
        return None
    if is_lone(plan):
        # The path is the whole text, in the order of the text.
        return PartNumbers(
            (found.first, *found.numbers), ("", *found.operations), found.amounts[-1]
        )
    return _Sides(plan, found, draws, signs, numbers).draw()


def main_thing(plan: ChainPlan) -> str:
    """The thing that the path is said to count; "" where it is drawn."""
    return next((part.step.thing for part in plan.parts if part.needed and part.step.thing), "")


@lru_cache(maxsize=64)
def things_of_parts(plan: ChainPlan) -> tuple[str, ...]:
    """For every part a key of the other thing that it counts; "" where it counts the path's."""
    main = main_thing(plan)
    return tuple(
        ""
        if part.needed or (main and part.step.thing == main)
        else part.step.thing or (f"part {index}" if part.aside else "")
        for index, part in enumerate(plan.parts)
    )


class _Sides:
    """Everybody's amounts in the order of the text, while numbers are drawn for the sides."""

    __slots__ = ("_amounts", "_draws", "_numbers", "_own", "_plan", "_signs", "_stated", "_taken")

    def __init__(
        self, plan: ChainPlan, path: QuantityChain, draws: Draws, signs: Signs, numbers: NumberRange
    ) -> None:
        self._plan = plan
        self._own = things_of_parts(plan)
        self._draws = draws
        self._signs = signs
        self._numbers = numbers
        self._amounts: dict[tuple[str, int | str], int] = {}
        self._stated: dict[int, tuple[int, str]] = {plan.start: (path.first, "")}
        for index, number, sign in zip(plan.path, path.numbers, path.operations, strict=True):
            self._stated[index] = (number, sign)
        self._taken = {path.first, *path.numbers, *path.amounts[-1:]}

    def draw(self) -> PartNumbers | None:
        """The numbers of all parts."""
        for index, part in enumerate(self._plan.parts):
            if index not in self._stated and not self._choose(index, part):
                return None
            if not self._happen(index, part):
                return None
        last = self._plan.path[-1]
        answer = self._amounts[self._plan.asked, self._plan.parts[last].packed]
        stated = [self._stated[index] for index in range(len(self._plan.parts))]
        return PartNumbers(
            tuple(number for number, _ in stated), tuple(sign for _, sign in stated), answer
        )

    def _choose(self, index: int, part: PlannedPart) -> bool:
        """Draws the number of a part that is not needed; whether there is one."""
        before = None
        if part.step.kind is not SentenceKind.CONTAINER:
            compares = part.step.kind is SentenceKind.COMPARISON
            source = part.other if compares and part.other else part.agent
            before = self._amounts.get((source, self._counted(index, part)))
        sign = part.sign
        options: Sequence[int] = range(self._numbers.low, self._numbers.high + 1)
        if sign == EITHER:
            sign = self._signs.choose(
                can_subtract=before is None or before > self._numbers.low,
            )
        if before is not None:
            options = suiting(sign, before, self._numbers)
        if not options:
            return False
        for _ in range(_DRAWS):
            number = self._draws.one(options)
            if number not in self._taken:
                self._taken.add(number)
                self._stated[index] = (number, sign)
                return True
        return False

    def _counted(self, index: int, part: PlannedPart) -> int | str:
        return self._own[index] or part.packed

    def _happen(self, index: int, part: PlannedPart) -> bool:
        """What the sentence does to amounts; whether all of them stay in range."""
        number, sign = self._stated[index]
        counted = self._counted(index, part)
        changed: list[tuple[tuple[str, int | str], str, int | None]] = []
        match part.step.kind:
            case SentenceKind.CONTAINER:
                self._amounts[part.agent, counted] = number
            case SentenceKind.TRANSFER:
                mine = (part.agent, counted)
                changed.append((mine, sign, self._amounts.get(mine)))
                if part.other is not None and part.other != NOBODY:
                    other = (part.other, counted)
                    changed.append((other, _BACK[sign], self._amounts.get(other)))
            case SentenceKind.COMPARISON:
                known = self._amounts.get((part.other or "", counted))
                changed.append(((part.agent, counted), sign, known))
            case SentenceKind.RATE:
                known = self._before_packing(part)
                changed.append(((part.agent, counted), sign, known))
        for key, operation, before in changed:
            if before is None:
                continue
            if operation == Operation.DIVIDE and before % number:
                return False
            after = apply(operation, before, number)
            if not 1 <= after <= LARGEST_RESULT:
                return False
            self._amounts[key] = after
        return True

    def _before_packing(self, part: PlannedPart) -> int:
        premise = part.premise
        assert premise is not None  # a rate always goes on from an amount
        return self._amounts[part.agent, self._plan.parts[premise].packed]


def possible(plan: ChainPlan, numbers: NumberRange, attempts: int) -> bool:
    """Whether numbers for the structure are found within so many attempts."""
    draws = Draws("possible")
    signs = Signs(draws)
    return any(draw_numbers(plan, draws, signs, numbers) is not None for _ in range(attempts))


@dataclass(frozen=True, slots=True)
class _ThingSpec:
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


def _counted(draws: Draws, request: _ThingSpec, noun: Noun, loose: Entity) -> dict[int, Entity]:
    """The thing by how it is packed: unpacked, and in the containers of the rates."""
    units = dict(request.units)
    if not request.containers:
        unit = units.get(0, "") or ("" if noun.countable else draws.one(noun.measures))
        return dict.fromkeys((0, 1, 2), loose._replace(unit=unit))
    found = {0: loose}
    used = set(units.values())
    for place in range(1, request.containers + 1):
        unit = units.get(place, "")
        if not unit:
            unit = draws.one([each for each in noun.containers if each not in used])
            used.add(unit)
        found[place] = loose._replace(unit=unit)
    return found


def _of_part(draws: Draws, step: StructureStep, excluded: set[str]) -> Entity:
    """The thing of a sentence that is about another one than the path."""
    nouns = vocabulary().nouns
    if step.thing:
        noun = nouns[step.thing]
    else:
        free = [each for each in nouns if each not in excluded]
        if not free:
            raise StructureError(
                "The line has sentences about more things than the vocabulary has.",
                "Add things to your vocabulary, or leave a sentence out.",
            )
        noun = nouns[draws.one(free)]
    unit = step.unit or ("" if noun.countable else draws.one(noun.measures))
    return Entity(noun.id, "" if step.attribute == NO_ATTRIBUTE else step.attribute, unit)


@remembered
def _wanted(plan: ChainPlan) -> _ThingSpec:
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
    return _ThingSpec(nouns, attribute, tuple(units.items()), rates, frozenset(own))


def _fits(noun: Noun, units: dict[int, str], rates: int) -> bool:
    if rates:
        if not noun.countable or len(noun.containers) < rates:
            return False
        return all(unit in noun.containers for unit in units.values())
    return all(unit in (*noun.containers, *noun.measures) for unit in units.values())


SOMEBODY_SHARE = 0.5
"""Share of transfers with a person on the other side, where the line leaves it open."""


@dataclass(frozen=True, slots=True)
class DrawnNumbers:
    """Numbers and forms of a problem before it has people and things.

    Attributes:
        numbers: of every part.
        consistent: the form of every comparison; None for other parts.
    """

    numbers: PartNumbers
    consistent: tuple[bool | None, ...]


class Composer:
    """Draws problems of one structure; the same stream of choices gives the same problems.

    Args:
        plan: the structure, resolved.
        numbers: range of all numbers in the text.
        draws: the stream of random choices.

    Raises:
        StructureError: the vocabulary holds no thing with the words that the line names.
    """

    def __init__(self, plan: ChainPlan, numbers: NumberRange, draws: Draws) -> None:
        self._plan = plan
        self._numbers = numbers
        self._draws = draws
        self._signs = Signs(draws)
        self._forms = BalancedDeck(draws, (True, False))
        self._things = PartEntities(plan)
        self._letters = _in_order_of_casting(plan)
        self._open = {
            index: f"+{index}"
            for index, part in enumerate(plan.parts)
            if part.step.kind is SentenceKind.TRANSFER and part.other is None
        }
        self._now = any(part.step.kind is SentenceKind.TRANSFER for part in plan.parts)

    def draw(self) -> Problem | None:
        """One problem, or None when its numbers reached a dead end."""
        told = self.draw_numbers()
        return None if told is None else self.tell(told)

    def draw_numbers(self) -> DrawnNumbers | None:
        """Numbers and forms, or None when the numbers reached a dead end."""
        numbers = draw_numbers(self._plan, self._draws, self._signs, self._numbers)
        if numbers is None:
            return None
        return DrawnNumbers(numbers, tuple(self._form(part) for part in self._plan.parts))

    def tell(self, numbers: DrawnNumbers) -> Problem:
        """People, things and words for the numbers."""
        entities, loose = self._things.draw(self._draws)
        names = self._cast()
        statements: list[Statement] = []
        for index, part in enumerate(self._plan.parts):
            statements.append(self._statement(index, part, numbers, names, entities, loose))
        last = self._plan.path[-1]
        return problem_of(
            statements,
            names[self._plan.asked],
            entities[last],
            draw_phrasing(self._draws),
            now=self._now,
        )

    def _form(self, part: PlannedPart) -> bool | None:
        if part.step.kind is not SentenceKind.COMPARISON:
            return None
        given = part.step.consistent
        return self._forms.next() if given is None else given

    def _cast(self) -> dict[str, str]:
        """A name for every letter, and for whoever comes in by part 1, 2... (``+1``, ``+2``...)."""
        room = MOST_AGENTS - len(self._letters)
        others = [role for role in self._open.values() if self._draws.chance(SOMEBODY_SHARE)]
        del others[room:]
        roles = [*self._letters, *others]
        return dict(zip(roles, draw_agents(self._draws, len(roles)), strict=True))

    def _statement(
        self,
        index: int,
        part: PlannedPart,
        numbers: DrawnNumbers,
        names: dict[str, str],
        entities: list[Entity],
        loose: Entity,
    ) -> Statement:
        number, sign = numbers.numbers.values[index], numbers.numbers.signs[index]
        agent, entity = names[part.agent], entities[index]
        phrasing = draw_phrasing(self._draws)
        match part.step.kind:
            case SentenceKind.CONTAINER:
                return Statement(Container(agent, number, entity), None, phrasing)
            case SentenceKind.TRANSFER:
                return move(sign, agent, self._other(index, part, names), number, entity, phrasing)
            case SentenceKind.COMPARISON:
                known = names[part.other or ""]
                consistent = numbers.consistent[index] is not False
                return compare(sign, known, agent, number, entity, phrasing, consistent=consistent)
            case SentenceKind.RATE:
                dividing = sign == Operation.DIVIDE
                per = entity
                if not dividing:
                    premise = part.premise
                    assert premise is not None  # a rate always goes on from an amount
                    per = entities[premise]
                return Statement(Rate(agent, number, loose, per), None, phrasing, dividing)

    def _other(self, index: int, part: PlannedPart, names: dict[str, str]) -> str | None:
        if part.other is None:
            return names.get(self._open[index])
        return None if part.other == NOBODY else names[part.other]


def _in_order_of_casting(plan: ChainPlan) -> tuple[str, ...]:
    """Letters with the two first whose names decide whether a model may have trained on it.

    Those are who has the start, and who comes in by the first comparison on the path; the
    studies that this project's own models are trained on cast these two first.
    """
    first = [plan.parts[plan.start].agent]
    first += [
        plan.parts[index].agent
        for index in plan.path
        if plan.parts[index].step.kind is SentenceKind.COMPARISON
    ][:1]
    return tuple(dict.fromkeys((*first, *plan.people)))
