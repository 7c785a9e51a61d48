"""Pairs as a data set: a Parquet table and the card that says what its columns mean.

The card is Markdown with YAML front matter, in the manner of the data set cards that hubs show
(README.md).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from biaslab import __version__
from biaslab.studies import Arms, Design, Experiment, Item, Pair
from biaslab.studies.word_problems.verification import (
    sentences_of,
    steps_of,
    structure_of,
    treated_of,
)
from schoolmath.problems.vocabulary import shipped, vocabulary

CARD_FILE = "README.md"
TABLE_FILE = "data/test.parquet"

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
_COLUMNS = {
    "pair": "id of the pair: the two rows with one id differ in one feature",
    "arm": "`x` is the member that is easier by hypothesis, `x_prime` the other one",
    "text": "the whole problem, question included",
    "answer": "the right answer, as text",
    "structure": "the sentences' kinds and the operations they need, in order",
    "sentences": "the text sentence by sentence, the question last",
    "treated": "which sentences the treatment changes, counted from 0",
    "equations": "the calculations that lead to the answer, in order",
}


def design_json(design: Design) -> str:
    """Everything that determines the pairs, as one line of JSON."""
    content = {
        "study": design.study,
        "n": design.n,
        "seed": design.seed,
        "settings": dict(design.settings),
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def data_set_card(
    study: Experiment,
    design: Design,
    pairs: int,
    title: str = "",
    arms: Arms | None = None,
    table: str = TABLE_FILE,
) -> str:
    """The card of the table of `biaslab.studies.word_problems.files.data_sets.write_parquet`.

    Args:
        study: whose pairs they are.
        design: what determined them.
        pairs: how many the table holds.
        title: of the data set; the study's own otherwise.
        arms: what the members are called, where the study's own names are not the ones.
        table: where the table stands, seen from the card.
    """
    expects = study.of_design(design).expects
    said = () if expects is None else (expects.sentence, expects.people and expects.people.sentence)
    expected = " ".join(["A positive one: x was easier.", *(each for each in said if each)])
    name = " ".join(title.split()) or f"BiasLab: {study.title}"
    x, x_prime = arms or study.arms
    own = "" if vocabulary() is shipped() else " and a vocabulary of their maker's own"
    front = yaml.safe_dump(_front(name, 2 * pairs, table), sort_keys=False, allow_unicode=True)
    meanings = dict(_COLUMNS)
    strata = {stratum.name: stratum.explanation for stratum in study.strata}
    order = ["pair", "arm", "text", "answer", *strata]
    order += [column for column in meanings if column not in order]
    columns = "\n".join(
        f"| `{column}` | {_in_cell(meanings.get(column) or strata[column])} |" for column in order
    )
    return f"""---
{front}---

# {_plain(name)}

{study.question} {pairs:,} pairs of word problems ({2 * pairs:,} rows). The two members of a pair
differ in one feature: x is **{_plain(x)}**, x′ is **{_plain(x_prime)}**. After: {study.source}.

## How it was made

BiasLab {__version__} made these pairs from the design below{own}; the same design gives the same
pairs on every machine.

```json
{design_json(design)}
```

## Columns

| column | meaning |
|---|---|
{columns}

## Use

Ask a model every `text` and compare its answers with `answer`. The mean over pairs of
(right on x) − (right on x′) is the effect of the feature. {expected}

## Before you publish it

Add a licence to the front matter. Say so if you changed the texts.
"""


def _front(name: str, rows: int, table: str) -> dict[str, object]:
    size = next((label for limit, label in _SIZES if rows < limit), "1M<n<10M")
    return {
        "pretty_name": name,
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": ["math-word-problems", "minimal-pairs", "cognitive-bias"],
        "size_categories": [size],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": "test", "path": table}],
            }
        ],
    }


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in text)


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_INTEGER_BITS = 63
# A zip file keeps times; the same design gives the same bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


def parquet_columns(study: Experiment) -> tuple[str, ...]:
    """The columns of the table, a row per item."""
    strata = tuple(stratum.name for stratum in study.strata)
    return ("pair", "arm", "text", "answer", *strata, *_FACTS)


_FACTS = ("structure", "sentences", "treated", "equations")


def write_parquet(study: Experiment, design: Design, pairs: Iterable[Pair]) -> bytes:
    """A row per item: text, answer, strata, and what is known of the mental model.

    The design stands in the file's metadata under ``biaslab.design``, so that the pairs can be
    made again.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[Any]] = {name: [] for name in parquet_columns(study)}
    strata = [stratum.name for stratum in study.strata]
    for pair in pairs:
        for arm, item in (("x", pair.x), ("x_prime", pair.x_prime)):
            row = {"pair": pair.id, "arm": arm, "text": item.text, "answer": item.answer}
            row |= _facts(item)
            for name, values in columns.items():
                values.append(pair.strata.get(name) if name in strata else row[name])
    fixed = {
        "sentences": pa.list_(pa.string()),
        "treated": pa.list_(pa.int64()),
        "equations": pa.list_(pa.string()),
    }
    arrays = []
    for name, values in columns.items():
        if name in fixed:
            arrays.append(pa.array(values, fixed[name]))
        elif name in strata:
            arrays.append(pa.array(*_typed(values, pa)))
        else:
            arrays.append(pa.array(values, pa.string()))
    table = pa.Table.from_arrays(arrays, names=list(columns))
    table = table.replace_schema_metadata({"biaslab.design": design_json(design)})
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def _facts(item: Item) -> dict[str, Any]:
    treated = treated_of(item)
    return {
        "structure": structure_of(item),
        "sentences": list(sentences_of(item)),
        "treated": None if treated is None else list(treated),
        "equations": [step.equation() for step in steps_of(item)],
    }


def _typed(values: Sequence[object], pa: Any) -> tuple[list[object], Any]:
    """Whole numbers and truth values keep their type; a column that mixes types is text."""
    given = [value for value in values if value is not None]
    if given and all(isinstance(value, bool) for value in given):
        return list(values), pa.bool_()
    if given and all(_fits(value) for value in given):
        return list(values), pa.int64()
    return [None if value is None else str(value) for value in values], pa.string()


def _fits(value: object) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and int(str(value)).bit_length() <= _INTEGER_BITS


def write_data_set(card: str, table: bytes) -> bytes:
    """A zip file with the card and the table, as data set hubs expect them.

    Args:
        card: from `biaslab.studies.word_problems.files.data_sets.data_set_card`.
        table: from `write_parquet`.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in ((CARD_FILE, card.encode()), (TABLE_FILE, table)):
            package.writestr(zipfile.ZipInfo(name, _TIME), content)
    return out.getvalue()
