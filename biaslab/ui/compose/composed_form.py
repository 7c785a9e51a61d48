"""The fields that only a composed study has: what changes, and in which sentence."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from biaslab.problems import DesignError
from biaslab.problems.chains import ChainPlan
from biaslab.studies import Design, Experiment, Setting
from biaslab.studies.word_problems.treatments import Treatment, treatments
from biaslab.ui.compose.structure_line import Line
from biaslab.ui.compose.structure_sentences import examples
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.words import plain

STRUCTURE, TREATMENT, SENTENCE = "structure", "treatment", "sentence"
DIAGNOSABLE = "diagnosable"
"""Settings that have fields of their own."""


def draw_treatment(setting: Setting, parameter: Parameter[str], line: Line) -> None:
    """Draws the choice of what the members of a pair differ in.

    What cannot be changed alone in this structure stays in the list, with the reason below.
    """
    offered = treatments()
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


def draw_sentence(setting: Setting, parameter: Parameter[str], line: Line) -> None:
    """Draws the choice of the sentence that is treated, by its words."""
    automatic = str(setting.default)
    options = {automatic: "As the treatment says"}
    for number, sentence in enumerate(examples(line), start=1):
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
        settings = {**design.settings, TREATMENT: name}
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
