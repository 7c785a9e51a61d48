"""Answers as people, models and spreadsheets write them: signs, workings, dates."""

from __future__ import annotations

import re
import unicodedata

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
    r"\b(?:so|thus|therefore|hence|got|get|is|it's|makes|gives|put|wrote|think|equals)\s+"
    r"(?P<said>[^,;=]*)$",
    re.IGNORECASE,
)


def said_in_words(answer: str) -> str:
    """What a pupil's sentence states: "so I got 45", "2/6 because I added", "45.".

    A reason is left out; what follows the last verb of stating is taken, else the whole. Whether
    it is a number is for the caller to look at.
    """
    plain = _REASON.sub("", answer.strip()).rstrip(" .!")
    led = _LED.search(plain)
    return (led["said"] if led else plain).strip()


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
