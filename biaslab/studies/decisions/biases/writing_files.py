"""A bias file with other vignettes: what a person accepted, as a file of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from biaslab.studies.decisions.biases.document import read_document
from biaslab.studies.decisions.biases.template import Vignette


def with_vignettes(
    text: str, vignettes: Sequence[Vignette], bias_id: str, name: str, note: str
) -> str:
    """The text of a bias file with these vignettes in place of its own.

    Args:
        text: the file.
        vignettes: each with the file's slots.
        bias_id: its new id, as it is another bias from now on.
        name: its new name.
        note: added to its notes, such as who wrote the vignettes.

    Raises:
        BiasError: the text is no bias file.
    """
    keys: dict[str, Any] = dict(read_document(text).loaded)
    keys |= {"id": bias_id, "name": name}
    keys["notes"] = " ".join(filter(None, (str(keys.get("notes", "")).strip(), note)))
    # It stands for itself, also where it began as a repaired variant.
    keys["vignettes"] = [
        {"id": each.id, "field": each.field, **{n: _plain(c) for n, c in each.slots.items()}}
        for each in vignettes
    ]
    return str(yaml.safe_dump(keys, allow_unicode=True, sort_keys=False, width=100))


def _plain(content: str | Mapping[str, str]) -> str | dict[str, str]:
    return content if isinstance(content, str) else dict(content)
