"""A report about runs: sentences of the screens; effects, methods and limitations of a paper."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.charts import arms_chart, cate_chart, kind_label
from biaslab.charts.comparison import StudyEffects, beside_chart
from biaslab.models import Completion, list_models, read_spec
from biaslab.publishing.paper.analysis import OVERALL, Analysis, chosen_runs, effect_tables
from biaslab.publishing.paper.bundle_writing import Bundle, make_bundle
from biaslab.publishing.paper.methods import limitations, methods
from biaslab.publishing.paper.tables import HEADINGS, csv_table, notes, table_lines
from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Items,
    Report,
    ReportAnswer,
    ReportExchange,
    ReportFinding,
    ReportPart,
    ReportPicture,
    ReportTable,
    Section,
)
from biaslab.publishing.report.page import version_of_charts
from biaslab.runs import PairOrder, PairRow, RunRecord, Store, recording_of
from biaslab.runs.store.encoding import read_request, read_response
from biaslab.runs.store.records import number_words, pattern_words, response_words
from biaslab.stats import (
    ALL,
    AnalysisError,
    CountingRules,
    Effect,
    RunComparison,
    compare,
    findings_table,
    unread_more,
)
from biaslab.stats.comparisons.findings import finding_sentence, in_words, strongest_first
from biaslab.studies import Arms, Experiment, Value, experiment
from biaslab.studies.effects import (
    chance_words,
    effect_sentence,
    unread_sentence,
    verdict_sentence,
)
from biaslab.studies.study import Request, arms_of, called_after, outcome_scale
from schoolmath.text.figures import count, listed, signed_number

# Every pair of runs with its prompts, what came back, and what was read of it.


_RUN, _OUT = "run", "came out"

_WANTED = (
    "SELECT * FROM responses WHERE id IN (SELECT listed.value FROM answers, "
    "json_each(answers.responses) AS listed WHERE run = ?)"
)


def items_of_runs(store: Store, records: Sequence[RunRecord], labels: Mapping[str, str]) -> Items:
    """The pairs of all runs, each run's most telling ones first.

    Args:
        store: the file of the runs.
        records: the runs.
        labels: what each run is called, by id.

    Raises:
        StoreError: the file cannot be read.
    """
    facets = {_RUN: "Who was asked"} if len(records) > 1 else {}
    for record in records:
        facets |= {each.name: each.label.capitalize() for each in experiment(record.study).strata}
    facets[_OUT] = "How the pair came out"
    entries = [each for record in records for each in _entries(store, record, labels[record.id])]
    return Items("pair", facets, entries)


def _entries(store: Store, record: RunRecord, label: str) -> list[Entry]:
    arms = arms_of(experiment(record.study), record.design)
    samples = [
        store.pair_rows(
            record.id, limit=record.pairs_total, sample=sample,
            order=PairOrder.TELLING if sample == 0 else PairOrder.DESIGN,
        )
        for sample in range(record.options.samples)
    ]  # fmt: skip
    others = [{row.pair: row for row in rows} for rows in samples[1:]]
    answers = _Answers(store, record)
    return [
        _entry(record, label, arms, [row, *(each[row.pair] for each in others)], answers)
        for row in samples[0]
    ]


def _entry(
    record: RunRecord, label: str, arms: Arms, rows: Sequence[PairRow], answers: _Answers
) -> Entry:
    first = rows[0]
    facets = {_RUN: label}
    facets |= {name: _value_words(value) for name, value in first.strata.items()}
    facets[_OUT] = (
        pattern_words(first.pattern, arms) if len(rows) == 1 else _often(record, rows, arms)
    )
    scaled = outcome_scale(record.study) is not None
    if scaled and len(rows) == 1 and None not in (first.y_x, first.y_x_prime):
        # On a scale nothing is right or wrong.
        del facets[_OUT]
    places = range(len(rows))
    return Entry(
        f"Pair {first.position + 1}",
        facets,
        (
            ReportPart(
                arms.x, first.text_x, "" if scaled else number_words(first.answer_x),
                tuple(answers.of(first.item_x, sample) for sample in places),
            ),
            ReportPart(
                arms.x_prime, first.text_x_prime,
                "" if scaled else number_words(first.answer_x_prime),
                tuple(answers.of(first.item_x_prime, sample) for sample in places),
            ),
        ),
    )  # fmt: skip


def _often(record: RunRecord, rows: Sequence[PairRow], arms: Arms) -> str:
    """How a pair came out that was asked several times."""
    patterns = {row.pattern for row in rows}
    if len(patterns) == 1:
        return pattern_words(rows[0].pattern, arms)
    return f"not the same in all {count(record.options.samples, 'sample')}"


def _value_words(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class _Answers:
    """All answers of a run, read at once."""

    def __init__(self, store: Store, record: RunRecord) -> None:
        self._scaled = outcome_scale(record.study) is not None
        with store.reading(record.id) as database:
            self._answers = {
                (row["item"], row["sample"]): dict(row)
                for row in database.query("SELECT * FROM answers WHERE run = ?", [record.id])
            }
            self._exchanges = {
                row["id"]: _exchange(row) for row in database.query(_WANTED, [record.id])
            }

    def of(self, item: str, sample: int) -> ReportAnswer:
        """The answer to an item."""
        row = self._answers.get((item, sample))
        if row is None:
            return ReportAnswer(AnswerMark.NONE, how="It was not asked yet.", sample=sample + 1)
        exchanges = tuple(self._exchanges[each] for each in json.loads(row["responses"]))
        if row["state"] == "failed":
            how = f"It failed after {count(row['attempts'], 'attempt')}: {row['reason']}"
            return ReportAnswer(AnswerMark.NONE, how=how, sample=sample + 1, exchanges=exchanges)
        value = number_words(row["value"] or "")
        if row["outcome"] is None:
            mark, value = AnswerMark.UNREAD, ""
        elif self._scaled:
            mark, value = (
                AnswerMark.READ,
                f"{row['value']} (outcome {signed_number(row['outcome'])})",
            )
        else:
            mark = AnswerMark.RIGHT if row["outcome"] == 1 else AnswerMark.WRONG
        how = f"How it was read: {row['explanation']}" if row["explanation"] else ""
        return ReportAnswer(mark, value, how, sample + 1, exchanges=exchanges)


def _exchange(row: Mapping[str, Any]) -> ReportExchange:
    request, answered = read_request(row["request"]), read_response(row)
    thinking = answered.thinking if isinstance(answered, Completion) else ""
    return ReportExchange(_sent(request), response_words(request, answered), thinking)


def _sent(request: Request) -> str:
    """The messages, with who speaks where there are several."""
    several = len(request.messages) > 1
    return "\n\n".join(
        (f"[{message.role}]\n" if several else "")
        + message.content
        + ("\n[with a picture]" if message.picture else "")
        for message in request.messages
    )


_ALONE = "q allows for all effects of a study together; the sentences below look at each alone."

_COMPARED = 10
"""Most comparisons of two runs that are told; the file of them has all."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Runs of one study that compare the same."""

    title: str
    study: Experiment
    runs: tuple[RunRecord, ...]

    @property
    def ids(self) -> set[str]:
        """Ids of its runs."""
        return {run.id for run in self.runs}


def report_of_runs(
    store: Store,
    run_ids: Sequence[str],
    analysis: Analysis | None = None,
    by: Sequence[str] = (),
    *,
    strict: bool = True,
) -> Report:
    """A report about some runs of one comparison.

    Args:
        store: the file of the runs.
        run_ids: q allows for all of them that are of one study.
        analysis: how effects are made of outcomes.
        by: strata to break down by, in place of each study's main one.
        strict: whether a stratum that no study can be broken down by is refused.

    Raises:
        PaperError: nothing can be written of these runs.
        AnalysisError: effects cannot be made in this way.
        UnknownRun: one of the runs is not there.
        StoreError: the file cannot be read.
    """
    analysis = analysis or Analysis()
    records = chosen_runs(store, run_ids)
    bundle = make_bundle(store, records, effect_tables(store, records, by, strict=strict), analysis)
    called = _called(records)
    groups = _groups(records)
    overall = bundle.rows[OVERALL].found
    whole = [effect for effect in overall if effect.stratum == ALL]
    compared = _comparison(store, records, analysis)
    sections = [_everything(groups, whole, called)] if len(groups) > 1 else []
    sections += [_of_group(group, bundle, alone=len(groups) == 1) for group in groups]
    if compared is not None and (between := _between(compared, called)) is not None:
        sections.append(between)
    files = {f"{name}.csv": csv_table(rows) for name, rows in bundle.rows.items()}
    if compared is not None:
        files["comparisons.csv"] = _csv(compared)
    return Report(
        title=_title(groups),
        about=_about(records, groups),
        before=f"{' '.join(chance_words(whole))} {_ALONE}" if len(whole) > 1 else "",
        findings=tuple(
            _found(run, group, overall, called[run.id], named=len(groups) > 1)
            for group in groups
            for run in group.runs
        ),
        sections=tuple(sections),
        items=items_of_runs(store, records, called),
        methods=_methods(store, records, bundle, analysis),
        limitations=tuple(limitations(store, records, bundle)),
        provenance=_provenance(records, bundle, called),
        files=files,
    )


def _called(records: Sequence[RunRecord]) -> dict[str, str]:
    """Who was asked and how, by run; its id beside it where others read alike."""
    labels = {choice.spec: choice.label for choice in list_models()}
    words = {}
    for run in records:
        kind = kind_label(run.model_kind)
        label = labels.get(run.model_spec, read_spec(run.model_spec).short_name)
        who = label if label.lower().startswith(kind.lower()) else f"{kind}: {label}"
        words[run.id] = f"{who}, {_strategy(run)}" + ("" if run.bundle is None else ", recorded")
    times = Counter((run.study, words[run.id]) for run in records)
    return {
        run.id: words[run.id]
        if times[run.study, words[run.id]] == 1
        else f"{words[run.id]}, run {run.id[:6]}"
        for run in records
    }


def _strategy(run: RunRecord) -> str:
    labels = {each.name: each.label for each in experiment(run.study).strategies}
    name, comma, more = run.way.partition(",")
    return f"{labels.get(name, name).lower()}{comma}{more}"


def _groups(records: Sequence[RunRecord]) -> list[_Group]:
    """Effects of different treatments answer different questions, so they share no chart."""
    found: dict[tuple[str, Arms], list[RunRecord]] = {}
    for run in records:
        found.setdefault((run.study, arms_of(experiment(run.study), run.design)), []).append(run)
    studies = [study for study, _ in found]
    return [
        _Group(
            experiment(name).title + (f": {' or '.join(arms)}" if studies.count(name) > 1 else ""),
            called_after(experiment(name), [run.design for run in runs]),
            tuple(runs),
        )
        for (name, arms), runs in found.items()
    ]


def _title(groups: Sequence[_Group]) -> str:
    titles = list(dict.fromkeys(group.study.title for group in groups))
    return (
        titles[0] if len(titles) == 1 else f"{count(len(titles), 'study', 'studies')} side by side"
    )


def _about(records: Sequence[RunRecord], groups: Sequence[_Group]) -> str:
    questions = list(dict.fromkeys(group.study.question for group in groups))
    first = min((run.started or run.created)[:10] for run in records)
    last = max((run.finished or run.created)[:10] for run in records)
    when = f"on {first}" if first == last else f"from {first} to {last}"
    answers = sum(run.answered + run.invalid for run in records)
    asked = f"{count(len(records), 'run')} with {count(answers, 'answer')}, asked {when}."
    return f"{questions[0]} {asked}" if len(questions) == 1 else asked


def _found(
    run: RunRecord, group: _Group, overall: Sequence[Effect], label: str, *, named: bool
) -> ReportFinding:
    designed = experiment(run.study).of_design(run.design)
    arms = designed.arms
    said: list[str] = []
    for effect in (each for each in overall if each.run == run.id):
        sentence = effect_sentence(effect, arms, "the model", corrected=bool(run.looks))
        if effect.stratum != ALL:
            said.append(f"The {effect.stratum_value} pairs alone: {sentence}")
            continue
        said += [sentence, verdict_sentence(effect, arms, designed), unread_sentence(effect)]
        if more := unread_more(effect, arms):
            said.append(f"{more[0].upper()}{more[1:]}")
    about = f"{group.title} · {label}" if named else label
    return ReportFinding(about, tuple(dict.fromkeys(each for each in said if each)))


def _everything(
    groups: Sequence[_Group], whole: Sequence[Effect], labels: Mapping[str, str]
) -> Section:
    """All effects on one scale, those of a kind of outcome together."""
    parts = [
        StudyEffects(
            group.title, group.study.arms, "", [each for each in whole if each.run in group.ids]
        )
        for group in groups
    ]
    pictures = []
    for binary in (True, False):
        some = [part for part in parts if all(each.binary for each in part.effects) is binary]
        if some:
            title = "All effects on one scale" if binary else "All effects on their scales"
            light, dark = (beside_chart(some, labels, dark) for dark in (False, True))
            pictures.append(ReportPicture(title, light, dark))
    return Section("Side by side", pictures=tuple(pictures))


def _of_group(group: _Group, bundle: Bundle, *, alone: bool) -> Section:
    """The charts and tables of runs that compare the same; alone: the page has no others."""
    tables = [
        table
        for table in bundle.manifest.tables
        if group.ids & set(table.runs) and (table.by is None or set(table.runs) >= group.ids)
    ]
    own = {
        table: [
            each
            for each in bundle.rows[table.name].found
            if each.run in group.ids and (table.by is not None or each.stratum == ALL)
        ]
        for table in tables
    }
    drawn = tables[-1]
    label = next((s.label.capitalize() for s in group.study.strata if s.name == drawn.by), "")
    arms = group.study.arms
    effects, answers = [], []
    for dark in (False, True):
        look: dict[str, Any] = {"stratum_label": label, "dark": dark}
        effects.append(cate_chart(own[drawn], arms, experiment=group.study, **look))
        answers.append(arms_chart(own[drawn], arms, **look))
    binary = all(each.binary for each in own[drawn])
    pictures = (
        ReportPicture(f"How much easier is “{arms.x}” than “{arms.x_prime}”?" if binary
                else f"How far do “{arms.x}” and “{arms.x_prime}” lie apart?", *effects),
        ReportPicture("How often each kind was answered right" if binary
                else "Where the answers of each kind lie", *answers),
    )  # fmt: skip
    expected = group.study.expects
    said = [] if alone else [group.study.question]
    said += [] if expected is None else [expected.sentence]
    return Section(
        group.title,
        tuple(said),
        pictures,
        tuple(
            _table(
                "Over all pairs" if table.by is None else f"By {_label(group.study, table.by)}",
                found, arms,
            )
            for table, found in own.items()
        ),
    )  # fmt: skip


def _label(study: Experiment, by: str) -> str:
    return next((each.label for each in study.strata if each.name == by), by)


def _table(title: str, effects: Sequence[Effect], arms: Arms) -> ReportTable:
    """The rows of a paper's table, without the study."""
    columns = list(HEADINGS[1:])
    for place, heading in enumerate(columns):
        columns[place] = {"x": f"{arms.x} (x)", "x′": f"{arms.x_prime} (x′)"}.get(heading, heading)
    rows = tuple(
        (
            line.model, line.strategy, line.stratum, line.n, line.x, line.x_prime, line.cate,
            line.interval, line.p, f"{line.q} {line.family}".strip(),
        )
        for line in table_lines(effects)
    )  # fmt: skip
    return ReportTable(title, tuple(columns), rows, frozenset(range(3, 10)), tuple(notes(effects)))


def _comparison(
    store: Store, records: Sequence[RunRecord], analysis: Analysis
) -> RunComparison | None:
    """What runs on the same pairs say beside each other; None where there is nothing to say."""
    looked = frozenset(run.id for run in records if run.looks)
    setting = CountingRules(analysis.invalid, analysis.vote, analysis.confidence, looked)
    if len(records) < 2:
        return None
    try:
        return compare(store.outcomes([run.id for run in records]), setting=setting)
    except AnalysisError:
        return None


def _between(comparison: RunComparison, labels: Mapping[str, str]) -> Section | None:
    told = [
        sentence
        for question in ("effect-difference", "wordings")
        for each in strongest_first(
            each for each in comparison.findings if each.question == question
        )
        if (sentence := finding_sentence(each, labels))
    ]
    if not told:
        return None
    said = told[:_COMPARED]
    if len(told) > _COMPARED:
        said.append(f"{len(told) - _COMPARED} more are in the file comparisons.csv of this page.")
    return Section("Between the runs", (*said, *(in_words(e, labels) for e in comparison.warnings)))


def _csv(comparison: RunComparison) -> str:
    from biaslab.files.tables import guarded_table

    table = guarded_table(findings_table(comparison.findings))
    return str(table.to_csv(index=False, lineterminator="\n"))


def _methods(
    store: Store, records: Sequence[RunRecord], bundle: Bundle, analysis: Analysis
) -> tuple[str, ...]:
    """The methods of a paper; this file stands in place of its bundle."""
    paragraphs = [
        " ".join(passage.text for passage in paragraph if passage.cites != ("bundle",))
        for paragraph in methods(store, records, bundle, analysis)
    ]
    ids = listed(record.id for record in records)
    return (
        *paragraphs,
        "All problems, prompts, responses and effects are in this file. “biaslab paper” about "
        f"{'run' if len(records) == 1 else 'runs'} {ids} writes the bundle that anybody can make "
        f"again with “biaslab reproduce”; its manifest has the SHA-256 checksum {bundle.digest}.",
    )


def _recorded(run: RunRecord) -> str:
    """Whose record a run is; "" for one that was asked here."""
    if told := recording_of(run):
        return (
            f"; recorded on {told['date']} and shipped with BiasLab: {told['file']}, SHA-256 "
            f"{told['sha256']}, {told['format']}, {told['engine']}, {told['device']}"
        )
    return f"; from the bundle {run.bundle}" if run.bundle else ""


def _provenance(
    records: Sequence[RunRecord], bundle: Bundle, labels: Mapping[str, str]
) -> dict[str, str]:
    found = {}
    for run in records:
        seeds = f"seed {run.design.seed}"
        if run.sampling is not None:
            seeds += f", sampling seed {run.sampling.seed}"
        found[f"Run {run.id}"] = (
            f"{labels[run.id]}. Model {run.model_spec}, revision {run.model_revision}; {seeds}; "
            f"prepared by BiasLab {run.library_version}" + _recorded(run)
        )
    versions = bundle.manifest.versions
    found["Made with"] = (
        listed(f"{name} {version}" for name, version in versions.items())
        .replace("biaslab", "BiasLab").replace("python", "Python")
    )  # fmt: skip
    found["Charts drawn by"] = f"plotly.js {version_of_charts()} (MIT licence)"
    found["SHA-256 of the bundle's manifest"] = bundle.digest
    return found
