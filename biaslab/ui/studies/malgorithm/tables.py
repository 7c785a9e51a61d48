"""Tables of the page Malgorithms: what may stand behind the figures, mal-rules, publications."""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from biaslab.studies import experiment
from biaslab.studies.malgorithm.published import published_grades, published_identification
from biaslab.studies.malgorithm.results import OF_FOUR, Identification
from biaslab.ui.navigation import MALGORITHMS, go
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.studies.malgorithm.words import share_words
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import interval_words, percent, signed_points

SUBJECT = "Math"
"""What is shown of the publication: this lab asks mathematics only."""


def draw_behind(found: Identification) -> None:
    """Attraction to the key, whole questions, favourite labels, and what no insight reaches."""
    rows = behind_rows(found)
    head = '<div class="bl-finding bl-finding-head"><div>What</div><div>Found</div><div>Meaning'
    lines = "".join(
        '<div class="bl-finding">'
        + f"<div><b>{html.escape(name)}</b></div><div>{html.escape(value)}</div>"
        + f'<div class="bl-faint">{html.escape(meaning)}</div></div>'
        for name, value, meaning in rows
    )
    st.html(f'<div class="bl">{head}</div></div>{lines}</div>')


def behind_rows(found: Identification) -> list[tuple[str, str, str]]:
    """Name, value and meaning of what may stand behind the figures of a run."""
    of_three = found.chances.all_three == OF_FOUR.all_three
    rows = [
        (
            "Drawn to the key",
            share_words(found.attraction),
            "Of the wrong choices explained wrongly, how many were explained by the right way. "
            f"If nothing drew the model there, {percent(found.chances.attraction)}.",
        ),
        (
            "All three mal-rules" if of_three else "All mal-rules of a question",
            share_words(found.all_three),
            f"Questions whose {'three ' if of_three else ''}wrong choices were all explained "
            "rightly. Guessing reaches "
            f"{percent(found.chances.all_three)}.",
        ),
        (
            "Favourite label",
            "; ".join(
                f"{slot.label} {signed_points(slot.bias)} "
                f"({'no interval' if slot.interval is None else _ends(slot.interval)})"
                for slot in found.slots
            )
            or "no value yet",
            "How much more often a label was named than it was right, in percentage points, with "
            "95 % interval. Far from 0: the place counts, not the content.",
        ),
    ]
    for name, meaning in (
        ("longest", "What always taking the longest rationale would reach on these questions."),
        ("shortest", "What always taking the shortest rationale would reach."),
        (
            "words alone",
            "What taking the rationale with most words of the question and the choice would reach.",
        ),
        (
            "place by value",
            "What always answering with the second smallest option would reach, where all four "
            "are numbers.",
        ),
        (
            "value inside",
            "What taking a rationale in which the choice itself stands would reach, guessing "
            "where none does.",
        ),
    ):
        line = next((each for each in found.baselines if each.name == name), None)
        if line is not None:
            both = f"MIA {percent(line.mia)}, AIA {percent(line.aia)}"
            value = both if line.mcq is None else f"MCQ {percent(line.mcq)}"
            rows.append((f"Baseline: {name}", value, meaning))
    rows.append(
        (
            "Exactly as asked",
            percent(found.exact_json),
            "Answers that were the JSON asked for, word for word. Others are read leniently.",
        )
    )
    return rows


def _ends(interval: object) -> str:
    low, high = getattr(interval, "low", None), getattr(interval, "high", None)
    return interval_words(low, high)


def draw_rules(found: Sequence[Identification], address: dict[str, str]) -> None:
    """MIA of every mal-rule, the one missed most often first; a chosen row opens its questions."""
    rows = rules_in_order(found)
    if not rows:
        return
    with st.expander(f"Every mal-rule of this run ({len(rows)})"):
        st.caption("The one missed most often comes first. Choose a row to read its questions.")
        event = st.dataframe(
            pd.DataFrame(
                {
                    "Mal-rule": [read.rule_words(str(each.stratum_value)) for each in rows],
                    "MIA": [percent(each.mia.value) for each in rows],
                    "95 % interval": [
                        "not determined"
                        if each.mia.interval is None
                        else f"{percent(each.mia.interval.low)} to "
                        f"{percent(each.mia.interval.high)}"
                        for each in rows
                    ],
                    "n": [each.mia.n for each in rows],
                    "AIA": [percent(each.aia.value) for each in rows],
                }
            ),
            hide_index=True,
            key="mal-rules",
            on_select="rerun",
            selection_mode="single-row",
            column_config={
                "MIA": st.column_config.TextColumn(
                    help="How often its rationale was named for the choice that it leads to."
                ),
                "AIA": st.column_config.TextColumn(
                    help="The same for the right choices of the same questions."
                ),
            },
            alt=f"MIA of {len(rows)} mal-rules with n and interval",
        )
        picked = event["selection"]["rows"] if event else []
        if picked:
            go(MALGORITHMS, **address, rule=str(rows[picked[0]].stratum_value))


def rules_in_order(found: Sequence[Identification]) -> list[Identification]:
    """The one missed most often first; of equals the one with more choices."""
    return sorted(
        (each for each in found if each.mia.value is not None),
        key=lambda each: (each.mia.value, -each.mia.n, str(each.stratum_value)),
    )


def draw_published(own: Sequence[tuple[str, Identification | None]]) -> None:
    """The runs chosen, and published models below them with source and prompting."""
    st.header("Beside published models", anchor=False)
    table = published_rows(own)
    st.dataframe(
        table,
        hide_index=True,
        column_config={
            "Who": st.column_config.TextColumn(width="medium"),
            "MIA": st.column_config.TextColumn(help="Why a wrong choice was made."),
            "AIA": st.column_config.TextColumn(help="Why the right choice was made."),
            "MCQ": st.column_config.TextColumn(help="The question itself."),
            "AIA − MIA": st.column_config.TextColumn(help="In percentage points."),
        },
        alt=f"MCQ, AIA and MIA of the runs chosen and of published models, {len(table)} rows",
    )
    sources = dict.fromkeys(row.source for row in published_identification(SUBJECT))
    st.caption(
        plain(
            f"Published: {'; '.join(sources)}, mathematics. Other questions than ours, with the "
            "paper's own prompts, and no intervals printed: compare directions rather than levels."
        )
    )
    notes = [row for row in published_identification(SUBJECT) if row.note]
    with st.expander("Published MIA by school grade, and notes"):
        grades = published_grades(SUBJECT)
        wide = pd.DataFrame(
            [
                {
                    "Grade": row.grade,
                    f"{row.model} ({strategy_words(row.strategy)})": percent(row.mia),
                }
                for row in grades
            ]
        )
        if not wide.empty:
            st.dataframe(
                wide.groupby("Grade").first().reset_index(),
                hide_index=True,
                alt="Published MIA by school grade",
            )
        for row in notes:
            st.markdown(f"- {plain(f'{row.model}, {strategy_words(row.strategy)}: {row.note}')}")


def published_rows(own: Sequence[tuple[str, Identification | None]]) -> pd.DataFrame:
    """A row a run, then a row a published model and prompt strategy."""
    rows = [
        {
            "Who": label,
            "Asked": strategy_words(found.strategy),
            "MIA": percent(found.mia.value),
            "AIA": percent(found.aia.value),
            "AIA − MIA": _gap(found.aia.value, found.mia.value),
            "MCQ": percent(found.mcq.value),
            "Source": "this file",
        }
        for label, found in own
        if found is not None
    ]
    rows += [
        {
            "Who": row.model,
            "Asked": strategy_words(row.strategy),
            "MIA": percent(row.mia),
            "AIA": percent(row.aia),
            "AIA − MIA": signed_points(row.gap),
            "MCQ": percent(row.mcq),
            "Source": row.source,
        }
        for row in published_identification(SUBJECT)
    ]
    return pd.DataFrame(rows)


def _gap(aia: float | None, mia: float | None) -> str:
    return signed_points(None if aia is None or mia is None else aia - mia)


def strategy_words(name: str) -> str:
    """A prompt strategy as this study calls it."""
    labels = {each.name: each.label for each in experiment("malgorithm").strategies}
    return labels.get(name, name)
