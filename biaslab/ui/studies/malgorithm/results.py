"""Results of the study malgorithm: figures, pictures, tables, and published rows beside."""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from biaslab.charts.malgorithm import (
    MOST,
    BarGroup,
    GridCell,
    MixUp,
    bars_chart,
    drawn_cells,
    grid_chart,
    mixups_chart,
)
from biaslab.models import learner_spec
from biaslab.runs import RunRecord
from biaslab.stats import InvalidRule
from biaslab.studies import Design, experiment
from biaslab.studies.malgorithm.answers import STUDY
from biaslab.studies.malgorithm.items import RIGHT_REASON
from biaslab.studies.malgorithm.published import published_grades, published_identification
from biaslab.studies.malgorithm.results import OF_FOUR, Identification, ReadShare
from biaslab.ui.ask.asking import FirstRun, draw_first_run
from biaslab.ui.navigation import MALGORITHMS, go, link
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.studies.malgorithm.item_sets import set_sentence
from biaslab.ui.studies.malgorithm.queries import (
    QUESTIONS,
    chance_sentence,
    gap_sentence,
    result_sentence,
    share_words,
    spread_words,
    unread_sentence,
)
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import clicked_point, is_dark
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import KINDS, plain
from schoolmath.text.figures import count, hundredths, interval_words, percent, signed_points

SUBJECT = "Math"
"""What is shown of the publication: this lab asks mathematics only."""


def draw_behind(identification: Identification) -> None:
    """Attraction to the key, whole questions, favourite labels, and what no insight reaches."""
    rows = behind_rows(identification)
    head = '<div class="bl-finding bl-finding-head"><div>What</div><div>Found</div><div>Meaning'
    lines = "".join(
        '<div class="bl-finding">'
        + f"<div><b>{html.escape(name)}</b></div><div>{html.escape(value)}</div>"
        + f'<div class="bl-faint">{html.escape(meaning)}</div></div>'
        for name, value, meaning in rows
    )
    st.html(f'<div class="bl">{head}</div></div>{lines}</div>')


def behind_rows(identification: Identification) -> list[tuple[str, str, str]]:
    """Name, value and meaning of what may stand behind the figures of a run."""
    of_three = identification.chances.all_three == OF_FOUR.all_three
    rows = [
        (
            "Drawn to the key",
            share_words(identification.attraction),
            "Of the wrong choices explained wrongly, how many were explained by the right way. "
            f"If nothing drew the model there, {percent(identification.chances.attraction)}.",
        ),
        (
            "All three mal-rules" if of_three else "All mal-rules of a question",
            share_words(identification.all_three),
            f"Questions whose {'three ' if of_three else ''}wrong choices were all explained "
            "rightly. Guessing reaches "
            f"{percent(identification.chances.all_three)}.",
        ),
        (
            "Favourite label",
            "; ".join(
                f"{slot.label} {signed_points(slot.bias)} "
                f"({'no interval' if slot.interval is None else _ends(slot.interval)})"
                for slot in identification.slots
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
        line = next((each for each in identification.baselines if each.name == name), None)
        if line is not None:
            both = f"MIA {percent(line.mia)}, AIA {percent(line.aia)}"
            value = both if line.mcq is None else f"MCQ {percent(line.mcq)}"
            rows.append((f"Baseline: {name}", value, meaning))
    rows.append(
        (
            "Exactly as asked",
            percent(identification.exact_json),
            "Answers that were the JSON asked for, word for word. Others are read leniently.",
        )
    )
    return rows


def _ends(interval: object) -> str:
    low, high = getattr(interval, "low", None), getattr(interval, "high", None)
    return interval_words(low, high)


def draw_rules(identifications: Sequence[Identification], address: dict[str, str]) -> None:
    """MIA of every mal-rule, the one missed most often first; a chosen row opens its questions."""
    rows = rules_in_order(identifications)
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


def rules_in_order(identifications: Sequence[Identification]) -> list[Identification]:
    """The one missed most often first; of equals the one with more choices."""
    return sorted(
        (each for each in identifications if each.mia.value is not None),
        key=lambda each: (each.mia.value, -each.mia.n, str(each.stratum_value)),
    )


def draw_published(own: Sequence[tuple[str, Identification | None]]) -> None:
    """The runs chosen, and published models below them with source and prompting."""
    st.header("Next to published models", anchor=False)
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


def _draw_figures(identification: Identification) -> None:
    chances = identification.chances
    tiles = "".join(
        _figure(name, what, share, chance, unit)
        for name, what, share, chance, unit in (
            (
                "MIA",
                "why a wrong choice was made",
                identification.mia,
                chances.mia,
                "wrong choices",
            ),
            (
                "AIA",
                "why the right choice was made",
                identification.aia,
                chances.aia,
                "right choices",
            ),
            ("MCQ", "the question itself answered", identification.mcq, chances.mcq, "questions"),
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


def _class(identification: Identification) -> str:
    name = str(identification.stratum_value)
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
