"""The settings of a study as fields, drawn from what the study says about them.

A new study needs no change here: fields follow from `Experiment.settings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from biaslab.runs import PairSet, case_sets, item_sets, pair_sets
from biaslab.studies import (
    MAXIMUM_PAIRS,
    Design,
    Experiment,
    Setting,
    Value,
    experiment,
    experiments,
)
from biaslab.studies.study import LARGEST_SEED, LONGEST_TEXT
from biaslab.ui.ask.asking import default_setting, settings_for
from biaslab.ui.navigation import IMPORT_ITEMS, IMPORT_PAIRS, link
from biaslab.ui.studies.screens import Field, screens_of
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer, named
from biaslab.ui.widgets.words import moment, plain
from schoolmath.problems import DesignError
from schoolmath.text.figures import count


def set_words(sets: Iterable[PairSet]) -> dict[str, str]:
    """What each set is called in a list to choose from, by id; two may have one name."""
    zone = st.context.timezone
    return choosing.distinct_labels(
        {
            each.id: f"{each.name} ({count(each.pairs, 'pair')}, {moment(each.created, zone)})"
            for each in sets
        }
    )


def draw_set(setting: Setting, parameter: Parameter[str]) -> None:
    """Draws the choice; a set that a link names and the file has not stays as it was typed."""
    sets = {stored_set.id: stored_set for stored_set in pair_sets(queries.store())}
    if parameter.value and parameter.value not in sets:
        st.text_input(setting.label, help=setting.explanation, **parameter.bind())
        return
    words = set_words(sets.values())
    choosing.selectbox(
        setting.label,
        words,
        index=None,
        format_func=words.__getitem__,
        placeholder="Choose a set" if sets else "No set is saved yet",
        help=setting.explanation,
        **parameter.bind(),
    )
    link(IMPORT_PAIRS, "Look at the sets" if sets else "Import pairs")


def draw_named_set(
    setting: Setting, parameter: Parameter[str], sets: Mapping[str, int], none: str, noun: str
) -> None:
    """Draws the choice of a set by its name, or none; an unknown one stays as typed.

    Args:
        setting: what is chosen.
        parameter: where it is kept.
        sets: how many members each has, by name.
        none: what is asked without a set.
        noun: what a member is called.
    """
    if parameter.value and parameter.value not in sets:
        st.text_input(setting.label, help=setting.explanation, **parameter.bind())
        return
    words = {"": none} | {name: f"{name} ({count(n, noun)})" for name, n in sets.items()}
    choosing.selectbox(
        setting.label,
        words,
        format_func=words.__getitem__,
        help=setting.explanation,
        **parameter.bind(),
    )


FEWEST_FOR_TEXT = 30
"""A range of more values than this is typed; a slider would be too coarse."""

_RANGE = re.compile(r"\d{1,6}(-\d{1,6})?")
_OFFER = re.compile(r"\bis ([\d,]+(?:-[\d,]+)?)\.$")


def study_parameter() -> Parameter[str]:
    """The study as it stands in the address."""
    names = tuple(experiments())
    return choice("study", names, names[0])


def size_parameter() -> Parameter[int]:
    """The number of pairs as it stands in the address."""
    return integer("n", 200, 1, MAXIMUM_PAIRS)


def seed_parameter() -> Parameter[int]:
    """The seed as it stands in the address."""
    return integer("seed", 1, 0, LARGEST_SEED)


def design_of_address() -> Design:
    """The design that the address names, whether it can be made or not."""
    study = experiment(study_parameter().value)
    return design_of_settings(study.name, study.settings)


def design_of_settings(name: str, selection: Iterable[Setting]) -> Design:
    """The design of a study whose settings, those given, stand in the address."""
    settings: dict[str, Value] = {}
    study = experiment(name)
    for setting in selection:
        parameter = setting_parameter(study, setting)
        if parameter.value != str(setting.default):
            settings[setting.name] = parameter.value
    return Design(name, size_parameter().value, seed_parameter().value, settings)


def setting_parameter(study: Experiment, setting: Setting) -> Parameter[str]:
    """A setting as it stands in the address, written as on the command line.

    Where the address is silent, it is what the default model can do (`model_cards`).
    """
    default = default_setting(study, setting)
    field = screens_of(study.name).fields.get(setting.name)
    if field is not None and field.parameter is not None:
        return field.parameter(default)
    match setting.kind:
        case "choice":
            return choice(setting.name, setting.choices, default)
        case "range":
            return Parameter(
                setting.name,
                default,
                lambda text: text if _RANGE.fullmatch(text) else None,
            )
        case "integer":
            return Parameter(setting.name, default, lambda text: text if text.isdigit() else None)
        case _:
            return Parameter(setting.name, default, _short_line)


def _short_line(text: str) -> str | None:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else None


def draw_study(study: Experiment) -> None:
    """Draws the choice of the study."""
    parameter = study_parameter()
    choosing.selectbox(
        "Study",
        list(experiments()),
        format_func=lambda name: experiments()[name].title,
        filter_mode=None,
        help=f"After {plain(study.source)}.",
        **parameter.bind(),
    )
    st.markdown(f"**{plain(study.question)}**")
    if parameter.refused is not None:
        st.warning(
            f"The link names a study “{plain(parameter.refused)}” that does not exist. "
            f"Shown is “{plain(study.title)}”."
        )


def draw_size_and_seed() -> None:
    """Draws how many pairs and which."""
    one, other = st.columns(2, wrap=False)
    with one:
        st.number_input(
            "Pairs",
            min_value=1,
            max_value=MAXIMUM_PAIRS,
            step=50,
            value=None,
            help="How many pairs of problems. 200 are enough to see an effect of ten "
            "percentage points; more pairs give narrower intervals.",
            **size_parameter().bind(),
        )
    with other:
        st.number_input(
            "Seed",
            min_value=0,
            max_value=LARGEST_SEED,
            step=1,
            value=None,
            help="Any whole number. The same seed gives the same pairs on every computer; "
            "another one gives other pairs of the same kind.",
            **seed_parameter().bind(),
        )


def draw_settings(study: Experiment, error: DesignError | None) -> None:
    """Draws the study's settings: folded where the study's own give pairs and nobody chose others.

    The error says why the design that the address names cannot be made, if so; it is shown
    at the setting that it is about.
    """
    names = [setting.name for setting in study.settings]
    told = error is not None or bool(screens_of(study.name).fields) or named(names)
    panel = st.expander("Settings", expanded=told, key=f"settings {study.name}", on_change="rerun")
    with panel:
        _draw_settings(study, error)


def _draw_settings(study: Experiment, error: DesignError | None) -> None:
    drawn = []
    fields = screens_of(study.name).fields
    for setting in study.settings:
        if setting.kind in ("integer", "range") and setting.minimum == setting.maximum:
            continue
        parameter, field = setting_parameter(study, setting), fields.get(setting.name)
        if not _means_something(study, setting):
            continue
        drawn.append(setting.name)
        if field is None:
            draw_setting(setting, parameter)
        else:
            field.draw(study, setting, parameter, error)
        if error is not None and _explains(field, setting, error):
            _show(error, parameter)
    if error is not None and error.setting == "n":
        _show(error, size_parameter())
    elif error is not None and error.setting not in drawn:
        st.error(plain(str(error)), icon=":material/error:")


def _means_something(study: Experiment, setting: Setting) -> bool:
    """Whether the setting counts beside what is chosen; one that was changed is always drawn."""
    other = next((each for each in study.settings if each.name == setting.unless), None)
    if other is None or setting_parameter(study, setting).value != str(setting.default):
        return True
    return setting_parameter(study, other).value == str(other.default)


def _explains(field: Field | None, setting: Setting, error: DesignError) -> bool:
    """Whether the error is shown at this setting."""
    if field is None or field.explains is None:
        return error.setting == setting.name
    return field.explains(error)


def address_of(design: Design) -> dict[str, str]:
    """The parameters of a link to this design on Compose."""
    fixed = {"study": design.study, "n": str(design.n), "seed": str(design.seed)}
    study = experiments().get(design.study)
    # Where the design leaves a setting to the study, the page would take its own default.
    if study is not None:
        fixed |= {
            each.name: str(each.default)
            for each in study.settings
            if default_setting(study, each) != str(each.default)
        }
    return fixed | {name: str(value) for name, value in design.settings.items()}


def asked_of(model: str) -> dict[str, str]:
    """The parameters of a link that asks a model the first study, as far as its card says it can.

    Compose opens with that study, so the link need not name it.
    """
    study = experiment(next(iter(experiments())))
    return {"model": model, **settings_for(model, study)}


def draw_setting(setting: Setting, parameter: Parameter[str]) -> None:
    """Draws a setting as its kind says."""
    match setting.kind:
        case "choice":
            choosing.segmented_control(
                setting.label,
                setting.choices,
                format_func=str.capitalize,
                help=setting.explanation,
                required=True,
                wrap=True,
                **parameter.bind(),
            )
        case "range" if setting.maximum - setting.minimum < FEWEST_FOR_TEXT:
            _draw_slider(setting, parameter)
        case "set":
            draw_set(setting, parameter)
        case "items":
            sets = {each.name: each.items for each in item_sets(queries.store())}
            draw_named_set(setting, parameter, sets, "the item bank", "item")
            link(IMPORT_ITEMS, "Look at the sets of items" if sets else "Import items")
        case "cases":
            sets = {each.name: each.pairs for each in case_sets(queries.store())}
            draw_named_set(setting, parameter, sets, "BiasLab's scenes", "case")
        case "text":
            st.text_input(setting.label, help=setting.explanation, **parameter.bind())
        case "integer":
            st.text_input(
                setting.label,
                help=f"{setting.explanation} Write a whole number from {setting.minimum} to "
                f"{setting.maximum}, such as {setting.default}.",
                **parameter.bind(),
            )
        case _:
            st.text_input(
                setting.label,
                help=f"{setting.explanation} Write two whole numbers from {setting.minimum} to "
                f"{setting.maximum} with a hyphen, such as {setting.default}.",
                **parameter.bind(),
            )


def _draw_slider(setting: Setting, parameter: Parameter[str]) -> None:
    """A range of few values; the address keeps it as text, the slider as two numbers."""
    key = f"slider {setting.name}"
    low, _, high = parameter.value.partition("-")
    ends = sorted((int(low), int(high or low)))
    inside = [min(max(end, setting.minimum), setting.maximum) for end in ends]
    st.session_state[key] = (inside[0], inside[1])

    def keep() -> None:
        first, last = st.session_state[key]
        parameter.change(f"{first}-{last}")

    st.slider(
        setting.label,
        setting.minimum,
        setting.maximum,
        step=1,
        help=setting.explanation,
        key=key,
        on_change=keep,
    )


def _show(error: DesignError, parameter: Parameter[Any]) -> None:
    st.error(f"{plain(error.reason)} {plain(error.suggestion)}", icon=":material/error:")
    offer = _OFFER.search(error.suggestion)
    if offer is not None:
        nearest = parameter.read(offer[1].replace(",", ""))
        key = f"use {parameter.name}"
        st.button(f"Use {nearest}", on_click=parameter.change, args=(nearest,), key=key)
