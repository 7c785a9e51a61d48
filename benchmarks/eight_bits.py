"""What eight bits do to a local model: its speed and its answers beside those in float32.

    python benchmarks/eight_bits.py DIRECTORY [--rows 16 64] [--new-tokens 32] [--pairs 0] ...

In one process, in turn: the same prompts of the study of consistency (one step, asked directly),
so many at once, in float32 as the library opens it and in eight bits; no text ends by itself, so
that all write as much. What is timed is a step that writes one token in every row, the median of a
text, prompts left out. Then, with ``--alone``, how many of these prompts get another text alone
than together. With ``--pairs`` so many pairs are asked step by step in the formats, and the answers
counted: right of x and x', numbers that are the same.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch

from biaslab.models import Completion, GenerationRequest, Sampling, open_model
from biaslab.models.local.model import LocalModel
from biaslab.runs.engine.ask import ask_without_store
from biaslab.studies import Design, experiment
from biaslab.studies.study import Item, Pair, Reading


def pairs_of(n: int, seed: int) -> list[Pair]:
    """One-step pairs of the study of consistency."""
    return list(experiment("consistency").pairs(Design("consistency", n, seed, {"steps": "1"})))


def opened(path: str, dtype: str) -> LocalModel:
    """The model in a number format, on the processor."""
    model = open_model(f"local:{path}", device="cpu", dtype=dtype)
    assert isinstance(model, LocalModel)
    return model


def write(model: LocalModel, requests: Sequence[GenerationRequest]) -> list[str]:
    """The texts, in the order of the requests."""
    found = dict(model.generate(requests))
    return [found[at].text for at in sorted(found) if isinstance(found[at], Completion)]


def step(model: LocalModel, requests: Sequence[GenerationRequest]) -> float:
    """Seconds that a step takes that writes one token in every row: the median of a text."""
    model._writer._ends = frozenset()  # every row writes as many
    network, times = model._writer._network, []
    scores = network.scores

    def timed(tokens: torch.Tensor, *rest: Any) -> torch.Tensor:
        began = perf_counter()
        found: torch.Tensor = scores(tokens, *rest)
        if tokens.shape[1] == 1:
            times.append(perf_counter() - began)
        return found

    network.scores = timed  # type: ignore[method-assign]
    write(model, requests)
    network.scores = scores  # type: ignore[method-assign]
    return median(times)


def answers(model: LocalModel, pairs: Sequence[Pair]) -> list[Reading | None]:
    """Every answer step by step, x and x' in turn; None where there is none."""
    study = experiment("consistency")
    strategy = next(each for each in study.strategies if each.name == "cot")
    items: list[Item] = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    said = ask_without_store(study, strategy, model, items)
    return [r if isinstance(r := said[item.id], Reading) else None for item in items]


def main() -> None:
    """Runs the comparison and prints it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", nargs="?", help="of a model; nothing is measured without one")
    parser.add_argument("--formats", nargs="+", default=["float32", "int8"])
    parser.add_argument("--rows", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--new-tokens", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--alone", type=int, default=0, help="prompts asked alone as well")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.directory is None:
        print("Eight bits are measured with a real model: give its directory.")
        return
    torch.set_num_threads(options.threads)
    study = experiment("consistency")
    direct = next(each for each in study.strategies if each.name == "direct")
    seen: dict[str, list[Reading | None]] = {}
    models = {dtype: opened(options.directory, dtype) for dtype in options.formats}
    items = [p.x for p in pairs_of(max([*options.rows, options.alone, 1]), options.seed)]
    sampling = Sampling(options.new_tokens)
    form = next(iter(models.values())).identity.form
    requests = [
        GenerationRequest(direct.next_request(item, (), form).messages, sampling) for item in items
    ]
    for rows in options.rows:
        for _ in range(options.rounds):
            took = {dtype: step(model, requests[:rows]) for dtype, model in models.items()}
            told = ", ".join(f"{dtype} {rows / each:.0f}" for dtype, each in took.items())
            print(f"{rows:4} rows, tokens a second: {told}", flush=True)
    for dtype in options.formats:
        if options.alone:
            fresh = opened(options.directory, dtype)
            asked = requests[: options.alone]
            together = write(fresh, asked)
            other = sum(write(fresh, [r])[0] != t for r, t in zip(asked, together, strict=True))
            print(f"{dtype:7} {other} of {len(asked)} texts are others alone than together")
        if options.pairs:
            fresh = opened(options.directory, dtype)
            began = process_time()
            seen[dtype] = answers(fresh, pairs_of(options.pairs, options.seed))
            right = [sum(bool(r and r.outcome) for r in seen[dtype][side::2]) for side in (0, 1)]
            print(
                f"{dtype:7} right: {right[0]} | {right[1]} of {options.pairs}, CATE "
                f"{100 * (right[0] - right[1]) / options.pairs:+.0f} points, "
                f"{process_time() - began:.0f} s of the processor"
            )
        if len(seen) > 1:
            (first, reference), (last, found) = next(iter(seen.items())), list(seen.items())[-1]
            same = sum(
                a is not None and b is not None and a.value == b.value
                for a, b in zip(reference, found, strict=True)
            )
            print(f"          the same answers in {first} and {last}: {same} of {len(found)}")


if __name__ == "__main__":
    main()
