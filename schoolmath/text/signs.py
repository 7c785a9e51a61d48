"""One way of writing each sign, whatever typography or LaTeX a model uses.

Every change keeps the length of the text, so that positions hold in the original.
"""

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
