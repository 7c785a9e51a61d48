"""From bytes to clean text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from biaslab.files.errors import MAX_FILE_BYTES, InterchangeError
from schoolmath.text import given_files


def is_package(data: bytes) -> bool:
    """Whether the bytes begin like a zip file, as spreadsheets do."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


# UTF-32 stands before UTF-16: its mark begins with the mark of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ODD_BYTES = re.compile("[\udc80-\udcff]")
# Characters that were well-formed UTF-8 beyond ASCII.
_BEYOND_ASCII = re.compile("[^\x00-\x7f\udc80-\udcff]")
_LOOKED_AT = 4096
_BINARY_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text and how its bytes were read.

    Attributes:
        text: without the byte order mark.
        encoding: as people call it, such as ``UTF-8``.
        doubt: a sentence where the encoding is a guess; empty otherwise.
    """

    text: str
    encoding: str
    doubt: str = ""


def read_bytes(path: Path) -> bytes:
    """Everything in a file.

    Raises:
        InterchangeError: it is too large, or no ordinary file.
        OSError: it cannot be read.
    """
    try:
        return given_files.read_given(path, MAX_FILE_BYTES)
    except given_files.FileRefused as error:
        raise InterchangeError(str(error)) from error


def check_size(data: bytes, most: int | None = None) -> None:
    """Raises `InterchangeError` for more bytes than an uploaded file may hold."""
    try:
        given_files.check_size(data, MAX_FILE_BYTES if most is None else most)
    except given_files.FileRefused as error:
        raise InterchangeError(str(error)) from error


def decode(data: bytes) -> DecodedText:
    """The text in these bytes: by its mark, or UTF-8, UTF-16, cp1252, tried in this order.

    Raises:
        InterchangeError: they are no text in any of these.
    """
    decoded = _decode(data)
    start = decoded.text[:_LOOKED_AT]
    if len(_UNWANTED.findall(start)) > _BINARY_SHARE * len(start):
        raise InterchangeError("This is not a text file: it is full of control characters.")
    return decoded


def _decode(data: bytes) -> DecodedText:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return DecodedText(
                _strictly(data[len(mark) :], codec), codec.upper().removesuffix("-LE")
            )
    codec = _wide(data[:_LOOKED_AT])
    if codec:
        doubt = f"It has no byte order mark; it was read as {codec.upper()} by its zero bytes."
        return DecodedText(_strictly(data, codec), "UTF-16", doubt)
    try:
        return DecodedText(data.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise InterchangeError(
            "The file's text is neither UTF-8, UTF-16 nor cp1252 "
            f"(byte {error.start + 1} fits none). Save it as UTF-8 and try again."
        ) from error
    doubt = "It is not UTF-8; it was read as cp1252 (Western European). Check accents and signs."
    return DecodedText(text, "cp1252", doubt)


def decode_rows(data: bytes) -> DecodedText:
    """Like `decode`, but bytes that fit no encoding cost their rows and not the whole file.

    Where a file is UTF-8 but for some rows, their odd bytes are kept as half surrogates, which
    `has_odd_bytes` finds.

    Raises:
        InterchangeError: this is no text at all.
    """
    try:
        decoded = decode(data)
    except InterchangeError:
        start = data[:_LOOKED_AT]
        if _wide(start) or start.startswith(tuple(mark for mark, _ in _MARKS[1:])):
            raise
        decoded = None
    if decoded is not None and decoded.encoding != "cp1252":
        return decoded
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    if decoded is not None and not _BEYOND_ASCII.search(text):
        return decoded
    if len(_CONTROLS.findall(text[:_LOOKED_AT])) > _BINARY_SHARE * len(text[:_LOOKED_AT]):
        raise InterchangeError("This is not a text file: it is full of control characters.")
    doubt = "Some rows hold bytes that are not UTF-8, as the others are; they are named one by one."
    return DecodedText(text, "UTF-8", doubt)


def has_odd_bytes(text: str) -> bool:
    """Whether the text holds bytes that could not be decoded."""
    return not text.isascii() and _ODD_BYTES.search(text) is not None


def _wide(start: bytes) -> str:
    """UTF-16 without a mark: every other byte of Western text is zero."""
    half = len(start) // 2
    if half < 2:
        return ""
    if start[1::2].count(0) > half * 0.6 and start[0::2].count(0) < half * 0.1:
        return "utf-16-le"
    if start[0::2].count(0) > half * 0.6 and start[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return ""


def _strictly(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise InterchangeError(
            f"The file begins like {codec.upper()}, but byte {error.start + 1} does not fit. "
            "It is damaged or cut off."
        ) from error


def clean(text: str) -> str:
    """Without control characters, with plain line ends, nothing blank at the ends."""
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def has_unwanted(text: str) -> bool:
    """Whether `clean` takes out more than blanks and line ends."""
    return _UNWANTED.search(text) is not None
