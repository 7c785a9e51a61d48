"""A GGUF file is opened as the very network it holds, or refused in a sentence."""

from __future__ import annotations

import json
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from biaslab.models import (
    BrokenModel,
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelError,
    ModelForm,
    ModelNotFound,
    Sampling,
    Unsupported,
    identify,
    open_model,
)
from biaslab.models.local.gguf import opening, sums, template
from biaslab.models.local.gguf.opening import BEGINNING, KNOWN, MOST_SURPRISE
from biaslab.models.local.gguf.sums import kept_directory, sum_of
from tests.models.local.gguf.files import taught, write
from tests.models.random_models import make_network

TEXTS = ("Ana has 18 apples.\n\n1. Ben has 3 fewer.", "<s>user\nHow many are left?</s>", "  x  7\t")


@pytest.fixture(scope="module")
def llama() -> tuple[Any, Any]:
    return taught("llama")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "home" / "runs.db"))
    monkeypatch.delenv("BIASLAB_UNPACKED", raising=False)
    return tmp_path


def answer(model: Any, text: str = "Ana has 18 apples.") -> str:
    request = GenerationRequest((Message("text", text),), Sampling(max_new_tokens=12))
    [(_, found)] = list(model.generate([request]))
    assert isinstance(found, Completion)
    return found.text


def test_each_architecture_gives_the_numbers_that_transformers_own_way_gives(home):
    for architecture, settings in (
        ("llama", {}),
        ("llama", {"tie_word_embeddings": True}),
        ("qwen2", {}),
        ("qwen3", {"head_dim": 8}),
    ):
        path = home / f"{architecture}{len(settings)}.gguf"
        network, tokenizer = taught(architecture, **settings)
        write(path, network, tokenizer)
        mine = open_model(f"local:{path}", device="cpu")
        kept = kept_directory(sum_of(path))
        theirs = AutoModelForCausalLM.from_pretrained(
            home, gguf_file=path.name, dtype=torch.float32
        ).state_dict() if architecture != "qwen3" else None  # fmt: skip
        ours = AutoModelForCausalLM.from_pretrained(kept, dtype=torch.float32).state_dict()
        for name, numbers in network.state_dict().items():
            assert theirs is None or torch.equal(ours[name], theirs[name]), name
            assert (ours[name] - numbers).abs().max() <= 0.01 * numbers.abs().max(), name
        again = AutoTokenizer.from_pretrained(kept)
        # The tokenizer that was taught cuts as GPT-2's does, those of Qwen in their own way.
        for text in TEXTS if architecture == "llama" else ():
            assert again(text)["input_ids"] == tokenizer(text)["input_ids"], text
        assert answer(mine)


def test_a_text_is_cut_as_the_file_says_or_the_file_is_refused(home, llama):
    for way, tokens in (("gpt-2", ["Ċ", "Ċ", "1"]), ("smollm", ["ĊĊ", "1"])):
        path = write(home / f"{way}.gguf", *llama, cut=way)
        open_model(f"local:{path}", device="cpu")
        again = AutoTokenizer.from_pretrained(kept_directory(sum_of(path)))
        cut = again.backend_tokenizer.pre_tokenizer.pre_tokenize_str("\n\n1")
        assert [part for part, _ in cut] == tokens
    path = write(home / "qwen.gguf", *taught("qwen2"), cut="gpt-2")
    with pytest.raises(BrokenModel, match="cuts texts into words in another way"):
        open_model(f"local:{path}", device="cpu")


def test_its_name_in_runs_has_its_sum_and_no_folder_and_opens_it_again(home, llama):
    folder = home / "secret"
    folder.mkdir()
    path = write(folder / "a.gguf", *llama)
    identity = identify(f"local:{path}")
    assert identity.spec == f"local:a.gguf#{sum_of(path)[:12]}"
    assert identity.details["sha256"] == sum_of(path)
    assert identity.details["number_format"] == "Q8_0"
    assert identity.details["libraries"].keys() >= {"gguf", "transformers", "torch"}
    assert identity.form is ModelForm.CHAT
    assert str(home) not in json.dumps(dict(identity.details)) + identity.id
    assert identify(identity.spec) == identity
    first = answer(open_model(f"local:{path}", device="cpu"))
    assert answer(open_model(identity.spec, device="cpu")) == first
    # Where it moved, it is found again once it was named; a changed file is another model.
    path.rename(home / "b.gguf")
    with pytest.raises(ModelNotFound, match="not where they were"):
        identify(identity.spec)
    assert identify(f"local:{home / 'b.gguf'}").revision == identity.revision
    assert identify(identity.spec).revision == identity.revision
    write(home / "b.gguf", *taught("llama", 1))
    with pytest.raises(ModelNotFound, match="not where they were"):
        identify(identity.spec)


def test_what_was_unpacked_is_opened_again_until_a_library_changes_or_the_room_ends(
    home, llama, monkeypatch
):
    path = write(home / "a.gguf", *llama)
    open_model(f"local:{path}", device="cpu")
    weights = kept_directory(sum_of(path)) / "model.safetensors"
    made = weights.stat().st_mtime_ns
    open_model(f"local:{path}", device="cpu")
    assert weights.stat().st_mtime_ns == made
    monkeypatch.setattr(opening, "libraries", lambda: {"gguf": "of tomorrow"})
    open_model(f"local:{path}", device="cpu")
    assert weights.stat().st_mtime_ns > made
    monkeypatch.setattr(opening, "MOST_KEPT", 1)
    other = write(home / "b.gguf", *taught("llama", 1))
    open_model(f"local:{other}", device="cpu")
    assert not weights.exists()
    monkeypatch.setenv("BIASLAB_UNPACKED", "off")
    assert answer(open_model(f"local:{path}", device="cpu"))
    assert not weights.exists()


def test_a_file_of_a_base_model_continues_plain_text(home, llama):
    path = write(home / "a.gguf", *llama, template="")
    assert identify(f"local:{path}").form is ModelForm.BASE
    model = open_model(f"local:{path}", device="cpu")
    [(_, scored)] = list(
        model.likelihood([LikelihoodRequest((Message("text", BEGINNING),), (KNOWN,))])
    )
    assert isinstance(scored, Likelihood)
    assert scored.log_probabilities[0] / scored.tokens[0] > -1


def test_a_network_to_which_english_is_noise_is_refused(home, llama):
    network, tokenizer = llama
    untaught = make_network("llama", len(tokenizer), max_position_embeddings=512)
    with pytest.raises(BrokenModel, match=r"a\.gguf was opened, but plain English"):
        open_model(f"local:{write(home / 'a.gguf', untaught, tokenizer)}", device="cpu")
    # One that is read as another architecture than it is: half of every head turned wrongly.
    network.config.model_type = "qwen2"
    try:
        wrong = write(home / "b.gguf", network, tokenizer, architecture="llama")
    finally:
        network.config.model_type = "llama"
    with pytest.raises(BrokenModel, match="plain English"):
        open_model(f"local:{wrong}", device="cpu")
    assert 0 < MOST_SURPRISE < 0.45


def test_damaged_cut_off_and_foreign_files_are_one_sentence_each(home, llama):
    whole = write(home / "whole.gguf", *llama).read_bytes()
    bad = {
        b"": "no GGUF file",
        b"PK\3\4" * 100: "no GGUF file",
        whole[:-1000]: r"is cut off: it has 0 of 0 MB",
        whole[:2000]: "damaged or incomplete",
        whole[:4] + struct.pack("<I", 99) + whole[8:]: "version 99",
        whole[:8] + struct.pack("<Q", 1 << 60) + whole[16:]: "tables",
        whole[:16] + struct.pack("<Q", 1 << 60) + whole[24:]: "entries",
        whole[:24] + struct.pack("<Q", 1 << 62) + whole[32:]: "bytes of one text",
    }
    for number, (content, sentence) in enumerate(bad.items()):
        path = home / f"{number}.gguf"
        path.write_bytes(content)
        with pytest.raises(ModelError, match=sentence):
            identify(f"local:{path}")
    # A byte anywhere in the head may be wrong: a sentence, or the model, and nothing else.
    for at in range(4, 3000, 61):
        path = home / "one.gguf"
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(ModelError):
            identify(f"local:{path}")


def test_what_would_be_another_model_is_refused(home, llama):
    network, tokenizer = llama
    for number, (options, sentence) in enumerate((
        ({"architecture": "gemma3"}, "architecture “gemma3”.*LM Studio"),
        ({"further": ("rope_freqs.weight",)}, r"holds the weights rope_freqs.*no place"),
        ({"said": {"llama.rope.scaling.type": "yarn"}}, "rope.scaling.type = yarn"),
        ({"said": {"llama.expert_count": 8}}, "expert_count = 8"),
        ({"said": {"split.count": 3}}, "one of 3 parts"),
        ({"said": {"llama.attention.key_length": 16}}, "cannot be opened"),
        ({"said": {"llama.rope.dimension_count": 4, "llama.attention.key_length": 8}}, "not say"),
    )):  # fmt: skip
        path = write(home / f"{number}.gguf", network, tokenizer, **options)
        with pytest.raises(ModelError, match=sentence):
            open_model(f"local:{path}", device="cpu")
    path = write(home / "pre.gguf", network, tokenizer, cut="gpt-9")
    with pytest.raises(BrokenModel, match="tokenizer of the kind “gpt2 gpt-9”"):
        open_model(f"local:{path}", device="cpu")


def test_a_template_that_takes_all_memory_or_never_ends_is_refused(home, llama, monkeypatch):
    monkeypatch.setattr(template, "_SECONDS", 2)
    for text in (
        "{{ 'x' * 100000000000 }}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    ):
        path = write(home / "a.gguf", *llama, template=text)
        with pytest.raises(BrokenModel, match=r"chat template in a\.gguf takes more"):
            open_model(f"local:{path}", device="cpu")
    # One that only refuses a kind of message is asked, and says so then.
    path = write(home / "a.gguf", *llama, template="{{ raise_exception('no') }}")
    assert open_model(f"local:{path}", device="cpu")


def test_too_little_memory_or_disk_is_said_with_the_figures_before_anything_is_read(
    home, llama, monkeypatch
):
    path = write(home / "a.gguf", *llama)
    memory = psutil.virtual_memory()
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory._replace(available=1000))
    with pytest.raises(Unsupported, match=r"needs about 0\.0 GB of memory, and 0\.0 GB are free"):
        open_model(f"local:{path}", device="cpu")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    monkeypatch.setattr(opening, "SPARE", 10**18)
    with pytest.raises(Unsupported, match=r"GB on the disk .* are free"):
        open_model(f"local:{path}", device="cpu")


def test_a_sum_is_reckoned_once(home, llama, monkeypatch):
    path = write(home / "a.gguf", *llama)
    first = sum_of(path)
    monkeypatch.setattr(sums.hashlib, "file_digest", None)
    assert sum_of(path) == first
