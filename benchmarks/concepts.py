"""How fast prompts about concepts are made, and what scoring both answers after one reading saves.

    python benchmarks/concepts.py [--pairs 2000] [--prompts 12] [--width 256] [--layers 6]

The second part works on one random-weight model, in turn on the same prompts: the engine, which
reads a prompt once for both answers, the same engine asked about one answer at a time, and
transformers' own forward pass over prompt and answer, once for each answer. The preference must
be the same on every prompt, or the script fails. Answers of several tokens are taken ("Yes." and
"No." with this tokenizer), so that both have to be read.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from local_engine import make_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from biaslab.models import Likelihood, LikelihoodRequest, ModelForm, open_model
from biaslab.studies import Design, experiment

STUDY = experiment("concept-learning")


def time_making(pairs: int, **settings: str) -> None:
    """Prints how many prompts a second are made."""
    started = perf_counter()
    made = sum(2 for _ in STUDY.pairs(Design(STUDY.name, pairs, 1, settings)))
    seconds = perf_counter() - started
    print(f"{made:,} prompts {settings or 'with the defaults'}: {made / seconds:,.0f} a second")


def requests_of(prompts: int) -> list[LikelihoodRequest]:
    """As many requests as a run would send."""
    strategy = next(each for each in STUDY.strategies if each.name == "likelihood-full-stop")
    pairs = STUDY.pairs(Design(STUDY.name, -(-prompts // 2), 1))
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)][:prompts]
    made = [strategy.next_request(item, (), ModelForm.BASE) for item in items]
    return [request for request in made if isinstance(request, LikelihoodRequest)]


def two_passes(model: Any, tokenizer: Any, request: LikelihoodRequest) -> tuple[float, ...]:
    """Log-probability of each answer, by a full pass each."""
    prompt = request.messages[0].content
    start = len(tokenizer(prompt)["input_ids"])
    scores = []
    for answer in request.continuations:
        tokens = tokenizer(prompt + answer, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            logits = model(tokens).logits[0, start - 1 : -1]
        chosen = torch.log_softmax(logits.double(), -1).gather(1, tokens[0, start:, None])
        scores.append(float(chosen.sum()))
    return tuple(scores)


def compare(options: argparse.Namespace, folder: str) -> None:
    """Times both ways in turn and prints the best of each."""
    engine = open_model(f"local:{folder}")
    plain = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    requests = requests_of(options.prompts)
    lengths = [len(tokenizer(request.messages[0].content)["input_ids"]) for request in requests]
    answers = [len(tokenizer(text)["input_ids"]) for text in requests[0].continuations]
    times: dict[str, list[float]] = {"once": [], "apart": [], "twice": []}
    for _ in range(options.rounds):
        started = perf_counter()
        ours = [result for request in requests for _, result in engine.likelihood([request])]
        times["once"].append(perf_counter() - started)
        started = perf_counter()
        for request in requests:
            for answer in request.continuations:
                list(engine.likelihood([replace(request, continuations=(answer,))]))
        times["apart"].append(perf_counter() - started)
        started = perf_counter()
        exact = [two_passes(plain, tokenizer, request) for request in requests]
        times["twice"].append(perf_counter() - started)
    for found, wanted in zip(ours, exact, strict=True):
        assert isinstance(found, Likelihood)
        yes, no = found.log_probabilities
        assert (yes > no) == (wanted[0] > wanted[1]), (found, wanted)
    best = {name: 1000 * min(seconds) / len(requests) for name, seconds in times.items()}
    print(
        f"{len(requests)} prompts of {min(lengths)} to {max(lengths)} tokens, answers of {answers} "
        f"tokens, {torch.get_num_threads()} threads, same preference on every prompt:\n"
        f"read once for both {best['once']:.1f} ms a prompt; engine, one answer at a time "
        f"{best['apart']:.1f} ms ({best['apart'] / best['once']:.2f} times); transformers, a pass "
        f"for each {best['twice']:.1f} ms ({best['twice'] / best['once']:.2f} times)"
    )


def main() -> None:
    """Times the making, then makes a model and runs the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--prompts", type=int, default=12)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    time_making(options.pairs)
    time_making(options.pairs, sampling="totals")
    time_making(options.pairs, concept="published", semantics="hidden and explicit")
    with tempfile.TemporaryDirectory() as made:
        make_model(Path(made), options.width, options.layers)
        config = Path(made) / "config.json"
        known = json.loads(config.read_text())
        config.write_text(json.dumps(known | {"max_position_embeddings": 4096}))
        compare(options, made)


if __name__ == "__main__":
    main()
