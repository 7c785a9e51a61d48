"""What can go wrong with a whole file; rows that cannot be taken over are in the report."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from schoolmath.text.given_files import LARGEST, FileRefused

_log = logging.getLogger(__name__)

MAX_FILE_BYTES = LARGEST
"""Of a whole file, so that a row with one huge cell is refused and the other rows are not."""
MAX_UNPACKED_BYTES = 128 * 1024 * 1024
"""Of everything in a spreadsheet together once it is unpacked (against zip bombs)."""
MAX_MEMBERS = 2_000
"""Files inside a spreadsheet."""
MAX_PACKAGE_FILES = 50_000
"""Files inside a package of questions."""
MAX_CELL = 50_000
"""Characters in one cell or text."""
MAX_ROWS = 200_000
"""Rows or questions in a file."""
MAX_COLUMNS = 500
"""Columns of a table."""
MAX_PAIR_ROWS = 100_000
"""Rows in a file of pairs: as many pairs as a design can have."""
MAX_PROBLEM = 5_000
"""Characters in the text of one word problem of a file of pairs."""
MAX_NAMES = 10_000
"""Different names in the records of a JSON file, nested ones included."""
MAX_SPREADSHEET_CELL = 32_767
"""Characters that a cell of a spreadsheet can hold; a property of the format."""
MAX_SHEET_PROBLEMS = 1_000
"""Problems on a worksheet (PDF)."""
FEWEST_OPTIONS = 2
MOST_OPTIONS = 8
LETTERS = "ABCDEFGH"
"""What options are called, in their order."""


class InterchangeError(Exception):
    """A file cannot be read or written at all; the message is a sentence that says why."""


class ProblemsGiven(InterchangeError):
    """A table holds problems, where items or pairs are wanted.

    Attributes:
        said: that it does, as a sentence; the message says besides which commands take it.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        listed = " and ".join(f"“{each}”" for each in columns)
        self.said = (
            f"These are problems, each with its text in the column{'s' * (len(columns) > 1)} "
            f"{listed}: neither multiple-choice items nor pairs of problems."
        )
        super().__init__(
            f"{self.said} `biaslab audit FILE` says what they are like, and `biaslab solve --file "
            "FILE --out ANSWERS.jsonl` answers them."
        )


@contextmanager
def only_refusals(*own: type[Exception]) -> Iterator[None]:
    """Within it, an error of a reader's own becomes a refusal; also to decorate a function with.

    Whoever gave the file gets a sentence, and the log what is to be mended.

    Args:
        own: what the reader raises on purpose besides `InterchangeError`.

    Raises:
        InterchangeError: in place of anything that no reader raises on purpose.
    """
    on_purpose: tuple[type[Exception], ...] = (InterchangeError, FileRefused, OSError, *own)
    try:
        yield
    except on_purpose:
        raise
    except Exception as error:
        _log.exception("A file that was given could not be read.")
        raise InterchangeError(
            f"BiasLab could not read this file because of an error of its own "
            f"({type(error).__name__}), and took nothing of it. Please report it with the file."
        ) from error
