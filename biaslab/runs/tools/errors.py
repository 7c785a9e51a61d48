"""What can go wrong with other tools; every text is for the person who reads it."""

from __future__ import annotations


class ToolError(Exception):
    """A study cannot be asked in a tool, or not in this way."""


class LogRefused(ToolError):
    """A file is no log of a study, or its answers are not those to the study's prompts."""


class ToolMissing(ToolError):
    """The tool is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} is not installed: run `pip install "biaslab[{extra}]"`.')
