"""One of several, or several of them: what is chosen is an id, what is read is its label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import streamlit as st

from biaslab.runs.library.sets import StoredSet
from biaslab.studies import Stratum, Value
from biaslab.system.roles import May
from biaslab.ui.navigation import Screen, link
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.words import moment, plain

T = TypeVar("T", bound=Hashable)
Words = Callable[[T], str]


class EqualLabels(Exception):
    """Two options of one widget would look the same: a fault of the screen, never of a person."""


def radio(label: str, options: Iterable[T], *, format_func: Words[T] = str, **how: Any) -> T | None:
    """A list of buttons, as `st.radio`.

    Args:
        label: what is chosen.
        options: ids of what there is to choose from.
        format_func: the words of an option, which no other has.
        how: as Streamlit takes it.

    Raises:
        EqualLabels: two options have the same words.
    """
    shown = _distinct(label, options, format_func)
    chosen: T | None = st.radio(label, shown, format_func=format_func, **how)
    return chosen


def selectbox(
    label: str, options: Iterable[T], *, format_func: Words[T] = str, **how: Any
) -> T | None:
    """A list that opens, as `st.selectbox`; arguments and errors are those of `radio`."""
    shown = _distinct(label, options, format_func)
    chosen: T | None = st.selectbox(label, shown, format_func=format_func, **how)
    return chosen


def multiselect(
    label: str, options: Iterable[T], *, format_func: Words[T] = str, **how: Any
) -> list[T]:
    """Several of a list, as `st.multiselect`; arguments and errors are those of `radio`."""
    shown = _distinct(label, options, format_func)
    return st.multiselect(label, shown, format_func=format_func, **how)


def pills(label: str, options: Iterable[T], *, format_func: Words[T] = str, **how: Any) -> Any:
    """Buttons beside each other, as `st.pills`; arguments and errors are those of `radio`."""
    shown = _distinct(label, options, format_func)
    return st.pills(label, shown, format_func=format_func, **how)


def segmented_control(
    label: str, options: Iterable[T], *, format_func: Words[T] = str, **how: Any
) -> T | None:
    """Buttons in one piece, as `st.segmented_control`; otherwise as `radio`."""
    shown = _distinct(label, options, format_func)
    chosen: T | None = st.segmented_control(label, shown, format_func=format_func, **how)
    return chosen


def distinct_labels(names: Mapping[str, str]) -> dict[str, str]:
    """Labels for things that people named, who may give two the same name.

    Args:
        names: by id.

    Returns:
        the names by id; where several are the same, each with its id behind it.
    """
    found = dict(names)
    while alike := _alike(found.values()):
        for each, words in found.items():
            if _seen(words) in alike:
                found[each] = f"{words} · {each}"
    return found


def _distinct(label: str, options: Iterable[T], words: Words[T]) -> list[T]:
    there = list(options)
    if alike := _alike(words(option) for option in there):
        raise EqualLabels(f"“{label}” offers more than one “{'” and “'.join(sorted(alike))}”.")
    return there


def _alike(labels: Iterable[str]) -> set[str]:
    return {label for label, times in Counter(map(_seen, labels)).items() if times > 1}


def _seen(label: str) -> str:
    """A label as a browser shows it: spaces in a row are one."""
    return " ".join(label.split())


class ListEntry(NamedTuple):
    """A thing in the list.

    Attributes:
        label: what it is called, as Markdown.
        address: the parameters that show it.
        icon: how it is with it.
        about: more, as Markdown.
        shown: whether the page shows it now.
    """

    label: str
    address: Mapping[str, str]
    icon: str
    about: str
    shown: bool


def draw_links(screen: Screen, listed: Iterable[ListEntry]) -> None:
    """Draws the list. Streamlit marks every link to the page itself; here only the one shown is."""
    with st.container(key="links", gap="small"):
        for each in listed:
            with st.container(key="link shown" if each.shown else None, gap="xxsmall"):
                link(
                    screen,
                    f"{each.label} (shown)" if each.shown else each.label,
                    each.address,
                    icon=each.icon,
                )
                st.caption(each.about)


Chosen: TypeAlias = tuple[tuple[str, Value], ...]
"""Strata by name with the value asked for, in the order of the study."""

_ANY = ""


def written(strata: Mapping[str, object]) -> str:
    """Strata as in a link: ``steps:2,operation:addition``."""
    return ",".join(f"{name}:{value}" for name, value in strata.items())


def strata_parameter(
    values: Mapping[str, Sequence[Value]], resets: tuple[str, ...]
) -> Parameter[Chosen]:
    """The strata that the address names; a text with a stratum that is not there means none."""

    def read(text: str) -> Chosen | None:
        found: list[tuple[str, Value]] = []
        for part in text.split(","):
            name, _, value = part.partition(":")
            match = [known for known in values.get(name, ()) if str(known) == value]
            if not match:
                return None
            found.append((name, match[0]))
        return tuple(found)

    return Parameter("strata", (), read, lambda chosen: written(dict(chosen)), resets)


def draw_filter(
    strata: Sequence[Stratum], values: Mapping[str, Sequence[Value]], parameter: Parameter[Chosen]
) -> None:
    """A choice for each stratum that has more than one value."""
    chosen = dict(parameter.value)
    shown = [stratum for stratum in strata if len(values.get(stratum.name, ())) > 1]
    if not shown:
        return
    with st.grid(min(len(shown), 4), min_column_width=150):
        for stratum in shown:
            _draw_one(stratum, values[stratum.name], chosen, parameter)


def _draw_one(
    stratum: Stratum,
    values: Sequence[Value],
    selection: dict[str, Value],
    parameter: Parameter[Chosen],
) -> None:
    key = f"stratum {stratum.name}"
    by_text = {str(value): value for value in values}
    st.session_state[key] = str(selection.get(stratum.name, _ANY))

    def keep() -> None:
        now = {name: value for name, value in selection.items() if name != stratum.name}
        picked = st.session_state[key]
        if picked in by_text:
            now[stratum.name] = by_text[picked]
        parameter.change(tuple(now.items()))

    selectbox(
        stratum.label.capitalize(),
        [_ANY, *by_text],
        format_func=lambda text: text or "all",
        key=key,
        on_change=keep,
        help=stratum.explanation,
        filter_mode=None,
    )


def chosen_set(words: Mapping[str, str], parameter: Parameter[str], none: str, gone: str) -> str:
    """Draws the list of sets, or why there is none.

    Args:
        words: what each set is called in the list, by id.
        parameter: the id of the one that the address names; "" for none.
        none: said where no set is kept.
        gone: said where the address names a set that is not in the file.

    Returns:
        the id of the one that is shown; "" for none.
    """
    if parameter.value and parameter.value not in words:
        st.warning(gone)
    if not words:
        st.info(none)
        return ""
    bound = parameter.bind()
    if parameter.value not in words:
        st.session_state[bound["key"]] = ""
    listed = {"": "Choose a set", **words}
    selectbox("Set", listed, format_func=listed.__getitem__, filter_mode=None, **bound)
    return parameter.value if parameter.value in words else ""


def origin_line(stored: StoredSet) -> None:
    """Draws where a set comes from and when it was kept."""
    when = moment(stored.created, st.context.timezone)
    st.caption(f"From {plain(stored.origin)}, saved {when}.")


def delete_button(set_id: str, delete: Callable[[], None]) -> None:
    """Draws the button that deletes a set, behind a question; a page may show several sets."""
    if not visitor.may(May.DELETE):
        return
    with st.popover("Delete", icon=":material/delete:"):
        st.markdown("Runs that asked it stay as they are. The set itself is gone.")
        st.button("Delete this set", key=f"delete {set_id}", type="primary", on_click=delete)
