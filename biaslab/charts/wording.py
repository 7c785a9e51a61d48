"""Text on charts: safe, short enough for a phone, and the same words everywhere.

Plotly reads a little markup in every text and TeX between dollar signs. Names of models, and
whatever else others wrote, must appear as they are, so all text passes through `plain`.
"""

from __future__ import annotations

import html
import textwrap

from biaslab.stats import ALL, Effect
from schoolmath.text.figures import MINUS, exact_percent, signed_number, signed_points


def plain(text: str) -> str:
    """Text that a figure shows exactly as it is."""
    return html.escape(text, quote=False).replace("$", "&#36;").replace("%{", "%&#123;")


def wrapped(text: str, width: int) -> str:
    """Text as `plain`, in lines of at most `width` characters."""
    return "<br>".join(plain(line) for line in textwrap.wrap(text, width) or [""])


def lines(wrapped_text: str) -> int:
    """Number of lines of a text from `wrapped`."""
    return wrapped_text.count("<br>") + 1


def shortened(text: str, width: int) -> str:
    """Text of at most `width` characters that keeps its end, where names and paths differ."""
    return text if len(text) <= width else f"…{text[1 - width :]}"


def signed(value: float, binary: bool = True) -> str:
    """A difference with its sign: percentage points of a fraction, or units of a scale."""
    return signed_points(value) if binary else signed_number(value)


def number(value: int) -> str:
    """A whole number with a real minus sign."""
    return str(value).replace("-", MINUS)


def stratum_words(effect: Effect, label: str) -> str:
    """A stratum on an axis: ``Steps: 2``, or ``All pairs``."""
    if effect.stratum == ALL:
        return "All pairs"
    match effect.stratum_value:
        case None:
            value = "not given"
        case bool() as given:
            value = "yes" if given else "no"
        case other:
            value = str(other)
    name = label or effect.stratum.partition("=")[0].capitalize()
    return f"{name}: {value}"


def row_words(effect: Effect, label: str) -> str:
    """A stratum beside its row, as short as it is clear: ``Steps: 2``, but ``Addition``."""
    value = effect.stratum_value
    if isinstance(value, str) and value and not value.isdigit():
        return value[0].upper() + value[1:]
    return stratum_words(effect, label)


def interval_words(effect: Effect) -> str:
    """An effect in words: ``+12.0 percentage points (95 % interval +5.1 to +18.9, n = 120)``."""
    if effect.cate is None:
        return f"no value (n = {effect.n})"
    unit = "percentage points" if effect.binary else "units of the scale"
    level = exact_percent(effect.confidence)
    if effect.ci_low is None or effect.ci_high is None:
        spread = f"no {level} interval can be determined"
    else:
        low, high = (signed(end, effect.binary) for end in (effect.ci_low, effect.ci_high))
        spread = f"{level} interval {low} to {high}"
    return f"{signed(effect.cate, effect.binary)} {unit} ({spread}, n = {effect.n})"
