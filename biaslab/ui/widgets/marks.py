"""Marks the words in which two texts differ."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORDS = re.compile(r"\s+|[^\W_]+|[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text.

    Attributes:
        text: the stretch, exactly as it stands; all pieces together are the whole text.
        marked: whether it differs.
    """

    text: str
    marked: bool


def differing(text: str, other: str) -> tuple[Piece, ...]:
    """The text in pieces, those marked that the other text does not have at this place."""
    words, others = _WORDS.findall(text), _WORDS.findall(other)
    same = SequenceMatcher(None, words, others, autojunk=False)
    pieces: list[Piece] = []
    for tag, start, end, _, _ in same.get_opcodes():
        if start < end:
            pieces.append(Piece("".join(words[start:end]), tag != "equal"))
    return _joined(pieces)


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Marks run over a single space between marked words; spaces alone are never marked."""
    joined: list[Piece] = []
    waiting = ""
    for piece in pieces:
        blank = not piece.text.strip()
        if blank:
            waiting += piece.text
            continue
        if waiting:
            bridge = piece.marked and joined and joined[-1].marked
            _add(joined, Piece(waiting, bool(bridge)))
            waiting = ""
        lead = len(piece.text) - len(piece.text.lstrip())
        trail = len(piece.text.rstrip())
        if piece.marked:
            inside = bool(joined) and joined[-1].marked
            _add(joined, Piece(piece.text[:lead], inside))
            _add(joined, Piece(piece.text[lead:trail], True))
            waiting = piece.text[trail:]
        else:
            _add(joined, piece)
    _add(joined, Piece(waiting, False))
    return tuple(joined)


def _add(pieces: list[Piece], piece: Piece) -> None:
    if not piece.text:
        return
    if pieces and pieces[-1].marked == piece.marked:
        pieces[-1] = Piece(pieces[-1].text + piece.text, piece.marked)
    else:
        pieces.append(piece)


def span_pieces(text: str, span: tuple[int, int] | None) -> tuple[Piece, ...]:
    """The text in pieces, the part from start to end marked."""
    if span is None:
        return (Piece(text, False),)
    start, end = span
    return tuple(
        piece
        for piece in (
            Piece(text[:start], False), Piece(text[start:end], True), Piece(text[end:], False)
        )
        if piece.text
    )  # fmt: skip


def to_html(pieces: Iterable[Piece]) -> str:
    """The pieces as HTML in which nothing of the text itself is markup."""
    return "".join(
        f"<mark>{html.escape(piece.text)}</mark>" if piece.marked else html.escape(piece.text)
        for piece in pieces
    )
