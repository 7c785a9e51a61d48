"""A bundle holds what a paper rests on; making it again tells whatever was changed."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from biaslab.publishing.paper import PaperError, check_runs, make_paper, write_paper
from biaslab.publishing.paper.bundle import LARGEST, versions
from biaslab.runs import RunStatus, delete_set, open_store, pair_sets
from biaslab.studies.published import fidelity_of, fidelity_rows
from tests.publishing.paper.conftest import done, invoke

Runs = tuple[Path, dict[str, str]]


@pytest.fixture(scope="module")
def paper(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    db, ids = runs
    out = tmp_path_factory.mktemp("bundles") / "paper"
    done("paper", *ids.values(), "--db", db, "--out", out)
    return out


@pytest.fixture
def bundle(paper: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(paper / "bundle", tmp_path / "copy"))


def differences(path: Path, *options: str) -> list[str]:
    result = invoke("reproduce", path, *options)
    found = [line for line in result.stdout.splitlines() if line.startswith("Differs: ")]
    assert result.exit_code == (1 if found else 0), result.output
    return found


def change(bundle: Path, name: str, changed: Callable[[str], str], *, honest: bool = False) -> None:
    """Changes a file and, unless the change is to be found by its checksum, the manifest too."""
    path = bundle / name
    before = path.read_text(encoding="utf-8")
    after = changed(before)
    assert after != before
    path.write_text(after, encoding="utf-8")
    if not honest:
        manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
        manifest["sha256"][name] = sha256(after.encode()).hexdigest()
        (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def on_line(number: int, **fields: object) -> Callable[[str], str]:
    """Sets fields of a line's object."""

    def changed(text: str) -> str:
        lines = text.splitlines()
        lines[number] = json.dumps({**json.loads(lines[number]), **fields})
        return "\n".join(lines) + "\n"

    return changed


def test_nothing_differs_in_runs_of_every_study_imported_pairs_and_samples(paper, runs):
    result = invoke("reproduce", paper)

    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == "Nothing differs."
    assert all(f"Run {run}: " in result.stdout for run in runs[1].values())


def test_its_effects_are_those_that_the_command_prints(paper, runs):
    db, ids = runs
    chosen = [part for run in ids.values() for part in ("--run", run)]
    printed = invoke("effects", "--db", db, *chosen, "--format", "json").stdout

    assert json.loads((paper / "bundle/effects.json").read_text()) == json.loads(printed)


def test_it_says_how_its_studies_stand_to_their_papers(bundle, runs, tmp_path):
    everything = json.loads((bundle / "fidelity.json").read_text())
    assert everything == [asdict(row) for row in fidelity_rows()]  # runs of all four papers

    db, ids = runs
    done("paper", ids["concept"], "--db", db, "--out", tmp_path / "one")
    one = json.loads((tmp_path / "one/bundle/fidelity.json").read_text())
    assert one == [asdict(row) for row in fidelity_of("concepts")]
    done("paper", ids["imported"], "--db", db, "--out", tmp_path / "none")
    assert not (tmp_path / "none/bundle/fidelity.json").exists()


def test_a_changed_record_of_fidelity_is_told(bundle):
    change(bundle, "fidelity.json", lambda text: text.replace('"after"', '"same"', 1))

    (told,) = differences(bundle)
    assert "fidelity.json is not the record of this version of BiasLab." in told


def test_every_checksum_is_that_of_its_file(bundle):
    manifest = json.loads((bundle / "manifest.json").read_text())

    assert manifest["version"] == 1
    assert set(manifest["sha256"]) == {path.name for path in bundle.iterdir()} - {"manifest.json"}
    for name, expected in manifest["sha256"].items():
        assert sha256((bundle / name).read_bytes()).hexdigest() == expected


def test_a_bundle_names_no_address_and_no_money(runs, tmp_path):
    db, ids = runs
    done("paper", ids["keyword"], "--db", db, "--out", tmp_path / "one")

    run = json.loads((tmp_path / "one/bundle/runs.jsonl").read_text())
    assert (run["options"]["access"]["base_urls"], run["options"]["price"]) == ([], None)


def test_a_vote_is_made_again_as_a_vote(runs, tmp_path):
    db, ids = runs
    done("paper", ids["samples"], "--vote", "--db", db, "--out", tmp_path / "vote.zip")

    with ZipFile(tmp_path / "vote.zip") as archive:
        (row,) = json.loads(archive.read("vote/bundle/effects.json"))
    assert (row["voted"], row["samples"]) == (True, 5)
    assert differences(tmp_path / "vote.zip") == []


def test_the_same_runs_give_the_same_bytes(paper, runs, tmp_path):
    db, ids = runs
    done("paper", *ids.values(), "--db", db, "--out", tmp_path / "again")

    for path in sorted((paper / "bundle").iterdir()):
        assert (tmp_path / "again/bundle" / path.name).read_bytes() == path.read_bytes()


def test_a_changed_file_is_told_by_its_checksum(bundle):
    change(bundle, "README.md", lambda text: text + "!", honest=True)

    assert differences(bundle) == [
        "Differs: README.md was changed: its checksum is not the manifest's."
    ]


def test_a_missing_file_and_one_too_many_are_told(bundle):
    (bundle / "README.md").rename(bundle / "extra.md")

    assert differences(bundle) == [
        "Differs: README.md is missing.",
        "Differs: extra.md is in the bundle and not in its manifest.",
    ]


def test_a_changed_answer_is_told_though_its_checksum_was_changed_too(bundle):
    lines = (bundle / "answers.jsonl").read_text().splitlines()
    numeric = next(n for n, line in enumerate(lines) if json.loads(line)["rule"])
    change(bundle, "answers.jsonl", on_line(numeric, value="999"))

    (found,) = differences(bundle)
    assert "is read otherwise than the bundle says" in found
    assert "“999” there" in found


def test_a_changed_response_is_told(bundle):
    lines = (bundle / "responses.jsonl").read_text().splitlines()
    written = next(
        n for n, line in enumerate(lines) if re.fullmatch(r"\d+", json.loads(line)["text"] or "")
    )
    change(bundle, "responses.jsonl", on_line(written, text="41999"))

    assert any("read otherwise" in sentence for sentence in differences(bundle))


def test_a_changed_prompt_is_told(bundle):
    lines = (bundle / "responses.jsonl").read_text().splitlines()
    request = json.loads(lines[0])["request"]
    request["messages"][0][1] += " Please."
    change(bundle, "responses.jsonl", on_line(0, request=request))

    found = differences(bundle)
    assert any("1 prompt in responses.jsonl is not what was sent" in each for each in found)
    assert any("would not send" in each for each in found)


def test_a_changed_pair_is_told_by_making_it_again(bundle):
    line = json.loads((bundle / "items.jsonl").read_text().splitlines()[0])
    change(bundle, "items.jsonl", on_line(0, text=line["text"] + " Think."))

    assert any(
        "of 24 pairs" in s or "pairs differ from the bundle" in s for s in differences(bundle)
    )


def test_another_seed_is_told(bundle, runs):
    lines = (bundle / "runs.jsonl").read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if json.loads(line)["id"] == runs[1]["perfect"])
    design = json.loads(lines[number])["design"]
    change(bundle, "runs.jsonl", on_line(number, design={**design, "seed": 4}))

    (found,) = differences(bundle)
    assert f"Run {runs[1]['perfect']}: " in found
    assert "differ from the bundle" in found


def test_a_changed_effect_is_told_with_both_figures(bundle):
    rows = json.loads((bundle / "effects.json").read_text())
    rows[0]["cate"] = 0.123
    change(bundle, "effects.json", lambda _: json.dumps(rows))

    (found,) = differences(bundle)
    assert f"cate of run {rows[0]['run']}, all, is " in found
    assert "0.123 in the bundle" in found


@pytest.mark.parametrize(("name", "called"), [("biaslab", "BiasLab"), ("scipy", "scipy")])
def test_another_version_is_told_unless_it_is_not_to_count(bundle, name, called):
    manifest = json.loads((bundle / "manifest.json").read_text())
    manifest["versions"][name] = "0.0.1"
    (bundle / "manifest.json").write_text(json.dumps(manifest))

    assert differences(bundle) == [
        f"Differs: The bundle was made with {called} 0.0.1, this is {versions()[name]}."
    ]
    assert differences(bundle, "--ignore-versions") == []


def test_another_reader_is_told_by_name(bundle):
    change(bundle, "runs.jsonl", lambda text: text.replace('"numbers 6"', '"numbers 4"', 1))

    assert any("was read by “numbers 4”" in s and "“numbers 6”" in s for s in differences(bundle))


def refused(path: Path) -> str:
    result = invoke("reproduce", path)
    assert result.exit_code == 1
    assert "Differs" not in result.stdout
    assert result.stderr.count("\n") == 1
    return str(result.stderr)


def test_what_is_no_bundle_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "text").write_text("hello")
    (tmp_path / "empty").mkdir()

    assert "neither a folder nor a zip" in refused(tmp_path / "text")
    assert "holds no manifest.json" in refused(tmp_path / "empty")
    assert "There is no" in refused(tmp_path / "nowhere")


def test_a_newer_bundle_is_refused(bundle):
    manifest = json.loads((bundle / "manifest.json").read_text()) | {"version": 2}
    (bundle / "manifest.json").write_text(json.dumps(manifest))

    assert "of version 2" in refused(bundle)


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(tmp_path):
    with ZipFile(tmp_path / "bomb.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b"{}")
        with archive.open("items.jsonl", "w") as file:
            for _ in range(LARGEST // 2**20 + 1):
                file.write(bytes(2**20))

    assert "A bundle is smaller" in refused(tmp_path / "bomb.zip")


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", ".hidden"])
def test_a_manifest_reaches_no_file_outside(bundle, name):
    manifest = json.loads((bundle / "manifest.json").read_text())
    manifest["sha256"][name] = "0"
    (bundle / "manifest.json").write_text(json.dumps(manifest))

    assert "names files that no bundle has" in refused(bundle)


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, "{}", "no JSON", '{"id": 1}', "[]"],
    ids=["deep", "empty", "text", "short", "list"],
)
def test_records_that_are_none_are_refused_with_their_line(bundle, line):
    change(bundle, "pairs.jsonl", lambda text: text + line + "\n")

    number = (bundle / "pairs.jsonl").read_text().count("\n")
    assert f"pairs.jsonl, line {number}: " in refused(bundle)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("answers.jsonl", {"sample": 2**70}),
        ("answers.jsonl", {"item": "nowhere"}),
        ("answers.jsonl", {"state": "guessed"}),
        ("runs.jsonl", {"design": {}}),
        ("runs.jsonl", {"options": {"stopping": 1}}),
        ("runs.jsonl", {"samples": 0}),
        ("runs.jsonl", {"study": "no-such-study"}),
        ("items.jsonl", {"text": "\ud800"}),
        ("items.jsonl", {"facts": {"examples": [None]}}),
    ],
)
def test_records_that_contradict_each_other_are_refused(bundle, name, fields):
    change(bundle, name, on_line(0, **fields))

    assert refused(bundle)


def test_what_stands_in_the_way_is_not_overwritten(paper, runs):
    db, ids = runs
    result = invoke("paper", ids["keyword"], "--db", db, "--out", paper)

    assert result.exit_code == 1
    assert "not empty" in result.stderr


def test_a_stratum_that_no_study_has_is_refused(runs, tmp_path):
    db, ids = runs
    result = invoke("paper", ids["keyword"], "--by", "mood", "--db", db, "--out", tmp_path / "no")

    assert result.exit_code == 1
    assert "mood" in result.stderr


def test_a_run_without_answers_is_refused(tmp_path):
    from biaslab.runs import open_store, prepare
    from biaslab.studies import Design

    with open_store(tmp_path / "r.db") as store:
        run = prepare(store, Design("carry", 5, 1), "learner:perfect", "direct")
    result = invoke("paper", run, "--db", tmp_path / "r.db", "--out", tmp_path / "no")

    assert "has no answers yet" in result.stderr


def test_a_run_that_is_being_asked_is_refused(runs):
    db, ids = runs
    with open_store(db) as store:
        record = replace(store.run(ids["keyword"]), status=RunStatus.RUNNING)

    with pytest.raises(PaperError, match="is being asked now"):
        check_runs([record])


def test_pairs_of_a_set_that_is_gone_are_a_limitation(runs, tmp_path):
    db, ids = runs
    shutil.copy(db, tmp_path / "runs.db")
    with open_store(tmp_path / "runs.db") as store:
        (kept,) = pair_sets(store)
        delete_set(store, kept.id)
        paper = make_paper(store, [ids["imported"]])
    write_paper(paper, tmp_path / "paper")

    told = f"The pairs of run {ids['imported']} cannot be made again"
    assert any(told in sentence for sentence in paper.limitations)
    assert any("cannot be made again" in sentence for sentence in differences(tmp_path / "paper"))


def test_what_stands_beside_an_answer_is_made_again_too(bundle):
    lines = (bundle / "answers.jsonl").read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if json.loads(line)["rule"])
    change(bundle, "answers.jsonl", on_line(number, rule="guess"))

    assert any("1 answer has another rule" in sentence for sentence in differences(bundle))


def test_effects_that_the_manifest_keeps_from_being_computed_are_told(bundle):
    manifest = json.loads((bundle / "manifest.json").read_text())
    gone = manifest["tables"].pop()["name"]
    (bundle / "manifest.json").write_text(json.dumps(manifest))

    assert any(f"{gone}.json is none of the manifest's tables" in s for s in differences(bundle))


def test_a_figure_that_became_true_is_no_figure(bundle):
    rows = json.loads((bundle / "effects.json").read_text())
    row = next(row for row in rows if row["accuracy_x"] == 1.0)
    row["accuracy_x"] = True
    change(bundle, "effects.json", lambda _: json.dumps(rows))

    assert any("accuracy_x of run" in sentence for sentence in differences(bundle))


def test_the_answers_open_in_pandas(paper, runs):
    import pandas as pd

    answers = pd.read_json(paper / "bundle/answers.jsonl", lines=True, dtype=False)

    assert set(answers["run"]) == set(runs[1].values())
    assert len(answers) == len((paper / "bundle/answers.jsonl").read_text().splitlines())


def test_a_model_by_another_name_is_told(bundle):
    change(bundle, "models.jsonl", on_line(0, revision="0123"))

    assert any("is said to be" in s and "0123" in s for s in differences(bundle))
