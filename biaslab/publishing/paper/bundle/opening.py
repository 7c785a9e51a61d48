"""Opens a bundle that somebody gives: limited before it is read, checked before it is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from biaslab.publishing.paper.bundle.manifest import (
    LARGEST_MANIFEST,
    MANIFEST,
    Manifest,
    digest,
    read_manifest,
)
from biaslab.publishing.paper.errors import BundleError
from schoolmath.text.given_files import LARGEST, FileRefused, parse_json, read_given

MOST_FILES = 200
"""Most files in a bundle, and in an archive that holds one."""

INSIDE = "bundle"
"""Folder of the bundle in what `biaslab paper` writes."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}")

_Read = Callable[[str, int], bytes]


@dataclass(frozen=True, slots=True)
class OpenBundle:
    """A bundle whose bytes were read.

    Attributes:
        manifest: what it says of itself.
        digest: SHA-256 of the manifest.
        files: contents of the others by name, those that are not there left out.
        differences: what is not as the manifest says, in sentences.
    """

    manifest: Manifest
    digest: str
    files: Mapping[str, bytes]
    differences: tuple[str, ...]

    def text(self, name: str) -> str:
        """A file as text.

        Raises:
            BundleError: it is not there, or no text in UTF-8.
        """
        if name not in self.files:
            raise BundleError(f"{name} is missing, so nothing can be made again.")
        try:
            return self.files[name].decode("utf-8")
        except UnicodeDecodeError:
            raise BundleError(f"{name} is no text in UTF-8.") from None


def open_bundle(path: Path) -> OpenBundle:
    """The bundle in a folder or an archive, or in the folder of a paper.

    Raises:
        BundleError: there is none, or it is larger than it may be.
        OSError: it cannot be read.
    """
    try:
        if path.is_dir():
            return _in_folder(path)
        return _in_archive(path)
    except FileRefused as error:
        raise BundleError(str(error)) from None
    except FileNotFoundError:
        raise BundleError(f"There is no {path}. Name the folder or the zip of a bundle.") from None


def _in_folder(path: Path) -> OpenBundle:
    folder = path if (path / MANIFEST).exists() else path / INSIDE
    if not (folder / MANIFEST).exists():
        raise BundleError(f"{path.name} holds no {MANIFEST}, so it is no bundle. Choose another.")
    there = [entry.name for _, entry in zip(range(MOST_FILES + 1), folder.iterdir(), strict=False)]
    return _opened(there, lambda name, most: read_given(folder / name, most))


def _in_archive(path: Path) -> OpenBundle:
    content = read_given(path)
    if not is_zipfile(BytesIO(content)):
        raise BundleError(f"{path.name} is neither a folder nor a zip. Name that of a bundle.")
    try:
        with ZipFile(BytesIO(content)) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            if len(archive.infolist()) > MOST_FILES or sum(sizes.values()) > LARGEST:
                raise BundleError(
                    f"{path.name} holds more than {MOST_FILES} files or {LARGEST // 2**20} MiB. "
                    "A bundle is smaller."
                )
            found = [name for name in sizes if name.rpartition("/")[2] == MANIFEST]
            if not found:
                raise BundleError(f"{path.name} holds no {MANIFEST}, so it is no bundle.")
            before = min(found, key=len).removesuffix(MANIFEST)
            there = [name.removeprefix(before) for name in sizes if name.startswith(before)]

            def read(name: str, most: int) -> bytes:
                with archive.open(before + name) as file:
                    data = file.read(most + 1)
                if len(data) > most:
                    raise BundleError(f"{name} is larger than it may be.")
                return data

            return _opened([name for name in there if name], read)
    except (BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise BundleError(f"{path.name} cannot be unpacked: {error}.") from None


def _opened(there: list[str], read: _Read) -> OpenBundle:
    if len(there) > MOST_FILES:
        raise BundleError(f"There are more than {MOST_FILES} files in the folder. Choose another.")
    content = read(MANIFEST, LARGEST_MANIFEST)
    try:
        manifest = read_manifest(parse_json(content.decode("utf-8")))
    except ValueError as error:
        raise BundleError(f"{MANIFEST} cannot be read: {error}. Ask for it again.") from None
    names = manifest.checksums
    if len(names) > MOST_FILES or not all(_PLAIN_NAME.fullmatch(name) for name in names):
        raise BundleError(f"{MANIFEST} names files that no bundle has. Ask for it again.")
    files: dict[str, bytes] = {}
    differences: list[str] = []
    left = LARGEST
    for name, expected in names.items():
        if name not in there:
            differences.append(f"{name} is missing.")
            continue
        files[name] = read(name, left)
        left -= len(files[name])
        if digest(files[name]) != expected:
            differences.append(f"{name} was changed: its checksum is not the manifest's.")
    differences += [
        f"{name[:200]} is in the bundle and not in its manifest."
        for name in sorted(there)
        if name != MANIFEST and name not in names
    ]
    return OpenBundle(manifest, digest(content), files, tuple(differences))
