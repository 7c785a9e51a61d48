"""The sums of model files and directories, and where on this computer the one with a sum lies.

A model's name in runs is its file's or directory's name and the beginning of its sum
(``local:NAME#SUM``), never the folder, so that no export tells where somebody keeps files. Which
path that was stands in a file of this computer's own.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import FileLock

from biaslab.models.requests import BrokenModel
from biaslab.system.places import beside_runs, make_private, write_private
from schoolmath.text.given_files import parse_json

UNPACKED_VARIABLE = "BIASLAB_UNPACKED"
"""Environment variable: another directory for unpacked weights, or ``off`` to keep none."""

DIGITS = 12
"""Of a sum, in a model's name."""

_FILE = "model-files.json"
_MOST = 1 << 20

_Known = dict[str, tuple[int, int, str]]
"""By path: size, time of change in ns, SHA-256; of a directory what its model's files have."""


def sum_of(path: Path) -> str:
    """The SHA-256 of a file; reckoned again only when its size or time of change is another.

    Raises:
        BrokenModel: it cannot be read.
    """
    try:
        status = path.stat()
        if known := known_sum(path, status.st_size, status.st_mtime_ns):
            return known
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BrokenModel(f"{path} cannot be read ({error.strerror}): check it.") from error
    remember(path, status.st_size, status.st_mtime_ns, found)
    return found


def known_sum(path: Path, size: int, changed: int) -> str:
    """The sum of what was opened here before and has the same size and time of change; or ""."""
    was, then, known = _known().get(str(path.absolute()), (0, 0, ""))
    return known if (was, then) == (size, changed) else ""


def name_of(path: Path, title: str = "") -> str:
    """What a model is called in runs: ``NAME#SUM``.

    Args:
        path: its file.
        title: what the file calls itself, for one that is named by a sum, as Ollama's are.
    """
    own = path.name if path.suffix == ".gguf" or not title else title
    return written_name(own, sum_of(path))


def written_name(own: str, whole: str) -> str:
    """``NAME#SUM`` of what is called so and has this sum."""
    plain = "".join(each if each.isalnum() or each in "._-" else "-" for each in own)
    return f"{plain}#{whole[:DIGITS]}"


def known_name(path: Path, title: str = "") -> str | None:
    """The same for a file that was opened here before, whose sum need not be reckoned."""
    return name_of(path, title) if str(path.absolute()) in _known() else None


def is_name(name: str) -> bool:
    """Whether this is what `name_of` makes, rather than a path."""
    sum_ = name.rpartition("#")[2]
    return "#" in name and len(sum_) == DIGITS and not set(sum_) - set("0123456789abcdef")


def places_of(name: str) -> Iterator[Path]:
    """Where the model lay that is called so in runs, the last place first; it may have changed."""
    beginning = name.rpartition("#")[2]
    for place, (_, _, known) in reversed(_known().items()):
        if known.startswith(beginning):
            yield Path(place)


def kept_directory(sha256: str) -> Path:
    """Where the unpacked model with this sum is kept, if it is."""
    named = os.environ.get(UNPACKED_VARIABLE, "").strip()
    folder = Path(named).expanduser() if named and named != "off" else beside_runs("unpacked")
    return folder.absolute() / sha256[:32]


def libraries() -> dict[str, str]:
    """Versions of what decides how a file is read, of those that are here."""
    found = {}
    for name in ("gguf", "transformers", "tokenizers", "torch"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _known() -> _Known:
    path = beside_runs(_FILE)
    try:
        if path.stat().st_size > _MOST:
            return {}
        content = parse_json(path.read_text(encoding="utf-8"))
        return {
            str(place): (int(size), int(changed), str(found))
            for place, (size, changed, found) in content.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def remember(path: Path, size: int, changed: int, whole: str) -> None:
    """Keeps a sum; where that cannot be written, it is reckoned again next time."""
    place, kept = str(path.absolute()), beside_runs(_FILE)
    with suppress(OSError):
        make_private(kept.parent)
        with FileLock(kept.with_suffix(".lock")):
            known = _known()
            known.pop(place, None)
            known[place] = (size, changed, whole)
            write_private(kept, json.dumps(known, indent=1))
