"""How fast two continuations are scored after a long prompt: shared prompt against full passes.

    python benchmarks/likelihood.py [--tokens 600] [--prompts 16] [--width 256] [--layers 6]
    python benchmarks/likelihood.py --server http://localhost:8080/v1 --model NAME [--forced 100]

Both ways work on the same random-weight model, one request at a time in turn, so that nothing
but the sharing of the prompt differs: the engine, and transformers' own forward pass over
prompt and continuation, once for each continuation. A third line gives the engine all requests
together. The preference must be the same on every item, or the script fails.

With ``--server`` a llama.cpp server is asked instead, whether the log-probability of a token that
it is made to write is the one that it lists when it is free: one list of all tokens for each
prompt, and some of them forced, half of them the most probable and half drawn from all the others.
What an answer lists beside the token scores other continuations: it is compared too, each token
once a prompt.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from local_engine import make_model, word_problems
from transformers import AutoModelForCausalLM, AutoTokenizer

from biaslab.models import Access, Endpoint, Likelihood, LikelihoodRequest, Message, open_model
from biaslab.models.local.model import LocalModel
from biaslab.models.server.background import run_in_background
from biaslab.models.server.request.client import open_client
from biaslab.models.server.request.forcing import FRESH, force, tokens_of
from biaslab.models.server.request.server_client import ServerClient
from biaslab.models.server.request.token_chances import Wrong, read_forced

MOST_LISTED = 100_000
"""A longer list is more than the client takes in one answer."""

NEAR = 1e-4
"""Nats by which the two may differ."""

ANSWERS = (" Yes, that is so", " No, that is wrong")


@dataclass
class Compared:
    """Log-probabilities of continuations of one token beside those of the list of all tokens."""

    count: int = 0
    near: int = 0
    largest: float = 0.0
    lowest: float = 0.0

    def take(self, found: float, listed: float) -> None:
        """Takes in one more."""
        self.count += 1
        self.near += abs(found - listed) <= NEAR
        self.largest = max(self.largest, abs(found - listed))
        self.lowest = min(self.lowest, found)

    def __str__(self) -> str:
        return (
            f"{self.near:,} of {self.count:,} within {NEAR:g}, largest difference "
            f"{self.largest:.1e}, down to {self.lowest:.1f}"
        )


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


async def against_lists(options: argparse.Namespace) -> None:
    """Forces tokens and compares each, and those listed beside it, with the list of all."""
    luck = random.Random(options.seed)
    compared = {"forced": Compared(), "listed beside them": Compared()}
    refused: dict[str, list[str]] = {}
    started = perf_counter()
    async with open_client(Access((options.server,)), options.server) as client:
        line = ServerClient(client, options.model)
        for number, text in enumerate(word_problems(options.prompts, seed=options.seed), 1):
            beginning = await tokens_of(line, text[: luck.randint(10, 60)].rstrip())
            fields = {"prompt": beginning, "logprobs": MOST_LISTED, "max_tokens": 1}
            reply = await line.ask(Endpoint.COMPLETIONS, **fields, temperature=0, **FRESH)
            rows = reply.choice["logprobs"]["content"][0]["top_logprobs"]
            listed = {row["id"]: row["logprob"] for row in rows}
            written = {row["id"]: row["token"] for row in rows}
            best = list(listed)[: options.forced // 2]
            others = sorted(set(listed) - set(best))
            chosen = [*best, *luck.sample(others, options.forced - len(best))]
            seen = set(chosen)
            for token in chosen:
                try:
                    answer = await force(line, beginning, [token])
                    (place,) = read_forced(answer.choice, [token])
                except Wrong as error:
                    refused.setdefault(str(error), []).append(written[token])
                    continue
                compared["forced"].take(place.pop(token), listed[token])
                for other in place.keys() - seen:
                    compared["listed beside them"].take(place[other], listed[other])
                seen |= place.keys()
            told = "; ".join(f"{name}: {each}" for name, each in compared.items())
            print(f"{number} of {options.prompts} prompts: {told}", flush=True)
    print(f"{sum(map(len, refused.values()))} refused; {perf_counter() - started:.0f} s")
    for reason, tokens in refused.items():
        print(f"refused {len(tokens)} times: {reason}: {tokens[:20]}")
    assert all(each.near == each.count for each in compared.values())


def main() -> None:
    """Makes a model and runs the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=600)
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--server", default="", help="base URL of a llama.cpp server")
    parser.add_argument("--model", default="model", help="its name there")
    parser.add_argument("--forced", type=int, default=100, help="tokens after each prompt")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.server:
        run_in_background(against_lists(options))
        return
    with tempfile.TemporaryDirectory() as made:
        make_model(Path(made), options.width, options.layers)
        compare(options, made)


if __name__ == "__main__":
    main()
