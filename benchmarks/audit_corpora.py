"""Audit a collection of corpora source by source; prints counts as CSV, never texts.

    python -m benchmarks.audit_corpora FILE > assets/audit/public_corpora.csv

FILE has JSON lines with `id` (its source, a hyphen, a number) and `text`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

from biaslab.audit import audit


def main(file: Path) -> None:
    """Audits every source, and all of them together."""
    sources: dict[str, list[str]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sources[row["id"].split("-")[0]].append(row["text"])
    everything = [text for texts in sources.values() for text in texts]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("source", "texts", "read", "feature", "kind", "count", "n", "told", "of"))
    for name, texts in [*sorted(sources.items()), ("all", everything)]:
        found = audit(texts)
        for feature in found.features:
            for share in feature.shares:
                told = (share.count, share.n, feature.told, feature.of)
                writer.writerow(
                    (name, len(found.texts), found.read, feature.key, share.kind, *told)
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
