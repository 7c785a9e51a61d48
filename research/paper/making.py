"""Puts a paper about origins together: texts, tables, figures, and the bundle it rests on."""

from __future__ import annotations

import json
from pathlib import Path

from biaslab.publishing.paper import Paper
from biaslab.publishing.paper.bundle import INSIDE, MANIFEST, ORIGINS, VERSION, digest, versions
from biaslab.publishing.paper.methods import as_latex, as_text, reference_file
from biaslab.publishing.paper.tables import document, escaped
from biaslab.training.origins.rows import FAMILY_FILE
from research.experiment import design as of_experiment
from research.experiment.table import EXPERIMENT_FILE
from research.experiment.verdicts import claim_words
from research.paper.contents import (
    ANEW,
    EXPERIMENT,
    FAMILY,
    PAIRS,
    TUNED,
    Contents,
    read_contents,
)
from research.paper.tables import figures, tables
from research.paper.wording import limitations, methods, results
from research.tuning.design import TUNING_FILE

PREDICTIONS = "predictions.json"
"""What was predicted, in the bundle."""

_EXPLANATION = f"""# Bundle of a BiasLab paper on origins

The tables that the paper rests on, as they were. They hold counts, and which pairs were right;
everything else is worked out from them. The same tables give the same bytes with the same versions.

| file | what it holds |
|---|---|
| `{FAMILY}` | the family: what every model answered at every check (research/docs/family.md) |
| `{EXPERIMENT}` | the experiment, as far as it is trained (research/docs/experiment.md) |
| `{PAIRS}` | its pairs, a digit each: 3 both members right, 2 x alone, 1 x′ alone, 0 neither |
| `{ANEW}` | trainings done a second time, on another device, which enter no verdict |
| `{TUNED}` | fine-tuning (research/docs/family.md) |
| `{PREDICTIONS}` | every prediction of the experiment with its claims, committed before it began |
| `{MANIFEST}` | versions of BiasLab and libraries, SHA-256 of each file |
"""


def make_origins(
    family: Path = FAMILY_FILE, experiment: Path = EXPERIMENT_FILE, tuning: Path = TUNING_FILE
) -> Paper:
    """All files of a paper about where biases come from, as far as anything is trained.

    Args:
        family: the table of the family.
        experiment: that of the experiment; where there is none yet, the paper says so.
        tuning: that of fine-tuning; as above.

    Raises:
        BrokenAssets: a table cannot be read.
        OSError: as above.
    """
    contents = read_contents(family, experiment, tuning)
    bundle, found = _bundle(contents), versions()
    sha = digest(bundle[MANIFEST])
    said = limitations(contents)
    written, told = methods(contents, found, sha), results(contents)
    texts = {
        "methods.tex": as_latex(written),
        "methods.txt": as_text(written),
        "results.tex": as_latex(told),
        "results.txt": as_text(told),
        "limitations.tex": "".join(f"{escaped(sentence)}\n" for sentence in said),
        "limitations.txt": "".join(f"{sentence}\n" for sentence in said),
        "references.bib": reference_file(
            {
                "title": "Tables of the tiny models: the family, the experiment and fine-tuning",
                "note": f"Data: counts. SHA-256 of the manifest: {sha}",
            },
            of_experiment.STUDIES,
            found,
        ),
    }
    made, drawn = tables(contents), figures(contents)
    for table in made:
        texts[f"tables/{table.name}.tex"] = table.latex
        texts[f"tables/{table.name}.csv"] = table.csv
    texts["paper.tex"] = document(
        [table.name for table in made],
        {figure.name: figure.caption for figure in drawn},
        ["results"],
    )
    files = {name: text.encode() for name, text in texts.items()}
    files |= {f"figures/{name}": file for one in drawn for name, file in one.files.items()}
    files |= {f"{INSIDE}/{name}": content for name, content in bundle.items()}
    return Paper(files, sha, tuple(said))


def _bundle(contents: Contents) -> dict[str, bytes]:
    files = {
        **contents.files,
        PREDICTIONS: _json(_predictions()),
        "README.md": _EXPLANATION.encode(),
    }
    manifest = {
        "format": ORIGINS,
        "version": VERSION,
        "versions": versions(),
        "table": sorted({kept.version for kept in contents.experiment}),
        "sha256": {name: digest(content) for name, content in sorted(files.items())},
    }
    return {**files, MANIFEST: _json(manifest)}


def _predictions() -> list[dict[str, object]]:
    return [
        {
            "number": prediction.number,
            "title": prediction.title,
            "text": prediction.text,
            "against": prediction.against,
            "claims": [claim_words(claim) for claim in prediction.claims],
        }
        for prediction in of_experiment.PREDICTIONS
    ]


def _json(content: object) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()
