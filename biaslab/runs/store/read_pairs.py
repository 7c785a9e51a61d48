"""Reads the pairs of a run: pages of them, counts, and one in full."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biaslab.runs.errors import UnknownPair
from biaslab.runs.store.encoding import read_item, read_request, read_response
from biaslab.runs.store.read_runs import run
from biaslab.runs.store.records import (
    AnswerState,
    Exchange,
    MemberDetail,
    PairDetail,
    PairedCounts,
    PairOrder,
    PairPattern,
    PairRow,
    ReadingRules,
)
from biaslab.studies.study import Pair, Reading, Value

if TYPE_CHECKING:
    from biaslab.runs.store.sqlite import Database

_RANK = f"""
CASE WHEN pattern = '{PairPattern.UNFINISHED}' THEN 4
     WHEN pattern = '{PairPattern.INVALID}' THEN 2
     WHEN y_x <> y_x_prime THEN 0
     WHEN pattern = '{PairPattern.BOTH_WRONG}' THEN 1
     ELSE 3
END
"""
"""What tells most comes first; on a scale, members that differ by any amount."""

_ORDERS = {PairOrder.DESIGN: "0", PairOrder.TELLING: _RANK}

_PAGE = """
WITH page AS (
    SELECT *, {rank} AS rank FROM outcomes WHERE {condition}
    ORDER BY rank, position LIMIT :limit OFFSET :offset
)
SELECT page.*,
       items_x.text AS text_x, items_x.answer AS answer_x,
       items_x_prime.text AS text_x_prime, items_x_prime.answer AS answer_x_prime,
       answers_x.value AS value_x, answers_x_prime.value AS value_x_prime
FROM page
JOIN items AS items_x ON items_x.id = page.item_x
JOIN items AS items_x_prime ON items_x_prime.id = page.item_x_prime
LEFT JOIN answers AS answers_x
    ON answers_x.run = page.run AND answers_x.item = page.item_x
       AND answers_x.sample = page.sample
LEFT JOIN answers AS answers_x_prime
    ON answers_x_prime.run = page.run AND answers_x_prime.item = page.item_x_prime
       AND answers_x_prime.sample = page.sample
ORDER BY page.rank, page.position
"""


_FOUND = """
EXISTS (
    SELECT 1 FROM items WHERE items.id IN (outcomes.item_x, outcomes.item_x_prime)
    AND items.text LIKE {like} ESCAPE '\\'
) OR EXISTS (
    SELECT 1 FROM answers JOIN json_each(answers.responses) AS own
    JOIN responses ON responses.id = own.value
    WHERE answers.run = outcomes.run AND answers.sample = outcomes.sample
    AND answers.item IN (outcomes.item_x, outcomes.item_x_prime)
    AND responses.text LIKE {like} ESCAPE '\\'
)
"""
"""A word stands in one of the two problems, or in what the model wrote to one of them."""


def pair_rows(
    database: Database,
    run_id: str,
    patterns: Sequence[str] | None,
    strata: Mapping[str, Value] | None,
    offset: int,
    limit: int,
    sample: int,
    order: PairOrder,
    search: str,
    only: Sequence[str] | None,
    notes: Sequence[Sequence[str]],
) -> list[PairRow]:
    """A page of the run's pairs; see `Store.pair_rows`."""
    run(database, run_id)
    condition, parameters = _condition(run_id, strata, sample, patterns, search, only, notes)
    parameters |= {"limit": limit, "offset": offset}
    rows = database.query(_PAGE.format(rank=_ORDERS[order], condition=condition), parameters)
    return [_pair_row(row) for row in rows]


def pair_place(
    database: Database,
    run_id: str,
    pair_id: str,
    patterns: Sequence[str] | None,
    strata: Mapping[str, Value] | None,
    sample: int,
    order: PairOrder,
    search: str,
    only: Sequence[str] | None,
    notes: Sequence[Sequence[str]],
) -> int | None:
    """Where a pair stands among the run's; see `Store.pair_place`."""
    run(database, run_id)
    condition, parameters = _condition(run_id, strata, sample, patterns, search, only, notes)
    sql = (
        f"WITH ranked AS (SELECT pair, position, {_ORDERS[order]} AS rank FROM outcomes"
        f" WHERE {condition}),"
        " own AS (SELECT rank, position FROM ranked WHERE pair = :pair)"
        " SELECT (SELECT count(*) FROM ranked WHERE (ranked.rank, ranked.position)"
        " < (own.rank, own.position)) AS place FROM own"
    )
    rows = list(database.query(sql, parameters | {"pair": pair_id}))
    return int(rows[0]["place"]) if rows else None


def count_patterns(
    database: Database,
    run_id: str,
    strata: Mapping[str, Value] | None,
    sample: int,
    search: str,
    only: Sequence[str] | None,
    notes: Sequence[Sequence[str]],
) -> dict[PairPattern, int]:
    """How many pairs have each pattern; see `Store.count_patterns`."""
    run(database, run_id)
    condition, parameters = _condition(run_id, strata, sample, None, search, only, notes)
    counts = dict.fromkeys(PairPattern, 0)
    sql = f"SELECT pattern, count(*) AS n FROM outcomes WHERE {condition} GROUP BY pattern"
    for row in database.query(sql, parameters):
        counts[PairPattern(row["pattern"])] = row["n"]
    return counts


def pair_ids(
    database: Database,
    run_id: str,
    strata: Mapping[str, Value] | None,
    sample: int,
    search: str,
    only: Sequence[str] | None,
    notes: Sequence[Sequence[str]],
) -> list[str]:
    """Ids of the pairs that fit; see `Store.pair_ids`."""
    run(database, run_id)
    condition, parameters = _condition(run_id, strata, sample, None, search, only, notes)
    sql = f"SELECT pair FROM outcomes WHERE {condition}"
    return [row["pair"] for row in database.query(sql, parameters)]


def paired_counts(
    database: Database, run_id: str, strata: Mapping[str, Value] | None
) -> PairedCounts:
    """How the pairs came out that count in the strict analysis; see `Store.paired_counts`."""
    run(database, run_id)
    condition, parameters = _condition(run_id, strata, 0)
    (row,) = database.query(
        "SELECT coalesce(sum(x AND prime), 0) AS both, coalesce(sum(x AND NOT prime), 0) AS only_x,"
        " coalesce(sum(prime AND NOT x), 0) AS only_x_prime,"
        " coalesce(sum(NOT x AND NOT prime), 0) AS neither,"
        " coalesce(sum(bad), 0) AS unread_x, coalesce(sum(bad_prime), 0) AS unread_x_prime"
        " FROM (SELECT coalesce(y_x, 0) = 1 AS x, coalesce(y_x_prime, 0) = 1 AS prime,"
        " state_x = 'invalid' AS bad, state_x_prime = 'invalid' AS bad_prime"
        f" FROM outcomes WHERE {condition} AND pattern <> 'unfinished')",
        parameters,
    )
    return PairedCounts(**row)


def runs_asking(database: Database, study: str, pair_id: str) -> list[str]:
    """Runs of the study in this file that ask a pair, the newest first."""
    # Run by run: pairs are found within a run at once, but only a look at all finds them alone.
    rows = database.query(
        "SELECT runs.id FROM runs CROSS JOIN run_pairs ON run_pairs.run = runs.id"
        " AND run_pairs.pair = :pair AND position < coalesce(runs.enough, runs.pairs_total)"
        " WHERE runs.study = :study ORDER BY runs.created DESC, runs.rowid DESC",
        {"pair": pair_id, "study": study},
    )
    return [row["id"] for row in rows]


def asked_as(database: Database, x: str, x_prime: str) -> list[tuple[str, str]]:
    """Runs in this file that ask a pair of these two texts, and the pair, by run and pair id."""
    rows = database.query(
        "SELECT run_pairs.run, run_pairs.pair FROM items AS x"
        " JOIN pairs ON pairs.x = x.id JOIN items AS prime ON prime.id = pairs.x_prime"
        " JOIN run_pairs ON run_pairs.pair = pairs.id JOIN runs ON runs.id = run_pairs.run"
        " WHERE x.text = ? AND prime.text = ? AND position < coalesce(runs.enough, pairs_total)"
        " ORDER BY runs.created DESC, runs.rowid DESC",
        [x, x_prime],
    )
    return [(row["run"], row["pair"]) for row in rows]


def answered(
    database: Database, run_id: str, sample: int
) -> dict[str, tuple[float | None, float | None]]:
    """Outcomes of both members of each finished pair; None where an answer could not be read."""
    run(database, run_id)
    rows = database.query(
        "SELECT pair, y_x, y_x_prime FROM outcomes WHERE run = ? AND sample = ? AND pattern <> ?",
        [run_id, sample, str(PairPattern.UNFINISHED)],
    )
    return {row["pair"]: (row["y_x"], row["y_x_prime"]) for row in rows}


def differing(database: Database, run_id: str, other: str, sample: int, of_other: int) -> list[str]:
    """Ids of the pairs that two runs answered otherwise; see `Store.differing`."""
    run(database, run_id)
    run(database, other)
    rows = database.query(
        "SELECT here.pair FROM outcomes AS here JOIN outcomes AS there"
        " ON there.run = :other AND there.pair = here.pair AND there.sample = :of_other"
        " WHERE here.run = :run AND here.sample = :sample"
        " AND :unfinished NOT IN (here.pattern, there.pattern)"
        " AND (here.y_x IS NOT there.y_x OR here.y_x_prime IS NOT there.y_x_prime)",
        {
            "run": run_id, "sample": sample, "other": other, "of_other": of_other,
            "unfinished": str(PairPattern.UNFINISHED),
        },
    )  # fmt: skip
    return [row["pair"] for row in rows]


def reading_rules(database: Database, run_id: str, sample: int) -> ReadingRules:
    """Which rules read a run's answers; see `Store.reading_rules`."""
    run(database, run_id)
    rows = list(
        database.query(
            "SELECT outcomes.pair, x.rule AS x, prime.rule AS prime FROM outcomes"
            " LEFT JOIN answers AS x ON x.run = outcomes.run AND x.item = outcomes.item_x"
            " AND x.sample = outcomes.sample"
            " LEFT JOIN answers AS prime ON prime.run = outcomes.run"
            " AND prime.item = outcomes.item_x_prime AND prime.sample = outcomes.sample"
            " WHERE outcomes.run = ? AND outcomes.sample = ?",
            [run_id, sample],
        )
    )
    said = database.query(
        "SELECT rule, min(explanation) AS words, count(*) AS n FROM answers WHERE run = ?"
        " AND sample = ? AND rule IS NOT NULL GROUP BY rule ORDER BY n DESC, rule",
        [run_id, sample],
    )
    found = [(row["rule"], row["words"] or row["rule"], row["n"]) for row in said]
    return ReadingRules(
        {rule: words for rule, words, _ in found},
        {rule: n for rule, _, n in found},
        {row["pair"]: (row["x"], row["prime"]) for row in rows},
    )


def pair_detail(database: Database, run_id: str, pair_id: str, sample: int) -> PairDetail:
    """Everything kept about one pair in this run; see `Store.pair_detail`."""
    run(database, run_id)
    rows = list(
        database.query(
            "SELECT * FROM outcomes WHERE run = ? AND pair = ? AND sample = ?",
            [run_id, pair_id, sample],
        )
    )
    if not rows:
        raise UnknownPair(f"Run {run_id} has no pair {pair_id}. Choose one from its list of pairs.")
    row = rows[0]
    x = _member(database, run_id, row["item_x"], sample)
    x_prime = _member(database, run_id, row["item_x_prime"], sample)
    pair = Pair(pair_id, x.item, x_prime.item, json.loads(row["strata"]), row["cluster"])
    return PairDetail(
        run_id, row["position"], sample, pair, PairPattern(row["pattern"]), x, x_prime
    )


def _condition(
    run_id: str,
    strata: Mapping[str, Value] | None,
    sample: int,
    patterns: Sequence[str] | None = None,
    search: str = "",
    only: Sequence[str] | None = None,
    notes: Sequence[Sequence[str]] = (),
) -> tuple[str, dict[str, Any]]:
    condition = "run = :run AND sample = :sample"
    parameters: dict[str, Any] = {"run": run_id, "sample": sample}
    if patterns is not None:
        wanted = [PairPattern(pattern).value for pattern in patterns]
        condition += " AND pattern IN (SELECT value FROM json_each(:patterns))"
        parameters["patterns"] = json.dumps(wanted)
    if only is not None:
        condition += " AND pair IN (SELECT value FROM json_each(:only))"
        parameters["only"] = json.dumps(only)
    for index, (name, value) in enumerate((strata or {}).items()):
        condition += (
            " AND EXISTS (SELECT 1 FROM json_each(outcomes.strata) AS stratum"
            f" WHERE stratum.key = :name_{index} AND stratum.value = :value_{index})"
        )
        parameters |= {f"name_{index}": name, f"value_{index}": value}
    for index, word in enumerate(search.split()):
        found = _FOUND.format(like=f":word_{index}")
        if index < len(notes):
            found += f" OR pair IN (SELECT value FROM json_each(:noted_{index}))"
            parameters[f"noted_{index}"] = json.dumps(notes[index])
        condition += f" AND ({found})"
        escaped = re.sub(r"([\\%_])", r"\\\1", word)
        parameters[f"word_{index}"] = f"%{escaped}%"
    return condition, parameters


def _pair_row(row: Mapping[str, Any]) -> PairRow:
    return PairRow(
        pair=row["pair"],
        position=row["position"],
        sample=row["sample"],
        cluster=row["cluster"],
        strata=json.loads(row["strata"]),
        pattern=PairPattern(row["pattern"]),
        item_x=row["item_x"],
        item_x_prime=row["item_x_prime"],
        text_x=row["text_x"],
        text_x_prime=row["text_x_prime"],
        answer_x=row["answer_x"],
        answer_x_prime=row["answer_x_prime"],
        value_x=row["value_x"],
        value_x_prime=row["value_x_prime"],
        y_x=row["y_x"],
        y_x_prime=row["y_x_prime"],
        state_x=AnswerState(row["state_x"]),
        state_x_prime=AnswerState(row["state_x_prime"]),
    )


def _member(database: Database, run_id: str, item_id: str, sample: int) -> MemberDetail:
    (item_row,) = list(database.query("SELECT * FROM items WHERE id = ?", [item_id]))
    item = read_item(item_row)
    rows = list(
        database.query(
            "SELECT * FROM answers WHERE run = ? AND item = ? AND sample = ?",
            [run_id, item_id, sample],
        )
    )
    if not rows:
        return MemberDetail(item, AnswerState.MISSING, (), None, "", 0)
    row = rows[0]
    state = AnswerState(row["state"])
    return MemberDetail(
        item=item,
        state=state,
        exchanges=_exchanges(database, json.loads(row["responses"])),
        reading=None if state is AnswerState.FAILED else _reading(row),
        reason=row["reason"] or "",
        attempts=row["attempts"],
    )


def _reading(row: Mapping[str, Any]) -> Reading:
    span = None
    if row["span"] is not None:
        start, end = json.loads(row["span"])
        span = (start, end)
    extra = json.loads(row["extra"]) if row["extra"] else {}
    return Reading(row["value"], row["outcome"], row["rule"], row["explanation"], span, extra)


def _exchanges(database: Database, ids: Sequence[str]) -> tuple[Exchange, ...]:
    rows = {
        row["id"]: row
        for row in database.query(
            "SELECT * FROM responses WHERE id IN (SELECT value FROM json_each(?))",
            [json.dumps(ids)],
        )
    }
    return tuple(
        Exchange(
            id=key,
            request=read_request(rows[key]["request"]),
            answered=read_response(rows[key]),
            created=rows[key]["created"],
        )
        for key in ids
    )
