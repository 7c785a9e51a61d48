"""The gallery of recorded runs that comes with BiasLab, and the command that makes it."""

from __future__ import annotations

import gzip
import json
import lzma
import re
import socket
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from biaslab.models import Completion, ModelForm
from biaslab.runs import (
    AnswerState,
    RecordedRun,
    RunError,
    RunOptions,
    StoreUnreadable,
    UnknownRun,
    gallery,
    is_recorded,
    open_store,
    prepare,
    run_here,
)
from biaslab.runs.recording import (
    BEGIN,
    END,
    Recording,
    add,
    again,
    check_nothing_told,
    make_again,
    recording_of_runs,
    recordings,
    table,
)
from biaslab.runs.rereading import reread
from biaslab.runs.store.encoding import write_request
from biaslab.runs.store.store import Store
from biaslab.stats import cate_of_counts, effects
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import Length
from tests.conftest import SHIPPED_RECORDED as SHIPPED
from tests.models.random_models import make_network, make_tokenizer

COT = "r560df2fe621"
"""Consistency, step by step."""


@pytest.fixture
def shipped(recorded: str) -> Store:
    found = gallery()
    assert found is not None
    assert found.run(recorded).study == "consistency"
    return found


def test_every_answer_is_what_today_s_reader_reads_in_its_responses(shipped: Store) -> None:
    assert [run.id for run in shipped.runs()] == [run for r in recordings() for run in r.runs]
    for run in shipped.runs():
        study = experiment(run.study)
        assert (run.reader, run.items_done) == (study.reader, run.items_total)
        # A model may write without an end: such an answer is missing, and there are few.
        assert run.failed <= run.items_total / 100
        with shipped.reading() as database:
            held = {row["item"]: row for row in database.query(
                "SELECT item, value, outcome FROM answers WHERE run = ?", [run.id])}  # fmt: skip
        for row in shipped.pair_rows(run.id, limit=1000):
            detail = shipped.pair_detail(run.id, row.pair)
            for member in (detail.x, detail.x_prime):
                if member.state is AnswerState.FAILED:
                    assert "Cut off" in member.reason
                    continue
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
            with pytest.raises(RecordedRun, match="read-only"):
                change(own, COT)
        assert own.runs() == []
    with pytest.raises(StoreUnreadable, match="readonly"), shipped.writing() as connection:
        connection.execute("DELETE FROM answers")


def test_nothing_in_it_tells_of_a_computer(shipped: Store) -> None:
    with closing(sqlite3.connect(shipped.path)) as database:
        check_nothing_told(database, [re.escape(socket.gethostname())])
    assert not re.search(r"/(?:home|root|tmp)/", (SHIPPED / "recordings.yaml").read_text("utf-8"))


def test_a_damaged_gallery_is_a_sentence_and_none_at_all_is_empty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BIASLAB_RECORDED", str(tmp_path))
    assert gallery() is None
    with open_store(tmp_path / "own.db") as own, pytest.raises(UnknownRun):
        own.run(COT)
    whole = (SHIPPED / "runs.db.xz").read_bytes()
    cut_off, other = lzma.decompress(whole)[:100_000], tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE of_another_program (column)")
    foreign = other.read_bytes()
    for damaged in (
        whole[: len(whole) // 2], b"no archive", b"", lzma.compress(b"no file of runs"),
        lzma.compress(cut_off), lzma.compress(foreign),
    ):  # fmt: skip
        (tmp_path / "runs.db.xz").write_bytes(damaged)
        with pytest.raises(StoreUnreadable, match=r"runs\.db\.xz cannot be used"):
            gallery()
    assert not list((tmp_path / "cache").rglob("*.part"))


@pytest.fixture
def empty_gallery(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("BIASLAB_RECORDED", str(tmp_path / "gallery"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "gallery"


TOLD = Recording(
    "Small-1", "small.safetensors", "0" * 64, "float32", "transformers", "a processor",
    "2026-11-27", "MIT", "a test",
)  # fmt: skip


def test_a_run_is_recorded_without_a_word_of_the_computer_that_asked(
    empty_gallery: Path, tmp_path: Path
) -> None:
    tokenizer = make_tokenizer(adds_bos=True, pad=False, template="")
    folder = tmp_path / "somebody" / "model"
    make_network("llama", len(tokenizer), max_position_embeddings=2048).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    short = RunOptions(length=Length(tokens=8, go_on=0))
    with open_store(tmp_path / "own.db") as own:
        runs = [
            prepare(
                own, Design("consistency", n, 1, {}), f"local:{folder}", "direct", options=short
            )
            for n in (2, 3)
        ]
        with pytest.raises(RunError, match="not finished"):
            add(TOLD, own, runs)
        for run in runs:
            run_here(own, run)
        with pytest.raises(RunError, match="give --file, --sha256"):
            recording_of_runs("Small-1", own, runs[0], {})
        (small,) = add(TOLD, own, runs[:1])
        first = (empty_gallery / "runs.db.xz").read_bytes()
        assert add(TOLD, own, runs[:1]) == [small]
        assert (empty_gallery / "runs.db.xz").read_bytes() == first
        (larger,) = add(TOLD, own, runs[1:])
        assert [own.run(run).model_spec for run in (small, larger)] == ["local:Small-1"] * 2
        for run, recorded in zip(runs, (small, larger), strict=True):
            assert is_recorded(recorded)
            mine, theirs = (
                own.outcomes([each]).drop(columns=["run", "model", "recorded"])
                for each in (run, recorded)
            )
            assert mine.equals(theirs)
            assert own.differing(run, recorded) == []
        with pytest.raises(RunError, match="recorded already, otherwise"):
            add(replace(TOLD, date="2026-11-28"), own, runs)
        with pytest.raises(RunError, match="mention the computer"):
            add(replace(TOLD, name="Other", device=f"the one with {tmp_path}"), own, runs)
    whole = gallery()
    assert whole is not None
    with closing(sqlite3.connect(whole.path)) as database:
        assert str(tmp_path) not in "\n".join(database.iterdump())
    before = (empty_gallery / "runs.db.xz").read_bytes()
    assert all("no answer changed" in sentence for sentence in again())
    assert (empty_gallery / "runs.db.xz").read_bytes() == before
    listing = empty_gallery / "recordings.yaml"
    listing.write_text(listing.read_text(encoding="utf-8").replace(f"  - {larger}\n", ""))
    again()
    found = gallery()
    assert found is not None
    assert [run.id for run in found.runs()] == [small]


def test_a_folder_is_told_from_a_line_that_ends_with_a_colon() -> None:
    texts = {
        r"solve for A:\nThen": False, "of B:\n": False, "3/home": False,
        r"C:\\data\\me": True, r"C:\Users\me": True, "see /home/me/x": True,
    }  # fmt: skip
    wrong = []
    for text, tells in texts.items():
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE TABLE responses (text)")
            database.execute("INSERT INTO responses VALUES (?)", [text])
            try:
                check_nothing_told(database, [])
            except RunError:
                wrong += [] if tells else [text]
            else:
                wrong += [text] if tells else []
    assert not wrong


def test_what_a_recording_does_not_hold_is_missing_and_no_answer(
    tmp_path: Path, shipped_lines: list[str]
) -> None:
    path = tmp_path / "given.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(shipped_lines[:-1]).encode()))
    with open_store(tmp_path / "given.db") as given:
        (run,) = make_again(path, TOLD, given, n=2, seed=1)
        record = given.run(run)
        assert (record.items_total, record.answered + record.invalid, record.failed) == (4, 3, 1)
        assert given.failures(run)[0].reason == "The recording has no such request."
        assert [run.created[:10] for run in given.runs()] == ["2026-11-27"]


@pytest.fixture
def shipped_lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first four requests of a shipped run with their responses, as a recording has them."""
    with monkeypatch.context() as away:
        away.setenv("BIASLAB_RECORDED", str(SHIPPED))
        held = gallery()
        assert held is not None
        lines = []
        for row in held.pair_rows("r492fc7156c1", limit=2):
            detail = held.pair_detail("r492fc7156c1", row.pair)
            for (exchange,) in (detail.x.exchanges, detail.x_prime.exchanges):
                answered = exchange.answered
                assert isinstance(answered, Completion)
                lines.append(json.dumps({
                    "study": "carry", "strategy": "direct",
                    "request": json.loads(write_request(exchange.request)),
                    "text": answered.text, "finish": answered.finish,
                    "tokens_in": answered.tokens_in, "tokens_out": answered.tokens_out,
                }))  # fmt: skip
    return lines


@pytest.mark.usefixtures("shipped")
def test_the_table_of_the_documentation_is_today_s() -> None:
    text = (SHIPPED.parents[1] / "docs" / "real-models.md").read_text(encoding="utf-8")
    assert f"{BEGIN}\n{table()}\n{END}" in text


def test_q_of_one_s_own_runs_is_the_same_with_recorded_ones_beside(shipped: Store) -> None:
    outcomes = shipped.outcomes([COT, "rb55cac02394"])
    own = outcomes.assign(run="own" + outcomes["run"].str[:2], recorded=False)
    alone, beside = effects(own), effects(pd.concat([own, outcomes], ignore_index=True))
    assert beside[:2] == alone
    assert [row.q_bh for row in beside[2:]] == [row.q_bh for row in effects(outcomes)]
    assert "recorded models" in beside[2].method
