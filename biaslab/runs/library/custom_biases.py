"""Biases that people wrote, as they are kept in the file of runs.

A design names a bias by its id, so a bias that is kept never changes: another text needs
another id. Runs keep the pairs that they asked, also when their bias is deleted.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.runs.errors import RunError
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    bias_paths,
    check_text,
    read_bias,
    scales,
)

_ALL = "all"
"""What the study's setting calls all biases; no bias can be called so."""


@dataclass(frozen=True, slots=True)
class OwnBias:
    """A bias that a person keeps.

    Attributes:
        id, name: as its file says.
        text: the file.
        kept: when it was kept, UTC, ISO 8601.
    """

    id: str
    name: str
    text: str
    kept: str


def keep_bias(store: Store, text: str) -> Bias:
    """Keeps a bias, so that designs can name it. Keeping the same text again does nothing.

    Args:
        store: where.
        text: its file.

    Raises:
        BiasError: the file has faults; the first one is told.
        RunError: the id belongs to another bias. Nothing was written.
    """
    checked = check_text(text, scales())
    if checked.usable is None:
        first = checked.faults[0]
        raise BiasError(first.message, "", first.where, first.line)
    found = checked.usable
    if found.id in bias_paths() or found.id == _ALL:
        raise RunError(
            f"The id “{found.id}” belongs to BiasLab's own biases. Give yours another, such as "
            f"my-{found.id}."
        )
    with store.writing() as connection:
        connection.execute(
            f"INSERT INTO own_biases (id, name, text, kept) VALUES (?, ?, ?, {UTC})"
            " ON CONFLICT (id) DO NOTHING",
            (found.id, found.name, text),
        )
        (there,) = connection.execute(
            "SELECT text FROM own_biases WHERE id = ?", (found.id,)
        ).fetchone()
    if there != text:
        raise RunError(
            f"Another bias with the id “{found.id}” is kept already, and designs name it. Give "
            f"this one another id, such as {found.id}-2, or delete the other one first."
        )
    return found


def own_biases(store: Store) -> list[OwnBias]:
    """Every bias that is kept, by id."""
    with store.reading() as database:
        rows = database.query("SELECT id, name, text, kept FROM own_biases ORDER BY id")
        return [OwnBias(**row) for row in rows]


def find_bias(store: Store, bias_id: str) -> Bias | None:
    """The kept bias that has this id; None where there is none.

    Raises:
        BiasError: it was kept by another version of BiasLab and cannot be read any more.
    """
    with store.reading() as database:
        rows = list(database.query("SELECT text FROM own_biases WHERE id = ?", [bias_id]))
    return read_bias(rows[0]["text"], scales()) if rows else None


def delete_bias(store: Store, bias_id: str) -> None:
    """Takes a bias out of the file. Runs that asked it keep their pairs.

    Raises:
        RunError: there is none with this id.
    """
    with store.writing() as connection:
        if not connection.execute("DELETE FROM own_biases WHERE id = ?", (bias_id,)).rowcount:
            raise RunError(f"There is no bias “{bias_id}” of your own in this file.")
