"""Bundles whose runs stand beside one's own: which were opened, and closing them again.

Such runs are somebody's record. They are neither asked nor read again nor changed, and their
responses are no cache: what a bundle says that a model answered is never taken for an answer that
was asked here. `biaslab.publishing.paper` opens bundles, since it knows what is in them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from biaslab.runs.errors import RunError
from biaslab.runs.store.records import RunRecord, is_recorded
from biaslab.runs.store.store import Store, gallery
from biaslab.system.roles import May, require


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """A bundle that was opened.

    Attributes:
        digest: SHA-256 of its manifest, as the paper prints it.
        name: of the file that was opened.
        versions: of the programs that made it, by name.
        differences: what came out otherwise when it was made again here, in sentences.
        opened: when, UTC, ISO 8601.
        runs: ids of its runs, the newest first.
    """

    digest: str
    name: str
    versions: Mapping[str, str]
    differences: tuple[str, ...]
    opened: str
    runs: tuple[str, ...]


def opened_bundles(store: Store) -> list[ReadBundle]:
    """Every bundle that was opened, the newest first."""
    with store.reading() as database:
        rows = list(database.query("SELECT * FROM bundles ORDER BY opened DESC, digest"))
        return [
            ReadBundle(
                row["digest"],
                row["name"],
                json.loads(row["versions"]),
                tuple(json.loads(row["differences"])),
                row["opened"],
                tuple(
                    run["id"]
                    for run in database.query(
                        "SELECT id FROM runs WHERE bundle = ? ORDER BY created DESC, rowid DESC",
                        [row["digest"]],
                    )
                ),
            )
            for row in rows
        ]


def recording_of(record: RunRecord) -> Mapping[str, str]:
    """How a run of the gallery was recorded, as `biaslab.runs.recording` has it.

    Nothing for any other run.

    Raises:
        StoreUnreadable: the gallery is damaged.
    """
    held = gallery() if is_recorded(record.id) else None
    return {} if held is None else _recordings(held).get(record.bundle or "", {})


@cache
def _recordings(held: Store) -> Mapping[str, Mapping[str, str]]:
    return {each.digest: each.versions for each in opened_bundles(held)}


def close_bundle(store: Store, digest: str) -> None:
    """Takes the runs of a bundle out of the file, with all that nothing else in it needs.

    Marks and notes beside its pairs go with it.

    Raises:
        NotAllowed: whoever acts may not do this.
        RunError: no such bundle is open.
    """
    require(May.BUNDLE)
    of_bundle = "(SELECT id FROM runs WHERE bundle = :digest)"
    named = {"digest": digest}
    with store.writing() as connection:
        if not connection.execute("SELECT 1 FROM bundles WHERE digest = :digest", named).fetchone():
            raise RunError("This bundle is not open any more. Choose one from the list.")
        pairs = connection.execute(
            f"SELECT DISTINCT pairs.id, x, x_prime FROM run_pairs JOIN pairs ON pairs.id = pair"
            f" WHERE run IN {of_bundle}",
            named,
        ).fetchall()
        models = connection.execute(
            "SELECT DISTINCT model FROM runs WHERE bundle = :digest", named
        ).fetchall()
        for table in ("answers", "responses", "run_pairs"):
            connection.execute(f"DELETE FROM {table} WHERE run IN {of_bundle}", named)
        connection.execute("DELETE FROM runs WHERE bundle = :digest", named)
        connection.execute("DELETE FROM bundles WHERE digest = :digest", named)
        connection.executemany("DELETE FROM models WHERE id = ?", models)
        connection.execute(
            "DELETE FROM pairs WHERE id IN (SELECT value FROM json_each(?))"
            " AND id NOT IN (SELECT pair FROM run_pairs)"
            " AND id NOT IN (SELECT pair FROM set_pairs)",
            (json.dumps([pair for pair, _, _ in pairs]),),
        )
        connection.execute(
            "DELETE FROM items WHERE id IN (SELECT value FROM json_each(?))"
            " AND id NOT IN (SELECT x FROM pairs) AND id NOT IN (SELECT x_prime FROM pairs)",
            (json.dumps([item for _, *both in pairs for item in both]),),
        )
