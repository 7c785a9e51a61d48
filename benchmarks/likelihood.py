"""How fast two continuations are scored after a long prompt: shared prompt against full passes.

    python benchmarks/likelihood.py [--tokens 600] [--prompts 16] [--width 256] [--layers 6]

Both ways work on the same random-weight model, one request at a time in turn, so that nothing
but the sharing of the prompt differs: the engine, and transformers' own forward pass over
prompt and continuation, once for each continuation. A third line gives the engine all requests
together. The preference must be the same on every item, or the script fails.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from local_engine import make_model, word_problems
from transformers import AutoModelForCausalLM, AutoTokenizer

from biaslab.models import Likelihood, LikelihoodRequest, Message, open_model
from biaslab.models.local.model import LocalModel

ANSWERS = (" Yes, that is so", " No, that is wrong")


def long_prompts(tokenizer: Any, count: int, tokens: int) -> list[str]:
    """Texts of labelled examples, about so many tokens each."""
    prompts = []
    for number in range(count):
        problems = word_problems(400, seed=number)
        text = ""
        while len(tokenizer(text)["input_ids"]) < tokens:
            text += problems.pop() + "\n"
        prompts.append(text)
    return prompts


def two_passes(model: Any, tokenizer: Any, prompt: str) -> tuple[float, ...]:
    """Log-probability of each answer, by a full pass each."""
    start = len(tokenizer(prompt)["input_ids"])
    scores = []
    for answer in ANSWERS:
        tokens = tokenizer(prompt + answer, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            logits = model(tokens).logits[0, start - 1 : -1]
        chosen = torch.log_softmax(logits.double(), -1).gather(1, tokens[0, start:, None])
        scores.append(float(chosen.sum()))
    return tuple(scores)


def compare(options: argparse.Namespace, folder: str) -> None:
    """Times the ways in turn and prints the best of each."""
    model = open_model(f"local:{folder}")
    assert isinstance(model, LocalModel)
    plain = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    prompts = long_prompts(tokenizer, options.prompts, options.tokens)
    requests = [LikelihoodRequest((Message("text", text),), ANSWERS) for text in prompts]
    lengths = [len(tokenizer(text)["input_ids"]) for text in prompts]
    times: dict[str, list[float]] = {"engine": [], "two passes": [], "together": []}
    for _ in range(options.rounds):
        started = perf_counter()
        ours = [result for request in requests for _, result in model.likelihood([request])]
        times["engine"].append(perf_counter() - started)
        started = perf_counter()
        full = [two_passes(plain, tokenizer, text) for text in prompts]
        times["two passes"].append(perf_counter() - started)
        started = perf_counter()
        together = dict(model.likelihood(requests))
        times["together"].append(perf_counter() - started)
    largest = 0.0
    for index, (own, exact) in enumerate(zip(ours, full, strict=True)):
        assert isinstance(own, Likelihood)
        batched = together[index]
        assert isinstance(batched, Likelihood)
        for found in (own.log_probabilities, batched.log_probabilities):
            assert (found[0] > found[1]) == (exact[0] > exact[1]), (found, exact)
            largest = max(largest, *(abs(a - b) for a, b in zip(found, exact, strict=True)))
    best = {name: min(seconds) for name, seconds in times.items()}
    print(
        f"{model.parameters / 1e6:.2f} million weights, {len(prompts)} prompts of {min(lengths)} "
        f"to {max(lengths)} tokens, two continuations, {torch.get_num_threads()} threads; same "
        f"preference on every item, largest difference {largest:.1e}"
    )
    for name, seconds in best.items():
        print(f"{name:12} {1000 * seconds / len(prompts):8.1f} ms a prompt")
    print(f"engine against two passes: {best['two passes'] / best['engine']:.2f} times")
    print(f"together against two passes: {best['two passes'] / best['together']:.2f} times")


def main() -> None:
    """Makes a model and runs the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=600)
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        make_model(Path(made), options.width, options.layers)
        compare(options, made)


if __name__ == "__main__":
    main()
