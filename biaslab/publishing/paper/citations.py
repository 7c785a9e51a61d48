"""References of a paper as BibTeX: the software, the bundle, the studies' sources, the libraries.

Nothing about a publication is filled in that a study does not say itself: its entry quotes the
study, and the author completes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from biaslab.publishing.paper.bundle.writing import Bundle
from biaslab.publishing.paper.latex import escaped
from biaslab.runs import RunRecord
from biaslab.studies import experiment


def references(records: Sequence[RunRecord], bundle: Bundle) -> str:
    """The file of references, an entry for everything that the methods cite."""
    asked = sorted({(record.finished or record.created)[:4] for record in records})
    bundled = {
        "title": f"Bundle of runs {escaped(', '.join(record.id for record in records))}",
        "year": asked[-1],
        "note": "Data: pairs, prompts, responses and effects. SHA-256 of the manifest: "
        + bundle.digest,
    }
    studies = dict.fromkeys(record.study for record in records)
    return reference_file(bundled, studies, bundle.manifest.versions)


def reference_file(
    bundle: Mapping[str, str], studies: Iterable[str], versions: Mapping[str, str]
) -> str:
    """Entries of BiasLab, of a bundle, of studies, and of libraries.

    Args:
        bundle: the fields of its entry, as LaTeX.
        studies: their names.
        versions: of BiasLab and of what it was used with.
    """
    entries = [
        _entry(
            "biaslab",
            {
                "author": "{BiasLab developers}",
                "title": "{BiasLab}: see how language models go wrong at school mathematics in "
                "the ways that people do",
                "note": f"Software, version {escaped(versions['biaslab'])}",
            },
        ),
        _entry("bundle", bundle),
    ]
    for name in studies:
        study = experiment(name)
        entries.append(
            _entry(
                f"study-{name}",
                {
                    "title": escaped(study.source),
                    "note": f"As BiasLab names the source of the study {escaped(name)}; "
                    "complete this entry from the publication",
                },
            )
        )
    for name, version in versions.items():
        if name != "biaslab":
            note = f"Software, version {escaped(version)}"
            fields = {"title": f"{{{escaped(name)}}}", "note": note}
            entries.append(_entry(f"software-{name}", fields))
    return "\n".join(entries)


def _entry(key: str, fields: Mapping[str, str]) -> str:
    sorted_by = {} if "author" in fields else {"key": key}
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in {**fields, **sorted_by}.items())
    return f"@misc{{{key},\n{lines}\n}}\n"
