"""What the three word-problem studies share: who and what a problem is about, and its item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any
from zlib import crc32

from biaslab.studies.study import Item
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    DesignError,
    Draws,
    Entity,
    Operation,
    Problem,
    Question,
    Solution,
    Statement,
    Transfer,
    Vocabulary,
    look_alike,
    solve,
    vocabulary,
    write,
    write_question,
    write_statement,
)
from schoolmath.problems.quantities import carries
from schoolmath.problems.structure import describe
from schoolmath.problems.vocabulary import remembered
from schoolmath.problems.writing import MINIMUM_PHRASINGS

MOST_AGENTS = 10
"""Most people in one problem: every name has its own initial, and that many are always found."""

ATTRIBUTE_SHARE = 0.3
"""Share of problems whose things have an attribute ("red apples")."""


class _Names(dict[int, int]):
    """The names of a vocabulary; by place, the look-alikes of each: a bit for every name.

    Worked out as they are wanted, and then a single look.
    """

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.all = tuple(names)

    def __missing__(self, index: int) -> int:
        name = self.all[index]
        self[index] = sum(1 << i for i, other in enumerate(self.all) if look_alike(name, other))
        return self[index]


@remembered
def _names() -> _Names:
    return _Names([name.text for name in vocabulary().names])


class ProblemHalf(StrEnum):
    """Which half of all problems is drawn from.

    Every ordered pair of names belongs to one half, so a problem whose first two people are
    of one half can never be a problem of the other: what this project's own models are
    trained on is never what they are asked, whatever the seeds.
    """

    ASKED = "asked"
    TRAINING = "training"


@cache
def _part(first: str, second: str) -> ProblemHalf:
    odd = crc32(f"{first}/{second}".encode()) & 1
    return ProblemHalf.TRAINING if odd else ProblemHalf.ASKED


def draw_agents(draws: Draws, count: int, part: ProblemHalf = ProblemHalf.ASKED) -> list[str]:
    """So many names, no two of them look-alikes, the first two of the part asked for.

    Raises:
        DesignError: more people than `MOST_AGENTS`, or than somebody's own names allow.
    """
    if count > MOST_AGENTS:
        raise DesignError(
            f"A problem with {count} people needs more names than are easy to tell apart.",
            f"The most is {MOST_AGENTS} people.",
            "steps",
        )
    chosen: list[str] = []
    taken = in_vain = begun_again = 0
    look_alikes = _names()
    names = look_alikes.all
    many, below = len(names), draws.below
    while len(chosen) < count:
        index = below(many)
        name = names[index]
        if taken >> index & 1 or (len(chosen) == 1 and _part(chosen[0], name) is not part):
            in_vain += 1
            if in_vain % _SUSPICIOUS == 0 and _dead_end(chosen, taken, part):
                begun_again += 1
                if begun_again == _MOST_BEGINNINGS:
                    raise DesignError(
                        f"There are too few names for {count} people whom nobody takes for each "
                        "other: every name needs an initial of its own.",
                        "Add names with other initials to your vocabulary, or ask for fewer steps.",
                        "steps",
                    )
                chosen, taken = [], 0
            continue
        chosen.append(name)
        taken |= look_alikes[index]
    return chosen


_SUSPICIOUS = 200
"""Names drawn in vain after which it is looked whether any is left; never with the shipped ones."""

_MOST_BEGINNINGS = 1_000


def _dead_end(names: Sequence[str], alike: int, part: ProblemHalf) -> bool:
    """Whether no name is left that may follow."""
    return all(
        alike >> index & 1 or (len(names) == 1 and _part(names[0], name) is not part)
        for index, name in enumerate(_names().all)
    )


@remembered
def _nouns() -> tuple[str, ...]:
    return tuple(vocabulary().nouns)


@remembered
def _packable_nouns() -> tuple[str, ...]:
    return tuple(n.id for n in vocabulary().nouns.values() if n.containers and n.countable)


def draw_entity(draws: Draws, *, packable: bool = False, evenly: bool = False) -> Entity:
    """A thing, counted one by one or, where it cannot be, in one of its measures.

    Args:
        draws: the stream of random choices.
        packable: whether the problem needs things that go into containers one by one.
        evenly: whether an attribute, a unit and neither are equally likely (Opedal et al. 2024,
            section 4.2); what is packed has its unit already.

    Raises:
        DesignError: nothing of somebody's own vocabulary goes into a container.
    """
    if packable and not _packable_nouns():
        raise DesignError(
            "The problem packs things into containers, and nothing of the vocabulary has any.",
            "Give a thing of your vocabulary containers, such as “containers: [box]”.",
            "steps",
        )
    if evenly:
        return _draw_evenly(draws, _packable_nouns() if packable else _nouns(), units=not packable)
    noun = vocabulary().nouns[draws.one(_packable_nouns() if packable else _nouns())]
    attribute = ""
    if noun.attributes and draws.chance(ATTRIBUTE_SHARE):
        attribute = draws.one(noun.attributes)
    return Entity(noun.id, attribute, "" if noun.countable else draws.one(noun.measures))


def _draw_evenly(draws: Draws, nouns: Sequence[str], *, units: bool) -> Entity:
    """A thing with an attribute, a unit (or not, where it is packed later) or neither."""
    wanted = draws.one(("attribute", "unit", "neither") if units else ("attribute", "neither"))
    every = (vocabulary().nouns[name] for name in nouns)
    match wanted:
        case "attribute":
            fitting = [noun for noun in every if noun.countable and noun.attributes]
        case "unit":
            fitting = [noun for noun in every if noun.measures or noun.containers]
        case _:
            fitting = [noun for noun in every if noun.countable]
    if not fitting:
        raise DesignError(
            f"Nothing of the vocabulary can be drawn with this of attribute and unit: {wanted}.",
            "Draw things in our shares, or add such things to your vocabulary.",
            "shares",
        )
    noun = draws.one(fitting)
    if wanted == "unit":
        return Entity(noun.id, "", draws.one(noun.measures or noun.containers))
    return Entity(noun.id, draws.one(noun.attributes) if wanted == "attribute" else "", "")


def draw_container(draws: Draws, entity: Entity) -> Entity:
    """The same thing counted in one of its containers: boxes of red apples."""
    return entity._replace(unit=draws.one(vocabulary().nouns[entity.noun].containers))


def draw_phrasing(draws: Draws) -> int:
    """The phrasing that a sentence uses."""
    return draws.below(MINIMUM_PHRASINGS)


def compare(
    operation: str,
    first: str,
    unknown: str,
    number: int,
    entity: Entity,
    phrasing: int,
    *,
    consistent: bool = True,
) -> Statement:
    """A comparison that leads from the known agent to the unknown one by the operation.

    In the consistent form the unknown agent is the subject, so "more" means to add; in the
    inconsistent form the known agent is, so "more" means to subtract.
    """
    up = operation in (Operation.ADD, Operation.MULTIPLY)
    additive = operation in (Operation.ADD, Operation.SUBTRACT)
    agent_a, agent_b = (unknown, first) if up else (first, unknown)
    type_ = ComparisonType.ADDITIVE if additive else ComparisonType.MULTIPLICATIVE
    form = ComparisonForm.A_MORE if up is consistent else ComparisonForm.B_FEWER
    return Statement(Comparison(type_, agent_a, agent_b, number, entity), form, phrasing)


def move(
    operation: str, agent: str, other: str | None, number: int, entity: Entity, phrasing: int
) -> Statement:
    """A transfer by which the agent gains or loses, from or to somebody named or nobody."""
    if operation == Operation.ADD:
        return Statement(Transfer(agent, other, number, entity), None, phrasing)
    return Statement(Transfer(other, agent, number, entity), None, phrasing)


@dataclass(frozen=True, slots=True)
class PairHalf:
    """One half of a pair before it becomes an item: the problem, its text and its solution."""

    problem: Problem
    sentences: tuple[str, ...]
    solution: Solution
    treated: tuple[int, ...]
    structure: str

    @classmethod
    def of(cls, problem: Problem, treated: Sequence[int], twin: PairHalf | None = None) -> PairHalf:
        """Solves and writes the problem.

        Args:
            problem: statements and question.
            treated: indices of the sentences in which the treatment shows.
            twin: the other half, written already: statements that are the very same object
                in both are not written again.
        """
        solution, words = solve(problem), vocabulary()
        if twin is None:
            sentences = write(problem, words).sentences
        else:
            sentences = _write_beside(problem, twin, words)
        return cls(
            problem,
            sentences,
            solution,
            tuple(treated),
            describe(problem, solution),
        )

    def item(self, study: str) -> Item:
        """What a model is asked, with the mental model's steps as facts."""
        facts = solved_facts(
            self.sentences, self.treated, self.structure, self.solution, vocabulary()
        )
        return Item.of(study, " ".join(self.sentences), str(self.solution.answer), facts)


def _write_beside(problem: Problem, twin: PairHalf, words: Vocabulary) -> tuple[str, ...]:
    theirs = twin.problem
    if len(problem.statements) != len(theirs.statements):
        return write(problem, words).sentences
    sentences = [
        said if statement is other else write_statement(statement, words)
        for statement, other, said in zip(
            problem.statements, theirs.statements, twin.sentences, strict=False
        )
    ]
    same = problem.question is theirs.question
    sentences.append(twin.sentences[-1] if same else write_question(problem.question, words))
    return tuple(sentences)


def solved_facts(
    sentences: Sequence[str],
    treated: Sequence[int],
    structure: str,
    solution: Solution,
    words: Vocabulary,
) -> dict[str, Any]:
    """What is known about a solved problem beyond its text, as `Item.facts` holds it."""
    return {
        "sentences": list(sentences),
        "treated": list(treated),
        "structure": structure,
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
            for step in solution.steps
        ],
    }


def problem_of(
    statements: Sequence[Statement], agent: str, entity: Entity, phrasing: int, *, now: bool
) -> Problem:
    """A problem that asks how much of the entity the agent has."""
    return Problem(tuple(statements), Question(agent, entity, phrasing, now))
