"""Files of pairs in any layout: what is read, what is not, and what is accused."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from biaslab.files import InterchangeError
from biaslab.files.opening import open_table
from biaslab.models import Completion, ModelForm
from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.files import ProofStatus, importing, read_pairs
from biaslab.studies.word_problems.files.exporting import write_released_csv
from tests.studies.word_problems.files.pair_rows import (
    carry,
    consistency,
    imported,
    members,
    statuses,
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

    def test_what_columns_may_hold_by_what_stands_in_them_is_a_question(self):
        row = {"n": "a", "leicht": self.PAIR[0], "schwer": self.PAIR[1], "loesung": 12}
        fields = {"x": "leicht", "x_prime": "schwer", "answer": "loesung"}
        with pytest.raises(InterchangeError) as refused:
            imported([row])
        for field, column in fields.items():
            assert f"--column {field}={column}" in str(refused.value)
        found = imported([row], **fields)

        assert statuses(found) == ["proved", "proved"]
        assert found.mapping == fields

    def test_an_answer_that_only_its_cells_show_is_a_question_too(self):
        row = {"text1": self.PAIR[0], "text2": self.PAIR[1], "n": 12}
        with pytest.raises(InterchangeError, match="--column answer=n"):
            imported([row])

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (PAIR[0], PAIR[0].partition(" How many")[0]),
            ("Otto has number0 mugs. How many mugs?", PAIR[1]),
        ],
    )
    def test_what_is_no_pair_of_problems_is_not_even_suggested(self, one, other):
        with pytest.raises(InterchangeError) as refused:
            imported([{"a": one, "b": other, "n": 12}])
        assert "it may be" not in str(refused.value)

    def test_a_member_inside_the_other_is_contradicted(self):
        whole, part = self.PAIR[0], self.PAIR[0].partition(" How many")[0]
        for x, x_prime in ((whole, part), (part, whole)):
            found = imported([{"x": x, "x_prime": x_prime, "answer": 12}])
            assert statuses(found) == ["contradicted", "contradicted"]
        before = f"Uma has 5 red bricks. {whole}"
        assert statuses(imported([{"x": whole, "x_prime": before, "answer": 12}])) == [
            "proved", "proved",
        ]  # fmt: skip

    @pytest.mark.parametrize("place", ["number0", "[NUM]", "{count}", "<num1>", "N_00", "temp_a"])
    def test_a_text_with_a_place_for_a_value_is_refused(self, place):
        text = self.PAIR[0].replace("19", place)
        found = imported([{"x": text, "x_prime": self.PAIR[1], "answer": 12}])
        assert not found.pairs
        assert place in found.rows[0].reasons[0]

    def test_the_answer_of_a_worked_answer_is_what_stands_last(self):
        worked = "Ines has 19 - 7 = <<19-7=12>>12 mugs.\n#### 12"
        row = {"x": self.PAIR[0], "x_prime": self.PAIR[1], "answer": worked}
        found = imported([row])
        assert statuses(found) == ["proved", "proved"]
        assert statuses(imported([row | {"answer": worked[:-1] + "3"}])) == ["contradicted"] * 2

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
        assert members(found)[2].remarks == ("It is the same pair as row 0, and is saved once.",)

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

        assert (row.status, row.kept) == (ProofStatus.LABELLED, True)
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
        assert study.read(pair.x, [said], ModelForm.CHAT).outcome == 1.0

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
        good = getattr(importing, where)

        def fails(*given):
            if any("quokka" in str(each) for each in given):
                raise error
            return good(*given)

        monkeypatch.setattr(importing, where, fails)
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
