"""Guess the mal-rule as it is drawn: question, rules, truth, score."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.studies.malgorithm.answers import KEY
from biaslab.studies.malgorithm.items import NOT_NAMED
from biaslab.ui.classroom.guess_rounds import NamedRule, Round
from biaslab.ui.classroom.happened import facts_html
from biaslab.ui.navigation import MALGORITHMS, link
from biaslab.ui.studies.malgorithm.queries import rule_words
from biaslab.ui.widgets.cards import picture_of
from biaslab.ui.widgets.words import plain, source_words
from schoolmath.malrules.rules import rules
from schoolmath.text.figures import count

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


STYLE = Path(__file__).resolve().parents[3] / "assets" / "style" / "guess.css"
_TEAMS_FIELD = "guess: team names"
MODELS_SHOWN = 3


def draw_question(round_: Round) -> None:
    """Draws the question and the wrong answer, large."""
    st.html(STYLE)
    grade = f'<span class="bl-faint">Grade {round_.grade}</span>' if round_.grade else ""
    st.html(
        '<section class="bl bl-guess" aria-label="The question">'
        f'<p class="bl-guess-question">{html.escape(round_.question)}</p>'
        f"{picture_of(round_.question)}"
        f'<p class="bl-guess-answer">A pupil answers <b>{html.escape(round_.wrong)}</b>. '
        f"{grade}</p></section>"
    )


def draw_choices(round_: Round, which: tuple[object, ...], playing: Game) -> None:
    """Draws the rules to guess from, as buttons with the keys 1 to 4."""
    turn = f" **{plain(playing.playing)}**, it is your turn." if playing.playing else ""
    asked = "What is behind it?" if round_.problem is None else "Which rule did the pupil follow?"
    st.markdown(f"{asked}{turn}")
    with st.container(key="guess-choices"):
        for place, choice in enumerate(round_.choices, start=1):
            st.button(
                _choice_words(round_, place, choice),
                key=f"guess {place}",
                shortcut=str(place),
                on_click=playing.guess,
                args=(which, choice),
                kwargs={"right": choice == round_.truth},
                width="stretch",
                wrap=True,
            )


def _choice_words(round_: Round, place: int, choice: str) -> str:
    """What stands on a button."""
    if round_.problem is None:
        return f"**{place}.** {plain(choice)}"
    name = rules()[choice].card.name
    return f"**{place}.** {plain(name[0].upper() + name[1:])}"


def draw_truth(
    round_: Round, guessed: str, rules: Sequence[NamedRule], runs: Sequence[RunRecord]
) -> None:
    """Draws whether the guess was right, how the answer came about, and what models said."""
    right = guessed == round_.truth
    verdict = "✓ Right" if right else "✗ Not this time"
    what = "the file says" if round_.problem is None else "the rule is"
    yours = (
        ""
        if right
        else f"<p>You guessed <b>{html.escape(round_.name(guessed).rstrip('.'))}</b>.</p>"
    )
    st.html(
        f'<section class="bl bl-guess bl-truth {"right" if right else "wrong"}" '
        'aria-label="The truth">'
        f'<p class="bl-guess-verdict">{verdict}: {what} <b>'
        f"{html.escape(round_.name(round_.truth).rstrip('.'))}</b></p>"
        f"{yours}{_way(round_)}</section>"
    )
    if round_.problem is not None:
        _draw_card(round_)
    _draw_others(round_)
    _draw_answers(rules, runs)


def _way(round_: Round) -> str:
    """How somebody comes to the wrong answer, as far as that is known."""
    answers = f"<b>{html.escape(round_.wrong)}</b>; right is <b>{html.escape(round_.right)}</b>."
    trace = round_.trace
    if trace is None:
        note = (
            "A label from the file for what a pupil believes; we have not checked it."
            if round_.labels
            else "The reason given in the file; we have not checked it."
        )
        return f"<p>The answer was {answers}</p><p class='bl-faint'>{note}</p>"
    steps = "".join(
        f"<li{' class=bl-key-step' if at == trace.key_step else ''}>"
        f"{html.escape(step.text)}"
        f"{' <b>← here it goes wrong</b>' if at == trace.key_step else ''}</li>"
        for at, step in enumerate(trace.steps)
    )
    return (
        f"<p>{html.escape(rules()[round_.truth].card.description)}</p>"
        f"<div><div class='bl-faint'>Step by step: somebody who follows it</div><ol>{steps}</ol>"
        f"<p>So the answer is {answers}</p></div>"
    )


def _draw_card(round_: Round) -> None:
    card = rules()[round_.truth].card
    form = "" if round_.problem is None else type(round_.problem).__name__
    told = {
        "Look for": card.look_for,
        "Ask the pupil": card.probe,
        "What sort of mistake": str(card.kind),
    }
    researchers = {"Source": source_words(card, form), "Code": card.id}
    st.html(
        f"{facts_html(told)}<details class='bl'><summary>For researchers</summary>"
        f"{facts_html(researchers)}</details>"
    )


def _draw_others(round_: Round) -> None:
    of_file = round_.problem is None
    lines = []
    for choice in round_.choices:
        if choice == round_.truth:
            continue
        given = round_.gives(choice)
        if of_file:
            result = f"belongs to the answer {given}" if given else "belongs to another question"
        else:
            result = f"would give {given}" if given else "does nothing wrong on this question"
        lines.append(f"- **{plain(round_.name(choice))}** {plain(result)}")
    with st.expander(
        "What belongs to the others" if of_file else "What the other rules would give"
    ):
        st.markdown("\n".join(lines))


def _draw_answers(rules: Sequence[NamedRule], runs: Sequence[RunRecord]) -> None:
    st.markdown("**What models said**")
    if not rules:
        st.caption(
            "No model was asked about this answer."
            if runs
            else "No model was asked about this answer: the file has no run of the study "
            "Malgorithms yet. With one, you can play its questions and compare."
        )
        if not runs:
            link(MALGORITHMS, "Ask a model on Malgorithms")
        return
    st.caption("Given four rationales, which one did the model say led to this answer?")
    lines = []
    for each in rules[:MODELS_SHOWN]:
        who = html.escape(each.who) + (" (simulated, no real model)" if each.simulated else "")
        if each.named is None:
            verdict = "? no answer could be read"
        else:
            named = "the right way" if each.named == KEY else rule_words(each.named)
            verdict = "✓ right" if each.right else "✗ wrong"
            verdict += f": {named}" if each.named != NOT_NAMED else ""
        lines.append(f"<dt>{who}</dt><dd>{html.escape(verdict)}</dd>")
    st.html(f'<dl class="bl bl-facts">{"".join(lines)}</dl>')
    if len(rules) > MODELS_SHOWN:
        st.caption(f"and {count(len(rules) - MODELS_SHOWN, 'more model')}.")


def draw_score(playing: Game) -> None:
    """Draws score and streak of this session, of every team."""
    if not (playing.teams or playing.guesses):
        return
    names = playing.teams or [ALONE]
    tiles = []
    for name in names:
        score = playing.scores.get(name)
        told = f"{score.right} of {score.guesses}" if score else "0 of 0"
        streak = score.streak if score else 0
        best = f", best {score.best}" if score and score.best > streak else ""
        turn = " is-playing" if playing.teams and name == playing.playing else ""
        label = html.escape(name or "Score")
        tiles.append(
            f'<div class="bl-figure{turn}"><b>{told}</b><span class="bl-faint">{label}'
            f"{' (plays now)' if turn else ''} · streak {streak}{best}</span></div>"
        )
    st.html(f'<div class="bl bl-figures bl-wide" role="status">{"".join(tiles)}</div>')


def draw_teams(playing: Game) -> None:
    """Draws the names of teams, which stay in this session."""
    with st.expander("Teams and score"):
        st.text_input(
            f"Team names, separated by commas (up to {MOST_TEAMS}; no real names of pupils)",
            value=", ".join(playing.teams),
            key=_TEAMS_FIELD,
            on_change=_name_teams,
            args=(playing,),
        )
        st.caption("Names and scores stay in this browser session and are gone when you close it.")
        st.button("Set the score to zero", on_click=playing.clear, key="clear score")


def _name_teams(playing: Game) -> None:
    playing.name_teams(st.session_state[_TEAMS_FIELD])
