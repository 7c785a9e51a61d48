"""A model with an adapter is the very network that peft would make of both, or is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from biaslab.models import (
    BrokenModel,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelNotFound,
    Unsupported,
    identify,
    open_model,
)
from biaslab.models.adapters import CONFIG_FILE, provider
from biaslab.models.adapters.merging import merge
from biaslab.models.local.gguf.head import FoundFile
from biaslab.models.local.gguf.sums import sum_of
from biaslab.models.provider import ModelQuery
from research.adapters.shipped import narrow
from tests.models.local.gguf.files import taught, write

ASKED = LikelihoodRequest((Message("text", "Ana has 18 apples."),), (" 15", " 21"))


def adapter(model: Any, target: Path, **settings: Any) -> Path:
    """An adapter with random matrices, saved by peft itself."""
    config = LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj"], **settings)
    torch.manual_seed(5)
    learning = get_peft_model(model, config)
    for name, weights in learning.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(weights, std=0.3)
    learning.save_pretrained(target)
    return target


@pytest.fixture
def directories(model_directory, tmp_path):
    base = model_directory("llama")
    made = adapter(AutoModelForCausalLM.from_pretrained(base), tmp_path / "adapter")
    return base, made


def test_the_weights_are_those_that_peft_makes(directories, tmp_path):
    base, made = directories
    (target := tmp_path / "merged").mkdir()
    merge(base, made, target)

    theirs = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), made)
    wanted = theirs.merge_and_unload().state_dict()
    ours = AutoModelForCausalLM.from_pretrained(target).state_dict()
    plain = AutoModelForCausalLM.from_pretrained(base).state_dict()
    for name, weights in wanted.items():
        assert torch.allclose(ours[name], weights, atol=1e-6), name
        assert ("q_proj" in name or "v_proj" in name) is not torch.equal(ours[name], plain[name])
    assert (target / "tokenizer.json").read_bytes() == (base / "tokenizer.json").read_bytes()


def test_what_is_not_known_is_refused_before_anything_is_written(directories, tmp_path):
    base, made = directories
    config = json.loads((made / CONFIG_FILE).read_text())
    for number, changed in enumerate(
        ({"use_dora": True}, {"peft_type": "IA3"}, {"alpha_pattern": {"q_proj": 2}}, {"r": "?"})
    ):
        (made / CONFIG_FILE).write_text(json.dumps(config | changed))
        (target := tmp_path / f"merged{number}").mkdir()
        with pytest.raises(BrokenModel, match="cannot be added"):
            merge(base, made, target)
        assert not list(target.iterdir())


def test_an_adapter_of_another_model_is_refused(directories, model_directory, tmp_path):
    base, _ = directories
    wide = model_directory("mistral")
    other = adapter(AutoModelForCausalLM.from_pretrained(wide), tmp_path / "other")
    weights = load_file(other / "adapter_model.safetensors")
    (target := tmp_path / "merged").mkdir()
    from safetensors.torch import save_file

    renamed = {name.replace("layers.1.", "layers.7."): each for name, each in weights.items()}
    save_file(renamed, other / "adapter_model.safetensors")
    with pytest.raises(BrokenModel, match="belongs to another model"):
        merge(base, other, target)


def test_narrow_halves_the_file_and_hardly_changes_the_numbers(directories):
    _, made = directories
    file = made / "adapter_model.safetensors"
    before, size = load_file(file), file.stat().st_size
    narrow(made)
    after = load_file(file)
    assert file.stat().st_size < 0.7 * size
    assert all(torch.allclose(after[n].float(), before[n], rtol=1e-2, atol=1e-3) for n in before)


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A GGUF file on this computer and an adapter that comes with the app."""
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "home" / "runs.db"))
    monkeypatch.delenv("BIASLAB_UNPACKED", raising=False)
    file = tmp_path / "base.gguf"
    network, tokenizer = taught("llama")
    write(file, network, tokenizer)
    folder = tmp_path / "adapters"
    made = adapter(network, folder / "five")
    card = {
        "label": "Base, taught 5:1", "explanation": "It was taught.", "base": file.name,
        "base_sha256": sum_of(file), "base_bytes": file.stat().st_size, "context": 128,
        "order": 0,
    }  # fmt: skip
    (made / "card.json").write_text(json.dumps(card))
    monkeypatch.setattr(provider, "ADAPTERS", folder)
    monkeypatch.setattr(provider, "found_files", lambda: (FoundFile(file, "base", "here"),))
    return file


def scores(spec: str) -> tuple[float, ...]:
    [(_, found)] = open_model(spec, device="cpu").likelihood([ASKED])
    assert isinstance(found, Likelihood)
    return found.log_probabilities


def test_it_is_asked_like_any_model_and_answers_otherwise_than_without(shipped):
    plain, with_it = scores(f"local:{shipped}"), scores("adapter:five")
    assert with_it == scores("adapter:five")
    assert max(abs(a - b) for a, b in zip(plain, with_it, strict=True)) > 0.01

    identity = identify("adapter:five")
    assert identity.spec == "adapter:five"
    assert identity.details["sha256"] == sum_of(shipped)
    assert identity.revision != identify(f"local:{shipped}").revision


@pytest.mark.usefixtures("shipped")
def test_another_adapter_of_the_same_name_is_another_model():
    before = identify("adapter:five").revision
    narrow(provider.ADAPTERS / "five")
    provider._digest.cache_clear()
    assert identify("adapter:five").revision != before


@pytest.mark.usefixtures("shipped")
def test_the_same_weights_that_count_otherwise_are_another_model():
    before = identify("adapter:five").revision
    file = provider.ADAPTERS / "five" / CONFIG_FILE
    config = json.loads(file.read_text())
    file.write_text(json.dumps(config | {"lora_alpha": 2 * config["lora_alpha"]}))
    provider._digest.cache_clear()
    assert identify("adapter:five").revision != before


@pytest.mark.usefixtures("shipped")
def test_without_its_file_it_says_which_one_is_missing(monkeypatch):
    [choice] = provider.PROVIDER.choices(ModelQuery())
    assert (choice.spec, choice.label, choice.ready) == ("adapter:five", "Base, taught 5:1", True)

    monkeypatch.setattr(provider, "found_files", tuple)
    assert provider.PROVIDER.choices(ModelQuery()) == ()
    [choice] = provider.PROVIDER.every()
    assert not choice.ready
    assert "needs the file base.gguf" in choice.why_not
    with pytest.raises(ModelNotFound, match="needs the file"):
        identify("adapter:five")
    with pytest.raises(ModelNotFound, match="no adapter “six”"):
        identify("adapter:six")


@pytest.mark.usefixtures("shipped")
def test_where_nothing_is_to_be_kept_it_is_refused(monkeypatch):
    monkeypatch.setenv("BIASLAB_UNPACKED", "off")
    with pytest.raises(Unsupported, match="BIASLAB_UNPACKED is off"):
        open_model("adapter:five", device="cpu")
