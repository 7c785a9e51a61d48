"""No clause of a rationale that nobody has read: `sentences.txt` lists them all, and was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.schoolmath.malrules.bank.sentences import clauses, plain

READ = frozenset(Path(__file__).with_name("sentences.txt").read_text("utf-8").splitlines())


@pytest.fixture(scope="module")
def told():
    return frozenset(clauses())


def test_every_clause_has_been_read(told):
    assert sorted(told - READ) == [], "read them, then write sentences.txt anew"


def test_no_clause_is_listed_that_is_no_longer_told(told):
    assert sorted(READ - told) == [], "write sentences.txt anew"


def test_clauses_are_in_the_third_person_and_end_without_a_stop():
    for clause in READ:
        first = clause.split()[0].rstrip(",")
        assert first.endswith("s") or first in {"cannot", "so"}, clause
        assert clause[0].islower(), clause
        assert clause[-1] not in ".,;:", clause
        assert "  " not in clause, clause


@pytest.mark.parametrize(
    ("template", "clause"),
    [
        ("adds {0}, {1} and {2}", "adds ##"),
        ("takes {0} from {1} and gets {2}", "takes # from # and gets #"),
        ("takes {0} for what Wendy has", "takes # for what Ana has"),
        ("picks bag C", "picks bag C"),
    ],
)
def test_numbers_lists_and_names_are_left_out(template, clause):
    assert plain(template) == clause
