"""The typed problems that rules work on.

A form is a frozen dataclass of whole numbers, fractions, texts and tuples of them, registered
under its class name, so that a saved problem can be made again and worked again.
Fields that make no such problem are refused with a `ValueError` that is a sentence.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, TypeVar, dataclass_transform

from schoolmath.malrules.answers import Working
from schoolmath.problems.draws import Draws


class NotDrawn(Exception):
    """No problem of the kind asked for came up; draw again or ask for something else."""


class Form(Protocol):
    """A typed problem. Implementations are classes with ``@form``."""

    def stem(self) -> str:
        """The question as a pupil reads it, complete, ending with its question or task."""
        ...

    def solve(self) -> Working:
        """The right answer and the way to it."""
        ...

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        """A random problem for this grade, with numbers for which many rules trigger.

        Raises:
            NotDrawn: after a few attempts none came up.
        """
        ...


class ListedForm(Form, Protocol):
    """A form as `form` lists it, with what is said there."""

    content_class: ClassVar[str]
    grades: ClassVar[tuple[int, int]]
    dok: ClassVar[int]


FORMS: dict[str, type[ListedForm]] = {}
"""Every form by the name of its class."""

_F = TypeVar("_F", bound=type[Any])


@dataclass_transform(frozen_default=True)
def form(content_class: str, grades: tuple[int, int], dok: int) -> Callable[[_F], _F]:
    """Makes a class a frozen dataclass with slots, and registers it as a form.

    Args:
        content_class: one of `schoolmath.malrules.rules.ContentClass`, by its text.
        grades: lowest and highest grade that it is drawn for.
        dok: usual depth of knowledge, 1 to 3.

    Raises:
        ValueError: there is one of this name already.
    """

    def register(cls: _F) -> _F:
        if cls.__name__ in FORMS:
            raise ValueError(f"There are two forms {cls.__name__}.")
        made: Any = dataclasses.dataclass(frozen=True, slots=True)(cls)
        made.content_class, made.grades, made.dok = content_class, grades, dok
        FORMS[cls.__name__] = made
        registered: _F = made
        return registered

    return register


def listed(problem: Form) -> type[ListedForm]:
    """The form that a problem is of, as it is listed."""
    return FORMS[type(problem).__name__]


def draw_widely(form_type: type[Form], draws: Draws, grade: int) -> Form:
    """A random problem by which rules are told apart: of more kinds than `Form.draw` deals, where
    a form has a ``draw_widely`` of its own.

    Raises:
        NotDrawn: none came up.
    """
    widely: Callable[[Draws, int], Form] = getattr(form_type, "draw_widely", form_type.draw)
    return widely(draws, grade)


def write_form(problem: Form) -> dict[str, Any]:
    """A problem as a JSON object: ``form`` and its fields; fractions as text ``a/b``."""
    if not dataclasses.is_dataclass(problem) or isinstance(problem, type):
        raise TypeError(f"{problem!r} is no form.")
    fields = {f.name: _write(getattr(problem, f.name)) for f in dataclasses.fields(problem)}
    return {"form": type(problem).__name__, **fields}


def read_form(content: Mapping[str, Any]) -> Form:
    """The problem that `write_form` wrote.

    Raises:
        ValueError: there is no such form, or its fields are not what they should be.
    """
    fields = dict(content)
    name = fields.pop("form", None)
    if name not in FORMS:
        raise ValueError(f"There is no form {name!r} of problems.")
    made = FORMS[name]
    expected = {f.name for f in dataclasses.fields(made)}  # type: ignore[arg-type]
    if set(fields) != expected:
        raise ValueError(
            f"A problem {name} has the fields {sorted(expected)}, not {sorted(fields)}."
        )
    return made(**{key: _read(value) for key, value in fields.items()})


def _write(value: Any) -> Any:
    match value:
        case Fraction():
            return {"fraction": str(value)}
        case tuple():
            return [_write(each) for each in value]
        case bool() | int() | str():
            return value
    raise TypeError(f"{value!r} cannot stand in a problem: forms hold exact values only.")


def _read(value: Any) -> Any:
    match value:
        case {"fraction": str(text)}:
            return Fraction(text)
        case list():
            return tuple(_read(each) for each in value)
        case bool() | int() | str():
            return value
    raise ValueError(f"{value!r} cannot stand in a problem.")


def check_whole(low: int, high: int, **fields: object) -> None:
    """That every field is a whole number within the limits, both included.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, value in fields.items():
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            words = name.replace("_", " ")
            raise ValueError(
                f"The {words} must be a whole number from {low} to {high}, not {value!r}."
            )


def check_wholes(low: int, high: int, least: int, **fields: object) -> None:
    """That every field is a tuple of at least so many whole numbers within the limits.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, values in fields.items():
        if not isinstance(values, tuple) or len(values) < least:
            raise ValueError(f"The {name} must be {least} numbers or more, not {values!r}.")
        for value in values:
            check_whole(low, high, **{f"numbers_in_{name}": value})


def check_one_of(options: Collection[str], **fields: object) -> None:
    """That every field is one of the options.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, value in fields.items():
        if value not in options:
            raise ValueError(f"The {name} must be one of {sorted(options)}, not {value!r}.")


def check_share(**fields: object) -> None:
    """That every field is a fraction between 0 and 1, both left out.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, value in fields.items():
        if not isinstance(value, Fraction) or not 0 < value < 1:
            raise ValueError(f"The {name} must be a fraction between 0 and 1, not {value!r}.")


def check_that(good: bool, sentence: str) -> None:
    """That something holds.

    Raises:
        ValueError: it does not; with the sentence.
    """
    if not good:
        raise ValueError(sentence)
