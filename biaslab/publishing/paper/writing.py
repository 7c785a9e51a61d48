"""Everything of a paper in one step, as a folder or as one zip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from biaslab.publishing.paper.analysis import Analysis, PaperError, chosen_runs, effect_tables
from biaslab.publishing.paper.bundle import INSIDE
from biaslab.publishing.paper.bundle_writing import make_bundle
from biaslab.publishing.paper.figures import draw
from biaslab.publishing.paper.methods import (
    arms_words,
    as_latex,
    as_text,
    limitations,
    methods,
    references,
)
from biaslab.publishing.paper.tables import csv_table, document, escaped, latex_table
from biaslab.runs import Store


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper that was made.

    Attributes:
        files: contents by their paths, such as ``bundle/manifest.json``.
        digest: SHA-256 of the bundle's manifest.
        limitations: what has to be said against it, in sentences.
    """

    files: Mapping[str, bytes]
    digest: str
    limitations: tuple[str, ...]


def make_paper(
    store: Store,
    run_ids: Sequence[str],
    analysis: Analysis | None = None,
    by: Sequence[str] = (),
    *,
    strict: bool = True,
) -> Paper:
    """All files of a paper about some runs of one comparison.

    Args:
        store: the file of the runs.
        run_ids: q allows for all of them that are of one study.
        analysis: how effects are made of outcomes.
        by: strata to break down by, in place of each study's main one.
        strict: whether a stratum that no study can be broken down by is refused.

    Raises:
        PaperError: nothing can be written of these runs.
        AnalysisError: effects cannot be made in this way.
        UnknownRun: one of the runs is not there.
        StoreError: the file cannot be read.
    """
    records = chosen_runs(store, run_ids)
    tables = effect_tables(store, records, by, strict=strict)
    analysis = analysis or Analysis()
    bundle = make_bundle(store, records, tables, analysis)
    said = limitations(store, records, bundle)
    texts = {
        "methods.tex": as_latex(written := methods(store, records, bundle, analysis)),
        "methods.txt": as_text(written),
        "limitations.tex": "".join(f"{escaped(sentence)}\n" for sentence in said),
        "limitations.txt": "".join(f"{sentence}\n" for sentence in said),
        "references.bib": references(records, bundle),
    }
    arms = arms_words(records)
    drawn = []
    for table in tables:
        rows = bundle.rows[table.name]
        drawn += draw(table, rows.found, arms)
        texts[f"tables/{table.name}.tex"] = latex_table(table, rows, arms)
        texts[f"tables/{table.name}.csv"] = csv_table(rows)
    texts["paper.tex"] = document(
        [table.name for table in tables], {figure.name: figure.caption for figure in drawn}
    )
    files = {name: text.encode() for name, text in texts.items()}
    files |= {f"figures/{name}": file for one in drawn for name, file in one.files.items()}
    files |= {f"{INSIDE}/{name}": content for name, content in bundle.files.items()}
    return Paper(files, bundle.digest, tuple(said))


def write_paper(paper: Paper, out: Path) -> None:
    """Writes the files to a folder that is new or empty, or to a zip; whole or not at all.

    Raises:
        PaperError: something is there already.
        OSError: it cannot be written.
    """
    if out.suffix == ".zip":
        if out.exists():
            raise PaperError(f"{out} is there already. Delete it, or choose another name.")
        part = out.with_name(f"{out.name}.part")
        try:
            part.write_bytes(zipped(paper.files, out.stem))
            part.replace(out)
        finally:
            part.unlink(missing_ok=True)
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise PaperError(f"{out} is there already and not empty. Choose another folder.")
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    part.chmod(0o755)
    for name, content in paper.files.items():
        target = part / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    if out.exists():
        out.rmdir()
    part.rename(out)


def zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    """The files in a folder of a zip. The same files give the same bytes."""
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = ZipInfo(f"{folder}/{name}")
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return written.getvalue()
