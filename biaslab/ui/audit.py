"""The audit of a corpus: its texts, pictures of its shares, and a sample that a person judges."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field

import streamlit as st

from biaslab.audit import LONGEST_TEXT, MOST_TEXTS, OPERATIONS, Audit, AuditError, audit, ratios
from biaslab.audit.auditing import MAX_BYTES, Corpus, read_corpus, split_texts
from biaslab.audit.report import (
    ComparisonVerdict,
    CorrectedShares,
    Label,
    as_json,
    counted,
    draw_sample,
    finding,
    read_labels,
    sample_csv,
    sample_sentence,
)
from biaslab.charts.audit import audit_chart
from biaslab.files import InterchangeError
from biaslab.files.columns import problem_columns
from biaslab.files.opening import is_plain_text, open_table
from biaslab.training.mix import RATIOS, read_mix
from biaslab.ui.navigation import TRAINING_LAB, link
from biaslab.ui.training.mix import mix_address
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import NONE, count

ENDINGS = ("csv", "tsv", "xlsx", "json", "jsonl", "xml", "txt")
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


SIZE = 60
"""Texts of the sample."""

_COMPARED = {
    ComparisonVerdict.NONE: "nothing is compared",
    ComparisonVerdict.CONSISTENT: "consistent: the unknown has more or fewer than the known",
    ComparisonVerdict.INCONSISTENT: "inconsistent: the known has more or fewer than the unknown",
    ComparisonVerdict.BOTH: "one of each",
    ComparisonVerdict.OTHER: "it compares, but both are known or neither is",
}
_TRANSFERS = {True: "yes", False: "no"}


def draw_checking(task: AuditWork) -> None:
    """Draws the text whose turn it is with its two questions; every answer counts at once."""
    drawn = draw_sample(task.found, SIZE, task.seed)
    undone = [place for place, text in enumerate(drawn) if text.id not in task.labels]
    st.markdown(
        f"The reading misses some and takes some wrongly. Judge {len(drawn)} texts chosen at "
        "random, some of each kind, and the shares above are corrected. You do not see how "
        "BiasLab read a text."
    )
    done = len(drawn) - len(undone)
    st.progress(done / len(drawn), text=f"{done} of {len(drawn)} judged")
    if not undone:
        st.success("All of them are judged, thank you. You may still change your answers.")
    at = task.turn if task.turn is not None else (undone[0] if undone else len(drawn) - 1)
    at = min(at, len(drawn) - 1)
    text = drawn[at]
    st.html(
        '<div class="bl"><section class="bl-card" aria-label="The text to judge">'
        f'<div class="bl-faint">Text {at + 1} of {len(drawn)}</div>'
        f'<p class="bl-text">{html.escape(text.text)}</p></section></div>'
    )
    label = task.labels.get(text.id)
    compared = choosing.radio(
        "Does the text say that someone has so many more, fewer, or times as many?",
        list(_COMPARED),
        format_func=_COMPARED.__getitem__,
        index=None if label is None else list(_COMPARED).index(label.compared),
        help="Consistent: “Ana has 9. Ben has 4 more than Ana”, and the question is about Ben. "
        "Inconsistent: “Ana has 9. Ana has 4 more than Ben”, and the question is about Ben. “How "
        "many more has Ana than Ben?” gives no numbers, so nothing is compared.",
        key=f"judged comparison {text.id}",
    )
    transfers = choosing.radio(
        "Does somebody get, make, lose or hand over a number of things?",
        list(_TRANSFERS),
        format_func=_TRANSFERS.__getitem__,
        index=None if label is None else int(not label.transfers),
        horizontal=True,
        key=f"judged transfer {text.id}",
    )
    with st.container(horizontal=True):
        st.button("Back", disabled=at == 0, on_click=_turn, args=(task, at - 1))
        if st.button(
            "Keep and go on",
            type="primary",
            disabled=compared is None or transfers is None,
            key="judge",
        ):
            assert compared is not None
            assert transfers is not None
            task.labels[text.id] = Label(compared, transfers)
            last = at + 1 >= len(drawn)
            task.turn = None if task.turn is None or last else at + 1
            st.rerun()
    _draw_files(task)


def _turn(task: AuditWork, at: int) -> None:
    task.turn = at


def _draw_files(task: AuditWork) -> None:
    with st.expander("Judge in a spreadsheet, or go on from a file"):
        st.download_button(
            "The sample (CSV)",
            lambda: sample_csv(draw_sample(task.found, SIZE, task.seed), task.labels).encode(),
            "sample.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        given = st.file_uploader("A sample that was filled in", type=("csv",), key="labels file")
        if given is None:
            return
        try:
            task.labels |= read_labels(given.getvalue(), given.name)
        except AuditError as error:
            st.error(plain(str(error)), icon=":material/error:")
        else:
            st.caption("Its answers count. Press “Back” or “Keep and go on” to see them.")


_FIRST = ("wording", "problems")
_FURTHER = ("carries", "operations", "steps")


def draw_results(task: AuditWork, corrected_shares: CorrectedShares | None) -> None:
    """Draws the finding, its picture and the way to the training lab."""
    found = task.found
    st.header(plain(task.name), anchor=False)
    for remark in task.corpus.remarks:
        st.warning(plain(remark))
    if task.corpus.refused:
        shown = " ".join(task.corpus.refused[:3])
        st.warning(plain(f"{len(task.corpus.refused)} rows could not be read. {shown}"))
    st.markdown(f"**{plain(finding(found))}**")
    st.caption(
        plain(counted(found))
        + " Each share counts only the texts in which the feature is known; the number is given."
    )
    if corrected_shares is not None:
        st.caption(plain(sample_sentence(corrected_shares)))
    title = "Wordings, transfers and comparisons"
    draw_chart(audit_chart(found, _FIRST, title, corrected_shares, dark=is_dark()), "audit")
    _draw_mix(task, corrected_shares)
    with st.expander("Carries, operations and steps"):
        st.caption("Of texts that are read as a whole and solved.")
        chart = audit_chart(found, _FURTHER, "Carries, operations and steps", dark=is_dark())
        draw_chart(chart, "audit of steps")
    with st.expander("Signal words and operations"):
        _draw_signals(task)
    if found.unread:
        with st.expander("Not read, by reason"):
            st.table(
                {"Texts": [n for _, n in found.unread], "Reason": [r for r, _ in found.unread]}
            )
    with st.container(horizontal=True):
        st.download_button(
            "The audit (JSON)",
            lambda: json.dumps(as_json(found, corrected_shares), indent=1).encode(),
            "audit.json",
            "application/json",
            on_click="ignore",
            icon=":material/download:",
        )
        st.button("Forget these texts", on_click=forget, icon=":material/delete:")


def _draw_mix(task: AuditWork, corrected_shares: CorrectedShares | None) -> None:
    pairs = ratios(task.found, None if corrected_shares is None else corrected_shares.ratios())
    if not pairs:
        st.caption("No ratio is known, so there is no mix to train on.")
        return
    mix = read_mix(",".join(f"{name}={a}:{b}" for name, (a, b) in pairs.items()))
    said = ", ".join(f"{name.replace(':', ' to ')} {a}:{b}" for name, (a, b) in pairs.items())
    untold = [name.replace(":", " to ") for name in RATIOS if name not in pairs]
    rest = f" Unknown, and so 1:1: {', '.join(untold)}." if untold else ""
    link(TRAINING_LAB, "Use this mix in the training lab", mix_address(mix))
    st.caption(plain(f"The mix: {said}.{rest}"))


def _draw_signals(task: AuditWork) -> None:
    st.caption(
        "Of the solved texts in which a word stands, how many need an operation. A text with "
        "several steps may need several."
    )
    st.table(
        [
            {
                "word": signal.word,
                "texts": f"{signal.texts:,}",
                "solved": f"{signal.told:,}",
                **{
                    OPERATIONS[share.kind]: f"{share.count:,}" if share.n else NONE
                    for share in signal.operations
                },
            }
            for signal in task.found.signals
        ],
    )
