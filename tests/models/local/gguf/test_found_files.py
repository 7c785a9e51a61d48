"""Files that other programs keep are found and offered; one of the list is downloaded, pinned."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import BrokenModel, identify, list_models
from biaslab.models.local import hub_download
from biaslab.models.local.gguf.head import found_files
from biaslab.models.local.hub import HubModel, hub_directory, hub_list, pinned_file
from biaslab.models.local.hub_download import FetchError, fetch
from tests.models.local.gguf.files import taught, write
from tests.servers.hub import Hub, hub_at

NAME, FILE = "somebody/tiny-GGUF", "tiny-q8_0.gguf"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    write(folder / FILE, *taught("llama"))
    (folder / "tiny-f16.gguf").write_bytes(b"another format")
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for name in ("HF_HOME", "HF_HUB_CACHE", "OLLAMA_MODELS", "BIASLAB_UNPACKED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    return home


@pytest.fixture
def hub(model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    content = (model / FILE).read_bytes()
    pinned = HubModel(
        NAME, "Apache-2.0", 100, ".", FILE, len(content), hashlib.sha256(content).hexdigest()
    )
    monkeypatch.setattr(hub_download, "pinned_file", {NAME: pinned}.get)
    with hub_at({NAME: model}) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def test_files_of_three_programs_are_found_each_once_with_the_name_that_people_know(home, model):
    content = (model / FILE).read_bytes()
    cache = home / ".cache/huggingface/hub/models--a--b"
    studio = home / ".lmstudio/models/a/b"
    store = home / ".ollama/models"
    manifest = store / "manifests/registry.ollama.ai/library/llama"
    for folder in (cache / "blobs", cache / "snapshots/1", studio, store / "blobs", manifest):
        folder.mkdir(parents=True)
    (cache / "blobs/1").write_bytes(content)
    (cache / "snapshots/1/in-cache.gguf").symlink_to(cache / "blobs/1")
    (studio / "in-studio.gguf").write_bytes(content + b"\0")
    (studio / "again.gguf").symlink_to(cache / "blobs/1")
    (studio / "mmproj-picture.gguf").write_bytes(content)
    (studio / "not-yet.gguf").write_bytes(b"")
    (studio / "broken.gguf").write_bytes(content[:1000])
    (store / "blobs/sha256-ab").write_bytes(content + b"\0\0")
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:ab"}
    outside = {**layer, "digest": "sha256:../../x"}
    (manifest / "1b").write_text(json.dumps({"layers": [layer, outside]}))
    (manifest / "bad").write_text("{")

    assert [file.title for file in found_files()] == ["in-cache", "broken", "in-studio", "llama:1b"]
    choices = {choice.label: choice for choice in list_models() if choice.spec[:6] == "local:"}
    assert "in LM Studio's folder" in choices["in-studio"].explanation
    assert "needs about 0.0 GB of memory" in choices["in-studio"].explanation
    assert not choices["broken"].ready
    assert "damaged or incomplete" in choices["broken"].why_not
    # Ollama's files are named by a sum: in runs such a model has the name that Ollama gives it.
    assert identify(choices["llama:1b"].spec).spec.startswith("local:llama-1b#")
    assert identify(choices["llama:1b"].spec).spec in {each.spec for each in list_models()}
    shown = CliRunner().invoke(main, ["models"]).stdout
    assert "in-cache" in shown
    assert "in the cache of the Hugging Face hub" in shown


def test_a_folder_with_one_file_is_that_file_and_one_with_several_says_so(tmp_path, model):
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / FILE).write_bytes((model / FILE).read_bytes())
    assert identify(f"local:{alone}") == identify(f"local:{alone / FILE}")
    with pytest.raises(BrokenModel, match="several GGUF files"):
        identify(f"local:{model}")


def test_a_pinned_file_comes_alone_after_a_cut_and_is_asked(hub, model):
    hub.cut_after = 10_000
    done = CliRunner().invoke(main, ["fetch-model", NAME])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == f"local:{hub_directory(NAME)}"
    assert (hub_directory(NAME) / FILE).read_bytes() == (model / FILE).read_bytes()
    assert not (hub_directory(NAME) / "tiny-f16.gguf").exists()
    assert [start for path, start in hub.asked if path.startswith("/stored") and start]
    choice = next(each for each in list_models() if each.spec == f"local:{hub_directory(NAME)}")
    assert choice.ready


def test_another_sum_than_the_pinned_one_is_refused_before_anything_is_sent(hub, monkeypatch):
    pinned = hub_download.pinned_file(NAME)
    assert pinned is not None
    other = replace(pinned, sha256="0" * 64)
    monkeypatch.setattr(hub_download, "pinned_file", {NAME: other}.get)
    with pytest.raises(FetchError, match=r"another tiny-q8_0\.gguf now"):
        fetch(NAME, hub_directory(NAME))
    assert hub.sent == {}


def test_a_file_that_came_damaged_is_deleted(hub):
    hub.corrupts = FILE
    with pytest.raises(FetchError, match="came damaged"):
        fetch(NAME, hub_directory(NAME))
    assert not (hub_directory(NAME) / FILE).exists()


def test_the_list_has_figures_where_a_model_was_measured_and_says_so_where_none_was():
    for entry in hub_list().models:
        assert entry.expect.startswith("Measured:") or entry.expect.endswith("Not measured."), entry
        assert (pinned_file(entry.repository) is entry) == bool(entry.sha256)
        assert len(entry.sha256) in (0, 64)
