"""The fields that only a composed study has: its structure, what changes, in which sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from biaslab.studies import Design, Experiment, Setting
from biaslab.studies.word_problems.composed import (
    DIAGNOSABLE,
    SENTENCE,
    STRUCTURE,
    TREATMENT,
)
from biaslab.studies.word_problems.treatments import Treatment, treatments
from biaslab.ui.compose.design_form import design_of_address, draw_setting, setting_parameter
from biaslab.ui.studies.screens import Field
from biaslab.ui.studies.word_problems.structure_builder import draw_builder, line_parameter
from biaslab.ui.studies.word_problems.structure_line import StructureLine, read_line
from biaslab.ui.studies.word_problems.structure_sentences import examples
from biaslab.ui.studies.word_problems.wrong_answers import draw_list_of_ways
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.structure import StructureError


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
