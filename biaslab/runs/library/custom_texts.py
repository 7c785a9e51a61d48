"""Texts that people wrote for a study, as they are kept in the file of runs.

A design names a text by its id, so a text that is kept never changes: another one needs another
id. Runs keep the pairs that they asked, also when their text is deleted. What a text says is its
study's affair; the table is called after the biases, which were the first to be kept so.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.runs.errors import RunError
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.system.roles import May, require


@dataclass(frozen=True, slots=True)
class CustomText:
    """A text that a person keeps.

    Attributes:
        id, name: as it says itself.
        text: the file.
        kept: when it was kept, UTC, ISO 8601.
    """

    id: str
    name: str
    text: str
    kept: str


def keep_text(store: Store, text_id: str, name: str, text: str) -> None:
    """Keeps a text, so that designs can name it. Keeping the same text again does nothing.

    Args:
        store: where.
        text_id: what designs call it, as it says itself.
        name: what people call it.
        text: as the person wrote it, sound as its study says.

    Raises:
        NotAllowed: whoever acts may not do this.
        RunError: the id belongs to another text. Nothing was written.
    """
    require(May.KEEP)
    with store.writing() as connection:
        connection.execute(
            f"INSERT INTO own_biases (id, name, text, kept) VALUES (?, ?, ?, {UTC})"
            " ON CONFLICT (id) DO NOTHING",
            (text_id, name, text),
        )
        (there,) = connection.execute(
            "SELECT text FROM own_biases WHERE id = ?", (text_id,)
        ).fetchone()
    if there != text:
        raise RunError(
            f"Another one with the id “{text_id}” is kept already, and designs name it. Give "
            f"this one another id, such as {text_id}-2, or delete the other one first."
        )


def custom_texts(store: Store) -> list[CustomText]:
    """Every text that is kept, by id."""
    with store.reading() as database:
        rows = database.query("SELECT id, name, text, kept FROM own_biases ORDER BY id")
        return [CustomText(**row) for row in rows]


def find_text(store: Store, text_id: str) -> str | None:
    """The kept text that has this id; None where there is none."""
    with store.reading() as database:
        rows = list(database.query("SELECT text FROM own_biases WHERE id = ?", [text_id]))
    return str(rows[0]["text"]) if rows else None


def delete_text(store: Store, text_id: str) -> None:
    """Takes a text out of the file. Runs that asked it keep their pairs.

    Raises:
        NotAllowed: whoever acts may not do this.
        RunError: there is none with this id.
    """
    require(May.DELETE)
    with store.writing() as connection:
        if not connection.execute("DELETE FROM own_biases WHERE id = ?", (text_id,)).rowcount:
            raise RunError(f"There is no “{text_id}” of your own in this file.")
