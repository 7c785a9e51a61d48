"""The link is the state: every choice on a screen stands in its address, and nowhere else.

A widget takes its value from the address before it is drawn and writes it back when a person
changes it. So a copied link, the back button and a reload all show the same screen. A value
equal to its default is left out of the address.

Which names a page has is declared once, in `biaslab.ui.navigation`; here is said what their texts
mean. A name that the page shown does not declare is refused, because it would be lost on the way
back to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Generic, TypedDict, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

T = TypeVar("T")
Amount = TypeVar("Amount", int, float)

_REMEMBERED = "remembered addresses"
_PAGE = "page shown last"
_DECLARED = "parameters of the page shown"
_NEWS = "address that browsers may not know yet"
_UNHEARD_S = 3.0
"""How long after the end of a run a browser may not have heard of the address that the run made.

For so long a link from a page to the address that the page had before does nothing; the browser's
own way back does.
"""


class UndeclaredParameter(Exception):
    """A page reads or writes a parameter that `biaslab.ui.navigation` does not list for it."""


class Binding(TypedDict):
    """What a widget needs to be bound to the address."""

    key: str
    on_change: Callable[..., None]
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Parameter(Generic[T]):
    """One choice as it stands in the address.

    Attributes:
        name: as in ``?name=value``.
        default: the value while the address does not name it.
        read: the value of a text, or None where the text means nothing here.
        write: the text of a value.
        resets: names of others that lose their meaning when this one changes.
    """

    name: str
    default: T
    read: Callable[[str], T | None]
    write: Callable[[T], str] = str
    resets: tuple[str, ...] = ()

    @property
    def value(self) -> T:
        """What the address says."""
        text = _text_of(self.name)
        found = None if text is None else self.read(text)
        return self.default if found is None else found

    @property
    def refused(self) -> str | None:
        """The text in the address where it means nothing here, else None."""
        text = _text_of(self.name)
        return None if text is None or self.read(text) is not None else text

    def set(self, value: T) -> None:
        """Puts a value into the address."""
        set_address(self._with(value))

    def bind(self) -> Binding:
        """Arguments that bind a widget: ``selectbox("Study", names, **study.bind())``."""
        key = f"address {self.name}"
        _set_if_other(key, self.value)
        return Binding(key=key, on_change=self._changed, args=(key,))

    def change(self, value: T) -> None:
        """Puts a value into the address that a person has just chosen."""
        set_address(
            {name: text for name, text in self._with(value).items() if name not in self.resets}
        )

    def _with(self, value: T) -> dict[str, str]:
        others = {name: text for name, text in address_now().items() if name != self.name}
        return others if value == self.default else others | {self.name: self.write(value)}

    def _changed(self, key: str) -> None:
        value = st.session_state[key]
        # What a person empties is no link that means nothing: the default is shown, unless empty
        # is a value itself.
        emptied = not value and (value is None or self.read(self.write(value)) is None)
        self.change(self.default if emptied else value)


def _set_if_other(key: str, value: object) -> None:
    """Gives a widget its value; the same one again would undo what a person types meanwhile."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _text_of(name: str) -> str | None:
    """The text of a parameter in the address.

    Raises:
        UndeclaredParameter: the page shown does not declare it.
    """
    declared = st.session_state.get(_DECLARED)
    if declared is not None and name not in declared:
        raise UndeclaredParameter(
            f"The page {st.session_state[_PAGE]} reads “{name}” from its address and does not "
            "declare it: add it to the screen's parameters in biaslab/ui/navigation.py."
        )
    return address_now().get(name)


@dataclass
class _News:
    """An address that browsers may not know yet.

    Attributes:
        address: the new one.
        before: those that it replaced, which a browser may still send.
        since: when the run that made it ended, in seconds of a clock that only goes on; None: it
            goes on.
    """

    address: dict[str, str]
    before: list[dict[str, str]]
    since: float | None = None

    @property
    def is_fresh(self) -> bool:
        return self.since is None or time.monotonic() - self.since < _UNHEARD_S


def address_now() -> dict[str, str]:
    """The address of the page shown, also where the browser has not heard of it yet."""
    now = st.query_params.to_dict()
    news: _News | None = st.session_state.get(_NEWS)
    if news is None or now == news.address or now not in news.before or not news.is_fresh:
        return now
    context = get_script_run_ctx()
    if context is not None and context.is_history_navigation:
        return now
    st.query_params.from_dict(news.address)
    return dict(news.address)


def set_address(address: Mapping[str, str]) -> None:
    """Makes this the address of the page shown."""
    now = address_now()
    if now == address:
        return
    news: _News | None = st.session_state.get(_NEWS)
    before = news.before if news is not None and news.is_fresh else []
    context = get_script_run_ctx()
    # Of a run of a part of the page nobody says when it ends.
    of_a_part = context is not None and bool(context.fragment_ids_this_run)
    since = time.monotonic() if of_a_part else None
    st.session_state[_NEWS] = _News(dict(address), [*before, now], since)
    st.query_params.from_dict(dict(address))


def end_run() -> None:
    """From now on time counts for what the run that ends here made of the address."""
    news: _News | None = st.session_state.get(_NEWS)
    if news is not None and news.since is None:
        news.since = time.monotonic()


def choice(
    name: str, options: Collection[str], default: str, resets: tuple[str, ...] = ()
) -> Parameter[str]:
    """A parameter that is one of the options."""
    return Parameter(name, default, lambda text: text if text in options else None, str, resets)


def integer(
    name: str, default: int, minimum: int, maximum: int, resets: tuple[str, ...] = ()
) -> Parameter[int]:
    """A whole number in a range."""
    return Parameter(name, default, partial(_in_range, int, minimum, maximum), str, resets)


def _in_range(
    kind: Callable[[str], Amount], minimum: Amount, maximum: Amount, text: str
) -> Amount | None:
    try:
        found = kind(text)
    except ValueError:
        return None
    # Not a number is in no range.
    return found if minimum <= found <= maximum else None


def flag(name: str, default: bool = False, resets: tuple[str, ...] = ()) -> Parameter[bool]:
    """Yes or no."""

    def write(value: bool) -> str:
        return "yes" if value else "no"

    return Parameter(name, default, {"yes": True, "no": False}.get, write, resets)


def several(
    name: str, options: Collection[str], default: Sequence[str], resets: tuple[str, ...] = ()
) -> Parameter[list[str]]:
    """Some of the options, in the order of the address; an option holds no comma."""

    def read(text: str) -> list[str] | None:
        named = [part for part in text.split(",") if part in options]
        return named or None

    return Parameter(name, list(default), read, ",".join, resets)


def remember(page: str, own: Collection[str]) -> None:
    """Brings back what a page showed when a person comes to it again without a link.

    Streamlit empties the address when another page is chosen in the navigation, and the back
    button leaves the other page's parameters in it.

    Args:
        page: which page is shown.
        own: names of its parameters; others in the address mean nothing to it, and it may read
            no others.
    """
    kept: dict[str, dict[str, str]] = st.session_state.setdefault(_REMEMBERED, {})
    if st.session_state.get(_PAGE) != page:
        st.session_state.pop(_NEWS, None)
    now = {name: text for name, text in address_now().items() if name in own}
    if st.session_state.get(_PAGE) != page and not now and kept.get(page):
        now = kept[page]
        set_address(now)
    elif st.session_state.get(_PAGE) == page and now != kept.get(page):
        # A link to the page itself reaches this program and leaves the browser's address bare:
        # saying it again puts it there.
        st.query_params.from_dict(now)
    st.session_state[_PAGE] = page
    st.session_state[_DECLARED] = frozenset(own)
    kept[page] = now


def open_integer(name: str, minimum: int, maximum: int) -> Parameter[int | None]:
    """A whole number in a range, or None for no limit."""
    return Parameter(name, None, partial(_in_range, int, minimum, maximum), str)


def number(
    name: str, default: float, minimum: float, maximum: float, resets: tuple[str, ...] = ()
) -> Parameter[float]:
    """A number in a range, both ends included."""
    read = partial(_in_range, float, minimum, maximum)
    return Parameter(name, default, read, "{:g}".format, resets)


def named(names: Iterable[str]) -> bool:
    """Whether the address says anything of what has one of these names."""
    return any(_text_of(name) is not None for name in names)


def typed(name: str) -> Parameter[str]:
    """What a person typed, such as an amount; empty for nothing."""
    return Parameter(name, "", lambda text: text.strip() or None, str.strip)


def amount(text: str) -> Decimal | None:
    """The exact amount that was typed; a comma may stand for the point. None: it is none."""
    try:
        found = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return found if found.is_finite() and found >= 0 else None


def draft_field(
    label: str, parameter: Parameter[T], *, long: bool = False, **options: Any
) -> str | None:
    """Draws a text field for a parameter.

    Args:
        label: of the field.
        parameter: reads and writes its text.
        long: whether the text has several lines.
        options: for Streamlit's field.

    Returns:
        the text that means nothing, to be told of; None where all is well.
    """
    key = f"draft {parameter.name}"
    written = parameter.write(parameter.value)
    kept: tuple[str, str | None] = st.session_state.get(f"{key} wrong", (written, None))
    before, wrong = kept
    # A link, or another choice on the page, has changed the value since.
    if before != written:
        wrong = None
    _set_if_other(key, written if wrong is None else wrong)

    def keep() -> None:
        text = str(st.session_state[key] or "").strip()
        meant = parameter.read(text) if text else parameter.default
        if meant is None:
            st.session_state[f"{key} wrong"] = (written, text)
        else:
            st.session_state.pop(f"{key} wrong", None)
            parameter.change(meant)

    field = st.text_area if long else st.text_input
    field(label, key=key, on_change=keep, **options)
    return wrong
