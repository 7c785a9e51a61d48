"""Files in the released layouts: every row read back, solved again, and held against its labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.files.opening import open_table
from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.files import (
    MemberReport,
    ProofStatus,
    import_pairs,
    read_pairs,
)
from biaslab.studies.word_problems.files.exporting import write_released_csv
from tests.studies.word_problems.files.pair_rows import (
    SOUND,
    carry,
    consistency,
    imported,
    members,
    statuses,
    transfer,
)

RELEASED = Path(__file__).resolve().parents[5] / "shared" / "data"


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
        assert report.status is ProofStatus.CONTRADICTED, found.as_json()
        assert statuses(found).count("proved") == 1
        assert [row.status for row in found.rows] == [ProofStatus.CONTRADICTED]
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

        assert members(found)[0].status is ProofStatus.CONTRADICTED
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
        if each.status is ProofStatus.CONTRADICTED
    }

    assert len(found.rows) == 500
    assert accused == KNOWN[name]
    unread = {
        (row.row, each.member)
        for row in found.rows
        for each in row.members
        if each.status is ProofStatus.LABELLED
    }
    assert unread <= (UNCLEAR if name.startswith("comp") else set())
