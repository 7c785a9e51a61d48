"""Fixtures of other subjects that are needed here too."""

from tests.files.conftest import workbook

__all__ = ["workbook"]
