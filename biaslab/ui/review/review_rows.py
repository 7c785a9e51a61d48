"""The texts of a quality review with what was said about them, as rows for a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biaslab.review.quality import Judged, fails
from biaslab.review.reading import texts
from biaslab.review.records import ReviewRecord
from biaslab.review.texts import Criterion
from biaslab.ui.review.kept import part_words
from biaslab.ui.widgets import kept

COLUMNS = (
    "number", "part", "pair", "member", "text", "answer", "strata", "reviewers",
    "natural_no", "natural_faulty", "clear_no", "clear_faulty", "comments",
)  # fmt: skip
"""``member`` is x or x_prime; ``..._no`` how many said no; nobody's name is there."""


def result_rows(record: ReviewRecord, judged: Sequence[Judged]) -> Iterator[dict[str, str]]:
    """A row for each text."""
    known = texts(kept.store(), record.id)
    for each in judged:
        text = known[each.number]
        row = {
            "number": str(each.number),
            "part": part_words(text.round),
            "pair": text.pair,
            "member": text.member,
            "text": text.text,
            "answer": text.answer,
            "strata": "; ".join(f"{name}: {value}" for name, value in text.strata.items()),
            "reviewers": str(len(each.judgements)),
            "comments": " | ".join(said.comment for said in each.judgements if said.comment),
        }
        for criterion in Criterion:
            noes = sum(not said.says(criterion) for said in each.judgements)
            row[f"{criterion}_no"] = str(noes)
            row[f"{criterion}_faulty"] = "yes" if fails(each.judgements, criterion) else "no"
        yield row
