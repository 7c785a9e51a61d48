"""A small language model from the Hugging Face hub, downloaded with a progress bar."""

from __future__ import annotations

from pathlib import Path

import click
from tqdm import tqdm

from biaslab.cli.conventions import sentences
from biaslab.models import Unsupported, open_model
from biaslab.models.local.gguf.found import only_file
from biaslab.models.local.hub import find_repository, gigabytes, hub_directory, hub_list
from biaslab.models.local.provider import local_spec


@click.command("fetch-model")
@click.argument("name", required=False)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Directory for its files. [default: beside the file of runs]")  # fmt: skip
def fetch_model_command(name: str | None, out: Path | None) -> None:
    """Download a model from the Hugging Face hub; without NAME, list small ones.

    NAME is one of the list or OWNER/MODEL. Settings, tokenizer and weights (safetensors) are
    fetched, never code; of some models of the list a single GGUF file. What was interrupted goes
    on where it was; every file is checked. Prints last what opens the model, for --model.
    """
    with sentences():
        if name is None:
            _list()
            return
        from biaslab.models.local.hub_download import fetch

        repository = find_repository(name)
        directory = (out or hub_directory(repository)).absolute()
        with tqdm(unit="B", unit_scale=True, desc=repository) as bar:

            def tell(here: int, total: int) -> None:
                bar.total = total
                bar.update(here - bar.n)

            record = fetch(repository, directory, tell)
        if only_file(directory):
            _prepare(local_spec(directory))
    click.echo(f"{repository}, commit {record.commit}")
    click.echo(local_spec(directory))


def _prepare(spec: str) -> None:
    """Opens a file for the first time, which takes longest and finds out whether it is right."""
    click.echo("Unpacking and checking it, for half a minute …", err=True)
    try:
        open_model(spec, device="cpu", download=False)
    except Unsupported as error:  # it is here all the same
        click.echo(str(error), err=True)


def _list() -> None:
    offered = hub_list()
    click.echo(f"Small language models of the Hugging Face hub, as of {offered.date}:")
    for model in offered.models:
        click.echo(
            f"{model.repository}: {model.licence}, about {gigabytes(model.download_bytes)} to "
            f"download, about {gigabytes(model.memory_bytes)} of memory. {model.expect}"
        )
