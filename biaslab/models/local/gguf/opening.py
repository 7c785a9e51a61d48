"""A GGUF file as a directory that transformers opens: settings, tokenizer, float32 weights.

Unpacking takes half a minute for half a billion weights, so what comes of it is kept beside the
file of runs, by the file's SHA-256, and opened in seconds from then on. Importing this module
imports torch and transformers. Names go by tables of gguf and transformers, whose own way
(``from_pretrained(gguf_file=...)``) gives the same weights, bit by bit, in four times the time: it
reads the vocabulary three times, makes the table of names for every module, and needs accelerate.

Opening a GGUF file, and what must hold before its answers are believed.

Its weights must fit into memory, and plain English must not be improbable to it: a file that was
read as another network than it is (some of Gemma 3 are, and write “11 11 11”) would answer all the
same.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import log
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import psutil
import torch
from filelock import FileLock
from safetensors.torch import save_file
from tokenizers import Tokenizer, pre_tokenizers
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    PreTrainedTokenizerFast,
)
from transformers.integrations import GGUF_CONFIG_MAPPING
from transformers.integrations.gguf import convert_gguf_tokenizer, get_gguf_tokenizer
from transformers.modeling_gguf_pytorch_utils import TENSOR_PROCESSORS, TensorProcessor

from biaslab.models.local.gguf.head import Head, needs, read_head
from biaslab.models.local.gguf.sums import UNPACKED_VARIABLE, kept_directory, libraries, sum_of
from biaslab.models.local.gguf.template import check_template
from biaslab.models.local.model import LocalModel
from biaslab.models.provider import INT8
from biaslab.models.requests import (
    BrokenModel,
    Failure,
    LikelihoodRequest,
    Message,
    ModelIdentity,
    Unsupported,
)
from biaslab.system.places import make_private
from schoolmath.text.figures import percent

MOST_KEPT = 24_000_000_000
"""Bytes of unpacked weights that are kept; those opened longest ago go first."""

SPARE = 500_000_000
"""Bytes that stay free on the disk."""

SOURCE_FILE = "unpacked.json"
"""What a directory was unpacked from, with which libraries, and what was found when it was read."""

_CUT_UP = "Ana's 1234 apples,\n\n1. it's  3.50 (I'LL  go)\n \n x<y </s> Zoë"
"""A text that the known ways of cutting cut differently."""

_FORM = 1
"""Changes when another directory would come of the same file."""

_TOGETHER = 1 << 15
"""Weights of one row for the package gguf, which goes through sixteen rows at a time."""


def source_of(directory: Path) -> dict[str, Any]:
    """What is known of an unpacked directory; empty where it is not whole."""
    try:
        return dict(json.loads((directory / SOURCE_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def note(directory: Path, **found: Any) -> None:
    """Adds to what is known of an unpacked directory."""
    part = directory / f"{SOURCE_FILE}.part"
    part.write_text(json.dumps(source_of(directory) | found, indent=1), encoding="utf-8")
    part.replace(directory / SOURCE_FILE)


@contextmanager
def unpacked(head: Head, sha256: str) -> Iterator[Path]:
    """The file as a directory: the one kept from before, or a new one.

    Where nothing is to be kept, the directory goes when the model has been opened.

    Raises:
        BrokenModel: the file does not make a model of its architecture, or its chat template
            cannot be used.
        Unsupported: the disk has no room.
    """
    wanted = {"sha256": sha256, "form": _FORM, "libraries": libraries()}
    directory = kept_directory(sha256)
    if os.environ.get(UNPACKED_VARIABLE, "").strip() == "off":
        _check_room(Path(tempfile.gettempdir()), head)
        with tempfile.TemporaryDirectory(prefix="biaslab-", ignore_cleanup_errors=True) as folder:
            _unpack(head, Path(folder))
            note(Path(folder), **wanted)
            yield Path(folder)
        return
    make_private(directory.parent)
    with FileLock(directory.with_suffix(".lock")):
        if not wanted.items() <= source_of(directory).items():
            shutil.rmtree(directory, ignore_errors=True)
            _make_room(directory.parent, head)
            with tempfile.TemporaryDirectory(dir=directory.parent, prefix="part-") as folder:
                made = Path(folder) / "model"
                made.mkdir()
                _unpack(head, made)
                note(made, **wanted)
                made.replace(directory)
        with suppress(OSError):
            os.utime(directory / SOURCE_FILE)
    yield directory


def _unpack(head: Head, directory: Path) -> None:
    check_template(head.template, head.path.name)
    tokenizer = _tokenizer(head)
    config = _config(head, len(tokenizer))
    try:
        with torch.device("meta"):
            model = AutoModelForCausalLM.from_config(config)
        tables = _tables(head, model, config)
    except (ValueError, RuntimeError, KeyError, ZeroDivisionError, NotImplementedError) as error:
        raise BrokenModel(
            f"The weights in {head.path.name} cannot be read ({type(error).__name__}: "
            f"{str(error)[:200]}): get the file again."
        ) from error
    config.architectures = [type(model).__name__]
    ends = [head.said.get(f"tokenizer.ggml.{key}_token_id") for key in ("eos", "eot", "eom")]
    try:
        config.save_pretrained(directory)
        known = sorted({end for end in ends if end is not None})
        GenerationConfig(eos_token_id=known or None).save_pretrained(directory)
        tokenizer.save_pretrained(directory)
        _check_words(tokenizer, directory, head.path.name)
        save_file(tables, directory / "model.safetensors", metadata={"format": "pt"})
    except OSError as error:
        raise Unsupported(
            f"{head.path.name} cannot be unpacked to {directory.parent} "
            f"({error.strerror or error}): free some space, or name another folder in "
            f"{UNPACKED_VARIABLE}."
        ) from error


def _config(head: Head, words: int) -> Any:
    """The settings of the network, as transformers calls them."""
    names = GGUF_CONFIG_MAPPING[head.architecture]
    settings = {
        name: head.own(key) for key, name in names.items() if name and head.own(key) is not None
    }
    missing = {"num_hidden_layers", "hidden_size", "num_attention_heads"} - set(settings)
    size = head.own("attention.key_length") or head.own("rope.dimension_count")
    alike = ("attention.value_length", "rope.dimension_count")
    if missing or any(head.own(key, size) != size for key in alike):
        raise BrokenModel(
            f"{head.path.name} does not say what its network looks like, or says what is not "
            "known here: get another file."
        )
    # Without a size of its own a head has its share of the width, in all architectures here.
    settings["head_dim"] = size or settings["hidden_size"] // settings["num_attention_heads"]
    settings |= {
        f"{name}_token_id": head.said.get(f"tokenizer.ggml.{key}_token_id")
        for name, key in (("bos", "bos"), ("eos", "eos"), ("pad", "padding"))
    }
    settings |= {
        "vocab_size": head.tensors["token_embd.weight"].shape[0],
        "tie_word_embeddings": "output.weight" not in head.tensors,
        "dtype": "float32",
    }
    if settings["vocab_size"] < words:
        raise BrokenModel(
            f"{head.path.name} has {words} words and weights for {settings['vocab_size']}: get "
            "another file."
        )
    return AutoConfig.for_model(head.architecture, **settings)


def _tokenizer(head: Head) -> Any:
    try:
        architecture, words, settings = get_gguf_tokenizer(str(head.path))
        backend, _ = convert_gguf_tokenizer(architecture, words)
        if backend.get_vocab_size() > len(words["tokens"]):
            backend = _without_others(backend, len(words["tokens"]))
        if cut := _cut(head.said.get("tokenizer.ggml.pre", "")):
            backend.pre_tokenizer = cut
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **settings)
    except Exception as error:  # the libraries raise whatever their parsers raise
        raise BrokenModel(
            f"The tokenizer in {head.path.name} cannot be read ({type(error).__name__}: "
            f"{str(error)[:200]}): get the file again."
        ) from error
    return tokenizer


def _check_words(tokenizer: Any, directory: Path, name: str) -> None:
    """Opened again, some kinds of tokenizer bring a way of cutting of their own."""
    again = AutoTokenizer.from_pretrained(directory, trust_remote_code=False, local_files_only=True)
    if _pieces(again) != _pieces(tokenizer):
        raise BrokenModel(
            f"{name} cuts texts into words in another way than models of its architecture do, and "
            "would be read wrongly here. Get it as a directory with safetensors."
        )


def _pieces(tokenizer: Any) -> tuple[Any, Any]:
    cut = tokenizer.backend_tokenizer.pre_tokenizer
    return tokenizer(_CUT_UP)["input_ids"], cut and cut.pre_tokenize_str(_CUT_UP)


def _without_others(backend: Tokenizer, words: int) -> Tokenizer:
    """Without tokens that the file has not: transformers' reader adds GPT-2's end of a text."""
    content = json.loads(backend.to_str())
    content["added_tokens"] = [each for each in content["added_tokens"] if each["id"] < words]
    return Tokenizer.from_str(json.dumps(content))


def _cut(way: str) -> Any:
    r"""How a text is cut first, where transformers' reader leaves it as GPT-2 does.

    SmolLM's makers cut digit by digit, before anything else: of “\n\n1” the two line ends are one
    token then, and two in GPT-2's way (tokenizer.json of HuggingFaceTB/SmolLM2-135M-Instruct).
    """
    if way != "smollm":
        return None
    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )


def _tables(head: Head, model: Any, config: Any) -> dict[str, torch.Tensor]:
    """All weights in float32, by transformers' names."""
    processor = TENSOR_PROCESSORS.get(head.architecture, TensorProcessor)(config=config.to_dict())
    places = _places(head.architecture, model)
    content = np.memmap(head.path, mode="r", dtype=np.uint8)
    tables = {}
    for name, tensor in head.tensors.items():
        if name not in places:
            raise BrokenModel(
                f"{head.path.name} holds the weights {name}, for which transformers has no "
                f"place in {head.architecture}, so it would be another model. Get it as a "
                "directory with safetensors."
            )
        rows, width = int(np.prod(tensor.shape[:-1])), tensor.shape[-1]
        while rows % 2 == 0 and width * 2 <= _TOGETHER:
            rows, width = rows // 2, width * 2
        kind = gguf.GGMLQuantizationType(tensor.kind)
        raw = content[tensor.start : tensor.start + tensor.size].reshape(rows, -1)
        plain = {"F32": np.float32, "F16": np.float16}.get(kind.name)
        numbers = gguf.dequantize(raw if plain is None else raw.view(plain), kind)
        numbers = processor.process(numbers.reshape(tensor.shape), name).weights
        tables[places[name]] = torch.from_numpy(np.array(numbers, dtype=np.float32, order="C"))
    return tables


def _places(architecture: str, model: Any) -> dict[str, str]:
    """Transformers' name of every table, by ggml's."""
    kind = next(each for each, name in gguf.MODEL_ARCH_NAMES.items() if name == architecture)
    names = gguf.get_tensor_name_map(kind, model.config.num_hidden_layers)
    places = {}
    for place in model.state_dict():
        layer, _, part = place.rpartition(".")
        if (name := names.get_name(layer)) is not None:
            places[f"{name}.{part}"] = place
    return places


def _make_room(folder: Path, head: Head) -> None:
    """Deletes what was opened longest ago, as far as that is needed."""
    kept = sorted(folder.glob(f"*/{SOURCE_FILE}"), key=lambda path: path.stat().st_mtime)
    sizes = {path.parent: _size(path.parent) for path in kept}
    for directory in list(sizes):
        if sum(sizes.values()) + _needed(head) <= MOST_KEPT:
            break
        shutil.rmtree(directory, ignore_errors=True)
        del sizes[directory]
    for part in folder.glob("part-*"):
        shutil.rmtree(part, ignore_errors=True)
    _check_room(folder, head)


def _check_room(folder: Path, head: Head) -> None:
    needed, free = _needed(head) + SPARE, shutil.disk_usage(folder).free
    if free < needed:
        raise Unsupported(
            f"{head.path.name} needs {needed / 1e9:.1f} GB on the disk of {folder} to be unpacked, "
            f"and {free / 1e9:.1f} GB are free: free some, or name a folder on another disk in "
            f"{UNPACKED_VARIABLE}."
        )


def _needed(head: Head) -> int:
    return 4 * head.parameters


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.glob("*") if path.is_file())


BEGINNING = "Once upon a time there was a girl who lived with her mother in a small house"
KNOWN = (
    " near the forest. Every morning she went to the well to fetch some water, and in the evening "
    "they sat by the fire and told each other stories. One day she found three apples under a "
    "tree. She ate one of them and took the other two home."
)
"""Text that any model of English finds probable."""

MOST_SURPRISE = 0.3
"""What a token of that text may cost at most, as a share of what it costs a model that knows
nothing and thinks every token of its vocabulary alike (measured: docs/installing.md)."""

_EXACT = 4
"""Bytes of a number in float32."""


def open_file(
    path: Path,
    identity: ModelIdentity,
    *,
    device: str | None = None,
    dtype: str = "float32",
    batch_tokens: int | None = None,
) -> LocalModel:
    """Opens a GGUF file; what the arguments mean is said by `LocalModel`.

    Raises:
        BrokenModel: the file does not make a model, or not the one it says.
        Unsupported: there is too little memory or disk, or no such device.
    """
    head, sha256 = read_head(path), sum_of(path)
    # Rounded to eight bits it is smaller, but not while it is being rounded.
    check_memory(head, _EXACT if dtype == INT8 else getattr(torch, dtype).itemsize)
    with unpacked(head, sha256) as directory:
        model = LocalModel(
            directory, identity, device=device, dtype=dtype, batch_tokens=batch_tokens
        )
        surprise = source_of(directory).get("surprise")
        if not isinstance(surprise, float):
            surprise = surprise_of(model, head)
            note(directory, surprise=surprise)
    if surprise > MOST_SURPRISE:
        raise BrokenModel(
            f"{path.name} was opened, but plain English is too improbable to it "
            f"({percent(surprise, 0)} of what it is to one that knows nothing; "
            f"{percent(MOST_SURPRISE, 0)} may be): it is no model of English, or not read as its "
            "makers mean. Get it as a directory with safetensors, or choose another model."
        )
    return model


@contextmanager
def unpacked_file(path: Path) -> Iterator[Path]:
    """The directory of an unpacked file whose weights fit into memory in float32.

    Raises:
        BrokenModel, Unsupported: as for `open_file`.
    """
    head = read_head(path)
    check_memory(head, _EXACT)
    with unpacked(head, sum_of(path)) as directory:
        yield directory


def surprise_of(model: LocalModel, head: Head) -> float:
    """What a token of the known text costs, as a share of the logarithm of the vocabulary."""
    request = LikelihoodRequest((Message("text", BEGINNING),), (KNOWN,))
    [(_, found)] = model.likelihood([request])
    if isinstance(found, Failure):
        raise BrokenModel(f"{head.path.name} cannot read a plain text: {found.reason}")
    words = head.tensors["token_embd.weight"].shape[0]
    return -found.log_probabilities[0] / found.tokens[0] / log(words)


def check_memory(head: Head, bytes_each: int) -> None:
    """Refuses a model whose weights alone are more than the free memory.

    Raises:
        Unsupported: they are.
    """
    if head.parameters * bytes_each > psutil.virtual_memory().available:
        raise Unsupported(
            f"{head.path.name} cannot be opened: {needs(head, bytes_each)}. Close other programs, "
            "or choose a smaller model."
        )
