"""A bundle opens beside one's own runs: read-only, marked, no part of it passes for own work."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from biaslab.publishing.paper import BundleError, make_paper, open_recorded, reproduce, write_paper
from biaslab.runs import (
    PairMark,
    RecordedRun,
    RunStatus,
    Store,
    change_options,
    close_bundle,
    launch,
    open_store,
    opened_bundles,
    pair_notes,
    prepare,
    run_here,
    save_note,
)
from biaslab.runs.rereading import reread
from biaslab.stats import effects
from tests.publishing.paper.conftest import done, invoke
from tests.publishing.paper.test_bundle import Runs, change, on_line

TABLES = ("bundles", "models", "items", "pairs", "runs", "run_pairs", "responses", "answers")


@pytest.fixture(scope="module")
def paper(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    db, ids = runs
    out = tmp_path_factory.mktemp("recorded") / "paper"
    done("paper", *ids.values(), "--db", db, "--out", out)
    return out


@pytest.fixture
def bundle(paper: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(paper / "bundle", tmp_path / "copy"))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "own.db") as store:
        yield store


def contents(store: Store) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(store.path)) as plain:
        return {t: sorted(map(repr, plain.execute(f"SELECT * FROM {t}"))) for t in TABLES}


def ask_own(store: Store, model: str = "learner:keyword") -> str:
    """The design of the bundle's own runs, asked here."""
    from biaslab.studies import Design

    run = prepare(store, Design("consistency", 24, 3, {"steps": "1-2"}), model, "direct")
    run_here(store, run)
    return run


def test_runs_of_every_study_come_with_the_effects_that_their_maker_saw(paper, runs, own):
    db, ids = runs
    opened = open_recorded(own, paper)

    assert set(opened.runs) == set(ids.values())
    assert opened.differences == ()
    with open_store(db) as there:
        for run in ids.values():
            assert effects(own.outcomes([run])) == effects(there.outcomes([run]))
            assert list(own.pair_rows(run, limit=100)) == list(there.pair_rows(run, limit=100))


def test_what_came_out_otherwise_is_kept_with_it(bundle, own):
    rows = json.loads((bundle / "effects.json").read_text())
    rows[0]["cate"] = 0.123
    change(bundle, "effects.json", lambda _: json.dumps(rows))
    open_recorded(own, bundle, "from a friend")

    (opened,) = opened_bundles(own)
    assert opened.name == "from a friend"
    assert "0.123 in the bundle" in opened.differences[0]


def test_a_recorded_answer_is_never_taken_for_one_that_was_asked_here(paper, own):
    open_recorded(own, paper)
    mine = own.run(ask_own(own))

    assert mine.status is RunStatus.FINISHED
    assert (mine.asked, mine.cached) == (mine.items_total, 0)


def test_two_runs_of_one_model_one_of_them_recorded_stand_beside_each_other(paper, runs, own):
    mine = ask_own(own)
    open_recorded(own, paper)

    (here, there) = effects(own.outcomes([mine, runs[1]["keyword"]]))
    assert (here.cate, here.n, here.model) == (there.cate, there.n, there.model)
    shared = own.outcomes([mine])["pair"].tolist()
    assert shared == own.outcomes([runs[1]["keyword"]])["pair"].tolist()


def test_a_recorded_run_is_neither_asked_nor_changed(paper, runs, own):
    open_recorded(own, paper)
    run = runs[1]["samples"]
    before = contents(own)

    for attempt in (
        lambda: run_here(own, run),
        lambda: launch(own.path, run),
        lambda: reread(own, run),
        lambda: change_options(own, run, own.run(run).options),
    ):
        with pytest.raises(RecordedRun, match="was opened from a bundle"):
            attempt()
    assert contents(own) == before


def test_a_plan_does_not_take_a_recorded_run_for_its_own_cell(paper, own, tmp_path):
    open_recorded(own, paper)
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "studies: [{study: consistency, n: 24, seed: 3, steps: 1-2}]\n"
        "models: [learner:keyword]\nstrategies: [direct]\n"
    )
    result = invoke("matrix", plan, "--db", own.path)

    assert result.exit_code == 0, result.output
    assert sum(run.bundle is None for run in own.runs()) == 1


def test_closing_leaves_the_file_as_it_was(paper, own):
    ask_own(own)
    before = contents(own)
    opened = open_recorded(own, paper)
    close_bundle(own, opened.digest)

    assert contents(own) == before


def test_pairs_that_own_runs_asked_meanwhile_stay_when_a_bundle_is_closed(paper, own):
    opened = open_recorded(own, paper)
    mine = ask_own(own)
    rows = own.pair_rows(mine)
    close_bundle(own, opened.digest)

    assert [run.id for run in own.runs()] == [mine]
    assert own.pair_rows(mine) == rows


def test_the_same_bundle_is_opened_once(paper, own):
    open_recorded(own, paper)
    before = contents(own)

    with pytest.raises(BundleError, match="all are in your file already"):
        open_recorded(own, paper)
    assert contents(own) == before


def test_own_runs_in_a_bundle_stay_ones_own(runs, paper, tmp_path):
    db, ids = runs
    one = tmp_path / "one"
    done("paper", ids["keyword"], "--db", db, "--out", one)
    with open_store(tmp_path / "own.db") as own:
        open_recorded(own, one)
        opened = open_recorded(own, paper)

        assert opened.skipped == (ids["keyword"],)
        close_bundle(own, opened.digest)
        assert [run.id for run in own.runs()] == [ids["keyword"]]
        assert own.pair_detail(ids["keyword"], own.pair_rows(ids["keyword"])[0].pair).x.exchanges


def test_notes_beside_recorded_runs_go_with_their_bundle_and_ones_own_stay(paper, runs, own):
    mine = ask_own(own)
    opened = open_recorded(own, paper)
    theirs = runs[1]["keyword"]
    pair = own.pair_rows(mine)[0].pair
    save_note(own, mine, pair, PairMark.STAR, "of mine")
    save_note(own, theirs, pair, PairMark.STAR, "of theirs")
    assert pair_notes(own, theirs)[pair].text == "of theirs"

    close_bundle(own, opened.digest)

    assert [note.text for note in pair_notes(own, mine).values()] == ["of mine"]
    with closing(sqlite3.connect(own.path)) as plain:
        assert plain.execute("SELECT count(*) FROM pair_notes").fetchone() == (1,)


def test_a_bundle_holds_no_notes_of_its_maker(own, tmp_path):
    mine = ask_own(own)
    save_note(own, mine, own.pair_rows(mine)[0].pair, PairMark.STAR, "for nobody else")
    write_paper(make_paper(own, [mine]), tmp_path / "paper")

    files = [path for path in (tmp_path / "paper").rglob("*") if path.is_file()]
    assert files
    assert not any(b"for nobody else" in path.read_bytes() for path in files)


def test_a_paper_about_recorded_runs_is_made_again_without_a_difference(paper, runs, own, tmp_path):
    open_recorded(own, paper)
    mine = ask_own(own)
    write_paper(make_paper(own, [mine, runs[1]["keyword"]]), tmp_path / "both")

    assert reproduce(tmp_path / "both").differences == ()


def refused(own: Store, bundle: Path) -> str:
    before = contents(own)
    with pytest.raises(BundleError) as error:
        open_recorded(own, bundle)
    assert contents(own) == before
    return str(error.value)


def test_a_bundle_that_was_changed_is_not_opened(bundle, own):
    change(bundle, "answers.jsonl", on_line(0, value="7"), honest=True)

    assert "not as its maker left it" in refused(own, bundle)


@pytest.mark.parametrize("fields", [{"text": "2 + 2?"}, {"answer": "5"}])
@pytest.mark.parametrize("study", ["consistency", "malgorithm", "decision", "concept-learning"])
def test_other_words_behind_an_id_never_reach_ones_own_pairs(bundle, own, fields, study):
    lines = [json.loads(line) for line in (bundle / "items.jsonl").read_text().splitlines()]
    number = next(n for n, line in enumerate(lines) if line["study"] == study)
    change(bundle, "items.jsonl", on_line(number, **fields))
    opened = open_recorded(own, bundle)

    assert any("differ from the bundle" in sentence for sentence in opened.differences)
    assert lines[number]["id"] not in {row[2:18] for row in contents(own)["items"]}


def test_another_partner_behind_a_pairs_id_never_reaches_ones_own_pairs(bundle, own):
    lines = [json.loads(line) for line in (bundle / "pairs.jsonl").read_text().splitlines()]
    number, other = [n for n, line in enumerate(lines) if line["study"] == "consistency"][:2]
    change(bundle, "pairs.jsonl", on_line(number, x=lines[other]["x"]))

    assert "do not fit" in refused(own, bundle)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("models.jsonl", {"kind": "oracle"}),
        ("models.jsonl", {"form": "telepathy"}),
        ("items.jsonl", {"options": ["a"], "facts": {}}),
        ("runs.jsonl", {"samples": 101}),
        ("runs.jsonl", {"id": "x" * 1000}),
        ("runs.jsonl", {"looks": [{"odd": 1}]}),
    ],
)
def test_what_no_screen_could_show_is_refused(bundle, own, name, fields):
    change(bundle, name, on_line(0, **fields))

    assert refused(own, bundle)


def test_a_run_that_no_table_tells_of_is_refused(bundle, own):
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text())
    gone = manifest["tables"][0]["runs"][0]
    for table in manifest["tables"]:
        table["runs"] = [run for run in table["runs"] if run != gone]
    path.write_text(json.dumps(manifest))

    assert "stands in no table" in refused(own, bundle)


ODD = (None, -1, 0, 2**63, 1.5, "", "x", "\x00", "​", [], {}, [[]], True, "running", "recorded:")


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_changed_a_bundle_is_refused_or_can_be_looked_at(bundle, own, seed):
    random = Random(seed)
    name = random.choice(sorted(path.name for path in bundle.glob("*.jsonl")))
    lines = (bundle / name).read_text().splitlines()
    number = random.randrange(len(lines))
    column = random.choice(sorted(json.loads(lines[number])))
    odd = random.choice([each for each in ODD if each != json.loads(lines[number])[column]])
    change(bundle, name, on_line(number, **{column: odd}))
    before = contents(own)
    try:
        open_recorded(own, bundle)
    except BundleError:
        assert contents(own) == before
        return
    for run in own.runs():
        assert run.status not in (RunStatus.READY, RunStatus.RUNNING, RunStatus.INTERRUPTED)
        effects(own.outcomes([run.id]))
        own.answered_items([run.id])
        for row in own.pair_rows(run.id, limit=100):
            own.pair_detail(run.id, row.pair, row.sample)


def test_the_commands_open_list_and_close(paper, runs, tmp_path):
    db = tmp_path / "own.db"
    last = done("open", paper, "--db", db)
    listed = invoke("runs", "--db", db).stdout

    assert last in runs[1].values()
    assert listed.count("  recorded ") == len(runs[1])
    digest = listed.split("  recorded ")[1].split()[0]
    assert "is closed; 8 of its runs" in done("close", digest, "--db", db)
    assert invoke("runs", "--db", db).stdout == ""
    assert "No open bundle is" in invoke("close", digest, "--db", db).stderr
