"""What the published data call the biases, in the spellings that they use."""

from __future__ import annotations

import re
from functools import cache

from biaslab.studies.decisions.biases.catalogue import bias_paths

_SPACED = {"conservatism-bias": "Conservatism", "illusion-of-control": "Illusion of Control"}
"""Names that do not follow from the id."""

_REMARK = re.compile(r"\(.*?\)")
_KIND = re.compile(r"(?:bias|effect)\Z")


def spaced_name(bias_id: str) -> str:
    """As in the data sets: ``In Group Bias``."""
    return _SPACED.get(bias_id) or " ".join(word.capitalize() for word in bias_id.split("-"))


def joined_name(bias_id: str) -> str:
    """As in the results of decisions: ``InGroupBias``."""
    return "".join(word[:1].upper() + word[1:] for word in spaced_name(bias_id).split())


def bias_of_name(name: str) -> str | None:
    """The id behind a published name, however it is spelled; None for an unknown one."""
    return _by_key().get(_key(name))


@cache
def _by_key() -> dict[str, str]:
    return {_key(name): name for name in bias_paths()}


def _key(name: str) -> str:
    letters = re.sub(r"[^a-z]", "", _REMARK.sub("", name).lower())
    return _KIND.sub("", letters)
