"""Opening a file of runs: made where there is none, and never touched where it is not right."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from biaslab.runs import (
    DamagedStore,
    NewerStore,
    NotAStore,
    OlderStore,
    StoreError,
    StoreFull,
    StoreUnreadable,
    launch,
    open_store,
)
from biaslab.runs.store import connection, schema
from biaslab.runs.store.connection import connect
from tests.runs.simulation import Behaviour


def content(folder: Path) -> dict[str, str]:
    """Every file below the folder with a hash of its bytes."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


@pytest.fixture
def filled(store, prepared, do):
    """A closed file with one finished run in it."""
    do(prepared(n=200))
    store.close()
    return store.path


class TestGoodFiles:
    def test_a_new_file_is_made_with_its_folders(self, tmp_path):
        with open_store(tmp_path / "some" / "folder" / "runs.db") as store:
            assert store.runs() == []

    def test_an_empty_file_is_taken_as_new(self, tmp_path):
        (tmp_path / "runs.db").touch()

        with open_store(tmp_path / "runs.db") as store:
            assert store.runs() == []

    def test_everything_is_there_when_opened_again(self, filled):
        with open_store(filled) as store:
            (record,) = store.runs()

        assert record.answered == 400

    def test_names_with_special_characters(self, tmp_path):
        for name in ("a b?c.db", "100%.db", "é#1.db"):
            with open_store(tmp_path / name) as store:
                assert store.path.name == name
            with open_store(tmp_path / name):
                pass

    def test_any_sqlite_tool_reads_it(self, filled):
        plain = sqlite3.connect(filled)

        (effect,) = plain.execute("SELECT n, accuracy_x, accuracy_x_prime, cate FROM effects")
        patterns = plain.execute("SELECT pattern, count(*) FROM outcomes GROUP BY 1").fetchall()
        (problems,) = plain.execute("PRAGMA integrity_check").fetchone()

        plain.close()
        assert effect == (200, 1.0, 1.0, 0.0)
        assert patterns == [("both right", 200)]
        assert problems == "ok"

    def test_comments_in_the_file_explain_its_tables(self, filled):
        plain = sqlite3.connect(filled)

        tables = plain.execute("SELECT sql FROM sqlite_master WHERE type = 'table'").fetchall()

        plain.close()
        assert len(tables) == 27
        assert all("--" in sql for (sql,) in tables)

    def test_several_processes_may_make_the_same_file_at_once(self, tmp_path):
        code = "import sys; from biaslab.runs import open_store; open_store(sys.argv[1]).close()"
        path = tmp_path / "runs.db"
        makers = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(4)]

        assert [maker.wait() for maker in makers] == [0, 0, 0, 0]
        with open_store(path) as store:
            assert store.change_counter() == 0

    def test_a_file_that_another_process_is_just_writing_is_not_called_damaged(
        self, filled, monkeypatch
    ):
        """Regression: a header written before the pages it counts was taken for damage."""
        whole = Path(filled).read_bytes()
        half = Path(filled).with_name("half.db")
        half.write_bytes(whole[:4096])
        log = half.with_name("half.db-wal")
        log.touch()

        def the_other_goes_on(_: float) -> None:
            half.write_bytes(whole)
            log.unlink()

        monkeypatch.setattr(connection.time, "sleep", the_other_goes_on)
        with open_store(half) as store:
            assert len(store.runs()) == 1

    def test_opening_again_leaves_other_connections_of_the_process_their_locks(
        self, store, prepared
    ):
        """Regression: reading the header with ``open()`` dropped SQLite's locks, so that a
        worker that ended removed the log which this process was still reading."""
        run = prepared()
        with open_store(store.path) as other:
            other.runs()
        code = (
            "import sys, sqlite3; db = sqlite3.connect(sys.argv[1]);"
            "db.execute('UPDATE runs SET message = message || ?', ['!']); db.commit(); db.close()"
        )

        for seen in ("!", "!!", "!!!"):
            subprocess.run([sys.executable, "-c", code, str(store.path)], check=True)
            assert store.run(run).message == seen

    def test_a_copy_is_whole(self, store, prepared, do, tmp_path):
        run = prepared()
        do(run)

        store.copy_to(tmp_path / "copy.db")

        with open_store(tmp_path / "copy.db") as copy:
            assert copy.run(run) == store.run(run)
        with pytest.raises(StoreError):
            store.copy_to(tmp_path / "no" / "such" / "folder" / "copy.db")


class TestRefusedFiles:
    def refuse(self, path: Path, error: type[StoreError], *words: str) -> None:
        before = content(path.parent)
        with pytest.raises(error) as caught:
            open_store(path)
        assert content(path.parent) == before
        for word in (str(path), "Choose another file", *words):
            assert word.lower() in str(caught.value).lower()

    def test_a_file_with_its_beginning_overwritten(self, filled):
        with filled.open("r+b") as file:
            file.write(b"\0" * 512)

        self.refuse(filled, DamagedStore, "damaged")

    def test_a_truncated_file(self, filled):
        with filled.open("r+b") as file:
            file.truncate(filled.stat().st_size // 2)

        self.refuse(filled, DamagedStore, "damaged")

    @pytest.mark.parametrize("size", [1, 50, 99, 100, 1000])
    def test_a_stump_of_a_file(self, filled, size):
        with filled.open("r+b") as file:
            file.truncate(size)

        self.refuse(filled, DamagedStore)

    def test_a_file_that_is_no_database(self, tmp_path):
        path = tmp_path / "runs.db"
        path.write_text("pair,y_x,y_x_prime\n" * 100)

        self.refuse(path, DamagedStore, "another kind")

    def test_a_file_of_a_newer_version(self, filled):
        plain = sqlite3.connect(filled)
        plain.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
        plain.close()

        self.refuse(filled, NewerStore, "Update BiasLab")

    def test_a_file_from_before_release_0_4(self, filled):
        for version in (1, 2):
            plain = sqlite3.connect(filled)
            plain.execute(f"PRAGMA user_version = {version}")
            plain.close()

            self.refuse(filled, OlderStore, "before 0.4")

    @pytest.mark.parametrize("mark", ["application_id = 7", "user_version = 1"])
    def test_a_marked_file_of_another_program(self, tmp_path, mark):
        path = tmp_path / "runs.db"
        plain = sqlite3.connect(path)
        plain.execute("CREATE TABLE runs (id)")
        plain.execute(f"PRAGMA {mark}")
        plain.close()

        self.refuse(path, NotAStore, "another program")

    def test_an_unmarked_file_of_another_program(self, tmp_path):
        path = tmp_path / "runs.db"
        plain = sqlite3.connect(path)
        plain.execute("CREATE TABLE runs (id)")
        plain.close()

        self.refuse(path, NotAStore, "another program")

    def test_damage_further_inside_is_told_when_it_is_met(self, filled):
        with filled.open("r+b") as file:
            for page in range(2, filled.stat().st_size // 4096):
                file.seek(page * 4096)
                file.write(b"\xff" * 4096)

        with pytest.raises(DamagedStore, match="Put back a copy"), open_store(filled) as store:
            store.outcomes([record.id for record in store.runs()])

    def test_a_folder(self, tmp_path):
        with pytest.raises(StoreUnreadable, match="is a folder"):
            open_store(tmp_path)

    def test_a_path_through_a_file(self, tmp_path):
        (tmp_path / "file").touch()

        with pytest.raises(StoreUnreadable, match="Check that the folder"):
            open_store(tmp_path / "file" / "runs.db")

    @pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permission there")
    @pytest.mark.parametrize("existing", [False, True])
    def test_a_folder_that_may_not_be_written_to(self, tmp_path, filled, existing):
        code = (
            "import sys, os\n"
            "from biaslab.runs import StoreUnreadable, open_store\n"
            "if os.getuid() == 0: os.setgid(65534), os.setuid(65534)\n"
            "try: open_store(sys.argv[1])\n"
            "except StoreUnreadable as error: print(error)\n"
        )
        folder = tmp_path / "shut"
        folder.mkdir()
        if existing:
            (folder / "runs.db").write_bytes(filled.read_bytes())
            (folder / "runs.db").chmod(0o444)
        for parent in [*folder.parents][:3]:
            if parent.owner() == folder.owner():
                parent.chmod(parent.stat().st_mode | 0o055)
        folder.chmod(0o555)

        told = subprocess.run(
            [sys.executable, "-c", code, str(folder / "runs.db")],
            capture_output=True, text=True, cwd=Path.cwd(), check=True,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        ).stdout  # fmt: skip

        folder.chmod(0o755)
        assert "may be written to" in told
        assert str(folder / "runs.db") in told

    def test_a_failing_migration_leaves_the_file_as_it_was(self, filled, monkeypatch):
        def half_done(connection: sqlite3.Connection) -> None:
            connection.execute("CREATE TABLE extra (id)")
            raise sqlite3.IntegrityError("Made to fail.")

        monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, half_done))
        monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
        before = content(filled.parent)

        with pytest.raises(sqlite3.IntegrityError):
            open_store(filled)

        assert content(filled.parent) == before

    def test_an_older_file_is_brought_up_to_date(self, filled, monkeypatch):
        def add_table(connection: sqlite3.Connection) -> None:
            connection.execute("CREATE TABLE extra (id)")

        monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, add_table))
        monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)

        with open_store(filled) as store:
            assert store.runs()[0].answered == 400
            with store.reading() as database:
                assert list(database.query("SELECT * FROM extra")) == []
                assert list(database.query("PRAGMA user_version")) == [
                    {"user_version": schema.VERSION}
                ]

    def test_launching_with_a_damaged_file_is_told(self, filled):
        with filled.open("r+b") as file:
            file.write(b"\0" * 512)

        with pytest.raises(DamagedStore):
            launch(filled, "some run")


class TestFullDisk:
    """A small disk is simulated by SQLite's own limit on the pages of a file."""

    @pytest.fixture
    def small_disk(self, store, monkeypatch):
        def limited(path: Path) -> sqlite3.Connection:
            connection = connect(path)
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages + 3}")
            return connection

        def shrink() -> None:
            monkeypatch.setattr(store, "_opener", limited)
            monkeypatch.setattr("biaslab.runs.engine.writer.connect", limited)

        yield shrink
        monkeypatch.undo()

    def test_a_run_that_fills_the_disk_keeps_what_it_counted(
        self, store, prepared, do, small_disk, monkeypatch
    ):
        run = prepared(Behaviour(text="12 " * 200), n=200)
        store.close()
        small_disk()

        with pytest.raises(StoreFull, match="Free some space"):
            do(run)

        record = store.run(run)
        assert record.status == "failed"
        assert "Free some space" in record.message
        with store.reading() as database:
            (row,) = list(database.query("SELECT count(*) AS stored FROM answers"))
            (check,) = list(database.query("PRAGMA integrity_check"))
        assert row["stored"] == record.items_done < 400
        assert check == {"integrity_check": "ok"}
        monkeypatch.undo()
        store.close()
        assert do(run).items_done == 400

    def test_preparing_on_a_full_disk_leaves_no_run(self, store, prepared, small_disk):
        store.close()
        small_disk()

        with pytest.raises(StoreFull):
            prepared(n=500)

        assert store.runs() == []
