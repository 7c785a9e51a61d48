"""What a model that is trained here may be called, and how it is opened."""

from __future__ import annotations

import re
from pathlib import Path

from biaslab.models.local.provider import local_spec
from biaslab.models.tiny.model import ALIAS, TINY_MODELS, tiny_spec
from biaslab.system.places import custom_models
from biaslab.training.errors import BadName

LONGEST_NAME = 40
"""Most characters of a name."""

_NAME = re.compile(r"[A-Za-z0-9](-?[A-Za-z0-9])*")

_TAKEN = {"con", "prn", "aux", "nul", *(f"{of}{n}" for of in ("com", "lpt") for n in range(1, 10))}
"""Names that Windows lets no directory have."""


def check_name(name: str, models: Path = TINY_MODELS) -> str:
    """The name, if a model that is trained here may have it.

    Args:
        name: as typed; space around it does not count.
        models: where the models that come with the app are.

    Raises:
        BadName: it may not; the sentence says why.
    """
    name = name.strip()
    if not name:
        raise BadName("The model has no name: give it one of letters, digits and hyphens.")
    if len(name) > LONGEST_NAME:
        raise BadName(f"The name has {len(name)} characters, {LONGEST_NAME} at most: shorten it.")
    if _NAME.fullmatch(name) is None:
        raise BadName(
            f"A model cannot be called “{name}”: use the letters a to z, digits, and hyphens "
            "between them."
        )
    shipped = {entry.name.lower() for entry in models.iterdir()} if models.is_dir() else set()
    if name.lower() in shipped | _TAKEN | {ALIAS}:
        raise BadName(f"The name “{name}” is taken: choose another one.")
    return name


def spec_of(directory: Path) -> str:
    """What opens the model in a directory: ``tiny:NAME`` among one's own, else ``local:DIR``."""
    path = directory.expanduser().absolute()
    own = custom_models().absolute()
    taken = (TINY_MODELS / path.name).exists()
    return tiny_spec(path.name) if path.parent == own and not taken else local_spec(path)


def name_of(directory: Path) -> str:
    """What the model in a directory is called: the directory's name."""
    return directory.expanduser().absolute().name
