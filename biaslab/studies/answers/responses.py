"""What of a response is the model's answer: not its thinking, nor a question it went on to.

Nor what it says beside its solution: offers, praise, warnings, how sure it is. "Let me know if you
need 3 more examples." answers nothing, whatever number it holds. Such sentences are known by how
they begin, with a capital letter, and blanked out; every position in the text holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from schoolmath.text.thinking import find_thinking
from schoolmath.text.written_answers import normalise


@dataclass(frozen=True, slots=True)
class Response:
    """A response and the part of it that answers.

    Attributes:
        source: exactly the response.
        text: the response normalised, thinking and asides blanked out, of the same length.
        start, end: the part that answers.
        paragraph_end: where the first paragraph of that part ends.
        next_task: where a line such as "Question:" begins another task, or the end.
        unfinished_thinking: a thinking block was opened and never closed.
    """

    source: str
    text: str
    start: int
    end: int
    paragraph_end: int
    next_task: int
    unfinished_thinking: bool

    def until(self, end: int) -> Response:
        """The same without what stands behind a position."""
        return replace(self, end=end, paragraph_end=min(self.paragraph_end, end), next_task=end)


_NEXT_QUESTION = re.compile(r"(?<=\s)[*#_ ]{0,6}Q[0-9]{0,3}[*_]{0,2}:")
_NEXT_TASK = re.compile(
    r"\n[*#_ ]{0,6}(?:question|problem|exercise|example|user|human|instruction|input)"
    r"[ ]?[0-9]{0,3}[*_]{0,2}:",
    re.IGNORECASE,
)
_END_OF_TURN = re.compile(
    r"<\|?(?:im_end|im_start|endoftext|end_of_text|eot_id|end_of_turn|start_of_turn|/s|/?INST)\|?>"
    r"|\[/?INST\]",
    re.IGNORECASE,
)
"""What marks the end of a turn in chat templates; some models write it out and go on."""
_BLANK_LINE = re.compile(r"\n(?=[^\S\n]*\n)")
_ASKS = re.compile(r"\b(?:how (?:many|much)|what is)\b[^?]{0,300}\?", re.IGNORECASE)
_TAKES_BACK = re.compile(r"\s{0,9}(?:wait|no[,.]|oh[, ]|correction|sorry|actually,)", re.IGNORECASE)


def visible_part(source: str, *, goes_on: bool) -> Response:
    """Finds the part that answers.

    Args:
        source: the response.
        goes_on: it continues a plain text, so that a base model may have gone on to another
            problem: a paragraph that asks "How many ...?", or a line such as "Problem 2:".
    """
    text, unfinished = _without_thinking(source)
    start = len(text) - len(text.lstrip())
    text = without_asides(normalise(text))
    if not goes_on:  # Paragraphs say nothing of where an answer in a chat ends.
        text = _BLANK_LINE.sub(" ", text)
    end = _first_match(_END_OF_TURN, source, start, len(text))
    if "Q" in text:
        end = _first_match(_NEXT_QUESTION, text, start + 1, end)
    next_task = _first_match(_NEXT_TASK, text, start, end)
    if goes_on:
        end = next_task
    paragraph_end = end
    for blank in _BLANK_LINE.finditer(text, start, end):
        takes_back = _TAKES_BACK.match(text, blank.end()) is not None
        if paragraph_end == end and not takes_back:
            paragraph_end = blank.start()
        next_blank = _BLANK_LINE.search(text, blank.end(), end)
        asked = _ASKS.search(text, blank.end(), next_blank.start() if next_blank else end)
        if asked is not None:
            end = blank.start()
            break
    return Response(source, text, start, end, min(paragraph_end, end), next_task, unfinished)


def _first_match(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    match = pattern.search(text, start, end)
    return match.start() if match else end


def _without_thinking(source: str) -> tuple[str, bool]:
    """The response with thinking blanked out, and whether thinking was left unfinished."""
    found = find_thinking(source)
    if not found.blocks and not found.wrappers:
        return source, False
    if found.unfinished:  # What stood before it may be taken back in what is missing.
        return " " * len(source), True
    parts, place = [], 0
    for start, end in sorted((*found.blocks, *found.wrappers)):
        parts += [source[place:start], " " * (end - start)]
        place = end
    return "".join([*parts, source[place:]]), False


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
