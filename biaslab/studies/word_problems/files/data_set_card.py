"""The card of a data set: what it is, how it was made and what its columns mean.

Markdown with YAML front matter, in the manner of the data set cards that hubs show (README.md).
"""

from __future__ import annotations

import json

import yaml

from biaslab import __version__
from biaslab.studies import Arms, Design, Experiment
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
    """The card of the table of `biaslab.studies.word_problems.files.parquet.write_parquet`.

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
