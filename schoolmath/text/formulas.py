r"""Formulas in TeX, as question banks and models write them, in the signs that people type.

``Work out \( \frac{4}{11}+2^{3} \)`` is ``Work out 4/11+2^3``.
"""

from __future__ import annotations

import re

_INLINE = re.compile(
    r"\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]|\$\$(?P<display>.+?)\$\$"
    # A dollar sign is a price unless signs stand close within two of them, and no digit follows.
    r"|\$(?=\S)(?P<dollars>[^$]*[^\s$])\$(?!\d)",
    re.DOTALL,
)
_FORMULA = re.compile(
    r"\\|^[\d.]+(?:, ?-?[\d.]+)+$"
    r"|^(?!.*(?!xx)[a-zA-Z]{2})(?=.*[\^=a-zA-Z+*/<>＄-])",
    re.DOTALL,
)
_DOLLAR = "\N{FULLWIDTH DOLLAR SIGN}"
"""An escaped dollar sign, while those round formulas are looked for."""
_INNER = r"\{([^{}]*)\}"
_UNIT = r"\\(?:mathrm|text|textrm|operatorname)\s*\{[~ ]*([A-Za-z]+)[~ ]*\}"
_ROWS = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (_UNIT + r"\s*\^\s*\{?2\}?", r" \1²"),
        (_UNIT + r"\s*\^\s*\{?3\}?", r" \1³"),
        (r"\^\s*\{?\s*\\circ\s*\}?|\\degree(?![a-zA-Z])", "°"),
        (r"\\[dtc]?frac\s*(\d)\s*(\d)", r" \1/\2"),
        (r"\\sqrt\s*\[3\]\s*" + _INNER, r"∛\1"),
        (r"\\sqrt\s*\{(\d+)\}|\\sqrt\s*(\d)", r"√\1\2"),
        (r"\\sqrt\s*" + _INNER, r"√(\1)"),
        (r"\^\s*\{\s*([^{}]*?)\s*\}", r"^\1"),
        (r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|operatorname|boxed|mbox)\s*"
         + _INNER, r" \1 "),
    )
)  # fmt: skip
_FRACTION = re.compile(r"\\[dtc]?frac\s*" + _INNER + r"\s*" + _INNER)
_SIGNS = {
    "times": "×", "cdot": "×", "div": "÷", "pm": "±", "leq": "≤", "le": "≤", "leqslant": "≤",
    "geq": "≥", "ge": "≥", "geqslant": "≥", "neq": "≠", "lt": "<", "gt": ">", "approx": "≈",
    "pi": "π", "square": "_", "Box": "_", "ldots": "...", "dots": "...", "cdots": "...",
    "pounds": "£", "angle": "angle", "triangle": "triangle", "percent": "%",
}  # fmt: skip
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_SILENT = re.compile(
    r"\\(?:displaystyle|textstyle|quad|qquad|big|Big|bigg|Bigg|limits|newline|,|;|:|!|\\"
    r"| |\(|\)|\[|\])"
)
_CLOSE = re.compile(r"(?<![.\d/])(\d+) (?=[a-zA-Z](?![a-zA-Z]))")
"""A number before a letter that is its factor: TeX sets "2 y" as 2y."""


def typed(text: str) -> str:
    """A text with its formulas in TeX as people type them: ``3/4``, ``x^2``, ``√16``, ``2 1/3``.

    A text without TeX comes back as it is. A command that is not known stays, so that whoever
    reads the text refuses it and says where.
    """
    if "\\" not in text and "$" not in text:
        return text
    plain = _INLINE.sub(_within, text.replace(r"\$", _DOLLAR))
    if "\\" in plain:
        plain = _within_tex(plain)
    plain = re.sub(r"(?<=[\d)\]]) ?xx ?(?=[\d(\[])", " × ", plain).replace(_DOLLAR, "$")
    return text if plain == text else re.sub(r" (?=[.,;](?: |$))", "", " ".join(plain.split()))


def _within(match: re.Match[str]) -> str:
    inside = next(each for each in match.groups() if each is not None)
    if match["dollars"] is not None and not _FORMULA.search(inside):
        return match[0]
    return " " + _within_tex(_CLOSE.sub(r"\1", inside)) + " "


def _within_tex(formula: str) -> str:
    """Commands from the inside out, so that each finds what it applies to without braces."""
    before = ""
    formula = re.sub(r"\\([%$&#_])", r"\1", formula)
    formula = re.sub(r"\\(?:left|right)(?![a-zA-Z])", "", formula)
    formula = _SILENT.sub(" ", formula.replace("~", " ") if "\\" in formula else formula)
    formula = _COMMAND.sub(lambda found: _SIGNS.get(found[1], found[0]), formula)
    while before != formula:
        before = formula
        for pattern, written in _ROWS:
            formula = pattern.sub(written, formula)
        formula = _FRACTION.sub(_fraction, formula)
    return re.sub(r"[{}]", "", formula)


def _fraction(match: re.Match[str]) -> str:
    top, bottom = (each.strip() for each in match.groups())
    if re.fullmatch(r"-?\d+", top) and re.fullmatch(r"-?\d+", bottom):
        return f" {top}/{bottom}"
    one, other = (
        each if re.fullmatch(r"-?[\d.]*[a-z?_]?", each) else f"({each})" for each in (top, bottom)
    )
    return f" {one}/{other}"
