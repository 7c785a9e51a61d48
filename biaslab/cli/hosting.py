"""Starting the app, for oneself or for a room full of people, and copies of what it keeps."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from biaslab.cli.conventions import db_option, sentences
from biaslab.places import FIRST_VARIABLE, HOSTS_VARIABLE

_APP = Path(__file__).resolve().parents[2] / "app.py"


@click.command("app")
@click.option("--port", type=int, default=None, help="Port of the page. [default: 8501]")
def app_command(port: int | None) -> None:
    """Open the app in a browser."""
    _serve(port)


@click.command("host")
@click.option("--port", type=int, default=None, help="Port of the page. [default: 8501]")
@click.option("--room", is_flag=True, help="Open the page of live rooms first.")
@click.option(
    "--as",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name under which others open it, such as lab.example.org; repeatable.",
)
@click.option("--cert", type=click.Path(exists=True, dir_okay=False), help="Certificate for https.")
@click.option("--key", type=click.Path(exists=True, dir_okay=False), help="The certificate's key.")
def host_command(
    port: int | None, room: bool, names: tuple[str, ...], cert: str | None, key: str | None
) -> None:
    """Open the app for others on the same network, as for a workshop; needs no internet.

    Prints your own address, which makes you the host, and the addresses for everybody else, one of
    them as a code for phones.
    """
    if (cert is None) != (key is None):
        raise click.UsageError("For https give both --cert and --key.")
    if names:
        os.environ[HOSTS_VARIABLE] = ",".join([os.environ.get(HOSTS_VARIABLE, ""), *names])
    if room:
        os.environ[FIRST_VARIABLE] = "room"
    secured = ["--server.sslCertFile", cert, "--server.sslKeyFile", key] if cert and key else []
    _serve(port, "--server.address", "0.0.0.0", *secured)


def _serve(port: int | None, *options: str) -> None:
    from biaslab.processes import in_front

    chosen = ["--server.port", str(port)] if port is not None else []
    sys.exit(in_front("streamlit", ["run", str(_APP), *chosen, *options]))


@click.command("backup")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@db_option
def backup_command(folder: Path, db: Path | None) -> None:
    """Write a copy of the file of runs to FOLDER, also while the app and runs go on.

    The copy is opened and checked before its name is printed. Live rooms, which are deleted after
    a while, are not copied.
    """
    from biaslab.runs import default_database, open_store

    where = db or default_database()
    with sentences(sqlite3.Error):
        if not where.is_file():
            raise click.ClickException(f"{where}: there is no file of runs here.")
        folder.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        target = folder / f"{where.stem}-{now}.db"
        part = target.with_name(f"{target.name}.part")
        try:
            with open_store(where) as store:
                store.copy_to(part)
            _check(part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    click.echo(target)


def _check(copy: Path) -> None:
    """Reads the whole copy."""
    with closing(sqlite3.connect(copy)) as connection:
        (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    if found != "ok":
        raise click.ClickException(f"The copy is damaged ({found}), so it was not kept.")
