"""Logs of any task, sample by sample: the difference, a picture, and the samples that differ."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from biaslab.charts.comparison import logs_chart
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.scores import Columns, ScoredLog, read_logs
from biaslab.stats.comparisons import LogComparison, compare_logs, log_record, log_sentences
from biaslab.stats.comparisons.logs import SampleLog
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

MOST_LOGS = 8
"""Logs that are compared at once: 28 comparisons."""
_MEBIBYTES = 200
_SHOWN = 200
"""Samples that are listed; the file has more."""
_IN_FILE = 10_000
_ENDINGS = ("json", "jsonl", "eval", "csv", "tsv", "txt")
_LONG = 24
_READ = "logs read"


def draw_logs() -> None:
    """Draws the upload and what the logs say, or an example of recorded answers."""
    files = st.file_uploader(
        "Two logs or more",
        type=_ENDINGS,
        accept_multiple_files=True,
        max_upload_size=_MEBIBYTES,
        key="logs",
        help="Inspect AI (.eval, JSON), samples of lm-evaluation-harness, results of promptfoo, "
        "Every Eval Ever, or a table with an id and a score. They are read and forgotten.",
    )
    with st.expander("Columns, where they are not found"):
        one, two, three = st.columns(3)
        columns = Columns(
            one.text_input("Id", key="log id", placeholder="by its name"),
            two.text_input("Score", key="log score", placeholder="by its name"),
            three.text_input("Cluster", key="log cluster", placeholder="none",
                             help="What samples share, such as a passage."),
        )  # fmt: skip
    if not files:
        _draw_example()
        return
    try:
        with st.spinner("Reading the logs …"):
            read = _read(files, columns)
    except InterchangeError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if len(read) > MOST_LOGS:
        st.error(f"At most {MOST_LOGS} logs can be compared at once.", icon=":material/error:")
    elif len(read) < 2:
        st.info(f"{plain(read[0].name)} is read. Add the log that it is compared with.")
    else:
        _draw(_lettered(read))


def _read(files: Sequence[UploadedFile], columns: Columns) -> list[ScoredLog]:
    """The logs as this session has read them; those of other files are forgotten."""
    before: dict[tuple[str, Columns], tuple[ScoredLog, ...]] = st.session_state.get(_READ, {})
    now = {(each.file_id, columns): each for each in files}
    st.session_state[_READ] = {
        key: before[key] if key in before else _scores_in(file, columns)
        for key, file in now.items()
    }
    return [log for logs in st.session_state[_READ].values() for log in logs]


def _scores_in(file: UploadedFile, columns: Columns) -> tuple[ScoredLog, ...]:
    with TemporaryDirectory(prefix="biaslab-log-") as folder:
        path = Path(folder) / (Path(file.name).name or "log")
        path.write_bytes(file.getbuffer())
        return read_logs(path, columns)


def _lettered(read: Sequence[ScoredLog]) -> list[ScoredLog]:
    """Short names where the files' are long or alike; which is which is said."""
    names = [each.name for each in read]
    if max(map(len, names)) <= _LONG and len(set(names)) == len(names):
        return list(read)
    letters = [chr(ord("A") + at) for at in range(len(read))]
    st.caption(plain(" · ".join(map(": ".join, zip(letters, names, strict=True)))))
    return [replace(log, name=letter) for log, letter in zip(read, letters, strict=True)]


def _draw_example() -> None:
    """The recorded model asked in two ways: what will stand here."""
    example = queries.recorded_logs() if queries.recorded_runs() else None
    if example is None:
        st.info("Choose two files: their samples are joined by their ids.")
        return
    st.caption(
        "**An example until you choose two files:** the same problems put to one recorded model in "
        "two ways."
    )
    _draw(example)


def _draw(logs: Sequence[SampleLog]) -> None:
    found = compare_logs(logs)
    for compared in found:
        verdict, *more = log_sentences(compared)
        st.markdown(f"**{plain(verdict)}**")
        st.caption(plain(" ".join(more)))
    draw_chart(logs_chart(found, dark=is_dark()), "logs")
    for compared in found:
        if compared.differ:
            _draw_differing(compared)
    st.download_button(
        "Results (JSON)",
        lambda: json.dumps(
            [log_record(one, _IN_FILE) for one in found], ensure_ascii=False, indent=2
        ),
        "biaslab-compare.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
    )


def _draw_differing(comparison: LogComparison) -> None:
    differ = comparison.differ
    words = f"{count(len(differ), 'sample')} with another score: {comparison.a} and {comparison.b}"
    with st.expander(plain(words)):
        rows = [(str(key[0]), a, b) for key, a, b in differ[:_SHOWN]]
        st.dataframe(
            pd.DataFrame(rows, columns=["sample", comparison.a, comparison.b]), hide_index=True
        )
        if len(differ) > _SHOWN:
            st.caption(f"The first {_SHOWN}; the file of results has {_IN_FILE:,}.")
