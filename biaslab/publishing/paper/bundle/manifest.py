"""The manifest of a bundle: what is in it, by which programs and how it was made.

Its version changes whenever an older BiasLab could not read a bundle any more.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from biaslab.publishing.paper.analysis import Analysis, EffectTable
from biaslab.publishing.paper.errors import BundleError
from biaslab.runs.engine.prepare import library_version

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
