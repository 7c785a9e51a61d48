"""The panel "Keep this design": saved by name with versions, as a link, and as a JSON file."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.opening import withstood
from biaslab.runs import (
    RunError,
    SavedDesign,
    delete_design,
    design_versions,
    newest_designs,
    rename_design,
    save_design,
)
from biaslab.runs.library.designs import LONGEST_NAME
from biaslab.studies import Design, experiment, experiments
from biaslab.studies.designs import (
    FiledDesign,
    check_known,
    read_design_file,
    write_design_file,
)
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import address_now, set_address
from biaslab.ui.widgets.visitor import is_here
from biaslab.ui.widgets.words import moment, plain
from schoolmath.problems import ProblemError
from schoolmath.text.figures import count

_NAME, _CHOSEN, _VERSION = "design name", "saved design", "saved version"
_NEW_NAME, _SAID, _FILE = "design new name", "design said", "design file"
_OWN = ("part", "pair")
"""Parameters of Compose that belong to one design and mean nothing for another."""


def draw_keeping(design: Design) -> None:
    """Draws all ways of keeping a design and of coming back to one."""
    _draw_messages()
    _draw_saving(design)
    _draw_saved()
    st.divider()
    _draw_sending(design)
    _draw_file()


def _draw_saving(design: Design) -> None:
    with st.form("save design", border=False):
        name, button = st.columns([3, 1], vertical_alignment="bottom")
        with name:
            st.text_input(
                "Save it here under a name",
                key=_NAME,
                max_chars=200,
                placeholder="Such as: Two transfers",
                help="Under a name that is used already it becomes that design’s next version; "
                "earlier versions stay.",
            )
        with button:
            st.form_submit_button("Save", key="save design button", on_click=_save, args=(design,))


def _draw_saved() -> None:
    newest = {saved.name: saved for saved in newest_designs(queries.store())}
    if not newest:
        st.caption("No design is saved yet. A saved one is listed here, with all its versions.")
        return
    if st.session_state.get(_CHOSEN) not in newest:
        st.session_state[_CHOSEN] = next(iter(newest))
    left, right = st.columns([2, 2])
    with left:
        name = choosing.selectbox("Saved designs", list(newest), key=_CHOSEN)
    assert name is not None
    versions = {saved.version: saved for saved in design_versions(queries.store(), name)}
    if st.session_state.get(_VERSION) not in versions:
        st.session_state[_VERSION] = next(iter(versions), None)
    with right:
        version = choosing.selectbox(
            "Version",
            list(versions),
            format_func=lambda number: _version_words(versions[number]),
            key=_VERSION,
        )
    if version is None:
        return
    st.caption(plain(_summary(versions[version].design)))
    with st.container(horizontal=True):
        st.button(
            "Open", key="open design", icon=":material/folder_open:",
            on_click=_open, args=(versions[version].design, name),
        )  # fmt: skip
        with st.popover("Rename"):
            st.text_input("New name", key=_NEW_NAME, max_chars=200)
            st.button("Give this name", key="rename design", on_click=_rename, args=(name,))
        with st.popover("Delete"):
            st.markdown(
                f"This deletes {count(len(versions), 'version')} of **{plain(name)}**. Runs that "
                "were made from them stay as they are."
            )
            st.button("Delete this design", key="delete design", on_click=_delete, args=(name,))


def _draw_sending(design: Design) -> None:
    st.markdown("**Give it to somebody**")
    st.caption(
        "The link opens exactly this design, with the same pairs, in any BiasLab of this version"
        + (
            ". Its beginning is the address of your own computer: others put that of their "
            "BiasLab there."
            if is_here()
            else "."
        )
    )
    st.code(link_to(design), language=None, wrap_lines=True)
    name = " ".join(str(st.session_state.get(_NAME, "")).split())[:LONGEST_NAME]
    st.download_button(
        "Design (JSON)",
        lambda: write_design_file(design, name),
        f"biaslab-design-{design.study}.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
        key="design json",
    )


def _draw_file() -> None:
    file = st.file_uploader(
        "Open a design from a JSON file",
        type=["json"],
        max_upload_size=1,
        key=_FILE,
        help="A file that was made with “Design (JSON)”, here or in another BiasLab.",
    )
    if file is None:
        return
    try:
        filed = read_design_file(withstood(read_design_file, file.getvalue()))
    except (InterchangeError, ProblemError) as error:
        st.error(f"The file is refused. {plain(str(error))}", icon=":material/error:")
        return
    _draw_filed(filed)


def _draw_filed(filed: FiledDesign) -> None:
    name = f"**{plain(filed.name)}**: " if filed.name else ""
    made_by = f" Made by {plain(filed.made_by)}." if filed.made_by else ""
    st.markdown(f"{name}{plain(_summary(filed.design))}{made_by}")
    st.button(
        "Open this design", key="open filed design", icon=":material/folder_open:",
        on_click=_open, args=(filed.design, filed.name),
    )  # fmt: skip


def link_to(design: Design) -> str:
    """The address of Compose with this design."""
    page = urlsplit(st.context.url or "http://localhost:8501/compose")
    path = page.path if page.path.rstrip("/").endswith("compose") else "/compose"
    return urlunsplit((page.scheme, page.netloc, path, urlencode(address_of(design)), ""))


def _summary(design: Design) -> str:
    try:
        title = experiment(design.study).title
    except ProblemError:
        title = design.study
    settings = ", ".join(f"{name} {value}" for name, value in design.settings.items())
    shown = f"{title}; {count(design.n, 'pair')}, seed {design.seed}"
    return f"{shown}; {settings}." if settings else f"{shown}."


def _version_words(saved: SavedDesign) -> str:
    when = moment(saved.saved, st.context.timezone)
    return f"{saved.version}, saved {when} with BiasLab {saved.library_version}"


def _save(design: Design) -> None:
    try:
        saved = save_design(queries.store(), st.session_state[_NAME], design)
    except RunError as error:
        _say(str(error), wrong=True)
        return
    st.session_state[_CHOSEN] = saved.name
    st.session_state[_VERSION] = saved.version
    _say(f"Saved as “{saved.name}”, version {saved.version}.")


def _open(design: Design, name: str) -> None:
    try:
        check_known(design)
    except ProblemError as error:
        _say(f"It cannot be opened here. {error}", wrong=True)
        return
    settings = {setting.name for study in experiments().values() for setting in study.settings}
    gone = {*settings, *_OWN}
    others = {key: text for key, text in address_now().items() if key not in gone}
    set_address(others | address_of(design))
    st.session_state[_NAME] = name
    _say(f"“{name}” is open." if name else "The design is open.")


def _rename(name: str) -> None:
    new = " ".join(str(st.session_state[_NEW_NAME]).split())
    try:
        rename_design(queries.store(), name, new)
    except RunError as error:
        _say(str(error), wrong=True)
        return
    st.session_state[_CHOSEN] = new
    st.session_state[_NEW_NAME] = ""
    _say(f"“{name}” is now called “{new}”.")


def _delete(name: str) -> None:
    try:
        delete_design(queries.store(), name)
    except RunError as error:
        _say(str(error), wrong=True)
        return
    _say(f"“{name}” is deleted.")


def _say(text: str, *, wrong: bool = False) -> None:
    """Tells what became of a click, once, when the page is drawn next."""
    st.session_state[_SAID] = (text, wrong)


def _draw_messages() -> None:
    said: tuple[str, bool] | None = st.session_state.pop(_SAID, None)
    if said is None:
        return
    text, wrong = said
    if wrong:
        st.error(plain(text), icon=":material/error:")
    else:
        st.success(plain(text), icon=":material/check:")
