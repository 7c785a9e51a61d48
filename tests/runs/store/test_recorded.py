"""The gallery of recorded runs that comes with BiasLab, and the command that makes it."""

from __future__ import annotations

import re
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from biaslab.models import Completion, ModelForm
from biaslab.runs import (
    RecordedRun,
    StoreUnreadable,
    UnknownRun,
    gallery,
    open_store,
    run_here,
)
from biaslab.runs.recording import recordings
from biaslab.runs.rereading import reread
from biaslab.runs.store.store import Store
from biaslab.stats import cate_of_counts
from biaslab.studies import experiment

SHIPPED = Path(__file__).resolve().parents[3] / "assets" / "recorded"
COT = "r560df2fe621"
"""Consistency, step by step."""


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Store:
    monkeypatch.setenv("BIASLAB_RECORDED", str(SHIPPED))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = gallery()
    assert found is not None
    return found


def test_every_answer_is_what_today_s_reader_reads_in_its_responses(shipped: Store) -> None:
    assert [run.id for run in shipped.runs()] == [run for r in recordings() for run in r.runs]
    for run in shipped.runs():
        study = experiment(run.study)
        assert (run.reader, run.failed, run.items_done) == (study.reader, 0, run.items_total)
        with shipped.reading() as database:
            held = {row["item"]: row for row in database.query(
                "SELECT item, value, outcome FROM answers WHERE run = ?", [run.id])}  # fmt: skip
        for row in shipped.pair_rows(run.id, limit=1000):
            detail = shipped.pair_detail(run.id, row.pair)
            for member in (detail.x, detail.x_prime):
                responses = [stage.answered for stage in member.stages]
                assert all(isinstance(each, Completion) and each.finish for each in responses)
                read = study.read(member.item, responses, ModelForm(run.model_form))
                of_file = held[member.item.id]
                assert (read.value, read.outcome) == (of_file["value"], of_file["outcome"])


def test_the_figures_are_those_of_the_design_note(shipped: Store) -> None:
    easy = shipped.paired_counts(COT, {"steps": 1})
    assert (easy.both + easy.only_x, easy.both + easy.only_x_prime) == (43, 16)
    effect = cate_of_counts(easy.both, easy.only_x, easy.only_x_prime, easy.neither)
    assert effect.cate == pytest.approx(0.54)
    assert effect.ci_low == pytest.approx(0.33, abs=0.02)
    assert effect.ci_high == pytest.approx(0.69, abs=0.02)
    whole = shipped.paired_counts(COT)
    assert (whole.unread_x, whole.unread_x_prime) == (1, 3)


def test_recorded_runs_stand_beside_those_of_any_file_and_cannot_be_changed(
    shipped: Store, tmp_path: Path
) -> None:
    with open_store(tmp_path / "own.db") as own:
        assert own.run(COT).bundle
        assert (own.holding(COT), own.holding("abc")) == (shipped, own)
        rows = own.pair_rows(COT, limit=1)
        assert own.runs_sharing(COT, rows[0].pair) == ["rb55cac02394"]
        both = own.outcomes([COT, "rb55cac02394"])
        assert list(both["run"]) == [COT] * 250 + ["rb55cac02394"] * 250
        for change in (run_here, reread):
            with pytest.raises(RecordedRun, match="only to be looked at"):
                change(own, COT)
        assert own.runs() == []
    with pytest.raises(StoreUnreadable, match="readonly"), shipped.writing() as connection:
        connection.execute("DELETE FROM answers")


def test_nothing_in_it_tells_of_a_computer(shipped: Store) -> None:
    told = re.compile(r"/(?:home|root|tmp|Users|work|var|mnt)/|[A-Z]:\\\w")
    with closing(sqlite3.connect(shipped.path)) as database:
        dump = list(database.iterdump())
    for text in (*dump, (SHIPPED / "recordings.yaml").read_text(encoding="utf-8")):
        assert not told.search(text), text[:200]
        assert socket.gethostname() not in text


def test_a_damaged_gallery_is_a_sentence_and_none_at_all_is_empty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BIASLAB_RECORDED", str(tmp_path))
    assert gallery() is None
    with open_store(tmp_path / "own.db") as own, pytest.raises(UnknownRun):
        own.run(COT)
    whole = (SHIPPED / "runs.db.xz").read_bytes()
    for damaged in (whole[: len(whole) // 2], b"no archive", b""):
        (tmp_path / "runs.db.xz").write_bytes(damaged)
        with pytest.raises(StoreUnreadable, match="cannot be unpacked"):
            gallery()
    assert not list((tmp_path / "cache").rglob("*.part"))
