"""What a bundle is: its manifest, its tables, and how one that somebody gives is opened."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from biaslab.publishing.paper.analysis import Analysis, BundleError, EffectTable
from biaslab.runs.engine.prepare import library_version
from schoolmath.text.given_files import LARGEST, FileRefused, parse_json, read_given

# The manifest: what is in it, by which programs and how it was made. Its version changes whenever
# an older BiasLab could not read a bundle any more.


FORMAT, VERSION = "biaslab bundle", 1
MANIFEST = "manifest.json"
ORIGINS = "biaslab origins bundle"
"""Format of the bundle of the tiny models' tables (`research.paper`)."""

LARGEST_MANIFEST = 1_000_000
"""Bytes; a manifest names some twenty files."""

_LIBRARIES = ("numpy", "scipy", "pandas", "statsmodels", "pyarrow")
"""What figures and tables depend on besides BiasLab itself."""


def versions() -> dict[str, str]:
    """Versions of the programs that figures and tables depend on, here and now."""
    found = {"biaslab": library_version(), "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def digest(content: bytes) -> str:
    """The checksum of a file."""
    return sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle says of itself.

    Attributes:
        versions: of BiasLab, Python and libraries that made it.
        analysis: how its effects were made; tables: which of them it has.
        checksums: SHA-256 of each of its files but this one.
    """

    versions: Mapping[str, str]
    analysis: Analysis
    tables: tuple[EffectTable, ...]
    checksums: Mapping[str, str]

    def content(self) -> bytes:
        """The file."""
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "versions": dict(self.versions),
            "analysis": self.analysis.as_json(),
            "tables": [
                {"name": table.name, "runs": list(table.runs), "by": table.by}
                for table in self.tables
            ],
            "sha256": dict(sorted(self.checksums.items())),
        }
        return (json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode()


def read_manifest(fields: object) -> Manifest:
    """The manifest that `Manifest.content` wrote, from its JSON.

    Raises:
        BundleError: it is none, or one of a newer BiasLab.
    """
    if isinstance(fields, dict) and fields.get("format") == ORIGINS:
        raise BundleError(
            "This is the bundle of the tiny models' tables, which has no runs: `python "
            "-m research.paper` makes it again."
        )
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise BundleError(f"{MANIFEST} is no manifest of a BiasLab bundle. Choose another folder.")
    if fields.get("version") != VERSION:
        raise BundleError(
            f"The bundle is of version {fields.get('version')!r:.20} and this BiasLab reads "
            f"version {VERSION}. Install the BiasLab that made it."
        )
    try:
        return Manifest(
            _texts(fields["versions"]),
            Analysis.of_json(fields["analysis"]),
            tuple(_table(each) for each in fields["tables"]),
            _texts(fields["sha256"]),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BundleError(f"{MANIFEST} is damaged: {error}. Ask for the bundle again.") from None


def _table(fields: Mapping[str, Any]) -> EffectTable:
    name, runs, by = fields["name"], fields["runs"], fields["by"]
    texts = [name, *runs, *([] if by is None else [by])]
    if not all(isinstance(each, str) for each in texts):
        raise ValueError("a table's name, runs or stratum is no text")
    return EffectTable(name, tuple(runs), by)


def _texts(fields: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(fields, dict) or not all(isinstance(each, str) for each in fields.values()):
        raise ValueError("versions and checksums should be texts by name")
    return fields


# A bundle that somebody gives is limited before it is read, and checked before it is used.


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


# The tables: one declaration from which they are taken out of a file and put back. A table is a
# file with a JSON object a line. Its columns are those of the file of runs (docs/file-format.md)
# without what concerns one machine alone: workers, addresses, money.


ENDING = ".jsonl"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what stands in it, and whether it may be empty (null)."""

    kind: str
    optional: bool = False

    def fits(self, value: object) -> bool:
        """Whether the value may stand here. True and false are no numbers."""
        if value is None:
            return self.optional
        if self.kind == "JSON":
            return isinstance(value, dict | list)
        return not isinstance(value, bool) and isinstance(value, _KINDS[self.kind])


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "text": str,
    "whole number": int,
    "number": (int, float),
}
_TEXT, _WHOLE, _NUMBER, _JSON = (
    Column(kind) for kind in ("text", "whole number", "number", "JSON")
)
_NO_TEXT, _NO_WHOLE, _NO_NUMBER, _NO_JSON = (
    Column(kind, optional=True) for kind in ("text", "whole number", "number", "JSON")
)


@dataclass(frozen=True, slots=True)
class BundleTable:
    """A table of the bundle.

    Attributes:
        name: of the table in the file of runs, and of the bundle's file without its ending.
        columns: what stands in each, in order.
        rows: which rows belong to a bundle, as SQL after the name of the table; parameters are
            JSON lists of ids: ``:runs``, ``:pair_sets``, ``:item_sets``, ``:texts``.
        fills: columns that the file of runs wants besides, with what is put there, as SQL.
    """

    name: str
    columns: Mapping[str, Column]
    rows: str
    fills: Mapping[str, str]

    @property
    def file(self) -> str:
        """Name of its file in a bundle."""
        return f"{self.name}{ENDING}"

    @property
    def select(self) -> str:
        """The rows that belong to a bundle, in an order that is the same everywhere."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} {self.rows}"

    @property
    def insert(self) -> str:
        """Puts a row into a file of runs."""
        names = ", ".join((*self.columns, *self.fills))
        values = ", ".join((*(f":{name}" for name in self.columns), *self.fills.values()))
        return f"INSERT INTO {self.name} ({names}) VALUES ({values})"

    def line(self, row: Mapping[str, Any]) -> str:
        """A row of the file of runs as a line of the bundle."""
        found = {
            name: json.loads(row[name])
            if column.kind == "JSON" and row[name] is not None
            else row[name]
            for name, column in self.columns.items()
        }
        return json.dumps(found, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def parameters(self, content: object, number: int) -> dict[str, Any]:
        """What `insert` wants of a line's content.

        Raises:
            BundleError: columns are missing, too many, or hold something else.
        """
        where = f"{self.file}, line {number}"
        if not isinstance(content, dict):
            raise BundleError(f"{where}: this is no JSON object.")
        if content.keys() != self.columns.keys():
            odd = sorted(map(str, content.keys() ^ self.columns.keys()))
            raise BundleError(f"{where}: it should have other columns ({', '.join(odd)[:200]}).")
        for name, column in self.columns.items():
            if not column.fits(content[name]):
                raise BundleError(f"{where}: {name} should be a {column.kind}.")
        return {
            name: _stored(content[name]) if column.kind == "JSON" else content[name]
            for name, column in self.columns.items()
        }


def _stored(value: object) -> str | None:
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_OF_RUNS = "run IN (SELECT value FROM json_each(:runs))"
_PAIRS = (
    f"SELECT pair FROM run_pairs WHERE {_OF_RUNS} UNION "
    "SELECT pair FROM set_pairs WHERE pair_set IN (SELECT value FROM json_each(:pair_sets))"
)
_NOW = "'1970-01-01T00:00:00.000Z'"

TABLES = (
    BundleTable(
        "models",
        {"id": _TEXT, "spec": _TEXT, "kind": _TEXT, "revision": _TEXT, "form": _TEXT,
         "details": _JSON},
        "WHERE id IN (SELECT model FROM runs WHERE id IN (SELECT value FROM json_each(:runs))) "
        "ORDER BY id",
        {},
    ),
    BundleTable(
        "items",
        {"id": _TEXT, "study": _TEXT, "text": _TEXT, "answer": _TEXT, "facts": _JSON,
         "options": _JSON},
        f"WHERE id IN (SELECT x FROM pairs WHERE id IN ({_PAIRS}) UNION "
        f"SELECT x_prime FROM pairs WHERE id IN ({_PAIRS})) ORDER BY id",
        {},
    ),
    BundleTable(
        "pairs",
        {"id": _TEXT, "study": _TEXT, "x": _TEXT, "x_prime": _TEXT, "cluster": _TEXT,
         "strata": _JSON},
        f"WHERE id IN ({_PAIRS}) ORDER BY id",
        {},
    ),
    BundleTable(
        "runs",
        {"id": _TEXT, "study": _TEXT, "design": _JSON, "model": _TEXT, "strategy": _TEXT,
         "strategy_version": _TEXT, "sampling": _NO_JSON, "library_version": _TEXT,
         "reader": _NO_TEXT, "status": _TEXT, "pairs_total": _WHOLE, "items_total": _WHOLE,
         "samples": _WHOLE, "options": _JSON, "answered": _WHOLE, "invalid": _WHOLE,
         "failed": _WHOLE, "looks": _JSON, "enough": _NO_WHOLE, "created": _TEXT,
         "started": _NO_TEXT, "finished": _NO_TEXT},
        "WHERE id IN (SELECT value FROM json_each(:runs)) ORDER BY id",
        {},
    ),
    BundleTable(
        "run_pairs",
        {"run": _TEXT, "position": _WHOLE, "pair": _TEXT},
        f"WHERE {_OF_RUNS} ORDER BY run, position",
        {},
    ),
    BundleTable(
        "responses",
        {"id": _TEXT, "model": _TEXT, "request": _JSON, "text": _NO_TEXT, "thinking": _NO_TEXT,
         "finish": _NO_TEXT, "log_probabilities": _NO_JSON, "tokens_in": _NO_WHOLE,
         "tokens_out": _NO_WHOLE, "tokens": _NO_JSON, "seconds": _NO_NUMBER, "served": _NO_TEXT,
         "created": _TEXT},
        "WHERE id IN (SELECT listed.value FROM answers, json_each(answers.responses) AS listed "
        f"WHERE answers.{_OF_RUNS}) ORDER BY id",
        # Which run asked first is the cache's affair.
        {"run": "(SELECT min(id) FROM runs)"},
    ),
    BundleTable(
        "answers",
        {"run": _TEXT, "item": _TEXT, "sample": _WHOLE, "state": _TEXT, "value": _NO_TEXT,
         "outcome": _NO_NUMBER, "rule": _NO_TEXT, "explanation": _NO_TEXT, "span": _NO_JSON,
         "extra": _NO_JSON, "responses": _JSON, "reason": _NO_TEXT, "attempts": _WHOLE},
        f"WHERE {_OF_RUNS} ORDER BY run, item, sample",
        {},
    ),
    BundleTable(
        "pair_sets",
        {"id": _TEXT, "name": _TEXT, "origin": _TEXT, "pairs": _WHOLE},
        "WHERE id IN (SELECT value FROM json_each(:pair_sets)) ORDER BY id",
        {"report": "'[]'", "created": _NOW},
    ),
    BundleTable(
        "set_pairs",
        {"pair_set": _TEXT, "position": _WHOLE, "pair": _TEXT},
        "WHERE pair_set IN (SELECT value FROM json_each(:pair_sets)) ORDER BY pair_set, position",
        {},
    ),
    BundleTable(
        "item_sets",
        {"id": _TEXT, "name": _TEXT, "origin": _TEXT, "items": _WHOLE},
        "WHERE id IN (SELECT value FROM json_each(:item_sets)) ORDER BY id",
        {"report": "'{}'", "created": _NOW},
    ),
    BundleTable(
        "set_items",
        {"item_set": _TEXT, "position": _WHOLE, "item": _JSON},
        "WHERE item_set IN (SELECT value FROM json_each(:item_sets)) ORDER BY item_set, position",
        {},
    ),
    BundleTable(
        "own_biases",
        {"id": _TEXT, "name": _TEXT, "text": _TEXT},
        "WHERE id IN (SELECT value FROM json_each(:texts)) ORDER BY id",
        {"kept": _NOW},
    ),
)  # fmt: skip
"""All tables, each after those that it refers to. Empty ones have no file."""

Parse = Callable[[str], object]


def rows_of(table: BundleTable, text: str, parse: Parse) -> Iterator[dict[str, Any]]:
    """What `BundleTable.insert` wants of every line of a table's file.

    Raises:
        BundleError: a line is no row of the table; it is named.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        try:
            content = parse(line)
        except ValueError as error:
            raise BundleError(f"{table.file}, line {number}: this is no JSON ({error}).") from None
        yield table.parameters(content, number)
