"""How fast local models write: many prompts together against one after the other.

    python benchmarks/local_engine.py [--model SPEC] [--prompts 128] [--new-tokens 64] ...

In turn, on the same prompts in one process: this library's engine on all prompts, the same engine
given one prompt at a time, transformers' own ``generate`` on one prompt at a time (greedy, with
its cache), and transformers' own for many: ``generate`` on left-padded batches of 64 and
128 and ``generate_batch`` (continuous batching), whose texts are compared with the engine's. The
one-at-a-time ways work on a part of the prompts, as they take long; on these, engine and loop must
write the same text, or the script fails. ``--processor-time`` counts the processor's time of this
process instead of the clock's: on a busy machine nothing else can be compared.
Each way is timed several times in turn and the best time counts, which is fair to all of them
on a machine that does other things. Without a model, one with random weights is made.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)
from transformers.generation import ContinuousBatchingConfig

from biaslab.models import Completion, GenerationRequest, Message, Sampling, open_model
from biaslab.models.local.model import LocalModel

_PAGE = 256
"""Tokens whose keys and values continuous batching keeps together."""

clock = perf_counter
"""What is counted: the clock's seconds, or the processor's."""


class Timed(NamedTuple):
    """Tokens written and the seconds it took; the texts, where they are compared."""

    tokens: int
    seconds: float
    texts: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Tokens per second."""
        return self.tokens / self.seconds


def word_problems(n: int, seed: int = 0) -> list[str]:
    """Texts of the length and kind that the studies ask."""
    luck = random.Random(seed)
    names = ["Ana", "Ben", "Carla", "Dev", "Ebru", "Femi", "Goran", "Hana"]
    things = ["apples", "marbles", "pencils", "stickers", "books"]
    texts = []
    for _ in range(n):
        who, thing = luck.sample(names, 6), luck.choice(things)
        sentences = [f"{who[0]} has {luck.randint(2, 20)} {thing}."]
        sentences += [
            f"{who[i + 1]} has {luck.randint(2, 20)} more {thing} than {who[i]}."
            for i in range(luck.randint(1, 5))
        ]
        text = " ".join([*sentences, f"How many {thing} does {who[len(sentences) - 1]} have?"])
        texts.append(f"Q: {text}\nA: Let's think step by step.")
    return texts


def make_model(path: Path, width: int, layers: int) -> None:
    """A Llama with random weights whose texts never end by themselves."""
    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1500,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bare.train_from_iterator(word_problems(2000, seed=1), trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bare)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=layers,
        num_attention_heads=width // 32,
        num_key_value_heads=width // 32,
        max_position_embeddings=1024,
        initializer_range=0.1,
        bos_token_id=None,
        eos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(path)
    tokenizer.save_pretrained(path)


def time_engine(model: LocalModel, batches: Sequence[Sequence[GenerationRequest]]) -> Timed:
    """The engine, given each of the lists of requests in turn."""
    started = clock()
    tokens = 0
    texts: list[str] = []
    for batch in batches:
        said = [""] * len(batch)
        for at, result in model.generate(batch):
            if not isinstance(result, Completion):
                raise SystemExit(result.reason)
            tokens += result.tokens_out
            said[at] = result.text
        texts += said
    return Timed(tokens, clock() - started, tuple(texts))


def time_plain_loop(model: Any, tokenizer: Any, texts: Sequence[str], new_tokens: int) -> Timed:
    """What one writes first: `generate` for one prompt after the other."""
    started = clock()
    tokens = 0
    for text in texts:
        given = tokenizer(text, return_tensors="pt").to(model.device)
        given.pop("token_type_ids", None)
        with torch.inference_mode():
            written = model.generate(
                **given,
                max_new_tokens=new_tokens,
                do_sample=False,
                pad_token_id=_pad(tokenizer),
            )
        new = written[0, given["input_ids"].shape[1] :]
        tokens += len(new)
        tokenizer.decode(new, skip_special_tokens=True)
    return Timed(tokens, clock() - started)


def time_padded(
    model: Any, tokenizer: Any, texts: Sequence[str], new_tokens: int, rows: int
) -> Timed:
    """Transformers' `generate` on left-padded batches of so many rows, in the order given."""
    started = clock()
    tokens = 0
    for start in range(0, len(texts), rows):
        part = list(texts[start : start + rows])
        given = tokenizer(part, return_tensors="pt", padding=True, padding_side="left")
        given = given.to(model.device)
        given.pop("token_type_ids", None)
        with torch.inference_mode():
            written = model.generate(
                **given, max_new_tokens=new_tokens, do_sample=False, pad_token_id=_pad(tokenizer)
            )
        new = written[:, given["input_ids"].shape[1] :]
        tokens += sum(_written_by(row, tokenizer) for row in new)
        tokenizer.batch_decode(new, skip_special_tokens=True)
    return Timed(tokens, clock() - started)


def time_continuous(model: Any, tokenizer: Any, texts: Sequence[str], new_tokens: int) -> Timed:
    """Transformers' continuous batching, with room for keys and values of just these texts."""
    config = GenerationConfig(
        max_new_tokens=new_tokens, do_sample=False, pad_token_id=_pad(tokenizer),
        eos_token_id=model.generation_config.eos_token_id,
    )  # fmt: skip
    started = clock()
    inputs = [tokenizer(text)["input_ids"] for text in texts]
    blocks = sum(-(-(len(each) + new_tokens) // _PAGE) for each in inputs)
    found = model.generate_batch(
        inputs=inputs,
        generation_config=config,
        continuous_batching_config=ContinuousBatchingConfig(_PAGE, num_blocks=blocks + 8),
        progress_bar=False,
    )
    written = [output.generated_tokens for output in found.values()]
    if not any(written):
        raise RuntimeError("it wrote nothing")
    seconds = clock() - started
    said = [tokenizer.decode(each, skip_special_tokens=True) for each in written]
    return Timed(sum(map(len, written)), seconds, tuple(said))


def _pad(tokenizer: Any) -> int:
    return int(tokenizer.pad_token_id or tokenizer.eos_token_id or 0)


def _written_by(row: Any, tokenizer: Any) -> int:
    """Tokens up to and with the end of the text."""
    ends = (row == tokenizer.eos_token_id).nonzero() if tokenizer.eos_token_id is not None else []
    return int(ends[0]) + 1 if len(ends) else len(row)


def check_texts(
    engine: LocalModel, model: Any, tokenizer: Any, requests: Sequence[GenerationRequest]
) -> None:
    """Fails unless the engine, given all requests together, writes what the plain loop writes."""
    texts = dict(engine.generate(requests))
    for index, request in enumerate(requests):
        given = tokenizer(request.messages[0].content, return_tensors="pt").to(model.device)
        given.pop("token_type_ids", None)
        with torch.inference_mode():
            written = model.generate(
                **given,
                max_new_tokens=request.sampling.max_new_tokens,
                do_sample=False,
                pad_token_id=_pad(tokenizer),
            )
        new = written[0, given["input_ids"].shape[1] :]
        text = tokenizer.decode(new, skip_special_tokens=True)
        result = texts[index]
        if not isinstance(result, Completion) or result.text != text:
            raise SystemExit(f"Prompt {index}: the engine wrote {result}, the loop {text!r}.")


def best_of(rounds: int, *ways: Callable[[], Timed]) -> list[Timed]:
    """Every way's best time, the ways taken in turn."""
    times = [[way() for way in ways] for _ in range(rounds)]
    return [min(column, key=lambda timed: timed.seconds) for column in zip(*times, strict=True)]


def main() -> None:
    """Runs the comparison and prints it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="local:DIRECTORY or tiny; made at random by default")
    parser.add_argument("--width", type=int, default=128, help="of the random model")
    parser.add_argument("--layers", type=int, default=4, help="of the random model")
    parser.add_argument("--prompts", type=int, default=256)
    parser.add_argument("--alone", type=int, default=16, help="prompts asked one by one")
    parser.add_argument("--new-tokens", type=int, default=64)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--processor-time", action="store_true", help="the processor's time, not a clock's"
    )
    options = parser.parse_args()
    if options.processor_time:
        global clock
        clock = process_time
    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as made:
        if options.model is None:
            make_model(Path(made), options.width, options.layers)
        compare(options, options.model or f"local:{made}")


def compare(options: argparse.Namespace, spec: str) -> None:
    """Times the three ways on one model and prints rates and ratios."""
    model = open_model(spec, device=options.device)
    if not isinstance(model, LocalModel):
        raise SystemExit(f"{spec} is not run by the local engine: give local:DIRECTORY or tiny.")
    plain = AutoModelForCausalLM.from_pretrained(model.path).eval().to(options.device)
    tokenizer = AutoTokenizer.from_pretrained(model.path)
    if tokenizer.pad_token is None:  # what fills a row up is masked and of no meaning
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
    texts = word_problems(options.prompts)
    sampling = Sampling(max_new_tokens=options.new_tokens)
    requests = [GenerationRequest((Message("text", text),), sampling) for text in texts]
    part = requests[: options.alone]
    lengths = [len(tokenizer(text)["input_ids"]) for text in texts]
    time_engine(model, [requests[:8]])
    time_engine(model, [part[:1]])
    time_plain_loop(plain, tokenizer, texts[:1], options.new_tokens)
    check_texts(model, plain, tokenizer, part)
    ways = [
        lambda: time_engine(model, [requests]),
        lambda: time_engine(model, [[request] for request in part]),
        lambda: time_plain_loop(plain, tokenizer, texts[: options.alone], options.new_tokens),
        lambda: time_padded(plain, tokenizer, texts, options.new_tokens, 64),
        lambda: time_padded(plain, tokenizer, texts, options.new_tokens, 128),
    ]
    why_not = ""
    try:
        time_continuous(plain, tokenizer, texts[:2], 2)
        ways.append(lambda: time_continuous(plain, tokenizer, texts, options.new_tokens))
    except Exception as error:  # whatever it is, it is not this script's to put right
        why_not = str(error)[:120]
    together, alone, loop, *batched = best_of(options.rounds, *ways)
    print(
        f"{model.parameters / 1e6:.2f} million weights, float32, {options.device}, "
        f"{torch.get_num_threads()} threads, {len(texts)} prompts of {min(lengths)} to "
        f"{max(lengths)} tokens (mean {sum(lengths) / len(lengths):.0f}), up to "
        f"{options.new_tokens} new tokens, batches of up to {model.batch_tokens} tokens"
    )
    print(f"all prompts together      {together.rate:9.0f} tokens/s")
    for name, timed in (("engine", alone), ("transformers", loop)):
        ratio = together.rate / timed.rate
        print(f"{name + ', one by one':25} {timed.rate:9.0f} tokens/s   ratio {ratio:.1f}")
    for name, timed in zip(("64 padded", "128 padded", "continuous"), batched, strict=False):
        ratio = together.rate / timed.rate
        print(f"{f'transformers, {name}':25} {timed.rate:9.0f} tokens/s   ratio {ratio:.2f}")
    if why_not:
        print(f"transformers, continuous: not on this machine ({why_not})")
        return
    same = sum(a == b for a, b in zip(together.texts, batched[-1].texts, strict=True))
    print(f"of {len(texts)} texts, continuous batching wrote {same} as the engine did")


if __name__ == "__main__":
    main()
