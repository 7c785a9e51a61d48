"""Multiple-choice items and pairs of problems from files, and into them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from biaslab.cli.conventions import (
    db_option,
    read_with,
    sentences,
    tell_first,
    vocabulary_option,
    write_whole,
)
from biaslab.cli.decisions import (
    import_case_file,
    import_decision_file,
    is_case_file,
    is_decision_file,
)
from biaslab.cli.word_problems import import_pair_file, is_pair_file, neither_items_nor_pairs
from biaslab.files.importing import FORMATS

if TYPE_CHECKING:
    from biaslab.files import ImportedItem, ImportReport

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUT = click.Path(dir_okay=False, path_type=Path)
# Named here as well so that `biaslab --help` need not load what writes them; a test compares.
EXPORTS = ("gift", "moodle", "qti", "aiken", "csv", "xlsx", "worksheet")


@click.command("import")
@click.argument("file", type=_FILE)
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", *FORMATS]),
    default="auto",
    show_default=True,
    help="Found by content and name unless said.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Which column holds a field, such as question=Stem, or x=Easy in a file of pairs; "
    "repeatable.",
)
@click.option(
    "--misconceptions",
    type=_FILE,
    default=None,
    help="Eedi's misconception_mapping.csv. [default: the one next to FILE]",
)
@click.option(
    "--report",
    "report_file",
    type=_OUT,
    default=None,
    help="JSON file for what became of every row.",
)
@click.option("--out", type=_OUT, default=None,
              help="JSONL file to write items to; without it FILE is only checked.")  # fmt: skip
@click.option("--cases", type=_FILE, default=None,
              help="For published decisions: their metric_params, row by row.")  # fmt: skip
@db_option
@click.option("--as", "--name", "name", default=None, metavar="NAME",
              help="Of the set that items or pairs are saved as. [default: FILE's]")  # fmt: skip
@vocabulary_option
def import_command(
    file: Path,
    form: str,
    columns: tuple[str, ...],
    misconceptions: Path | None,
    report_file: Path | None,
    out: Path | None,
    cases: Path | None,
    db: Path | None,
    name: str | None,
    vocabulary_file: Path | None,
) -> None:
    """Read items, pairs of problems, decisions or their cases from FILE; report on every row.

    Items are complete (every option has a reason, a rationale or misconception, of its own),
    partly usable or unusable for comparing reasons. With --db they are saved as a set in that
    file of runs, to be asked with `biaslab run malgorithm --set items=NAME`.

    Each pair is proved, labelled (not read, the file's answer is taken) or contradicted. With
    --db every row with two texts and an answer is saved as a set, to be asked with `biaslab run
    imported`.

    A table of published decisions is scored anew: figures by bias, and every row whose printed
    score is another one. A table of cases (bias, control, treatment, metric_params) is saved with
    --as NAME, to be put to a model with `biaslab run decision --set cases=NAME`.
    """
    mapping = _mapping(columns)
    if cases is not None or (form == "auto" and not mapping and is_decision_file(file)):
        if form != "auto" or any((mapping, out, misconceptions, db, name, vocabulary_file)):
            raise click.UsageError("Published decisions take --cases and --report alone.")
        import_decision_file(file, cases, report_file)
        return
    if form == "auto" and not mapping and is_case_file(file):
        if any((out, misconceptions, vocabulary_file)):
            raise click.UsageError("Cases of decisions take --as, --db and --report alone.")
        import_case_file(file, report_file, db, name)
        return
    keeping = db is not None or name is not None
    if (keeping or form == "auto") and is_pair_file(file, mapping):
        if form != "auto" or out is not None or misconceptions is not None:
            raise click.UsageError(
                "--format, --misconceptions and --out are for multiple-choice items; pairs are "
                "saved in a file of runs with --db."
            )
        with read_with(vocabulary_file):
            import_pair_file(file, mapping, report_file, db, name)
        return
    if vocabulary_file is not None:
        raise click.UsageError("--vocabulary is for pairs of word problems, not for items.")
    report = _import_items(file, form, mapping, misconceptions, report_file, out)
    if keeping:
        _keep(report, file, db, name)


def _mapping(columns: tuple[str, ...]) -> dict[str, str]:
    mapping = {}
    for entry in columns:
        name, equals, column = entry.partition("=")
        if not (name and equals and column):
            raise click.UsageError(f"--column {entry!r}: write FIELD=COLUMN.")
        mapping[name] = column
    return mapping


def _import_items(
    file: Path,
    form: str,
    mapping: Mapping[str, str],
    misconceptions: Path | None,
    report_file: Path | None,
    out: Path | None,
) -> ImportReport:
    from biaslab.files import InterchangeError, import_file, write_items

    with sentences(InterchangeError):
        try:
            report = import_file(file, "" if form == "auto" else form, mapping, misconceptions)
        except InterchangeError as error:
            named = form != "auto" or bool(mapping)
            raise click.ClickException(
                str(error) if named else neither_items_nor_pairs(file, error)
            ) from error
        encoding = f", {report.encoding}" if report.encoding else ""
        click.echo(f"Format: {report.form} ({report.found_by}{encoding})")
        if report.mapping:
            pairs = (f"{name} = {column}" for name, column in report.mapping.items())
            click.echo(f"Columns: {'; '.join(pairs)}")
        tell_first("Refused", report.refused)
        tell_first("Not complete", list(_incomplete(report.items)))
        tell_first("Remarks", report.remarks)
        click.echo(report.summary())
        if report_file is not None:
            text = json.dumps(report.as_json(), ensure_ascii=False, indent=1)
            write_whole(report_file, text.encode())
        if not report.items:
            raise click.ClickException(f"{file}: no row gave an item, so nothing was written.")
        if out is not None:
            write_whole(out, write_items(report.items).encode())
            click.echo(f"{len(report.items)} items in {out}")
    return report


def _keep(report: ImportReport, file: Path, db: Path | None, name: str | None) -> None:
    """Keeps the items as a set and says how they are asked."""
    from biaslab.runs import LONGEST_NAME, default_database, open_store, save_items

    called = file.stem[:LONGEST_NAME] if name is None else name
    with sentences(), open_store(db or default_database()) as store:
        kept = save_items(store, called, report.items, file.name, report.as_json())
    click.echo(f"{kept.items:,} items are saved as “{kept.name}”.")
    reasons = [item.reasons for item in report.items]
    where = "" if db is None else f" --db {db}"
    asked = f"biaslab run malgorithm --set {shlex.quote(f'items={kept.name}')}"
    if any(each.of_key for each in reasons):
        click.echo(f"Ask which reason led to a choice (AIA and MIA): {asked} --model MODEL{where}")
    elif any(each.of_wrong for each in reasons):
        click.echo(
            "Right options have no reasons, so compare with the question itself (MCQ and MIA): "
            f"{asked} --set {shlex.quote('against=the question itself')} --model MODEL{where}"
        )
    else:
        click.echo(
            "No item has two reasons that differ, so the study of rationales can't ask them."
        )
        if sum(bool(each.texts) for each in reasons) > 1:
            lent = "--set 'reasons=of other questions too' --set 'against=the question itself'"
            click.echo(
                "What they are good for: which rules give their wrong answers (biaslab diagnose "
                f"--items {shlex.quote(kept.name)}{where}); a test for a class or a room (the "
                "page Import items); asking for a reason among some that other questions lend "
                f"({asked} {lent} --model MODEL{where})."
            )
    click.echo(kept.id)


def _incomplete(items: Sequence[ImportedItem]) -> Iterator[str]:
    """A line for each item whose reasons cannot all be asked for."""
    for item in items:
        reasons = item.reasons
        if reasons.missing:
            usable = f" for {reasons.usable_for}" if reasons.usable_for else ""
            yield f"Row {item.row}: {reasons.status}{usable}: {'; '.join(reasons.missing)}."


@click.command("export")
@click.argument("items", type=_FILE)
@click.option(
    "--format", "form", type=click.Choice(EXPORTS), required=True, help="Of the file to write."
)
@click.option("--title", default="", help="Of a worksheet, or of a test of QTI.")
@click.option("--out", type=_OUT, required=True, help="File to write.")  # fmt: skip
def export_command(items: Path, form: str, title: str, out: Path) -> None:
    """Write the ITEMS of a JSONL file for other programs, or as a worksheet (HTML) to print."""
    from biaslab.files import InterchangeError, export_items, read_item_file

    with sentences(InterchangeError):
        export = export_items(read_item_file(items), form, title)
        write_whole(out, export.content)
    tell_first("Left out", export.left_out)
    tell_first("Remarks", export.remarks)
    click.echo(f"{export.written} items in {out}")


@click.command("import-log")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
def import_log_command(log: Path, db: Path | None) -> None:
    """Keep a LOG of Inspect AI or lm-evaluation-harness as a run.

    LOG is an .eval or .json file of Inspect AI or a samples_*.jsonl file of lm-evaluation-harness
    that a task of BiasLab made. Its pairs are made again and its answers read again; the run's
    model is called inspect:NAME or lm-eval:NAME.
    """
    from biaslab.runs import default_database, open_store
    from biaslab.runs.tools import ToolError, import_log, read_log

    with sentences(ToolError), open_store(db or default_database()) as store:
        read = read_log(log)
        kept = import_log(store, read)
    click.echo(f"{kept.items:,} items of {read.tool}:{read.model} were read.")
    if kept.unanswered:
        click.echo(f"{kept.unanswered:,} items have no answer in the log and do not count.")
    if kept.read_otherwise:
        click.echo(
            f"{kept.read_otherwise:,} answers are read otherwise than the log says: it was made "
            f"with the reader “{read.asking.reader}”, and this is “{read.asking.study.reader}”."
        )
    if kept.message:
        click.echo(f"The run did not finish: {kept.message}", err=True)
    click.echo(kept.run)
