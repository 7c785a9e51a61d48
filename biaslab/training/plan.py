"""What a training is to do, what its model may be called, and the record of how it came about.

What goes wrong in a training, as sentences for the person who started it:

TrainingError
├── BadName          no model can have this name
├── WrongDirectory   it holds something else, or no training
├── OtherPlan        the training in it was begun with another plan
├── TrainingBusy     a process is at it
└── NoSpace          the disk is full
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from biaslab.models.local.provider import local_spec
from biaslab.models.tiny.model import ALIAS, TINY_MODELS, tiny_spec
from biaslab.system.places import custom_models
from biaslab.training.lessons import KIND_SHARES
from biaslab.training.mix import Filling, LessonMix, mix_name, read_mix


class TrainingError(Exception):
    """A training cannot start or go on; the text says why and what to do."""


class BadName(TrainingError):
    """A model that is trained here cannot have this name."""


class WrongDirectory(TrainingError):
    """The directory holds something else, or no training."""


class OtherPlan(TrainingError):
    """The training in the directory was begun with another plan."""


class TrainingBusy(TrainingError):
    """A process is at this training."""


class NoSpace(TrainingError):
    """There is not enough space on the disk."""


PLAN_FILE = "plan.json"
"""What a training is to do, in its directory."""

RECORD_FILE = "training.json"
"""How the weights came about, next to them."""

FORMAT = 2
"""Of plans and saves. A training of another format is not gone on with."""

CHECK_PAIRS = 100
"""Pairs of each kind that a check on the way asks unless told."""

START = TINY_MODELS / "start"
"""The model that every mix goes on from: it can calculate, and knows no mix."""


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """Size of the model."""

    width: int = 64
    layers: int = 4
    heads: int = 2


SIZES = {
    "family": NetworkShape(),
    "million": NetworkShape(128, 5, 4),
    "large": NetworkShape(256, 6, 8),
    "least": NetworkShape(32, 1, 2),
}
"""Sizes by name: that of the family, the larger one of the experiment (1,103,104 weights), one for
a GPU, and one that only shows that it runs."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Step sizes and batches.

    Attributes:
        matrix_rate: learning rate of the matrices (Muon), `rate` of everything else (AdamW).
            Both rise for `warm_up` steps, stay, and fall from `falls_from` (a share of the whole)
            in a straight line to zero at the end.
        batch: lessons a step; pool: batches made together.
        equations_share: share of equations among the word problems.
        one_step_until: share of the whole in which problems have one step and are mostly worked
            through.
        familiar_weight: weight of telling, of every name, whether that person was named before.
            It is read off below the middle of the network, and only in training. Without it
            models of this size hardly find out who gives to whom.
        recalled_weight: weight of saying, at the name of who is asked about, how much the text
            says that person has, where nothing happens (in a start only); read off above the
            middle of the network. Looking numbers up by name is not learnt at this size all the
            same, so no model is said to do it; the loss stays because all starts of the
            experiment have it.
        text_weight: weight of saying a problem's own words, at a quarter of their places.
    """

    matrix_rate: float = 4e-3
    rate: float = 4e-3
    warm_up: int = 100
    falls_from: float = 0.5
    batch: int = 32
    pool: int = 32
    equations_share: float = 0.10
    one_step_until: float = 0.5
    familiar_weight: float = 0.3
    recalled_weight: float = 0.5
    text_weight: float = 0.1


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What a training is to do.

    Attributes:
        mix: ratios of its problems; None: a start, which has no word problems of any mix.
        seed: of the weights (where it starts from nothing) and of the lessons.
        minutes: how long it trains; of no meaning where `steps` is not 0.
        steps: optimizer steps; the same seed and steps give the same lessons everywhere.
        size: one of `SIZES`. A training that has a start takes the start's size.
        start: directory of the model that it goes on from; None: random weights.
        check_every: minutes between two checks on unseen pairs (steps, where `steps` is not 0);
            0: none.
        check_at: counts of examples after which unseen pairs are asked, whatever `check_every` is;
            check_pairs: how many of each kind.
        filling: which lessons are thinned out, and how much; None: none.
        equation_kinds: kinds of bare equations among its problems, and their shares.
        keep: counts of examples at which a copy of the weights is kept beside, in
            ``checkpoints``.
        schedule: step sizes and batches.
    """

    mix: LessonMix | None
    seed: int = 1
    minutes: float = 5.0
    steps: int = 0
    size: str = "family"
    start: Path | None = None
    check_every: float = 0.0
    check_at: tuple[int, ...] = ()
    check_pairs: int = CHECK_PAIRS
    filling: Filling | None = None
    equation_kinds: tuple[tuple[str, float], ...] = KIND_SHARES
    keep: tuple[int, ...] = ()
    schedule: Schedule = field(default_factory=Schedule)

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise TrainingError(f"There is no size “{self.size}”: choose {', '.join(SIZES)}.")
        if self.steps < 0:
            raise TrainingError(f"A training cannot have {self.steps} steps.")
        if not self.steps and not 0 < self.minutes <= MOST_MINUTES:
            raise TrainingError(
                f"A training takes more than 0 and at most {MOST_MINUTES:,} minutes, not "
                f"{self.minutes:g}."
            )

    @property
    def mix_name(self) -> str:
        """The mix's name; “start” where there is none."""
        return "start" if self.mix is None else mix_name(self.mix)

    def to_json(self) -> dict[str, Any]:
        """The plan as it is written to ``plan.json``."""
        content = asdict(self)
        content["format"] = FORMAT
        content["mix"] = None if self.mix is None else self.mix.text
        content["start"] = None if self.start is None else str(self.start)
        return content

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> TrainingPlan:
        """The plan in the content of a ``plan.json``.

        Raises:
            TrainingError: it is damaged, or of another version of BiasLab.
        """
        if not isinstance(content, Mapping) or content.get("format") != FORMAT:
            raise TrainingError(
                "The training was begun by another version of BiasLab, whose saves this one does "
                "not read: train anew in another directory."
            )
        try:
            values = {name: value for name, value in content.items() if name != "format"}
            values["mix"] = None if values["mix"] is None else read_mix(values["mix"])
            values["start"] = None if values["start"] is None else Path(values["start"])
            values["keep"] = tuple(values["keep"])
            values["check_at"] = tuple(values.get("check_at", ()))
            filling = values.get("filling")
            values["filling"] = None if filling is None else Filling(**filling)
            kinds = values.get("equation_kinds", KIND_SHARES)
            values["equation_kinds"] = tuple((str(kind), float(share)) for kind, share in kinds)
            values["schedule"] = Schedule(**values["schedule"])
            return cls(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError(f"The plan of the training is damaged ({error}).") from error

    def save(self, directory: Path) -> None:
        """Writes the plan into the training's directory."""
        text = json.dumps(self.to_json(), indent=1)
        (directory / PLAN_FILE).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, directory: Path) -> TrainingPlan:
        """The plan in a training's directory.

        Raises:
            TrainingError: there is none, or it is damaged or of another version.
        """
        path = directory / PLAN_FILE
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise TrainingError(f"There is no training in {directory}.") from error
        except (OSError, ValueError) as error:
            raise TrainingError(f"{path} cannot be read ({error}).") from error
        return cls.from_json(content)


MOST_MINUTES = 10_000
"""Longest training: a week."""


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """How a model came about.

    Attributes:
        mix: the mix's name; ratios: all of it, as `read_mix` reads it ("" for a start).
        minutes: how long it took, without what a start took; date: when it ended.
        finished: False for a save on the way.
        examples: equations and problems seen; equations: the equations among them.
        loss: mean over the last pool of batches, in nats a taught token.
        hardware: what it was trained on.
        start_examples: examples of the start that it went on from.
        rate_left: share of the largest learning rate at which the weights were saved; 0 where
            it had fallen to its end.
        history: where the weights were not made by one plain run, a sentence on how they were.
        caveat: what a reader must know of the choice of these weights, in a sentence.
    """

    mix: str
    seed: int
    minutes: float
    steps: int
    examples: int
    equations: int
    loss: float
    finished: bool
    date: str
    shape: Mapping[str, int]
    schedule: Mapping[str, float]
    history: str = ""
    caveat: str = ""
    ratios: str = ""
    hardware: str = ""
    start_examples: int = 0
    rate_left: float = 0.0

    def save(self, directory: Path) -> None:
        """Writes the record next to the weights."""
        text = json.dumps(asdict(self), indent=1)
        (directory / RECORD_FILE).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, directory: Path) -> TrainingRecord:
        """The record next to the weights."""
        return cls(**json.loads((directory / RECORD_FILE).read_text(encoding="utf-8")))


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
