"""The page What happened here?: a problem and a wrong answer, or several of them."""

from __future__ import annotations

from pathlib import Path

from biaslab.files import ImportedItem
from biaslab.runs import open_store, save_items
from tests.ui.conftest import Visit, links, words


def test_the_empty_page_offers_examples_that_rules_explain(visit: Visit) -> None:
    app = visit("what_happened")
    assert "look at an example" in app.info[0].value
    assert len(app.get("page_link")) >= 5


def test_a_link_shows_the_rule_its_steps_the_right_way_and_the_next_problem(visit: Visit) -> None:
    app = visit("what_happened", problem="702 - 345", answer="443")
    said = words(app)
    assert not app.error
    assert "One known rule gives 443" in said
    assert "Takes the smaller digit from the larger" in said
    assert "Takes the smaller digit 2 from the larger 5 in the ones column" in said
    assert "The right way" in said
    assert "Right answer: <strong>357</strong>" in said
    assert "The only explanation known; well documented" in said
    card, researchers = said.partition("For researchers")[::2]
    assert "NO01" not in card
    assert "NO01" in researchers
    assert "A: a well-known primary source" in researchers
    assert "The problem to ask next" in said
    # What to ask has the numbers of an example, and says so where the problem has others.
    assert "To ask, for example" in said
    own = words(visit("what_happened", problem="12 - 8 + 3", answer="1"))
    assert "To ask" in own
    assert "for example" not in own


def test_powers_and_fractions_stand_as_in_a_book(visit: Visit) -> None:
    said = words(visit("what_happened", problem="a^2 + b when a = 5 and b = 2", answer="12"))
    assert "Understood as: What is 5² + 2?" in said
    assert "What is 5² + 2?</p>" in said
    # And with letters, as the cards of rules have them.
    letters = words(visit("what_happened", problem="3a^2b × 4a^3", answer="12a^6b"))
    assert "xᵃ xᵇ = xᵃᵇ" in letters
    assert "One known rule gives 12a⁶b" in letters
    tex = words(visit("what_happened", problem=r"\( \frac{3}{8}+\frac{1}{8} \)",
                      answer=r"\frac{4}{16}"))  # fmt: skip
    assert "One known rule gives 4/16, " in tex
    coins = "Two coins are tossed. What is the probability of two heads?"
    said = words(visit("what_happened", problem=coins, answer="1/3"))
    answers = said.partition("correct method")[2]
    assert "<b>0." not in answers
    assert "/" in answers.partition("</dd>")[0]


def test_the_explanations_and_the_next_problem_are_a_page_to_print(visit: Visit) -> None:
    app = visit("what_happened", problem="702 - 345", answer="443", paper="yes")
    page = words(app).partition("What happened here?</h2>")[2]
    assert "One known rule gives 443" in page
    assert "Right answer: <strong>357</strong>" in page
    assert "Takes the smaller digit from the larger" in page
    assert "The problem to ask next" in page
    right = words(visit("what_happened", problem="52 - 17", answer="35", paper="yes"))
    assert "The answer is right." in right.partition("What happened here?</h2>")[2]


def test_what_is_typed_stands_in_the_address(visit: Visit) -> None:
    app = visit("what_happened")
    app.text_area[0].set_value("1/2 + 1/3")
    app.text_input[0].set_value("2/5").run()
    assert app.query_params["problem"] == "1/2 + 1/3"
    assert app.query_params["answer"] == "2/5"
    assert "Adds tops and adds bottoms of fractions" in words(app)


def test_another_next_problem_is_a_click_away(visit: Visit) -> None:
    app = visit("what_happened", problem="1/2 + 1/3", answer="2/5")
    (another,) = [each for each in app.button if each.label == "Another one"]
    another.click().run()
    assert app.query_params["next"] == "2"
    assert not app.error


def test_nonsense_a_right_answer_and_an_unread_problem_are_told(visit: Visit) -> None:
    assert "No known rule gives 999" in words(
        visit("what_happened", problem="52 - 17", answer="999")
    )
    assert "right" in visit("what_happened", problem="52 - 17", answer="35").success[0].value
    refused = visit("what_happened", problem="hello", answer="3")
    assert "has no number" in refused.error[0].value


def test_how_a_problem_was_understood_is_said(visit: Visit) -> None:
    app = visit("what_happened", problem="3y + 12 = 33", answer="15")
    assert "Understood as: Solve 3x + 12 = 33." in words(app)


def test_a_step_of_the_pupils_own_that_one_explanation_has_is_the_headline(visit: Visit) -> None:
    app = visit("what_happened", problem="52 - 17", answer="7-2=5, 5-1=4, so 45")
    assert (
        "Takes the smaller digit from the larger: the working shows it, 7-2=5"
        in app.header[0].value
    )
    alone = visit("what_happened", problem="52 - 17", answer="45")
    assert "cannot tell us which one" in alone.header[0].value


def test_several_answers_are_marked_row_by_row(visit: Visit) -> None:
    app = visit("what_happened", view="several")
    assert "example to paste" in app.info[0].value
    app.text_area[0].set_value("52 - 17; 45\nwhat?; 3\n1/2 + 1/3\t2/5\n6 + 6; 12").run()
    assert not app.error
    assert "4 answers: 2 explained, 1 right, 1 not read" in words(app)
    rows = app.dataframe[1].value
    assert list(rows["what happened"]) == [
        "✗ known rule", "? not read", "✗ known rule", "✓ right",
    ]  # fmt: skip
    assert "no number" in rows["why it was not read"][1]
    # Nothing of it stands in the address.
    assert set(app.query_params) == {"view"}


def test_hostile_text_is_shown_as_text(visit: Visit) -> None:
    app = visit("what_happened", problem="<script>alert(1)</script> 5 + 5 $x$", answer="<b>9</b>")
    assert len(app.error) == 1
    assert all("<script>" not in each.proto.body for each in app.get("html"))


def test_the_wrong_options_of_a_kept_set_are_told_beside_what_its_file_says(
    visit: Visit, empty: Path
) -> None:
    item = ImportedItem(
        question="What is 702 - 345?",
        options=("357", "443", "1047"),
        key="A",
        rationales={"B": "Takes the smaller digit away"},
    )
    with open_store(empty) as store:
        kept = save_items(store, "my book", [item], "book.csv").id
    app = visit("what_happened", view="several", **{"from": "set"}, items=kept)
    assert not app.exception
    assert "2 answers: 2 explained" in words(app)
    shown = app.dataframe[-1].value
    assert list(shown["what the file says"]) == ["Takes the smaller digit away", ""]
    assert "takes the smaller digit from the larger" in shown["known rules that give it"][0]
    way = links(visit("import_items", items=kept))["Which rules give its wrong options"]
    assert way == f"what_happened?view=several&from=set&items={kept}"
