"""Files that are there whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def whole_text(out: Path) -> Iterator[TextIO]:
    """A text file, written beside its place and put there when the block ends without error."""
    with _beside(out) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield file


def write_whole(out: Path, content: bytes) -> None:
    """Writes a file whole."""
    with _beside(out) as part:
        part.write_bytes(content)


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    part = out.with_name(out.name + ".part")
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
