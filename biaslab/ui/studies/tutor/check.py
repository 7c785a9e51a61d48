"""Check a tutor: who is checked and with what, the job, and two tutors on the same questions.

What a check found, a card for each line: verdict, picture, figures, an example conversation.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

import streamlit as st

from biaslab.models import ModelKind, Skill, read_spec
from biaslab.models.spec import able
from biaslab.publishing.report import page
from biaslab.publishing.tutor_check import (
    LIMITS,
    CheckDesigns,
    TutorRuns,
    check_differences,
    checks_in,
    few_rules_words,
    line_sentences,
    lines_of,
    pairs_of,
    plain_sentence,
    plan_of,
    possible_designs,
    runs_of,
    scope_words,
)
from biaslab.runs import MemberDetail, RunRecord, Store, find_items, item_sets, recording_of
from biaslab.runs.store.records import response_words
from biaslab.studies.tutor import trap
from biaslab.studies.tutor.check import MEASURES, PAIRS, CheckRow, CheckVerdict, TutorCheck
from biaslab.studies.tutor.items import (
    ALL_CLASSES,
    CONTENT_CLASS,
    CUSTOM_ITEMS,
    GRADES,
    usable_sentence,
)
from biaslab.system.roles import May
from biaslab.ui.ask.matrix import (
    TYPED_MODEL,
    Askable,
    askable,
    draw_job,
    typed_askable,
    typed_id,
)
from biaslab.ui.classroom.paper import STYLE
from biaslab.ui.compose.design_form import draw_named_set
from biaslab.ui.navigation import ITEMS, MODELS, ROOM, link
from biaslab.ui.studies.tutor.custom_prompt import draw_custom_prompt, file_for
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import Parameter, choice, flag, integer, typed
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, hundredths

_IN_A_ROOM = 8
"""Pairs that people answer in one go."""

_MARKS = {
    CheckVerdict.GOOD: "✓",
    CheckVerdict.BAD: "✗",
    CheckVerdict.NO_SIGN: "–",
    CheckVerdict.OPEN: "?",
}


def draw_lines(store: Store, runs: TutorRuns, lines: Sequence[CheckRow], heading: str) -> None:
    """Draws all lines as one sheet that can be printed by itself.

    Args:
        store: the file of the runs.
        runs: of the check.
        lines: what it says.
        heading: of the sheet.
    """
    cards = "".join(
        _card(line, _example(store, runs.runs[line.measure.study], line)) for line in lines
    )
    limits = "".join(f"<li>{html.escape(each)}</li>" for each in LIMITS)
    st.html(STYLE)
    st.html(
        '<div class="bl bl-paper"><section class="bl-sheet" aria-label="The check">'
        f'<div class="bl-sheet-head"><h2>{html.escape(heading)}</h2></div>'
        '<p class="bl-faint">Bars: how often; line: 95 % interval; dashes: what guessing gets.</p>'
        f'<div class="bl-check">{cards}</div>'
        f"<h3>What this does not say</h3><ul>{limits}</ul></section></div>"
    )


def draw_links(runs: TutorRuns, lines: Sequence[CheckRow]) -> None:
    """Draws the ways to all answers, one for each line, and to a room that plays the tutor."""
    with st.container(horizontal=True, gap="small"):
        st.caption("All answers:")
        for line in lines:
            link(ITEMS, line.measure.label, {"run": runs.runs[line.measure.study].id})
    link(
        ROOM, "Play the tutor yourselves: the same questions on phones",
        {
            "study": trap.NAME, "n": str(_IN_A_ROOM), "seed": str(runs.check.seed),
            GRADES.name: runs.check.grades, CONTENT_CLASS.name: runs.check.content_class,
            CUSTOM_ITEMS.name: runs.check.items,
        },
    )  # fmt: skip


def _card(row: CheckRow, example: str) -> str:
    headline, mark = row.headline, _MARKS[row.verdict]
    says = html.escape(row.measure.says.format(k=headline.k, n=headline.n))
    said, times = says.split("**", 2), f"{headline.k} of {headline.n}"
    first = f"{row.interval_sentence} {few_rules_words(row)}"
    shown = {plain_sentence(row), row.interval_sentence, few_rules_words(row)}
    more = "".join(
        f"<p>{html.escape(each)}</p>" for each in line_sentences(row) if each not in shown
    )
    return (
        f'<section class="bl-card" aria-label="{html.escape(row.measure.title)}">'
        f'<div class="bl-faint">{html.escape(row.measure.title)}</div>'
        f'<p class="bl-outcome"><span aria-hidden="true">{mark}</span> '
        f"{html.escape(row.sentence)}</p>"
        f"<p>{said[0]}<b>{times}</b>{said[-1]}</p>{_bar(row)}"
        f'<p class="bl-faint">{html.escape(first)}</p>'
        f"<details><summary>How sure, and what simple strategies get</summary>{more}</details>"
        f"<details><summary>An example conversation</summary>{example}</details>"
        "</section>"
    )


def _bar(row: CheckRow) -> str:
    low, high = (row.interval.low, row.interval.high) if row.interval else (0.0, 1.0)
    words = f"{row.headline.k} of {row.headline.n}; guessing gets {hundredths(row.chance)} %"
    return (
        f'<div class="bl-scale" role="img" aria-label="{html.escape(words)}">'
        f'<b style="width:{hundredths(row.headline.share)}%"></b>'
        f'<i style="left:{hundredths(low)}%;width:{hundredths(high - low)}%"></i>'
        f'<u style="left:{hundredths(row.chance)}%"></u></div>'
    )


def _example(store: Store, run: RunRecord, row: CheckRow) -> str:
    """What was said in one pair, word for word."""
    if not row.example:
        return "<p>No answer could be read.</p>"
    detail = store.pair_detail(run.id, row.example)
    member: MemberDetail = getattr(detail, row.measure.example_arm)
    turns = [_turn("Question", str(member.item.facts.get("first", member.item.text)))]
    for at, exchange in enumerate(member.stages):
        if at:
            turns.append(_turn("Pupil", str(member.item.facts.get("reply", ""))))
        turns.append(_turn("Tutor", response_words(exchange.request, exchange.answered).strip()))
    key = str(member.item.answer)
    turns.append(
        f'<p class="bl-faint">By calculation, the right answer is {html.escape(key)}: '
        f"{html.escape(str(member.item.facts['options'][key]))}</p>"
    )
    return "".join(turns)


def _turn(who: str, text: str) -> str:
    said = html.escape(text)
    return f'<p><b>{who}</b></p><div class="bl-pre" role="group" tabindex="0">{said}</div>'


_GRADES = {"3-9": "3 to 9", "3-4": "3 and 4", "5-6": "5 and 6", "7-8": "7 and 8", "9-11": "9 to 11"}
_SIZES = (PAIRS, 100)
_NOBODY = ""


class Tutor(NamedTuple):
    """Somebody who can be checked, or was.

    Attributes:
        label: on screens; record: the check that is there already; model: who can be asked.
    """

    label: str
    record: TutorRuns | None = None
    model: Askable | None = None


def tutors() -> dict[str, Tutor]:
    """Those whose checks came with BiasLab, then all who can be asked, by an id for addresses."""
    found: dict[str, Tutor] = {}
    for each in checks_in(queries.recorded_runs()):
        if len(each.runs) == len(MEASURES):
            run = next(iter(each.runs.values()))
            how = ", reasoning first" if each.check.reasons else ""
            name = queries.model_label(each.model).partition(" (")[0]
            found[run.id] = Tutor(f"{name}{how} (recorded)", each)
    simulated = able(Skill.REVIEW)
    for id_, model in askable().items():
        spec = read_spec(str(model.entry["model"]))
        if spec.kind is ModelKind.LANGUAGE_MODEL:
            found[id_] = Tutor(model.label, model=model)
        elif spec.text in simulated:
            found[id_] = Tutor(f"{model.label} (simulated)", model=model)
    labels = choosing.distinct_labels({id_: each.label for id_, each in found.items()})
    return {id_: each._replace(label=labels[id_]) for id_, each in found.items()}


def _typed_tutor(spec: str) -> Tutor:
    model = typed_askable(spec)
    return Tutor(model.label, model=model)


def draw_check() -> bool:
    """Draws the whole page below its heading; whether anything is going on."""
    offered = tutors()
    if not offered:
        st.info("No model can be asked here yet.")
        link(MODELS, "Connect a model")
        return False
    chosen = Parameter(
        "model", next(iter(offered)), lambda text: typed_id(text, offered), resets=("beside",)
    )
    choosing.selectbox(
        "Tutor", offered, accept_new_options=visitor.may(May.CONNECT), help=TYPED_MODEL,
        format_func=lambda id_: offered[id_].label if id_ in offered else id_, **chosen.bind(),
    )  # fmt: skip
    if chosen.refused is not None:
        st.warning(plain(f"“{chosen.refused}” is no tutor that can be checked here. {TYPED_MODEL}"))
    tutor = offered.get(chosen.value) or _typed_tutor(chosen.value)
    if tutor.record is not None:
        _draw_recorded(tutor.record)
        _draw_result(queries.store(), tutor.record, tutor.label)
        _draw_comparison(tutor.record, offered)
        return False
    assert tutor.model is not None
    check = replace(_draw_fields(), system=draw_custom_prompt())
    store = file_for(check.system)
    if check.items and store is not queries.store():
        st.info("Your set of questions lies in the file of runs: keep the prompt there too.")
        return False
    designs = _designs(check)
    for study, why in designs.refusals.items():
        title = next(each.title for each in MEASURES if each.study == study)
        st.caption(plain(f"“{title}” is left out: {why}"))
    state = draw_job(plan_of(check, tutor.model.entry, designs), "Check this tutor", store)
    for reason in dict.fromkeys(cell.why_not for cell in state.cells if cell.why_not):
        st.warning(plain(reason))
    answered = [run for run in state.runs.values() if run.answered + run.invalid]
    own = {run.study: run for run in answered if run.options.system == check.system}
    if own:
        spec, url = next(iter(own.values())).model_spec, str(tutor.model.entry.get("base_url", ""))
        runs = TutorRuns(check, spec, url, own)
        _draw_result(store, runs, tutor.label)
        if check.system:
            without = {run.study: run for run in answered if not run.options.system}
            _draw_differences(
                store, runs, TutorRuns(replace(check, system=""), spec, url, without),
                "With your prompt minus without it, on the same questions",
            )  # fmt: skip
        else:
            _draw_comparison(runs, offered)
    elif not state.is_going_on:
        st.caption(
            f"{count(len(MEASURES) * check.n, 'pair')} of questions about pupils' work, some "
            "minutes for a small model on this computer. Results appear here as they come."
        )
    return state.is_going_on


def _draw_recorded(record: TutorRuns) -> None:
    told = recording_of(next(iter(record.runs.values())))
    asked = date.fromisoformat(told["date"])
    st.caption(
        plain(
            f"Recorded on {asked.day} {asked:%B %Y}: {scope_words(record.check)}, "
            f"{count(record.check.n, 'pair')} of each kind. Choose another tutor to check it "
            "yourself."
        )
    )


def _draw_fields() -> TutorCheck:
    sets = {each.name: each for each in item_sets(queries.store())}
    items = typed(CUSTOM_ITEMS.name)
    own = sets.get(items.value)
    if sets or items.value:
        sizes = {name: each.items for name, each in sets.items()}
        draw_named_set(CUSTOM_ITEMS, items, sizes, "BiasLab's own", "item")
    if own is not None:
        st.caption(_usable(own.id))
    grade = choice("grade", _GRADES, "3-9")
    topic = choice("content-class", CONTENT_CLASS.choices, ALL_CLASSES)
    size = choice("n", [str(each) for each in _SIZES], str(PAIRS))
    seed = integer("seed", 1, 0, 2**31)
    with st.grid(4, min_column_width=150):
        if not items.value:
            choosing.selectbox(
                "Grades", _GRADES, format_func=_GRADES.__getitem__, filter_mode=None, **grade.bind()
            )
            choosing.selectbox(
                "Topics", CONTENT_CLASS.choices, filter_mode=None,
                format_func=lambda name: "all topics" if name == ALL_CLASSES else name,
                **topic.bind(),
            )  # fmt: skip
        choosing.selectbox(
            "Questions", size_words(), format_func=size_words().__getitem__, filter_mode=None,
            help="Pairs of each of five kinds. More pairs, narrower intervals.", **size.bind(),
        )  # fmt: skip
        st.number_input("Seed", 0, 2**31, help="Another seed, other problems.", **seed.bind())
    way = flag("way")
    st.toggle(
        "Let it reason before each verdict", **way.bind(),
        help="Takes longer. It shows whether thinking first helps.",
    )  # fmt: skip
    scope = {} if items.value else {"grades": grade.value, "content_class": topic.value}
    # A set that is not there stays as it was typed, and every study says that there is none.
    set_id = items.value if own is None else own.id
    return TutorCheck(n=int(size.value), seed=seed.value, reasons=way.value, items=set_id, **scope)


@st.cache_data(show_spinner="Reading questions …", max_entries=32)
def _usable(set_id: str) -> str:
    items = find_items(queries.store(), set_id)
    return "" if items is None else usable_sentence(items)


def size_words() -> dict[str, str]:
    """How many pairs of each kind a check may have, in words."""
    return {str(n): f"{n} pairs of each kind" for n in _SIZES}


@st.cache_data(show_spinner="Making problems …", max_entries=32)
def _designs(check: TutorCheck) -> CheckDesigns:
    return possible_designs(check, queries.store())


@st.cache_resource(show_spinner=False, max_entries=32)
def _lines(
    states: tuple[queries.OutcomesState, ...], _store: Store, _runs: TutorRuns
) -> list[CheckRow]:
    del states  # What is answered since changes them.
    return lines_of(pairs_of(_store, _runs))


def _draw_result(store: Store, runs: TutorRuns, label: str) -> None:
    lines = _lines(tuple(map(queries.OutcomesState.of, runs.runs.values())), store, runs)
    if not lines:
        return
    good, bad, open_ = (
        sum(line.verdict is verdict for line in lines)
        for verdict in (CheckVerdict.GOOD, CheckVerdict.BAD, CheckVerdict.OPEN)
    )
    st.header(_summary(len(lines), good, bad, open_), anchor=False)
    draw_lines(store, runs, lines, f"{label}: {scope_words(runs.check)}")
    if store is queries.store():
        draw_links(runs, lines)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Report as one file", lambda: _report(store, runs, label), "biaslab-tutor-check.html",
            "text/html", key="tutor report", on_click="ignore", icon=":material/description:",
            help="Verdicts, figures and every question with its answers in one HTML file that "
            "opens in any browser without a network.",
        )  # fmt: skip
        st.caption("Print with your browser (Ctrl+P or ⌘P): only the check is printed.")


def _summary(lines: int, good: int, bad: int, open_: int) -> str:
    parts = [f"{good} of {lines} good signs"]
    if bad:
        parts.append(f"{count(bad, 'warning')}")
    if open_:
        parts.append(f"{open_} can't be judged")
    return ", ".join(parts)


def _report(store: Store, runs: TutorRuns, label: str) -> bytes:
    from biaslab.publishing.tutor_check import report_of_check

    return page(report_of_check(store, runs, label))


def _draw_comparison(runs: TutorRuns, tutors: Mapping[str, Tutor]) -> None:
    """Another tutor that was asked the same questions, and the differences."""
    others = dict(_same_questions(runs, tutors))
    if not others:
        return
    beside = choice("beside", [_NOBODY, *others], _NOBODY)
    choosing.selectbox(
        "Compare with", [_NOBODY, *others],
        format_func=lambda id_: tutors[id_].label if id_ else "nobody", **beside.bind(),
    )  # fmt: skip
    if not beside.value:
        return
    name = plain(tutors[beside.value].label)
    _draw_differences(
        queries.store(), runs, others[beside.value], f"This tutor minus {name}, same questions"
    )


def _draw_differences(store: Store, runs: TutorRuns, other: TutorRuns, heading: str) -> None:
    st.markdown(f"**{heading}**")
    one, another = (
        tuple(map(queries.OutcomesState.of, each.runs.values())) for each in (runs, other)
    )
    st.markdown("\n".join(_differences(one, another, store, runs, other)))


@st.cache_resource(show_spinner=False, max_entries=32)
def _differences(
    one: tuple[queries.OutcomesState, ...],
    another: tuple[queries.OutcomesState, ...],
    _store: Store,
    _runs: TutorRuns,
    _other: TutorRuns,
) -> list[str]:
    del one, another  # What is answered since changes them.
    return [
        f"- {difference.measure.label}: {plain(sentence)}"
        for difference, sentence in check_differences(_store, _runs, _other)
    ]


def _same_questions(
    runs: TutorRuns, tutors: Mapping[str, Tutor]
) -> Iterable[tuple[str, TutorRuns]]:
    designs = _designs(runs.check).possible
    kept = queries.runs()
    for id_, tutor in tutors.items():
        if tutor.record is not None:
            # Of a larger check with the same seed the first pairs are the same.
            alike = replace(tutor.record.check, n=runs.check.n) == runs.check
            other = tutor.record if alike else None
        else:
            assert tutor.model is not None
            entry = tutor.model.entry
            url = str(entry.get("base_url", ""))
            other = runs_of(kept, runs.check, str(entry["model"]), url, designs)
        if other and other.runs and (other.model, other.url) != (runs.model, runs.url):
            yield id_, other
