"""Every misconception on one page to print: what it is called, what is done, an example."""

from __future__ import annotations

import html

from schoolmath.malrules.rules import Card, by_subject, example_of

_STYLE = """
body { font: 10.5pt/1.4 "Source Sans 3", "Segoe UI", Roboto, sans-serif; color: #14161a;
       max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3em .6em; border-top: 1px solid #bbb; }
td:nth-child(1) { width: 28%; font-weight: 600; }
td:nth-child(4) { color: #5a5f66; font-size: 9pt; }
h2::first-letter { text-transform: uppercase; }
@media print { body { margin: 0; } tr { break-inside: avoid; } h2 { break-after: avoid; } }
"""


def misconceptions_page() -> str:
    """The page as HTML that needs no network; by subject, those taken to be common first."""
    parts = [
        f"<h2>{html.escape(subject)}</h2><table><tr><th>misconception</th><th>what is done</th>"
        f"<th>example</th><th>for researchers</th></tr>{''.join(map(_row, cards))}</table>"
        for subject, cards in by_subject().items()
        if cards
    ]
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Misconceptions</title>'
        f"<style>{_STYLE}</style></head><body><h1>Misconceptions that BiasLab knows</h1>"
        "<p>Hardly anybody has counted which are common: those with well known sources stand "
        f"first, then the others, rare habits last.</p>{''.join(parts)}</body></html>"
    )


def _row(card: Card) -> str:
    example = example_of(card.id)
    cells = (
        card.name,
        card.description,
        example.words if example else "",
        f"{card.id} · {card.slug} · grades {card.grades[0]} to {card.grades[1]} · {card.source}",
    )
    return f"<tr>{''.join(f'<td>{html.escape(each)}</td>' for each in cells)}</tr>"
