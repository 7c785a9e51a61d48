"""The overview of a set of pairs as lines of text."""

from __future__ import annotations

from biaslab.studies import Arms
from biaslab.studies.word_problems.overview.overview import Distribution, PairOverview

_MOST_LEVELS = 6
_WIDTH = 22


def overview_text(overview: PairOverview, arms: Arms) -> str:
    """A table of the measures, a column for each member, and the warnings below."""
    head = f"{'':{_WIDTH}}{'x: ' + arms.x:{_WIDTH}}x′: {arms.x_prime}"
    lines = [f"{overview.pairs} pairs at a glance", head]
    lines += [_line(each) for each in overview.distributions]
    if overview.warnings:
        lines.append("Members differ beyond the treatment:")
        lines += [
            f"    {warning} (for example pair {warning.example.id}: {warning.detail})"
            for warning in overview.warnings
        ]
    else:
        lines.append("Members differ in nothing but the treatment.")
    return "\n".join(lines)


def _line(distribution: Distribution) -> str:
    label = distribution.measure.label
    if distribution.measure.numeric:
        return (
            f"{label:{_WIDTH}}{_span(distribution.x, distribution.mean_x):{_WIDTH}}"
            f"{_span(distribution.x_prime, distribution.mean_x_prime)}"
        )
    rows = []
    counts = dict(distribution.x), dict(distribution.x_prime)
    names = list(dict.fromkeys([*counts[0], *counts[1]]))
    for name in names[:_MOST_LEVELS]:
        x, x_prime = (count.get(name, 0) for count in counts)
        rows.append(f"    {name!s:{_WIDTH + 6}}{x:<10}{x_prime}")
    if len(names) > _MOST_LEVELS:
        rows.append(f"    ... and {len(names) - _MOST_LEVELS} more")
    return "\n".join([label, *rows])


def _span(levels: tuple[tuple[object, int], ...], mean: float | None) -> str:
    if mean is None or not levels:
        return "not known"
    low, high = levels[0][0], levels[-1][0]
    return f"{mean:.2f} ({low} to {high})" if low != high else f"{mean:.2f}"
