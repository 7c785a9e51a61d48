"""The structure of a problem that is there already, drawn or read from a text.

The inverse of composing, in meaning: `schoolmath.problems.chains.resolve` finds in the line the
same path to the answer, with the same calculations, as `schoolmath.problems.solving.solve` finds in
the problem.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Problem,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.solving import Operation, Solution, solve
from schoolmath.problems.structure import (
    LETTERS,
    NO_ATTRIBUTE,
    SentenceKind,
    Structure,
    StructureError,
    StructureStep,
)
from schoolmath.problems.vocabulary import vocabulary


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
