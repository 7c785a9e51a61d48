"""The process of a training: ``python -m biaslab.training.job DIRECTORY``.

It trains, measures the model on unseen pairs, writes its card and ends; it needs nobody to watch
it. Asked to stop, by the file ``stop`` or by SIGTERM, it saves and ends. What goes wrong stands as
a sentence in ``error.txt``; the log has the details.
"""

from __future__ import annotations

import argparse
import errno
import json
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import psutil

from biaslab.training.card import measure_and_write
from biaslab.training.heartbeat import MEASURING, Heartbeat, TrainingProgress
from biaslab.training.jobs import ERROR_FILE, LOG_FILE, check_training
from biaslab.training.measuring import STRATEGIES, MeasuringStopped
from biaslab.training.plan import TrainingBusy, TrainingError, TrainingPlan, name_of
from biaslab.training.trainer import PROGRESS_FILE, STOP_FILE, Trainer

PAIRS = 150
"""Unseen pairs of each one-step kind that a model is asked for its card, unless told; of longer
ones a third. That takes about a minute of a core, more where the model learnt little and rambles.
"""

WAYS = STRATEGIES
"""How it is asked."""

_NICE = 10
"""How far a job stands back, from 0 to 19."""

Tell = Callable[[dict[str, Any]], None]
"""Called with every line of progress and every check, as they are written."""

_log = logging.getLogger("biaslab.training.job")


def _silent(record: dict[str, Any]) -> None:
    """Tells nobody."""


class JobWork(Protocol):
    """What a job does in a directory; tests put something quicker in its place."""

    def __call__(self, directory: Path, tell: Tell) -> bool:
        """Does it; returns whether it came to its end, and was not stopped before."""
        ...


def train_and_measure(directory: Path, tell: Tell = _silent, pairs: int = PAIRS) -> bool:
    """Trains as planned, going on from the last save, then measures and writes the card.

    Args:
        directory: of a training.
        tell: called with every line of progress and every check.
        pairs: unseen pairs of each one-step kind that the model is asked; of longer ones a third.

    Returns:
        whether the plan is fulfilled and the model measured; False when it was stopped.

    Raises:
        TrainingError: it cannot start or go on; the sentence says why.
    """
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    trainer = Trainer(TrainingPlan.load(directory), directory, tell)
    if not trainer.run():
        return False
    counters = trainer.counters
    line = TrainingProgress(
        round(counters.spent / 60, 3), 1.0, counters.step, counters.examples,
        counters.loss, MEASURING,
    )  # fmt: skip
    with (directory / PROGRESS_FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(line)) + "\n")
    tell(asdict(line))
    trainer.model.eval()
    try:
        measure_and_write(
            trainer.model, trainer.tokenizer, directory, name_of(directory),
            gate_problems=pairs, other_problems=max(1, pairs // 3), strategies=WAYS,
            enough=trainer.stop_asked,
        )  # fmt: skip
    except MeasuringStopped:
        return False
    return True


def sentence(error: Exception, directory: Path) -> str:
    """An error that nothing before made a sentence of, for the person who started the training."""
    if isinstance(error, ImportError):
        return (
            f"Training needs the packages torch and transformers, and {error.name} is not "
            "installed: `make app` adds them (README.md says how without make)."
        )
    if isinstance(error, MemoryError):
        return (
            "The memory of this computer was not enough for the training: end other programs or "
            "choose a smaller size, then go on from the last save."
        )
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return (
            f"There is no space left on the disk of {directory}: free some, then go on from the "
            "last save."
        )
    return (
        f"The training ended by an error that was not expected ({type(error).__name__}). It can "
        f"be gone on with from its last save; {directory / LOG_FILE} has the details."
    )


def main(arguments: Sequence[str] | None = None, work: JobWork = train_and_measure) -> int:
    """Does the training in the directory that the arguments name.

    Args:
        arguments: as on the command line, without the program's name.
        work: what is done there.

    Returns:
        exit status: 0 for finished or stopped, 1 for failed, 2 where it could not begin.
    """
    # `biaslab train` begins without the file of runs.
    from biaslab.runs.errors import StoreError
    from biaslab.runs.jobs.queue import GivenUp

    parser = argparse.ArgumentParser(prog="python -m biaslab.training.job")
    parser.add_argument("directory", type=Path, help="where the training lives")
    parser.add_argument("--queue", type=Path, help="file of runs with whose work it takes turns")
    chosen = parser.parse_args(arguments)
    directory = chosen.directory
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s"
    )
    try:
        check_training(directory)
        with Heartbeat(directory):
            _make_way()
            signal.signal(signal.SIGTERM, lambda *_: _ask_to_stop(directory))
            with _turn(directory, chosen.queue):
                finished = attempt(directory, work=work)
    except GivenUp:
        (directory / STOP_FILE).unlink(missing_ok=True)
        finished = False
    except TrainingBusy as error:
        _log.error("%s", error)
        return 2
    except (TrainingError, StoreError, OSError) as error:
        _log.error("%s", error)
        return 1
    _log.info("The training is %s.", "finished" if finished else "stopped")
    return 0


def _turn(directory: Path, queue: Path | None) -> AbstractContextManager[None]:
    if queue is None:
        return nullcontext()
    from biaslab.runs.jobs import queue as queues

    work = queues.QueuedWork(queues.JobKind.TRAINING, directory.name)
    return queues.in_turn(queue, work, is_given_up=(directory / STOP_FILE).exists)


def attempt(directory: Path, tell: Tell = _silent, work: JobWork = train_and_measure) -> bool:
    """Does the work of a training; every error becomes a sentence, in ``error.txt`` as well.

    Args:
        directory: of the training.
        tell: called with every line of progress and every check.
        work: what is done.

    Returns:
        whether it came to its end, and was not stopped before.

    Raises:
        TrainingError: it failed.
    """
    _log.info("The training in %s begins.", directory)
    try:
        finished = work(directory, tell)
    except Exception as error:
        _log.exception("The training failed.")
        failure = (
            error if isinstance(error, TrainingError) else TrainingError(sentence(error, directory))
        )
        with suppress(OSError):
            (directory / ERROR_FILE).write_text(f"{failure}\n", encoding="utf-8")
        raise failure from error
    with suppress(OSError):
        (directory / STOP_FILE).unlink(missing_ok=True)
    return finished


def _ask_to_stop(directory: Path) -> None:
    with suppress(OSError):
        (directory / STOP_FILE).touch()


def _make_way() -> None:
    """Leaves the processor to whoever waits for an answer."""
    with suppress(psutil.Error, OSError):
        if sys.platform == "win32":
            psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        else:
            psutil.Process().nice(_NICE)


if __name__ == "__main__":
    sys.exit(main())
