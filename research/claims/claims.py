"""Ten claims: where their authors' files say what was right, and what pairs of it come to.

    python -m research.claims FOLDER

The folder holds clones of the repositories in `REPOSITORIES`; nothing of them is in this project.
Every claim is a difference within pairs: the same problem, as it was and changed. All ten tests are
one family (Benjamini and Hochberg).
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import scipy

from biaslab.stats.comparisons import paired
from biaslab.stats.comparisons.logs import LogComparison
from biaslab.stats.errors import BrokenAssets
from schoolmath.text.figures import interval_words, p_words, percent, signed_points

EMBERS = "embers-of-autoregression"
GSM_PLUS = "GSM-Plus"
REPOSITORIES = {
    EMBERS: "https://github.com/tommccoy1/embers-of-autoregression",
    GSM_PLUS: "https://github.com/qtli/GSM-Plus",
}
"""Where each folder is cloned from."""

VARIANTS = 7
"""Changed forms of a question in GSM-Plus, without those that have no answer."""

_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class ClaimPairs:
    """The pairs of a claim.

    Attributes:
        easy, changed: 1 where right, 0 where not, pair by pair.
        cluster: what each pair shares with others.
        note: in what else the two differ, or what the file does not say.
    """

    easy: Sequence[int]
    changed: Sequence[int]
    cluster: Sequence[str]
    note: str


@dataclass(frozen=True, slots=True)
class FragilityClaim:
    """A claim and where its pairs are.

    Attributes:
        text: what should be easier than what; model: for which model.
        source: who says so; file: in the folder; pairs: reads it.
    """

    text: str
    model: str
    source: str
    file: str
    pairs: Callable[[Path], ClaimPairs]


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim, its comparison, q over all, and the verdict in words."""

    claim: FragilityClaim
    note: str
    found: LogComparison
    q: float
    verdict: str


def _embers(easy: str, changed: str, share: str) -> Callable[[Path], ClaimPairs]:
    """Reads a table of McCoy and others: a line an item and condition.

    Pairs are by ``index``; items with the same number in ``share`` were the same question twice,
    so they are one cluster.
    """

    def read(file: Path) -> ClaimPairs:
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        kind = "task" if rows and "task" in rows[0] else "method"
        arms = [{row["index"]: row for row in rows if row[kind] == arm} for arm in (easy, changed)]
        keys = [key for key in arms[0] if key in arms[1]]
        if not keys:
            raise BrokenAssets(f"{file.name} has no pairs of {easy} and {changed}.")
        was, changed_right = ([_bit(arm[key]["correct"], file) for key in keys] for arm in arms)
        cluster = [arms[0][key][share] for key in keys]
        return ClaimPairs(was, changed_right, cluster, _sizes(arms, keys))

    return read


def _bit(text: str, file: Path) -> int:
    if text not in ("0", "1"):
        raise BrokenAssets(f"{file.name}: “{text}” is neither 0 nor 1.")
    return int(text)


def _sizes(arms: Sequence[dict[str, dict[str, str]]], keys: Sequence[str]) -> str:
    """In what else the arms differ, as far as the table says: the sizes of answers."""
    if "output" not in arms[0][keys[0]]:
        return "the same numbers"
    # With the inverse functions the question is the column of the output, and the answer the input.
    names = [
        "input" if len({arm[key]["output"] for arm in arms}) == 1 else "output" for key in keys
    ]
    means = [
        statistics.mean(float(arm[key][name]) for key, name in zip(keys, names, strict=True))
        for arm in arms
    ]
    return f"answers are {means[0]:,.0f} and {means[1]:,.0f} on average"


def _gsm_plus(model: str) -> Callable[[Path], ClaimPairs]:
    """Reads GSM-Plus's counts: originals right or wrong by changed ones right or wrong.

    Which changed forms share a question is not released. So the forms of a question count as one,
    which is as wide as an interval can be: each count is divided by their number.
    """

    def read(file: Path) -> ClaimPairs:
        counts = json.loads(file.read_text("utf-8"))[model]["conf_mat_wo_ncr_count"]
        # Easy and changed right; easy right alone; changed right alone; neither.
        cells = [(1, 1, counts["tp"]), (1, 0, counts["fn"]), (0, 1, counts["fp"]),
                 (0, 0, counts["tn"])]  # fmt: skip
        pairs = [
            (easy, changed)
            for easy, changed, number in cells
            for _ in range(round(number / VARIANTS))
        ]
        every = [str(number) for number in range(len(pairs))]
        note = f"{sum(c[2] for c in cells):,} pairs; those of a question count as one"
        return ClaimPairs([e for e, _ in pairs], [c for _, c in pairs], every, note)

    return read


_MCCOY = "McCoy et al. 2024"
_LI = "Li et al. 2024"


def _table(name: str, model: str) -> str:
    return f"{EMBERS}/evaluation/table_{name}_{model}.tsv"


def _linear(model: str, label: str) -> FragilityClaim:
    return FragilityClaim(
        "9/5 x + 32, which is common, over 7/5 x + 31", label, _MCCOY,
        _table("conversion_fwd", model), _embers("conversion_actual", "conversion_fake", "input"),
    )  # fmt: skip


def _times(changed: str, words: str, model: str, label: str) -> FragilityClaim:
    return FragilityClaim(
        f"a product in digits over one in {words}", label, _MCCOY,
        _table("multiplication", model),
        _embers("multiplication_number", f"multiplication_{changed}", "index"),
    )  # fmt: skip


def _changed(model: str) -> FragilityClaim:
    return FragilityClaim(
        "a question as it was over changed ones", model, _LI,
        f"{GSM_PLUS}/results/model_performance_all.json", _gsm_plus(model),
    )  # fmt: skip


CLAIMS = (
    _linear("gpt-4-0613", "GPT-4"),
    _linear("gpt-3.5-turbo-0613", "GPT-3.5"),
    _linear("claude-3-opus-20240229", "Claude 3 Opus"),
    _linear("llama-3-70b-chat-hf", "Llama 3 70B"),
    FragilityClaim(
        "the common function's inverse over the other's", "GPT-4", _MCCOY,
        _table("conversion_rev", "gpt-4-0613"),
        _embers("conversion_actualinverse", "conversion_fakeinverse", "output"),
    ),
    _times("word", "words", "gpt-4-0613", "GPT-4"),
    _times("word", "words", "gpt-3.5-turbo-0613", "GPT-3.5"),
    _times("alternatingcaps", "aLtErNaTiNg capitals", "gpt-4-0613", "GPT-4"),
    _changed("GPT-4"),
    _changed("GPT-3.5-Turbo"),
)  # fmt: skip


def judge(folder: Path, claims: Iterable[FragilityClaim] = CLAIMS) -> list[ClaimVerdict]:
    """Every claim whose file is in the folder.

    Raises:
        BrokenAssets: a file is not what its authors released; or there is none.
    """
    found = []
    for claim in claims:
        file = folder / claim.file
        if not file.is_file():
            continue
        try:
            pairs = claim.pairs(file)
        except (KeyError, ValueError, TypeError) as error:
            raise BrokenAssets(f"{claim.file} is not as it was released: {error}.") from error
        found.append((claim, pairs.note, paired(pairs.easy, pairs.changed, pairs.cluster)))
    if not found:
        wanted = " and ".join(f"git clone {url}" for url in REPOSITORIES.values())
        raise BrokenAssets(f"None of the claims' files is in {folder}: {wanted} there.")
    tested = [1.0 if each.p is None else each.p for _, _, each in found]
    rates = scipy.stats.false_discovery_control(tested, method="bh")
    return [
        ClaimVerdict(claim, note, each, float(q), _verdict(each, float(q)))
        for (claim, note, each), q in zip(found, rates, strict=True)
    ]


def _verdict(comparison: LogComparison, q: float) -> str:
    if comparison.difference is None or q >= _LEVEL:
        return "not shown by these pairs"
    return "holds" if comparison.difference > 0 else "the other way round"


def table(verdicts: Iterable[ClaimVerdict]) -> list[str]:
    """The claims as a Markdown table."""
    lines = [
        "| easier | model | source | right | effect (95 %) | n | q | what else differs | verdict |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for each in verdicts:
        found = each.found
        lines.append(
            f"| {each.claim.text} | {each.claim.model} | {each.claim.source} | "
            f"{percent(found.mean_a)}, {percent(found.mean_b)} | "
            f"{signed_points(found.difference)} ({interval_words(found.ci_low, found.ci_high)}) | "
            f"{found.n} | {p_words(each.q)} | {each.note} | {each.verdict} |"
        )
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: prints the table; 2 where there is nothing to judge."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}", description="Judges published claims from their files."
    )
    parser.add_argument("folder", type=Path, help="holds the clones")
    try:
        judged = judge(parser.parse_args(arguments).folder)
    except (BrokenAssets, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("\n".join(table(judged)) + "\n")
    for claim in CLAIMS:
        if claim not in [each.claim for each in judged]:
            sys.stdout.write(f"Not judged, its file is not here: {claim.file}\n")
    return 0
