"""The structure of a word problem as a picture: amounts, and the steps between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    TITLE_LINE,
    TITLE_WIDTH,
    Chart,
    Theme,
    base_layout,
    empty_chart,
    lines,
    number,
    plain,
    theme,
    wrapped,
)
from schoolmath.text.figures import count

_SIGNS = {"+": "+", "-": "\N{MINUS SIGN}", "*": "\N{MULTIPLICATION SIGN}", "/": "÷"}
_RULES = {"gain": "gets more", "give": "has fewer", "compare": "comparison", "rate": "groups"}
_COLUMN = 0.12
"""Where the amounts stand, as a share of the width."""
_BESIDE = 0.25
"""Where the words begin."""
_WIDTH = 36
"""Characters of a line of words on a phone."""
_RADIUS = 24
_LINE = 18
_CHANGED = "changed in this pair"


@dataclass(frozen=True, slots=True)
class _Step:
    sentence: str
    treated: bool
    rule: str
    consistent: bool | None
    operation: str
    left: int
    right: int
    result: int
    carries: int
    agent: str
    what: str

    @property
    def equation(self) -> str:
        sign = _SIGNS[self.operation]
        return f"{number(self.left)} {sign} {number(self.right)} = {number(self.result)}"

    @property
    def owner(self) -> str:
        return f"{self.agent}: {self.what}"

    @property
    def remark(self) -> str:
        """What kind of step it is, in plain words."""
        parts = [_RULES.get(self.rule, self.rule)]
        if self.consistent is not None:
            parts.append(
                "the wording suggests this operation"
                if self.consistent
                else "the wording suggests the opposite operation"
            )
        if self.carries and self.operation in "+-":
            name = "carry" if self.operation == "+" else "borrow"
            plural = {"carry": "carries", "borrow": "borrows"}[name]
            parts.append(f"{self.carries} {name if self.carries == 1 else plural}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class _Amount:
    """A circle of the picture: a number, whose it is, and the step that leads to it."""

    value: int
    owner: str
    treated: bool
    step: _Step | None

    @property
    def words(self) -> str:
        """Beside the line that leads to it, safe for the figure."""
        step = self.step
        if step is None:
            return ""
        remark = f"{step.remark}; {_CHANGED}" if step.treated else step.remark
        sign = f"{_SIGNS[step.operation]} {number(step.right)}"
        return f"<b>{sign}</b><br>{wrapped(remark, _WIDTH)}<br>{wrapped(step.sentence, _WIDTH)}"

    @property
    def reach(self) -> int:
        """Pixels from the amount before it to this one."""
        return 2 * _RADIUS + 20 + _LINE * lines(self.words) if self.step else 3 * _RADIUS


def structure_chart(facts: Mapping[str, Any], *, title: str = "", dark: bool = False) -> Chart:
    """A word problem's amounts from top to bottom, joined by its reasoning steps.

    Args:
        facts: ``Item.facts`` of a word problem (``sentences``, ``steps``, ``treated``).
        title: over the picture; by default what it shows.
        dark: for a dark page.

    Returns:
        The chart; steps whose sentence is changed within the pair are dashed, coloured and
        marked in words. An empty one with a sentence where the facts hold no steps.
    """
    steps = _steps(facts)
    if not steps:
        return empty_chart("The structure of this item is not known: it has no steps.", dark)
    colours = theme(dark)
    heading = title or f"How the answer comes about, in {count(len(steps), 'step')}"
    amounts = _amounts(steps, facts)
    places = list(accumulate((a.reach for a in amounts[1:]), initial=0))
    figure = _canvas(colours, wrapped(heading, TITLE_WIDTH), places[-1])
    for amount, above, place in zip(amounts[1:], places, places[1:], strict=False):
        if amount.step is not None:
            _draw_step(figure, amount, above, place, colours)
    _draw_amounts(figure, amounts, places, colours)
    return Chart(figure, _summary(heading, amounts), _data(steps))


def _steps(facts: Mapping[str, Any]) -> list[_Step]:
    try:
        sentences = facts.get("sentences", ())
        treated = set(facts.get("treated", ()))
        return [
            _Step(
                sentence=str(sentences[step["sentence"]]),
                treated=step["sentence"] in treated,
                rule=str(step["rule"]),
                consistent=step["consistent"],
                operation={"+": "+", "-": "-", "*": "*", "/": "/"}[step["operation"]],
                left=int(step["left"]),
                right=int(step["right"]),
                result=int(step["result"]),
                carries=int(step.get("carries", 0)),
                agent=str(step["agent"]),
                what=str(step["what"]),
            )
            for step in facts.get("steps", ())
        ]
    except (IndexError, KeyError, TypeError, ValueError):
        # Items of other studies, or of files made elsewhere: no picture rather than half a one.
        return []


def _amounts(steps: Sequence[_Step], facts: Mapping[str, Any]) -> list[_Amount]:
    amounts: list[_Amount] = []
    for step in steps:
        if not amounts or amounts[-1].value != step.left:
            amounts.append(_stated(step.left, steps, facts))
        amounts.append(_Amount(step.result, step.owner, False, step))
    return amounts


def _stated(value: int, steps: Sequence[_Step], facts: Mapping[str, Any]) -> _Amount:
    """An amount that no step derives, with the sentence that states it."""
    taken = {step.sentence for step in steps}
    for index, sentence in enumerate(str(s) for s in facts["sentences"]):
        if sentence not in taken and re.search(rf"(?<!\d){value}(?!\d)", sentence):
            return _Amount(value, sentence, index in facts.get("treated", ()), None)
    return _Amount(value, "stated in the problem", False, None)


def _canvas(colours: Theme, heading: str, depth: int) -> go.Figure:
    above = 26 + TITLE_LINE * lines(heading)
    rim = _RADIUS + 8
    height = above + depth + 2 * rim + 6
    figure = go.Figure(layout=base_layout(colours, heading, height))
    margin = {"l": 4, "r": 4, "t": above, "b": 6, "autoexpand": False}
    figure.update_layout(margin=margin, showlegend=False)
    figure.update_xaxes(visible=False, fixedrange=True, range=[0, 1])
    figure.update_yaxes(visible=False, fixedrange=True, range=[depth + rim, -rim])
    return figure


def _draw_step(figure: go.Figure, amount: _Amount, above: int, place: int, colours: Theme) -> None:
    treated = amount.step is not None and amount.step.treated
    colour = colours.palette[1] if treated else colours.muted
    figure.add_trace(
        go.Scatter(
            x=[_COLUMN, _COLUMN],
            y=[above + _RADIUS + 1, place - _RADIUS - 8],
            mode="lines+markers",
            line={"color": colour, "width": 2.5, "dash": "dash" if treated else "solid"},
            marker={
                "color": colour, "symbol": "triangle-down", "size": [0, 12], "opacity": 1,
                "line": {"color": colour, "width": 0},
            },
            hoverinfo="skip",
        )
    )  # fmt: skip
    _write(figure, (above + place) / 2, amount.words, colours)


def _draw_amounts(
    figure: go.Figure, amounts: Sequence[_Amount], places: Sequence[int], colours: Theme
) -> None:
    last = len(amounts) - 1
    figure.add_trace(
        go.Scatter(
            x=[_COLUMN] * len(amounts),
            y=list(places),
            mode="markers+text",
            text=[f"<b>{number(amount.value)}</b>" for amount in amounts],
            textfont={"color": colours.text, "size": 15},
            marker={
                "color": colours.background, "size": 2 * _RADIUS, "opacity": 1,
                "line": {
                    "color": [colours.palette[1 if a.treated else 0] for a in amounts],
                    "width": [4.5 if i == last else 2 for i in range(last + 1)],
                },
            },
            customdata=[[plain(a.step.equation if a.step else a.owner)] for a in amounts],
            hovertemplate="%{customdata[0]}<extra></extra>",
        )
    )  # fmt: skip
    for index, (amount, place) in enumerate(zip(amounts, places, strict=True)):
        text = wrapped(amount.owner, _WIDTH)
        if amount.treated:
            text = f"{text}<br>({_CHANGED})"
        if index == last:
            text = f"{text}<br><b>the answer</b>"
        _write(figure, place, text, colours)


def _write(figure: go.Figure, y: float, text: str, colours: Theme) -> None:
    figure.add_annotation(
        text=text, x=_BESIDE, y=y, xanchor="left", yanchor="middle", align="left",
        showarrow=False, font={"color": colours.text, "size": 13},
    )  # fmt: skip


def _summary(heading: str, amounts: Sequence[_Amount]) -> str:
    parts = [f"{heading}."]
    position = 0
    for amount in amounts:
        if amount.step is None:
            changed = f" ({_CHANGED})" if amount.treated else ""
            parts.append(f"{number(amount.value)} is stated{changed}: {amount.owner}")
            continue
        position += 1
        step = amount.step
        changed = f"; {_CHANGED}" if step.treated else ""
        parts.append(
            f"Step {position}: {step.equation} ({step.owner}); {step.remark}{changed}. "
            f"{step.sentence}"
        )
    parts.append(f"The answer is {number(amounts[-1].value)}.")
    return " ".join(parts)


def _data(steps: Sequence[_Step]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "equation": step.equation, "agent": step.agent, "what": step.what,
                "rule": step.rule, "consistent": step.consistent, "carries": step.carries,
                "changed_in_pair": step.treated, "sentence": step.sentence,
            }
            for step in steps
        ]
    )  # fmt: skip
