"""Every study, model and strategy beside each other; and runs as a report or a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pandas as pd
import streamlit as st

from biaslab.charts.chart import Chart
from biaslab.charts.comparison import StudyEffects, beside_chart
from biaslab.models import ModelKind
from biaslab.publishing.paper import Analysis, PaperError, check_runs, make_paper, zipped
from biaslab.runs import RunRecord
from biaslab.stats import ALL, Effect, InvalidRule, effects_table
from biaslab.studies import experiment, experiments
from biaslab.studies.effects import SURE, chance_words
from biaslab.studies.study import called_after
from biaslab.ui.navigation import EFFECTS, ITEMS, go, link
from biaslab.ui.results.effects import BENJAMINI_HOCHBERG
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.choosing import written
from biaslab.ui.widgets.figures import clicked_point, is_dark, table_csv
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import by_arms, distinguishing, how_words
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import signed_number, signed_points

MOST_RUNS = 40
"""Runs that are shown unless others are chosen: the newest of every study, model and strategy."""


class OverviewPart(NamedTuple):
    """Runs of one study that compare the same.

    Attributes:
        runs: these; shown: their effects, as charts take them.
        by: what they are broken down by; None where the study does not have it.
    """

    runs: Sequence[RunRecord]
    shown: StudyEffects
    by: str | None


def newest_of_each(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Of every study, model and strategy the newest run, own ones and recorded ones apart."""
    found: dict[tuple[str, str, str, bool], RunRecord] = {}
    for run in runs:
        key = (run.study, run.model_spec, run.way, run.bundle is None)
        found.setdefault(key, run)
    return list(found.values())[:MOST_RUNS]


class RunConditions(NamedTuple):
    """Who was asked, and how: the same words in every study, so that rows can be compared."""

    model: str
    how: str

    @property
    def words(self) -> str:
        """Both in one line."""
        return f"{self.model}, {self.how}"


def asked_of(runs: Sequence[RunRecord]) -> dict[str, RunConditions]:
    """Who was asked and how, by run.

    Of several runs of one study that read alike, the newest keeps the plain words, and the others
    have what tells them apart.
    """
    apart = distinguishing(runs)
    seen: set[tuple[str, RunConditions]] = set()
    found = {}
    for run in runs:
        model = queries.model_label(run.model_spec)
        if run.model_kind == ModelKind.LEARNER:
            model = f"{model} (simulated)"
        asked = RunConditions(model, how_words(run))
        if (run.study, asked) in seen:
            asked = RunConditions(model, f"{asked.how}, {apart[run.id]}")
        seen.add((run.study, asked))
        found[run.id] = asked
    return found


def draw_overview(runs: Sequence[RunRecord], by: str | None, invalid: InvalidRule) -> None:
    """Draws the figure and the table of some runs.

    Args:
        runs: those that were chosen, the newest first.
        by: the stratum that effects are broken down by, in studies that have it.
        invalid: the rule for answers that could not be read.
    """
    order = list(experiments())
    parts = _parts(sorted(runs, key=lambda run: order.index(run.study)), by, invalid)
    asked = asked_of(runs)
    shares, told = chance_words([effect for part in parts for effect in part.shown.effects])
    st.markdown(f"**{shares}** {told}")
    for binary in (True, False):
        some = [part for part in parts if _is_binary(part) is binary]
        if some:
            name = "overview" if binary else "overview of scales"
            with st.container(key=f"{name}-wide"):
                _draw_figure(some, asked, name, wide=True)
            with st.container(key=f"{name}-narrow"):
                _draw_figure(some, asked, f"{name}, narrow", wide=False)
    st.header("The table", anchor=False)
    _draw_table(parts, asked)


def _parts(runs: Sequence[RunRecord], by: str | None, invalid: InvalidRule) -> list[OverviewPart]:
    parts = []
    for title, some in by_arms(runs).items():
        study = called_after(experiment(some[0].study), [run.design for run in some])
        has = by if by in {name for run in some for name in queries.strata_values(run.id)} else None
        label = next((s.label.capitalize() for s in study.strata if s.name == has), "")
        found = queries.effects_of(tuple(OutcomesState.of(run) for run in some), has, invalid)
        parts.append(OverviewPart(some, StudyEffects(title, study.arms, label, found), has))
    return parts


def _is_binary(part: OverviewPart) -> bool:
    return all(effect.binary for effect in part.shown.effects)


def _draw_figure(
    parts: Sequence[OverviewPart], conditions: Mapping[str, RunConditions], name: str, wide: bool
) -> None:
    chart = _chart(
        tuple((part.shown.title, part.by, tuple(OutcomesState.of(run) for run in part.runs))
              for part in parts),
        tuple((run, who.words) for run, who in conditions.items()), is_dark(), wide, parts,
    )  # fmt: skip
    clicked = clicked_point(chart, name)
    if clicked is None:
        return
    table = chart.data
    (row,) = table[(table["trace"] == clicked[0]) & (table["point"] == clicked[1])].to_dict(
        "records"
    )
    go(ITEMS, **_items_of(parts, row["run"], row["stratum"]))


@st.cache_resource(show_spinner=False, max_entries=32)
def _chart(
    of: tuple[tuple[str, str | None, tuple[OutcomesState, ...]], ...],  # noqa: ARG001  (tells them apart)
    conditions: tuple[tuple[str, str], ...],
    dark: bool,
    wide: bool,
    _parts: Sequence[OverviewPart],
) -> Chart:
    """The figure; shared, so never to be changed."""
    return beside_chart([part.shown for part in _parts], dict(conditions), dark, wide=wide)


def _items_of(parts: Sequence[OverviewPart], run: str, stratum: str) -> dict[str, str]:
    effect = next(
        effect
        for part in parts
        for effect in part.shown.effects
        if (effect.run, effect.stratum) == (run, stratum)
    )
    if effect.stratum_value is None:
        return {"run": run}
    return {"run": run, "strata": written({stratum.partition("=")[0]: effect.stratum_value})}


def _draw_table(parts: Sequence[OverviewPart], conditions: Mapping[str, RunConditions]) -> None:
    columns = [
        (part, stratum)
        for part in parts
        for stratum in dict.fromkeys(effect.stratum for effect in part.shown.effects)
    ]
    cells = {who: {"Model": who.model, "Asked": who.how} for who in sorted(conditions.values())}
    for part, stratum in columns:
        here = {conditions[e.run]: e for e in part.shown.effects if e.stratum == stratum}
        sizes = {effect.n for effect in here.values()}
        name = part.shown.title if stratum == ALL else f"{part.shown.title}, {_words(stratum)}"
        if len(sizes) == 1:
            name = f"{name} (n = {sizes.pop()})"
        for who, row in cells.items():
            row[name] = _cell(here.get(who), with_n=not name.endswith(")"))
    st.dataframe(
        pd.DataFrame(list(cells.values())),
        hide_index=True,
        column_config={"Model": st.column_config.TextColumn(pinned=True)},
        alt=f"Effects, a row for each of {len(cells)} models and prompt strategies",
    )
    st.caption(
        "Difference and 95 % interval: percentage points by which the first kind of a study was "
        "answered right more often; for decisions, units of their scale. A star: q below "
        f"{SURE}. {BENJAMINI_HOCHBERG.replace('the rows of this table', 'its study here')}"
    )
    found = [effect for part in parts for effect in part.shown.effects]
    st.download_button(
        "All numbers (CSV)",
        lambda: table_csv(effects_table(found)),
        "biaslab-overview.csv",
        "text/csv",
        key="overview numbers",
        on_click="ignore",
        icon=":material/download:",
    )
    st.header("Further into one study", anchor=False)
    st.caption("Differences between its runs, trends, baselines, a paper.")
    for part in parts:
        link(EFFECTS, plain(part.shown.title), _address(part))


def _address(part: OverviewPart) -> dict[str, str]:
    address = {"runs": ",".join(run.id for run in part.runs)}
    return address | {"by": part.by or "all"}


def _words(stratum: str) -> str:
    return stratum.replace("=", " ")


def _cell(effect: Effect | None, *, with_n: bool) -> str:
    if effect is None:
        return ""
    n = f"; n = {effect.n}" if with_n else ""
    if effect.cate is None:
        return f"no value{n}"
    star = " *" if effect.q_bh is not None and effect.q_bh < SURE else ""
    signed = signed_points if effect.binary else signed_number
    if effect.ci_low is None or effect.ci_high is None:
        spread = "no interval"
    else:
        spread = f"{signed(effect.ci_low)} to {signed(effect.ci_high)}"
    return f"{signed(effect.cate)}{star} ({spread}{n})"


def draw_paper(runs: Sequence[RunRecord], by: str | None, invalid: InvalidRule, vote: bool) -> None:
    """Draws the buttons; a report or a paper is made when its button is clicked.

    Args:
        runs: those of the page: q allows for all of one study among them.
        by: the stratum by which the page breaks effects down; a study that lacks it is broken
            down by its own.
        invalid: the rule for answers that could not be read.
        vote: whether the most frequent of several answers counts.
    """
    st.header("To take away", anchor=False)
    try:
        check_runs(runs)
    except PaperError as error:
        st.caption(plain(str(error)))
        return
    ids = [run.id for run in runs]
    network = st.checkbox(
        "The report holds tiny networks to try",
        key="report network",
        help="Three networks of BiasLab's own answer in the file, offline, what is typed there; 2 "
        "MB more.",
    )
    with st.container(horizontal=True):
        st.download_button(
            "Report as one file",
            lambda: report_page(ids, by, invalid, vote, network),
            f"biaslab-report-{ids[0]}.html",
            "text/html",
            key="report",
            on_click="ignore",
            icon=":material/description:",
            help="Findings in words, charts, tables, every pair with prompts and answers to "
            "search, methods and the data, in one HTML file that opens in any browser without a "
            "network and can be printed. It loads nothing and sends nothing.",
        )
        st.download_button(
            "Paper (ZIP)",
            lambda: paper_zip(ids, by, invalid, vote),
            f"biaslab-paper-{ids[0]}.zip",
            "application/zip",
            key="paper",
            on_click="ignore",
            icon=":material/article:",
            help="Figures for one and two columns, tables for LaTeX, methods and limitations with "
            "figures computed from these runs, and a bundle of all prompts and answers with "
            "checksums. `biaslab reproduce` makes it again.",
        )
    st.caption("Each is made when you click, which takes some seconds for each run.")


def report_page(
    run_ids: Sequence[str], by: str | None, invalid: InvalidRule, vote: bool, network: bool = False
) -> bytes:
    """The report about some runs, as `biaslab report --out NAME.html` writes it."""
    from biaslab.publishing.report import page, report_of_runs

    chosen = () if by is None else (by,)
    analysis = Analysis(invalid, vote=vote)
    report = report_of_runs(queries.store(), run_ids, analysis, chosen, strict=False)
    return page(replace(report, network=network))


def paper_zip(run_ids: Sequence[str], by: str | None, invalid: InvalidRule, vote: bool) -> bytes:
    """The paper about some runs, as `biaslab paper --out NAME.zip` writes it."""
    chosen = () if by is None else (by,)
    paper = make_paper(queries.store(), run_ids, Analysis(invalid, vote=vote), chosen, strict=False)
    return zipped(paper.files, f"biaslab-paper-{run_ids[0]}")
