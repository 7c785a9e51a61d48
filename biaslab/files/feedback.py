"""Words of praise and blame in the place of a rationale, and what is left without them.

"Well done! Adds the ones first" gives the key away before it tells anything; "Well done" tells
nothing at all. Only whole sentences that hold nothing else are taken for such words, so "Right
angles are 90" and "Correctly adds, then forgets the carry" stay as they are.
"""

from __future__ import annotations

import re

_VERDICT = re.compile(
    r"\W{0,3}(?:(?:this|that|it)(?:['’]s| is) )?(?:correct|incorrect|right|wrong)"
    r"(?: (?:answer|choice|option|response))?\s*(?:[.!:;,]+|[–—]|\s-(?=\s)|$)\s*",
    re.IGNORECASE,
)
_WORDS = (
    r"well done|good (?:job|work|try|effort|thinking|one)|great(?: (?:job|work|thinking))?|"
    r"nice(?:ly done| work| one| try)?|excellent(?: work)?|perfect|brilliant|super|fantastic|"
    r"awesome|bravo|hooray|congratulations|exactly|absolutely|yes|yep|no|nope|sorry|oops|"
    r"not quite(?: right)?|almost(?: there)?|nearly(?: there)?|close|"
    r"(?:please )?(?:try|have another go|think|check|look)(?: (?:it|again|once more|harder))*|"
    r"(?:please )?check (?:your|the) (?:working|answer|work|calculation)s?|"
    r"you(?:['’]ve| have)? (?:got it|did it|are right|are wrong|are correct)"
    r"(?: right| wrong)?|keep (?:it up|going|trying)|better luck next time|"
    r"(?:that|this|it)(?:['’]s| is|(?:['’]s| is) not|(?: is)?n['’]t) "
    r"(?:the )?(?:right|wrong|correct|incorrect|it|quite right)(?: answer)?|"
    r"(?:the )?(?:correct|incorrect|right|wrong)(?: (?:answer|choice|option|response))?"
)
_SENTENCE = re.compile(
    rf"\W*(?:{_WORDS})(?:,? (?:{_WORDS}))*\s*"
    r"(?:[.!?:;,…]+|\s[–—-]+(?=\s|$)|$)\s*",
    re.IGNORECASE,
)


def without_feedback(rationale: str) -> str:
    """The rationale without the feedback at its start; empty where it is nothing else."""
    rest = rationale
    while rest:
        match = _SENTENCE.match(rest) or _VERDICT.match(rest)
        if match is None or not match.end():
            break
        rest = rest[match.end() :]
    if not re.search(r"\w", rest):
        return ""
    rest = rest.strip()
    return rationale if rest == rationale else rest[:1].upper() + rest[1:]
