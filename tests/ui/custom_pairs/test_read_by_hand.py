"""Reading a problem by hand on the page Your problem, and a vocabulary of one's own there."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.ui.custom_pairs.text import EXAMPLE
from schoolmath.problems.custom_words import read_custom_words
from tests.ui.conftest import HOSTILE, words

COINS = (
    "Otto kept 40 coins in a jar. His uncle dropped 15 coins by, and 9 coins vanished overnight. "
    "How many coins are in the jar now?"
)
SNAFFLED = "Nadia had 41 beads. Then she snaffled 9 beads. How many beads does Nadia have now?"
TAUGHT = b"verbs: [{lemma: snaffle, does: gain}]"


def choose(app: AppTest, label: str, value: str, number: int = 0) -> None:
    """Chooses in the field with this label, counted from 0."""
    [each for each in app.selectbox if each.label == label][number].set_value(value).run()
    assert not app.exception, app.exception


def whole(app: AppTest) -> None:
    """Fills the forms of the coins as a person would."""
    told = {"“40 coins”": "has", "“15 coins”": "gets", "“9 coins vanished”": "loses"}
    for label, relation in told.items():
        choose(app, label, relation)
    # The question alone was read, as one about the jar.
    app.toggle[0].set_value(True).run()
    choose(app, "The question asks", "has")
    for number in range(4):
        choose(app, "Who", "Otto", number)
        choose(app, "Of what", "coins", number)


def confirm(app: AppTest) -> None:
    """Says that the forms say what the text says."""
    next(each for each in app.checkbox if each.label.startswith("This is what")).check().run()


@pytest.mark.usefixtures("empty")
class TestByHand:
    def test_is_not_offered_where_everything_was_read(self, visit):
        assert "Read it yourself" not in words(visit("your_problem", text=EXAMPLE))

    def test_a_form_stands_there_for_every_number_with_what_is_guessed(self, visit):
        app = visit("your_problem", text=COINS)

        assert "Read it yourself" in words(app)
        labels = [each.label for each in app.selectbox]
        assert [label for label in labels if label.startswith("“")] == [
            "“40 coins”", "“15 coins”", "“9 coins vanished”",
        ]  # fmt: skip
        assert "Understood:" in words(app)
        assert "The question asks" not in labels

    def test_what_is_guessed_gives_no_answer_until_the_person_says_that_it_is_so(self, visit):
        app = visit("your_problem", text=COINS)
        whole(app)

        assert "Otto gets 15 coins." in words(app)
        assert "Answer:" not in words(app)
        confirm(app)
        assert "Answer: <b>46</b>" in words(app)
        choose(app, "“15 coins”", "loses")
        assert "Answer:" not in words(app)

    def test_complete_forms_give_a_checked_answer_that_leads_to_pairs(self, visit):
        app = visit("your_problem", text=COINS)
        whole(app)
        confirm(app)

        shown = words(app)
        assert "Answer: <b>46</b>" in shown
        assert "You explained this text and we checked it" in shown
        (pairs,) = [b for b in app.button if b.label == "Make pairs of these sentences"]
        pairs.click().run()
        assert app.query_params["text"].startswith("Otto has 40 coins.")
        assert "Its pairs" in words(app)

    def test_what_is_missing_is_said_and_what_is_not_needed_is_set_aside_with_a_click(self, visit):
        app = visit("your_problem", text=COINS)
        whole(app)
        choose(app, "Who", "uncle", 1)

        assert "not needed for the answer" in words(app)
        assert "You explained this text" not in words(app)
        (aside,) = [b for b in app.button if b.label == "What is not needed does not matter"]
        aside.click().run()
        confirm(app)
        assert "Answer: <b>31</b>" in words(app)

    def test_a_text_of_others_is_shown_as_text(self, visit):
        app = visit("your_problem", text=f"{HOSTILE} has 5 pens. How many pens?")

        assert not app.exception
        assert "<script>" not in words(app)


@pytest.mark.usefixtures("empty")
class TestCustomWords:
    def test_a_vocabulary_opens_a_text_that_was_refused(self, visit):
        app = visit("your_problem", text=SNAFFLED)
        assert "Answer:" not in words(app)

        app.file_uploader(key="own words file").upload("mine.yaml", TAUGHT).run()

        assert not app.exception, app.exception
        assert "Answer: <b>50</b>" in words(app)
        assert "In use: 0 names, 0 things, 1 verb." in words(app)

    def test_a_bad_file_is_refused_with_its_reason(self, visit):
        app = visit("your_problem", text=SNAFFLED)
        bad = b"verbs: [{lemma: trade, does: gain}]"

        app.file_uploader(key="own words file").upload("mine.yaml", bad).run()

        assert "can mean to give and to get" in app.error[0].value
        assert "Answer:" not in words(app)
        assert read_custom_words(bad).verbs
