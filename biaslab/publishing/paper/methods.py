"""The methods section and the references of a paper: every figure is taken from the runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from biaslab.models import ModelKind
from biaslab.publishing.paper.analysis import OVERALL, Analysis
from biaslab.publishing.paper.bundle_writing import Bundle
from biaslab.publishing.paper.tables import escaped
from biaslab.runs import RunRecord, Store
from biaslab.runs.store.records import system_words
from biaslab.stats import ALL, Effect
from biaslab.studies import experiment
from biaslab.studies.study import arms_of
from schoolmath.text.figures import count, exact_percent, listed

FEW = 5
"""Strata with fewer pairs are named as a limitation."""

_KINDS = {
    ModelKind.LEARNER: "a simulated learner",
    ModelKind.TINY: "a tiny model trained by BiasLab",
    ModelKind.LANGUAGE_MODEL: "a language model",
}

_INTERVALS = {
    "imagined-pairs": "BiasLab's own, with imagined pairs",
    "t": "t intervals",
    "tango": "Tango's score interval",
    "bonett-price": "that of Bonett and Price",
    "newcombe": "that of Newcombe",
}


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence, and keys of the references that follow it."""

    text: str
    cites: tuple[str, ...] = ()


def methods(
    store: Store, records: Sequence[RunRecord], bundle: Bundle, analysis: Analysis
) -> list[list[CitedSentence]]:
    """Paragraphs of a methods section, one a study, then statistics and software."""
    found = bundle.rows[OVERALL].found
    paragraphs = [
        _study(store, [record for record in records if record.study == study])
        for study in dict.fromkeys(record.study for record in records)
    ]
    software = [
        made_with("Pairs, prompts, readings and effects", bundle.manifest.versions),
        CitedSentence(
            "All pairs, prompts, responses, seeds, versions and effects are in the bundle, whose "
            "manifest has the "
            f"SHA-256 checksum {bundle.digest}; “biaslab reproduce” makes them again.",
            ("bundle",),
        ),
    ]
    return [*paragraphs, _statistics(found, analysis), software]


def made_with(what: str, versions: Mapping[str, str]) -> CitedSentence:
    """A sentence on the programs that made something."""
    libraries = [f"{name} {versions[name]}" for name in versions if name != "biaslab"]
    return CitedSentence(
        f"{what} are those of BiasLab {versions['biaslab']} (with {listed(libraries)}).".replace(
            "python", "Python"
        ),
        ("biaslab", *(f"software-{name}" for name in versions if name != "biaslab")),
    )


def _study(store: Store, records: Sequence[RunRecord]) -> list[CitedSentence]:
    study = experiment(records[0].study)
    said = [
        CitedSentence(
            f"{study.title} (study {study.name}, after: {study.source}) asks: {study.question}",
            (f"study-{study.name}",),
        )
    ]
    for record in records:
        said += _run(store, record)
    return said


def _run(store: Store, record: RunRecord) -> list[CitedSentence]:
    study = experiment(record.study)
    arms = arms_of(study, record.design)
    chosen = {each.name: each.default for each in study.settings} | dict(record.design.settings)
    settings = "; ".join(f"{name}: {value}" for name, value in chosen.items() if value != "")
    asked = record.pairs_total if record.enough is None else record.enough
    kind = _KINDS.get(ModelKind(record.model_kind), record.model_kind)
    named = {strategy.name: strategy.label for strategy in study.strategies}
    samples = record.options.samples
    often = "once" if samples == 1 else f"{samples} times"
    until = (record.finished or record.created)[:10]
    first = (record.started or record.created)[:10]
    when = f"on {first}" if first == until else f"from {first} to {until}"
    return [
        CitedSentence(
            f"In run {record.id}, {count(asked, 'pair')} of two items, {arms.x} (x) and "
            f"{arms.x_prime} (x′), made with seed {record.design.seed}"
            + (f" ({settings})" if settings else "")
            + f", were put {when} to {record.model_spec}, {kind} (revision "
            f"{record.model_revision}, {record.model_form} form), by the prompt strategy "
            f"{record.strategy} (“{named.get(record.strategy, record.strategy)}”)."
        ),
        CitedSentence(f"Every item was asked {often}, {_sampling(store, record)}."),
        CitedSentence(
            f"Of {count(record.answered + record.invalid, 'answer')}, {record.invalid:,} could "
            f"not be read; {count(record.failed, 'request')} for an answer failed. "
            f"Answers were read by “{record.reader or 'a reader without a name'}”."
        ),
    ]


def _sampling(store: Store, record: RunRecord) -> str:
    """How it was sampled, from the requests themselves."""
    with store.reading(record.id) as database:
        rows = database.query(
            "SELECT DISTINCT json_extract(request, '$.sampling.temperature') AS warmth, "
            "json_extract(request, '$.sampling.max_new_tokens') AS most FROM responses "
            "WHERE id IN (SELECT listed.value FROM answers, json_each(answers.responses) AS "
            "listed WHERE run = ?)",
            [record.id],
        )
        found = [(row["warmth"], row["most"]) for row in rows]
    warmths = sorted({warmth for warmth, _ in found if warmth is not None})
    if not warmths:
        return "and the log-probabilities of the answers offered were compared"
    most = sorted({tokens for _, tokens in found if tokens is not None})
    seed = "" if record.sampling is None else f", with sampling seed {record.sampling.seed}"
    times = record.options.length.go_on
    going = (
        f"; what was cut off before an answer could be read was asked to go on, up to "
        f"{count(times, 'time')}"
        if times
        else ""
    )
    if told := system_words(record.options.system):
        going += f"; before each request stood a text of somebody's own{told} (SHA-256, beginning)"
    level = None if record.sampling is None else record.sampling.thinking
    thinking = "" if level is None else f", with its thinking set to {level}"
    return (
        f"at temperature {listed(f'{warmth:g}' for warmth in warmths)} and with at most "
        f"{listed(map(str, most), 'or')} new tokens{seed}{thinking}{going}"
    )


def _statistics(effects: Sequence[Effect], analysis: Analysis) -> list[CitedSentence]:
    unread = (
        "counts as not right (on a scale its pair is left out)"
        if analysis.invalid == "strict"
        else "is left out with its pair"
    )
    said = [
        CitedSentence(
            "The effect (CATE) of a run is the mean of the outcome of x minus that of x′ over its "
            "pairs; positive: x was right more often."
        ),
        CitedSentence(
            f"Intervals have a coverage of {exact_percent(analysis.confidence)} "
            f"({_INTERVALS[analysis.interval]}), and p is of the test that belongs to the "
            f"interval; an answer that could not be read {unread}."
        ),
    ]
    if any(effect.voted for effect in effects):
        said.append(CitedSentence("Of several samples the most frequent answer counts."))
    for family in dict.fromkeys(effect.family for effect in effects if effect.family):
        first = next(effect for effect in effects if effect.family == family)
        who = "simulated learners" if first.model_kind == ModelKind.LEARNER else "models"
        said.append(
            CitedSentence(
                f"Over all pairs, q of {who} in the study {first.study} allows for "
                f"{count(len(family), 'test')} (Benjamini and Hochberg; "
                f"{'run' if len(family) == 1 else 'runs'} "
                f"{listed(each.removesuffix(f' {ALL}') for each in family)})."
            )
        )
    return said


def limitations(store: Store, records: Sequence[RunRecord], bundle: Bundle) -> list[str]:
    """What has to be said against these effects, as the runs themselves show it."""
    found = bundle.rows[OVERALL].found
    said = list(bundle.gone)
    for rows in bundle.rows.values():
        said += rows.warnings
    for record in records:
        if record.model_kind == ModelKind.LEARNER:
            said.append(
                f"Run {record.id}: {record.model_spec} is a simulated learner, whose bias was "
                "set; its effects say nothing about language models or people."
            )
        for failure in store.failures(record.id):
            said.append(
                f"Run {record.id}: {count(failure.count, 'request')} for an answer failed "
                f"({failure.reason.rstrip('.')})."
            )
        if record.looks and (note := record.looks[-1].adjustment.get("note")):
            said.append(f"Run {record.id}: {note}")
    for effect in found:
        if effect.unfinished or effect.failed or effect.excluded:
            said.append(
                f"Run {effect.run}: of its pairs {effect.unfinished:,} are not finished, "
                f"{effect.failed:,} failed and {effect.excluded:,} are left out for an answer "
                "that could not be read."
            )
        if effect.clusters < effect.n:
            said.append(
                f"Run {effect.run}: its {effect.n:,} pairs belong to {effect.clusters:,} "
                "clusters, which the intervals respect."
            )
    for name, rows in bundle.rows.items():
        few = [effect for effect in rows.found if effect.stratum != ALL and effect.n < FEW]
        if few:
            said.append(
                f"Table {name}: {len(few)} of {count(len(rows.found), 'row')} rest on fewer than "
                f"{FEW} pairs."
            )
    return list(dict.fromkeys(said))


def as_latex(paragraphs: Sequence[Sequence[CitedSentence]]) -> str:
    """The paragraphs as LaTeX."""
    return (
        "\n\n".join(
            " ".join(
                escaped(each.text) + (rf" \cite{{{','.join(each.cites)}}}" if each.cites else "")
                for each in paragraph
            )
            for paragraph in paragraphs
        )
        + "\n"
    )


def as_text(paragraphs: Sequence[Sequence[CitedSentence]]) -> str:
    """The paragraphs as plain text, references by their keys."""
    return (
        "\n\n".join(
            " ".join(
                each.text + (f" [{', '.join(each.cites)}]" if each.cites else "")
                for each in paragraph
            )
            for paragraph in paragraphs
        )
        + "\n"
    )


def arms_words(records: Sequence[RunRecord]) -> Mapping[str, str]:
    """For each study what x and x′ are; runs of a study may compare different things."""
    words: dict[str, dict[str, None]] = {}
    for record in records:
        arms = arms_of(experiment(record.study), record.design)
        words.setdefault(record.study, {})[f"{arms.x} (x) and {arms.x_prime} (x′)"] = None
    return {study: " or ".join(found) for study, found in words.items()}


# References as BibTeX: the software, the bundle, the studies' sources, the libraries. Nothing
# about a publication is filled in that a study does not say itself: its entry quotes the study,
# and the author completes it.


def references(records: Sequence[RunRecord], bundle: Bundle) -> str:
    """The file of references, an entry for everything that the methods cite."""
    asked = sorted({(record.finished or record.created)[:4] for record in records})
    bundled = {
        "title": f"Bundle of runs {escaped(', '.join(record.id for record in records))}",
        "year": asked[-1],
        "note": "Data: pairs, prompts, responses and effects. SHA-256 of the manifest: "
        + bundle.digest,
    }
    studies = dict.fromkeys(record.study for record in records)
    return reference_file(bundled, studies, bundle.manifest.versions)


def reference_file(
    bundle: Mapping[str, str], studies: Iterable[str], versions: Mapping[str, str]
) -> str:
    """Entries of BiasLab, of a bundle, of studies, and of libraries.

    Args:
        bundle: the fields of its entry, as LaTeX.
        studies: their names.
        versions: of BiasLab and of what it was used with.
    """
    entries = [
        _entry(
            "biaslab",
            {
                "author": "{BiasLab developers}",
                "title": "{BiasLab}: see how language models go wrong at school mathematics in "
                "the ways that people do",
                "note": f"Software, version {escaped(versions['biaslab'])}",
            },
        ),
        _entry("bundle", bundle),
    ]
    for name in studies:
        study = experiment(name)
        entries.append(
            _entry(
                f"study-{name}",
                {
                    "title": escaped(study.source),
                    "note": f"As BiasLab names the source of the study {escaped(name)}; "
                    "complete this entry from the publication",
                },
            )
        )
    for name, version in versions.items():
        if name != "biaslab":
            note = f"Software, version {escaped(version)}"
            fields = {"title": f"{{{escaped(name)}}}", "note": note}
            entries.append(_entry(f"software-{name}", fields))
    return "\n".join(entries)


def _entry(key: str, fields: Mapping[str, str]) -> str:
    sorted_by = {} if "author" in fields else {"key": key}
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in {**fields, **sorted_by}.items())
    return f"@misc{{{key},\n{lines}\n}}\n"
