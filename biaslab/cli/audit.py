"""The audit of a corpus of word problems."""

from __future__ import annotations

import json
from pathlib import Path

import click

from biaslab.cli.conventions import sentences, whole_text
from biaslab.cli.custom_words import read_with, vocabulary_option

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUT = click.Path(dir_okay=False, path_type=Path)


@click.command("audit")
@click.argument("file", type=_FILE)
@click.option("--text", "columns", multiple=True, metavar="COLUMN",
              help="Column of the problems; twice: of what is told and of what is asked. "
              "[default: found by names or cells]")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table",
              show_default=True)  # fmt: skip
@click.option("--labels", type=_FILE, default=None,
              help="A sample that a person has filled in: corrects what was missed.")  # fmt: skip
@click.option("--sample", type=click.IntRange(1, 10_000), default=None, metavar="N",
              help="Write N texts, drawn by lot, for a person to judge; needs --out.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Of the sample.")
@click.option("--out", type=_OUT, default=None, help="CSV file for the sample.")
@vocabulary_option
def audit_command(
    file: Path,
    columns: tuple[str, ...],
    form: str,
    labels: Path | None,
    sample: int | None,
    seed: int,
    out: Path | None,
    vocabulary_file: Path | None,
) -> None:
    """Say what share of a corpus is what: wordings, transfers, carries, operations, signal words.

    FILE is a table (CSV, TSV, XLSX, JSON, JSON lines), or plain text with a problem a line or
    blank lines between the problems. Every share has its interval and says for how many texts it
    could be told.
    """
    from biaslab.audit import AuditError, audit, ratios
    from biaslab.audit.corpus import MAX_BYTES, read_corpus
    from biaslab.audit.report import (
        as_json,
        as_lines,
        correct,
        draw_sample,
        read_labels,
        sample_csv,
    )
    from biaslab.files import InterchangeError
    from schoolmath.text.given_files import read_given

    if (sample is None) != (out is None):
        raise click.UsageError("--sample and --out go together.")
    with sentences(AuditError, InterchangeError), read_with(vocabulary_file):
        corpus = read_corpus(read_given(file, MAX_BYTES), file.name, columns)
        found = audit(corpus.texts)
        judged = {} if labels is None else read_labels(read_given(labels, MAX_BYTES), labels.name)
        corrected = None if labels is None else correct(found, judged)
        mix = ratios(found, corrected.ratios() if corrected else None)
        if out is not None and sample is not None:
            with whole_text(out) as written:
                written.write(sample_csv(draw_sample(found, sample, seed), judged))
    if form == "json":
        content = {
            "column": corpus.column,
            "refused": list(corpus.refused),
            "remarks": list(corpus.remarks),
            **as_json(found, corrected),
            "mix": {name: list(pair) for name, pair in mix.items()},
        }
        click.echo(json.dumps(content, ensure_ascii=False, indent=1))
        return
    for remark in (*corpus.remarks, *corpus.refused[:5]):
        click.echo(remark)
    if len(corpus.refused) > 5:
        click.echo(f"... and {len(corpus.refused) - 5} more rows that could not be read.")
    if corpus.column:
        click.echo(f"Column: {corpus.column}")
    click.echo("\n".join(as_lines(found, corrected)))
    if mix:
        written_mix = ",".join(f"{name}={a}:{b}" for name, (a, b) in mix.items())
        click.echo(f"\nA tiny model on this mix: biaslab train --mix {written_mix} --out DIR")
