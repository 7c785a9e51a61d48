"""A model of the hub is downloaded whole, checked, resumed, and then a local model as any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import (
    Completion,
    GenerationRequest,
    Message,
    Sampling,
    UnknownModel,
    identify,
    list_models,
    open_model,
)
from biaslab.models.local import hub_download
from biaslab.models.local.hub import find_repository, hub_directory, hub_list, read_record
from biaslab.models.local.hub_download import FetchError, fetch
from tests.conftest import wait_for
from tests.models.random_models import CHAT_TEMPLATE, saved
from tests.servers.hub import COMMIT, Hub, hub_at

NAME = "somebody/tiny-llama"
WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer with random weights, with what repositories have besides."""
    path = saved(tmp_path_factory.mktemp("model"), "llama", True, False, CHAT_TEMPLATE)
    (path / "pytorch_model.bin").write_bytes(b"a pickle")
    (path / "modeling_llama.py").write_text("raise SystemExit\n")
    (path / "README.md").write_text("# A card\n")
    return path


@pytest.fixture(autouse=True)
def hub(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    with hub_at({NAME: model}) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def test_what_is_downloaded_opens_and_answers_as_a_local_model(model, tmp_path):
    told: list[tuple[int, int]] = []
    record = fetch(NAME, tmp_path / "here", lambda here, total: told.append((here, total)))
    opened = open_model(f"local:{tmp_path / 'here'}", device="cpu")
    request = GenerationRequest((Message("user", "What is 2 + 3?"),), Sampling(max_new_tokens=4))
    [(_, answer)] = list(opened.generate([request]))
    assert isinstance(answer, Completion)
    assert (tmp_path / "here" / WEIGHTS).read_bytes() == (model / WEIGHTS).read_bytes()
    assert told[-1] == (record.size, record.size)
    assert told == sorted(told)


def test_its_commit_is_written_beside_it_and_told_with_the_model(tmp_path):
    fetch(NAME, tmp_path / "here")
    kept = json.loads((tmp_path / "here" / "hub.json").read_text())
    details = identify(f"local:{tmp_path / 'here'}").details
    assert (kept["repository"], kept["commit"], kept["complete"]) == (NAME, COMMIT, True)
    assert (details["hub"], details["commit"]) == (NAME, COMMIT)


def test_no_pickle_and_no_code_is_asked_for(hub, tmp_path):
    fetch(NAME, tmp_path / "here")
    names = {path.name for path in (tmp_path / "here").iterdir()}
    assert {"config.json", "tokenizer.json", WEIGHTS} <= names
    assert not names & {"pytorch_model.bin", "modeling_llama.py", "README.md"}
    assert not [path for path, _ in hub.asked if path.endswith((".bin", ".py", ".md"))]


def test_a_cut_connection_is_taken_up_again_at_once_and_only_the_rest_is_sent(hub, model, tmp_path):
    hub.cut_after = 10_000
    assert fetch(NAME, tmp_path / "here").complete
    # What had arrived and was not read yet when the connection was cut, the system throws away.
    (start,) = {start for path, start in hub.asked if path.endswith(WEIGHTS) and start}
    assert start <= 10_000
    # The hub counts what it has sent a moment after the last byte has arrived.
    wait_for(lambda: hub.sent[WEIGHTS] == (model / WEIGHTS).stat().st_size + 10_000 - start)


def test_what_was_interrupted_goes_on_later_with_the_commit_it_was_begun_with(hub, model, tmp_path):
    hub.cut_after, hub.closes_when_cut = 10_000, True
    with pytest.raises(FetchError, match="only what is missing is fetched"):
        fetch(NAME, tmp_path / "here")
    record = read_record(tmp_path / "here")
    assert record is not None
    assert not record.complete
    hub.closed, hub.closes_when_cut = False, False
    hub.asked.clear()
    assert fetch(NAME, tmp_path / "here").complete
    assert hub.asked[0][0].endswith(f"/revision/{COMMIT}")
    wait_for(lambda: hub.sent[WEIGHTS] == (model / WEIGHTS).stat().st_size)
    assert [path for path, _ in hub.asked[1:] if not path.endswith(WEIGHTS)] == []


def test_a_server_that_knows_no_ranges_sends_it_all_again(hub, model, tmp_path):
    hub.cut_after, hub.closes_when_cut = 10_000, True
    with pytest.raises(FetchError):
        fetch(NAME, tmp_path / "here")
    hub.closed, hub.closes_when_cut, hub.knows_ranges = False, False, False
    fetch(NAME, tmp_path / "here")
    assert (tmp_path / "here" / WEIGHTS).read_bytes() == (model / WEIGHTS).read_bytes()


def test_what_is_here_already_is_not_asked_for_again(hub, tmp_path):
    first = fetch(NAME, tmp_path / "here")
    hub.asked.clear()
    assert fetch(NAME, tmp_path / "here") == first
    assert hub.asked == []


@pytest.mark.parametrize("name", [WEIGHTS, "config.json"])
def test_a_damaged_file_is_refused_and_deleted_and_the_others_are_kept(hub, tmp_path, name):
    hub.corrupts = name
    with pytest.raises(FetchError, match=f"{name} of .* came damaged"):
        fetch(NAME, tmp_path / "here")
    assert not list((tmp_path / "here").glob(f"{name}*"))
    hub.corrupts = ""
    assert fetch(NAME, tmp_path / "here").complete


def test_a_model_that_the_hub_has_not_is_refused(tmp_path):
    with pytest.raises(FetchError, match=r"has no model “somebody/nothing”.*check the spelling"):
        fetch("somebody/nothing", tmp_path / "here")


@pytest.mark.parametrize("name", ["nothing", "../../etc", "a/b/c", "a/..", "a b/c", ""])
def test_what_can_be_no_name_is_refused_before_anything_is_asked(hub, name, tmp_path):
    with pytest.raises(UnknownModel, match="OWNER/MODEL"):
        fetch(name, tmp_path / "here")
    assert hub.asked == []


def test_a_full_disk_is_said_before_a_file_is_fetched(hub, tmp_path):
    hub.claims = 10**18
    with pytest.raises(FetchError, match=r"needs 1,000,000,000,200 MB .* free some"):
        fetch(NAME, tmp_path / "here")
    assert hub.sent == {}


def test_without_a_network_a_sentence_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(FetchError, match=r"connected to the internet.*copy the model's folder"):
        fetch(NAME, tmp_path / "here")


def test_an_endpoint_that_is_no_address_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    with pytest.raises(FetchError, match="no address"):
        fetch(NAME, tmp_path / "here")


def test_a_repository_without_safetensors_is_refused(hub, tmp_path):
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    (pickled / "config.json").write_text("{}")
    (pickled / "pytorch_model.bin").write_bytes(b"a pickle")
    hub.repositories["somebody/pickled"] = pickled
    with pytest.raises(FetchError, match="no weights as safetensors"):
        fetch("somebody/pickled", tmp_path / "here")


def test_a_directory_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "thesis.txt").write_text("mine")
    with pytest.raises(FetchError, match=r"other files \(thesis.txt\)"):
        fetch(NAME, tmp_path / "here")


def test_two_downloads_of_one_model_at_once_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(hub_download, "_LOCK_SECONDS", 0)

    def again(*_: int) -> None:
        with pytest.raises(FetchError, match="already"):
            fetch(NAME, tmp_path / "here")

    assert fetch(NAME, tmp_path / "here", again).complete


def test_the_command_downloads_and_prints_what_opens_the_model():
    done = CliRunner().invoke(main, ["fetch-model", NAME])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == f"local:{hub_directory(NAME)}"
    assert f"local:{hub_directory(NAME)}" in [choice.spec for choice in list_models()]


def test_the_command_says_in_a_sentence_what_is_wrong():
    done = CliRunner().invoke(main, ["fetch-model", "somebody/nothing"])
    assert done.exit_code == 1
    assert "Error: 127.0.0.1" in done.stderr


def test_the_list_is_dated_and_tells_licence_size_and_memory():
    done = CliRunner().invoke(main, ["fetch-model"])
    assert f"as of {hub_list().date}" in done.stdout
    for model in hub_list().models:
        assert model.repository in done.stdout
        assert 0.1e9 <= model.download_bytes <= 4e9
        assert model.licence == "Apache-2.0"
        assert model.expect.endswith(".")


def test_a_name_of_the_list_needs_no_owner():
    assert find_repository("smollm2-135m-instruct") == "HuggingFaceTB/SmolLM2-135M-Instruct"
