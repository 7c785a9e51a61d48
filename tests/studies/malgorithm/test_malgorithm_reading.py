"""Answers of one letter are read leniently, and a letter is never guessed from a sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.answers.labels import LabelSubject, read_choice
from tests.loops import over

RATIONALE, OPTION = LabelSubject.RATIONALE, LabelSubject.OPTION


@over(
    "text",
    [
        '{"answer": "B"}',
        '{"answer":"B"}\n',
        '```json\n{"answer": "B"}\n```',
        "{'answer': 'B'}",
        '{"Answer": "b"}',
        "{answer: B}",
        '{"answer": B}',
        '{"answer": "Rationale B"}',
        '{"answer": "B."}',
        '{"answer": "(B)"}',
        '{"answer": ["B"]}',
        "{“answer”: “B”}",
        '{"answer": "B", "reason": "It doubles."}',
        '{"reason": "Rationale A adds.", "answer": "B"}',
        '{"answer": "B. Takes the smaller digit"}',
        'Sure! {"answer": "B"} I hope this helps.',
        'First {"answer": "A"}, no: {"answer": "B"}',
        "B",
        "b",
        " B. ",
        "(B)",
        "**B**",
        '"B"',
        "Rationale B",
        "rationale B.",
        "Answer: B",
        "The answer is B.",
        "The answer is rationale B.",
        "The correct rationale is B because it doubles.",
        "The right rationale must be **B**",
        "Rationale B led to this choice.",
        "It is rationale B.",
        "A adds and C doubles. So the answer is B",
        "The answer is A. Wait, no. The answer is B.",
        "Some thoughts.\n\nB",
        "Some thoughts about A.\nRationale B",
        "B. Takes the smaller digit from the larger.",
        'B"}',
        'B"}\n\nQuestion: What is next?',
        'Rationale B"}',
        "B}",
    ],
)
def test_a_stated_letter_is_read(text):
    found = read_choice(text, RATIONALE)
    assert found.value == "B"
    assert found.span is not None
    assert text[slice(*found.span)].upper() == "B"


@over(
    "text",
    [
        "",
        " ",
        "I do not know.",
        "A pupil takes the smaller digit from the larger.",
        "A common mistake.",
        "Ben doubles the number.",
        "Rationale A adds, rationale B doubles, rationale C halves.",
        "Rationale B is wrong.",
        "The answer is 42.",
        "The answer is not B.",
        "The answer is a triangle.",
        "The answer is A triangle.",
        "The choice is B. 42.",
        "Option B",
        '{"answer": "X"}',
        '{"answer": "E"}',
        '{"answer": ""}',
        '{"answer": "None"}',
        '{"answer": "Both"}',
        '{"answer": "B or C"}',
        '{"answer": ["A", "B"]}',
        '{"answer": "A, B"}',
        "The answer is A or B.",
        "The answer is B and C.",
        "A and B",
        "A\nB\nC\nD and more",
        "A. Adds.\nB. Doubles.\nC. Halves.\nD. Takes away.",
        "Answer: Because it doubles",
        "DADA",
    ],
)
def test_nothing_else_is_taken_for_an_answer(text):
    assert read_choice(text, RATIONALE).value is None


def test_an_answer_that_was_taken_back_for_several_is_unreadable():
    assert read_choice("The answer is A. Or rather: the answer is B or C.", RATIONALE).value is None


def test_options_are_named_as_options():
    for text in ("Option B", "The correct option is B.", "The right choice is B"):
        assert read_choice(text, OPTION).value == "B"
        assert read_choice(text, RATIONALE).value is None


@over(
    ("text", "exact"),
    [
        ('{"answer": "B"}', True),
        ('It doubles. \n{"answer": "B"}\n', True),
        ('B"}', True),
        ('{"answer": "b"}', False),
        ("{'answer': 'B'}", False),
        ('```json\n{"answer": "B"}\n```', False),
        ('{"answer": "B"} because it doubles', False),
        ("B", False),
        ("B}", False),
    ],
)
def test_whether_the_json_was_exactly_as_asked_is_told(text, exact):
    found = read_choice(text, RATIONALE)
    assert (found.value, found.exact) == ("B", exact)


def test_the_last_line_of_a_response_that_was_cut_off_is_not_its_answer():
    text = "It may be A that adds.\nB"
    assert read_choice(text, RATIONALE).value == "B"
    assert read_choice(text, RATIONALE, cut_off=True).value is None


@given(st.text(max_size=80), st.sampled_from(list(LabelSubject)), st.booleans())
def test_any_text_is_read_without_an_error(text, named, cut_off):
    found = read_choice(text, named, cut_off)
    assert found.value in (None, *"ABCD")
    assert found.explanation.endswith(".")
    if found.span is not None:
        assert text[slice(*found.span)].upper() == found.value


TEXTS = {
    "A": "Shares 18 between two sides.",
    "B": "Takes 15 off once from 48.",
    "C": "Shares 48 between two sides.",
    "D": "Takes 15 twice from 48 for the other side.",
}
OPTIONS = {"A": "18", "B": "33", "C": "24", "D": "9"}


def test_the_forms_that_the_prompts_own_question_invites_are_read():
    """As small chat models write them: of SmolLM2-135M's answers 4 in 120 were read before."""
    stated = {
        "The rationale that led to this choice is C.": "C",
        'The rationale that led to this choice is: "C."': "C",
        'The rationale that led to this choice is: "C. Shares 48 between two sides."': "C",
        "The rationale that led to this choice was C. It shares 48.": "C",
        "It is C.": "C",
        "It's C": "C",
        "The answer is:\n\nC": "C",
        '{"rationale": "C"}': "C",
        "```json\n{'rationale': 'C'}\n```": "C",
        "Shares 48 between two sides.": "C",
        'The rationale that led to this choice is: "Shares 48 between two sides"': "C",
        "The rationale that led to this choice is A.\n\nNo, the rationale is C.": "C",
    }
    got = {text: read_choice(text, RATIONALE, labels=4, texts=TEXTS).value for text in stated}
    assert got == stated


def test_what_names_no_rationale_is_still_not_taken():
    nothing = [
        "The answer to this question is: 18",
        'The rationale that led to this choice is: "A rectangle has two sides."',
        "The rationale that led to this choice is A common mistake.",
        'The rationale is "A. Shares 48 between two sides."',
        "\n".join(f"{label}. {text}" for label, text in TEXTS.items()),
        '{"answer": "X", "options": ["A", "B", "C", "D"]}',
        "It is C that comes closest, or D.",
    ]
    got = {text: read_choice(text, RATIONALE, labels=4, texts=TEXTS).value for text in nothing}
    assert got == dict.fromkeys(nothing)


def test_an_option_may_be_named_by_its_text():
    stated = {
        "The correct answer is: 24": "C",
        'The correct answer is:\n\n{"answer": "24"}': "C",
        "The correct answer is:\n\nD. 9": "D",
        "The answer is 25.": None,
        "The sides are 24 and 9.": None,
    }
    got = {
        text: read_choice(text, LabelSubject.OPTION, labels=4, texts=OPTIONS).value
        for text in stated
    }
    assert got == stated


def test_a_list_of_all_labels_states_none_of_them():
    """As Qwen2.5-Coder-0.5B-Instruct went through the rationales until it was cut off."""
    weighed = (
        "Let's analyze each rationale step by step:\n\nA. Divides 12 by 3.\n   - This is right.\n\n"
        "B. Adds 12 and 3.\n   - This is right.\n\n**C.** Takes 3"
    )

    assert read_choice(weighed, RATIONALE, cut_off=True).value is None
    assert read_choice(f"{weighed}.\n\nThe answer is B.", RATIONALE).value == "B"
    assert read_choice(f"{weighed}.\n\nSo the rationale is:\n\nC. Takes 3", RATIONALE).value == "C"
    assert read_choice("The rationale is:\nA. Divides 12 by 3.", RATIONALE).value == "A"
