"""Dates where answers should stand: spreadsheet programs make them of fractions, 2-Jan of 1/2."""

from __future__ import annotations

import re

_MONTH = (
    r"(?:jan|ene|feb|f[eé]v|m[aä]r|mrz|a[pvb]r|ma[yi]|ju[nil]|a[ug]o?|ao[uû]|sep|o[ck]t|nov|"
    r"d[eé][cz]|dic)[^\W\d_]{0,7}\.?"
)
_DATE = re.compile(
    rf"\d{{1,4}}[-/. ]\s?{_MONTH}(?:[-/. ]\s?\d{{2,4}})?|{_MONTH}[-/. ]\s?\d{{1,4}}|"
    r"\d{4}-\d{1,2}-\d{1,2}(?:[ T][\d:]+)?|\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})",
    re.IGNORECASE,
)
MADE_BY_A_SPREADSHEET = "which a spreadsheet may have made of a fraction"


def is_date(text: str) -> bool:
    """Whether a text is nothing but a date, in any of the usual orders and languages."""
    return _DATE.fullmatch(text.strip()) is not None
