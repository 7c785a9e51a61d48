"""Finding the design whose difficulty fits a model, before a study."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from biaslab.cli.asking.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.cli.asking.running import sampling_of, sampling_options
from biaslab.cli.conventions import db_option, sentences
from biaslab.cli.designs import design_file_option, design_of, design_options, with_file
from biaslab.runs import RunOptions, default_database, open_store
from biaslab.studies import experiment
from biaslab.studies.strategies import Length


@click.command("find-design")
@click.argument("study", required=False)
@design_file_option
@design_options
@click.option("--model", required=True, help="Whom to ask (see `biaslab models`).")
@click.option("--strategy", default=None,
              help="Prompt strategy (see `biaslab studies`). [default: the first]")  # fmt: skip
@sampling_options
@server_options
@speed_options
@db_option
def find_design_command(study: str | None, db: Path | None, **given: Any) -> None:
    """Find at which steps and numbers MODEL is right in 50 to 80 % of the easier problems of STUDY.

    At most 200 requests, none of whose problems the study asks. Started again, it goes on.
    """
    from biaslab.runs.jobs.find_design import DesignSearch, SearchProgress, find_design

    def tell(found: SearchProgress) -> None:
        if found.search.ending is None:
            click.echo(found.sentence, err=True)

    with sentences(), open_store(db or default_database()) as store:
        options = (given[name] for name in ("n", "seed", "steps", "numbers", "more"))
        design = with_file(given["design_file"], design_of(study or "", *options))
        allow_key(given["key_env"], given["base_urls"])
        wanted = DesignSearch(
            design,
            given["model"],
            given["strategy"] or experiment(design.study).strategies[0].name,
            sampling_of(given),
            RunOptions(
                access=reach(store, given["model"], access_of(given)),
                length=Length(given["max_tokens"], given["go_on"]),
            ),
        )
        found = find_design(store, wanted, tell)
    click.echo(found.sentence)
    if found.settings is not None:
        chosen = {**design.settings, **found.settings}
        command = ["biaslab", "run", design.study, "--n", str(design.n), "--seed", str(design.seed)]
        for name, value in chosen.items():
            command += ["--set", f"{name}={value}"]
        command += ["--model", wanted.model, "--strategy", wanted.strategy]
        for url in given["base_urls"]:
            command += ["--base-url", url]
        click.echo(shlex.join(command))
