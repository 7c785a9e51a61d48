"""A worksheet of word problems as a PDF, with the solutions step by step on pages of their own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.enums import XPos, YPos

from biaslab.files.decoding import clean
from biaslab.files.errors import MAX_SHEET_PROBLEMS, InterchangeError
from biaslab.studies import Item, Pair
from biaslab.studies.word_problems.verification import steps_of


class Members(StrEnum):
    """What is taken of each pair."""

    X = "x"
    """The member that is easier by hypothesis."""
    X_PRIME = "x_prime"
    """The other one."""
    ALTERNATING = "alternating"
    """x of the first pair, x′ of the second, and so on."""
    BOTH = "both"
    """Both, one after the other."""


@dataclass(frozen=True, slots=True)
class WorksheetProblem:
    """One problem taken of a pair.

    Attributes:
        pair: id of the pair.
        row: the pair's number, from 1.
        arm: ``x`` or ``x_prime``.
        item: the problem.
    """

    pair: str
    row: int
    arm: str
    item: Item


def take(pairs: Iterable[Pair], members: Members) -> Iterator[WorksheetProblem]:
    """The problems chosen, in the order of the pairs."""
    for row, pair in enumerate(pairs, start=1):
        both = {"x": pair.x, "x_prime": pair.x_prime}
        arms: tuple[str, ...]
        if members is Members.BOTH:
            arms = ("x", "x_prime")
        elif members is Members.ALTERNATING:
            arms = ("x" if row % 2 else "x_prime",)
        else:
            arms = (members.value,)
        for arm in arms:
            yield WorksheetProblem(pair.id, row, arm, both[arm])


FONTS = Path(__file__).resolve().parents[4] / "assets" / "fonts"
_FILES = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf"}
_FONT = "DejaVu"

# Millimetres, and points for letters.
_MARGIN = 20.0
_NUMBER_WIDTH = 11.0
_LINE = 6.5
_WORKING = 8.0
_GAP = 7.0
_BOTTOM = 20.0
_TITLE_SIZE, _TEXT_SIZE, _FOOT_SIZE = 18, 12, 9
_MOST_TITLE = 200
_MOST_LINES = 4


class PageSize(StrEnum):
    """Size of the pages."""

    A4 = "A4"
    LETTER = "Letter"


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """What a worksheet looks like.

    Attributes:
        title: at its top.
        paper: size of the pages.
        solutions: whether the solutions follow, on pages of their own.
    """

    title: str = ""
    paper: PageSize = PageSize.A4
    solutions: bool = True


def cannot_print(text: str) -> str:
    """Why the sheet's font cannot print a text, as a clause; empty where it can.

    It prints Latin, Greek and Cyrillic letters, and common signs.
    """
    missing = sorted({sign for sign in _printable(text) if ord(sign) not in _signs()} - {"\n"})
    if not missing:
        return ""
    shown = " ".join(missing[:5])
    return f"the worksheet's font has no {shown} (it has Latin, Greek and Cyrillic letters)"


def write_sheet(
    problems: Sequence[WorksheetProblem], settings: SheetSettings | None = None
) -> bytes:
    """The worksheet as a PDF: numbered problems with room to work, then the solutions.

    Raises:
        InterchangeError: there are more problems than a sheet may hold, or the title has
            letters that the font lacks.
    """
    settings = settings or SheetSettings()
    title = " ".join(clean(settings.title).split())[:_MOST_TITLE] or "Word problems"
    if why := cannot_print(title):
        raise InterchangeError(f"The title cannot be printed: {why}. Choose another title.")
    if len(problems) > MAX_SHEET_PROBLEMS:
        raise InterchangeError(
            f"A worksheet holds at most {MAX_SHEET_PROBLEMS:,} problems, not {len(problems):,}. "
            "Choose fewer pairs."
        )
    # The same room for all: it must not tell how many calculations a problem takes.
    most = max((len(steps_of(taken.item)) for taken in problems), default=0)
    room = _WORKING * (1 + min(most or 2, _MOST_LINES))
    sheet = _Sheet(settings.paper)
    sheet.set_title(title)
    sheet.set_creator("BiasLab")
    sheet.set_lang("en")
    sheet.add_page()
    sheet.heading(title)
    sheet.who()
    for number, taken in enumerate(problems, start=1):
        sheet.problem(number, taken, room)
    if settings.solutions:
        sheet.add_page()
        sheet.heading(f"Solutions: {title}")
        for number, taken in enumerate(problems, start=1):
            sheet.solution(number, taken)
    return bytes(sheet.output())


class _Sheet(FPDF):
    def __init__(self, paper: PageSize) -> None:
        super().__init__(unit="mm", format=paper.value)
        self.set_margins(_MARGIN, _MARGIN, _MARGIN)
        self.set_auto_page_break(True, _BOTTOM)
        for style, file in _FILES.items():
            self.add_font(_FONT, style, FONTS / file)
        self.set_font(_FONT, size=_TEXT_SIZE)

    def footer(self) -> None:
        """The number of the page."""
        self.set_y(-_BOTTOM + 6)
        self.set_font(_FONT, size=_FOOT_SIZE)
        self.cell(0, 5, str(self.page_no()), align="C")
        self.set_font(_FONT, size=_TEXT_SIZE)

    def heading(self, text: str) -> None:
        self.set_font(_FONT, "B", _TITLE_SIZE)
        self._lines(text, 9.0)
        self.set_font(_FONT, size=_TEXT_SIZE)
        self.ln(3)

    def who(self) -> None:
        """Lines for a name and a date."""
        width = self.epw
        for label, share in (("Name", 0.58), ("Date", 0.42)):
            start, length = self.get_x(), self.get_string_width(label) + 3
            self.cell(length, 8, label)
            self.line(start + length, self.get_y() + 7, start + share * width - 4, self.get_y() + 7)
            self.set_x(start + share * width)
        self.ln(16)

    def problem(self, number: int, pair: WorksheetProblem, room: float) -> None:
        text = _printable(pair.item.text)
        self._keep_together(text, room + _LINE + _GAP)
        self._numbered(number, text)
        self.ln(room)
        self.set_x(_MARGIN + _NUMBER_WIDTH)
        label = "Answer"
        length = self.get_string_width(label) + 3
        self.cell(length, _LINE, label)
        start = self.get_x()
        self.line(start, self.get_y() + _LINE - 1, start + 45, self.get_y() + _LINE - 1)
        self.ln(_LINE + _GAP)

    def solution(self, number: int, pair: WorksheetProblem) -> None:
        said = [step.in_words() for step in steps_of(pair.item)]
        text = _printable("\n".join([*said, f"Answer: {clean(pair.item.answer)}"]))
        self._keep_together(text, _GAP / 2)
        self._numbered(number, text)
        self.ln(_GAP / 2)

    def _numbered(self, number: int, text: str) -> None:
        self.set_font(_FONT, "B", _TEXT_SIZE)
        self.cell(_NUMBER_WIDTH, _LINE, f"{number}.")
        self.set_font(_FONT, size=_TEXT_SIZE)
        self._lines(text, _LINE)

    def _lines(self, text: str, height: float) -> None:
        self.multi_cell(0, height, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _keep_together(self, text: str, below: float) -> None:
        """A new page where the text and the room below it do not fit on this one any more."""
        width = self.epw - _NUMBER_WIDTH
        height = self.multi_cell(width, _LINE, text, align="L", dry_run=True, output="HEIGHT")
        if isinstance(height, float | int) and self.will_page_break(height + below):
            self.add_page()


def _printable(text: str) -> str:
    """With marks and letters joined, as the font has them."""
    return unicodedata.normalize("NFC", clean(text)).replace("\t", " ")


@cache
def _signs() -> frozenset[int]:
    """Every sign that both fonts have."""
    found: list[frozenset[int]] = []
    for file in _FILES.values():
        with TTFont(FONTS / file, lazy=True) as font:
            found.append(frozenset(font.getBestCmap()))
    return found[0] & found[1]
