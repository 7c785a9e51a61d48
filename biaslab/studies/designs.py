"""Designs: their settings, read with refusals that say what would work, and their small JSON files.

    {"format": "biaslab-design", "format_version": 1, "made_by": "BiasLab 0.3.0",
     "study": "composed", "n": 200, "seed": 1, "settings": {"structure": "container . transfer-"}}

A file is taken as it stands or refused with the reason: an unknown setting, or a value that
means nothing here, would silently make other pairs than its author saw.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

from biaslab import __version__
from biaslab.files.decoding import check_size
from biaslab.files.errors import InterchangeError
from biaslab.studies.study import (
    LARGEST_SEED,
    LONGEST_TEXT,
    Design,
    Setting,
    Value,
    check_design,
    experiment,
)
from schoolmath.problems import DesignError
from schoolmath.text.given_files import DoubledName, parse_json

_RANGE = re.compile(r"\s*(-?\d+)\s*(?:(?:-|–|to)\s*(-?\d+)\s*)?")


class Range(NamedTuple):
    """Two whole numbers, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


def value_of(design: Design, setting: Setting) -> Value:
    """The design's value of a setting, or the setting's default."""
    return design.settings.get(setting.name, setting.default)


def range_of(design: Design, setting: Setting) -> Range:
    """A setting of kind ``range`` as two numbers: "1-5", or "3" for three alone.

    Raises:
        DesignError: it is not a range, is upside down, or leaves what the setting allows.
    """
    text = str(value_of(design, setting))
    match = _RANGE.fullmatch(text)
    if match is None:
        raise DesignError(
            f"{setting.label}: {text!r} is not a range.",
            f"Write two whole numbers, such as {setting.default}.",
            setting.name,
        )
    low = int(match[1])
    high = int(match[2]) if match[2] else low
    nearest = Range(
        max(min(low, high), setting.minimum),
        min(max(low, high), setting.maximum),
    )
    if nearest.low > nearest.high:
        nearest = range_of(Design(design.study, design.n, design.seed), setting)
    if (low, high) != nearest:
        raise DesignError(
            f"{setting.label}: {text} is not within {setting.minimum} to {setting.maximum}"
            f"{' in rising order' if low > high else ''}.",
            f"The nearest setting that works is {nearest}.",
            setting.name,
        )
    return nearest


def choice_of(design: Design, setting: Setting) -> str:
    """A setting of kind ``choice``.

    Raises:
        DesignError: it is none of the choices.
    """
    text = str(value_of(design, setting))
    text = dict(setting.formerly).get(text, text)
    if text not in setting.choices:
        raise DesignError(
            f"{setting.label}: {text!r} is not one of the choices.",
            f"Choose {' or '.join(setting.choices)}.",
            setting.name,
        )
    return text


def integer_of(design: Design, setting: Setting) -> int:
    """A setting of kind ``integer``.

    Raises:
        DesignError: it is no whole number, or not one that the setting allows.
    """
    text = str(value_of(design, setting)).strip()
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise DesignError(
            f"{setting.label}: {text!r} is not a whole number.",
            f"Write a number from {setting.minimum} to {setting.maximum}.",
            setting.name,
        )
    nearest = min(max(int(text), setting.minimum), setting.maximum)
    if int(text) != nearest:
        raise DesignError(
            f"{setting.label}: {text} is not within {setting.minimum} to {setting.maximum}.",
            f"The nearest setting that works is {nearest}.",
            setting.name,
        )
    return nearest


FORMAT = "biaslab-design"
FORMAT_VERSION = 4
"""Grows when a file could no longer be read by an older BiasLab, or would mean something else."""

_FIRST_VERSION = ("version", "1")
"""What a file of an early format means where its study has versions of its texts: there was one
then (`Experiment.versions_since`)."""

MAX_BYTES = 64 * 1024
"""Most bytes of a file; a design has a few hundred."""

_FIELDS = ("study", "n", "seed", "settings")


@dataclass(frozen=True, slots=True)
class FiledDesign:
    """What a file of a design says.

    Attributes:
        design: study, size, seed and settings.
        made_by: which program wrote it, as it says; "" where it does not.
        name: what its author called it; "" where it has no name.
    """

    design: Design
    made_by: str
    name: str


def write_design_file(design: Design, name: str = "") -> bytes:
    """The design as a JSON file that `read_design_file` reads."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "made_by": f"BiasLab {__version__}",
    }
    if name:
        fields["name"] = name
    fields |= {
        "study": design.study,
        "n": design.n,
        "seed": design.seed,
        "settings": dict(design.settings),
    }
    return (json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode()


def read_design_file(content: bytes) -> FiledDesign:
    """The design that a file holds.

    Raises:
        InterchangeError: it is too large, no JSON, no design, or of a newer format.
        DesignError: it names a study or setting that is not here, or a value that the setting
            does not have.
    """
    fields = _object(content)
    _check_format(fields)
    missing = [name for name in _FIELDS if name not in fields]
    if missing:
        raise InterchangeError(
            f"The file does not say {' and '.join(missing)}. Export the design again."
        )
    design = Design(
        _text(fields, "study"), _number(fields, "n"), _number(fields, "seed"), _settings(fields)
    )
    study = experiment(design.study)
    if fields["format_version"] < study.versions_since:
        name, first = _FIRST_VERSION
        if any(setting.name == name for setting in study.settings):
            design = replace(design, settings={name: first, **design.settings})
    if not 0 <= design.seed <= LARGEST_SEED:
        raise InterchangeError(
            f"The seed {design.seed} is not from 0 to {LARGEST_SEED:,}. Choose another one."
        )
    check_known(design)
    return FiledDesign(design, _optional(fields, "made_by"), _optional(fields, "name"))


def check_known(design: Design) -> None:
    """Refuses a design whose study, settings or values mean nothing in this BiasLab.

    Whether it gives pairs is seen when they are made.

    Raises:
        DesignError: naming the setting.
    """
    settings = experiment(design.study).settings
    check_design(design, settings)
    for setting in settings:
        if setting.name in design.settings:
            _check_value(design, setting)


def _object(content: bytes) -> dict[str, Any]:
    check_size(content, MAX_BYTES)
    try:
        found = parse_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InterchangeError(
            "The file is no text in UTF-8, so no design. Choose another file."
        ) from None
    except DoubledName as error:
        raise InterchangeError(
            f"The file says “{error.name[:60]}” twice. Leave one of them out."
        ) from None
    except ValueError:
        raise InterchangeError(
            "The file is damaged or no JSON. Export the design again, or choose another file."
        ) from None
    if not isinstance(found, dict):
        raise _no_design()
    return found


def _check_format(fields: dict[str, Any]) -> None:
    if fields.get("format") != FORMAT:
        raise _no_design()
    version = fields.get("format_version")
    if type(version) is not int or version < 1:
        raise InterchangeError(
            "The file does not say which version of the format it has. Export the design again."
        )
    if version > FORMAT_VERSION:
        raise InterchangeError(
            f"The file has version {version} of the format and was made by a newer BiasLab; this "
            f"one reads up to version {FORMAT_VERSION}. Install a newer BiasLab."
        )


def _settings(fields: dict[str, Any]) -> dict[str, Value]:
    settings = fields["settings"]
    if not isinstance(settings, dict):
        _refuse("settings", "an object of names and values")
    for name, value in settings.items():
        if not isinstance(value, str | int | bool):
            _refuse(f"setting {name[:60]}", "a text, a whole number, or true or false")
    return dict(settings)


def _check_value(design: Design, setting: Setting) -> None:
    """Refuses a value that no screen could show."""
    match setting.kind:
        case "choice":
            choice_of(design, setting)
        case "range":
            range_of(design, setting)
        case "integer":
            integer_of(design, setting)
        case _:
            text = str(design.settings[setting.name])
            if len(text) > LONGEST_TEXT or not text.isprintable():
                raise DesignError(
                    f"{setting.label}: the text has line breaks or more than {LONGEST_TEXT} "
                    "characters.",
                    "Write one line.",
                    setting.name,
                )


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        _refuse(name, "a text")
    return value


def _number(fields: dict[str, Any], name: str) -> int:
    value = fields[name]
    if type(value) is not int:
        _refuse(name, "a whole number")
    return value


def _optional(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        _refuse(name, "a short text")
    return value


def _refuse(name: str, expected: str) -> NoReturn:
    raise InterchangeError(f"In the file, {name} has to be {expected}. Export the design again.")


def _no_design() -> InterchangeError:
    return InterchangeError(
        "The file holds no design of BiasLab. Choose one that was exported on Compose under "
        "“Keep this design”."
    )
