"""The YAML of a bias file: its keys with the lines on which they stand, and what can be wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import yaml

from schoolmath.problems.errors import ProblemError
from schoolmath.text.given_files import DEEPEST
from schoolmath.text.yaml_files import YAML_LOADER


class BiasError(ProblemError):
    """A bias that cannot be used.

    Args:
        reason: what is wrong, in a full sentence.
        suggestion: what to write instead, in a full sentence.
        where: the key at fault, such as ``vignettes[3].role``; "" for the file as a whole.
        line: its line in the file, from 1; 0 where it is not known.

    Attributes:
        others: what else is wrong with the same file, in the order in which it was found.
    """

    def __init__(self, reason: str, suggestion: str = "", where: str = "", line: int = 0) -> None:
        place = f"Line {line}, {where}: " if line and where else f"{where}: " if where else ""
        super().__init__(f"{place}{reason} {suggestion}".strip())
        self.reason = reason
        self.suggestion = suggestion
        self.where = where
        self.line = line
        self.others: tuple[BiasError, ...] = ()


LARGEST_FILE = 500_000
"""Most characters of a bias file."""

MOST_BYTES = 4 * LARGEST_FILE
"""Most bytes of it; UTF-8 has at most four for a character."""

MOST_EVENTS = 200_000
"""Most beginnings and ends of lists and keys, and texts, together."""

_BEGIN = "Begin with `id: ...`."


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, and where.

    Attributes:
        loaded: its keys and their contents.
        node: the same as it was read, with lines.
        noted: faults that did not end the reading, as a person wants to mend all of them at once.
    """

    loaded: Mapping[str, Any]
    node: yaml.MappingNode
    noted: list[BiasError] = field(default_factory=list)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Notes a fault of one part, so that the other parts are looked at too."""
        try:
            yield
        except BiasError as error:
            self.noted.append(error)

    def sound_so_far(self) -> None:
        """Ends the reading where faults were noted: what comes next builds on it.

        Raises:
            BiasError: the first one, with the others.
        """
        if self.noted:
            first, *others = self.noted
            first.others = tuple(others)
            raise first

    def fault(self, where: str, reason: str, suggestion: str = "") -> BiasError:
        """An error at a key such as ``vignettes[3].role``."""
        return BiasError(reason, suggestion, where, self.line(where))

    def only(self, where: str, keys: Iterable[object], allowed: Sequence[str]) -> None:
        """Refuses keys that mean nothing at this place.

        Raises:
            BiasError: with the nearest key that means something.
        """
        for key in keys:
            if key not in allowed:
                near = difflib.get_close_matches(str(key), allowed, n=1, cutoff=0.5)
                raise self.fault(
                    f"{where}.{key}" if where else str(key),
                    f"The key “{key}” is not known here.",
                    f"Did you mean {near[0]}?" if near else f"Known are: {', '.join(allowed)}.",
                )

    def line(self, where: str) -> int:
        """The line of a key, or of the nearest one around it; 0 where there is none."""
        node: yaml.Node = self.node
        line = 0
        for part in filter(None, where.replace("[", ".").replace("]", "").split(".")):
            found = _child(node, part)
            if found is None:
                break
            line, node = found
        return line


def read_document(text: str) -> Document:
    """The keys of a bias file.

    Raises:
        BiasError: it is too large or too deep, no YAML, or no list of keys; or a key stands
            twice, which YAML would pass over, or a part has a tag or refers to another one.
    """
    if len(text) > LARGEST_FILE:
        raise BiasError(f"A bias file has at most {LARGEST_FILE:,} characters.")
    try:
        _scan(text)
        loader = YAML_LOADER(text)
        node = loader.get_single_node()
        loaded = None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise BiasError(
            f"This is no YAML: {problem}.", "Look at the line before it too.",
            "YAML" if mark else "", mark.line + 1 if mark else 0,
        ) from error  # fmt: skip
    except ValueError as error:
        raise BiasError("This is no YAML that can be read.", _BEGIN) from error
    if not isinstance(loaded, dict) or not isinstance(node, yaml.MappingNode):
        raise BiasError("A bias file is a list of keys.", _BEGIN)
    document = Document(loaded, node)
    for where, line in _twice(node):
        raise BiasError("This key stands twice.", "Leave one out.", where, line)
    return document


def _scan(text: str) -> None:
    """Refuses what would harm while it is put together: the parser calls itself for every level.

    Looks at one event of the text after the other, which takes no more memory for a deep file.
    References let a short file stand for an endless one; tags ask for other kinds of values.
    """
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=YAML_LOADER), start=1):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            found = f"Lists or keys lie more than {DEEPEST} deep here.", "Write fewer levels."
        elif number > MOST_EVENTS:
            found = f"The file has more than {MOST_EVENTS:,} parts.", "Shorten it."
        elif isinstance(event, yaml.AliasEvent):
            found = "A part of the file refers to another part (& and *).", "Write it out."
        elif getattr(event, "tag", None) is not None:
            found = "A part of the file has a tag (!).", "Put the text in quotation marks."
        else:
            continue
        assert event.start_mark is not None
        raise BiasError(*found, "YAML", event.start_mark.line + 1)


def _twice(node: yaml.Node, where: str = "") -> Iterator[tuple[str, int]]:
    if isinstance(node, yaml.SequenceNode):
        for index, each in enumerate(node.value):
            yield from _twice(each, f"{where}[{index}]")
    elif isinstance(node, yaml.MappingNode):
        seen = set()
        for name, value in node.value:
            place = f"{where}.{name.value}" if where else str(name.value)
            if name.value in seen:
                yield place, name.start_mark.line + 1
            seen.add(name.value)
            yield from _twice(value, place)


def _child(node: yaml.Node, key: str) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == key:
                return name.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode) and key.isdigit() and int(key) < len(node.value):
        value = node.value[int(key)]
        return value.start_mark.line + 1, value
    return None
