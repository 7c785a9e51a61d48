"""Subtraction in columns by other habits: one procedure, and what differs in it, a rule each.

The bugs are those of VanLehn (1990) and of Brown & Burton (1978), most of them one habit, a few
two at once. Whatever is not said of a rule is done as taught.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.column_subtraction import ColumnSubtraction, Page
from schoolmath.malrules.catalogue.numbers.places_and_factors import PLACES, digits, number
from schoolmath.malrules.rules import mal_rule


@dataclass(frozen=True, slots=True)
class _Paid:
    """How a borrow was paid: a clause with ``{}`` for each number, and what the column gained."""

    told: str
    numbers: tuple[int, ...] = ()
    gained: int = 10


_Pay: TypeAlias = "Callable[[Page, int], _Paid | None]"
_Where: TypeAlias = "Callable[[Page, int], bool]"


def _as_taught(page: Page, place: int) -> _Paid | None:
    """The next column that is not 0 pays one; zeros between become 9."""
    lender = page.lender(place)
    if lender is None:
        return None
    page.top = _after_lending(page, place, lender)
    return _Paid(f"borrows from the {PLACES[lender]} column")


def _after_lending(page: Page, place: int, lender: int) -> list[int]:
    """The upper digits once the lender has paid as taught."""
    nines = [9] * (lender - place - 1)
    return [*page.top[: place + 1], *nines, page.top[lender] - 1, *page.top[lender + 1 :]]


def _unpaid(place: int) -> _Paid:
    return _Paid(f"adds {{}} in the {PLACES[place]} column and keeps the others as they are", (10,))


def _past_zeros(page: Page, place: int) -> _Paid | None:
    """Zeros on the way stay zeros."""
    lender = page.lender(place)
    if lender is None:
        return None
    page.top[lender] -= 1
    if lender == place + 1:
        return _Paid(f"borrows from the {PLACES[lender]} column")
    return _Paid(f"borrows from the {PLACES[lender]} column, keeps each {{}} on the way", (0,))


def _never_from_zero(page: Page, place: int) -> _Paid | None:
    return _unpaid(place) if page.zero_beside(place) else _as_taught(page, place)


def _zeros_become(values: Callable[[int, int], int]) -> _Pay:
    """Zeros on the way become what a function of their place from the left and of their number
    says.
    """

    def pay(page: Page, place: int) -> _Paid | None:
        lender = page.lender(place)
        if lender is None:
            return None
        page.top[lender] -= 1
        row = list(range(lender - 1, place, -1))
        told = f"borrows from the {PLACES[lender]} column"
        for at, between in enumerate(row):
            page.top[between] = values(at, len(row))
            told += f", turns the {{}} in the {PLACES[between]} column into {{}}"
        return _Paid(told, tuple(n for between in row for n in (0, page.top[between])))

    return pay


def _one_becomes(value: int) -> _Pay:
    def pay(page: Page, place: int) -> _Paid | None:
        if page.top[place + 1] != 1:
            return _as_taught(page, place)
        page.top[place + 1] = value
        return _Paid(f"turns the {{}} in the {PLACES[place + 1]} column into {{}}", (1, value))

    return pay


def _adds_one_over_a_larger(page: Page, place: int) -> _Paid | None:
    top = page.top[place + 1]
    if top >= page.bottom(place + 1):
        return _as_taught(page, place)
    page.top[place + 1] += 1
    return _Paid(
        f"borrows and adds {{}} to the {{}} in the {PLACES[place + 1]} column, which makes {{}}",
        (1, top, top + 1),
    )


def _first_only(page: Page, place: int) -> _Paid | None:
    changed = tuple(page.top) != page.given
    return _unpaid(place) if changed else _as_taught(page, place)


def _front_only(page: Page, place: int) -> _Paid | None:
    return _as_taught(page, place) if place + 2 == page.width else _unpaid(place)


def _over_a_digit_only(page: Page, place: int) -> _Paid | None:
    lender = page.lender(place)
    if lender is None or not page.blank(lender):
        return _as_taught(page, place)
    told = f"adds {{}} and keeps the {{}} in the {PLACES[lender]} column, with nothing below it"
    for between in range(place + 1, lender):
        page.top[between] = 9
    return _Paid(told, (10, page.top[lender]))


def _below(page: Page, place: int) -> _Paid | None:
    if not page.bottom(place + 1):
        return None
    page.lend_below(place + 1)
    return _Paid(f"borrows from the lower digit of the {PLACES[place + 1]} column")


def _past_equal(page: Page, place: int) -> _Paid | None:
    first = next(
        (p for p in range(place + 1, page.width) if page.blank(p) or page.top[p] != page.bottom(p)),
        None,
    )
    if first is None or first == place + 1:
        return _as_taught(page, place)
    lender = first if page.top[first] else page.lender(first)
    if lender is None:
        return None
    for between in range(first, lender):
        page.top[between] = 9
    page.top[lender] -= 1
    return _Paid(
        f"goes past the equal digits in the {PLACES[place + 1]} column, borrows from the "
        f"{PLACES[lender]} column"
    )


def _ten_and_the_next_digit(page: Page, place: int) -> _Paid | None:
    beside = page.top[place + 1]
    if page.top[place] or not beside:
        return _as_taught(page, place)
    page.top[place + 1] -= 1
    told = f"borrows from the {PLACES[place + 1]} column, adds {{}} and its digit {{}}"
    return _Paid(told, (10, beside), 10 + beside)


def _empty_zero_becomes_one(page: Page, place: int) -> _Paid | None:
    if not page.zero_beside(place) or not page.blank(place + 1):
        return _as_taught(page, place)
    page.top[place + 1] = 1
    return _Paid(f"turns the {{}} in the {PLACES[place + 1]} column into {{}}", (0, 1))


def _everywhere(page: Page, place: int) -> bool:  # noqa: ARG001
    return True


def _beside_a_zero(page: Page, place: int) -> bool:
    return page.zero_beside(place)


def _but_beside_the_front(page: Page, place: int) -> bool:
    return place + 2 < page.width


@dataclass(frozen=True, slots=True)
class Habits:
    """What somebody does otherwise than taught.

    Attributes:
        pay: how a borrow is paid.
        short: what is done in a column that needs a borrow: ``borrow``, ``turn`` it round, write
            ``0``, copy the ``top`` digit, or write ``nothing``.
        where: in which such columns.
        zero: what 0 - N is: ``n``, ``0``, ``9`` (9 - N) or ``10`` (10 - N); "": a column as others.
        first_zero: whether a 0 counts that stood there at the start, whatever became of it.
        equal: whether N - N is N.
        paid: what a column gives that has paid: ``0`` or ``n``, its lower digit; "": as others.
        always: whether every column over a digit borrows, and both digits of its result stand.
        empty: what is done over empty places: ``down`` (as taught), ``copy`` all but the ones as
            they are, ``skip`` zeros, or use the ``front`` digit of the lower number again.
    """

    pay: _Pay = _as_taught
    short: str = "borrow"
    where: _Where = _everywhere
    zero: str = ""
    first_zero: bool = False
    equal: bool = False
    paid: str = ""
    always: bool = False
    empty: str = "down"


def subtract(problem: ColumnSubtraction, habits: Habits) -> Working | None:
    """The difference that some habits give; None where they show nowhere or get stuck."""
    lower = digits(problem.bottom)
    reached = len(lower)
    if habits.empty == "front":
        lower += lower[-1:] * (len(str(problem.top)) - reached)
    page = Page(problem.top, number(lower))
    for place in range(page.width):
        if habits.empty == "front" and place >= reached:
            _again(page, place)
        elif habits.empty == "copy" and place:
            _copied(page, place)
        elif habits.empty == "skip" and page.blank(place) and page.top[place] == 0:
            _skipped(page, place)
        else:
            _column(page, place, habits)
    return page.finish()


def _column(page: Page, place: int, habits: Habits) -> None:
    """One column with digits in it."""
    top, below = page.top[place], page.bottom(place)
    zero = page.given[place] == 0 if habits.first_zero else top == 0
    column = f"in the {PLACES[place]} column"
    if habits.zero and zero and below:
        given = {"n": below, "0": 0, "9": 9 - below, "10": 10 - below}[habits.zero]
        if habits.zero in {"9", "10"}:
            told = f"reads {{0}} {column} as {{1}}, takes {{2}} away and writes {{3}}"
            page.write(given, told, 0, int(habits.zero), below, given, key=True)
        else:
            told = f"says that {{0}} - {{1}} {column} is {{2}} and writes {{2}}"
            page.write(given, told, 0, below, given, key=True)
    elif habits.equal and below and top == below:
        told = f"says that {{0}} - {{0}} {column} is {{0}} and writes {{0}}"
        page.write(below, told, below, key=True)
    elif habits.paid and top != page.given[place] and below and top >= below:
        given = 0 if habits.paid == "0" else below
        told = f"says that {{0}} - {{1}} {column}, which has paid, is {{2}} and writes {{2}}"
        page.write(given, told, top, below, given, key=given != top - below)
    elif page.short(place) and habits.short != "borrow" and habits.where(page, place):
        _without_borrow(page, place, habits.short)
    elif page.short(place) or (habits.always and below and place + 1 < page.width):
        _with_borrow(page, place, habits)
    else:
        page.subtract(place)


def _without_borrow(page: Page, place: int, short: str) -> None:
    top, below = page.top[place], page.bottom(place)
    column = f"in the {PLACES[place]} column"
    if short == "turn":
        told = f"takes the smaller digit {{0}} from the larger {{1}} {column} and writes {{2}}"
        page.write(below - top, told, top, below, below - top, key=True)
    elif short == "nothing":
        told = f"sees {{0}} over {{1}} {column} and writes nothing there"
        page.write(None, told, top, below, key=True)
    else:
        given = 0 if short == "0" else top
        told = f"sees {{0}} over {{1}} {column} and writes {{2}}"
        page.write(given, told, top, below, given, key=True)


def _with_borrow(page: Page, place: int, habits: Habits) -> None:
    needless = not page.short(place)
    lender = page.lender(place)
    if place + 1 == page.width:
        page.give_up()
        return
    taught = None if lender is None else _after_lending(page, place, lender)
    paid = habits.pay(page, place)
    if paid is None:
        page.give_up()
        return
    odd = needless or paid.gained != 10 or page.top != taught
    whole, below = page.top[place] + paid.gained, page.bottom(place)
    left = whole - below
    if left > 9 and not habits.always:
        page.give_up()
        return
    at = len(paid.numbers)
    told = paid.told.replace("{}", "{{{}}}").format(*range(at))
    page.write(
        left,
        f"{told}, takes {{{at}}} from {{{at + 1}}} in the {PLACES[place]} column and writes "
        f"{{{at + 2}}}",
        *paid.numbers, below, whole, left, key=odd,
    )  # fmt: skip


def _again(page: Page, place: int) -> None:
    """The front digit of the lower number taken away once more."""
    below = page.bottom(place)
    if page.short(place):
        page.give_up()
        return
    left = page.top[place] - below
    told = (
        f"takes the front digit {{0}} once more, from {{1}} in the {PLACES[place]} column, and "
        "writes {2}"
    )
    page.write(left, told, below, page.top[place], left, key=True)


def _copied(page: Page, place: int) -> None:
    top, below = page.top[place], page.bottom(place)
    told = f"copies {{0}} in the {PLACES[place]} column"
    page.write(top, told, top, key=bool(below))


def _skipped(page: Page, place: int) -> None:
    told = f"sees {{0}} over nothing in the {PLACES[place]} column and goes on without writing"
    page.write(None, told, 0, key=place + 1 < page.width)


HABITS = {
    "NO67": Habits(_past_zeros),
    "NO68": Habits(_past_zeros, zero="0"),
    "NO69": Habits(_never_from_zero, zero="n"),
    "NO71": Habits(short="turn", zero="0"),
    "NO72": Habits(_zeros_become(lambda at, of: 10)),  # noqa: ARG005
    "NO73": Habits(_one_becomes(9)),
    "NO74": Habits(_one_becomes(10)),
    "NO75": Habits(zero="9"),
    "NO76": Habits(zero="10", first_zero=True),
    "NO77": Habits(_zeros_become(lambda at, of: 9 - at)),  # noqa: ARG005
    "NO78": Habits(_zeros_become(lambda at, of: 10 - of + at)),
    "NO79": Habits(short="turn", where=_beside_a_zero),
    "NO80": Habits(short="0", where=_beside_a_zero),
    "NO81": Habits(short="top", where=_beside_a_zero),
    "NO82": Habits(short="top"),
    "NO83": Habits(short="nothing"),
    "NO84": Habits(empty="copy"),
    "NO85": Habits(equal=True),
    "NO87": Habits(_adds_one_over_a_larger),
    "NO88": Habits(_first_only),
    "NO89": Habits(_front_only),
    "NO90": Habits(short="turn", where=_but_beside_the_front),
    "NO91": Habits(always=True),
    "NO92": Habits(empty="front"),
    "NO94": Habits(empty="skip"),
    "NO95": Habits(_empty_zero_becomes_one),
    "NO96": Habits(_over_a_digit_only),
    "NO97": Habits(_below),
    "NO98": Habits(_ten_and_the_next_digit),
    "NO99": Habits(_past_equal),
    "NO158": Habits(paid="0"),
    "NO159": Habits(paid="n"),
}
"""What differs, by the rule."""


def _following(habits: Habits) -> Callable[[ColumnSubtraction], Working | None]:
    def work(problem: ColumnSubtraction) -> Working | None:
        return subtract(problem, habits)

    return work


for _id, _habits in HABITS.items():
    mal_rule(_id)(_following(_habits))


@mal_rule("NO86")
def adds(problem: ColumnSubtraction) -> Working:
    """Adds the two numbers."""
    result = problem.top + problem.bottom
    return by_steps(
        Answer.number(result),
        step("adds {0} to {1} and gets {2}", problem.bottom, problem.top, result),
    )


@mal_rule("NO157")
def ones_only(problem: ColumnSubtraction) -> Working | None:
    """Works the ones column and stops."""
    page = Page(problem.top, problem.bottom)
    if page.width == 1:
        return None
    page.subtract(0)
    return page.stop("stops after the ones column and reads {0}")


@mal_rule("NO160")
def adds_without_carrying(problem: ColumnSubtraction) -> Working | None:
    """Adds in every column and keeps the ones of each sum."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        top, below = page.top[place], page.bottom(place)
        told = f"adds {{0}} and {{1}} in the {PLACES[place]} column and writes {{2}}"
        page.write((top + below) % 10, told, top, below, (top + below) % 10, key=top + below > 9)
    return page.finish()
