"""A file of pairs that a person is importing: uploaded, its columns settled, every row checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.errors import MAX_FILE_BYTES, MAX_PAIR_ROWS
from biaslab.files.opening import RawTable, open_table
from biaslab.runs import PairSet
from biaslab.studies.word_problems.files import PairImport, read_pairs
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

ENDINGS = ("csv", "tsv", "xlsx", "json", "jsonl")
"""Of files that the page takes."""

_KEY = "import of pairs"
_UPLOAD = "upload of pairs"


@dataclass(slots=True)
class ImportWork:
    """An import on its way.

    Attributes:
        upload: identifies the uploaded file; name: as its owner calls it; data: its content.
        table: its columns and first rows.
        mapping: which column holds what, as it was checked; empty: as found.
        found: what became of its rows; None before they were checked.
        fault: why it could not be checked, as a sentence; empty where it could.
        kept: the set that its pairs became; None before.
    """

    upload: str
    name: str
    data: bytes
    table: RawTable
    mapping: dict[str, str] = field(default_factory=dict)
    found: PairImport | None = None
    fault: str = ""
    kept: PairSet | None = None

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePath(self.name).stem


def work() -> ImportWork | None:
    """The import of this session, if there is one."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, ImportWork) else None


def forget() -> None:
    """Ends the import; the file is dropped."""
    st.session_state.pop(_KEY, None)
    st.session_state.pop(_UPLOAD, None)


def draw_upload() -> ImportWork | None:
    """Draws the choice of a file; the import it begins, or the one that is on its way."""
    chosen = st.file_uploader(
        "File of pairs",
        type=ENDINGS,
        max_upload_size=MAX_FILE_BYTES // 2**20,
        key=_UPLOAD,
        help="A table with one pair in each row. It stays on this computer.",
    )
    st.caption(
        f"CSV, XLSX, JSON or JSON lines with a pair in each row: two texts and their answer. At "
        f"most {MAX_PAIR_ROWS:,} rows and {MAX_FILE_BYTES // 2**20} MiB. The three files of Opedal "
        "et al. (2024) are known by their columns."
    )
    now = work()
    if chosen is None or (now is not None and now.upload == chosen.file_id):
        return now
    st.session_state.pop(_KEY, None)
    data = chosen.getvalue()
    try:
        with st.spinner("Reading the file …"):
            table = open_table(data, chosen.name)
    except InterchangeError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    st.session_state[_KEY] = ImportWork(chosen.file_id, chosen.name, data, table)
    return work()


def check(task: ImportWork, mapping: dict[str, str]) -> None:
    """Checks every row of the file, with a bar that says how far it is."""
    task.found, task.kept, task.fault = None, None, ""
    bar = st.progress(0.0, "Reading and solving every text …")

    def tell(rows: int) -> None:
        bar.progress(min(rows / MAX_PAIR_ROWS, 1.0), f"{count(rows, 'row')} read and solved …")

    try:
        # Rows can be gone through once, so the table is opened anew.
        found = read_pairs(open_table(task.data, task.name), mapping, tell)
    except InterchangeError as error:
        bar.empty()
        task.fault = str(error)
        return
    bar.empty()
    task.found, task.mapping = found, mapping
