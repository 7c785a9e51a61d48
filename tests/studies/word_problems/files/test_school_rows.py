"""Files as the authors of the released ones wrote them, in anybody's words.

What each row says is known here, so it can be told which rows are proved, that no sound row is
ever accused, and that a planted fault is found wherever the row is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.files.opening import open_table
from biaslab.studies.word_problems.files import PairImport, ProofStatus, RowReport, read_pairs
from tests.studies.word_problems.files.school_rows import Row, draw_row

rows = st.randoms(use_true_random=False).map(lambda random: draw_row(Random(random.random())))
TEXTS = (
    "consistent body",
    "inconsistent body",
    "consistent paraphrased",
    "inconsistent paraphrased",
)


def imported(cells: Sequence[dict[str, str]]) -> PairImport:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(cells[0]))
    writer.writeheader()
    writer.writerows(cells)
    return read_pairs(open_table(text.getvalue().encode(), "pairs.csv"))


def became(cells: dict[str, str]) -> RowReport:
    (row,) = imported([cells]).rows
    return row


def test_at_least_95_percent_of_sound_rows_are_proved_and_none_is_accused():
    made = [draw_row(Random(seed)) for seed in range(300)]
    found = imported([row.cells for row in made])

    counts = found.counts()
    assert counts[ProofStatus.CONTRADICTED] == 0
    assert counts[ProofStatus.PROVED] >= 0.95 * len(made)
    assert len(found.pairs) == len(made)
    assert [int(pair.x.answer) for pair in found.pairs] == [row.answer for row in made]


@given(rows)
@settings(max_examples=60)
def test_a_sound_row_is_never_accused(row: Row):
    report = became(row.cells)

    assert report.status is not ProofStatus.CONTRADICTED, report.reasons
    assert report.kept
    assert {member.solved for member in report.members} <= {row.answer, None}


@given(rows, st.integers(1, 30))
@settings(max_examples=40)
def test_a_wrong_answer_is_found_where_the_row_is_read(row: Row, by: int):
    # 3 times more may be 4 times as many, so an answer that this explains accuses nobody.
    if re.search(r"times (?:more|fewer|less)", " ".join(row.cells.values())):
        return
    report = became(row.cells | {"answer": str(row.answer + by)})
    sound = became(row.cells)

    expected = ProofStatus.CONTRADICTED if sound.status is ProofStatus.PROVED else sound.status
    assert report.status is expected
    if expected is ProofStatus.CONTRADICTED:
        assert f"leads to {row.answer}" in report.reasons[0]


@given(rows, st.sampled_from(TEXTS), st.data())
@settings(max_examples=60)
def test_a_number_changed_in_one_text_is_found_where_the_row_is_read(row: Row, column, data):
    if became(row.cells).status is not ProofStatus.PROVED:
        return
    numbers = [found.span() for found in re.finditer(r"(?<![\w/])\d+(?= )", row.cells[column])]
    start, end = data.draw(st.sampled_from(numbers))
    text = row.cells[column]
    changed = f"{text[:start]}{int(text[start:end]) + 21}{text[end:]}"

    assert became(row.cells | {column: changed}).status is ProofStatus.CONTRADICTED


@given(rows, st.sampled_from(("consistent", "inconsistent")))
@settings(max_examples=40)
def test_two_people_who_changed_places_in_a_comparison_are_found(row: Row, member):
    if became(row.cells).status is not ProofStatus.PROVED:
        return
    agent, other = row.names
    cells = dict(row.cells)
    for column in (f"{member} body", f"{member} paraphrased"):
        sentences = re.split(r"(?<=[.?]) ", cells[column])
        at = next(i for i, each in enumerate(sentences) if agent in each and other in each)
        turned = sentences[at].replace(agent, "@").replace(other, agent).replace("@", other)
        cells[column] = " ".join([*sentences[:at], turned, *sentences[at + 1 :]])
    report = became(cells)

    # With two sentences that multiply, a fraction may become whole again: that is not certain.
    if report.status is ProofStatus.LABELLED:
        assert "divides" in report.reasons[0]
    else:
        assert report.status is ProofStatus.CONTRADICTED


@given(st.lists(rows, min_size=2, max_size=4), st.data())
@settings(max_examples=25)
def test_what_becomes_of_a_row_does_not_hang_on_the_others(made: list[Row], data):
    cells = [row.cells for row in made]
    at = data.draw(st.integers(0, len(cells) - 1))
    bad = {name: data.draw(st.text(max_size=60)) for name in cells[at]} | {"answer": "1"}

    alone = [(became(each).status, became(each).reasons) for each in cells]
    together = imported([*cells[:at], bad, *cells[at:]]).rows

    others = [each for each in together if each.row != at]
    assert [(each.status, each.reasons) for each in others] == alone


@pytest.mark.parametrize(
    ("wording", "answer", "status"),
    [
        ("Ines has 3 times more mugs than Otto.", 36, ProofStatus.PROVED),
        ("Ines has 3 times more mugs than Otto.", 48, ProofStatus.PROVED),
        ("Ines has 3 times more mugs than Otto.", 15, ProofStatus.CONTRADICTED),
        ("Ines has 3 times fewer mugs than Otto.", 4, ProofStatus.PROVED),
        ("Ines has 3 times fewer mugs than Otto.", 3, ProofStatus.PROVED),
        ("Ines has 3 times fewer mugs than Otto.", 9, ProofStatus.CONTRADICTED),
    ],
)
def test_an_answer_settles_what_times_more_and_times_fewer_mean(wording, answer, status):
    asked = "How many mugs does Ines have?"
    cells = {
        "text1": f"Otto has 12 mugs. {wording} {asked}",
        "text2": f"Ines has {answer} mugs. Otto has 12 mugs. {asked}",
        "answer": str(answer),
    }

    assert became(cells).members[0].status is status
