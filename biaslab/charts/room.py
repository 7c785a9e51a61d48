"""What people answered: a class, and a room beside models and publications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    Chart,
    RunStyle,
    empty_chart,
    interval_words,
    looks,
    plain,
    signed,
    theme,
)
from biaslab.charts.effects import add_published, published_groups, published_rows
from biaslab.charts.forest import (
    AxisSides,
    ForestMark,
    LegendLine,
    RowPositions,
    add_marks,
    forest_figure,
    range_of,
)
from biaslab.models import read_spec
from biaslab.room import ModelEffect, Room, RoomEffect
from biaslab.studies import Arms
from biaslab.studies.published import PublishedEffect
from biaslab.studies.study import strategy_label
from schoolmath.malrules.classes import ItemAnswers
from schoolmath.text.figures import count, percent, signed_number

_ROOM_SYMBOL = "star-diamond"
_HERE, _ELSEWHERE = "Models on these pairs", "Models on other pairs of this study"


def room_chart(
    room: Room,
    effect: RoomEffect,
    model_effects: Sequence[ModelEffect],
    arms: Arms,
    *,
    published_effects: Sequence[PublishedEffect] = (),
    dark: bool = False,
) -> Chart:
    """How much easier x is than x' to the people in a room, and to others.

    Args:
        room: whose effect it is.
        effect: of its people; nothing is drawn where it has no value.
        model_effects: of models asked the same study; those on the room's own pairs first.
        arms: what x and x' are called.
        published_effects: published effects of the same study.
        dark: for a dark page.
    """
    if effect.effect is None:
        return empty_chart(effect.reason or "There is no effect to show yet.", dark)
    colours = theme(dark)
    who = room_words(room)
    models = [each for each in model_effects if each.effect.cate is not None]
    models.sort(key=lambda each: each.shared < 2)
    printed = list(published_effects) if effect.binary else []
    rows = RowPositions()
    (at,) = rows.block(who, 1, 1.4)
    placed: list[tuple[float, ModelEffect]] = []
    for heading, group in (
        (_HERE, [each for each in models if each.shared >= 2]),
        (_ELSEWHERE, [each for each in models if each.shared < 2]),
    ):
        if group:
            rows.heading(heading)
            placed += [(rows.block(model_words(each), 1)[0], each) for each in group]
    groups = published_rows(rows, printed)
    unit = "percentage points" if effect.binary else "units of the scale"
    title = (
        f"How much easier is “{arms.x}” than “{arms.x_prime}”?"
        if effect.binary
        else f"How far do outcomes of “{arms.x}” and “{arms.x_prime}” lie apart?"
    )
    ends = [effect.effect, effect.low, effect.high]
    for each in models:
        ends += [each.effect.cate, each.effect.ci_low, each.effect.ci_high]
    values = [end for end in (*ends, *(each.cate for each in printed)) if end is not None]
    figure = forest_figure(
        rows,
        colours,
        title,
        f"Difference in {unit}<br>(bars: 95 % interval)",
        range_of(values, binary=effect.binary),
        [LegendLine(f"{who}: {count(effect.people, 'person', 'people')}")],
        AxisSides(f"◀ “{plain(arms.x_prime)}”<br>is easier", f"“{plain(arms.x)}”<br>is easier ▶")
        if effect.binary
        else AxisSides("◀ the other way", "in the expected<br>direction ▶"),
        counts=True,
    )
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    _add_room(figure, at, effect, who, colours.text)
    given = looks([each.effect.model_kind for _, each in placed], colours)
    for (y, each), look in zip(placed, given, strict=True):
        words = f"{each.shared} of these pairs" if each.shared >= 2 else "other pairs"
        add_marks(figure, model_words(each), [ForestMark(y, each.effect, words)], look, colours)
    add_published(figure, groups, colours)
    return Chart(figure, _summary(title, who, effect, models, printed), _data(effect, models))


def room_words(room: Room) -> str:
    """What a room's row is called: simulated people are named as such."""
    return "Rehearsal (simulated people)" if room.rehearsal else "This room"


def effect_words(effect: RoomEffect) -> str:
    """A room's effect: ``+12.0 percentage points (95 % interval +5.1 to +18.9, 30 people)``."""
    people = count(effect.people, "person", "people")
    if effect.effect is None:
        return f"no value ({people})"
    unit = "percentage points" if effect.binary else "units of the scale"
    spread = "no interval can be determined"
    if effect.low is not None and effect.high is not None:
        low, high = (signed(end, effect.binary) for end in (effect.low, effect.high))
        spread = f"95 % interval {low} to {high}"
    return f"{signed(effect.effect, effect.binary)} {unit} ({spread}, {people})"


def finding_words(room: Room, effect: RoomEffect, arms: Arms) -> str:
    """The room's effect in a sentence."""
    who = room_words(room)
    if effect.effect is None:
        return effect.reason
    written = percent if effect.binary else signed_number
    means = (
        f"“{arms.x}” {written(effect.mean_x)}, “{arms.x_prime}” {written(effect.mean_x_prime)}"
        f"{' right' if effect.binary else ' on the scale'}"
    )
    sure = ""
    if effect.low is not None and effect.high is not None:
        sure = (
            " The interval includes zero: no clear difference."
            if effect.low <= 0 <= effect.high
            else " The whole interval lies on one side of zero."
        )
    return f"{who}: {means}; {effect_words(effect)}.{sure}"


def model_words(model: ModelEffect) -> str:
    """Which model was asked, and how."""
    how = strategy_label(model.run.study, model.run.strategy).lower()
    return f"{read_spec(model.run.model_spec).short_name}, {how}"


def _add_room(figure: go.Figure, y: float, effect: RoomEffect, who: str, colour: str) -> None:
    scale = 100.0 if effect.binary else 1.0
    value = effect.effect or 0.0
    reach = {
        "array": [None if effect.high is None else scale * (effect.high - value)],
        "arrayminus": [None if effect.low is None else scale * (value - effect.low)],
    }
    figure.add_trace(
        go.Scatter(
            x=[scale * value], y=[y], mode="markers+text", name=plain(who),
            marker={"color": colour, "symbol": _ROOM_SYMBOL, "size": 18},
            error_x={
                "type": "data", "symmetric": False, "color": colour, "thickness": 4, "width": 9,
                **reach,
            },
            text=[count(effect.people, "person", "people")],
            textposition="top center", textfont={"color": colour, "size": 14}, cliponaxis=False,
            hovertemplate=f"{plain(who)}<br>{plain(effect_words(effect))}<extra></extra>",
        )
    )  # fmt: skip


def _summary(
    title: str,
    who: str,
    effect: RoomEffect,
    models: Sequence[ModelEffect],
    published_effects: Sequence[PublishedEffect],
) -> str:
    parts = [title, f"{who}: {effect_words(effect)}."]
    for each in models:
        on = f"{each.shared} of these pairs" if each.shared >= 2 else "other pairs of the study"
        parts.append(f"{model_words(each)}, on {on}: {interval_words(each.effect)}.")
    for heading, members in published_groups(published_effects).items():
        parts.append(f"{heading}: {'; '.join(f'{e.model} {signed(e.cate)}' for e in members)}.")
    return " ".join(parts)


def _data(effect: RoomEffect, models: Sequence[ModelEffect]) -> pd.DataFrame:
    rows: list[dict[str, Any]] = [
        {
            "who": "room", "people": effect.people, "pairs": effect.pairs, "effect": effect.effect,
            "low": effect.low, "high": effect.high,
        }
    ]  # fmt: skip
    rows += [
        {
            "who": model_words(each), "run": each.run.id, "pairs": each.effect.n,
            "shared": each.shared, "effect": each.effect.cate, "low": each.effect.ci_low,
            "high": each.effect.ci_high,
        }
        for each in models
    ]  # fmt: skip
    return pd.DataFrame(rows)


_THICK = 0.62
"""Of a bar, in rows."""

_NAMES = ("right", "wrong", "not answered")
_SIGNS = ("square", "square", "square")


def class_chart(items: Sequence[ItemAnswers], dark: bool = False) -> Chart:
    """A bar for each item, from the right answers on its left to the missing ones.

    Args:
        items: what a class answered, item by item; one at least.
        dark: for a dark page.
    """
    colours = theme(dark)
    pupils = items[0].answered + items[0].blank
    counted = [(each.right, each.answered - each.right, each.blank) for each in items]
    rows = RowPositions()
    places = [rows.block(f"Item {each.item + 1}", 1, 0.8)[0] for each in items]
    given = (colours.palette[0], colours.palette[1], colours.muted)
    title = f"What {count(pupils, 'pupil')} answered"
    legend = [
        LegendLine(name, RunStyle(*of)) for name, *of in zip(_NAMES, given, _SIGNS, strict=True)
    ]
    figure = forest_figure(rows, colours, title, "Pupils", [0, pupils], legend)
    for place, (name, colour) in enumerate(zip(_NAMES, given, strict=True)):
        figure.add_trace(
            go.Bar(
                x=[each[place] for each in counted],
                y=places,
                orientation="h",
                width=_THICK,
                name=name,
                marker={"color": colour, "line": {"color": colours.background, "width": 1}},
                # The number in it tells a piece from the others in a copy in grey, too.
                text=[str(each[place]) if each[place] else "" for each in counted],
                textposition="inside",
                insidetextanchor="middle",
                insidetextfont={"color": colours.background, "size": 12},
                customdata=[plain(f"Item {each.item + 1}") for each in items],
                hovertemplate="%{customdata}<br>%{x} " + name + "<extra></extra>",
            )
        )  # fmt: skip
    figure.update_layout(barmode="stack")
    told = "; ".join(
        f"item {each.item + 1}: {right} right, {wrong} wrong, {blank} not answered"
        for each, (right, wrong, blank) in zip(items, counted, strict=True)
    )
    table = pd.DataFrame(
        [(each.item + 1, *of) for each, of in zip(items, counted, strict=True)],
        columns=["item", "right", "wrong", "not answered"],
    )
    return Chart(figure, f"{title}: {told}.", table)
