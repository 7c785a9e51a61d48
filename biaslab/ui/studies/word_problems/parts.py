"""What is drawn of studies of word problems alone: fields, wrong answers, results of their own.

Wrong answers where the words mislead: how many reverse the operation.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.runs.store.records import number_words
from biaslab.studies import Arms, Design, Experiment, Pair, Setting
from biaslab.studies.word_problems.composed import DIAGNOSABLE, SENTENCE, STRUCTURE, TREATMENT
from biaslab.studies.word_problems.composed import NAME as COMPOSED
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.error_models import WAYS
from biaslab.studies.word_problems.study import STUDIES
from biaslab.studies.word_problems.treatments import Treatment, treatments
from biaslab.ui.compose.design_form import design_of_address, draw_setting, setting_parameter
from biaslab.ui.studies.screens import Field, StudyScreens
from biaslab.ui.studies.word_problems.structure_builder import (
    ask_for_set,
    draw_builder,
    draw_example,
    line_parameter,
)
from biaslab.ui.studies.word_problems.structure_text import StructureLine, examples, read_line
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.structure import StructureError
from schoolmath.text.figures import count, hundredths, percent, percents

if TYPE_CHECKING:
    from biaslab.studies.word_problems.inside.reversals import Reversals

_NULLS = (
    "By chance means: **random operations** draws the operation of every step at random and keeps "
    "what is wrong; **random slips** takes every slip as equally likely (off by one, two or ten, "
    "or two digits swapped). Lines across the bars: dashed for random operations, dotted for "
    "random slips; the thin bar is the 95 % interval, pairs that share a cluster counted together."
)


WRONG_ANSWERS = 5_000
"""Most wrong answers of a run that are looked at for reversed operations."""


@st.cache_data(show_spinner=False, max_entries=32)
def reversals_of(state: queries.OutcomesState) -> tuple[list[Reversals], bool]:
    """Reversed operations among a run's wrong answers as it stands.

    Also whether it has more wrong answers than the `WRONG_ANSWERS` that were looked at.
    """
    # The catalogue of rules takes a moment to load, and most pages do without it.
    from biaslab.studies.word_problems.inside.reversals import reversals

    wrong = queries.store().wrong_answers(state.run, WRONG_ANSWERS + 1)
    return reversals(wrong[:WRONG_ANSWERS]), len(wrong) > WRONG_ANSWERS


@st.cache_data(show_spinner=False, max_entries=256)
def _any_wrong(state: queries.OutcomesState) -> bool:
    """Whether a run as it stands has a wrong answer at all."""
    return queries.store().any_wrong(state.run)


def draw_reversals(runs: Sequence[RunRecord]) -> None:
    """A folded panel with the share of reversals of each run, counted when it is opened.

    Nothing where no answer of the runs is wrong.
    """
    if not any(_any_wrong(queries.OutcomesState.of(run)) for run in runs):
        return
    panel = st.expander(
        "Wrong because the words mislead?",
        key=f"reversals {','.join(run.id for run in runs)}",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        _draw_shares(runs)


def _draw_shares(runs: Sequence[RunRecord]) -> None:
    """What the panel holds: a frame for each run that has such wrong answers."""
    st.caption(
        "Some problems suggest another operation than they need: “6 more than Ben” where 6 is to "
        "be taken away. A model that follows the word does the reversed operation, whatever the "
        "resulting number."
    )
    with st.spinner("Looking at the wrong answers …"):
        found = [(run, *reversals_of(queries.OutcomesState.of(run))) for run in runs]
    found = [each for each in found if each[1]]
    if not found:
        st.caption("No answer is wrong here where the words mislead.")
        return
    called = labels(runs)
    for run, counted, sampled in found:
        with st.container(border=True):
            st.markdown(f"**{plain(called[run.id])}**")
            st.markdown(plain(reversal_sentence(counted[0], sampled)))
            st.html(f'<div class="bl bl-diagnosis">{"".join(map(_row, counted))}</div>')
    st.caption(_NULLS)


def reversal_sentence(reversals: Reversals, sampled: bool = False) -> str:
    """How many wrong answers are the reversed operation, against chance.

    Args:
        reversals: of all steps together.
        sampled: whether the run has more wrong answers than were looked at.
    """
    low, high = percent(reversals.interval.low), percent(reversals.interval.high)
    which = (
        f" (those among {WRONG_ANSWERS:,} wrong answers of this run taken at random)"
        if sampled
        else ""
    )
    numbers = (
        f" {reversals.miscalculated:,} of these are another number than that operation gives: "
        "miscalculated, or changed later on."
        if reversals.miscalculated
        else ""
    )
    return (
        f"Of {count(reversals.wrong, 'wrong answer')} to problems whose words mislead{which}, "
        f"{reversals.reversed:,} reverse the operation: {percent(reversals.share)} (95 % "
        f"interval {low} to "
        f"{high}). {_seen(reversals)}{numbers} By chance it would be "
        f"{percent(reversals.by_operation)} "
        f"with random operations and {percent(reversals.by_slip)} with random slips."
    )


def _seen(reversals: Reversals) -> str:
    """From what it was told whether the operation is reversed."""
    if not reversals.worked:
        return "No working shows the operation, so the answers decide."
    rest = reversals.wrong - reversals.worked
    others = f"; in the other {rest:,} the answer decides" if rest else ""
    return f"In {reversals.worked:,} the working shows the operation{others}."


def _row(reversals: Reversals) -> str:
    name = "all problems" if reversals.steps is None else count(reversals.steps, "step")
    low, high = reversals.interval.low, reversals.interval.high
    words = (
        f"{percent(reversals.share)} ({percents(low, high)}), {reversals.reversed:,} of "
        f"{reversals.wrong:,}; by chance {percent(reversals.by_operation)} or "
        f"{percent(reversals.by_slip)}"
    )
    return (
        f"<div><p><strong>{html.escape(name)}</strong> {html.escape(words)}</p>"
        '<div class="bl-share" aria-hidden="true">'
        f'<b style="width:{hundredths(reversals.share, 2)}%"></b>'
        f'<i style="left:{hundredths(low, 2)}%;width:{hundredths(high - low, 2)}%"></i>'
        f'<u style="left:{hundredths(reversals.by_operation, 2)}%"></u>'
        f'<u class="slip" style="left:{hundredths(reversals.by_slip, 2)}%"></u></div></div>'
    )


WAYS_FACT, LEFT_OUT_FACT = "ways", "ways_left_out"


def draw_list_of_ways() -> None:
    """Says which error models diagnosable numbers tell apart."""
    st.caption(
        f"We can distinguish: {', '.join(WAYS.values())}. Below the pair, see which ways no "
        "numbers can separate in this structure, and why."
    )


def draw_wrong_answers(pair: Pair, arms: Arms) -> None:
    """Draws what each error model answers on both members; nothing where unknown."""
    members = (pair.x, pair.x_prime)
    known = [member.facts.get(WAYS_FACT, {}) for member in members]
    left_out = [member.facts.get(LEFT_OUT_FACT, {}) for member in members]
    if not any((*known, *left_out)):
        return
    with st.expander("What each error model answers", expanded=True):
        rows = [
            {
                "Who is": name[:1].upper() + name[1:],
                arms.x: _answers(known[0], way),
                arms.x_prime: _answers(known[1], way),
            }
            for way, name in WAYS.items()
            if way in known[0] or way in known[1]
        ]
        if rows:
            st.table(rows, border="horizontal")
            st.caption(
                "Each is different from the others in its column, from the right answer and from "
                "every number in the text: a wrong answer shows what went wrong."
            )
        for name, reason in _left_out(left_out, arms):
            st.markdown(f"- Not distinguished: **{plain(name)}**. {plain(reason)}")


def _answers(ways: Mapping[str, list[str]], way: str) -> str:
    return " or ".join(number_words(answer) for answer in ways.get(way, ())) or "–"


def _left_out(left_out: list[Mapping[str, Any]], arms: Arms) -> list[tuple[str, str]]:
    """Ways without an answer of their own, with the reason; for one member where they differ."""
    found = []
    for way, name in WAYS.items():
        reasons = [str(each[way]) if way in each else "" for each in left_out]
        if reasons[0] == reasons[1]:
            if reasons[0]:
                found.append((name, reasons[0]))
            continue
        found += [
            (f"{name} ({arm})", reason)
            for arm, reason in zip((arms.x, arms.x_prime), reasons, strict=True)
            if reason
        ]
    return found


def draw_structure(
    study: Experiment, _setting: Setting, parameter: Parameter[str], error: DesignError | None
) -> None:
    """Draws the builder of the structure, which shows what is wrong with it."""
    draw_builder(parameter, error, partial(_fit_treatment, study))


def draw_treatment(
    study: Experiment, setting: Setting, parameter: Parameter[str], _error: DesignError | None
) -> None:
    """Draws the choice of what the members of a pair differ in.

    What cannot be changed alone in this structure stays in the list, with the reason below.
    """
    offered, line = treatments(), _line_of(study)
    refused = refusals(line.plan) if line.plan is not None else {}
    options = list(offered)
    if parameter.value not in options:
        options.append(parameter.value)

    def label(name: str) -> str:
        text = offered[name].label if name in offered else name
        return f"{text} – not with this structure" if name in refused else text

    choosing.selectbox(
        setting.label,
        options,
        format_func=label,
        filter_mode=None,
        help=setting.explanation,
        **parameter.bind(),
    )
    chosen = offered.get(parameter.value)
    if chosen is not None:
        _draw_explanation(chosen)
    others = {name: reason for name, reason in refused.items() if name != parameter.value}
    if others:
        with st.expander(f"Why {len(others)} cannot be chosen here"):
            for name, reason in others.items():
                st.markdown(f"**{plain(offered[name].label)}**: {plain(reason)}")


def draw_sentence(
    study: Experiment, setting: Setting, parameter: Parameter[str], _error: DesignError | None
) -> None:
    """Draws the choice of the sentence that is treated, by its words."""
    automatic = str(setting.default)
    options = {automatic: "As the treatment says"}
    for number, sentence in enumerate(examples(_line_of(study)), start=1):
        options[str(number)] = f"{number}. {sentence}"
    options.setdefault(parameter.value, parameter.value)
    choosing.selectbox(
        setting.label,
        list(options),
        format_func=options.__getitem__,
        filter_mode=None,
        help=setting.explanation,
        **parameter.bind(),
    )


def draw_diagnosable(
    _study: Experiment, setting: Setting, parameter: Parameter[str], _error: DesignError | None
) -> None:
    """Draws the choice, and what is told apart where it is chosen."""
    draw_setting(setting, parameter)
    if parameter.value == "yes":
        draw_list_of_ways()


def _line_of(study: Experiment) -> StructureLine:
    """The structure as it stands in the address."""
    return read_line(setting_parameter(study, STRUCTURE).value)


def _fit_treatment(study: Experiment) -> None:
    fit_treatment(setting_parameter(study, TREATMENT), study, design_of_address())


def _explained_by_treatment(error: DesignError) -> bool:
    """What a treatment refuses of a structure is shown at the treatment.

    The builder shows what is wrong with the structure itself.
    """
    if error.setting == STRUCTURE.name:
        return not isinstance(error, StructureError)
    return error.setting == TREATMENT.name


def refusals(plan: ChainPlan) -> dict[str, str]:
    """Which treatments this structure refuses, each with the reason and what would work."""
    found = {}
    for treatment in treatments().values():
        try:
            treatment.check(plan, None)
        except DesignError as error:
            found[treatment.name] = str(error)
    return found


def fit_treatment(parameter: Parameter[str], study: Experiment, design: Design) -> None:
    """Chooses the first treatment that gives pairs, where the one chosen gives none."""
    for name in dict.fromkeys((parameter.value, *treatments())):
        settings = {**design.settings, TREATMENT.name: name}
        try:
            next(iter(study.pairs(replace(design, n=1, settings=settings))))
        except DesignError:
            continue
        parameter.change(name)
        return


def _draw_explanation(treatment: Treatment) -> None:
    st.markdown(f"**{plain(treatment.question)}**")
    source = f" After {treatment.source}." if treatment.source else ""
    st.caption(plain(f"{treatment.explanation}{source}"))


FIELDS = {
    STRUCTURE.name: Field(draw_structure, line_parameter, lambda _: False),
    TREATMENT.name: Field(draw_treatment, explains=_explained_by_treatment),
    SENTENCE.name: Field(draw_sentence),
    DIAGNOSABLE.name: Field(draw_diagnosable),
}
"""Of a composed study, by the names of its settings."""


_EVERY = StudyScreens(below_effects=draw_reversals)

SCREENS = {study.name: _EVERY for study in STUDIES} | {
    COMPOSED: replace(
        _EVERY, fields=FIELDS, below_pair=draw_wrong_answers, instead_of_pairs=draw_example
    ),
    IMPORTED: replace(_EVERY, instead_of_pairs=ask_for_set),
}
