"""Which column of a table, or which name in a JSON record, holds what."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from biaslab.files.errors import LETTERS, InterchangeError

# Names are compared in lower case, letters and digits only: "Answer A Text" is answeratext.
_PLAIN_NAMES: dict[str, tuple[str, ...]] = {
    "question": (
        "questiontext", "question", "questionstem", "stem", "itemstem", "itemtext", "problem",
        "problemtext", "prompt", "item",
    ),
    "passage": (
        "passage", "passagetext", "readingpassage", "stimulus", "context", "readingtext", "text",
    ),
    "key": (
        "key", "answerkey", "correctanswer", "correctchoice", "correctoption", "rightanswer",
        "rightoption", "correct", "correctletter",
        "correctresponse", "rightresponse", "solution", "goldanswer", "gold", "answer", "label",
    ),
    "options": ("options", "choices", "answerchoices", "answeroptions", "answers"),
    "wrong_answer": (
        "wronganswer", "incorrectanswer", "wrongresponse", "incorrectresponse", "studentanswer",
        "pupilanswer", "pupilsanswer", "studentresponse", "answered", "given",
    ),
    "misconception": (
        "misconception", "misconceptionname", "misconceptiondescription", "misconceptionlabel",
        "misconceptiontext", "errortype", "error",
    ),
    "rationales": ("rationales", "explanations", "malgorithms", "rationale"),
    "grade": ("grade", "gradelevel", "gradeband", "yeargroup", "year"),
    "dok": ("dok", "doklevel", "depthofknowledge", "depthofknowledgelevel", "depth"),
    "content_class": (
        "contentclass", "contentclassification", "contentarea", "contentdomain", "contentstrand",
        "subjectname", "domain", "strand", "category", "contentcategory", "content", "subject",
    ),
    "topic": ("topic", "constructname", "construct", "skill", "standard", "substrand"),
    "name": ("id", "questionid", "itemid", "uid", "questionnumber", "number"),
}  # fmt: skip
_SPOT = r"(?P<spot>[a-h]|[0-8])"
_OPTION_NAMES: dict[str, tuple[str, ...]] = {
    "rationale": (
        rf"(?:rationale|explanation|feedback|malgorithm|reason|reasoning)s?(?:for)?(?:answer|option|choice)?{_SPOT}(?:text)?",
        rf"(?:answer|option|choice)s?{_SPOT}(?:rationale|explanation|feedback|malgorithm|reason|reasoning)",
        rf"{_SPOT}(?:rationale|explanation|feedback|malgorithm)",
    ),
    "misconception": (
        rf"(?:misconception|malrule|rule|misconceptionid|misconceptionname)s?{_SPOT}(?:id|name|text)?",
        rf"(?:answer|option|choice)s?{_SPOT}(?:misconception|malrule|rule)(?:id|name)?",
    ),
    "right": (rf"(?:answer|option|choice)s?{_SPOT}(?:iscorrect|correct|isright|iskey|isanswer)",),
    "option": (
        rf"(?:question)?(?:answer|option|choice|answerchoice|answeroption|opt|response)s?(?:text)?{_SPOT}"
        r"(?:text|content|value|answer|option|choice)?",
        rf"{_SPOT}",
    ),
}
FIELDS = (
    *(name for name in _PLAIN_NAMES),
    *(f"{kind}_{letter.lower()}" for kind in _OPTION_NAMES for letter in LETTERS),
)
"""Everything that a column can hold."""


def guess(columns: Sequence[str], given: Mapping[str, str] | None = None) -> dict[str, str]:
    """The column of each field, by likely names; what is given comes first.

    Args:
        columns: the table's columns.
        given: fields and their columns, where they are known.

    Raises:
        InterchangeError: a given field or column does not exist.
    """
    mapping = dict(given or {})
    explained = (
        f"{', '.join(_PLAIN_NAMES)}, and option_a, rationale_a, misconception_a, right_a and so on"
    )
    check_given(columns, mapping, FIELDS, explained)
    free = [column for column in columns if column and column not in mapping.values()]
    plain = {column: re.sub(r"[^a-z0-9]", "", column.lower()) for column in free}
    for kind, patterns in _OPTION_NAMES.items():
        for spot, column in _spots(free, plain, patterns).items():
            if mapping.setdefault(f"{kind}_{spot}", column) == column:
                free.remove(column)
    for name, likely in _PLAIN_NAMES.items():
        if name in mapping:
            continue
        for each in likely:
            match = next((column for column in free if plain[column] == each), None)
            if match is not None:
                mapping[name] = match
                free.remove(match)
                break
    return {name: mapping[name] for name in FIELDS if name in mapping}


def check_given(
    columns: Sequence[str], given: Mapping[str, str], fields: Container[str], explained: str
) -> None:
    """Refuses what a person says of columns where a field or a column does not exist.

    Args:
        columns: the table's.
        given: fields and their columns.
        fields: what a column can hold.
        explained: these in words.

    Raises:
        InterchangeError: the message names what there is.
    """
    for name, column in given.items():
        if name not in fields:
            raise InterchangeError(f"There is no field {name!r}. Fields are {explained}.")
        if column not in columns:
            raise InterchangeError(
                f"There is no column {column!r} (for {name}). The columns are {listed(columns)}."
            )


def listed(columns: Iterable[str]) -> str:
    """Names of columns for a sentence, not too many."""
    names = [repr(column[:40]) for column in columns if column]
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return ", ".join(names[:20]) + more


def _spots(
    columns: Sequence[str], plain: Mapping[str, str], patterns: tuple[str, ...]
) -> dict[str, str]:
    """Columns of one kind by the small letter of their option."""
    found: dict[str, str] = {}
    for pattern in patterns:
        for column in columns:
            match = re.fullmatch(pattern, plain[column])
            # Columns that are just 0, 1, 2 are a table without a header, not options.
            if match and not (plain[column].isdigit()):
                found.setdefault(match["spot"], column)
    digits = {spot for spot in found if spot.isdigit()}
    if not digits:
        return found
    if digits != set(found):
        return {spot: column for spot, column in found.items() if spot not in digits}
    first = 0 if "0" in digits else 1
    letters = LETTERS.lower()
    return {
        letters[int(spot) - first]: column
        for spot, column in found.items()
        if int(spot) - first < len(letters)
    }
