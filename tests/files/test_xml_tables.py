"""Tables in XML, such as collections of school problems: read as records, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.files import InterchangeError, import_bytes
from biaslab.files.opening import open_table
from tests.loops import over

PROBLEMS = """<?xml version="1.0" encoding="UTF-8"?>
<Collection>
 <ProblemSet>
  <Problem ID="one" Grade="1">
   <Body>Ana has 7 pens. Ana buys 2 pens.</Body>
   <Answer>9 (pens)</Answer>
   <Question>How many pens does Ana have?</Question>
  </Problem>
  <Problem ID="two" Grade="2">
   <Body>Ben has 6 more <b>balls</b> than Ana.
     Ana has 9 balls.</Body>
   <Answer>15</Answer><Answer>fifteen</Answer>
   <Question>How many balls does Ben have?</Question>
  </Problem>
 </ProblemSet>
</Collection>
"""


def test_attributes_and_inner_elements_of_the_commonest_record_are_columns() -> None:
    table = open_table(PROBLEMS.encode(), "problems.xml")
    assert (table.container, table.columns) == (
        "xml", ["ID", "Grade", "Body", "Answer", "Question"],
    )  # fmt: skip
    one, two = table.filled()
    assert one.cells["Body"] == "Ana has 7 pens. Ana buys 2 pens."
    assert two.cells == {
        "ID": "two", "Grade": "2", "Body": "Ben has 6 more balls than Ana. Ana has 9 balls.",
        "Answer": "15; fifteen", "Question": "How many balls does Ben have?",
    }  # fmt: skip


def test_names_lose_their_namespace_and_another_encoding_is_obeyed() -> None:
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<r xmlns="urn:x"><p><q>Zoë?</q><a>1</a></p>'
        "<p><q>Z?</q><a>2</a></p></r>"
    )
    table = open_table(text.encode("latin-1"), "x.xml")
    assert [row.cells for row in table.filled()] == [
        {"q": "Zoë?", "a": "1"}, {"q": "Z?", "a": "2"},
    ]  # fmt: skip


@over(
    ("text", "told"),
    [
        (PROBLEMS[:-40], "no well-formed XML"),
        (PROBLEMS.replace("<Collection>", "<!DOCTYPE x [<!ENTITY a 'b'>]><Collection>", 1),
         "document type"),
    ],
)  # fmt: skip
def test_what_is_cut_off_or_may_attack_is_refused_in_a_sentence(text, told):
    with pytest.raises(InterchangeError, match=told):
        open_table(text.encode(), "problems.xml")


def test_a_quiz_of_moodle_stays_one_and_other_xml_is_no_table() -> None:
    quiz = (
        '<quiz><question type="multichoice"><name><text>n</text></name><questiontext><text>1+1?'
        '</text></questiontext><answer fraction="100"><text>2</text></answer><answer fraction="0">'
        "<text>3</text></answer></question></quiz>"
    )
    assert import_bytes(quiz.encode(), "q.xml").form == "moodle"
    with pytest.raises(InterchangeError, match="Tables are read from"):
        open_table(b"<html><body><p>1 + 1?</p></body></html>", "page.xml")


def test_a_collection_is_audited_and_solved(tmp_path: Path) -> None:
    file = tmp_path / "problems.xml"
    file.write_text(PROBLEMS, encoding="utf-8")
    said = CliRunner().invoke(main, ["solve", "--file", str(file), "--out", str(tmp_path / "o")])
    assert "2 problems: 2 read, 0 doubted, 0 refused, 0 failed" in said.output
    told = CliRunner().invoke(main, ["audit", str(file)])
    assert told.exit_code == 0, told.output
    assert "2 texts" in told.output
