"""Your problem: how a text is understood, its pairs, and a model that rephrases it."""

from __future__ import annotations

import json
import shutil

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models.tiny.model import TINY_MODELS
from biaslab.runs import open_store
from biaslab.runs.library.pair_sets import pair_sets, set_pairs
from biaslab.studies.word_problems.custom.problem import (
    FIRST_TWINS,
    MOST_CHARACTERS,
    twins_of,
    understand,
)
from biaslab.ui.custom_pairs.text import EXAMPLE, LONGEST_IN_ADDRESS
from tests.servers.faulty import FaultyServer, answer, status
from tests.servers.mending import SPEC, connect_mender
from tests.ui.conftest import HOSTILE, words

STRANGE = (
    "Mia has 24 stickers. The bus left at noon with 30 seats. How many stickers does Mia have?"
)
STORY = "There were 30 ducks on the pond. 12 ducks flew away. How many ducks are left on the pond?"
READABLE = "Mia has 24 stickers. Mia buys 30 stickers. How many stickers does Mia have now?"


def _texts_of_pairs(text: str) -> list[str]:
    """Both members of the pairs that are ticked unless chosen."""
    twins = [each for each in twins_of(understand(text)) if each.name in FIRST_TWINS and each.pair]
    return [item.text for each in twins for item in (each.pair.x, each.pair.x_prime)]


def button(app: AppTest, label: str):
    (found,) = [each for each in app.button if each.label == label]
    return found


def labels(app: AppTest) -> list[str]:
    return [each.label for each in app.button]


@pytest.fixture
def server():
    with FaultyServer() as running:
        yield running


def connected(path, server) -> None:
    with open_store(path) as store:
        connect_mender(store, server.url)


@pytest.mark.usefixtures("empty")
class TestReading:
    def test_an_empty_page_says_what_to_do_and_offers_an_example(self, visit):
        app = visit("your_problem")

        assert "Type or paste a problem" in words(app)
        button(app, "Use the example").click().run()
        assert app.query_params["text"] == EXAMPLE
        assert "Answer: <b>8</b>" in words(app)

    def test_what_is_read_and_not_proved_says_which_words_stand_against_it(self, visit):
        text = (
            "In a car park there are 40 cars. 12 leave and 9 arrive. How many cars are there now?"
        )
        app = visit("your_problem", text=text)
        assert "Read, not proved" in app.warning[0].value
        assert "40 − 12 = 28" in app.warning[0].value
        assert "9 arrive" in app.warning[0].value

    def test_a_click_that_comes_with_an_old_address_takes_back_nothing_that_was_typed(self, visit):
        app = visit("your_problem", text=STORY)
        app.text_area[0].set_value(READABLE).run()
        # On a slow machine the click is sent before the address of what was typed has arrived.
        app.query_params["text"] = STORY
        button(app, "Read it").click().run()

        assert app.text_area[0].value == READABLE
        assert app.query_params["text"] == READABLE
        assert "Answer: <b>54</b>" in words(app)

    def test_a_story_in_other_words_is_answered_and_leads_to_pairs(self, visit):
        app = visit("your_problem", text=STORY)

        shown = words(app)
        assert "Answer: <b>18</b>" in shown
        assert "30 − 12 = 18" in shown
        assert "Not read:" not in shown
        assert "The pond has 30 ducks. The pond loses 12 ducks." in shown
        button(app, "Make pairs of these sentences").click().run()
        assert app.query_params["text"].startswith("The pond has 30 ducks.")
        assert "Its pairs" in words(app)

    def test_a_comparison_of_a_story_says_with_whom(self, visit):
        text = (
            "Ana has 3 times as many cards as Ben. They have 24 cards altogether. How many cards "
            "does Ben have?"
        )
        club = "There are 24 boys and girls in a club. There are 4 more boys than girls."

        assert "Ana: times as many as Ben" in words(visit("your_problem", text=text))
        shown = words(visit("your_problem", text=f"{club} How many girls are in the club?"))
        assert "more than girls" in shown
        assert "28 ÷ 2 = 14" in shown
        assert "1 + 1" not in shown

    def test_every_sentence_has_a_line_that_says_how_it_was_understood(self, visit):
        app = visit("your_problem", text=EXAMPLE)

        shown = words(app)
        assert shown.count("Understood:") == 4
        assert "9 stickers go from Mia to Omar." in shown
        assert "24 − 9 = 15" in shown
        assert "container . transfer- . comparison- consistent" in shown

    def test_a_sentence_that_is_not_read_is_marked_with_a_suggestion(self, visit):
        app = visit("your_problem", text=STRANGE)

        shown = words(app)
        assert "Not read:" in shown
        assert "Write it like:" in shown
        assert "Answer:" not in shown

    def test_a_text_of_others_is_shown_as_text(self, visit):
        app = visit("your_problem", text=HOSTILE)

        assert "<script>" not in words(app)
        assert "&lt;script&gt;" in words(app)

    def test_a_long_text_stays_in_the_session_and_out_of_the_address(self, visit):
        app = visit("your_problem")
        long = " ".join([READABLE] * (LONGEST_IN_ADDRESS // len(READABLE) + 1))

        app.text_area[0].set_value(long).run()

        assert "text" not in app.query_params
        assert "too long for the page's address" in words(app)
        app.run()
        assert app.text_area[0].value == long

    def test_a_link_with_too_long_a_text_shows_its_beginning(self, visit):
        app = visit("your_problem", text="Mia has 3 cups. " * 1000)

        assert len(app.text_area[0].value) == MOST_CHARACTERS

    def test_the_page_says_where_the_text_is_and_warns_of_real_names(self, visit):
        shown = words(visit("your_problem", text=EXAMPLE))

        assert "Use made-up names instead of pupils" in shown
        assert "sends nothing anywhere" in shown


@pytest.mark.usefixtures("empty")
class TestPairs:
    def test_the_papers_three_are_ticked_and_the_others_offered(self, visit):
        app = visit("your_problem", text=EXAMPLE)

        ticked = [box.key for box in app.checkbox if box.value]
        assert ticked == ["twin consistency", "twin predicate", "twin carry"]
        assert len(app.checkbox) > 3
        assert "cannot be made from this problem" in words(app)

    def test_ticks_stand_in_the_address(self, visit):
        app = visit("your_problem", text=EXAMPLE)

        app.checkbox(key="twin carry").uncheck().run()

        assert app.query_params["twins"] == "consistency,predicate"
        again = visit("your_problem", text=EXAMPLE, twins="consistency,predicate")
        assert not again.checkbox(key="twin carry").value

    def test_without_a_tick_nothing_can_be_kept(self, visit):
        app = visit("your_problem", text=EXAMPLE, twins="none")

        assert not [each for each in app.button if each.label.startswith("Keep")]
        assert "Tick a pair above" in words(app)

    def test_each_pair_that_is_ticked_stands_there_once(self, visit):
        app = visit("your_problem", text=EXAMPLE, twins="consistency,carry")

        shown = [each.proto.body for each in app.get("html") if 'bl-pair"' in each.proto.body[:40]]
        assert len(shown) == 2

    def test_kept_pairs_are_a_set_and_compose_asks_them(self, empty, visit):
        app = visit("your_problem", text=EXAMPLE, twins="consistency,carry")

        button(app, "Keep 2 pairs and ask a model").click().run()

        assert not app.exception, app.exception
        assert not app.error
        with open_store(empty) as store:
            (kept,) = pair_sets(store)
            treatments = [pair.strata["treatment"] for pair in set_pairs(store, kept.id)]
        assert treatments == ["consistency", "carry"]
        assert app.query_params["set"] == kept.id

    def test_a_problem_without_a_calculation_has_none(self, visit):
        text = "Mia has 24 stickers. How many stickers does Mia have?"

        assert "nothing is calculated" in words(visit("your_problem", text=text))


@pytest.mark.usefixtures("empty")
class TestRephrasing:
    def test_is_not_offered_where_everything_was_read(self, visit):
        assert "Ask this model to rephrase" not in labels(visit("your_problem", text=EXAMPLE))

    def test_without_a_model_the_page_says_how_to_connect_one(self, visit):
        app = visit("your_problem", text=STRANGE)

        assert "No language model is connected" in words(app)
        assert button(app, "Ask this model to rephrase").disabled

    def test_a_good_answer_is_shown_beside_the_text_and_taken_only_on_a_click(
        self, empty, visit, server
    ):
        connected(empty, server)
        server.always = answer(READABLE)
        app = visit("your_problem", text=STRANGE)

        button(app, "Ask this model to rephrase").click().run()

        assert app.text_area[0].value == STRANGE
        assert "The model's sentences" in words(app)
        assert "the answer is 54" in words(app)
        button(app, "It says the same: use it").click().run()
        assert app.text_area[0].value == READABLE
        assert "Answer: <b>54</b>" in words(app)

    def test_an_answer_with_other_numbers_is_not_offered(self, empty, visit, server):
        connected(empty, server)
        server.always = answer(READABLE.replace("24", "25"))
        app = visit("your_problem", text=STRANGE)

        button(app, "Ask this model to rephrase").click().run()

        assert "did not pass the check" in words(app)
        assert "“24”" in words(app)
        assert "It says the same: use it" not in labels(app)

    def test_no_answer_is_told_in_a_sentence(self, empty, visit, server):
        connected(empty, server)
        server.always = status(401, {"message": "No.", "code": "invalid_api_key"})
        app = visit("your_problem", text=STRANGE)

        button(app, "Ask this model to rephrase").click().run()

        assert not app.exception
        assert len(app.error) == 1


PROPOSED = (
    "Dan has 8 cups. Eva has 3 more cups than Dan. Last of all, Dan gives 2 cups to Ben. "
    "How many cups do Dan and Eva have together?"
)


def reading(relation: str) -> str:
    def told(sentence: int, said: str, who: list[str], number: str, whom: str = ""):
        return {"sentence": sentence, "relation": said, "who": who, "number": number,
                "what": ["cups"], "whom": whom}  # fmt: skip

    return json.dumps(
        {
            "statements": [
                told(1, "has", ["Dan"], "8"),
                told(2, relation, ["Eva"], "3", "Dan"),
                told(3, "gives", ["Dan"], "2", "Ben"),
                told(4, "together", ["Dan", "Eva"], "?"),
            ]
        }
    )


def reads(relation: str):
    async def fault(asked):
        written = reading(relation) if "as JSON" in asked.prompt else "8 + 3 + 8 - 2"
        return await answer(written)(asked)

    return fault


@pytest.mark.usefixtures("empty")
class TestReadByAModel:
    def test_what_a_model_reads_is_shown_with_its_name_and_as_checked_not_proved(
        self, empty, visit, server
    ):
        connected(empty, server)
        server.always = reads("more")
        app = visit("your_problem", text=PROPOSED)

        button(app, "Ask this model to read it").click().run()

        shown = words(app)
        assert "Eva has 3 more cups than Dan." in shown
        assert "Answer: <b>17</b>" in shown
        assert "Read by faulty, checked. That is no proof" in shown

    def test_what_the_text_does_not_say_is_not_taken(self, empty, visit, server):
        connected(empty, server)
        server.always = reads("fewer")
        app = visit("your_problem", text=PROPOSED)

        button(app, "Ask this model to read it").click().run()

        assert "did not pass the check" in words(app)
        assert "does not say “fewer”" in words(app)
        assert "Read by faulty" not in words(app)


@pytest.mark.usefixtures("empty")
class TestAnswersOfModels:
    def test_nothing_is_asked_before_a_click_and_a_model_is_ready_for_it(self, visit):
        app = visit("your_problem", text=READABLE)

        assert "what models answer" in words(app)
        assert "not asked yet" in words(app)
        assert "✓ right" not in words(app)
        assert not button(app, "Ask 1 model").disabled

    def test_answers_stand_beside_each_other_and_no_chart_is_made_of_them(
        self, empty, visit, server
    ):
        connected(empty, server)
        server.always = answer("The answer is 54.")
        chosen = f"{SPEC} {server.url}"
        app = visit("your_problem", text=READABLE, answering=chosen, twins="question-wording")

        button(app, "Ask 1 model").click().run()

        shown = words(app)
        assert shown.count("✓ right") == 2
        assert "The answer is 54." in shown
        # The one chart of the page is the picture of the solution.
        assert len(app.get("plotly_chart")) == 1
        assert "One answer does not show a bias" in shown

    def test_a_model_that_the_address_names_is_chosen_in_the_list(self, visit, tmp_path):
        files = shutil.ignore_patterns("model_card.json", "checkpoints")
        folder = shutil.copytree(TINY_MODELS / "balanced", tmp_path / "model", ignore=files)

        app = visit("your_problem", text=READABLE, answering=f"local:{folder}")

        field = next(each for each in app.multiselect if "Models" in each.label)
        (chosen,) = field.value
        assert field.format_func(chosen) in field.options
        assert "(this computer)" in field.format_func(chosen)
        assert not button(app, "Ask 1 model").disabled

    def test_pupils_get_the_problems_on_paper_and_the_teacher_the_answers_too(
        self, empty, visit, server
    ):
        connected(empty, server)
        server.always = answer("The answer is 54.")
        chosen = f"{SPEC} {server.url}"
        app = visit("your_problem", text=READABLE, answering=chosen, paper="pupils")
        pupils = words(app).partition("Worksheet</h2>")[2]
        assert pupils.count("Answer:") == len({*_texts_of_pairs(READABLE)})
        assert "54" not in pupils

        app = visit(
            "your_problem", text=READABLE, answering=chosen, twins="question-wording",
            paper="teacher",
        )  # fmt: skip
        before = words(app).partition("A problem and its pairs</h2>")[2]
        assert "not asked yet" not in before
        button(app, "Ask 1 model").click().run()
        teacher = words(app).partition("A problem and its pairs</h2>")[2]
        assert "The right answer is 54" in teacher
        assert teacher.count("✓ right") == 2

    def test_a_changed_word_is_asked_again_beside_what_was_answered_before(
        self, empty, visit, server
    ):
        connected(empty, server)
        server.always = answer("The answer is 54.")
        chosen = f"{SPEC} {server.url}"
        app = visit("your_problem", text=READABLE, answering=chosen, twins="question-wording")
        button(app, "Ask 1 model").click().run()
        field = next(each for each in app.text_area if "changed as you like" in each.label)

        field.set_value(READABLE.replace("24", "25")).run()
        next(each for each in app.button if each.label == "Ask this text").click().run()

        shown = words(app)
        assert shown.count("✓ right") == 2
        assert shown.count("✗ wrong") == 1
        assert "right answer <b>55</b>" in shown

    def test_a_server_that_refuses_is_told_in_its_place(self, empty, visit, server):
        connected(empty, server)
        server.always = status(401, {"message": "No.", "code": "invalid_api_key"})
        chosen = f"{SPEC} {server.url}"
        app = visit("your_problem", text=READABLE, answering=chosen, twins="question-wording")

        button(app, "Ask 1 model").click().run()

        assert not app.exception
        assert words(app).count("no answer.") == 2
