"""Directories of real transformers with random weights."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def model_directory(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the directory of a random model; the same settings give the same directory."""
    base = tmp_path_factory.mktemp("models")

    def make(
        architecture: str = "llama",
        *,
        adds_bos: bool = True,
        pad: bool = False,
        template: str = "",
    ) -> Path:
        from tests.models.random_models import saved

        return saved(base, architecture, adds_bos, pad, template)

    return make


@pytest.fixture
def custom_model_directory(
    model_directory: Callable[..., Path], tmp_path: Path
) -> Callable[..., Path]:
    """The same, as a copy that a test may damage."""

    def make(architecture: str = "llama", **settings: Any) -> Path:
        return Path(
            shutil.copytree(model_directory(architecture, **settings), tmp_path / architecture)
        )

    return make
