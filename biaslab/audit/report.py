"""An audit as data, and in words: the same for the command line, the page and files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from biaslab.audit.auditing import OPERATIONS, Audit, AuditFeature, AuditShare
from biaslab.audit.sample import STRATA, CorrectedShares
from biaslab.stats.estimates.proportions import Interval
from schoolmath.text.figures import count, percent, percents

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
            f"of {count(told, 'comparison')} whose wording is told {wording.count('consistent')} "
            f"are consistent and {wording.count('inconsistent')} inconsistent"
        )
    if problems.told:
        comparing = problems.count("comparison") + problems.count("both")
        parts.append(
            f"of {count(problems.told, 'text')} told, {problems.count('transfer')} have a transfer "
            f"and compare nothing, {comparing} compare"
        )
    if not parts:
        return (
            "Nothing of these texts is told: they may be no word problems, or in another language."
        )
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}."


def coverage(feature: AuditFeature) -> str:
    """How many texts tell a feature: "told for 92 of 278 texts (33.1 %)"."""
    share = f" ({percent(feature.told / feature.of)})" if feature.of else ""
    return f"told for {feature.told:,} of {feature.of:,} texts{share}"


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


def as_json(audit: Audit, corrected: CorrectedShares | None = None) -> dict[str, Any]:
    """The audit without its texts; docs/origins.md says what each name means."""
    return {
        "rows": audit.rows,
        "empty": audit.empty,
        "doubled": audit.doubled,
        "texts": len(audit.texts),
        "read": audit.read,
        "features": {
            feature.key: {
                "unit": feature.unit,
                "told": feature.told,
                "of": feature.of,
                "kinds": {
                    share.kind: {**_share(share), **_corrected(corrected, feature.key, share.kind)}
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
        if corrected is None
        else {
            "judged": corrected.judged,
            "foreign": corrected.foreign,
            "missing": list(corrected.missing),
        },
    }


def _share(share: AuditShare) -> dict[str, Any]:
    return {
        "count": share.count,
        "n": share.n,
        "share": share.share,
        "interval": _interval(share.interval),
    }


def _corrected(corrected: CorrectedShares | None, feature: str, kind: str) -> dict[str, Any]:
    if corrected is None or feature not in corrected.shares:
        return {}
    found = corrected.shares[feature][kind]
    if found is None:
        return {"corrected": None}
    return {"corrected": {"share": found.share, "interval": _interval(found.interval)}}


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def as_lines(audit: Audit, corrected: CorrectedShares | None = None) -> Iterator[str]:
    """The audit as lines of text."""
    yield counted(audit)
    yield finding(audit)
    for feature in audit.features:
        yield ""
        yield f"{TITLES[feature.key]} ({feature.unit}; {coverage(feature)})"
        for share in feature.shares:
            name = KINDS[feature.key][share.kind]
            corrected_too = _after(corrected, feature.key, share.kind)
            yield f"  {name:<26}{_figures(share)}{corrected_too}"
    yield ""
    yield "Words and operations (solved texts with the word; one may need several operations)"
    yield f"  {'':<14}{'texts':>7}{'solved':>8}" + "".join(
        f"{name:>16}" for name in OPERATIONS.values()
    )
    for signal in audit.signals:
        cells = "".join(f"{each.count:>16,}" for each in signal.operations)
        yield f"  {signal.word:<14}{signal.texts:>7,}{signal.told:>8,}{cells}"
    if corrected is not None:
        yield ""
        yield sample_sentence(corrected)


def _figures(share: AuditShare) -> str:
    if share.interval is None:
        return f"{share.count:>7,} of {share.n:,}"
    between = percents(share.interval.low, share.interval.high)
    return f"{share.count:>7,} of {share.n:<6,} {percent(share.share):>8}  ({between})"


def _after(corrected: CorrectedShares | None, feature: str, kind: str) -> str:
    found = None if corrected is None else corrected.shares.get(feature, {}).get(kind)
    if found is None:
        return ""
    between = percents(found.interval.low, found.interval.high)
    return f"  corrected: {percent(found.share)} ({between})"


def sample_sentence(corrected: CorrectedShares) -> str:
    """What the labelled sample gave."""
    said = f"{count(corrected.judged, 'text')} judged by a person."
    if corrected.foreign:
        said += (
            f" {count(corrected.foreign, 'label')} of texts that are not here count for nothing."
        )
    if corrected.missing:
        strata = "; ".join(STRATA[name] for name in corrected.missing)
        said += f" Nothing can be corrected before a text of each of these is judged: {strata}."
    return said
