"""The pairs of a design before anything is asked: shown, what is in them, and as files.

A study beside its paper: what is as published, what was measured of it, and what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.charts import structure_chart
from biaslab.files import InterchangeError
from biaslab.files.errors import MAX_SHEET_PROBLEMS
from biaslab.publishing.replication import SYSTEMS, Direction, ReplicationRow
from biaslab.studies import Arms, Design, Experiment, Pair, Value
from biaslab.studies.published import NOT_HAD, SAME, fidelity_of
from biaslab.studies.study import arms_of
from biaslab.studies.word_problems.files.exporting import (
    PAIR_EXPORTS,
    PairExportSettings,
    PairForm,
    export_pairs,
)
from biaslab.studies.word_problems.files.worksheet import Members
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.compose.design_keeping import draw_keeping
from biaslab.ui.navigation import COMPOSE, IMPORT_PAIRS, REVIEW, link
from biaslab.ui.studies.screens import screens_of
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer, named
from biaslab.ui.widgets.cards import pair_cards, steps_html, strata_tags
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import legend
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.text.figures import count, listed

if TYPE_CHECKING:
    from biaslab.studies.word_problems.overview import Imbalance, PairOverview


def draw_beside_paper(study: Experiment, design: Design) -> None:
    """Draws how much of the study is as published, the published design, and what came of it."""
    rows = fidelity_of(study.system)
    same = [row.what for row in rows if row.verdict == SAME]
    st.markdown(f"**{len(same)} of {len(rows)}** things in the paper are as published.")
    for offered in study.named_designs:
        published = Design(study.name, offered.n, design.seed, dict(offered.settings))
        link(COMPOSE, f"Take the design “{offered.name}”", address_of(published))
        st.caption(plain(offered.explanation))
    _draw_replications(study)
    st.markdown(
        "\n".join(
            f"- {plain(row.what)} ({plain(row.where)}). **Here:** "
            f"{'not had; ' if row.verdict == NOT_HAD else ''}{plain(row.how.replace('`', ''))}"
            for row in rows
            if row.verdict != SAME
        )
    )
    st.caption(f"As published: {plain('; '.join(same))}.")


def _draw_replications(study: Experiment) -> None:
    """Draws the figures of every run that asked the published design, each with what it says."""
    for paper in (each for each in SYSTEMS.values() if study.name in each.studies):
        runs = [run for run in queries.runs_of_study(study.name) if paper.replicates(run)]
        called = legend(runs)
        lines = [
            f"- {plain(called[run.id])}: **{plain(row.own.words)}** points, {plain(row.what)}. "
            f"{_verdict(row)}"
            for run in runs
            for row in _rows(OutcomesState.of(run), paper.studies[0])
        ]
        st.markdown("**Measured here**, asked as in the paper:")
        st.markdown("\n".join(lines) or "No run has asked the published design yet.")
        st.caption(plain(paper.source))


@st.cache_data(show_spinner="Working out the figures …", max_entries=32)
def _rows(state: OutcomesState, study: str) -> list[ReplicationRow]:
    """The rows of a run as it stands."""
    paper = next(each for each in SYSTEMS.values() if each.studies[0] == study)
    store = queries.store()
    return paper.rows(store, [store.run(state.run)])


def _verdict(row: ReplicationRow) -> str:
    """How many published models point the same way, as a sentence."""
    directions = [row.direction(each) for each in row.published]
    if not directions:
        return "No published model was asked so."
    told = ((each, directions.count(each)) for each in Direction)
    counts = listed(f"{n} {direction}" for direction, n in told if n)
    return f"Of {count(len(directions), 'published model')}: {counts}."


AT_ONCE = 5
"""Pairs made at a time, but for the first one, which is made alone: it follows every change."""


def position_parameter(pairs: int) -> Parameter[int]:
    """Which pair is shown, from 1."""
    return integer("pair", 1, 1, min(pairs, queries.PREVIEWED))


def previewed(design: Design) -> Pair:
    """The pair that the address names.

    Raises:
        DesignError: the design gives no pairs, or its set has fewer.
    """
    study = queries.study_of(design.study)
    if study.size(design) is not None:
        next(study.pairs(design))  # which refuses more pairs than there are
    position = position_parameter(max(design.n, 1)).value
    made = 1 if position == 1 else min(-(-position // AT_ONCE) * AT_ONCE, max(design.n, 1))
    settings = tuple(sorted(design.settings.items()))
    return queries.first_pairs(design.study, design.seed, settings, made)[position - 1]


def draw(study: Experiment, design: Design, pair: Pair) -> None:
    """The pair with its differing words marked, and a way to the others."""
    shown = min(design.n, queries.PREVIEWED)
    parameter = position_parameter(design.n)
    more = f" The first {shown} can be viewed here." if shown < design.n else ""
    st.caption(
        f"Pair {parameter.value} of {design.n:,}.",
        help="Two problems that differ in one feature only. The words that differ are underlined "
        f"and bold.{more}",
    )
    arms = arms_of(study, design)
    pair_cards(pair, arms, working=False)
    if (draw_more := screens_of(study.name).below_pair) is not None:
        draw_more(pair, arms)
    labels = {stratum.name: stratum.label for stratum in study.strata}
    if pair.x_prime.facts.get("steps"):
        _draw_structure(pair, labels)
    else:
        strata_tags(pair.strata, labels)
    if shown > 1:
        st.pagination(shown, max_visible_pages=5, **parameter.bind())


def draw_instead(study: Experiment, design: Design) -> None:
    """Says that there are no pairs yet, in the study's own way where it has one."""
    draw_instead = screens_of(study.name).instead_of_pairs
    if draw_instead is None or not draw_instead(study, design):
        st.info("The pairs appear here once the settings allow them.")


def _draw_structure(pair: Pair, labels: Mapping[str, str]) -> None:
    panel = st.expander("The calculation", key="picture", on_change="rerun")
    with panel:
        strata_tags(pair.strata, labels)
        both = "".join(steps_html(member.facts["steps"]) for member in (pair.x, pair.x_prime))
        st.html(f'<div class="bl bl-two">{both}</div>')
        # Drawing takes longer than making the pair: only where somebody looks.
        if panel.open:
            draw_chart(structure_chart(pair.x_prime.facts, dark=is_dark()), "structure")


_AT_A_PRESS = 2_000
"""Files of up to so many pairs are made while they are downloaded."""
_FILE = "export file"
_ON_PAPER = 20
"""Problems of a worksheet or quiz, unless told otherwise."""


def pair_downloads(study: Experiment, design: Design) -> None:
    """Draws the choice of a format and the button that makes the file.

    Args:
        study: whose pairs they are.
        design: which of its pairs.
    """
    arms = arms_of(study, design)
    format_ = choice("as", PAIR_EXPORTS, next(iter(PAIR_EXPORTS)))
    choosing.selectbox(
        "As",
        list(PAIR_EXPORTS),
        format_func=lambda name: PAIR_EXPORTS[name].label,
        filter_mode=None,
        **format_.bind(),
    )
    form = PAIR_EXPORTS[format_.value]
    st.caption(form.explanation)
    settings, pairs = PairExportSettings(arms=arms), design.n
    if form.one_member:
        settings, pairs = _draw_paper(form, design, arms)
    fixed = tuple(sorted(design.settings.items()))
    # The first pair, made for the preview, is tried, so that a refusal is told at once.
    refused = refusal(design.study, design.seed, fixed, 1, form.name, settings)
    if refused:
        st.error(plain(refused), icon=":material/error:")
    large = pairs > _AT_A_PRESS
    made = _made_before(study, design, form, settings, pairs) if large and not refused else None
    if large and made is None:
        return
    st.download_button(
        f"{form.label}: {count(pairs, 'problem' if form.one_member else 'pair')}",
        (lambda: pair_file(study, design, form.name, settings, pairs)) if made is None else made,
        f"biaslab-{design.study}-{pairs}-seed{design.seed}{form.suffix}",
        form.mime,
        on_click="ignore",
        icon=":material/download:",
        disabled=bool(refused),
        key="export",
    )
    if not form.one_member and AT_ONCE < pairs <= _AT_A_PRESS:
        st.caption("The file is made when you press the button.")


def _made_before(
    study: Experiment, design: Design, form: PairForm, settings: PairExportSettings, pairs: int
) -> bytes | None:
    """A large file that was made beforehand; None while it is not, which the page says.

    Making it may take a minute, and fail where there are fewer pairs than asked for: a download
    that fails has no place for a reason.
    """
    wanted = repr((design, form.name, settings, pairs))
    stored_file: tuple[str, bytes] = st.session_state.get(_FILE, ("", b""))
    if stored_file[0] == wanted:
        return stored_file[1]
    st.caption(f"Making {count(pairs, 'pair')} takes a while, up to a minute for the largest.")
    if not st.button("Make the file", key="export make", icon=":material/build:"):
        return None
    try:
        with st.spinner("Making the pairs …"):
            content = pair_file(study, design, form.name, settings, pairs)
    except (DesignError, InterchangeError) as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    st.session_state[_FILE] = (wanted, content)
    return content


def pair_file(
    study: Experiment,
    design: Design,
    form: str,
    settings: PairExportSettings | None = None,
    pairs: int | None = None,
) -> bytes:
    """The first so many pairs of a design as a file; all of them unless told.

    Raises:
        InterchangeError: the format cannot hold them.
    """
    first = islice(study.pairs(design), design.n if pairs is None else pairs)
    return export_pairs(study, design, first, form, settings).content


@st.cache_data(show_spinner=False, max_entries=64)
def refusal(
    study: str,
    seed: int,
    settings: tuple[tuple[str, Value], ...],
    pairs: int,
    form: str,
    export: PairExportSettings,
) -> str:
    """Why the first so many pairs cannot be written in this format; empty where they can."""
    design = Design(study, pairs, seed, dict(settings))
    first = queries.first_pairs(study, seed, settings, pairs)
    try:
        export_pairs(queries.study_of(study), design, first, form, export)
    except InterchangeError as error:
        return str(error)
    return ""


def _draw_paper(form: PairForm, design: Design, arms: Arms) -> tuple[PairExportSettings, int]:
    """What a worksheet or quiz shows, and of how many pairs."""
    most = min(design.n, MAX_SHEET_PROBLEMS)
    names = {
        Members.ALTERNATING: "In turn",
        Members.X: arms.x.capitalize(),
        Members.X_PRIME: arms.x_prime.capitalize(),
    }
    left, right = st.columns([1, 2])
    with left:
        pairs = st.number_input(
            "Problems", 1, most, min(most, _ON_PAPER), key="export problems",
            help="One of each pair, so that nobody sees both members.",
        )  # fmt: skip
    with right:
        members = choosing.segmented_control(
            "Which of each pair", list(names), default=Members.ALTERNATING, required=True,
            format_func=names.__getitem__, wrap=True, key="export members",
        )  # fmt: skip
    if form.name != "worksheet":
        return PairExportSettings(members or Members.ALTERNATING, arms=arms), int(pairs)
    title = st.text_input("Title", max_chars=100, placeholder="Word problems", key="export title")
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        paper = choosing.segmented_control(
            "Paper", ["A4", "Letter"], default="A4", required=True, key="export paper"
        )
    with right:
        solutions = st.toggle("With solutions", value=True, key="export solutions")
    return PairExportSettings(
        members or Members.ALTERNATING, title, paper or "A4", solutions, arms
    ), int(pairs)


LOOKED_AT = 500
"""Most pairs that are looked at: enough for shares, and done while one waits."""
_MOST_WARNINGS = 3
"""Warnings that are shown at once; the others are one click away."""


def draw_overview(study: Experiment, design: Design) -> None:
    """Draws warnings, means and one chart; made anew only when the design changes."""
    looked_at = min(design.n, LOOKED_AT)
    settings = tuple(sorted(design.settings.items()))
    with st.spinner("Looking at the pairs…", show_time=True):
        overview = overview_of(design.study, design.seed, settings, looked_at)
    some = f"the first {looked_at:,} of {design.n:,} pairs" if looked_at < design.n else "all pairs"
    st.caption(
        f"Viewed: {some}. Members of a pair should differ in the treatment and in nothing else; "
        "what else differs is named here, because it could be taken for an effect."
    )
    arms = arms_of(study, design)
    _draw_warnings(overview, arms)
    if not overview.distributions:
        st.info("We know nothing about these texts except their words.")
        return
    _draw_means(overview, arms)
    _draw_measure(overview, arms)


@st.cache_resource(show_spinner=False, max_entries=16)
def overview_of(
    study: str, seed: int, settings: tuple[tuple[str, Value], ...], pairs: int
) -> PairOverview:
    """The overview of the first so many pairs of a design; shared, so never to be changed."""
    # The measures load tables of words, and most visits do without them.
    from biaslab.studies.word_problems.overview import pair_overview

    design = Design(study, pairs, seed, dict(settings))
    return pair_overview(queries.study_of(study).pairs(design), design)


def _draw_warnings(overview: PairOverview, arms: Arms) -> None:
    if not overview.warnings:
        st.success(
            f"In {count(overview.pairs, 'pair')} the members differ in nothing but the treatment.",
            icon=":material/check:",
        )
        return
    for warning in overview.warnings[:_MOST_WARNINGS]:
        _draw_warning(warning)
    more = overview.warnings[_MOST_WARNINGS:]
    if more:
        with st.expander(count(len(more), "more warning")):
            for warning in more:
                _draw_warning(warning)
    with st.expander("How many pairs each warning is about, as a picture"):
        # Drawing needs the chart library, which takes a moment to load.
        from biaslab.charts.pair_overview import imbalance_chart

        draw_chart(imbalance_chart(overview, dark=is_dark()), "imbalance")
    first = overview.warnings[0]
    with st.expander(f"An example: {first.aspect}"):
        st.markdown(f"**{plain(arms.x)}**: {plain(first.example.x.text)}")
        st.markdown(f"**{plain(arms.x_prime)}**: {plain(first.example.x_prime.text)}")
        st.caption(plain(f"{first.detail[:1].upper()}{first.detail[1:]}."))


def _draw_warning(warning: Imbalance) -> None:
    draw = st.info if warning.within else st.warning
    draw(plain(str(warning)), icon=":material/info:" if warning.within else ":material/balance:")


def _draw_means(overview: PairOverview, arms: Arms) -> None:
    rows = [
        {
            "On average": distribution.measure.label,
            arms.x: _rounded(distribution.mean_x),
            arms.x_prime: _rounded(distribution.mean_x_prime),
        }
        for distribution in overview.distributions
        if distribution.measure.numeric
    ]
    if rows:
        st.table(rows, border="horizontal")


def _rounded(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:.2f}"


def _draw_measure(overview: PairOverview, arms: Arms) -> None:
    # Drawing needs the chart library, which takes a moment to load.
    from biaslab.charts.pair_overview import measure_chart

    measures = {each.measure.name: each for each in overview.distributions}
    measure = choice("measure", measures, next(iter(measures)))
    choosing.selectbox(
        "Show how often each occurs",
        list(measures),
        format_func=lambda name: measures[name].measure.label,
        filter_mode=None,
        **measure.bind(),
    )
    shown = measures[measure.value]
    st.caption(plain(shown.measure.explanation))
    draw_chart(measure_chart(shown, arms, dark=is_dark()), f"pairs {measure.value}")


FILES, CONTENTS, PAPER, KEEP = "files", "contents", "paper", "keep"
_PANELS = {
    FILES: "Export",
    CONTENTS: "What is in them",
    PAPER: "Next to the paper",
    KEEP: "Keep this design",
}


def draw_panels(study: Experiment, design: Design, *, possible: bool) -> None:
    """Draws the choice of a panel, and the one that is chosen.

    Only the chosen one is made, so that the page follows a change of the settings at once.

    Args:
        study: whose pairs they are.
        design: which of its pairs.
        possible: whether the design gives any; one that does not can only be kept.
    """
    offered = [each for each in _PANELS if each != PAPER or study.system is not None]
    panel = choice("box", offered, FILES if possible else KEEP)
    with st.expander(
        "Export, paper, keep", expanded=named(["box"]), key="panels", on_change="rerun"
    ):
        choosing.segmented_control(
            "What else to do with these pairs",
            offered,
            format_func=_PANELS.__getitem__,
            required=True,
            wrap=True,
            **panel.bind(),
        )
        _draw_panel(study, design, panel.value, possible=possible)


def _draw_panel(study: Experiment, design: Design, panel: str, *, possible: bool) -> None:
    if panel == KEEP:
        draw_keeping(design)
    elif panel == PAPER:
        draw_beside_paper(study, design)
    elif not possible:
        st.info("This appears as soon as the settings give pairs.")
    elif panel == CONTENTS:
        draw_overview(study, design)
    else:
        pair_downloads(study, design)
        link(REVIEW, "Let people judge some of them: quality review", address_of(design))
        link(IMPORT_PAIRS, "Bring pairs of your own instead: import a file")
