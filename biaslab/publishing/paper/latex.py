"""Text as LaTeX shows it, whoever wrote it: names of models, settings, words of a person.

For pdflatex with the encodings UTF-8 and T1. What these cannot print stands as its code, so that
a document always compiles and nothing is lost unseen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "−": "$-$",
    "′": "$'$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    "–": "--{}",
    "—": "---{}",
    "…": r"\ldots{}",
    "“": "{}``{}",
    "”": "{}''{}",
    "‘": "{}`{}",
    "’": "{}'{}",
    "\N{NO-BREAK SPACE}": "~",
}

_APART = "\0"
_SPECIAL[_APART] = "{}"

_PRINTED = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"
)
"""Letters beyond ASCII that T1 has."""


_LIGATURES = re.compile("(?<=-)-|(?<=,),|(?<=')'")
"""Two of these would be drawn as one other character."""


def escaped(text: str) -> str:
    """The text as it is, in a paragraph or a cell of LaTeX; line ends and tabs become blanks."""
    one_by_one = _LIGATURES.sub(lambda found: f"{_APART}{found[0]}", _normal(text))
    return "".join(_shown(character) for character in one_by_one)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace(_APART, " ")


def _shown(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if " " <= character <= "~" or character in _PRINTED:
        return character
    if character.isspace():
        return " "
    return f"[U+{ord(character):04X}]"


@dataclass(frozen=True, slots=True)
class Float:
    """A table as it is printed.

    Attributes:
        label: of its reference, after ``tab:``; caption: what it shows; note: below it.
        columns: how they are aligned, as LaTeX's ``tabular`` has it.
        headings: of the columns; body: rows of LaTeX, with their line ends.
    """

    label: str
    caption: str
    note: str
    columns: str
    headings: Sequence[str]
    body: Sequence[str]

    @property
    def text(self) -> str:
        """The float with booktabs, no wider than the page."""
        return "\n".join(
            [
                r"\begin{table*}[tp]",
                r"\centering\footnotesize\setlength{\tabcolsep}{4pt}",
                rf"\caption{{{escaped(self.caption)}}}",
                rf"\label{{tab:{re.sub('[^A-Za-z0-9:-]', '-', self.label)}}}",
                r"\par\smallskip",
                r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
                rf"\begin{{tabular}}{{{self.columns}}}",
                r"\toprule",
                " & ".join(map(escaped, self.headings)) + r" \\",
                r"\midrule",
                *self.body,
                r"\bottomrule",
                r"\end{tabular}}",
                r"\par\smallskip\raggedright\footnotesize " + escaped(self.note),
                r"\end{table*}",
                "",
            ]
        )


def row(cells: Sequence[str], last: str = "") -> str:
    """A row of a table; `last` is LaTeX that follows the last cell."""
    # A cell that begins with [ would be taken for an argument of the line end before it.
    return r"{}" + " & ".join(map(escaped, cells)) + last + r" \\"


def document(tables: Sequence[str], figures: Mapping[str, str], results: Sequence[str] = ()) -> str:
    """A document that holds everything, to be compiled as it is or taken apart.

    Args:
        tables: their names.
        figures: captions by their names.
        results: names of texts before the tables.
    """
    floats = [
        line
        for name, caption in figures.items()
        for line in (
            r"\begin{figure*}[tp]",
            r"\centering",
            rf"\includegraphics[width=\linewidth]{{figures/{name}-two-column.pdf}}",
            rf"\caption{{{escaped(caption)}}}",
            r"\end{figure*}",
        )
    ]
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage[T1]{fontenc}",
            r"\usepackage[utf8]{inputenc}",
            r"\usepackage{textcomp,booktabs,graphicx}",
            r"\usepackage[margin=25mm]{geometry}",
            r"\begin{document}",
            r"\sloppy",
            r"\section*{Methods}",
            r"\input{methods}",
            r"\section*{Results}",
            *(rf"\input{{{name}}}" for name in results),
            *(rf"\input{{tables/{name}}}" for name in tables),
            *floats,
            r"\clearpage",
            r"\section*{Limitations}",
            r"\input{limitations}",
            r"\bibliographystyle{plain}",
            r"\bibliography{references}",
            r"\end{document}",
            "",
        ]
    )
