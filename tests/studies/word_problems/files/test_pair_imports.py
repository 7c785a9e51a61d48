"""Files of pairs: every row read back, solved again, and held against what the file says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.files import InterchangeError
from biaslab.files.opening import open_table
from biaslab.models import Completion
from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.files import (
    MemberReport,
    PairImport,
    Status,
    checking,
    import_pairs,
    read_pairs,
)
from biaslab.studies.word_problems.files.tables import write_released_csv

RELEASED = Path(__file__).resolve().parents[5] / "shared" / "data"

Rows = Iterable[Mapping[str, object]]


def as_csv(rows: Rows) -> bytes:
    rows = list(rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def imported(rows: Rows, **mapping: str) -> PairImport:
    return read_pairs(open_table(as_csv(rows), "pairs.csv"), mapping)


def members(found: PairImport) -> list[MemberReport]:
    return [member for row in found.rows for member in row.members]


def statuses(found: PairImport) -> list[str]:
    """Of the members, two for each row."""
    return [str(member.status) for member in members(found)]


def consistency(**changed: object) -> dict[str, object]:
    """A sound row in the columns of the released consistency file."""
    row: dict[str, object] = {
        "question": "How many large mugs does Ines have?",
        "consistent body": "Otto has 19 large mugs. Ines has 7 large mugs less than Otto.",
        "inconsistent body": "Otto has 19 large mugs. Otto has 7 large mugs more than Ines.",
        "consistent paraphrased": "Otto has 19 large mugs. Ines has 7 fewer large mugs than Otto. "
        "How many large mugs does Ines have?",
        "inconsistent paraphrased": "Otto has 19 large mugs. Otto has 7 more large mugs than Ines. "
        "How many large mugs does Ines have?",
        "answer": 12,
    }
    return row | changed


def transfer(**changed: object) -> dict[str, object]:
    """A sound row in the columns of the released file of transfers and comparisons."""
    row: dict[str, object] = {
        "question comparison": "How many torchs does Uma have totaled?",
        "question transition": "How many torchs does Lars have totaled now?",
        "body comparison": "Lars has 9 torchs. Pia has 6 more torchs than Lars. "
        "Pia has 4 fewer torchs than Uma.",
        "body transition": "Lars has 9 torchs. Pia gave Lars 6 torchs. Uma gave 4 torchs to Lars.",
        "paraphrase comparison": "Lars has 9 torches. Pia has 6 more torches than Lars. "
        "Pia has 4 fewer torches than Uma. How many torches does Uma have in total?",
        "paraphrase transition": "Lars has 9 torches. Pia gave Lars 6 torches. Uma gave 4 torches "
        "to Lars. How many torches does Lars have in total now?",
        "answer": 19,
    }
    return row | changed


def carry(**changed: object) -> dict[str, object]:
    """A sound row in the columns of the released carry file."""
    row: dict[str, object] = {
        "question": "How many liters of cider does Ines have?",
        "body no carry": "Otto has 512 liters of cider. "
        "Ines has 231 liters of cider more than Otto.",
        "body carry": "Otto has 476 liters of cider. Ines has 267 liters of cider more than Otto.",
        "paraphrase no carry": "Otto has 512 liters of cider. Ines has 231 liters more cider than "
        "Otto. How many liters of cider does Ines have?",
        "paraphrase carry": "Otto has 476 liters of cider. Ines has 267 liters more cider than "
        "Otto. How many liters of cider does Ines have?",
        "answer no carry": 743,
        "answer carry": 743,
        "answer": 743,
        "Carry Operation": "Addition",
        "Num. Carries": 2,
    }
    return row | changed


SOUND: tuple[Callable[..., dict[str, object]], ...] = (consistency, transfer, carry)


class TestReleasedFiles:
    @pytest.mark.parametrize("row", SOUND)
    def test_a_sound_row_becomes_a_pair(self, row):
        found = imported([row()])

        assert statuses(found) == ["proved", "proved"], found.as_json()
        (pair,) = found.pairs
        texts = {str(cell) for cell in row().values()}
        assert pair.x.text in texts
        assert pair.x_prime.text in texts
        assert pair.x.answer == pair.x_prime.answer == str(row()["answer"])
        assert pair.strata["treatment"] == found.layout

    @pytest.mark.parametrize(
        ("row", "layout", "x", "x_prime"),
        [
            (consistency, "consistency", "consistent", "inconsistent"),
            (transfer, "transfer-comparison", "transition", "comparison"),
            (carry, "carry", "no carry", "carry"),
        ],
    )
    def test_it_is_known_by_its_columns_and_the_easier_member_is_x(self, row, layout, x, x_prime):
        found = imported([row()])

        assert found.layout == layout
        assert [(each.member, each.arm) for each in members(found)] == [
            (x, "x"),
            (x_prime, "x_prime"),
        ]

    def test_columns_may_stand_in_any_order_with_others_among_them(self):
        row = {"Unnamed: 0": 4, **dict(reversed(list(consistency().items()))), "note": "x"}

        assert statuses(imported([row])) == ["proved", "proved"]

    def test_without_the_corrected_texts_body_and_question_are_the_text(self):
        row = {name: cell for name, cell in consistency().items() if "paraphrased" not in name}
        found = imported([row])

        assert statuses(found) == ["proved", "proved"]
        assert next(iter(found.pairs)).x.text == (
            "Otto has 19 large mugs. Ines has 7 large mugs less than Otto. "
            "How many large mugs does Ines have?"
        )

    def test_the_report_counts_rows_from_0_and_tells_two_members_of_each(self):
        found = imported([consistency(), consistency(answer=13)])

        told = found.as_json()
        assert [(each["row"], each["status"]) for each in told] == [
            (0, "proved"),
            (1, "contradicted"),
        ]
        assert told[0]["reasons"] == []
        assert told[1]["reasons"] == ["The text leads to 12, and the column “answer” says 13."]
        for row in told:
            assert [each["arm"] for each in row["members"]] == ["x", "x_prime"]
            assert {each["status"] for each in row["members"]} == {row["status"]}
        assert json.loads(json.dumps(told)) == told

    def test_a_contradiction_tells_how_both_members_were_read(self):
        (row,) = imported([consistency(answer=13)]).rows

        assert [member.understood for member in row.members] == [
            (
                "Otto has 19 large mugs.",
                "Otto has 7 more large mugs than Ines.",
                "Asked: how many large mugs Ines has.",
            )
        ] * 2
        assert [(member.solved, member.answer) for member in row.members] == [(12, "13")] * 2

    @pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
    def test_what_this_lab_writes_in_their_columns_comes_back(self, study):
        design = Design(study, 40, 3)
        pairs = list(experiment(study).pairs(design))
        data = write_released_csv(experiment(study), pairs)
        found = read_pairs(open_table(data, "pairs.csv"))

        assert set(statuses(found)) == {"proved"}, found.remarked()[:2]
        kept = list(found.pairs)
        assert [each.x.text for each in kept] == [each.x.text for each in pairs]
        assert [each.x_prime.text for each in kept] == [each.x_prime.text for each in pairs]
        assert [each.strata["steps"] for each in kept] == [each.strata["steps"] for each in pairs]
        assert [each.x_prime.facts["treated"] for each in kept] == [
            each.x_prime.facts["treated"] for each in pairs
        ]


class TestLabels:
    @given(st.integers(0, 999).filter(lambda answer: answer != 12))
    @settings(max_examples=30)
    def test_an_answer_that_the_text_does_not_lead_to_disagrees(self, answer):
        assert statuses(imported([consistency(answer=answer)])) == ["contradicted"] * 2

    @pytest.mark.parametrize("answer", ["12", "12.0", " 12 ", "12.00"])
    def test_the_same_number_written_otherwise_agrees(self, answer):
        assert statuses(imported([consistency(answer=answer)])) == ["proved", "proved"]

    @pytest.mark.parametrize(
        ("changed", "told"),
        [
            ({"Num. Carries": 1}, "“Num. Carries” says 1, and 476 + 267 = 743 carries twice."),
            ({"Num. Carries": "two"}, "“Num. Carries” says two"),
            ({"Carry Operation": "Subtraction"}, "“Carry Operation” says Subtraction"),
            ({"answer carry": 744}, "“answer carry” says 744"),
        ],
    )
    def test_labels_of_a_carry_file_are_counted_again(self, changed, told):
        found = imported([carry(**changed)])

        assert any(told in member.reason for member in members(found)), found.as_json()
        assert [str(row.status) for row in found.rows] == ["contradicted"]

    def test_a_member_without_carries_must_have_none(self):
        found = imported(
            [
                carry(
                    **{
                        "body no carry": carry()["body carry"],
                        "paraphrase no carry": str(carry()["paraphrase carry"]).replace(
                            "Otto", "Theo"
                        ),
                    }
                )
            ]
        )

        assert "nothing is carried, and 476 + 267 = 743 carries twice" in members(found)[0].reason

    def test_a_member_called_consistent_must_be(self):
        swapped = consistency()
        for part in ("body", "paraphrased"):
            one_, other = f"consistent {part}", f"inconsistent {part}"
            swapped[one_], swapped[other] = swapped[other], swapped[one_]
        found = imported([swapped])

        assert "calls it consistent, and its comparison is inconsistent" in members(found)[0].reason
        assert "calls it inconsistent, and its comparison is consistent" in members(found)[1].reason

    def test_steps_are_counted_again(self):
        row = {"x": consistency()["consistent paraphrased"], "n": 12, "steps": 3}
        row["x_prime"] = consistency()["inconsistent paraphrased"]
        found = imported([row], x="x", x_prime="x_prime", answer="n", steps="steps")

        assert "“steps” says 3, and the text takes 1 step." in members(found)[0].reason


class TestMeaningChangedByCorrection:
    """Each kind of the defects that were found in the released files, in our own words."""

    def told(self, row: dict[str, object], member: int) -> MemberReport:
        found = imported([row])
        report = members(found)[member]
        assert report.status is Status.CONTRADICTED, found.as_json()
        assert statuses(found).count("proved") == 1
        assert [row.status for row in found.rows] == [Status.CONTRADICTED]
        return report

    def test_a_comparison_that_lost_its_more(self):
        changed = str(consistency()["inconsistent paraphrased"]).replace("more large", "larger")
        report = self.told(consistency(**{"inconsistent paraphrased": changed}), 1)

        assert "Sentence 2" in report.reason
        assert report.sentence == 1

    def test_an_amount_bought_that_became_an_amount_had(self):
        bought = "Otto has 5 mugs. Otto bought 14 mugs. Ines has 7 mugs less than Otto."
        now_has = "Otto has 5 mugs. Otto now has 14 mugs. Ines has 7 fewer mugs than Otto."
        question = "How many mugs does Ines have?"
        report = self.told(
            consistency(
                **{
                    "question": question,
                    "consistent body": bought,
                    "consistent paraphrased": f"{now_has} {question}",
                    "inconsistent body": bought.replace(
                        "Ines has 7 mugs less than Otto", "Otto has 7 more mugs than Ines"
                    ),
                    "inconsistent paraphrased": "Otto has 5 mugs. Otto bought 14 mugs. "
                    f"Otto has 7 more mugs than Ines. {question}",
                }
            ),
            0,
        )

        assert "entence 2" in report.reason

    def test_a_comparison_turned_round(self):
        changed = str(transfer()["paraphrase comparison"]).replace(
            "Pia has 6 more torches than Lars", "Lars has 6 more torches than Pia"
        )
        report = self.told(transfer(**{"paraphrase comparison": changed}), 1)

        assert "Sentence 2 changed who has more than whom" in report.reason
        assert report.sentence == 1

    def test_two_comparisons_turned_round_that_leave_the_answer_as_it_was(self):
        before = (
            "Lars has 9 torchs. Pia has 6 more torchs than Lars. Pia has 6 more torchs than Uma."
        )
        after = (
            "Lars has 9 torches. Lars has 6 more torches than Pia. Uma has 6 more torches than Pia."
        )
        asked = "How many torches does Uma have in total?"
        report = self.told(
            transfer(
                **{
                    "body comparison": before,
                    "paraphrase comparison": f"{after} {asked}",
                    "body transition": "Lars has 9 torchs. Pia gave Lars 6 torchs. "
                    "Lars gave Uma 6 torchs.",
                    "paraphrase transition": "Lars has 9 torches. Pia gave Lars 6 torches. "
                    "Lars gave Uma 6 torches. How many torches does Lars have in total now?",
                    "answer": 9,
                }
            ),
            1,
        )

        assert "who has more than whom" in report.reason
        assert "leads to" not in report.reason

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("19 large mugs. Ines", "18 large mugs. Ines", "Sentence 1 changed its number"),
            ("7 fewer", "7 more", "Sentence 2 changed who has more"),
            ("Ines has 7 fewer", "Maud has 7 fewer", "Sentence 2 changed who it is about"),
            ("does Ines have", "does Otto have", "The question asks for something else"),
        ],
    )
    def test_each_thing_that_may_not_change(self, old, new, told):
        text = str(consistency()["consistent paraphrased"])
        assert old in text
        found = imported([consistency(**{"consistent paraphrased": text.replace(old, new)})])

        assert members(found)[0].status is Status.CONTRADICTED
        assert told in members(found)[0].reason

    @pytest.mark.parametrize(
        "text",
        [
            "Otto has 19 large mugs. Ines has 7 large mugs fewer than Otto. "
            "How many large mugs does Ines have?",
            "Otto has 19 large mugs. Ines has 7 fewer large mugs than Otto. "
            "What is the number of large mugs that Ines has?",
            "Otto has 19 large mugs. Ines has 7 fewer large mugs than Otto. "
            "How many large mugs does Ines have in total?",
        ],
    )
    def test_mended_grammar_changes_nothing(self, text):
        assert (
            statuses(imported([consistency(**{"consistent paraphrased": text})])) == ["proved"] * 2
        )


class TestAnyTable:
    PAIR = (
        str(consistency()["consistent paraphrased"]),
        str(consistency()["inconsistent paraphrased"]),
    )

    def test_columns_can_be_named(self):
        row = {"one": self.PAIR[0], "two": self.PAIR[1], "key to both": 12}
        found = imported([row], x="one", x_prime="two", answer="key to both")

        assert statuses(found) == ["proved", "proved"]
        assert found.layout == "table"
        assert [each.member for each in members(found)] == ["one", "two"]

    def test_columns_are_found_by_what_they_hold(self):
        row = {"n": "a", "leicht": self.PAIR[0], "schwer": self.PAIR[1], "loesung": 12}
        found = imported([row])

        assert statuses(found) == ["proved", "proved"]
        assert found.mapping == {"x": "leicht", "x_prime": "schwer", "answer": "loesung"}

    def test_two_answers_may_differ(self):
        other = "Otto has 19 large mugs. Ines has 7 more large mugs than Otto. " + str(
            consistency()["question"]
        )
        row = {"text1": self.PAIR[0], "text2": other, "answer1": 12, "answer2": 26}
        assert statuses(imported([row])) == ["proved", "proved"]
        both = {"text1": self.PAIR[0], "text2": other, "answer": 12}
        found = imported([both])
        assert statuses(found) == ["proved", "contradicted"]
        assert "lead to 12 (text1) and 26 (text2)" in members(found)[1].reason

    def test_json_lines_and_a_spreadsheet_hold_the_same(self, workbook):
        row = {"text1": self.PAIR[0], "text2": self.PAIR[1], "answer": 12}
        lines = f"{json.dumps(row)}\n{json.dumps(row | {'answer': 13})}\n".encode()
        sheet = workbook(list(row), list(row.values()), [*self.PAIR, 13])
        for data, name in ((lines, "pairs.jsonl"), (sheet, "pairs.xlsx")):
            found = read_pairs(open_table(data, name))
            assert statuses(found) == ["proved", "proved", "contradicted", "contradicted"], name
            assert [row.row for row in found.rows] == [0, 1]

    def test_members_that_are_the_same_text_are_no_pair(self):
        found = imported([{"text1": self.PAIR[0], "text2": self.PAIR[0], "answer": 12}])

        assert "word for word the same" in members(found)[0].reason

    def test_a_pair_that_comes_again_is_kept_once(self):
        row = {"text1": self.PAIR[0], "text2": self.PAIR[1], "answer": 12}
        found = imported([row, row])

        assert (len(found.rows), len(found.pairs)) == (2, 1)
        assert members(found)[2].remarks == ("It is the same pair as row 0, and is kept once.",)

    @pytest.mark.parametrize(
        ("mapping", "told"),
        [
            ({"x": "nowhere"}, "There is no column 'nowhere'"),
            ({"z": "text1"}, "There is no field 'z'"),
            ({"x": "text1", "x_prime": "text1"}, "cannot hold both members"),
        ],
    )
    def test_a_mapping_that_cannot_be_is_refused(self, mapping, told):
        row = {"text1": self.PAIR[0], "text2": self.PAIR[1], "answer": 12}
        with pytest.raises(InterchangeError, match=told):
            imported([row], **mapping)

    @pytest.mark.parametrize(
        ("row", "told"),
        [
            ({"a": "b", "c": 12}, "No two columns were found that hold the texts"),
            ({"text1": "T", "text2": "U", "c": "V"}, "No column was found for the answer"),
        ],
    )
    def test_missing_columns_are_named_with_what_to_do(self, row, told):
        with pytest.raises(InterchangeError, match=told) as refused:
            imported([row])
        assert "--column" in str(refused.value)


BUTTER = (
    "At Kiosk One, ham costs 65 cents per slice. {} If you buy 4 slices of ham, how many cents do "
    "you pay at Kiosk Two?"
)


class TestRowsThatAreNotRead:
    """The answer of the file is taken, and said to be."""

    ROW: Mapping[str, object] = {
        "text1": BUTTER.format("At Kiosk Two, ham costs 2 cents more per slice."),
        "text2": BUTTER.format("This is 2 cents less per slice than ham at Kiosk Two."),
        "answer": 268,
    }

    def test_are_labelled_with_the_reason_and_can_be_asked(self):
        found = imported([self.ROW])
        (row,) = found.rows
        (pair,) = found.pairs

        assert (row.status, row.kept) == (Status.LABELLED, True)
        assert "cannot be read" in row.reasons[0]
        assert (pair.x.answer, pair.x_prime.answer) == ("268", "268")
        assert pair.strata == {"status": "labelled", "treatment": "not said"}
        assert pair.x.facts["treated"] == [1]
        assert "steps" not in pair.x.facts

    def test_steps_are_those_of_the_file(self):
        found = imported([{**self.ROW, "steps": 2}])

        assert next(iter(found.pairs)).strata["steps"] == 2

    @pytest.mark.parametrize("answer", ["$2.68", "2.68", "1/2", "twelve", "1,268"])
    def test_an_answer_may_be_any_number(self, answer):
        found = imported([{**self.ROW, "answer": answer}])

        assert [row.kept for row in found.rows] == [True]
        (pair,) = found.pairs
        study = experiment("imported")
        written = {"twelve": "12"}.get(answer, answer.removeprefix("$"))
        said = Completion(written, "stop", 1, 1, 0.0)
        assert study.read(pair.x, [said]).outcome == 1.0

    @pytest.mark.parametrize("answer", ["", "a few", "12 or 13"])
    def test_without_an_answer_there_is_nothing_to_ask(self, answer):
        found = imported([{**self.ROW, "answer": answer}, consistency_table()])

        assert [(str(row.status), row.kept) for row in found.rows] == [
            ("labelled", False),
            ("proved", True),
        ]

    def test_one_member_that_is_read_proves_no_pair(self):
        row = {**consistency_table(), "text1": self.ROW["text1"]}
        found = imported([row])

        assert [str(row.status) for row in found.rows] == ["labelled"]
        assert found.rows[0].reasons[0].startswith("text1: Sentence 1")
        assert next(iter(found.pairs)).x_prime.facts["steps"]


def consistency_table() -> dict[str, object]:
    """A sound row of a plain table."""
    one, other = TestAnyTable.PAIR
    return {"text1": one, "text2": other, "answer": 12}


class TestContradictedRows:
    def test_are_kept_with_the_answer_of_the_file_and_say_so(self):
        found = imported([{**consistency_table(), "answer": 13}])
        (pair,) = found.pairs

        assert pair.x.answer == "13"
        assert pair.strata["status"] == "contradicted"
        assert "steps" not in pair.x.facts

    def test_two_columns_of_answers_that_differ_are_told_and_give_none_to_ask(self):
        found = imported([carry(**{"answer carry": 744})])

        assert [(str(row.status), row.kept) for row in found.rows] == [("contradicted", False)]


class TestAnErrorOfThisProgram:
    """Whatever goes wrong in one row, the others are as they would be without it."""

    @pytest.mark.parametrize("error", [KeyError("noun"), RecursionError(), AssertionError()])
    @pytest.mark.parametrize("where", ["understand", "check_given_correction", "text_pair"])
    def test_costs_the_proof_of_its_row_alone(self, monkeypatch, where, error):
        good = getattr(checking, where)

        def fails(*given):
            if any("quokka" in str(each) for each in given):
                raise error
            return good(*given)

        monkeypatch.setattr(checking, where, fails)
        bad = {name: str(cell).replace("mug", "quokka") for name, cell in consistency().items()}
        found = imported([consistency(answer=13), bad, consistency()])

        assert [str(row.status) for row in found.rows] == ["contradicted", "labelled", "proved"]
        assert type(error).__name__ in found.rows[1].reasons[0]
        assert len(found.pairs) == 3


class TestOurOwnFiles:
    def test_other_studies_come_back_too(self):
        pairs = list(experiment("consistency").pairs(Design("consistency", 12, 5)))
        study = experiment("imported")
        found = read_pairs(open_table(write_released_csv(study, pairs), "pairs.csv"))

        assert set(statuses(found)) == {"proved"}
        assert [each.x.text for each in found.pairs] == [each.x.text for each in pairs]


KNOWN = {
    "comp_trans_500.csv": {
        (128, "comparison"),
        (456, "comparison"),
        (486, "comparison"),
    },
    "carry_500.csv": {
        (row, member) for row in (26, 162, 164, 267) for member in ("no carry", "carry")
    },
}
"""Members whose meaning a correction changed, each seen by eye."""

UNCLEAR = {(252, "transition"), (285, "transition"), (461, "comparison")}
"""Members in which a pronoun may be two people, or a giver gives to nobody."""


@pytest.mark.skipif(not RELEASED.is_dir(), reason="The released files are not here.")
@pytest.mark.parametrize("name", sorted(KNOWN))
def test_the_defects_of_the_released_files_are_found_and_nothing_else_is_accused(name):
    found = import_pairs(RELEASED / name)
    accused = {
        (row.row, each.member)
        for row in found.rows
        for each in row.members
        if each.status is Status.CONTRADICTED
    }

    assert len(found.rows) == 500
    assert accused == KNOWN[name]
    unread = {
        (row.row, each.member)
        for row in found.rows
        for each in row.members
        if each.status is Status.LABELLED
    }
    assert unread <= (UNCLEAR if name.startswith("comp") else set())


class TestOddLanguage:
    """What is odd in one member only is said, and makes no row wrong."""

    X = "Otto has 19 watches. Ines has 7 fewer watches than Otto. How many watches does Ines have?"
    X_PRIME = "Otto has 19 watches. Otto has 7 more watches than Ines. "
    ASKED = "How many watches does Ines have?"

    def remarks(self, x_prime: str) -> list[tuple[str, ...]]:
        found = imported([{"text1": self.X, "text2": x_prime, "answer": 12}])
        assert statuses(found) == ["proved", "proved"], found.as_json()
        return [each.remarks for each in members(found)]

    def test_two_plain_members_have_no_remarks(self):
        assert self.remarks(self.X_PRIME + self.ASKED) == [(), ()]

    @pytest.mark.parametrize(
        ("x_prime", "told"),
        [
            ((X_PRIME + ASKED).replace("watches", "watchs"), "“watchs” is no usual plural"),
            (X_PRIME.replace("7 more watches", "7 watches more") + ASKED, "after what is counted"),
            (X_PRIME + "What is the number of watches that Ines has?", "question is worded"),
            (X_PRIME.replace("Otto has 7", "He has 7") + ASKED, "the pronouns “he”"),
        ],
    )
    def test_what_is_odd_is_told_of_the_member_that_has_it(self, x_prime, told):
        _, remarks = self.remarks(x_prime)

        assert any(told in remark for remark in remarks)

    def test_odd_language_in_both_members_is_not_told(self):
        row = {
            "text1": self.X.replace("watches", "watchs"),
            "text2": (self.X_PRIME + self.ASKED).replace("watches", "watchs"),
            "answer": 12,
        }
        assert [each.remarks for each in members(imported([row]))] == [(), ()]
