"""A sample that a person checks, and the shares corrected by it.

The texts are sorted into strata by what was seen in them, and in each stratum some are drawn by
lot. What the person says of them stands in place of what was seen.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from biaslab.audit.auditing import Audit, AuditedText, AuditError
from biaslab.audit.clauses import ComparisonWording
from biaslab.audit.features import Shown
from biaslab.files import InterchangeError
from biaslab.files.cells import guarded
from biaslab.files.opening import open_table
from biaslab.stats.estimates.stratified import StratifiedShare, UnitStratum, stratified_share


class Compared(StrEnum):
    """What a person says of a text's comparisons."""

    NONE = "none"
    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    BOTH = "both"
    OTHER = "other"
    """It compares, but which of the two is known cannot be said."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of a text."""

    compared: Compared
    transfers: bool

    @property
    def problem(self) -> str:
        """As the audit's feature ``problems`` has it."""
        if self.compared is Compared.NONE:
            return "transfer" if self.transfers else "neither"
        return "both" if self.transfers else "comparison"


STRATA = {
    "consistent": "a consistent comparison was found",
    "inconsistent": "an inconsistent comparison was found",
    "compares": "a comparison was found, or words of one; its wording is not told",
    "transfer": "no comparison; something changes hands",
    "neither": "no comparison, and nothing changes hands",
    "not told": "no comparison; whether something changes hands is not told",
}
"""What was seen in the texts of each stratum."""


def stratum_of(text: Shown) -> str:
    """The stratum of a text."""
    if text.compares is not False:
        if ComparisonWording.INCONSISTENT in text.comparisons:
            return "inconsistent"
        return "consistent" if ComparisonWording.CONSISTENT in text.comparisons else "compares"
    if text.transfers is None:
        return "not told"
    return "transfer" if text.transfers else "neither"


def draw_sample(audit: Audit, n: int, seed: int = 1) -> tuple[AuditedText, ...]:
    """Texts to be checked, in an order that tells nothing of their stratum.

    Half of them are dealt evenly to the strata, so that the rare ones are judged too, half by their
    sizes. In each stratum lots are drawn; a larger sample holds the smaller one of the same seed
    wherever the shares of the strata allow it.

    Args:
        audit: of the corpus.
        n: how many, at least one a stratum; all where there are no more.
        seed: of the lots.
    """
    strata: dict[str, list[AuditedText]] = defaultdict(list)
    for text in audit.texts:
        strata[stratum_of(text.shown)].append(text)
    if n >= len(audit.texts):
        chosen = list(audit.texts)
    else:
        sizes = {name: len(texts) for name, texts in strata.items()}
        chosen = [
            text
            for name, many in _dealt(sizes, n).items()
            for text in sorted(strata[name], key=lambda each: _lot(seed, each))[:many]
        ]
    return tuple(sorted(chosen, key=lambda each: _lot(seed, each)))


def _dealt(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    total = sum(sizes.values())
    wanted = {name: 0.5 / len(sizes) + 0.5 * size / total for name, size in sizes.items()}
    dealt = dict.fromkeys(sizes, 0)
    for _ in range(max(n, len(sizes))):
        free = [name for name in sizes if dealt[name] < sizes[name]]
        if free:
            least = min(free, key=lambda name: dealt[name] / wanted[name])
            dealt[least] += 1
    return dealt


def _lot(seed: int, text: AuditedText) -> str:
    return hashlib.sha256(f"{seed}/{text.id}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class CorrectedShares:
    """Shares corrected by a person's labels.

    Attributes:
        judged: texts of the corpus that were judged.
        foreign: labels of texts that the corpus does not hold; they count for nothing.
        missing: strata none of whose texts were judged, so that nothing can be corrected.
        shares: by feature and kind; None where it cannot be told.
    """

    judged: int
    foreign: int
    missing: tuple[str, ...]
    shares: Mapping[str, Mapping[str, StratifiedShare | None]]

    def ratios(self) -> dict[str, tuple[float, float]]:
        """Those of a training mix that are corrected, for `biaslab.audit.ratios`."""
        found: dict[str, tuple[float, float]] = {}
        wording = self.shares["wording"]["consistent"]
        if wording is not None:
            found["consistent:inconsistent"] = (wording.share, 1 - wording.share)
        problems = {
            kind: each.share if each else 0.0 for kind, each in self.shares["problems"].items()
        }
        if any(problems.values()):
            compared = problems["comparison"] + problems["both"]
            found["transfer:comparison"] = (problems["transfer"], compared)
        return found


def correct(audit: Audit, labels: Mapping[str, Label]) -> CorrectedShares:
    """The shares of wordings and of kinds of problems, from labels of a drawn sample.

    Shares of wordings are among texts that compare in one wording only.

    Args:
        audit: of the corpus.
        labels: by id of the text.
    """
    sizes: Counter[str] = Counter()
    wordings: dict[str, Counter[str]] = defaultdict(Counter)
    problems: dict[str, Counter[str]] = defaultdict(Counter)
    judged = 0
    for text in audit.texts:
        stratum = stratum_of(text.shown)
        sizes[stratum] += 1
        label = labels.get(text.id)
        if label is not None:
            judged += 1
            wordings[stratum][label.compared] += 1
            problems[stratum][label.problem] += 1
    kinds = {
        "wording": (wordings, tuple(map(str, ComparisonWording))),
        "problems": (problems, ("transfer", "comparison", "both", "neither")),
    }
    shares = {
        feature: {
            kind: stratified_share(
                [UnitStratum(size, found[name]) for name, size in sizes.items()], (kind,), among
            )
            for kind in among
        }
        for feature, (found, among) in kinds.items()
    }
    missing = tuple(name for name in STRATA if sizes[name] and not wordings[name])
    return CorrectedShares(judged, len(labels) - judged, missing, shares)


_COLUMNS = ("id", "text", "comparison", "transfer")
_YES, _NO = "yes", "no"


def sample_csv(texts: tuple[AuditedText, ...], labels: Mapping[str, Label]) -> str:
    """The sample as a table to be filled in; labels that there are already stand in it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for text in texts:
        label = labels.get(text.id)
        said = ("", "") if label is None else (label.compared, _YES if label.transfers else _NO)
        writer.writerow((text.id, guarded(text.text), *said))
    return out.getvalue()


def read_labels(data: bytes, name: str) -> dict[str, Label]:
    """The labels in a table as `sample_csv` writes it; rows left empty are passed over.

    Raises:
        AuditError: a column is not there, or a row says what cannot be.
    """
    try:
        table = open_table(data, name)
    except InterchangeError as error:
        raise AuditError(f"{name}: {error}") from error
    absent = [column for column in ("id", "comparison", "transfer") if column not in table.columns]
    if absent:
        raise AuditError(f"{name} has no column {' and none '.join(absent)}: write a sample anew.")
    labels: dict[str, Label] = {}
    for row in table.filled():
        cells = {column: row.cells.get(column, "").strip().lower() for column in _COLUMNS}
        if not cells["comparison"] and not cells["transfer"]:
            continue
        if cells["comparison"] not in set(Compared) or cells["transfer"] not in (_YES, _NO):
            raise AuditError(
                f"{name}, row {row.number}: comparison is one of {', '.join(Compared)}, and "
                f"transfer is {_YES} or {_NO}. Leave both empty for a text that was not judged."
            )
        labels[cells["id"]] = Label(Compared(cells["comparison"]), cells["transfer"] == _YES)
    return labels
