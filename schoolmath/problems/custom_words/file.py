"""The file of a vocabulary of one's own: YAML, read whole or refused entry by entry.

    names: [Amina, Jonas]
    things:
      - {singular: durian, plural: durians, theme: fruit, kinds: [fruit],
         attributes: [ripe], containers: [crate]}
      - {singular: broth, measures: [liter], theme: drink}
    containers:
      - {singular: hamper, plural: hampers}
    verbs:
      - {lemma: snaffle, does: gain}

docs/your-problem.md says what every field means.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from schoolmath.problems.errors import VocabularyError
from schoolmath.text.given_yaml import parse_yaml

MAX_BYTES = 100_000
"""Bytes of the largest file; every list has its own limit besides."""

MOST_SHOWN = 12
"""Faults that a refusal tells."""

Word = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[a-z]+(?:[ -][a-z]+){0,2}$", max_length=40)
]
"""A noun or adjective: up to three words in small letters."""

PersonName = Annotated[
    str, StringConstraints(strict=True, pattern=r"^\p{Lu}\p{Ll}+$", min_length=2, max_length=20)
]
Lemma = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[a-z]+(?: [a-z]+)?$", max_length=30)
]
Does = Literal[
    "state", "gain", "make", "loss", "give", "take", "put", "come", "leave", "share", "price",
    "need",
]  # fmt: skip
"""What a verb does to amounts: the classes of assets/vocabulary/stories.yaml."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CustomThing(_Entry):
    """Something that people have amounts of.

    Attributes:
        singular, plural: its noun. A thing that is only counted in measures has no plural.
        theme: a broad group of things that go together.
        kinds: nouns that say what it is ("fruit"), for questions that ask for those.
        attributes: adjectives that make sense with it.
        containers: what a group of it is kept in: a container of the file or a shipped one.
        measures: what it is counted in, for a thing that cannot be counted by itself.
    """

    singular: Word
    plural: Word | None = None
    theme: Word = "own"
    kinds: tuple[Word, ...] = Field(default=(), max_length=10)
    attributes: tuple[Word, ...] = Field(default=(), max_length=10)
    containers: tuple[Word, ...] = Field(default=(), max_length=10)
    measures: tuple[Word, ...] = Field(default=(), max_length=10)


class CustomContainer(_Entry):
    """Something to keep things in."""

    singular: Word
    plural: Word


class CustomVerb(_Entry):
    """A verb and what it does to amounts.

    Attributes:
        lemma: its base form, with a particle where that belongs to it ("chuck out").
        does: what it does.
        forms: its forms, where they are irregular; without any, the regular ones.
    """

    lemma: Lemma
    does: Does
    forms: tuple[Word, ...] = Field(default=(), max_length=6)


class CustomWords(_Entry):
    """A vocabulary of somebody's own, as its file has it."""

    names: tuple[PersonName, ...] = Field(default=(), max_length=500)
    things: tuple[CustomThing, ...] = Field(default=(), max_length=200)
    containers: tuple[CustomContainer, ...] = Field(default=(), max_length=100)
    verbs: tuple[CustomVerb, ...] = Field(default=(), max_length=200)


class CustomWordsError(VocabularyError):
    """A vocabulary that is not taken.

    Attributes:
        faults: why, each a sentence with the entry and the field.
    """

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        shown = list(faults[:MOST_SHOWN])
        if len(faults) > MOST_SHOWN:
            shown.append(f"... and {len(faults) - MOST_SHOWN} more.")
        super().__init__("\n".join(f"{name}: {fault}" for fault in shown))
        self.faults = faults


def read_custom_words(data: bytes, name: str = "The file") -> CustomWords:
    """A vocabulary from its file.

    Args:
        data: the file; more than `MAX_BYTES` are refused before anything is parsed.
        name: what it is called, for refusals.

    Raises:
        CustomWordsError: naming every entry and field at fault.
    """
    if len(data) > MAX_BYTES:
        fault = f"It is larger than {MAX_BYTES:,} bytes: split it."
        raise CustomWordsError(name, (fault,))
    try:
        loaded = parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CustomWordsError(name, ("It is no text in UTF-8: save it as UTF-8.",)) from None
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise CustomWordsError(name, (f"{line}{error.problem or 'it is no YAML'}.",)) from None
    except (yaml.YAMLError, ValueError) as error:
        raise CustomWordsError(name, (f"It is no YAML: {error}.",)) from None
    if not isinstance(loaded, dict) or not loaded:
        fault = "It holds no vocabulary: write names, things, containers or verbs."
        raise CustomWordsError(name, (fault,))
    try:
        return CustomWords.model_validate(loaded)
    except ValidationError as error:
        raise CustomWordsError(name, tuple(_faults(error, loaded))) from None


def written_file(words: CustomWords) -> str:
    """The file of a vocabulary; `read_custom_words` reads it back."""
    content = words.model_dump(mode="json", exclude_defaults=True)
    head = "# A vocabulary of one's own for BiasLab (docs/your-problem.md).\n"
    return head + yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)


_KINDS_OF_FAULT = {
    "missing": "is missing",
    "string_type": "is no text: write a word, in quotes where YAML takes it for something else",
    "tuple_type": "is no list: write [one, two]",
    "too_long": "has too many entries",
    "string_too_long": "is too long",
    "string_too_short": "is too short",
    "extra_forbidden": "is no field that is known here",
    "model_type": "is no entry with fields: write {singular: ..., plural: ...}",
}
_PATTERNS = {
    "names": "must be one word that begins with a capital",
    "lemma": "must be a verb in small letters, with one particle at most (“chuck out”)",
}


def _faults(error: ValidationError, loaded: dict[str, Any]) -> Iterator[str]:
    for each in error.errors(include_url=False, include_input=False, include_context=True):
        path = list(each["loc"])
        said = _KINDS_OF_FAULT.get(each["type"], "")
        if each["type"] == "string_pattern_mismatch":
            key = "lemma" if "lemma" in path else str(path[0])
            said = _PATTERNS.get(key, "must be one to three words of small letters a to z")
        elif each["type"] == "literal_error":
            said = f"must be one of {each['ctx']['expected']}"
        yield f"{_place(path, loaded)} {said or each['msg'].lower()}."


def _place(path: list[int | str], loaded: dict[str, Any]) -> str:
    where = str(path[0])[:40]
    at: Any = loaded.get(str(path[0]))
    for step in path[1:]:
        if isinstance(step, int):
            at = at[step] if isinstance(at, list) and step < len(at) else None
            where += f", entry {step + 1}"
            if isinstance(at, dict):
                called = at.get("singular", at.get("lemma"))
                where += f" (“{called}”)" if isinstance(called, str) and len(called) < 41 else ""
            elif isinstance(at, str) and len(at) < 41:
                where += f" (“{at}”)"
        else:
            where += f", {step[:40]}"
            at = at.get(step) if isinstance(at, dict) else None
    return where
