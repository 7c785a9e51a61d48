"""Finding the formats: every module of this package that offers ``FORMAT``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import PurePath

from biaslab.files.formats.format import Format

PLAIN = "csv"
"""What a text is in which nothing looks like another format."""

_START = 65_536


@cache
def formats() -> Mapping[str, Format]:
    """All formats that can be read, by name, in the order of their ranks and names."""
    package = importlib.import_module("biaslab.files.formats")
    modules = pkgutil.iter_modules(package.__path__, "biaslab.files.formats.")
    offered = [getattr(importlib.import_module(each.name), "FORMAT", None) for each in modules]
    found = [each for each in offered if isinstance(each, Format)]
    return {each.name: each for each in sorted(found, key=lambda each: (each.rank, each.name))}


def package_format(data: bytes) -> Format:
    """The format that a zip file is in."""
    packages = [each for each in formats().values() if each.package]
    for each in packages:
        if each.holds is not None and each.holds(data):
            return each
    return next(each for each in packages if each.holds is None)


def detect(text: str, name: str) -> tuple[Format, str]:
    """The format of a text, and how it was found, as a clause.

    Args:
        text: the content.
        name: of the file.
    """
    named, ending = named_format(name), PurePath(name).suffix
    seen = _by_content(text[:_START], named)
    if seen is not None and (named is None or seen is named):
        return seen, "by its content"
    if seen is not None:
        return seen, f"by its content, though its name ends in {ending}"
    if named is not None:
        return named, "by its name"
    return formats()[PLAIN], "because nothing in it looks like another format"


def named_format(name: str) -> Format | None:
    """The format that the ending of a file's name is of."""
    ending = PurePath(name).suffix.lower()
    return next((each for each in formats().values() if ending in each.endings), None)


def _by_content(start: str, named: Format | None) -> Format | None:
    """The format that a text begins in; None where it shows none, or its name goes before."""
    tried = [each for each in formats().values() if each.begins is not None]
    is_table = named is not None and named.begins is None and not named.package
    for each in sorted(tried, key=lambda each: not each.decisive):
        if is_table and not each.decisive:
            return named
        assert each.begins is not None
        if each.begins(start):
            return each
    return None
