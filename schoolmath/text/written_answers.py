"""Answers as people, models and spreadsheets write them: signs, workings, dates."""

from __future__ import annotations

import re
import unicodedata

from schoolmath.text.numbers import read_phrase

_PLAIN = str.maketrans({
    "＋": "+", "－": "−", "﹣": "−", "．": ".", "，": ",", "：": ":", "％": "%", "＝": "=",
    "／": "/", "∕": "/", "⁄": "/", "（": "(", "）": ")", "＄": "$", "‐": "-", "‑": "-",
    "∗": "*", "⋅": "·", "•": "·", "’": "'", "‘": "'", "。": ".",
    "\u2009": "\u00a0", "\u202f": "\u00a0", "\u2007": "\u00a0", "\u2028": "\n",
})  # fmt: skip
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_LATEX_SPACE = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|mathit|boxed|displaystyle|left|right|quad|qquad|approx"
    r"|therefore|implies|Rightarrow|rightarrow)(?![a-zA-Z])|\\[()\[\]!;:$%#& ]|\\\\"
)
_KEYCAP = re.compile("[0-9]\ufe0f?\u20e3")
_LATEX_SIGN = re.compile(r"\\(?:times|cdot|div)(?![a-zA-Z])")
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_BOLD_MARK = re.compile(r"(?<![0-9])\*\*|\*\*(?![0-9])")
_TAG = re.compile(r"</?(?:b|i|u|p|em|br|strong|span|div|answer)\s?/?>", re.IGNORECASE)
_LETTER_X = re.compile(
    r"(?<=[0-9])(?P<gap>[ ]?)[xX](?=[ ]?\$?[0-9])|(?<=[a-z][ ])[xX](?=[ ]\$?[0-9])"
)


def normalise(text: str) -> str:
    """The text with one way of writing each sign, and of exactly the same length."""
    if not text.isascii():
        text = _KEYCAP.sub(lambda match: " " * len(match[0]), text.translate(_PLAIN))
        text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    if "\\" in text:
        text = _LATEX_SIGN.sub(lambda match: "×".ljust(len(match[0])), text)
        text = _LATEX_SPACE.sub(_blank, text)
    if "**" in text:
        text = _BOLD_MARK.sub("  ", text)
    if "<" in text:
        text = _TAG.sub(lambda match: " " * len(match[0]), text)
    if "x" in text or "X" in text:
        text = _LETTER_X.sub(lambda match: f"{match['gap'] or ''}×", text)
    return text


def readable(text: str) -> str:
    """The text with its formulas as people write them, for showing: positions do not hold in it."""
    return re.sub(r"[{}]", "", normalise(_LATEX_FRACTION.sub(r"\1/\2", text)))


def _blank(match: re.Match[str]) -> str:
    """Spaces for a command, but the sign itself for an escaped one."""
    command = match[0]
    return {r"\%": " %", r"\$": "$$"}.get(command) or " " * len(command)


MARK = "####"
"""What stands before the answer in the worked solutions of GSM8K (Cobbe et al. 2021)."""

_STEP = re.compile(r"(?<![<>!])[=≈→⇒]+>?|->")
_SEVERAL = re.compile(r"\bor\b", re.IGNORECASE)
"""Two statements, such as "x = 3 or x = -2", of which the last is not the answer."""
_PROSE = re.compile(
    r"\b(?:answer|result|total)\s+(?:is|was)\s*:?\s+(?=[^\s.]*\d)(?P<said>[^=]*)$", re.IGNORECASE
)


def stated_last(answer: str) -> str:
    """What a worked answer states in the end; the answer itself where it has no working.

    It stands behind the last mark "####", else behind the last sign of equality or arrow, else
    behind "the answer is". Whether it is a number is for the caller to look at.
    """
    if MARK in answer:
        return answer.rpartition(MARK)[2].strip()
    if _SEVERAL.search(answer):
        return answer.strip()
    said = _PROSE.search(answer)
    if said:
        return said["said"].strip().rstrip(".!")
    signs = list(_STEP.finditer(answer))
    return answer[signs[-1].end() :].strip() if signs else answer.strip()


_REASON = re.compile(r"[\s,;.]*\b(?:because|since|cause|cuz|bc)\b.*$", re.IGNORECASE | re.DOTALL)
_LED = re.compile(
    r"\b(?:so|thus|therefore|hence|got|get|is|it's|its|makes|gives|put|wrote|think|equals)\s+"
    r"(?P<said>[^,;=]*)$",
    re.IGNORECASE,
)
_CROSSED_OUT = re.compile(
    r"~~.*?~~|<(?P<tag>s|del|strike)>.*?</(?P=tag)>|\[(?:crossed out|deleted)[^\]]*\]"
    r"|\S+ *\((?:crossed|rubbed) out\)",
    re.IGNORECASE | re.DOTALL,
)
_CORRECTED = re.compile(
    r"[^\s,;=]+[\s,;.]*\b(?:no|nope|wrong|oops|sorry|i mean|actually)\b[\s,;.!:]*(?P<said>[^=]+)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r".*\n *(?:[-_=—–]{2,} *\n)?(?P<said>[ \d.]*\d) *", re.DOTALL)
_ASIDE = re.compile(r"(?<=\S)\s*\([^()]*[=+×÷*/-][^()]*\)$")
_OVER = re.compile(r"(?P<top>\S+) (?:over|out of) (?P<bottom>\S+)", re.IGNORECASE)
_PARTS = {
    name + ending: bottom
    for bottom, name in enumerate(
        ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
         "twelfth"), 3,
    )
    for ending in ("", "s")
} | {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}  # fmt: skip


def said_in_words(answer: str) -> str:
    """What a pupil's sentence states: "so I got 45", "2/6 because I added", "35 no 45", "a third".

    What is crossed out and a reason are left out; under columns stands the answer; what follows the
    last verb of stating is taken, else the whole. Number words become digits. Whether it is a
    number is for the caller to look at.
    """
    plain = _REASON.sub("", _CROSSED_OUT.sub(" ", answer).strip()).rstrip(" .!")
    if columns := _COLUMNS.fullmatch(plain):
        return columns["said"].replace(" ", "")
    plain = _ASIDE.sub("", plain)
    if "=" in plain and "=" not in (end := plain.rpartition(",")[2]):
        plain = end.strip()
    found = _CORRECTED.fullmatch(plain) or _LED.search(plain)
    return _in_digits((found["said"] if found else plain).strip())


def _in_digits(phrase: str) -> str:
    """Number words, "two sixths" and "2 over 6" in digits; anything else as it stands."""
    words = phrase.lower().split()
    if over := _OVER.fullmatch(phrase):
        return f"{_in_digits(over['top'])}/{_in_digits(over['bottom'])}"
    if len(words) == 2 and words[1] in _PARTS:
        top = "1" if words[0] in {"a", "an"} else _in_digits(words[0])
        return f"{top}/{_PARTS[words[1]]}"
    numbers = read_phrase(phrase.lower())
    spelled = len(numbers) == 1 and (numbers[0].start, numbers[0].end) == (0, len(phrase))
    return str(numbers[0].value) if spelled and numbers[0].value is not None else phrase


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
