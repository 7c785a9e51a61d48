"""What an answer with its working states in the end.

stated_last("Ana has 6 * 7 = <<6*7=42>>42 pens. #### 42")   # "42"
stated_last("6 2/3 - 3 1/6 = 3 + 1/3 = 3 1/3")              # "3 1/3"
stated_last("3 1/3")                                        # "3 1/3"
"""

from __future__ import annotations

import re

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
