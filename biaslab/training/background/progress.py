"""What a training has said of itself so far: its progress and its checks, read from its directory.

Both files get a line at a time and are read while they are written. A process that was killed
may have left half a line; what it did after its last save is done, and said, again by the one
that goes on. So lines that cannot be read are passed over, and of what was said twice the later
one counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from biaslab.training.measures.cells import CheckCell
from biaslab.training.trainer import CHECKS_FILE, PROGRESS_FILE

MEASURING = "measuring"
"""Stage after the last step: unseen pairs are asked for the card."""

_Line = TypeVar("_Line")


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training was after a pool of lessons.

    Attributes:
        minute: trained so far, in minutes.
        share: done of the plan, 0 to 1.
        step: optimizer steps; examples: lessons seen.
        loss: mean over the pool, in nats a taught token.
        stage: ``start``, ``problems`` or ``measuring``.
    """

    minute: float
    share: float
    step: int
    examples: int
    loss: float
    stage: str

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> TrainingProgress:
        """The progress in a line of the file.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        return cls(
            float(line["minute"]), float(line["share"]), int(line["step"]),
            int(line["examples"]), float(line["loss"]), str(line["stage"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProgressCheck:
    """A check on unseen pairs along a training.

    Attributes:
        minute, examples: when it was made.
        cells: a row for each kind of problem and prompt strategy.
    """

    minute: float
    examples: int
    cells: tuple[CheckCell, ...]

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> ProgressCheck:
        """The check in a line of the file.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        cells = tuple(CheckCell.from_json(cell) for cell in line["cells"])
        return cls(float(line["minute"]), int(line["examples"]), cells)


def read_progress(directory: Path) -> tuple[TrainingProgress, ...]:
    """All progress so far, in order; empty where there is none yet."""
    kept: list[TrainingProgress] = []
    for line in _lines(directory / PROGRESS_FILE, TrainingProgress.from_json):
        while kept and (kept[-1].stage == MEASURING or _undone(kept[-1], line)):
            kept.pop()
        kept.append(line)
    return tuple(kept)


def read_checks(directory: Path) -> tuple[ProgressCheck, ...]:
    """All checks so far, in order; empty where there is none yet."""
    kept: list[ProgressCheck] = []
    for line in _lines(directory / CHECKS_FILE, ProgressCheck.from_json):
        while kept and kept[-1].examples >= line.examples:
            kept.pop()
        kept.append(line)
    return tuple(kept)


def mend(directory: Path) -> None:
    """Ends a line that a killed process left half written, so that the next one is whole.

    Raises:
        OSError: the files cannot be written.
    """
    for name in (PROGRESS_FILE, CHECKS_FILE):
        path = directory / name
        if path.exists():
            with path.open("rb+") as file:
                if file.seek(0, 2) and file.seek(-1, 2) is not None and file.read(1) != b"\n":
                    file.write(b"\n")


def _undone(before: TrainingProgress, after: TrainingProgress) -> bool:
    """Whether a line tells of steps that were lost, since a later line starts again before."""
    if after.stage == MEASURING:
        return before.step > after.step
    return before.step >= after.step


def _lines(path: Path, read: Callable[[Mapping[str, Any]], _Line]) -> Iterator[_Line]:
    try:
        content = path.read_bytes()
    except OSError:
        return
    for line in content.split(b"\n"):
        try:
            yield read(json.loads(line))
        except (KeyError, TypeError, ValueError):
            continue
