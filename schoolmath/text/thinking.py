"""What of a text is thinking, by the markers that models put around it: the one table of them.

Servers can be told to take thinking apart, and local tools can leave the special tokens out that
mark it; many do neither, and a number within it must never be taken for the answer. Three shapes
are in use:

*Pairs* stand around thinking. A chat template may have opened the block in the prompt already, so
what comes before a closing marker that nothing opened is thinking, too. Thinking that was opened
and not closed goes on to the end of the text.

*Channels* (gpt-oss and others) head each part of a reply with its name; one of them is the answer.

*Wrappers* stand around an answer and say nothing.

Letter case and space inside a marker never count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Markers(NamedTuple):
    """Markers around thinking.

    Attributes:
        opening, closing: as they are written.
        source: which models write them.
        alone: whether the closing marker says something without its opening one.
        closed: whether both must be there, as the opening one is prose that anybody may write.
    """

    opening: str
    closing: str
    source: str
    alone: bool = True
    closed: bool = False


def _tag(name: str, source: str) -> Markers:
    return Markers(f"<{name}>", f"</{name}>", source)


PAIRS = (
    _tag("think", "DeepSeek R1, Qwen 3, QwQ, GLM, Nemotron, SmolLM 3, OLMo 3 and most others"),
    _tag("thinking", "Claude-style prompts and tunings"),
    _tag("thought", "EXAONE Deep, Gemini-style tunings"),
    _tag("thoughts", "tunings"),
    _tag("reasoning", "tunings with a reasoning format"),
    _tag("reason", "tunings with a reasoning format"),
    _tag("reflection", "Reflection-style tunings"),
    _tag("scratchpad", "prompts that ask for one"),
    _tag("mm:think", "MiniMax M3"),
    _tag("seed:think", "Seed-OSS"),
    _tag("longcat_think", "LongCat"),
    _tag("ifm|think", "K2 Horizon"),
    _tag("ifm|think_fast", "K2 Horizon"),
    _tag("ifm|think_faster", "K2 Horizon"),
    Markers("[THINK]", "[/THINK]", "Mistral: Magistral and Small 4"),
    Markers("[REASONING]", "[/REASONING]", "tunings with a reasoning format"),
    Markers("[unused16]", "[unused17]", "openPangu"),
    Markers("◁think▷", "◁/think▷", "Kimi 1.5 and Kimi-VL"),
    Markers("<|open|>think<|sep|>", "<|close|>think<|sep|>", "Kimi K3"),
    Markers("<|START_THINKING|>", "<|END_THINKING|>", "Cohere: Command A, R7B"),
    Markers("<|inner_prefix|>", "<|inner_suffix|>", "Apertus"),
    Markers("<|think:start|>", "<|think:end|>", "Solar Open 2"),
    Markers("<|think|>", "<|end|>", "Solar Open", alone=False),
    Markers("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>", "PLaMo 3"),
    Markers("<|begin_of_thought|>", "<|end_of_thought|>", "OpenThoughts, Sky-T1"),
    Markers("<|channel>thought", "<channel|>", "Gemma 4"),
    Markers("<|content_thinking|>", "<|end_message|>", "Inkling", alone=False),
    Markers("Here is my thought process:", "Here is my response:", "Granite 3.2", closed=True),
    Markers("Here's my thought process:", "Here's my response:", "Granite 3.2", closed=True),
)
"""As the parsers of vLLM, SGLang, llama.cpp and Open WebUI name them, and the models' templates."""

ANSWER_CHANNELS = frozenset({"final", "user"})
"""Channels that answer: gpt-oss heads its answer ``<|channel|>final<|message|>``, Muse Glimmer
addresses it ``to=user<|message|>``. Every other channel is thinking, or a call of a tool."""

_HEADER = re.compile(
    r"(?:<\|channel\|>\s{0,9}(?P<channel>\w{1,40})|\bto=(?P<to>[\w.-]{1,80}))"
    r"[^<]{0,200}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>",
    re.IGNORECASE,
)
_PART_END = re.compile(r"<\|(?:end|return|call|eom|eot|start|channel)\|>", re.IGNORECASE)

_BARE_THINKING = re.compile(r"\s{0,9}(?:assistant)?analysis(?=[A-Z0-9\"'(])")
_BARE_ANSWER = re.compile(r"assistant\s?final")
"""What is left of gpt-oss's headers where special tokens were left out."""

_WRAPPER = re.compile(
    r"<\|(?:(?:begin|end)_of_solution|(?:START|END)_(?:RESPONSE|TEXT)|end_of_msg|message_model"
    r"|content_text|end_message|content_model_end_sampling|content|start|end|channel|message"
    r"|return|eom|eot)\|>|<\|begin\|>(?:assistant)?|<turn\|>"
    r"|<\|(?:open|close)\|>(?:response|message)<\|sep\|>",
    re.IGNORECASE,
)

_TAG = re.compile(r"([<\[])(/?)([^|].*)([>\]])")


def _loosely(marker: str) -> str:
    """A pattern for the marker, with space allowed inside its brackets."""
    tag = _TAG.fullmatch(marker)
    if tag is None:
        return re.escape(marker)
    return r"\s{0,3}".join(re.escape(part) for part in tag.groups() if part)


def _key(marker: str) -> str:
    return "".join(marker.split()).lower()


_KINDS = {
    _key(marker): (pair, closes)
    for pair in PAIRS
    for marker, closes in ((pair.opening, False), (pair.closing, True))
}
_MARKER = re.compile(
    "|".join(
        sorted((_loosely(marker) for pair in PAIRS for marker in pair[:2]), key=len, reverse=True)
    ),
    re.IGNORECASE,
)
_ANY_SIGN = re.compile(r"[<\[◁]|\A\s{0,9}(?:assistant)?analysis|here(?:'s| is) my", re.IGNORECASE)
"""A text without any of these holds no marker, which is most texts."""

MARKER_TOKENS = frozenset(
    {
        *(marker.lower() for pair in PAIRS if not pair.closed for marker in pair[:2]),
        *("<|open|>", "<|close|>", "<|sep|>", "<|channel>", "<|plamo:begin_", "<|plamo:end_"),
        *("<|channel|>", "<|message|>", "<|start|>", "<|end|>", "<|constrain|>", "<|eom|>"),
    }
)
"""Special tokens, in small letters, that must not be left out when tokens become text."""


Span = tuple[int, int]
"""Where something begins and ends in a text, in characters."""


@dataclass(frozen=True, slots=True)
class ThinkingSpan:
    """Where thinking stands in a text.

    Attributes:
        blocks: of thinking with their markers, in order, none of which touches another.
        wrappers: markers around an answer.
        unfinished: the last block was opened and never closed, or no channel answers.
    """

    blocks: tuple[Span, ...] = ()
    wrappers: tuple[Span, ...] = ()
    unfinished: bool = False


_NONE = ThinkingSpan()


@dataclass(frozen=True, slots=True)
class Thought:
    """A text with the thinking taken out of it, and the thinking without its markers."""

    text: str
    thinking: str


def find_thinking(text: str, *, begins_inside: bool = False) -> ThinkingSpan:
    """Finds all thinking in what a model wrote.

    Args:
        text: as it was written.
        begins_inside: whether the prompt ended within thinking.
    """
    if not begins_inside and not _ANY_SIGN.search(text):
        return _NONE
    blocks, unfinished = _channels(text) or _pairs(text, begins_inside)
    wrappers = tuple(
        match.span()
        for start, end in _gaps(blocks, len(text))
        for match in _WRAPPER.finditer(text, start, end)
    )
    return ThinkingSpan(tuple(blocks), wrappers, unfinished)


def split_thinking(text: str, *, begins_inside: bool = False) -> Thought:
    """Takes thinking apart. An unfinished block after something else stays where it is.

    Args:
        text: as it was written.
        begins_inside: whether the prompt ended within thinking.
    """
    found = find_thinking(text, begins_inside=begins_inside)
    blocks = found.blocks
    if found.unfinished and len(_outside(text, blocks).strip()) > 0:
        blocks = blocks[:-1]
    thinking = "\n".join(filter(None, (_bare(text[start:end]) for start, end in blocks)))
    rest = _outside(text, (*blocks, *found.wrappers))
    before = text[: blocks[0][0]] if blocks else ""
    return Thought(rest if before.strip() else rest[len(before) :], thinking)


def closing_marker(prompt: str) -> str:
    """What ends the thinking within which a prompt of a chat ends; empty where it does not."""
    markers = list(_MARKER.finditer(prompt, max(0, len(prompt) - _PROMPT_END)))
    if not markers or prompt[markers[-1].end() :].strip():
        return ""
    pair, closes = _KINDS[_key(markers[-1][0])]
    return "" if closes else pair.closing


def closing_of(text: str, opening: str = "") -> str:
    """What ends the thinking that a text leaves unfinished; empty where it leaves none.

    ``opening`` ends the thinking within which its prompt ended (`closing_marker`).
    """
    if not find_thinking(text, begins_inside=bool(opening)).unfinished:
        return ""
    kinds = [_KINDS[_key(match[0])] for match in _MARKER.finditer(text)]
    begun = [pair.closing for pair, closes in kinds if not closes]
    return begun[-1] if begun else opening


_PROMPT_END = 80
"""Signs at the end of a prompt in which the marker of its thinking stands."""


def _channels(text: str) -> tuple[list[Span], bool] | None:
    headers = list(_HEADER.finditer(text))
    if not headers:
        bare = _BARE_THINKING.match(text)
        if bare is None:
            return None
        answer = _BARE_ANSWER.search(text, bare.end())
        return ([(0, answer.end())], False) if answer else ([(0, len(text))], True)
    blocks, place = [], 0
    for header in headers:
        if (header["channel"] or header["to"]).lower() in ANSWER_CHANNELS:
            blocks.append((place, header.end()))
            end = _PART_END.search(text, header.end())
            place = end.start() if end else len(text)
    answered = bool(blocks)
    if place < len(text):
        blocks.append((place, len(text)))
    return blocks, not answered


def _pairs(text: str, begins_inside: bool) -> tuple[list[Span], bool]:
    markers = [(match, *_KINDS[_key(match[0])]) for match in _MARKER.finditer(text)]
    last = {pair: at for at, (_, pair, closes) in enumerate(markers) if closes}
    blocks: list[Span] = []
    start, within = (0, None) if begins_inside else (-1, None)
    for at, (match, pair, closes) in enumerate(markers):
        if not closes:
            if start < 0 and (last.get(pair, -1) > at or not pair.closed):
                start, within = match.start(), pair
        elif start >= 0:
            # Another pair's marker closes only what its own never will.
            if within is None or pair == within or (last.get(within, -1) < at and pair.alone):
                blocks.append((start, match.end()))
                start = -1
        elif pair.alone and not pair.closed:
            blocks = [(0, match.end())]
    if start >= 0:
        blocks.append((start, len(text)))
    return blocks, start >= 0


def _gaps(spans: Iterable[Span], length: int) -> Iterator[Span]:
    place = 0
    for start, end in spans:
        yield place, start
        place = end
    yield place, length


def _outside(text: str, spans: Iterable[Span]) -> str:
    return "".join(text[start:end] for start, end in _gaps(sorted(spans), len(text)))


def _bare(block: str) -> str:
    """A block of thinking without markers."""
    return _WRAPPER.sub("", _MARKER.sub("", _HEADER.sub("", block)))


_SHAPE = re.compile(
    r"<\|[\w:./-]{2,40}\|>|<(?P<tag>[A-Za-z][\w:.|-]{1,40})>|\[(?P<block>[A-Z][A-Z_]{2,30})\]"
    r"|◁[^▷\s]{1,40}▷"
)
_MOST_SHAPES = 5


def unknown_markers(text: str) -> tuple[str, ...]:
    """What looks like markers of thinking, or other special tokens, and is not in this table.

    Tags count only where they are closed, too, or open the text, since a text may hold a
    ``<number>``; those of HTML that are used to set text, and ``<answer>``, do not count.

    Args:
        text: a short reply of a model.
    """
    known = [
        match.span() for pattern in (_MARKER, _WRAPPER, _HEADER) for match in pattern.finditer(text)
    ]
    found: dict[str, None] = {}
    for match in _SHAPE.finditer(text):
        if any(start <= match.start() < end for start, end in known):
            continue
        tag, block = match["tag"], match["block"]
        if tag and tag.lower() in _SETTING:
            continue
        end = f"</{tag}>" if tag else f"[/{block}]"
        if (tag or block) and end not in text and text[: match.start()].strip():
            continue
        found[match[0]] = None
    return tuple(found)[:_MOST_SHAPES]


_SETTING = frozenset(
    ("answer", "b", "blockquote", "br", "code", "details", "div", "em", "h1", "h2", "h3", "h4", "i",
     "li", "mark", "math", "ol", "p", "pre", "small", "span", "strong", "sub", "summary", "sup",
     "table", "tbody", "td", "th", "thead", "tr", "u", "ul")
)  # fmt: skip
