"""Numbers in the address that may be left open, and amounts that must stay exact."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from biaslab.ui.widgets.address import Parameter


def open_integer(name: str, minimum: int, maximum: int) -> Parameter[int | None]:
    """A whole number in a range, or None for no limit."""

    def read(text: str) -> int | None:
        try:
            number = int(text)
        except ValueError:
            return None
        return number if minimum <= number <= maximum else None

    return Parameter(name, None, read, str)


def number(
    name: str, default: float, minimum: float, maximum: float, resets: tuple[str, ...] = ()
) -> Parameter[float]:
    """A number in a range, both ends included."""

    def read(text: str) -> float | None:
        try:
            found = float(text)
        except ValueError:
            return None
        # Not a number is in no range.
        return found if minimum <= found <= maximum else None

    return Parameter(name, default, read, "{:g}".format, resets)


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
