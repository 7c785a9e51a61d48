"""Score, streak and teams of Guess the mal-rule, in the memory of one browser session."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

_GAME = "guess: game"
ALONE = ""
"""Stands for the one who plays without teams."""
MOST_TEAMS = 8
_LONGEST_NAME = 24


@dataclass
class Score:
    """What one team has done: guesses, right ones, right ones in a row now and at best."""

    guesses: int = 0
    right: int = 0
    streak: int = 0
    best: int = 0

    def add(self, *, right: bool) -> None:
        """Counts a guess."""
        self.guesses += 1
        self.right += right
        self.streak = self.streak + 1 if right else 0
        self.best = max(self.best, self.streak)


@dataclass
class Game:
    """What was guessed in this session.

    Attributes:
        guesses: the rule guessed by round.
        teams: their names, none where one plays alone.
        turn: index of the team whose turn it is.
        scores: by team.
    """

    guesses: dict[tuple[object, ...], str] = field(default_factory=dict)
    teams: list[str] = field(default_factory=list)
    turn: int = 0
    scores: dict[str, Score] = field(default_factory=dict)

    @property
    def playing(self) -> str:
        """The team whose turn it is."""
        return self.teams[self.turn % len(self.teams)] if self.teams else ALONE

    def guess(self, which: tuple[object, ...], rule: str, *, right: bool) -> None:
        """Counts the first guess in a round; another one changes nothing."""
        if which in self.guesses:
            return
        self.guesses[which] = rule
        self.scores.setdefault(self.playing, Score()).add(right=right)
        self.turn += 1

    def name_teams(self, text: str) -> None:
        """Takes names separated by commas; the scores of teams that stay are kept."""
        names = (" ".join(part.split())[:_LONGEST_NAME] for part in text.split(","))
        self.teams = list(dict.fromkeys(name for name in names if name))[:MOST_TEAMS]
        self.turn = 0

    def clear(self) -> None:
        """Sets all scores to nothing; teams stay."""
        self.guesses.clear()
        self.scores.clear()
        self.turn = 0


def game() -> Game:
    """The game of this session."""
    found: Game = st.session_state.setdefault(_GAME, Game())
    return found
