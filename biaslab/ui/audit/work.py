"""The corpus that a person audits: uploaded or pasted, kept in the memory of this session alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from biaslab.audit import LONGEST_TEXT, MOST_TEXTS, Audit, AuditError, audit
from biaslab.audit.corpus import MAX_BYTES, Corpus, read_corpus, split_texts
from biaslab.audit.report import Label
from biaslab.files import InterchangeError
from biaslab.files.columns import problem_columns
from biaslab.files.opening import is_plain_text, open_table
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

ENDINGS = ("csv", "tsv", "xlsx", "json", "jsonl", "txt")
"""Of files that the page takes."""

MOST_PASTED = 200_000
"""Characters of a pasted text."""

EXAMPLE = """Mia has 24 pens. Zoe has 7 fewer pens than Mia. How many pens does Zoe have?

Mia has 24 stickers. Mia has 7 fewer stickers than Zoe. How many stickers does Zoe have?

Ben had 15 coins. He gave 8 coins to Omar. How many coins does Ben have left?

There are 6 boxes on a shelf. Each box holds 12 pens. How many pens are there altogether?

Ida picked 38 plums and Cem picked 27. How many plums did they pick in all?"""
"""Problems of every kind, one of which is not read."""

_SOURCES = {"file": "In a file", "paste": "I paste them"}
_KEY = "audited corpus"
_PASTED = "pasted corpus"
_UPLOAD = "uploaded corpus"


@dataclass(slots=True)
class AuditWork:
    """An audit of this session.

    Attributes:
        upload: identifies what was given; name: as its owner calls it.
        corpus: its texts.
        found: the audit.
        labels: what the person says of texts, by id.
        seed: of the sample.
        turn: which text of the sample is shown, from 0; None: the first that is not judged.
    """

    upload: str
    name: str
    corpus: Corpus
    found: Audit
    labels: dict[str, Label] = field(default_factory=dict)
    seed: int = 1
    turn: int | None = None


def work() -> AuditWork | None:
    """The audit of this session, if there is one."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, AuditWork) else None


def forget() -> None:
    """Drops the corpus and everything said of it."""
    for key in (_KEY, _PASTED, _UPLOAD):
        st.session_state.pop(key, None)


def draw_source() -> AuditWork | None:
    """Draws the ways to give a corpus; the audit of what was given last."""
    source = choice("from", tuple(_SOURCES), "file")
    choosing.segmented_control(
        "Where the problems are",
        list(_SOURCES),
        format_func=_SOURCES.__getitem__,
        required=True,
        **source.bind(),
    )
    if source.value == "file":
        _draw_upload()
    else:
        _draw_paste()
    st.caption(
        f"At most {MAX_BYTES // 2**20} MiB, {MOST_TEXTS:,} texts and {LONGEST_TEXT:,} characters a "
        "text. The texts stay in this browser session: nothing is written to a file or sent "
        "anywhere, and closing the page forgets them."
    )
    return work()


def _draw_upload() -> None:
    chosen = st.file_uploader(
        "A corpus of word problems",
        type=ENDINGS,
        max_upload_size=MAX_BYTES // 2**20,
        key=_UPLOAD,
        help="A table with a problem in each row, or plain text with a problem a line or blank "
        "lines between the problems.",
    )
    if chosen is None:
        return
    data = chosen.getvalue()
    columns: tuple[str, ...] = ()
    try:
        if not is_plain_text(data, chosen.name):
            with st.spinner("Reading the file …"):
                table = open_table(data, chosen.name)
            likely = problem_columns(table.columns, table.first)
            single: list[tuple[str, ...]] = [(each,) for each in table.columns if each]
            offered = [likely, *single] if len(likely) > 1 else single
            said = choosing.selectbox(
                "Column with the problems",
                offered,
                format_func=lambda each: plain(" + ".join(each)),
                index=offered.index(likely) if likely else None,
                key="audited column",
            )
            if said is None:
                st.info("Choose the column that has the problems.")
                return
            columns = said
        now = work()
        upload = f"{chosen.file_id} {columns}"
        if now is None or now.upload != upload:
            _audit(upload, chosen.name, read_corpus(data, chosen.name, columns))
    except (AuditError, InterchangeError) as error:
        st.session_state.pop(_KEY, None)
        st.error(plain(str(error)), icon=":material/error:")


def _draw_paste() -> None:
    text = st.text_area(
        "Problems, with blank lines between them (or one a line)",
        key=_PASTED,
        height=180,
        max_chars=MOST_PASTED,
    )
    with st.container(horizontal=True):
        pressed = st.button("Audit it", type="primary", key="audit pasted")
        st.button("Use an example", on_click=_use_example)
    if not pressed:
        return
    texts = split_texts(text or "")
    if not texts:
        st.info("Paste some word problems first.")
        return
    try:
        _audit(f"pasted {hash(text)}", "pasted text", Corpus(texts, (), (), ()))
    except AuditError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _use_example() -> None:
    st.session_state[_PASTED] = EXAMPLE


def _audit(upload: str, name: str, corpus: Corpus) -> None:
    bar = st.progress(0.0, "Reading the problems …")

    def tell(rows: int) -> None:
        bar.progress(min(1.0, rows / len(corpus.texts)), f"{count(rows, 'problem')} read …")

    st.session_state[_KEY] = AuditWork(upload, name, corpus, audit(corpus.texts, tell))
    bar.empty()
