"""``biaslab train``: a contract for people and programs that train models from a shell."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import asdict

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.cli import train as command
from biaslab.models import open_model, read_card
from biaslab.models.tiny.model import CARD_FILE, ModelCard
from biaslab.training import job
from biaslab.training.heartbeat import MEASURING, PROCESS_FILE, Heartbeat, TrainingProgress, note
from biaslab.training.mix import MIXES
from biaslab.training.plan import TrainingPlan
from biaslab.training.trainer import RESUME_FILE, STOP_FILE
from tests.training.background.simulated_job import simulated

CARD = ModelCard("mine", "Tiny model “mine”", "For demonstration.", (), (), 100, 640, ())
MIX = "consistent:inconsistent=5:1,transfer:comparison=130:9"


@pytest.fixture
def out(tmp_path, monkeypatch):
    """Where the model goes. Nothing is learnt: steps are counted."""
    monkeypatch.setattr(command, "train_and_measure", counted)
    monkeypatch.setenv("BIASLAB_MODELS", str(tmp_path / "own"))
    return tmp_path / "mine"


def counted(directory, tell, pairs):
    """As `train_and_measure`, without a model."""
    del pairs
    finished = simulated(directory, tell)
    if finished:
        tell(asdict(TrainingProgress(1.0, 1.0, 1, 1, 1.0, MEASURING)))
        (directory / CARD_FILE).write_text(json.dumps(CARD.to_json()))
    return finished


def train(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["train", *map(str, arguments)])
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def begin(out, steps=20, mix="skewed"):
    return train("--mix", mix, "--steps", steps, "--from-nothing", "--out", out)


def test_a_model_is_trained_measured_and_opened(tmp_path, monkeypatch):
    out = tmp_path / "mine"
    # Worked step by step, a model that has learnt nothing rambles on for minutes.
    monkeypatch.setattr(job, "WAYS", ("direct",))
    result = train(
        "--mix", MIX, "--steps", 2, "--size", "least", "--from-nothing", "--pairs", 2, "--out", out
    )

    assert result.stdout.strip().splitlines()[-1] == f"local:{out}"
    assert read_card(out).mix == MIXES["skewed"].text
    assert open_model(f"local:{out}", device="cpu").identity.revision
    assert "Measuring" in result.stderr


def test_what_opens_the_model_is_the_last_line_and_progress_goes_to_standard_error(out):
    result = begin(out)

    assert result.stdout == f"local:{out}\n"
    assert "100 %  step 20 of 20" in result.stderr
    assert f"--model local:{out}" in result.stderr
    assert TrainingPlan.load(out) == TrainingPlan(MIXES["skewed"], steps=20)


@pytest.mark.usefixtures("out")
def test_a_named_model_is_kept_with_ones_own(tmp_path):
    result = train("--mix", MIX, "--steps", 5, "--from-nothing", "--name", "mine")

    assert result.stdout == "tiny:mine\n"
    assert (tmp_path / "own" / "mine" / CARD_FILE).exists()


def test_programs_read_a_json_object_a_line(out):
    result = train("--mix", "skewed", "--steps", 5, "--from-nothing", "--out", out, "--json")

    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", *["progress"] * 6, "finished"]
    assert events[0]["plan"]["mix"] == MIXES["skewed"].text
    assert events[3]["step"] == 3
    assert events[-1]["model"] == f"local:{out}"
    assert events[-1]["card"]["parameters"] == 100


class TestStoppingAndGoingOn:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal_saves_and_the_same_command_goes_on(self, out, monkeypatch, number):
        def interrupted(directory, tell, pairs):
            del tell, pairs
            os.kill(os.getpid(), number)
            assert (directory / STOP_FILE).exists()
            (directory / RESUME_FILE).write_text("7")
            return False

        before = signal.getsignal(number)
        monkeypatch.setattr(command, "train_and_measure", interrupted)
        again = ("--mix", "skewed", "--steps", 20, "--from-nothing", "--out", out)
        result = train(*again, status=1)
        assert f"Go on with: biaslab train --out {out}" in result.stderr
        assert signal.getsignal(number) is before
        assert not (out / PROCESS_FILE).exists()

        monkeypatch.setattr(command, "train_and_measure", counted)
        result = train(*again)
        assert "Going on with mix skewed" in result.stderr
        assert "step 8 of 20" in result.stderr

    def test_a_second_signal_ends_at_once(self, out, monkeypatch):
        def stubborn(directory, tell, pairs):
            del directory, tell, pairs
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            pytest.fail("It went on.")

        monkeypatch.setattr(command, "train_and_measure", stubborn)
        result = train("--mix", "skewed", "--steps", 9, "--from-nothing", "--out", out, status=1)
        assert "Ended without saving" in result.stderr

    def test_a_killed_training_goes_on_from_its_save(self, out):
        begin(out)
        (out / CARD_FILE).unlink()
        (out / RESUME_FILE).write_text("10")
        note(out, 2**22 + 1)

        result = train("--out", out)

        assert "step 11 of 20" in result.stderr

    def test_a_finished_training_is_not_done_again(self, out, monkeypatch):
        begin(out)
        monkeypatch.setattr(command, "train_and_measure", None)

        assert begin(out).stdout == f"local:{out}\n"

    def test_minutes_can_be_added(self, out):
        TrainingPlan(MIXES["skewed"], minutes=5.0).save(out_with_save(out))

        train("--out", out, "--more", 2)

        assert TrainingPlan.load(out).minutes == 7.0


def out_with_save(out):
    out.mkdir()
    (out / RESUME_FILE).write_text("0")
    return out


class TestOtherPlans:
    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (("--mix", "balanced"), "mix skewed, not balanced"),
            (("--seed", 2), "seed 1, not 2"),
            (("--steps", 30), "20 steps, not 30 steps"),
            (("--minutes", 5), "20 steps, not 5 minutes"),
            (("--size", "large"), "size family, not large"),
            (("--start", "elsewhere"), "from nothing, not from elsewhere"),
            (("--check-every", 5), "a check every 0, not every 5"),
        ],
    )
    def test_a_training_with_another_plan_is_refused_with_what_differs(self, out, options, says):
        begin(out)

        result = train("--out", out, *options, status=1)

        assert says in result.stderr
        assert TrainingPlan.load(out) == TrainingPlan(MIXES["skewed"], steps=20)

    def test_the_same_mix_written_in_another_way_is_the_same(self, out):
        begin(out)

        train("--mix", MIX, "--out", out)

    def test_a_plan_of_which_nothing_was_saved_can_be_changed(self, out):
        out.mkdir()
        TrainingPlan(MIXES["balanced"], steps=9).save(out)

        begin(out)

        assert TrainingPlan.load(out).mix == MIXES["skewed"]

    def test_a_training_that_is_running_is_refused(self, out):
        begin(out)
        with Heartbeat(out):
            note(out, os.getppid())
            assert "running already" in train("--out", out, status=1).stderr


class TestBadInput:
    @pytest.mark.parametrize(
        ("mix", "says"),
        [
            ("consistent:inconsistent=0:0", "nothing to train on"),
            ("sckewed", "There is no mix"),
            ("consistent:inconsistent=five:1", "no ratio"),
        ],
    )
    def test_a_mix_that_cannot_be_trained_on_is_one_sentence(self, out, mix, says):
        result = train("--mix", mix, "--out", out, "--from-nothing", status=1)

        assert says in result.stderr
        assert not out.exists()

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (("--mix", "skewed"), "--out DIR or --name NAME"),
            (("--out", "x"), "needs --mix"),
            (("--mix", "skewed", "--out", "x", "--name", "y"), "cannot both be given"),
            (("--mix", "skewed", "--out", "x", "--minutes", 1, "--steps", 1), "choose one"),
            (("--mix", "skewed", "--out", "x", "--size", "large"), "--from-nothing with"),
            (("--mix", "skewed", "--out", "x", "--minutes", 0), "range"),
        ],
    )
    def test_options_that_do_not_go_together_are_wrong_usage(
        self, options, says, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)

        assert says in train(*options, status=2).stderr
        assert list(tmp_path.iterdir()) == []

    def test_a_directory_that_holds_something_else_is_left_alone(self, tmp_path):
        (tmp_path / "shopping.txt").write_text("bread")

        result = train("--mix", "skewed", "--from-nothing", "--out", tmp_path, status=1)

        assert "shopping.txt" in result.stderr
        assert len(list(tmp_path.iterdir())) == 1

    def test_a_start_that_is_not_there_is_told(self, out, tmp_path):
        result = train("--mix", "skewed", "--start", tmp_path / "no", "--out", out, status=1)

        assert "to go on from" in result.stderr
        assert not out.exists()

    def test_a_taken_name_is_told(self):
        assert "taken" in train("--mix", "skewed", "--name", "tiny", status=1).stderr

    def test_a_save_of_another_version_is_told(self, out):
        begin(out)
        (out / "plan.json").write_text('{"format": 1}')

        assert "another version" in train("--out", out, status=1).stderr

    def test_a_full_disk_on_the_way_is_told(self, out, monkeypatch):
        monkeypatch.setenv("SIMULATED", "full")

        result = train("--mix", "skewed", "--from-nothing", "--out", out, status=1)

        assert "no space left on the disk" in result.stderr
        assert "go on from the last save" in result.stderr
        assert "OSError" in (out / "training.log").read_text()
