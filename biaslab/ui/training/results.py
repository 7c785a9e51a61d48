"""What a check found: effects with n and intervals, the honest measures, and the ways on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st

from biaslab.studies import experiment
from biaslab.studies.study import evidence_about_people
from biaslab.training.cells import CheckCell
from biaslab.training.heartbeat import ProgressCheck
from biaslab.training.jobs import JobState
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.navigation import COMPOSE, LOOK_INSIDE, ORIGINS, link
from biaslab.ui.training.words import (
    ASIDE,
    NOT_SETTLED,
    STATUSES,
    STEP_BY_STEP,
    STRATEGIES,
    arms,
    effect,
    effect_words,
    mix_label,
    operation_words,
    operations,
    reversal_words,
    share_interval,
    shares_words,
    steps_of,
    strategies,
    strategy_words,
    studies,
    whole,
)
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, interval_words, p_words, percent, percents, signed_points

COMPARED = (
    ("consistency", "direct"), ("consistency", "cot"),
    ("transfer-comparison", "direct"), ("transfer-comparison", "cot"),
)  # fmt: skip
"""Effects that trainings are compared by, at one step."""


def draw_results(check: ProgressCheck, *, settled: bool) -> None:
    """Draws the figures of a check.

    Args:
        check: the last one.
        settled: whether the training was at its end then.
    """
    st.header("What it does now" if settled else "The last check", anchor=False)
    st.caption(
        f"After {check.minute:.1f} minutes and {check.examples:,} lessons, on pairs that it was "
        f"never taught, of one step.{'' if settled else f' {NOT_SETTLED}'}"
    )
    for study in studies([check]):
        lines = [
            f"- {strategy_words(cell.strategy)}: **{signed_points(cell.cate)}**"
            f"{plain(effect_words(cell).removeprefix(signed_points(cell.cate)))}; "
            f"{plain(shares_words(cell))}."
            for cell in _cells_of(check, study, 1)
        ]
        if lines:
            title = plain(experiment(study).title)
            st.markdown("\n".join([f"**{title}**", "", *lines]))
    with st.expander("All figures as a table"):
        table = figures_table(check)
        st.dataframe(table, hide_index=True, alt=f"Figures of the check, {len(table)} rows")
        st.caption(
            "First and second: share right of the kind that is easier by hypothesis, and of the "
            "other, with 95 % intervals. An answer that could not be read counts as wrong. p: "
            "the test of the interval; where both members of every pair came out alike there is "
            "nothing to test."
        )
    _draw_honest(check)


@lru_cache(maxsize=32)
def figures_table(check: ProgressCheck) -> pd.DataFrame:
    """A row a study, number of steps and prompt strategy."""
    return pd.DataFrame(
        [
            _row(cell)
            for study in studies([check])
            for steps in steps_of([check])
            for cell in _cells_of(check, study, steps)
        ]
    )


def _cells_of(check: ProgressCheck, study: str, steps: int) -> list[CheckCell]:
    found = (whole(check.cells, study, way, steps) for way in strategies(check.cells))
    return [cell for cell in found if cell is not None]


def _row(cell: CheckCell) -> dict[str, str | int]:
    found = effect(cell)
    ends = found.interval
    return {
        "Study": experiment(cell.study).title,
        "Asked": strategy_words(cell.strategy),
        "Steps": cell.steps,
        "First right": _with_interval(cell.right_x, cell.n),
        "Second right": _with_interval(cell.right_x_prime, cell.n),
        "Effect": signed_points(found.cate),
        "Interval": "–" if ends is None else interval_words(ends.low, ends.high),
        "p": "nothing differs" if found.identical else p_words(found.p),
        "n": cell.n,
        "Unread": cell.unread_x + cell.unread_x_prime,
    }


def _with_interval(right: int, n: int) -> str:
    ends = share_interval(right, n)
    assert ends is not None  # a cell has pairs
    return f"{percent(right / n)} ({percents(ends.low, ends.high)})"


@lru_cache(maxsize=32)
def honest_sentences(check: ProgressCheck) -> tuple[str, ...]:
    """Which operations it chooses, and which errors are those of the reversed one.

    Reversals are left out for carries, of which they say little.
    """
    cells = [
        cell
        for study in studies([check])
        for steps in steps_of([check])
        for cell in _cells_of(check, study, steps)
    ]
    said = [
        operation_words(cell, found)
        for cell in cells
        if cell.strategy in STEP_BY_STEP and (found := operations(cell)) is not None
    ]
    turned = [reversal_words(cell) for cell in cells if cell.study not in ASIDE]
    return (*said, *(words for words in turned if words is not None))


def _draw_honest(check: ProgressCheck) -> None:
    said = honest_sentences(check)
    if not said:
        return
    st.header("Does it read the words?", anchor=False)
    st.caption(
        "A model that ignores the wording has no effect either. So see which operation it writes, "
        "and whether its errors are those of the reversed operation."
    )
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said))


def draw_ways_on(spec: str) -> None:
    """Links to where the model that a spec opens can be used like any other."""
    with st.container(horizontal=True):
        link(COMPOSE, "Ask it", asked_of(spec))
        link(LOOK_INSIDE, "Look inside", {"model": spec})
        link(ORIGINS, "Compare with the family")


def draw_comparison(trainings: Sequence[JobState]) -> None:
    """The effects of all trainings that were checked, under one another."""
    checked = [training for training in trainings if training.checks]
    if len(checked) < 2:
        return
    st.header("Compare with others", anchor=False)
    st.dataframe(
        comparison_table(checked),
        hide_index=True,
        alt=f"Effects of {count(len(checked), 'training')}",
    )
    st.caption(
        "Effects at one step in percentage points with 95 % intervals, at the last check of each. "
        f"Above zero the first kind (consistent wording; transfers) is easier{_known()}. "
        "Each row is one seed: train with several before believing a difference."
    )


def _known() -> str:
    """Of whom the same is known, with sources; nothing where that is not known of both studies."""
    known = [evidence_about_people(study) for study in ("consistency", "transfer-comparison")]
    cited = [people.cited for people in known if people is not None]
    return f", as it is for {' and '.join(cited)}" if len(cited) == len(known) else ""


def comparison_table(trainings: Sequence[JobState]) -> pd.DataFrame:
    """A row a training, with its effects at one step."""
    return pd.DataFrame([_compared(training) for training in trainings])


def _compared(training: JobState) -> dict[str, str]:
    check = training.checks[-1]
    plan = training.plan
    row = {"Training": training.name, "Taught": "–" if plan is None else mix_label(plan)}
    pairs: list[int] = []
    for study, strategy in COMPARED:
        cell = whole(check.cells, study, strategy, 1)
        words = "–"
        if cell is not None:
            found = effect(cell)
            ends = found.interval
            spread = "" if ends is None else f" ({interval_words(ends.low, ends.high)})"
            words = f"{signed_points(found.cate)}{spread}"
            pairs.append(found.n)
        members = arms(study)
        row[f"{members.x} − {members.x_prime}, {STRATEGIES[strategy]}"] = words
    return {
        **row,
        "n": " or ".join(f"{n:,}" for n in dict.fromkeys(pairs)) or "–",
        "Seed": "–" if plan is None else str(plan.seed),
        "Minutes": f"{check.minute:.1f}",
        "State": STATUSES[training.status].name,
    }
