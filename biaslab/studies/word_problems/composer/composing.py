"""Problems of any structure: people, things, numbers and words for a line of text.

    composer = Composer(resolve(parse_structure("container . transfer- . rate")), numbers, draws)
    problem = composer.draw()          # None: these numbers reached a dead end, draw again

`schoolmath.problems.structure` goes the other way: the line of a problem, drawn or read.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.studies.word_problems.cast import (
    MOST_AGENTS,
    compare,
    draw_agents,
    draw_phrasing,
    move,
    problem_of,
)
from biaslab.studies.word_problems.composer.part_numbers import PartNumbers, draw_numbers
from biaslab.studies.word_problems.composer.part_things import PartEntities
from schoolmath.problems import (
    Balanced,
    Container,
    Draws,
    Entity,
    Operation,
    Problem,
    Rate,
    Statement,
)
from schoolmath.problems.chains import NOBODY, ChainPlan, PlannedPart
from schoolmath.problems.quantities import NumberRange, Signs
from schoolmath.problems.structure import SentenceKind

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
        self._forms = Balanced(draws, (True, False))
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

    def tell(self, told: DrawnNumbers) -> Problem:
        """People, things and words for the numbers."""
        entities, loose = self._things.draw(self._draws)
        names = self._cast()
        statements: list[Statement] = []
        for index, part in enumerate(self._plan.parts):
            statements.append(self._statement(index, part, told, names, entities, loose))
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
        told: DrawnNumbers,
        names: dict[str, str],
        entities: list[Entity],
        loose: Entity,
    ) -> Statement:
        number, sign = told.numbers.values[index], told.numbers.signs[index]
        agent, entity = names[part.agent], entities[index]
        phrasing = draw_phrasing(self._draws)
        match part.step.kind:
            case SentenceKind.CONTAINER:
                return Statement(Container(agent, number, entity), None, phrasing)
            case SentenceKind.TRANSFER:
                return move(sign, agent, self._other(index, part, names), number, entity, phrasing)
            case SentenceKind.COMPARISON:
                known = names[part.other or ""]
                consistent = told.consistent[index] is not False
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
