"""The runner trains what is missing in the order of the plan, and nothing twice."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace

import pytest
import torch

from biaslab.audit.auditing import public_corpora
from biaslab.stats.errors import BrokenAssets
from biaslab.training import heartbeat
from biaslab.training.plan import TrainingBusy, TrainingError
from biaslab.training.trainer import CHECKS_FILE, RESUME_FILE, STOP_FILE
from research.experiment.design import (
    AUDITED,
    CELLS,
    CHECKS,
    ROUNDS,
    ROWS,
    MixRow,
    Training,
    seeds,
    start_directory,
    trainings,
    version,
)
from research.experiment.running import (
    START_LESSONS,
    Running,
    estimate,
    finished_in,
    gathered,
    gathered_pairs,
    main,
    next_group,
    run,
    state,
    tasks,
)
from research.experiment.table import SampleRow, pairs_file, read_pairs, read_table, write_table
from tests.research.experiment.simulated_table import table
from tests.research.experiment.simulated_work import (
    DIVERGES,
    PAIRS,
    come_to,
    killed,
    order,
    pretend,
    pretend_nan,
)

FEW = [replace(ROWS[0], cells=ROWS[0].cells[:2], starts=2)]


@pytest.fixture
def running(tmp_path):
    return Running(tmp_path / "work", tmp_path / "experiment.csv")


def training(name="balanced", seed=101):
    return Training(CELLS[name], seed)


def test_a_start_comes_first_and_its_cells_come_equally_far_before_any_goes_on(running):
    assert run(running, FEW, work_on=pretend) == []
    done = order(running.work)
    cells = [cell.name for cell in FEW[0].cells]
    assert done[: 1 + len(cells) * len(ROUNDS)] == [
        f"start-family-101 {START_LESSONS}",
        *(f"{cell}-101 {until}" for until in ROUNDS for cell in cells),
    ]
    assert done[1 + len(cells) * len(ROUNDS)] == f"start-family-102 {START_LESSONS}"


def test_starts_that_are_asked_for_are_trained_alone(running):
    assert run(replace(running, starts=(102,)), FEW, work_on=pretend) == []
    assert {line.split()[0].rpartition("-")[2] for line in order(running.work)} == {"102"}
    assert {kept.row.seed for kept in read_table(running.table)} == {102}


def test_what_is_finished_in_the_table_is_never_trained_again_even_without_its_directory(running):
    run(running, FEW, work_on=pretend)
    kept = read_table(running.table)
    elsewhere = replace(running, work=running.work.with_name("elsewhere"))
    assert run(elsewhere, FEW, work_on=pretend) == []
    assert not (elsewhere.work / "order").exists()
    assert read_table(running.table) == kept


def test_an_interrupted_training_goes_on_from_its_directory(running):
    running.work.mkdir()
    come_to(start_directory(running.work, 101), START_LESSONS)
    come_to(running.work / training().name, ROUNDS[1])
    run(running, [MixRow(1, "one", (CELLS["balanced"],), 1)], work_on=pretend)
    assert order(running.work) == [f"balanced-101 {until}" for until in ROUNDS[2:]]


def test_an_unfinished_training_without_its_save_has_no_rows(running):
    running.work.mkdir()
    directory = running.work / training().name
    come_to(directory, ROUNDS[1])
    found = gathered([], running.work, "cpu")
    assert {kept.row.examples for kept in found} == {8_192, 16_384}
    (directory / RESUME_FILE).unlink()
    assert gathered(found, running.work, "cpu") == ()


def test_a_check_that_was_repeated_after_an_interruption_counts_once(running):
    running.work.mkdir()
    directory = running.work / training().name
    come_to(directory, ROUNDS[1])
    first = (directory / "checks.jsonl").read_text().splitlines()[0]
    with (directory / "checks.jsonl").open("a") as file:
        file.write(first + "\n")
    assert len(gathered([], running.work, "cpu")) == 2


def test_which_pairs_were_right_is_kept_beside_the_table_and_outlives_the_directories(running):
    run(running, FEW, work_on=pretend)
    kept = read_pairs(pairs_file(running.table))
    assert len(kept) == len(read_table(running.table)) == 4 * len(CHECKS)
    assert {pairs.right for pairs in kept} == {PAIRS["right"]}
    elsewhere = replace(running, work=running.work.with_name("elsewhere"))
    run(elsewhere, FEW, work_on=pretend)
    assert read_pairs(pairs_file(running.table)) == kept


def test_pairs_that_contradict_the_counts_or_are_of_nothing_in_the_table_are_not_kept(running):
    run(running, FEW, work_on=pretend)
    table, kept = read_table(running.table), read_pairs(pairs_file(running.table))
    elsewhere = running.work.with_name("elsewhere")
    other = replace(kept[0], right="3333322200")
    assert gathered_pairs(table, kept, elsewhere) == kept
    assert gathered_pairs(table, [other, *kept[1:]], elsewhere) == kept[1:]
    assert gathered_pairs(table[1:], kept, elsewhere) == kept[1:]
    assert gathered_pairs(table, [replace(kept[0], version="another")], elsewhere) == ()


def test_a_check_from_before_pairs_were_kept_still_has_its_rows(running):
    running.work.mkdir()
    directory = running.work / training().name
    come_to(directory, ROUNDS[0])
    line = json.loads((directory / CHECKS_FILE).read_text())
    del line["pairs"]
    (directory / CHECKS_FILE).write_text(json.dumps(line) + "\n")
    found = gathered([], running.work, "cpu")
    assert len(found) == 1
    assert gathered_pairs(found, (), running.work) == ()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("version,cell,seed\n", "has no column"),
        ("version,cell,seed,examples,study,right\nv,balanced,101,8192,carry,3214\n", "line 2"),
        (
            "version,cell,seed,examples,study,right\nv,balanced,one,8192,carry,321\n",
            r"line 2 \(seed is “one”",
        ),
        ("version,cell,seed,examples,study,right\nv,balanced,101\n", "ends too early in line 2"),
        (
            "version,cell,seed,examples,study,right\n" + "v,balanced,101,8192,carry,321\n" * 2,
            "line 3 again",
        ),
    ],
)
def test_pairs_that_cannot_be_read_are_refused_with_what_to_do(tmp_path, text, what):
    (tmp_path / "pairs.csv").write_text(text)
    with pytest.raises(BrokenAssets, match=what):
        read_pairs(tmp_path / "pairs.csv")


def test_the_projects_pairs_agree_with_its_table():
    rows = {
        (kept.row.mix, kept.row.seed, kept.row.examples, kept.row.study): kept.row
        for kept in read_table()
        if (kept.row.steps, kept.row.strategy) == (1, "cot")
    }
    kept = read_pairs(pairs_file())
    assert kept
    assert all(pairs.agrees_with(rows[pairs.key]) for pairs in kept)
    assert len({pairs.key for pairs in kept}) == len(kept)


def test_rows_of_another_version_make_room_for_those_of_this_one(running):
    kept = table(cells=[CELLS["balanced"]], starts=1)
    assert {each.version for each in kept} != {version()}
    assert gathered(kept, running.work, "cpu") == ()


def test_one_that_fails_is_told_and_the_others_go_on(running):
    told = []
    rows = [MixRow(1, "three", ROWS[0].cells[:3], 1)]
    failed = run(running, rows, told.append, pretend)
    assert len(failed) == 1
    assert failed[0].startswith(DIVERGES)
    assert "no numbers any more" in failed[0]
    assert len(finished_in(read_table(running.table))) == 2
    assert [line for line in told if line == failed[0]]


def test_one_that_diverges_has_no_rows_and_is_told(running):
    failed = run(running, [MixRow(1, "one", (CELLS["consistency-1to5"],), 1)], work_on=pretend_nan)
    assert "it diverged" in failed[0]
    assert read_table(running.table) == ()


def test_a_process_that_is_killed_ends_the_run_with_a_sentence(running):
    with pytest.raises(TrainingError, match="ended from outside"):
        run(running, FEW, work_on=killed)


def test_two_do_not_train_in_one_place(running):
    running.work.mkdir()
    heartbeat.note(running.work, os.getppid())
    with pytest.raises(TrainingBusy, match="running already"):
        run(running, FEW, work_on=pretend)


def test_nothing_begins_when_time_is_up_or_a_stop_is_asked_for(running):
    run(replace(running, until=time.time()), FEW, work_on=pretend)
    assert not (running.work / "order").exists()
    (running.work / STOP_FILE).touch()
    run(running, FEW, work_on=pretend)
    assert not (running.work / "order").exists()
    assert not (running.work / STOP_FILE).exists()


def test_on_an_accelerator_trainings_at_the_same_step_go_together(running):
    groups = tasks([], FEW)
    some = replace(running, together=3)
    first = next_group(groups, some, [])
    assert [(task.seed, task.training) for task in first] == [(101, None), (102, None)]
    for seed in (101, 102):
        start = start_directory(running.work, seed)
        start.parent.mkdir(exist_ok=True)
        come_to(start, START_LESSONS)
    left = [task for task in groups if not task.is_done(running.work)]
    second = next_group(left, some, [])
    assert len(second) == 3
    assert {task.until for task in second} == {ROUNDS[0]}


def test_the_list_says_what_is_there_what_is_begun_and_what_the_rest_takes(running, capsys):
    running.work.mkdir()
    come_to(running.work / training().name, CHECKS[-1])
    come_to(running.work / training("consistency-5to1").name, ROUNDS[0])
    kept = gathered([], running.work, "cpu")
    assert state(kept)[0] == (
        "1 consistency at a fixed total: 1 of 50 trainings; begun: consistency-5to1 101 (8,192)"
    )
    left = tasks(finished_in(kept))
    assert "(an assumption)" in estimate(left, running)
    minutes = [
        int(estimate(left, replace(running, together=80, jobs=jobs)).split()[1])
        for jobs in (15, 30, 1_000)
    ]
    # Twice the cores take half as long, until the accelerator is what takes longest.
    assert minutes[0] == pytest.approx(2 * minutes[1], abs=1)
    assert minutes[1] > minutes[2] > 0
    arguments = [
        "--work",
        str(running.work),
        "--table",
        str(running.table),
        "--jobs",
        "1",
        "--list",
    ]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "1 of 50 trainings" in said
    assert "hours with 1 core" in said or torch.cuda.is_available()
    assert not running.table.exists()


def test_a_damaged_table_is_said_and_nothing_is_trained(running, capsys):
    running.table.write_text("cell,seed\n")
    assert main(["--work", str(running.work), "--table", str(running.table)]) == 2
    assert "has no column" in capsys.readouterr().err
    assert not running.work.exists()


def test_a_table_is_read_as_it_was_written(tmp_path):
    kept = [
        SampleRow(each.version, each.device, each.row)
        for each in table(cells=[CELLS["skewed"]], starts=2)
    ]
    write_table(kept, tmp_path / "table.csv")
    assert set(read_table(tmp_path / "table.csv")) == set(kept)
    assert read_table(tmp_path / "none.csv") == ()


def test_a_table_of_two_versions_is_refused(tmp_path):
    kept = table(cells=[CELLS["skewed"]], starts=2)
    other = [replace(each, version="other") if each.row.seed == 102 else each for each in kept]
    write_table(other, tmp_path / "table.csv")
    with pytest.raises(BrokenAssets, match="more than one version"):
        read_table(tmp_path / "table.csv")


def test_the_plan_has_its_trainings_each_once():
    every = list(trainings())
    assert len(every) == len(set(every)) == 260 + 25 + 10
    assert len({each.name for each in every}) == len(every)
    assert [sum(1 for _ in trainings([row])) for row in ROWS] == [50, 40, 80, 80, 10, 25, 10]
    assert list(seeds(2)) == [101, 102]


def test_the_audited_mix_is_what_was_told_of_all_public_corpora():
    all_corpora = public_corpora()[0]
    assert AUDITED.text == ",".join(
        f"{name}={a}:{b}" for name, (a, b) in all_corpora.ratios.items()
    )


def test_all_cells_are_trained_alike_but_for_one_ratio_and_its_number(tmp_path):
    plans = {
        name: Training(cell, 101).plan(tmp_path)
        for name, cell in CELLS.items()
        if cell.size == "family"
    }
    alike = {replace(plan, mix=None, filling=None) for plan in plans.values()}
    assert len(alike) == 1
    for name, plan in plans.items():
        ratios = plan.mix.text.split(",")
        varied = [ratio for ratio in ratios if not ratio.endswith("=1:1")]
        schools = {"skewed": 2, "audited": 3}
        assert len(varied) == schools.get(name, 0 if "1to1" in name or name == "balanced" else 1)
