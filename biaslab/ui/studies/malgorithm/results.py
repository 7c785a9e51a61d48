"""Results of the study malgorithm: figures, heat map, bars, mix-ups, and published rows beside."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from biaslab.charts.malgorithm.bars import BarGroup, bars_chart
from biaslab.charts.malgorithm.grid import GridCell, drawn_cells, grid_chart
from biaslab.charts.malgorithm.mixups import MOST, MixUp, mixups_chart
from biaslab.models import learner_spec
from biaslab.runs import RunRecord
from biaslab.stats import InvalidRule
from biaslab.studies import Design
from biaslab.studies.malgorithm.answers import STUDY
from biaslab.studies.malgorithm.items import RIGHT_REASON
from biaslab.studies.malgorithm.results import Identification, ReadShare
from biaslab.ui.ask.first_run import FirstRun, draw_first_run
from biaslab.ui.navigation import MALGORITHMS, go, link
from biaslab.ui.results.run_labels import labels
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.studies.malgorithm.address import QUESTIONS
from biaslab.ui.studies.malgorithm.item_sets import set_sentence
from biaslab.ui.studies.malgorithm.tables import draw_behind, draw_published, draw_rules
from biaslab.ui.studies.malgorithm.words import (
    chance_sentence,
    gap_sentence,
    result_sentence,
    spread_words,
    unread_sentence,
)
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import clicked_point, is_dark
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.words import KINDS, plain
from schoolmath.text.figures import count, hundredths, percent

LEARNER = learner_spec("key-drawn")
"""Asked by the demo: a simulated learner that often takes the right way for a wrong one."""

PAIRS = 300


def draw_start() -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    draw_first_run(
        FirstRun(
            Design(STUDY, PAIRS, 1),
            LEARNER,
            "cot",
            "No model has been asked yet why answers are wrong. Run the demo, or compose the "
            "study and choose a model.",
            f"Puts {count(PAIRS // 3, 'question')} with four choices each to a **simulated "
            f"learner** (“{plain(queries.model_label(LEARNER))}”): a program that makes known "
            "mistakes with known chances. It shows what the page can show, and says nothing "
            "about any real model.",
            {"study": STUDY},
        )
    )


def draw_results(runs: Sequence[RunRecord], focus: RunRecord, invalid: InvalidRule) -> None:
    """Everything that the runs chosen show together; charts of one run are of ``focus``."""
    called = labels(runs)
    for run in runs:
        _draw_run(run, called[run.id], invalid)
    chosen = ",".join(run.id for run in runs)
    address = {"runs": chosen, "of": focus.id, "view": QUESTIONS, "invalid": invalid}
    several = len(runs) > 1
    if several:
        st.caption(f"The two charts that follow are of: {plain(called[focus.id])}.")
    one, other = st.columns(2, gap="medium")
    with one:
        _draw_grid(read.cells(OutcomesState.of(focus), invalid), address)
    with other:
        _draw_mixups(read.mixups(OutcomesState.of(focus)), address)
    _draw_bars(runs, address, invalid)
    st.header("What may stand behind these numbers", anchor=False)
    for found in read.figures(OutcomesState.of(focus), None, invalid):
        draw_behind(found)
    draw_rules(read.figures(OutcomesState.of(focus), "rule", invalid), address)
    draw_published([(called[run.id], _overall(run, invalid)) for run in runs])


def _overall(run: RunRecord, invalid: InvalidRule) -> Identification | None:
    return next(iter(read.figures(OutcomesState.of(run), None, invalid)), None)


def _draw_run(run: RunRecord, label: str, invalid: InvalidRule) -> None:
    found = _overall(run, invalid)
    with st.container(border=True):
        st.markdown(f"**{plain(label)}**")
        if found is None:
            st.caption("Nothing has been answered yet.")
            return
        _draw_figures(found)
        st.markdown(plain(result_sentence(found)))
        against = str(run.design.settings.get("against", RIGHT_REASON))
        effect = next(iter(queries.effects_of((OutcomesState.of(run),), None, invalid)), None)
        verdict = f"{chance_sentence(found)} {gap_sentence(effect, against)}".strip()
        if verdict:
            st.markdown(plain(verdict))
        if asked := set_sentence(run.design):
            st.caption(plain(asked))
        if unread := unread_sentence(found):
            st.caption(plain(unread))
        kind = next(kind for kind in KINDS if str(kind) == run.model_kind)
        st.caption(f"{KINDS[kind].name}: {KINDS[kind].explanation}")


def _draw_figures(found: Identification) -> None:
    chances = found.chances
    tiles = "".join(
        _figure(name, what, share, chance, unit)
        for name, what, share, chance, unit in (
            ("MIA", "why a wrong choice was made", found.mia, chances.mia, "wrong choices"),
            ("AIA", "why the right choice was made", found.aia, chances.aia, "right choices"),
            ("MCQ", "the question itself answered", found.mcq, chances.mcq, "questions"),
        )
    )
    st.html(f'<div class="bl bl-figures bl-wide">{tiles}</div>')


def _figure(name: str, what: str, share: ReadShare, chance: float | None, unit: str) -> str:
    lines = [
        f"{percent(share.value)}",
        f"{name}: {what}",
        f"{spread_words(share.interval)}; n = {share.n:,} {unit}"
        if share.value is not None
        else ("nothing answered yet" if share.unfinished else f"not asked: n = 0 {unit}"),
        *([] if chance is None else [f"chance {percent(chance)}"]),
    ]
    if share.invalid:
        lines.append(f"of those that could be read: {percent(share.valid)} (n = {share.n_valid:,})")
    first, *rest = (html.escape(line) for line in lines)
    small = "".join(f'<span class="bl-faint bl-line">{line}</span>' for line in rest)
    return f'<div class="bl-figure"><b>{first}</b>{_scale(share, chance)}{small}</div>'


def _scale(share: ReadShare, chance: float | None) -> str:
    """The share as a bar with its interval and the line of chance; the words say the same."""
    if share.value is None:
        return ""
    spread = ""
    if (ends := share.interval) is not None:
        left, width = hundredths(ends.low), hundredths(ends.high - ends.low)
        spread = f'<i style="left:{left}%;width:{width}%"></i>'
    line = "" if chance is None else f'<u style="left:{hundredths(chance)}%"></u>'
    return (
        f'<div class="bl-scale" aria-hidden="true"><b style="width:{hundredths(share.value)}%"></b>'
        f"{spread}{line}</div>"
    )


def _draw_grid(cells: Sequence[GridCell], address: dict[str, str]) -> None:
    chart = grid_chart(cells, dark=is_dark())
    clicked = clicked_point(chart, "mal-rules by grade and depth")
    drawn = drawn_cells(cells)
    if clicked is not None:
        go(MALGORITHMS, **address, **cell_items(drawn[clicked[1]]))
    st.caption(
        "DOK, depth of knowledge: 1 one procedure; 2 two or more steps; 3 judging other people's "
        "work. n counts wrong choices. Click a cell to read its questions."
    )
    with st.expander("Open a cell without a mouse"), st.container(horizontal=True, gap="xsmall"):
        for cell in drawn:
            link(
                MALGORITHMS,
                f"Grade {cell.grade}, DOK {cell.dok}: {percent(cell.found.mia.value)}",
                address | cell_items(cell),
                icon="",
            )


def cell_items(cell: GridCell) -> dict[str, str]:
    """What the address says of the questions of a cell."""
    return {"grade": str(cell.grade), "dok": str(cell.dok)}


def _draw_mixups(mixups: Sequence[MixUp], address: dict[str, str]) -> None:
    chart = mixups_chart(mixups, dark=is_dark())
    clicked = clicked_point(chart, "rationales taken for another")
    if clicked is not None:
        go(MALGORITHMS, **address, **mixup_items(mixups[clicked[1]]))
    if not mixups:
        return
    st.caption("What led to the choice → what the model named. Click a bar to read its questions.")
    with st.expander("Open a bar without a mouse"):
        for mixup in mixups[:MOST]:
            link(
                MALGORITHMS,
                plain(f"{mixup.words}: {mixup.answers:,} of {mixup.of:,}"),
                address | mixup_items(mixup),
                icon="",
            )


def mixup_items(mixup: MixUp) -> dict[str, str]:
    """What the address says of the questions of a mix-up."""
    return {"rule": mixup.rule, "named": mixup.named}


def groups_of(runs: Sequence[RunRecord], invalid: InvalidRule) -> list[tuple[RunRecord, BarGroup]]:
    """The bars: all questions of each run, then each content class."""
    called = labels(runs)
    return [
        (run, BarGroup(called[run.id], "All questions" if by is None else _class(found), found))
        for run in runs
        for by in (None, "content_class")
        for found in read.figures(OutcomesState.of(run), by, invalid)
    ]


def _class(found: Identification) -> str:
    name = str(found.stratum_value)
    return name[:1].upper() + name[1:]


def _draw_bars(runs: Sequence[RunRecord], address: dict[str, str], invalid: InvalidRule) -> None:
    groups = groups_of(runs, invalid)
    chart = bars_chart([group for _, group in groups], dark=is_dark())
    clicked = clicked_point(chart, "rationales by content class")
    if clicked is not None:
        run, group = groups[clicked[1]]
        go(MALGORITHMS, **(address | bar_items(run, group)))
    st.caption("Click a bar to read its questions.")
    called = labels(runs)
    with st.expander("Open a bar without a mouse"):
        for run in runs:
            if len(runs) > 1:
                st.markdown(plain(called[run.id]))
            with st.container(horizontal=True, gap="xsmall"):
                for of, group in groups:
                    if of is run:
                        link(MALGORITHMS, group.label, address | bar_items(run, group), icon="")


def bar_items(run: RunRecord, group: BarGroup) -> dict[str, str]:
    """What the address says of the questions of a bar."""
    value = group.found.stratum_value
    return {"of": run.id} | ({} if value is None else {"content_class": str(value)})
