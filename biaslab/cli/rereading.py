"""Reading stored responses again."""

from __future__ import annotations

from pathlib import Path

import click

from biaslab.cli.common import db_option, sentences
from biaslab.runs import default_database, open_store
from biaslab.runs.rereading import reread, rereadings

_SHOWN = 20


@click.command("reread")
@click.argument("run")
@db_option
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
def reread_command(run: str, db: Path | None, dry_run: bool) -> None:
    """Read the stored responses of a run again with today's reader.

    No request is sent. What was read before stays in the file.
    """
    with sentences(), open_store(db or default_database()) as store:
        found = reread(store, run, keep=not dry_run)
        click.echo(found.sentence)
        for change in found.changes[:_SHOWN]:
            click.echo(
                f"  {change.item} sample {change.sample}: "
                f"{change.before or 'unread'} -> {change.after or 'unread'}"
            )
        if len(found.changes) > _SHOWN:
            click.echo(f"  and {len(found.changes) - _SHOWN:,} more (table earlier_readings)")
        if dry_run:
            click.echo("Nothing was written.")
        else:
            for past in rereadings(store, run)[:-1]:
                click.echo(
                    f"Read again before, {past.reread}: {past.reader_before or 'unnamed'} -> "
                    f"{past.reader_after}, {past.changed:,} changed"
                )
