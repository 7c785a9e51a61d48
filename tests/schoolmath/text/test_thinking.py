"""Thinking is found by one table, wherever a text came from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.answers import read_number
from schoolmath.text.thinking import (
    ANSWER_CHANNELS,
    PAIRS,
    closing_marker,
    find_thinking,
    split_thinking,
    unknown_markers,
)

WRONG = "Or is it 14 - 5 = 9? The answer is 9."
RIGHT = "Ana has 19 stickers."


def value(response: str) -> object:
    """What is read where somebody asked how many stickers Ana has."""
    found = {read_number(response, form="chat").value, read_number(response, form="text").value}
    assert len(found) == 1, response
    return found.pop()


def test_no_pair_in_the_table_is_read_whatever_its_letter_case() -> None:
    wrong = []
    for pair in PAIRS:
        for change in (str, str.upper, str.lower):
            opening, closing = change(pair.opening), change(pair.closing)
            block = f"{opening}{WRONG}{closing}"
            for response in (
                block + RIGHT,
                f"\n{block}\n\n{RIGHT}",
                f"{block}{block}{RIGHT}",
                f"{block}{RIGHT}{block}",
                *([f"{WRONG}{closing}{RIGHT}"] if pair.alone and not pair.closed else []),
            ):
                thought = split_thinking(response)
                if value(response) != 19 or value(thought.text) != 19 or "9." in thought.text:
                    wrong.append(response)
                elif WRONG not in thought.thinking or opening in thought.thinking:
                    wrong.append(f"{response} -> {thought}")
    assert wrong == []


def test_thinking_that_was_never_closed_gives_nothing_to_read() -> None:
    wrong = []
    for pair in PAIRS:
        if pair.closed:
            continue
        found = split_thinking(f"{pair.opening}{WRONG}")
        if (found.text, found.thinking) != ("", WRONG):
            wrong.append(pair.opening)
        for response in (f"{pair.opening}{WRONG}", f"{RIGHT} {pair.opening}{WRONG}"):
            reading = read_number(response, form="chat")
            if reading.value is not None or reading.rule != "unfinished thinking":
                wrong.append(response)
    assert wrong == []


def test_channels_are_read_by_their_names() -> None:
    final = "<|channel|>final<|message|>"
    analysis = f"<|channel|>analysis<|message|>{WRONG}"
    for response in (
        f"{analysis}<|end|><|start|>assistant{final}{RIGHT}",
        f"{analysis}<|end|><|start|>assistant{final}{RIGHT}<|return|>",
        f"<|start|>assistant{analysis}{final}{RIGHT}",
        f"{WRONG}<|end|><|start|>assistant{final}{RIGHT}",
        f"{analysis}<|end|><|start|>assistant<|channel|>commentary to=tool<|constrain|>json"
        f"<|message|>{{}}<|call|><|start|>assistant{final}{RIGHT}",
        f"<|Channel|>Analysis<|Message|>{WRONG}<|End|><|Channel|>Final<|Message|>{RIGHT}",
        f"to=self<|message|>{WRONG}<|eom|><|start|>assistant to=user<|message|>{RIGHT}<|eot|>",
        f"analysis{WRONG}assistantfinal{RIGHT}",
        f"analysisI see. {WRONG}assistantcommentary{WRONG}assistantfinal{RIGHT}",
    ):
        thought = split_thinking(response)
        assert (value(response), thought.text) == (19, RIGHT), response
        assert "Or is it" in thought.thinking
    for response in (analysis, f"{analysis}<|end|>", f"analysis{WRONG}"):
        assert split_thinking(response).text == ""
        assert read_number(response, form="chat").rule == "unfinished thinking"
    assert {"final", "user"} == ANSWER_CHANNELS


def test_an_own_marker_closes_before_another_pairs_does() -> None:
    inside = f"<think>Write </reasoning> here. {WRONG}</think>{RIGHT}"
    assert split_thinking(inside).text == RIGHT
    mixed_up = f"<think>{WRONG}</thinking>{RIGHT}"
    assert split_thinking(mixed_up).text == RIGHT


def test_words_and_signs_that_are_no_markers_are_left_alone() -> None:
    for text in (
        "Think: 14 + 5 = 19.",
        "I think 5 < 14, so 19 > 14.",
        "The analysis says 19.",
        "analysis of the problem: 19",
        "Here is my thought process: 14 + 5 = 19.",
        "<b>19</b>",
        "Let <number> be 19.",
    ):
        assert find_thinking(text).blocks == (), text
        assert split_thinking(text).text == text


def test_a_prompt_that_ends_within_thinking_opens_it() -> None:
    assert closing_marker("<|im_start|>assistant\n<think>\n") == "</think>"
    assert closing_marker("[/INST][THINK]") == "[/THINK]"
    assert not closing_marker("<|im_start|>assistant\n")
    assert not closing_marker("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert not closing_marker("What does <think> mean?")
    assert split_thinking(WRONG, begins_inside=True).text == ""
    assert split_thinking(f"{WRONG}</think>{RIGHT}", begins_inside=True).text == RIGHT


def test_what_looks_like_a_marker_and_is_not_in_the_table_is_named() -> None:
    assert unknown_markers("<ponder>9?</ponder>19") == ("<ponder>",)
    assert unknown_markers("[PONDER]9?[/PONDER]19") == ("[PONDER]",)
    assert unknown_markers("\n<ponder>Is it 9?") == ("<ponder>",)
    assert unknown_markers("<|ponder_start|>9?<|ponder_end|>19") == (
        "<|ponder_start|>",
        "<|ponder_end|>",
    )
    for known in (
        "<b>19</b>",
        "<answer>19</answer>",
        "The <number> is 19",
        "[X]",
        "<think>9</think>19",
        "<|channel|>analysis<|message|>9<|end|><|start|>assistant<|channel|>final<|message|>19",
    ):
        assert unknown_markers(known) == (), known


MARKERS = [marker for pair in PAIRS for marker in (pair.opening, pair.closing)]


@given(
    st.lists(
        st.sampled_from([*MARKERS, "<|channel|>", "final", "<|message|>", "<|end|>", "19", " "])
        | st.text(max_size=3),
        max_size=12,
    ).map("".join)
)
def test_blocks_lie_apart_and_in_order_and_splitting_never_adds_a_sign(text: str) -> None:
    found = find_thinking(text)
    ends = [place for span in found.blocks for place in span]
    assert ends == sorted(ends)
    assert all(0 <= place <= len(text) for place in ends)
    thought = split_thinking(text)
    assert len(thought.text) <= len(text)
    assert not set(thought.text) - set(text)


def test_a_long_text_of_nothing_but_markers_is_split() -> None:
    # With steps that grow with the square of the length this would take hours.
    for piece in (
        "<think>", "</think>", " ", "<", "<|channel|>", "to=", "<|channel|>final<|message|>",
        "analysis", "[THINK]<think>", "<think></think><|end|>",
    ):  # fmt: skip
        long = piece * (200_000 // len(piece))
        assert len(split_thinking(long).text) <= len(long)
