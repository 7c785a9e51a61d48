"""The command line: the same jobs as the screens, with a progress bar.

Every command is a thin call of the library. Errors are one sentence on standard error and
exit status 1; wrong usage is status 2.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from biaslab import __version__
from biaslab.cli.audit import audit_command
from biaslab.cli.comparing import compare_command
from biaslab.cli.decisions import biases_command, check_bias_command, decisions_command
from biaslab.cli.designs import pairs_command, studies_command
from biaslab.cli.imports import export_command, import_command
from biaslab.cli.items import items_command
from biaslab.cli.models import models_command, probe_command
from biaslab.cli.problems import diagnose_command, solve_command
from biaslab.cli.results import effects_command, interval_command, plan_command, reread_command
from biaslab.cli.running import run_command, runs_command
from biaslab.cli.training import train_command
from biaslab.cli.word_problems import compose_command, correct_command
from biaslab.processes import in_front

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="biaslab")
def main() -> None:
    """See how language models go wrong at school mathematics in the ways that people do."""


@main.command("app")
@click.option("--port", type=int, default=None, help="Port of the page. [default: 8501]")
def app_command(port: int | None) -> None:
    """Open the app in a browser."""
    script = Path(__file__).resolve().parents[2] / "app.py"
    arguments = ["run", str(script)]
    if port is not None:
        arguments += ["--server.port", str(port)]
    sys.exit(in_front("streamlit", arguments))


for command in (
    studies_command,
    models_command,
    train_command,
    probe_command,
    plan_command,
    pairs_command,
    compose_command,
    items_command,
    correct_command,
    run_command,
    runs_command,
    reread_command,
    effects_command,
    interval_command,
    compare_command,
    import_command,
    export_command,
    decisions_command,
    diagnose_command,
    solve_command,
    audit_command,
    biases_command,
    check_bias_command,
):
    main.add_command(command)
