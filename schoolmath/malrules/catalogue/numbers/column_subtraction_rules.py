"""How subtraction in columns goes wrong: borrowing, zeros and empty places."""

from __future__ import annotations

from schoolmath.malrules.catalogue.digits import PLACES
from schoolmath.malrules.catalogue.numbers.column_subtraction import (
    ColumnSubtraction,
    MissingSubtrahend,
    Page,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked


def _make_ten_more(page: Page, place: int, why: str) -> None:
    """Adds ten to a short column without reducing another one."""
    top, taken = page.top[place], page.bottom(place)
    page.write(
        top + 10 - taken,
        f"makes {{0}} into {{1}} in the {PLACES[place]} column {why}, takes {{2}} away and "
        "writes {3}",
        top,
        top + 10,
        taken,
        top + 10 - taken,
        key=True,
    )


@mal_rule("NO01")
def smaller_from_larger(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """The smaller digit from the larger in every column."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place):
            top, below = page.top[place], page.bottom(place)
            page.write(
                below - top,
                f"takes the smaller digit {{0}} from the larger {{1}} in the {PLACES[place]} "
                "column and writes {2}",
                top,
                below,
                below - top,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO02")
def borrow_no_decrement(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """Ten more in the short column, and no column reduced."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place) and place + 1 < page.width:
            _make_ten_more(page, place, f"and leaves the {PLACES[place + 1]} column as it is")
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO03")
def borrow_from_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """A borrowed zero turns into 9, and the borrowing stops there."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place) and page.zero_beside(place):
            page.top[place + 1] = 9
            top, taken = page.top[place] + 10, page.bottom(place)
            page.write(
                top - taken,
                f"turns the {{0}} in the {PLACES[place + 1]} column into {{1}} and borrows no "
                f"further, takes {{2}} from {{3}} in the {PLACES[place]} column and writes {{4}}",
                0,
                9,
                taken,
                top,
                top - taken,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO04")
def stops_borrow_at_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """Nothing is reduced where the next digit is 0."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place) and page.zero_beside(place):
            _make_ten_more(
                page, place, f"and reduces nothing as the {PLACES[place + 1]} column is empty"
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO05")
def borrow_across_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """Skipped zeros stay zeros, and 0 - N there is read as N."""
    page = Page(problem.top, problem.bottom)
    skipped: set[int] = set()
    for place in range(page.width):
        if place in skipped and page.short(place):
            below = page.bottom(place)
            page.write(
                below,
                f"reads {{0}} - {{1}} in the {PLACES[place]} column as {{1}} and writes {{1}}",
                0,
                below,
            )
        elif page.short(place) and page.zero_beside(place):
            lender = page.lender(place)
            skipped.update(range(place + 1, lender or place + 1))
            page.borrow_and_subtract(place, lender, key=True)
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO06")
def zero_minus_n_is_n(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """0 - N is N."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.top[place] == 0 and page.bottom(place):
            below = page.bottom(place)
            page.write(
                below,
                f"says that {{0}} - {{1}} in the {PLACES[place]} column is {{1}} and writes {{1}}",
                0,
                below,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO07")
def zero_minus_n_is_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """0 - N is 0."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.top[place] == 0 and page.bottom(place):
            page.write(
                0,
                f"says that {{0}} - {{1}} in the {PLACES[place]} column is {{0}}, as nothing can "
                "be taken from nothing, and writes {0}",
                0,
                page.bottom(place),
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO08")
def n_minus_zero_is_zero(problem: ColumnSubtraction) -> Worked | None:
    """N - 0 is 0."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if not page.blank(place) and page.bottom(place) == 0 and page.top[place]:
            page.write(
                0,
                f"says that {{0}} - {{1}} in the {PLACES[place]} column is {{1}} and writes {{1}}",
                page.top[place],
                0,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO09")
def zero_instead_of_borrow(problem: ColumnSubtraction | MissingSubtrahend) -> Worked | None:
    """0 in every column that would need a borrow."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place):
            page.write(
                0,
                f"cannot take {{0}} from {{1}} in the {PLACES[place]} column and writes {{2}}",
                page.bottom(place),
                page.top[place],
                0,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO10")
def always_borrow_left(problem: ColumnSubtraction) -> Worked | None:
    """Every borrow comes from the leftmost digit."""
    page = Page(problem.top, problem.bottom)
    last = page.width - 1
    for place in range(page.width):
        if page.short(place):
            lender = last if place < last else None
            page.borrow_and_subtract(place, lender, key=place + 1 < last)
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO11")
def quit_when_bottom_blank(problem: ColumnSubtraction) -> Worked | None:
    """Stops with the last digit of the lower number."""
    page = Page(problem.top, problem.bottom)
    places = [place for place in range(page.width) if not page.blank(place)]
    if len(places) == page.width:
        return None
    for place in places:
        page.subtract(place)
    return page.stop("stops as the lower number has no more digits and answers {0}")
