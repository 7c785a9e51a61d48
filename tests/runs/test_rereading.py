"""Stored responses are read again with another reader: nothing is asked, nothing is lost."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import GenerationRequest, Message, Sampling
from biaslab.runs import ChangedRun, RunBusy, open_store, prepare, run_here
from biaslab.runs.engine import leases
from biaslab.runs.rereading import reread, rereadings
from biaslab.studies import Design
from biaslab.studies.answers.numeric import NUMBERS_READER
from biaslab.studies.study import Reading
from tests.runs.simulation import (
    Behaviour,
    SimulatedModel,
    SumStudy,
    simulated_sources,
)


class DoublesReading(SumStudy):
    """A later reader, which takes the number for half of what is meant."""

    def read(self, item, answered, form):
        found = super().read(item, answered, form)
        value = str(2 * int(found.value))
        return Reading(value, float(value == item.answer), "doubled", "Twice the first number.")


class RefusesReading(SumStudy):
    """A later reader, which reads nothing."""

    def read(self, _item, _answered, _form):
        return Reading(None, None, "nothing", "Nothing is read.")


DOUBLED = simulated_sources(study=DoublesReading(reader="sums 2"))
REFUSED = simulated_sources(study=RefusesReading(reader="sums 3"))


def rows(store, sql, *values):
    with store.reading() as database:
        return list(database.query(sql, values))


def values_of(store, run):
    return [
        row["value"]
        for row in rows(store, "SELECT value FROM answers WHERE run = ? ORDER BY item", run)
    ]


@pytest.mark.parametrize("strategy", ["direct", "two", "scored"])
def test_todays_reader_changes_nothing(store, prepared, do, strategy):
    run = prepared(n=4, strategy=strategy)
    do(run)
    before = rows(store, "SELECT * FROM answers")

    found = reread(store, run, sources=simulated_sources())

    assert not found.changes
    assert found.answers == store.run(run).answered == 8
    assert rows(store, "SELECT * FROM answers") == before
    assert rows(store, "SELECT * FROM earlier_readings") == []


def test_another_reader_gives_other_values_and_the_earlier_ones_are_kept(store, prepared, do):
    run = prepared(n=4)
    do(run)
    before = values_of(store, run)
    responses = rows(store, "SELECT * FROM responses")

    found = reread(store, run, sources=DOUBLED)

    assert values_of(store, run) == [str(2 * int(value)) for value in before]
    assert len(found.changes) == 8
    record = store.run(run)
    assert (record.reader, record.answered, record.invalid) == ("sums 2", 8, 0)
    earlier = rows(store, "SELECT value FROM earlier_readings ORDER BY item")
    assert [row["value"] for row in earlier] == before
    (past,) = rereadings(store, run)
    assert (past.reader_before, past.reader_after, past.changed) == ("sums 1", "sums 2", 8)
    assert rows(store, "SELECT * FROM responses") == responses, "nothing was asked"


def test_readings_that_become_invalid_are_counted_and_come_back(store, prepared, do):
    run = prepared(n=4)
    do(run)
    before = rows(store, "SELECT * FROM answers")

    reread(store, run, sources=REFUSED)
    assert (store.run(run).answered, store.run(run).invalid) == (0, 8)
    assert store.outcomes([run])["y_x"].isna().all()

    reread(store, run, sources=simulated_sources())
    assert (store.run(run).answered, store.run(run).invalid) == (8, 0)
    assert rows(store, "SELECT * FROM answers") == before
    assert [past.number for past in rereadings(store, run)] == [1, 2]


def test_a_look_alone_writes_nothing(store, prepared, do):
    run = prepared(n=3)
    do(run)
    before = values_of(store, run)

    assert len(reread(store, run, keep=False, sources=DOUBLED).changes) == 6

    assert values_of(store, run) == before
    assert store.run(run).reader == "sums 1"
    assert rereadings(store, run) == []


@dataclass(frozen=True)
class AsksOnWhatWasRead:
    """Two requests, of which the second is built on how the first was read."""

    study: SumStudy
    name: str = "built"
    label: str = "built"
    explanation: str = "The second request repeats what was read."
    version: str = "1"

    def next_request(self, item, answered, form):
        if len(answered) > 1:
            return None
        said = "" if not answered else f" You said {self.study.read(item, answered, form).value}."
        return GenerationRequest((Message("text", item.text + said),), Sampling(), item.facts)


def test_where_a_later_request_would_be_another_one_the_run_keeps_its_readings(store):
    def sources(study):
        return simulated_sources(study=replace(study, strategies=(AsksOnWhatWasRead(study),)))

    first = sources(SumStudy())
    run = prepare(store, Design("sums", 3, 1), Behaviour().spec, "built", sources=first)
    run_here(store, run, sources=first)
    before = rows(store, "SELECT * FROM answers")
    assert before

    with pytest.raises(ChangedRun, match="6 of its answers were asked in several requests"):
        reread(store, run, sources=sources(DoublesReading(reader="sums 2")))

    assert rows(store, "SELECT * FROM answers") == before
    assert reread(store, run, sources=first).answers == 6


def test_a_run_that_a_worker_is_at_is_left_alone(store, prepared, do):
    run = prepared(n=3)
    do(run)
    leases.claim(store, run, 60, None)

    with pytest.raises(RunBusy, match="A worker is at run"):
        reread(store, run, sources=DOUBLED)


def test_a_run_that_goes_on_is_first_read_by_one_reader_as_a_whole(store, prepared):
    run = prepared(n=6)
    half = SimulatedModel(Behaviour())
    run_here(store, run, sources=simulated_sources(half), pauses=())
    with store.writing() as connection:
        connection.execute("DELETE FROM answers WHERE item IN (SELECT item FROM answers LIMIT 4)")
        connection.execute("UPDATE runs SET answered = 8, status = 'stopped'")

    ended = run_here(store, run, sources=DOUBLED, pauses=())

    assert (ended.status, ended.reader, ended.items_done) == ("finished", "sums 2", 12)
    assert {row["rule"] for row in rows(store, "SELECT rule FROM answers")} == {"doubled"}


def test_a_file_of_the_third_version_has_runs_without_a_readers_name(tmp_path, monkeypatch):
    from biaslab.runs.store import schema

    path = tmp_path / "old.db"
    with monkeypatch.context() as past:
        past.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        past.setattr(schema, "VERSION", 3)
        past.setattr("biaslab.runs.store.connection.VERSION", 3)
        open_store(path).close()
    old = sqlite3.connect(path)
    old.executescript(
        """
        INSERT INTO models VALUES ('m@1', 'm', 'learner', '1', 'base', '{}');
        INSERT INTO runs (id, study, design, model, strategy, strategy_version,
            library_version, status, pairs_total, items_total, created)
        VALUES ('r', 's', '{"study": "s", "n": 1, "seed": 1, "settings": {}}', 'm@1',
            'direct', '1', '0.4.0', 'finished', 1, 2, '2026-01-01T00:00:00Z');
        """
    )
    old.close()

    with open_store(path) as store:
        assert store.run("r").reader is None
        assert rereadings(store, "r") == []


def test_the_command_reads_answers_of_an_old_run_by_the_question(tmp_path):
    """An answer that the reader of 0.4 took for 11, in a run that knows no reader's name."""
    path = tmp_path / "runs.db"
    with open_store(path) as store:
        run = prepare(store, Design("carry", 2, 1), "learner:perfect", "direct")
        run_here(store, run)
        with store.writing() as connection:
            connection.execute("UPDATE runs SET reader = NULL")
            connection.execute(
                "UPDATE answers SET value = '11', outcome = 0, rule = 'first number'"
            )

    result = CliRunner().invoke(main, ["reread", run, "--db", str(path), "--dry-run"])
    assert result.exit_code == 0, result.output
    assert "4 change" in result.output
    assert "Nothing was written" in result.output

    result = CliRunner().invoke(main, ["reread", run, "--db", str(path)])
    assert result.exit_code == 0, result.output
    with open_store(path) as store:
        assert set(store.outcomes([run])["y_x"]) == {1.0}
        assert store.run(run).reader == NUMBERS_READER


def test_the_command_names_a_run_that_is_not_there(tmp_path):
    open_store(tmp_path / "runs.db").close()
    result = CliRunner().invoke(main, ["reread", "nobody", "--db", str(tmp_path / "runs.db")])
    assert result.exit_code == 1
    assert "There is no run nobody" in result.output


def test_a_run_is_read_in_the_published_way_and_back(tmp_path):
    path = str(tmp_path / "runs.db")
    with open_store(tmp_path / "runs.db") as store:
        run = prepare(store, Design("carry", 3, 1), "learner:perfect", "direct")
        run_here(store, run)
        with store.writing() as connection:
            connection.execute("UPDATE responses SET text = '12 + 3 = ' || text")
    runner = CliRunner()

    result = runner.invoke(main, ["reread", run, "--db", path, "--reader", "published"])
    assert "6 stored answers read again by “published 1”" in result.output, result.output
    with open_store(tmp_path / "runs.db") as store:
        assert set(store.outcomes([run])["y_x"]) == {0.0}
        assert not reread(store, run).changes, "it stays with the reader that was chosen"
        assert store.run(run).reader == "published 1"

    result = runner.invoke(main, ["reread", run, "--db", path, "--reader", "numbers"])
    assert result.exit_code == 0, result.output
    with open_store(tmp_path / "runs.db") as store:
        assert set(store.outcomes([run])["y_x"]) == {1.0}

    result = runner.invoke(main, ["reread", run, "--db", path, "--reader", "longest"])
    assert result.exit_code == 1
    assert "not read by “longest”" in result.output
    assert "numbers or published" in result.output


def test_a_run_that_is_read_in_the_published_way_stays_so_when_it_goes_on(tmp_path):
    with open_store(tmp_path / "runs.db") as store:
        run = prepare(store, Design("carry", 3, 1), "learner:perfect", "direct", reader="published")
        record = run_here(store, run)
    assert (record.reader, record.answered) == ("published 1", 6)
