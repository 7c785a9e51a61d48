"""Number formats of a model's weights: which one suits it here, and what was measured of that.

Weights of eight bits are a coarser model, and faster on a processor. They are used where they
answer alike: over `TEXTS` the mean divergence of the next token's probabilities from those in
float32 is at most `MOST_DIVERGENCE` nats a token, and the likeliest token is the same at
`LEAST_AGREEMENT` of the places or more. That is measured when a model is first opened so and kept
beside the file of runs, for these weights, library versions and this processor. Models below
`LEAST_BYTES` stay in float32, since they gain little.

Nothing here imports torch or transformers; `biaslab.models.local.measuring` measures.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from biaslab.models.provider import AUTO, DTYPES, INT8
from biaslab.models.requests import Unsupported
from biaslab.system.places import beside_runs, write_private
from schoolmath.text.figures import percent

MOST_DIVERGENCE = 0.01
"""Nats a token, Kullback and Leibler's, from float32 to the rounded model, mean over the texts."""

LEAST_AGREEMENT = 0.95
"""Share of places at which the likeliest next token is the same."""

MOST_TIME = 0.8
"""Of float32's time to write a token in some sixty rows: what takes more is not worth it."""

LEAST_BYTES = 300_000_000
"""Weights in float32 below which nothing is gained."""

TEXTS = (
    "Ana has 18 apples. Ben has 3 fewer apples than Ana. How many apples does Ben have? Ben has "
    "3 fewer apples than Ana, so Ben has 18 - 3 = 15 apples. The answer is 15.",
    "There were 47 red pencils in a box. Carla put 25 more pencils into the box. How many pencils "
    "are in the box now? There are 47 + 25 = 72 pencils in the box now. The answer is 72.",
    "Goran has 36 marbles. He has 12 marbles more than Femi. How many marbles does Femi have? "
    "Goran has 12 more than Femi, so Femi has 36 - 12 = 24 marbles. The answer is 24.",
    "A baker makes 6 trays with 8 rolls each and sells 19 rolls. How many rolls are left? The "
    "baker makes 6 * 8 = 48 rolls. After selling 19 there are 48 - 19 = 29 rolls left.",
    "Let's think step by step. Mia read 14 pages on Monday and twice as many on Tuesday. On "
    "Tuesday she read 2 * 14 = 28 pages. Together she read 14 + 28 = 42 pages.",
    "Dev had 80 euros. He gave a quarter of them to his sister and spent 15 euros on a book. A "
    "quarter of 80 is 20, so he had 80 - 20 = 60 euros left. After the book he had 60 - 15 = 45 "
    "euros.",
)
"""What a model reads in both formats: some 370 tokens."""

OPENING = 4
"""Tokens at the beginning of a text that are not counted: no answer is written there, and models
have their outliers at the first tokens, whatever these are."""

_MARKS = {INT8: "int8.3"}
"""Under what answers and measurements of a number format are kept, if not under its own name:
another arithmetic gives other answers, so it needs another mark."""

_KEPT = "number-formats.json"
_PACKAGES = ("torch", "transformers")


@dataclass(frozen=True, slots=True)
class RoundingEffect:
    """What rounding does to one model.

    Attributes:
        divergence: mean over the texts' tokens, in nats.
        agreement: share of places with the same likeliest token.
        time: to write a token in some sixty rows, of float32's.
    """

    divergence: float
    agreement: float
    time: float

    @property
    def alike(self) -> bool:
        """Whether the model answers as in float32, as far as is asked."""
        return self.divergence <= MOST_DIVERGENCE and self.agreement >= LEAST_AGREEMENT


NOT_EXACT = RoundingEffect(1e9, 0.0, 1e9)
"""Where this processor does not multiply exactly in eight bits."""

Measure = Callable[[], RoundingEffect]


def mark(dtype: str) -> str:
    """What a number format is called in a model's revision."""
    return _MARKS.get(dtype, dtype)


def known(path: Path, revision: str, dtype: str) -> str:
    """The number format that a model is opened in, as far as is known without measuring.

    Args:
        path: the model's directory.
        revision: of its files.
        dtype: one of `DTYPES`, or `AUTO`: eight bits where they were found to answer alike.

    Returns:
        one of `DTYPES`; float32 where nothing was measured yet.
    """
    if dtype != AUTO:
        return dtype
    found = None if _stays_exact(path) else _kept(revision)
    return INT8 if found and found.alike and found.time <= MOST_TIME else DTYPES[0]


def is_known(path: Path, revision: str, dtype: str) -> bool:
    """Whether `known` is the last word: nothing is to be measured before the model is opened."""
    if dtype not in (AUTO, INT8):
        return True
    return (dtype == AUTO and _stays_exact(path)) or _kept(revision) is not None


def settled(path: Path, revision: str, dtype: str, measure: Measure) -> str:
    """The number format that a model is opened in; measures what is not known, and keeps it.

    Args:
        path: the model's directory.
        revision: of its files.
        dtype: as for `known`.
        measure: what rounding does to the model.

    Raises:
        Unsupported: eight bits were asked for, and answer otherwise than float32.
    """
    if not is_known(path, revision, dtype):
        _keep(revision, measure())
    if dtype == INT8 and (found := _kept(revision)) and not found.alike:
        raise Unsupported(
            f"In {dtype} this model answers otherwise than in float32: its probabilities move by "
            f"{found.divergence:.3f} nats a token (at most {MOST_DIVERGENCE}), and the likeliest "
            f"token stays in {percent(found.agreement)} of places (at least "
            f"{percent(LEAST_AGREEMENT, 0)}). "
            "Choose float32, or auto."
        )
    return known(path, revision, dtype)


_measured: dict[str, RoundingEffect] = {}
"""What this process measured: a file that cannot be written is measured for again, once."""


def _kept(revision: str) -> RoundingEffect | None:
    key = _key(revision)
    try:
        return RoundingEffect(**_file()[key])
    except (KeyError, TypeError):  # not measured, or a file of another version, or a damaged one
        return _measured.get(key)


def _keep(revision: str, effect: RoundingEffect) -> None:
    key = _key(revision)
    _measured[key] = effect
    with suppress(OSError):
        write_private(beside_runs(_KEPT), json.dumps(_file() | {key: asdict(effect)}, indent=1))


def _file() -> dict[str, Any]:
    try:
        found = json.loads(beside_runs(_KEPT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _key(revision: str) -> str:
    return f"{revision} {mark(INT8)} {_surroundings()}"


@cache
def _surroundings() -> str:
    return " ".join([*map(_version, _PACKAGES), _processor()])


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _stays_exact(path: Path) -> bool:
    """Whether float32 is taken without measuring: a small model, or a GPU that does the work."""
    files = path.glob("*.safetensors") if path.is_dir() else [path]
    return 4 * sum(map(_numbers, files)) < LEAST_BYTES or _has_gpu()


@cache
def _has_gpu() -> bool:
    return Path("/dev/nvidiactl").exists() or shutil.which("nvidia-smi") is not None


def _numbers(file: Path) -> int:
    """How many numbers a file of weights holds, from its header alone; at least, in other files."""
    if file.suffix != ".safetensors":
        return file.stat().st_size
    with file.open("rb") as stream:
        header = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
    total = 0
    for name, table in header.items():
        if name != "__metadata__":
            size = 1
            for width in table["shape"]:
                size *= int(width)
            total += size
    return total
