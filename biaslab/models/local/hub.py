"""Small models of the Hugging Face hub: the dated list, and what of one is on this computer.

Nothing here asks the network; `biaslab.models.local.hub_download` does, when it is told to.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from biaslab.models.requests import BrokenModel, UnknownModel
from biaslab.system.places import hub_models
from schoolmath.text.given_files import parse_json
from schoolmath.text.yaml_files import read_yaml

HUB_LIST = Path(__file__).resolve().parents[3] / "assets" / "hub_models.yaml"
"""The list that comes with the app."""

RECORD_FILE = "hub.json"
"""Which model lies in a directory, of which commit, and which files it has."""

PART = ".part"
"""What the name of a file ends in that is not whole yet."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,95}/[A-Za-z0-9][A-Za-z0-9_.-]{0,95}")
_ON_DISK, _IN_MEMORY = 2, 4
_MOST_RECORD = 1 << 20


@dataclass(frozen=True, slots=True)
class HubModel:
    """A line of the list.

    Attributes:
        repository: ``OWNER/MODEL`` on the hub.
        licence: its short name, such as ``Apache-2.0``.
        parameters: how many numbers it has.
        expect: one sentence for somebody who does not know it, with what we measured.
        file: the one GGUF file that is fetched; empty for a directory with safetensors.
        size: of that file, in bytes; sha256: of its content.
    """

    repository: str
    licence: str
    parameters: int
    expect: str
    file: str = ""
    size: int = 0
    sha256: str = ""

    @property
    def name(self) -> str:
        """The model's name without its owner's."""
        return self.repository.rpartition("/")[2]

    @property
    def download_bytes(self) -> int:
        """About as much is downloaded: two bytes for each parameter, unless a file is pinned."""
        return self.size or self.parameters * _ON_DISK

    @property
    def memory_bytes(self) -> int:
        """About as much memory the weights take when it is asked: four bytes for each parameter."""
        return self.parameters * _IN_MEMORY


@dataclass(frozen=True, slots=True)
class HubList:
    """The models offered, the smallest first, and the day on which the list was true."""

    date: datetime.date
    models: tuple[HubModel, ...]


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file as the hub tells of it.

    Attributes:
        size: in bytes.
        sha256: of its content, for large files; empty for those that lie in git itself.
        git: git's name of its content, for those.
    """

    size: int
    sha256: str = ""
    git: str = ""


@dataclass(frozen=True, slots=True)
class HubRecord:
    """Where the files of a directory are from.

    Attributes:
        repository: ``OWNER/MODEL``; endpoint: the hub's address.
        commit: which state of the repository, forty hexadecimal digits.
        files: what is fetched, by name.
        complete: whether all of it is here and was checked.
    """

    repository: str
    endpoint: str
    commit: str
    files: Mapping[str, HubFile]
    complete: bool = False

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files.values())

    def here(self, directory: Path) -> int:
        """Bytes that are in the directory, those of files that are not whole included."""
        return sum(size_here(directory / name) for name in self.files)


@cache
def hub_list(path: Path = HUB_LIST) -> HubList:
    """The models that are offered.

    Raises:
        BrokenModel: the list is damaged.
    """
    try:
        content = read_yaml(path)
        models = tuple(HubModel(**each) for each in content["models"])
        for model in models:
            check_repository(model.repository)
        return HubList(content["date"], tuple(sorted(models, key=lambda each: each.parameters)))
    except (OSError, ValueError, TypeError, KeyError, UnknownModel, yaml.YAMLError) as error:
        raise BrokenModel(
            f"The list of models {path} cannot be read ({error}): repair it or install it again."
        ) from error


def pinned_file(repository: str) -> HubModel | None:
    """The line of a repository of which one file is fetched, with its size and sum."""
    return next((m for m in hub_list().models if m.repository == repository and m.file), None)


def find_repository(name: str) -> str:
    """The repository that somebody means: ``OWNER/MODEL``, or a name of the list without owner.

    Raises:
        UnknownModel: neither; the sentence tells the names of the list.
    """
    for model in hub_list().models:
        if name.lower() in (model.name.lower(), model.repository.lower()):
            return model.repository
    return check_repository(name)


def check_repository(name: str) -> str:
    """The name of a repository, if it can be one.

    Raises:
        UnknownModel: it cannot.
    """
    if not _NAME.fullmatch(name) or ".." in name or "--" in name:
        known = ", ".join(model.name for model in hub_list().models)
        raise UnknownModel(
            f"“{name}” is no model of the hub: write OWNER/MODEL as the hub has it, or a name of "
            f"the list ({known})."
        )
    return name


def hub_directory(repository: str) -> Path:
    """Where a model of the hub is kept, unless a person says otherwise."""
    return hub_models().joinpath(*repository.split("/"))


def fetched_directories() -> tuple[Path, ...]:
    """Models of the hub that are here and complete, by name."""
    try:
        found = sorted(hub_models().glob(f"*/*/{RECORD_FILE}"))
    except OSError:
        return ()
    return tuple(
        path.parent for path in found if (record := read_record(path.parent)) and record.complete
    )


def read_record(directory: Path) -> HubRecord | None:
    """Where the files of a directory are from; None where nothing, or nothing legible, says so."""
    try:
        path = directory / RECORD_FILE
        if path.stat().st_size > _MOST_RECORD:
            return None
        content: dict[str, Any] = parse_json(path.read_text(encoding="utf-8"))
        content["files"] = {name: HubFile(**file) for name, file in content["files"].items()}
        return HubRecord(**content)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write_record(directory: Path, record: HubRecord) -> None:
    """Keeps where the files of a directory are from, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    part = directory / (RECORD_FILE + PART)
    part.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    part.replace(directory / RECORD_FILE)


def size_here(file: Path) -> int:
    """Bytes of a file that are here, of its part where it is not whole."""
    for path in (file, part_of(file)):
        if path.is_file():
            return path.stat().st_size
    return 0


def part_of(file: Path) -> Path:
    """Where a file lies as long as it is not whole."""
    return file.with_name(file.name + PART)


def gigabytes(size: int) -> str:
    """A number of bytes as people read it."""
    return f"{size / 1e9:.1f} GB"
