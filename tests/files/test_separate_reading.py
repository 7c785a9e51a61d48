"""Files of strangers are read in a process that can do little else, within bounds."""

from __future__ import annotations

import io
import json
import socket
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biaslab.files import (
    EXPORTS,
    InterchangeError,
    as_imported,
    export_items,
    import_bytes,
    opening,
)
from biaslab.files.formats.spreadsheets import write_xlsx
from biaslab.files.opening import Content, open_table, read_content, read_separately, withstood
from biaslab.publishing.review import read_sheet
from biaslab.studies.decisions.biases import check_given
from biaslab.studies.designs import read_design_file
from biaslab.system import roles
from biaslab.system.confined import ProcessLimits
from biaslab.system.processes import EndedEarly, confined
from biaslab.system.roles import Role
from schoolmath.malrules.bank import BankDesign, make_items
from schoolmath.problems.custom_words import read_custom_words
from tests.files import confined_probe
from tests.loops import over

PROBE = "tests.files.confined_probe"
SMALL = ProcessLimits(memory=2**28, seconds=2, written=100_000)
BOUNDED = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts address space")


@pytest.fixture
def host() -> Iterator[None]:
    """Somebody gives a file who is not the person at this computer."""
    roles.known_by(lambda: Role.HOST)
    yield
    roles.known_by(lambda: Role.HERE)


class TestTheProcess:
    def test_knows_no_key_and_writes_no_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-4711")
        found = json.loads(confined(PROBE, b"look", SMALL))
        assert "sk-planted-4711" not in str(found)
        assert {"HOME", "PATH", "PYTHONPATH"}.isdisjoint(found["environment"])
        assert found["modules"] == ["biaslab", "biaslab.system", "biaslab.system.confined"]
        assert found["wrote"] is (sys.platform == "win32")

    @pytest.mark.parametrize(
        "wanted",
        [pytest.param("memory", marks=BOUNDED), "core", "sleep", "print", "die"],
    )
    def test_that_takes_too_much_or_dies_is_ended_and_nothing_else(self, wanted: str) -> None:
        with pytest.raises(EndedEarly):
            confined(PROBE, wanted.encode(), SMALL._replace(seconds=1))

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux has networks of a process")
    def test_reaches_no_network_where_the_system_lets_it_leave(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            found = json.loads(confined(PROBE, f"connect {port}".encode(), SMALL))
        if found["network"] == str(Path("/proc/self/ns/net").readlink()):
            pytest.skip("programs may have no network of their own here")
        assert not found["reached"]


class TestWhatIsNoTable:
    def test_is_read_apart_once_before_it_is_read_here(self, host: None) -> None:  # noqa: ARG002
        assert withstood(confined_probe.eats, b"fine") == b"fine"

    @BOUNDED
    def test_is_refused_where_it_took_too_much(self, host: None) -> None:  # noqa: ARG002
        with pytest.raises(InterchangeError, match="more memory or time"):
            withstood(confined_probe.eats, b"!")

    def test_is_refused_here_by_its_reader_as_ever(self, host: None) -> None:  # noqa: ARG002
        assert withstood(confined_probe.refuses, b"odd") == b"odd"

    def test_of_the_person_here_is_read_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(opening, "confined", None)
        assert withstood(confined_probe.eats, b"fine") == b"fine"

    @pytest.mark.parametrize(
        "read",
        [read_sheet, read_design_file, read_custom_words, check_given],
        ids=lambda r: r.__name__,
    )
    @pytest.mark.parametrize(
        "data", [b"", b"[" * 30_000, b"\xff\xfe\x00", b"a: &a [*a, *a]", b"{}" * 100_000]
    )
    def test_readers_of_such_files_can_be_told_to_the_process(
        self,
        read: Callable[[bytes], object],
        data: bytes,
        host: None,  # noqa: ARG002
    ) -> None:
        assert withstood(read, data) == data


def _given() -> Iterator[tuple[str, bytes, str]]:
    items = [as_imported(item) for item in make_items(BankDesign(n=4, seed=1))]
    endings = {"moodle": "xml", "qti": "zip"}
    for form in EXPORTS:
        yield form, export_items(items, form).content, f"x.{endings.get(form, form)}"
    table = "question,a,b,key\n½ of 4?,2,3,A\n,,,\nodd\ud800,1,2,A\n"
    yield "csv by hand", table.encode("utf-8", "surrogatepass"), "x.csv"


GIVEN = {form: (data, name) for form, data, name in _given()}


def _read(read: Callable[..., Content], data: bytes, name: str) -> Content | str:
    try:
        return read(data, name)
    except InterchangeError as refused:
        return str(refused)


@over("form", GIVEN)
def test_what_is_read_separately_is_what_is_read_here(form: str) -> None:
    data, name = GIVEN[form]
    here, there = _read(read_content, data, name), _read(read_separately, data, name)
    if isinstance(here, str) or isinstance(there, str):
        assert there == here
        return
    if here.rows is None:
        assert there == here
        return
    assert there.rows is not None
    assert list(there.rows.rows) == list(here.rows.rows)
    assert (there.rows.columns, there.rows.remarks) == (here.rows.columns, here.rows.remarks)
    assert (there.form, there.found_by, there.encoding, there.remarks) == (
        here.form, here.found_by, here.encoding, here.remarks
    )  # fmt: skip


def test_only_the_person_at_this_computer_has_files_read_in_the_app_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    def note(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> object:
        read.append(name)
        return read_content(data, name, form, is_table=is_table)

    monkeypatch.setattr(opening, "read_separately", note)
    try:
        for role in Role:
            roles.known_by(lambda role=role: role)
            open_table(b"a,b\n1,2\n", str(role))
    finally:
        roles.known_by(lambda: Role.HERE)
    assert read == [str(role) for role in Role if role is not Role.HERE]


def _sheet_with_styles(many: int) -> bytes:
    """A spreadsheet of some kilobytes that says millions of times how a cell looks."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(write_xlsx(["question"], [["q"]]))) as plain,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package,
    ):
        for name in plain.namelist():
            content = plain.read(name)
            if name == "xl/styles.xml":
                assert b"</cellXfs>" in content
                content = content.replace(b"</cellXfs>", b"<xf/>" * many + b"</cellXfs>")
            package.writestr(name, content)
    return out.getvalue()


@BOUNDED
@pytest.mark.usefixtures("host")
@pytest.mark.parametrize(
    ("data", "name"),
    [
        (lambda: b"[" + b"{}," * 3_000_000 + b"{}]", "many.json"),
        (lambda: _sheet_with_styles(3_000_000), "styles.xlsx"),
    ],
    ids=["records in JSON", "styles of a spreadsheet"],
)
def test_a_small_file_that_takes_gigabytes_or_minutes_is_refused(
    data: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read in the app itself, these took its memory and a core from everybody."""
    monkeypatch.setattr(
        opening, "BOUNDS", ProcessLimits(memory=400 * 2**20, seconds=10, written=2**20)
    )
    with pytest.raises(InterchangeError) as refused:
        import_bytes(data(), name)  # type: ignore[operator]
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "said",
    [
        b"", b"[]", b"{}", b"null", b"[" * 100_000, b'{"refused": 1}',
        b'{"form":1,"found_by":1,"encoding":1,"remarks":1,"rows":1,"items":1}',
        b'{"form":"","found_by":"","encoding":"","remarks":[],"rows":{"columns":[],"remarks":[],'
        b'"rows":[[1]]},"items":null}',
    ],
)  # fmt: skip
def test_whatever_such_a_process_says_is_a_sentence(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "confined", lambda *_: said)
    with pytest.raises(InterchangeError):
        read_separately(b"a,b", "x.csv")
