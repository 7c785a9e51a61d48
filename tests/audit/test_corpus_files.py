"""Files that somebody gives: the column of problems is found, or a sentence says what is there."""

from __future__ import annotations

import json

import pytest

from biaslab.audit import AuditError
from biaslab.audit.auditing import read_corpus, split_texts
from biaslab.files import InterchangeError
from biaslab.files.columns import problem_columns

ONE = "Noor has 9 kites. Ben has 4 more kites than Noor. How many kites does Ben have?"
TWO = "Noor has 9 kites. Noor gives Ben 4 kites. How many kites does Noor have now?"


class TestPlainText:
    def test_blank_lines_part_problems_that_run_over_lines(self):
        broken = ONE.replace(". ", ".\n")
        assert split_texts(f"{broken}\n\n  \n{TWO}\n") == (ONE, TWO)

    def test_without_blank_lines_each_line_is_a_problem(self):
        assert read_corpus(f"{ONE}\r\n{TWO}\r\n".encode(), "book.txt").texts == (ONE, TWO)

    def test_a_column_of_plain_text_is_refused(self):
        with pytest.raises(AuditError, match="no columns"):
            read_corpus(ONE.encode(), "book.txt", ["text"])

    @pytest.mark.parametrize("data", [b"", b" \n\n "])
    def test_an_empty_file_says_what_to_give(self, data):
        with pytest.raises(AuditError, match="a problem a line"):
            read_corpus(data, "book.txt")

    def test_bytes_that_are_no_text_are_refused(self):
        with pytest.raises(InterchangeError):
            read_corpus(bytes(range(32)) * 40, "book.txt")


class TestTables:
    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("a.csv", f'id,Question,answer\n1,"{ONE}",13\n2,"{TWO}",5\n'),
            ("a.tsv", f"id\tsomething\tanswer\n1\t{ONE}\t13\n2\t{TWO}\t5\n"),
            ("a.jsonl", "\n".join(json.dumps({"id": t[:3], "text": t}) for t in (ONE, TWO))),
            ("a.json", json.dumps([{"body": ONE, "n": 1}, {"body": TWO, "n": 2}])),
        ],
    )  # fmt: skip
    def test_the_column_with_sentences_is_found(self, name, data):
        assert read_corpus(data.encode(), name).texts == (ONE, TWO)

    def test_where_two_columns_have_sentences_the_likely_name_decides_or_the_person(self):
        data = f'easy,hard\n"{ONE}","{TWO}"\n'.encode()
        with pytest.raises(AuditError, match="'easy', 'hard'"):
            read_corpus(data, "a.csv")
        assert read_corpus(data, "a.csv", ["hard"]).texts == (TWO,)
        named = f'solution,problem\n"{TWO}","{ONE}"\n'.encode()
        assert read_corpus(named, "a.csv").column == "problem"

    def test_a_column_that_is_not_there_is_answered_with_those_that_are(self):
        with pytest.raises(AuditError, match=r"no column 'texts'.*'text'"):
            read_corpus(f'text\n"{ONE}"\n'.encode(), "a.csv", ["texts"])

    def test_a_row_that_cannot_be_read_costs_itself_alone(self):
        data = f"text,n\n{ONE},1\nbad \udc80 one which is long,2\nZoë: {TWO},3\n"
        found = read_corpus(data.encode("utf-8", "surrogateescape"), "a.csv")
        assert found.texts == (ONE, f"Zoë: {TWO}")
        assert len(found.refused) == 1

    def test_no_columns_at_all_is_a_sentence(self):
        assert problem_columns([], []) == ()
        with pytest.raises((AuditError, InterchangeError)):
            read_corpus(b"1,2\n3,4\n", "a.csv")
