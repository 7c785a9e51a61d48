"""What a model can be asked: a study names the skill it needs, a model those that it has.

Simulated learners and tiny models have some skills only. Asked for another, they would answer
nothing that can be read, or by chance alone, and the result would look like a finding.
"""

from __future__ import annotations

from enum import StrEnum


class Skill(StrEnum):
    """Something that a study asks of a model; the value completes “it cannot …”."""

    SOLVE = "solve word problems"
    IDENTIFY = "say which reason led to a choice"
    JUDGE = "learn a concept from examples"
    DECIDE = "choose between options"
    WEIGH = "say how probable a right and a wrong answer are"


EVERY_SKILL = frozenset(Skill)
"""Of a language model: how well it does is what a study finds out."""

WORD_PROBLEMS = frozenset({Skill.SOLVE, Skill.WEIGH})
"""Of a tiny model, which was trained on nothing else and gives the probability of any text."""
