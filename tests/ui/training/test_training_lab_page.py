"""The training lab: set a mix, start, watch, stop, go on, and read what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from biaslab.models.tiny import model as tiny
from biaslab.system.roles import Role
from biaslab.training.cells import OperationChoice
from biaslab.training.jobs import look
from biaslab.training.lessons import ONE_STEP, lessons
from biaslab.training.mix import MIXES, LessonMix
from biaslab.training.plan import NoSpace, TrainingPlan
from biaslab.ui.training import form as lab_form
from biaslab.ui.training import live as lab_live
from biaslab.ui.training.mix import commonest, example_lessons, hundred, kind_of, kinds, mix_words
from biaslab.ui.training.words import operation_words, seconds_left, share_done, whole
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Visit, links, words
from tests.ui.training.simulated_trainings import cell, write_training

PAGE = "training_lab"

ratios = st.tuples(st.integers(0, 1000), st.integers(0, 1000)).filter(any)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of trainings, which does not exist yet."""
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    monkeypatch.setenv("BIASLAB_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)
    return tmp_path / "models"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[TrainingPlan, Path]]:
    """Trainings that the page started; none really is."""
    found: list[tuple[TrainingPlan, Path]] = []
    monkeypatch.setattr(lab_form, "start_job", lambda plan, path, **_: found.append((plan, path)))
    return found


def button(app: AppTest, label: str) -> Any:
    return next(each for each in app.button if each.label == label)


class TestSettingUp:
    def test_an_empty_page_says_what_to_do(self, visit: Visit, models: Path) -> None:
        app = visit(PAGE)
        assert not app.error
        assert "Nothing has been trained here yet" in words(app)
        assert not button(app, "Start training").disabled
        assert not models.exists(), "looking makes no directory"

    @pytest.mark.usefixtures("models")
    def test_a_mix_is_said_in_words_and_shown_with_two_of_its_lessons(self, visit: Visit) -> None:
        said = words(visit(PAGE, mix="skewed"))
        assert "about 94 are of getting and giving" in said
        assert "A hundred word problems: 94 getting and giving, 5 consistent" in said
        assert said.count("Right answer:") == 2

    @pytest.mark.usefixtures("models")
    def test_ratios_of_ones_own_stand_in_the_address(
        self, visit: Visit, started: list[tuple[TrainingPlan, Path]]
    ) -> None:
        app = visit(PAGE, mix="own", comparisons="3:2", problems="1:0", seed="7", minutes="12")
        button(app, "Start training").click().run()
        ((plan, path),) = started
        assert plan.mix == LessonMix(3, 2, 1, 0)
        assert (plan.seed, plan.minutes, plan.steps) == (7, 12.0, 0)
        assert 0 < plan.check_every < plan.minutes
        assert path.name == "my-own-7"
        assert dict(app.query_params)["training"] == "my-own-7"

    @pytest.mark.usefixtures("models")
    def test_ratios_of_ones_own_may_begin_with_those_of_a_public_corpus(self, visit: Visit) -> None:
        app = visit(PAGE, mix="own")
        said = {each.proto.label: each.proto.query_string for each in app.get("page_link")}
        assert said["ASDiv (1,058 texts)"] == (
            "mix=own&comparisons=15%3A9&problems=558%3A37&carries=157%3A144"
        )
        assert "All 7 corpora (2,732 texts)" in said
        shown = words(visit(PAGE, mix="own", comparisons="15:9", problems="558:37"))
        assert "about 94 are of getting and giving" in shown

    @pytest.mark.usefixtures("models")
    @pytest.mark.parametrize(
        ("ratio", "reason"),
        [("0:0", "leaves nothing to train on"), ("-1:2", "below zero"), ("a", "is no ratio"),
         ("1:1001", "beyond 1000"), ("1:1,carry=2", "is no ratio")],
    )  # fmt: skip
    def test_ratios_that_are_none_are_refused_where_they_stand(
        self, visit: Visit, ratio: str, reason: str
    ) -> None:
        app = visit(PAGE, mix="own", comparisons=ratio)
        assert reason in words(app)
        assert len(app.selectbox) == 3, "the other ratios can still be set"
        assert not app.button

    @pytest.mark.parametrize(
        ("name", "reason"),
        [("my model", "letters"), ("tiny", "taken"), ("there-1", "already")],
    )
    def test_a_name_that_cannot_be_given_is_refused(
        self, visit: Visit, models: Path, name: str, reason: str
    ) -> None:
        write_training(models, "there-1", share=0.3)
        app = visit(PAGE, name=name)
        assert reason in words(app)
        assert button(app, "Start training").disabled

    def test_the_name_offered_is_free(self, visit: Visit, models: Path) -> None:
        write_training(models, "my-skewed-1", share=0.3)
        assert visit(PAGE, mix="skewed").text_input[0].value == "my-skewed-1-2"

    def test_one_training_at_a_time(self, visit: Visit, models: Path) -> None:
        write_training(models, "now-1", status="running", share=0.4)
        app = visit(PAGE)
        assert button(app, "Start training").disabled
        assert "“now-1” is being trained. One training at a time" in words(app)

    @pytest.mark.usefixtures("models")
    def test_a_full_disk_is_told_in_the_errors_own_words(
        self, visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise NoSpace("Only 12 MB are free: free some.")

        monkeypatch.setattr(lab_form, "start_job", refuse)
        app = visit(PAGE)
        button(app, "Start training").click().run()
        assert [error.value for error in app.error] == ["Only 12 MB are free: free some."]
        assert "training" not in app.query_params


class TestTheMixInWords:
    @given(ratios, ratios, ratios)
    def test_a_hundred_marks_are_a_hundred_and_near_their_shares(
        self, one: tuple[int, int], two: tuple[int, int], three: tuple[int, int]
    ) -> None:
        mix = LessonMix(*one, *two, *three)
        counts = hundred(kinds(mix))
        assert sum(counts.values()) == 100
        assert all(abs(counts[kind] - 100 * share) < 1 for kind, share in kinds(mix).items())

    def test_a_share_below_one_in_a_hundred_is_not_called_none(self) -> None:
        assert "fewer than 1 in words that mislead" in mix_words(LessonMix(1000, 1))
        assert "none in words that mislead" in mix_words(LessonMix(1, 0))

    @pytest.mark.parametrize("name", MIXES)
    def test_the_shares_are_those_of_the_lessons(self, name: str) -> None:
        stream = lessons(MIXES[name], 1, 0, ONE_STEP)
        drawn = [kind_of(next(stream).item) for _ in range(1_500)]
        for kind, share in kinds(MIXES[name]).items():
            assert drawn.count(kind) / len(drawn) == pytest.approx(share, abs=0.05)

    @pytest.mark.parametrize("name", MIXES)
    def test_the_examples_are_of_the_commonest_kinds(self, name: str) -> None:
        found = example_lessons(MIXES[name].text, 1)
        assert [kind for kind, _ in found] == commonest(MIXES[name])
        assert all(kind_of(lesson.item) == kind for kind, lesson in found)

    def test_a_mix_of_one_kind_has_two_examples_of_it(self) -> None:
        one, other = example_lessons(LessonMix(1, 0, 0, 1).text, 1)
        assert (one[0], other[0]) == ("consistent", "consistent")
        assert one[1].item.text != other[1].item.text


class TestWatching:
    def test_a_running_one_shows_progress_curves_and_a_way_to_stop(
        self, visit: Visit, models: Path
    ) -> None:
        path = write_training(models, "now-1", status="running", share=0.6)
        app = visit(PAGE, training="now-1")
        assert not app.error
        assert "3.0 of 5 min" in app.get("progress")[0].proto.text
        assert "about 2 minutes left" in app.get("progress")[0].proto.text
        assert len(app.get("plotly_chart")) == 10, "per study an effect and two ways, and the loss"
        assert "has not yet come down to zero" in words(app)
        button(app, "Stop").click().run()
        assert (path / "stop").exists()
        assert button(app, "Stopping …").disabled

    @pytest.mark.parametrize(
        ("status", "said"),
        [("stopped", "You stopped it"), ("interrupted", "The program that trains has ended"),
         ("failed", "There is no space left")],
    )  # fmt: skip
    def test_one_that_ended_early_says_why_and_goes_on(
        self, visit: Visit, models: Path, monkeypatch: pytest.MonkeyPatch, status: str, said: str
    ) -> None:
        path = write_training(models, "early-1", status=status, share=0.5)
        gone_on: list[tuple[Path, float]] = []
        monkeypatch.setattr(lab_live, "go_on", lambda *given, **_: gone_on.append(given))
        app = visit(PAGE, training="early-1")
        assert said in words(app)
        button(app, "Go on").click().run()
        assert gone_on == [(path, 0.0)]

    def test_one_stopped_while_it_was_asked_says_that_only_the_asking_is_left(
        self, visit: Visit, models: Path
    ) -> None:
        write_training(models, "learnt-1", status="stopped")
        write_training(models, "half-1", status="stopped", share=0.5)
        told = visit(PAGE, training="learnt-1").get("progress")[0].proto.text
        assert "only asking the unseen pairs is left" in told
        assert "left" not in visit(PAGE, training="half-1").get("progress")[0].proto.text

    def test_a_finished_one_says_what_it_does_and_where_to_go(
        self, visit: Visit, models: Path
    ) -> None:
        write_training(models, "school-1")
        app = visit(PAGE, training="school-1")
        said = words(app)
        assert not app.error
        assert "percentage points (95 % interval" in said
        assert "Always adding would get 50.0 %" in said
        assert "what the reversed operation gives is" in said
        assert links(app)["Ask it"] == "compose?model=tiny%3Aschool-1"
        assert links(app)["Look inside"] == "look_inside?model=tiny%3Aschool-1"
        assert {"First right", "Interval", "p", "n", "Unread"} <= set(app.dataframe[0].value)

    def test_a_finished_one_can_be_trained_on(
        self, visit: Visit, models: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write_training(models, "school-1")
        gone_on: list[tuple[Path, float]] = []
        monkeypatch.setattr(lab_live, "go_on", lambda *given, **_: gone_on.append(given))
        app = visit(PAGE, training="school-1")
        button(app, "Train on").click().run()
        assert gone_on == [(path, 5.0)]

    def test_deleting_takes_it_away_and_returns_to_setting_up(
        self, visit: Visit, models: Path
    ) -> None:
        path = write_training(models, "school-1")
        app = visit(PAGE, training="school-1")
        button(app, "Delete this training").click().run()
        assert not path.exists()
        assert "training" not in app.query_params
        assert button(app, "Start training")

    def test_all_trainings_are_listed_and_compared(self, visit: Visit, models: Path) -> None:
        write_training(models, "school-1")
        write_training(models, "even-1", mix="balanced", bias=0.0)
        write_training(models, "now-1", status="running", share=0.6)
        app = visit(PAGE)
        assert {"school-1", "even-1", "now-1"} <= set(links(app))
        assert links(app)["even-1"] == "training_lab?training=even-1"
        assert "Training (60 %) · As in school books · seed 1 · 5 min" in words(app)
        table = app.dataframe[-1].value
        assert set(table["Training"]) == {"school-1", "even-1", "now-1"}

    @pytest.mark.usefixtures("models")
    def test_a_link_to_a_training_that_is_not_there_says_so(self, visit: Visit) -> None:
        app = visit(PAGE, training="no_such")
        assert "no\\_such" in app.warning[0].value
        assert button(app, "Start training")

    def test_a_file_that_its_process_moves_meanwhile_hides_no_training(self, models: Path) -> None:
        path = write_training(models, "now-1", status="running", share=0.6)
        # Named when the directory is listed, and gone when it is looked at.
        (path / "process.json.new").symlink_to(path / "moved-away")
        assert [training.name for training in lab_form.trainings()] == ["now-1"]

    def test_a_damaged_plan_and_half_a_line_are_survived(self, visit: Visit, models: Path) -> None:
        path = write_training(models, "odd-1", status="stopped", share=0.5)
        with (path / "progress.jsonl").open("a", encoding="utf-8") as file:
            file.write('{"minute": 2.6, "sha')
        assert not visit(PAGE, training="odd-1").error
        (path / "plan.json").write_text("{", encoding="utf-8")
        app = visit(PAGE, training="odd-1")
        assert len(app.error) == 1
        assert "cannot be read" in app.error[0].value

    def test_who_comes_from_another_computer_may_look_and_not_touch(
        self, visit: Visit, models: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
        write_training(models, "now-1", status="running", share=0.6)
        app = visit(PAGE, training="now-1")
        assert app.get("plotly_chart")
        assert button(app, "Stop").disabled
        assert "You are a visitor" in words(app)
        assert button(visit(PAGE), "Start training").disabled


class TestHonestFigures:
    def test_identical_outcomes_have_no_p_value_and_that_is_said(
        self, visit: Visit, models: Path
    ) -> None:
        write_training(models, "even-1", mix="balanced", bias=0.0)
        app = visit(PAGE, training="even-1")
        assert "came out alike, so there is no test" in words(app)
        assert "nothing differs" in set(app.dataframe[0].value["p"])

    @pytest.mark.parametrize(
        ("right", "plus", "verdict"),
        [
            (130, 128, "may ignore the wording"),  # as the commonest operation: it reads nothing
            (140, 128, "may ignore the wording"),  # above, but by less than ten points for sure
            (180, 128, "does not ignore the wording"),
            (130, 60, "may ignore the wording"),  # subtracting is the commoner operation here
        ],
    )
    def test_a_model_near_the_commonest_operation_is_not_called_cured(
        self, right: int, plus: int, verdict: str
    ) -> None:
        asked = cell("consistency", "cot", 0.6, 0.6)
        assert verdict in operation_words(asked, OperationChoice(200, right, plus))

    def test_wordings_that_make_up_a_whole_are_not_counted_twice(self) -> None:
        parts = [
            cell("transfer-comparison", "cot", 0.9, 0.5, wording)
            for wording in ("consistent", "inconsistent", "")
        ]
        found = whole(parts, "transfer-comparison", "cot", 1)
        assert found is not None
        assert found.n == 100
        assert whole(parts, "transfer-comparison", "cot", 2) is None
        distinct_labels = whole(parts[:2], "transfer-comparison", "cot", 1)
        assert distinct_labels is not None
        assert distinct_labels.n == 200

    def test_time_left_follows_a_plan_that_was_lengthened(self, models: Path) -> None:
        job = look(write_training(models, "school-1", minutes=5.0))
        longer = TrainingPlan(MIXES["skewed"], minutes=10.0)
        assert share_done(longer, job.progress) == pytest.approx(0.5)
        assert seconds_left(longer, job.progress) == pytest.approx(300)
        assert seconds_left(longer, ()) is None


def test_the_model_can_be_asked_like_any_other(models: Path) -> None:
    write_training(models, "school-1")
    assert tiny.custom_names() == ("school-1",)
