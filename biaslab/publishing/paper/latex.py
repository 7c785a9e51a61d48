"""Text as LaTeX shows it, whoever wrote it: names of models, settings, words of a person.

For pdflatex with the encodings UTF-8 and T1. What these cannot print stands as its code, so that
a document always compiles and nothing is lost unseen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

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


def document(tables: Sequence[str], figures: Mapping[str, str]) -> str:
    """A document that holds everything, to be compiled as it is or taken apart.

    Args:
        tables: their names.
        figures: captions by their names.
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
