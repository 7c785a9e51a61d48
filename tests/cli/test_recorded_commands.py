"""Commands about recorded runs, on a fresh folder and without any model."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from biaslab.cli import main


def command(*arguments: str, fails: bool = False) -> str:
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code != 0) is fails, done.output
    return done.output if fails else done.stdout


def test_a_fresh_folder_has_recorded_runs_and_their_effects(recorded: str, tmp_path: Path) -> None:
    db = ("--db", str(tmp_path / "new" / "runs.db"))
    assert command("runs", *db) == ""
    listed = command("runs", "--recorded", *db).splitlines()
    assert listed[0].startswith(f"{recorded}  consistency  local:Qwen2.5-Coder-0.5B-Instruct")
    assert "recorded 2026-11-26 qwen2.5-coder-0.5b-instruct-q4_k_m.gguf" in listed[0]
    rows = json.loads(command("effects", "--recorded", "--format", "json", *db))
    assert {row["run"] for row in rows} == {line.split()[0] for line in listed}
    assert json.loads(command("effects", "--format", "json", *db)) == []
    by = ("effects", "--run", recorded, "--by", "steps", "--format", "json", *db)
    easy = json.loads(command(*by))[0]
    assert (easy["accuracy_x"], easy["accuracy_x_prime"]) == (0.86, 0.32)


def test_a_bundle_of_recorded_runs_is_made_again_and_nothing_changes_them(
    recorded: str, tmp_path: Path
) -> None:
    db = ("--db", str(tmp_path / "runs.db"))
    for change in (("run", "--resume", recorded), ("reread", recorded)):
        assert "read-only" in command(*change, *db, fails=True)
    command("paper", recorded, "--out", str(tmp_path / "paper"), *db)
    assert "Nothing differs." in command("reproduce", str(tmp_path / "paper"))
    assert "all are in your file" in command("open", str(tmp_path / "paper"), *db, fails=True)
    command("report", recorded, "--out", str(tmp_path / "report.html"), *db)
    assert "recorded on 2026-11-26" in (tmp_path / "report.html").read_text(encoding="utf-8")
