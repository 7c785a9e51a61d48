"""Reading a bias from its YAML file, with every fault at its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from biaslab.studies.decisions.biases.document import Document, read_document
from biaslab.studies.decisions.biases.expressions import LARGEST
from biaslab.studies.decisions.biases.template import (
    Bias,
    CalculatedValue,
    ChoiceValue,
    Expression,
    Fidelity,
    FidelityVerdict,
    IntegerValue,
    MetricTemplate,
    MovementWords,
    ValueSource,
    Vignette,
    VignetteSlot,
)
from schoolmath.text.yaml_files import read_yaml

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
    content: Any,
    slots: Mapping[str, VignetteSlot],
    values: Mapping[str, ValueSource],
    vignettes: dict[str, Vignette],
) -> None:
    """Adds a vignette to those found; every fault of its slots is noted."""
    if not isinstance(content, dict):
        raise document.fault(where, "A vignette is a list of slots.")
    for key in content:
        with document.noting():
            document.only(where, [key], ("id", "field", *slots))
    filled = {}
    for key in ("id", "field", *slots):
        with document.noting():
            if content.get(key) in (None, "", {}):
                raise document.fault(f"{where}.{key}", f"“{key}” is missing or empty.")
            if key in slots:
                filled[key] = _content(document, f"{where}.{key}", content[key], slots[key], values)
    name = str(content.get("id", ""))
    if name in vignettes:
        raise document.fault(f"{where}.id", f"Two vignettes have the id “{name}”.")
    vignettes[name] = Vignette(name, str(content.get("field", "")), filled)


def _named(document: Document, key: str, name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise document.fault(
            f"{key}.{name}",
            f"“{name}” cannot be the name of a gap.",
            "A name is of letters, digits and _, and begins with a small letter.",
        )
    return name


def _value(document: Document, where: str, content: object) -> ValueSource:
    if not isinstance(content, dict):
        raise document.fault(where, "A value says how it is drawn.", "Such as {integer: [1, 9]}.")
    match content:
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
    document: Document, where: str, content: object, values: Mapping[str, ValueSource]
) -> VignetteSlot:
    if isinstance(content, str):
        content = {"instruction": content}
    if not isinstance(content, dict):
        raise document.fault(where, "A slot says what stands in it.", "Write an instruction.")
    document.only(where, content, ("instruction", "by", "forbid", "words"))
    by = str(content.get("by", ""))
    source = values.get(by)
    if by and not isinstance(source, ChoiceValue):
        raise document.fault(f"{where}.by", f"“{by}” is no value with a choice.")
    instruction = content.get("instruction", "")
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
    forbid = content.get("forbid", [])
    if not isinstance(forbid, list) or not all(each in FORBIDDEN for each in forbid):
        raise document.fault(f"{where}.forbid", f"A slot can forbid: {', '.join(FORBIDDEN)}.")
    words = content.get("words", 0)
    if not isinstance(words, int) or isinstance(words, bool) or words < 0:
        raise document.fault(f"{where}.words", "The most words of a slot is a whole number.")
    return VignetteSlot(named, by, tuple(forbid), words)


def _content(
    document: Document,
    where: str,
    content: Any,
    slot: VignetteSlot,
    values: Mapping[str, ValueSource],
) -> str | Mapping[str, str]:
    if not slot.by:
        if isinstance(content, dict | list):
            raise document.fault(where, "Here stands a text.", "Put it in quotation marks.")
        return str(content).strip()
    source = values[slot.by]
    assert isinstance(source, ChoiceValue)
    choices = tuple(map(str, source.options))
    if not isinstance(content, dict) or set(map(str, content)) != set(choices):
        raise document.fault(where, f"Here stands a text for each {slot.by}: {', '.join(choices)}.")
    if not all(str(text or "").strip() for text in content.values()):
        raise document.fault(where, "One of these texts is empty.")
    return {str(choice): str(text).strip() for choice, text in content.items()}


def with_vignettes(
    text: str, vignettes: Sequence[Vignette], bias_id: str, name: str, note: str
) -> str:
    """The text of a bias file with these vignettes in place of its own.

    Args:
        text: the file.
        vignettes: each with the file's slots.
        bias_id: its new id, as it is another bias from now on.
        name: its new name.
        note: added to its notes, such as who wrote the vignettes.

    Raises:
        BiasError: the text is no bias file.
    """
    keys: dict[str, Any] = dict(read_document(text).loaded)
    keys |= {"id": bias_id, "name": name}
    keys["notes"] = " ".join(filter(None, (str(keys.get("notes", "")).strip(), note)))
    # It stands for itself, also where it began as a repaired variant.
    keys["vignettes"] = [
        {"id": each.id, "field": each.field, **{n: _plain(c) for n, c in each.slots.items()}}
        for each in vignettes
    ]
    return str(yaml.safe_dump(keys, allow_unicode=True, sort_keys=False, width=100))


def _plain(content: str | Mapping[str, str]) -> str | dict[str, str]:
    return content if isinstance(content, str) else dict(content)


FEWEST_OPTIONS, MOST_OPTIONS = 2, 21
"""Options of a scale."""

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEYS = {
    "id": str, "name": str, "class": str, "question": str, "explanation": str,
    "references": list, "scale": (str, list, dict), "metric": dict, "extremes": dict,
    "values": dict, "swap": list, "text": str, "slots": dict, "vignettes": list,
    "variant_of": str, "repairs": str, "sensitive": bool, "notes": str, "fidelity": dict,
    "moved": dict,
}  # fmt: skip
_NEEDED = (
    "id", "name", "class", "question", "explanation", "references", "scale", "metric",
    "extremes", "text",
)  # fmt: skip
_KINDS = ("A", "B", "C")

Scales = Mapping[str, tuple[str, ...]]


def read_bias(text: str, scales: Scales) -> Bias:
    """A bias from the text of its file.

    Args:
        text: YAML.
        scales: option texts by the names that a file may use for them.

    Raises:
        BiasError: naming the key at fault, its line, and what to write.
    """
    document = read_document(text)
    loaded = document.loaded
    _check_keys(document)
    document.sound_so_far()
    values = read_values(document)
    for part in (
        lambda: _scale(document, scales),
        lambda: _metric(document),
        lambda: _ends(document, "classic"),
        lambda: _ends(document, "opposite"),
        lambda: _fidelity(document),
        lambda: _moved(document),
        lambda: _variant(document),
    ):
        with document.noting():
            part()
    document.sound_so_far()
    slots = read_slots(document, values)
    document.sound_so_far()
    swap = read_swap(document, (*slots, *values))
    vignettes = read_vignettes(document, slots, values)
    document.sound_so_far()
    return Bias(
        id=_text(document, "id"),
        name=_text(document, "name"),
        kind=_text(document, "class"),
        question=_text(document, "question"),
        explanation=_text(document, "explanation"),
        references=tuple(map(str, loaded["references"])),
        scale=_scale(document, scales),
        metric=_metric(document),
        classic=_ends(document, "classic"),
        opposite=_ends(document, "opposite"),
        text=_text(document, "text"),
        values=values,
        swap=swap,
        slots=slots,
        vignettes=vignettes,
        variant_of=str(loaded.get("variant_of", "")),
        repairs=str(loaded.get("repairs", "")).strip(),
        sensitive=bool(loaded.get("sensitive", False)),
        notes=str(loaded.get("notes", "")).strip(),
        fidelity=_fidelity(document),
        moved=_moved(document),
    )


def with_scenes(bias: Bias, text: str) -> Bias:
    """The bias with the vignettes of a file of its own behind those that it has.

    Args:
        bias: says which slots there are.
        text: YAML with the one key ``vignettes``.

    Raises:
        BiasError: as `read_bias`.
    """
    document = read_document(text)
    document.only("", document.loaded, ("vignettes",))
    later = read_vignettes(document, bias.slots, bias.values)
    known = {each.id for each in bias.vignettes}
    for index, each in enumerate(later):
        if each.id in known:
            with document.noting():
                raise document.fault(
                    f"vignettes[{index}].id", f"The bias itself has a vignette “{each.id}”."
                )
    document.sound_so_far()
    return replace(bias, vignettes=bias.vignettes + later, later=bias.later + len(later))


def read_scales(path: Path) -> dict[str, tuple[str, ...]]:
    """The scales that have a name."""
    loaded = read_yaml(path)
    return {str(name): tuple(map(str, options)) for name, options in loaded["scales"].items()}


def _check_keys(document: Document) -> None:
    """Notes every key that is unknown, missing or of the wrong form."""
    loaded = document.loaded
    for key in loaded:
        with document.noting():
            document.only("", [key], tuple(_KEYS))
    for key in _NEEDED:
        if loaded.get(key) in (None, "", [], {}):
            document.noted.append(
                document.fault(key, f"The key “{key}” is missing.", "Every bias needs it.")
            )
    for key, value in loaded.items():
        if key in _KEYS and value is not None and not isinstance(value, _KEYS[key]):  # type: ignore[arg-type]
            document.noted.append(
                document.fault(key, f"“{key}” has the wrong form.", "See docs/decision.md.")
            )
    if isinstance(kind := loaded.get("class"), str) and kind not in _KINDS:
        document.noted.append(document.fault("class", "The class is A, B or C."))
    if isinstance(named := loaded.get("id"), str) and not _ID.fullmatch(named.strip()):
        document.noted.append(
            document.fault(
                "id", "An id is of small letters and digits, with hyphens between them.",
                "Such as my-bias.",
            )
        )  # fmt: skip


def _variant(document: Document) -> None:
    loaded = document.loaded
    of, repairs = bool(loaded.get("variant_of")), bool(loaded.get("repairs"))
    record = loaded.get("fidelity")
    as_published = isinstance(record, dict) and record.get("verdict") == str(
        FidelityVerdict.FAITHFUL
    )
    if repairs != of and not (of and as_published):
        raise document.fault(
            "variant_of" if of else "repairs",
            "A repaired variant says of which bias (variant_of) and what it repairs (repairs); "
            "only one whose fidelity is faithful repairs nothing.",
        )


def _fidelity(document: Document) -> Fidelity | None:
    given = document.loaded.get("fidelity")
    if given is None:
        return None
    document.only("fidelity", given, ("verdict", "changed", "flaw"))
    try:
        verdict = FidelityVerdict(str(given.get("verdict", "")).strip())
    except ValueError as error:
        known = ", ".join(f"“{each}”" for each in FidelityVerdict)
        raise document.fault(
            "fidelity.verdict", "This is no verdict on fidelity.", f"Write one of {known}."
        ) from error
    changed, flaw = (" ".join(str(given.get(key, "")).split()) for key in ("changed", "flaw"))
    return Fidelity(verdict, changed, flaw)


def _moved(document: Document) -> MovementWords | None:
    given = document.loaded.get("moved")
    if given is None:
        return None
    document.only("moved", given, ("shown", "reversed"))
    clauses = []
    for key in ("shown", "reversed"):
        clause = given.get(key)
        clause = " ".join(clause.split()) if isinstance(clause, str) else ""
        if not clause or clause.endswith((".", "!", "?")):
            raise document.fault(
                f"moved.{key}", "Here stands what the answers did, without a full stop.",
                "Such as “estimates lay nearer to the number that had been named”.",
            )  # fmt: skip
        clauses.append(clause)
    return MovementWords(*clauses)


def _text(document: Document, key: str) -> str:
    return str(document.loaded[key]).strip()


def _scale(document: Document, scales: Scales) -> tuple[tuple[str, ...], tuple[str, ...]]:
    given = document.loaded["scale"]
    if isinstance(given, dict):
        document.only("scale", given, ("control", "treatment"))
        if len(given) != 2:
            raise document.fault("scale", "A scale of two arms has control and treatment.")
        control = _options(document, given["control"], scales)
        treatment = _options(document, given["treatment"], scales)
    else:
        control = treatment = _options(document, given, scales)
    if len(control) != len(treatment):
        raise document.fault(
            "scale", "Both arms need as many options, or answers cannot be compared."
        )
    return control, treatment


def _options(document: Document, content: object, scales: Scales) -> tuple[str, ...]:
    if isinstance(content, str):
        if content not in scales:
            near = difflib.get_close_matches(content, scales, n=1, cutoff=0.4)
            raise document.fault(
                "scale",
                f"There is no scale “{content}”.",
                f"Did you mean {near[0]}?" if near else f"Known: {', '.join(scales)}.",
            )
        return scales[content]
    options = tuple(str(each).strip() for each in content) if isinstance(content, list) else ()
    if not FEWEST_OPTIONS <= len(options) <= MOST_OPTIONS:
        raise document.fault("scale", f"A scale has {FEWEST_OPTIONS} to {MOST_OPTIONS} options.")
    if len(set(options)) < len(options) or not all(options):
        raise document.fault("scale", "Two options of the scale are alike, or one is empty.")
    return options


def _metric(document: Document) -> MetricTemplate:
    given = document.loaded["metric"]
    names = ("kappa", "gamma1", "gamma2")
    document.only("metric", given, names)
    kappa, gamma1, gamma2 = (
        _expression(document, f"metric.{name}", given.get(name)) for name in names
    )
    return MetricTemplate(kappa, gamma1, gamma2)


def _ends(document: Document, name: str) -> tuple[Expression, Expression]:
    document.only("extremes", document.loaded["extremes"], ("classic", "opposite"))
    given = document.loaded["extremes"].get(name)
    where = f"extremes.{name}"
    if not isinstance(given, list) or len(given) != 2:
        raise document.fault(
            where, "Two answers: of the control and of the treatment.", "Such as [0, 6]."
        )
    return _expression(document, where, given[0]), _expression(document, where, given[1])


def _expression(document: Document, where: str, content: object) -> Expression:
    if isinstance(content, bool) or not isinstance(content, int | str) or content == "":
        raise document.fault(where, "Here stands a whole number or a calculation.")
    return content
