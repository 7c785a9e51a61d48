"""An audit as data and in words, and the sample that a person checks to correct its shares.

The texts are sorted into strata by what was seen in them, and in each stratum some are drawn by
lot. What the person says of them stands in place of what was seen.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from biaslab.audit.auditing import (
    OPERATIONS,
    Audit,
    AuditedText,
    AuditError,
    AuditFeature,
    AuditShare,
)
from biaslab.audit.features import ComparisonWording, TextFeatures
from biaslab.audit.stratified import StratifiedShare, UnitStratum, stratified_share
from biaslab.files import InterchangeError
from biaslab.files.opening import open_table
from biaslab.files.tables import guarded
from biaslab.stats.estimates import Interval
from schoolmath.text.figures import count, percent, percents

_MOST_REASONS = 10
"""Reasons why texts were not read that are printed; the data have all."""


class ComparisonVerdict(StrEnum):
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

    compared: ComparisonVerdict
    transfers: bool

    @property
    def problem(self) -> str:
        """As the audit's feature ``problems`` has it."""
        if self.compared is ComparisonVerdict.NONE:
            return "transfer" if self.transfers else "neither"
        return "both" if self.transfers else "comparison"


STRATA = {
    "consistent": "a consistent comparison was found",
    "inconsistent": "an inconsistent comparison was found",
    "compares": "a comparison was found, or words of one; its wording is unknown",
    "transfer": "no comparison; something changes hands",
    "neither": "no comparison, and nothing changes hands",
    "not told": "no comparison; whether something changes hands is unknown",
}
"""What was seen in the texts of each stratum."""


def stratum_of(text: TextFeatures) -> str:
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
        if cells["comparison"] not in set(ComparisonVerdict) or cells["transfer"] not in (
            _YES,
            _NO,
        ):
            raise AuditError(
                f"{name}, row {row.number}: comparison is one of "
                f"{', '.join(ComparisonVerdict)}, and "
                f"transfer is {_YES} or {_NO}. Leave both empty for a text that was not judged."
            )
        labels[cells["id"]] = Label(
            ComparisonVerdict(cells["comparison"]), cells["transfer"] == _YES
        )
    return labels


TITLES = {
    "wording": "Wording of comparisons",
    "problems": "Transfers and comparisons",
    "carries": "Carries",
    "operations": "Operations",
    "steps": "Reasoning steps",
}
"""Of the features, in the order in which they are shown."""

KINDS = {
    "wording": {"consistent": "consistent", "inconsistent": "inconsistent"},
    "problems": {
        "transfer": "transfer, no comparison",
        "comparison": "comparison, no transfer",
        "both": "both",
        "neither": "neither",
    },
    "carries": {"no-carry": "without a carry", "carry": "with a carry"},
    "operations": OPERATIONS,
    "steps": {"0": "none", "1": "1 step", "2": "2 steps", "3": "3 steps", "4+": "4 and more"},
}
"""What the kinds of each feature are called."""


def finding(audit: Audit) -> str:
    """What the audit finds, in a sentence."""
    wording, problems = audit.feature("wording"), audit.feature("problems")
    parts = []
    if told := wording.shares[0].n:
        parts.append(
            f"of {count(told, 'comparison')} with a known wording {wording.count('consistent')} "
            f"are consistent and {wording.count('inconsistent')} inconsistent"
        )
    if problems.told:
        comparing = problems.count("comparison") + problems.count("both")
        parts.append(
            f"of {count(problems.told, 'text')} known, {problems.count('transfer')} have a "
            f"transfer and compare nothing, {comparing} compare"
        )
    if not parts:
        return (
            "None of these texts could be classified: they may be no word problems, or in another "
            "language."
        )
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}."


def coverage(feature: AuditFeature) -> str:
    """How many texts tell a feature: "known for 92 of 278 texts (33.1 %)"."""
    share = f" ({percent(feature.told / feature.of)})" if feature.of else ""
    return f"known for {feature.told:,} of {feature.of:,} texts{share}"


def counted(audit: Audit) -> str:
    """How many texts there are, and what was left out."""
    parts = [f"{count(len(audit.texts), 'text')} in {count(audit.rows, 'row')}"]
    if audit.doubled:
        parts.append(f"{audit.doubled:,} said word for word what another says, counted once")
    if audit.empty:
        parts.append(f"{audit.empty:,} empty")
    read = percent(audit.read / len(audit.texts)) if audit.texts else percent(None)
    parts.append(f"{audit.read:,} read as a whole ({read})")
    return "; ".join(parts) + "."


def as_json(audit: Audit, corrected_shares: CorrectedShares | None = None) -> dict[str, Any]:
    """The audit without its texts; docs/origins.md says what each name means."""
    return {
        "rows": audit.rows,
        "empty": audit.empty,
        "doubled": audit.doubled,
        "texts": len(audit.texts),
        "read": audit.read,
        "unread": dict(audit.unread),
        "features": {
            feature.key: {
                "unit": feature.unit,
                "told": feature.told,
                "of": feature.of,
                "kinds": {
                    share.kind: {
                        **_share(share),
                        **_corrected(corrected_shares, feature.key, share.kind),
                    }
                    for share in feature.shares
                },
            }
            for feature in audit.features
        },
        "signals": {
            signal.word: {
                "texts": signal.texts,
                "told": signal.told,
                "operations": {each.kind: _share(each) for each in signal.operations},
            }
            for signal in audit.signals
        },
        "sample": None
        if corrected_shares is None
        else {
            "judged": corrected_shares.judged,
            "foreign": corrected_shares.foreign,
            "missing": list(corrected_shares.missing),
        },
    }


def _share(share: AuditShare) -> dict[str, Any]:
    return {
        "count": share.count,
        "n": share.n,
        "share": share.share,
        "interval": _interval(share.interval),
    }


def _corrected(corrected_shares: CorrectedShares | None, feature: str, kind: str) -> dict[str, Any]:
    if corrected_shares is None or feature not in corrected_shares.shares:
        return {}
    found = corrected_shares.shares[feature][kind]
    if found is None:
        return {"corrected": None}
    return {"corrected": {"share": found.share, "interval": _interval(found.interval)}}


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def as_lines(audit: Audit, corrected_shares: CorrectedShares | None = None) -> Iterator[str]:
    """The audit as lines of text."""
    yield counted(audit)
    yield finding(audit)
    for feature in audit.features:
        yield ""
        yield f"{TITLES[feature.key]} ({feature.unit}; {coverage(feature)})"
        for share in feature.shares:
            name = KINDS[feature.key][share.kind]
            corrected_too = _after(corrected_shares, feature.key, share.kind)
            yield f"  {name:<26}{_figures(share)}{corrected_too}"
    yield ""
    yield "Words and operations (solved texts with the word; one may need several operations)"
    yield f"  {'':<14}{'texts':>7}{'solved':>8}" + "".join(
        f"{name:>16}" for name in OPERATIONS.values()
    )
    for signal in audit.signals:
        cells = "".join(f"{each.count:>16,}" for each in signal.operations)
        yield f"  {signal.word:<14}{signal.texts:>7,}{signal.told:>8,}{cells}"
    if audit.unread:
        yield ""
        yield "Not read as a whole (texts by reason)"
        yield from (f"{many:>8,}  {reason}" for reason, many in audit.unread[:_MOST_REASONS])
    if corrected_shares is not None:
        yield ""
        yield sample_sentence(corrected_shares)


def _figures(share: AuditShare) -> str:
    if share.interval is None:
        return f"{share.count:>7,} of {share.n:,}"
    between = percents(share.interval.low, share.interval.high)
    return f"{share.count:>7,} of {share.n:<6,} {percent(share.share):>8}  ({between})"


def _after(corrected_shares: CorrectedShares | None, feature: str, kind: str) -> str:
    found = None if corrected_shares is None else corrected_shares.shares.get(feature, {}).get(kind)
    if found is None:
        return ""
    between = percents(found.interval.low, found.interval.high)
    return f"  corrected: {percent(found.share)} ({between})"


def sample_sentence(shares: CorrectedShares) -> str:
    """What the labelled sample gave."""
    said = f"{count(shares.judged, 'text')} judged by a person."
    if shares.foreign:
        said += f" {count(shares.foreign, 'label')} of texts that are not here count for nothing."
    if shares.missing:
        strata = "; ".join(STRATA[name] for name in shares.missing)
        said += f" Nothing can be corrected before a text of each of these is judged: {strata}."
    return said
