"""The table of docs/fidelity.md, from assets/published/fidelity.yaml.

    python docs/fidelity.py

writes it anew; tests/studies/test_published_words.py holds that it is as it stands.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from biaslab.studies.published import AFTER, NOT_HAD, SAME, FidelityRow, fidelity_of, fidelity_rows

PAGE = Path(__file__).with_name("fidelity.md")

_PAPERS = {
    "word problems": "Word problems: Opedal et al. (2024)",
    "malgorithms": "Malgorithms: Sonkar et al. (2024)",
    "concepts": "Concept learning (2025)",
    "decisions": "Decision biases: Malberg et al. (2024)",
}

_HEAD = """# What is published and what is ours

Every capability, setting, prompt, metric, table and figure of the four papers, and what stands for
it here: the *same*, *after* it (what differs, and why), or *not had*. Words called published are
those of `assets/published/prompts.yaml`, and a test compares them with the papers' texts. `biaslab
prompt STUDY --published --n 1` prints the messages that would be sent; `biaslab replicate SYSTEM
--model MODEL` asks a published design and prints our figures next to the published ones.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, _counts(fidelity_rows())]
    for system, title in _PAPERS.items():
        rows = fidelity_of(system)
        lines = ["| in the paper | where | here | |", "|---|---|---|---|"]
        lines += [f"| {row.what} | {row.where} | {row.verdict} | {row.how} |" for row in rows]
        parts.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _counts(rows: tuple[FidelityRow, ...]) -> str:
    found = Counter(row.verdict for row in rows)
    told = ", ".join(f"{found[verdict]} {verdict}" for verdict in (SAME, AFTER, NOT_HAD))
    return f"{len(rows)} rows: {told}.\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
