"""Runs as a data set that others load: Parquet tables, their card and Croissant metadata.

`datasets.load_dataset(FOLDER, "responses")` reads the folder, here or from a hub, and so do pandas,
DuckDB and R.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import yaml

from biaslab.runs.effect_rows import effect_rows
from biaslab.runs.engine.prepare import library_version
from biaslab.runs.library.pair_notes import PairNote, pair_notes
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.runs.tools.errors import ToolError

if TYPE_CHECKING:
    import pyarrow as pa

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
    "note": ("text", "what a person wrote beside the pair"),
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
    rows = {"responses": responses, "effects": _effects(store, records)}
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


def effect_table(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Effects as Parquet, as in a data set; further columns of the rows are left out."""
    return _parquet(_EFFECTS, ({name: row[name] for name in _EFFECTS} for row in rows))


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


def _effects(store: Store, records: Sequence[RunRecord]) -> list[dict[str, Any]]:
    found = effect_rows(store, records)
    return [
        {
            name: getattr(effect, name)
            for name in _EFFECTS
            if name not in ("reader", "settings")
        }
        | {
            "reader": found.origins[effect.run].reader,
            "settings": json.dumps(
                dict(found.origins[effect.run].settings), ensure_ascii=False, sort_keys=True
            ),
        }
        for effect in found.found
        if effect.stratum == "all"
    ]  # fmt: skip


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
