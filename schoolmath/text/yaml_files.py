"""YAML: files that ship, read quickly; what people give, not deep, without references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

YAML_LOADER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one written in C is ten times as fast and reads the same; not every machine has it.

It recurses as deep as a text does, so what a stranger gives is limited before
(`schoolmath.text.given_files`).
"""


def read_yaml(path: Path) -> Any:
    """What a YAML file of our own says.

    Raises:
        OSError: it cannot be opened.
        UnicodeDecodeError: it is not UTF-8.
        yaml.YAMLError: it is damaged.
    """
    return yaml.load(path.read_text(encoding="utf-8"), YAML_LOADER)


def parse_yaml(text: str) -> Any:
    """What a YAML text holds.

    Args:
        text: of a file that `schoolmath.text.given_files.read_given` bounded.

    Raises:
        yaml.MarkedYAMLError: with its line: it is no YAML, more than eight lists and keys lie
            within one another, it holds too much, a part refers to another one, or a key stands
            twice.
        yaml.YAMLError, ValueError: it is no YAML for another reason.
    """
    return yaml.load(text, _Plain)


_DEEPEST = 8
"""Lists and mappings within one another; a file of ours has four."""

_MOST_NODES = 100_000
"""Values, keys, lists and mappings; each takes about a tenth of a millisecond."""


class _Plain(yaml.SafeLoader):
    """YAML that is not deep, has no aliases, and every key once: one would be silently lost."""

    _depth = 0
    _nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="write it out in place of an alias (*)",
                                       problem_mark=mark)  # fmt: skip
        if self._depth == _DEEPEST:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="its lists lie too deep within one another",
                                       problem_mark=mark)  # fmt: skip
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem=f"it holds more than {_MOST_NODES:,} values",
                                       problem_mark=mark)  # fmt: skip
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if key.value in seen if isinstance(key.value, str) else False:
                raise yaml.MarkedYAMLError(problem=f"“{key.value}” stands twice: remove one",
                                           problem_mark=key.start_mark)  # fmt: skip
            seen.add(key.value if isinstance(key.value, str) else id(key))
        return super().construct_mapping(node, deep)
