"""Downloads a model from the Hugging Face hub: resumed, checked, and no code or pickle.

The hub's own client throws away what it has of a file when it is interrupted (huggingface_hub
1 and 2 do), so its two addresses are asked here: one that lists the files with sizes and
checksums, one for each file, of which only the missing bytes are requested. No key is sent.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from filelock import FileLock, Timeout

from biaslab.models.local.directory import NEEDED, inspect_directory
from biaslab.models.local.gguf.head import only_file, read_head
from biaslab.models.local.hub import (
    RECORD_FILE,
    HubFile,
    HubRecord,
    check_repository,
    part_of,
    pinned_file,
    read_record,
    size_here,
    write_record,
)
from biaslab.models.requests import ModelError
from schoolmath.text.given_files import parse_json

ENDPOINT_VARIABLE = "HF_ENDPOINT"
"""Environment variable that names another hub, as for Hugging Face's own programs."""

OFFICIAL = "https://huggingface.co"

SPARE = 200_000_000
"""Bytes that stay free on the disk."""

_BRANCH = "main"
_LOCK_FILE = "fetching.lock"
_SECONDS = 30.0
_LOCK_SECONDS = 1.0
_CHUNK = 1 << 18
_MOST_LISTED = 8 << 20
_MOST_FILES = 200
_HEXADECIMAL = frozenset("0123456789abcdef")

Progress = Callable[[int, int], None]
"""Is told how many bytes are here, and of how many."""


class FetchError(ModelError):
    """A model cannot be downloaded; the sentence says why and what to do."""


def hub_address() -> str:
    """The hub that is asked: the one that HF_ENDPOINT names, else Hugging Face's.

    Raises:
        FetchError: what it names is no address.
    """
    address = os.environ.get(ENDPOINT_VARIABLE, "").strip().rstrip("/") or OFFICIAL
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc:
        raise FetchError(
            f"{ENDPOINT_VARIABLE} is “{address}”, which is no address: set it to one such as "
            f"{OFFICIAL}, or take it away."
        )
    return address


def fetch(repository: str, directory: Path, progress: Progress | None = None) -> HubRecord:
    """Downloads what a model is opened from, or what is still missing of it.

    What was begun goes on with the commit it was begun with. A file takes its name when its
    checksum is the hub's.

    Args:
        repository: ``OWNER/MODEL``.
        directory: where it is to lie; made if it is not there.
        progress: is called again and again.

    Returns:
        what lies there now, with the commit.

    Raises:
        FetchError: the hub cannot be reached or has no such model, a file is damaged, the disk is
            full, or the directory holds something else. What came whole is kept.
        ModelError: the files are complete and no model that can be opened.
    """
    check_repository(repository)
    begun = _begun(repository, directory)
    if begun is not None and begun.complete and begun.here(directory) == begun.size:
        return begun
    with _sentences(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with _alone(directory):
            record = _ask(repository, begun.commit if begun else _BRANCH)
            write_record(directory, record)
            _check_space(record, directory)
            for name in sorted(record.files, key=lambda name: record.files[name].size):
                _fetch_file(record, name, directory, progress)
            if file := only_file(directory):
                read_head(file)
            else:
                inspect_directory(directory)
            record = replace(record, complete=True)
            write_record(directory, record)
    return record


def _begun(repository: str, directory: Path) -> HubRecord | None:
    """What an earlier download there has written down."""
    record = read_record(directory)
    if record is not None and record.repository == repository:
        return record
    others = sorted(path.name for path in directory.iterdir()) if directory.is_dir() else []
    if directory.exists() and [name for name in others if name not in (_LOCK_FILE, RECORD_FILE)]:
        raise FetchError(
            f"{directory} holds other files ({', '.join(others[:3])}): choose an empty or a new "
            "directory."
        )
    return None


def _ask(repository: str, revision: str) -> HubRecord:
    """Which files there are, of which commit."""
    pinned = pinned_file(repository)
    is_needed = _is_needed if pinned is None else pinned.file.__eq__
    endpoint = hub_address()
    address = f"{endpoint}/api/models/{quote(repository)}/revision/{revision}?blobs=true"
    with _open(address, repository) as answer:
        text = answer.read(_MOST_LISTED + 1)
    try:
        if len(text) > _MOST_LISTED:
            raise ValueError("the list of files is too long")
        content = parse_json(text.decode("utf-8"))
        commit = _hexadecimal(content["sha"], 40)
        needed = [each for each in content["siblings"] if is_needed(each["rfilename"])]
        if not 0 < len(needed) <= _MOST_FILES:
            raise ValueError(f"{len(needed)} files that a model is opened from")
        files = {each["rfilename"]: _file(each) for each in needed}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FetchError(
            f"What {_host()} says of “{repository}” is not what a hub says ({error}): try again "
            f"later, or see whether {ENDPOINT_VARIABLE} names a hub."
        ) from error
    if pinned and files[pinned.file] != HubFile(pinned.size, sha256=pinned.sha256):
        raise FetchError(
            f"{_host()} has another {pinned.file} now than the one of the list: its size or "
            "checksum differs, so it is not downloaded. Choose another model."
        )
    if not pinned and not any(name.endswith(".safetensors") for name in files):
        raise FetchError(
            f"“{repository}” has no weights as safetensors, and files that can run code are never "
            "downloaded: choose another model. Of GGUF files those of the list are fetched; for "
            "another, download it there and type local: and its path."
        )
    return HubRecord(repository, endpoint, commit, files)


def _is_needed(name: str) -> bool:
    """Whether a model is opened from it; nothing in folders, and no second copy of the weights."""
    return (
        not set(name) & set("/\\")
        and not name.startswith(("consolidated", "."))
        and any(fnmatchcase(name, pattern) for pattern in NEEDED)
    )


def _file(entry: dict[str, Any]) -> HubFile:
    large = entry.get("lfs")
    size = large["size"] if large else entry["size"]
    if type(size) is not int or size < 0:
        raise ValueError(f"the size of {entry['rfilename']} is {size!r}")
    if large:
        return HubFile(size, sha256=_hexadecimal(large["sha256"], 64))
    return HubFile(size, git=_hexadecimal(entry["blobId"], 40))


def _hexadecimal(text: str, digits: int) -> str:
    if len(text) != digits or not set(text) <= _HEXADECIMAL:
        raise ValueError(f"“{text[:80]}” is no checksum")
    return text


def _fetch_file(record: HubRecord, name: str, directory: Path, progress: Progress | None) -> None:
    """Fetches what is missing of a file; goes on by itself as long as something comes."""
    said, whole = record.files[name], directory / name
    if whole.is_file() and whole.stat().st_size == said.size:
        return
    whole.unlink(missing_ok=True)
    part = part_of(whole)
    if size_here(whole) > said.size:
        part.unlink()
    part.touch()
    while (had := part.stat().st_size) < said.size:
        _append(record, name, part, had, lambda: _tell(record, directory, progress))
        if part.stat().st_size <= had:
            raise _interrupted(record.repository)
    if not _is_right(part, said):
        part.unlink()
        raise FetchError(
            f"{name} of “{record.repository}” came damaged: its checksum is not the hub's, so it "
            "was deleted. Start the download again; what came whole is saved."
        )
    part.replace(whole)
    _tell(record, directory, progress)


def _append(
    record: HubRecord, name: str, part: Path, had: int, after_each: Callable[[], None]
) -> None:
    address = f"{hub_address()}/{quote(record.repository)}/resolve/{record.commit}/{quote(name)}"
    with _open(address, record.repository, had) as answer, part.open("r+b") as file:
        # A server that knows no ranges sends everything again.
        file.seek(had if answer.status == 206 else 0)
        file.truncate()
        while left := record.files[name].size - file.tell():
            chunk = _read(answer, min(_CHUNK, left))
            if not chunk:
                return
            file.write(chunk)
            file.flush()
            after_each()


def _read(answer: HTTPResponse, most: int) -> bytes:
    """What comes next; nothing where the connection is lost."""
    try:
        return answer.read(most)
    except (OSError, HTTPException):
        return b""


def _tell(record: HubRecord, directory: Path, progress: Progress | None) -> None:
    if progress is not None:
        progress(record.here(directory), record.size)


def _is_right(path: Path, listing: HubFile) -> bool:
    """Whether a file's content is what the hub says that it is."""
    # Git names a small file by the SHA-1 of its content after this heading.
    content = hashlib.sha256() if listing.sha256 else hashlib.sha1(b"blob %d\0" % listing.size)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            content.update(chunk)
    return content.hexdigest() == (listing.sha256 or listing.git)


@contextmanager
def _open(address: str, repository: str, had: int = 0) -> Iterator[HTTPResponse]:
    headers = {"User-Agent": "biaslab", "Accept-Encoding": "identity"}
    if had:
        headers["Range"] = f"bytes={had}-"
    try:
        answer = urlopen(Request(address, headers=headers), timeout=_SECONDS, context=_trusted())
    except HTTPError as error:
        error.close()
        raise _refused(repository, error.code) from error
    except (OSError, HTTPException) as error:
        raise _interrupted(repository) from error
    with answer:
        yield answer


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates of this computer, or those of certifi where a Python comes without any."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def _refused(repository: str, status: int) -> FetchError:
    if status in (401, 404):
        return FetchError(
            f"{_host()} has no model “{repository}” that everybody may download: check the "
            "spelling, or take one of the list."
        )
    if status == 403:
        return FetchError(
            f"{_host()} gives “{repository}” only to people who have agreed to its conditions: "
            "choose another model, or download it there and type local: and its folder in Compose."
        )
    return FetchError(
        f"{_host()} could not send “{repository}” just now (status {status}): try again later; "
        "only what is missing is fetched then."
    )


def _interrupted(repository: str) -> FetchError:
    return FetchError(
        f"“{repository}” could not be downloaded because {_host()} does not answer: see whether "
        "this computer is connected to the internet, then start the download again; only what is "
        "missing is fetched. Without a connection, copy the model's folder from another computer "
        "and type local: and the folder as the model in Compose."
    )


def _host() -> str:
    return urlsplit(hub_address()).netloc


def _check_space(record: HubRecord, directory: Path) -> None:
    missing = record.size - record.here(directory)
    free = shutil.disk_usage(directory).free
    if missing and free < missing + SPARE:
        raise FetchError(
            f"“{record.repository}” needs {_megabytes(missing + SPARE)} on the disk of "
            f"{directory}, and {_megabytes(free)} are free: free some, or choose another disk."
        )


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.0f} MB"


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """No two processes write one model."""
    lock = FileLock(directory / _LOCK_FILE)
    try:
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout:
        raise FetchError(
            f"The model in {directory} is being downloaded already: wait until it is here."
        ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _sentences(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise FetchError(
                f"The disk of {directory} is full: free some space and start the download again; "
                "only what is missing is fetched."
            ) from error
        raise FetchError(
            f"The model cannot be written to {directory} ({error.strerror or error}): check that "
            "the directory may be written to."
        ) from error
