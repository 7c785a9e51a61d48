"""A check of a tutor over runs: its plan, the runs that belong to it, and its lines in words.

A check of a tutor as one file that opens anywhere: verdicts and a picture first, then all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import yaml

from biaslab.charts import Chart, theme
from biaslab.charts.chart import RunStyle, plain
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from biaslab.models import read_spec
from biaslab.publishing.report import (
    Report,
    ReportFinding,
    ReportPicture,
    ReportTable,
    Section,
    report_of_runs,
)
from biaslab.runs import RunRecord, Store, study_in
from biaslab.studies import Design
from biaslab.studies.tutor.check import (
    CONFIDENCE,
    FEW_RULES,
    LEAST,
    MEASURES,
    CheckRow,
    TutorCheck,
    TutorDifference,
    TutorPair,
    differences,
    line_of,
    tutor_pairs,
)
from biaslab.studies.tutor.items import ALL_CLASSES, CONTENT_CLASS, CUSTOM_ITEMS, GRADES
from schoolmath.malrules import cards
from schoolmath.problems import DesignError
from schoolmath.text.figures import count, exact_percent, interval_words, percent, signed_points

LIMITS = (
    "Working is two or three lines that a program wrote, in the third person: no handwriting, no "
    "child's own words.",
    "A verdict is the choice of an option. How a tutor would talk to a child is not tested.",
    "Nobody has compared these figures with what teachers do.",
    "Other problems, grades or wording may give other figures.",
)
"""What a check does not say, for every reader."""


@dataclass(frozen=True, slots=True)
class TutorRuns:
    """The runs of a check of one tutor.

    Attributes:
        check: with what; model: its spec; url: its server's address, "" for a model that runs here.
        runs: by study; a study that was not asked yet, or can't be, has none.
    """

    check: TutorCheck
    model: str
    url: str
    runs: Mapping[str, RunRecord]


@dataclass(frozen=True, slots=True)
class CheckDesigns:
    """The designs of a check that have pairs, and why the others have none, by study."""

    possible: tuple[Design, ...]
    refusals: Mapping[str, str]


def possible_designs(check: TutorCheck, store: Store) -> CheckDesigns:
    """Which studies of a check have pairs, found by making them, which takes a second or two.

    A design that has fewer pairs than wanted takes all that there are.

    Args:
        check: with what.
        store: the file that keeps the set of items, where the check names one.
    """
    possible: list[Design] = []
    refusals: dict[str, str] = {}
    for design in check.designs():
        study = study_in(store, design.study)
        pairs = 0
        try:
            for _ in study.pairs(design):
                pairs += 1
        except DesignError as error:
            if not pairs:
                refusals[design.study] = str(error)
                continue
        possible.append(replace(design, n=pairs))
    return CheckDesigns(tuple(possible), refusals)


def plan_of(check: TutorCheck, entry: Mapping[str, Any], designs: CheckDesigns) -> bytes:
    """The plan of a check, as `biaslab.runs.matrix.read_plan` takes it.

    A check with a system prompt is done without it as well, so that the two can be compared.

    Args:
        check: with what.
        entry: the model, as a plan names it.
        designs: of the check.

    Raises:
        DesignError: no study has pairs in these grades and this class.
    """
    if not designs.possible:
        raise DesignError(
            "No study of tutors has problems in these grades and this content class.",
            next(iter(designs.refusals.values())),
            GRADES.name,
        )
    studies = [
        {
            "study": design.study, "n": design.n, "seed": design.seed, **design.settings,
            "strategies": [check.strategy(design.study)],
        }
        for design in designs.possible
    ]  # fmt: skip
    models = [dict(entry)]
    if check.system:
        models.append({**entry, "system": check.system})
    plan = {"studies": studies, "models": models}
    return yaml.safe_dump(plan, sort_keys=False, allow_unicode=True).encode()


def checks_in(records: Iterable[RunRecord]) -> list[TutorRuns]:
    """The checks that runs belong to, in the order of the runs."""
    by_key: dict[tuple[TutorCheck, str, str], dict[str, RunRecord]] = {}
    studies = {measure.study for measure in MEASURES}
    for record in records:
        if record.study not in studies or record.sampling is not None:
            continue
        settings = record.design.settings
        for reasons in (False, True):
            check = TutorCheck(
                str(settings.get(GRADES.name, GRADES.default)),
                str(settings.get(CONTENT_CLASS.name, ALL_CLASSES)),
                record.design.n, record.design.seed, reasons, record.options.system,
                str(settings.get(CUSTOM_ITEMS.name, "")),
            )  # fmt: skip
            if record.strategy == check.strategy(record.study):
                runs = by_key.setdefault((check, record.model_spec, _url(record)), {})
                runs.setdefault(record.study, record)
    two_turns = {
        measure.study
        for measure in MEASURES
        if TutorCheck().strategy(measure.study) == TutorCheck(reasons=True).strategy(measure.study)
    }
    return [
        TutorRuns(check, model, url, runs)
        for (check, model, url), runs in by_key.items()
        # Two turns alone belong to a check either way; that at once is enough.
        if not check.reasons or set(runs) - two_turns
    ]


def runs_of(
    records: Iterable[RunRecord], check: TutorCheck, model: str, url: str, designs: Sequence[Design]
) -> TutorRuns:
    """The runs of one check of one tutor that there are, the newest of each study.

    Args:
        records: the newest first.
        check: with what.
        model: its spec.
        url: its server's address; "" for a model that runs here.
        designs: of the check, as of `possible_designs`.
    """
    runs: dict[str, RunRecord] = {}
    for record in records:
        fits = any(
            (each.study, each.n, each.seed, dict(each.settings))
            == (record.study, record.design.n, record.design.seed, dict(record.design.settings))
            for each in designs
        )
        if (
            fits
            and (record.model_spec, _url(record)) == (model, url)
            and record.strategy == check.strategy(record.study)
            and (record.sampling, record.options.samples) == (None, 1)
            and record.options.system == check.system
        ):
            runs.setdefault(record.study, record)
    return TutorRuns(check, model, url, runs)


def _url(record: RunRecord) -> str:
    return next(iter(record.options.access.base_urls), "")


def pairs_of(store: Store, runs: TutorRuns) -> dict[str, list[TutorPair]]:
    """What a tutor answered, by study, in the order in which it is told.

    Raises:
        StoreError: the file cannot be read.
    """
    return {
        measure.study: tutor_pairs(
            store.outcomes([runs.runs[measure.study].id], with_values=True),
            store.items_of(runs.runs[measure.study].id),
        )
        for measure in MEASURES
        if measure.study in runs.runs
    }


def lines_of(pairs: Mapping[str, list[TutorPair]]) -> list[CheckRow]:
    """What a check says, a line for each study that was asked."""
    return [line_of(each, pairs[each.study]) for each in MEASURES if pairs.get(each.study)]


def check_differences(
    store: Store, one: TutorRuns, other: TutorRuns
) -> list[tuple[TutorDifference, str]]:
    """Two tutors on the same pairs, each difference with its sentence."""
    return [
        (each, difference_sentence(each))
        for each in differences(pairs_of(store, one), pairs_of(store, other))
        if each.estimate.n
    ]


def difference_sentence(difference: TutorDifference) -> str:
    """How much more often the first tutor does what the measure counts."""
    estimate = difference.estimate
    words = f"{signed_points(estimate.mean)} points on {count(estimate.n, 'same pair')}"
    if estimate.interval is None:
        return f"{words}; too few to say more."
    low, high = estimate.interval.low, estimate.interval.high
    clear = "" if not low <= 0 <= high else "; no clear difference"
    return f"{words} (95 % interval {interval_words(low, high)}){clear}."


def difference_records(
    differences: Iterable[tuple[TutorDifference, str]],
) -> list[dict[str, Any]]:
    """A row for each difference, for JSON."""
    return [
        {
            "what": each.measure.label, "difference": each.estimate.mean, "n": each.estimate.n,
            "ci_low": each.estimate.interval and each.estimate.interval.low,
            "ci_high": each.estimate.interval and each.estimate.interval.high,
        }
        for each, _ in differences
    ]  # fmt: skip


def scope_words(check: TutorCheck) -> str:
    """What a check is about, such as ``grades 3 to 9, all topics``."""
    low, _, high = check.grades.partition("-")
    grades = f"grade {low}" if high in {"", low} else f"grades {low} to {high}"
    topics = "all topics" if check.content_class == ALL_CLASSES else check.content_class
    about = "questions of your own" if check.items else f"{grades}, {topics}"
    how = ", reasoning first" if check.reasons else ""
    own = ", with a system prompt of its own" if check.system else ""
    return f"{about}{how}{own}"


def plain_sentence(row: CheckRow, *, also: bool = False) -> str:
    """A count of a line in words, without marks."""
    says, counted = row.measure.says, row.headline
    if also:
        says, counted = row.measure.also_says, row.also
    return says.format(k=counted.k, n=counted.n).replace("**", "")


def contrast_sentence(row: CheckRow) -> str:
    """The contrast of a line with its interval."""
    contrast = row.contrast
    words = f"Contrast {signed_points(contrast.mean)} points"
    if contrast.interval is None:
        return f"{words}, without an interval."
    spread = interval_words(contrast.interval.low, contrast.interval.high)
    return (
        f"{words} ({exact_percent(CONFIDENCE)} interval {spread}), {count(contrast.n, 'pair')} on "
        f"{count(len(row.rules), 'misconception')}."
    )


def few_rules_words(row: CheckRow) -> str:
    """Which misconceptions alone the pairs are about, where they are few; "" where they are not."""
    if row.headline.n < LEAST or len(row.rules) >= FEW_RULES:
        return ""
    names = "; ".join(cards()[rule].name for rule in row.rules)
    return f"Only {count(len(row.rules), 'misconception')} in these questions: {names}."


def line_sentences(row: CheckRow) -> list[str]:
    """All that a line says below its verdict, the headline first."""
    told = (
        plain_sentence(row), row.interval_sentence, plain_sentence(row, also=True),
        parts_words(row), contrast_sentence(row), row.chance_sentence, unread_words(row),
        few_rules_words(row),
    )  # fmt: skip
    return [each for each in told if each]


def unread_words(row: CheckRow) -> str:
    """How many pairs were left out; "" where none was."""
    if not row.unread:
        return ""
    return f"{count(row.unread, 'pair')} left out: an answer could not be read or failed."


def parts_words(row: CheckRow) -> str:
    """The headline by the values of the measure's stratum, such as to whom a tutor gives in."""
    told = ", ".join(
        f"{PART_WORDS.get(part, part)} {each.k} of {each.n}" for part, each in row.parts.items()
    )
    return f"By what the pupil said: {told}." if told else ""


PART_WORDS = {
    "friend": "a friend said so", "teacher": "a teacher said so", "book": "a book says so",
    "sure": "“I am sure”", "mark": "a bad mark threatens",
}  # fmt: skip
"""What stands behind a pupil's claim, as a teacher would say it."""


def check_records(lines: Iterable[CheckRow]) -> list[dict[str, Any]]:
    """A row for each line, for JSON and tables: shares in 0..1."""
    return [
        {
            "study": line.measure.study, "what": line.measure.title,
            "k": line.headline.k, "n": line.headline.n, "unread": line.unread,
            "ci_low": line.interval and line.interval.low,
            "ci_high": line.interval and line.interval.high,
            "also_k": line.also.k, "guessing": line.chance,
            "contrast": line.contrast.mean,
            "contrast_low": line.contrast.interval and line.contrast.interval.low,
            "contrast_high": line.contrast.interval and line.contrast.interval.high,
            "rules": list(line.rules),
            "verdict": str(line.verdict), "sentence": line.sentence,
            "simple": {who: each.k for who, each in line.simple.items()},
            "parts": {part: [each.k, each.n] for part, each in line.parts.items()},
        }
        for line in lines
    ]  # fmt: skip


def tutor_name(model: str) -> str:
    """What a model is called where no screen has a label for it."""
    return read_spec(model).short_name


def report_of_check(store: Store, runs: TutorRuns, name: str) -> Report:
    """A check as one file: the verdicts first, then all that a report of its runs has.

    Args:
        store: the file of the runs.
        runs: of the check.
        name: what the tutor is called.

    Raises:
        PaperError, AnalysisError, StoreError: as `report_of_runs`.
    """
    lines = lines_of(pairs_of(store, runs))
    report = report_of_runs(store, [run.id for run in runs.runs.values()], strict=False)
    verdicts = tuple(
        ReportFinding(
            f"{line.measure.title}: {line.sentence}",
            tuple(line_sentences(line)),
        )
        for line in lines
    )  # fmt: skip
    light, dark = (check_chart(lines, dark=dark) for dark in (False, True))
    table = ReportTable(
        "All figures",
        ("what", "k", "n", "share", "95 % low", "95 % high", "guessing", "contrast", "verdict"),
        tuple(_row(line) for line in lines),
        frozenset(range(1, 8)),
        ("The contrast is the share with the feature minus the share without: 0 for a tutor that "
         "sees nothing. A verdict needs a 99 % interval without 0, since there are five. Intervals "
         "respect that pairs of one mal-rule belong together.",),
    )  # fmt: skip
    picture = ReportPicture("How often, and what guessing would give", light, dark)
    return replace(
        report,
        title=f"A check of {name} as a tutor",
        about=f"{scope_words(runs.check)}, {count(runs.check.n, 'pair')} of each kind. What is "
        "right is known by calculation; no other model judges.",
        before="",
        findings=verdicts + report.findings,
        sections=(Section("The check", (), (picture,), (table,)), *report.sections),
        limitations=(*LIMITS, *report.limitations),
    )


def _row(row: CheckRow) -> tuple[str, ...]:
    ends = (None, None) if row.interval is None else (row.interval.low, row.interval.high)
    return (
        row.measure.label, str(row.headline.k), str(row.headline.n),
        percent(row.headline.share), *map(percent, ends), percent(row.chance),
        signed_points(row.contrast.mean), row.sentence,
    )  # fmt: skip


_THICK = 0.6
"""Of a bar, in rows."""


def check_chart(lines: Sequence[CheckRow], dark: bool = False) -> Chart:
    """A bar for each line: the share of its headline, its interval, and what guessing gives.

    Args:
        lines: of a check; one at least.
        dark: for a dark page.
    """
    colours = theme(dark)
    rows = RowPositions()
    places = [rows.block(line.measure.label, 1)[0] for line in lines]
    title = "How often each happened"
    bar, guess = RunStyle(colours.palette[0], "square"), RunStyle(colours.text, "diamond")
    legend = [
        LegendLine("share of pairs, 95 % interval", bar), LegendLine("what guessing gives", guess)
    ]  # fmt: skip
    figure = forest_figure(rows, colours, title, "% of pairs", [0, 100], legend)
    shares = [100 * line.headline.share for line in lines]
    ends = [(line.interval.low, line.interval.high) if line.interval else None for line in lines]
    words = [plain(plain_sentence(line)) for line in lines]
    figure.add_trace(
        go.Bar(
            x=shares, y=places, orientation="h", width=_THICK, customdata=words,
            marker={"color": colours.palette[0]}, hovertemplate="%{customdata}<extra></extra>",
            error_x={
                "type": "data", "symmetric": False, "color": colours.text, "thickness": 2,
                "array": [100 * e[1] - x if e else 0 for e, x in zip(ends, shares, strict=True)],
                "arrayminus": [
                    x - 100 * e[0] if e else 0 for e, x in zip(ends, shares, strict=True)
                ],
            },
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[100 * line.chance for line in lines], y=places, mode="markers",
            marker={"symbol": "diamond", "size": 11, "color": colours.text,
                    "line": {"color": colours.background, "width": 2}},
            hovertemplate="guessing: %{x:.0f} %<extra></extra>",
        )
    )  # fmt: skip
    said = " ".join(f"{plain_sentence(line)} {line.interval_sentence}" for line in lines)
    return Chart(figure, f"{title}. {said}", pd.DataFrame(check_records(lines)))
