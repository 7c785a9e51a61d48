"""What fills the gaps of a bias file: values that are drawn, slots, and vignettes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from biaslab.studies.decisions.biases.document import Document
from biaslab.studies.decisions.biases.expressions import LARGEST
from biaslab.studies.decisions.biases.template import (
    CalculatedValue,
    ChoiceValue,
    IntegerValue,
    ValueSource,
    Vignette,
    VignetteSlot,
)

MOST_VIGNETTES = 1_000
FORBIDDEN = ("numbers", "questions")
"""What a slot may forbid."""

_NAME = re.compile(r"[a-z_]\w*")


def read_values(document: Document) -> dict[str, ValueSource]:
    """The custom values, in their order; what cannot be drawn is noted."""
    given = document.loaded.get("values", {})
    found = {}
    for name, each in given.items():
        with document.noting():
            found[_named(document, "values", name)] = _value(document, f"values.{name}", each)
    return found


def read_slots(document: Document, values: Mapping[str, ValueSource]) -> dict[str, VignetteSlot]:
    """The slots, in their order; what is wrong is noted."""
    slots = {}
    for name, each in document.loaded.get("slots", {}).items():
        with document.noting():
            slots[_named(document, "slots", name)] = _slot(document, f"slots.{name}", each, values)
    for name in sorted(set(values) & set(slots)):
        with document.noting():
            raise document.fault(f"slots.{name}", "A slot and a value have the same name.")
    return slots


def read_swap(document: Document, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of slots or values, of these names, that exchange their contents; what is wrong
    is noted.
    """
    found = []
    for index, given in enumerate(document.loaded.get("swap", [])):
        where = f"swap[{index}]"
        with document.noting():
            if not isinstance(given, list) or len(given) != 2:
                raise document.fault(where, "A swap names two slots.", "Such as [first, second].")
            for name in given:
                if name not in names:
                    raise document.fault(where, f"There is no slot or value “{name}”.")
            found.append((str(given[0]), str(given[1])))
    return tuple(found)


def read_vignettes(
    document: Document, slots: Mapping[str, VignetteSlot], values: Mapping[str, ValueSource]
) -> tuple[Vignette, ...]:
    """The vignettes, each with a text for every slot; every vignette and slot that is wrong is
    noted.

    Raises:
        BiasError: there are too many.
    """
    given = document.loaded.get("vignettes", [])
    if len(given) > MOST_VIGNETTES:
        raise document.fault("vignettes", f"The most is {MOST_VIGNETTES:,} vignettes.")
    found: dict[str, Vignette] = {}
    for index, each in enumerate(given):
        with document.noting():
            _vignette(document, f"vignettes[{index}]", each, slots, values, found)
    return tuple(found.values())


def _vignette(
    document: Document,
    where: str,
    given: Any,
    slots: Mapping[str, VignetteSlot],
    values: Mapping[str, ValueSource],
    found: dict[str, Vignette],
) -> None:
    """Adds a vignette to those found; every fault of its slots is noted."""
    if not isinstance(given, dict):
        raise document.fault(where, "A vignette is a list of slots.")
    for key in given:
        with document.noting():
            document.only(where, [key], ("id", "field", *slots))
    filled = {}
    for key in ("id", "field", *slots):
        with document.noting():
            if given.get(key) in (None, "", {}):
                raise document.fault(f"{where}.{key}", f"“{key}” is missing or empty.")
            if key in slots:
                filled[key] = _content(document, f"{where}.{key}", given[key], slots[key], values)
    name = str(given.get("id", ""))
    if name in found:
        raise document.fault(f"{where}.id", f"Two vignettes have the id “{name}”.")
    found[name] = Vignette(name, str(given.get("field", "")), filled)


def _named(document: Document, key: str, name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise document.fault(
            f"{key}.{name}",
            f"“{name}” cannot be the name of a gap.",
            "A name is of letters, digits and _, and begins with a small letter.",
        )
    return name


def _value(document: Document, where: str, given: object) -> ValueSource:
    if not isinstance(given, dict):
        raise document.fault(where, "A value says how it is drawn.", "Such as {integer: [1, 9]}.")
    match given:
        case {"integer": [int(low), int(high)], **rest}:
            document.only(where, rest, ("step",))
            step = rest.get("step", 1)
            if not isinstance(step, int) or step < 1 or low > high:
                raise document.fault(where, "Low, high and step do not fit together.")
            if max(abs(low), abs(high)) > LARGEST:
                raise document.fault(where, f"A value is at most {LARGEST:,} in size.")
            return IntegerValue(low, high, step)
        case {"choice": [_, *_] as options, **rest} if all(
            isinstance(each, str | int) and not isinstance(each, bool) for each in options
        ):
            document.only(where, rest, ())
            return ChoiceValue(tuple(options))
        case {"choice": _}:
            raise document.fault(
                where, "A choice is among texts and whole numbers.",
                "Put words such as yes, no, on and off in quotation marks.",
            )  # fmt: skip
        case {"expression": str(expression), **rest}:
            document.only(where, rest, ())
            return CalculatedValue(expression)
    raise document.fault(
        where,
        "This is no way to draw a value.",
        "Write {integer: [low, high]}, {choice: [a, b]} or {expression: ...}.",
    )


def _slot(
    document: Document, where: str, given: object, values: Mapping[str, ValueSource]
) -> VignetteSlot:
    if isinstance(given, str):
        given = {"instruction": given}
    if not isinstance(given, dict):
        raise document.fault(where, "A slot says what stands in it.", "Write an instruction.")
    document.only(where, given, ("instruction", "by", "forbid", "words"))
    by = str(given.get("by", ""))
    source = values.get(by)
    if by and not isinstance(source, ChoiceValue):
        raise document.fault(f"{where}.by", f"“{by}” is no value with a choice.")
    instruction = given.get("instruction", "")
    named = (
        {str(key): str(text).strip() for key, text in instruction.items()}
        if isinstance(instruction, dict)
        else {"": str(instruction).strip()}
    )
    if isinstance(source, ChoiceValue) and "" not in named:
        choices = set(map(str, source.options))
        if set(named) != choices:
            raise document.fault(
                f"{where}.instruction",
                f"Here stands an instruction for each {by}: {', '.join(sorted(choices))}.",
            )
    if not all(named.values()) or (not by and "" not in named):
        raise document.fault(where, "A slot says what stands in it.", "Write an instruction.")
    forbid = given.get("forbid", [])
    if not isinstance(forbid, list) or not all(each in FORBIDDEN for each in forbid):
        raise document.fault(f"{where}.forbid", f"A slot can forbid: {', '.join(FORBIDDEN)}.")
    words = given.get("words", 0)
    if not isinstance(words, int) or isinstance(words, bool) or words < 0:
        raise document.fault(f"{where}.words", "The most words of a slot is a whole number.")
    return VignetteSlot(named, by, tuple(forbid), words)


def _content(
    document: Document,
    where: str,
    given: Any,
    slot: VignetteSlot,
    values: Mapping[str, ValueSource],
) -> str | Mapping[str, str]:
    if not slot.by:
        if isinstance(given, dict | list):
            raise document.fault(where, "Here stands a text.", "Put it in quotation marks.")
        return str(given).strip()
    source = values[slot.by]
    assert isinstance(source, ChoiceValue)
    choices = tuple(map(str, source.options))
    if not isinstance(given, dict) or set(map(str, given)) != set(choices):
        raise document.fault(where, f"Here stands a text for each {slot.by}: {', '.join(choices)}.")
    if not all(str(text or "").strip() for text in given.values()):
        raise document.fault(where, "One of these texts is empty.")
    return {str(choice): str(text).strip() for choice, text in given.items()}
