"""Training a tiny model on a mix of one's own, in the foreground."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import Any

import click

from biaslab.cli.conventions import sentences, was_given
from biaslab.models import read_card
from biaslab.studies import MAXIMUM_PAIRS
from biaslab.system.places import custom_models
from biaslab.training.cells import CheckCell
from biaslab.training.heartbeat import MEASURING, Heartbeat
from biaslab.training.job import PAIRS, attempt, train_and_measure
from biaslab.training.jobs import (
    LOG_FILE,
    is_finished,
    make_directory,
    make_ready,
    plan_more,
)
from biaslab.training.mix import MIXES, MixError, read_mix
from biaslab.training.plan import (
    MOST_MINUTES,
    PLAN_FILE,
    SIZES,
    START,
    OtherPlan,
    TrainingError,
    TrainingPlan,
    check_name,
    spec_of,
)
from biaslab.training.trainer import CHECKS_FILE, PROGRESS_FILE, RESUME_FILE, STOP_FILE
from schoolmath.text.figures import count, interval_words, percent, signed_points, typed

# What is said meanwhile: lines for people, or JSON lines for programs.


LINES = 50
"""About so many lines of progress are written of a training."""


class Lines:
    """Tells of a training as it goes on.

    For people, lines go to standard error and what opens the model is the last line on standard
    output. As JSON, each line on standard output is an object whose ``event`` is ``begin``,
    ``progress``, ``check``, ``stopped``, ``ended`` or ``finished``.

    Args:
        directory: of the training.
        as_json: whether programs read it.
    """

    def __init__(self, directory: Path, *, as_json: bool) -> None:
        self._directory, self._json = directory, as_json
        self._told = -1.0
        self._plan: TrainingPlan | None = None
        self.measuring = False
        """Whether the training is over and unseen pairs are asked."""

    def begin(self, plan: TrainingPlan, *, goes_on: bool) -> None:
        """Says what is trained."""
        self._plan = plan
        length = f"{plan.steps:,} steps" if plan.steps else f"{plan.minutes:g} minutes"
        words = (
            f"{'Going on with' if goes_on else 'Training'} mix {plan.mix_name}, seed {plan.seed}, "
            f"{length}, in {self._directory}. Ctrl-C saves."
        )
        self._say("begin", words, {"plan": plan.to_json(), "goes_on": goes_on})

    def tell(self, record: Mapping[str, Any]) -> None:
        """Says a line of progress, or a check, as the training wrote it."""
        if "cells" in record:
            cells = [CheckCell.from_json(cell) for cell in record["cells"]]
            words = [f"Check after {record['examples']:,} lessons:", *map(cell_words, cells)]
            self._say("check", "\n  ".join(words), record)
            return
        self.measuring = record["stage"] == MEASURING
        if self.measuring:
            self._say("progress", "Trained and saved. Measuring on unseen pairs ...", record)
        elif self._json or record["share"] >= min(1.0, self._told + 1 / LINES):
            self._told = record["share"]
            self._say("progress", self._progress_words(record), record)

    def stopped(self) -> None:
        """Says that it was stopped, and how to go on."""
        self._say("stopped", f"Stopped and saved. {self._how_to_go_on()}", self._where())

    def ended(self) -> None:
        """Says that it was ended before it could save, and how to go on."""
        words = (
            "Ended while measuring; the trained model is saved."
            if self.measuring
            else "Ended without saving; the last save is still there."
        )
        self._say("ended", f"{words} {self._how_to_go_on()}", self._where())

    def finished(self) -> None:
        """Says where the model is, how well it does and how to ask it."""
        card = read_card(self._directory)
        spec = spec_of(self._directory)
        words = (
            f"The model is in {self._directory}; its card is README.md there. Ask it with:\n"
            f"  biaslab run consistency --n 200 --steps 1 --strategy cot --model {quote(spec)}"
        )
        self._say("finished", words, {**self._where(), "card": card.to_json()})
        if not self._json:
            click.echo(spec)

    def _where(self) -> dict[str, Any]:
        return {"directory": str(self._directory), "model": spec_of(self._directory)}

    def _how_to_go_on(self) -> str:
        return f"Go on with: biaslab train --out {quote(str(self._directory))}"

    def _progress_words(self, record: Mapping[str, Any]) -> str:
        assert self._plan is not None  # begin was said
        done = (
            f"step {record['step']:,} of {self._plan.steps:,}"
            if self._plan.steps
            else f"{record['minute']:.1f} of {self._plan.minutes:g} min"
        )
        share = percent(record["share"], 0)
        return f"{share:>5}  {done}  {record['examples']:,} lessons  loss {record['loss']:.3f}"

    def _say(self, event: str, words: str, content: Mapping[str, Any]) -> None:
        if self._json:
            click.echo(json.dumps({"event": event, **content}, ensure_ascii=False))
        else:
            click.echo(words, err=True)


def cell_words(cell: CheckCell) -> str:
    """A row of figures in a line: both shares, the effect with its interval, pairs."""
    effect = cell.effect()
    kind = " ".join(filter(None, (cell.comparison, cell.wording)))
    words = (
        f"{cell.study}{f' ({kind})' if kind else ''}, "
        f"{count(cell.steps, 'step')}, {cell.strategy}: {percent(cell.share_x)} / "
        f"{percent(cell.share_x_prime)} right, effect {signed_points(effect.cate)}"
    )
    if effect.interval is not None:
        words += f" ({interval_words(effect.interval.low, effect.interval.high)})"
    return typed(f"{words}, {cell.n} pairs")


# The command.


MINUTES = 5.0
"""How long a training takes unless told."""

_RATIOS = "consistent:inconsistent=5:1,transfer:comparison=130:9,no-carry:carry=1:1"


@click.command("train")
@click.option(
    "--mix",
    default=None,
    metavar="MIX",
    help=f"{', '.join(MIXES)}, or ratios like {_RATIOS}; one left out is 1:1.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=1,
    show_default=True,
    help="Of the lessons, and of the weights where it starts from nothing.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, MOST_MINUTES, min_open=True),
    default=MINUTES,
    show_default=True,
    help="How long it trains.",
)
@click.option(
    "--steps",
    type=click.IntRange(1),
    default=None,
    help="Count optimizer steps instead of minutes: the same on every machine.",
)
@click.option(
    "--size",
    type=click.Choice(list(SIZES)),
    default=None,
    help="Size of a model that starts from nothing. [default: family]",
)
@click.option(
    "--start",
    type=click.Path(path_type=Path),
    default=None,
    metavar="DIR",
    help="Directory of the model to go on from. [default: the app's, which can calculate "
    "and knows no mix]",
)
@click.option("--from-nothing", is_flag=True, help="Start from random weights.")
@click.option(
    "--check-every",
    type=click.FloatRange(0),
    default=0.0,
    metavar="MINUTES",
    help="Measure on unseen pairs so often on the way (in steps with --steps).",
)
@click.option(
    "--name",
    default=None,
    help="Name of the model: it is saved with your other models, as tiny:NAME.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    metavar="DIR",
    help="Directory of the model, in place of --name. With a training in it: go on.",
)
@click.option(
    "--more",
    type=click.FloatRange(0, MOST_MINUTES, min_open=True),
    default=None,
    metavar="MINUTES",
    help="Go on for so long beyond what was planned.",
)
@click.option(
    "--pairs",
    type=click.IntRange(2, MAXIMUM_PAIRS),
    default=PAIRS,
    show_default=True,
    help="Unseen pairs of each one-step kind that the model is asked at the end.",
)
@click.option("--json", "as_json", is_flag=True,
              help="Write progress to standard output, a JSON object a line.")  # fmt: skip
def train_command(**given: Any) -> None:
    """Train a tiny model on a mix, measure it and write its card.

    Ctrl-C saves. The same command, or --out DIR alone, goes on from the last save.
    """
    _refuse_contradictions(given)
    with sentences(TrainingError, MixError):
        directory = _directory(given)
        lines = Lines(directory, as_json=given["as_json"])
        finished = _train(directory, given, lines)
    sys.exit(0 if finished else 1)


def _train(directory: Path, options: dict[str, Any], lines: Lines) -> bool:
    """Begins a training or goes on with one; returns whether it came to its end.

    Raises:
        TrainingError, MixError: it cannot.
    """
    begun = _has_save(directory)
    plan = TrainingPlan.load(directory) if begun else _new_plan(options)
    if begun:
        _same_plan(directory, plan, options)
    make_directory(directory)
    with Heartbeat(directory):
        if begun and is_finished(directory) and not options["more"]:
            lines.finished()
            return True
        if begun:
            plan_more(directory, options["more"] or 0.0)
        else:
            _begin_anew(directory, plan)
        make_ready(directory)
        lines.begin(TrainingPlan.load(directory), goes_on=begun)
        return _attempt(directory, lines, options["pairs"])


def _attempt(directory: Path, lines: Lines, pairs: int) -> bool:
    work = partial(train_and_measure, pairs=pairs)
    try:
        with _log_of(directory), _stopped_by_signals(directory, lines):
            finished = attempt(directory, lines.tell, work)
    except KeyboardInterrupt:
        lines.ended()
        return False
    if finished:
        lines.finished()
    else:
        lines.stopped()
    return finished


def _directory(options: dict[str, Any]) -> Path:
    if options["name"] is not None:
        return custom_models() / check_name(options["name"])
    out: Path = options["out"]
    return out.expanduser()


def _has_save(directory: Path) -> bool:
    """Whether something was trained there; a plan alone is no loss and can be changed."""
    return (directory / PLAN_FILE).exists() and (directory / RESUME_FILE).exists()


def _begin_anew(directory: Path, plan: TrainingPlan) -> None:
    for name in (PROGRESS_FILE, CHECKS_FILE):
        (directory / name).unlink(missing_ok=True)
    plan.save(directory)


def _new_plan(options: dict[str, Any]) -> TrainingPlan:
    if options["mix"] is None:
        raise click.UsageError(
            f"A new training needs --mix: one of {', '.join(MIXES)}, or ratios like {_RATIOS}."
        )
    mix = read_mix(options["mix"])
    if options["size"] is not None and not options["from_nothing"]:
        raise click.UsageError(
            "A model that goes on from a start has the start's size: give --from-nothing with "
            "--size."
        )
    return TrainingPlan(
        mix,
        seed=options["seed"],
        minutes=options["minutes"],
        steps=options["steps"] or 0,
        size=options["size"] or "family",
        start=None if options["from_nothing"] else _start(options["start"]),
        check_every=options["check_every"],
    )


def _start(path: Path | None) -> Path:
    start = (path or START).expanduser().absolute()
    if not (start / "config.json").exists():
        raise TrainingError(
            f"There is no model in {start} to go on from: "
            + (
                "give the directory that holds its config.json and weights."
                if path
                else "get the app's files again, give --start DIR, or train --from-nothing."
            )
        )
    return start


def _same_plan(directory: Path, plan: TrainingPlan, options: dict[str, Any]) -> None:
    """Refuses options that differ from the training's plan: they would be ignored.

    Raises:
        OtherPlan: naming them and what the training has.
        MixError: the mix named is none.
    """
    differing = list(_differences(plan, options))
    if differing:
        raise OtherPlan(
            f"The training in {directory} has another plan: {'; '.join(differing)}. Leave this "
            f"out to go on with it (biaslab train --out {directory}), or choose another directory."
        )


def _differences(plan: TrainingPlan, options: dict[str, Any]) -> Iterator[str]:
    if was_given("mix") and read_mix(options["mix"]) != plan.mix:
        yield f"mix {_mix_words(plan)}, not {options['mix']}"
    if was_given("seed") and options["seed"] != plan.seed:
        yield f"seed {plan.seed}, not {options['seed']}"
    length = f"{plan.steps} steps" if plan.steps else f"{plan.minutes:g} minutes"
    if was_given("steps") and options["steps"] != plan.steps:
        yield f"{length}, not {options['steps']} steps"
    if was_given("minutes") and (plan.steps or options["minutes"] != plan.minutes):
        more = "" if plan.steps else " (--more MINUTES trains it for longer)"
        yield f"{length}, not {options['minutes']:g} minutes{more}"
    if was_given("size") and (plan.start or options["size"] != plan.size):
        yield (
            f"the size of its start, not {options['size']}"
            if plan.start
            else (f"size {plan.size}, not {options['size']}")
        )
    from_there = "from nothing" if plan.start is None else f"from {plan.start}"
    if was_given("from_nothing") and plan.start is not None:
        yield f"{from_there}, not from nothing"
    if was_given("start") and options["start"].expanduser().absolute() != plan.start:
        yield f"{from_there}, not from {options['start']}"
    if was_given("check_every") and options["check_every"] != plan.check_every:
        yield f"a check every {plan.check_every:g}, not every {options['check_every']:g}"


def _mix_words(plan: TrainingPlan) -> str:
    if plan.mix is None:
        return "none (it is a start)"
    return plan.mix_name if plan.mix_name in MIXES else plan.mix.text


def _refuse_contradictions(options: dict[str, Any]) -> None:
    for first, second in (("minutes", "steps"), ("start", "from_nothing"), ("name", "out")):
        if was_given(first) and was_given(second):
            raise click.UsageError(
                f"--{first} and --{second.replace('_', '-')} cannot both be given: choose one."
            )
    if options["name"] is None and options["out"] is None:
        raise click.UsageError("Say where the model goes: --out DIR or --name NAME.")


@contextmanager
def _log_of(directory: Path) -> Iterator[None]:
    """Writes what the training has to say of itself into its log."""
    handler = logging.FileHandler(directory / LOG_FILE, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("biaslab.training")
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level, logger.propagate = before
        handler.close()


@contextmanager
def _stopped_by_signals(directory: Path, lines: Lines) -> Iterator[None]:
    """Ctrl-C and SIGTERM save and end; a second one, or one while measuring, ends at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        if (directory / STOP_FILE).exists() or lines.measuring:
            raise KeyboardInterrupt
        with suppress(OSError):
            (directory / STOP_FILE).touch()
        # Written past Python's buffers: the signal may have come in the middle of a line.
        os.write(2, b"\nStopping: the training is saved after this pool of lessons ...\n")

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, stop) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
