"""Starting the app, for oneself or for a room full of people, and copies of what it keeps."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from biaslab.cli.conventions import db_option, sentences
from biaslab.system.places import FIRST_VARIABLE, HOSTS_VARIABLE, all_opened, default_database

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

    Prints the addresses for everybody, one of them as a code for phones; with --room the code
    alone, for a projector. “biaslab addresses” prints your own.
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
    from biaslab.system.processes import in_front

    chosen = ["--server.port", str(port)] if port is not None else []
    sys.exit(in_front("streamlit", ["run", str(_APP), *chosen, *options]))


@click.command("addresses")
@db_option
def addresses_command(db: Path | None) -> None:
    """Show the addresses of the app that is open here: your own, those of hosts, everybody's.

    Anyone who opens your own address counts as the person at this computer: keep it private.
    """
    from biaslab.system.processes import is_running

    beside = db or default_database()
    running = []
    for file in all_opened(beside):
        with sentences(OSError, ValueError, KeyError):
            kept = json.loads(file.read_text(encoding="utf-8"))
            if is_running(kept["host"], kept["process"], kept["began"]) is not False:
                running.append(kept)
    if not running:
        raise click.ClickException(
            f"BiasLab is not open with {beside}. Start it, or name its file of runs by --db."
        )
    for kept in running:
        for heading, addresses in (
            ("Yours, which makes you the person at this computer", kept["here"]),
            ("For those who open rooms and ask the listed models", kept["hosts"]),
            ("For everybody", kept["all"]),
        ):
            if addresses:
                click.echo("\n".join([f"{heading}:", *(f"    {each}" for each in addresses), ""]))


@click.command("backup")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@db_option
def backup_command(folder: Path, db: Path | None) -> None:
    """Write a copy of the file of runs to FOLDER, also while the app and runs go on.

    The copy is opened and checked before its name is printed. Live rooms, which are deleted after
    a while, are not copied.
    """
    from biaslab.runs import open_store

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
        raise click.ClickException(f"The copy is damaged ({found}), so it was not saved.")
