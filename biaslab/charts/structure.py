"""The structure of a word problem as a picture: amounts, and the steps between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH, Chart, empty_chart
from biaslab.charts.theme import Theme, base_layout, theme
from biaslab.charts.wording import lines, number, plain, wrapped

_SIGNS = {"+": "+", "-": "\N{MINUS SIGN}", "*": "\N{MULTIPLICATION SIGN}", "/": "÷"}
_RULES = {"gain": "gets more", "give": "has fewer", "compare": "comparison", "rate": "groups"}
_COLUMN = 0.12
"""Where the amounts stand, as a share of the width."""
_BESIDE = 0.25
_WIDTH = 40
"""Characters of a line beside the amounts on a phone."""
_LEVEL = 118
"""Pixels from one amount to the next."""


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
    step: _Step | None


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
    heading = title or f"How the answer comes about, in {_counted(len(steps))}"
    amounts = _amounts(steps, [str(s) for s in facts.get("sentences", ())])
    figure = _canvas(colours, wrapped(heading, TITLE_WIDTH), len(amounts))
    for level, amount in enumerate(amounts):
        if amount.step is not None:
            _draw_step(figure, amount.step, level, colours)
    _draw_amounts(figure, amounts, colours)
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


def _amounts(steps: Sequence[_Step], sentences: Sequence[str]) -> list[_Amount]:
    amounts: list[_Amount] = []
    for step in steps:
        if not amounts or amounts[-1].value != step.left:
            amounts.append(_Amount(step.left, _stated(step.left, steps, sentences), None))
        amounts.append(_Amount(step.result, step.owner, step))
    return amounts


def _stated(value: int, steps: Sequence[_Step], sentences: Sequence[str]) -> str:
    """The sentence that states an amount that no step derives."""
    taken = {step.sentence for step in steps}
    for sentence in sentences:
        if sentence not in taken and re.search(rf"(?<!\d){value}(?!\d)", sentence):
            return sentence
    return "stated in the problem"


def _canvas(colours: Theme, heading: str, levels: int) -> go.Figure:
    above = 26 + 20 * lines(heading)
    height = above + 30 + _LEVEL * (levels - 1) + 56
    figure = go.Figure(layout=base_layout(colours, heading, height))
    figure.update_layout(margin={"l": 4, "r": 4, "t": above, "b": 6}, showlegend=False)
    figure.update_xaxes(visible=False, fixedrange=True, range=[0, 1])
    figure.update_yaxes(visible=False, fixedrange=True, range=[levels - 1 + 0.33, -0.4])
    return figure


def _draw_step(figure: go.Figure, step: _Step, level: int, colours: Theme) -> None:
    colour = colours.palette[1] if step.treated else colours.muted
    figure.add_trace(
        go.Scatter(
            x=[_COLUMN, _COLUMN],
            y=[level - 0.79, level - 0.23],
            mode="lines+markers",
            line={"color": colour, "width": 2.5, "dash": "dash" if step.treated else "solid"},
            marker={"color": colour, "symbol": ["line-ew", "triangle-down"], "size": [0, 11]},
            hoverinfo="skip",
        )
    )
    remark = f"{step.remark}; changed in this pair" if step.treated else step.remark
    text = (
        f"<b>{_SIGNS[step.operation]} {number(step.right)}</b>  {wrapped(remark, _WIDTH - 6)}"
        f"<br>{wrapped(step.sentence, _WIDTH)}"
    )
    _write(figure, level - 0.5, text, colours)


def _draw_amounts(figure: go.Figure, amounts: Sequence[_Amount], colours: Theme) -> None:
    last = len(amounts) - 1
    colour = colours.palette[0]
    figure.add_trace(
        go.Scatter(
            x=[_COLUMN] * len(amounts),
            y=list(range(len(amounts))),
            mode="markers+text",
            text=[f"<b>{number(amount.value)}</b>" for amount in amounts],
            textfont={"color": colours.text, "size": 15},
            marker={
                "color": colours.background, "size": 48,
                "line": {
                    "color": colour, "width": [4.5 if i == last else 2 for i in range(last + 1)],
                },
            },
            customdata=[
                [plain(a.step.equation if a.step else a.owner)] for a in amounts
            ],
            hovertemplate="%{customdata[0]}<extra></extra>",
        )
    )  # fmt: skip
    for level, amount in enumerate(amounts):
        text = wrapped(amount.owner, _WIDTH)
        if level == last:
            text = f"{text}<br><b>the answer</b>"
        _write(figure, level, text, colours)


def _write(figure: go.Figure, y: float, text: str, colours: Theme) -> None:
    figure.add_annotation(
        text=text, x=_BESIDE, y=y, xanchor="left", yanchor="middle", align="left",
        showarrow=False, font={"color": colours.text, "size": 13},
    )  # fmt: skip


def _counted(steps: int) -> str:
    return "1 step" if steps == 1 else f"{steps} steps"


def _summary(heading: str, amounts: Sequence[_Amount]) -> str:
    parts = [f"{heading}."]
    position = 0
    for amount in amounts:
        if amount.step is None:
            parts.append(f"{number(amount.value)} is stated: {amount.owner}")
            continue
        position += 1
        step = amount.step
        changed = "; its sentence is changed in this pair" if step.treated else ""
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
