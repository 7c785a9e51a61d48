"""What a chat model says beside its solution: offers, praise, warnings, how sure it is.

"Let me know if you need 3 more examples." answers nothing, whatever number it holds. Such
sentences are known by how they begin, with a capital letter, and blanked out; every position in
the text holds.
"""

from __future__ import annotations

import re

_OFFERS = (
    r"let me know|feel free|(?:would|do) you (?:like|want)|want me to|shall i|should i"
    r"|(?:i'm |i am |i'd be |i would be |always )?(?:happy|glad) to"
    r"|need (?:help|(?:\w+ )?more (?:help|examples|practice))"
    r"|i (?:can|could) (?:also |even )?(?:explain|help|walk|(?:give|show|make|offer|provide) you)"
    r"|if you have (?:any|more|other|further|another)\b"
    r"|if you(?:'d| would)? (?:like|want|need|prefer)\b(?=[^.!?\n]{0,80}\b(?:let me|i can|i'll|i'd"
    r"|feel free|please|questions?|examples?|problems?|help|explanation)\b)"
)
_PRAISE = r"(?:great|good|nice|well) (?:job|work|done|luck)|keep (?:it up|going|practi[cs]ing)"
_WARNINGS = (
    r"(?:an?|one|the)? ?(?:common|frequent|typical|easy) (?:mistake|error|trap|slip)"
    r"|be careful|beware|watch out|if you (?:got|answered|wrote|chose)\b"
    r"|if\b[^.!?\n]{1,80}\b(?:answer|result|total) would"
    r"|this is (?:an?|the) (?:\w+ ){0,3}(?:example|application|case|illustration|instance) of"
    r"|(?:(?:pro|quick|study) )?tips?[*_]{0,2}:|remember\b[:,]?(?: to| that you)? always"
)
_ABOUT_ITSELF = (
    r"(?:my )?(?:confidence|certainty)\b|(?:time (?:taken|spent|needed)|source|difficulty|tokens)"
    r"\b[*_]{0,2}:|this (?:took|takes|is|was) (?:only |just )?an? ?[0-9]+[ -]steps?\b"
    r"|this (?:took|takes) (?:\w+ ){1,2}steps?\b"
)
_ANOTHER_TASK = (
    r"try (?:this|these|it|another|solving)\b|next time\b|(?:practice|challenge|bonus|your turn)\b"
    r"[^.!?\n]{0,20}:|now you try"
)
_SENTENCE = r"(?:[^.!?\n]|\.(?=\d))*[.!?]?"
_ASIDE = re.compile(
    rf"(?<![^\W_])(?:(?P<task>{_ANOTHER_TASK})|(?:{_OFFERS}|{_PRAISE}|{_WARNINGS}|{_ABOUT_ITSELF})"
    rf"(?!\w){_SENTENCE})",
    re.IGNORECASE,
)
_CAPITAL = re.compile("[A-Z]")
_CHECK_ON_THE_LINE = re.compile(
    r"[^\S\n](?=[*_]{0,3}(?:(?:Quick |Let's |Let me |We can |You can |To )"
    r"(?:double-)?(?:check|verify)|Check(?:ing)?|Verif(?:y|ying|ication)|Double-check|Proof)\b)"
)


def without_asides(text: str) -> str:
    """The text, of the same length, with blanks for what is said beside the solution.

    A check of the result begins a line of its own.
    """
    text = _CHECK_ON_THE_LINE.sub("\n", text)
    parts: list[str] = []
    kept = 0
    for capital in _CAPITAL.finditer(text):
        aside = _ASIDE.match(text, capital.start()) if capital.start() >= kept else None
        if aside is None:
            continue
        parts += [text[kept : aside.start()], " " * len(aside[0])]
        kept = aside.end()
        if aside["task"]:
            return "".join(parts) + " " * (len(text) - kept)
    return "".join([*parts, text[kept:]])
