"""Takes what a server sends out of its packing, and no more of it than is allowed.

A few kilobytes can unpack to gigabytes, so what counts is the size after unpacking, and each step
unpacks a little. Nothing is asked for in another packing than these two; what comes in another one
is refused.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator

import httpx2
from openai import OpenAIError

MOST_ANSWER_BYTES = 2**24
"""Of one answer, unpacked; one of 200,000 signs with 20 alternatives for each token is as long."""

MOST_FILE_BYTES = 2**32
"""Of a file of answers, which goes to disk and is read line by line."""

ACCEPTED = b"gzip, deflate"

_STEP = 2**16

_ABOUT_PACKING = frozenset({b"content-encoding", b"content-length", b"transfer-encoding"})


class ReplyTooLarge(OpenAIError):
    """A server sent more than is taken; not to be repeated."""


class UnpackedStream(httpx2.AsyncByteStream):
    """The bytes of a response that was opened as a stream, out of their packing.

    Args:
        response: not read yet.
        most: bytes after which it is given up.
    """

    def __init__(self, response: httpx2.Response, most: int) -> None:
        self._response = response
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The parts.

        Raises:
            TooMuch: there are more bytes.
            httpx2.DecodingError: the packing is broken, or one that was not asked for.
        """
        packing = self._response.headers.get("content-encoding", "").strip().lower()
        if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise httpx2.DecodingError("The answer is packed in a way that was not asked for.")
        size = 0
        unpack = _Inflating() if packing not in ("", "identity") else None
        async for part in self._response.aiter_raw():
            for piece in unpack.take(part) if unpack else (part,):
                size += len(piece)
                if size > self._most:
                    raise ReplyTooLarge(f"More than {self._most} bytes were sent.")
                yield piece

    async def aclose(self) -> None:
        """Closes the response."""
        await self._response.aclose()


def unpacked_headers(response: httpx2.Response) -> list[tuple[bytes, bytes]]:
    """The headers without those that speak of the packing."""
    return [
        (name, value) for name, value in response.headers.raw if name.lower() not in _ABOUT_PACKING
    ]


class _Inflating:
    """Both packings are zlib's, with another head or, by some servers, none."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._begun = False

    def take(self, part: bytes) -> Iterator[bytes]:
        """What the part unpacks to, in pieces of `_STEP` bytes at most."""
        while not self._inflate.eof:
            try:
                piece = self._inflate.decompress(part, _STEP)
            except zlib.error as error:
                if self._begun:
                    raise httpx2.DecodingError("The answer is packed wrongly.") from error
                self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
                self._begun = True
                continue
            self._begun = True
            part = self._inflate.unconsumed_tail
            if piece:
                yield piece
            if not part and len(piece) < _STEP:
                return
