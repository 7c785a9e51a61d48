"""From what a person types to a model, or to one clear sentence about what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from biaslab.models import (
    LEARNERS,
    BrokenModel,
    Completion,
    GenerationRequest,
    LearnerModel,
    Message,
    ModelError,
    ModelForm,
    ModelKind,
    ModelNotFound,
    Sampling,
    UnknownModel,
    Unsupported,
    identify,
    list_models,
    open_model,
)
from biaslab.models.tiny.model import DEFAULT_TINY
from tests.models.random_models import CHAT_TEMPLATE

Make = Callable[..., Path]
ROOT = Path(__file__).resolve().parents[2]


def is_one_sentence(error: ModelError) -> bool:
    text = str(error)
    return bool(text) and "\n" not in text and text[-1] in ".?" and "Traceback" not in text


def test_a_learner_is_opened_by_name() -> None:
    model = open_model("learner:keyword")
    assert isinstance(model, LearnerModel)
    assert model.identity == identify("learner:keyword")


def test_a_directory_is_opened_and_answers(model_directory: Make) -> None:
    path = model_directory("llama")
    model = open_model(f"local:{path}", device="cpu")
    ((_, answer),) = model.generate(
        [GenerationRequest((Message("text", "Ana has"),), Sampling(max_new_tokens=3))]
    )
    assert isinstance(answer, Completion)
    assert model.identity == identify(f"local:{path}")
    assert model.identity.kind is ModelKind.LANGUAGE_MODEL


def test_a_relative_directory_is_the_same_model(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = model_directory("llama")
    monkeypatch.chdir(path.parent)
    assert identify(f"local:./{path.name}") == identify(f"local:{path}")


@pytest.mark.parametrize(
    ("spec", "nearest"),
    [
        ("learner:keywrd", "learner:keyword"),
        ("learner:carry", "learner:carry-dropper"),
        ("keyword", "learner:keyword"),
        ("tyni", "tiny"),
    ],
)
def test_a_slip_of_the_pen_gets_the_nearest_name(spec: str, nearest: str) -> None:
    with pytest.raises(UnknownModel, match=nearest) as caught:
        open_model(spec)
    assert is_one_sentence(caught.value)


@pytest.mark.parametrize("spec", ["", "  ", "learner:", "tiny:", "local:", "gpt:4", "a b c"])
def test_text_that_names_no_model_is_told_the_forms(spec: str) -> None:
    with pytest.raises(UnknownModel, match="local:DIRECTORY") as caught:
        identify(spec)
    assert is_one_sentence(caught.value)


def test_a_bare_directory_is_told_to_write_local(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match=f"local:{tmp_path}"):
        identify(str(tmp_path))


@pytest.mark.parametrize("spec", ["local:/no/such/directory", "local:./nothing", "local:~/no/x"])
def test_a_missing_directory(spec: str) -> None:
    with pytest.raises(ModelNotFound, match="There is no directory") as caught:
        open_model(spec)
    assert is_one_sentence(caught.value)


def test_a_hub_name_that_is_not_on_this_machine() -> None:
    with pytest.raises(ModelNotFound, match="hf download nobody/nothing") as caught:
        identify("local:nobody/nothing")
    assert is_one_sentence(caught.value)


def test_an_empty_directory(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match="is empty"):
        open_model(f"local:{tmp_path}")


def test_a_file_instead_of_a_directory(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelNotFound, match="is a file"):
        identify(f"local:{tmp_path / 'model.safetensors'}")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(name: str, custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    (path / name).unlink()
    with pytest.raises(BrokenModel, match=name) as caught:
        identify(f"local:{path}")
    assert is_one_sentence(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.99])
def test_cut_off_weights_are_refused(share: float, custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    weights = path / "model.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[: int(share * len(content))])
    for ask in (identify, open_model):
        with pytest.raises(BrokenModel, match="damaged or incomplete") as caught:
            ask(f"local:{path}")
        assert is_one_sentence(caught.value)


@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json"]
)
@pytest.mark.parametrize("content", ["{", "[]", "", "\x00\xff"])
def test_broken_json_is_refused(name: str, content: str, custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    (path / name).write_text(content, encoding="latin-1")
    with pytest.raises(BrokenModel, match=name) as caught:
        open_model(f"local:{path}")
    assert is_one_sentence(caught.value)


def test_pickled_weights_are_refused(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    (path / "model.safetensors").unlink()
    torch.save({}, path / "pytorch_model.bin")
    for ask in (identify, open_model):
        with pytest.raises(BrokenModel, match="convert it to safetensors") as caught:
            ask(f"local:{path}")
        assert is_one_sentence(caught.value)


def test_pickled_weights_beside_safetensors_are_not_touched(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    before = identify(f"local:{path}").revision
    (path / "pytorch_model.bin").write_bytes(b"not a pickle at all")
    assert open_model(f"local:{path}", device="cpu").identity.revision == before


def test_a_model_with_code_of_its_own_is_refused(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    ran = path / "ran"
    (path / "own.py").write_text(f"open({str(ran)!r}, 'w').close()")
    config = json.loads((path / "config.json").read_text())
    config |= {
        "model_type": "own",
        "architectures": ["Own"],
        "auto_map": {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"},
    }
    (path / "config.json").write_text(json.dumps(config))
    with pytest.raises(BrokenModel) as caught:
        open_model(f"local:{path}")
    assert is_one_sentence(caught.value)
    assert not ran.exists()


def test_a_kind_of_model_that_cannot_write_is_refused(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps(config | {"model_type": "vit"}))
    with pytest.raises(BrokenModel, match="causal language model") as caught:
        open_model(f"local:{path}")
    assert is_one_sentence(caught.value)


def test_weights_that_lack_tables_are_refused_and_never_made_up(
    custom_model_directory: Make,
) -> None:
    from safetensors.torch import load_file, save_file

    path = custom_model_directory("llama")
    weights = load_file(path / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BrokenModel, match=r"layers\.1\.mlp\.up_proj") as caught:
        open_model(f"local:{path}")
    assert is_one_sentence(caught.value)


def test_a_missing_part_of_the_weights_is_named(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    (path / "model.safetensors").rename(path / "model-00001-of-00002.safetensors")
    index = {
        "weight_map": {
            "a": "model-00001-of-00002.safetensors",
            "b": "model-00002-of-00002.safetensors",
        }
    }
    (path / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(BrokenModel, match="model-00002-of-00002"):
        identify(f"local:{path}")


def test_tables_of_other_sizes_than_the_configuration_says(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps(config | {"intermediate_size": 48}))
    with pytest.raises(BrokenModel) as caught:
        open_model(f"local:{path}")
    assert is_one_sentence(caught.value)


@pytest.mark.parametrize("device", ["cuda:99", "abacus"])
def test_a_device_that_is_not_there(device: str, model_directory: Make) -> None:
    with pytest.raises(Unsupported, match=device) as caught:
        open_model(f"local:{model_directory('llama')}", device=device)
    assert is_one_sentence(caught.value)


def test_a_number_format_that_is_not_there(model_directory: Make) -> None:
    with pytest.raises(Unsupported, match="float32"):
        open_model(f"local:{model_directory('llama')}", dtype="int3")


def test_the_revision_is_that_of_the_contents(custom_model_directory: Make, tmp_path: Path) -> None:
    path = custom_model_directory("llama")
    first = identify(f"local:{path}")
    moved = path.rename(tmp_path / "elsewhere")
    assert identify(f"local:{moved}").revision == first.revision
    assert identify(f"local:{moved}").id != first.id


def test_no_folder_is_in_the_name_of_a_model_and_the_name_opens_it_again(
    custom_model_directory: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "kept" / "runs.db"))
    path = custom_model_directory("llama")
    (choice,) = [each for each in list_models([path]) if each.label == path.name]
    assert choice.spec == f"local:{path}", "it was never opened, so its sum is not known"
    first = identify(f"local:{path}")
    assert first.spec == f"local:{path.name}#{first.revision[:12]}"
    assert str(path.parent) not in repr(first)
    assert identify(first.spec) == first
    assert open_model(first.spec, device="cpu").identity == first
    (choice,) = [each for each in list_models([path]) if each.label == path.name]
    assert choice.spec == first.spec
    # Where it lies makes no other model, and it is found wherever it lay last.
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    moved = path.rename(folder / path.name)
    with pytest.raises(ModelNotFound, match="not where they were"):
        identify(first.spec)
    assert identify(f"local:{moved}") == first
    assert identify(first.spec) == first
    # Other files in its place are another model.
    config = moved / "config.json"
    config.write_text(config.read_text().replace("{", '{"other": 1, ', 1))
    with pytest.raises(ModelNotFound, match="not where they were"):
        identify(first.spec)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", '{"a": 1}'),
        ("generation_config.json", '{"a": 1}'),
        ("tokenizer_config.json", '{"a": 1}'),
        ("chat_template.jinja", "{{ messages }}"),
    ],
)
def test_the_revision_follows_every_file_that_shapes_an_answer(
    name: str, content: str, custom_model_directory: Make
) -> None:
    path = custom_model_directory("llama")
    before = identify(f"local:{path}").revision
    (path / name).write_text(content)
    assert identify(f"local:{path}").revision != before


def test_the_revision_follows_the_weights(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    before = identify(f"local:{path}").revision
    content = bytearray((path / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (path / "model.safetensors").write_bytes(content)
    assert identify(f"local:{path}").revision != before


def test_the_revision_does_not_follow_other_files(custom_model_directory: Make) -> None:
    path = custom_model_directory("llama")
    before = identify(f"local:{path}").revision
    (path / "README.md").write_text("A model.")
    assert identify(f"local:{path}").revision == before


def test_a_coarser_number_format_is_another_revision(model_directory: Make) -> None:
    spec = f"local:{model_directory('llama')}"
    assert identify(spec).id != identify(spec, dtype="bfloat16").id


@pytest.mark.parametrize("template", ["", CHAT_TEMPLATE])
def test_the_form_told_without_loading_is_that_of_the_tokenizer(
    template: str, model_directory: Make
) -> None:
    path = model_directory("llama", template=template)
    assert identify(f"local:{path}").form is (ModelForm.CHAT if template else ModelForm.BASE)


def test_the_list_offers_every_learner_and_says_why_a_model_is_not_ready(
    model_directory: Make, tmp_path: Path
) -> None:
    good, bad = model_directory("llama"), tmp_path / "bad"
    choices = {c.spec: c for c in list_models([good, bad], tiny_models=tmp_path)}
    assert {c.label: c.ready for c in choices.values()}[good.name]
    assert {f"learner:{learner.name}" for learner in LEARNERS} <= choices.keys()
    assert not choices[f"local:{bad}"].ready
    assert "no directory" in choices[f"local:{bad}"].why_not
    assert not choices[DEFAULT_TINY].ready
    assert "There is no tiny model" in choices[DEFAULT_TINY].why_not
    assert all(bool(c.why_not) != c.ready for c in choices.values())
    assert all(c.explanation and c.label for c in choices.values())


def test_importing_listing_and_identifying_load_neither_torch_nor_transformers(
    model_directory: Make,
) -> None:
    """The app's server does these; it must stay small."""
    path = model_directory("llama")
    code = f"""
import sys
import biaslab.models as models
models.list_models()
models.identify("learner:keyword")
models.identify({f"local:{path}"!r})
print(sorted(name for name in ("torch", "transformers") if name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
