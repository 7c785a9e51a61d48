"""The one shape of every study: ask the same thing twice, changing one feature.

    design -> Pair(item x, item x') -> requests -> responses -> Reading -> outcome Y

A study is an `Experiment` in a folder of this package, whose module ``study`` offers it in the
tuple ``STUDIES``. Running, storing, analysing and drawing know this shape only, so a new study
needs no change in them (CONTRIBUTING.md).
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import json
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TextIO, TypeAlias

from biaslab.models import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    Skill,
)
from biaslab.studies.results import (
    LAST,
    Evidence,
    Expectation,
    FurtherColumns,
    OutcomeScale,
    ResultsPage,
)
from schoolmath.problems import DesignError

if TYPE_CHECKING:
    from biaslab.files import ImportedItem

Value: TypeAlias = str | int | bool
"""A setting's or stratum's value."""


_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def content_hash(*parts: object) -> str:
    """Sixteen hexadecimal digits that identify the content, the same on every machine."""
    # Most parts are texts or empty: these are spared the set-up of the whole encoder.
    written = [
        encode_basestring(part) if type(part) is str else "[]" if part == () else _canonical(part)
        for part in parts
    ]
    return blake2b(f"[{','.join(written)}]".encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to ask.

    Attributes:
        id: hash of study, text and answer: the same item is the same row everywhere.
        text: what is asked, the question included.
        answer: the right answer as text.
        facts: what is known about it beyond the text, JSON-ready: for word problems
            ``sentences`` (list of str), ``steps`` (list of reasoning steps) and ``treated``
            (indices of the sentences that the treatment changes).
        options: the answers offered, where there are any.
    """

    id: str
    text: str
    answer: str
    facts: Mapping[str, Any]
    options: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        study: str,
        text: str,
        answer: str,
        facts: Mapping[str, Any],
        options: tuple[str, ...] = (),
    ) -> Item:
        """An item with its content hash."""
        return cls(content_hash(study, text, answer, options), text, answer, facts, options)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two items that differ in one feature.

    Attributes:
        x: the member that is easier by hypothesis, where there is one; x_prime: the other. A
            positive difference of outcomes (x minus x') is the direction of the hypothesis.
        strata: what effects can be broken down by, such as ``{"steps": 2}``.
        cluster: what the pair shares with other pairs (the structure, the question, the
            scenario); intervals and tests respect it.
    """

    id: str
    x: Item
    x_prime: Item
    strata: Mapping[str, Value]
    cluster: str

    @classmethod
    def of(cls, x: Item, x_prime: Item, strata: Mapping[str, Value], cluster: str) -> Pair:
        """A pair with its content hash."""
        return cls(content_hash(x.id, x_prime.id), x, x_prime, strata, cluster)


class Arms(NamedTuple):
    """What the two members of a pair are called on screens."""

    x: str
    x_prime: str


@dataclass(frozen=True, slots=True)
class Stratum:
    """Something that effects can be broken down by."""

    name: str
    label: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice that a person makes in a design; screens and the command line draw it.

    Attributes:
        kind: ``integer`` (from minimum to maximum), ``range`` (two integers within minimum
            and maximum, written ``"1-5"``), ``choice`` (one of the choices), ``text`` (a line
            that the study reads), ``set`` (a set of pairs kept in the file of runs), ``items``
            (a set of multiple-choice items kept there) or ``cases`` (a set of decisions).
        unless: name of the setting beside which this one means nothing, once that is chosen.
        formerly: choices that older designs name, each with what it is called now.
    """

    name: str
    label: str
    explanation: str
    kind: str
    default: Value
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()
    unless: str = ""
    formerly: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Design:
    """Everything that determines the pairs of a study.

    Attributes:
        study: name of the experiment.
        n: number of pairs, from 1 to `MAXIMUM_PAIRS`.
        seed: any whole number; the same design gives the same pairs on every machine, and
            the first pairs of a larger design are those of a smaller one.
        settings: values by the names of the experiment's settings; missing ones default.
    """

    study: str
    n: int
    seed: int
    settings: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NamedDesign:
    """A design of a study that has a name of its own, such as that of its publication.

    Attributes:
        name: as on the command line; explanation: what it is, in a sentence.
        n: its pairs; settings: its values.
    """

    name: str
    explanation: str
    n: int
    settings: Mapping[str, Value]


MAXIMUM_PAIRS = 100_000
"""Most pairs in one design: a limit of this app, for the size of its file."""

LARGEST_SEED = 2**31 - 1
"""Largest seed that screens and files of designs take: a limit of this app."""

LONGEST_TEXT = 1_000
"""Most characters of a setting that is a text: a limit of this app, for links."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a response was taken to say.

    Attributes:
        value: the answer as read, or None where nothing could be read.
        outcome: Y: 1.0 right, 0.0 wrong (other scales are a study's own); None when invalid.
        rule: name of the rule that read it.
        explanation: that rule in a sentence, for the person who looks at the item.
        span: where in the last response the value stands, as (start, end), for marking.
        extra: what else the responses say that a study counts, JSON-ready, such as
            ``{"mcq": 1.0}``.
        missing: whether this is no answer at all: the item then counts as failed, with the
            explanation as the reason, and not as an answer that could not be read.
    """

    value: str | None
    outcome: float | None
    rule: str
    explanation: str
    span: tuple[int, int] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    missing: bool = False


Request: TypeAlias = GenerationRequest | LikelihoodRequest
Answered: TypeAlias = Completion | Likelihood


class Strategy(Protocol):
    """A prompt strategy: one or more requests for an item, each built on the answers so far."""

    @property
    def name(self) -> str:
        """Short name, as on the command line: ``direct``, ``cot``."""
        ...

    @property
    def label(self) -> str:
        """Name on screens."""
        ...

    @property
    def explanation(self) -> str:
        """One line for someone who does not know the term."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the wording of the prompts does; kept with every run."""
        ...

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """The next thing to ask, or None when the item is finished."""
        ...


def is_begun(strategy: Strategy) -> bool:
    """Whether it begins the last answer of a chat model, which goes on from that."""
    return bool(getattr(strategy, "begun", False))


def form_read(strategy: Strategy, form: ModelForm) -> ModelForm:
    """The form that a strategy's last response is read in.

    A chat model whose answer is begun writes the rest of a sentence, as a base model does, and no
    turn of its own.
    """
    return ModelForm.BASE if is_begun(strategy) else form


class StoredPairs(Protocol):
    """The pairs of one set that people imported or made, wherever they are kept."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def at(self, positions: Sequence[int]) -> Iterator[Pair]:
        """Those at these places, from 0, in this order."""
        ...


class StoredItems(Protocol):
    """The multiple-choice items of one set that people imported, wherever they are kept."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __iter__(self) -> Iterator[ImportedItem]:
        """All of them, in their order."""
        ...


class StoredSources(Protocol):
    """What people keep in a file of runs, for the studies that ask about it."""

    def pair_set(self, set_id: str) -> StoredPairs | None:
        """The set of pairs that has this id; None where there is none."""
        ...

    def case_set(self, named: str) -> StoredPairs | None:
        """The set of cases of decisions that has this name or id; None where there is none."""
        ...

    def item_set(self, named: str) -> StoredItems | None:
        """The set of items that has this name or id; None where there is none."""
        ...

    def custom_text(self, text_id: str) -> str | None:
        """The text of a person's own that has this id; None where there is none."""
        ...


PATIENCE = 3_000
"""Draws in a row that give no new pair before there are taken to be no more."""

QUICK_PAIRS = 200
"""Pairs of most studies that are made while a person waits for a screen."""


def different(draws: Iterator[Pair | None], n: int) -> Generator[Pair, None, int]:
    """The first pairs drawn that are not alike.

    Args:
        draws: pairs, and None where a draw gave none.
        n: so many are wanted, 1 or more.

    Returns:
        How many there were: fewer where the draws end, or `PATIENCE` in a row give nothing new.
    """
    seen: set[str] = set()
    in_vain = 0
    for pair in draws:
        if pair is None or pair.id in seen:
            in_vain += 1
            if in_vain == PATIENCE:
                break
            continue
        in_vain = 0
        seen.add(pair.id)
        yield pair
        if len(seen) == n:
            break
    return len(seen)


def check_design(design: Design, settings: Sequence[Setting]) -> None:
    """Refuses a design with a size out of range or a setting that the study does not have.

    Raises:
        DesignError: with the nearest size, or the settings there are.
    """
    if not 1 <= design.n <= MAXIMUM_PAIRS:
        nearest = min(max(design.n, 1), MAXIMUM_PAIRS)
        raise DesignError(
            f"A study has from 1 to {MAXIMUM_PAIRS:,} pairs, not {design.n:,}.",
            f"The nearest size that works is {nearest:,}.",
            "n",
        )
    names = [setting.name for setting in settings]
    for name in design.settings:
        if name not in names:
            raise DesignError(
                f"The study {design.study!r} has no setting {name!r}.",
                f"Its settings are: {', '.join(names)}.",
                name,
            )


class Experiment(ABC):
    """A study: which pairs are compared, how they are asked and how answers are read.

    Everything that others must know of a study stands here. What has no value here a study has to
    say; the rest has the meaning of most studies.

    Attributes:
        name: short, as on the command line and in the file.
        title: on screens.
        question: what the study asks, in one sentence that a teacher understands.
        source: the publication that it follows.
        asks: what a model must be able to do; others are refused before anything is asked.
        reader: which way of reading `read` is; the number in it changes whenever a reading may.
        custom_words: whether its pairs can be written with names and things of one's own.
        system: whose record of fidelity (`biaslab.studies.published`) it stands in; None: in none.
        further_readers: names of other ways of reading, which a run may be read by on request.
        arms: names of x and x'.
        strata: what effects can be broken down by, the main one first.
        settings: what a person chooses in a design.
        strategies: prompt strategies, the default first.
        expects: which member should be easier, who says so and what is known about people; None
            where nobody expects anything. Whatever is said about people anywhere comes from here.
        baselines: simple strategies that might explain an effect: names of simulated learners.
        baselines_beside: whether tables of effects have what these get as columns of their own.
        outcome_scale: what outcomes are; None where answers are right or wrong.
        results_page: where the study shows its results in its own way; None where effects say all.
        beside: a stratum and its value; the effect over these pairs alone stands beside that over
            all of them. None: all pairs are of one kind.
        versions_since: the format of files of designs since which its texts have versions, where
            it has a setting ``version``; a file of an earlier format means the first one.
        named_designs: designs that can be asked for by name.
        rank: its place in lists; studies of one rank stand by name.
        quick_pairs: so many are made while a person waits for a screen.
    """

    name: str
    title: str
    question: str
    source: str
    asks: Skill
    reader: str
    arms: Arms
    strata: tuple[Stratum, ...]
    settings: tuple[Setting, ...]
    strategies: tuple[Strategy, ...]
    expects: Expectation | None = None
    baselines: tuple[str, ...] = ()
    baselines_beside: bool = False
    outcome_scale: OutcomeScale | None = None
    results_page: ResultsPage | None = None
    beside: tuple[str, Value] | None = None
    versions_since: int = 2
    named_designs: tuple[NamedDesign, ...] = ()
    rank: int = LAST
    quick_pairs: int = QUICK_PAIRS
    custom_words: bool = False
    system: str | None = None
    further_readers: tuple[str, ...] = ()

    def pairs(self, design: Design) -> Iterator[Pair]:
        """The pairs of a design, each verified as it is made and none of them twice.

        Raises:
            DesignError: no such pairs exist; the error says why and what would work.
        """
        check_design(design, self.settings)
        most = self.size(design)
        if most is not None and design.n > most:
            raise DesignError(
                f"This design has {most:,} pairs, not {design.n:,}.",
                f"The nearest size that works is {most:,}.",
                "n",
            )
        made = yield from different(self.draw(design), design.n)
        if made < design.n:
            raise self.too_few(made)

    @abstractmethod
    def draw(self, design: Design) -> Iterator[Pair | None]:
        """Pairs of a design that was checked, in the order that its seed gives, each verified.

        They go on as long as there may be more, whatever the design's n. One may come again; None
        stands for a draw that gave no pair.

        Raises:
            DesignError: no such pairs exist.
        """

    def too_few(self, n: int) -> DesignError:
        """What is said where no more than so many pairs can be drawn."""
        if n == 0:
            return DesignError(
                "No pair of this design was found.",
                "Widen it: take more grades, or all of what its other settings leave out.",
            )
        return DesignError(
            f"Only {n:,} different pairs of this design were found.",
            f"Ask for {n:,} pairs or fewer, or widen the design.",
            "n",
        )

    @abstractmethod
    def read(self, item: Item, responses: Sequence[Answered], form: ModelForm) -> Reading:
        """What the item's responses say, and the outcome.

        Args:
            item: what was asked.
            responses: the responses to its requests, in their order.
            form: how the last response came about (`form_read`). What continues a text is read
                otherwise than what answers a turn.
        """

    def size(self, design: Design) -> int | None:  # noqa: ARG002
        """How many pairs this design can have, whatever its n; None where that is not known.

        Raises:
            DesignError: it can have none.
        """
        return None

    def ladder(self, design: Design) -> tuple[Mapping[str, Value], ...]:  # noqa: ARG002
        """What to set in a design to make it easier or harder, from the easiest to the hardest.

        None where nothing orders the designs of this study by difficulty.
        """
        return ()

    def with_stored(self, stored: StoredSources) -> Experiment:  # noqa: ARG002
        """The same study with what people keep in a file of runs, where its designs name that."""
        return self

    def reading_by(self, reader: str | None) -> Experiment:
        """The study as it reads in this way, a name of `reader_of`; None: in its own."""
        self.reader_of(reader)
        return self

    def reader_of(self, name: str | None) -> str:
        """The reader of this name as it is today; None: the study's own.

        Args:
            name: with the number that it had when a run was made, or without: "published".

        Raises:
            DesignError: the study cannot be read so.
        """
        readers = (self.reader, *self.further_readers)
        for reader in readers:
            if name is None or _family(reader) == _family(name):
                return reader
        raise DesignError(
            f"Answers of {self.name} are not read by “{name}”.",
            f"They can be read by {' or '.join(map(_family, readers))}.",
            "reader",
        )

    def of_design(self, design: Design) -> Experiment:  # noqa: ARG002
        """The same study with the ``arms`` and ``expects`` of this design.

        Its own where the design names nothing that is known, or decides nothing.
        """
        return self

    def expecting_nothing(self) -> Experiment:
        """The same study where its designs have no expectation in common."""
        return self

    def unlike(self, pair: Pair) -> Mapping[str, float]:  # noqa: ARG002
        """In what else the members of a pair differ, beside what is compared: x minus x′.

        By what each difference is called; 0 or left out where they are alike. A study whose pairs
        are proved to differ in one thing has nothing to tell.
        """
        return {}

    def further_columns(self) -> FurtherColumns | None:
        """Columns that it adds to a table of effects; None where it adds none.

        A method, so that a study imports what computes them when somebody wants them.
        """
        return None


def _family(reader: str) -> str:
    return reader.partition(" ")[0]


def arms_of(study: Experiment, design: Design) -> Arms:
    """Names of x and x' in this design."""
    return study.of_design(design).arms


def called_after(study: Experiment, designs: Iterable[Design]) -> Experiment:
    """The study with names and expectations that these designs share, or with its own names.

    Where designs differ in what they expect, nothing is expected of all of them.
    """
    made = [study.of_design(design) for design in designs]
    if made and all(each == made[0] for each in made):
        return made[0]
    return study.expecting_nothing()


PAIR_COLUMNS = ("pair", "arm", "steps", "text", "answer")
"""First columns of a table of pairs; the study's other strata follow. ``arm`` is ``x`` (the
member that is easier by hypothesis) or ``x_prime``; ``text`` includes the question."""


def pair_columns(study: Experiment) -> list[str]:
    """All columns of a study's table."""
    others = [stratum.name for stratum in study.strata if stratum.name not in PAIR_COLUMNS]
    return [*PAIR_COLUMNS, *others]


def pair_rows(pairs: Iterable[Pair]) -> Iterator[dict[str, Value]]:
    """Two rows for every pair, x first."""
    for pair in pairs:
        for arm, item in (("x", pair.x), ("x_prime", pair.x_prime)):
            yield {
                "pair": pair.id,
                "arm": arm,
                **pair.strata,
                "text": item.text,
                "answer": item.answer,
            }


def write_jsonl(study: Experiment, pairs: Iterable[Pair], file: TextIO) -> None:
    """Writes the table as JSON lines, an object per item."""
    columns = pair_columns(study)
    for row in pair_rows(pairs):
        ordered = {name: row[name] for name in columns if name in row}
        file.write(json.dumps(ordered, ensure_ascii=False) + "\n")


@cache
def experiments() -> dict[str, Experiment]:
    """All studies by name, in the order of their ranks and names."""
    package = importlib.import_module("biaslab.studies")
    found: dict[str, Experiment] = {}
    for folder in pkgutil.iter_modules(package.__path__, "biaslab.studies."):
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.study") is not None:
            offered = importlib.import_module(f"{folder.name}.study").STUDIES
            found |= {study.name: study for study in offered}
    return dict(sorted(found.items(), key=lambda each: (each[1].rank, each[0])))


def evidence_about_people(study: str, experiment: Experiment | None = None) -> Evidence | None:
    """What is known about people of a study's feature; None where nothing is, or it is unknown.

    Args:
        study: its name.
        experiment: the study as its designs make it, where they decide what is known.
    """
    found = experiment or experiments().get(study)
    return None if found is None or found.expects is None else found.expects.people


def experiment(name: str) -> Experiment:
    """The study of this name.

    Raises:
        DesignError: there is none; the nearest name is suggested.
    """
    found = experiments().get(name)
    if found is None:
        near = difflib.get_close_matches(name, experiments(), n=1, cutoff=0.4)
        raise DesignError(
            f"There is no study {name!r}.",
            f"Did you mean {near[0]!r}?" if near else f"Choose {', '.join(experiments())}.",
            "study",
        )
    return found


def strategy_label(study: str, name: str) -> str:
    """A prompt strategy on screens; its short name where this version does not have it.

    What stands behind a comma, such as how much a model may think, stays behind it.
    """
    found = experiments().get(study)
    name, comma, more = name.partition(",")
    labels = {s.name: s.label for s in found.strategies} if found is not None else {}
    return labels.get(name, name) + comma + more


def outcome_scale(study: str) -> OutcomeScale | None:
    """The scale of a study's outcomes; None where answers are right or wrong.

    Args:
        study: its name; one that is not installed counts as right or wrong.
    """
    found = experiments().get(study)
    return None if found is None else found.outcome_scale


def study_of_sets(kind: str = "set") -> Experiment:
    """The study that asks about what people keep as sets: the first with such a setting.

    Args:
        kind: of the setting: ``set`` for pairs, ``cases`` for decisions.
    """
    return next(
        study
        for study in experiments().values()
        if any(setting.kind == kind for setting in study.settings)
    )
