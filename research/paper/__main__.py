"""Writes the paper about origins into a new folder or a .zip: `python -m research.paper OUT`."""

from __future__ import annotations

from pathlib import Path

import click

from biaslab.publishing.paper import PaperError, write_paper
from biaslab.stats import BrokenAssets
from research.paper.making import make_origins


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
def main(out: Path) -> None:
    """Write methods, tables, figures and the bundle of the tiny models to OUT."""
    try:
        paper = make_origins()
        write_paper(paper, out)
    except (BrokenAssets, PaperError) as error:
        raise click.ClickException(str(error)) from error
    for sentence in paper.limitations:
        click.echo(sentence, err=True)
    click.echo(f"{len(paper.files)} files in {out}. Manifest of the bundle: sha256 {paper.digest}")


if __name__ == "__main__":
    main()
