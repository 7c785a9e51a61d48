"""Can a tiny network learn which rationale led to a choice, and from which examples?

    python benchmarks/rationale_matching.py --taught both --steps 1500

No model that ships can do the study of mal-rules. This trains one of 140,000 weights from nothing
on items of the bank: it reads a question, one of its options as the choice of a pupil, and the four
rationales in any order, and points at one of them. A quarter of the forms, drawn by a hash, is kept
apart. AIA is the share of right choices of which it names the rationale, MIA that of wrong choices;
chance is 25 % for both.

Taught is what training shows: the key as the choice (`right`), wrong options (`wrong`), or either
half of the time (`both`). A step takes a third of a second. docs/malgorithm.md has the table.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import re
import time
from collections import Counter
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from schoolmath.malrules.bank import LETTERS, BankDesign, ChoiceItem, make_items

UNKNOWN, QUESTION, CHOICE, END = 1, 2, 3, 4
FIRST_WORD = 8
LONGEST = 320
"""Signs of the longest item with its rationales; the bank's longest has 260."""

RAREST = 5
BATCH = 64
ASKED = 1_000
"""Items asked of each kind of form."""


@dataclass(frozen=True)
class Encoded:
    """An item in numbers."""

    question: list[int]
    options: list[list[int]]
    rationales: list[list[int]]
    key: int


def signs(text: str) -> list[str]:
    """Words, digits one by one, and marks."""
    return re.findall(r"\d|[a-z]+|[^\sa-z\d]", text.lower().replace("−", "-"))


def is_held_out(form: str) -> bool:
    """One form in four, the same ones always."""
    return int(hashlib.sha256(form.encode()).hexdigest(), 16) % 4 == 0


def encoded(item: ChoiceItem, words: dict[str, int]) -> Encoded:
    """An item with every sign that is taught; others are one sign."""

    def numbers(text: str) -> list[int]:
        return [words.get(sign, UNKNOWN) for sign in signs(text)]

    return Encoded(
        [QUESTION, *numbers(item.question)],
        [[CHOICE, *numbers(option)] for option in item.options],
        [[*numbers(item.rationales[letter]), END] for letter in LETTERS],
        LETTERS.index(item.key),
    )


class Network(nn.Module):
    """Two layers over everything at once; the end of each rationale says how well it fits."""

    def __init__(self, words: int, width: int = 64) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(LONGEST, width)
        self.parts = nn.Embedding(6, width)
        layer = nn.TransformerEncoderLayer(
            width, 4, 2 * width, 0.0, "gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.fit = nn.Linear(width, 1)

    def forward(self, text: Tensor, part: Tensor, ends: Tensor) -> Tensor:
        """How well each of the four fits."""
        places = torch.arange(text.shape[1])[None]
        seen = self.layers(
            self.words(text) + self.places(places) + self.parts(part),
            src_key_padding_mask=text == 0,
        )
        chosen = torch.gather(seen, 1, ends[..., None].expand(-1, -1, seen.shape[-1]))
        fits: Tensor = self.fit(chosen)[..., 0]
        return fits


def batch(
    asked: list[tuple[Encoded, int]], luck: random.Random
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Items with a choice each, the rationales in an order of their own; the last says which."""
    text = torch.zeros(len(asked), LONGEST, dtype=torch.long)
    part = torch.zeros(len(asked), LONGEST, dtype=torch.long)
    ends = torch.zeros(len(asked), 4, dtype=torch.long)
    right = torch.zeros(len(asked), dtype=torch.long)
    for row, (item, choice) in enumerate(asked):
        order = list(range(4))
        luck.shuffle(order)
        whole = item.question + item.options[choice]
        parts = [0] * len(item.question) + [1] * len(item.options[choice])
        for place, each in enumerate(order):
            whole = whole + item.rationales[each]
            parts += [2 + place] * len(item.rationales[each])
            ends[row, place] = len(whole) - 1
        text[row, : len(whole)] = torch.tensor(whole)
        part[row, : len(whole)] = torch.tensor(parts)
        right[row] = order.index(choice)
    longest = int(ends.max()) + 1
    return text[:, :longest], part[:, :longest], ends, right


def wrong_option(item: Encoded, luck: random.Random) -> int:
    """One of the three."""
    return luck.choice([each for each in range(4) if each != item.key])


def named(network: Network, asked: list[tuple[Encoded, int]], luck: random.Random) -> float:
    """The share of choices of which the network names the rationale."""
    hits = 0
    with torch.no_grad():
        for start in range(0, len(asked), 100):
            text, part, ends, right = batch(asked[start : start + 100], luck)
            hits += int((network(text, part, ends).argmax(1) == right).sum())
    return hits / len(asked)


def main() -> None:
    """Trains one network and prints what it can, along the way and in the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--taught", choices=["both", "right", "wrong"], default="both")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--items", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    luck = random.Random(given.seed)
    items = list(make_items(BankDesign(n=given.items, seed=11)))
    apart = [item for item in items if is_held_out(item.problem["form"])]
    others = [item for item in items if not is_held_out(item.problem["form"])]
    random.Random(0).shuffle(others)
    counts = Counter(
        sign
        for item in others
        for text in (item.question, *item.options, *item.rationales.values())
        for sign in signs(text)
    )
    frequent = sorted(sign for sign, count in counts.items() if count >= RAREST)
    words = {sign: FIRST_WORD + index for index, sign in enumerate(frequent)}
    seen = [encoded(item, words) for item in others[:ASKED]]
    unseen = [encoded(item, words) for item in apart[:ASKED]]
    taught = [encoded(item, words) for item in others[ASKED:]]
    network = Network(len(words) + FIRST_WORD)
    print(
        f"{sum(each.numel() for each in network.parameters()):,} weights; "
        f"{len({item.problem['form'] for item in others})} forms taught, "
        f"{len({item.problem['form'] for item in apart})} kept apart; {len(taught):,} items"
    )
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=0.01)
    began = time.process_time()
    for step in range(given.steps + 1):
        if step % 250 == 0 or step == given.steps:
            shares = {}
            for name, some in (("forms taught", seen), ("forms kept apart", unseen)):
                asked = [(item, item.key) for item in some]
                shares[f"AIA, {name}"] = named(network, asked, luck)
                asked = [(item, wrong_option(item, luck)) for item in some]
                shares[f"MIA, {name}"] = named(network, asked, luck)
            told = "; ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())
            print(f"{step:>5} steps, {time.process_time() - began:.0f} s: {told}", flush=True)
        chosen = []
        for item in luck.choices(taught, k=BATCH):
            right = given.taught == "right" or (given.taught == "both" and luck.random() < 0.5)
            chosen.append((item, item.key if right else wrong_option(item, luck)))
        share = step / given.steps
        rate = 1e-3 * min(1, (step + 1) / 200) * (0.05 + 0.475 * (1 + math.cos(math.pi * share)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        text, part, ends, answers = batch(chosen, luck)
        loss = nn.functional.cross_entropy(network(text, part, ends), answers)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()


if __name__ == "__main__":
    main()
