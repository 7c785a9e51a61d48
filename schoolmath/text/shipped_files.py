"""Files that ship with BiasLab: read quickly, since every start and every command reads some."""

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
