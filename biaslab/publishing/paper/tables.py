"""Tables of effects for a paper: LaTeX with booktabs, and CSV with every column.

Text as LaTeX shows it, whoever wrote it: names of models, settings, words of a person.

For pdflatex with the encodings UTF-8 and T1. What these cannot print stands as its code, so that
a document always compiles and nothing is lost unseen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from biaslab.publishing.paper.analysis import EffectTable
from biaslab.runs.effect_rows import EffectRows
from biaslab.stats import ALL, MARGIN, Effect, end_of
from biaslab.studies import experiment
from biaslab.studies.study import outcome_scale
from schoolmath.text.figures import (
    NONE,
    count,
    exact_percent,
    hundredths,
    listed,
    p_words,
    percent,
    signed_number,
    signed_points,
)

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


_ROWS_OF_A_PAGE = 40
"""A longer table is set in parts, since a float does not break."""


_LONGEST = 34
"""Characters of a model's name in a table."""


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of a printed table, as texts that are not LaTeX yet; family is a letter or empty."""

    study: str
    model: str
    strategy: str
    stratum: str
    n: str
    x: str
    x_prime: str
    cate: str
    interval: str
    p: str
    q: str
    family: str


HEADINGS = ("Study", "Model", "Strategy", "Pairs", "n", "x", "x′", "CATE", "Interval", "p", "q")


def run_names(effects: Sequence[Effect]) -> dict[str, str]:
    """What each run's model is called: with the run's id where the same was asked twice so."""
    firsts = {effect.run: effect for effect in effects}
    alike: dict[tuple[str, str, str], list[str]] = {}
    for run, effect in firsts.items():
        alike.setdefault((effect.study, effect.model, effect.strategy), []).append(run)
    return {
        run: effect.model if len(runs) == 1 else f"{effect.model} ({run[:6]})"
        for runs in alike.values()
        for run, effect in ((run, firsts[run]) for run in runs)
    }


def _short(names: Mapping[str, str]) -> dict[str, str]:
    """Names that leave room for figures; the methods have them whole. Different ones stay so."""
    shown = {
        run: name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}…{name[-_LONGEST // 2 :]}"
        for run, name in names.items()
    }
    whole = {
        short: {names[run] for run in shown if shown[run] == short} for short in shown.values()
    }
    return {
        run: short if len(whole[short]) == 1 else f"{short} ({run[:6]})"
        for run, short in shown.items()
    }


def families(effects: Sequence[Effect]) -> dict[tuple[str, ...], str]:
    """A letter for each family of tests, in the order of the rows; none for rows without one."""
    letters: dict[tuple[str, ...], str] = {}
    for effect in effects:
        if effect.family and effect.family not in letters:
            number = len(letters)
            again, place = divmod(number, len(ascii_lowercase))
            letters[effect.family] = ascii_lowercase[place] + (str(again) if again else "")
    return letters


def table_lines(effects: Sequence[Effect]) -> list[PrintedRow]:
    """The rows, every figure as it is printed."""
    letters, names = families(effects), _short(run_names(effects))
    return [
        PrintedRow(
            study=effect.study,
            model=names[effect.run],
            strategy=effect.strategy,
            stratum=_pairs(effect),
            n=f"{effect.n:,}",
            x=_level(effect.accuracy_x, effect.binary),
            x_prime=_level(effect.accuracy_x_prime, effect.binary),
            cate=difference(effect.cate, effect.binary),
            interval=interval_text(effect),
            p=p_words(effect.p),
            q=p_words(effect.q_bh),
            family=letters.get(effect.family, ""),
        )
        for effect in effects
    ]


def _pairs(effect: Effect) -> str:
    """Which pairs, and whether their answers are at the floor or ceiling."""
    which = "all" if effect.stratum == ALL else effect.stratum.replace("=", " = ", 1)
    end = end_of(effect)
    return f"{which} ({end})" if end else which


def difference(value: float | None, binary: bool) -> str:
    """An effect without its unit: percentage points, or units of the study's scale."""
    return signed_points(value) if binary else signed_number(value)


def interval_text(effect: Effect) -> str:
    """The interval of an effect in brackets; a dash where none can be determined."""
    if effect.ci_low is None or effect.ci_high is None:
        return NONE
    low, high = (difference(end, effect.binary) for end in (effect.ci_low, effect.ci_high))
    return f"[{low}, {high}]"


def _level(value: float | None, binary: bool) -> str:
    if value is None:
        return NONE
    return hundredths(value) if binary else signed_number(value)


def notes(effects: Sequence[Effect]) -> list[str]:
    """What the table's columns mean, in sentences."""
    studies = dict.fromkeys(effect.study for effect in effects)
    levels = dict.fromkeys(exact_percent(effect.confidence) for effect in effects)
    binary = any(effect.binary for effect in effects)
    said = ["n: pairs that count."]
    if any(end_of(effect) for effect in effects):
        said.append(
            "Floor, ceiling: of both kinds of problem the whole interval of the share right lies "
            f"below {percent(MARGIN)}, or above {percent(1 - MARGIN)}, where a difference has no "
            "room to show."
        )
    if binary:
        said.append(
            "x and x′: right answers in per cent; CATE: their difference in percentage points."
        )
    for study in studies:
        scale = outcome_scale(study)
        if scale is not None:
            said.append(f"{study}: x, x′ and CATE are means in {scale.unit}.")
    said.append(f"Intervals have a coverage of {' or '.join(levels)}; p belongs to the interval.")
    sizes: dict[int, list[str]] = {}
    for family, letter in families(effects).items():
        sizes.setdefault(len(family), []).append(letter)
    said += [
        f"q {listed(letters)}: Benjamini and Hochberg over {count(size, 'test')}"
        f"{'' if len(letters) == 1 else ' each'}."
        for size, letters in sizes.items()
    ]
    return said


def latex_table(table: EffectTable, rows: EffectRows, arms: Mapping[str, str]) -> str:
    """The table as floats with booktabs; each part has a heading and says what it is.

    Args:
        table: which one.
        rows: its effects.
        arms: for each study what x and x′ are, in words.
    """
    lines = table_lines(rows.found)
    parts = [lines[at : at + _ROWS_OF_A_PAGE] for at in range(0, len(lines), _ROWS_OF_A_PAGE)]
    caption = _caption(table, rows.found, arms)
    note = " ".join(notes(rows.found))
    texts = []
    for number, part in enumerate(parts, start=1):
        of = f" Part {number} of {len(parts)}." if len(parts) > 1 else ""
        label = table.name + (f"-{number}" if len(parts) > 1 else "")
        texts.append(Float(label, caption + of, note, "llllrrrrlrr", HEADINGS, _body(part)).text)
    return "\n".join(texts)


def _body(part: Sequence[PrintedRow]) -> list[str]:
    """Rows of LaTeX, with a rule where another study begins, and each name once."""
    written: list[str] = []
    before: PrintedRow | None = None
    for line in part:
        if before is not None and before.study != line.study:
            written.append(r"\midrule")
        new = before is None or before.study != line.study
        other = new or (before is not None and before.model != line.model)
        cells = [
            line.study if new else "",
            line.model if other else "",
            line.strategy if other or (before and before.strategy != line.strategy) else "",
            line.stratum, line.n, line.x, line.x_prime, line.cate, line.interval, line.p,
        ]  # fmt: skip
        mark = rf"\textsuperscript{{{line.family}}}" if line.family else ""
        written.append(row((*cells, line.q), mark))
        before = line
    return written


def _caption(table: EffectTable, effects: Sequence[Effect], arms: Mapping[str, str]) -> str:
    studies = list(dict.fromkeys(effect.study for effect in effects))
    by = "over all pairs" if table.by is None else f"by {_stratum_label(studies[0], table.by)}"
    told = "; ".join(f"{experiment(study).title}: {arms[study]}" for study in studies)
    return f"Effects {by}. {told}."


def _stratum_label(study: str, name: str) -> str:
    labels = {stratum.name: stratum.label for stratum in experiment(study).strata}
    return labels.get(name, name)


def csv_table(rows: EffectRows) -> str:
    """What `biaslab effects --format csv` prints."""
    from biaslab.files.tables import guarded_table
    from biaslab.studies.effects import further_table

    table = further_table(rows.found, rows.cells, rows.origins)
    return str(guarded_table(table).to_csv(index=False, lineterminator="\n"))
