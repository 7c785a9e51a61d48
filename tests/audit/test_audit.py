"""The audit of a corpus gives the shares it was made with, and says what it can't tell."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.audit import SIGNAL_WORDS, AuditError, audit, ratios
from biaslab.audit.auditing import MOST_TEXTS
from biaslab.audit.features import AuditReading, shown
from biaslab.training.mix import RATIOS, read_mix
from tests.audit.designed import designed
from tests.loops import over


def unread(_: str) -> AuditReading:
    """A reader that understands nothing as a whole."""
    return AuditReading(None, None, None)


STUDIES = ("consistency", "transfer-comparison", "carry")


@pytest.fixture(scope="module", params=STUDIES)
def made(request):
    """300 pairs of a study, and their audit."""
    texts = designed(request.param, 150)
    assert len({each.text for each in texts}) == len(texts)
    return texts, audit(each.text for each in texts)


def test_what_is_read_and_not_proved_is_not_counted_as_read():
    doubted = "Ana has 5 pens at home. Ana buys 3 pens at school. How many has Ana at home?"
    assert not shown(doubted).read
    assert shown("Ana has 5 pens. Ana buys 3 pens. How many pens does Ana have?").read


class TestATextOfThisLab:
    def test_every_text_is_read_and_every_share_is_as_it_was_made(self, made):
        texts, found = made
        assert found.read == len(found.texts) == len(texts)

        wordings = Counter(str(kind) for each in texts for kind in each.wordings)
        assert {s.kind: s.count for s in found.feature("wording").shares if s.count} == wordings
        steps = Counter(str(len(each.steps)) for each in texts)
        counted = found.feature("steps")
        assert {s.kind: s.count for s in counted.shares[:4] if s.count} == {
            kind: n for kind, n in steps.items() if int(kind) < 4
        }
        operations = Counter(step.operation for each in texts for step in each.steps)
        assert {
            s.kind: s.count for s in found.feature("operations").shares if s.count
        } == operations
        carrying = Counter(
            "carry" if step.carries else "no-carry"
            for each in texts
            for step in each.steps
            if step.carries is not None
        )
        assert {s.kind: s.count for s in found.feature("carries").shares if s.count} == carrying

    def test_every_feature_is_told_for_every_text(self, made):
        _, found = made
        for feature in found.features:
            assert feature.told == feature.of

    def test_every_share_has_its_n_and_an_interval_around_it(self, made):
        _, found = made
        for share in (share for feature in found.features for share in feature.shares if share.n):
            assert share.share == share.count / share.n
            assert share.interval.low <= share.share <= share.interval.high


def test_transfers_and_comparisons_are_told_apart_as_they_were_made():
    found = audit(each.text for each in designed("transfer-comparison", 100)).feature("problems")
    assert {share.kind: share.count for share in found.shares} == {
        "transfer": 100, "comparison": 100, "both": 0, "neither": 0,
    }  # fmt: skip


def test_a_mix_of_5_to_1_is_found_as_5_to_1():
    texts = designed("consistency", 60, steps="1-1")
    consistent = [each.text for each in texts if str(each.wordings[0]) == "consistent"]
    inconsistent = [each.text for each in texts if str(each.wordings[0]) == "inconsistent"]
    found = audit([*consistent[:50], *inconsistent[:10]])
    assert ratios(found)["consistent:inconsistent"] == (50, 10)


class TestClausesAlone:
    """What clauses show where no text is read as a whole: less, and never the opposite."""

    @pytest.mark.parametrize("study", STUDIES)
    def test_a_wording_that_is_told_is_the_right_one(self, study):
        told = 0
        for each in designed(study, 150, seed=2):
            seen = shown(each.text, reader=unread)
            wordings = [kind for kind in seen.comparisons if kind is not None]
            told += len(wordings)
            assert not seen.read
            assert seen.steps is None
            assert not Counter(wordings) - Counter(each.wordings), each.text
        assert told

    @pytest.mark.parametrize("study", STUDIES)
    def test_no_comparison_and_no_transfer_is_overlooked_for_certain(self, study):
        for each in designed(study, 150, seed=3):
            seen = shown(each.text, reader=unread)
            if each.compares:
                assert seen.compares is not False, each.text
            elif study == "transfer-comparison":
                assert seen.compares is not True, each.text
            if each.transfers:
                assert seen.transfers is not False, each.text

    @over(
        ("text", "wordings"),
        [
            ("Noor has 9 kites. Ben has 4 more kites than Noor. How many has Ben?", "consistent"),
            ("Noor has 9 kites. She has 4 more than Ben. How many has Ben?", "inconsistent"),
            ("Noor ate 9 plums. Ben ate 4 fewer than Noor. How many did Ben eat?", "consistent"),
            ("There are 12 boys. There are 5 more girls than boys. How many girls?", "consistent"),
            ("There are 12 boys. There are 5 more boys than girls. Girls?", "inconsistent"),
            ("At Foo, oil costs 65 cents. This is 2 cents less than oil at Bar.", None),
            ("There are 24 more girls than boys. How many boys are there?", None),
            ("Noor has 9 kites, Ben has 5. Noor has 4 more than Ben. How many in all?", None),
            ("On Monday it rained 9 mm. On Friday it rained 2 mm less than on Monday.", None),
            ("Ben has 2 more than Noor, Cem 3 more than Ben. Noor has 9.", "consistent " * 2),
        ],
    )  # fmt: skip
    def test_which_amount_is_known_decides_and_where_both_or_none_are_nothing_is_told(
        self, text, wordings
    ):
        found = shown(text, reader=unread).comparisons
        told = [None if each is None else str(each) for each in found]
        assert told == ([None] if wordings is None else wordings.split())

    @pytest.mark.parametrize(
        ("text", "transfers"),
        [
            ("Noor had 9 kites. She gave 4 to Ben. How many has she left?", True),
            ("7 eggs were eaten. There had been 12. How many are left?", True),
            ("Noor has 9 kites in each of 3 boxes. How many kites has she?", False),
            ("The 5 boxes are 3 cm high. How high are they?", False),
            ("The plants in 5 packs are 3 cm high. How high are they?", None),
            ("Noor snorfled 4 kites. How many has she?", None),
            ("Noor has 9 kites. How many must she buy to have 12?", None),
        ],
    )
    def test_a_transfer_is_told_by_a_known_verb_and_denied_only_by_known_ones(
        self, text, transfers
    ):
        assert shown(text, reader=unread).transfers is transfers

    def test_asking_for_a_difference_states_none(self):
        text = "Noor has 9 kites. Ben has 5. How many more kites has Noor than Ben?"
        assert shown(text).compares is False


def test_a_story_without_a_mental_model_tells_its_steps():
    found = shown("A baker had 38 rolls. He sold 19 in the morning. How many rolls are left?")
    assert found.read
    assert [(step.operation, step.carries) for step in found.steps] == [("-", True)]
    assert found.transfers is True


class TestWhatIsNotTold:
    NONSENSE = (
        "Der Fuchs hat 5 Äpfel und schnorchelt 3 davon.",
        "O rose, thou art sick! The invisible worm.",
        "def f(x): return x + 1",
    )

    def test_a_text_that_is_not_read_counts_as_not_told_and_never_as_no(self):
        found = audit(self.NONSENSE)
        assert (found.read, len(found.texts)) == (0, 3)
        for key in ("steps", "operations"):
            feature = found.feature(key)
            assert (feature.told, feature.of) == (0, 3)
            assert all(share.n == 0 and share.share is None for share in feature.shares)

    def test_shares_do_not_change_when_unread_texts_are_added(self):
        texts = [each.text for each in designed("carry", 20)]
        alone, beside = audit(texts), audit([*texts, *self.NONSENSE])
        for key in ("steps", "operations", "carries"):
            assert alone.feature(key).shares == beside.feature(key).shares
            assert beside.feature(key).of == alone.feature(key).of + 3

    def test_a_text_given_twice_counts_once_and_an_empty_one_not_at_all(self):
        text = "Noor has 9 kites. How many kites does Noor have?"
        found = audit([text, " Noor  has 9 kites. how many kites does noor have? ", "", "  \n"])
        assert (found.rows, len(found.texts), found.doubled, found.empty) == (4, 1, 1, 2)

    def test_nothing_at_all_has_no_share(self):
        found = audit([])
        assert all(share.share is None for each in found.features for share in each.shares)
        assert ratios(found) == {}


class TestSignalWords:
    def test_a_word_is_counted_with_the_operations_of_the_solved_texts_it_stands_in(self):
        found = audit(
            [
                "Noor has 9 kites. Ben has 4 more kites than Noor. How many kites does Ben have?",
                "Noor has 9 kites. Noor has 4 more kites than Ben. How many kites does Ben have?",
                "Nobody knows how many more snorfled.",
            ]
        )
        more = next(each for each in found.signals if each.word == "more")
        assert (more.texts, more.told) == (3, 2)
        assert {each.kind: each.count for each in more.operations} == {
            "+": 1, "-": 1, "*": 0, "/": 0,
        }  # fmt: skip
        assert [each.word for each in found.signals] == list(SIGNAL_WORDS)


class TestBadInput:
    @given(st.text(max_size=120))
    def test_any_text_is_audited(self, text):
        assert audit([text]).rows == 1

    @over(
        "text",
        ["than " * 900, "5 more " * 700, "9" * 4900, "a" * 4900, "5 as " * 900, "x" * 10**6,
         "?" * 4000, "Ana has 5 more than Ben, " * 190, "how many if " * 400],
    )  # fmt: skip
    def test_long_and_odd_texts_end(self, text):
        assert audit([text]).read == 0

    def test_too_many_texts_are_refused_with_what_to_do(self):
        with pytest.raises(AuditError, match="random sample"):
            audit("" for _ in range(MOST_TEXTS + 1))


def test_the_ratios_of_an_audit_are_a_mix_of_the_training_lab():
    found = audit(each.text for study in STUDIES for each in designed(study, 30))
    pairs = ratios(found, {"transfer:comparison": (0.987654, 0.0001)})
    assert set(pairs) == set(RATIOS)
    mix = read_mix(",".join(f"{name}={a}:{b}" for name, (a, b) in pairs.items()))
    assert mix.transfer == 1000
    assert mix.comparison == 1


def test_what_was_not_read_is_counted_by_reason_the_commonest_first() -> None:
    found = audit(
        [
            "Ana has 5 pens. She buys 3 pens. How many pens does Ana have?",
            "Chi has half a cup of the 9 cups. How many cups does Chi have?",
            "Dan has a third of 6 cups. How many cups does Dan have?",
            "There are 40 cars. 12 leave and 9 arrive. How many cars are there now?",
            "word " * 1_100,
        ]
    )
    assert found.read == 1
    assert sum(many for _, many in found.unread) == 4
    assert found.unread[0] == ("Not understood: “…”.", 2)
    assert ("“…” has no part in the answer.", 1) in found.unread
    assert any("longer than" in reason for reason, _ in found.unread)
