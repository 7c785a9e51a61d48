"""A run's pairs, filtered, a page at a time, one of them chosen; and the effect over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from biaslab.runs import (
    AnswerState,
    MemberDetail,
    PairDetail,
    PairNote,
    PairOrder,
    PairPattern,
    PairRow,
    RunRecord,
)
from biaslab.runs.store.records import number_words, pattern_words
from biaslab.stats import Effect
from biaslab.studies import Arms, Experiment
from biaslab.studies.study import outcome_scale
from biaslab.ui.results.diagnosis import brief, found_for
from biaslab.ui.results.notes import Noted, Notes, beginning, sign
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, integer, several
from biaslab.ui.widgets.choosing import Chosen, draw_filter, strata_parameter
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.text.figures import (
    count,
    exact_percent,
    interval_words,
    signed_number,
    signed_points,
)

ON_A_PAGE = 10
"""Pairs in the list at a time."""

_ORDER = PairOrder.TELLING
"""A page that opens without a link shows what is worth reading first."""

_LONGEST_SEARCH = 80
"""Characters that are looked for."""

_TEXT = 70
"""Characters of a problem in the list."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which pairs are listed and which one is shown.

    Attributes:
        patterns: only these outcomes; none of them means all.
        strata: only these strata.
        total: pairs that are left.
        page, pages: which page of the list, from 1.
        rows: the pairs on it.
        pair: id of the pair shown; empty when there is none.
        sample: which of several samples the list is about, from 0.
        search: words that stand in problems or answers.
        only: only these pairs, such as those that are marked; None for all of the run.
        noted: for each word of the search, pairs that have it in a note.
    """

    patterns: tuple[str, ...]
    strata: Chosen
    total: int
    page: int
    pages: int
    rows: list[PairRow]
    pair: str
    sample: int = 0
    search: str = ""
    only: tuple[str, ...] | None = None
    noted: Noted = ()


def pattern_parameter() -> Parameter[list[str]]:
    """The outcomes that the address asks for."""
    return several("pattern", [str(pattern) for pattern in PairPattern], (), ("page", "pair"))


def pair_parameter() -> Parameter[str]:
    """The pair that the address names, by default the first of the list."""
    return Parameter("pair", "", lambda text: text or None)


def sample_parameter(run: RunRecord) -> Parameter[int]:
    """Which of several samples the address asks for, from 1."""
    return integer("sample", 1, 1, run.options.samples)


def search_parameter() -> Parameter[str]:
    """The words that the address looks for."""
    return Parameter(
        "find", "", lambda text: text[:_LONGEST_SEARCH].strip() or None, str.strip, ("page", "pair")
    )


def draw_search() -> None:
    """Draws the field for words to look for."""
    st.text_input(
        "Find",
        placeholder="words in the problems, in what the model wrote, or in your notes",
        max_chars=_LONGEST_SEARCH,
        **search_parameter().bind(),
    )


def draw_filters(
    run: RunRecord, study: Experiment, only: tuple[str, ...] | None = None, notes: Noted = ()
) -> Chosen:
    """Draws the choice of outcomes and strata, with counts among all pairs or only some."""
    state = queries.OutcomesState.of(run)
    values = queries.strata_values(run.id)
    strata = strata_parameter(values, ("page", "pair"))
    if strata.refused is not None:
        st.warning(
            f"The link asks for “{plain(strata.refused)}”, which the pairs of this run do not "
            "have. All pairs are shown."
        )
    draw_filter(study.strata, values, strata)
    sample = sample_parameter(run).value
    search = search_parameter().value
    counts = queries.pattern_counts(state, strata.value, sample - 1, search, only, notes)
    parameter = pattern_parameter()
    scale = outcome_scale(study.name)
    # On a scale nothing is right or wrong, so only what became of the answers can be chosen.
    known = PairPattern if scale is None else (PairPattern.INVALID, PairPattern.UNFINISHED)
    offered = [
        str(pattern) for pattern in known if counts[pattern] or str(pattern) in parameter.value
    ]
    if not offered:
        return strata.value
    which = f" (sample {sample})" if run.options.samples > 1 else ""
    choosing.pills(
        f"How the pair came out{which}",
        offered,
        selection_mode="multi",
        format_func=lambda name: (
            f"{plain(pattern_words(PairPattern(name), study.arms))} ({counts[PairPattern(name)]:,})"
        ),
        help="Choose one or several; none means all. The first mark is for "
        f"“{study.arms.x}”, the second for “{study.arms.x_prime}”.",
        **parameter.bind(),
    )
    return strata.value


def reading_parameter() -> Parameter[str]:
    """The rule of reading that the address wants; empty for any."""
    return Parameter("read", "", lambda text: text[:_LONGEST_SEARCH] or None, str, ("page", "pair"))


def draw_reading(run: RunRecord) -> tuple[str, ...] | None:
    """Draws the choice of how an answer was read; the pairs with one, None where any will do."""
    sample = sample_parameter(run).value - 1
    found = queries.reading_rules(queries.OutcomesState.of(run), sample)
    if len(found.counts) < 2:
        return None
    parameter = reading_parameter()
    choosing.selectbox(
        "How an answer was read",
        ("", *found.explanations),
        format_func=lambda rule: (
            f"{found.explanations[rule]} ({found.counts[rule]:,})" if rule else "in any way"
        ),
        help="BiasLab reads a number or a choice out of what a model wrote. Look through one way "
        "of reading at a time to check it; the file of pairs names it for each answer.",
        **parameter.bind(),
    )
    if parameter.value not in found.explanations:
        return None
    return tuple(sorted(p for p, rules in found.of_pairs.items() if parameter.value in rules))


def select(
    run: RunRecord, strata: Chosen, only: tuple[str, ...] | None = None, notes: Noted = ()
) -> Selection:
    """The pairs that the address asks for, among all or only some."""
    state = queries.OutcomesState.of(run)
    patterns = tuple(pattern_parameter().value)
    sample = sample_parameter(run).value - 1
    search = search_parameter().value
    counts = queries.pattern_counts(state, strata, sample, search, only, notes)
    total = sum(n for pattern, n in counts.items() if not patterns or str(pattern) in patterns)
    pages = max(1, -(-total // ON_A_PAGE))
    named = pair_parameter().value
    place = (
        queries.pair_place(state, named, patterns, strata, sample, _ORDER, search, only, notes)
        if named
        else None
    )
    page = page_parameter(pages, (place or 0) // ON_A_PAGE + 1).value
    offset = (page - 1) * ON_A_PAGE
    rows = queries.pair_rows(
        state, patterns, strata, offset, ON_A_PAGE, sample, _ORDER, search, only, notes
    )
    shown = named or (rows[0].pair if rows else "")
    return Selection(patterns, strata, total, page, pages, rows, shown, sample, search, only, notes)


def page_parameter(pages: int, default: int = 1) -> Parameter[int]:
    """The page of the list."""
    return integer("page", min(default, pages), 1, pages, ("pair",))


def draw_list(selection: Selection, study: Experiment, notes: Notes) -> None:
    """Draws the page of pairs, with marks and notes, and the way to the other pages."""
    parameter = pair_parameter()
    by_id = {row.pair: row for row in selection.rows}
    bound = parameter.bind()
    st.session_state[bound["key"]] = selection.pair if selection.pair in by_id else None
    choosing.radio(
        f"{count(selection.total, 'pair')}",
        list(by_id),
        index=None,
        format_func=lambda pair: _line(by_id[pair], study) + sign(notes.get(pair)),
        captions=[
            plain(_caption(row, study) + beginning(notes.get(row.pair))) for row in selection.rows
        ],
        **bound,
    )
    if selection.pages > 1:
        pages = page_parameter(selection.pages, selection.page)
        st.pagination(selection.pages, max_visible_pages=3, **pages.bind())


def draw_steps(run: RunRecord, selection: Selection) -> None:
    """Buttons to the pair before and after in the filtered list."""
    places: Mapping[str, int] = {row.pair: i for i, row in enumerate(selection.rows)}
    if selection.pair not in places:
        return
    at = (selection.page - 1) * ON_A_PAGE + places[selection.pair]
    with st.container(horizontal=True, vertical_alignment="center"):
        for word, icon, to, shortcut in (
            ("Previous", ":material/chevron_left:", at - 1, "alt+p"),
            ("Next", ":material/chevron_right:", at + 1, "alt+n"),
        ):
            st.button(
                word,
                icon=icon,
                disabled=not 0 <= to < selection.total,
                on_click=_show,
                args=(run, selection, to),
                key=f"{word} pair",
                shortcut=shortcut,
            )
        st.caption(f"{at + 1:,} of {selection.total:,}")


def _show(run: RunRecord, selection: Selection, place: int) -> None:
    state = queries.OutcomesState.of(run)
    (row,) = queries.pair_rows(
        state,
        selection.patterns,
        selection.strata,
        place,
        1,
        selection.sample,
        _ORDER,
        selection.search,
        selection.only,
        selection.noted,
    )
    page_parameter(selection.pages, 0).change(place // ON_A_PAGE + 1)
    pair_parameter().change(row.pair)


def _line(row: PairRow, study: Experiment) -> str:
    words = pattern_words(row.pattern, study.arms)
    if outcome_scale(study.name) is not None and None not in (row.y_x, row.y_x_prime):
        words = f"{row.value_x} → {row.value_x_prime}"
    return plain(f"{row.position + 1} · {words}")


def _caption(row: PairRow, study: Experiment) -> str:
    """How the problem begins, and what may be behind wrong answers."""
    if outcome_scale(study.name) is not None:
        return _shortened(row.text_x)
    behind = dict.fromkeys(
        brief(found.diagnosis)
        for text, right, value, outcome in (
            (row.text_x, row.answer_x, row.value_x, row.y_x),
            (row.text_x_prime, row.answer_x_prime, row.value_x_prime, row.y_x_prime),
        )
        if outcome == 0 and (found := found_for(text, right, value)) is not None
    )
    return _shortened(row.text_x) + (f" · fits: {'; '.join(behind)}" if behind else "")


def _shortened(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[:_TEXT].rsplit(' ', 1)[0]} …"


def rows_for_file(
    run: RunRecord, selection: Selection, study: Experiment, notes: Notes | None = None
) -> tuple[Sequence[str], list[dict[str, object]]]:
    """Columns and rows of the filtered pairs, for a file; samples count from 1.

    Marks and notes are in it unless there are None to be read.
    """
    found = queries.store().pair_rows(
        run.id,
        selection.patterns or None,
        dict(selection.strata),
        0,
        max(selection.total, 1),
        selection.sample,
        search=selection.search,
        only=selection.only,
        notes=selection.noted,
    )
    names = [stratum.name for stratum in study.strata]
    columns = ["position", "pair", "sample", *names, "pattern"]
    parts = ("text", "answer", "value", "y", "state", "rule")
    for member in ("x", "x_prime"):
        columns += [f"{part}_{member}" for part in parts]
    read = queries.reading_rules(queries.OutcomesState.of(run), selection.sample).of_pairs
    rows = [
        {name: getattr(row, name, None) for name in columns}
        | dict(row.strata)
        | dict(zip(("rule_x", "rule_x_prime"), read.get(row.pair, (None, None)), strict=True))
        | {"position": row.position + 1, "sample": row.sample + 1}
        for row in found
    ]
    if notes is not None:
        columns += ["mark", "note"]
        for row in rows:
            note = notes.get(str(row["pair"]), PairNote())
            row |= {"mark": note.mark or "", "note": note.text}
    return columns, rows


_IN_A_ROW = 12
"""More samples than this are chosen from a list that opens."""


def draw_samples(run: RunRecord, samples: Sequence[PairDetail], arms: Arms) -> None:
    """Draws every sample with its answers, and the choice of the one shown in full."""
    parameter = sample_parameter(run)
    numbers = list(range(1, len(samples) + 1))
    label = f"This pair was asked {count(len(samples), 'time')}. Shown in full:"

    def words(number: int) -> str:
        detail = samples[number - 1]
        return f"{number}: {_mark(detail.x)} {_mark(detail.x_prime)}"

    explained = f"The first mark is for “{plain(arms.x)}”, the second for “{plain(arms.x_prime)}”."
    if len(samples) <= _IN_A_ROW:
        choosing.segmented_control(
            label,
            numbers,
            format_func=words,
            required=True,
            wrap=True,
            help=explained,
            **parameter.bind(),
        )
    else:
        choosing.selectbox(
            label, numbers, format_func=words, help=explained, filter_mode=None, **parameter.bind()
        )
    st.dataframe(
        {
            "Sample": numbers,
            arms.x: [sample_words(detail.x) for detail in samples],
            arms.x_prime: [sample_words(detail.x_prime) for detail in samples],
        },
        hide_index=True,
        column_config={"Sample": st.column_config.NumberColumn(width="small")},
        alt=f"The answers of all {len(samples)} samples of this pair",
    )


def sample_words(member: MemberDetail) -> str:
    """The answer to one member in one sample, with a mark in front."""
    match member.state:
        case AnswerState.MISSING:
            return "… not asked yet"
        case AnswerState.FAILED:
            return "– failed"
        case _:
            value = None if member.reading is None else member.reading.value
            return (
                f"{_mark(member)} {'could not be read' if value is None else number_words(value)}"
            )


def _mark(member: MemberDetail) -> str:
    match member.state:
        case AnswerState.MISSING:
            return "…"
        case AnswerState.FAILED:
            return "–"
        case AnswerState.INVALID:
            return "?"
        case _:
            right = member.reading is not None and member.reading.outcome == 1
            return "✓" if right else "✗"


_EXPLORATORY = (
    "A slice that is chosen after looking at results is exploratory: interval and n do not allow "
    "for the choice. Ask new pairs to confirm it."
)
_BY_OUTCOME = "Pairs chosen by their outcome have no meaningful effect: the choice determines it."


def draw_slice(
    run: RunRecord, selection: Selection, study: Experiment, *, by_outcome: bool = False
) -> None:
    """Says the effect over the filtered pairs, where some are left out.

    Args:
        run: the run.
        selection: its pairs that are left.
        study: the run's.
        by_outcome: whether they were chosen by what came of them, patterns aside.
    """
    if selection.patterns or by_outcome:
        st.caption(_BY_OUTCOME)
        return
    if not selection.strata and not selection.search and selection.only is None:
        return
    with shown_errors():
        effect = queries.effect_of_slice(
            queries.OutcomesState.of(run),
            selection.strata,
            selection.sample,
            selection.search,
            selection.only,
            selection.noted,
        )
        if effect is not None:
            st.caption(f"**{plain(slice_words(effect, study))}** {_EXPLORATORY}")


def slice_words(effect: Effect, study: Experiment) -> str:
    """The effect over a slice in one line."""
    pairs = count(effect.n, "pair")
    if effect.cate is None:
        return f"In this slice: no pair has both its answers yet ({pairs})."
    scale = outcome_scale(study.name)
    if scale is None:
        size, spread = (
            f"{signed_points(effect.cate)} points",
            interval_words(effect.ci_low, effect.ci_high),
        )
    else:
        size = f"{signed_number(effect.cate)} {scale.unit}"
        spread = f"{signed_number(effect.ci_low)} to {signed_number(effect.ci_high)}"
    interval = (
        "no interval can be determined"
        if effect.ci_low is None
        else f"{exact_percent(effect.confidence)} interval {spread}"
    )
    return (
        f"In this slice: “{study.arms.x}” less “{study.arms.x_prime}” {size}, {interval}, {pairs}."
    )
