"""The audit of a corpus: texts from a file; the share of each feature, n, interval, coverage.

The texts in a file that somebody gives: a table's column or two of them, or plain text.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from biaslab.audit.features import SIGNAL_WORDS, ComparisonWording, TextFeatures, shown
from biaslab.files.columns import listed, place_in, problem_columns, problem_text
from biaslab.files.decoding import check_size, clean, decode, has_odd_bytes
from biaslab.files.errors import only_refusals
from biaslab.files.opening import RawTable, is_plain_text, open_table
from biaslab.stats.estimates import Interval, clustered_share, wilson

MOST_TEXTS = 100_000
"""Texts of a corpus."""

LONGEST_TEXT = 5_000
"""Characters of a text that is looked into; a longer one is no word problem, and unread."""

MOST_STEPS = 4
"""This many steps and more are one kind."""

OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}


class AuditError(ValueError):
    """Something that cannot be audited; the message is a sentence for whoever gave it."""


@dataclass(frozen=True, slots=True)
class AuditedText:
    """A text of a corpus.

    Attributes:
        id: a hash of its words; the same text has the same id everywhere.
        text: as it stands.
        shown: what it shows.
    """

    id: str
    text: str
    shown: TextFeatures


@dataclass(frozen=True, slots=True)
class AuditShare:
    """How often a feature is of one kind.

    Attributes:
        kind: identifies it within the feature.
        count, n: so many of so many units that are told.
        share: count / n; None without any.
        interval: 95 %, for units like these; None without any.
    """

    kind: str
    count: int
    n: int
    share: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class AuditFeature:
    """A feature of the texts, and how often it is of each kind.

    Attributes:
        key: identifies it.
        unit: what is counted.
        told, of: of `of` texts that may have it, `told` show which kind. The others are no part of
            any share.
        shares: of each kind.
    """

    key: str
    unit: str
    told: int
    of: int
    shares: tuple[AuditShare, ...]

    def count(self, kind: str) -> int:
        """How many are of a kind."""
        return next(share.count for share in self.shares if share.kind == kind)


@dataclass(frozen=True, slots=True)
class SignalWord:
    """A word that suggests an operation, and the operations of the texts in which it stands.

    Attributes:
        word: as `SIGNAL_WORDS` names it.
        texts: in which it stands.
        told: of these, how many are solved.
        operations: share of the solved ones that need the operation; one text may need several.
    """

    word: str
    texts: int
    told: int
    operations: tuple[AuditShare, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """What a corpus holds.

    Attributes:
        rows: texts that were given; empty: those without a word; doubled: those that say word for
            word what an earlier one says, which are not counted again.
        texts: the others, in their order.
        read: how many were read as a whole.
        unread: why the others were not, the commonest reason first, with how many.
        features: each with its shares and its own coverage.
        signals: words and operations.
    """

    rows: int
    empty: int
    doubled: int
    texts: tuple[AuditedText, ...]
    read: int
    unread: tuple[tuple[str, int], ...]
    features: tuple[AuditFeature, ...]
    signals: tuple[SignalWord, ...]

    def feature(self, key: str) -> AuditFeature:
        """The feature of this key."""
        return next(each for each in self.features if each.key == key)


def audit(texts: Iterable[str], tell: Callable[[int], None] | None = None) -> Audit:
    """What share of a corpus of word problems is what.

    Args:
        texts: a problem each, its question included.
        tell: is given how many were looked into, now and then.

    Raises:
        AuditError: there are more than `MOST_TEXTS`.
    """
    rows = empty = 0
    found: dict[str, AuditedText] = {}
    for text in texts:
        rows += 1
        if rows > MOST_TEXTS:
            raise AuditError(
                f"There are more than {MOST_TEXTS:,} texts: audit a random sample of them."
            )
        if not text.strip():
            empty += 1
            continue
        key = text_id(text)
        if key not in found:
            found[key] = AuditedText(
                key, text, shown(text) if len(text) <= LONGEST_TEXT else _UNSEEN
            )
        if tell is not None and not rows % 100:
            tell(rows)
    all_texts = tuple(found.values())
    seen = [each.shown for each in all_texts]
    return Audit(
        rows=rows,
        empty=empty,
        doubled=rows - empty - len(all_texts),
        texts=all_texts,
        read=sum(each.read for each in seen),
        unread=tuple(Counter(each.unread for each in seen if not each.read).most_common()),
        features=tuple(feature(seen) for feature in _FEATURES),
        signals=tuple(_signal(word, seen) for word in SIGNAL_WORDS),
    )


def text_id(text: str) -> str:
    """A hash of the words of a text, whatever its blanks and capitals."""
    return hashlib.sha256(" ".join(text.split()).casefold().encode()).hexdigest()[:16]


_UNSEEN = TextFeatures(
    False, (), None, None, None, frozenset(), f"The text is longer than {LONGEST_TEXT} characters."
)


def kind_of_problem(text: TextFeatures) -> str | None:
    """Whether a text has a transfer, a comparison, both or neither; None: not told."""
    if text.compares is None or text.transfers is None:
        return None
    if text.compares:
        return "both" if text.transfers else "comparison"
    return "transfer" if text.transfers else "neither"


def _wording(members: Sequence[TextFeatures]) -> AuditFeature:
    """Consistent and inconsistent comparisons; several may stand in a text."""
    may = [each for each in members if each.compares is not False]
    units = [[kind for kind in each.comparisons if kind is not None] for each in may]
    return _of_units(
        "wording", "comparisons", [str(kind) for kind in ComparisonWording], units, len(may)
    )


def _problems(members: Sequence[TextFeatures]) -> AuditFeature:
    kinds = ("transfer", "comparison", "both", "neither")
    return _of_texts("problems", kinds, [kind_of_problem(each) for each in members])


def _carrying(members: Sequence[TextFeatures]) -> AuditFeature:
    """Additions and subtractions on the way to the answer."""
    units = [
        ["carry" if step.carries else "no-carry" for step in steps if step.carries is not None]
        for each in members
        if (steps := each.steps) is not None
    ]
    unsolved = len(members) - len(units)
    units = [each for each in units if each]
    return _of_units(
        "carries",
        "additions and subtractions",
        ("no-carry", "carry"),
        units,
        len(units) + unsolved,
    )


def _operations(members: Sequence[TextFeatures]) -> AuditFeature:
    units = [[step.operation for step in each.steps or ()] for each in members]
    return _of_units("operations", "steps", tuple(OPERATIONS), units, len(members))


def _steps(members: Sequence[TextFeatures]) -> AuditFeature:
    kinds = (*map(str, range(MOST_STEPS)), f"{MOST_STEPS}+")
    told = [
        None if each.steps is None else kinds[min(len(each.steps), MOST_STEPS)] for each in members
    ]
    return _of_texts("steps", kinds, told)


_FEATURES = (_wording, _problems, _carrying, _operations, _steps)


def _of_texts(key: str, kinds: Sequence[str], texts: Sequence[str | None]) -> AuditFeature:
    counts = Counter(texts)
    told = len(texts) - counts[None]
    shares = (partial(_share, n=told)(kind, counts[kind]) for kind in kinds)
    return AuditFeature(key, "texts", told, len(texts), tuple(shares))


def _share(kind: str, count: int, n: int) -> AuditShare:
    return AuditShare(kind, count, n, count / n if n else None, wilson(count, n))


def _of_units(
    key: str, unit: str, kinds: Sequence[str], units: Sequence[Sequence[str]], of: int
) -> AuditFeature:
    """Shares of units of which a text may hold several: they count as a cluster."""
    told = [each for each in units if each]
    cluster = np.repeat(np.arange(len(told)), [len(each) for each in told])
    kind_of = [kind for each in told for kind in each]
    n = len(kind_of)
    shares = []
    for kind in kinds:
        values = np.array([each == kind for each in kind_of], dtype=np.float64)
        interval = clustered_share(values, cluster, n)
        count = int(values.sum())
        shares.append(AuditShare(kind, count, n, count / n if n else None, interval))
    return AuditFeature(key, unit, len(told), of, tuple(shares))


def _signal(word: str, members: Sequence[TextFeatures]) -> SignalWord:
    having = [each for each in members if word in each.words]
    steps = [{step.operation for step in each.steps} for each in having if each.steps is not None]
    operations = (
        _share(operation, sum(operation in each for each in steps), len(steps))
        for operation in OPERATIONS
    )
    return SignalWord(word, len(having), len(steps), tuple(operations))


def ratios(
    audit: Audit, corrections: Mapping[str, tuple[float, float]] | None = None, most: int = 1000
) -> dict[str, tuple[int, int]]:
    """The three ratios of a training mix; what the corpus does not tell is left out.

    Args:
        audit: an audit.
        corrections: shares that stand in place of what was counted, by name of the ratio.
        most: the largest number of a ratio.
    """
    return ratios_of(lambda feature, kind: audit.feature(feature).count(kind), corrections, most)


def ratios_of(
    count: Callable[[str, str], float],
    corrections: Mapping[str, tuple[float, float]] | None = None,
    most: int = 1000,
) -> dict[str, tuple[int, int]]:
    """As `ratios`, of counts that are kept elsewhere.

    Args:
        count: how many there are, by feature and kind.
        corrections: as there.
        most: as there.
    """
    pairs: dict[str, tuple[float, float]] = {
        "consistent:inconsistent": (
            count("wording", "consistent"), count("wording", "inconsistent"),
        ),
        "transfer:comparison": (
            count("problems", "transfer"),
            count("problems", "comparison") + count("problems", "both"),
        ),
        "no-carry:carry": (count("carries", "no-carry"), count("carries", "carry")),
    }  # fmt: skip
    pairs.update(corrections or {})
    return {name: _whole(*pair, most) for name, pair in pairs.items() if sum(pair) > 0}


def _whole(first: float, second: float, most: int) -> tuple[int, int]:
    """Whole numbers in nearly the same ratio; what is not zero does not become zero."""
    whole = first == int(first) and second == int(second)
    scale = 1.0 if whole and max(first, second) <= most else most / max(first, second)
    return tuple(max(round(each * scale), int(each > 0)) for each in (first, second))  # type: ignore[return-value]


COUNTS_FILE = Path(__file__).resolve().parents[2] / "assets" / "audit" / "public_corpora.csv"

_ALL = "all"
"""In the file, the source of the sums over all corpora."""

LEAST_TOLD = 20
"""A ratio of fewer counted things is left out: it would be mostly chance."""


@dataclass(frozen=True, slots=True)
class PublicCorpus:
    """Counts of one corpus.

    Attributes:
        name: of the corpus; of the sums over all of them, how many there are.
        texts: that were looked at.
        ratios: of a training mix, by name, as they were told; those of fewer than `LEAST_TOLD`
            left out.
    """

    name: str
    texts: int
    ratios: Mapping[str, tuple[int, int]]


@cache
def public_corpora() -> tuple[PublicCorpus, ...]:
    """The corpora that tell at least `LEAST_TOLD` wordings of comparisons, all together first."""
    counts: dict[str, dict[tuple[str, str], int]] = {}
    texts: dict[str, int] = {}
    with COUNTS_FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            counts.setdefault(row["source"], {})[row["feature"], row["kind"]] = int(row["count"])
            texts[row["source"]] = int(row["texts"])
    names = {_ALL: f"All {len(counts) - 1} corpora"}
    found = [
        PublicCorpus(
            names.get(source, source), texts[source],
            _enough(ratios_of(lambda *key, of=counts[source]: of[key])),
        )
        for source in sorted(counts, key=lambda source: source != _ALL)
    ]  # fmt: skip
    return tuple(corpus for corpus in found if "consistent:inconsistent" in corpus.ratios)


def _enough(ratios: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return {name: pair for name, pair in ratios.items() if sum(pair) >= LEAST_TOLD}


MAX_BYTES = 64 * 2**20
"""Of a file with texts."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts and what is to be said of how they were found.

    Attributes:
        texts: one a problem.
        columns: from which they were taken, in the order of reading; none for plain text.
        refused: rows that could not be read, as sentences.
        remarks: on the file as a whole.
    """

    texts: tuple[str, ...]
    columns: tuple[str, ...]
    refused: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def column(self) -> str:
        """The columns in one name; "" for plain text."""
        return " + ".join(self.columns)


@only_refusals(AuditError)
def read_corpus(data: bytes, name: str, columns: Sequence[str] = ()) -> Corpus:
    """The texts in a file.

    Args:
        data: its content.
        name: of the file; its ending says table or plain text.
        columns: that have the texts, one or what is told and what is asked; none: found by their
            names or cells.

    Raises:
        InterchangeError: it is no text and no table, or too large.
        AuditError: it is not clear which column has the texts, or there are too many.
    """
    check_size(data, MAX_BYTES)
    if not is_plain_text(data, name):
        return _from_table(open_table(data, name), columns)
    if columns:
        raise AuditError(f"{name} is plain text and has no columns: leave --text out.")
    decoded = decode(data)
    texts = split_texts(decoded.text)
    if not texts:
        raise AuditError("The file is empty: give a problem a line, or blank lines between them.")
    return Corpus(_few(texts), (), (), (decoded.doubt,) if decoded.doubt else ())


def split_texts(text: str) -> tuple[str, ...]:
    """The problems in plain text: paragraphs where blank lines part them, else a line each."""
    plain = clean(text)
    parts = _PARAGRAPH.split(plain) if _PARAGRAPH.search(plain) else plain.split("\n")
    return tuple(" ".join(part.split()) for part in parts if part.strip())


def _from_table(table: RawTable, columns: Sequence[str]) -> Corpus:
    named = tuple(each for each in table.columns if each)
    for column in columns:
        if column not in named:
            raise AuditError(f"There is no column {column!r}. The columns are {listed(named)}.")
    chosen = tuple(columns) or problem_columns(named, table.first)
    if not chosen:
        raise AuditError(
            f"It is not clear which column has the problems. The columns are {listed(named)}: "
            "name one (--text COLUMN), or the one with the facts and the one with the question."
        )
    texts: list[str] = []
    refused: list[str] = []
    for row in table.filled():
        text = problem_text(row.cells, chosen)
        if row.refusal:
            refused.append(f"Row {row.number}: {row.refusal}.")
        elif has_odd_bytes(text):
            refused.append(f"Row {row.number}: its text holds bytes that are not UTF-8.")
        elif place := place_in(text):
            refused.append(f"Row {row.number}: “{place}” stands in its text in place of a value.")
        else:
            texts.append(clean(text))
        if len(texts) > MOST_TEXTS:
            break
    return Corpus(_few(texts), chosen, tuple(refused), table.remarks)


def _few(texts: Sequence[str]) -> tuple[str, ...]:
    if len(texts) > MOST_TEXTS:
        raise AuditError(
            f"There are more than {MOST_TEXTS:,} texts: audit a random sample of them."
        )
    return tuple(texts)
