"""Where the file of runs is by default, and what the worker's command line says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from biaslab.runs import RunStatus, default_database, log_path, open_store
from biaslab.runs.engine.worker import main
from tests.runs.simulation import Behaviour, simulated_sources


class TestDefaultDatabase:
    def test_the_environment_names_another_file(self, monkeypatch, tmp_path):
        monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "mine.db"))

        assert default_database() == tmp_path / "mine.db"

    def test_the_home_directory_may_be_written_short(self, monkeypatch):
        monkeypatch.setenv("BIASLAB_DB", "~/mine.db")

        assert default_database() == Path.home() / "mine.db"

    def test_without_it_the_users_data_directory_is_taken(self, monkeypatch):
        monkeypatch.delenv("BIASLAB_DB", raising=False)

        assert default_database().is_absolute()
        assert default_database().name == "runs.db"

    @pytest.mark.skipif(sys.platform != "linux", reason="the folder is named by XDG_DATA_HOME")
    def test_its_own_folder_is_for_its_owner_alone_and_another_stays(self, monkeypatch, tmp_path):
        monkeypatch.delenv("BIASLAB_DB", raising=False)
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        of_before, shared, new = tmp_path / "biaslab", tmp_path / "shared", tmp_path / "new"
        for folder in (of_before, shared):
            folder.mkdir(mode=0o755)

        for database in (default_database(), shared / "runs.db", new / "runs.db"):
            open_store(database).close()

        modes = [oct(each.stat().st_mode & 0o777) for each in (of_before, shared, new)]
        assert modes == ["0o700", "0o755", "0o700"]

    def test_logs_are_beside_the_file(self, tmp_path):
        assert log_path(tmp_path / "a.db", "r1") == tmp_path / "a-logs" / "r1.log"


class TestWorkerCommand:
    def test_it_does_a_run(self, store, prepared):
        run = prepared(n=3)

        status = main(["--db", str(store.path), "--run", run], simulated_sources())

        assert status == 0
        assert store.run(run).status is RunStatus.FINISHED

    def test_a_failed_run_shows_in_the_exit_status(self, store, prepared):
        run = prepared(Behaviour(failing=1, fails=99), n=100)

        assert main(["--db", str(store.path), "--run", run], simulated_sources()) == 1

    def test_an_unknown_run_is_told(self, store, caplog):
        assert main(["--db", str(store.path), "--run", "nowhere"], simulated_sources()) == 2
        assert "There is no run nowhere" in caplog.text

    def test_the_real_worker_starts_without_torch(self, tmp_path):
        code = (
            "import sys, biaslab.runs.engine.worker as w\n"
            "print(w.main(['--db', sys.argv[1], '--run', 'nowhere']))\n"
            "print([m for m in ('torch', 'transformers', 'streamlit') if m in sys.modules])"
        )

        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "runs.db")],
            capture_output=True, text=True, check=True,
        )  # fmt: skip

        assert done.stdout.split("\n")[:2] == ["2", "[]"]
