"""The first number of a text as Opedal et al. (2024) read it: commas and points deleted."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(r"\d[\d.,]*")


class FirstNumber(NamedTuple):
    """The first number of a text.

    Attributes:
        value: as it is read; "12.5" and "1,250" are 125 and 1250, and "-3" is 3.
        span: where it stands, as (start, end), without commas and points behind it.
        is_over: whether something follows that is no part of it, so that no more text can
            change it.
    """

    value: int
    span: tuple[int, int]
    is_over: bool


def first_number(text: str) -> FirstNumber | None:
    """The first number of a text; None: it has none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    written = match[0]
    value = int(written.replace(",", "").replace(".", ""))
    end = match.start() + len(written.rstrip(".,"))
    return FirstNumber(value, (match.start(), end), match.end() < len(text))
