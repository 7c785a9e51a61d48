"""The effects of one study's runs: in words, as charts and tables, beside simple strategies.

What a run found, for whoever has a minute: a verdict, two bars, and the rest in words behind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from biaslab.charts import arms_chart, cate_chart
from biaslab.charts.chart import Chart
from biaslab.charts.effects import by_run
from biaslab.models import learner_spec
from biaslab.runs import RunRecord
from biaslab.runs.fitting import NEVER_LEARNED, steps_of
from biaslab.stats import (
    Effect,
    Estimate,
    InvalidRule,
    effects_table,
    end_of,
    undivided_sentence,
    unread_more,
)
from biaslab.stats.beside_effects import StrategyShare
from biaslab.studies import Arms, Experiment
from biaslab.studies.effects import (
    difference_words,
    effect_sentence,
    finding_words,
    unread_sentence,
    verdict,
    verdict_sentence,
)
from biaslab.studies.published import PublishedEffect, human_baselines, published_effects
from biaslab.studies.study import called_after, outcome_scale
from biaslab.ui.ask.asking import cannot
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.compose.planning import FIT
from biaslab.ui.navigation import COMPOSE, ITEMS, go, link
from biaslab.ui.results.comparison import draw_agreement
from biaslab.ui.results.reading_check import check_of
from biaslab.ui.studies.screens import screens_of
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import Bar, draw_bars, enough_words
from biaslab.ui.widgets.choosing import written
from biaslab.ui.widgets.figures import clicked_point, draw_chart, is_dark, table_csv
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import distinguishing, labels, legend
from biaslab.ui.widgets.words import kind_name, plain
from schoolmath.text.figures import interval_words, p_words, percent, signed_number, signed_points


def draw_verdicts(
    study: Experiment,
    runs: Sequence[RunRecord],
    overall: Sequence[Effect],
    comparisons: Mapping[str, Effect],
    invalid: InvalidRule,
) -> None:
    """Draws a card for each effect over all pairs.

    Args:
        study: whose.
        runs: their runs.
        overall: an effect for each of some of the runs.
        comparisons: effects of the part that a study looks at by itself, by run.
        invalid: the rule for answers that could not be read.
    """
    by_id = {run.id: run for run in runs}
    called = labels(runs)
    for effect in overall:
        run = by_id[effect.run]
        with st.container(border=True):
            designed = study.of_design(run.design)
            arms = designed.arms
            st.markdown(f"**{plain(verdict(effect, arms))}**")
            st.caption(plain(called[run.id]))
            _draw_bars(effect, arms)
            if end_of(effect) is not None and study.ladder(run.design):
                asked = {"model": run.model_spec, "strategy": run.strategy, FIT: "yes"}
                link(COMPOSE, "Find a fitting difficulty", address_of(run.design) | asked)
            with st.expander("In words"):
                sentence = effect_sentence(effect, arms, "the model", corrected=bool(run.looks))
                st.markdown(plain(sentence))
                st.markdown(plain(verdict_sentence(effect, arms, designed)))
                if (part := comparisons.get(effect.run)) is not None:
                    alone = effect_sentence(part, arms, "the model", corrected=bool(run.looks))
                    st.markdown(plain(f"The {part.stratum_value} pairs alone: {alone}"))
            state = OutcomesState.of(run)
            if unlike := queries.adjusted_sentence(state, invalid, binary=effect.binary):
                st.warning(plain(unlike), icon=":material/balance:")
            if looking := looking_sentence(run):
                st.caption(plain(looking))
            if unread := unread_sentence(effect):
                st.caption(plain(unread))
            if more := unread_more(effect, arms):
                st.warning(plain(f"{more[0].upper()}{more[1:]}"))
            for reason in cannot(run.model_spec, run.study, steps_of(run.design), run.strategy):
                st.warning(f"{plain(reason)} {NEVER_LEARNED}")


def _draw_bars(effect: Effect, arms: Arms) -> None:
    """Both shares as bars, or the means of a study on a scale in words, with the difference."""
    shares = (effect.accuracy_x, effect.accuracy_x_prime)
    if effect.cate is None or not effect.binary or None in shares:
        st.caption(plain(difference_words(effect)))
        return
    bars = [
        Bar(side, f"“{name}” problems right", share or 0.0, percent(share, 0))
        for side, name, share in zip(("x", "x-prime"), arms, shares, strict=True)
    ]
    draw_bars(bars, below=difference_words(effect))


def looking_sentence(run: RunRecord) -> str:
    """What a rule for stopping early means for the interval; empty where there is none."""
    if run.looks:
        early = f"Finished early: {enough_words(run)}. " if run.enough is not None else ""
        return f"{early}{run.looks[-1].adjustment['note']}"
    if run.options.stopping is not None:
        return (
            "This run may stop early and was not checked yet. Its interval does not allow for "
            "repeated checks: wait for the first look."
        )
    return ""


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
    "difference can hardly show."
)
CORRECTED = "“Corrected” ones belong to runs that may stop early and allow for repeated checks."


def draw_table(
    effects: Sequence[Effect],
    arms: Arms,
    strategies: dict[str, str],
    corrected: Collection[str] = (),
    distinguishing: Mapping[str, str] | None = None,
) -> None:
    """Draws the effects of one study as a table.

    Args:
        effects: the effects.
        arms: names of the two kinds of problem.
        strategies: names of the prompt strategies on screens.
        corrected: ids of runs whose intervals allow for repeated checks.
        distinguishing: what tells runs of one model and strategy apart, by id.
    """
    designs = distinguishing or {}
    difference, interval = "Difference", "95 % interval"
    unread = "Unread"
    rows = pd.DataFrame(
        {
            "Model": [_who(effect) for effect in effects],
            "Asked": [strategies.get(e.strategy, e.strategy) for e in effects],
            "Design": [designs.get(e.run, "") for e in effects],
            "Pairs": [_stratum(e) for e in effects],
            "n": [e.n for e in effects],
            arms.x: [_level(e, e.accuracy_x) for e in effects],
            arms.x_prime: [_level(e, e.accuracy_x_prime) for e in effects],
            difference: [_difference(e, e.cate) for e in effects],
            interval: [_interval(e, corrected) for e in effects],
            "p": [p_words(e.p) for e in effects],
            "q": [p_words(e.q_bh) for e in effects],
            unread: [f"{e.invalid_x} / {e.invalid_x_prime}" for e in effects],
        }
    )
    column = st.column_config.TextColumn
    if not any(designs.values()):
        rows = rows.drop(columns=["Design"])
    if len({e.run for e in effects}) == 1:
        rows = rows.drop(columns=["Model", "Asked", "Design"], errors="ignore")
    st.dataframe(
        rows,
        hide_index=True,
        column_config={
            "Model": column(help="Who answered."),
            "Design": column(help="In what the design differs from the others of this model."),
            "Pairs": column(help=f"Which pairs of the run: all of them, or one stratum. {ENDS}"),
            "n": st.column_config.NumberColumn(help="Pairs that count in this row."),
            arms.x: column(help=_what(effects, arms.x)),
            arms.x_prime: column(help=_what(effects, arms.x_prime)),
            difference: column(help=_difference_help(effects)),
            interval: column(
                help=f"Of the difference: values that agree well with these pairs. {CORRECTED}"
            ),
            "p": column(help=TEST),
            "q": column(help=BENJAMINI_HOCHBERG),
            unread: column(
                help=f"Answers in which no number was found: “{arms.x}” / “{arms.x_prime}”."
            ),
        },
        alt=f"Effects with n, intervals and tests, {len(effects)} rows",
    )


def _what(effects: Sequence[Effect], arm: str) -> str:
    if all(effect.binary for effect in effects):
        return f"Share of “{arm}” problems answered right."
    return f"Mean outcome of “{arm}”, on the study's scale. {_scale(effects)}"


def _difference_help(effects: Sequence[Effect]) -> str:
    if all(effect.binary for effect in effects):
        return f"In percentage points. {CATE}"
    return f"Mean outcome of the first kind minus that of the second. {_scale(effects)}"


def _scale(effects: Sequence[Effect]) -> str:
    scale = outcome_scale(effects[0].study) if effects else None
    return "" if scale is None else f"In {scale.unit}: {scale.explanation}"


def draw_downloads(effects: Sequence[Effect], name: str) -> None:
    """The table with unrounded numbers, and what its terms mean."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Table (CSV)",
            lambda: table_csv(effects_table(effects)),
            f"biaslab-effects-{name}.csv",
            "text/csv",
            key=f"table {name}",
            on_click="ignore",
            icon=":material/download:",
        )
    binary = all(effect.binary for effect in effects)
    with st.expander("What the columns mean, and how the numbers were made"):
        st.markdown(
            f"- **Difference**: {CATE if binary else _difference_help(effects)}"
            f"\n- **p**: {TEST}"
            f"\n- **q**: {BENJAMINI_HOCHBERG}"
            f"\n- **Pairs**: {ENDS}"
        )
        for method in dict.fromkeys(effect.method for effect in effects):
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


_MEANING = (
    "Each strategy is asked the very same problems and knows nothing of what they are about. "
    "**The rest** is the model's difference minus the strategy's, pair by pair: near 0, the "
    "strategy explains the effect; as large as the model's effect, it explains none of it. "
    "Brackets: 95 % intervals."
)


def draw_explained(
    study: Experiment, runs: Sequence[RunRecord], invalid: InvalidRule, name: str
) -> None:
    """A folded table of the study's simple strategies, over all pairs, made when it is opened."""
    if not study.baselines or not any(run.answered for run in runs):
        return
    panel = st.expander(
        "What simple strategies get on the same problems",
        key=f"strategies {name}",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        with st.spinner("Asking simple strategies the same problems …"):
            found = {
                run.id: queries.explained_of(queries.OutcomesState.of(run), invalid) for run in runs
            }
        called = labels(runs)
        every = [(called[run.id], each) for run in runs for each in found[run.id]]
        rows = [(called, each) for called, each in every if each.n]
        if not rows:
            st.caption("No strategy can be applied to these problems.")
            return
        table = explained_table(rows, right_or_wrong=outcome_scale(study.name) is None)
        if len(runs) == 1:
            table = table.drop(columns=["Model"])
        st.table(table.set_index(table.columns[0]))
        st.caption(_MEANING)
        left = [
            f"{queries.model_label(learner_spec(each.strategy))}: {each.left_out:,}"
            for _, each in every
            if each.left_out
        ]
        if left:
            st.caption(plain(f"Pairs that a strategy cannot be applied to: {'; '.join(left)}."))
        if any(run.looks or run.options.samples > 1 for run in runs):
            st.caption(
                "Several answers to a problem count as their mean here, and these intervals do "
                "not allow for checking a run while it is in progress."
            )


def explained_table(
    rows: Sequence[tuple[str, StrategyShare]], *, right_or_wrong: bool = True
) -> pd.DataFrame:
    """A row a run and strategy; effects in points, or on the study's scale."""

    def words(estimate: Estimate) -> str:
        shown = signed_points if right_or_wrong else signed_number
        ends = estimate.interval
        if ends is None:
            return shown(estimate.mean)
        if right_or_wrong:
            return f"{shown(estimate.mean)} ({interval_words(ends.low, ends.high)})"
        return f"{shown(estimate.mean)} ({shown(ends.low)} to {shown(ends.high)})"

    return pd.DataFrame(
        {
            "Model": [plain(called) for called, _ in rows],
            "Strategy": [queries.model_label(learner_spec(each.strategy)) for _, each in rows],
            "Pairs": [each.n for _, each in rows],
            "Model's effect": [words(each.model) for _, each in rows],
            "Strategy's effect": [words(each.own) for _, each in rows],
            "The rest": [words(each.rest) for _, each in rows],
        }
    )


_FINDINGS = 8
"""So many runs have their line above the chart; more would push it off the screen."""


def draw_study(
    study: Experiment,
    runs: Sequence[RunRecord],
    by: str | None,
    invalid: InvalidRule,
    published: bool,
    vote: bool = False,
    name: str = "",
    headed: bool = False,
) -> None:
    """Everything about the effects of some runs of one study.

    Broken down by a stratum, or by None for all pairs together; ``invalid`` is the rule for
    answers that could not be read; published models are shown beside if wanted; with ``vote``,
    the most frequent of several answers counts in place of their mean; ``name`` is the part's
    on the page, where a study has several (by default the study's); ``headed`` where a heading
    of its own stands above it.
    """
    section = st.subheader if headed else st.header
    name = name or study.name
    study = called_after(study, [run.design for run in runs])
    scale = outcome_scale(study.name)
    if scale is not None:
        st.caption(plain(f"Outcomes are in {scale.unit}. {scale.explanation}"))
    if by is not None and not any(by in queries.strata_values(run.id) for run in runs):
        st.caption(plain(undivided_sentence(f"“{study.title}”", by)))
        by = None
    states = tuple(OutcomesState.of(run) for run in runs)
    overall = queries.effects_of(states, None, invalid, vote)
    part = study.beside
    alone = [] if part is None else queries.effects_of_part(states, part, invalid, vote)
    found = queries.effects_of(states, by, invalid, vote)
    dark = is_dark()
    label = next((s.label.capitalize() for s in study.strata if s.name == by), "")
    beside = _published(study, runs) if published else []
    drawn = (label, published, dark, tuple(legend(runs).items()))
    chart, arms = _charts((states, by, invalid, vote), drawn, found, study, beside)
    section("The effect", anchor=False)
    if len(overall) > 1:
        _draw_findings(study, runs, overall)
    else:
        draw_verdicts(study, runs, overall, {each.run: each for each in alone}, invalid)
    for run in runs:
        if checked := check_of(run.id):
            st.caption(plain(f"{legend([run])[run.id]}: {checked.words}"))
    clicked = clicked_point(chart, f"effect {name}")
    if clicked is not None and (effect := effect_at(found, clicked)) is not None:
        go(ITEMS, **_items_of(effect))
    _draw_ways_to_items(found, runs, by)
    if len(overall) > 1:
        section("In words", anchor=False)
        draw_verdicts(study, runs, overall, {each.run: each for each in alone}, invalid)
    binary = all(effect.binary for effect in found)
    section(
        "How often each kind was answered right"
        if binary
        else "Where the answers of each kind lie",
        anchor=False,
    )
    draw_chart(arms, f"accuracy {name}")
    section("All numbers", anchor=False)
    corrected = {run.id for run in runs if run.looks}
    strategies = {s.name: s.label for s in study.strategies}
    draw_table(found, study.arms, strategies, corrected, distinguishing(runs))
    draw_downloads(found, name)
    draw_explained(study, runs, invalid, name)
    if (draw_further := screens_of(study.name).below_effects) is not None:
        draw_further(runs)
    draw_agreement(study, runs, headed=headed)
    draw_people(study)


@st.cache_resource(show_spinner=False, max_entries=64)
def _charts(
    of: tuple[tuple[OutcomesState, ...], str | None, InvalidRule, bool],  # noqa: ARG001  (tells them apart)
    key: tuple[str, bool, bool, tuple[tuple[str, str], ...]],
    _found: Sequence[Effect],
    _study: Experiment,
    _beside: Sequence[PublishedEffect],
) -> tuple[Chart, Chart]:
    """The effects and how often each kind was answered right; shared, so never to be changed.

    Args:
        of: what the effects depend on.
        key: label of the stratum, whether published models stand beside, whether the page is
            dark, what runs are called.
    """
    label, _, dark, called = key
    both: dict[str, Any] = {"stratum_label": label, "labels": dict(called), "dark": dark}
    return (
        cate_chart(_found, _study.arms, published_effects=_beside, experiment=_study, **both),
        arms_chart(_found, _study.arms, **both),
    )


def _draw_findings(study: Experiment, runs: Sequence[RunRecord], overall: Sequence[Effect]) -> None:
    """Draws what several runs came to, a line each."""
    called = labels(runs)
    designed = {run.id: study.of_design(run.design) for run in runs}
    lines = [
        f"- **{plain(called[effect.run])}**: "
        + plain(finding_words(effect, designed[effect.run].arms, designed[effect.run]))
        for effect in overall
    ]
    st.markdown("\n".join(lines[:_FINDINGS]))
    if len(lines) > _FINDINGS:
        st.caption(f"And {len(lines) - _FINDINGS} more; each stands below.")


def effect_at(effects: Sequence[Effect], clicked: tuple[int, int]) -> Effect | None:
    """The effect that a mark of the chart stands for; None for a published one."""
    runs = by_run([effect for effect in effects if effect.cate is not None])
    trace, point = clicked
    if trace >= len(runs):
        return None
    return list(runs[trace].effects.values())[point]


def _items_of(effect: Effect) -> dict[str, str]:
    address = {"run": effect.run}
    if effect.stratum_value is not None:
        address["strata"] = written({effect.stratum.partition("=")[0]: effect.stratum_value})
    return address


def _draw_ways_to_items(
    effects: Sequence[Effect], runs: Sequence[RunRecord], by: str | None
) -> None:
    st.caption("Click a mark, or choose here, to read the problems behind it.")
    called = labels(runs)
    for run in runs:
        if len(runs) > 1:
            st.markdown(plain(called[run.id]))
        with st.container(horizontal=True, gap="xsmall"):
            for effect in effects:
                if effect.run != run.id or not effect.n:
                    continue
                value = effect.stratum.partition("=")[2]
                link(ITEMS, f"{by}: {value}" if by else "all pairs", _items_of(effect))


def _published(study: Experiment, runs: Sequence[RunRecord]) -> list[PublishedEffect]:
    strategies = dict.fromkeys(run.strategy for run in runs)
    return [effect for name in strategies for effect in published_effects(study.name, name)]


def draw_people(study: Experiment) -> None:
    """What is expected and by whom, and what is known about people, if anything."""
    if study.expects is None:
        st.caption(
            "Nobody has said which member of these pairs should be easier, and we have no data on "
            "people."
        )
        return
    st.caption(plain(study.expects.sentence))
    people = study.expects.people
    if people is None:
        st.caption("Nothing is known here about people.")
        return
    baselines = human_baselines(people.effect, without_n=True) if people.effect else []
    with st.expander("What is known about people"):
        st.markdown(f"- {plain(people.sentence)}")
        for baseline in baselines:
            st.markdown(f"- {plain(baseline.sentence)}")
        st.caption(
            "From publications, with source. Levels of people and of models are not comparable; "
            "the direction of an effect is."
        )
