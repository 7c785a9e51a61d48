"""What must not stand in a sheet: cells that look like personal data of a pupil.

Only what an answer can look like is let through; this module finds the reason to give for the
rest. A reason never holds what stands in the cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.classes.items import QuizItem
from schoolmath.malrules.reading.answers import read_given

BLANKS = frozenset(
    {
        "", "-", "–", "—", "--", "?", "??", ".", "/", "n/a", "na", "blank", "none", "no answer",
        "not answered", "absent", "abs", "ill", "sick", "excused", "missing", "skipped", "skip",
        "don't know", "don’t know", "dont know", "i don't know", "i don’t know", "dk", "idk",
        "no idea", "left out", "empty",
    }
)  # fmt: skip
"""Cells that mean that nothing was answered, in lower case."""

UNITS = frozenset(
    {
        "mm", "cm", "dm", "km", "ml", "cl", "dl", "kg", "min", "hour", "hours", "day", "days",
        "dollar", "dollars", "cent", "cents", "euro", "euros", "rest", "remainder", "degree",
        "degrees", "percent", "unit", "units", "square", "cubic",
    }
)  # fmt: skip
"""Words that may stand beside a number."""

_LETTER = re.compile(r"\(?([A-Ha-h])[.):]?")
_SEVERAL = re.compile(r"[A-H](?:\s*(?:[,;/&+]|and|or)?\s*[A-H])+|[a-h](?:\s*[,;/&+]\s*[a-h])+")


def is_several(text: str, item: QuizItem) -> bool:
    """Whether several of an item's options were chosen, as in “AB” or “A, C”."""
    if _SEVERAL.fullmatch(text) is None:
        return False
    letters = re.sub(r"and|or|[^A-Za-z]", "", text).upper()
    return bool(item.options) and set(letters) <= set(item.options)


def is_blank(text: str) -> bool:
    """Whether nothing was answered."""
    return text.casefold().strip(" .!") in BLANKS or text.casefold() in BLANKS


def read_written(text: str, item: QuizItem) -> Answer | None:
    """The answer in a cell that is not blank; None where no answer can be read.

    A letter is the option with this letter in an item with options. Anything else is compared
    with what is known to be written for this item, then read as a number.
    """
    if (match := _LETTER.fullmatch(text)) and (chosen := item.options.get(match[1].upper())):
        return chosen
    # In a sheet words that no rule gives are a note or a name, never an answer.
    figures = any(map(str.isdigit, text)) and not words_in(text)
    return read_given(text, item.right, _known(item), new_phrases=figures)


def words_of(item: QuizItem) -> frozenset[str]:
    """The words that an answer to this item can have, in lower case."""
    return UNITS.union(*(words_in(each.shown) for each in (item.right, *_known(item))))


def _known(item: QuizItem) -> list[Answer]:
    """The wrong answers that are known for an item."""
    return [*item.options.values(), *(each for given in item.gives.values() for each in given)]


def words_in(text: str) -> list[str]:
    """Runs of two or more letters, in lower case."""
    return [word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text)]


def digits_of(item: QuizItem) -> int:
    """Most digits that a known answer to this item has."""
    known = (item.right, *_known(item))
    return max(sum(sign.isdigit() for sign in each.shown) for each in known)


MOST_SIGNS = 40
"""Longest cell that is looked at."""
LONG_NUMBER = 7
"""So many digits are an id or a telephone number, unless an answer has as many."""

_WORDS = "it has words that no answer to this item has; it may be a name"
_DATE = re.compile(r"\b\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{1,4}\b")
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|"
    r"june|july|august|september|october|november|december|mär|mai|okt|dez)\b",
    re.IGNORECASE,
)
_WEB = re.compile(r"https?:|www\.|\w\.(?:com|org|net|edu|de|uk)\b", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?=.*\d.*\d)(?=.*[^\W\d_]{2})[\w-]{6,}")

_HEADERS = {
    "a name": {"name", "names", "firstname", "lastname", "surname", "forename", "vorname",
               "nachname", "nickname", "initials"},
    "an e-mail address": {"mail", "email", "mails", "emails", "login", "username", "user"},
    "a date of birth or an age": {"birth", "born", "birthday", "birthdate", "dob", "age",
                                  "geburtsdatum"},
    "a telephone number": {"phone", "tel", "telephone", "mobile"},
    "an address": {"address", "street", "city", "town", "postcode", "zip"},
    "a fact about the pupil": {"gender", "sex", "ethnicity", "nationality", "language",
                               "religion", "sen", "iep", "diagnosis", "remark", "remarks",
                               "comment", "comments", "note", "notes"},
    "a class, school, parent or teacher": {"class", "school", "teacher", "parent", "parents",
                                           "guardian", "mother", "father", "group", "form"},
}  # fmt: skip


def reason_in_answer(text: str, known_words: Collection[str], most_digits: int) -> str:
    """Why a cell looks like personal data; empty where it does not.

    Args:
        text: what stands in the cell.
        known_words: words that an answer to this item can have, in lower case.
        most_digits: so many digits can an answer have.
    """
    if len(text) > MOST_SIGNS:
        return f"it has {len(text)} characters, more than any answer"
    if "@" in text:
        return "it looks like an e-mail address"
    if _WEB.search(text):
        return "it looks like a web address"
    words = [word for word in words_in(text) if word not in known_words]
    if _DATE.search(text) or (words and any(map(str.isdigit, text)) and _MONTH.search(text)):
        return (
            "it looks like a date (a spreadsheet may have made it from a fraction: format the "
            "column as text and type the fraction again)"
        )
    if sum(map(str.isdigit, text)) > max(LONG_NUMBER - 1, most_digits):
        return "it looks like a long id or a telephone number"
    if words and _IDENTIFIER.fullmatch(text):
        return "it looks like an id"
    if words:
        return _WORDS
    return ""


def reason_in_row_number(text: str) -> str:
    """Why what stands in place of a row number looks like personal data; else empty."""
    found = reason_in_answer(text, (), 0)
    if found == _WORDS:
        return "it has words where only a row number may stand; it may be a name"
    if not found and any(map(str.isalpha, text)):
        found = "it has letters where only a row number may stand; they may be initials"
    return found


def reason_in_header(text: str) -> str:
    """Why a column with this header may hold personal data; else empty."""
    words = set(words_in(text.replace("-", "").replace("_", " ")))
    for what, named in _HEADERS.items():
        if words & named:
            return f"the column is named as if it held {what}"
    return reason_in_answer(text, words, 3)
