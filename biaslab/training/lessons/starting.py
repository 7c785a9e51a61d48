"""What every tiny model learns before any mix: calculating, and who has how many.

Nothing here favours one arm of a study: there are bare equations, and texts in which nothing
happens and nobody is compared, of which one looks up who has how many ("Ana has 5 apples. Ben
has 7 apples. How many apples does Ben have?"). All mixes go on from one such start, so they differ
in the mix alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.studies.word_problems.cast import (
    ProblemHalf,
    draw_agents,
    draw_entity,
    draw_phrasing,
    problem_of,
)
from biaslab.training.lessons.corpus import Script, answer_prompt, equation_script
from biaslab.training.lessons.equations import FIRST_SHARES, KIND_SHARES, equations
from schoolmath.problems import Container, Draws, Statement, write

LOOKING_UP_SHARE = 0.2
"""Share of texts to look something up in; the others are equations."""

EVEN = (1, 1)
"""Ratio of three-digit calculations without a carry or borrow to those with one."""

SMALL_SHARE = 0.35
"""Share of the equations that have small numbers."""

MOST_PEOPLE = 4
"""Most people in a text to look something up in."""

QUESTIONS = 3
"""Questions about one text, each about anybody in it: whoever was asked about may be asked about
again, or a model would learn to answer by leaving out what was said before."""

EQUATIONS = 3
"""Equations in one script."""


def first_scripts(seed: int, pool: int) -> Iterator[Script]:
    """The lessons of a pool, without end; the same seed and pool give the same ones."""
    number = f"{seed}/{pool}"
    draws = Draws(f"start/{number}")
    small = _equations(f"small/{number}", FIRST_SHARES)
    all_kinds = _equations(f"all/{number}", KIND_SHARES)
    texts = looking_up(seed, pool)
    while True:
        if draws.chance(LOOKING_UP_SHARE):
            yield next(texts)
        else:
            yield next(small if draws.chance(SMALL_SHARE) else all_kinds)


def looking_up(seed: int, pool: int) -> Iterator[Script]:
    """Texts in which everyone has some of a thing, and questions about everyone in turn."""
    draws = Draws(f"looking up/{seed}/{pool}")
    while True:
        count = draws.between(2, MOST_PEOPLE)
        people = draw_agents(draws, count, ProblemHalf.TRAINING)
        entity = draw_entity(draws)
        amounts = [
            draws.between(100, 999) if draws.chance(0.2) else draws.between(2, 60) for _ in people
        ]
        said = [
            Statement(Container(person, amount, entity), phrasing=draw_phrasing(draws))
            for person, amount in zip(people, amounts, strict=True)
        ]
        turns: list[tuple[str, str]] = []
        for _ in range(QUESTIONS):
            asked = draws.below(count)
            problem = problem_of(
                said, people[asked], entity, draw_phrasing(draws), now=draws.chance(0.5)
            )
            sentences = write(problem).sentences
            given = (
                answer_prompt(" ".join(sentences))
                if not turns
                else f"\n\n{answer_prompt(sentences[-1])}"
            )
            turns.append((given, str(amounts[asked])))
        yield Script(tuple(turns), recalls=True)


def _equations(stream: str, shares: tuple[tuple[str, float], ...]) -> Iterator[Script]:
    draws = Draws(f"equation forms/{stream}")
    drawn = equations(stream, shares, EVEN)
    while True:
        asked = draws.chance(0.5)
        turns = [equation_script(next(drawn), asked=asked).turns[0] for _ in range(EQUATIONS)]
        between = "\n\n" if asked else ""
        later = [(f"{between}{given}", taught) for given, taught in turns[1:]]
        yield Script((turns[0], *later))
