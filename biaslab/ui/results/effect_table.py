"""Effects as a table with every term explained."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd
import streamlit as st

from biaslab.stats import Effect, effects_table, end_of
from biaslab.studies import Arms
from biaslab.studies.study import outcome_scale
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import table_csv
from biaslab.ui.widgets.words import kind_name
from schoolmath.text.figures import interval_words, p_words, percent, signed_number, signed_points

CATE = (
    "Conditional average treatment effect: share right of the first kind minus share right of "
    "the second, over the pairs of this row. Positive: the first kind was easier."
)
TEST = (
    "Could the mean difference within pairs be zero? The test that belongs to the interval: p is "
    "below 0.05 exactly where the 95 % interval leaves out zero. It respects problems that pairs "
    "share. The paper's t-test and McNemar's are in the downloads, where they apply."
)
BENJAMINI_HOCHBERG = (
    "Benjamini-Hochberg: p adjusted because several tests are made at once, those of the rows "
    "of this table (simulated learners apart from models). Of all results with q below 0.05, at "
    "most 5 % are expected to be chance."
)


ENDS = (
    "“(floor)” and “(ceiling)”: nearly all answers of both kinds are wrong, or right, so that a "
    "difference has hardly any room to show."
)
CORRECTED = (
    "“Corrected” ones belong to runs that may stop early and allow for looking at them repeatedly."
)


def draw_table(
    found: Sequence[Effect],
    arms: Arms,
    strategies: dict[str, str],
    corrected: Collection[str] = (),
    distinguishing: Mapping[str, str] | None = None,
) -> None:
    """Draws the effects of one study as a table.

    Args:
        found: the effects.
        arms: names of the two kinds of problem.
        strategies: names of the prompt strategies on screens.
        corrected: ids of runs whose intervals allow for looking repeatedly.
        distinguishing: what tells runs of one model and strategy apart, by id.
    """
    designs = distinguishing or {}
    difference, interval = "Difference", "95 % interval"
    unread = "Unread"
    rows = pd.DataFrame(
        {
            "Model": [_who(effect) for effect in found],
            "Asked": [strategies.get(e.strategy, e.strategy) for e in found],
            "Design": [designs.get(e.run, "") for e in found],
            "Pairs": [_stratum(e) for e in found],
            "n": [e.n for e in found],
            arms.x: [_level(e, e.accuracy_x) for e in found],
            arms.x_prime: [_level(e, e.accuracy_x_prime) for e in found],
            difference: [_difference(e, e.cate) for e in found],
            interval: [_interval(e, corrected) for e in found],
            "p": [p_words(e.p) for e in found],
            "q": [p_words(e.q_bh) for e in found],
            unread: [f"{e.invalid_x} / {e.invalid_x_prime}" for e in found],
        }
    )
    column = st.column_config.TextColumn
    if not any(designs.values()):
        rows = rows.drop(columns=["Design"])
    if len({e.run for e in found}) == 1:
        rows = rows.drop(columns=["Model", "Asked", "Design"], errors="ignore")
    st.dataframe(
        rows,
        hide_index=True,
        column_config={
            "Model": column(help="Who answered."),
            "Design": column(help="In what the design differs from the others of this model."),
            "Pairs": column(help=f"Which pairs of the run: all of them, or one stratum. {ENDS}"),
            "n": st.column_config.NumberColumn(help="Pairs that count in this row."),
            arms.x: column(help=_what(found, arms.x)),
            arms.x_prime: column(help=_what(found, arms.x_prime)),
            difference: column(help=_difference_help(found)),
            interval: column(
                help=f"Of the difference: values that agree well with these pairs. {CORRECTED}"
            ),
            "p": column(help=TEST),
            "q": column(help=BENJAMINI_HOCHBERG),
            unread: column(
                help=f"Answers in which no number was found: “{arms.x}” / “{arms.x_prime}”."
            ),
        },
        alt=f"Effects with n, intervals and tests, {len(found)} rows",
    )


def _what(found: Sequence[Effect], arm: str) -> str:
    if all(effect.binary for effect in found):
        return f"Share of “{arm}” problems answered right."
    return f"Mean outcome of “{arm}”, on the study's scale. {_scale(found)}"


def _difference_help(found: Sequence[Effect]) -> str:
    if all(effect.binary for effect in found):
        return f"In percentage points. {CATE}"
    return f"Mean outcome of the first kind minus that of the second. {_scale(found)}"


def _scale(found: Sequence[Effect]) -> str:
    scale = outcome_scale(found[0].study) if found else None
    return "" if scale is None else f"In {scale.unit}: {scale.explanation}"


def draw_downloads(found: Sequence[Effect], name: str) -> None:
    """The table with unrounded numbers, and what its terms mean."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Table (CSV)",
            lambda: table_csv(effects_table(found)),
            f"biaslab-effects-{name}.csv",
            "text/csv",
            key=f"table {name}",
            on_click="ignore",
            icon=":material/download:",
        )
    binary = all(effect.binary for effect in found)
    with st.expander("What the columns mean, and how the numbers were made"):
        st.markdown(
            f"- **Difference**: {CATE if binary else _difference_help(found)}"
            f"\n- **p**: {TEST}"
            f"\n- **q**: {BENJAMINI_HOCHBERG}"
            f"\n- **Pairs**: {ENDS}"
        )
        for method in dict.fromkeys(effect.method for effect in found):
            st.caption(method)


def _level(effect: Effect, value: float | None) -> str:
    return percent(value) if effect.binary else signed_number(value)


def _difference(effect: Effect, value: float | None) -> str:
    return signed_points(value) if effect.binary else signed_number(value)


def _interval(effect: Effect, corrected: Collection[str]) -> str:
    words = interval_words(effect.ci_low, effect.ci_high)
    if not effect.binary and effect.ci_low is not None:
        words = f"{signed_number(effect.ci_low)} to {signed_number(effect.ci_high)}"
    return f"{words} (corrected)" if effect.run in corrected else words


def _who(effect: Effect) -> str:
    return f"{queries.model_label(effect.model)} ({kind_name(effect.model_kind).lower()})"


def _stratum(effect: Effect) -> str:
    name, _, value = effect.stratum.partition("=")
    end = end_of(effect)
    return f"{f'{name}: {value}' if value else 'all'}{f' ({end})' if end else ''}"
