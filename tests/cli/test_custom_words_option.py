"""``--vocabulary FILE`` on the commands that write and read word problems."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli.designs import pairs_command
from biaslab.cli.problems import audit_command, solve_command
from biaslab.cli.word_problems import compose_command

WORDS = """
names: [Amina, Jonas, Keiko, Ludwig, Petra, Zelda, Bruno, Tariq]
things:
  - {singular: durian, plural: durians, containers: [crate]}
  - {singular: zither, plural: zithers}
  - {singular: ladle, plural: ladles}
  - {singular: ox, plural: oxen}
verbs:
  - {lemma: snaffle, does: gain}
"""
TOLD = "Nadia had 41 beads. Then she snaffled 9 beads. How many beads does Nadia have now?"


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(WORDS, encoding="utf-8")
    return str(path)


def call(command, *arguments):
    return CliRunner().invoke(command, list(arguments))


def test_pairs_are_written_with_own_names_and_things(words, tmp_path):
    out = tmp_path / "pairs.csv"
    done = call(pairs_command, "consistency", "--n", "12", "--steps", "2", "--out", str(out),
                "--vocabulary", words)  # fmt: skip
    assert done.exit_code == 0, done.output
    with out.open(encoding="utf-8") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    assert len(texts) == 24
    nouns = ("durian", "zither", "ladle", "ox")
    assert all(any(noun in text for noun in nouns) for text in texts)


def test_a_structure_is_composed_with_them_and_packs_what_has_containers(words, tmp_path):
    out = tmp_path / "composed.csv"
    done = call(compose_command, "container . rate . comparison+ inconsistent", "--treatment",
                "consistency", "--n", "4", "--out", str(out), "--vocabulary", words)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf-8").count("crate") >= 8


def test_a_file_that_would_make_ambiguous_texts_writes_nothing(words, tmp_path):
    out = tmp_path / "pairs.csv"
    with Path(words).open("a", encoding="utf-8") as file:
        file.write("containers: [{singular: ox, plural: oxen}]\n")
    done = call(pairs_command, "carry", "--n", "4", "--out", str(out), "--vocabulary", words)
    assert done.exit_code == 1
    assert "mine.yaml: containers, entry 1 (“ox”)" in done.output
    assert not out.exists()


def test_a_study_whose_texts_are_not_made_of_names_and_things_says_so(words, tmp_path):
    out = str(tmp_path / "pairs.csv")
    done = call(pairs_command, "decision", "--n", "2", "--out", out, "--vocabulary", words)
    assert done.exit_code == 2
    assert "--vocabulary is for the studies consistency" in done.output


def test_solve_reads_a_taught_verb(words):
    assert call(solve_command, TOLD).exit_code == 1
    found = call(solve_command, TOLD, "--json", "--vocabulary", words)
    assert json.loads(found.output)["answer"] == 50


def test_a_file_of_problems_is_solved_with_it(words, tmp_path):
    told, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    told.write_text(json.dumps({"id": "a", "text": TOLD}), encoding="utf-8")
    done = call(solve_command, "--file", str(told), "--out", str(out), "--vocabulary", words)
    assert done.output == "1 problems: 1 read, 0 doubted, 0 refused, 0 failed\n"
    assert json.loads(out.read_text(encoding="utf-8"))["answer"] == 50


def test_an_audit_takes_it_and_a_missing_file_is_a_sentence(words, tmp_path):
    corpus = tmp_path / "corpus.csv"
    corpus.write_text(f'problem\n"{TOLD}"\n"{TOLD.replace("41", "42")}"\n', encoding="utf-8")
    done = call(audit_command, str(corpus), "--vocabulary", words)
    assert done.exit_code == 0, done.output
    missing = call(audit_command, str(corpus), "--vocabulary", str(tmp_path / "none.yaml"))
    assert missing.exit_code == 2
    assert "does not exist" in missing.output
