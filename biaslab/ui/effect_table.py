"""Effects as a table with every term explained."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd
import streamlit as st

from biaslab.analysis import Effect, effects_table
from biaslab.experiments import Arms
from biaslab.ui import kept
from biaslab.ui.words import interval_words, kind_name, p_words, percent, signed_points

CATE = (
    "Conditional average treatment effect: share right of the first kind minus share right of "
    "the second, over the pairs of this row. For word problems, positive is "
    "child-like."
)
T_TEST = (
    "Paired t-test: could the mean difference within pairs be zero? A small p says that chance "
    "alone would rarely give this much."
)
MCNEMAR = (
    "Exact McNemar test: compares how many pairs have only the first kind right with how many "
    "have only the second right."
)
BENJAMINI_HOCHBERG = (
    "Benjamini-Hochberg: p adjusted because several tests are made at once. Of all results with "
    "q below 0.05, at most 5 % are expected to be chance."
)


CORRECTED = (
    "“Corrected” ones belong to runs that may stop early and allow for looking at them repeatedly."
)


def draw_table(
    found: Sequence[Effect],
    arms: Arms,
    strategies: dict[str, str],
    corrected: Collection[str] = (),
) -> None:
    """Draws the effects of one study as a table.

    Args:
        found: the effects.
        arms: names of the two kinds of problem.
        strategies: names of the ways of asking on screens.
        corrected: ids of runs whose intervals allow for looking repeatedly.
    """
    difference, interval = "Difference", "95 % interval"
    unread = "Unread"
    rows = pd.DataFrame(
        {
            "Model": [_who(effect) for effect in found],
            "Asked": [strategies.get(e.strategy, e.strategy) for e in found],
            "Pairs": [_stratum(e) for e in found],
            "n": [e.n for e in found],
            arms.x: [percent(e.accuracy_x) for e in found],
            arms.x_prime: [percent(e.accuracy_x_prime) for e in found],
            difference: [signed_points(e.cate) for e in found],
            interval: [_interval(e, corrected) for e in found],
            "p (t-test)": [p_words(e.p_t) for e in found],
            "p (McNemar)": [p_words(e.p_mcnemar) for e in found],
            "q": [p_words(e.q_bh) for e in found],
            unread: [f"{e.invalid_x} / {e.invalid_x_prime}" for e in found],
        }
    )
    column = st.column_config.TextColumn
    if len({e.run for e in found}) == 1:
        rows = rows.drop(columns=["Model", "Asked"])
    st.dataframe(
        rows,
        hide_index=True,
        column_config={
            "Model": column(help="Who answered."),
            "Pairs": column(help="Which pairs of the run: all of them, or one stratum."),
            "n": st.column_config.NumberColumn(help="Pairs that count in this row."),
            arms.x: column(help=f"Share of “{arms.x}” problems answered right."),
            arms.x_prime: column(help=f"Share of “{arms.x_prime}” problems answered right."),
            difference: column(help=f"In percentage points. {CATE}"),
            interval: column(
                help=f"Of the difference: values that agree well with these pairs. {CORRECTED}"
            ),
            "p (t-test)": column(help=T_TEST),
            "p (McNemar)": column(help=MCNEMAR),
            "q": column(help=BENJAMINI_HOCHBERG),
            unread: column(
                help=f"Answers in which no number was found: “{arms.x}” / “{arms.x_prime}”."
            ),
        },
        alt=f"Effects with n, intervals and tests, {len(found)} rows",
    )


def draw_downloads(found: Sequence[Effect], name: str) -> None:
    """The table with unrounded numbers, and what its terms mean."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Table (CSV)",
            lambda: effects_table(found).to_csv(index=False).encode(),
            f"biaslab-effects-{name}.csv",
            "text/csv",
            key=f"table {name}",
            on_click="ignore",
            icon=":material/download:",
        )
    with st.expander("What the columns mean, and how the numbers were made"):
        st.markdown(
            f"- **Difference**: {CATE}\n- **p (t-test)**: {T_TEST}\n- **p (McNemar)**: {MCNEMAR}"
            f"\n- **q**: {BENJAMINI_HOCHBERG}"
        )
        for method in dict.fromkeys(effect.method for effect in found):
            st.caption(method)


def _interval(effect: Effect, corrected: Collection[str]) -> str:
    words = interval_words(effect.ci_low, effect.ci_high)
    return f"{words} (corrected)" if effect.run in corrected else words


def _who(effect: Effect) -> str:
    return f"{kept.model_label(effect.model)} ({kind_name(effect.model_kind).lower()})"


def _stratum(effect: Effect) -> str:
    name, _, value = effect.stratum.partition("=")
    return f"{name}: {value}" if value else "all"
