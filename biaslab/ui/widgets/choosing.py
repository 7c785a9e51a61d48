"""One of several, or several of them: what is chosen is an id, what is read is its label.

Streamlit's lists and rows of buttons hand a choice over as the words that were shown, so of two
options with the same words the last one is taken, whichever a person chose and whatever the
address says. Every such widget of the app is therefore made here, and here equal words are
refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from biaslab.ui.navigation import Screen, link

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
