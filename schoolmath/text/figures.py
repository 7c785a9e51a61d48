"""How a figure is written: shares, differences, intervals, p-values, counted nouns, lists.

Everything that people read takes its figures from here, so the same figure looks the same on
screens, in charts, on the command line and in cards of models. The rules:

- A share has one decimal and its sign after a space, "62.5 %"; so has a difference of shares, in
  percentage points with its sign, "+12.5". Whole per cents (`decimals=0`) are for what is no
  estimate: a progress, a bar's label that has the number beside it.
- A value of a scale has two decimals.
- What rounds to nought is nought and has no sign, be it from below or from above.
- What was set, not measured (a level of confidence, a width to stop at), has the digits it needs.
- A minus is a real one, "−"; `typed` gives the hyphen for terminals and files.

A test lets no other module multiply by a hundred or use "%" in a format to write a figure.
"""

from __future__ import annotations

from collections.abc import Iterable

MINUS = "−"
NONE = "–"
"""Stands where there is no figure."""


def percent(share: float | None, decimals: int = 1) -> str:
    """A fraction of one as in "62.5 %"; a dash where there is none."""
    return NONE if share is None else f"{hundredths(share, decimals)} %"


def hundredths(share: float, decimals: int = 1) -> str:
    """A fraction in per cent without the sign: for styles, and columns whose heading has it."""
    return f"{round(100 * share, decimals) + 0.0:.{decimals}f}".replace("-", MINUS)


def percents(low: float, high: float) -> str:
    """From one share to another: "58.1 % to 66.7 %"."""
    return f"{percent(low)} to {percent(high)}"


def exact_percent(share: float) -> str:
    """A share that was set, without digits that say nothing: "95 %". Below one never "100 %"."""
    for digits in range(6, 17):
        text = f"{100 * share:.{digits}g}"
        if share >= 1.0 or text != "100":
            break
    return f"{text} %"


def signed_points(difference: float | None, decimals: int = 1) -> str:
    """A difference of fractions in percentage points with its sign: "+12.5"; a dash for none."""
    return NONE if difference is None else _signed(100 * difference, decimals)


def points_wide(difference: float) -> str:
    """A size in percentage points, without a sign and with three digits at most: "2.57 points"."""
    return f"{100 * difference:.3g} points"


def signed_number(value: float | None, decimals: int = 2) -> str:
    """A number on a scale with its sign, as in "−0.25"; a dash for none."""
    return NONE if value is None else _signed(value, decimals)


def interval_words(low: float | None, high: float | None) -> str:
    """An interval of percentage points, as in "−3.1 to +12.4"."""
    if low is None or high is None:
        return "not determined"
    return f"{signed_points(low)} to {signed_points(high)}"


def p_words(p: float | None) -> str:
    """A p-value as it is usually printed: three decimals, "< 0.001" below that; a dash for none."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun, as in "1 pair" and "1,200 pairs"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Words with commas and a joint before the last: "a, b and c"; empty for none."""
    *before, last = tuple(words) or ("",)
    return f"{', '.join(before)} {joint} {last}" if before else last


def typed(text: str) -> str:
    """A text with hyphens for its minus signs, as a keyboard has them."""
    return text.replace(MINUS, "-")


def _signed(value: float, decimals: int) -> str:
    rounded = round(value, decimals)
    if rounded == 0:
        return f"{0:.{decimals}f}"
    return f"{'+' if rounded > 0 else MINUS}{abs(rounded):.{decimals}f}"
