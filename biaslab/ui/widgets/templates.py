"""HTML from templates: every text that goes in is escaped, whoever wrote it.

A file of assets/templates holds the parts of one subject as macros of Jinja2.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).resolve().parents[3] / "assets" / "templates"


def part(file: str, name: str, **values: object) -> str:
    """A part of a template as HTML.

    Args:
        file: name of the template, such as ``paper.html``.
        name: of one of its macros.
        values: the macro's arguments.

    Raises:
        jinja2.UndefinedError: the macro uses what it was not given.
    """
    macro = getattr(_environment().get_template(file).module, name)
    return str(macro(**values))


@cache
def _environment() -> Environment:
    # Imported when a page has such parts: it takes a moment.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
