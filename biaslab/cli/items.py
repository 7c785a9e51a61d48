"""The item bank: questions with four options, each wrong one computed by a mal-rule."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import sentences, whole_text
from schoolmath.malrules import ContentClass
from schoolmath.malrules.bank import BankDesign, BankMix, RationaleStyle, make_items, write_item
from schoolmath.text.figures import percent

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


class _Range(click.ParamType[tuple[int, int]]):
    """One whole number, or two with a hyphen between."""

    name = "range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Lowest and highest."""
        if isinstance(value, tuple):
            return value
        match = _RANGE.fullmatch(str(value).strip())
        if match is None:
            self.fail(f"“{value}” is no range: write a number such as 4, or 3-8.", param, ctx)
        low = int(match[1])
        return low, int(match[2] or low)


class _Class(click.ParamType[str]):
    """A content class, by its name or the beginning of its name."""

    name = "class"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The class's whole name."""
        names = [each.value for each in ContentClass]
        begun = " ".join(str(value).lower().split())
        found = [name for name in names if begun and name.startswith(begun)]
        if len(found) != 1:
            self.fail(f"“{value}” is no content class: choose {', '.join(names)}.", param, ctx)
        return found[0]


@click.command("items")
@click.option("--n", "n", type=int, default=200, show_default=True, help="Number of items.")
@click.option("--seed", type=int, default=1, show_default=True,
              help="The same seed gives the same items on every machine.")  # fmt: skip
@click.option("--grade", "grades", type=_Range(), default=(3, 11), metavar="RANGE",
              help="Grades, such as 3-8 or 5. [default: 3-11]")  # fmt: skip
@click.option("--class", "classes", type=_Class(), multiple=True, metavar="NAME",
              help="Content class, such as algebra; repeatable. [default: all]")  # fmt: skip
@click.option("--dok", "doks", type=_Range(), default=(1, 3), metavar="RANGE",
              help="Depth of knowledge, such as 1-2. [default: 1-3]")  # fmt: skip
@click.option("--style", type=click.Choice([each.value for each in RationaleStyle]),
              default=RationaleStyle.TERSE.value, show_default=True,
              help="Of the rationales.")  # fmt: skip
@click.option("--mix", type=click.Choice([each.value for each in BankMix]),
              default=BankMix.PUBLISHED.value, show_default=True,
              help="Grades and classes as in the published data set, or evenly.")  # fmt: skip
@click.option("--ambiguous", is_flag=True,
              help="Take also options that several mal-rules give; they are marked.")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path),
              help="File to write, ending in .jsonl: an item in each row.")  # fmt: skip
@click.option("--quality", is_flag=True,
              help="Write nothing: measure rationales, and what gives keys away.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="Of what --quality prints.")  # fmt: skip
def items_command(
    n: int,
    seed: int,
    grades: tuple[int, int],
    classes: tuple[str, ...],
    doks: tuple[int, int],
    style: str,
    mix: str,
    ambiguous: bool,
    out: Path | None,
    quality: bool,
    form: str,
) -> None:
    """Write questions with four options, whose wrong ones mal-rules compute, to a file."""
    if quality == (out is not None):
        raise click.UsageError("Give --out FILE to write items, or --quality to measure them.")
    with sentences():
        design = BankDesign(n, seed, grades, classes or None, doks, style, not ambiguous, mix)
    if out is None:
        with sentences():
            _measure(design, form)
        return
    if out.suffix != ".jsonl":
        raise click.UsageError(f"--out {out}: the file's name must end in .jsonl.")
    with sentences(), whole_text(out) as file:
        for item in tqdm(make_items(design), total=n, unit=" items", disable=None):
            file.write(json.dumps(write_item(item), ensure_ascii=False) + "\n")
    click.echo(f"{n} items in {out}")


def _measure(design: BankDesign, form: str) -> None:
    """Prints what `schoolmath.malrules.bank.quality` measures of a design's items."""
    from biaslab.stats.estimates import wilson
    from schoolmath.malrules.bank.quality import measured

    found = measured(make_items(design))
    if form == "json":
        shares = [(each, wilson(round(each.count), each.n)) for each in found]
        content = [
            {
                "name": each.name, "says": each.says, "goal": each.goal, "share": each.share,
                "n": each.n, "interval": interval and [interval.low, interval.high],
            }
            for each, interval in shares
        ]  # fmt: skip
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
        return
    for each in found:
        click.echo(
            f"{percent(each.share):>8} of {each.n:<6,} {each.goal:13} {each.says} ({each.name})"
        )
