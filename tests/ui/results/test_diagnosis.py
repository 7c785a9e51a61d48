"""What may be behind wrong answers, on Items, and how often it is the reversal, on Effects."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from biaslab.runs import open_store
from biaslab.ui.results import diagnosis
from biaslab.ui.results.diagnosis import (
    DiagnosedAnswer,
    alternatives,
    brief,
    expected_rows,
    explanations,
    found_for,
    next_problem,
    step_sentences,
    summary,
    wrong_step,
)
from biaslab.ui.studies.word_problems import parts
from tests.ui.conftest import Asked, Visit, ask, ask_writer, words

ONE_STEP = "Ana has 15 apples. Ana has 6 more apples than Ben. How many apples does Ben have?"
TWO_STEPS = (
    "Ana has 15 apples. Ana has 6 more apples than Ben. Ben gives 4 apples to Mia. "
    "How many apples does Ben have?"
)


def diagnosed(text: str, right: str, value: str) -> DiagnosedAnswer:
    found = found_for(text, right, value)
    assert found is not None
    return found


class TestWords:
    def test_several_explanations_are_never_one_name(self) -> None:
        found = diagnosed(ONE_STEP, "9", "21")
        assert found.diagnosis.ambiguous
        assert summary(found.diagnosis, "21").startswith("Several explanations fit.")
        assert brief(found.diagnosis) == "several explanations"
        one, _ = explanations(found.diagnosis)
        assert {"WP01", "WP02"} <= {each for shown in one for each in shown.ids}

    def test_every_explanation_says_what_is_done_and_where_it_is_known_from(self) -> None:
        one, _ = explanations(diagnosed(ONE_STEP, "9", "21").diagnosis)
        reversal = next(each for each in one if each.ids == ("WP01",))
        assert reversal.trace[reversal.key_step] == "Sees “more”, adds 6 to 15 and gets 21."
        assert "Lewis & Mayer 1987" in reversal.source
        assert reversal.source.endswith("(A)")
        assert reversal.ask.endswith("?")

    def test_a_slip_is_an_explanation_with_what_slipped(self) -> None:
        one, _ = explanations(diagnosed(TWO_STEPS, "5", "6").diagnosis)
        assert any(each.name == "Correct method with one slip: off by one" for each in one)

    def test_a_slip_that_gives_the_answer_is_never_denied_above_it(self) -> None:
        text = "Zeynep owns 13 horseshoes. Baraka has 9 fewer horseshoes than Zeynep. "
        found = diagnosed(text + "How many horseshoes does Baraka own?", "4", "3")
        one, two = explanations(found.diagnosis)
        assert [each.name for each in one] == ["Correct method with one slip: off by one"]
        assert two
        assert summary(found.diagnosis, "3") == (
            "Correct method with one slip: that alone gives 3, and no single rule does."
        )
        assert brief(found.diagnosis) == "a slip"

    @given(
        start=some.integers(5, 30),
        more=some.integers(1, 29),
        given_away=some.none() | some.integers(1, 28),
        off=some.integers(-30, 30),
    )
    def test_what_is_said_first_agrees_with_what_is_listed_below(
        self, start: int, more: int, given_away: int | None, off: int
    ) -> None:
        right = start - more - (given_away or 0)
        assume(right > 0 and off and right + off >= 0)
        gives = f"Ben gives {given_away} apples to Mia. " if given_away else ""
        text = (
            f"Ana has {start} apples. Ana has {more} more apples than Ben. {gives}"
            "How many apples does Ben have?"
        )
        value = str(right + off)
        found = diagnosed(text, str(right), value).diagnosis
        one, two = explanations(found)
        said = " ".join([summary(found, value), *alternatives(found, value)])
        slips = [each for each in one if not each.ids]
        rules = [each for each in one if each.ids]
        denied = re.search(r"no (single )?slip", said, re.IGNORECASE) is not None
        assert not (slips and denied)
        assert denied or slips
        assert not (rules and re.search(r"no single rule", said, re.IGNORECASE))
        assert ("No known rule gives" in said) == (not one and not two)
        assert ("Several" in said) == (len(one) > 1 or (not one and len(two) > 1))

    def test_a_working_is_told_before_what_the_answer_alone_fits(self) -> None:
        text = "Ana has 17. Ana has 18 fewer than Ben. How many does Ben have?"
        found = diagnosed(text, "35", "2")
        assert brief(found.diagnosis) == "two things at once"
        reading = wrong_step(found, "17 - 18 = 2")
        assert reading is not None
        headline, details = step_sentences(reading, found.value)
        assert headline == "step 1 is the first that went wrong: 2 in place of 35."
        assert "Step 1 needs + and the text has −. Its number is wrong as well" in details
        fits = "The operation fits: follows the keyword and reverses the operation."
        assert details.endswith(fits)
        box = diagnosis._body(found, "17 - 18 = 2")
        assert box.index("reverses the operation") < box.index(
            "From the answer alone: no single rule"
        )
        assert "From the answer alone" not in diagnosis._body(found, "2")

    def test_what_does_not_fit_is_said_as_well(self) -> None:
        left = " ".join(alternatives(diagnosed(ONE_STEP, "9", "21").diagnosis, "21"))
        assert "Correct method with one slip: no single slip gives 21." in left
        assert "No known rule: always possible." in left

    def test_no_known_rule_is_no_innocence(self) -> None:
        found = diagnosed(ONE_STEP, "9", "777")
        assert found.diagnosis.unknown
        assert "No known rule gives 777" in summary(found.diagnosis, "777")
        assert "not the same as having no misconception" in summary(found.diagnosis, "777")
        assert brief(found.diagnosis) == "no known rule"
        assert next_problem(found).problem is None

    def test_a_rounded_answer_is_taken_for_what_it_was_rounded_from(self) -> None:
        text = "Ana owns 17 pens. Ana has 3 times fewer pens than Ben. How many pens has Ben?"
        text = text.replace("has Ben", "does Ben have")
        found = diagnosed(text, "51", "567/100")
        assert found.exact == "17/3"
        assert any("WP01" in each.rules for each in found.diagnosis.candidates)
        assert diagnosed(text, "51", "568/100").diagnosis.unknown

    def test_the_next_problem_lists_the_right_plan_and_every_explanation(self) -> None:
        found = diagnosed(TWO_STEPS, "5", "17")
        rows = expected_rows(next_problem(found))
        assert rows[0][0] == "correct method"
        assert "follows the keyword and reverses the operation" in [name for name, _ in rows]
        assert next_problem(found) == next_problem(found)

    @pytest.mark.parametrize(
        ("text", "right", "value"),
        [(ONE_STEP, "9", "9"), (ONE_STEP, "9", None), (ONE_STEP, "9", "many"),
         ("What is 3 + 4?", "7", "8"), (ONE_STEP, "8", "21")],
    )  # fmt: skip
    def test_nothing_is_made_up_where_there_is_nothing_to_diagnose(
        self, text: str, right: str, value: str | None
    ) -> None:
        assert found_for(text, right, value) is None


class TestWorking:
    def test_the_first_wrong_result_is_named_with_its_step_and_rule(self) -> None:
        found = diagnosed(TWO_STEPS, "5", "17")
        reading = wrong_step(found, "Ben has 15 + 6 = 21 apples. Then he has 21 - 4 = 17. 17")
        assert reading is not None
        headline, details = step_sentences(reading, "17")
        assert headline == "step 1 is the first that went wrong: 21 in place of 9."
        assert "needs − and the text has +." in details
        assert "It fits: follows the keyword and reverses the operation." in details

    def test_a_bare_answer_has_no_working(self) -> None:
        assert wrong_step(diagnosed(TWO_STEPS, "5", "17"), "17") is None

    def test_right_steps_and_a_wrong_answer_are_told(self) -> None:
        found = diagnosed(TWO_STEPS, "5", "17")
        reading = wrong_step(found, "15 - 6 = 9. 9 - 4 = 5. The answer is 17.")
        assert reading is not None
        assert step_sentences(reading, "17")[0] == (
            "no step of it is wrong, and yet the answer is 17."
        )

    def test_what_cannot_be_told_is_not_guessed(self) -> None:
        reading = wrong_step(diagnosed(TWO_STEPS, "5", "17"), "3 * 7 = 21 and 2 + 2 = 4. 17")
        assert reading is not None
        assert "we cannot tell" in step_sentences(reading, "17")[0]


def _boxes(app: AppTest) -> list[str]:
    return [e.proto.body for e in app.get("html") if 'class="bl bl-diagnosis"' in e.proto.body]


class TestItems:
    def test_every_wrong_answer_has_its_box_and_right_ones_have_none(
        self, asked: Asked, visit: Visit
    ) -> None:
        app = visit("items", run=asked.keyword, pattern="only x right")
        (box,) = _boxes(app)
        assert "Follows the keyword and reverses the operation" in box
        assert "Source: Lewis &amp; Mayer 1987" in box
        assert "How this answer may have come about" in words(app)
        assert "inconsistent: answered" in words(app)
        assert not _boxes(visit("items", run=asked.step_by_step, pattern="both right"))

    def test_the_next_problem_is_made_only_when_asked_for(
        self, asked: Asked, visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from biaslab.ui.results import diagnosis

        made = []

        def counting(found: DiagnosedAnswer) -> object:
            made.append(found)
            return next_problem(found)

        monkeypatch.setattr(diagnosis, "next_problem", counting)
        app = visit("items", run=asked.keyword, pattern="only x right")
        assert not made
        app.toggle[0].set_value(True).run()
        assert made
        assert any("correct method" in each for each in _boxes(app))

    def test_the_list_says_what_fits_in_a_few_words(self, asked: Asked, visit: Visit) -> None:
        app = visit("items", run=asked.keyword, pattern="only x right")
        captions = [caption.partition(" · fits: ")[2] for caption in app.radio[0].proto.captions]
        assert "several explanations" in captions
        assert all(captions)
        app = visit("items", run=asked.step_by_step, pattern="both right")
        assert not any(" · fits: " in caption for caption in app.radio[0].proto.captions)

    def test_step_by_step_answers_say_which_result_went_wrong_first(
        self, asked: Asked, visit: Visit
    ) -> None:
        with open_store(asked.path) as store:
            wrong = [r for r in store.pair_rows(asked.step_by_step, limit=20) if r.y_x_prime == 0]
        (box, *_) = _boxes(visit("items", run=asked.step_by_step, pair=wrong[0].pair))
        assert "In the working: " in box
        assert re.search(r"step \d is the first that went wrong", box)

    def test_formulas_are_quoted_as_people_write_them(
        self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "latex.db"
        with open_store(path) as store:
            run = ask_writer(store, r"\frac{1}{2} \times 3 + 4 = \boxed{7}, and so 7. 7")
        monkeypatch.setenv("BIASLAB_DB", str(path))
        (box, *_) = _boxes(visit("items", run=run))
        assert "1/2 × 3 + 4 = 7" in box

    def test_what_a_model_wrote_is_quoted_as_text(
        self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "hostile.db"
        with open_store(path) as store:
            run = ask_writer(store, "I get 3 + 4 = 7 <script>alert(1)</script> and 8. 7")
        monkeypatch.setenv("BIASLAB_DB", str(path))
        for box in _boxes(visit("items", run=run)):
            assert "<script" not in box


def _opened(app: AppTest, *runs: str) -> AppTest:
    """The page Effects with the box of reversals opened."""
    app.session_state[f"reversals {','.join(runs)}"] = True
    return app.run()


class TestEffects:
    def test_nothing_is_counted_before_somebody_opens_the_box(
        self, asked: Asked, visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parts, "reversals_of", None)
        app = visit("effects", runs=asked.keyword)
        assert not app.exception
        assert "Wrong because the words mislead?" in [box.label for box in app.expander]

    def test_the_share_of_reversals_stands_beside_chance(self, asked: Asked, visit: Visit) -> None:
        app = _opened(visit("effects", runs=asked.keyword), asked.keyword)
        shown = words(app)
        assert "suggest another operation than they need" in shown
        with open_store(asked.path) as store:
            wrong = store.wrong_answers(asked.keyword, 1000)
        assert f"Of {len(wrong)} wrong answers to problems whose words mislead" in shown
        assert "100.0 % (95 % interval" in shown
        assert "random operations" in shown

    def test_by_steps(self, asked: Asked, visit: Visit) -> None:
        app = _opened(visit("effects", runs=asked.keyword), asked.keyword)
        (bars,) = [e for e in _boxes(app) if "bl-share" in e]
        assert [name in bars for name in ("all problems", "1 step", "2 steps")] == [True] * 3

    def test_a_run_without_misleading_words_says_nothing(
        self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "perfect.db"
        with open_store(path) as store:
            run = ask(store, "consistency", 10, "1-2", "learner:perfect")
        monkeypatch.setenv("BIASLAB_DB", str(path))
        assert "mislead" not in words(visit("effects", runs=run))

    def test_more_wrong_answers_than_are_looked_at_are_said(
        self, asked: Asked, visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parts, "WRONG_ANSWERS", 10)
        shown = words(_opened(visit("effects", runs=asked.keyword), asked.keyword))
        assert "among 10 wrong answers of this run taken at random" in shown
