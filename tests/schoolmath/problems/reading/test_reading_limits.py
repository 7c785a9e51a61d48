"""Any text is read or refused, in work that grows with its length only. Counted, not timed."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schoolmath.problems import write
from schoolmath.problems.reading import LONGEST_TEXT, describe_statement, read, sentences
from schoolmath.problems.reading.shapes import (
    ShapeTree,
    _Node,
    all_shapes,
    built_in_shapes,
    plain_words,
)
from schoolmath.problems.reading.telling import mental_model

PIECES = [
    "Ana", "Ben", "has", "3", "12", "more", "than", "gives", "to", "pens", "times", "as many as",
    "each", "box", "boxes", "of", "How many", "does", "have", "some", "0", "altogether", "now",
    ".", "?", "and", "Each", "holds", "-", "½", "{q}", ",", "she", "the", "'s", "'", "a", "half",
    "twenty", "hundred", ";", "There are", "in", "Compared with", "All of", "packed into", "٣", "²",
]  # fmt: skip
pieces = st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join)

_THING = st.sampled_from(
    ["pen", "clay", "milk", "brown milk", "mouse", "gold", "training data", "box", "vase", "red"]
)  # fmt: skip
_TOLD = st.sampled_from(
    ["{a} has {n} {t}s.", "{a} has {n} {u}s of {t}.", "{a} gave {b} {n} {t}s.",
     "{a} has {n} more {t}s than {b}.", "{a} has {n} {u}s less {t} than {b}.",
     "Each of {a}'s {u} has {n} {t}s.", "Every {t} that {a} has contains {n} {u}s.",
     "{a} possesses {n} {t} for every red {u}.", "{a} has 1/{n} the amount of {t}s as {b}."]
)  # fmt: skip
_ASKED = st.sampled_from(
    ["How many {t}s does {a} have?", "How many {u}s of {t} does {a} have?",
     "How many does {a} have?", "How much {t} does {a} have?",
     "How many {t}s does each of {a}'s {u} contain?"]
)  # fmt: skip
_NAMES = st.sampled_from(["Ana", "Ben", "Cem"])
_WORDS = st.fixed_dictionaries(
    {"a": _NAMES, "b": _NAMES, "n": st.integers(0, 12), "t": _THING, "u": _THING}
)


def _filled(form: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda text, words: text.format(**words), form, _WORDS)


stories = st.builds(
    lambda told, asked: " ".join([*told, asked]),
    st.lists(_filled(_TOLD), min_size=1, max_size=4),
    _filled(_ASKED),
)
"""Whatever is counted in whatever: by itself, in a measure, as a container, or not named at all."""


def nodes(node: _Node) -> int:
    children = [node.literals, node.names, node.numbers, node.things]
    return 1 + sum(nodes(child) for able in children for child in able.values())


@pytest.fixture
def counted(monkeypatch):
    """Counts the steps down the trees of shapes."""
    steps = []
    down = ShapeTree._down

    def counting(*arguments):
        steps.append(None)
        return down(*arguments)

    monkeypatch.setattr(ShapeTree, "_down", counting)
    return steps


class TestAnyText:
    @given(st.one_of(st.text(max_size=LONGEST_TEXT), pieces))
    @example("'" * 50)
    @example("Ana has 3 ²")
    @example("٣ Ana")
    @example(".?!;" * 20)
    def test_is_read_or_refused_with_a_reason(self, text):
        found = read(text)
        assert (found.solution is None) == bool(found.fault)
        assert all(bool(each.reason) == (each.said is None) for each in found.sentences)

    @given(st.one_of(pieces, stories))
    @settings(max_examples=400)
    @example("Ana has 3 red pens. How many red pens does Ana have?")
    @example("Ana possesses 3 brown milk for every red box. How many milks does Ana have?")
    @example(
        "Ana has 3 more mouses than Ben. Each of Ben's mouse has 2 pens. How many does Ana have?"
    )
    @example(
        "Every pen that Ben has contains 12 milks. How many milks does each of Ana's milk contain?"
    )
    def test_what_was_read_can_be_told_and_written_again(self, text):
        found = read(text)
        for each in found.sentences:
            if each.said is not None:
                assert describe_statement(each.said, found.words).strip()
        if found.problem is not None:
            mental_model(found.problem)
            again = read(str(write(found.problem, found.words)))
            assert all("“" not in each.text for each in again.sentences)


class TestWork:
    @pytest.mark.parametrize("tree", [built_in_shapes(), all_shapes()], ids=["own", "all"])
    @given(text=pieces)
    def test_no_place_of_the_tree_is_visited_twice_for_a_sentence(self, tree, text):
        words = plain_words(text)
        visited = []
        down = ShapeTree._down
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                ShapeTree,
                "_down",
                lambda self, node, *more: visited.append(id(node)) or down(self, node, *more),
            )
            tree.match(words.raw, words.plain)
        assert len(visited) == len(set(visited)) <= nodes(tree.root)

    @pytest.mark.parametrize(
        "text",
        [
            "Ana has 3 " * 500,
            "Ana has 3 pens, and " * 250,
            "and " * 1200,
            "Ana " * 1250,
            "Ana has 3 pens of " * 270,
            "a" * 5_000,
            "1," * 2_500,
            "'" * 5_000,
            "Ana's " * 800,
            "as many as " * 450,
            "hundred and " * 400,
            "Ana has 1. " * 59,
            "Each box holds 2 bags. " * 59,
            ("Ana has 3 pens, and Ben buys, and " * 11 + ". ") * 13,
        ],
    )
    def test_the_worst_texts_take_few_steps(self, text, counted, monkeypatch):
        tries = []
        read_clause = sentences.read_clause
        monkeypatch.setattr(
            sentences,
            "read_clause",
            lambda *arguments: tries.append(None) or read_clause(*arguments),
        )
        read(text[:LONGEST_TEXT])
        assert len(tries) < 3_000
        assert len(counted) < 60_000
