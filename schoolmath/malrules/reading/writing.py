"""One way of writing out of many: signs, fractions, columns and lead-ins, all as one plain line.

Both what a person types and what a form prints go through `in_one_line`, so that only what is
asked is left to compare.
"""

from __future__ import annotations

import re
import unicodedata

from schoolmath.text.numbers import VULGAR_FRACTIONS

_SAME_SIGNS = str.maketrans(
    {
        **dict.fromkeys("−–—‒‐‑﹣－", "-"),
        **dict.fromkeys("✕✖∙·⋅•*", "×"),
        **dict.fromkeys("∕⁄／", "/"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("’‘´`", "'"),
        **dict.fromkeys("□☐▢", "_"),
        "∶": ":",
        "：": ":",
        "＋": "+",
        "＝": "=",
        "≦": "≤",
        "≧": "≥",
        "％": "%",
        "\u00a0": " ",
        "\u202f": " ",
        "\u2009": " ",
    }
)  # fmt: skip
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LATEX = (
    (re.compile(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r" \1/\2"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), " × "),
    (re.compile(r"\\div(?![a-z])"), " ÷ "),
    (re.compile(r"\\leq?(?![a-z])"), " ≤ "),
    (re.compile(r"\\geq?(?![a-z])"), " ≥ "),
    (re.compile(r"\\square(?![a-z])"), " _ "),
    (re.compile(r"\\(?:left|right|displaystyle|,|;|!|\(|\)|\[|\])"), " "),
    (re.compile(r"\\(?=[%$])"), ""),
    (re.compile(r"\^\{([^{}]*)\}"), r"^\1"),
)
_COLUMNS = re.compile(
    r"\s*(?P<first>-?\d[\d.,]*)[^\S\n]*\n(?P<signed>[^\S\n]*(?P<sign>[-+×xX÷])[^\S\n]*)"
    r"(?P<second>\d[\d.,]*)[^\S\n]*(?:\n[\s_=-]*)?"
)
_NUMBER_BEFORE = r"(?<![\d.,])"
_THOUSANDS = re.compile(_NUMBER_BEFORE + r"[1-9]\d{0,2}(?:,\d{3})+(?![\d,])(?=[^\d]|$)")
_SPACED_THOUSANDS = re.compile(r"(?<![\d.,/])(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?! ?[\d/.,])")
_WITH_COMMA = re.compile(_NUMBER_BEFORE + r"\d+,(?:\d{1,2}|\d{4,})(?![\d,])")
_LEAD_IN = re.compile(
    r"(?:please|what(?:'s| is| are| do you get for| number is)(?= )|work out|calculate|compute"
    r"|evaluate|find|determine|how much is|solve the equation|solve for [a-z](?![a-z])|solve"
    r"|the (?:answer|result) (?:to|of))\b\s*:?\s*",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\s*(?:=\s*(?:\?|_+|\.{2,}|…)?|[?.!:;])\s*$")
_SAID = r"(-?\d[\d.]*(?: \d+/\d+|/\d+)?)"
_OPERATIONS_SAID = tuple(
    (re.compile(pattern.replace("#", _SAID), re.IGNORECASE), written)
    for pattern, written in (
        (r"(?:subtract|take(?: away)?) # from #", r"\2 - \1"),
        (r"(?:the )?difference (?:between|of) # and #", r"\1 - \2"),
        (r"(?:add|(?:the )?sum of) # (?:and|to) #", r"\1 + \2"),
        (r"(?:multiply|(?:the )?product of) # (?:by|and|with) #", r"\1 × \2"),
        (r"(?:divide|share|(?:the )?quotient of) # (?:by|and) #", r"\1 ÷ \2"),
        (r"# plus #", r"\1 + \2"),
        (r"# (?:minus|take away|subtract|less) #", r"\1 - \2"),
        (r"# (?:times|multiplied by) #", r"\1 × \2"),
        (r"# (?:divided by|over) #", r"\1 ÷ \2"),
    )
)
_SPACED_SIGNS = re.compile(r"\s*([+×÷=<>≤≥])\s*")


def in_one_line(text: str) -> str:
    """The text with one way of writing each sign, without lead-in ("What is") and ending ("=")."""
    line = _signs(text)
    if (columns := _COLUMNS.fullmatch(line)) is not None:
        sign = columns["sign"].replace("x", "×").replace("X", "×")
        line = f"{columns['first']} {sign} {columns['second']}"
    line = _numbers(" ".join(line.split()))
    line = re.sub(
        r"(?<=[\d)])(?:\s*[xX]\s*(?=\d)|\s+[xX]\s+(?=[-(\d]))|(?<=\))[xX](?=\()", " × ", line
    )
    line = re.sub(r"\s*(?:per ?cent|pct)\b", "%", line, flags=re.IGNORECASE)
    line = re.sub(r"(?<=\d)\s+%", "%", line)
    line = _divisions(line)
    line = line.replace("<=", "≤").replace(">=", "≥")
    line = _SPACED_SIGNS.sub(r" \1 ", line)
    line = _as_signs(_without_frame(" ".join(line.split())))
    line = re.sub(r"\[ ?\]|\( ?\)|_+|(?<=[=+×÷-] )\?|\?(?= [=+×÷-])", "_", line)
    return _with_x(line)


def _as_signs(line: str) -> str:
    """Operations in words as signs, where the words are the whole question."""
    for pattern, written in _OPERATIONS_SAID:
        if pattern.fullmatch(line):
            return pattern.sub(written, line)
    return line


def _signs(text: str) -> str:
    for pattern, written in _LATEX:
        text = pattern.sub(written, text)
    text = re.sub(rf"(\d)\s*([{VULGAR_FRACTIONS}])", r"\1 \2", text)
    text = re.sub(
        rf"[{_SUPERSCRIPTS}]+",
        lambda found: "^" + "".join(str(_SUPERSCRIPTS.index(each)) for each in found[0]),
        text,
    )
    text = re.sub(r"\bsqrt\s*(?=\()", "√", text)
    text = text.replace("**", "^").replace("''", '"')
    text = "".join(
        unicodedata.normalize("NFKC", each) if each in VULGAR_FRACTIONS else each for each in text
    )
    return text.translate(_SAME_SIGNS)


def _numbers(line: str) -> str:
    """Thousands without commas; a decimal comma as a point where it can be nothing else."""
    line = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), line)
    line = _SPACED_THOUSANDS.sub(lambda found: found[0].replace(" ", ""), line)
    # Beside a sign of operation, one comma within digits is no list and no pair of coordinates.
    if re.search(r"\d\s*[-+×÷%=]|[-+×÷]\s*\d", line) and not re.search(r"\d,\s|\(\s*\d+,", line):
        line = _WITH_COMMA.sub(lambda found: found[0].replace(",", "."), line)
    return line


def _divisions(line: str) -> str:
    line = re.sub(r"(?<=[\d)a-z])\s+/\s*(?=[\d(a-z])|(?<=[\d)a-z])/\s+(?=[\d(a-z])", " ÷ ", line)
    if re.search(r"\bratio\b|\bshare", line, re.IGNORECASE):
        return line
    line = re.sub(r"(?<=\d)\s+:\s+(?=\d)", " ÷ ", line)
    return re.sub(r"(?<![\d:])(\d+):(\d|\d{3,})(?![\d:])", r"\1 ÷ \2", line)


def _without_frame(line: str) -> str:
    while True:
        shorter = _ENDING.sub("", line)
        if found := _LEAD_IN.match(shorter):
            shorter = shorter[found.end() :]
        if shorter == line or not shorter:
            return line
        line = shorter


_LETTER_TERM = re.compile(
    r"(?<![A-Za-z])\d*([a-wyz])(?![A-Za-z']|-[A-Za-z]{2})(?=\s*[-+=<>≤≥^)]|$)"
)


def _with_x(line: str) -> str:
    """The one letter that stands for a number, written as x."""
    if re.search(r"(?<![A-Za-z])[xX](?![A-Za-z])", line):
        return line
    letters = {found[1] for found in _LETTER_TERM.finditer(line)}
    if len(letters) != 1 or not re.search(r"\d", line):
        return line
    (letter,) = letters
    return re.sub(rf"(?<![A-Za-z]){letter}(?![A-Za-z'])", "x", line)
