"""Runs for other programs: a data set, what Datasette shows, and the schema of Every Eval Ever.

`datasets.load_dataset(FOLDER, "responses")` reads the folder of a data set (Parquet tables, their
card and Croissant metadata), here or from a hub, and so do pandas, DuckDB and R.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from biaslab.models import read_spec
from biaslab.runs.effect_rows import effect_rows
from biaslab.runs.engine.prepare import library_version
from biaslab.runs.errors import ToolError
from biaslab.runs.library.notes import PairNote, pair_notes
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store

if TYPE_CHECKING:
    import pyarrow as pa

    from biaslab.stats import Effect, Interval


CARD, METADATA = "README.md", "croissant.json"
CONFORMS_TO = "http://mlcommons.org/croissant/1.0"

_RESPONSES: Mapping[str, tuple[str, str]] = {
    "run": ("text", "id of the run"),
    "study": ("text", "what was compared"),
    "model": ("text", "who answered"),
    "model_kind": ("text", "simulated learner, tiny model or language model"),
    "model_revision": ("text", "changes whenever the model's answers may"),
    "strategy": ("text", "how it was asked"),
    "position": ("whole", "place of the pair in its design, from 0"),
    "sample": ("whole", "which of several answers, from 0"),
    "pair": ("text", "two rows of a run and sample with one id differ in one feature"),
    "cluster": ("text", "what the pair shares with others; intervals respect it"),
    "arm": ("text", "x, easier by hypothesis, or x_prime"),
    "strata": ("text", "what effects are broken down by, as JSON"),
    "item": ("text", "id of what was asked"),
    "text": ("text", "what was asked, without the prompt's own words"),
    "answer": ("text", "the right answer"),
    "prompt": ("text", "the last request as it was sent"),
    "reasoning": ("text", "what earlier requests of the item gave"),
    "response": ("text", "what came back"),
    "finish": ("text", "stop, or length where it was cut off"),
    "tokens_in": ("whole", "tokens of the last request"),
    "tokens_out": ("whole", "tokens of the response"),
    "state": ("text", "answered, invalid (could not be read), failed or missing"),
    "value": ("text", "the answer as it was read"),
    "outcome": ("number", "1 right, 0 wrong, or a position on the study's scale"),
    "rule": ("text", "the rule that read it"),
}
_EFFECTS: Mapping[str, tuple[str, str]] = {
    "run": ("text", "id of the run"),
    "study": ("text", "what was compared"),
    "model": ("text", "who answered"),
    "strategy": ("text", "how it was asked"),
    "n": ("whole", "pairs that count"),
    "clusters": ("whole", "groups that they belong to"),
    "accuracy_x": ("number", "share right (or mean) of x"),
    "accuracy_x_prime": ("number", "the same of x_prime"),
    "cate": ("number", "mean difference x - x_prime"),
    "ci_low": ("number", "lower end of its interval of 95 %"),
    "ci_high": ("number", "upper end"),
    "p": ("number", "of the test that belongs to the interval"),
    "q_bh": ("number", "p adjusted over the runs of this study here"),
    "reader": ("text", "which reader read the answers"),
    "settings": ("text", "of the design, as JSON"),
}
_NOTES: Mapping[str, tuple[str, str]] = {
    "mark": ("text", "what a person marked the pair with: star, again, misread or faulty"),
    "note": ("text", "what a person wrote next to the pair"),
}

Tables = Mapping[str, Mapping[str, tuple[str, str]]]
"""Columns of each table: their kind, and what stands there."""


def data_set(
    store: Store,
    run_ids: Sequence[str],
    title: str = "",
    licence: str = "",
    notes: bool = False,
) -> dict[str, bytes]:
    """The files of a data set of some runs, by name. The same runs give the same bytes.

    Addresses of servers, and reasons of failures, which may name them, are left out.

    Args:
        store: where the runs are.
        run_ids: which; q allows for all of one study.
        title: of the data set.
        licence: as a hub names it, such as ``cc-by-4.0``; empty: the card says none, since nobody
            but the person who publishes can.
        notes: whether marks and notes beside pairs go out with the answers.

    Raises:
        UnknownRun: one of them is not there.
        ToolError: none was named.
    """
    from biaslab.stats import effects_records

    if not run_ids:
        raise ToolError("Name at least one run.")
    records = [store.run(run_id) for run_id in dict.fromkeys(run_ids)]
    title = title or f"Answers of {', '.join(dict.fromkeys(each.model_spec for each in records))}"
    responses = [_response(row) for each in records for row in store.export_rows(each.id)]
    if notes:
        _add_notes(store, responses)
    tables: Tables = {
        "responses": {**_RESPONSES, **(_NOTES if notes else {})},
        "effects": _EFFECTS,
    }
    made = effect_rows(store, records)
    effects = _over_all_pairs(effects_records(made.found, made.origins))
    rows = {"responses": responses, "effects": effects}
    files = {f"data/{name}.parquet": _parquet(tables[name], rows[name]) for name in tables}
    files[METADATA] = _croissant(tables, files, records, title, licence)
    files[CARD] = _card(tables, rows, records, title, licence)
    return files


def response_table(store: Store, run_ids: Sequence[str]) -> bytes:
    """The answers of runs as Parquet, as in a data set.

    Raises:
        UnknownRun: one of them is not there.
    """
    rows = (_response(row) for run_id in run_ids for row in store.export_rows(run_id))
    return _parquet(_RESPONSES, rows)


def effect_table(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Effects (`biaslab.stats.effects_records`) as Parquet, as in a data set."""
    return _parquet(_EFFECTS, _over_all_pairs(records))


def _over_all_pairs(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: record[name] for name in _EFFECTS}
        | {"settings": json.dumps(record["settings"], ensure_ascii=False, sort_keys=True)}
        for record in records
        if record["stratum"] == "all"
    ]


def _response(row: Mapping[str, Any]) -> dict[str, Any]:
    strata = {
        name.removeprefix("stratum_"): value
        for name, value in row.items()
        if name.startswith("stratum_") and value is not None
    }
    written = json.dumps(strata, ensure_ascii=False, sort_keys=True)
    return {name: written if name == "strata" else row[name] for name in _RESPONSES}


def _add_notes(store: Store, responses: Iterable[dict[str, Any]]) -> None:
    kept: dict[str, dict[str, PairNote]] = {}
    for row in responses:
        if row["run"] not in kept:
            kept[row["run"]] = pair_notes(store, row["run"])
        note = kept[row["run"]].get(row["pair"], PairNote())
        row |= {"mark": note.mark, "note": note.text or None}


def _parquet(columns: Mapping[str, tuple[str, str]], rows: Iterable[Mapping[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Said for every column: one that is empty throughout would come back without a type.
    schema = pa.schema([(column, _type(kind)) for column, (kind, _) in columns.items()])
    made = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), made, compression="zstd")
    return made.getvalue()


def _type(kind: str) -> pa.DataType:
    import pyarrow as pa

    return {"text": pa.string(), "whole": pa.int64(), "number": pa.float64()}[kind]


def _card(
    tables: Tables,
    rows: Mapping[str, Sequence[object]],
    records: Sequence[RunRecord],
    title: str,
    licence: str,
) -> bytes:
    head: dict[str, Any] = {"pretty_name": title}
    if licence:
        head["license"] = licence
    head |= {
        "language": ["en"],
        "tags": ["cognitive-bias", "mathematics", "evaluation", "biaslab"],
        "configs": [
            {
                "config_name": name,
                "default": name == "responses",
                "data_files": [{"split": "test", "path": f"data/{name}.parquet"}],
            }
            for name in tables
        ],
    }
    lines = [
        f"# {title}",
        "",
        f"Made by BiasLab {library_version()}. Every study asks the same thing twice, changing one",
        "feature; `effects` has the mean difference of outcomes, `responses` what each rests on.",
        "",
        "| run | study | model | strategy | pairs | seed |",
        "|---|---|---|---|--:|--:|",
        *(
            f"| {each.id} | {each.study} | {_cell(each.model_spec)} | {each.strategy} "
            f"| {each.design.n} | {each.design.seed} |"
            for each in records
        ),
    ]
    for name, columns in tables.items():
        lines += ["", f"## {name} ({len(rows[name]):,} rows)", "", "| column | meaning |"]
        lines += ["|---|---|", *(f"| `{each}` | {said} |" for each, (_, said) in columns.items())]
    written = yaml.safe_dump(head, sort_keys=False, allow_unicode=True)
    return ("---\n" + written + "---\n\n" + "\n".join(lines) + "\n").encode()


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_KINDS = {"text": "sc:Text", "whole": "sc:Integer", "number": "sc:Float"}


def _croissant(
    tables: Tables,
    files: Mapping[str, bytes],
    records: Sequence[RunRecord],
    title: str,
    licence: str,
) -> bytes:
    metadata: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": title,
        "description": "Answers of models to pairs of questions that differ in one feature, and "
        f"the effects of that feature. Made by BiasLab {library_version()}.",
        "datePublished": max(each.created for each in records)[:10],
        "version": "1.0.0",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "encodingFormat": "application/x-parquet",
                "sha256": sha256(content).hexdigest(),
            }
            for name, content in files.items()
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": table,
                "name": table,
                "field": [
                    {
                        "@type": "cr:Field",
                        "@id": f"{table}/{column}",
                        "name": column,
                        "description": said,
                        "dataType": _KINDS[kind],
                        "source": {
                            "fileObject": {"@id": f"data/{table}.parquet"},
                            "extract": {"column": column},
                        },
                    }
                    for column, (kind, said) in columns.items()
                ],
            }
            for table, columns in tables.items()
        ],
    }
    if licence:
        metadata["license"] = licence
    return (json.dumps(metadata, ensure_ascii=False, indent=1) + "\n").encode()


_CROISSANT_TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty",
    "fileSet", "format",
    "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet",
    "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _CROISSANT_TERMS},
}


# What Datasette shows of a file of runs: descriptions of its tables, and ready queries.


_TABLES = {
    "effects": "A run a row: pairs, shares right and their mean difference, x minus x'. Intervals "
    "are in `biaslab effects`.",
    "outcomes": "A pair and sample a row: what each member's answer came to.",
    "runs": "Studies and models, and their progress.",
    "models": "Who answered; the revision changes whenever answers may.",
    "pairs": "Two items each, x easier by hypothesis, with strata and cluster.",
    "items": "What was asked, with the right answer.",
    "responses": "Every request as it was sent, and what came back.",
    "answers": "What each item's responses were read as, and by which rule.",
    "pair_notes": "What a person marked and wrote next to a pair of a run.",
    "rereadings": "When answers of a run were read again.",
}

_QUERIES = {
    "wrong_answers": (
        "Wrong and unread answers of a run",
        "SELECT items.text, items.answer AS right_answer, answers.value, answers.state, "
        "answers.rule FROM answers JOIN items ON items.id = answers.item WHERE answers.run = :run "
        "AND (answers.outcome = 0 OR answers.state = 'invalid') ORDER BY items.text",
    ),
    "pairs_that_flip": (
        "Pairs of a run with one right answer of two",
        "SELECT position, sample, pair, value_x.text AS x, value_x_prime.text AS x_prime, y_x, "
        "y_x_prime FROM outcomes JOIN items AS value_x ON value_x.id = item_x "
        "JOIN items AS value_x_prime ON value_x_prime.id = item_x_prime "
        "WHERE run = :run AND y_x + y_x_prime = 1 ORDER BY position, sample",
    ),
    "find_in_items": (
        "Items whose text holds some words",
        "SELECT study, text, answer FROM items WHERE text LIKE '%' || :words || '%' LIMIT 200",
    ),
}


def datasette_files(database: Path) -> dict[str, bytes]:
    """The files that Datasette takes beside a file of runs, by name.

    ``metadata.yaml`` is all that versions before 1.0 need; later ones want the queries in
    ``datasette.yaml``.

    Args:
        database: the file of runs, whose name without its ending is that of the database there.
    """
    queries = {name: {"title": title, "sql": sql} for name, (title, sql) in _QUERIES.items()}
    tables = {name: {"description": text} for name, text in _TABLES.items()}
    stem = database.stem
    metadata: dict[str, Any] = {
        "title": "Runs of BiasLab",
        "databases": {stem: {"tables": tables, "queries": queries}},
    }
    settings = {"databases": {stem: {"queries": queries}}}
    return {"metadata.yaml": _yaml(metadata), "datasette.yaml": _yaml(settings)}


def _yaml(content: dict[str, Any]) -> bytes:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True).encode()


# The effect of a run in the schema of Every Eval Ever, a common form for results of evaluations.
# One object a run, without its answers: these have to have a number for a score there, which an
# answer that could not be read has not.


SCHEMA = "0.3.0"
"""Version of the schema that is written."""


def every_eval_ever(
    store: Store, run_ids: Sequence[str], organization: str
) -> dict[str, dict[str, Any]]:
    """The objects by run.

    Args:
        store: where the runs are.
        run_ids: which; q is left out, since it depends on which stand together.
        organization: who evaluated; the schema wants a name.

    Raises:
        UnknownRun: one of them is not there.
        ToolError: a run has no effect yet, or no organization is named.
    """
    if not organization.strip():
        raise ToolError("Every Eval Ever wants the name of who evaluated: give --organization.")
    records = [store.run(run_id) for run_id in dict.fromkeys(run_ids)]
    found = effect_rows(store, records).found
    effects = {effect.run: effect for effect in found if effect.stratum == "all"}
    return {each.id: _object(each, effects[each.id], organization) for each in records}


def _object(record: RunRecord, effect: Effect, organization: str) -> dict[str, Any]:
    if effect.cate is None:
        raise ToolError(f"Run {record.id} has no pair that counts, so there is no score to give.")
    ended = str(int(datetime.fromisoformat(record.finished or record.created).timestamp()))
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"biaslab-{record.study}/{record.model_spec}/{record.id}",
        "evaluation_timestamp": ended,
        "retrieved_timestamp": ended,
        "source_metadata": {
            "source_name": f"BiasLab run {record.id}",
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "biaslab",
            "version": library_version(),
            "additional_details": {"reader": record.reader or "unknown"},
        },
        "model_info": {
            "name": record.model_spec,
            "id": record.model_spec,
            "additional_details": {
                "kind": str(record.model_kind),
                "revision": record.model_revision,
                # A server may be anybody's, and a directory may hold weights that nobody else has.
                "deployment_type": "self_deployed"
                if read_spec(record.model_spec).has_weights
                else "unknown",
                "model_availability": "unknown",
            },
        },
        "evaluation_results": _results(record, effect),
    }


def _results(record: RunRecord, effect: Effect) -> list[dict[str, Any]]:
    unread = {"unread_x": effect.invalid_x, "unread_x_prime": effect.invalid_x_prime}
    results = []
    low, high = effect.ci_low, effect.ci_high
    ends = None if low is None or high is None else (low, high)
    found: list[tuple[str, str, float | None, tuple[float, float] | None, float]] = [
        ("cate", "mean difference of outcomes, x - x'", effect.cate, ends, -1.0)
    ]
    if effect.binary:
        found += [
            ("accuracy_x", "share right of x", effect.accuracy_x, _ends(effect.accuracy_x_ci), 0.0),
            (
                "accuracy_x_prime", "share right of x'", effect.accuracy_x_prime,
                _ends(effect.accuracy_x_prime_ci), 0.0,
            ),
        ]  # fmt: skip
    for name, meaning, score, interval, least in found:
        if score is None:
            continue
        details: dict[str, Any] = {
            "score": score,
            "details": {key: str(value) for key, value in unread.items()},
            "uncertainty": {"num_samples": effect.n},
        }
        if interval is not None:
            details["uncertainty"]["confidence_interval"] = {
                "lower": interval[0],
                "upper": interval[1],
                "confidence_level": effect.confidence,
                "method": effect.method,
            }
        results.append(
            {
                "evaluation_result_id": f"{record.id}-{name}",
                "evaluation_name": f"{record.study} ({record.strategy})",
                "source_data": {
                    "dataset_name": f"BiasLab {record.study}",
                    "source_type": "other",
                    "additional_details": {
                        "n": str(record.design.n),
                        "seed": str(record.design.seed),
                        "settings": json.dumps(dict(record.design.settings), sort_keys=True),
                    },
                },
                "metric_config": {
                    "evaluation_description": meaning,
                    "metric_id": f"biaslab.{name}",
                    "metric_name": name,
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": least,
                    "max_score": 1.0,
                },
                "score_details": details,
            }
        )
    return results


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)
