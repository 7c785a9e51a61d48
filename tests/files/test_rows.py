"""Every row becomes an item, or is refused or marked with its number and the reason."""

from __future__ import annotations

import pytest

from biaslab.files import import_bytes
from biaslab.files.items import ItemStatus


class TestRefused:
    @pytest.mark.parametrize(
        ("row", "reason"),
        [
            (",5,6,1,23,A,a,b,c,d", "its question is empty"),
            ("Q,5,6,1,23,,a,b,c,d", "no option is given as right"),
            ('Q,5,6,1,23,"A, C",a,b,c,d', "options A and C are both given as right"),
            ("Q,5,6,1,23,B and D,a,b,c,d", "options B and D are both given as right"),
            ("Q,5,6,1,23,E,a,b,c,d", "the right option is E, which is empty"),
            ("Q,5,6,1,23,seven,a,b,c,d", "'seven' is none of its options"),
            ("Q,5,6,1, 5 ,A,a,b,c,d", "option D is the same as the right option A"),
            ("Q,5,,1,23,A,a,b,c,d", "option B is empty, with others behind it"),
            ("Q,5,,,,A,a,,,", "it has 1 option; 2 to 8 can be taken over"),
            ("Q,5,6,1,23,A,a,b,c,d,e,f", "it has 12 cells where the header has 10"),
            ('Q,5,6,1,23,A,a,b,c,"d', "a quotation mark in it is never closed"),
        ],
    )
    def test_with_row_and_reason_while_the_others_stay(self, read_rows, whole, row, reason):
        report = read_rows(whole, row)
        assert [item.row for item in report.items] == [2]
        (refused,) = report.refused
        assert refused.row == 3
        assert reason in refused.reason
        assert str(refused).endswith(".")

    def test_a_second_copy_names_the_first(self, read_rows, whole):
        report = read_rows(whole, whole.upper())
        assert str(report.refused[0]) == "Row 3: it is the same as row 2."

    def test_a_second_copy_with_another_key_says_so(self, read_rows, whole):
        other = whole.replace(",A,", ",B,")
        assert "with another right answer ('6' instead of '5')" in str(
            read_rows(whole, other).refused[0]
        )

    def test_a_huge_cell_costs_its_row_and_no_other(self, read_rows, whole):
        huge = whole.replace("Adds", "x" * 50_000_000)
        report = read_rows(huge, whole)
        assert len(report.items) == 1
        assert report.refused[0].reason == (
            "one of its texts has 50,000,000 characters; the limit is 50,000"
        )


class TestMarked:
    @pytest.mark.parametrize(
        ("row", "reason"),
        [
            ("Q,1/2,2/4,1,23,A,a,b,c,d", "option B (2/4) is equal to the right option A (1/2)"),
            ("Q,0.5,6,50%,3,A,a,b,c,d", "option C (50%) is equal to the right option A (0.5)"),
            ("Q,$2.50,$2.5,1,3,B,a,b,c,d", "option A ($2.50) is equal to the right option B"),
            ("Q,½,6,1,\\( \\frac{1}{2} \\),A,a,b,c,d", "option D"),
            ("Q,2½,5/2,1,3,A,a,b,c,d", "option B (5/2) is equal to the right option A"),
            ('Q,"1,000",1000,1,3,A,a,b,c,d', "option B (1000) is equal to the right option A"),
            ("Q,5,2/4,1/2,3,A,a,b,c,d", "options B (2/4) and C (1/2) are equal"),
            ("Q,5,6,7,8,A,a,,c,", "there is no rationale for B, D"),
            ("Q,5,6,7,8,A,a,b,c,B", "B and D have the same rationale"),
        ],
    )
    def test_as_not_complete_and_kept(self, read_rows, row, reason):
        (item,) = read_rows(row).items
        assert item.reasons.status is not ItemStatus.COMPLETE
        assert reason in "; ".join(item.reasons.missing)

    @pytest.mark.parametrize("options", ["1/2,1/3,1/4,1/5", "3 cm,3 m,4 cm,4 m", "x,2x,x+x,1/0"])
    def test_different_answers_are_not(self, read_rows, options):
        (item,) = read_rows(f"Q,{options},A,a,b,c,d").items
        assert item.reasons.status is ItemStatus.COMPLETE

    @pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
    def test_items_with_two_to_six_options_are_complete(self, count):
        letters = "abcdef"[:count]
        header = [*letters, *(f"rationale_{letter}" for letter in letters)]
        cells = [*map(str, range(1, count + 1)), *(f"Adds {n}" for n in range(count))]
        text = f"question,key,{','.join(header)}\nQ,{letters[-1]},{','.join(cells)}\n"
        (item,) = import_bytes(text.encode(), "x.csv").items
        assert item.key == letters[-1].upper()
        assert item.reasons.status is ItemStatus.COMPLETE
        assert item.reasons.usable_for == f"AIA and MIA ({', '.join(letters.upper())})"

    def test_the_reasons_of_some_options_are_enough_to_ask_for_those(self, read_rows):
        (item,) = read_rows("Q,5,6,7,8,A,a,,c,").items
        assert item.reasons.status is ItemStatus.PARTLY
        assert item.reasons.usable_for == "AIA and MIA (A, C)"

    def test_without_a_reason_of_the_right_option_wrong_ones_are_told_apart(self, read_rows):
        (item,) = read_rows("Q,5,6,7,8,A,,b,c,").items
        assert item.reasons.usable_for == "MIA only (B, C)"

    def test_what_tells_nothing_apart_is_left_out(self, read_rows):
        (item,) = read_rows("Q,5,6,7,8,A,a,b,c,B").items
        assert item.reasons.of_wrong == ("C",)
        (item,) = read_rows("Q,1/2,2/4,7,8,A,a,b,c,d").items
        assert item.reasons.of_wrong == ("C", "D")

    def test_one_reason_alone_can_be_told_from_nothing(self, read_rows):
        (item,) = read_rows("Q,5,6,7,8,A,a,,,").items
        assert item.reasons.status is ItemStatus.UNUSABLE
        assert item.reasons.usable_for == ""


class TestLeaks:
    @pytest.mark.parametrize(
        ("said", "kept"),
        [
            ("Correct. Adds the numbers", "Adds the numbers"),
            ("CORRECT: adds the numbers", "Adds the numbers"),
            ("Correct answer - adds", "Adds"),
            ("This is correct! Adds", "Adds"),
            ("Right angles are 90", "Right angles are 90"),
            ("Correctly adds", "Correctly adds"),
            ("Wrong-way-round adding", "Wrong-way-round adding"),
        ],
    )
    def test_a_verdict_at_the_start_is_taken_off_and_reported(self, read_rows, said, kept):
        report = read_rows(f"Q,5,6,1,23,A,{said},b,c,d")
        assert report.items[0].rationales["A"] == kept
        assert bool(report.remarks) == (said != kept)
        if said != kept:
            assert "gives the key away" in str(report.remarks[0])
            assert report.remarks[0].row == 2

    def test_incorrect_gives_it_away_as_well(self, read_rows):
        report = read_rows("Q,5,6,1,23,A,a,Incorrect. Counts,c,d")
        assert report.items[0].rationales["B"] == "Counts"
        assert "was taken off the start of rationale B" in str(report.remarks[0])

    def test_a_rationale_that_is_only_a_verdict_is_missing(self, read_rows):
        (item,) = read_rows("Q,5,6,1,23,A,Correct.,b,c,d").items
        assert "there is no rationale for A" in item.reasons.missing

    @pytest.mark.parametrize(
        "said",
        ["Well done!", "Well done", "Great job.", "Not quite. Try again!", "Sorry, that's wrong",
         "Yes, you got it!", "Good try - ", "Nice work! Keep it up.", "That is not correct."],
    )  # fmt: skip
    def test_feedback_is_no_rationale(self, read_rows, said):
        report = read_rows(f'Q,5,6,1,23,A,"{said}",b,c,d')
        assert "A" not in report.items[0].rationales
        assert "is feedback, such as “Well done”" in str(report.remarks[0])

    def test_praise_before_a_rationale_is_taken_off(self, read_rows):
        report = read_rows('Q,5,6,1,23,A,"Well done! adds the ones, then the tens",b,c,d')
        assert report.items[0].rationales["A"] == "Adds the ones, then the tens"

    @pytest.mark.parametrize(
        "said", ["No carrying is done", "Close to ten, so rounds up", "Exactly halves it",
                 "Check digit is added", "Try numbers until one fits"],
    )  # fmt: skip
    def test_a_rationale_that_begins_like_feedback_stays(self, read_rows, said):
        report = read_rows(f'Q,5,6,1,23,A,"{said}",b,c,d')
        assert report.items[0].rationales["A"] == said
        assert not report.remarks


class TestCounts:
    def test_add_up_and_blank_rows_are_said(self, read_rows, whole):
        report = read_rows(whole, "", ",,,,,,,,,", whole, "Q,1,2,3,4,,,,,")
        assert report.rows == 3 == len(report.items) + len(report.refused)
        assert "2 blank rows were passed over." in map(str, report.remarks)
        assert report.summary() == (
            "3 rows: 1 items (1 complete, 0 partly usable, 0 unusable), 2 refused."
        )

    def test_zero_bytes_are_taken_out_and_said(self, read_rows, whole):
        report = read_rows(whole.replace("2 +", "2 \0+"))
        assert report.items[0].question == "What is 2 + 3?"
        assert "zero bytes" in str(report.remarks[0])

    def test_a_row_that_ends_early_is_said(self, read_rows):
        report = read_rows("Q,5,6,1,23,A,a")
        assert "it ends after 7 of 10 cells" in str(report.remarks[0])

    def test_a_grade_that_is_no_number_is_said(self):
        text = "question,a,b,key,grade,dok\nQ,1,2,A,9-12,II\nR,1,2,A,Grade 4,DOK 2\n"
        report = import_bytes(text.encode(), "x.csv")
        assert [item.grade for item in report.items] == [None, 4]
        assert [item.dok for item in report.items] == [2, 2]
        assert "its grade '9-12' is no single number" in str(report.remarks[0])


class TestNumbersAsKeys:
    def read(self, *rows: str):
        return import_bytes("\n".join(("question,a,b,c,d,key", *rows)).encode(), "x.csv")

    def test_places_count_from_1(self):
        report = self.read("Q,10,20,30,40,2", "R,10,20,30,40,4")
        assert [item.key for item in report.items] == ["B", "D"]
        assert "counted from 1" in str(report.remarks[0])

    def test_places_count_from_0_where_a_0_is_among_them(self):
        report = self.read("Q,10,20,30,40,0", "R,10,20,30,40,3")
        assert [item.key for item in report.items] == ["A", "D"]

    def test_texts_are_found_among_the_options(self):
        report = self.read("Q,1,2,3,4,3", "R,5,6,7,8,8")
        assert [item.key for item in report.items] == ["C", "D"]

    def test_what_may_be_both_is_refused(self):
        report = self.read("Q,3,4,1,2,3")
        assert "may be a place or a text; name it by its letter" in str(report.refused[0])
