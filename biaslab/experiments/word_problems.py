"""What the three word-problem studies share: who and what a problem is about, and its item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from biaslab.experiments.experiment import Item
from biaslab.problems import (
    Draws,
    Entity,
    Problem,
    Question,
    Solution,
    Statement,
    look_alike,
    solve,
    vocabulary,
    write,
)
from biaslab.problems.quantities import carries
from biaslab.problems.structure import describe
from biaslab.problems.wording import MINIMUM_PHRASINGS

MOST_AGENTS = 10
"""Most people in one problem: every name has its own initial, and that many are always found."""

ATTRIBUTE_SHARE = 0.3
"""Share of problems whose things have an attribute ("red apples")."""


@cache
def _look_alikes(first: str, second: str) -> bool:
    return look_alike(first, second)


@cache
def _names() -> tuple[str, ...]:
    return tuple(name.text for name in vocabulary().names)


def draw_agents(draws: Draws, count: int) -> list[str]:
    """So many names, no two of them look-alikes."""
    chosen: list[str] = []
    names = _names()
    while len(chosen) < count:
        name = draws.one(names)
        if not any(_look_alikes(name, other) for other in chosen):
            chosen.append(name)
    return chosen


@cache
def _nouns() -> tuple[str, ...]:
    return tuple(vocabulary().nouns)


@cache
def _nouns_with_containers() -> tuple[str, ...]:
    return tuple(noun.id for noun in vocabulary().nouns.values() if noun.containers)


def draw_entity(draws: Draws, *, in_containers: bool = False) -> Entity:
    """A thing, counted one by one or, where it cannot be, in one of its measures."""
    noun = vocabulary().nouns[draws.one(_nouns_with_containers() if in_containers else _nouns())]
    attribute = ""
    if noun.attributes and draws.chance(ATTRIBUTE_SHARE):
        attribute = draws.one(noun.attributes)
    return Entity(noun.id, attribute, "" if noun.countable else draws.one(noun.measures))


def draw_container(draws: Draws, entity: Entity) -> Entity:
    """The same thing counted in one of its containers: boxes of red apples."""
    return entity._replace(unit=draws.one(vocabulary().nouns[entity.noun].containers))


def draw_phrasing(draws: Draws) -> int:
    """The phrasing that a sentence uses."""
    return draws.below(MINIMUM_PHRASINGS)


@dataclass(frozen=True, slots=True)
class Member:
    """One half of a pair before it becomes an item: the problem, its text and its solution."""

    problem: Problem
    sentences: tuple[str, ...]
    solution: Solution
    treated: tuple[int, ...]
    structure: str

    @classmethod
    def of(cls, problem: Problem, treated: Sequence[int]) -> Member:
        """Solves and writes the problem.

        Args:
            problem: statements and question.
            treated: indices of the sentences in which the treatment shows.
        """
        solution = solve(problem)
        return cls(
            problem,
            write(problem).sentences,
            solution,
            tuple(treated),
            describe(problem, solution),
        )

    def item(self, study: str) -> Item:
        """What a model is asked, with the mental model's steps as facts."""
        return Item.of(study, " ".join(self.sentences), str(self.solution.answer), self._facts())

    def _facts(self) -> Mapping[str, Any]:
        words = vocabulary()
        return {
            "sentences": list(self.sentences),
            "treated": list(self.treated),
            "structure": self.structure,
            "steps": [
                {
                    "sentence": step.sentence,
                    "rule": step.rule,
                    "consistent": step.consistent,
                    "operation": step.operation,
                    "left": step.left,
                    "right": step.right,
                    "result": step.result,
                    "carries": carries(step.operation, step.left, step.right),
                    "agent": step.possession.agent,
                    "what": words.write(step.possession.entity, step.result),
                }
                for step in self.solution.steps
            ],
        }


def problem_of(
    statements: Sequence[Statement], agent: str, entity: Entity, phrasing: int, *, now: bool
) -> Problem:
    """A problem that asks how much of the entity the agent has."""
    return Problem(tuple(statements), Question(agent, entity, phrasing, now))
