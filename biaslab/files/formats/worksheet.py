"""A worksheet to print: questions, and on a page of its own the key."""

from __future__ import annotations

from html import escape

from biaslab.files.items.item import ImportedItem

_STYLE = """
@page { margin: 18mm; }
body { font: 12pt/1.45 Georgia, 'Times New Roman', serif; color: #000; background: #fff;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; }
.who { margin: 1.5rem 0; } .who span { display: inline-block; min-width: 12rem;
       border-bottom: 1px solid #000; margin: 0 1.5rem 0 .3rem; }
ol.questions > li { margin: 0 0 1.6rem; break-inside: avoid; }
.text { white-space: pre-line; overflow-wrap: anywhere; }
.passage { border-left: 3px solid #888; padding-left: .8rem; }
ol.options { list-style: upper-alpha; margin-top: .4rem; }
.key { break-before: page; } .key > ol > li { margin: 0 0 1rem; break-inside: avoid; }
.key ul { margin: .2rem 0; } .rule { font-style: italic; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""


def write_worksheet(items: list[ImportedItem], title: str = "") -> str:
    """One HTML page that needs nothing else and runs nothing.

    The key names, for every wrong option, what is behind it: the mal-rule or misconception,
    and the rationale.
    """
    name = escape(title.strip() or "Worksheet")
    questions = "\n".join(map(_question, items))
    answers = "\n".join(map(_answer, items))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{name}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{name}</h1>
<p class="who">Name <span>&nbsp;</span> Date <span>&nbsp;</span></p>
<ol class="questions">
{questions}
</ol>
</main>
<section class="key">
<h2>Key to {name}</h2>
<ol>
{answers}
</ol>
</section>
</body>
</html>
"""


def _question(item: ImportedItem) -> str:
    passage = f'<div class="text passage">{escape(item.passage)}</div>' if item.passage else ""
    options = "".join(f'<li class="text">{escape(option)}</li>' for option in item.options)
    return (
        f'<li>{passage}<div class="text">{escape(item.question)}</div>'
        f'<ol class="options">{options}</ol></li>'
    )


def _answer(item: ImportedItem) -> str:
    lines = []
    for letter in item.letters:
        said = []
        if letter in item.misconceptions:
            said.append(f'<span class="rule">{escape(item.misconceptions[letter])}</span>')
        if letter in item.rationales:
            said.append(escape(item.rationales[letter]))
        if said:
            lines.append(f'<li class="text"><b>{letter}</b> {": ".join(said)}</li>')
    told = f"<ul>{''.join(lines)}</ul>" if lines else ""
    right = escape(item.option(item.key))
    return f'<li><span class="text"><b>{item.key}</b>, {right}</span>{told}</li>'
