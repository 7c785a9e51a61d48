"""Runs that other people recorded: opening a bundle of them, what came of it, closing it again."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from biaslab.publishing.paper import BundleError, open_recorded
from biaslab.runs import (
    OpenedBundle,
    RunError,
    RunRecord,
    close_bundle,
    opened_bundles,
    recording_of,
)
from biaslab.system.roles import May
from biaslab.ui.navigation import EFFECTS, ITEMS, RUNS, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.run_words import RECORDED, RECORDED_HERE, recorded_words
from biaslab.ui.widgets.words import moment, plain
from schoolmath.text.figures import count

_LARGEST_MIB = 64
"""Of an archive that a browser brings; `biaslab open` takes larger ones."""
_UPLOAD = "upload of a bundle"
_JUST_OPENED = "bundle just opened"
_NAMED = 8
"""So many differences are told; there are seldom more than a few kinds."""


def draw_bundles() -> None:
    """Draws the bundles that are open, and the opening of another one."""
    opened = opened_bundles(queries.store())
    with st.expander(
        "Open runs that others recorded",
        icon=RECORDED,
        expanded=not queries.runs_in_file(),
        key="recorded",
    ):
        _draw_opening()
        if opened:
            st.caption(f"{count(len(opened), 'bundle')} open")
        for bundle in opened:
            _draw_opened(bundle)


def draw_provenance(run: RunRecord) -> None:
    """Says of a recorded run whose record it is, and what came of making it again here."""
    if recording := recording_of(run):
        st.info(f"{recorded_words(recording)} {RECORDED_HERE}", icon=RECORDED)
        return
    bundle = next((b for b in opened_bundles(queries.store()) if b.digest == run.bundle), None)
    if bundle is None:
        return
    zone = st.context.timezone
    st.info(
        plain(
            f"Recorded by somebody else and read-only: from “{bundle.name}”, opened "
            f"{moment(bundle.opened, zone)}, made with BiasLab {_version(bundle)}. "
            f"{_outcome(bundle)}"
        ),
        icon=RECORDED,
    )
    _draw_differences(bundle)


def _draw_opening() -> None:
    if visitor.refused(May.BUNDLE):
        return
    st.caption(
        "Look at what others asked, without a key: a bundle is in every **Paper (ZIP)** that "
        "BiasLab writes. It is made again here first, and its runs then stand beside yours, "
        "read-only, on this page, Effects and Items."
    )
    chosen = st.file_uploader(
        "A bundle, or a paper with one (ZIP)",
        type=["zip"],
        max_upload_size=_LARGEST_MIB,
        key=f"{_UPLOAD} {st.session_state.get(_UPLOAD, 0)}",
        help=f"At most {_LARGEST_MIB} MiB. It stays on this computer.",
    )
    if chosen is None:
        return
    with st.status(f"Opening {plain(chosen.name)} …", expanded=True) as status:
        st.write("Its files are being read. This takes some seconds for each run.")
        try:
            with TemporaryDirectory(prefix="biaslab-upload-") as folder:
                path = Path(folder) / "bundle.zip"
                path.write_bytes(chosen.getvalue())
                done = open_recorded(
                    queries.store(), path, chosen.name, lambda said: st.write(plain(said))
                )
        except BundleError as error:
            status.update(label=f"{plain(chosen.name)} was not opened", state="error")
            st.error(plain(str(error)), icon=":material/error:")
            return
    # Another key is another uploader: what was opened is not opened again by the next click.
    st.session_state[_UPLOAD] = st.session_state.get(_UPLOAD, 0) + 1
    st.session_state[_JUST_OPENED] = done.digest
    st.rerun()


def _draw_opened(bundle: OpenedBundle) -> None:
    with st.container(border=True):
        if st.session_state.get(_JUST_OPENED) == bundle.digest:
            st.success(f"{count(len(bundle.runs), 'run')} opened. They stand in the list above.")
        st.markdown(f"**{plain(bundle.name)}**")
        st.caption(
            plain(
                f"{count(len(bundle.runs), 'run')} · opened "
                f"{moment(bundle.opened, st.context.timezone)} · BiasLab {_version(bundle)} · "
                f"SHA-256 {bundle.digest[:12]}…"
            )
        )
        st.markdown(plain(_outcome(bundle)))
        _draw_differences(bundle)
        with st.container(horizontal=True, vertical_alignment="center"):
            if bundle.runs:
                link(EFFECTS, "Effects of its runs", {"runs": ",".join(bundle.runs)})
                link(ITEMS, "Items of the newest", {"run": bundle.runs[0]})
                link(RUNS, "The newest run", {"run": bundle.runs[0]})
            if visitor.may(May.BUNDLE) and st.button(
                "Close",
                icon=":material/close:",
                key=f"close {bundle.digest}",
                help="Takes its runs out of your file, with your marks and notes beside them. "
                "Your own runs stay as they are.",
            ):
                try:
                    close_bundle(queries.store(), bundle.digest)
                except RunError as error:
                    st.error(plain(str(error)))
                    return
                st.rerun()


def _draw_differences(bundle: OpenedBundle) -> None:
    if not bundle.differences:
        return
    with st.expander(f"What came out otherwise ({len(bundle.differences)})"):
        st.markdown("\n".join(f"- {plain(each)}" for each in bundle.differences[:_NAMED]))
        if len(bundle.differences) > _NAMED:
            st.caption(f"And {len(bundle.differences) - _NAMED:,} more; `biaslab reproduce` tells.")


def _version(bundle: OpenedBundle) -> str:
    return bundle.versions.get("biaslab", "of no named version")[:40]


def _outcome(bundle: OpenedBundle) -> str:
    if bundle.differences:
        return "Made again here, not everything came out as it says: read on before you rely on it."
    return "Made again here: pairs, prompts, readings and effects come out as it says."
