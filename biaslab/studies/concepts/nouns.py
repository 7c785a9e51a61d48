"""The things that are counted in questions about concepts (assets/concepts/nouns.yaml)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from biaslab.problems import VocabularyError

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "concepts"


@cache
def nouns() -> dict[str, str]:
    """Plurals with their singulars.

    Raises:
        VocabularyError: the file is missing or is no list of nouns.
    """
    path = ASSETS / "nouns.yaml"
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))["nouns"]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise VocabularyError(
            f"The list of nouns {path.name} cannot be read ({error}): restore assets/concepts "
            "from the project."
        ) from error
    if not isinstance(found, dict) or not all(
        isinstance(word, str) and word for pair in found.items() for word in pair
    ):
        raise VocabularyError(
            f"{path.name} must say “plural: singular” in every line: restore assets/concepts from "
            "the project."
        )
    return dict(found)
