"""What Datasette shows of a file of runs: descriptions of its tables, and ready queries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_TABLES = {
    "effects": "A run a row: pairs, shares right and their mean difference, x minus x'. Intervals "
    "are in `biaslab effects`.",
    "outcomes": "A pair and sample a row: what each member's answer came to.",
    "runs": "What was asked of whom, and how far it is.",
    "models": "Who answered; the revision changes whenever answers may.",
    "pairs": "Two items each, x easier by hypothesis, with strata and cluster.",
    "items": "What was asked, with the right answer.",
    "responses": "Every request as it was sent, and what came back.",
    "answers": "What each item's responses were read as, and by which rule.",
    "pair_notes": "What a person marked and wrote beside a pair of a run.",
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
